//! A governed repository right before a program of the gate is run, as a number alone makes it: what was recorded, what
//! an earlier crash left behind, what is about to happen.
//!
//! It can be brought back as often as wanted. Deliberately absent: crashing, and what must hold.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::act::Act;
use super::wound::Wound;
use crate::stage::dice::Dice;
use crate::stage::hook_driver::{HookDriver, request_id};
use crate::stage::wire::Wire;
use crate::stage::world::World;

/// In one of so many scenes the next append begins a new file of the ledger. Not a multiple of the number of acts.
const LONG_EVERY: u64 = 7;
/// How long a file of the ledger is then, in bytes.
const LONG: u64 = 16 << 20;

/// The main call's id.
pub(super) const MAIN: &str = "toolu_main";
/// The id of a call of another session, which is let through and has changed its file.
pub(super) const NEXT: &str = "toolu_next";

pub(super) const MAIN_FILE: &str = "src/auth/main.ts";
const NEXT_FILE: &str = "src/auth/next.ts";
/// The call whose yes began a grant, and its file.
const GRANTED: &str = "toolu_granted";
const GRANTED_FILE: &str = "src/auth/granted.ts";

/// The scene.
pub(super) struct Scene {
    pub(super) seed: u64,
    pub(super) act: Act,
    pub(super) wound: Wound,
    /// Whether the other session's call is recorded while the program runs.
    pub(super) has_company: bool,
    pub(super) world: World,
    pub(super) hook: HookDriver,
    /// The other session.
    pub(super) beside: HookDriver,
    /// The bytes of the ledger that no crash may take.
    pub(super) kept: Vec<u8>,
    saved: PathBuf,
}

struct Plan {
    act: Act,
    wound: Wound,
    has_company: bool,
    entries: usize,
}

impl Scene {
    /// The scene of that number.
    pub(super) fn build(product: &Path, seed: u64) -> Result<Self> {
        let mut dice = Dice::of(seed);
        dice.roll(2);
        let act = Act::of(seed);
        let entries = dice.roll(4);
        let wound = dice.pick(Wound::ALL).copied().filter(|_| dice.roll(4) > 0).unwrap_or(Wound::None);
        // It takes long to look at, so that it comes at its own pace: here the append begins a new file.
        let wound = if seed % LONG_EVERY == LONG_EVERY - 1 { Wound::LongLedger } else { wound };
        let has_company = dice.roll(3) == 0;
        Self::of(product, (seed, dice), Plan { act, wound, has_company, entries })
    }

    /// A hook that records into a ledger of that many entries, with nothing amiss.
    pub(super) fn plain(product: &Path, entries: usize) -> Result<Self> {
        let plan = Plan { act: Act::Record, wound: Wound::None, has_company: false, entries };
        Self::of(product, (0, Dice::of(0)), plan)
    }

    fn of(product: &Path, (seed, mut dice): (u64, Dice), plan: Plan) -> Result<Self> {
        let Plan { act, wound, has_company, entries } = plan;
        let world = World::in_folder(product, memory())?;
        world.govern()?;
        let mut wire = Wire::open(&world, &world.repo())?;
        for entry in 0..entries.max(wound.entries()).max(usize::from(act == Act::Seal)) {
            let content = format!("export const n{entry} = {};\n", dice.roll(1000));
            wire.record(&world.repo(), &format!("src/auth/file{entry}.ts"), &content)?;
            if dice.roll(3) == 0 {
                world.gate_says(&["trace", "seal"])?;
            }
        }
        if wound == Wound::LongLedger {
            lengthen(&mut wire, &world)?;
        }
        drop(wire);
        let hook = HookDriver::installed(&world)?;
        let beside = hook.in_session(1);
        let saved = world.base().join("saved");
        let mut scene = Self { seed, act, wound, has_company, world, hook, beside, kept: Vec::new(), saved };
        scene.set()?;
        scene.kept = wound.inflict(&scene.world)?;
        scene.save()?;
        Ok(scene)
    }

    /// Brings the sessions to where the program is run.
    fn set(&self) -> Result<()> {
        self.beside.select("INT-001")?;
        let next = Self::call(&self.beside, NEXT_FILE, NEXT);
        self.approve(&self.beside, &next)?;
        self.let_through(&self.beside, &next)?;
        self.world.write(NEXT_FILE, "written\n")?;
        match self.act {
            Act::AdmitOnWire | Act::RecordOnWire => self.set_on_wire()?,
            Act::Spend => self.set_with_a_grant()?,
            _ => self.set_hooked()?,
        }
        self.forget_agents()
    }

