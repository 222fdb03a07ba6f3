//! `tasks.md`: which paths and requirements the tasks of a story name.

use crate::Document;
use crate::ids::mentions;
use crate::outline::{Kind, outline, ticked};
use crate::paths::{Roots, keep, named};
use crate::unit::Unit;

pub(super) fn read(document: &Document, unit: &mut Unit, roots: &Roots) {
    // The story of the phase, by its heading, and that of the task above.
    let (mut of_phase, mut of_task): (Option<String>, Option<String>) = (None, None);
    let blocks = outline(&document.text);
    unit.tasks = ticked(&blocks);
    for block in blocks {
        if let Some(level) = block.level() {
            if level <= 2 {
                of_phase = story_in(&block.text, true);
            } else {
                of_phase = story_in(&block.text, true).or(of_phase);
            }
            continue;
        }
        let is_task = matches!(block.kind, Kind::Item { depth: 1, .. })
            && (block.ticked.is_some() || is_numbered(&block.text));
        let is_part =
            matches!(block.kind, Kind::Item { depth, .. } if depth > 1) || block.kind == Kind::Paragraph;
        if is_task {
            of_task = Some(story_in(&block.text, false).or_else(|| of_phase.clone()).unwrap_or_default());
        } else if !is_part
            || of_task.is_none()
            || (block.kind == Kind::Paragraph && !is_below_task(&block.text))
        {
            of_task = of_task.filter(|_| is_part && block.kind != Kind::Paragraph);
            continue;
        }
        let paths = named(&block.text, &block.codes, roots);
        let key = of_task.clone().unwrap_or_default();
        match unit.stories.iter_mut().find(|story| story.key == key) {
            Some(story) => {
                mentions(&block.text, &mut story.mentions);
                paths.into_iter().for_each(|path| keep(&mut story.paths, path));
            }
            None => {
                mentions(&block.text, &mut unit.mentions);
                paths.into_iter().for_each(|path| keep(&mut unit.paths, path));
            }
        }
    }
}

/// Paragraphs below a task that name its files.
fn is_below_task(text: &str) -> bool {
    crate::wording::says(text, &["file", "path"])
}

/// `T012`, however the task is marked.
fn is_numbered(text: &str) -> bool {
    let word =
        text.split_whitespace().find(|word| !matches!(*word, "[" | "]" | "[X]" | "[x]")).unwrap_or_default();
    let digits = word.trim_matches(|c: char| !c.is_alphanumeric()).strip_prefix('T');
    digits.is_some_and(|digits| digits.len() >= 2 && digits.starts_with(|c: char| c.is_ascii_digit()))
}

/// The story that a text names: `[US1]`, and in a heading also `User Story 1`.
fn story_in(text: &str, is_heading: bool) -> Option<String> {
    let tagged = text.match_indices("US").find_map(|(at, _)| {
        let before = text.get(..at)?.chars().next_back();
        let stands =
            if is_heading { before.is_none_or(|c| !c.is_alphanumeric()) } else { before == Some('[') };
        let rest = text.get(at + 2..)?.trim_start_matches('-');
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest.get(..end)?.trim_start_matches('0');
        (stands && !number.is_empty()).then(|| format!("US{number}"))
    });
    let spelled = || {
        let folded = text.to_lowercase();
        let at = ["user story ", "story "].iter().find_map(|word| Some(folded.find(word)? + word.len()))?;
        let rest = folded.get(at..)?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest.get(..end)?.trim_start_matches('0');
        (!number.is_empty()).then(|| format!("US{number}"))
    };
    tagged.or_else(|| if is_heading { spelled() } else { None })
}
