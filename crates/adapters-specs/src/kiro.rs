//! Kiro: a feature is a folder with `requirements.md` (or `bugfix.md`), `design.md` and `tasks.md`. Each numbered
//! requirement is a story; each of its criteria is a requirement with an id such as `1.2`.

mod steering;

use std::collections::BTreeMap;

use bailiwick_domain::IntentKind;

use crate::Document;
use crate::outline::{Block, Kind, outline};
use crate::paths::{Roots, drawn, keep, named};
use crate::slug;
use crate::unit::{Criterion, Form, Left, Limit, Question, Requirement, Specs, Story, Unit};
use crate::wording::{after_label, is_template, name, one_line, questions, says, strength, title};

/// So many things of one sort are kept.
const MOST: usize = 300;

pub(crate) fn read(documents: &[Document]) -> Specs {
    let mut specs = Specs::default();
    let mut features: BTreeMap<&str, BTreeMap<&str, &Document>> = BTreeMap::new();
    let mut rules: Vec<&Document> = Vec::new();
    for document in documents {
        if document.path.starts_with(".kiro/steering/") {
            rules.push(document);
        } else if let Some((folder, file)) = document.path.rsplit_once('/') {
            features.entry(folder).or_default().insert(file, document);
        }
    }
    specs.rules = steering::read(&rules);
    for (folder, files) in &features {
        let slug = folder.rsplit('/').next().unwrap_or(folder);
        let main = files.get("requirements.md").or_else(|| files.get("bugfix.md"));
        let Some(main) = main else {
            let path = files.values().next().map(|document| document.path.clone()).unwrap_or_default();
            let why = "there is no `requirements.md` beside it".to_owned();
            specs.left.push(Left { path, line: 0, why });
            continue;
        };
        specs.units.push(feature(main, slug, files, &mut specs.left));
    }
    specs
}

fn feature(main: &Document, slug: &str, files: &BTreeMap<&str, &Document>, left: &mut Vec<Left>) -> Unit {
    let mut unit = Unit::new(&main.path, slug, "SPEC");
    let blocks = outline(&main.text);
    unit.lines = (1, blocks.last().map_or(1, |block| block.lines.1));
    let heading = blocks.iter().find(|block| block.level() == Some(1));
    let said = heading.map(|block| title(&block.text)).unwrap_or_default();
    unit.name = if said.is_empty() { slug::words(slug) } else { said };
    let is_bug = main.path.ends_with("/bugfix.md");
    let mut reader = Reader { is_bug, ..Reader::default() };
    for block in &blocks {
        reader.take(block, main, &mut unit);
    }
    if unit.requirements.is_empty() {
        let why = "it has no numbered criteria".to_owned();
        left.push(Left { path: main.path.clone(), line: 0, why });
    }
    let mut trees: Vec<String> = Vec::new();
    if let Some(design) = files.get("design.md") {
        for block in outline(&design.text) {
            match block.kind {
                Kind::Code => trees.extend(drawn(&block.text)),
                _ => ask(&block, design, &mut unit.questions),
            }
        }
    }
    if let Some(tasks) = files.get("tasks.md") {
        self::tasks(tasks, &Roots::of(trees.iter().map(String::as_str)), &mut unit);
    }
    unit.paths.retain(|path| !path.starts_with(".kiro/"));
    unit.stories.iter_mut().for_each(|story| story.paths.retain(|path| !path.starts_with(".kiro/")));
    if is_bug || unit.stories.is_empty() {
        let kind = if is_bug { IntentKind::Fix } else { IntentKind::Change };
        unit.form = Form::Single(kind);
    }
    unit
}

#[derive(Default)]
struct Reader {
    is_bug: bool,
    /// The heading that the reader is under.
    heading: String,
    /// The words of the headings of a bug that say what must stay.
    keeps: bool,
    /// What is wrong now is no requirement.
    is_wrong_now: bool,
}