    /// This process counts as an agent where it sent events; a person's commands are run by somebody else.
    fn forget_agents(&self) -> Result<()> {
        let state = self.world.home().join(".local/state/bailiwick");
        for agents in [self.private().join("agents"), state.join("agents")] {
            if agents.exists() {
                std::fs::remove_dir_all(agents).context("the agents")?;
            }
        }
        Ok(())
    }

    fn set_hooked(&self) -> Result<()> {
        self.hook.select("INT-001")?;
        let main = self.main(MAIN);
        if !matches!(self.act, Act::Ask | Act::Seal) {
            self.approve(&self.hook, &main)?;
        }
        if self.act.is_after() {
            self.let_through(&self.hook, &main)?;
            self.run_the_tool()?;
        }
        Ok(())
    }

    /// A grant of one call more is live.
    fn set_with_a_grant(&self) -> Result<()> {
        self.hook.select("INT-001")?;
        let granted = Self::call(&self.hook, GRANTED_FILE, GRANTED);
        let asked = self.hook.send(&granted)?.to_string();
        let id = request_id(&asked).with_context(|| format!("no request in {asked}"))?;
        self.world.person_runs(&format!("bailiwick approval grant {id} --calls 1"))?;
        self.let_through(&self.hook, &granted)?;
        self.world.write(GRANTED_FILE, "written\n")?;
        self.hook.send(&Self::after(granted))?;
        ensure!(self.calls_of_the_grant()? == 0, "the grant is used already");
        Ok(())
    }

    /// The main session speaks over the wire.
    fn set_on_wire(&self) -> Result<()> {
        self.forget_agents()?;
        let mut wire = Wire::open(&self.world, &self.world.repo())?;
        let select =
            json!({"phase": "pre", "toolName": "select_active_intent", "params": {"intent_id": "INT-001"}});
        wire.ask(&select)?;
        let main = Self::main_on_wire("pre", MAIN);
        let asked = wire.ask(&main)?;
        self.world
            .approve(asked["approvalId"].as_str().with_context(|| format!("no request in {asked}"))?)?;
        if self.act.is_after() {
            let answer = wire.ask(&main)?;
            ensure!(answer["action"] == "allow", "the approved write is answered with {answer}");
            self.run_the_tool()?;
        }
        Ok(())
    }

    fn call(hook: &HookDriver, path: &str, id: &str) -> Value {
        let input = json!({"file_path": hook.repo.join(path), "content": "written\n"});
        let mut call = hook.call("Write", &input, id);
        call["permission_mode"] = "bypassPermissions".into();
        call
    }

    /// The main call under that id.
    pub(super) fn main(&self, id: &str) -> Value {
        Self::call(&self.hook, MAIN_FILE, id)
    }

    /// The tool of the main call does its work.
    pub(super) fn run_the_tool(&self) -> Result<()> {
        self.world.write(MAIN_FILE, "written\n")
    }

    fn approve(&self, hook: &HookDriver, call: &Value) -> Result<()> {
        let asked = hook.send(call)?.to_string();
        let id = request_id(&asked).with_context(|| format!("no request in {asked}"))?;
        self.world.approve(id)
    }

    fn let_through(&self, hook: &HookDriver, call: &Value) -> Result<()> {
        let answer = hook.send(call)?.to_string();
        ensure!(answer.contains("\"allow\""), "the approved write is answered with {answer}");
        Ok(())
    }

    pub(super) fn after(mut call: Value) -> Value {
        let path = call["tool_input"]["file_path"].clone();
        call["hook_event_name"] = json!("PostToolUse");
        call["tool_response"] =
            json!({"type": "create", "filePath": path, "content": "written\n", "structuredPatch": []});
        call
    }

    /// The event after the other session's call.
    pub(super) fn next(&self) -> Value {
        Self::after(Self::call(&self.beside, NEXT_FILE, NEXT))
    }

    /// The end of the main session's turn.
    pub(super) fn stop(&self) -> Value {
        self.hook.event("Stop")
    }

    /// Whether a call that is let through when it is tried again also runs. In one of three rounds it does not.
    pub(super) fn retry_runs(&self) -> bool {
        self.seed / 10 % 3 != 2
    }

    fn words(&self, words: &[&str]) -> Vec<String> {
        let gate = self.world.gate().display().to_string();
        [gate.as_str()].iter().chain(words).map(|word| (*word).to_owned()).collect()
    }

    fn wire(&self, request: &Value) -> (Vec<String>, String) {
        (self.words(&["gate"]), format!("{request}\n"))
    }

