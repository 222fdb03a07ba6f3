//! OpenSpec: capabilities say what holds, changes say what shall. A capability becomes a goal, a change one intent.

mod requirements;

use std::collections::BTreeMap;

use bailiwick_domain::IntentKind;

use self::requirements::requirements;
use crate::Document;
use crate::outline::{Block, Kind, outline, ticked, whole};
use crate::paths::{Roots, keep, named};
use crate::slug::{self, key};
use crate::unit::{Form, Left, Question, Specs, Unit};
use crate::wording::{forbids, is_template, name, one_line, questions, says, strength, title};

pub(crate) fn read(documents: &[Document]) -> Specs {
    let mut specs = Specs::default();
    let mut changes: BTreeMap<&str, Vec<&Document>> = BTreeMap::new();
    for document in documents {
        let parts: Vec<&str> = document.path.split('/').collect();
        match parts.as_slice() {
            ["openspec", "project.md"] => specs.rules = project(document),
            ["openspec", "specs", folders @ .., "spec.md"] => {
                let capability = folders.join("-");
                specs.units.push(self::capability(document, &capability, &mut specs.left));
            }
            ["openspec", "changes", id, ..] => changes.entry(id).or_default().push(document),
            _ => {}
        }
    }
    for (id, documents) in changes {
        specs.units.extend(change(id, &documents, &mut specs.left));
    }
    specs
}

/// The conventions of a project that bind.
fn project(document: &Document) -> Option<Unit> {
    let mut unit = Unit::new(&document.path, "PROJECT", "SPEC");
    unit.name = "Conventions of the project".to_owned();
    unit.why = Some("They bind every change.".to_owned());
    let (mut heading, mut binds) = (String::new(), false);
    let blocks = outline(&document.text);
    unit.lines = (1, blocks.last().map_or(1, |block| block.lines.1));
    let mut next = 0;
    for (at, block) in blocks.iter().enumerate() {
        if let Some(level) = block.level() {
            heading = name(&block.text);
            binds = if level <= 2 { says(&block.text, &["constraint"]) } else { binds };
            continue;
        }
        let is_text = matches!(block.kind, Kind::Item { .. } | Kind::Paragraph) && !is_template(&block.text);
        let is_rule = (binds && block.depth().is_some()) || strict(&one_line(&block.text));
        let said =
            whole(&blocks, at).filter(|(text, _)| at >= next && is_text && is_rule && !text.is_empty());
        if let Some((text, below)) = said {
            next = at + 1 + below;
            unit.limit(one_line(&format!("{heading}: {text}")), &document.path);
        }
    }
    (!unit.limits.is_empty()).then_some(unit)
}

fn strict(text: &str) -> bool {
    strength(text) == Some(bailiwick_domain::Strength::Must) || forbids(text)
}

fn capability(document: &Document, folder: &str, left: &mut Vec<Left>) -> Unit {
    let mut unit = Unit::new(&document.path, folder, "SPEC");
    let blocks = outline(&document.text);
    unit.lines = (1, blocks.last().map_or(1, |block| block.lines.1));
    let heading = blocks.iter().find(|block| block.level() == Some(1));
    let said = heading.map(|block| title(&block.text)).unwrap_or_default();
    let said = said.strip_suffix(" Specification").unwrap_or(&said);
    unit.name = if said.is_empty() || said == folder { slug::words(folder) } else { said.to_owned() };
    unit.why = paragraph_below(&blocks, &["purpose", "overview"]);
    requirements(&blocks, document, &key(folder), &mut unit, left);
    unit
}

/// The first paragraph under a heading that says one of these words.
fn paragraph_below(blocks: &[Block], words: &[&str]) -> Option<String> {
    let at = blocks.iter().position(|block| block.level().is_some() && says(&block.text, words))?;
    let below = blocks.iter().enumerate().skip(at + 1).take_while(|(_, block)| block.level().is_none());
    let said = below.filter(|(_, block)| block.kind != Kind::Code && !is_template(&block.text));
    let mut texts = said.filter_map(|(at, _)| whole(blocks, at)).map(|(text, _)| text);
    texts.find(|text| !text.is_empty() && !text.starts_with("TBD"))
}

