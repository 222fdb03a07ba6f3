//! How each client is driven: its package, what it needs in its home and environment, and how its model speaks.

use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::{Act, Spoil, at_a_tool};
use crate::stage::world::World;

/// One client.
pub(super) struct Agent {
    /// The host's name.
    pub(super) name: &'static str,
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    pub(super) program: &'static str,
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
    /// Ways in which a gate fails at a tool, on clients that must stop the call at each of them.
    pub(super) broken: &'static [(&'static str, Spoil)],
    /// Whether it prints nothing when a prompt is refused: then no model is asked, and nobody is told why.
    pub(super) drops_prompts: bool,
}

pub(super) const AGENTS: [Agent; 5] = [
    Agent {
        name: "codex",
        package: "@openai/codex",
        version: "0.169.0",
        program: "codex",
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
        broken: &[],
        drops_prompts: false,
    },
    Agent {
        name: "copilot",
        package: "@github/copilot",
        version: "1.0.102",
        program: "copilot",
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
        broken: &[],
        drops_prompts: false,
    },
    Agent {
        name: "gemini",
        package: "@google/gemini-cli",
        version: "0.61.0",
        program: "gemini",
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
        broken: &[],
        drops_prompts: false,
    },
    Agent {
        name: "opencode",
        package: "opencode-ai",
        version: "1.18.33",
        program: "opencode",
        arguments: &["run", "go"],
        prepare: opencode_home,
        environment: |_| {
            pairs(&[("OPENCODE_DISABLE_AUTOUPDATE", "1"), ("OPENCODE_DISABLE_MODELS_FETCH", "1")])
        },
        outputs: chat_outputs,
        turn: opencode_turn,
        rewrites: false,
        broken: &OPENCODE_BROKEN,
        drops_prompts: false,
    },
    Agent {
        name: "qwen",
        package: "@qwen-code/qwen-code",
        version: "0.24.4",
        program: "qwen",
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
        broken: &QWEN_BROKEN,
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

const OPENCODE_TOOL: &str = "\"event\":\"tool.execute.before\"";

const OPENCODE_BROKEN: [(&str, Spoil); 6] = [
    ("dying at a tool", |world| at_a_tool(world, OPENCODE_TOOL, "kill -KILL $$")),
    ("failing at a tool", |world| at_a_tool(world, OPENCODE_TOOL, "exit 1")),
    ("silent at a tool", |world| at_a_tool(world, OPENCODE_TOOL, "exit 0")),
    ("babbling at a tool", |world| at_a_tool(world, OPENCODE_TOOL, "echo yes; exit 0")),
    ("another host's at a tool", |world| {
        at_a_tool(world, OPENCODE_TOOL, "echo '{\"decision\":\"allow\"}'; exit 0")
    }),
    ("hanging at a tool", |world| {
        let plugin = world.repo().join(".opencode/plugin/bailiwick.js");
        let patient = std::fs::read_to_string(&plugin)?;
        let hasty = patient.replace("\"tool.execute.before\":120", "\"tool.execute.before\":2");
        ensure!(hasty != patient, "the plugin has no time limit");
        std::fs::write(&plugin, hasty)?;
        at_a_tool(world, OPENCODE_TOOL, "exec sleep 100")
    }),
];

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

const QWEN_TOOL: &str = "\"hook_event_name\":\"PreToolUse\"";

/// What its registered command closes; a gate that hangs or prints anything else it lets through.
const QWEN_BROKEN: [(&str, Spoil); 2] = [
    ("dying at a tool", |world| at_a_tool(world, QWEN_TOOL, "kill -KILL $$")),
    ("failing at a tool", |world| at_a_tool(world, QWEN_TOOL, "exit 1")),
];

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
