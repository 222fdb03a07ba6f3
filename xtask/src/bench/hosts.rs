//! What a hook call costs in the words of every host, as a ratio to Claude Code's: a new file before an intent is selected,
//! right after a prompt. The words come from the host's conformance page.
//!
//! Such a call goes all the way through the dialect and is refused by the first check of an ordinary session, so what
//! differs between hosts is the dialect alone. A session's first event costs more than the next ones, because its folders
//! and notes are made then, and a call that is refused again and again is answered as a loop; the prompt sees to both.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::cpu::{self, Load, Plan};
use super::sheet::{Line, Sheet, Target};
use super::{Depth, SETTLED, governed};
use crate::stage::hook_driver::HookDriver;
use crate::stage::pages::{self, Effects, Page};
use crate::stage::world::World;

/// Whose words the others are compared with.
const BASE: &str = "claude-code";

/// Enough that no session is asked twice in a run, on hosts that name sessions.
const SESSIONS: u32 = 400;
const FULL: Plan = Plan { rounds: 20, spawns_per_round: 20 };
const QUICK: Plan = Plan { rounds: 7, spawns_per_round: 10 };
const MOST: f64 = 1.1;
/// Why the call is refused.
const CODE: &str = "STATE_VIOLATION";
/// A change of a file that nobody read is refused for that as well; a page with nothing else is measured with it.
const ALSO: &str = "STALE_FILE";
/// What a call is refused for that was refused too often, with the reason of before beside it.
const LOOP: &str = "LOOP_DETECTED";
/// More often than the gate refuses a call before it says that it is a loop.
const OFTEN: u32 = 6;

/// What is measured of a host.
struct Sample {
    /// What begins a session, or goes on with it.
    opening: Value,
    call: Value,
    rank: Rank,
}

/// How far a call is from a new file; the nearest of a page is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    NewFile,
    Change,
    UnreadFile,
}

impl Rank {
    fn of(call: &Value, said: &str) -> Self {
        match (said.contains(ALSO), is_new_file(call)) {
            (true, _) => Self::UnreadFile,
            (false, false) => Self::Change,
            (false, true) => Self::NewFile,
        }
    }

    fn describe(self) -> &'static str {
        match self {
            Self::NewFile => "a new file",
            Self::Change => "another change",
            Self::UnreadFile => "a change of an unread file",
        }
    }
}

/// Measures, prints, and fails when a target is missed.
pub(crate) fn run(depth: Depth) -> Result<()> {
    let world = governed()?;
    let hook = HookDriver::installed(&world)?;
    let mut pages = pages::all()?;
    pages.sort_by_key(|page| page.host != BASE);
    let effects = pages::effects(&world)?;
    let samples =
        pages.iter().map(|page| sample(&world, &hook, page, &effects)).collect::<Result<Vec<_>>>()?;
    let first = samples.first().context("no host has a page")?;
    ensure!(first.rank == Rank::NewFile, "{BASE}: its page has no new file");
    let loads = pages.iter().zip(&samples).map(|(page, sample)| load(&world, &hook, page, sample));
    let loads = loads.collect::<Result<Vec<_>>>()?;
    std::thread::sleep(SETTLED);
    let times = cpu::measure(&loads, if depth == Depth::Quick { QUICK } else { FULL })?;
    let (base, rest) = times.split_first().context("nothing was measured")?;
    let lines = pages.iter().zip(&samples).skip(1).zip(rest).map(|((page, sample), time)| Line {
        what: format!("{} from {}", sample.rank.describe(), page.host),
        against: "a new file from Claude Code",
        ratio: Some(cpu::ratio(time, base)),
        target: Target::Ratio(MOST),
    });
    let told = "What one hook process costs in the words of each host, as processor time in proportion to Claude Code's: \
                a new file that is refused because no intent is selected, right after a prompt in the same session. A host \
                that tells of no prompt is measured after a reading; one that names no session has all its prompts in one; \
                one whose page has no new file is measured with a change of a file that nobody read, which is refused for \
                that as well. The median over rounds, interleaved.";
    Sheet { heading: "## Every host", told, task: "bench hosts", lines: lines.collect() }.conclude(depth)
}

/// The call of the page that is nearest to a new file among those that are refused for want of an intent, with what goes
/// before it.
fn sample(world: &World, hook: &HookDriver, page: &Page, effects: &Effects) -> Result<Sample> {
    let of_effect = |effect: &'static str| {
        let tools =
            page.tools().filter(move |(tool, _)| effects.get(*tool).is_some_and(|does| does == effect));
        tools.map(|(_, event)| event)
    };
    let opening = page.prompt().or_else(|| of_effect("read").next());
    let opening =
        in_world(opening.with_context(|| format!("{}: nothing opens a session", page.host))?, world)?;
    let mut best: Option<Sample> = None;
    for (event, number) in of_effect("write").zip(SESSIONS..) {
        let call = in_world(event, world)?;
        let said = opened(hook, page, &opening, &call, number)?;
        let rank = Rank::of(&call, &said);
        if is_plain(&said) && best.as_ref().is_none_or(|best| rank < best.rank) {
            best = Some(Sample { opening: opening.clone(), call, rank });
        }
    }
    let sample = best.with_context(|| format!("{}: no write is refused", page.host))?;
    let repeats = if names_session(&sample.call) { 0 } else { OFTEN };
    for _ in 0..repeats {
        let said = opened(hook, page, &sample.opening, &sample.call, 0)?;
        ensure!(is_plain(&said), "{}: the same call is not answered alike: {said}", page.host);
    }
    Ok(sample)
}

