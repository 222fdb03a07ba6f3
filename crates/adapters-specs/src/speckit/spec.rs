//! `spec.md`: stories with scenarios, requirements, edge cases, assumptions, clarifications.

use crate::Document;
use crate::ids::{begins_with_id, begins_with_unknown_id, leading_id, mentions};
use crate::outline::{Block, Kind, outline};
use crate::slug;
use crate::unit::{Criterion, Left, Limit, MOST, Question, Requirement, Story, Unit};
use crate::wording::{
    after_label, forbids, is_template, name, one_line, questions, says, strength, title, with,
};

/// Words that a story's heading begins with.
#[rustfmt::skip]
const STORY: &[&str] = &[
    "user story", "story", "us", "user stories", "user scenario", "用户故事", "使用者故事", "ユーザーストーリー", "ユーザストーリー", "사용자 스토리",
    "historia de usuario", "história de usuário", "história do usuário", "user-story", "récit utilisateur", "storia utente", "nutzergeschichte",
    "anwenderstory",
];

/// Where the reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    /// Before the first section: fields such as the input.
    #[default]
    Head,
    /// Stories and scenarios.
    Scenarios,
    /// Scenarios that belong to no story.
    Acceptance,
    EdgeCases,
    Requirements,
    Outcomes,
    Assumptions,
    Clarifications,
    /// What a template says to whoever fills it in.
    Guidance,
    Other,
}

#[derive(Default)]
struct Reader {
    section: Section,
    /// The level of the heading that began the section.
    level: u8,
    /// The label under which the text of a story stands.
    label: Label,
    main_story: Option<String>,
    input: Option<String>,
    first: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Label {
    #[default]
    Journey,
    Why,
    Acceptance,
    Other,
}

/// Nothing where the file is still a template.
pub(super) fn read(document: &Document, slug: &str, left: &mut Vec<Left>) -> Option<Unit> {
    let blocks = outline(&document.text);
    if blocks.is_empty() {
        left.push(Left { path: document.path.clone(), line: 0, why: "it says nothing".to_owned() });
        return None;
    }
    let mut unit = Unit::new(&document.path, slug, "SPEC");
    let heading = blocks.iter().find(|block| block.level() == Some(1));
    if heading.is_some_and(|block| block.text.contains("[FEATURE")) {
        left.push(Left { path: document.path.clone(), line: 1, why: "it is still the template".to_owned() });
        return None;
    }
    unit.name = heading.map(|block| title(&block.text)).unwrap_or_default();
    if unit.name.is_empty() {
        unit.name = slug::words(slug);
    }
    unit.lines = (1, blocks.last().map_or(1, |block| block.lines.1));
    let mut reader = Reader::default();
    for block in &blocks {
        match block.level() {
            Some(level) => reader.heading(block, level, &mut unit),
            None => reader.block(block, &mut unit, document),
        }
    }
    let before = unit.stories.len();
    unit.stories.retain(|story| !story.name.starts_with('[') || !story.criteria.is_empty());
    if unit.stories.len() < before {
        let why = "a story is still the template".to_owned();
        left.push(Left { path: document.path.clone(), line: 0, why });
    }
    unit.why = reader.input.or(reader.main_story).or(reader.first);
    Some(unit)
}

/// A text that is the value of a field, quotes around it taken away.
fn unquoted(text: &str) -> String {
    let text = after_label(text, &["User description"]).unwrap_or(text).trim();
    let inner = text.strip_prefix(['"', '“']).and_then(|rest| rest.strip_suffix(['"', '”']));
    one_line(&inner.unwrap_or(text).replace("\\n", " "))
}

impl Reader {
    fn heading(&mut self, block: &Block, level: u8, unit: &mut Unit) {
        let text = block.text.trim();
        if level == 1 {
            return;
        }
        self.label = Label::Journey;
        if let Some(mut story) = story(text) {
            story.lines = block.lines;
            let is_new = !unit.stories.iter().any(|other| other.key == story.key);
            if is_new && unit.begin(story) {
                (self.section, self.level) = (Section::Scenarios, level);
                return;
            }
        }
        let is_below = level > self.level && self.level > 0;
        let section = section(text);
        if self.section == Section::Guidance && is_below {
            return;
        }
        if self.section == Section::Scenarios && is_below && !unit.stories.is_empty() && level > 3 {
            self.label = label(text);
            return;
        }
        if section != Section::Other || !is_below {
            (self.section, self.level) = (section, level);
        }
        if self.section != Section::Guidance {
            let path = unit.path.clone();
            requirement(&block.text, block.lines.0, &path, unit);
        }
    }

