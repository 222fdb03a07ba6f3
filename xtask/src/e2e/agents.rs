//! Other agents than Claude Code, each as its real client: one short session under a scripted model, from the first reading
//! to a change that a person approved; and a change while the gate is gone, and while it dies. What counts is what the
//! model was told and what is on disk.
//!
//! How each client is driven is in `agents/drive.rs`; the steps and what must come of them are here, the same for all.

pub(crate) mod acp;
mod drive;
mod fault;

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use self::drive::{AGENTS, Agent};
use self::fault::Fault;
use super::client::model::http;
use super::{client, each};
use crate::stage::product;
use crate::stage::world::World;

/// How often a session is played at most.
const TRIES: usize = 3;
const LIMIT: Duration = Duration::from_secs(150);

/// What the model wants.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act {
    /// A command.
    Run(&'static str),
    /// A new file with this text.
    Write(&'static str, &'static str),
}

/// What a person answers to the question that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Person {
    IsAway,
    Approves,
    Grants,
}

/// One step: what is done before it, what the model wants, and what it must be told.
struct Step {
    person: Person,
    act: Act,
    told: &'static str,
}

const fn step(act: Act, told: &'static str) -> Step {
    Step { person: Person::IsAway, act, told }
}

const CHANGED: &str = "src/auth/new.ts";
const NEW: Act = Act::Write(CHANGED, "export {};\n");
const SELECT: &str = "bailiwick tool select_active_intent '{\"intent_id\":\"INT-001\"}'";

const STEPS: [Step; 7] = [
    step(Act::Run("cat src/auth/login.ts"), "export"),
    step(NEW, "STATE_VIOLATION"),
    step(Act::Run(SELECT), "owned_scope"),
    step(Act::Write("src/core/new.ts", "export {};\n"), "SCOPE_VIOLATION"),
    step(Act::Write(".orchestration/config.yaml", "x: 1\n"), "PROTECTED_PATH"),
    step(NEW, "APPROVAL_PENDING"),
    Step { person: Person::Approves, act: NEW, told: "" },
];

/// A text ten times.
macro_rules! tenfold {
    ($($text:tt)*) => {
        concat!($($text)*, $($text)*, $($text)*, $($text)*, $($text)*, $($text)*, $($text)*, $($text)*, $($text)*, $($text)*)
    };
}

/// A command of 39,000 letters, which must come back whole from the hook.
const LONG: &str =
    concat!("echo ", tenfold!(tenfold!(tenfold!("an ordinary, long command of many words"))), " | wc -c");

/// The long command, of a client that takes each command back from the hook.
const REWRITTEN: [Step; 3] = [
    step(Act::Run(SELECT), "owned_scope"),
    step(Act::Run(LONG), "APPROVAL_PENDING"),
    Step { person: Person::Approves, act: Act::Run(LONG), told: "39001" },
];

/// Changes under a grant, of a client whose edits were measured: the second is asked of nobody.
const GRANTED: [Step; 4] = [
    step(Act::Run(SELECT), "owned_scope"),
    step(NEW, "APPROVAL_PENDING"),
    Step { person: Person::Grants, act: NEW, told: "" },
    step(Act::Write("src/auth/more.ts", "export {};\n"), ""),
];

/// A command that moves, and one that reads where the first has moved to, if the client keeps its shell.
const MOVED: [Step; 2] = [step(Act::Run("cd src && ls"), "auth"), step(Act::Run("cat auth/login.ts"), "")];

/// The answer to what clients ask beside the conversation: lists of models, titles, which model to take.
const BESIDE: &str = r#"{"data":[],"models":[],"candidates":[{"content":{"role":"model","parts":[{"text":"{\"complexity_reasoning\":\"x\",\"complexity_score\":1}"}]},"finishReason":"STOP","index":0}]}"#;

/// One change, whatever the model is told.
const BLIND: [Step; 1] = [step(NEW, "")];

/// How much is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breadth {
    /// A session, and a gate that is gone or dies.
    Smoke,
    /// Every way in which a gate can fail at a tool, too.
    Full,
}

/// A run of a client: its world, what the model was told after each step, and what the client printed.
type Session = (Arc<World>, Vec<String>, String);

