//! An editor that is a script: it begins a session, gives one prompt, and a person in front of it answers what is asked.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::stage::world::World;

/// One agent fetches packages when it starts in a new home.
const LIMIT: Duration = Duration::from_secs(240);

/// So long a person reads a question.
const READING: Duration = Duration::from_millis(600);

/// Before the ids of what is not the agent's.
pub(super) const OURS: &str = "bailiwick-";

/// What was said on both sides of the program.
#[derive(Debug, Default)]
pub(super) struct Talk {
    /// The lines that the editor sent and received.
    pub(super) sent: Vec<String>,
    pub(super) received: Vec<String>,
    /// The lines that the agent was sent and sent.
    pub(super) to_agent: Vec<String>,
    pub(super) of_agent: Vec<String>,
    /// What was asked by the gate.
    pub(super) questions: Vec<Value>,
    /// What was asked by the agent itself.
    pub(super) own: Vec<Value>,
    /// Whether the prompt was answered with an error.
    pub(super) editor_refused: bool,
    errors: String,
}

impl Talk {
    pub(super) fn received(&self) -> String {
        self.received.join("\n")
    }

    /// All of it, for a person who looks why a run failed.
    pub(super) fn story(&self) -> String {
        let cut = |line: &String| line.chars().take(600).collect::<String>();
        let received: Vec<String> = self.received.iter().map(cut).collect();
        format!("received:\n{}\nerrors:\n{}", received.join("\n"), self.errors)
    }
}

/// One editor with its agent.
pub(super) struct Editor {
    process: Child,
    input: Option<ChildStdin>,
    coming: Receiver<String>,
    root: PathBuf,
    base: PathBuf,
    talk: Talk,
    is_first: bool,
}

impl Editor {
    /// Starts the agent behind the gate, with what both say to each other written down at the agent.
    pub(super) fn start(
        world: &World,
        environment: Vec<(String, String)>,
        program: &Path,
        words: &[&str],
    ) -> Result<Self> {
        const BETWEEN: &str = "into=$1 of=$2; shift 2; tee \"$into\" | \"$@\" | tee \"$of\"";
        let base = world.base().to_path_buf();
        let mut command = Command::new(world.gate());
        command.args(["acp", "--", "/bin/sh", "-c", BETWEEN, "sh"]);
        command.arg(base.join("to-agent")).arg(base.join("of-agent")).arg(program).args(words);
        let errors = std::fs::File::create(base.join("errors"))?;
        command.env_clear().envs(environment).current_dir(world.repo()).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
        let mut process = command.spawn().with_context(|| program.display().to_string())?;
        let (input, output) = (process.stdin.take(), process.stdout.take().context("no output")?);
        let (sender, coming) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let talk = Talk::default();
        Ok(Self { process, input, coming, root: world.repo(), base, talk, is_first: true })
    }

    /// One session with one prompt, to its end.
    pub(super) fn session(mut self) -> Result<Talk> {
        let played = self.play();
        drop(self.input.take());
        let begun = Instant::now();
        while self.process.try_wait()?.is_none() {
            if begun.elapsed() > Duration::from_secs(10) {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        // What is left of its group: nothing where all of it ended.
        let _ = killpg(Pid::from_raw(i32::try_from(self.process.id())?), Signal::SIGKILL);
        self.process.wait()?;
        self.talk.received.extend(self.coming.try_iter());
        let read = |name: &str| std::fs::read_to_string(self.base.join(name)).unwrap_or_default();
        let lines = |name: &str| read(name).lines().map(str::to_owned).collect();
        self.talk.to_agent = lines("to-agent");
        self.talk.of_agent = lines("of-agent");
        self.talk.errors = read("errors");
        played.with_context(|| self.talk.story())?;
        Ok(self.talk)
    }

    fn play(&mut self) -> Result<()> {
        let files = json!({"readTextFile": true, "writeTextFile": true});
        let client = json!({"name": "scripted-editor", "version": "1"});
        self.ask(
            0,
            "initialize",
            &json!({
                "protocolVersion": 1, "clientInfo": client, "clientCapabilities": {"fs": files, "terminal": true},
            }),
        )?;
        let folder = self.root.display().to_string();
        let begun = self.ask(1, "session/new", &json!({"cwd": folder, "mcpServers": []}))?;
        let session = &begun["result"]["sessionId"];
        ensure!(session.is_string(), "no session: {begun}");
        let prompt = json!([{"type": "text", "text": "go"}]);
        let over = self.ask(2, "session/prompt", &json!({"sessionId": session, "prompt": prompt}))?;
        self.talk.editor_refused = !over["error"].is_null();
        Ok(())
    }

    /// Asks, and answers what is asked meanwhile.
    fn ask(&mut self, id: i64, method: &str, params: &Value) -> Result<Value> {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let begun = Instant::now();
        loop {
            let line = match self.coming.recv_timeout(LIMIT.saturating_sub(begun.elapsed())) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => bail!("`{method}` was not answered within {LIMIT:?}"),
                Err(RecvTimeoutError::Disconnected) => bail!("the agent is gone at `{method}`"),
            };
            self.talk.received.push(line.clone());
            let message: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
            if message["method"].is_string() && !message["id"].is_null() {
                self.asked(&message)?;
            } else if message["id"] == id && message["method"].is_null() {
                return Ok(message);
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let line = message.to_string();
        let input = self.input.as_mut().context("closed")?;
        input.write_all(line.as_bytes())?;
        input.write_all(b"\n")?;
        input.flush()?;
        self.talk.sent.push(line);
        Ok(())
    }

    fn asked(&mut self, message: &Value) -> Result<()> {
        let params = &message["params"];
        let path = Path::new(params["path"].as_str().unwrap_or_default());
        let result = match message["method"].as_str().unwrap_or_default() {
            "session/request_permission" => return self.permission(message),
            "fs/read_text_file" => match std::fs::read_to_string(path) {
                Ok(content) => json!({"content": content}),
                Err(_) => {
                    let error = json!({"code": -32002, "message": "Resource not found"});
                    return self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "error": error}));
                }
            },
            "fs/write_text_file" => {
                if let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                std::fs::write(path, params["content"].as_str().unwrap_or_default())?;
                json!({})
            }
            _ => json!({}),
        };
        self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))
    }

    /// The person says yes to the gate's first question and no to all others; what the agent asks by itself is allowed.
    fn permission(&mut self, message: &Value) -> Result<()> {
        let is_ours = message["id"].as_str().is_some_and(|id| id.starts_with(OURS));
        let kind = if !is_ours || self.is_first { "allow_once" } else { "reject_once" };
        if is_ours {
            self.is_first = false;
            self.talk.questions.push(message.clone());
            std::thread::sleep(READING);
        } else {
            self.talk.own.push(message.clone());
        }
        let options = message["params"]["options"].as_array().into_iter().flatten();
        let option = options.into_iter().find(|option| option["kind"] == kind).context("no such option")?;
        let outcome = json!({"outcome": "selected", "optionId": option["optionId"]});
        self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": {"outcome": outcome}}))
    }
}
