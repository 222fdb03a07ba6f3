//! What another import changes: what the specs say now goes into what the intents file says, and nothing that a person
//! wrote is lost.
//!
//! The file keeps a short hash of each thing that the last import brought. What has such a hash, nobody touched. What the
//! specs say and has one, is not new. So three texts are compared while only two are kept.

use bailiwick_domain::{IntentId, IntentRecord, IntentStatus, WrittenLine, WrittenRequirement};

use crate::records::is_seen;

/// One thing that an import changes, or leaves as a person wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The intent.
    pub intent: IntentId,
    /// What happens, in one word: `new`, `changed`, `added`, `kept`, `gone`, `vanished`, `archived`, `back`.
    pub what: &'static str,
    /// The field, or the id of the requirement.
    pub field: String,
    /// What the file said.
    pub was: Option<String>,
    /// What the specs say.
    pub now: Option<String>,
}

/// What an import does to the intents file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Intents that are new, in their order.
    pub new: Vec<IntentRecord>,
    /// Intents that are written otherwise, with how they were.
    pub changed: Vec<(IntentRecord, IntentRecord)>,
    /// What happens, for a person.
    pub changes: Vec<Change>,
}

/// What the intents of the specs change in those of the file. `covers` says which files of specs were looked for: what
/// came from one of them and is not there any more has vanished.
pub fn merged(
    upstream: &[IntentRecord],
    existing: &[IntentRecord],
    tool: &str,
    covers: impl Fn(&str) -> bool,
) -> Merged {
    let mut merged = Merged::default();
    for record in upstream {
        let Some(was) = existing.iter().find(|other| other.id == record.id) else {
            merged.changes.push(told(&record.id, "new", "", None, Some(&record.name)));
            merged.new.push(record.clone());
            continue;
        };
        let mut step = Step { was, now: was.clone(), changes: Vec::new() };
        step.take(record);
        merged.changes.extend(step.changes);
        if step.now != *was {
            merged.changed.push((was.clone(), step.now));
        }
    }
    for was in existing.iter().filter(|was| !upstream.iter().any(|record| record.id == was.id)) {
        let lost = was
            .source
            .as_ref()
            .filter(|source| source.tool == tool && !source.vanished && covers(&source.path));
        if lost.is_some() {
            let mut now = was.clone();
            now.source.iter_mut().for_each(|source| source.vanished = true);
            merged.changes.push(told(&was.id, "vanished", "", Some(&was.name), None));
            merged.changed.push((was.clone(), now));
        }
    }
    merged
}

fn told(id: &IntentId, what: &'static str, field: &str, was: Option<&str>, now: Option<&str>) -> Change {
    Change {
        intent: id.clone(),
        what,
        field: field.to_owned(),
        was: was.map(str::to_owned),
        now: now.map(str::to_owned),
    }
}

/// One intent on its way from what the file says to what it will say.
struct Step<'a> {
    was: &'a IntentRecord,
    now: IntentRecord,
    changes: Vec<Change>,
}

