//! Drives the installed Claude Code hook as the client would, one event at a time, without the client.
//!
//! The command is taken from the settings that `init` wrote, so what is driven is what is installed.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::stage::world::World;

const FIRST_SESSION: u32 = 1;

/// The installed hook of one world.
#[derive(Clone, Debug)]
pub(crate) struct HookDriver {
    pub(crate) words: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) repo: PathBuf,
    session: String,
}

/// The id of a session of the harness.
pub(crate) fn session_id(number: u32) -> String {
    format!("5f0c2f9e-0000-4000-8000-{number:012}")
}

impl HookDriver {
    /// Finds the hook in the settings of the repository.
    pub(crate) fn installed(world: &World) -> Result<Self> {
        let settings = world.read(".claude/settings.local.json").context("init wrote no settings")?;
        let settings: Value = serde_json::from_str(&settings)?;
        let words = command_of(&settings).context("init installed no PreToolUse hook")?;
        let mut environment = world.environment();
        environment.push(("CLAUDE_PROJECT_DIR".to_owned(), world.repo().display().to_string()));
        // The shell that a host starts its hooks with says where they run.
        environment.push(("PWD".to_owned(), world.repo().display().to_string()));
        // What the client tells its hooks of itself; without it the gate does not say what an edit will leave.
        environment.push(("AI_AGENT".to_owned(), "claude-code_2-1-330_harness".to_owned()));
        Ok(Self { words, environment, repo: world.repo(), session: session_id(FIRST_SESSION) })
    }

    /// The same hook in a session of its own.
    pub(crate) fn in_session(&self, number: u32) -> Self {
        Self { session: session_id(FIRST_SESSION + number), ..self.clone() }
    }

    /// A `PreToolUse` event.
    pub(crate) fn call(&self, tool: &str, input: &Value, call_id: &str) -> Value {
        let mut event = self.event("PreToolUse");
        event["tool_name"] = json!(tool);
        event["tool_input"] = input.clone();
        event["tool_use_id"] = json!(call_id);
        event
    }

    /// Any event with the fields that all share.
    pub(crate) fn event(&self, name: &str) -> Value {
        json!({
            "session_id": self.session,
            "prompt_id": "0b6e0000-0000-4000-8000-000000000001",
            "transcript_path": self.repo.join("../transcript.jsonl"),
            "cwd": self.repo,
            "permission_mode": "default",
            "hook_event_name": name,
        })
    }

    /// Sends one event and gives the answer; an empty answer is `null`.
    pub(crate) fn send(&self, event: &Value) -> Result<Value> {
        match self.output(event)?.stdout.trim_ascii() {
            b"" => Ok(Value::Null),
            answer => serde_json::from_slice(answer).context("the hook's answer"),
        }
    }

    /// Sends one event and gives all that the hook said.
    pub(crate) fn output(&self, event: &Value) -> Result<Output> {
        self.start(event)?.wait_with_output().map_err(Into::into)
    }

    /// Sends one event, and waits for nothing.
    pub(crate) fn start(&self, event: &Value) -> Result<Child> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        self.start_as(&words, &event.to_string())
    }

    /// What another command says to this input in the place of the hook.
    pub(crate) fn said_by(&self, words: &[&str], input: &str) -> Result<Output> {
        self.start_as(words, input)?.wait_with_output().map_err(Into::into)
    }

    fn start_as(&self, words: &[&str], input: &str) -> Result<Child> {
        let (program, arguments) = words.split_first().context("an empty hook command")?;
        let mut child = Command::new(program)
            .args(arguments)
            .env_clear()
            .envs(self.environment.iter().cloned())
            .current_dir(&self.repo)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| (*program).to_owned())?;
        child.stdin.take().context("no input")?.write_all(input.as_bytes())?;
        Ok(child)
    }

    /// Starts a session, states a prompt and selects the intent, as an agent without MCP does.
    pub(crate) fn select(&self, intent: &str) -> Result<()> {
        let mut prompt = self.event("UserPromptSubmit");
        prompt["prompt"] = json!("go");
        self.send(&prompt)?;
        let command = format!("bailiwick tool select_active_intent '{{\"intent_id\":\"{intent}\"}}'");
        self.send(&self.call("Bash", &json!({ "command": command }), "toolu_select"))?;
        Ok(())
    }
}

impl HookDriver {
    /// Has one write approved, executed and recorded, so that the ledger holds a genuine line.
    pub(crate) fn record_one_write(&self, world: &World) -> Result<()> {
        let path = "src/auth/first.ts";
        let input = json!({ "file_path": self.repo.join(path), "content": "first\n" });
        let event = self.call("Write", &input, "toolu_first");
        let asked = self.send(&event)?.to_string();
        let id = request_id(&asked).with_context(|| format!("no request in {asked}"))?;
        world.approve(id)?;
        let answer = self.send(&event)?.to_string();
        ensure!(!answer.contains("deny"), "the approved write is answered with {answer}");
        world.write(path, "first\n")?;
        let mut after = event;
        after["hook_event_name"] = json!("PostToolUse");
        after["tool_response"] = json!({"type": "create", "filePath": input["file_path"], "content": "first\n", "structuredPatch": []});
        self.send(&after).map(drop)
    }
}

/// The id of the approval request that a pending answer names. Whoever sends events counts as an agent, so the queue
/// itself is not open to this process.
pub(crate) fn request_id(answer: &str) -> Option<&str> {
    let rest = answer.get(answer.find("request ap-")? + "request ".len()..)?;
    rest.split(|char: char| !char.is_ascii_alphanumeric() && char != '-').next()
}

/// The words of the first `PreToolUse` command hook; the fallback that a shell runs after `||` is left out.
fn command_of(settings: &Value) -> Option<Vec<String>> {
    let hook = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
    let command = hook["command"].as_str()?;
    let words = match hook["args"].as_array() {
        Some(arguments) => {
            let arguments = arguments.iter().filter_map(Value::as_str).map(str::to_owned);
            [command.to_owned()].into_iter().chain(arguments).collect()
        }
        None => shell_words(command.split("||").next().unwrap_or(command)),
    };
    Some(words)
}

/// Words of a shell line that knows quotes and nothing else.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for char in line.trim().chars() {
        match (quote, char) {
            (None, '\'' | '"') => quote = Some(char),
            (Some(open), _) if open == char => quote = None,
            (None, ' ') => words.push(String::new()),
            _ => words.iter_mut().next_back().into_iter().for_each(|word| word.push(char)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pending_answer_names_its_request() {
        assert_eq!(request_id("pending: request ap-a451810b waits"), Some("ap-a451810b"));
        assert_eq!(request_id("allow"), None);
    }

    #[test]
    fn the_installed_command_is_read_in_both_forms() {
        let settings = |hook: Value| json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}});
        let direct = settings(json!({"command": "/b c/gate", "args": ["hook", "--state", "/d e"]}));
        assert_eq!(command_of(&direct).unwrap(), ["/b c/gate", "hook", "--state", "/d e"]);
        let shell = settings(json!({"command": "'/b c/gate' hook --agent \"x\" || { echo no; exit 2; }"}));
        assert_eq!(command_of(&shell).unwrap(), ["/b c/gate", "hook", "--agent", "x"]);
        assert_eq!(command_of(&json!({})), None);
    }
}
