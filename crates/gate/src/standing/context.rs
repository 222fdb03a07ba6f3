//! `<intent_context>`: what a selection tells the agent.
//!
//! Names, constraints and history are data that other people wrote: they are escaped, bounded, and never
//! instructions. History comes from structured fields only, never from raw tool output.

use std::fmt::Write as _;

use bailiwick_domain::{Constraint, Intent, Lesson, Settings, TraceEntry};
use bailiwick_policy::lessons::{lesson_text, relevant};

use crate::presentation::counted::counted;

const OPEN: &str = "<intent_context>";
const CLOSE: &str = "</intent_context>";

/// How many history entries are asked for.
pub const HISTORY: usize = 10;

/// So many lessons are told.
const LESSONS: usize = 5;

/// The section that a person has to ask for, since it costs a look at what failed before.
const OF_LESSONS: &str = "lessons";

/// Whether the context tells of lessons.
pub fn has_lessons(settings: &Settings) -> bool {
    settings.context_include.iter().any(|name| name == OF_LESSONS)
}

/// The context of one intent, never longer than the settings' cap in bytes.
pub fn render(intent: &Intent, history: &[TraceEntry], lessons: &[Lesson], settings: &Settings) -> String {
    let mut sections = vec![scope(intent), constraints(intent)];
    sections.extend(settings.context_include.iter().filter_map(|name| extra(intent, lessons, name)));
    let mut out = String::from(OPEN);
    let room = settings.context_max_bytes.saturating_sub(CLOSE.len() + 1);
    let mut cut = false;
    for line in sections.iter().flat_map(|section| section.iter()).chain(&history_lines(history)) {
        if out.len() + line.len() + 1 > room.saturating_sub(NOTE.len()) {
            cut = true;
            continue;
        }
        out.push('\n');
        out.push_str(line);
    }
    if cut {
        out.push_str(NOTE);
    }
    out.push('\n');
    out.push_str(CLOSE);
    out
}

const NOTE: &str = "\n<cut>more than fits here</cut>";

fn scope(intent: &Intent) -> Vec<String> {
    let patterns = intent.owned_scope().patterns().iter();
    patterns
        .map(|pattern| {
            format!("<owned_scope intent=\"{}\">{}</owned_scope>", intent.id(), escape(pattern.as_str()))
        })
        .collect()
}

fn constraints(intent: &Intent) -> Vec<String> {
    intent
        .constraints()
        .iter()
        .map(|constraint| format!("<constraint>{}</constraint>", escape(&said(constraint))))
        .collect()
}

fn said(constraint: &Constraint) -> String {
    match constraint {
        Constraint::Text(text) => text.clone(),
        Constraint::ForbidPaths(patterns) => {
            let list: Vec<&str> = patterns.iter().map(bailiwick_domain::ScopePattern::as_str).collect();
            format!("no change to {}", list.join(", "))
        }
        Constraint::ForbidTools(tools) => format!("no use of {}", tools.join(", ")),
        Constraint::MaxFiles(limit) => format!("at most {} changed", counted(*limit, "file", "files")),
        Constraint::MaxLines(limit) => format!("at most {} changed", counted(*limit, "line", "lines")),
    }
}

fn extra(intent: &Intent, lessons: &[Lesson], name: &str) -> Option<Vec<String>> {
    match name {
        "acceptance" => Some(
            intent
                .acceptance_criteria()
                .iter()
                .map(|criterion| format!("<acceptance>{}</acceptance>", escape(&criterion.0)))
                .collect(),
        ),
        "requirements" => Some(
            intent
                .requirements()
                .iter()
                .map(|id| format!("<requirement>{}</requirement>", escape(wording(intent, id))))
                .collect(),
        ),
        OF_LESSONS => Some(relevant(lessons, intent, LESSONS).into_iter().map(lesson_line).collect()),
        _ => None,
    }
}

fn lesson_line(lesson: &Lesson) -> String {
    let open = if lesson.closed.is_none() { " open=\"true\"" } else { "" };
    let said = escape(&lesson_text(lesson));
    format!("<lesson id=\"{}\" intent=\"{}\"{open}>{said}</lesson>", lesson.id(), lesson.intent)
}

/// A requirement with what it says, or its id alone.
fn wording<'i>(intent: &'i Intent, id: &'i str) -> &'i str {
    let says = |said: &&String| said.strip_prefix(id).is_some_and(|rest| rest.starts_with(": "));
    intent.wording().iter().find(says).map_or(id, String::as_str)
}

fn history_lines(history: &[TraceEntry]) -> Vec<String> {
    history
        .iter()
        .take(HISTORY)
        .map(|entry| {
            let paths: Vec<&str> = entry.files.iter().map(|file| file.path.as_str()).collect();
            format!(
                "<change at=\"{}\" tool=\"{}\">{}</change>",
                entry.timestamp,
                escape(&entry.context.tool),
                escape(&paths.join(", "))
            )
        })
        .collect()
}

/// Escapes for XML text and attributes; control characters become visible.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
