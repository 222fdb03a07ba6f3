//! One governed repository on a machine of its own, and the ways in which processes reach the gate there: hooks below
//! an agent's process, commands of a person with and without a terminal, and the neutral wire.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use bailiwick_domain::{Value, json};

use crate::world::{World, write};

/// The intents that every machine starts with.
pub(crate) const INTENTS: &str = "\
active_intents:
  - id: INT-001
    name: Fix login timeout
    status: IN_PROGRESS
    owned_scope: [src/auth/]
    requirements: [REQ-AUTH-1]
  - id: INT-002
    name: Core
    status: PENDING
    owned_scope: [src/core/]
    constraints: [{ forbid_paths: [src/core/frozen/], forbid_tools: [delete_file] }]
  - id: INT-003
    name: Done long ago
    status: COMPLETED
    owned_scope: [docs/]
  - id: INT-004
    name: Owns nothing
    status: PENDING
    owned_scope: []
";

/// What runs the hooks: a process that is neither the test nor a shell around the hook. Its first argument is the line
/// that the host has registered.
const AGENT: &str = "/bin/sh -c \"$1\"\nexit $?\n";

/// A repository with intents, a few files, and the gate in front of it.
pub(crate) struct Machine {
    pub(crate) world: World,
}

/// What a hook left behind.
#[derive(Debug)]
pub(crate) struct Hooked {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let machine = Self { world: World::new() };
        machine.world.ok(&["init"]);
        machine.write(".orchestration/active_intents.yaml", INTENTS);
        machine.write("src/auth/login.rs", "pub fn login() {}\n");
        machine.write("src/core/main.rs", "fn main() {}\n");
        write(&machine.world.path("agent.sh"), AGENT);
        machine
    }

    /// One whose session `s1` works under INT-001.
    pub(crate) fn selected() -> Self {
        let machine = Self::new();
        machine.select("INT-001");
        machine
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.world.root()
    }

    pub(crate) fn private(&self) -> PathBuf {
        self.world.path("repo/.git/bailiwick")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.world.path("home/.local/state/bailiwick")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        write(&self.root().join(name), text);
    }

    /// The line that runs the hook, without what catches its failures.
    pub(crate) fn bare_line(&self) -> String {
        let binary = env!("CARGO_BIN_EXE_bailiwick");
        format!("'{binary}' hook --agent claude-code --governed --state '{}'", self.state().display())
    }

    /// The process of an agent that will run that line.
    pub(crate) fn agent(&self, line: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.arg(self.world.path("agent.sh")).arg(line).current_dir(self.root()).env_clear();
        command.env("HOME", self.world.path("home")).env("PATH", self.world.path("bin"));
        command.env("AI_AGENT", "claude-code_2-1-330_harness");
        command
    }

    /// One event through one line.
    pub(crate) fn through(&self, line: &str, event: &[u8]) -> Hooked {
        Hooked::of(&fed(&mut self.agent(line), event))
    }

    /// One event, as the host would send it.
    pub(crate) fn hook(&self, event: &Value) -> Hooked {
        self.through(&self.bare_line(), event.to_string().as_bytes())
    }

    /// A call before it runs, in a mode in which nobody is at the host.
    pub(crate) fn pre(&self, id: &str, tool: &str, input: &Value) -> Value {
        self.pre_in("s1", id, tool, input)
    }

    pub(crate) fn pre_in(&self, session: &str, id: &str, tool: &str, input: &Value) -> Value {
        json!({
            "session_id": session,
            "cwd": self.root().display().to_string(),
            "permission_mode": "bypassPermissions",
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_input": input,
            "tool_use_id": id,
        })
    }

    pub(crate) fn write_call(&self, id: &str, path: &str) -> Value {
        let file = self.root().join(path).display().to_string();
        self.pre(id, "Write", &json!({"file_path": file, "content": "pub fn new() {}\n"}))
    }

    pub(crate) fn read_call(&self, id: &str) -> Value {
        let file = self.root().join("src/core/main.rs").display().to_string();
        self.pre(id, "Read", &json!({"file_path": file}))
    }

    pub(crate) fn prompt(&self, session: &str) -> Value {
        json!({
            "session_id": session,
            "cwd": self.root().display().to_string(),
            "hook_event_name": "UserPromptSubmit",
            "prompt": "make login faster",
        })
    }

    #[track_caller]
    pub(crate) fn select(&self, intent: &str) {
        self.select_in("s1", intent);
    }

    #[track_caller]
    pub(crate) fn select_in(&self, session: &str, intent: &str) {
        let command = format!("bailiwick tool select_active_intent '{{\"intent_id\":\"{intent}\"}}'");
        let answer = self.hook(&self.pre_in(session, "select", "Bash", &json!({"command": command})));
        assert_eq!(answer.decision().as_deref(), Some("allow"), "{answer:?}");
    }

    /// Asks for a write in the scope, and gives the request's id.
    #[track_caller]
    pub(crate) fn pending(&self, id: &str, path: &str) -> String {
        let error = self.hook(&self.write_call(id, path)).denied();
        assert_eq!(error["code"], "APPROVAL_PENDING", "{error}");
        error["details"]["approval_id"].as_str().unwrap().to_owned()
    }

    /// A person's command with both ends on a terminal, and what is typed there.
    pub(crate) fn typed(&self, words: &[&str], keys: &str) -> Output {
        fed(&mut self.terminal(words), keys.as_bytes())
    }

    /// The same for any line of shell.
    pub(crate) fn typed_line(&self, line: &str, keys: &str) -> Output {
        fed(&mut self.terminal_for(line), keys.as_bytes())
    }

    /// That command before it is started.
    pub(crate) fn terminal(&self, words: &[&str]) -> Command {
        self.terminal_for(&self.line(words))
    }

    /// The same for any line of shell.
    pub(crate) fn terminal_for(&self, line: &str) -> Command {
        let mut command = Command::new(installed("script"));
        command.args(["-qec", line, "/dev/null"]).current_dir(self.root()).env_clear();
        command.env("HOME", self.world.path("home")).env("SHELL", "/bin/sh").env("TERM", "xterm");
        command.env("PATH", self.world.path("bin")).env("USER", "dana");
        command
    }

    /// A command of the program as one line for a shell.
    pub(crate) fn line(&self, words: &[&str]) -> String {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        format!("'{}' {}", env!("CARGO_BIN_EXE_bailiwick"), quoted.join(" "))
    }

    #[track_caller]
    pub(crate) fn approve(&self, id: &str) {
        let output = self.typed(&["approval", "approve", id], "y\n");
        assert_eq!(output.status.code(), Some(0), "{}", crate::world::said(&output));
    }

    /// The open requests, as a surface sees them. Counts as a live surface for five seconds.
    #[track_caller]
    pub(crate) fn open_requests(&self) -> Vec<Value> {
        let list: Value = crate::world::json(&self.world.ok(&["approval", "list", "--json"]));
        list["approvals"].as_array().unwrap().clone()
    }

    /// The decision log, oldest first; every line must be a record.
    #[track_caller]
    pub(crate) fn decisions(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.private().join("decisions.jsonl")).unwrap();
        assert!(text.ends_with('\n'), "the last line is torn");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// A connection to the neutral wire, for a session of that name.
    pub(crate) fn wire_of(&self, session: &str) -> Wire {
        Wire { session: session.to_owned(), ..self.wire() }
    }

    /// A connection to the neutral wire.
    pub(crate) fn wire(&self) -> Wire {
        Wire::start(self.world.command_in(&self.root(), &["gate"]))
    }

    /// Runs `init --agent claude-code` with this binary, and gives the line that is registered for the event.
    #[track_caller]
    pub(crate) fn registered_line(&self, binary: &Path, event: &str) -> String {
        let mut init = Command::new(binary);
        init.args(["init", "--agent", "claude-code"]).current_dir(self.root()).env_clear();
        let output = init.env("HOME", self.world.path("home")).output().unwrap();
        assert!(output.status.success(), "{}", crate::world::said(&output));
        let settings: Value = crate::world::json(&crate::world::read(&self.world.local_settings()));
        settings["hooks"][event][0]["hooks"][0]["command"].as_str().unwrap().to_owned()
    }

    /// A copy of the program that may be broken, made by another process, so that nothing holds it open for writing.
    pub(crate) fn own_binary(&self) -> PathBuf {
        let copy = self.world.path("bin/bailiwick");
        let status = Command::new("cp").arg(env!("CARGO_BIN_EXE_bailiwick")).arg(&copy).status().unwrap();
        assert!(status.success());
        copy
    }
}

