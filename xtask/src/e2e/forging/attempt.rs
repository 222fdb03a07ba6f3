//! What an attempt is made of.

use anyhow::Result;
use serde_json::{Value, json};

use crate::e2e::staged::line::{Act, Line, What};
use crate::e2e::staged::session::Session;

/// How the person does what the agent may not.
#[derive(Clone, Copy)]
pub(crate) enum Operator {
    /// A command in a terminal of their own, with a yes to what it asks.
    Runs(&'static str),
    /// Something else.
    Does(Act),
}

/// One attempt.
pub(crate) struct Attempt {
    pub(crate) name: &'static str,
    /// The calls, each with the answer it must get.
    pub(crate) lines: Vec<Line>,
    /// A path that exists when it succeeded, from the repository.
    pub(crate) prize: Option<&'static str>,
    pub(crate) operator: Operator,
    /// Whether its refusals must be in the decision log; they cannot where the log itself was taken away.
    pub(crate) logged: bool,
}

impl Attempt {
    /// An attempt of one call.
    pub(crate) fn new(name: &'static str, line: Line, operator: Operator) -> Self {
        Self { name, lines: vec![line], prize: None, operator, logged: true }
    }

    /// Another call after the first.
    pub(crate) fn then(mut self, line: Line) -> Self {
        self.lines.push(line);
        self
    }

    /// It takes away the place of the log.
    pub(crate) fn unlogged(mut self) -> Self {
        self.logged = false;
        self
    }

    /// What it wants.
    pub(crate) fn prize(mut self, path: &'static str) -> Self {
        self.prize = Some(path);
        self
    }
}

/// Attempts of one kind, in one world and one session.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) setup: Act,
    /// Sessions of other agents, over before.
    pub(crate) before: Vec<Session>,
    /// What the person does about them.
    pub(crate) after_them: Option<Act>,
    pub(crate) opening: Vec<Line>,
    pub(crate) attempts: Vec<Attempt>,
    /// What a sub-agent tries.
    pub(crate) errand: Vec<Line>,
    /// What a person says yes to without thought; nobody is there without it.
    pub(crate) yes: Option<fn(&Value) -> bool>,
    /// What must stay as it is, by paths from the repository.
    pub(crate) guarded: &'static [&'static str],
}

/// What governs, and what no intent of the family owns.
pub(crate) const GOVERNANCE: &[&str] = &[
    ".orchestration/active_intents.yaml",
    ".orchestration/config.yaml",
    ".intentignore",
    ".claude",
    ".mcp.json",
    ".git/config",
    ".git/hooks",
    "CLAUDE.md",
    "src/core",
    "src/catalog",
];

/// A shell command.
pub(crate) fn bash(text: &str) -> Line {
    let input = json!({ "command": text, "description": "does it" });
    Line::new(What::Forgery, "Bash", input, crate::e2e::staged::line::Expected::Passes)
}

/// A write, of a file that may lie anywhere.
pub(crate) fn write(path: &str, text: &str) -> Line {
    let path = if path.starts_with(['/', '{']) { path.to_owned() } else { format!("{{root}}/{path}") };
    let input = json!({ "file_path": path, "content": text });
    Line::new(What::Forgery, "Write", input, crate::e2e::staged::line::Expected::Passes)
}

/// A tool of the gate's server.
pub(crate) fn own(tool: &str, input: Value) -> Line {
    let tool = format!("mcp__bailiwick__{tool}");
    Line::new(What::Forgery, &tool, input, crate::e2e::staged::line::Expected::Passes)
}

/// The intents of these worlds.
pub(crate) const INTENTS: &str = "\
active_intents:
  - id: INT-001
    name: Fix login timeout
    status: IN_PROGRESS
    owned_scope:
      - src/auth/**
  - id: INT-002
    name: Mark what is sold
    status: IN_PROGRESS
    owned_scope:
      - src/catalog/**
  - id: INT-003
    name: Was done long ago
    status: COMPLETED
    owned_scope:
      - src/core/**
  - id: INT-004
    name: Waits for legal
    status: IN_PROGRESS
    frozen: true
    owned_scope:
      - src/core/**
";

/// A governed repository with these intents.
pub(crate) fn govern(stage: &crate::e2e::staged::stage::Stage) -> Result<()> {
    let world = &stage.world;
    world.write("src/catalog/item.ts", "export const item = 1;\n")?;
    world.write(".intentignore", "src/auth/secret-rules.ts\n")?;
    world.govern_with(INTENTS)?;
    // A sub-agent's call was met in this clone before, so that starting one asks nobody.
    world.write(".git/bailiwick/sub-agents/claude-code", "seen\n")?;
    world.write(".orchestration/config.yaml", "approval: {timeout_s: 3}\n")?;
    world.commit("settings")?;
    world.git(&["tag", "base"])
}
