//! The constitution: its rules that bind, as limits of a goal above all features.

use crate::Document;
use crate::outline::{Kind, outline, whole};
use crate::unit::{Left, Unit};
use crate::wording::{is_template, name, one_line, says, strength, title};
use bailiwick_domain::Strength;

/// So many rules are taken over.
const MOST: usize = 100;

pub(super) fn read(document: &Document, left: &mut Vec<Left>) -> Option<Unit> {
    let blocks = outline(&document.text);
    let mut unit = Unit::new(&document.path, "CONSTITUTION", "SPEC");
    let heading = blocks.iter().find(|block| block.level() == Some(1));
    if heading.is_some_and(|block| block.text.contains("[PROJECT_NAME]")) {
        let why = "it is still the template".to_owned();
        left.push(Left { path: document.path.clone(), line: 1, why });
        return None;
    }
    unit.name = heading
        .map(|block| title(&block.text))
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "Constitution".to_owned());
    unit.why = Some("It binds every feature.".to_owned());
    unit.lines = (1, blocks.last().map_or(1, |block| block.lines.1));
    let (mut principle, mut governs_itself, mut binds) = (String::new(), false, false);
    let mut next = 0;
    for (at, block) in blocks.iter().enumerate() {
        if let Some(level) = block.level() {
            if level <= 2 {
                governs_itself = says(&block.text, &["governance", "amendment", "sync impact", "version"]);
            }
            principle = if level > 1 { name(&block.text) } else { String::new() };
            binds = says(&principle, &["non-negotiable", "mandatory"]);
            continue;
        }
        let said = one_line(&block.text);
        let is_text = matches!(block.kind, Kind::Paragraph | Kind::Item { .. }) && !is_template(&block.text);
        let is_rule = strength(&said) == Some(Strength::Must) || says(&said, &["never ", "non-negotiable"]);
        let is_reason = said.to_lowercase().starts_with("rationale");
        if at < next || is_reason || governs_itself || !is_text || !(is_rule || binds) {
            continue;
        }
        let Some((text, below)) = whole(&blocks, at).filter(|(text, _)| !text.is_empty()) else { continue };
        next = at + 1 + below;
        let text = if principle.is_empty() { text } else { one_line(&format!("{principle}: {text}")) };
        match unit.limits.len() < MOST {
            true => unit.limit(text, &document.path),
            false => unit.missed.note("rules beyond the first 100", block.lines.0),
        }
    }
    if unit.limits.is_empty() { None } else { Some(unit) }
}