impl Hooked {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The decision of a well-formed answer; `None` when the hook has no opinion.
    #[track_caller]
    pub(crate) fn decision(&self) -> Option<String> {
        assert_eq!(self.code, Some(0), "{self:?}");
        if self.stdout.is_empty() {
            return None;
        }
        let answer: Value =
            serde_json::from_str(&self.stdout).unwrap_or_else(|why| panic!("{why}: {self:?}"));
        let said = &answer["hookSpecificOutput"];
        assert_eq!(said["hookEventName"], "PreToolUse", "{self:?}");
        Some(said["permissionDecision"].as_str().unwrap().to_owned())
    }

    /// The error of a denial that the client honours: exactly one JSON value, exit 0, nothing else said.
    #[track_caller]
    pub(crate) fn denied(&self) -> Value {
        assert_eq!(self.decision().as_deref(), Some("deny"), "{self:?}");
        assert_eq!(self.stderr, "");
        let answer: Value = serde_json::from_str(&self.stdout).unwrap();
        let reason = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
        let error = serde_json::from_str(reason).unwrap();
        assert_tool_error(&error);
        error
    }

    /// Refused in one of the two ways that the client honours: a denial, or exit 2 with a text and nothing on stdout.
    #[track_caller]
    pub(crate) fn refused(&self, what: &str) {
        if self.code == Some(2) {
            assert!(self.stdout.is_empty() && !self.stderr.trim().is_empty(), "{what}: {self:?}");
            return;
        }
        assert_eq!(self.code, Some(0), "{what}: {self:?}");
        assert!(!self.stdout.is_empty(), "{what} was let through: {self:?}");
        self.denied();
    }
}

