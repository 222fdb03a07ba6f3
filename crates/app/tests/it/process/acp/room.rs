//! An editor that says what a test tells it to, and an agent of a few lines below the real program, which runs a real hook
//! for each prompt.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use bailiwick_domain::{Value, json};

use crate::process::machine::{Hooked, Machine};
use crate::world::{read, said, write};

/// Longer than anything takes; what does not come by then never comes.
const PATIENCE: Duration = Duration::from_secs(30);

/// So long a person reads at least; a second question would come within it.
const READING: Duration = Duration::from_millis(600);

/// An agent of builtins. For each prompt it runs the hook with `event`, then asks what is in `own`.
const AGENT: &str = r#"
here=$1
while IFS= read -r line; do
    printf '%s\n' "$line" >> "$here/seen"
    id=${line#*\"id\":}; id=${id%%,*}; id=${id%%\}*}
    case "$line" in
        *'"method":"initialize"'*)
            read -r name < "$here/name"
            printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1,"agentInfo":{"name":"%s"}}}\n' "$id" "$name" ;;
        *'"method":"session/new"'*)
            printf '{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s1"}}\n' "$id" ;;
        *'"method":"session/prompt"'*)
            if [ -e "$here/silent" ]; then
                echo '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c1"}}}'
                IFS= read -r line
                printf '%s\n' "$line" >> "$here/seen"
                printf '{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"cancelled"}}\n' "$id"
                continue
            fi
            read -r hook < "$here/hook"
            /bin/sh -c "$hook" < "$here/event" > "$here/answer"
            echo $? > "$here/code"
            if [ -s "$here/own" ]; then
                read -r own < "$here/own"
                printf '%s\n' "$own"
                IFS= read -r line
                printf '%s\n' "$line" >> "$here/seen"
            fi
            printf '{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}\n' "$id" ;;
    esac
done
"#;

/// Both sides, and the program between them.
pub(super) struct Room {
    process: Child,
    input: Option<ChildStdin>,
    coming: Receiver<Value>,
    folder: PathBuf,
    next: i64,
    /// The prompt that is under way.
    turn: i64,
}

/// The agent's own request for permission for that call.
pub(super) fn permission(call: &str) -> Value {
    let options = json!([{"optionId": "once", "name": "Allow", "kind": "allow_once"}]);
    let params = json!({"sessionId": "s1", "toolCall": {"toolCallId": call}, "options": options});
    json!({"jsonrpc": "2.0", "id": 70, "method": "session/request_permission", "params": params})
}

impl Room {
    /// One in which a person turned the dialog of `zed` on.
    pub(super) fn turned_on(machine: &Machine) -> Self {
        Self::of(machine, "approval: { dialogs: [zed] }\n", true, "agent", Some("zed"))
    }

    pub(super) fn of(
        machine: &Machine,
        config: &str,
        is_accepted: bool,
        agent: &str,
        editor: Option<&str>,
    ) -> Self {
        let output = machine.typed(&["intent", "accept", "INT-001"], "y\n");
        assert!(output.status.success(), "{}", said(&output));
        Self::unaccepted(machine, config, is_accepted, agent, editor)
    }

    /// The same where no person accepted the intent.
    pub(super) fn unaccepted(
        machine: &Machine,
        config: &str,
        is_accepted: bool,
        agent: &str,
        editor: Option<&str>,
    ) -> Self {
        machine.write(".orchestration/config.yaml", config);
        if is_accepted {
            let output = machine.typed(&["config", "accept"], "y\n");
            assert!(output.status.success(), "{}", said(&output));
        }
        let folder = machine.world.path("acp");
        for (name, text) in [
            ("agent.sh", AGENT),
            ("name", &format!("{agent}\n")),
            ("hook", &format!("{}\n", machine.bare_line())),
        ] {
            write(&folder.join(name), text);
        }
        let mut room = Self::start(machine, folder);
        let client = editor.map(|name| json!({"name": name, "version": "1"}));
        let params = json!({"protocolVersion": 1, "clientCapabilities": {}, "clientInfo": client});
        room.request("initialize", &params);
        room.message();
        room.works_in(&machine.root());
        room
    }

