//! OpenSpec: capabilities say what holds, changes say what shall. A capability becomes a goal, a change one intent.

use std::collections::BTreeMap;

use bailiwick_domain::IntentKind;

use crate::Document;
use crate::outline::{Block, Kind, outline};
use crate::paths::{Roots, keep, named};
use crate::slug::{self, key, slug};
use crate::unit::{Criterion, Form, Left, Limit, Question, Requirement, Specs, Unit};
use crate::wording::{forbids, is_template, name, one_line, questions, says, strength, title, with};

/// So many things of one sort are kept.
const MOST: usize = 300;

pub(crate) fn read(documents: &[Document]) -> Specs {
    let mut specs = Specs::default();
    let mut changes: BTreeMap<&str, Vec<&Document>> = BTreeMap::new();
    for document in documents {
        let parts: Vec<&str> = document.path.split('/').collect();
        match parts.as_slice() {
            ["openspec", "project.md"] => specs.rules = project(document),
            ["openspec", "specs", folders @ .., "spec.md"] => {
                let capability = folders.join("-");
                specs.units.push(self::capability(document, &capability));
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
    for block in &blocks {
        if let Some(level) = block.level() {
            heading = name(&block.text);
            binds = if level <= 2 { says(&block.text, &["constraint"]) } else { binds };
            continue;
        }
        let text = one_line(&block.text);
        let is_text = matches!(block.kind, Kind::Item { .. } | Kind::Paragraph) && !is_template(&block.text);
        let is_rule = (binds && block.depth().is_some()) || strict(&text);
        if is_text && is_rule && !text.is_empty() && unit.limits.len() < MOST {
            let text = one_line(&format!("{heading}: {text}"));
            unit.limits.push(Limit { text, from: document.path.clone() });
        }
    }
    (!unit.limits.is_empty()).then_some(unit)
}

fn strict(text: &str) -> bool {
    strength(text) == Some(bailiwick_domain::Strength::Must) || forbids(text)
}

fn capability(document: &Document, folder: &str) -> Unit {
    let mut unit = Unit::new(&document.path, folder, "SPEC");
    let blocks = outline(&document.text);
    unit.lines = (1, blocks.last().map_or(1, |block| block.lines.1));
    let heading = blocks.iter().find(|block| block.level() == Some(1));
    let said = heading.map(|block| title(&block.text)).unwrap_or_default();
    let said = said.strip_suffix(" Specification").unwrap_or(&said);
    unit.name = if said.is_empty() || said == folder { slug::words(folder) } else { said.to_owned() };
    unit.why = paragraph_below(&blocks, &["purpose", "overview"]);
    requirements(&blocks, document, &key(folder), &mut unit);
    unit
}

/// The first paragraph under a heading that says one of these words.
fn paragraph_below(blocks: &[Block], words: &[&str]) -> Option<String> {
    let at = blocks.iter().position(|block| block.level().is_some() && says(&block.text, words))?;
    let below = blocks.iter().skip(at + 1).take_while(|block| block.level().is_none());
    let said = below.filter(|block| block.kind != Kind::Code && !is_template(&block.text));
    said.map(|block| one_line(&block.text)).find(|text| !text.is_empty() && !text.starts_with("TBD"))
}

/// The requirements of a file and their scenarios. In a delta, what it removes is a limit of the work, not of the product.
fn requirements(blocks: &[Block], document: &Document, of: &str, unit: &mut Unit) {
    let (mut operation, mut current, mut scenario): (Operation, Option<String>, Option<String>) =
        (Operation::States, None, None);
    for block in blocks {
        if let Some(level) = block.level() {
            finish(&mut scenario, current.as_deref(), of, unit);
            match titled(&block.text, "requirement") {
                Some(title) => {
                    current = begin(title, block, document, of, operation, unit);
                }
                None => match titled(&block.text, "scenario") {
                    Some(title) if current.is_some() => scenario = Some(one_line(title)),
                    _ if level <= 2 => (operation, current) = (Operation::of(&block.text), None),
                    _ => {}
                },
            }
            continue;
        }
        let text = one_line(&block.text);
        ask(block, document, unit);
        match (&mut scenario, &current) {
            (Some(told), _) if block.kind != Kind::Code => {
                *told = with(told, &text);
            }
            (None, Some(local)) if block.kind != Kind::Code => extend(unit, of, local, &text),
            _ => {}
        }
    }
    finish(&mut scenario, current.as_deref(), of, unit);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    /// The file of a capability, or what a delta adds or changes.
    States,
    Removes,
    Renames,
}

impl Operation {
    fn of(heading: &str) -> Self {
        match () {
            () if says(heading, &["removed requirement"]) => Self::Removes,
            () if says(heading, &["renamed requirement"]) => Self::Renames,
            () => Self::States,
        }
    }
}

/// What follows `Requirement:` or `Scenario:`.
fn titled<'t>(heading: &'t str, word: &str) -> Option<&'t str> {
    let (before, title) = heading.split_once([':', '：'])?;
    let is_word = before.trim().eq_ignore_ascii_case(word);
    (is_word && !title.trim().is_empty()).then(|| title.trim())
}

/// A requirement begins: its local id, unless it is one that goes.
fn begin(
    title: &str,
    block: &Block,
    document: &Document,
    of: &str,
    operation: Operation,
    unit: &mut Unit,
) -> Option<String> {
    match operation {
        Operation::States => {}
        Operation::Removes => {
            let text = one_line(&format!("Removes the requirement: {title}"));
            unit.criteria.push(Criterion::plain(text));
            return None;
        }
        Operation::Renames => return None,
    }
    let is_taken = |local: &str| {
        unit.requirements.iter().any(|other| other.local == local && other.of.as_deref() == Some(of))
    };
    let base = slug(title);
    let mut names = std::iter::once(base.clone()).chain((2..MOST).map(|number| format!("{base}-{number}")));
    let local = names.find(|name| !is_taken(name))?;
    if unit.requirements.len() >= MOST {
        return None;
    }
    unit.requirements.push(Requirement {
        local: local.clone(),
        of: Some(of.to_owned()),
        text: one_line(&format!("{title}:")),
        strength: None,
        path: document.path.clone(),
        line: block.lines.0,
        is_outcome: false,
    });
    Some(local)
}

fn extend(unit: &mut Unit, of: &str, local: &str, text: &str) {
    let own = unit.requirements.iter_mut().find(|one| one.local == local && one.of.as_deref() == Some(of));
    if let Some(requirement) = own {
        requirement.text = one_line(&format!("{} {text}", requirement.text));
        requirement.strength = requirement.strength.or_else(|| strength(text));
    }
}

fn finish(scenario: &mut Option<String>, local: Option<&str>, of: &str, unit: &mut Unit) {
    let (Some(text), Some(local)) = (scenario.take(), local) else { return };
    if unit.criteria.len() < MOST {
        unit.criteria.push(Criterion { of: Some((Some(of.to_owned()), local.to_owned())), text });
    }
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
        requirements(&outline(&document.text), document, &key(&folder.replace('/', "-")), &mut unit);
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
        if is_outside && block.kind != Kind::Code && !text.is_empty() && unit.limits.len() < MOST {
            let said = labelled.map_or(text.as_str(), str::trim);
            let text = one_line(&format!("Out of scope: {said}"));
            unit.limits.push(Limit { text, from: document.path.clone() });
        }
    }
}

fn paths(block: &Block, roots: &Roots, unit: &mut Unit) {
    for path in named(&block.text, &block.codes, roots) {
        keep(&mut unit.paths, path);
    }
}
