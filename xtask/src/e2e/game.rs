//! An outcome game at the door of every host, without its client: an adversary says each attempt in the host's own words, and what
//! the gate lets through is done for real. The disk is the judge. Nobody approves anything.
//!
//! The attempts are data (`game/attempts.txt`); which tools a host has is on its conformance page. Each attempt is also made
//! without the gate, as the person could: an attempt that does nothing proves nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::stage::hook_driver::HookDriver;
use crate::stage::pages::{self, Effects, Page};
use crate::stage::product;
use crate::stage::side_by_side::side_by_side;
use crate::stage::world::World;

const ATTEMPTS: &str = include_str!("game/attempts.txt");
/// The fewest attempts that a host is tried with.
const FEWEST: usize = 30;
const CANARY: &str = "src/core/canary.ts";
/// Where the gate keeps what it has read, in the home.
const KEPT: &str = ".local/state/bailiwick/cache";
const MINE: &str = "MINE\n";
const PATCH: &str = "*** Begin Patch";

/// One attempt, with the places of this world put in.
#[derive(Clone, Debug)]
enum Attempt {
    /// A tool that changes files is pointed at this one.
    File(String),
    /// A shell is to run this.
    Run(String),
}

/// A call of a host as its page has it, and which of its texts the adversary fills in.
struct Sample {
    event: Value,
    /// The pointer to the path, or to the command.
    place: String,
    /// The pointer to a text that is written.
    content: Option<String>,
    /// Whether the path stands in a patch.
    is_patch: bool,
    is_shell: bool,
}

/// Plays all hosts, or those whose name holds the filter; one success is an error.
pub(crate) fn run(filter: &str) -> Result<()> {
    let product = product::binary()?;
    let chosen: Vec<Page> = pages::all()?.into_iter().filter(|page| page.host.contains(filter)).collect();
    ensure!(!chosen.is_empty(), "no host's name holds {filter:?}");
    let played = side_by_side(chosen, |page| {
        let host = &page.host;
        let (tried, mut found) = play(&product, &page).with_context(|| host.clone())?;
        println!("{host}: {tried} attempts, {} succeeded", found.len());
        if tried < FEWEST {
            found.push(format!("{host} is tried with {tried} attempts only: its page shows too few tools"));
        }
        Ok(found)
    });
    let mut findings: Vec<String> = played.into_iter().collect::<Result<Vec<_>>>()?.concat();
    findings.extend(impossible(&product)?);
    findings.iter().for_each(|finding| println!("BROKEN  {finding}"));
    ensure!(findings.is_empty(), "{} findings", findings.len());
    Ok(())
}

/// The attempts that change nothing where there is no gate: they prove nothing. What asks for a terminal is proved by `e2e forging`.
fn impossible(product: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let count = attempts(&prepared(product)?).len();
    for number in 0..count {
        let world = prepared(product)?;
        let attempt = attempts(&world).into_iter().nth(number).context("an attempt is gone")?;
        let gate = world.gate().display().to_string();
        if matches!(&attempt, Attempt::Run(command) if command.starts_with(&gate)) {
            continue;
        }
        let before = state(&world)?;
        done(&world, &attempt)?;
        if state(&world)? == before {
            found.push(format!("{attempt:?} changes nothing without the gate either"));
        }
    }
    Ok(found)
}

/// How many attempts a host was tried with, and those that succeeded.
fn play(product: &Path, page: &Page) -> Result<(usize, Vec<String>)> {
    let world = prepared(product)?;
    let hook = HookDriver::installed(&world)?;
    let effects = pages::effects(&world)?;
    let mut samples: Vec<Sample> =
        page.tools().filter_map(|(tool, event)| sample(tool, event, &effects)).collect();
    ensure!(samples.iter().any(|sample| !sample.is_shell), "the page has no tool that changes files");
    selected(&world, &hook, page, &mut samples)?;
    let (mut tried, mut found) = (0, Vec::new());
    for attempt in attempts(&world) {
        for sample in &samples {
            let Some(call) = said(sample, &attempt, &world) else { continue };
            tried += 1;
            let before = state(&world)?;
            let (passes, answer) = asked(&world, &hook, page, &call)?;
            if passes {
                done(&world, &attempt)?;
            }
            let after = state(&world)?;
            if before != after {
                let changed = changed(&before, &after);
                found.push(format!("{}: {attempt:?} changed {changed}: {answer:.160}", page.host));
                put_back(&world, &before)?;
            }
        }
    }
    Ok((tried, found))
}

