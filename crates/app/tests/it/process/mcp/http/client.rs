//! A server that a person started at a terminal, honest requests to it, and an agent whose process is not the test's: who
//! connects is taken for an agent.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use bailiwick_domain::{Value, json};

use crate::process::asking::{Answer, Ask, connect, sent};
use crate::process::machine::{Machine, installed};
use crate::world::{read, write};

/// What a terminal sends for Ctrl-C.
const CTRL_C: &[u8] = b"\x03";

/// The server, at the terminal that it was started from.
pub(super) struct Served {
    terminal: Child,
    typed: ChildStdin,
    printed: BufReader<ChildStdout>,
    pub(super) port: u16,
    pub(super) token: String,
    pub(super) file: PathBuf,
}

impl Served {
    pub(super) fn new(machine: &Machine) -> Self {
        Self::with(machine, &[])
    }

    pub(super) fn with(machine: &Machine, more: &[&str]) -> Self {
        let words = [&["--color", "never", "mcp", "--http"], more].concat();
        // The shell would end by Ctrl-C as well, and nobody would see how the server did.
        let mut command = machine.terminal_for(&format!("exec {}", machine.line(&words)));
        let mut terminal = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let typed = terminal.stdin.take().unwrap();
        let printed = BufReader::new(terminal.stdout.take().unwrap());
        let (token, file) = (String::new(), PathBuf::new());
        let mut served = Self { terminal, typed, printed, port: 0, token, file };
        let url = served.says("http://127.0.0.1:");
        served.port = url.strip_suffix("/mcp").unwrap().parse().unwrap();
        served.token = served.says("Authorization: Bearer ");
        let file = served.says("The token is in ");
        served.file = PathBuf::from(file.split_once(". Only").unwrap().0);
        served
    }

    /// What stands behind this text in the next line of the terminal that has it.
    fn says(&mut self, text: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.printed.read_line(&mut line).unwrap() > 0, "the terminal never said `{text}`");
            if let Some((_, rest)) = line.trim_end().split_once(text) {
                return rest.to_owned();
            }
        }
    }

    /// Ends the server as a person does; it must end well.
    #[track_caller]
    pub(super) fn interrupt(mut self) {
        self.typed.write_all(CTRL_C).unwrap();
        assert_eq!(self.terminal.wait().unwrap().code(), Some(0));
    }

    pub(super) fn send(&self, ask: &Ask) -> Answer {
        sent(connect(self.port), &ask.bytes())
    }

    fn ask(&self, method: &str) -> Ask {
        let headers = [
            ("Host", format!("127.0.0.1:{}", self.port)),
            ("Connection", "close".to_owned()),
            ("Authorization", format!("Bearer {}", self.token)),
            ("Accept", "application/json, text/event-stream".to_owned()),
            ("MCP-Protocol-Version", "2025-11-25".to_owned()),
        ];
        Ask {
            method: method.to_owned(),
            target: "/mcp".to_owned(),
            // What comes back then has no pieces.
            version: "HTTP/1.0",
            headers: headers.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            body: String::new(),
        }
    }

    /// Opens a session.
    pub(super) fn begin(&self) -> Ask {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        self.ask("POST").and("Content-Type", "application/json").saying(&begin.to_string())
    }

    /// Says that in a session.
    pub(super) fn post(&self, session: &str, message: &Value) -> Ask {
        self.begin().saying(&message.to_string()).and("Mcp-Session-Id", session)
    }

    pub(super) fn call(&self, session: &str, tool: &str, arguments: &Value) -> Ask {
        let params = json!({"name": tool, "arguments": arguments});
        self.post(session, &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}))
    }

    /// Asks for what the server says by itself.
    pub(super) fn listen(&self, session: &str) -> Ask {
        self.ask("GET").and("Mcp-Session-Id", session)
    }

    pub(super) fn end(&self, session: &str) -> Ask {
        self.ask("DELETE").and("Mcp-Session-Id", session)
    }

    /// A session of the test itself.
    #[track_caller]
    pub(super) fn session(&self) -> String {
        let answer = self.send(&self.begin());
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.header("mcp-session-id").to_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.terminal.kill();
        let _ = self.terminal.wait();
    }
}

