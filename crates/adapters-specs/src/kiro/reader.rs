//! `requirements.md`: the stories with their criteria, and what binds outside of them.

use super::ask;
use super::numbers::{numbered, requirement, wish_in};
use crate::Document;
use crate::outline::{Block, Kind};
use crate::slug::slug;
use crate::unit::{Criterion, Requirement, Story, Unit};
use crate::wording::{after_label, is_loud, is_template, name, one_line, says, strength};

/// Words for what is asked for beside the functions.
const BESIDE: &[&str] = &["non-functional", "non functional", "nonfunctional", "非功能", "非機能"];

/// Labels of what a story wants.
const WISH: &[&str] = &[
    "User Story",
    "Objective",
    "Story",
    "用户故事",
    "使用者故事",
    "ユーザーストーリー",
    "ユーザストーリー",
    "目的",
    "사용자 스토리",
    "Historia de usuario",
    "História de usuário",
    "Anwendergeschichte",
];

#[derive(Default)]
pub(super) struct Reader {
    is_bug: bool,
    /// The headings that the reader is under, with their levels.
    headings: Vec<(u8, String)>,
    /// The open story, and the level of its heading.
    open: Option<(usize, u8)>,
}

impl Reader {
    pub(super) fn new(is_bug: bool) -> Self {
        Self { is_bug, ..Self::default() }
    }

    pub(super) fn take(&mut self, block: &Block, document: &Document, unit: &mut Unit) {
        if let Some(level) = block.level() {
            return self.heading(level, block, unit);
        }
        if block.kind == Kind::Code || is_template(&block.text) {
            return;
        }
        if self.is_under(&["introduction", "overview", "bug", "project description"])
            && block.kind == Kind::Paragraph
        {
            let text = || Some(one_line(&block.text)).filter(|text| !text.is_empty());
            unit.why = unit.why.take().or_else(text);
        }
        match self.open.and_then(|(at, _)| unit.stories.get_mut(at)) {
            Some(story) => {
                story.lines.1 = story.lines.1.max(block.lines.1);
                ask(block, document, &mut story.questions);
                wish(block, story);
            }
            None => ask(block, document, &mut unit.questions),
        }
        let numbered = numbered(block);
        if numbered.is_empty() && block.depth() == Some(1) && block.ticked.is_none() && is_loud(&block.text) {
            self.unnumbered(block, document, unit);
        }
        for (number, text, line) in numbered {
            self.criterion(&number, &text, (document, line), unit);
        }
    }

    /// A story that says no name and no wish is called by what it asks for first.
    pub(super) fn name_the_rest(unit: &mut Unit) {
        for story in unit.stories.iter_mut().filter(|story| story.name.is_empty()) {
            story.name = story.criteria.first().map(|first| name(&first.text)).unwrap_or_default();
        }
    }

    fn heading(&mut self, level: u8, block: &Block, unit: &mut Unit) {
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, block.text.clone()));
        if self.open.is_some_and(|(_, of_story)| level <= of_story) {
            self.open = None;
        }
        let Some((number, name)) = requirement(&block.text, block.level()).filter(|_| !self.is_bug) else {
            return;
        };
        let is_free = |key: &String| !unit.stories.iter().any(|story| story.key == *key);
        let again = (2..).map(|time: u32| format!("R{number}-{time}"));
        let Some(key) = std::iter::once(format!("R{number}")).chain(again).find(is_free) else { return };
        let story = Story { key, name, lines: block.lines, ..Story::default() };
        if unit.begin(story) {
            self.open = Some((unit.stories.len() - 1, level));
        }
    }

    fn is_under(&self, words: &[&str]) -> bool {
        self.headings.last().is_some_and(|(_, text)| says(text, words))
    }

    /// An item with a number: what must stay, a criterion of its story, or what binds outside of all.
    fn criterion(&self, number: &str, text: &str, at: (&Document, usize), unit: &mut Unit) {
        if text.is_empty() || self.is_under(&["current behavior", "current behaviour", "defect"]) {
            return;
        }
        if self.is_under(&["unchanged"]) {
            return unit.limit(text.to_owned(), &at.0.path);
        }
        let story = match number.split_once('.') {
            Some((of, _)) => {
                let key = format!("R{}", of.trim_start_matches('0'));
                unit.stories.iter().position(|story| story.key == key)
            }
            None => self.open.map(|(story, _)| story),
        };
        let local = match story.and_then(|at| unit.stories.get(at)).filter(|_| !number.contains('.')) {
            Some(story) => format!("{}.{number}", story.key.trim_start_matches('R')),
            None => number.to_owned(),
        };
        match story {
            None if !(self.is_bug && number.contains('.')) => self.outside(Some(number), text, at, unit),
            _ if unit.has_requirement(&local) => {
                unit.missed.note("criteria with a number that another has", at.1)
            }
            story => keep(story, local, text, at, unit),
        }
    }

    fn unnumbered(&self, block: &Block, document: &Document, unit: &mut Unit) {
        match self.open {
            Some(_) => unit.missed.note("criteria without a number", block.lines.0),
            None if self.is_bug => {}
            None => self.outside(None, &one_line(&block.text), (document, block.lines.0), unit),
        }
    }

    /// What is listed outside of all stories counts where it binds.
    fn outside(&self, number: Option<&str>, text: &str, at: (&Document, usize), unit: &mut Unit) {
        if strength(text).is_none() {
            return unit.missed.note("numbered items outside of a requirement", at.1);
        }
        let start = self.start();
        let numbers = (1..).map(|number: usize| number.to_string());
        let mut locals = number.map(str::to_owned).into_iter().chain(numbers).map(|number| match &start {
            Some(start) => format!("{start}-{number}"),
            None => number,
        });
        if let Some(local) = locals.find(|local| !unit.has_requirement(local)) {
            keep(None, local, text, at, unit);
        }
    }

    /// What ids begin with outside of all stories.
    fn start(&self) -> Option<String> {
        let is_beside = |text: &str| says(text, BESIDE);
        let beside = self.headings.iter().any(|(_, text)| is_beside(text)).then(|| "NFR".to_owned());
        let own = self.headings.last().filter(|(level, text)| *level > 1 && !is_beside(text));
        let parts: Vec<String> = beside.into_iter().chain(own.map(|(_, text)| slug(text))).collect();
        (!parts.is_empty()).then(|| parts.join("-"))
    }
}

fn keep(story: Option<usize>, local: String, text: &str, at: (&Document, usize), unit: &mut Unit) {
    let requirement = Requirement {
        local: local.clone(),
        of: None,
        text: text.to_owned(),
        strength: strength(text),
        path: at.0.path.clone(),
        line: at.1,
        is_outcome: false,
    };
    if !unit.require(requirement) {
        return;
    }
    let criterion = Criterion { of: Some((None, local.clone())), text: text.to_owned() };
    match story.and_then(|at| unit.stories.get_mut(at)) {
        Some(story) => {
            story.mentions.push(local);
            story.criteria.push(criterion);
        }
        None => unit.shown_by(criterion),
    }
}

/// What the story wants, where the block says so.
fn wish(block: &Block, story: &mut Story) {
    let is_wish = block.text.lines().any(|line| after_label(line, WISH).is_some());
    if is_wish && block.kind == Kind::Paragraph {
        let rest = block.text.split_once([':', '：']).map_or(block.text.as_str(), |(_, rest)| rest);
        story.why = Some(one_line(rest));
        if story.name.is_empty() {
            story.name = wish_in(rest);
        }
    }
}