/// One conversation with `bailiwick gate`.
pub(crate) struct Wire {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    session: String,
    next: u64,
}

impl Wire {
    fn start(mut command: Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = piped.spawn().unwrap();
        let (requests, answers) = (process.stdin.take(), BufReader::new(process.stdout.take().unwrap()));
        Self { process, requests, answers, session: "s1".to_owned(), next: 0 }
    }

    /// One line as it is, and the answer to it.
    #[track_caller]
    pub(crate) fn raw(&mut self, line: &[u8]) -> Value {
        let requests = self.requests.as_mut().unwrap();
        requests
            .write_all(line)
            .and_then(|()| requests.write_all(b"\n"))
            .and_then(|()| requests.flush())
            .unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|why| panic!("{why}: {answer:?}"));
        if answer["action"] == "block" {
            assert_tool_error(&answer["error"]);
        }
        answer
    }

    /// A request with an id of its own, which must come back.
    #[track_caller]
    pub(crate) fn ask(&mut self, mut request: Value) -> Value {
        self.next += 1;
        let fields = request.as_object_mut().unwrap();
        fields.entry("id").or_insert_with(|| self.next.into());
        fields.entry("userSessionId").or_insert_with(|| self.session.clone().into());
        let id = fields["id"].clone();
        let answer = self.raw(request.to_string().as_bytes());
        assert_eq!(answer["id"], id);
        answer
    }

    #[track_caller]
    pub(crate) fn pre(&mut self, tool: &str, params: &Value) -> Value {
        self.ask(json!({"phase": "pre", "toolName": tool, "params": params}))
    }

    #[track_caller]
    pub(crate) fn post(&mut self, tool: &str, params: &Value, ok: bool) -> Value {
        self.ask(json!({"phase": "post", "toolName": tool, "params": params, "result": {"ok": ok}}))
    }

    #[track_caller]
    pub(crate) fn select(&mut self, intent: &str) -> Value {
        self.pre("select_active_intent", &json!({"intent_id": intent}))
    }

    /// Ends the input; the process must end by itself, well and without a word on standard error.
    #[track_caller]
    pub(crate) fn end(mut self) {
        drop(self.requests.take());
        let output = self.process.wait_with_output().unwrap();
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
    }
}

/// The published form of errors.
#[track_caller]
pub(crate) fn assert_tool_error(error: &Value) {
    static SCHEMA: std::sync::LazyLock<jsonschema::Validator> = std::sync::LazyLock::new(|| {
        let schema = include_str!("../../../../../docs/protocol/tool-error.schema.json");
        jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
    });
    let faults: Vec<String> = SCHEMA.iter_errors(error).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}: {error}");
}

/// Runs a command that reads these bytes. A command that ends without reading them is fine.
pub(crate) fn fed(command: &mut Command, bytes: &[u8]) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let _ = stdin.write_all(bytes);
        });
        child.wait_with_output().unwrap()
    })
}

/// A program of this computer, for commands whose own search path is empty.
#[track_caller]
pub(crate) fn installed(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.unwrap_or_else(|| panic!("`{name}` is not installed"))
}