    fn block(&mut self, block: &Block, unit: &mut Unit, document: &Document) {
        if block.kind == Kind::Code || is_template(&block.text) {
            return;
        }
        let is_listed = block.depth().is_some() || block.kind == Kind::Row;
        let is_named = is_listed && begins_with_id(&block.text);
        if self.section != Section::Guidance && is_listed && begins_with_unknown_id(&block.text) {
            unit.missed.note("requirements without an id that is known", block.lines.0);
        }
        match self.section {
            Section::Guidance => {}
            Section::Scenarios if !unit.stories.is_empty() => self.scenario(block, unit),
            _ if is_named => self.requirements(block, unit, document),
            Section::Head => self.head(block),
            Section::Scenarios => self.scenario(block, unit),
            Section::Acceptance => {
                item(block).into_iter().for_each(|text| push(&mut unit.criteria, Criterion::plain(text)));
                ask(&block.text, block.lines.0, &unit.path, &mut unit.questions);
            }
            Section::EdgeCases => {
                if let Some(text) = item(block).filter(|text| forbids(text)) {
                    push(&mut unit.limits, Limit { text, from: document.path.clone() });
                }
                ask(&block.text, block.lines.0, &unit.path, &mut unit.questions);
            }
            Section::Requirements | Section::Outcomes => self.requirements(block, unit, document),
            Section::Assumptions => {
                item(block).into_iter().for_each(|text| push(&mut unit.assumptions, text));
                ask(&block.text, block.lines.0, &unit.path, &mut unit.questions);
            }
            Section::Clarifications => {
                let answered = item(block).filter(|text| text.contains('→') || text.contains("->"));
                answered
                    .into_iter()
                    .for_each(|text| push(&mut unit.assumptions, format!("Clarified: {text}")));
            }
            Section::Other => ask(&block.text, block.lines.0, &unit.path, &mut unit.questions),
        }
    }

    fn head(&mut self, block: &Block) {
        if block.kind != Kind::Paragraph {
            return;
        }
        let mut input: Option<String> = None;
        for line in block.text.lines() {
            if let Some(value) = after_label(line, &["Input", "User Input", "Summary", "Overview"]) {
                input = Some(value.to_owned());
            } else if let Some(so_far) = input.as_mut().filter(|_| !is_field(line)) {
                so_far.push(' ');
                so_far.push_str(line);
            } else if is_field(line) {
                self.input = self.input.take().or(input.take().map(|text| unquoted(&text)));
            }
        }
        let said = input.map(|text| unquoted(&text)).filter(|text| !text.is_empty() && !is_template(text));
        self.input = self.input.take().or(said);
        if !block.text.lines().any(is_field) {
            self.first =
                self.first.take().or_else(|| Some(one_line(&block.text)).filter(|text| !text.is_empty()));
        }
    }

    fn scenario(&mut self, block: &Block, unit: &mut Unit) {
        let path = unit.path.clone();
        let Some(story) = unit.stories.last_mut() else {
            if block.kind == Kind::Paragraph && !block.text.trim().is_empty() {
                self.main_story = self.main_story.take().or_else(|| Some(one_line(&block.text)));
            }
            item(block)
                .filter(|_| is_ordered(block))
                .into_iter()
                .for_each(|text| push(&mut unit.criteria, Criterion::plain(text)));
            return ask(&block.text, block.lines.0, &path, &mut unit.questions);
        };
        story.lines.1 = story.lines.1.max(block.lines.1);
        let (is_item, is_named) = (block.depth().is_some(), begins_with_id(&block.text));
        mentions(&block.text, &mut story.mentions);
        ask(&block.text, block.lines.0, &path, &mut story.questions);
        if is_item && is_named {
            return requirement(&block.text, block.lines.0, &path, unit);
        }
        match block.kind {
            Kind::Item { depth: 1, .. }
                if is_ordered(block) || self.label == Label::Acceptance || is_scenario(&block.text) =>
            {
                push(&mut story.criteria, Criterion::plain(one_line(&block.text)));
            }
            Kind::Item { depth, .. } if depth > 1 && self.label != Label::Other => {
                extend(&mut story.criteria, &block.text)
            }
            Kind::Paragraph => self.told(&block.text, story),
            Kind::Row if is_scenario(&block.text) => {
                push(&mut story.criteria, Criterion::plain(cells(&block.text)))
            }
            _ => {}
        }
    }

