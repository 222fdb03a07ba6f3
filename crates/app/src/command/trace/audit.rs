//! `bailiwick audit [RANGE]`: which agent, under which intent, or which person answers for each changed run of lines.
//!
//! It judges commits by the evidence at each of them. It fails only for commits that carry an agent's mark, because others
//! are their author's to answer for.

mod commits;
mod history;
mod judge;
mod removed;
mod signatures;
mod uncommitted;

use std::collections::BTreeSet;
use std::process::ExitCode;

use bailiwick_domain::{Value, json};

pub(super) use self::judge::{Judgement, Label, judged_staged};

use self::judge::Judged;
use crate::command::git::Git;
use crate::command::output::sarif;
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::command::trace::sources::claims::Claimed;
use crate::command::trace::sources::damage::tell_of_damage;
use crate::command::trace::sources::departed::Departed;
use crate::command::trace::sources::held::once;
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::inert;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each changed run of lines gets a label:
  traced        entries under an intent wrote it, within the intent's scope
  layout        only white space changed, and the syntax proves that it means nothing
  copied        entries wrote it into another file, and nothing moved it here
  out_of_scope  entries wrote it, and the intent does not own the file
  human         no entry wrote it, and nothing says that an agent made the commit
  unexplained   no entry wrote it, and the commit carries an agent's mark
  unknown       a shallow clone lacks the parent
  tampered      the commit changes or removes sealed entries; it fails, no matter who made it

A commit carries an agent's mark when it adds sealed entries and has work of theirs, has a trailer \
`Intent:`, `Agent:` or a `Co-authored-by:` that names an agent, or an author of --agent-author. Exit \
status 1 means that such a commit has a run that is unexplained, copied or out of scope, or that a commit \
changes sealed entries. Entries come from \
the segments that each commit has (`bailiwick trace seal`) and from this clone's own ledger.

Examples:
  bailiwick audit                      the last commit
  bailiwick audit origin/main..HEAD    a branch
  bailiwick audit --sarif origin/main..HEAD > audit.sarif")]
pub(in crate::command) struct Args {
    /// Commits, as git names a range; one name is that commit alone
    #[arg(default_value = "HEAD")]
    range: String,
    /// An author whose commits are an agent's: a part of `Name <address>`; repeatable
    #[arg(long, value_name = "TEXT")]
    agent_author: Vec<String>,
    /// Take only entries that you recorded, or that a key signed that you trust
    #[arg(long)]
    trusted: bool,
    /// Print SARIF 2.1.0, for code hosts
    #[arg(long)]
    sarif: bool,
}

