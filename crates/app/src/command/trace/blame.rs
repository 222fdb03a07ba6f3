//! `bailiwick trace blame FILE`: which entry wrote each line of a file, under which intent (row 163).

use std::process::ExitCode;

use bailiwick_domain::{StoredEntry, Value, json};

use super::foreign::{self, Claimed, FromFile};
use super::source::{SourceFile, entries};
use crate::command::terminal::{DIM, GOOD, HEADING, WARN};
use crate::command::{CommandError, Context};
use crate::evidence::{Certainty, IndexedText, Written, written};
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A line without an intent was not written through the gate, or nothing proves that it was. `~` marks a line whose block
was changed since, or that stands elsewhere with other blanks; `?` one of several equal blocks.

With `--from`, lines that the ledger does not know show what the records of another program claim: its name stands in
place of the intent, and `?` marks a claim that no hash proves.

Examples:
  bailiwick trace blame src/auth/jwt.rs
  bailiwick trace blame src/auth/jwt.rs --lines 10,40
  bailiwick trace blame src/auth/jwt.rs --from .agent-trace/traces.jsonl
  bailiwick trace blame --porcelain src/auth/jwt.rs | cut -f3 | sort | uniq -c")]
pub(in crate::command) struct Args {
    /// The file
    file: String,
    /// Only these lines, as FIRST,LAST
    #[arg(long, short = 'L', value_name = "FIRST,LAST", value_parser = lines)]
    lines: Option<(usize, usize)>,
    #[command(flatten)]
    from: FromFile,
    /// One line of fields parted by tabs for each line: line, certainty, intent, requirements, session, time, entry,
    /// text
    #[arg(long)]
    porcelain: bool,
}

impl Args {
    /// Whether it reads a file that is named on the command line.
    pub(super) fn reads_a_file(&self) -> bool {
        self.from.is_given()
    }
}

fn lines(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once(',').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| *number > 0);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err("two line numbers such as 10,40".to_owned()),
    }
}

pub(super) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let source = SourceFile::named(&args.file, site, context)?;
    let entries = entries(site)?;
    let text = IndexedText::new(&source.text);
    let owners = written(&source.path, &text, &entries);
    let foreign = args.from.read(context)?;
    let claims =
        foreign.as_ref().map(|trace| foreign::claims(&source.path, &text, trace)).unwrap_or_default();
    let owners: Vec<Owned<'_>> = owners
        .into_iter()
        .enumerate()
        .map(|(line, owner)| match (owner, claims.get(line).copied().flatten()) {
            (Some(written), _) => Owned::Written(written),
            (None, Some(claimed)) => Owned::Claimed(claimed),
            (None, None) => Owned::Nobody,
        })
        .collect();
    let (first, last) = args.lines.unwrap_or((1, usize::MAX));
    if args.lines.is_some() && first > owners.len() {
        return Err(CommandError::Usage(format!("{} has {} lines", source.path, owners.len())));
    }
    let wanted = owners.iter().enumerate().filter(|(line, _)| (first..=last).contains(&(line + 1)));
    if context.json {
        let lines: Vec<Value> = wanted.map(|(line, owner)| as_json(line + 1, owner)).collect();
        context.terminal.json(&json!({ "file": source.path, "lines": lines }));
        return Ok(ExitCode::SUCCESS);
    }
    let width = owners.len().to_string().len();
    for (line, owner) in wanted {
        let code = String::from_utf8_lossy(text.line(line).unwrap_or_default());
        let code = inert::line(code.trim_end_matches(['\n', '\r']));
        if args.porcelain {
            context.terminal.say(porcelain(line + 1, owner, &code));
        } else {
            context.terminal.say(for_people(line + 1, width, owner, &code));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Who a line is from.
#[derive(Debug)]
enum Owned<'a> {
    Written(Written<'a>),
    Claimed(Claimed<'a>),
    Nobody,
}

fn as_json(line: usize, owner: &Owned<'_>) -> Value {
    let written = match owner {
        Owned::Written(written) => written,
        Owned::Claimed(claimed) => return json!({ "line": line, "entry": null, "claim": claimed.as_json() }),
        Owned::Nobody => return json!({ "line": line, "entry": null }),
    };
    let StoredEntry { entry, .. } = written.claim.stored;
    json!({
        "line": line,
        "certainty": written.certainty.as_str(),
        "entry": entry.id,
        "intent": entry.context.intent,
        "revision": entry.context.revision,
        "requirements": entry.context.requirements,
        "session": entry.context.actor.session,
        "timestamp": entry.timestamp,
    })
}

fn porcelain(line: usize, owner: &Owned<'_>, code: &str) -> String {
    let written = match owner {
        Owned::Written(written) => written,
        Owned::Claimed(claimed) => return format!("{line}\t{}\t{code}", claimed.porcelain()),
        Owned::Nobody => return format!("{line}\t-\t-\t-\t-\t-\t-\t{code}"),
    };
    let entry = &written.claim.stored.entry;
    let fields = [
        line.to_string(),
        written.certainty.as_str().to_owned(),
        entry.context.intent.to_string(),
        entry.context.requirements.join(","),
        entry.context.actor.session.clone(),
        entry.timestamp.to_string(),
        entry.id.clone(),
    ];
    let fields: Vec<String> = fields.iter().map(|field| inert::line(field)).collect();
    format!("{}\t{code}", fields.join("\t"))
}

/// `INT-001 REQ-7 3f9c2b7a 2026-11-22 ~ 12  code`.
fn for_people(line: usize, width: usize, owner: &Owned<'_>, code: &str) -> String {
    let written = match owner {
        Owned::Written(written) => written,
        Owned::Claimed(claimed) => {
            return format!("{} {DIM}{line:>width$}{DIM:#}  {code}", claimed.columns());
        }
        Owned::Nobody => {
            let columns = format!("{:<12} {:<10} {:<8} {:<10}", "-", "", "", "");
            return format!("{DIM}{columns}{DIM:#}   {DIM}{line:>width$}{DIM:#}  {code}");
        }
    };
    let (entry, context) = (&written.claim.stored.entry, &written.claim.stored.entry.context);
    let (style, mark) = mark(written.certainty);
    format!(
        "{HEADING}{:<12}{HEADING:#} {:<10} {DIM}{:<8} {:<10}{DIM:#} {style}{mark}{style:#} {DIM}{line:>width$}{DIM:#}  {code}",
        fit(context.intent.as_str(), 12),
        fit(&requirements(&context.requirements), 10),
        fit(&context.actor.session, 8),
        fit(&entry.timestamp.to_string(), 10),
    )
}

fn mark(certainty: Certainty) -> (anstyle::Style, char) {
    match certainty {
        certainty if certainty.is_proof() => (GOOD, ' '),
        Certainty::Ambiguous => (WARN, '?'),
        _ => (WARN, '~'),
    }
}

/// The first requirement, and how many more there are.
fn requirements(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first}+{}", rest.len()),
    }
}

/// At most so many characters of a text, inert.
fn fit(text: &str, width: usize) -> String {
    inert::line(text).chars().take(width).collect()
}