impl Step<'_> {
    fn take(&mut self, upstream: &IntentRecord) {
        if let Some(name) = self.text("name", Some(&self.was.name), Some(&upstream.name)) {
            self.now.name = name;
        }
        if let Some(why) = self.text("why", self.was.why.as_deref(), upstream.why.as_deref()) {
            self.now.why = Some(why);
        }
        if let Some(priority) =
            self.text("priority", self.was.priority.as_deref(), upstream.priority.as_deref())
        {
            self.now.priority = Some(priority);
        }
        let parents =
            (self.was.parent.as_ref().map(IntentId::as_str), upstream.parent.as_ref().map(IntentId::as_str));
        if self.text("parent", parents.0, parents.1).is_some() {
            self.now.parent.clone_from(&upstream.parent);
        }
        self.requirements(&upstream.requirements);
        self.now.constraints = self.lines("limit", &self.was.constraints, &upstream.constraints);
        self.now.criteria = self.lines("criterion", &self.was.criteria, &upstream.criteria);
        self.now.assumptions = self.assumptions(upstream);
        self.scope(upstream);
        self.questions(upstream);
        self.source(upstream);
    }

    fn note(&mut self, what: &'static str, field: &str, was: Option<&str>, now: Option<&str>) {
        self.changes.push(told(&self.was.id, what, field, was, now));
    }

    /// The new text of a field, where the specs change it and nobody else did.
    fn text(&mut self, field: &str, was: Option<&str>, now: Option<&str>) -> Option<String> {
        let now = now?;
        if was == Some(now) || is_seen(self.was, field, now) {
            return None;
        }
        if was.is_some_and(|was| !is_seen(self.was, field, was)) {
            self.note("kept", field, was, Some(now));
            return None;
        }
        self.note(if was.is_some() { "changed" } else { "added" }, field, was, Some(now));
        Some(now.to_owned())
    }

    fn requirements(&mut self, upstream: &[WrittenRequirement]) {
        let mut all = self.now.requirements.clone();
        for requirement in &mut all {
            match upstream.iter().find(|other| other.id == requirement.id) {
                Some(other) => self.requirement(requirement, other),
                None if requirement.source.is_some() && !requirement.vanished => {
                    requirement.vanished = true;
                    let text = requirement.text.clone();
                    self.note("vanished", &requirement.id, text.as_deref(), None);
                }
                None if requirement.source.is_none() && is_seen(self.was, &requirement.id, "") => {
                    self.note("gone", "requirements", Some(&requirement.id), None);
                }
                None => {}
            }
        }
        for other in upstream {
            let text = other.text.as_deref().unwrap_or_default();
            let is_there = all.iter().any(|requirement| requirement.id == other.id);
            if !is_there && !is_seen(self.was, &other.id, text) {
                self.note("added", &other.id, None, Some(text).filter(|text| !text.is_empty()));
                all.push(other.clone());
            }
        }
        self.now.requirements = all;
    }

    fn requirement(&mut self, own: &mut WrittenRequirement, other: &WrittenRequirement) {
        if own.vanished {
            own.vanished = false;
            self.note("back", &own.id, None, other.text.as_deref());
        }
        if let Some(text) = self.text(&own.id, own.text.as_deref(), other.text.as_deref()) {
            own.text = Some(text);
            own.strength = other.strength;
        }
        if own.source.is_some() && other.source.is_some() {
            own.source.clone_from(&other.source);
        }
    }

    /// A list of texts: new ones take the place of those that are gone and that nobody touched, or come at the end.
    fn lines(
        &mut self,
        field: &'static str,
        own: &[WrittenLine],
        upstream: &[WrittenLine],
    ) -> Vec<WrittenLine> {
        let mut lines = own.to_vec();
        let has =
            |lines: &[WrittenLine], text: &str| lines.iter().any(|line| line.text.as_deref() == Some(text));
        let lost = |line: &WrittenLine| {
            let text = line.text.as_deref().unwrap_or_default();
            !text.is_empty() && !has(upstream, text) && is_seen(self.was, field, text)
        };
        let mut gone: Vec<usize> =
            lines.iter().enumerate().filter(|(_, line)| lost(line)).map(|(at, _)| at).collect();
        let mut notes = Vec::new();
        for line in upstream {
            let text = line.text.as_deref().unwrap_or_default();
            if has(own, text) || is_seen(self.was, field, text) {
                continue;
            }
            let fits =
                |at: &&usize| lines.get(**at).is_some_and(|old| old.checks.is_empty() && old.id == line.id);
            let place = gone.iter().find(fits).copied();
            match place.and_then(|at| Some((at, lines.get_mut(at)?))) {
                Some((at, old)) => {
                    notes.push(("changed", old.text.clone(), Some(text.to_owned())));
                    old.text = Some(text.to_owned());
                    old.because.clone_from(&line.because);
                    gone.retain(|other| *other != at);
                }
                None => {
                    notes.push(("added", None, Some(text.to_owned())));
                    lines.push(line.clone());
                }
            }
        }
        for at in gone {
            notes.push(("gone", lines.get(at).and_then(|line| line.text.clone()), None));
        }
        for (what, was, now) in notes {
            self.note(what, field, was.as_deref(), now.as_deref());
        }
        lines
    }

    fn assumptions(&mut self, upstream: &IntentRecord) -> Vec<String> {
        let line = |text: &String| WrittenLine { text: Some(text.clone()), ..WrittenLine::default() };
        let own: Vec<WrittenLine> = self.was.assumptions.iter().map(line).collect();
        let other: Vec<WrittenLine> = upstream.assumptions.iter().map(line).collect();
        self.lines("assumption", &own, &other).into_iter().filter_map(|line| line.text).collect()
    }

    /// Proposals follow the specs; what a person accepted or wrote stays.
    fn scope(&mut self, upstream: &IntentRecord) {
        let mut proposed = self.was.proposed_scope.clone();
        proposed.retain(|path| upstream.proposed_scope.contains(path) || !is_seen(self.was, "path", path));
        for path in &upstream.proposed_scope {
            let is_known = proposed.contains(path) || self.was.owned_scope.contains(path);
            if !is_known && !is_seen(self.was, "path", path) {
                self.note("added", "proposed_scope", None, Some(path));
                proposed.push(path.clone());
            }
        }
        for path in self.was.proposed_scope.iter().filter(|path| !proposed.contains(path)) {
            self.changes.push(told(&self.was.id, "gone", "proposed_scope", Some(path), None));
        }
        self.now.proposed_scope = proposed;
    }

    /// A question goes when the specs answer it. Work stops when a new one comes, and may begin when the last one is gone.
    fn questions(&mut self, upstream: &IntentRecord) {
        let mut open = self.was.questions.clone();
        open.retain(|text| upstream.questions.contains(text) || !is_seen(self.was, "question", text));
        let fresh = |text: &&String| !open.contains(text) && !is_seen(self.was, "question", text);
        let fresh: Vec<String> = upstream.questions.iter().filter(fresh).cloned().collect();
        let gone: Vec<&String> = self.was.questions.iter().filter(|text| !open.contains(text)).collect();
        for text in gone {
            self.changes.push(told(&self.was.id, "gone", "questions", Some(text), None));
        }
        for text in &fresh {
            self.changes.push(told(&self.was.id, "added", "questions", None, Some(text)));
        }
        let asks = !fresh.is_empty() && self.was.status.is_selectable();
        open.extend(fresh);
        let is_answered =
            open.is_empty() && !self.was.questions.is_empty() && self.was.status == IntentStatus::Blocked;
        let status = match (asks, is_answered) {
            (true, _) => IntentStatus::Blocked,
            (_, true) => IntentStatus::Pending,
            _ => self.was.status,
        };
        if status != self.was.status {
            self.note("changed", "status", Some(self.was.status.as_str()), Some(status.as_str()));
        }
        (self.now.questions, self.now.status) = (open, status);
    }

    fn source(&mut self, upstream: &IntentRecord) {
        if self.was.source.as_ref().is_some_and(|source| source.vanished) {
            self.note("back", "", None, Some(&upstream.name));
        }
        self.now.source.clone_from(&upstream.source);
    }
}