/// What a tool said: its error, or its text in `text`.
#[track_caller]
pub(super) fn said(answer: &Answer) -> Value {
    let data =
        answer.body.lines().filter_map(|line| line.strip_prefix("data: ")).find(|data| !data.is_empty());
    let message: Value = crate::world::json(data.unwrap_or_else(|| panic!("{answer:?}")));
    let text = message["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{message}"));
    serde_json::from_str(text).unwrap_or_else(|_| json!({ "text": text }))
}

/// What an agent's process runs: each line is a command; what it said goes into a file, its status comes back.
const PROCESS: &str = "\
while read -r line; do
    bash -c \"$line\" > \"$1.said\" 2>&1
    echo $?
done
";

/// An agent in a process group of its own, which connects and has a shell.
pub(super) struct Agent {
    process: Child,
    orders: Option<ChildStdin>,
    statuses: BufReader<ChildStdout>,
    own: PathBuf,
}

impl Agent {
    pub(super) fn new(machine: &Machine) -> Self {
        let own = machine.world.path("agent");
        write(&own.with_extension("sh"), PROCESS);
        let mut command = Command::new(installed("bash"));
        command.arg(own.with_extension("sh")).arg(&own).current_dir(machine.root()).env_clear();
        command.env("HOME", machine.world.path("home")).env("PATH", std::env::var_os("PATH").unwrap());
        let mut process =
            command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let orders = process.stdin.take();
        let statuses = BufReader::new(process.stdout.take().unwrap());
        Self { process, orders, statuses, own }
    }

    /// Runs a line in its shell; the status, and what it said.
    pub(super) fn own_shell(&mut self, line: &str) -> (String, String) {
        writeln!(self.orders.as_mut().unwrap(), "{line}").unwrap();
        let mut status = String::new();
        self.statuses.read_line(&mut status).unwrap();
        (status.trim().to_owned(), read(&self.own.with_extension("said")))
    }

    /// A line that types yes to this command at a terminal.
    pub(super) fn typed(&self, machine: &Machine, words: &[&str]) -> String {
        let script = installed("script").display().to_string();
        format!("echo y | {script} -qec \"{}\" /dev/null", machine.line(words))
    }

    /// The line that sends a request and prints what comes back. Whoever holds the connection stays until it is answered, so
    /// that it is found.
    fn talks(&self, served: &Served, ask: &Ask, name: &str) -> String {
        let request = self.own.with_extension(name);
        write(&request, &String::from_utf8(ask.bytes()).unwrap());
        let (port, request) = (served.port, request.display());
        let says = format!("mapfile -d '' -t ask < {request} && printf %s \"${{ask[0]}}\" >&3");
        format!("exec 3<>/dev/tcp/127.0.0.1/{port} && {says} && cat <&3")
    }

    /// Sends a request from a process of its own.
    pub(super) fn send(&mut self, served: &Served, ask: &Ask) -> Answer {
        let line = self.talks(served, ask, "request");
        let (status, said) = self.own_shell(&line);
        assert_eq!(status, "0", "{said}");
        Answer::of(&said)
    }

    /// Begins a request and takes no answer.
    pub(super) fn begin(&mut self, served: &Served, ask: &Ask) {
        let line = format!("({}) </dev/null >/dev/null 2>&1 &", self.talks(served, ask, "begun"));
        let (status, said) = self.own_shell(&line);
        assert_eq!(status, "0", "{said}");
    }

    pub(super) fn session(&mut self, served: &Served) -> String {
        let answer = self.send(served, &served.begin());
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.header("mcp-session-id").to_owned()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        drop(self.orders.take());
        let _ = self.process.wait();
    }
}
