//! How each client is driven: its package, what it needs in its home and environment, and how its model speaks.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::fault::{Fault, Patience};
use super::{Act, Spoil, register};
use crate::stage::world::World;

/// One client.
pub(super) struct Agent {
    /// The host's name.
    pub(super) name: &'static str,
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    pub(super) program: &'static str,
    /// Packages that it needs beside, such as another Node.
    pub(super) beside: &'static [&'static str],
    pub(super) arguments: &'static [&'static str],
    /// What must lie in its home, for a model at that address.
    pub(super) prepare: fn(&World, &str) -> Result<()>,
    pub(super) environment: fn(&str) -> Vec<(String, String)>,
    /// What tools answered so far, by a request for a turn.
    pub(super) outputs: fn(&Value) -> Vec<String>,
    /// A turn as server-sent events; the last one when nothing is wanted.
    pub(super) turn: fn(usize, Option<Act>, &Path) -> Vec<String>,
    /// Whether it takes each command back from the hook, with the folder in it that was judged.
    pub(super) rewrites: bool,
    /// Whether a grant covers the new files that it writes.
    pub(super) is_granted: bool,
    /// What the events have in them that it sends before a tool.
    pub(super) before_a_tool: &'static str,
    /// Where its limit for a hook stands, if it is too long to be waited for.
    pub(super) patience: Option<Patience>,
    /// The faults of a gate at a tool with which it makes the call all the same.
    pub(super) runs_at: &'static [Fault],
    /// What it tells the model where it has lost what a quick command printed, if it loses that now and then.
    pub(super) lost: Option<&'static str>,
    /// Registers those hosts' hooks that it runs beside its own, if it does.
    pub(super) also_runs: Option<Spoil>,
    /// Ways in which its hooks are not loaded, on clients that would go on then.
    pub(super) unloaded: &'static [(&'static str, Spoil)],
    /// Whether it prints nothing when a prompt is refused: then no model is asked, and nobody is told why.
    pub(super) drops_prompts: bool,
}

