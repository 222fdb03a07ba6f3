//! Patches: `git apply` and GNU `patch` may change no file that the gate did not name.

mod plain;
pub(crate) mod texts;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use bailiwick_domain::{Params, Value};
use bailiwick_policy::Targets;
use bailiwick_policy::registry::classify;
use bailiwick_policy::targets;

use crate::judge::{Finding, Orders, Tally, play};
use crate::tree::Tree;

/// A program with its arguments, and whether it takes names as they are, without stripping a folder.
struct Applier {
    program: &'static str,
    arguments: &'static [&'static str],
    is_level_0: bool,
}

const fn applier(program: &'static str, arguments: &'static [&'static str], is_level_0: bool) -> Applier {
    Applier { program, arguments, is_level_0 }
}

const APPLIERS: [Applier; 8] = [
    applier("git", &["apply"], false),
    applier("git", &["apply", "-p1", "--recount"], false),
    applier("git", &["apply", "--3way"], false),
    applier("git", &["apply", "-p0"], true),
    applier("patch", &["-p1", "--force"], false),
    applier("patch", &["-p1", "--batch"], false),
    applier("patch", &["-p0", "--force"], true),
    applier("patch", &["-p0", "--batch"], true),
];

/// Hostile and generated texts.
pub(crate) fn run(orders: &Orders) -> Result<Tally> {
    let tree = Tree::new()?;
    play(orders, 2_000, &texts::all(), |text| hold(&tree, &text.0))
}

/// What git, diff and clients write.
pub(crate) fn run_plain(orders: &Orders) -> Result<Tally> {
    let tree = Tree::new()?;
    play(orders, 1_000, &plain::any(), |edits| plain::hold(&tree, edits))?.of_plain()
}

/// What the gate says that a patch would do.
fn said(text: &str) -> Option<Targets> {
    let params: Params = [("patch".to_owned(), Value::String(text.to_owned()))].into_iter().collect();
    targets(&classify("apply_patch", &BTreeMap::new()), &params).ok()
}

fn hold(tree: &Tree, text: &str) -> Result<Finding> {
    let Some(targets) = said(text) else {
        let acts = tree.feed("git", &["apply"], text)?;
        tree.restore()?;
        return Ok(if acts { Finding::Refused } else { Finding::Held });
    };
    let named: BTreeSet<String> = targets
        .paths
        .iter()
        .filter(|target| target.access.mutates())
        .map(|target| target.requested.clone())
        .collect();
    for applier in &APPLIERS {
        tree.feed(applier.program, applier.arguments, text)?;
        let changed = tree.changed()?;
        tree.restore()?;
        let is_named = |path: &&String| {
            let mapped = path.split_once('/').map(|(_, rest)| rest).filter(|_| applier.is_level_0);
            named.contains(*path) || mapped.is_some_and(|path| named.contains(path))
        };
        if let Some(path) = changed.iter().find(|path| !is_named(path)) {
            let (program, arguments) = (applier.program, applier.arguments.join(" "));
            return Ok(Finding::Missed(format!(
                "`{program} {arguments}` changed {path:?}, the gate named {named:?}\n{text}"
            )));
        }
    }
    Ok(Finding::Held)
}
