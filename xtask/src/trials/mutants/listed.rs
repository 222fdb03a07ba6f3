//! The mutants of the code, as `cargo mutants` lists them: it chooses what is changed, and into what.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
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
    #[serde(rename = "function_name")]
    pub(super) name: String,
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

/// Attributes of what is built for other systems alone.
const ELSEWHERE: [&str; 5] = [
    "#[cfg(windows)]",
    "#[cfg(not(unix))]",
    "#[cfg(not(target_os = \"linux\"))]",
    "#[cfg(all(unix, not(target_os = \"linux\")))]",
    "#[cfg(not(any(target_os = \"linux\", target_os = \"macos\")))]",
];

impl Mutant {
    /// Whether it is in a function that is not built here, by the attributes above its name.
    pub(super) fn is_elsewhere(&self, text: &str) -> bool {
        let function = self.function.as_ref().and_then(|function| text.get(function.span.in_text(text)));
        let above = function.unwrap_or_default().lines().take_while(|line| line.starts_with(['#', '/']));
        above.into_iter().any(|line| ELSEWHERE.contains(&line))
    }

    /// Whether it replaces a whole function that returns an iterator of a type without a name.
    pub(super) fn is_iterator(&self) -> bool {
        self.genre == Genre::FnValue && self.name.contains("-> impl Iterator<")
    }

    /// Whether what it returns is of another type: `&mut T` among what is `&T`.
    pub(super) fn is_of_another_type(&self) -> bool {
        self.is_iterator() && self.replacement.contains("leak(")
    }

    /// The folder of its package, from the workspace's root.
    pub(super) fn folder(&self) -> &Path {
        Path::new(self.file.split_once("/src/").map_or("", |(folder, _)| folder))
    }

    /// Words of its place: what a test of it may be named after.
    pub(super) fn words(&self) -> Vec<String> {
        let function = self.function.as_ref().map_or("", |function| function.name.as_str());
        let behind = |path: &'static str| self.file.split_once(path).map_or("", |(_, file)| file);
        let words =
            [function, behind("/src/")].map(|text| text.split(|sign: char| !sign.is_ascii_lowercase()));
        words.into_iter().flatten().filter(|word| word.len() > 3).map(str::to_owned).collect()
    }
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
    // It leaves out fields whatever it is told to match, so it looks at these lines alone.
    let diff = workspace::root().join("target/mutants/alone.diff");
    std::fs::write(&diff, lines_as_new(names)?)?;
    run.arg("--in-diff").arg(&diff);
    for package in tested {
        run.args(["--test-package", package]);
    }
    // It fails where one survives, so what it wrote is asked.
    let status = run.status()?;
    let written = workspace::root().join("target/mutants.out");
    let outcomes =
        std::fs::read_to_string(written.join("outcomes.json")).context("what cargo mutants saw")?;
    ensure!(outcomes.contains("\"summary\""), "cargo mutants played nothing: {status}");
    let missed = std::fs::read_to_string(written.join("missed.txt"))?;
    Ok(missed.lines().filter(|missed| names.contains(missed)).map(str::to_owned).collect())
}

/// A diff in which the lines of these mutants are new.
fn lines_as_new(names: &[&str]) -> Result<String> {
    let mut lines: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for name in names {
        let mut parts = name.split(':');
        let place = parts.next().zip(parts.next().and_then(|line| line.parse().ok()));
        let (file, line) = place.with_context(|| format!("{name}: no place"))?;
        lines.entry(file).or_default().insert(line);
    }
    let mut diff = String::new();
    for (file, lines) in lines {
        let text = std::fs::read_to_string(workspace::root().join(file)).with_context(|| file.to_owned())?;
        writeln!(diff, "--- a/{file}\n+++ b/{file}")?;
        for (before, line) in lines.into_iter().enumerate() {
            let new = text.lines().nth(line - 1).unwrap_or_default();
            writeln!(diff, "@@ -{},0 +{line},1 @@\n+{new}", line - 1 - before)?;
        }
    }
    Ok(diff)
}

/// A regular expression that matches just this.
fn literal(text: &str) -> String {
    const ACTING: &str = r"\.+*?()|[]{}^$#&-~";
    text.chars().flat_map(|sign| ACTING.contains(sign).then_some('\\').into_iter().chain([sign])).collect()
}

/// All mutants of a package, in the order of the code.
pub(super) fn of(package: &str) -> Result<Vec<Mutant>> {
    let listing = workspace::stdout(mutator(package)?.args(["--list", "--json"]))?;
    let mut mutants: Vec<Mutant> =
        serde_json::from_str(&listing).with_context(|| format!("the list of mutants of {package}"))?;
    let mut texts = BTreeMap::new();
    for mutant in &mutants {
        if !texts.contains_key(&mutant.file) {
            texts.insert(mutant.file.clone(), std::fs::read_to_string(workspace::root().join(&mutant.file))?);
        }
    }
    mutants.retain(|mutant| texts.get(&mutant.file).is_none_or(|text| !mutant.is_elsewhere(text)));
    Ok(mutants)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_matches_itself_alone() {
        assert_eq!(literal("a.rs:1: delete ! in Look<'_>::[é]"), r"a\.rs:1: delete ! in Look<'_>::\[é\]");
    }

    #[test]
    fn what_is_built_for_other_systems_is_left_out() {
        let text =
            "/// Here.\n#[cfg(unix)]\nfn is_real() {}\n\n/// There.\n#[cfg(not(unix))]\nfn is_real() {}\n";
        let mutant = |from: usize, to: usize| -> Mutant {
            let span = |from: usize, to: usize| {
                format!(
                    r#"{{"start": {{"line": {from}, "column": 1}}, "end": {{"line": {to}, "column": 15}}}}"#
                )
            };
            let listed = format!(
                r#"{{"package": "p", "file": "crates/p/src/tree/open.rs", "name": "n", "replacement": "()",
                    "genre": "FnValue", "span": {}, "function": {{"function_name": "is_real", "span": {}}}}}"#,
                span(to, to),
                span(from, to),
            );
            serde_json::from_str(&listed).unwrap()
        };
        assert!(!mutant(1, 3).is_elsewhere(text));
        assert!(mutant(5, 7).is_elsewhere(text));
        assert_eq!(mutant(1, 3).words(), ["real", "tree", "open"]);
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(offset("é = 1;\nö == x", 2, 3), "é = 1;\nö ".len());
    }
}
