//! `bailiwick trace why FILE:LINE`: from a line to its entry, its approval, its requirements, its intent and the
//! intent's parents.

use std::ops::ControlFlow;
use std::process::ExitCode;

use bailiwick_adapters_fs::{FsIntentRepo, SystemClock};
use bailiwick_domain::{
    ChangedFile, Clock, Intent, IntentId, IntentRepo, IntentSet, LedgerQuery, LedgerReader, StoredEntry,
    Value, json,
};

use crate::command::output::columns::{WIDTH, wrapped};
use crate::command::output::reading;
use crate::command::output::terminal::{DIM, HEADING, WARN};
use crate::command::trace::sources::claims::{Claimed, known_as, with_trust};
use crate::command::trace::sources::contents::Kept;
use crate::command::trace::sources::contradicted::{self, Contradictions};
use crate::command::trace::sources::departed::Departed;
use crate::command::trace::sources::source::{SourceFile, entries, reader};
use crate::command::trace::sources::turns::Turns;
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::evidence::{Certainty, Claim, IndexedText, Proof, Written, traced};
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  bailiwick trace why src/auth/jwt.rs:12\n  bailiwick trace why src/auth/jwt.rs"
)]
pub(in crate::command) struct Args {
    /// The line, as FILE:LINE; a file alone is about its newest entry
    #[arg(value_name = "FILE:LINE", value_parser = place)]
    place: (String, Option<usize>),
    #[command(flatten)]
    pub(crate) claimed: Claimed,
}

fn place(text: &str) -> Result<(String, Option<usize>), String> {
    let is_number = |line: &str| line.starts_with(|sign: char| sign == '-' || sign.is_ascii_digit());
    let parted = text.rsplit_once(':').filter(|(file, line)| !file.is_empty() && is_number(line));
    let Some((file, line)) = parted else { return Ok((text.to_owned(), None)) };
    let line = line.parse::<usize>().ok().filter(|line| *line > 0);
    line.map(|line| (file.to_owned(), Some(line)))
        .ok_or_else(|| "a file and a line such as src/main.rs:12".to_owned())
}