/// A governed repository with a canary, and a session of nobody's.
fn prepared(product: &Path) -> Result<World> {
    let world = World::new(product)?;
    world.write("src/core/list", CANARY)?;
    world.write(CANARY, "export const older = 0;\n")?;
    world.commit("older")?;
    world.write(CANARY, "export const canary = 0;\n")?;
    std::os::unix::fs::symlink("../core", world.repo().join("src/auth/link"))?;
    std::fs::write(world.home().join("canary"), "0\n")?;
    world.govern()?;
    world.write(".orchestration/config.yaml", "approval: {timeout_s: 1}\n")?;
    world.commit("settings")?;
    Ok(world)
}

/// All samples in one session, which has selected the intent where the host has a shell to say so.
fn selected(world: &World, hook: &HookDriver, page: &Page, samples: &mut [Sample]) -> Result<()> {
    let shell = samples.iter().find(|sample| sample.is_shell).map(|sample| sample.event.clone());
    let Some(Value::Object(fields)) = shell else { return Ok(()) };
    for (key, value) in fields.iter().filter(|(key, _)| pages::is_session(key)) {
        for sample in samples.iter_mut().filter(|sample| sample.event.get(key).is_some()) {
            sample.event[key] = value.clone();
        }
    }
    let select = "bailiwick tool select_active_intent '{\"intent_id\":\"INT-001\"}'";
    let shell = samples.iter().find(|sample| sample.is_shell).context("the shell is gone")?;
    let call = said(shell, &Attempt::Run(select.to_owned()), world).context("a shell that runs nothing")?;
    asked(world, hook, page, &call)?;
    let status = world.status()?.to_string();
    ensure!(status.contains("INT-001") && status.contains("ACTION"), "the intent is not selected: {status}");
    // The first question of all makes the key that answers are sealed with.
    let writes = Attempt::File(world.repo().join("src/auth/first.ts").display().to_string());
    for asks in [writes, Attempt::Run("make first".to_owned())] {
        for call in samples.iter().filter_map(|sample| said(sample, &asks, world)) {
            let (_, answer) = asked(world, hook, page, &call)?;
            // Else each attempt fails for want of a root, and none of them proves anything.
            ensure!(!answer.contains("MISSING_WORKSPACE_ROOT"), "{}: not judged here: {answer}", page.host);
        }
    }
    Ok(())
}

fn attempts(world: &World) -> Vec<Attempt> {
    let lines = ATTEMPTS.lines().filter_map(|line| line.split_once(' '));
    let filled = |text: &str| {
        let text = text.replace("{root}", &world.repo().display().to_string());
        let text = text.replace("{home}", &world.home().display().to_string());
        text.replace("{gate}", &world.gate().display().to_string())
    };
    lines
        .filter_map(|(kind, rest)| match kind {
            "file" => Some(Attempt::File(filled(rest))),
            "run" => Some(Attempt::Run(filled(rest))),
            _ => None,
        })
        .collect()
}

/// A call that changes a file or runs a command, with the texts that can be filled in.
fn sample(tool: &str, event: &Value, effects: &Effects) -> Option<Sample> {
    let effect = effects.get(tool)?;
    let is_shell = effect == "execute";
    if !is_shell && effect != "write" && effect != "delete" {
        return None;
    }
    let mut texts = Vec::new();
    texts_in(event, String::new(), &mut texts);
    let named = |names: &[&str]| {
        texts
            .iter()
            .find(|(place, _)| names.iter().any(|name| place.ends_with(&format!("/{name}"))))
            .map(|(place, _)| place.clone())
    };
    let place = if is_shell {
        named(&["command", "commands/0", "CommandLine", "command_line"])
    } else {
        named(&["file_path", "filePath", "path", "notebook_path", "TargetFile"])
    };
    // A patch says by itself which files it changes.
    let patch = texts.iter().find(|(_, text)| text.starts_with(PATCH)).map(|(place, _)| place.clone());
    let is_patch = patch.is_some();
    let place = patch.or(place);
    let content = named(&[
        "content",
        "contents",
        "file_text",
        "new_string",
        "newString",
        "new_source",
        "new_text",
        "CodeContent",
    ]);
    Some(Sample { event: event.clone(), place: place?, content, is_patch, is_shell: is_shell && !is_patch })
}

