//! `bailiwick gc`: old records of private state go, and it says what was freed. Never the ledger.

use std::process::ExitCode;

use bailiwick_adapters_fs::{Collected, Doing, Freed, Garbage, Retention, SystemClock};
use bailiwick_domain::{Clock, json};

use crate::command::output::terminal::{DIM, HEADING};
use crate::command::{CommandError, Context};
use crate::compose::Stores;
use crate::counted::counted;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Removes contents from before calls, lapsed requests, grants that ended, closed files of the \
decision log, records of agents that no longer run, prompts that are a day old, and what killed \
writers left. What is open stays: a call whose end is not known stays whatever its age, a grant that \
waits for your review stays for four weeks. The ledger stays.

How long contents and the decision log are kept is in `config.yaml`: retention.days (30) and \
retention.log_mb (64). What is removed cannot be brought back.

Examples:
  bailiwick gc --dry-run   what would be removed
  bailiwick gc")]
pub(crate) struct Args {
    /// Count what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let settings = Stores::open(&site).settings;
    let retention = Retention {
        days: settings.retention_days,
        log_bytes: u64::from(settings.retention_log_mb).saturating_mul(1_000_000),
    };
    let doing = if args.dry_run { Doing::Count } else { Doing::Collect };
    let collect = Garbage::new(&site.layout);
    let collected = pollster::block_on(collect.collect(&retention, SystemClock.now(), doing))?;
    if context.json {
        context.terminal.json(&json!({
            "dry_run": args.dry_run,
            "older_than_days": retention.days,
            "freed": collected,
            "files": total(&collected).files,
            "bytes": total(&collected).bytes,
        }));
    } else {
        say(&collected, args.dry_run, context);
    }
    Ok(ExitCode::SUCCESS)
}

fn kinds(collected: &Collected) -> [(&'static str, Freed); 7] {
    [
        ("contents from before calls", collected.preimages),
        ("lapsed requests", collected.approvals),
        ("grants that ended", collected.grants),
        ("closed files of the decision log", collected.decisions),
        ("records of agents that are gone", collected.agents),
        ("prompts of sessions that were not ended", collected.prompts),
        ("leftovers of killed writers", collected.leftovers),
    ]
}

fn total(collected: &Collected) -> Freed {
    kinds(collected).into_iter().fold(Freed::default(), |sum, (_, freed)| Freed {
        files: sum.files + freed.files,
        bytes: sum.bytes.saturating_add(freed.bytes),
    })
}

fn say(collected: &Collected, dry_run: bool, context: &Context) {
    for (what, freed) in kinds(collected).into_iter().filter(|(_, freed)| freed.files > 0) {
        let (files, bytes) = (freed.files, in_words(freed.bytes));
        context.terminal.say(format_args!("{files:>7}  {what}  {DIM}{bytes}{DIM:#}"));
    }
    let all = total(collected);
    if all.files == 0 {
        return context.terminal.say("Nothing is old enough to remove.");
    }
    let word = if dry_run { "would be freed" } else { "freed" };
    let (files, bytes) = (counted(all.files, "file", "files"), in_words(all.bytes));
    context.terminal.styled(HEADING, format_args!("{bytes} in {files} {word}"));
}

fn in_words(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn sizes_are_said_in_words() {
        for (bytes, words) in [(0, "0 B"), (999, "999 B"), (1_000, "1 kB"), (2_500_000, "2 MB")] {
            assert_eq!(in_words(bytes), words);
        }
    }
}