    /// A paragraph of a story: its journey, or what stands under a label.
    fn told(&mut self, text: &str, story: &mut Story) {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let labelled = line.split_once([':', '：']).filter(|(before, _)| label(before) != Label::Journey);
            let (found, rest) = match labelled {
                Some((before, rest)) => (label(before), rest.trim()),
                None => (self.label, line.trim()),
            };
            let is_test = labelled.is_some_and(|(before, _)| says(before, &["independent test"]));
            self.label = if found == Label::Why && labelled.is_none() { Label::Journey } else { found };
            if rest.is_empty() {
                continue;
            }
            match found {
                _ if is_template(rest) => {}
                Label::Why => story.why = Some(joined(Some(one_line(rest)), story.why.take())),
                _ if is_test => {
                    push(
                        &mut story.criteria,
                        Criterion::plain(one_line(&format!("Independent test: {rest}"))),
                    );
                }
                Label::Journey if labelled.is_none() => {
                    story.why = Some(joined(story.why.take(), Some(one_line(rest))));
                }
                Label::Acceptance if is_scenario(rest) => {
                    push(&mut story.criteria, Criterion::plain(one_line(rest)))
                }
                _ => {}
            }
        }
    }

    fn requirements(&mut self, block: &Block, unit: &mut Unit, document: &Document) {
        if block.depth().is_some_and(|depth| depth > 1) && !begins_with_id(&block.text) {
            if let Some(last) = unit.requirements.last_mut() {
                last.text = with(&last.text, &block.text);
            }
        } else {
            for (line, text) in lines_of(block) {
                self.kept(&text, line, document, unit);
            }
        }
        ask(&block.text, block.lines.0, &unit.path, &mut unit.questions);
        let has_id = begins_with_id(&block.text) || begins_with_unknown_id(&block.text);
        let is_unnamed = block.depth() == Some(1) && !has_id && strength(&block.text).is_some();
        if is_unnamed && !lines_of(block).iter().any(|(_, text)| begins_with_id(text)) {
            unit.missed.note("requirements without an id", block.lines.0);
        }
    }

    /// A requirement; one whose id is taken is named, where requirements are listed.
    fn kept(&self, text: &str, line: usize, document: &Document, unit: &mut Unit) {
        let taken = leading_id(text).is_some_and(|(id, said)| {
            unit.requirements.iter().any(|other| other.local == id && other.text != cells(said))
        });
        if taken && matches!(self.section, Section::Requirements | Section::Outcomes) {
            unit.missed.note("requirements with an id that another has", line);
        }
        requirement(text, line, &document.path, unit);
    }
}

/// The lines of a block that begin with an id, each with what follows it and with its place in the file.
fn lines_of(block: &Block) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (at, line) in (block.lines.0..).zip(block.text.lines()) {
        match lines.last_mut() {
            Some((_, last)) if !begins_with_id(line) => {
                last.push(' ');
                last.push_str(line);
            }
            _ => lines.push((at, line.to_owned())),
        }
    }
    lines
}

/// Two texts in one, where both are there.
fn joined(first: Option<String>, second: Option<String>) -> String {
    match (first, second) {
        (Some(first), Some(second)) => one_line(&format!("{first} {second}")),
        (first, second) => first.or(second).unwrap_or_default(),
    }
}

fn push<T: PartialEq>(list: &mut Vec<T>, item: T) {
    // Beyond the bound all that counts is how many there are.
    if list.len() >= MOST || !list.contains(&item) {
        list.push(item);
    }
}

fn extend(criteria: &mut [Criterion], text: &str) {
    if let Some(last) = criteria.last_mut() {
        last.text = with(&last.text, text);
    }
}

fn ask(text_of: &str, line: usize, path: &str, into: &mut Vec<Question>) {
    for text in questions(text_of) {
        push(into, Question { text, of: leading_id(text_of).map(|(id, _)| id), path: path.to_owned(), line });
    }
}

/// The text of an item that says something.
fn item(block: &Block) -> Option<String> {
    let text = one_line(&block.text);
    let counts = block.depth().is_some() && block.ticked.is_none() && !text.is_empty();
    counts.then_some(text)
}

fn is_ordered(block: &Block) -> bool {
    matches!(block.kind, Kind::Item { number: Some(_), .. })
}

fn is_scenario(text: &str) -> bool {
    let folded = text.to_lowercase();
    (folded.contains("given") || folded.contains("when")) && folded.contains("then")
}

