//! Steering files: what they say that must or must never be, as limits of a goal above all features.

use bailiwick_domain::Strength;

use crate::Document;
use crate::outline::{Kind, outline, whole};
use crate::unit::Unit;
use crate::wording::{is_template, name, one_line, says, strength};

/// So many rules are taken over.
const MOST: usize = 100;

pub(super) fn read(documents: &[&Document]) -> Option<Unit> {
    let mut unit = Unit::new(".kiro/steering", "STEERING", "SPEC");
    unit.name = "Steering".to_owned();
    unit.lines = (0, 0);
    unit.why = Some("It binds every feature.".to_owned());
    for document in documents {
        let mut heading = String::new();
        let blocks = outline(&document.text);
        let mut next = 0;
        for (at, block) in blocks.iter().enumerate() {
            if block.level().is_some() {
                heading = name(&block.text);
                continue;
            }
            let said = one_line(&block.text);
            let is_text =
                matches!(block.kind, Kind::Paragraph | Kind::Item { .. }) && !is_template(&block.text);
            let is_rule =
                strength(&said) == Some(Strength::Must) || says(&said, &["never ", "must not", "do not "]);
            let Some((text, below)) = whole(&blocks, at).filter(|_| is_text && is_rule && at >= next) else {
                continue;
            };
            next = at + 1 + below;
            let text = if heading.is_empty() { text } else { one_line(&format!("{heading}: {text}")) };
            match unit.limits.len() < MOST {
                true => unit.limit(text, &document.path),
                false => unit.missed.note("rules beyond the first 100", 0),
            }
        }
    }
    (!unit.limits.is_empty()).then_some(unit)
}
