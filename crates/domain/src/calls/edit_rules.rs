//! How a host's own tools turn the parameters of an edit into bytes: data of the door, by host and version.
//!
//! Applying the rules is `policy`'s work.

/// What a door's editing tools do beside what their parameters say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EditRules {
    /// A byte order mark is no part of the text and stays: that of UTF-8, and that of little-endian UTF-16, which stays
    /// in that encoding. A file in another encoding, or with a NUL near its start, is not written.
    pub keeps_marks: bool,
    /// A CRLF counts as LF while text is looked for, and every line of the result ends as most did near the start of the
    /// file.
    pub keeps_line_ends: bool,
    /// Where quoted text is not there as it is, straight and curly quotation marks count as the same, and the new text
    /// takes the file's.
    pub curls_quotes: bool,
    /// A quoted text that is replaced by nothing takes the end of its line along where that follows it.
    pub takes_the_line: bool,
    /// Only what happens to plain texts is known: UTF-8 without a mark, a LF at the end of each line, and something like that
    /// in the place of a quoted text. Of anything else these rules are a guess.
    pub plain_only: bool,
    /// The version is not known, and these are the rules of the newest one that is: a person may be shown what they make
    /// of a file, and nothing else may rely on it.
    pub is_guess: bool,
}

impl EditRules {
    /// The bytes of the parameters and nothing else.
    pub const LITERAL: Self = Self {
        keeps_marks: false,
        keeps_line_ends: false,
        curls_quotes: false,
        takes_the_line: false,
        plain_only: false,
        is_guess: false,
    };
}
