//! What came of the day: each line with what the gate's own log says of it, the counts, and the bounds they must keep.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Yes;
use crate::e2e::staged::desk::Question;
use crate::e2e::staged::line::{Expected, What};
use crate::e2e::staged::session::Entry;
use crate::stage::product;
use crate::stage::world::World;

/// With grants, so many edits may lead to one question.
const EDITS_PER_QUESTION: usize = 10;
/// How a grant is called where a call names what let it through.
const GRANT: &str = "grant#";

/// The most that a person may have to do between installing and the first approved edit.
const MAX_FIRST_ACTIONS: usize = 5;

/// The whole day.
#[derive(Debug, Default)]
pub(crate) struct Diary {
    /// The person grants edits.
    grants: bool,
    entries: Vec<Entry>,
    /// The approvals that each call led to, by call id.
    approvals: BTreeMap<String, BTreeSet<String>>,
    /// The grants that let each call through, by call id.
    granted: BTreeMap<String, BTreeSet<String>>,
    questions: BTreeMap<String, Question>,
    /// What is wrong beside the entries.
    findings: Vec<String>,
    actions: Vec<&'static str>,
}

impl Diary {
    /// An empty one for a day on which the person says yes in this way.
    pub(crate) fn of(yes: Yes) -> Self {
        Self { grants: yes == Yes::Granted, ..Self::default() }
    }

    /// Adds the entries of a session.
    pub(crate) fn add(&mut self, entries: Vec<Entry>) {
        self.entries.extend(entries);
    }

    /// What `git status` showed between the sessions that is nobody's work.
    pub(crate) fn found_strays(&mut self, when: &str, strays: &[String]) {
        if !strays.is_empty() {
            self.findings.push(format!("after {when}: `git status` shows {}", strays.join(", ")));
        }
    }

    /// What the person answered, by approval id.
    pub(crate) fn asked(&mut self, questions: BTreeMap<String, Question>) {
        self.questions = questions;
    }

    /// The person did something before the first question came.
    pub(crate) fn acted(&mut self, what: &'static str) {
        self.actions.push(what);
    }

    /// Reads which call led to which approval from the gate's decision log.
    pub(crate) fn read_log(&mut self, world: &World) -> Result<()> {
        let text = world.gate_says(&["log", "--json", "-n", "1000000"])?;
        let folder = product::target_folder()?;
        std::fs::create_dir_all(&folder)?;
        let name = if self.grants { "day-with-grants.json" } else { "day.json" };
        std::fs::write(folder.join(name), &text)?;
        let log: Value = serde_json::from_str(&text)?;
        let records = log["decisions"].as_array().context("a log without decisions")?;
        if !self.grants && !records.iter().any(|record| record["note"] == "prompt by the host") {
            self.findings.push("the client injected no prompt: that chapter shows nothing".to_owned());
        }
        for record in records {
            let (Some(call), Some(approval)) = (record["call"].as_str(), record["approval"].as_str()) else {
                continue;
            };
            if !approval.starts_with(GRANT) {
                self.approvals.entry(call.to_owned()).or_default().insert(approval.to_owned());
            } else if record["action"] == "allow" {
                self.granted.entry(call.to_owned()).or_default().insert(approval.to_owned());
            }
        }
        Ok(())
    }

