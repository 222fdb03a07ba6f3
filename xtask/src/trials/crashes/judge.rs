//! What must hold after a program of the gate was killed, or one of its calls of the system failed: nothing
//! acknowledged is lost, nothing gets through without evidence, at most one line is truncated, no alarm is raised, and
//! work continues.

use std::process::{Command, Output};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::act::Act;
use super::fault::Ended;
use super::scene::{MAIN, NEXT, Scene};

/// The id under which the agent tries the main call again.
const AGAIN: &str = "toolu_again";
/// The same, once more.
const ONCE_MORE: &str = "toolu_once_more";
/// What a post event says that could not be recorded.
const NOT_RECORDED: &str = "could not record";

/// Looks at what is there, goes on as host and agent would, and looks again. `company` is what the other session's
/// hook said that ran at the same time.
pub(super) fn judge(scene: &Scene, ended: &Ended, company: Option<&Output>) -> Result<()> {
    let passed = was_let_through(scene, ended)?;
    let recorded = entries(scene).context("right afterwards")?;
    if is_acknowledged(scene, ended)? {
        ensure!(recorded.of(MAIN) == 1, "it was acknowledged and is not in the ledger: {:?}", ended.stdout);
    }
    verify(scene).context("right afterwards")?;
    let again = if scene.act.is_before() { try_again(scene, passed)? } else { None };
    if passed {
        scene.run_the_tool()?;
    }
    let ran = again.filter(|_| scene.retry_runs());
    if let Some(id) = ran {
        scene.run_the_tool()?;
        scene.tell_the_end(id).context("after the call that was tried again")?;
    }
    scene.end_turn()?;
    match company {
        Some(output) => acknowledged(output).context("the other session's call, at the same time")?,
        None => acknowledged(&scene.beside.output(&scene.next())?).context("the other session's call")?,
    }
    if scene.act == Act::Seal {
        scene.world.gate_says(&["trace", "seal"]).context("sealing again")?;
    }
    settled(scene, passed, ran)
}

/// Whether the call that was asked about would run now; then it must have left its evidence.
fn was_let_through(scene: &Scene, ended: &Ended) -> Result<bool> {
    if !scene.act.is_before() {
        return Ok(false);
    }
    match scene.told(ended)?.as_deref() {
        None | Some("deny" | "block" | "waitForApproval") => return Ok(false),
        Some("allow") if scene.act.may_pass() => {}
        other => bail!("the call gets through: {other:?}, {}", ended.stdout),
    }
    ensure!(has_pending(scene, MAIN)?, "the call gets through and is not remembered");
    let logged = decisions(scene)?;
    let is_logged = |record: &Value| record["call"] == MAIN && record["action"] == "allow";
    ensure!(logged.iter().any(is_logged), "the call gets through and is not in the decision log");
    if scene.act == Act::Spend {
        ensure!(scene.calls_of_the_grant()? == 1, "the call gets through and the grant does not count it");
    }
    Ok(true)
}

fn is_acknowledged(scene: &Scene, ended: &Ended) -> Result<bool> {
    Ok(match scene.act {
        Act::Record => ended.code == Some(0) && !ended.stdout.contains(NOT_RECORDED),
        Act::RecordOnWire => scene.told(ended)?.as_deref() == Some("recorded"),
        Act::Repair => ended.code == Some(0),
        // A host ignores what its stop event says, so that nothing is promised there.
        Act::Ask | Act::Admit | Act::AdmitOnWire | Act::Spend | Act::Settle | Act::Seal => false,
    })
}

