//! Which files a goal is likely to change: its words against paths and contents, what past commits say, and what they
//! changed together. A ranking, and the patterns of a scope made of it; nothing of it counts before a person accepts.
//!
//! Deliberately absent: reading. The caller brings paths, counts of words and past commits, and leaves out what may not
//! be suggested.

mod forgotten;
mod patterns;
mod rank;
mod words;

use bailiwick_domain::RepoPath;

pub use forgotten::forgotten;
pub use patterns::{Pattern, patterns};
pub use rank::{Ranked, rank};
pub use words::{Goal, imported};

/// What is known of one file.
#[derive(Clone, Debug)]
pub struct FileFacts {
    /// Where it is.
    pub path: RepoPath,
    /// How often each word of the goal stands in it, in the order of [`Goal::words`]; empty when it was not read.
    pub found: Vec<u32>,
    /// The last names of what it imports; see [`imported`].
    pub imports: Vec<String>,
}

/// One commit of the past.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastCommit {
    /// The first line of its message.
    pub subject: String,
    /// What it changed, as places in the list of files.
    pub files: Vec<usize>,
}

/// Why a file is suggested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The goal names the file.
    Named,
    /// Words of the goal are in its path.
    InPath(Vec<String>),
    /// Words of the goal are in its text.
    InText(Vec<String>),
    /// So many earlier commits with words of the goal changed it.
    Earlier(usize),
    /// So many of so many commits that changed the other file changed this one too.
    Together {
        /// Commits that changed both.
        both: usize,
        /// Commits that changed the other one.
        of: usize,
        /// The other file.
        with: RepoPath,
    },
    /// It has the name of a test of the other file, or of what the other file tests.
    TestOf(RepoPath),
    /// It is derived from the other file, which is a manifest.
    DerivedFrom(RepoPath),
    /// The other file imports it.
    ImportedBy(RepoPath),
}

impl Why {
    /// Whether it is about the file itself, and not about another file that may be suggested for this one.
    pub fn is_own(&self) -> bool {
        match self {
            Self::Named | Self::InPath(_) | Self::InText(_) | Self::Earlier(_) => true,
            Self::Together { .. } | Self::TestOf(_) | Self::DerivedFrom(_) | Self::ImportedBy(_) => false,
        }
    }

    /// The reason as a part of a sentence.
    pub fn says(&self) -> String {
        match self {
            Self::Named => "named in the goal".to_owned(),
            Self::InPath(words) => format!("its path has {}", words.join(", ")),
            Self::InText(words) => format!("its text has {}", words.join(", ")),
            Self::Earlier(1) => "changed by an earlier commit with words of the goal".to_owned(),
            Self::Earlier(count) => format!("changed by {count} earlier commits with words of the goal"),
            Self::Together { both, of, with } => {
                format!("changed together in {both} of {of} commits: {with}")
            }
            Self::TestOf(path) => format!("named like {path}"),
            Self::DerivedFrom(path) => format!("derived from {path}"),
            Self::ImportedBy(path) => format!("imported by {path}"),
        }
    }
}
