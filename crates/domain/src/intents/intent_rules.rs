//! The rules that `bailiwick intent check` knows: a code, a level, and what each says. Codes never change their meaning.
//!
//! Deliberately absent: how a rule is judged (`bailiwick-policy`), and how a file is read.

use serde::{Serialize, Serializer};

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $level:literal, $says:literal;)*) => {
        /// A rule of `intent check`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum IntentRule {
            $($(#[$doc])* $name,)*
        }

        impl IntentRule {
            /// All rules, in the order of their levels.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The code, as JSON, SARIF and the documentation have it.
            pub fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// From which level on it is judged: 1 the file is valid, 2 the intent is good, 3 strict.
            pub fn level(self) -> u8 {
                match self { $(Self::$name => $level,)* }
            }

            /// What is wrong where it applies, in one line.
            pub fn says(self) -> &'static str {
                match self { $(Self::$name => $says,)* }
            }
        }
    };
}

rules! {
    /// The text is no YAML of the subset.
    Yaml = "yaml", 1, "the file is not YAML, or uses what the subset leaves out";
    /// A value has the wrong type, or is none of its words.
    Value = "value", 1, "a value has the wrong type or is none of the known words";
    /// A key that nobody knows.
    UnknownKey = "unknown-key", 1, "a key is not known";
    /// A key that must be there is not.
    MissingKey = "missing-key", 1, "a key that must be there is missing";
    /// Two intents have one id.
    DuplicateId = "duplicate-id", 1, "two intents have the same id";
    /// The parent is not in the file.
    UnknownParent = "unknown-parent", 1, "the parent is not in the file";
    /// An intent is its own ancestor.
    ParentCycle = "parent-cycle", 1, "an intent is its own ancestor, or its ancestors do not end";
    /// A scope pattern is no glob or leaves the repository.
    BadPattern = "bad-pattern", 1, "a pattern is no glob, or leaves the repository";
    /// A spelling from elsewhere that is understood.
    OtherSpelling = "other-spelling", 1, "a spelling from elsewhere is understood; the canonical one is clearer";
    /// No requirement is listed.
    NoRequirement = "no-requirement", 2, "no requirement is listed, so one is derived from the id";
    /// No reason is given.
    NoWhy = "no-why", 2, "nothing says why the intent exists";
    /// Nobody can tell when it is done.
    NoCheck = "no-check", 2, "no acceptance criterion has a check";
    /// An open intent owns nothing.
    NoScope = "no-scope", 2, "an open intent that is no goal owns nothing";
    /// An example that should be in scope is not.
    AllowedExample = "example-allow", 2, "a path of `examples.allow` is not in the scope";
    /// An example that should be out of scope is in it.
    DeniedExample = "example-deny", 2, "a path of `examples.deny` is in the scope";
    /// A pattern matches no file.
    MatchesNothing = "matches-nothing", 2, "a pattern matches no file of the working copy";
    /// The scope covers a large part of the files.
    Broad = "broad-scope", 2, "the scope covers a large part of the repository";
    /// A pattern names a place that only a person changes.
    Protected = "protected-path", 2, "a pattern names a place that only you change, so it has no effect";
    /// A pattern names what the parent does not own.
    BeyondParent = "beyond-parent", 2, "a pattern names files that the parent does not own";
    /// A text says how good without saying how much.
    VagueWord = "vague-word", 2, "a vague word without a number or a check";
    /// The file that shall prove it is there already.
    AlreadyMet = "already-met", 2, "the file of a check is there before any work, so it proves nothing";
    /// A check passed before anything was changed.
    PassedBefore = "passed-before", 2, "a check passed before any work, so it proves nothing";
    /// A limit is not kept.
    ConstraintFails = "constraint-fails", 2, "the check of a constraint failed the last time it ran";
    /// An open intent is over.
    Expired = "expired", 2, "the intent is open, but its time is over";
    /// Two open intents own one file.
    Overlap = "overlap", 3, "two open intents own the same files";
    /// Paths near the examples are in the scope as well.
    LooseScope = "loose-scope", 3, "paths outside the examples' folders are in the scope";
    /// A near miss of a denied example is in scope.
    NearDenied = "near-denied", 3, "a path next to a denied example is in the scope";
    /// There are no examples to test the scope with.
    NoExamples = "no-examples", 3, "there are no examples to test the scope with";
    /// A requirement that no criterion verifies.
    Unverified = "requirement-unverified", 3, "no checked acceptance criterion names the requirement";
    /// A constraint that nothing holds anybody to.
    Unenforced = "constraint-unenforced", 3, "a constraint has neither a check nor a form that the gate enforces";
}

impl Serialize for IntentRule {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.code())
    }
}