    /// The program's words, and what it reads.
    pub(super) fn program(&self) -> (Vec<String>, String) {
        let person = |words: &[&str]| (self.words(words), String::new());
        let event = match self.act {
            Act::Repair => return person(&["trace", "repair", "--json"]),
            Act::Seal => return person(&["trace", "seal"]),
            Act::AdmitOnWire => return self.wire(&Self::main_on_wire("pre", MAIN)),
            Act::RecordOnWire => return self.wire(&Self::main_on_wire("post", MAIN)),
            Act::Ask | Act::Admit | Act::Spend => self.main(MAIN),
            Act::Record => Self::after(self.main(MAIN)),
            Act::Settle => self.stop(),
        };
        (self.hook.words.clone(), event.to_string())
    }

    /// Private state.
    pub(super) fn private(&self) -> PathBuf {
        self.world.repo().join(".git/bailiwick")
    }

    /// All that the ledger has: its parts, and the file that is appended to. A part that begins as that file does is that
    /// file, under the name that it is about to have.
    pub(super) fn ledger(&self) -> Result<Vec<u8>> {
        let folder = self.private().join("ledger");
        // Without a witness the next entry begins a ledger of its own, and the one before is kept as one that ended.
        let ended = paths(&folder.join("ended"))?
            .into_iter()
            .filter(|path| path.extension() == Some("jsonl".as_ref()));
        let mut bytes = Vec::new();
        for newest in ended {
            bytes.extend(chain(&newest, &newest.with_extension("parts"))?);
        }
        bytes.extend(self.current()?);
        Ok(bytes)
    }

    /// The bytes of the ledger that is appended to.
    pub(super) fn current(&self) -> Result<Vec<u8>> {
        chain(&self.live(), &self.private().join("ledger/parts"))
    }

    /// The file of the ledger that is appended to.
    pub(super) fn live(&self) -> PathBuf {
        self.private().join("ledger/live.jsonl")
    }

    /// The view.
    pub(super) fn view(&self) -> PathBuf {
        self.world.repo().join(".orchestration/agent_trace.jsonl")
    }

    /// What the program may change.
    fn parts(&self) -> [PathBuf; 5] {
        [
            self.private(),
            self.world.home().join(".local/state/bailiwick"),
            self.view(),
            self.world.repo().join(".orchestration/trace"),
            self.world.repo().join(MAIN_FILE),
        ]
    }

    fn save(&self) -> Result<()> {
        for (number, part) in self.parts().iter().enumerate() {
            copy(part, &self.saved.join(number.to_string()))?;
        }
        Ok(())
    }

    /// Puts everything back.
    pub(super) fn restore(&self) -> Result<()> {
        for (number, part) in self.parts().iter().enumerate() {
            if part.is_dir() {
                std::fs::remove_dir_all(part)?;
            } else if part.exists() {
                std::fs::remove_file(part)?;
            }
            copy(&self.saved.join(number.to_string()), part)?;
        }
        Ok(())
    }
}

/// Records large changes until the next one begins a new file.
fn lengthen(wire: &mut Wire, world: &World) -> Result<()> {
    const LINES: usize = 8_000;
    let live = world.repo().join(".git/bailiwick/ledger/live.jsonl");
    let mut round = 0;
    while !live.metadata().is_ok_and(|meta| meta.len() >= LONG) {
        // Every second line is another one each time, so that there are as many runs.
        let line = |number: usize| format!("export const c{number} = {};\n", (number % 2) * round);
        let content: String = (0..LINES).map(line).collect();
        wire.record(&world.repo(), "src/auth/long.ts", &content)?;
        round += 1;
    }
    Ok(())
}

/// A folder in memory, where there is one: what a killed process leaves does not depend on the disk, and a thousand
/// syncs do.
fn memory() -> &'static Path {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory } else { Path::new("/tmp") }
}

/// Copies a file or a folder with all in it; nothing when it is not there.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        std::fs::create_dir_all(to)?;
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else if from.exists() {
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::copy(from, to).with_context(|| from.display().to_string())?;
    }
    Ok(())
}

/// The paths in a folder, in their order; none where it is not there.
fn paths(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = if folder.is_dir() { Some(std::fs::read_dir(folder)?) } else { None };
    let mut paths =
        entries.into_iter().flatten().map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

/// The bytes of one ledger: its parts and its newest file, which may still be named as a part, too.
fn chain(newest: &Path, parts: &Path) -> Result<Vec<u8>> {
    let newest = std::fs::read(newest).unwrap_or_default();
    let head = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').next().map(<[u8]>::to_vec);
    let mut bytes = Vec::new();
    for part in paths(parts)? {
        let part = std::fs::read(part)?;
        if head(&part) != head(&newest) {
            bytes.extend(part);
        }
    }
    bytes.extend(newest);
    Ok(bytes)
}
