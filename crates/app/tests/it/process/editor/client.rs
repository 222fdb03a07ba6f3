//! A window of an editor as the sidecar meets it: frames on its pipes, and a person who answers what is asked.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use bailiwick_domain::{Value, json};

use crate::process::machine::{Hooked, Machine};

/// Longer than anything takes; what does not come by then never comes.
const PATIENCE: Duration = Duration::from_secs(20);

/// One window.
pub(super) struct Editor {
    process: Child,
    input: Option<ChildStdin>,
    coming: Receiver<Value>,
    /// What came while something else was waited for.
    kept: Vec<Value>,
    next: i64,
}

impl Editor {
    /// A window that said nothing yet.
    pub(super) fn silent(machine: &Machine) -> Self {
        Self::of(machine.world.command_in(&machine.root(), &["serve", "--stdio"]))
    }

    pub(super) fn of(mut command: Command) -> Self {
        let piped = command.env("USER", "dana").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = piped.stderr(Stdio::null()).spawn().unwrap();
        let (input, output) = (process.stdin.take(), process.stdout.take().unwrap());
        let (sender, coming) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self { process, input, coming, kept: Vec::new(), next: 0 }
    }

    /// A window on the repository that nobody looks at.
    pub(super) fn hidden(machine: &Machine) -> Self {
        let mut editor = Self::silent(machine);
        let answer = editor.initialize(&[&machine.root().display().to_string()], 1);
        assert_eq!(answer["result"]["protocol"], 1, "{answer}");
        editor
    }

    /// A window on the repository that somebody uses.
    pub(super) fn focused(machine: &Machine) -> Self {
        let mut editor = Self::hidden(machine);
        editor.attend(true);
        editor
    }

    pub(super) fn initialize(&mut self, folders: &[&str], protocol: u32) -> Value {
        let client = json!({"name": "Visual Studio Code", "version": "0.1.0"});
        self.ask("initialize", &json!({"protocol": protocol, "client": client, "folders": folders}))
    }

    /// Says whether somebody looks; from then on it holds.
    pub(super) fn attend(&mut self, focused: bool) {
        self.tell("attention", &json!({"focused": focused}));
        self.snapshot();
    }

    pub(super) fn snapshot(&mut self) -> Value {
        self.done("snapshot", &json!({}))["folders"][0].clone()
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub(super) fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Asks, and gives the whole answer.
    #[track_caller]
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.until(|message| message["id"] == id && message["method"].is_null())
    }

    /// The result of a request that must succeed.
    #[track_caller]
    pub(super) fn done(&mut self, method: &str, params: &Value) -> Value {
        let answer = self.ask(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The code and the message of a request that must fail.
    #[track_caller]
    pub(super) fn refused(&mut self, method: &str, params: &Value) -> (i64, String) {
        let answer = self.ask(method, params);
        let error = &answer["error"];
        (error["code"].as_i64().unwrap_or_else(|| panic!("{method}: {answer}")), error["message"].to_string())
    }

    /// The first message of this kind that was not taken yet.
    #[track_caller]
    pub(super) fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&is_it) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.coming.recv_timeout(PATIENCE).expect("the sidecar says nothing");
            if is_it(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// The next question that is put to the person: the message's id and the request.
    #[track_caller]
    pub(super) fn question(&mut self) -> (Value, Value) {
        let message = self.until(|message| message["method"] == "approval/ask");
        (message["id"].clone(), message["params"]["approval"].clone())
    }

    /// Whether a question came so far.
    pub(super) fn was_asked(&mut self) -> bool {
        self.snapshot();
        self.kept.iter().any(|message| message["method"] == "approval/ask")
    }

    /// The person's answer to a question.
    pub(super) fn say(&mut self, asked: &Value, answer: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": asked, "result": answer}));
    }

    /// The end of a question that was put.
    #[track_caller]
    pub(super) fn over(&mut self) -> Value {
        self.until(|message| message["method"] == "approval/over")["params"].clone()
    }

    /// The first snapshot that is told and is so.
    #[track_caller]
    pub(super) fn changed(&mut self, is_so: impl Fn(&Value) -> bool) -> Value {
        let folder = |message: &Value| message["params"]["snapshot"]["folders"][0].clone();
        let found = self.until(|message| message["method"] == "changed" && is_so(&folder(message)));
        folder(&found)
    }

    /// Closes the window.
    pub(super) fn close(mut self) -> ExitStatus {
        drop(self.input.take());
        self.process.wait().unwrap()
    }

    /// Kills the sidecar.
    pub(super) fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        let head = line.strip_prefix("Content-Length: ").unwrap_or_else(|| panic!("a stray line: {line:?}"));
        length = head.trim().parse().unwrap();
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

/// An agent's call on its way through the real hook, which waits for an answer.
pub(super) struct Call(Child);

impl Call {
    pub(super) fn start(machine: &Machine, event: &Value) -> Self {
        let mut agent = machine.agent(&machine.bare_line());
        let piped = agent.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        child.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
        Self(child)
    }

    /// What the hook answers in the end.
    pub(super) fn answer(self) -> Hooked {
        Hooked::of(&self.0.wait_with_output().unwrap())
    }

    /// The code of its refusal.
    #[track_caller]
    pub(super) fn code(self) -> String {
        self.answer().denied()["code"].as_str().unwrap().to_owned()
    }
}