/// The cells of a row as one text, without one at its end that only says how binding or urgent it is.
fn cells(text: &str) -> String {
    let text = text.trim().trim_end_matches('|').trim_end();
    let is_grade = |cell: &str| {
        ["must", "should", "may", "shall", "high", "medium", "low", "p1", "p2", "p3", "p4"]
            .contains(&cell.trim().to_lowercase().as_str())
    };
    one_line(text.rsplit_once('|').filter(|(_, last)| is_grade(last)).map_or(text, |(first, _)| first))
}

fn is_field(line: &str) -> bool {
    const FIELDS: &[&str] = &[
        "feature branch",
        "created",
        "status",
        "input",
        "branch",
        "date",
        "spec",
        "author",
        "version",
        "updated",
        "last updated",
    ];
    line.split_once([':', '：'])
        .is_some_and(|(before, _)| FIELDS.contains(&before.trim().to_lowercase().as_str()))
}

fn section(text: &str) -> Section {
    let table: &[(&[&str], Section)] = &[
        (
            &[
                "execution flow",
                "quick guideline",
                "checklist",
                "execution status",
                "section requirements",
                "for ai generation",
                "execution",
            ],
            Section::Guidance,
        ),
        (&["edge case"], Section::EdgeCases),
        (
            &["primary user story", "user scenario", "user stor", "scenarios & testing", "user journey"],
            Section::Scenarios,
        ),
        (&["acceptance scenario", "acceptance criteria"], Section::Acceptance),
        (&["success criteria", "measurable outcome", "success metric"], Section::Outcomes),
        (
            &["requirement", "需求", "要件", "요구", "requisit", "anforderung", "exigence"],
            Section::Requirements,
        ),
        (&["assumption"], Section::Assumptions),
        (&["clarification"], Section::Clarifications),
    ];
    table.iter().find(|(words, _)| says(text, words)).map_or(Section::Other, |(_, section)| *section)
}

fn label(text: &str) -> Label {
    match () {
        () if says(text, &["why this priority", "why p1", "why p2", "why p3"]) => Label::Why,
        () if says(text, &["acceptance"]) => Label::Acceptance,
        () if says(
            text,
            &["independent test", "test", "note", "dependenc", "technical", "implementation"],
        ) =>
        {
            Label::Other
        }
        () => Label::Journey,
    }
}

/// A heading that begins a story: a word for it and a number, or a priority.
fn story(text: &str) -> Option<Story> {
    let digits = text.find(|c: char| c.is_ascii_digit())?;
    let head = text.get(..digits)?.to_lowercase();
    let head = head.trim().trim_end_matches(['#', '-', '.', ' ']);
    let rest = text.get(digits..)?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest.get(..end)?.trim_start_matches('0');
    let priority = priority(text);
    let is_named = STORY.contains(&head);
    if number.is_empty() || number.len() > 4 || !(is_named || (priority.is_some() && head.is_empty())) {
        return None;
    }
    let title = rest.get(end..)?.trim_start_matches([' ', '-', '–', '—', ':', '：', '.', ')']);
    let title = match title.rfind(['(', '（']) {
        Some(at) if priority.is_some() && title.get(at..).is_some_and(|tail| tail.contains(['P', 'p'])) => {
            title.get(..at).unwrap_or(title)
        }
        _ => title,
    };
    let title =
        name(title.trim_end_matches(|c: char| {
            !c.is_alphanumeric() && !matches!(c, ')' | ']' | '"' | '`' | '?' | '!')
        }));
    let named = if title.is_empty() { format!("User story {number}") } else { title };
    Some(Story { key: format!("US{number}"), name: named, priority, ..Story::default() })
}

/// `P1` in brackets.
fn priority(text: &str) -> Option<String> {
    let at = text.rfind(['(', '（', '['])?;
    let inside = text.get(at..)?;
    let words = inside.split(|c: char| !c.is_ascii_alphanumeric());
    let is_one = |word: &&str| {
        let digits = word.strip_prefix(['P', 'p']);
        digits.is_some_and(|digits| digits.len() == 1 && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    words.into_iter().find(is_one).map(str::to_ascii_uppercase)
}

fn requirement(line: &str, at: usize, path: &str, unit: &mut Unit) {
    let Some((local, rest)) = leading_id(line) else { return };
    let text = cells(rest);
    if unit.has_requirement(&local) || text.is_empty() || is_template(&text) {
        return;
    }
    let is_outcome = local.starts_with("SC-");
    let strength = strength(&text).or_else(|| self::strength(rest));
    unit.require(Requirement {
        local,
        of: None,
        text,
        strength,
        path: path.to_owned(),
        line: at,
        is_outcome,
    });
}
