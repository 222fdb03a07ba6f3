//! `plan.md`: a summary, limits, what is still open, and the drawn tree of the project.

use crate::Document;
use crate::outline::{Kind, outline};
use crate::paths::drawn;
use crate::unit::{Limit, Question};
use crate::wording::{after_label, is_template, one_line, questions, says};

#[derive(Default)]
pub(super) struct Plan {
    pub(super) summary: Option<String>,
    pub(super) limits: Vec<Limit>,
    pub(super) questions: Vec<Question>,
    pub(super) drawn: Vec<String>,
}

pub(super) fn read(document: &Document) -> Plan {
    let mut plan = Plan::default();
    let mut heading = String::new();
    for block in outline(&document.text) {
        if block.level().is_some() {
            heading = block.text;
            continue;
        }
        if block.kind == Kind::Code {
            if says(&heading, &["source", "structure"]) {
                let outside = drawn(&block.text).into_iter().filter(|path| !path.starts_with("specs/"));
                plan.drawn.extend(outside);
            }
            continue;
        }
        if says(&heading, &["technical context"]) {
            for (line, at) in block.text.lines().zip(block.lines.0..) {
                field(line, at, document, &mut plan);
            }
        } else if says(&heading, &["summary"])
            && block.kind == Kind::Paragraph
            && plan.summary.is_none()
            && !is_template(&block.text)
        {
            plan.summary = Some(one_line(&block.text)).filter(|text| !text.is_empty());
        }
    }
    plan
}

fn field(line: &str, at: usize, document: &Document, plan: &mut Plan) {
    let place = |text: String| Question { text, of: None, path: document.path.clone(), line: at };
    if let Some(text) = after_label(line, &["Constraints"]) {
        let says_nothing = text.is_empty() || is_template(text) || says(text, &["needs clarification"]);
        if !says_nothing && !matches!(text.to_ascii_lowercase().as_str(), "n/a" | "none" | "na") {
            plan.limits.push(Limit { text: one_line(text), from: document.path.clone() });
        }
    }
    if line.split_once(':').is_some_and(|(_, value)| is_template(value)) {
        return;
    }
    let marked = questions(line);
    if marked.is_empty() && line.contains("NEEDS CLARIFICATION") {
        plan.questions.push(place(one_line(line)));
    }
    plan.questions.extend(marked.into_iter().map(place));
}
