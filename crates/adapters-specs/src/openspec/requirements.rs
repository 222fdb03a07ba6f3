//! The requirements of a file and their scenarios, by their headings.

use super::ask;
use crate::Document;
use crate::ids::leading_id;
use crate::outline::{Block, Kind};
use crate::slug::slug;
use crate::unit::{Criterion, Left, Requirement, Unit};
use crate::wording::{REQUIREMENT, one_line, says, strength, with};

/// Words that a scenario's heading begins with.
const SCENARIO: &[&str] =
    &["scenario", "场景", "場景", "シナリオ", "시나리오", "escenario", "cenário", "szenario", "scénario"];

/// Reads a file. What a delta removes is a limit of the work, not of the product.
pub(super) fn requirements(
    blocks: &[Block],
    document: &Document,
    of: &str,
    unit: &mut Unit,
    left: &mut Vec<Left>,
) {
    let mut reader = Reader { document, of, operation: Operation::States, open: Open::Nothing, found: false };
    for block in blocks {
        match block.level() {
            Some(level) => reader.heading(level, block, unit),
            None => reader.text(block, unit),
        }
    }
    reader.finish(unit);
    if !reader.found {
        let why = "it has no heading such as `### Requirement: …`".to_owned();
        left.push(Left { path: document.path.clone(), line: 0, why });
    }
}

struct Reader<'d> {
    document: &'d Document,
    /// What qualifies the ids.
    of: &'d str,
    operation: Operation,
    open: Open,
    /// Whether there was any requirement.
    found: bool,
}

/// What the text that comes next belongs to.
enum Open {
    Nothing,
    /// A requirement that goes or gets another name.
    Passed,
    /// The requirement of that local id.
    Requirement(String),
    /// What a scenario of that requirement says so far.
    Scenario(String, String),
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
        let removes =
            ["removed requirement", "移除", "删除", "削除", "requisitos eliminados", "requisitos removidos"];
        let renames = ["renamed requirement", "重命名", "名称変更", "改名", "requisitos renombrados"];
        match () {
            () if says(heading, &removes) => Self::Removes,
            () if says(heading, &renames) => Self::Renames,
            () => Self::States,
        }
    }
}

impl Reader<'_> {
    fn heading(&mut self, level: u8, block: &Block, unit: &mut Unit) {
        self.finish(unit);
        if let Some((id, title)) = named(&block.text) {
            self.found = true;
            self.open = self.begin(id, title, block, unit);
        } else if let Some(title) = titled(&block.text, SCENARIO) {
            match &self.open {
                Open::Requirement(local) => self.open = Open::Scenario(local.clone(), one_line(title)),
                Open::Nothing => unit.missed.note("scenarios without a requirement", block.lines.0),
                Open::Passed | Open::Scenario(..) => {}
            }
        } else if level <= 2 {
            (self.operation, self.open) = (Operation::of(&block.text), Open::Nothing);
        }
    }

    fn text(&mut self, block: &Block, unit: &mut Unit) {
        ask(block, self.document, unit);
        if block.kind == Kind::Code {
            return;
        }
        let text = one_line(&block.text);
        match &mut self.open {
            Open::Scenario(_, told) => *told = with(told, &text),
            Open::Requirement(local) => extend(unit, self.of, local, &text),
            Open::Nothing | Open::Passed => {}
        }
    }

    /// A requirement begins, unless it is one that goes.
    fn begin(&self, id: Option<String>, title: &str, block: &Block, unit: &mut Unit) -> Open {
        match self.operation {
            Operation::States => {}
            Operation::Removes => {
                let text = one_line(&format!("Removes the requirement: {title}"));
                unit.shown_by(Criterion::plain(text));
                return Open::Passed;
            }
            Operation::Renames => return Open::Passed,
        }
        let mut is_taken = |local: &str| own(unit, self.of, local).is_some();
        let base = id.unwrap_or_else(|| slug(title));
        let again = (2..).map(|number: u32| format!("{base}-{number}"));
        let Some(local) = std::iter::once(base.clone()).chain(again).find(|name| !is_taken(name)) else {
            return Open::Passed;
        };
        let requirement = Requirement {
            local: local.clone(),
            of: Some(self.of.to_owned()),
            text: one_line(&format!("{title}:")),
            strength: None,
            path: self.document.path.clone(),
            line: block.lines.0,
            is_outcome: false,
        };
        if unit.require(requirement) { Open::Requirement(local) } else { Open::Passed }
    }

    /// A scenario ends; its requirement goes on.
    fn finish(&mut self, unit: &mut Unit) {
        self.open = match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Scenario(local, text) => {
                let of = Some((Some(self.of.to_owned()), local.clone()));
                unit.shown_by(Criterion { of, text });
                Open::Requirement(local)
            }
            open => open,
        };
    }
}

/// The id and the title of a requirement that a heading begins.
fn named(heading: &str) -> Option<(Option<String>, &str)> {
    let by_id = leading_id(heading).filter(|(_, title)| !title.is_empty());
    let by_word = || titled(heading, REQUIREMENT).map(|title| (None, title));
    by_id.map(|(id, title)| (Some(id), title)).or_else(by_word)
}

/// What follows `Requirement:`, `Scenario:` or `SCENARIO-12:`.
fn titled<'t>(heading: &'t str, words: &[&str]) -> Option<&'t str> {
    let (before, title) = heading.split_once([':', '：'])?;
    let before = before.trim().to_lowercase();
    let is_number = |rest: &str| {
        rest.is_empty() || (rest.starts_with([' ', '-']) && rest.contains(|c: char| c.is_ascii_digit()))
    };
    let is_word = |word: &str| before.strip_prefix(word.to_lowercase().as_str()).is_some_and(is_number);
    (words.iter().any(|word| is_word(word)) && !title.trim().is_empty()).then(|| title.trim())
}

fn own<'u>(unit: &'u mut Unit, of: &str, local: &str) -> Option<&'u mut Requirement> {
    unit.requirements.iter_mut().find(|one| one.local == local && one.of.as_deref() == Some(of))
}

fn extend(unit: &mut Unit, of: &str, local: &str, text: &str) {
    if let Some(requirement) = own(unit, of, local) {
        requirement.text = one_line(&format!("{} {text}", requirement.text));
        requirement.strength = requirement.strength.or_else(|| strength(text));
    }
}
