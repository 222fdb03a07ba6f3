//! A scope that fits the first time: what a goal is likely to change, shown with the reasons to a person, who takes it,
//! changes it or leaves it. Nothing is written here.

use std::process::ExitCode;

use bailiwick_adapters_fs::{added_scope_text, read_added_scope};
use bailiwick_domain::{OwnedScope, Value, json};
use bailiwick_policy::suggest::{Pattern, Why};

use super::super::{CommandError, Context};
use crate::command::answers::draft;
use crate::command::likely;
use crate::command::output::terminal::{DIM, HEADING, WARN};
use crate::counted::counted;
use crate::inert;
use crate::site::Site;

/// So many reasons are told for each pattern, and so many files of it that run later.
const MOST_REASONS: usize = 2;
const MOST_RUNNING: usize = 3;

/// What became of a suggestion.
pub(super) enum Offer {
    /// A person took these patterns.
    Taken(Vec<String>),
    /// Nothing is created, and the command ends so.
    Left(ExitCode),
}

/// Suggests a scope of at most so many ranked files for the goal. At a terminal a person takes, changes or leaves it; else it is only printed.
pub(super) fn offer(site: &Site, goal: &str, most: usize, context: &Context) -> Result<Offer, CommandError> {
    let found = likely::for_goal(site, goal, most)?;
    if context.json {
        let all: Vec<Value> = found.iter().map(as_json).collect();
        context.terminal.json(&json!({ "created": null, "suggested_scope": all }));
        return Ok(Offer::Left(ExitCode::from(2)));
    }
    if found.is_empty() {
        let why = "an intent needs a scope, and no file fits the words of this goal: add --scope PATTERN";
        return Err(CommandError::Usage(why.to_owned()));
    }
    say(&found, context);
    let written: Vec<String> = found.into_iter().map(|one| one.pattern).collect();
    if !context.terminal.has_person() {
        context.terminal.problem("an intent needs a scope; nothing is created");
        context.terminal.hint(&format!("to take this one: {}", typed(goal, &written)));
        return Ok(Offer::Left(ExitCode::from(2)));
    }
    let answers = ["take it", "change it in an editor", "leave it: nothing is created"].map(str::to_owned);
    match context.terminal.choose("Is this its scope?", &answers, 2) {
        Some(0) => Ok(Offer::Taken(written)),
        Some(1) => changed(&written),
        _ => Ok(Offer::Left(ExitCode::from(1))),
    }
}

fn changed(written: &[String]) -> Result<Offer, CommandError> {
    let usage = |why: String| CommandError::Usage(why);
    let scope =
        OwnedScope::parse(written.iter().map(String::as_str)).map_err(|error| usage(error.to_string()))?;
    let text = draft::in_editor(&added_scope_text(&scope), &mut || ())?;
    if text.trim().is_empty() {
        return Ok(Offer::Left(ExitCode::from(1)));
    }
    let scope = read_added_scope(&text).map_err(|error| usage(error.to_string()))?;
    Ok(Offer::Taken(scope.patterns().iter().map(|pattern| pattern.as_str().to_owned()).collect()))
}

fn say(found: &[Pattern], context: &Context) {
    let terminal = &context.terminal;
    terminal.styled(HEADING, "A scope for this goal:");
    for one in found {
        let files = if one.pattern.ends_with('/') {
            format!(" ({})", counted(one.files, "file", "files"))
        } else {
            String::new()
        };
        let why: Vec<String> = told(&one.why).iter().map(|why| inert::line(&why.says())).collect();
        terminal.say(format_args!("  {}{files}  {DIM}{}{DIM:#}", inert::line(&one.pattern), why.join("; ")));
        for (path, says) in one.runs.iter().take(MOST_RUNNING) {
            terminal
                .say(format_args!("    {WARN}runs later{WARN:#}: {} ({says})", inert::line(path.as_str())));
        }
    }
}

/// The reasons that are told: the strongest, and of those about the file itself one at least, since two files that are
/// there because of each other explain nothing.
fn told(why: &[Why]) -> Vec<&Why> {
    let mut told: Vec<&Why> = why.iter().take(MOST_REASONS).collect();
    if let Some(own) = why.iter().find(|why| why.is_own()).filter(|own| !told.contains(own)) {
        told.truncate(MOST_REASONS - 1);
        told.insert(0, own);
    }
    told
}

fn as_json(one: &Pattern) -> Value {
    let runs = one.runs.iter().map(|(path, says)| json!({ "path": path, "says": says }));
    json!({
        "pattern": one.pattern,
        "files": one.files,
        "why": one.why.iter().map(|why| why.says()).collect::<Vec<_>>(),
        "runs_later": runs.collect::<Vec<_>>(),
    })
}

/// The line that takes the suggestion.
fn typed(goal: &str, written: &[String]) -> String {
    let quoted = |text: &str| format!("'{}'", inert::line(text).replace('\'', r"'\''"));
    let scopes: Vec<String> = written.iter().map(|pattern| format!("--scope {}", quoted(pattern))).collect();
    format!("bailiwick intent new {} {}", quoted(goal), scopes.join(" "))
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;
    use bailiwick_policy::suggest::Why;

    use super::told;

    #[test]
    fn a_reason_of_the_file_itself_is_always_told() {
        let like = Why::TestOf(sample::path("tests/test_retry.py"));
        let by = Why::ImportedBy(sample::path("src/mail.py"));
        let text = Why::InText(vec!["retry".to_owned()]);
        let all = [like.clone(), by.clone(), text.clone()];
        assert_eq!(told(&all), [&text, &like]);
        assert_eq!(told(&[like.clone(), by.clone()]), [&like, &by]);
        assert_eq!(told(&[text.clone(), like.clone()]), [&text, &like]);
    }
}