pub(in crate::command) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    context.claims.take(Claimed { claimed: !args.trusted });
    let git = site.git.as_ref().map(|_| Git::new(site.layout.root()));
    let git = git.ok_or_else(|| CommandError::Usage("`audit` needs a git repository".to_owned()))?;
    let commits = commits::of_range(&git, &args.range)?;
    let is_shallow = git.is_shallow();
    let departed = Departed::look(&site);
    let judge = judge::Judge::new(&site, &git, &args.agent_author, once(&site, context)?.ledger);
    let mut judged = Vec::with_capacity(commits.len());
    for commit in commits {
        judged.push(judge.commit(commit)?);
    }
    if args.sarif {
        context.terminal.json(&as_sarif(&judged));
    } else if context.json {
        context.terminal.json(&departed.with(json!({
            "range": args.range,
            "shallow": is_shallow,
            "fails": judged.iter().filter(|one| one.fails()).count(),
            "commits": judged.iter().map(as_json).collect::<Vec<_>>(),
        })));
    } else {
        say(&judged, is_shallow, context);
        if judge.has_unsealed(&site, &unexplained(&judged))? {
            let root = site.layout.root().display();
            context.terminal.hint(&format!(
                "sealed entries travel with git: run `bailiwick trace seal` in {root} and commit"
            ));
        }
    }
    departed.tell(context);
    tell_of_damage(&site, context);
    let fails = judged.iter().any(Judgement::fails);
    Ok(if fails { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The files of agents' commits that no entry explains.
fn unexplained(judged: &[Judgement]) -> BTreeSet<&str> {
    let runs = judged.iter().filter(|one| one.fails()).flat_map(|one| &one.runs);
    runs.filter(|run| matches!(run.label, Label::Unexplained | Label::Copied))
        .map(|run| run.path.as_str())
        .collect()
}

fn say(judged: &[Judgement], is_shallow: bool, context: &Context) {
    let terminal = &context.terminal;
    for one in judged {
        let short = one.commit.id.get(..9).unwrap_or_default();
        let style = if one.fails() { BAD } else { GOOD };
        terminal.say(format_args!(
            "{HEADING}{short}{HEADING:#}  {}  {style}{}{style:#}",
            inert::line(&one.commit.subject),
            summed(one)
        ));
        for run in one.runs.iter().filter(|run| !matches!(run.label, Label::Traced | Label::Layout)) {
            let style = if run.label.fails() { BAD } else { DIM };
            let place = inert::line(&run.place());
            terminal.say(format_args!(
                "    {style}{:<12}{style:#}  {place}{}",
                run.label.as_str(),
                run.why.map(|why| format!("  ({why})")).unwrap_or_default()
            ));
        }
    }
    if judged.is_empty() {
        terminal.say("no commits in this range");
    }
    if is_shallow {
        terminal.say(format_args!(
            "{WARN}this clone is shallow{WARN:#}: entries and parents may be missing. Fetch the whole history (`fetch-depth: 0`)"
        ));
    }
    let tampering = judged.iter().filter(|one| one.is_tampering()).count();
    let fails = judged.iter().filter(|one| one.is_unexplained()).count();
    if fails > 0 {
        let commits = counted(fails, "commit of an agent has", "commits of agents have");
        terminal.say(format_args!("{BAD}{commits} changes that no entry explains{BAD:#}"));
    }
    if tampering > 0 {
        let commits = counted(tampering, "commit changes or removes", "commits change or remove");
        terminal.say(format_args!("{BAD}{commits} sealed entries{BAD:#}"));
    }
}

/// A commit in a few words.
fn summed(one: &Judgement) -> String {
    let of = |label: Label| one.runs.iter().filter(|run| run.label == label).count();
    let labels = Label::ALL.iter().filter(|label| of(**label) > 0);
    let counts: Vec<String> = labels.map(|label| format!("{} {}", of(*label), label.as_str())).collect();
    let intents: Vec<&str> = one.intents().collect();
    let who = if one.marks.is_empty() { "" } else { "agent: " };
    let evidence = if one.has_evidence { "" } else { " (no evidence)" };
    let under = if intents.is_empty() { String::new() } else { format!(" under {}", intents.join(", ")) };
    let named = one.permissions.join(", ");
    let is_named = !named.is_empty();
    let (counts, gates) = match (counts.is_empty(), one.is_gates_own) {
        (true, true) if is_named => (format!("only the gate's own files: {named}"), String::new()),
        (true, true) => ("only the gate's own files".to_owned(), String::new()),
        (true, false) => ("no change of its own".to_owned(), String::new()),
        (false, _) if is_named => (counts.join(", "), format!("; changes {named}")),
        (false, _) => (counts.join(", "), String::new()),
    };
    format!("{who}{counts}{under}{evidence}{gates}")
}

fn as_json(one: &Judgement) -> Value {
    let run = |run: &Judged| {
        json!({
            "file": run.path,
            "first_line": run.hunk.first,
            "lines": run.hunk.count,
            "label": run.label.as_str(),
            "intents": run.intents,
            "why": run.why,
        })
    };
    json!({
        "commit": one.commit.id,
        "author": one.commit.author,
        "subject": one.commit.subject,
        "marks": one.marks,
        "evidence": one.has_evidence,
        "fails": one.fails(),
        "gate_files": one.permissions,
        "hunks": one.runs.iter().map(run).collect::<Vec<_>>(),
    })
}

fn as_sarif(judged: &[Judgement]) -> Value {
    const RULES: &[sarif::Rule] = &[
        sarif::Rule { id: "unexplained", says: "an agent's commit changes lines that no entry explains" },
        sarif::Rule {
            id: "out_of_scope",
            says: "entries wrote lines of a file that their intent does not own",
        },
        sarif::Rule {
            id: "copied",
            says: "an agent's commit has lines of another file that no entry put there",
        },
        sarif::Rule { id: "tampered", says: "a commit changes or removes sealed entries" },
    ];
    let failing = judged.iter().filter(|one| one.fails());
    let runs = failing.flat_map(|one| one.runs.iter().map(move |run| (one, run)));
    let found = runs.filter(|(_, run)| run.label.fails()).map(|(one, run)| sarif::Found {
        rule: run.label.as_str(),
        is_error: true,
        message: format!("{} in {}", run.label.as_str().replace('_', " "), one.commit.id),
        file: run.path.clone(),
        lines: (run.hunk.first.max(1), (run.hunk.first + run.hunk.count).saturating_sub(1).max(1)),
        column: 0,
    });
    sarif::document(RULES, &found.collect::<Vec<_>>())
}
