//! The terms in which a call is read: what it does to a path, what it quotes, and why it cannot be read.

use bailiwick_domain::Effect;

/// What a call does to one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Shows its content or its names.
    Read,
    /// Shows that it is there, how large it is and since when, and never what is in it.
    Look,
    /// Replaces the whole content or creates the file.
    Overwrite,
    /// Changes a part that the call quotes (old text given).
    Anchored,
    /// Changes a part without quoting it.
    Patch,
    /// May do anything to it: nobody knows what the tool does.
    Anything,
    /// Removes it.
    Delete,
    /// Takes it away to another name.
    MoveFrom,
    /// Puts something there under this name.
    MoveTo,
}

impl Access {
    /// Whether the path is changed.
    pub fn mutates(self) -> bool {
        !matches!(self, Self::Read | Self::Look)
    }

    /// The effect in domain words.
    pub fn effect(self) -> Effect {
        match self {
            Self::Read | Self::Look => Effect::Read,
            Self::Delete | Self::MoveFrom => Effect::Delete,
            Self::Overwrite | Self::Anchored | Self::Patch | Self::Anything | Self::MoveTo => Effect::Write,
        }
    }
}

/// One quoted replacement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// The file, as spelled, when the call edits several.
    pub path: Option<String>,
    /// The text that must be there; empty to create a file.
    pub old: String,
    /// The text that takes its place.
    pub new: String,
    /// Whether every occurrence is replaced.
    pub replace_all: bool,
    /// How many occurrences the call expects; all of them are replaced.
    pub expected: Option<usize>,
    /// The 1-based line where the old text starts, as the call claims; tells equal places apart.
    pub line: Option<usize>,
    /// Whether both texts are whole lines, each ended by LF.
    pub whole_lines: bool,
}

impl Edit {
    /// A replacement of the only occurrence.
    pub fn once(old: &str, new: &str) -> Self {
        Self { old: old.to_owned(), new: new.to_owned(), ..Self::default() }
    }
}

/// Whether the text that an anchored change quotes is in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnchorFact {
    /// The change quotes nothing.
    NotQuoted,
    /// Each quoted text is there once, and holds at least one whole line of the file.
    Found,
    /// Each quoted text is there as often as the call expects, but one is less than a line, or every place is meant.
    FoundLoosely,
    /// A quoted text is not there.
    Missing,
    /// It is there with CRLF as the end of its lines, and quoted with LF.
    OtherLineEnds,
    /// A quoted text is there more often than the call expects.
    Ambiguous,
}

/// A text of a call that may be a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// The text.
    pub text: String,
    /// Whether its name is one that paths have, too.
    pub named: bool,
    /// Whether it stands within a text that is content: a change obeys nothing that it names.
    pub is_content: bool,
}

/// Why nothing can be said of a call's effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The parameters cannot be understood.
    Malformed(String),
    /// They are more than is looked at ([`crate::calls::budget`]); nothing was built of them.
    TooLarge(String),
}

impl From<String> for Unreadable {
    fn from(why: String) -> Self {
        Self::Malformed(why)
    }
}

impl From<&str> for Unreadable {
    fn from(why: &str) -> Self {
        Self::Malformed(why.to_owned())
    }
}
