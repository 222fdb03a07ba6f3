//! What can be told of a history at all: an oracle sees the texts before and after each step and who made it, and
//! compares them as git does. It does not see which of two equal lines was typed.

use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::line::Line;
use crate::stage::world::World;

/// The lines of a file as its next state, with whom the oracle takes for their writers.
pub(super) fn told(
    world: &World,
    old: &[Line],
    mut lines: Vec<Line>,
    writer: Option<&str>,
) -> Result<Vec<Line>> {
    let (mut from, mut at) = (0, 0);
    let end = Hunk { gone: 0, start: lines.len(), come: 0 };
    for Hunk { gone, start, come } in hunks(world, old, &lines)?.into_iter().chain([end]) {
        for line in lines.iter_mut().take(start).skip(at) {
            line.seen = old.get(from).and_then(|before| before.seen.clone());
            from += 1;
        }
        for line in lines.iter_mut().skip(start).take(come) {
            line.seen = writer.map(str::to_owned);
        }
        (from, at) = (from + gone, start + come);
    }
    Ok(lines)
}

/// Lines that come in the place of others; counted from 0.
struct Hunk {
    gone: usize,
    start: usize,
    come: usize,
}

fn hunks(world: &World, old: &[Line], new: &[Line]) -> Result<Vec<Hunk>> {
    let place = world.base().join("oracle");
    std::fs::create_dir_all(&place)?;
    for (name, lines) in [("old", old), ("new", new)] {
        let text: String = lines.iter().map(|line| line.text.as_str()).collect();
        std::fs::write(place.join(name), text)?;
    }
    let mut command = Command::new("git");
    command.arg("-C").arg(&place).args(["diff", "--no-index", "-U0", "--diff-algorithm=myers"]);
    command.args(["--no-indent-heuristic", "--no-color", "--no-ext-diff", "old", "new"]);
    let output = world.output(&mut command)?;
    ensure!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let heads = said.lines().filter(|line| line.starts_with("@@ "));
    heads.map(|head| hunk(head).with_context(|| format!("no hunk: {head}"))).collect()
}

/// Of `@@ -4,2 +4,3 @@`.
fn hunk(head: &str) -> Option<Hunk> {
    let span = |word: &str| {
        let (start, count) = word.split_once(',').unwrap_or((word, "1"));
        Some((start.parse::<usize>().ok()?, count.parse::<usize>().ok()?))
    };
    let mut words = head.split(' ').skip(1);
    let (_, gone) = span(words.next()?.strip_prefix('-')?)?;
    let (start, come) = span(words.next()?.strip_prefix('+')?)?;
    // Where nothing comes git names the line before.
    Some(Hunk { gone, start: if come == 0 { start } else { start.checked_sub(1)? }, come })
}
