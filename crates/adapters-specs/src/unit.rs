//! What specs say, whatever tool wrote them: units with requirements, stories, limits and questions.

use std::collections::BTreeMap;

use bailiwick_domain::{IntentKind, Strength};

use crate::find::Tool;
use crate::wording::is_cut;

/// So many things of one sort are kept of one unit.
pub(crate) const MOST: usize = 300;

/// The specs of one project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Specs {
    pub(crate) tool: Option<Tool>,
    /// What binds all units, such as a constitution.
    pub(crate) rules: Option<Unit>,
    pub(crate) units: Vec<Unit>,
    /// What was not understood, and why.
    pub left: Vec<Left>,
}

impl Specs {
    /// How many features, capabilities and changes there are.
    pub fn units(&self) -> usize {
        self.units.len()
    }

    /// How many requirements they have.
    pub fn requirements(&self) -> usize {
        self.units.iter().map(|unit| unit.requirements.len()).sum()
    }

    /// How many tasks there are, where all of the unit that this file names are ticked.
    pub fn finished(&self, path: &str) -> Option<usize> {
        let unit = self.units.iter().find(|unit| unit.path == path)?;
        let (ticked, all) = unit.tasks;
        (all > 0 && ticked == all).then_some(all)
    }

    /// How many criteria they have.
    pub fn criteria(&self) -> usize {
        let of = |unit: &Unit| {
            unit.criteria.len() + unit.stories.iter().map(|story| story.criteria.len()).sum::<usize>()
        };
        self.units.iter().map(of).sum()
    }

    /// How many questions are open.
    pub fn questions(&self) -> usize {
        let of = |unit: &Unit| {
            unit.questions.len() + unit.stories.iter().map(|story| story.questions.len()).sum::<usize>()
        };
        self.units.iter().map(of).sum()
    }
}

/// Something that was not taken over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Left {
    /// The file.
    pub path: String,
    /// The line; 0 for the whole file.
    pub line: usize,
    /// Why.
    pub why: String,
}

/// What was not taken over of one file: how many things of which sort, and where the first of them is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Missed(BTreeMap<&'static str, (usize, usize)>);

impl Missed {
    pub(crate) fn note(&mut self, sort: &'static str, line: usize) {
        self.0.entry(sort).or_insert((0, line)).0 += 1;
    }

    fn tell(&self, path: &str, left: &mut Vec<Left>) {
        left.extend(self.0.iter().map(|(sort, (count, line))| Left {
            path: path.to_owned(),
            line: *line,
            why: format!("{sort}: {count}"),
        }));
    }
}

/// What a unit becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A goal with an intent for each story.
    Goal,
    /// One intent.
    Single(IntentKind),
}

/// A feature, a capability or a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// The file that it is named after.
    pub(crate) path: String,
    /// What ids begin with, such as `SPEC`.
    pub(crate) prefix: &'static str,
    /// The name of its folder.
    pub(crate) slug: String,
    pub(crate) form: Form,
    pub(crate) name: String,
    pub(crate) why: Option<String>,
    pub(crate) lines: (usize, usize),
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) limits: Vec<Limit>,
    pub(crate) criteria: Vec<Criterion>,
    pub(crate) assumptions: Vec<String>,
    pub(crate) questions: Vec<Question>,
    /// What its own work names, beside that of its stories.
    pub(crate) paths: Vec<String>,
    /// The requirements that this work names, by their local ids.
    pub(crate) mentions: Vec<String>,
    pub(crate) stories: Vec<Story>,
    pub(crate) missed: Missed,
    /// How many of its tasks are ticked, and how many there are.
    pub(crate) tasks: (usize, usize),
}

impl Unit {
    pub(crate) fn new(path: &str, slug: &str, prefix: &'static str) -> Self {
        Self {
            path: path.to_owned(),
            prefix,
            slug: slug.to_owned(),
            form: Form::Goal,
            name: String::new(),
            why: None,
            lines: (1, 1),
            requirements: Vec::new(),
            limits: Vec::new(),
            criteria: Vec::new(),
            assumptions: Vec::new(),
            questions: Vec::new(),
            paths: Vec::new(),
            mentions: Vec::new(),
            stories: Vec::new(),
            missed: Missed::default(),
            tasks: (0, 0),
        }
    }