/// What becomes of the gate before the client starts.
pub(super) type Spoil = fn(&World) -> Result<()>;

/// The same change while no gate can answer: the registered command alone must refuse it.
const DEAD: [(&str, Spoil); 2] = [
    ("gone", |world| Ok(std::fs::remove_file(world.gate())?)),
    ("dying", |world| {
        std::fs::remove_file(world.gate())?;
        world.place_program(Path::new(&dying(world)?))
    }),
];

/// The hosts of the sessions that acted, as `status` says: a session is `HOST/…`.
fn acting_hosts(world: &World) -> Result<Vec<String>> {
    let status = world.status()?;
    let sessions = status["sessions"].as_array().context("no sessions in the status")?;
    let host_of = |session: &Value| session["session"].as_str()?.split('/').next().map(ToOwned::to_owned);
    Ok(sessions.iter().filter_map(host_of).collect())
}

/// Registers the hooks of other hosts, too, which the client runs beside its own.
pub(super) fn register(world: &World, hosts: &[&str]) -> Result<()> {
    hosts.iter().try_for_each(|host| world.gate_says(&["init", "--agent", host]).map(drop))
}

/// A program that is killed as soon as it is asked.
fn dying(world: &World) -> Result<String> {
    script(world, "kill -KILL $$")
}

/// A program of a few lines for a shell.
fn script(world: &World, lines: &str) -> Result<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let program = world.base().join("dying");
    std::fs::write(&program, format!("#!/bin/sh\n{lines}\n"))?;
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))?;
    Ok(program.display().to_string())
}

/// Runs every client whose name holds the filter: the session and a gate that is gone or dies, or all that a gate can do.
pub(crate) fn run(filter: &str, breadth: Breadth) -> Result<()> {
    let product = product::binary()?;
    let chosen: Vec<&Agent> = AGENTS.iter().filter(|agent| agent.name.contains(filter)).collect();
    ensure!(!chosen.is_empty(), "no agent's name holds {filter:?}");
    let name = |agent: &&Agent| format!("{} {}", agent.name, agent.version);
    each("clients", chosen, name, |&agent| play(agent, &product, breadth))
}

/// A governed world for a client; some do not run with a home below the folder for temporary files.
fn world_of_a_client(product: &Path) -> Result<World> {
    let parent = product::target_folder()?.join("agents");
    std::fs::create_dir_all(&parent)?;
    let world = World::in_folder(product, &parent)?;
    world.govern()?;
    world.gate_says(&["uninstall", "--agent", "claude-code"])?;
    Ok(world)
}

fn play(agent: &'static Agent, product: &Path, breadth: Breadth) -> Result<()> {
    let (world, told, printed) = heard(agent, product, &STEPS, |_| Ok(()))?;
    judge(&world, &told).with_context(|| format!("told: {told:#?}\n{printed}"))?;
    if let Some(register) = agent.also_runs {
        let (world, told, printed) = heard(agent, product, &STEPS, register)?;
        let hosts = acting_hosts(&world)?;
        ensure!(hosts == [agent.name], "with hooks of other hosts beside, {hosts:?} acted");
        judge(&world, &told).with_context(|| format!("beside others: {told:#?}\n{printed}"))?;
    }
    let (_, told, printed) = heard(agent, product, &MOVED, |_| Ok(()))?;
    stands(&told).with_context(|| format!("after a `cd`: {told:#?}\n{printed}"))?;
    if agent.rewrites {
        let (_, told, printed) = heard(agent, product, &REWRITTEN, |_| Ok(()))?;
        answered(&REWRITTEN, &told).with_context(|| format!("told: {told:#?}\n{printed}"))?;
    }
    if agent.is_granted {
        let (world, told, printed) = heard(agent, product, &GRANTED, |_| Ok(()))?;
        covered(&world, &told).with_context(|| format!("under a grant: {told:#?}\n{printed}"))?;
    }
    for (name, spoil) in DEAD.iter().chain(agent.unloaded).copied() {
        is_stopped(agent, &session(agent, product, &BLIND, spoil)?)
            .with_context(|| format!("the gate is {name}"))?;
    }
    let faults = if breadth == Breadth::Full { &Fault::ALL[..] } else { &[] };
    for fault in faults {
        let spoil = |world: &World| fault.befall(world, agent.before_a_tool, agent.patience);
        let played = session(agent, product, &BLIND, spoil)?;
        let ends = if agent.runs_at.contains(fault) { goes_on(&played) } else { is_stopped(agent, &played) };
        ends.with_context(|| format!("the gate is {} at a tool", fault.as_str()))?;
    }
    Ok(())
}

