//! `tasks.md`: which paths the tasks of a story name.

use crate::Document;
use crate::outline::{Block, Kind, outline, ticked};
use crate::paths::{Roots, keep, named};
use crate::unit::Unit;
use crate::wording::after_label;

/// The paths of each task go to the stories whose requirements it cites.
pub(super) fn read(document: &Document, roots: &Roots, unit: &mut Unit) {
    let mut found: Vec<String> = Vec::new();
    let mut cited: Vec<String> = Vec::new();
    let blocks = outline(&document.text);
    unit.tasks = ticked(&blocks);
    for block in blocks {
        let begins = block.level().is_some() || is_task(&block);
        if begins {
            hand_over(&mut found, &mut cited, unit);
        }
        if block.level().is_some() {
            continue;
        }
        for line in block.text.lines() {
            cited.extend(citations(line));
        }
        if block.kind != Kind::Code {
            found.extend(named(&block.text, &block.codes, roots));
        }
    }
    hand_over(&mut found, &mut cited, unit);
}

/// A box, ticked or not; `[ ]*` is optional work.
fn is_task(block: &Block) -> bool {
    let is_box = |text: &str| ["[ ]", "[x]", "[X]", "[-]", "[~]"].iter().any(|mark| text.starts_with(mark));
    block.depth().is_some() && (block.ticked.is_some() || is_box(block.text.trim_start()))
}

/// The numbers after `Requirements:`.
fn citations(line: &str) -> Vec<String> {
    let line = line.trim().trim_matches('_');
    let labels = ["Requirements", "Requirement", "_Requirements", "Validates", "Reqs"];
    let Some(list) = after_label(line, &labels) else { return Vec::new() };
    let words = list.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    let stories = words.filter_map(|word| word.split('.').next()).filter(|word| !word.is_empty());
    stories.map(|number| format!("R{}", number.trim_start_matches('0'))).collect()
}

fn hand_over(found: &mut Vec<String>, cited: &mut Vec<String>, unit: &mut Unit) {
    let (found, cited) = (std::mem::take(found), std::mem::take(cited));
    let mut is_placed = false;
    for story in unit.stories.iter_mut().filter(|story| cited.contains(&story.key)) {
        is_placed = true;
        found.iter().for_each(|path| keep(&mut story.paths, path.clone()));
    }
    if !is_placed {
        found.into_iter().for_each(|path| keep(&mut unit.paths, path));
    }
}