    /// Adds a requirement, within the bound.
    pub(crate) fn require(&mut self, requirement: Requirement) -> bool {
        let line = requirement.line;
        kept(&mut self.requirements, requirement, "requirements beyond the first 300", line, &mut self.missed)
    }

    pub(crate) fn limit(&mut self, text: String, from: &str) {
        self.limits.push(Limit { text, from: from.to_owned() });
    }

    pub(crate) fn shown_by(&mut self, criterion: Criterion) {
        self.criteria.push(criterion);
    }

    /// Adds a story, within the bound.
    pub(crate) fn begin(&mut self, story: Story) -> bool {
        let line = story.lines.0;
        kept(&mut self.stories, story, "stories beyond the first 300", line, &mut self.missed)
    }

    /// Keeps what the bounds allow, and names what was not taken over.
    pub(crate) fn close(&mut self, left: &mut Vec<Left>) {
        let missed = &mut self.missed;
        for (line, text) in self.requirements.iter().map(|one| (one.line, &one.text)) {
            note_cut(text, line, missed);
        }
        let of_stories = self.stories.iter().flat_map(|story| &story.criteria);
        let own = |of: &&Criterion| of.of.is_none();
        let texts = self.criteria.iter().chain(of_stories).filter(own).map(|one| &one.text);
        let texts = texts.chain(self.limits.iter().map(|limit| &limit.text)).chain(&self.assumptions);
        texts.for_each(|text| note_cut(text, 0, missed));
        first(&mut self.limits, "rules beyond the first 300", missed);
        first(&mut self.criteria, "criteria beyond the first 300", missed);
        first(&mut self.assumptions, "assumptions beyond the first 300", missed);
        first(&mut self.questions, "questions beyond the first 300", missed);
        for story in &mut self.stories {
            first(&mut story.criteria, "criteria beyond the first 300", missed);
            first(&mut story.questions, "questions beyond the first 300", missed);
        }
        self.missed.tell(&self.path, left);
    }

    /// The requirement of that local id.
    pub(crate) fn has_requirement(&self, local: &str) -> bool {
        self.requirements.iter().any(|requirement| requirement.local == local)
    }
}

/// Adds a thing, or notes that there is no room for it.
fn kept<T>(list: &mut Vec<T>, thing: T, beyond: &'static str, line: usize, missed: &mut Missed) -> bool {
    let has_room = list.len() < MOST;
    match has_room {
        true => list.push(thing),
        false => missed.note(beyond, line),
    }
    has_room
}

/// Cuts a list at the bound, and notes what goes.
fn first<T>(list: &mut Vec<T>, beyond: &'static str, missed: &mut Missed) {
    (MOST..list.len()).for_each(|_| missed.note(beyond, 0));
    list.truncate(MOST);
}

fn note_cut(text: &str, line: usize, missed: &mut Missed) {
    if is_cut(text) {
        missed.note("texts longer than 1000 characters, cut", line);
    }
}

/// A requirement, by the id that it has inside its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Requirement {
    pub(crate) local: String,
    /// What qualifies the id, where that is not the unit.
    pub(crate) of: Option<String>,
    pub(crate) text: String,
    pub(crate) strength: Option<Strength>,
    pub(crate) path: String,
    pub(crate) line: usize,
    /// What shows that the work is done, not that it is asked for.
    pub(crate) is_outcome: bool,
}

/// A limit, and the file that it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) text: String,
    pub(crate) from: String,
}

/// What shows that something is done; the requirement that it belongs to, by its local id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Criterion {
    pub(crate) of: Option<(Option<String>, String)>,
    pub(crate) text: String,
}

impl Criterion {
    pub(crate) fn plain(text: String) -> Self {
        Self { of: None, text }
    }
}

/// A part of a unit that is worked on by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Story {
    /// Its name inside the unit, such as `US1`.
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) priority: Option<String>,
    pub(crate) why: Option<String>,
    pub(crate) lines: (usize, usize),
    pub(crate) criteria: Vec<Criterion>,
    /// The requirements that it names, by their local ids.
    pub(crate) mentions: Vec<String>,
    pub(crate) questions: Vec<Question>,
    pub(crate) paths: Vec<String>,
}

/// What the specs leave open, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) text: String,
    /// The requirement that it is in, by its local id.
    pub(crate) of: Option<String>,
    pub(crate) path: String,
    pub(crate) line: usize,
}
