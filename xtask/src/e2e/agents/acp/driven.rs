//! The agents that an editor drives: their packages, how they are started, and the models of those that no other run has.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{Must, client};
use crate::e2e::agents::Act;
use crate::e2e::agents::drive::{AGENTS, Agent, event, pairs, text};
use crate::stage::world::World;
use crate::workspace;

/// One agent.
pub(super) struct Driven {
    pub(super) name: &'static str,
    /// The host; its row says how its model speaks.
    pub(super) host: &'static str,
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    pub(super) program: &'static str,
    pub(super) words: &'static [&'static str],
    pub(super) prepare: fn(&World, &str) -> Result<()>,
    pub(super) must: Must,
}

pub(super) const DRIVEN: [Driven; 4] = [
    Driven {
        name: "opencode",
        host: "opencode",
        package: "opencode-ai",
        version: "1.18.33",
        program: "opencode",
        words: &["acp"],
        prepare: opencode_that_asks,
        must: Must::BeJudged,
    },
    Driven {
        name: "claude-agent-acp",
        host: "claude-code",
        package: "@agentclientprotocol/claude-agent-acp",
        version: "0.101.0",
        program: "claude-agent-acp",
        words: &[],
        prepare: |_, _| Ok(()),
        must: Must::BeJudged,
    },
    Driven {
        name: "gemini",
        host: "gemini",
        package: "@google/gemini-cli",
        version: "0.61.0",
        program: "gemini",
        words: &["--acp"],
        prepare: |world, url| (of("gemini")?.prepare)(world, url),
        must: Must::GetNoPrompt,
    },
    Driven {
        name: "codex-acp",
        host: "codex",
        package: "@agentclientprotocol/codex-acp",
        version: "2.6.0",
        program: "codex-acp",
        words: &[],
        prepare: |world, url| (of("codex")?.prepare)(world, url),
        must: Must::BeStopped,
    },
];

/// Installs an agent once and gives its program. Not every one of them answers `--version`.
pub(super) fn install(driven: &Driven) -> Result<PathBuf> {
    let short = driven.package.rsplit('/').next().unwrap_or(driven.package);
    let folder = workspace::cache_folder()?.join("clients").join(format!("{short}-{}", driven.version));
    let manifest = folder.join("node_modules").join(driven.package).join("package.json");
    let is_there = || {
        let text = std::fs::read_to_string(&manifest).unwrap_or_default();
        serde_json::from_str::<Value>(&text).is_ok_and(|manifest| manifest["version"] == driven.version)
    };
    if !is_there() {
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        println!("installing {}@{} into {}", driven.package, driven.version, folder.display());
        let mut npm = std::process::Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--save-exact", "--prefix"]);
        workspace::run(npm.arg(&folder).arg(format!("{}@{}", driven.package, driven.version)))?;
    }
    ensure!(is_there(), "{} is not version {}", manifest.display(), driven.version);
    Ok(folder.join("node_modules/.bin").join(driven.program))
}

/// `OpenCode` with its own questions before edits and commands.
fn opencode_that_asks(world: &World, url: &str) -> Result<()> {
    (of("opencode")?.prepare)(world, url)?;
    let file = world.home().join(".config/opencode/opencode.json");
    let mut settings: Value = serde_json::from_str(&std::fs::read_to_string(&file)?)?;
    settings["permission"] = json!({"edit": "ask", "bash": "ask"});
    Ok(std::fs::write(file, settings.to_string())?)
}

/// The host of that name.
pub(super) fn of(host: &str) -> Result<&'static Agent> {
    let found = AGENTS.iter().chain([&CLAUDE]).find(|agent| agent.name == host);
    found.with_context(|| format!("no agent is called {host}"))
}

/// Claude Code below its adapter.
static CLAUDE: Agent = Agent {
    name: "claude-code",
    package: "",
    version: "",
    program: "",
    beside: &[],
    arguments: &[],
    prepare: |_, _| Ok(()),
    environment: |url| {
        pairs(&[
            ("ANTHROPIC_BASE_URL", url),
            ("ANTHROPIC_API_KEY", client::API_KEY),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
        ])
    },
    outputs: |body| {
        let messages = body["messages"].as_array().into_iter().flatten();
        let parts = messages.filter_map(|message| message["content"].as_array()).flatten();
        parts.filter(|part| part["type"] == "tool_result").map(|part| text(&part["content"])).collect()
    },
    turn: claude_turn,
    rewrites: false,
    is_granted: false,
    before_a_tool: "",
    patience: None,
    runs_at: &[],
    lost: None,
    also_runs: None,
    unloaded: &[],
    drops_prompts: false,
};

fn claude_turn(index: usize, act: Option<Act>, root: &Path) -> Vec<String> {
    let call = act.map(|act| match act {
        Act::Run(command) => ("Bash", json!({"command": command, "description": "x"})),
        Act::Write(path, text) => {
            ("Write", json!({"file_path": root.join(path).display().to_string(), "content": text}))
        }
    });
    let reason = if call.is_some() { "tool_use" } else { "end_turn" };
    let (block, delta) = match call {
        Some((name, input)) => (
            json!({"type": "tool_use", "id": format!("toolu_{index}"), "name": name, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": input.to_string()}),
        ),
        None => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": "done"})),
    };
    let message = json!({
        "id": format!("msg_{index}"), "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
        "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    });
    let over = json!({"stop_reason": reason, "stop_sequence": null});
    [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": over, "usage": {"output_tokens": 1}}),
        json!({"type": "message_stop"}),
    ]
    .iter()
    .map(|data| format!("event: {}\n{}", text(&data["type"]), event(data)))
    .collect()
}