pub(super) static AGENTS: [Agent; 7] = [
    Agent {
        name: "cline",
        package: "cline",
        version: "3.0.65",
        program: "cline",
        beside: &[],
        // It gives up after three refusals in a row, if nobody says otherwise.
        arguments: &["--retries", "20", "go on"],
        prepare: cline_home,
        // Without its daemon, which would outlive the run; and on a busy machine a plugin needs more than its four seconds.
        environment: |_| {
            pairs(&[("CLINE_SESSION_BACKEND_MODE", "local"), ("CLINE_PLUGIN_IMPORT_TIMEOUT_MS", "60000")])
        },
        outputs: chat_outputs,
        turn: cline_turn,
        rewrites: false,
        is_granted: false,
        before_a_tool: PLUGIN_TOOL,
        patience: None,
        runs_at: &[],
        lost: None,
        also_runs: None,
        unloaded: &CLINE_UNLOADED,
        drops_prompts: false,
    },
    Agent {
        name: "codex",
        package: "@openai/codex",
        version: "0.169.0",
        program: "codex",
        beside: &[],
        arguments: &[
            "exec",
            "--skip-git-repo-check",
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
            "go",
        ],
        prepare: codex_home,
        environment: |_| pairs(&[("XKEY", "x"), ("SHELL", "/bin/bash")]),
        outputs: |body| {
            let items = body["input"].as_array().into_iter().flatten();
            items
                .filter(|item| item["type"] == "function_call_output")
                .map(|item| text(&item["output"]))
                .collect()
        },
        turn: codex_turn,
        rewrites: true,
        is_granted: true,
        before_a_tool: CLAUDE_LIKE_TOOL,
        patience: Some(Patience {
            file: ".codex/hooks.json",
            long: "\"timeout\": 120",
            short: "\"timeout\": 2",
        }),
        runs_at: &NO_HOOK_CLOSES,
        lost: None,
        also_runs: None,
        unloaded: &[],
        drops_prompts: false,
    },
    Agent {
        name: "copilot",
        package: "@github/copilot",
        version: "1.0.102",
        program: "copilot",
        beside: &[],
        arguments: &["-p", "go", "--allow-all-tools"],
        prepare: |_, _| Ok(()),
        environment: |url| {
            let url = format!("{url}/v1");
            pairs(&[
                ("COPILOT_OFFLINE", "true"),
                ("COPILOT_PROVIDER_BASE_URL", &url),
                ("COPILOT_MODEL", "m1"),
                ("COPILOT_PROVIDER_API_KEY", "x"),
                ("COPILOT_AUTO_UPDATE", "false"),
                ("COPILOT_ALLOW_ALL", "true"),
            ])
        },
        outputs: chat_outputs,
        turn: copilot_turn,
        rewrites: false,
        is_granted: true,
        before_a_tool: "\"toolArgs\"",
        patience: Some(Patience {
            file: ".github/hooks/bailiwick.json",
            long: "\"timeoutSec\": 120",
            short: "\"timeoutSec\": 2",
        }),
        runs_at: &NO_HOOK_CLOSES,
        lost: None,
        also_runs: Some(|world| register(world, &["claude-code", "vscode"])),
        unloaded: &[],
        drops_prompts: false,
    },
    Agent {
        name: "gemini",
        package: "@google/gemini-cli",
        version: "0.61.0",
        program: "gemini",
        beside: &[],
        arguments: &["-p", "go", "--approval-mode", "yolo"],
        prepare: gemini_home,
        environment: |url| pairs(&[("GOOGLE_GEMINI_BASE_URL", url), ("GEMINI_API_KEY", "x")]),
        outputs: |body| {
            let contents = body["contents"].as_array().into_iter().flatten();
            let parts = contents.filter_map(|content| content["parts"].as_array()).flatten();
            parts
                .filter_map(|part| part.get("functionResponse"))
                .map(|said| said["response"].to_string())
                .collect()
        },
        turn: gemini_turn,
        rewrites: false,
        is_granted: false,
        before_a_tool: "\"hook_event_name\":\"BeforeTool\"",
        patience: Some(Patience {
            file: ".gemini/settings.json",
            long: "\"timeout\": 120000",
            short: "\"timeout\": 2000",
        }),
        runs_at: &NO_HOOK_CLOSES,
        lost: None,
        also_runs: None,
        unloaded: &[],
        drops_prompts: false,
    },
    Agent {
        name: "kimi",
        package: "@moonshot-ai/kimi-code",
        version: "2.1.0",
        program: "kimi",
        beside: &["node@22.23.3"],
        arguments: &["-p", "go"],
        prepare: kimi_home,
        environment: |_| Vec::new(),
        outputs: chat_outputs,
        turn: kimi_turn,
        rewrites: false,
        is_granted: false,
        before_a_tool: CLAUDE_LIKE_TOOL,
        patience: Some(Patience {
            file: "../home/.kimi-code/config.toml",
            long: "timeout = 120",
            short: "timeout = 2",
        }),
        runs_at: &NO_HOOK_CLOSES,
        lost: None,
        also_runs: None,
        unloaded: &[],
        drops_prompts: true,
    },
    Agent {
        name: "opencode",
        package: "opencode-ai",
        version: "1.18.33",
        program: "opencode",
        beside: &[],
        arguments: &["run", "go"],
        prepare: opencode_home,
        environment: |_| {
            pairs(&[("OPENCODE_DISABLE_AUTOUPDATE", "1"), ("OPENCODE_DISABLE_MODELS_FETCH", "1")])
        },
        outputs: chat_outputs,
        turn: opencode_turn,
        rewrites: false,
        is_granted: true,
        before_a_tool: PLUGIN_TOOL,
        patience: Some(Patience {
            file: ".opencode/plugin/bailiwick.js",
            long: "\"tool.execute.before\":120",
            short: "\"tool.execute.before\":2",
        }),
        runs_at: &[],
        lost: None,
        also_runs: None,
        unloaded: &[],
        drops_prompts: false,
    },
    Agent {
        name: "qwen",
        package: "@qwen-code/qwen-code",
        version: "0.24.4",
        program: "qwen",
        beside: &[],
        arguments: &["-p", "go", "--approval-mode", "yolo"],
        prepare: qwen_home,
        environment: |url| {
            pairs(&[
                ("OPENAI_API_KEY", "x"),
                ("OPENAI_BASE_URL", &format!("{url}/v1")),
                ("OPENAI_MODEL", "m1"),
            ])
        },
        outputs: chat_outputs,
        turn: qwen_turn,
        rewrites: false,
        is_granted: false,
        before_a_tool: CLAUDE_LIKE_TOOL,
        patience: Some(Patience {
            file: ".qwen/settings.json",
            long: "\"timeout\": 55",
            short: "\"timeout\": 2",
        }),
        runs_at: &NO_HOOK_CLOSES,
        lost: Some("Output: (empty)"),
        also_runs: None,
        unloaded: &[],
        drops_prompts: true,
    },
];

