//! `bailiwick pause` and `bailiwick resume`: a person's off switch, bounded and logged at both ends.

use std::process::ExitCode;
use std::time::Duration;

use bailiwick_adapters_fs::{FsDecisionLog, FsPauses, FsWorkspaceLock, Layout, SystemClock};
use bailiwick_domain::{Clock, DecisionLog, Pause, PauseLook, Pauses, WorkspaceLock, json};

use crate::command::output::reading;
use crate::command::output::terminal::{GOOD, WARN};
use crate::command::{CommandError, Context};
use crate::gate::pause_record;
use crate::inert;

/// How long a call under way is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// What `pause` is asked for.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
While it lasts, nothing is asked and no scope is enforced; the agent's own permission rules stay in \
force. Every call is still logged, and changes under a selected intent are in the ledger as \
`paused`. Bailiwick's own files, hosts' settings and secrets stay protected. It ends by itself, with \
`bailiwick resume`, or when the machine restarts.

Examples:
  bailiwick pause              for 15 minutes
  bailiwick pause --for 1h30m  for that long, at most 8 hours")]
pub(crate) struct Args {
    /// For how long, such as 15m or 2h; at most 8h
    #[arg(long = "for", value_name = "TIME", default_value = "15m", value_parser = length)]
    length: Duration,
}

fn length(text: &str) -> Result<Duration, String> {
    let length = humantime::parse_duration(text).map_err(|_| "write a time such as 15m or 2h, at most 8h")?;
    match length.as_secs() {
        0 => Err("a pause lasts at least a second".to_owned()),
        seconds if seconds > Pause::LONGEST_S => Err("a pause lasts at most 8h".to_owned()),
        _ => Ok(length),
    }
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let layout = at_a_terminal(context, "pausing the gate")?;
    let _held = held(&layout)?;
    let now = SystemClock.now();
    let pause = Pause::new(crate::command::who::person(), now, args.length.as_secs());
    let note = format!("paused by {} until {}", pause.by, pause.until);
    // Logged first, so that no pause is in force that is not in the log.
    log(&layout, &pause.by, &note)?;
    FsPauses::new(&layout).begin(&pause)?;
    if context.json {
        context.terminal.json(&json!({ "paused": pause }));
        return Ok(ExitCode::SUCCESS);
    }
    let (until, root) = (reading::local(pause.until, now), layout.root().display());
    context.terminal.styled(WARN, format_args!("agents in {root} are not governed until {until}"));
    context.terminal.say("every call is logged (`bailiwick log`); `bailiwick resume` ends it at once");
    Ok(ExitCode::SUCCESS)
}

/// Ends the pause before its time.
pub(crate) fn resume(context: &Context) -> Result<ExitCode, CommandError> {
    let layout = at_a_terminal(context, "resuming the gate")?;
    let _held = held(&layout)?;
    let pauses = FsPauses::new(&layout);
    let (by, now) = (crate::command::who::person(), SystemClock.now());
    let (pause, note) = match pollster::block_on(pauses.look(now)) {
        PauseLook::None => (None, String::new()),
        PauseLook::Running(pause) => {
            let note = format!("resumed by {by}; the pause was to last until {}", pause.until);
            (Some(pause), note)
        }
        PauseLook::Over(pause) => {
            let note = format!("the pause until {} is over", pause.until);
            (Some(pause), note)
        }
    };
    if let Some(pause) = &pause {
        // Ended first: a log that cannot be written is no reason to stay paused.
        pollster::block_on(pauses.forget(pause))?;
        log(&layout, &by, &note)?;
    }
    if context.json {
        context.terminal.json(&json!({ "resumed": pause.is_some() }));
    } else if pause.is_some() {
        context
            .terminal
            .styled(GOOD, format_args!("agents in {} are governed again", layout.root().display()));
    } else {
        context.terminal.say("nothing was paused");
    }
    Ok(ExitCode::SUCCESS)
}

/// The pause that is in force at this root, for whoever shows it.
pub(crate) fn in_force(layout: &Layout) -> Option<Pause> {
    match pollster::block_on(FsPauses::new(layout).look(SystemClock.now())) {
        PauseLook::Running(pause) => Some(pause),
        PauseLook::None | PauseLook::Over(_) => None,
    }
}

/// A pause as one line for a person.
pub(crate) fn line(pause: &Pause) -> String {
    let until = reading::local(pause.until, SystemClock.now());
    format!("paused by {} until {until}; `bailiwick resume` ends it", inert::line(&pause.by))
}

fn at_a_terminal(context: &Context, what: &'static str) -> Result<Layout, CommandError> {
    let layout = context.site()?.layout;
    if context.terminal.has_person() { Ok(layout) } else { Err(CommandError::NoTerminal(what)) }
}

fn held(layout: &Layout) -> Result<bailiwick_domain::LockGuard, CommandError> {
    Ok(pollster::block_on(FsWorkspaceLock::new(layout.clone()).with_wait(PATIENCE).acquire())?)
}

fn log(layout: &Layout, by: &str, note: &str) -> Result<(), CommandError> {
    let record = pause_record(by, SystemClock.now(), note);
    Ok(pollster::block_on(FsDecisionLog::new(layout.clone()).append(&record)).map(drop)?)
}

#[cfg(test)]
mod tests {
    use super::length;

    // D-07
    #[test]
    fn a_pause_is_bounded() {
        assert_eq!(length("15m").unwrap().as_secs(), 900);
        assert_eq!(length("8h").unwrap().as_secs(), 28_800);
        for text in ["", "0s", "8h 1s", "1d", "soon", "-5m", "15", "99999999999999999999h"] {
            assert!(length(text).is_err(), "{text}");
        }
    }
}
