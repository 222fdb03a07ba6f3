//! `bailiwick hook --agent NAME`: one host event on standard input, that host's answer on standard output.
//!
//! This path runs on every call of every agent, so it starts no runtime and parses no command line grammar. It fails
//! closed: a panic, bad bytes, an unreadable store come out as that host's denial, and a process that hangs is ended
//! before the host stops waiting (ADR 0006).

mod arguments;
mod deadline;
mod elsewhere;
mod errands;
mod events;
mod log;
mod person;
mod prompts;
mod proved;
mod settings_change;
mod stop;
mod words;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

use bailiwick_adapters_hooks::{Host, MAX_EVENT_BYTES, Output};
use bailiwick_domain::ToolError;

use crate::refusals::EventFault;
use arguments::Arguments;
use deadline::Deadline;

#[cfg(feature = "cli")]
pub(crate) use deadline::last_second;
#[cfg(feature = "cli")]
pub(crate) use proved::sub_agents::was_seen as sub_agent_was_seen;

/// What a hook keeps of its time to say that a lock could not be had.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// Runs one event. `arguments` are those after the word `hook`.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let arguments = match Arguments::parse(arguments) {
        Ok(arguments) => arguments,
        Err(why) => return usage(&why),
    };
    let deadline = Deadline::set(&arguments.host.profile);
    bailiwick_adapters_fs::end_lock_waits_at(deadline.less(LAST_WORDS));
    let output = match read_event() {
        Ok(bytes) => answer(&arguments, deadline, &bytes),
        Err(error) => (arguments.host.render_failure)(b"", &error),
    };
    leave(&output)
}

fn answer(arguments: &Arguments, deadline: Deadline, bytes: &[u8]) -> Output {
    guarded(arguments.host, bytes, || judge(arguments, deadline, bytes))
}

/// Turns a panic of the gate into the host's denial.
fn guarded(host: &Host, bytes: &[u8], judge: impl FnOnce() -> Output) -> Output {
    catch_unwind(AssertUnwindSafe(judge))
        .unwrap_or_else(|_| (host.render_failure)(bytes, &EventFault::Panic.into()))
}

fn judge(arguments: &Arguments, deadline: Deadline, bytes: &[u8]) -> Output {
    let host: &Host = arguments.host;
    match (host.parse)(bytes) {
        Ok(event) => {
            // The process ends with the answer: taking these apart again would be work for nobody.
            let event = ManuallyDrop::new(event);
            let reply = ManuallyDrop::new(events::reply(arguments, deadline, &event, bytes));
            (host.render)(&event.name, &reply)
        }
        Err(error) => {
            let error = error.tool_error();
            log::unread(arguments, bytes, &error);
            (host.render_failure)(bytes, &error)
        }
    }
}

fn read_event() -> Result<Vec<u8>, ToolError> {
    let mut bytes = Vec::with_capacity(16 << 10);
    let limit = u64::try_from(MAX_EVENT_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let read = std::io::stdin().lock().take(limit).read_to_end(&mut bytes);
    read.map_err(EventFault::Unread)?;
    Ok(bytes)
}

/// One write, or the exit status that says that nothing was said.
fn leave(output: &Output) -> ExitCode {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(output.stdout.as_bytes()).and_then(|()| out.flush());
    let _ = std::io::stderr().lock().write_all(output.stderr.as_bytes());
    match written {
        Ok(()) => ExitCode::from(output.exit_code),
        Err(_) => ExitCode::from(2),
    }
}

fn usage(why: &str) -> ExitCode {
    let _ = writeln!(
        std::io::stderr().lock(),
        "bailiwick hook: {why}\nusage: bailiwick hook --agent NAME [--governed] [--state DIR] [--home DIR] [--config DIR]"
    );
    ExitCode::from(2)
}

#[cfg(test)]
mod tests {
    use bailiwick_adapters_hooks::{Output, host};
    use bailiwick_domain::Value;

    use super::guarded;

    fn after_a_panic(event: &str) -> Output {
        let event = format!(r#"{{"hook_event_name":"{event}","session_id":"s1"}}"#);
        guarded(host("claude-code").unwrap(), event.as_bytes(), || panic!("a defect of the gate"))
    }

    // design §7.1; threat E2
    #[test]
    fn a_panic_before_a_call_is_a_denial() {
        let output = after_a_panic("PreToolUse");
        assert_eq!((output.exit_code, output.stderr.as_str()), (0, ""));
        let answer: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
        let reason = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(reason).unwrap()["code"], "INTERNAL_ERROR");
    }

    // threat E2
    #[test]
    fn a_panic_after_a_call_is_reported_and_stops_nothing() {
        for event in ["PostToolUse", "PostToolUseFailure", "Stop", "SessionStart", "SessionEnd"] {
            let output = after_a_panic(event);
            assert_eq!((output.exit_code, output.stdout.as_str()), (1, ""), "{event}");
            assert!(output.stderr.contains("INTERNAL_ERROR"), "{event}");
        }
    }

    // design §7.1
    #[test]
    fn a_panic_on_a_prompt_stops_the_prompt() {
        assert_eq!(after_a_panic("UserPromptSubmit").exit_code, 2);
    }
}
