//! The mutants of the code, as `cargo mutants` lists them: it chooses what is changed, and into what.

use std::ops::Range;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::workspace;

const TOOL: &str = "cargo-mutants";
const VERSION: &str = "27.1.0";

/// One change that a test should notice.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Mutant {
    /// The package that it is in.
    pub(super) package: String,
    /// From the workspace's root.
    pub(super) file: String,
    pub(super) function: Option<Function>,
    pub(super) genre: Genre,
    /// For people: the place, and what is replaced with what.
    pub(super) name: String,
    pub(super) replacement: String,
    pub(super) span: Span,
}

/// The function that is changed.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Function {
    pub(super) span: Span,
}

/// What kind of change it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Genre {
    /// The function does nothing and returns this.
    FnValue,
    BinaryOperator,
    /// The operator is left out.
    UnaryOperator,
    /// The guard of an arm is always true, or never.
    MatchArmGuard,
    /// The arm is left out.
    MatchArm,
    /// The field is left out, so that it comes from the base of the expression.
    StructField,
}

/// A part of a file.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Span {
    start: Place,
    end: Place,
}

/// Line and column, in characters, both from 1.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

impl Span {
    /// The bytes of the text that it covers.
    pub(super) fn in_text(&self, text: &str) -> Range<usize> {
        offset(text, self.start.line, self.start.column)..offset(text, self.end.line, self.end.column)
    }
}

/// Where a line and a column, both from 1, stand in the text, in bytes.
pub(super) fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let behind = text.get(start..).unwrap_or_default();
    start + behind.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum::<usize>()
}

/// The mutator over one package, with the tests of that package alone.
pub(super) fn mutator(package: &str) -> Result<Command> {
    let mut run = Command::new(workspace::installed_tool(TOOL, VERSION)?);
    run.args(["mutants", "--package", package, "--baseline", "skip", "--timeout", "300", "--no-shuffle"]);
    run.arg("--output").arg(workspace::root().join("target")).current_dir(workspace::root());
    Ok(run)
}

/// Plays these mutants of a package, with a build for each; the names of those that no test failed for.
pub(super) fn played_alone(package: &str, tested: &[&str], names: &[&str]) -> Result<Vec<String>> {
    let mut run = mutator(package)?;
    for name in names {
        run.args(["--re", &format!("^{}$", literal(name))]);
    }
    for package in tested {
        run.args(["--test-package", package]);
    }
    // It fails where one survives, so what it wrote is asked.
    let status = run.status()?;
    let written = workspace::root().join("target/mutants.out");
    let outcomes =
        std::fs::read_to_string(written.join("outcomes.json")).context("what cargo mutants saw")?;
    ensure!(outcomes.contains("\"summary\""), "cargo mutants played nothing: {status}");
    // It leaves out fields whatever it is told to match; those have a switch, and are played elsewhere.
    let missed = std::fs::read_to_string(written.join("missed.txt"))?;
    Ok(missed.lines().filter(|missed| names.contains(missed)).map(str::to_owned).collect())
}

/// A regular expression that matches just this.
fn literal(text: &str) -> String {
    const ACTING: &str = r"\.+*?()|[]{}^$#&-~";
    text.chars().flat_map(|sign| ACTING.contains(sign).then_some('\\').into_iter().chain([sign])).collect()
}

/// All mutants of a package, in the order of the code.
pub(super) fn of(package: &str) -> Result<Vec<Mutant>> {
    let listing = workspace::stdout(mutator(package)?.args(["--list", "--json"]))?;
    serde_json::from_str(&listing).with_context(|| format!("the list of mutants of {package}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_matches_itself_alone() {
        assert_eq!(literal("a.rs:1: delete ! in Look<'_>::[é]"), r"a\.rs:1: delete ! in Look<'_>::\[é\]");
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(offset("é = 1;\nö == x", 2, 3), "é = 1;\nö ".len());
    }
}
