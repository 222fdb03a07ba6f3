//! What a change of source means: a proved refactor or an evolution of intent, and the
//! syntactic unit that a changed line lies in.
//!
//! Words only: how a proof is found is the business of an adapter.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::values::{ContentHash, RepoPath};

/// The class of a change. There is no third one: what is not proved is an evolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MutationClass {
    /// Proved to leave the behaviour as it was.
    AstRefactor,
    /// Everything else.
    IntentEvolution,
}

impl fmt::Display for MutationClass {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::AstRefactor => "AST_REFACTOR",
            Self::IntentEvolution => "INTENT_EVOLUTION",
        })
    }
}

impl MutationClass {
    /// The class of that name, as an agent may claim it.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "AST_REFACTOR" => Some(Self::AstRefactor),
            "INTENT_EVOLUTION" => Some(Self::IntentEvolution),
            _ => None,
        }
    }

    /// The word for it in a sentence.
    fn word(self) -> &'static str {
        match self {
            Self::AstRefactor => "refactor",
            Self::IntentEvolution => "evolution",
        }
    }
}

/// What proved a refactor, or what stood against a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MutationMethod {
    /// Proved: the same tokens in the same structure; comments, docstrings and layout aside.
    SameTokens,
    /// Proved: the same items, in another order or place where that cannot be noticed.
    SameItems,
    /// Proved: names changed consistently, with the same bindings.
    Renamed,
    /// Proved: a piece of code was given a name, or a name was replaced by what it stands for.
    Expanded,
    /// Not proved: there is a difference that no rule explains.
    Unexplained,
    /// Not proved: a file is new, is gone, or is no text.
    WholeFile,
    /// Not proved: the text after the change has syntax errors that the text before did not have.
    Syntax,
    /// Not proved: no grammar for a changed file.
    UnknownLanguage,
    /// Not proved: too big, too deep or too slow to look at.
    Limit,
}

/// One thing that a human should know about a change, such as "the default of `timeout` changed".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationEvidence {
    /// The line, 1-based: in the text after the change, or before it where something is gone.
    pub line: usize,
    /// The file.
    pub path: RepoPath,
    /// One short sentence without a final period.
    pub what: String,
}

impl MutationEvidence {
    /// What is said, with the name of the file.
    fn with_file(&self) -> String {
        match self.what.strip_prefix("the file ") {
            Some(rest) => format!("{} {rest}", self.path),
            None => format!("{}: {}", self.path, self.what),
        }
    }
}

/// The class of a set of changes, with what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutation {
    /// The class that the agent claimed for its call. It is kept as a claim and decides nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed: Option<MutationClass>,
    /// The class.
    pub class: MutationClass,
    /// The renames and moves of a proof, or the first differences that nothing explains.
    pub evidence: Vec<MutationEvidence>,
    /// What proved it or stood against it.
    pub method: MutationMethod,
}

impl Mutation {
    /// A proved refactor.
    pub fn refactor(method: MutationMethod, evidence: Vec<MutationEvidence>) -> Self {
        Self { class: MutationClass::AstRefactor, method, evidence, claimed: None }
    }

    /// An evolution of intent, and why no proof was found.
    pub fn evolution(method: MutationMethod, evidence: Vec<MutationEvidence>) -> Self {
        Self { class: MutationClass::IntentEvolution, method, evidence, claimed: None }
    }

    /// The same, with what the agent claimed.
    #[must_use]
    pub fn with_claim(self, claimed: Option<MutationClass>) -> Self {
        Self { claimed, ..self }
    }

    /// The claim that what was found contradicts.
    pub fn contradicted_claim(&self) -> Option<MutationClass> {
        self.claimed.filter(|claimed| *claimed != self.class)
    }

    /// One line for the human who is asked: the class, a claim that it contradicts, and the first things to know.
    pub fn in_a_line(&self) -> String {
        self.told(|evidence| evidence.what.clone())
    }

    /// The same where nobody can tell which file is meant: each thing to know names its own.
    pub fn in_a_line_with_files(&self) -> String {
        self.told(MutationEvidence::with_file)
    }

    fn told(&self, said: impl Fn(&MutationEvidence) -> String) -> String {
        let claim = self.contradicted_claim().map(|claimed| format!("claimed {}", claimed.word()));
        let first = self.evidence.iter().take(3).map(said);
        let told: Vec<String> = claim.into_iter().chain(first).collect();
        let more = self.evidence.len().saturating_sub(3);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        match (self.class, told.is_empty()) {
            (MutationClass::AstRefactor, true) => format!("{}, proved", self.class),
            (MutationClass::AstRefactor, false) => {
                format!("{}, proved: {}{more}", self.class, told.join("; "))
            }
            (MutationClass::IntentEvolution, true) => format!("{}", self.class),
            (MutationClass::IntentEvolution, false) => format!("{}: {}{more}", self.class, told.join("; ")),
        }
    }

    /// Whether behaviour is proved to be as before.
    pub fn is_refactor(&self) -> bool {
        self.class == MutationClass::AstRefactor
    }
}

/// One file of a set of changes; `None` stands for no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileChange<'a> {
    /// The path.
    pub path: &'a RepoPath,
    /// The bytes before.
    pub before: Option<&'a [u8]>,
    /// The bytes after.
    pub after: Option<&'a [u8]>,
}

/// The innermost named unit of source around some lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// What it is.
    pub kind: SymbolKind,
    /// The names from the outermost unit to this one, joined by `.`, such as `Session.renew`.
    pub path: String,
    /// A hash of the unit's structure: comments and layout left out, so that moving or formatting it keeps the hash.
    pub structural_hash: ContentHash,
}

/// What a named unit of source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SymbolKind {
    /// A function or a method.
    Function,
    /// A class, struct, enumeration, interface, trait or alias.
    Type,
    /// A module, a namespace, or the implementation block of a type.
    Module,
    /// A constant or a variable outside functions.
    Constant,
}
