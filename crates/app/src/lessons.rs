//! When a lesson is written, closed and taken out: private state says what is known, the file that agents read says it to
//! them. Whoever comes first writes; the others find it written.
//!
//! Deliberately absent: how a lesson stands in the file (`bailiwick_policy::lessons`) and how it is written there
//! (`bailiwick_gate::Lessons`).

pub(crate) mod of_agents;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use bailiwick_adapters_fs::{FsLedgerReader, FsLessons, FsWorkspaceWriter, KeptLesson, SystemClock};
use bailiwick_domain::{
    Clock, FileState, Intent, IntentId, LedgerQuery, LedgerReader, Lesson, Location, PortError, RepoPath,
    StoredEntry, Timestamp, TraceEntry,
};
use bailiwick_policy::lessons::{files_in, message_of, plain, put, take_out};
use pollster::block_on;

use crate::gate::{Gate, LessonError, Under};
use crate::redact::redact;
use crate::site::Site;

/// What the ledger calls the change of a lesson.
const TOOL: &str = "lesson";

/// Whether Bailiwick wrote a lesson there. A tool of an agent may have the same name.
pub(crate) fn is_lesson(entry: &TraceEntry) -> bool {
    entry.context.tool == TOOL && entry.context.actor.is_no_agent()
}

/// Whether a change is work under its intent. A lesson is none: it is written because of a check.
pub(crate) fn is_work(entry: &TraceEntry) -> bool {
    !is_lesson(entry)
}

/// A fix names so many files.
const MOST_FILES: usize = 3;

/// The longest command that is kept, in characters.
const LONGEST_COMMAND: usize = 200;

/// A command that failed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure<'f> {
    pub(crate) command: &'f str,
    pub(crate) intent: &'f Intent,
    pub(crate) output: &'f str,
    /// The person who ran it.
    pub(crate) by: Option<&'f str>,
    /// The turn of the agent whose command it was. Then the lesson waits until it comes back in another turn.
    pub(crate) turn: Option<Turn<'f>>,
}

/// A turn of an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'f> {
    pub(crate) id: &'f str,
    pub(crate) host: &'f str,
}

/// The lessons of a site.
#[derive(Debug)]
pub(crate) struct Lessons<'l> {
    site: &'l Site,
    gate: &'l Gate,
    store: FsLessons,
}

impl<'l> Lessons<'l> {
    pub(crate) fn new(site: &'l Site, gate: &'l Gate) -> Self {
        Self { site, gate, store: FsLessons::new(&site.layout) }
    }

    /// Keeps a failure. The file, where it was changed.
    pub(crate) fn failed(&self, failure: &Failure<'_>) -> Result<Option<RepoPath>, LessonError> {
        let lesson = Lesson {
            at: SystemClock.now(),
            intent: failure.intent.id().clone(),
            command: Some(kept_command(failure.command)),
            file: self.file_of(failure.output),
            message: message_of(&redact(failure.output)),
            cause: None,
            fix: None,
            fixed_in: Vec::new(),
            closed: None,
        };
        let under = under(failure.intent, failure.by);
        self.store.change(|all| {
            let turn = failure.turn.map(|turn| turn.id.to_owned());
            let host = failure.turn.map(|turn| turn.host.to_owned());
            let Some(kept) = all.iter_mut().find(|kept| kept.lesson.id() == lesson.id()) else {
                let waits = turn.is_some();
                let written = if waits { None } else { self.write(&under, &lesson, false)? };
                all.push(KeptLesson { lesson, written: !waits, turn, host });
                return Ok(written);
            };
            kept.host = host.or_else(|| kept.host.take());
            if kept.written && kept.lesson.closed.is_none() {
                return Ok(None);
            }
            // A failure that comes back after a fix waits like a new one.
            if turn.is_some() && kept.turn.as_ref().is_none_or(|seen| Some(seen) == turn.as_ref()) {
                kept.turn = turn;
                return Ok(None);
            }
            let again = Lesson { closed: None, fixed_in: Vec::new(), ..kept.lesson.clone() };
            // A line that a person took out stays out.
            let written = self.write(&under, &again, kept.written)?;
            (kept.lesson, kept.written, kept.turn) = (again, true, None);
            Ok(written)
        })
    }

