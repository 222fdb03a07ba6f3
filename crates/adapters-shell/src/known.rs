//! What the tables know, for those who hold them against the programs.

use crate::{find, git, table, versions};

/// One program, or one subcommand of git, with the options that the table takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The words that it begins with: `git log`.
    pub start: String,
    /// Letters that stand alone.
    pub flags: String,
    /// Letters that take a value.
    pub valued: String,
    /// Long names: `name` alone, `name=` with a value, `name?` with or without one; primaries of `find` as they are.
    pub long: Vec<String>,
}

/// Every program that the tables know.
pub fn known() -> Vec<Known> {
    let mut all = table::known();
    all.extend(git::known());
    all.push(find::known());
    all
}

/// Every command that asks a program about itself.
pub fn questions() -> Vec<String> {
    versions::all().map(|(program, question)| format!("{program} {question}")).collect()
}