fn texts_in(value: &Value, place: String, texts: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => texts.push((place, text.clone())),
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(at, value)| texts_in(value, format!("{place}/{at}"), texts));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| texts_in(value, format!("{place}/{key}"), texts));
        }
        _ => {}
    }
}

/// The attempt in the host's words, where that tool can say it.
fn said(sample: &Sample, attempt: &Attempt, world: &World) -> Option<String> {
    let text = match (attempt, sample.is_shell) {
        (Attempt::File(path), false) if sample.is_patch => {
            format!("{PATCH}\n*** Add File: {path}\n+{MINE}*** End Patch\n")
        }
        (Attempt::File(path), false) => path.clone(),
        (Attempt::Run(command), true) => command.clone(),
        _ => return None,
    };
    let repo = world.repo().display().to_string();
    let mut event: Value = serde_json::from_str(&pages::in_world(&sample.event, world)).ok()?;
    *event.pointer_mut(&sample.place)? = json!(text);
    // A list of commands has this one alone.
    if let Some(commands) = sample.place.strip_suffix("/0").and_then(|list| event.pointer_mut(list)) {
        *commands = json!([text]);
    }
    if let Some(content) = &sample.content {
        *event.pointer_mut(content)? = json!(MINE);
    }
    if event.get("cwd").is_some() {
        event["cwd"] = json!(repo);
    }
    Some(event.to_string())
}

/// Whether the host would run the call, and what the gate said.
fn asked(world: &World, hook: &HookDriver, page: &Page, call: &str) -> Result<(bool, String)> {
    let answer = page.answer(hook, call)?;
    ensure!(world.gate().is_file(), "the gate is gone");
    Ok((!answer.refuses && !answer.asks, answer.said))
}

/// What the tool would do.
fn done(world: &World, attempt: &Attempt) -> Result<()> {
    match attempt {
        Attempt::File(path) => {
            if let Some(folder) = Path::new(path).parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(path, MINE).with_context(|| path.clone())
        }
        Attempt::Run(command) => world.output(Command::new("/bin/bash").args(["-c", command])).map(drop),
    }
}

/// All that may not change: the tree, what governs, the person's home. Logs and the state of sessions grow by being asked.
fn state(world: &World) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    collect(&world.repo(), &mut files)?;
    collect(&world.home(), &mut files)?;
    let private = world.repo().join(".git/bailiwick");
    // The log of decisions may grow and nothing else; the ledger has no entry as long as nobody approves.
    files.retain(|path, _| !path.starts_with(&private) || path.starts_with(private.join("ledger")));
    // What the gate has read it keeps by the home, and writes it anew as often as it likes. The adversary may not.
    let kept = world.home().join(KEPT);
    files.retain(|path, content| !path.starts_with(&kept) || content == MINE.as_bytes());
    files.insert(private.clone(), vec![u8::from(private.is_dir())]);
    files.insert(PathBuf::from("gate"), vec![u8::from(is_runnable(&world.gate()))]);
    Ok(files)
}

/// The paths that differ.
fn changed(before: &BTreeMap<PathBuf, Vec<u8>>, after: &BTreeMap<PathBuf, Vec<u8>>) -> String {
    let all = before.keys().chain(after.keys());
    let differs = all.filter(|path| before.get(*path) != after.get(*path));
    differs.map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn is_runnable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let kind = path.symlink_metadata()?.file_type();
        if kind.is_dir() {
            collect(&path, files)?;
        } else if kind.is_symlink() {
            files.insert(path.clone(), path.read_link()?.into_os_string().into_encoded_bytes());
        } else if kind.is_file() {
            files.insert(path.clone(), std::fs::read(&path)?);
        }
    }
    Ok(())
}

/// The tree as it was, for the next attempt.
fn put_back(world: &World, before: &BTreeMap<PathBuf, Vec<u8>>) -> Result<()> {
    for (path, content) in before.iter().filter(|(path, _)| path.starts_with(world.base()) && !path.is_dir())
    {
        if !path.is_symlink() {
            std::fs::write(path, content)?;
        }
    }
    Ok(())
}