    /// Prints the day as a table.
    pub(crate) fn print(&self) {
        println!("a day with {}", if self.grants { "grants" } else { "a yes to each edit" });
        println!("\n{:<12} {:<18} {:>5} {:>6} {:>7}", "chapter", "what", "calls", "asked", "refused");
        let mut rows: BTreeMap<(usize, What), [usize; 3]> = BTreeMap::new();
        let mut chapters: Vec<&str> = Vec::new();
        for entry in &self.entries {
            if !chapters.contains(&entry.session) {
                chapters.push(entry.session);
            }
            let chapter = chapters.iter().position(|known| *known == entry.session).unwrap_or_default();
            let row = rows.entry((chapter, entry.line.what)).or_default();
            let counts = [1, self.times_asked(entry), usize::from(entry.refused().is_some())];
            for (sum, count) in row.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        for ((chapter, what), [calls, asked, refused]) in rows {
            let chapter = chapters.get(chapter).copied().unwrap_or_default();
            println!("{chapter:<12} {:<18} {calls:>5} {asked:>6} {refused:>7}", what.word());
        }
        println!("\nquestions: {}", self.by_kind());
        if self.grants {
            let (edits, asked, granted) = self.edits();
            println!("edits: {edits}, of which {asked} were asked about and {granted} went by a grant");
        }
        println!("human actions up to the first approved edit: {}", self.first_actions().join(", "));
    }

    /// Every bound, all findings at once.
    pub(crate) fn judge(&self) -> Result<()> {
        let mut findings = self.findings.clone();
        findings.extend(self.entries.iter().flat_map(|entry| self.wrong_with(entry)));
        findings.extend(self.double_questions());
        findings.extend(self.too_many_about_edits());
        let actions = self.first_actions().len();
        if actions > MAX_FIRST_ACTIONS {
            findings.push(format!("{actions} human actions up to the first approved edit"));
        }
        let count = findings.len();
        for finding in &findings {
            println!("BROKEN  {finding}");
        }
        ensure!(count == 0, "{count} bounds broken");
        println!("0 false blocks, 0 double questions, `git status` shows only work");
        Ok(())
    }

    fn times_asked(&self, entry: &Entry) -> usize {
        self.approvals.get(&entry.call).map_or(0, BTreeSet::len)
    }

    /// How many edits there were, how many questions came of them, and how many a grant let through.
    fn edits(&self) -> (usize, usize, usize) {
        let edits: Vec<&Entry> = self.entries.iter().filter(|entry| entry.line.what == What::Edit).collect();
        let asked = edits.iter().map(|entry| self.times_asked(entry)).sum();
        let granted = edits.iter().filter(|entry| self.granted.contains_key(&entry.call)).count();
        (edits.len(), asked, granted)
    }

    /// With grants: one question for ten edits at most, and every other edit by a grant.
    fn too_many_about_edits(&self) -> Option<String> {
        let (edits, asked, granted) = self.edits();
        let wrong = self.grants && (asked * EDITS_PER_QUESTION > edits || asked + granted != edits);
        wrong.then(|| format!("{edits} edits, {asked} questions about them, {granted} by a grant"))
    }

    fn wrong_with(&self, entry: &Entry) -> Vec<String> {
        let mut wrong: Vec<String> = entry.wrong().into_iter().collect();
        let asked = self.times_asked(entry);
        let wanted = usize::from(entry.line.expected == Expected::Asked);
        if asked != wanted && entry.line.expected != Expected::Passes {
            wrong.push(format!("{asked} questions, not {wanted}"));
        }
        if !entry.found.is_empty() {
            wrong.push(format!("`git status` shows {}", entry.found.join(", ")));
        }
        wrong.into_iter().map(|what| entry.describe(&what)).collect()
    }

    /// The same question about a call that the person had answered already: more questions than calls that ask them.
    fn double_questions(&self) -> Vec<String> {
        let mut calls: BTreeMap<(&str, &str, &str), (usize, BTreeSet<&str>)> = BTreeMap::new();
        for (call, approvals) in &self.approvals {
            for question in approvals.iter().filter_map(|id| self.questions.get(id)) {
                let key = (question.actor.as_str(), question.tool.as_str(), question.subject.as_str());
                let known = calls.entry(key).or_default();
                known.0 += 1;
                known.1.insert(call);
            }
        }
        let doubled = calls.into_iter().filter(|(_, (asked, calls))| *asked > calls.len());
        doubled.map(|((actor, tool, subject), _)| format!("asked twice: {actor} {tool} {subject}")).collect()
    }

    fn by_kind(&self) -> String {
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        for question in self.questions.values() {
            *kinds.entry(format!("{} ({})", question.tool, question.kind)).or_default() += 1;
        }
        let total = self.questions.len();
        let kinds: Vec<String> = kinds.into_iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        format!("{total}: {}", kinds.join(", "))
    }

    /// What the person did, with the yes to the intent and the yes to the first edit.
    fn first_actions(&self) -> Vec<&'static str> {
        let mut actions = self.actions.clone();
        for entry in &self.entries {
            actions.extend((0..self.times_asked(entry)).map(|_| "a yes"));
            if entry.line.what == What::Edit {
                break;
            }
        }
        actions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::e2e::client::outcome::Told;
    use crate::e2e::staged::line::{Line, edit, reader};

    fn entry(line: Line, call: &str, text: &str) -> Entry {
        let told = Told { call: call.to_owned(), text: text.to_owned(), failed: false };
        Entry { session: "test", call: call.to_owned(), line, told, found: Vec::new() }
    }

    fn diary(entries: Vec<Entry>, approvals: &[(&str, &str)]) -> Diary {
        let mut diary = Diary { entries, ..Diary::default() };
        for (call, approval) in approvals {
            diary.approvals.entry((*call).to_owned()).or_default().insert((*approval).to_owned());
            let question = Question {
                kind: "destructive".to_owned(),
                tool: "edit_file".to_owned(),
                actor: "a".to_owned(),
                subject: "s".to_owned(),
            };
            diary.questions.insert((*approval).to_owned(), question);
        }
        diary
    }

    #[test]
    fn a_day_in_which_each_edit_is_asked_about_once_is_good() {
        let entries = vec![entry(edit("a", "x", "y"), "1", "ok"), entry(reader("ls"), "2", "a")];
        diary(entries, &[("1", "ap-1")]).judge().unwrap();
    }

    #[test]
    fn a_refused_reader_is_a_false_block() {
        let refused = r#"PreToolUse:Bash hook error: {"code":"STATE_VIOLATION","reason":"r"}"#;
        diary(vec![entry(reader("ls"), "1", refused)], &[]).judge().unwrap_err();
    }

    #[test]
    fn an_edit_that_nobody_was_asked_about_is_a_finding() {
        diary(vec![entry(edit("a", "x", "y"), "1", "ok")], &[]).judge().unwrap_err();
    }

    #[test]
    fn a_second_question_about_one_call_is_a_finding() {
        let diary = diary(vec![entry(edit("a", "x", "y"), "1", "ok")], &[("1", "ap-1"), ("1", "ap-2")]);
        assert_eq!(diary.double_questions().len(), 1);
        diary.judge().unwrap_err();
    }

    #[test]
    fn a_path_in_git_status_that_is_nobodys_work_is_a_finding() {
        let mut stray = entry(reader("ls"), "1", "a");
        stray.found.push(".claude/settings.json".to_owned());
        diary(vec![stray], &[]).judge().unwrap_err();
    }

    #[test]
    fn with_grants_only_one_edit_in_ten_may_be_asked_about() {
        let entries = |count: usize| {
            let call = |n: usize| (n.to_string(), edit("a", "x", "y"));
            let passes = |line: Line| Line { expected: Expected::Passes, ..line };
            (0..count).map(call).map(|(id, line)| entry(passes(line), &id, "ok")).collect::<Vec<_>>()
        };
        let granted = |count: usize, asked: &[(&str, &str)]| {
            let mut diary = Diary { grants: true, ..diary(entries(count), asked) };
            let covered = (0..count).map(|n| n.to_string()).filter(|id| !diary.approvals.contains_key(id));
            diary.granted = covered.map(|id| (id, BTreeSet::from(["grant#1".to_owned()]))).collect();
            diary
        };
        granted(10, &[("0", "ap-1")]).judge().unwrap();
        granted(9, &[("0", "ap-1")]).judge().unwrap_err();
        let mut by_nobody = granted(10, &[("0", "ap-1")]);
        by_nobody.granted.remove("5");
        by_nobody.judge().unwrap_err();
    }

    #[test]
    fn the_way_to_the_first_edit_is_counted_in_yeses_too() {
        let mut diary = diary(vec![entry(edit("a", "x", "y"), "1", "ok")], &[("1", "ap-1")]);
        diary.acted("init");
        assert_eq!(diary.first_actions(), ["init", "a yes"]);
        ["a", "b", "c", "d"].into_iter().for_each(|what| diary.acted(what));
        diary.judge().unwrap_err();
    }
}