fn ask(block: &Block, document: &Document, unit: &mut Unit) {
    for text in questions(&block.text) {
        unit.questions.push(Question { text, of: None, path: document.path.clone(), line: block.lines.0 });
    }
}

fn change(id: &str, documents: &[&Document], left: &mut Vec<Left>) -> Option<Unit> {
    let file =
        |name: &str| documents.iter().find(|document| document.path.ends_with(&format!("/{id}/{name}")));
    let Some(proposal) = file("proposal.md") else {
        let path = documents.first().map(|document| document.path.clone()).unwrap_or_default();
        left.push(Left { path, line: 0, why: "there is no `proposal.md` beside it".to_owned() });
        return None;
    };
    let mut unit = Unit::new(&proposal.path, id, "CHANGE");
    let blocks = outline(&proposal.text);
    unit.lines = (1, blocks.last().map_or(1, |block| block.lines.1));
    let heading = blocks.iter().find(|block| block.level() == Some(1));
    unit.name = heading
        .map(|block| title(&block.text))
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| slug::words(id));
    unit.why = paragraph_below(&blocks, &["why", "intent", "motivation", "problem"]);
    let deltas: Vec<&&Document> =
        documents.iter().filter(|document| document.path.ends_with("/spec.md")).collect();
    for document in &deltas {
        let start = format!("openspec/changes/{id}/specs/");
        let folder =
            document.path.strip_prefix(&start).and_then(|rest| rest.strip_suffix("/spec.md")).unwrap_or(id);
        let of = key(&folder.replace('/', "-"));
        requirements(&outline(&document.text), document, &of, &mut unit, left);
    }
    unit.form = Form::Single(if deltas.is_empty() { IntentKind::Refactor } else { IntentKind::Change });
    let roots = Roots::default();
    told(&blocks, proposal, &roots, &mut unit);
    for document in [file("tasks.md"), file("design.md")].into_iter().flatten() {
        let is_design = document.path.ends_with("design.md");
        let blocks = outline(&document.text);
        if is_design {
            boundaries(&blocks, document, &mut unit);
        } else {
            unit.tasks = ticked(&blocks);
            blocks
                .iter()
                .filter(|block| block.depth().is_some())
                .for_each(|block| paths(block, &roots, &mut unit));
        }
        blocks.iter().for_each(|block| ask(block, document, &mut unit));
    }
    unit.paths.retain(|path| !path.starts_with("openspec/"));
    Some(unit)
}

/// What the proposal says beside its reason: what is out of scope, and which code it names.
fn told(blocks: &[Block], document: &Document, roots: &Roots, unit: &mut Unit) {
    boundaries(blocks, document, unit);
    let mut heading = "";
    for block in blocks {
        if block.level().is_some() {
            heading = &block.text;
        } else if says(heading, &["impact", "what changes"]) && block.depth().is_some() {
            paths(block, roots, unit);
        }
        ask(block, document, unit);
    }
}

/// What is out of scope or no goal, as limits.
fn boundaries(blocks: &[Block], document: &Document, unit: &mut Unit) {
    let mut is_outside = false;
    for block in blocks {
        if block.level().is_some() {
            let begins_with_goals = block.text.trim().to_lowercase().starts_with("goals");
            is_outside = says(&block.text, &["out of scope", "non-goal", "non goal", "not in scope"])
                && !begins_with_goals;
            continue;
        }
        let text = one_line(&block.text);
        let labelled = text.strip_prefix("Non-Goals:").or_else(|| text.strip_prefix("Out of scope:"));
        if text.starts_with("Goals:") {
            is_outside = false;
        }
        if let Some(first) = labelled {
            is_outside = true;
            if first.trim().is_empty() {
                continue;
            }
        }
        if is_outside && block.kind != Kind::Code && !text.is_empty() {
            let said = labelled.map_or(text.as_str(), str::trim);
            unit.limit(one_line(&format!("Out of scope: {said}")), &document.path);
        }
    }
}

fn paths(block: &Block, roots: &Roots, unit: &mut Unit) {
    for path in named(&block.text, &block.codes, roots) {
        keep(&mut unit.paths, path);
    }
}
