//! The clients that are played: how each is started, and what its tools and their parameters are called.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, ensure};
use bailiwick_adapters_hooks::Version;
use bailiwick_domain::{Value, json};

use super::cases::Case;
use super::chat::CHAT;
use super::messages::MESSAGES;
use super::model::Model;
use super::words::{Turns, Words};

/// One client.
pub(crate) struct Client {
    /// The host's name.
    pub(super) host: &'static str,
    /// Its package.
    pub(super) package: &'static str,
    /// The package's program.
    pub(super) program: &'static str,
    pub(super) words: Words,
    /// One session, with the program, the home and the folder.
    pub(super) lead: fn(&Path, &Path, &Path, Turns) -> Result<()>,
    /// Whether its tool for whole files refuses those that are there.
    only_creates: bool,
}

impl Client {
    /// The folder in which that version is installed.
    pub(super) fn folder(&self, version: Version) -> String {
        format!("{}-{version}", self.package.rsplit('/').next().unwrap_or(self.package))
    }

    /// Whether it is known to refuse this.
    pub(super) fn leaves_alone(&self, case: &Case) -> bool {
        self.only_creates && case.is_write() && case.before.is_some()
    }
}

pub(crate) const CLIENTS: &[Client] = &[
    Client {
        host: "claude-code",
        package: "@anthropic-ai/claude-code",
        program: "claude",
        words: Words {
            read: ("Read", "file_path"),
            edit: ("Edit", ["file_path", "old_string", "new_string"], Some("replace_all")),
            write: ("Write", ["file_path", "content"]),
        },
        lead: claude,
        only_creates: false,
    },
    Client {
        host: "copilot",
        package: "@github/copilot",
        program: "copilot",
        words: Words {
            read: ("view", "path"),
            edit: ("edit", ["path", "old_str", "new_str"], None),
            write: ("create", ["path", "file_text"]),
        },
        lead: copilot,
        only_creates: true,
    },
    Client {
        host: "opencode",
        package: "opencode-ai",
        program: "opencode",
        words: Words {
            read: ("read", "filePath"),
            edit: ("edit", ["filePath", "oldString", "newString"], Some("replaceAll")),
            write: ("write", ["filePath", "content"]),
        },
        lead: opencode,
        only_creates: false,
    },
    Client {
        host: "qwen",
        package: "@qwen-code/qwen-code",
        program: "qwen",
        words: Words {
            read: ("read_file", "file_path"),
            edit: ("edit", ["file_path", "old_string", "new_string"], Some("replace_all")),
            write: ("write_file", ["file_path", "content"]),
        },
        lead: qwen,
        only_creates: false,
    },
];

fn claude(program: &Path, home: &Path, repo: &Path, turns: Turns) -> Result<()> {
    let model = Model::start(MESSAGES, turns)?;
    let output =
        run(bare(program, home, repo).args(["-p", "go", "--allowedTools", "Read,Edit,Write"]).envs([
            ("ANTHROPIC_BASE_URL", model.url().as_str()),
            ("ANTHROPIC_API_KEY", "scripted-model-key-0123456789"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
        ]))?;
    told(model.asked(), &output)
}

fn copilot(program: &Path, home: &Path, repo: &Path, turns: Turns) -> Result<()> {
    let model = Model::start(CHAT, turns)?;
    let url = model.url();
    let output = run(bare(program, home, repo).args(["-p", "go", "--allow-all-tools"]).envs([
        ("COPILOT_OFFLINE", "true"),
        ("COPILOT_PROVIDER_BASE_URL", url.as_str()),
        ("COPILOT_MODEL", "m1"),
        ("COPILOT_PROVIDER_API_KEY", "x"),
        ("COPILOT_AUTO_UPDATE", "false"),
        ("COPILOT_ALLOW_ALL", "true"),
    ]))?;
    told(model.asked(), &output)
}

fn opencode(program: &Path, home: &Path, repo: &Path, turns: Turns) -> Result<()> {
    let model = Model::start(CHAT, turns)?;
    let settings = json!({
        "model": "mock/m1", "snapshot": false, "lsp": false, "autoupdate": false,
        "permission": {"edit": "allow", "external_directory": "allow", "doom_loop": "allow"},
        "provider": {"mock": {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": model.url(), "apiKey": "x"},
            "models": {"m1": {"tool_call": true, "limit": {"context": 10_000_000, "output": 100_000}}},
        }},
    });
    write(&home.join(".config/opencode/opencode.json"), &settings)?;
    let output = run(bare(program, home, repo)
        .args(["run", "go"])
        .envs([("OPENCODE_DISABLE_AUTOUPDATE", "1"), ("OPENCODE_DISABLE_MODELS_FETCH", "1")]))?;
    told(model.asked(), &output)
}

fn qwen(program: &Path, home: &Path, repo: &Path, turns: Turns) -> Result<()> {
    let model = Model::start(CHAT, turns)?;
    let url = model.url();
    let settings =
        json!({"security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": false}}});
    write(&home.join(".qwen/settings.json"), &settings)?;
    let output = run(bare(program, home, repo).args(["-p", "go", "--approval-mode", "yolo"]).envs([
        ("OPENAI_API_KEY", "x"),
        ("OPENAI_BASE_URL", url.as_str()),
        ("OPENAI_MODEL", "m1"),
    ]))?;
    told(model.asked(), &output)
}

fn write(file: &Path, settings: &Value) -> Result<()> {
    std::fs::create_dir_all(file.parent().map(PathBuf::from).unwrap_or_default())?;
    Ok(std::fs::write(file, settings.to_string())?)
}

/// A client in a home and a folder of its own, with nothing else around it.
fn bare(program: &Path, home: &Path, repo: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(repo).env_clear().stdin(Stdio::null());
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", home);
    command
}

fn run(command: &mut Command) -> Result<Output> {
    command.output().with_context(|| format!("{command:?}"))
}

/// A session ends after the model was asked for the readings, the edits and the end.
fn told(asked: usize, output: &Output) -> Result<()> {
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(asked >= 3, "the client asked {asked} times: {said}");
    Ok(())
}
