//! What an import did, or would do: for a person, and as JSON.

use bailiwick_adapters_fs::Layout;
use bailiwick_adapters_specs::Change;
use bailiwick_domain::{IntentKind, IntentRecord, Value, json};

use super::Outcome;
use crate::command::Context;
use crate::command::answers::approval::coloured;
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::counted::counted;
use crate::gate::unified_diff;
use crate::inert;

/// The most of a change that is shown, in bytes.
const MAX_DIFF: usize = 400_000;

pub(super) fn tell(outcome: &Outcome, dry_run: bool, context: &Context) {
    let changes = outcome.made.after != outcome.made.before;
    if context.json {
        return context.terminal.json(&as_json(outcome, changes && !dry_run));
    }
    let terminal = &context.terminal;
    if outcome.is_guessed {
        terminal.say(format_args!("These are specs of {} ({}).", outcome.tool.name(), outcome.tool.place()));
    }
    terminal.say(figures(outcome));
    for change in &outcome.merged.changes {
        terminal.say(line(change, outcome));
    }
    for one in &outcome.left {
        let place = if one.line == 0 { one.path.clone() } else { format!("{}:{}", one.path, one.line) };
        terminal.say(format_args!(
            "{DIM}left out  {}: {}{DIM:#}",
            inert::line(&place),
            inert::line(&one.why)
        ));
    }
    for id in &outcome.made.by_hand {
        terminal.say(format_args!(
            "{BAD}by hand{BAD:#}   {id} is written in a way that cannot be changed safely; it stays as it is"
        ));
    }
    if dry_run {
        inert::lines(&diff(outcome)).into_iter().for_each(|line| terminal.say(coloured(line)));
        terminal.say("Nothing was written.");
    } else if changes {
        let (new, changed) = (outcome.merged.new.len(), outcome.merged.changed.len());
        terminal.styled(
            GOOD,
            format_args!(
                "{}: {} added, {changed} changed",
                Layout::INTENTS,
                counted(new, "intent", "intents")
            ),
        );
    } else {
        terminal.styled(GOOD, format_args!("{} says all of this already", Layout::INTENTS));
    }
    if let Some(record) = outcome.merged.new.iter().find(|record| !record.proposed_scope.is_empty()) {
        terminal.say("No agent can change anything under them. Look at a proposed scope and accept it:");
        terminal.say(format_args!("  bailiwick intent accept {}", record.id));
    }
}

fn figures(outcome: &Outcome) -> String {
    let specs = &outcome.specs;
    let mut parts = vec![
        counted(specs.units(), "feature", "features"),
        counted(specs.requirements(), "requirement", "requirements"),
        counted(specs.criteria(), "criterion", "criteria"),
    ];
    if specs.questions() > 0 {
        parts.push(counted(specs.questions(), "open question", "open questions"));
    }
    format!("{HEADING}{}{HEADING:#} in {}", parts.join(", "), counted(outcome.files, "file", "files"))
}

fn line(change: &Change, outcome: &Outcome) -> String {
    let style = match change.what {
        "new" | "added" | "back" => GOOD,
        "kept" | "vanished" | "archived" | "gone" => WARN,
        _ => HEADING,
    };
    let text = |text: &Option<String>| text.as_deref().map(inert::line).unwrap_or_default();
    let (id, field) = (&change.intent, inert::line(&change.field));
    let said = match change.what {
        "new" => {
            let record = outcome.merged.new.iter().find(|record| record.id == *id);
            let beside = record.map(|record| beside(record, outcome.finished.get(id).copied()));
            format!("{id}  {}{}", text(&change.now), beside.unwrap_or_default())
        }
        "changed" => format!("{id}  {field}: {} → {}", text(&change.was), text(&change.now)),
        "added" => format!("{id}  {field}: {}", text(&change.now)),
        "kept" => format!("{id}  {field}: yours stays; the specs say: {}", text(&change.now)),
        "gone" => format!("{id}  {field}: no longer in the specs: {}", text(&change.was)),
        "back" if field.is_empty() => format!("{id}  is in the specs again"),
        "back" => format!("{id}  {field} is in the specs again"),
        "archived" => format!("{id}  is archived; close it: bailiwick intent close {id}"),
        _ if field.is_empty() => format!("{id}  is no longer in the specs; it is marked, and stays"),
        _ => format!("{id}  {field} is no longer in the specs; it is marked, and stays"),
    };
    format!("{style}{:<9}{style:#} {said}", change.what)
}

/// What stands behind a new intent: what sort it is, what it proposes and asks, and whether its work is done.
fn beside(record: &IntentRecord, finished: Option<usize>) -> String {
    let mut parts = Vec::new();
    if record.kind == Some(IntentKind::Goal) {
        parts.push("goal".to_owned());
    }
    parts.extend(record.priority.iter().map(|priority| inert::line(priority)));
    if !record.proposed_scope.is_empty() {
        parts.push(format!("proposes {}", counted(record.proposed_scope.len(), "path", "paths")));
    }
    if !record.questions.is_empty() {
        parts.push(format!("BLOCKED by {}", counted(record.questions.len(), "question", "questions")));
    }
    parts.extend(finished.map(|tasks| format!("{tasks} of {tasks} tasks are ticked")));
    if parts.is_empty() { String::new() } else { format!("  {DIM}{}{DIM:#}", parts.join(", ")) }
}

fn diff(outcome: &Outcome) -> String {
    let (before, after) = (outcome.made.before.as_bytes(), outcome.made.after.as_bytes());
    unified_diff(Layout::INTENTS, Some(before), Some(after), MAX_DIFF)
}

fn as_json(outcome: &Outcome, written: bool) -> Value {
    let changes = outcome.merged.changes.iter().map(|change| {
        json!({
            "intent": change.intent,
            "what": change.what,
            "field": Some(&change.field).filter(|field| !field.is_empty()),
            "was": change.was,
            "now": change.now,
        })
    });
    let left = outcome.left.iter().map(|one| json!({ "path": one.path, "line": one.line, "why": one.why }));
    json!({
        "tool": outcome.tool.word(),
        "files": outcome.files,
        "features": outcome.specs.units(),
        "requirements": outcome.specs.requirements(),
        "criteria": outcome.specs.criteria(),
        "questions": outcome.specs.questions(),
        "changes": changes.collect::<Vec<_>>(),
        "left_out": left.collect::<Vec<_>>(),
        "by_hand": outcome.made.by_hand,
        "written": written,
        "diff": diff(outcome),
    })
}