fn has_pending(scene: &Scene, call: &str) -> Result<bool> {
    for session in std::fs::read_dir(scene.world.pending()?)? {
        for file in std::fs::read_dir(session?.path())? {
            let path = file?.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let pending: Value = serde_json::from_slice(&std::fs::read(path)?)?;
            if pending["pending"]["call"] == call {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The entries that came to the ledger.
struct Recorded {
    /// Their calls.
    calls: Vec<String>,
}

impl Recorded {
    fn of(&self, call: &str) -> usize {
        self.calls.iter().filter(|other| *other == call).count()
    }
}

/// What the ledger holds. Everything that was there must still be, and behind it come whole records and at most one piece
/// of one; a piece that only lacks its LF is a record.
fn entries(scene: &Scene) -> Result<Recorded> {
    let all = scene.ledger()?;
    ensure!(all.starts_with(&scene.kept), "the ledger lost what was recorded");
    let old = scene.kept.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let (_, new) = all.split_at(old);
    let mut calls = Vec::new();
    for line in new.split_inclusive(|byte| *byte == b'\n') {
        let record = serde_json::from_slice::<Value>(line);
        if line.ends_with(b"\n") {
            ensure!(record.is_ok(), "a line that is no record");
        }
        let call = record
            .ok()
            .and_then(|record| record["metadata"]["dev.bailiwick"]["call"].as_str().map(str::to_owned));
        calls.extend(call);
    }
    Ok(Recorded { calls })
}

/// The decision log: whole lines, each with the number behind the one before.
fn decisions(scene: &Scene) -> Result<Vec<Value>> {
    let mut closed = Vec::new();
    for entry in std::fs::read_dir(scene.private())? {
        let name = entry?.file_name().into_string().unwrap_or_default();
        let first = name.strip_prefix("decisions.").and_then(|rest| rest.strip_suffix(".jsonl"));
        closed.extend(first.and_then(|first| first.parse::<u64>().ok()).map(|first| (first, name.clone())));
    }
    closed.sort_unstable();
    let names = closed.into_iter().map(|(_, name)| name).chain(["decisions.jsonl".to_owned()]);
    let mut records: Vec<Value> = Vec::new();
    for name in names {
        let text = std::fs::read_to_string(scene.private().join(name)).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| text.get(..end).unwrap_or_default());
        for line in whole.lines() {
            let record: Value = serde_json::from_str(line).context("a line of the decision log")?;
            let expected = records.last().map(|last| last["seq"].as_u64().unwrap_or_default() + 1);
            let seq = record["seq"].as_u64();
            ensure!(seq == expected.or(seq), "decision {seq:?} stands where {expected:?} belongs");
            records.push(record);
        }
    }
    Ok(records)
}

/// No alarm is raised.
fn verify(scene: &Scene) -> Result<Value> {
    let mut command = Command::new(scene.world.gate());
    let output = scene.world.output(command.args(["trace", "verify", "--json"]))?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "an alarm: {said}{}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_str(&said)?)
}

/// The agent tries the call again, and once more: a person is asked, or it goes through by what the person has said
/// and nobody has used. That is one call at most; which of the two it is.
fn try_again(scene: &Scene, passed: bool) -> Result<Option<&'static str>> {
    let mut through = Vec::new();
    for id in [AGAIN, ONCE_MORE] {
        if scene.try_main(id)? {
            ensure!(scene.act.may_pass(), "nobody has said yes to the next call, and it gets through");
            through.push(id);
        }
    }
    let count = through.len() + usize::from(passed);
    ensure!(count <= 1, "one yes lets {count} calls through");
    Ok(through.pop())
}

fn acknowledged(output: &Output) -> Result<()> {
    let stdout = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success() && !stdout.contains(NOT_RECORDED), "{}: {stdout}", output.status);
    Ok(())
}

/// Each change is recorded once and for the call that made it, the view follows, and nothing is amiss. `ran` is the call
/// that was tried again and has changed the file: what the killed one left behind must not count as a second change.
fn settled(scene: &Scene, passed: bool, ran: Option<&str>) -> Result<()> {
    let recorded = entries(scene).context("in the end")?;
    let of = |call| usize::from(ran == Some(call));
    let main = usize::from(passed || scene.act.is_after());
    for (call, expected) in [(MAIN, main), (NEXT, 1), (AGAIN, of(AGAIN)), (ONCE_MORE, of(ONCE_MORE))] {
        let found = recorded.of(call);
        ensure!(found == expected, "{call} is recorded {found} times, not {expected}");
    }
    for call in [MAIN, NEXT, AGAIN, ONCE_MORE] {
        ensure!(!has_pending(scene, call)?, "{call} is still open");
    }
    decisions(scene).context("in the end")?;
    let found = verify(scene).context("in the end")?;
    // A piece that only lacks its LF is a record.
    let current = scene.current()?;
    let lines = current.split(|byte| *byte == b'\n');
    let current = lines.filter(|line| serde_json::from_slice::<Value>(line).is_ok()).count();
    ensure!(found["extent"]["entries"] == current, "verify counts otherwise: {found}");
    let follows = std::fs::read(scene.view())? == std::fs::read(scene.live())?;
    let is_said =
        || found["findings"].as_array().into_iter().flatten().any(|said| said["kind"] == "view_behind");
    ensure!(follows || is_said(), "the view is not the ledger: {found}");
    Ok(())
}
