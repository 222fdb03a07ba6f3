//! All that the tables know, for those who hold them against the programs.

use crate::read_only::known::Known;
use crate::read_only::{find, git, table, versions};

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