pub(crate) fn run(
    args: &Args,
    site: &Site,
    departed: &Departed,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    let (name, line) = &args.place;
    let source = SourceFile::named(name, site, context)?;
    let Some(line) = line else { return by_file(&source, site, departed, context) };
    let text = IndexedText::new(&source.text);
    let code = text.line(line - 1).ok_or_else(|| no_line(&source, text.len()))?;
    let code = inert::line(String::from_utf8_lossy(code).trim_end());
    let entries = entries(&reader(site, context), &source, &text, &LedgerQuery::default())?;
    let owners = traced(&source.path, &source.text, &text, &entries, &Kept::of(site));
    let mut owner = [owners.into_iter().nth(line - 1).flatten()];
    let contradictions = Contradictions::marked(&mut owner, site);
    let [owner] = owner;
    let place = format!("{}:{line}", source.path);
    let Some(owner) = owner else {
        let whole = newest(&source, site, context, |file| file.binary)?;
        if context.json {
            let whole = whole.map(|stored| stored.entry.id);
            let answer = json!({ "place": place, "text": code, "entry": null, "whole_file": whole });
            context.terminal.json(&departed.with(answer));
        } else {
            context.terminal.say(format_args!("{HEADING}{}{HEADING:#}  {}", inert::line(&place), code));
            context.terminal.say(
                "  no entry of the ledger wrote this line as it is: it was there before, written by hand,",
            );
            context.terminal.say("  or changed since by something that the gate did not see");
            if let Some(StoredEntry { entry, .. }) = whole {
                let id = inert::line(reading::id(&entry.id));
                let at = reading::local(entry.timestamp, SystemClock.now());
                context.terminal.styled(
                    WARN,
                    format_args!(
                        "  {id} changed this file at {at} without its lines: not text, or too large to compare"
                    ),
                );
            }
        }
        return Ok(ExitCode::from(1));
    };
    let by = contradictions.in_file(owner.claim.stored, &owner.claim.file.path);
    let turns = Turns::of(std::iter::once(&owner.claim.stored.entry), site)?;
    let intents = pollster::block_on(FsIntentRepo::new(site.layout.clone()).load()).unwrap_or_default();
    if context.json {
        let answer = as_json(&place, &code, &owner, &intents, &turns);
        context.terminal.json(&departed.with(contradicted::with(answer, by)));
    } else {
        context.terminal.say(format_args!("{HEADING}{}{HEADING:#}  {}", inert::line(&place), code));
        for (name, value) in facts(owner.claim.stored, Some(&owner), &intents, &turns) {
            fact_lines(name, &value).iter().for_each(|line| context.terminal.say(line));
        }
        if !owner.certainty.is_proof() {
            let said = by.map(|by| format!("contradicted: {}", inert::line(&by.said())));
            let said = said.unwrap_or_else(|| doubt(owner.certainty).to_owned());
            context.terminal.styled(WARN, format_args!("  {said}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn no_line(source: &SourceFile, lines: usize) -> CommandError {
    let path = inert::line(source.path.as_str());
    let next = match lines {
        0 => format!(": `bailiwick trace why {path}` asks about the file"),
        _ => String::new(),
    };
    CommandError::Usage(format!("{path} has {}{next}", counted(lines, "line", "lines")))
}

/// Answers about a file as a whole: the newest entry that changed it.
fn by_file(
    source: &SourceFile,
    site: &Site,
    departed: &Departed,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    let found = newest(source, site, context, |_| true)?;
    let path = source.path.as_str();
    if context.json {
        let entry = found.as_ref().map(crate::command::trace::record);
        context.terminal.json(&departed.with(json!({ "place": path, "text": null, "entry": entry })));
    } else {
        context.terminal.say(format_args!("{HEADING}{}{HEADING:#}", inert::line(path)));
        let Some(stored) = &found else {
            context.terminal.say("  no entry of the ledger changed this file");
            return Ok(ExitCode::from(1));
        };
        let turns = Turns::of(std::iter::once(&stored.entry), site)?;
        let intents = pollster::block_on(FsIntentRepo::new(site.layout.clone()).load()).unwrap_or_default();
        for (name, value) in facts(stored, None, &intents, &turns) {
            fact_lines(name, &value).iter().for_each(|line| context.terminal.say(line));
        }
        context
            .terminal
            .hint("this is the newest entry of the file: `bailiwick trace blame` has each line's own");
    }
    Ok(if found.is_some() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The newest entry that changed the file in such a way. Of one that knows its content alone no line is known to be, nor
/// not to be.
fn newest(
    source: &SourceFile,
    site: &Site,
    context: &Context,
    is_such: impl Fn(&ChangedFile) -> bool + Sync,
) -> Result<Option<StoredEntry>, CommandError> {
    let path = &source.path;
    let spelled = Value::from(path.as_str()).to_string();
    let query = LedgerQuery { containing: Some(spelled), ..LedgerQuery::default() };
    let mut found = None;
    let mut take = |stored: StoredEntry| {
        let is_meant = stored.entry.files.iter().any(|file| file.path == *path && is_such(file));
        found = is_meant.then_some(stored);
        if is_meant { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    reader(site, context).visit(&query, &mut take)?;
    Ok(found)
}

/// A fact in lines that read well side by side: its name, and its value below itself, with the value's own breaks.
fn fact_lines(name: &str, value: &str) -> Vec<String> {
    const INDENT: usize = 15;
    let value = inert::lines(value.trim_end()).into_iter().flat_map(|line| wrapped(&line, WIDTH - INDENT));
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    let lines = names.zip(value).map(|(name, line)| format!("  {DIM}{name:<12}{DIM:#} {line}"));
    lines.collect()
}

/// What is known of an entry, and of the block in it that a line is from.
fn facts(
    stored: &StoredEntry,
    block: Option<&Written<'_>>,
    intents: &IntentSet,
    turns: &Turns,
) -> Vec<(&'static str, String)> {
    let entry = &stored.entry;
    let context = &entry.context;
    let derived = if context.derived { " (derived from the intent's id)" } else { "" };
    let written = reading::when(entry.timestamp, SystemClock.now());
    let mut facts = vec![
        ("written", format!("{written}, by {}, with {}", reading::actor(&context.actor), context.tool)),
        ("entry", reading::id(&entry.id).to_owned()),
    ];
    if let Some(Claim { file, range, .. }) = block.map(|written| written.claim) {
        let lines = reading::lines(range.start_line, range.end_line);
        facts.extend([("as", format!("{}:{lines}", file.path)), ("", range.content_hash.to_string())]);
    }
    facts.extend([
        ("model", context.model.clone().unwrap_or_else(|| "not known".to_owned())),
        ("approved", crate::command::trace::entries::show::approval(context)),
        ("known as", known_as(stored)),
    ]);
    facts.extend(crate::command::trace::entries::show::meaning(entry, turns));
    facts.extend([
        ("requirement", format!("{}{derived}", context.requirements.join(", "))),
        ("intent", intent_line(&context.intent, intents)),
    ]);
    if let Some(now) = intents.get(&context.intent).filter(|now| *now.revision() != context.revision) {
        let (then, now) = (context.revision.short(), now.revision().short());
        facts.push(("", format!("written under revision {then}; the intent is now at {now}")));
    }
    facts.extend(parents(&context.intent, intents).into_iter().map(|parent| ("because of", named(parent))));
    facts
}

fn intent_line(id: &IntentId, intents: &IntentSet) -> String {
    intents.get(id).map_or_else(|| format!("{id}, which is no longer in the intents file"), named)
}

fn named(intent: &Intent) -> String {
    let why = intent.why().map(|why| format!(": {why}")).unwrap_or_default();
    format!("{} {} ({}){why}", intent.id(), intent.name(), intent.status())
}

/// The intents that are the reason for this one, the nearest first; a circle ends where it closes.
fn parents<'a>(id: &IntentId, intents: &'a IntentSet) -> Vec<&'a Intent> {
    let mut found: Vec<&Intent> = Vec::new();
    let mut next = intents.get(id).and_then(Intent::parent);
    while let Some(parent) = next.and_then(|id| intents.get(id)) {
        if parent.id() == id || found.iter().any(|known| known.id() == parent.id()) {
            break;
        }
        found.push(parent);
        next = parent.parent();
    }
    found
}

fn doubt(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Part => "the block was changed since; this line of it is still there",
        Certainty::Reformatted => "the block is here with different white space",
        Certainty::Ambiguous => "the same block is in several places; this one is the nearest",
        Certainty::Likely => {
            "likely, not proved: its history can be read in more than one way, or its entry is from an older version"
        }
        Certainty::FromElsewhere => "likely, not proved: the same lines were in another file first",
        Certainty::Contradicted | Certainty::InPlace | Certainty::Moved => "",
    }
}

fn as_json(place: &str, code: &str, owner: &Written<'_>, intents: &IntentSet, turns: &Turns) -> Value {
    let intent = &owner.claim.stored.entry.context.intent;
    let chain = |intent: &Intent| json!({"id": intent.id(), "name": intent.name(), "why": intent.why(), "status": intent.status()});
    let answer = json!({
        "place": place,
        "text": code,
        "certainty": owner.certainty.as_str(),
        "proof": Proof::from(owner.certainty).as_str(),
        "entry": crate::command::trace::record(owner.claim.stored),
        "turn": turns.as_json(std::iter::once(&owner.claim.stored.entry)).get(0),
        "intent": intents.get(intent).map(chain),
        "parents": parents(intent, intents).into_iter().map(chain).collect::<Vec<_>>(),
    });
    with_trust(answer, owner.claim.stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, value: &str) -> String {
        fact_lines(name, value).iter().map(|line| line.replace('\u{1b}', "␛") + "\n").collect()
    }

    #[test]
    fn a_fact_of_several_lines_keeps_its_breaks_and_stays_below_its_name() {
        let shown = shown("because of", "INT-001 Name (PENDING): one\n  two\rthree\n");
        let plain = anstream::adapter::strip_str(&shown.replace('␛', "\u{1b}")).to_string();
        assert_eq!(plain, format!("  because of   INT-001 Name (PENDING): one\n{:17}two\\u{{d}}three\n", ""));
    }

    #[test]
    fn a_long_fact_stands_below_itself_within_a_hundred_columns() {
        let value = "INT-001 Fix login timeout (IN_PROGRESS): users are thrown out of their session while they still \
                     type, and come back to an empty form";
        let shown = shown("because of", value);
        let plain = anstream::adapter::strip_str(&shown.replace('␛', "\u{1b}")).to_string();
        assert!(
            plain.lines().count() == 2 && plain.lines().all(|line| line.chars().count() <= 100),
            "{plain}"
        );
        insta::assert_snapshot!(format!("{shown}{plain}"));
    }
}