/// That the change was not made, and that somebody was told why.
fn is_stopped(agent: &Agent, (world, told, printed): &Session) -> Result<()> {
    // Some clients ask before the prompt, too, and then no model is asked.
    let stops = ["did not answer", "[abort] aborted", "UserPromptSubmit Blocked"];
    let says_so = stops.iter().any(|text| printed.contains(text)) || agent.drops_prompts;
    let was_stopped = told.len() == 1 || (told.is_empty() && says_so);
    ensure!(world.read(CHANGED).is_none() && was_stopped, "it was to be stopped: {told:#?}\n{printed}");
    Ok(())
}

/// That the change was made, as the page of hosts says.
fn goes_on((world, told, printed): &Session) -> Result<()> {
    ensure!(world.read(CHANGED).is_some(), "it was to go on: {told:#?}\n{printed}");
    Ok(())
}

/// A session of which no output of a command was lost; on clients that lose some now and then it is played again.
fn heard(agent: &'static Agent, product: &Path, steps: &'static [Step], spoil: Spoil) -> Result<Session> {
    let mut played = session(agent, product, steps, spoil)?;
    for _ in 1..TRIES {
        let lost = |told: &String| agent.lost.is_some_and(|sign| told.contains(sign));
        if !played.1.iter().any(lost) {
            break;
        }
        played = session(agent, product, steps, spoil)?;
    }
    Ok(played)
}

/// One run of the client.
fn session(
    agent: &'static Agent,
    product: &Path,
    steps: &'static [Step],
    spoil: impl FnOnce(&World) -> Result<()>,
) -> Result<Session> {
    let program = client::install_package(agent.package, agent.version, agent.program, agent.beside)?;
    let world = Arc::new(world_of_a_client(product)?);
    world.gate_says(&["init", "--agent", agent.name])?;
    spoil(&world)?;
    let told = Arc::new(Mutex::new(Vec::new()));
    let url = serve(Model { agent, steps, world: Arc::clone(&world), told: Arc::clone(&told) })?;
    (agent.prepare)(&world, &url)?;
    let mut environment = world.environment();
    let beside = program.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    for (_, path) in environment.iter_mut().filter(|(name, _)| name == "PATH" && !agent.beside.is_empty()) {
        *path = format!("{beside}:{path}");
    }
    environment.extend((agent.environment)(&url));
    let ended = client::run(client::Start {
        program: &program,
        folder: &world.repo(),
        environment,
        arguments: agent.arguments,
        prints: world.base().join("client"),
        limit: LIMIT,
    })?;
    let told = told.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok((world, told, format!("{}\n{}", ended.stdout, ended.stderr)))
}

fn answered(steps: &[Step], told: &[String]) -> Result<()> {
    ensure!(told.len() == steps.len(), "{} of {} steps were answered", told.len(), steps.len());
    for (step, told) in steps.iter().zip(told) {
        ensure!(told.contains(step.told), "{:?} was answered with {told}", step.act);
    }
    Ok(())
}

/// That a command runs where the gate was told, though the one before it has moved.
fn stands(told: &[String]) -> Result<()> {
    answered(&MOVED, told)?;
    ensure!(
        !told.iter().any(|told| told.contains("export")),
        "the client keeps its shell; its profile must say so"
    );
    Ok(())
}

fn covered(world: &World, told: &[String]) -> Result<()> {
    answered(&GRANTED, told)?;
    for path in ["src/auth/new.ts", "src/auth/more.ts"] {
        ensure!(world.read(path).is_some(), "{path} is not there");
    }
    Ok(())
}

fn judge(world: &World, told: &[String]) -> Result<()> {
    answered(&STEPS, told)?;
    ensure!(
        world.read("src/auth/new.ts").as_deref() == Some("export {};\n"),
        "the approved file is not there"
    );
    ensure!(world.read("src/core/new.ts").is_none(), "a file out of scope is there");
    Ok(())
}