    /// Closes the lessons of a command that passed. The file, where it was changed. With a `host` only lessons of failures
    /// that this host told of: others call a command that failed a success.
    pub(crate) fn passed(
        &self,
        command: &str,
        intent: &Intent,
        by: Option<&str>,
        host: Option<&str>,
    ) -> Result<Option<RepoPath>, LessonError> {
        if !self.store.may_have_any() {
            return Ok(None);
        }
        let command = kept_command(command);
        let is_meant = |kept: &&mut KeptLesson| {
            kept.lesson.command.as_ref() == Some(&command)
                && host.is_none_or(|host| kept.host.as_deref() == Some(host))
        };
        self.store.change(|all| {
            let mut changed = None;
            for kept in all.iter_mut().filter(is_meant) {
                if kept.lesson.closed.is_some() {
                    // It failed again, and was repaired before anybody heard of it.
                    kept.turn = None;
                    continue;
                }
                let fixed_in = self.changed_since(&kept.lesson.intent, kept.lesson.at)?;
                let closed = Lesson { closed: Some(SystemClock.now()), fixed_in, ..kept.lesson.clone() };
                changed = self.write(&under(intent, by), &closed, kept.written)?.or(changed);
                (kept.lesson, kept.written, kept.turn) = (closed, true, None);
            }
            Ok(changed)
        })
    }

    fn write(
        &self,
        under: &Under,
        lesson: &Lesson,
        only_there: bool,
    ) -> Result<Option<RepoPath>, LessonError> {
        let writer = FsWorkspaceWriter::new(&self.site.layout);
        block_on(self.gate.lessons().edit(under, &writer, &|content| put(content, lesson, only_there)))
    }

    /// The first file of the repository that an output names.
    fn file_of(&self, output: &str) -> Option<RepoPath> {
        let workspace = &self.gate.ports().tree.workspace;
        files_in(output).iter().find_map(|name| {
            let Location::Inside(found) = block_on(workspace.locate(name, None)) else { return None };
            let state = block_on(workspace.state(&found.path)).ok()?;
            matches!(state, FileState::Content(_)).then_some(found.path)
        })
    }

    /// The files that were changed under an intent since then, the newest first.
    fn changed_since(&self, intent: &IntentId, then: Timestamp) -> Result<Vec<RepoPath>, PortError> {
        let (mut files, mut seen) = (Vec::new(), BTreeSet::new());
        let mut take = |stored: StoredEntry| {
            let entry = &stored.entry;
            if entry.timestamp < then || files.len() >= MOST_FILES {
                return ControlFlow::Break(());
            }
            if entry.context.intent == *intent && is_work(entry) {
                files.extend(
                    entry.files.iter().map(|file| file.path.clone()).filter(|path| seen.insert(path.clone())),
                );
            }
            ControlFlow::Continue(())
        };
        let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
        FsLedgerReader::new(&self.site.layout).visit(&query, &mut take)?;
        files.truncate(MOST_FILES);
        Ok(files)
    }
}

#[cfg(feature = "cli")]
impl Lessons<'_> {
    /// All that this clone knows.
    pub(crate) fn all(&self) -> Result<Vec<KeptLesson>, PortError> {
        self.store.all()
    }

    /// Writes what a person learned.
    pub(crate) fn add(
        &self,
        lesson: Lesson,
        intent: &Intent,
        by: &str,
    ) -> Result<Option<RepoPath>, LessonError> {
        self.store.change(|all| {
            let written = self.write(&under(intent, Some(by)), &lesson, false)?;
            all.retain(|kept| kept.lesson.id() != lesson.id());
            all.push(KeptLesson { lesson, written: true, turn: None, host: None });
            Ok(written)
        })
    }

    /// Forgets lessons, in private state and in the file.
    pub(crate) fn prune(
        &self,
        ids: &[String],
        intent: &Intent,
        by: &str,
    ) -> Result<Option<RepoPath>, LessonError> {
        let writer = FsWorkspaceWriter::new(&self.site.layout);
        self.store.change(|all| {
            let under = under(intent, Some(by));
            let changed =
                block_on(self.gate.lessons().edit(&under, &writer, &|content| take_out(content, ids)))?;
            all.retain(|kept| !ids.contains(&kept.lesson.id()));
            Ok(changed)
        })
    }
}

fn under(intent: &Intent, by: Option<&str>) -> Under {
    Under {
        intent: intent.id().clone(),
        revision: intent.revision().clone(),
        requirements: intent.requirements().to_vec(),
        by: by.map(str::to_owned),
    }
}

/// A command as it is kept: one line, without secrets of known forms, bounded.
fn kept_command(command: &str) -> String {
    let line = redact(command).split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST_COMMAND { line } else { plain(&line, LONGEST_COMMAND) }
}
