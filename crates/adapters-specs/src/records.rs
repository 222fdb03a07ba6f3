//! Intents from units: their ids, their links, and what of a unit stands in which of them.
//!
//! A unit with stories becomes a goal, which holds what its requirements say, and an intent for each story. Ids that an
//! earlier import gave stay, whatever is added beside them.

use std::collections::BTreeSet;

use bailiwick_domain::{
    ContentHash, IntentId, IntentKind, IntentRecord, IntentStatus, SourceRecord, WrittenLine,
    WrittenRequirement,
};

use crate::slug;
use crate::unit::{Criterion, Form, Question, Requirement, Specs, Story, Unit};

/// The part of a unit that is no story: work that several stories stand on.
const SHARED: &str = "SHARED";

/// Where the folder of a project is, as what paths begin with: empty for the root of the repository, else with `/` at the
/// end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Before the names of specs.
    pub specs: String,
    /// Before the paths that the specs name.
    pub paths: String,
}

/// The intents of the specs. `existing` are those of the intents file, whose ids are kept. With `flat` each unit is one
/// intent.
pub fn records(specs: &Specs, existing: &[IntentRecord], place: &Place, flat: bool) -> Vec<IntentRecord> {
    let tool = specs.tool.map_or("", crate::Tool::word);
    let taken = existing.iter().map(|record| record.id.as_str().to_owned()).collect();
    let mut maker = Maker { tool, place, existing, taken, made: Vec::new(), rules: None };
    if let Some(unit) = &specs.rules {
        let at = maker.path(&unit.path);
        let id =
            maker.known(&at, None).unwrap_or_else(|| maker.fresh(&format!("{}-{}", unit.prefix, unit.slug)));
        let record = maker.goal(unit, id.clone(), "");
        maker.keep(record, &unit.path, None, unit.lines);
        maker.rules = Some(id);
    }
    for unit in &specs.units {
        maker.unit(unit, &specs.units, flat);
    }
    maker.made
}

struct Maker<'a> {
    tool: &'a str,
    place: &'a Place,
    existing: &'a [IntentRecord],
    taken: BTreeSet<String>,
    made: Vec<IntentRecord>,
    rules: Option<IntentId>,
}

/// Whether a record came from a story.
type Fits<'f> = dyn Fn(&IntentRecord, &Story) -> bool + 'f;