/// The model of one session.
struct Model {
    agent: &'static Agent,
    steps: &'static [Step],
    world: Arc<World>,
    told: Arc<Mutex<Vec<String>>>,
}

/// A server on loopback that answers each request for a turn with the next step.
fn serve(model: Model) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}", listener.local_addr()?);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if let Err(error) = model.answer(&stream) {
                println!("{}: the model failed: {error:#}", model.agent.name);
            }
        }
    });
    Ok(url)
}

impl Model {
    fn answer(&self, stream: &TcpStream) -> Result<()> {
        let request = http::read(stream)?;
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let turn = |index: usize, act| {
            http::answer_stream(stream, &(self.agent.turn)(index, act, &self.world.repo()))
        };
        let has_tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
        let streams = request.path.contains("/messages") && body["stream"] == true;
        if !has_tools && (streams || request.path.contains("stream")) {
            return turn(self.steps.len(), None);
        }
        if !has_tools {
            return http::answer_json(stream, "200 OK", BESIDE);
        }
        let outputs = (self.agent.outputs)(&body);
        let index = outputs.len();
        if let Some(last) = outputs.last() {
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            told.truncate(index - 1);
            told.push(last.clone());
        }
        let next = self.steps.get(index);
        match next.map_or(Person::IsAway, |step| step.person) {
            Person::IsAway => {}
            Person::Approves => self.world.approve_oldest()?,
            Person::Grants => self.world.grant_oldest()?,
        }
        turn(index, next.map(|step| step.act))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::drive::AGENTS;
    use super::fault::Fault;
    use crate::e2e::client;
    use crate::workspace;

    /// A judge whose client is not installed plays nothing: an older one than here would go unnoticed.
    #[test]
    fn the_judges_play_the_clients_that_are_installed() {
        let agents = AGENTS.iter().map(|agent| client::folder(agent.package, agent.version));
        let installed: Vec<String> =
            agents.chain([client::folder(client::PACKAGE, client::VERSION)]).collect();
        for judge in ["envelopes/codex.rs", "envelopes/opencode.rs"] {
            let source = workspace::root().join("crates/differential/src").join(judge);
            let source = std::fs::read_to_string(source).unwrap();
            let (_, rest) = source.split_once("const CLIENT: &str = \"").unwrap();
            let (named, _) = rest.split_once('"').unwrap();
            assert!(installed.iter().any(|client| client == named), "{judge}: {named} of {installed:?}");
        }
    }

    /// What the page of hosts says of a client is what is played with it.
    #[test]
    fn what_a_client_does_without_an_answer_is_what_the_page_says() {
        let file = workspace::root().join("crates/adapters-hooks/conformance/measured.json");
        let measured: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        assert_eq!(measured["claude-code"]["version"], client::VERSION, "played by the scenarios `broken:`");
        for agent in &AGENTS {
            let said = &measured[agent.name];
            assert_eq!(said["version"], agent.version, "{}", agent.name);
            for fault in Fault::ALL.iter().filter(|fault| **fault != Fault::Foreign) {
                let ends = if agent.runs_at.contains(fault) { "runs" } else { "stopped" };
                assert_eq!(said[fault.as_str()], ends, "{}: {}", agent.name, fault.as_str());
            }
        }
    }

    /// The judge of edits plays the versions that count as measured, where they are installed.
    #[test]
    fn what_is_installed_is_among_the_measured_versions() {
        let hosts = workspace::root().join("crates/adapters-hooks/src/hosts");
        let names =
            |file: &str, version: &str| std::fs::read_to_string(hosts.join(file)).unwrap().contains(version);
        for agent in AGENTS.iter().filter(|agent| ["copilot", "opencode", "qwen"].contains(&agent.name)) {
            let version = format!("Version::of({})", agent.version.replace('.', ", "));
            assert!(names(&format!("{}/profile.rs", agent.name), &version), "{}: {version}", agent.name);
        }
        let version = client::VERSION.replace("2.1.", "of_2_1(") + ")";
        assert!(names("claude_code/edits.rs", &version), "{version}");
    }
}