impl Reader {
    fn take(&mut self, block: &Block, document: &Document, unit: &mut Unit) {
        if block.level().is_some() {
            return self.heading(block, unit);
        }
        if block.kind == Kind::Code || is_template(&block.text) {
            return;
        }
        if says(&self.heading, &["introduction", "overview", "bug", "project description"])
            && block.kind == Kind::Paragraph
        {
            unit.why =
                unit.why.take().or_else(|| Some(one_line(&block.text)).filter(|text| !text.is_empty()));
        }
        match unit.stories.last_mut().filter(|_| !self.is_bug) {
            Some(story) => {
                story.lines.1 = story.lines.1.max(block.lines.1);
                ask(block, document, &mut story.questions);
                let wish = block
                    .text
                    .lines()
                    .find_map(|line| after_label(line, &["User Story", "Objective", "Story"]).map(|_| line));
                if wish.is_some() && block.kind == Kind::Paragraph {
                    let rest =
                        block.text.split_once([':', '：']).map_or(block.text.as_str(), |(_, rest)| rest);
                    story.why = Some(one_line(rest));
                    if story.name.is_empty() {
                        story.name = wish_in(rest);
                    }
                }
            }
            None => ask(block, document, &mut unit.questions),
        }
        for (number, text, line) in numbered(block) {
            self.criterion(number, &text, line, document, unit);
        }
    }

    fn heading(&mut self, block: &Block, unit: &mut Unit) {
        self.heading.clone_from(&block.text);
        self.keeps = says(&block.text, &["unchanged"]);
        self.is_wrong_now = says(&block.text, &["current behavior", "current behaviour", "defect"]);
        if let Some((number, title)) = requirement(&block.text, block.level()).filter(|_| !self.is_bug) {
            let key = format!("R{number}");
            if unit.stories.len() < MOST && !unit.stories.iter().any(|story| story.key == key) {
                unit.stories.push(Story { key, name: title, lines: block.lines, ..Story::default() });
            }
        }
    }

    fn criterion(&self, number: String, text: &str, line: usize, document: &Document, unit: &mut Unit) {
        if self.keeps {
            if unit.limits.len() < MOST {
                unit.limits.push(Limit { text: text.to_owned(), from: document.path.clone() });
            }
            return;
        }
        if self.is_wrong_now {
            return;
        }
        let local = match unit.stories.last().filter(|_| !number.contains('.')) {
            Some(story) => format!("{}.{number}", story.key.trim_start_matches('R')),
            None => number,
        };
        if unit.has_requirement(&local) || unit.requirements.len() >= MOST || text.is_empty() {
            return;
        }
        unit.requirements.push(Requirement {
            local: local.clone(),
            of: None,
            text: text.to_owned(),
            strength: strength(text),
            path: document.path.clone(),
            line,
            is_outcome: false,
        });
        let criterion = Criterion { of: Some((None, local.clone())), text: text.to_owned() };
        match unit.stories.last_mut() {
            Some(story) => {
                story.mentions.push(local);
                story.criteria.push(criterion);
            }
            None => unit.criteria.push(criterion),
        }
    }
}

/// What a user story wants, as a name.
fn wish_in(text: &str) -> String {
    let line = one_line(text);
    let folded = line.to_lowercase();
    let from =
        folded.find("i want to ").map(|at| at + 10).or_else(|| folded.find("i want ").map(|at| at + 7));
    let wish = from.and_then(|at| line.get(at..)).unwrap_or(&line);
    let end =
        [", so that", " so that", ", damit"].iter().filter_map(|word| wish.to_lowercase().find(word)).min();
    let wish = end.and_then(|at| wish.get(..at)).unwrap_or(wish);
    let mut chars = wish.trim_end_matches([',', '.', ' ']).chars();
    name(&chars.next().map(|first| first.to_uppercase().chain(chars).collect::<String>()).unwrap_or_default())
}