/// What tools answered, as a request for a completion tells it.
fn chat_outputs(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().into_iter().flatten();
    messages.filter(|message| message["role"] == "tool").map(|message| text(&message["content"])).collect()
}

pub(super) fn pairs(known: &[(&str, &str)]) -> Vec<(String, String)> {
    known.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// A text as it is, anything else as JSON.
pub(super) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

pub(super) fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn codex_home(world: &World, url: &str) -> Result<()> {
    let folder = world.home().join(".codex");
    std::fs::create_dir_all(&folder)?;
    let repo = world.repo().display().to_string();
    let settings = format!(
        "model = \"gpt-5.1-codex\"\nmodel_provider = \"x\"\n[model_providers.x]\nname = \"x\"\nbase_url = \"{url}/v1\"\nwire_api = \"responses\"\nenv_key = \"XKEY\"\n[projects.\"{repo}\"]\ntrust_level = \"trusted\"\n"
    );
    Ok(std::fs::write(folder.join("config.toml"), settings)?)
}

fn gemini_home(world: &World, _url: &str) -> Result<()> {
    let folder = world.home().join(".gemini");
    std::fs::create_dir_all(&folder)?;
    let settings = json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
    });
    Ok(std::fs::write(folder.join("settings.json"), settings.to_string())?)
}

/// Codex writes with a patch that it is given as a command, since this model has no tool for patches.
fn codex_turn(index: usize, act: Option<Act>, _root: &Path) -> Vec<String> {
    let command = act.map(|act| match act {
        Act::Run(command) => command.to_owned(),
        Act::Write(path, text) => {
            let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
            format!("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\nEOF")
        }
    });
    let item = match command {
        Some(command) => json!({
            "type": "function_call", "id": format!("f{index}"), "call_id": format!("call_{index}"),
            "name": "exec_command", "arguments": json!({"cmd": command}).to_string(),
        }),
        None => json!({
            "type": "message", "role": "assistant", "id": "m1", "content": [{"type": "output_text", "text": "done"}],
        }),
    };
    let usage = json!({
        "input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2,
    });
    let response = json!({"id": "r", "output": [item], "usage": usage});
    [
        json!({"type": "response.created", "response": {"id": "r"}}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": response}),
    ]
    .iter()
    .map(|data| format!("event: {}\n{}", text(&data["type"]), event(data)))
    .collect()
}

/// What an event has in it that our plugins send before a tool.
const PLUGIN_TOOL: &str = "\"event\":\"tool.execute.before\"";

/// What Cline takes for no reason to stop.
const CLINE_UNLOADED: [(&str, Spoil); 2] = [
    ("without its plugin", |world| Ok(std::fs::remove_file(world.repo().join(CLINE_PLUGIN))?)),
    ("with a plugin that cannot be loaded", |world| {
        Ok(std::fs::write(world.repo().join(CLINE_PLUGIN), "throw new Error();\n")?)
    }),
];

const CLINE_PLUGIN: &str = ".cline/plugins/bailiwick.js";

fn cline_home(world: &World, url: &str) -> Result<()> {
    let folder = world.home().join(".cline/data/settings");
    std::fs::create_dir_all(&folder)?;
    let provider = json!({
        "settings": {"provider": "openai-compatible", "apiKey": "x", "model": "m1", "baseUrl": format!("{url}/v1")},
        "updatedAt": "2026-11-25T12:52:43.027Z",
        "tokenSource": "manual",
    });
    let settings = json!({
        "version": 1, "lastUsedProvider": "openai-compatible", "modes": {},
        "providers": {"openai-compatible": provider},
    });
    Ok(std::fs::write(folder.join("providers.json"), settings.to_string())?)
}

fn cline_turn(index: usize, act: Option<Act>, root: &Path) -> Vec<String> {
    let call = act.map(|act| match act {
        Act::Run(command) => ("run_commands", json!({"commands": [command]})),
        Act::Write(path, text) => {
            ("editor", json!({"path": root.join(path).display().to_string(), "new_text": text}))
        }
    });
    chat_turn(index, call)
}

fn opencode_home(world: &World, url: &str) -> Result<()> {
    let folder = world.home().join(".config/opencode");
    std::fs::create_dir_all(&folder)?;
    let model = json!({"tool_call": true, "limit": {"context": 100_000, "output": 10_000}});
    let settings = json!({
        "model": "mock/m1",
        "provider": {"mock": {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": format!("{url}/v1"), "apiKey": "x"},
            "models": {"m1": model},
        }},
    });
    Ok(std::fs::write(folder.join("opencode.json"), settings.to_string())?)
}

fn opencode_turn(index: usize, act: Option<Act>, root: &Path) -> Vec<String> {
    let call = act.map(|act| match act {
        Act::Run(command) => ("bash", json!({"command": command, "description": "x"})),
        Act::Write(path, text) => {
            ("write", json!({"filePath": root.join(path).display().to_string(), "content": text}))
        }
    });
    chat_turn(index, call)
}

/// What the command line of a hook cannot close, on clients that have no switch against it.
const NO_HOOK_CLOSES: [Fault; 4] = [Fault::Silent, Fault::Babbling, Fault::Foreign, Fault::Hanging];

/// The same of clients that took over Claude Code's events.
const CLAUDE_LIKE_TOOL: &str = "\"hook_event_name\":\"PreToolUse\"";

/// A person's settings, before the hooks that `init` has put there.
fn kimi_home(world: &World, url: &str) -> Result<()> {
    let file = world.home().join(".kimi-code/config.toml");
    let hooks = std::fs::read_to_string(&file)?;
    let settings = format!(
        "default_model = \"m1\"\ntelemetry = false\n[providers.x]\ntype = \"openai\"\nbase_url = \"{url}/v1\"\napi_key = \"x\"\n[models.m1]\nprovider = \"x\"\nmodel = \"m1\"\nmax_context_size = 100000\ncapabilities = [\"tool_use\"]\n"
    );
    Ok(std::fs::write(file, format!("{settings}\n{hooks}"))?)
}

fn kimi_turn(index: usize, act: Option<Act>, root: &Path) -> Vec<String> {
    let call = act.map(|act| match act {
        Act::Run(command) => ("Bash", json!({"command": command})),
        Act::Write(path, text) => {
            ("Write", json!({"path": root.join(path).display().to_string(), "content": text}))
        }
    });
    chat_turn(index, call)
}

fn qwen_home(world: &World, _url: &str) -> Result<()> {
    let folder = world.home().join(".qwen");
    std::fs::create_dir_all(&folder)?;
    let settings =
        json!({"security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": false}}});
    Ok(std::fs::write(folder.join("settings.json"), settings.to_string())?)
}