/// Whether each session's call is another one; if not, all are of one session, however many there are.
fn names_session(call: &Value) -> bool {
    pages::in_session(call, 0) != pages::in_session(call, 1)
}

/// What is said to a call right after its session was opened; nothing, if the call is not refused.
fn opened(hook: &HookDriver, page: &Page, opening: &Value, call: &Value, session: u32) -> Result<String> {
    let say = |event| page.answer(hook, &pages::in_session(event, session).to_string());
    let begun = say(opening)?;
    ensure!(!begun.refuses, "{}: a session is not opened: {}", page.host, begun.said);
    let answer = say(call)?;
    Ok(if answer.refuses { answer.said } else { String::new() })
}

/// Whether something is refused for want of an intent, and not because it was refused before.
fn is_plain(said: &str) -> bool {
    said.contains(CODE) && !said.contains(LOOP)
}

fn in_world(event: &Value, world: &World) -> Result<Value> {
    Ok(serde_json::from_str(&pages::in_world(event, world))?)
}

/// Whether a call has the whole text of a file, and says nothing of what was there before.
fn is_new_file(call: &Value) -> bool {
    let has_text = holds(call, |name| name.contains("content") || name.contains("text"), "*** Add File");
    let starts = |name: &str| ["old", "insert", "edits"].iter().any(|start| name.starts_with(start));
    has_text && !holds(call, starts, "*** Update File")
}

/// Whether a field has such a name, at any depth, or a value this sign.
fn holds(value: &Value, is_named: fn(&str) -> bool, sign: &str) -> bool {
    match value {
        Value::Object(fields) => {
            fields.iter().any(|(name, value)| is_named(&name.to_lowercase()) || holds(value, is_named, sign))
        }
        Value::Array(values) => values.iter().any(|value| holds(value, is_named, sign)),
        Value::String(text) => text.contains(sign),
        _ => false,
    }
}

/// The sample in sessions of its own, as far as the host names any.
fn load(world: &World, hook: &HookDriver, page: &Page, sample: &Sample) -> Result<Load> {
    let folder = world.base().join("events").join(&page.host);
    std::fs::create_dir_all(&folder)?;
    let place = |event, kind: &str| {
        let files = (0..SESSIONS).map(|number| {
            let file = folder.join(format!("{kind}-{number}.json"));
            std::fs::write(&file, pages::in_session(event, number).to_string()).map(|()| file)
        });
        files.collect::<Result<Vec<_>, _>>()
    };
    Ok(Load {
        name: page.host.clone(),
        words: page.words(&hook.words).into_iter().map(str::to_owned).collect(),
        environment: hook.environment.clone(),
        folder: world.repo(),
        inputs: place(&sample.call, "call")?,
        openings: place(&sample.opening, "opening")?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_new_file_is_preferred_and_known_by_its_text() {
        let new = [
            json!({"args": {"new_text": "hi", "path": "a"}}),
            json!({"toolCall": {"args": {"CodeContent": "hi", "TargetFile": "a"}}}),
            json!({"tool_input": {"command": "*** Begin Patch\n*** Add File: a\n+hi\n*** End Patch"}}),
        ];
        let others = [
            json!({"args": {"insert_line": 1, "new_text": "hi", "path": "a"}}),
            json!({"tool_input": {"old_string": "x", "new_string": "y", "content": "z"}}),
            json!({"tool_info": {"edits": [{"text": "x"}], "file_path": "a"}}),
            json!({"tool_input": {"command": "*** Begin Patch\n*** Update File: a\n*** End Patch"}}),
            json!({"tool_input": {"path": "a"}, "tool_name": "Delete"}),
        ];
        assert!(new.iter().all(|call| Rank::of(call, CODE) == Rank::NewFile));
        assert!(others.iter().all(|call| Rank::of(call, CODE) == Rank::Change));
        assert_eq!(Rank::of(&new[0], "STATE_VIOLATION, STALE_FILE"), Rank::UnreadFile);
        assert!(Rank::NewFile < Rank::Change && Rank::Change < Rank::UnreadFile);
    }

    #[test]
    fn a_call_that_was_refused_too_often_is_not_measured() {
        assert!(is_plain("STATE_VIOLATION"));
        assert!(!is_plain("LOOP_DETECTED: blocked 3 times (STATE_VIOLATION)"));
        assert!(!is_plain("PROTECTED_PATH"));
    }

    #[test]
    fn a_call_without_a_session_is_known() {
        assert!(names_session(&json!({"sessionId": "s", "tool": "x"})));
        assert!(!names_session(&json!({"tool": "x"})));
    }
}