/// A heading that begins a requirement: its number and title.
fn requirement(text: &str, level: Option<u8>) -> Option<(String, String)> {
    let text = text.trim();
    let is_word = |rest: &&str| rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let words = ["Requirement", "Req", "要件", "需求", "요구사항", "Requisito", "Anforderung", "Exigence"];
    let named = words.iter().find_map(|word| text.strip_prefix(word).filter(is_word));
    let is_deep = level.is_some_and(|level| level >= 3);
    let has_title = text.contains(". ") || text.contains(": ");
    let bare = Some(text).filter(is_word).filter(|_| is_deep && has_title);
    let rest = named.or(bare)?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest.get(..end)?.trim_start_matches('0');
    let title = rest.get(end..)?;
    // `1.2 Something` is no requirement of its own.
    let is_part = title.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if number.is_empty() || number.len() > 4 || is_part {
        return None;
    }
    Some((number.to_owned(), name(title.trim_start_matches([':', '：', '.', '-', '–', '—', ' ', ')']))))
}

/// The criteria of a block with their numbers and lines: an ordered item, or lines that begin with `1.2`.
fn numbered(block: &Block) -> Vec<(String, String, usize)> {
    let mut found: Vec<(String, String, usize)> = Vec::new();
    if block.ticked.is_some() || block.kind == Kind::Row {
        return found;
    }
    for (line, at) in block.text.lines().zip(block.lines.0..) {
        match (dotted(line), found.last_mut()) {
            (Some((number, text)), _) => found.push((number, one_line(text), at)),
            (None, Some((_, last, _))) => *last = one_line(&format!("{last} {line}")),
            (None, None) => break,
        }
    }
    if let (true, Kind::Item { depth: 1, number: Some(number) }) = (found.is_empty(), block.kind) {
        found.push((number.to_string(), one_line(&block.text), block.lines.0));
    }
    found
}

/// A number such as `1.2` that a line begins with, and what follows it.
fn dotted(line: &str) -> Option<(String, &str)> {
    let (number, rest) = line.trim().split_once(' ')?;
    let bare = number.trim_end_matches(['.', ')', ':']);
    let is_number =
        |part: &str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    let (first, second) = bare.split_once('.')?;
    (is_number(first) && is_number(second)).then(|| (bare.to_owned(), rest.trim()))
}

fn ask(block: &Block, document: &Document, into: &mut Vec<Question>) {
    for text in questions(&block.text) {
        into.push(Question { text, of: None, path: document.path.clone(), line: block.lines.0 });
    }
}

/// The paths of each task go to the stories whose requirements it cites.
fn tasks(document: &Document, roots: &Roots, unit: &mut Unit) {
    let mut found: Vec<String> = Vec::new();
    let mut cited: Vec<String> = Vec::new();
    for block in outline(&document.text) {
        let begins = block.level().is_some() || is_task(&block);
        if begins {
            hand_over(&mut found, &mut cited, unit);
        }
        if block.level().is_some() {
            continue;
        }
        for line in block.text.lines() {
            cited.extend(citations(line));
        }
        if block.kind != Kind::Code {
            found.extend(named(&block.text, &block.codes, roots));
        }
    }
    hand_over(&mut found, &mut cited, unit);
}

/// A box, ticked or not; `[ ]*` is optional work.
fn is_task(block: &Block) -> bool {
    let is_box = |text: &str| ["[ ]", "[x]", "[X]", "[-]", "[~]"].iter().any(|mark| text.starts_with(mark));
    block.depth().is_some() && (block.ticked.is_some() || is_box(block.text.trim_start()))
}

/// The numbers after `Requirements:`.
fn citations(line: &str) -> Vec<String> {
    let line = line.trim().trim_matches('_');
    let labels = ["Requirements", "Requirement", "_Requirements", "Validates", "Reqs"];
    let Some(list) = after_label(line, &labels) else { return Vec::new() };
    let words = list.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    let stories = words.filter_map(|word| word.split('.').next()).filter(|word| !word.is_empty());
    stories.map(|number| format!("R{}", number.trim_start_matches('0'))).collect()
}

fn hand_over(found: &mut Vec<String>, cited: &mut Vec<String>, unit: &mut Unit) {
    let (found, cited) = (std::mem::take(found), std::mem::take(cited));
    let mut is_placed = false;
    for story in unit.stories.iter_mut().filter(|story| cited.contains(&story.key)) {
        is_placed = true;
        found.iter().for_each(|path| keep(&mut story.paths, path.clone()));
    }
    if !is_placed {
        found.into_iter().for_each(|path| keep(&mut unit.paths, path));
    }
}
