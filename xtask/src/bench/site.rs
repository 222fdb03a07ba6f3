//! The governed repositories that are measured: a small one, and one for each thing that must not matter.
//!
//! Each load is sent once by hand first, so that what is measured is known to be the decision it is named after.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Depth;
use super::cpu::Load;
use crate::stage::hook_driver::HookDriver;
use crate::stage::world::{INTENTS, World};

/// The name of the load that only reads.
pub(crate) const SAFE: &str = "a read";
const BLOCKED: &str = "a write out of scope";
const PENDING: &str = "a write that waits for approval";

/// How many different events a load cycles through. Each call that is blocked has a session of its own: what is measured
/// is a decision in an ordinary session, not in one that was refused two hundred times.
const VARIANTS: usize = 350;

/// What is large about a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Small,
    Intents(usize),
    LedgerLines(usize),
    Files(usize),
}

impl Size {
    /// The sizes of a run, the small one first.
    pub(crate) fn all(depth: Depth) -> Vec<Self> {
        match depth {
            Depth::Quick => {
                vec![Self::Small, Self::Intents(5_000), Self::LedgerLines(200_000), Self::Files(20_000)]
            }
            Depth::Full => {
                vec![Self::Small, Self::Intents(5_000), Self::LedgerLines(1_000_000), Self::Files(200_000)]
            }
        }
    }

    /// In words.
    pub(crate) fn describe(self) -> String {
        match self {
            Self::Small => "small".to_owned(),
            Self::Intents(count) => format!("{count} intents"),
            Self::LedgerLines(count) => format!("{count} ledger lines"),
            Self::Files(count) => format!("{count} files"),
        }
    }
}

/// One repository, ready to be measured.
pub(crate) struct Site {
    size: Size,
    world: World,
    hook: HookDriver,
    events: PathBuf,
}

impl Site {
    /// Builds the repository below the folder and selects the intent.
    pub(crate) fn build(product: &Path, folder: &Path, size: Size) -> Result<Self> {
        let world = World::in_folder(product, folder)?;
        if let Size::Files(count) = size {
            add_files(&world, count)?;
        }
        match size {
            Size::Intents(count) => world.govern_with(&many_intents(count))?,
            _ => world.govern()?,
        }
        let hook = HookDriver::installed(&world)?;
        hook.select("INT-001")?;
        hook.record_one_write(&world)?;
        if let Size::LedgerLines(count) = size {
            grow_ledger(&world, count)?;
        }
        let events = world.base().join("events");
        std::fs::create_dir_all(&events)?;
        Ok(Self { size, world, hook, events })
    }

    /// What is large here.
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// The three loads.
    pub(crate) fn loads(&self) -> Result<Vec<Load>> {
        let path = |path: &str| self.world.repo().join(path).display().to_string();
        let read = |_| json!({ "file_path": path("src/auth/login.ts") });
        let outside = |n| json!({ "file_path": path("src/core/new.ts"), "content": format!("{n}\n") });
        let inside = |_| json!({ "file_path": path("src/auth/new.ts"), "content": "export {};\n" });
        Ok(vec![
            self.load(SAFE, "Read", read, "", |_| 1)?,
            self.load(BLOCKED, "Write", outside, "SCOPE_VIOLATION", |variant| 1_000 + variant)?,
            self.load(PENDING, "Write", inside, "APPROVAL_PENDING", |_| 2)?,
        ])
    }

    fn load(
        &self,
        name: &'static str,
        tool: &str,
        input: impl Fn(usize) -> Value,
        code: &str,
        session: impl Fn(u32) -> u32,
    ) -> Result<Load> {
        let mut inputs = Vec::new();
        let mut selected = None;
        for variant in 0..VARIANTS {
            let session = session(u32::try_from(variant)?);
            let hook = self.hook.in_session(session);
            if selected.replace(session) != Some(session) {
                hook.select("INT-001")?;
            }
            let event = hook.call(tool, &input(variant), &format!("toolu_{variant:04}"));
            if variant == 0 {
                let answer = hook.send(&event)?.to_string();
                let refused = answer.contains("\"deny\"") || answer.contains("deny\\\"");
                let as_named = if code.is_empty() { !refused } else { answer.contains(code) };
                ensure!(as_named, "{name} ({}) is answered with {answer}", self.size.describe());
            }
            let file = self.events.join(format!("{}-{variant}.json", name.replace(' ', "-")));
            std::fs::write(&file, event.to_string())?;
            inputs.push(file);
        }
        Ok(Load {
            name: name.to_owned(),
            words: self.hook.words.clone(),
            environment: self.hook.environment.clone(),
            folder: self.world.repo(),
            inputs,
            openings: Vec::new(),
        })
    }
}

/// The usual intent, and many others behind it.
fn many_intents(count: usize) -> String {
    let mut yaml = INTENTS.to_owned();
    for number in 2..=count {
        yaml.push_str(&format!(
            "  - id: INT-{number:03}\n    name: Change part {number}\n    status: PENDING\n    owned_scope:\n      - src/part{number}/**\n"
        ));
    }
    yaml
}

/// Puts many empty files into the repository's index.
fn add_files(world: &World, count: usize) -> Result<()> {
    for number in 0..count {
        let folder = world.repo().join(format!("bulk/d{}", number / 200));
        if number % 200 == 0 {
            std::fs::create_dir_all(&folder)?;
        }
        std::fs::File::create(folder.join(format!("f{number}.txt")))?;
    }
    let output = world.output(Command::new("git").args(["add", "-A"]))?;
    ensure!(output.status.success(), "git add: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Repeats the newest ledger line before itself, so that the end of the file stays what the store expects.
fn grow_ledger(world: &World, count: usize) -> Result<()> {
    let path = world.repo().join(".git/bailiwick/ledger/live.jsonl");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let line = text.lines().next_back().context("the ledger is empty")?;
    let mut file = BufWriter::new(std::fs::OpenOptions::new().append(true).open(&path)?);
    for _ in 1..count {
        writeln!(file, "{line}")?;
    }
    Ok(file.flush()?)
}
