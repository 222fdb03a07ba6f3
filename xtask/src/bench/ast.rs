//! What finding out the class of a change costs: typical writes beside parsing both sides, and writes that were made to
//! take long, which the limits must end.
//!
//! The writes and the clock are in `crates/adapters-ast/examples/classify_times`, built as the product is.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Depth;
use super::sheet::{Line, Sheet, Target};
use crate::stage::product;
use crate::workspace;

/// A typical write is classified within this, of a hundred in ninety-five.
const TYPICAL: Duration = Duration::from_millis(50);
/// And any write within this, by its class or by a limit.
const ANY: Duration = Duration::from_millis(500);

/// Measures, prints, and fails when a target is missed.
pub(crate) fn run(depth: Depth) -> Result<()> {
    let mut build = workspace::cargo();
    build.args(["build", "--release", "--package", "bailiwick-adapters-ast"]);
    build.args(["--example", "classify_times", "--message-format", "json"]);
    let program = product::built_by(build.current_dir(workspace::root()))?;
    let said: Value = serde_json::from_str(&workspace::stdout(&mut Command::new(program))?)?;
    let micros = |key: &str| said[key].as_u64().map(Duration::from_micros).with_context(|| key.to_owned());
    let (typical, floor) = (micros("p95")?, micros("floor_p95")?);
    let hostile = said["hostile"].as_array().cloned().unwrap_or_default();
    let time_of = |write: &&Value| write["micros"].as_u64().unwrap_or(u64::MAX);
    let slowest = hostile.iter().max_by_key(time_of).context("nothing hostile was tried")?;
    println!("slowest: {slowest}");
    let slowest = Duration::from_micros(time_of(&slowest));
    let ratio = |time: Duration| time.as_secs_f64() / floor.as_secs_f64();
    let writes = said["writes"].as_u64().unwrap_or_default();
    let against = "parsing both sides of a typical write";
    let lines = vec![
        Line {
            what: format!("the class of a typical write, p95 of {writes}"),
            against,
            ratio: Some(ratio(typical)),
            target: Target::Time { most: TYPICAL, took: typical },
        },
        Line {
            what: format!("the slowest of {} writes made to take long", hostile.len()),
            against,
            ratio: Some(ratio(slowest)),
            target: Target::Time { most: ANY, took: slowest },
        },
    ];
    let told = "What finding out the class of a change costs, as processor time in proportion to parsing both sides once. \
                Files of up to 30 KB in six languages; those made to take long have up to a mebibyte, the most that is \
                looked at, and deep nesting. A target that is a time says whether it was met here.";
    Sheet { heading: "## The class of a change", told, task: "bench ast", lines }.conclude(depth)
}