impl Maker<'_> {
    fn unit(&mut self, unit: &Unit, all: &[Unit], flat: bool) {
        let at = self.path(&unit.path);
        let known = self.known(&at, None);
        let id = known.unwrap_or_else(|| self.fresh(&format!("{}-{}", unit.prefix, short_key(unit, all))));
        let start = format!("{}-", unit.prefix);
        let key = id.as_str().strip_prefix(&start).unwrap_or(id.as_str()).to_owned();
        match unit.form {
            Form::Goal if !flat || unit.stories.is_empty() => {
                let record = self.goal(unit, id.clone(), &key);
                self.keep(record, &unit.path, None, unit.lines);
                self.stories(unit, &id, &key);
            }
            form => {
                let kind = if let Form::Single(kind) = form { kind } else { IntentKind::Change };
                let record = self.single(unit, id, &key, kind);
                self.keep(record, &unit.path, None, unit.lines);
            }
        }
    }

    fn stories(&mut self, unit: &Unit, goal: &IntentId, key: &str) {
        let ids = self.ids_of_stories(unit, goal);
        for (story, id) in unit.stories.iter().zip(ids) {
            let mut record = self.story(unit, story, id, key);
            record.parent = Some(goal.clone());
            self.keep(record, &unit.path, Some(&story.key), story.lines);
        }
        let of_stories = |path: &String| unit.stories.iter().any(|story| story.paths.contains(path));
        let paths: Vec<String> = unit.paths.iter().filter(|path| !of_stories(path)).cloned().collect();
        if !paths.is_empty() {
            let at = self.path(&unit.path);
            let id = self.known(&at, Some(SHARED)).unwrap_or_else(|| self.fresh(&format!("{goal}-{SHARED}")));
            let mut record =
                IntentRecord::new(id, crate::wording::name(&format!("Groundwork: {}", unit.name)));
            record.kind = Some(IntentKind::Chore);
            record.parent = Some(goal.clone());
            record.why = Some("The stories stand on it.".to_owned());
            record.requirements = served(unit, &unit.mentions, key);
            record.questions = self.questions(&unit.questions);
            record.proposed_scope = self.scope(&paths);
            self.keep(record, &unit.path, Some(SHARED), unit.lines);
        }
    }

    /// A story is known by its number and title, else by its title, else by its number.
    fn ids_of_stories(&mut self, unit: &Unit, goal: &IntentId) -> Vec<IntentId> {
        let at = self.path(&unit.path);
        let mut free: Vec<&IntentRecord> =
            self.existing.iter().filter(|record| self.is_of(record, &at)).collect();
        free.retain(|record| record.source.as_ref().is_some_and(|source| source.item.is_some()));
        let mut ids: Vec<Option<IntentId>> = vec![None; unit.stories.len()];
        let has_number = |record: &IntentRecord, story: &Story| {
            record.source.as_ref().and_then(|source| source.item.as_deref()) == Some(story.key.as_str())
        };
        let has_title = |record: &IntentRecord, story: &Story| is_seen(record, "name", &story.name);
        let rules: [&Fits<'_>; 3] =
            [&|record, story| has_number(record, story) && has_title(record, story), &has_title, &has_number];
        for rule in rules {
            for (story, id) in unit.stories.iter().zip(&mut ids).filter(|(_, id)| id.is_none()) {
                let Some(found) = free.iter().position(|record| rule(record, story)) else { continue };
                *id = Some(free.remove(found).id.clone());
            }
        }
        let fresh = |(story, id): (&Story, Option<IntentId>)| {
            id.unwrap_or_else(|| self.fresh(&format!("{goal}-{}", story.key)))
        };
        unit.stories.iter().zip(ids).map(fresh).collect()
    }

    fn goal(&self, unit: &Unit, id: IntentId, key: &str) -> IntentRecord {
        let mut record = IntentRecord::new(id, unit.name.clone());
        record.kind = Some(IntentKind::Goal);
        record.parent = self.rules.clone();
        record.why.clone_from(&unit.why);
        record.requirements = unit.requirements.iter().map(|one| self.said(one, key)).collect();
        record.constraints = self.limits(unit);
        record.criteria = unit.criteria.iter().map(|one| criterion(one, key)).collect();
        record.assumptions.clone_from(&unit.assumptions);
        record.questions = self.questions(&unit.questions);
        record
    }

    fn story(&self, unit: &Unit, story: &Story, id: IntentId, key: &str) -> IntentRecord {
        let mut record = IntentRecord::new(id, story.name.clone());
        record.kind = Some(IntentKind::Change);
        record.priority.clone_from(&story.priority);
        record.why.clone_from(&story.why);
        record.requirements = served(unit, &story.mentions, key);
        record.criteria = story.criteria.iter().map(|one| criterion(one, key)).collect();
        record.questions = self.questions(&story.questions);
        record.questions.extend(self.questions(&open_for(unit, story)));
        record.proposed_scope = self.scope(&story.paths);
        record
    }

    /// A unit as one intent, its stories with it.
    fn single(&self, unit: &Unit, id: IntentId, key: &str, kind: IntentKind) -> IntentRecord {
        let mut record = self.goal(unit, id, key);
        record.kind = Some(kind);
        let mut paths = unit.paths.clone();
        for story in &unit.stories {
            record.criteria.extend(story.criteria.iter().map(|one| criterion(one, key)));
            record.questions.extend(self.questions(&story.questions));
            story.paths.iter().for_each(|path| crate::paths::keep(&mut paths, path.clone()));
        }
        record.proposed_scope = self.scope(&paths);
        record
    }

    fn said(&self, requirement: &Requirement, key: &str) -> WrittenRequirement {
        WrittenRequirement {
            id: qualified(requirement, key),
            text: Some(requirement.text.clone()),
            strength: requirement.strength,
            source: Some(format!("{}:{}", self.path(&requirement.path), requirement.line)),
            vanished: false,
        }
    }

    fn limits(&self, unit: &Unit) -> Vec<WrittenLine> {
        let mut limits: Vec<WrittenLine> = Vec::new();
        for limit in &unit.limits {
            if !limits.iter().any(|other| other.text.as_deref() == Some(limit.text.as_str())) {
                limits.push(WrittenLine {
                    text: Some(limit.text.clone()),
                    because: Some(self.path(&limit.from)),
                    ..WrittenLine::default()
                });
            }
        }
        limits
    }

    fn questions(&self, questions: &[Question]) -> Vec<String> {
        let said = |one: &Question| format!("{} ({}:{})", one.text, self.path(&one.path), one.line);
        questions.iter().map(said).collect()
    }

    fn scope(&self, paths: &[String]) -> Vec<String> {
        let below = |path: &String| match path.starts_with(&self.place.paths) {
            true => path.clone(),
            false => format!("{}{path}", self.place.paths),
        };
        paths.iter().map(below).collect()
    }

    fn path(&self, path: &str) -> String {
        format!("{}{path}", self.place.specs)
    }

    fn is_of(&self, record: &IntentRecord, path: &str) -> bool {
        record.source.as_ref().is_some_and(|source| source.tool == self.tool && source.path == path)
    }

    /// The id that an earlier import gave.
    fn known(&self, path: &str, item: Option<&str>) -> Option<IntentId> {
        let is_it = |record: &&IntentRecord| {
            self.is_of(record, path)
                && record.source.as_ref().is_some_and(|source| source.item.as_deref() == item)
        };
        self.existing.iter().find(is_it).map(|record| record.id.clone())
    }

    /// An id that nobody has yet.
    fn fresh(&mut self, wanted: &str) -> IntentId {
        let short = |text: &str| text.chars().take(58).collect::<String>();
        let wanted = short(wanted);
        let numbered = (2..).map(|number: u32| format!("{wanted}-{number}"));
        let mut names = std::iter::once(wanted.clone()).chain(numbered);
        let free = names.find_map(|name| {
            let id = IntentId::new(&name).ok()?;
            (!self.taken.contains(&name)).then_some(id)
        });
        let id = free.or_else(|| IntentId::new("SPEC").ok());
        // Letters, digits and hyphens are an id, so there is one.
        let id = id.unwrap_or_else(|| unnamed(&self.taken));
        self.taken.insert(id.as_str().to_owned());
        id
    }

    fn keep(&mut self, mut record: IntentRecord, path: &str, item: Option<&str>, lines: (usize, usize)) {
        tidy(&mut record, item.unwrap_or(path));
        if !record.questions.is_empty() {
            record.status = IntentStatus::Blocked;
        }
        let things = things(&record);
        let all: String = things.iter().map(|(field, text)| format!("{field}\0{text}\0")).collect();
        let mut seen: Vec<String> = things.iter().map(|(field, text)| mark(field, text)).collect();
        seen.sort_unstable();
        seen.dedup();
        record.source = Some(SourceRecord {
            tool: self.tool.to_owned(),
            path: self.path(path),
            item: item.map(str::to_owned),
            lines: Some(format!("{}-{}", lines.0, lines.1)).filter(|_| lines.0 > 0),
            sha256: Some(ContentHash::of(all.as_bytes()).digits().to_owned()),
            seen,
            vanished: false,
        });
        self.made.push(record);
    }
}

