//! What a table knows of one program, for those who hold it against the program itself.

/// One program, or one subcommand of git, with the options that the table takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The words that it begins with: `git log`.
    pub start: String,
    /// Letters that stand alone.
    pub flags: String,
    /// Letters that take a value.
    pub valued: String,
    /// Long names: `name` alone, `name=` with a value, `name?` with or without one, `name=?` the same also in the next word,
    /// `name==` with two; primaries of `find` as they are.
    pub long: Vec<String>,
}