    fn start(machine: &Machine, folder: PathBuf) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bailiwick"));
        command.args(["acp", "--", "/bin/sh"]).arg(folder.join("agent.sh")).arg(&folder).env_clear();
        command.env("HOME", machine.world.path("home")).env("PATH", machine.world.path("bin"));
        command.env("AI_AGENT", "claude-code_2-1-330_harness").current_dir(machine.root());
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = piped.spawn().unwrap();
        let (input, output) = (process.stdin.take(), process.stdout.take().unwrap());
        let (sender, coming) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line}"));
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self { process, input, coming, folder, next: 0, turn: 0 }
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{message}\n").as_bytes()).and_then(|()| input.flush()).unwrap();
    }

    fn request(&mut self, method: &str, params: &Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The agent's session works in another folder from now on.
    pub(super) fn works_in(&mut self, folder: &Path) {
        self.request("session/new", &json!({"cwd": folder.display().to_string(), "mcpServers": []}));
        self.message();
    }

    /// Begins a turn in which the agent runs its hook with this event.
    pub(super) fn prompt(&mut self, event: &Value) {
        let _ = std::fs::remove_file(self.folder.join("code"));
        write(&self.folder.join("event"), &event.to_string());
        let text = json!([{"type": "text", "text": "go"}]);
        self.turn = self.request("session/prompt", &json!({"sessionId": "s1", "prompt": text}));
    }

    /// The agent works without any hook from now on.
    pub(super) fn has_no_hooks(&self) {
        write(&self.folder.join("silent"), "");
    }

    /// What the agent asks the editor once its hook has answered.
    pub(super) fn asks_itself(&mut self, request: &Value) {
        write(&self.folder.join("own"), &format!("{request}\n"));
    }

    /// The next message of the other side.
    #[track_caller]
    pub(super) fn message(&mut self) -> Value {
        self.coming.recv_timeout(PATIENCE).expect("nothing comes")
    }

    /// The next message that asks or tells this.
    #[track_caller]
    pub(super) fn message_of(&mut self, method: &str) -> Value {
        loop {
            let message = self.message();
            if message["method"] == method {
                return message;
            }
        }
    }

    /// The question of the gate, which is the only thing that comes.
    #[track_caller]
    pub(super) fn question(&mut self) -> Value {
        let asked = self.message();
        assert_eq!(asked["method"], "session/request_permission", "{asked}");
        let more = self.coming.recv_timeout(READING);
        assert_eq!(more, Err(RecvTimeoutError::Timeout), "one question");
        asked
    }

    pub(super) fn says_yes(&mut self, asked: &Value) {
        self.says(asked, "approve");
        let ended = self.message();
        assert_eq!(ended["params"]["update"]["status"], "completed", "{ended}");
    }

    pub(super) fn says(&mut self, asked: &Value, option: &str) {
        let outcome = json!({"outcome": "selected", "optionId": option});
        self.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"outcome": outcome}}));
    }

    /// The editor did what the agent asked.
    pub(super) fn is_done(&mut self, asked: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {}}));
    }

    pub(super) fn cancel(&mut self) {
        self.send(&json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s1"}}));
    }

    /// Waits for the end of the turn; whether nothing else came.
    #[track_caller]
    pub(super) fn was_quiet(&mut self) -> bool {
        let message = self.message();
        message["id"] == self.turn && message["method"].is_null()
    }

    #[track_caller]
    pub(super) fn turn_over(&mut self) {
        let turn = self.turn;
        while self.message()["id"] != turn {}
    }

    /// What the hook answered, once it has.
    #[track_caller]
    pub(super) fn answer(&mut self) -> Hooked {
        self.awaited()
    }

    /// The same when nobody is left in the room.
    #[track_caller]
    pub(super) fn answer_later(self) -> Hooked {
        self.awaited()
    }

    #[track_caller]
    fn awaited(&self) -> Hooked {
        let code = self.folder.join("code");
        let begun = std::time::Instant::now();
        while !code.exists() || read(&code).is_empty() {
            assert!(begun.elapsed() < PATIENCE, "the hook does not answer");
            std::thread::yield_now();
        }
        let stdout = read(&self.folder.join("answer"));
        Hooked { code: read(&code).trim().parse().ok(), stdout, stderr: String::new() }
    }

    /// All that the agent was sent.
    pub(super) fn seen(&self) -> String {
        read(&self.folder.join("seen"))
    }

    /// The editor closes its connection.
    pub(super) fn close(&mut self) {
        drop(self.input.take());
    }

    /// The program between both is killed.
    pub(super) fn kill(&mut self) {
        self.process.kill().unwrap();
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