/// Nothing blank and nothing twice; a name in any case.
fn tidy(record: &mut IntentRecord, fallback: &str) {
    fn once(texts: &mut Vec<String>) {
        let mut kept: Vec<String> = Vec::with_capacity(texts.len());
        for text in texts.drain(..).filter(|text| !text.trim().is_empty()) {
            if !kept.contains(&text) {
                kept.push(text);
            }
        }
        *texts = kept;
    }
    let says = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    if record.name.trim().is_empty() {
        record.name = fallback.to_owned();
    }
    record.why = record.why.take().filter(|why| !why.trim().is_empty());
    record.constraints.retain(|line| says(&line.text));
    record.criteria.retain(|line| says(&line.text));
    record
        .requirements
        .iter_mut()
        .for_each(|one| one.text = one.text.take().filter(|text| !text.trim().is_empty()));
    once(&mut record.assumptions);
    once(&mut record.questions);
    once(&mut record.proposed_scope);
}

/// What is open in the unit and holds a story up: what is in its requirements, and what is in nobody's.
fn open_for(unit: &Unit, story: &Story) -> Vec<Question> {
    let names = |story: &Story, question: &Question| {
        question.of.as_ref().is_some_and(|local| story.mentions.contains(local))
    };
    let holds = |question: &&Question| {
        names(story, question) || !unit.stories.iter().any(|other| names(other, question))
    };
    unit.questions.iter().filter(holds).cloned().collect()
}