fn qwen_turn(index: usize, act: Option<Act>, root: &Path) -> Vec<String> {
    let call = act.map(|act| match act {
        Act::Run(command) => {
            let input = json!({"command": command, "description": "x", "is_background": false});
            ("run_shell_command", input)
        }
        Act::Write(path, text) => {
            ("write_file", json!({"file_path": root.join(path).display().to_string(), "content": text}))
        }
    });
    chat_turn(index, call)
}

fn copilot_turn(index: usize, act: Option<Act>, root: &Path) -> Vec<String> {
    let call = act.map(|act| match act {
        Act::Run(command) => ("bash", json!({"command": command, "description": "x"})),
        Act::Write(path, text) => {
            ("create", json!({"path": root.join(path).display().to_string(), "file_text": text}))
        }
    });
    chat_turn(index, call)
}

/// A completion that calls that tool, or the last one.
fn chat_turn(index: usize, call: Option<(&str, Value)>) -> Vec<String> {
    let (delta, reason) = match call {
        Some((name, input)) => {
            let call = json!({
                "index": 0, "id": format!("call_{index}"), "type": "function",
                "function": {"name": name, "arguments": input.to_string()},
            });
            (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
        }
        None => (json!({"role": "assistant", "content": "done"}), "stop"),
    };
    let chunk = |delta: &Value, reason: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        event(&json!({
            "id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m1", "choices": [choice],
        }))
    };
    vec![chunk(&delta, None), chunk(&json!({}), Some(reason)), "data: [DONE]\n\n".to_owned()]
}

fn gemini_turn(_index: usize, act: Option<Act>, root: &Path) -> Vec<String> {
    let call = act.map(|act| match act {
        Act::Run(command) => {
            json!({"name": "run_shell_command", "args": {"command": command, "description": "x"}})
        }
        Act::Write(path, text) => {
            let path = root.join(path).display().to_string();
            json!({"name": "write_file", "args": {"file_path": path, "content": text}})
        }
    });
    let part = call.map_or_else(|| json!({"text": "done"}), |call| json!({"functionCall": call}));
    let candidate =
        json!({"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0});
    let usage = json!({"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2});
    vec![event(&json!({"candidates": [candidate], "usageMetadata": usage}))]
}
