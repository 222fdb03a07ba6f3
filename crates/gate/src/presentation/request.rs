//! What a person sees of a call before it runs: a diff of what it will leave on disk, and what it says beside.
//!
//! Deliberately absent: why it is asked (`decide::question` of the policy), the rest of the request (`admission::request`), and
//! which lines come first (`review`).

use bailiwick_domain::{Params, RepoPath, Value};
use bailiwick_policy::patch::{HunkLine, ModeNote};
use bailiwick_policy::{Access, TargetFact, Targets};

use super::unified::unified_diff;
use crate::change::{after, edited, guessed, is_known};

/// The largest diff that a request carries, in bytes; the tail is kept as well as the head, so that neither
/// can hide the change.
const MAX_DIFF: usize = 200_000;

/// One file's part of what a human sees.
pub(crate) fn shown(
    targets: &Targets,
    target: &TargetFact,
    path: &RepoPath,
    before: Option<&[u8]>,
    source: Option<&[u8]>,
) -> String {
    let mode = targets.mode_of(&target.requested).filter(|_| target.access != Access::MoveFrom);
    let change = change(targets, target, path, before, source);
    match mode {
        Some(ModeNote { old: Some(old), new, .. }) => format!("mode {old} becomes {new}\n{change}"),
        Some(ModeNote { new, .. }) => format!("mode {new}\n{change}"),
        None => change,
    }
}

fn change(
    targets: &Targets,
    target: &TargetFact,
    path: &RepoPath,
    before: Option<&[u8]>,
    source: Option<&[u8]>,
) -> String {
    match target.access {
        Access::Delete => unified_diff(path.as_str(), before, None, MAX_DIFF),
        Access::MoveFrom => format!("move from {path}"),
        Access::MoveTo => arrival(targets, target, path, before, source),
        _ => match guessed(targets, target, before) {
            Some(Some(bytes)) => {
                let diff = unified_diff(path.as_str(), before, Some(&bytes), MAX_DIFF);
                let mut notes = notes(targets, target, before, &bytes);
                if before == Some(bytes.as_slice()) {
                    notes.push("This changes nothing: the file has this content already.");
                }
                with_notes(diff, &notes)
            }
            _ => unpredicted(targets, &target.requested, path),
        },
    }
}

/// What a host does beside what the call says, as sentences for a person.
fn notes(targets: &Targets, target: &TargetFact, before: Option<&[u8]>, after: &[u8]) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if target.access == Access::Anchored {
        notes.extend(edited(targets, target, before).map(|edited| edited.notes).unwrap_or_default());
    }
    if !is_known(targets, target, before, Some(after)) {
        notes.push(
            "Nobody has tested what this host's tool writes to this file: the result may differ from this diff, and no grant covers it.",
        );
    }
    notes
}

fn with_notes(mut diff: String, notes: &[&str]) -> String {
    for note in notes {
        if !diff.is_empty() && !diff.ends_with('\n') {
            diff.push('\n');
        }
        diff.push_str(note);
        diff.push('\n');
    }
    diff
}

/// Where something is moved or copied to: whether a file is replaced, and what changes on the way.
fn arrival(
    targets: &Targets,
    target: &TargetFact,
    path: &RepoPath,
    before: Option<&[u8]>,
    source: Option<&[u8]>,
) -> String {
    let replaced = if before.is_some() { ", replacing the file that is there" } else { "" };
    let head = format!("move to {path}{replaced}");
    match after(targets, target, source) {
        Some(Some(bytes)) if source.is_some_and(|source| source != bytes.as_slice()) => {
            format!("{head}\n{}", unified_diff(path.as_str(), source, Some(&bytes), MAX_DIFF))
        }
        _ => head,
    }
}

/// The parameters themselves, where no diff can be computed.
fn unpredicted(targets: &Targets, requested: &str, path: &RepoPath) -> String {
    let mut lines = vec![format!("change {path}; the result cannot be computed, the request says:")];
    for edit in &targets.edits {
        lines.extend(edit.old.lines().map(|line| format!("-{line}")));
        lines.extend(edit.new.lines().map(|line| format!("+{line}")));
    }
    if let Some(content) = &targets.content {
        lines.extend(content.lines().map(|line| format!("+{line}")));
    }
    for hunk in targets.quoted_hunks(requested) {
        lines.push(hunk.start.map_or_else(|| "@@".to_owned(), |start| format!("@@ -{start} @@")));
        lines.extend(hunk.context.iter().map(|line| format!("@@ {line}")));
        lines.extend(hunk.lines.iter().map(|line| match line {
            HunkLine::Context(text) => format!(" {text}"),
            HunkLine::Remove(text) => format!("-{text}"),
            HunkLine::Add(text) => format!("+{text}"),
        }));
    }
    lines.join("\n")
}

/// Whether some target's change is in none of the forms that are understood, so that only the parameters tell it.
pub(crate) fn is_silent(facts: &[TargetFact], targets: &Targets) -> bool {
    targets.edits.is_empty()
        && targets.content.is_none()
        && targets.patch.is_none()
        && facts
            .iter()
            .any(|target| matches!(target.access, Access::Anything | Access::Patch | Access::Overwrite))
}

/// All parameters in full, texts line by line, so that nothing is approved unseen.
pub(crate) fn said(params: &Params) -> String {
    let mut lines = Vec::new();
    for (key, value) in params {
        match value {
            Value::String(text) => {
                lines.push(format!("{key}:"));
                lines.extend(text.lines().map(|line| format!("+{line}")));
            }
            other => lines.push(format!("{key}: {other}")),
        }
    }
    lines.join("\n")
}

/// The parameters by these names as they came: what the diff does not tell of them.
pub(crate) fn named<'a>(params: &Params, names: impl Iterator<Item = &'a str>) -> String {
    // A name within a list is told by the list.
    let tops = names.map(|name| name.split('.').next().unwrap_or(name));
    let told: Params = tops.filter_map(|name| Some((name.to_owned(), params.get(name)?.clone()))).collect();
    format!("with {}", Value::Object(told))
}

/// What a call says beside its command and the folder, such as that it runs on in the background or without the host's
/// sandbox: approving the command alone does not approve that.
pub(crate) fn beside_command(params: &Params) -> String {
    const SHOWN: [&str; 10] = [
        "command",
        "commands",
        "command_line",
        "CommandLine",
        "cmd",
        "cwd",
        "Cwd",
        "workdir",
        "working_directory",
        "dir_path",
    ];
    let says = |value: &Value| !matches!(value, Value::Null | Value::Bool(false));
    let rest: Params = params
        .iter()
        .filter(|(key, value)| !SHOWN.contains(&key.as_str()) && says(value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if rest.is_empty() { String::new() } else { format!("\nwith {}", Value::Object(rest)) }
}