/// The requirements that work names, by id alone: what they say stands in the goal.
fn served(unit: &Unit, mentions: &[String], key: &str) -> Vec<WrittenRequirement> {
    let named = unit.requirements.iter().filter(|one| mentions.contains(&one.local));
    named.map(|one| WrittenRequirement { id: qualified(one, key), ..WrittenRequirement::default() }).collect()
}

/// The id of a requirement that is unique in the repository.
fn qualified(requirement: &Requirement, key: &str) -> String {
    format!("REQ-{}-{}", requirement.of.as_deref().unwrap_or(key), requirement.local)
}

fn criterion(criterion: &Criterion, key: &str) -> WrittenLine {
    let id = criterion.of.as_ref().map(|(of, local)| format!("REQ-{}-{local}", of.as_deref().unwrap_or(key)));
    WrittenLine { id, text: Some(criterion.text.clone()), ..WrittenLine::default() }
}

/// The number that a folder begins with, where no other has it; else the name of the folder.
fn short_key(unit: &Unit, all: &[Unit]) -> String {
    let number = |slug: &str| {
        let end = slug.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(slug.len());
        let number = slug.get(..end).unwrap_or_default().trim_end_matches('-').to_owned();
        Some(number).filter(|number| number.len() >= 2 && end < slug.len())
    };
    let own = number(&unit.slug);
    let others = all.iter().filter(|other| other.path != unit.path && number(&other.slug) == own).count();
    own.filter(|_| others == 0).unwrap_or_else(|| slug::key(&unit.slug))
}

fn unnamed(taken: &BTreeSet<String>) -> IntentId {
    let mut names =
        (taken.len()..).map(|number| format!("SPEC-{number}")).filter(|name| !taken.contains(name));
    let name = names.next().unwrap_or_default();
    match IntentId::new(&name) {
        Ok(id) => id,
        Err(_) => unnamed(taken),
    }
}

/// All that was imported of an intent, each with the field that it is in.
pub(crate) fn things(record: &IntentRecord) -> Vec<(&str, &str)> {
    let mut things = vec![("name", record.name.as_str())];
    things.extend(record.parent.as_ref().map(|parent| ("parent", parent.as_str())));
    things.extend(record.priority.as_deref().map(|text| ("priority", text)));
    things.extend(record.why.as_deref().map(|text| ("why", text)));
    for requirement in &record.requirements {
        things.push((requirement.id.as_str(), requirement.text.as_deref().unwrap_or_default()));
    }
    things.extend(record.proposed_scope.iter().map(|path| ("path", path.as_str())));
    things.extend(record.constraints.iter().filter_map(|line| Some(("limit", line.text.as_deref()?))));
    things.extend(record.criteria.iter().filter_map(|line| Some(("criterion", line.text.as_deref()?))));
    things.extend(record.assumptions.iter().map(|text| ("assumption", text.as_str())));
    things.extend(record.questions.iter().map(|text| ("question", text.as_str())));
    things
}

/// A short hash of one imported thing.
pub(crate) fn mark(field: &str, text: &str) -> String {
    let hash = ContentHash::of(format!("{field}\0{text}").as_bytes());
    hash.digits().chars().take(8).collect()
}

/// Whether the last import brought exactly this.
pub(crate) fn is_seen(record: &IntentRecord, field: &str, text: &str) -> bool {
    let mark = mark(field, text);
    record.source.as_ref().is_some_and(|source| source.seen.contains(&mark))
}
