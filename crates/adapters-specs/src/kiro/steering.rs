//! Steering files: what they say that must or must never be, as limits of a goal above all features.

use bailiwick_domain::Strength;

use crate::Document;
use crate::outline::{Kind, outline};
use crate::unit::{Limit, Unit};
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
        for block in outline(&document.text) {
            if block.level().is_some() {
                heading = name(&block.text);
                continue;
            }
            let text = one_line(&block.text);
            let is_text =
                matches!(block.kind, Kind::Paragraph | Kind::Item { .. }) && !is_template(&block.text);
            let is_rule =
                strength(&text) == Some(Strength::Must) || says(&text, &["never ", "must not", "do not "]);
            if is_text && is_rule && !text.is_empty() && unit.limits.len() < MOST {
                let text = if heading.is_empty() { text } else { one_line(&format!("{heading}: {text}")) };
                unit.limits.push(Limit { text, from: document.path.clone() });
            }
        }
    }
    (!unit.limits.is_empty()).then_some(unit)
}
