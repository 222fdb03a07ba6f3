//! Two agents of different makers in one repository at once: each is an actor of its own, also under one name of a session,
//! and what one of them has read is stale once the other one has changed it (D-12; REQ 166, REQ 167; threat C15).
#![cfg(target_os = "linux")]

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use crate::world::{json as parsed, read};

const LOGIN: &str = "src/auth/login.rs";
const BEFORE: &str = "pub fn login() {}\n";
const BY_CLAUDE: &str = "pub fn login() { limit() }\n";

/// What Codex wants to do with a line of the file.
fn patch(line: &str) -> String {
    let change = format!("@@\n-{}\n+{} // seen by Codex", line.trim_end(), line.trim_end());
    format!("*** Begin Patch\n*** Update File: {LOGIN}\n{change}\n*** End Patch\n")
}

impl Machine {
    /// Codex reads the file with a command, and is told what the file holds.
    #[track_caller]
    fn codex_reads(&self, id: &str) {
        let tied = self.shell(id, &format!("cat {LOGIN}")).tied();
        let mut after = self.codex_call(id, "Bash", &tied);
        after["hook_event_name"] = "PostToolUse".into();
        after["tool_response"] = read(&self.root().join(LOGIN)).into();
        assert_eq!(self.codex(&after).silent(), "");
    }

    /// Claude Code reads the file and writes it, with a person's yes.
    #[track_caller]
    fn claude_writes(&self, text: &str) {
        let path = self.root().join(LOGIN).display().to_string();
        let mut reading = self.pre("r1", "Read", &json!({"file_path": path}));
        assert_eq!(self.hook(&reading).decision(), None);
        reading["hook_event_name"] = "PostToolUse".into();
        let file =
            json!({"filePath": path, "content": BEFORE, "numLines": 1, "startLine": 1, "totalLines": 1});
        reading["tool_response"] = json!({"type": "text", "file": file});
        self.hook(&reading);
        let mut writing = self.pre("w1", "Write", &json!({"file_path": path, "content": text}));
        let error = self.hook(&writing).denied();
        assert_eq!(error["code"], "APPROVAL_PENDING", "{error}");
        self.approve(error["details"]["approval_id"].as_str().unwrap());
        assert_eq!(self.hook(&writing).decision().as_deref(), Some("allow"));
        self.write(LOGIN, text);
        writing["hook_event_name"] = "PostToolUse".into();
        writing["tool_response"] = json!({"type": "update", "filePath": path, "content": text});
        self.hook(&writing);
    }
}

#[test]
fn req_166_req_167_what_one_agent_read_is_stale_once_another_changed_it() {
    let machine = Machine::with_codex();
    machine.select("INT-001");
    machine.codex_reads("c1");
    assert_eq!(machine.patch("c2", &patch(BEFORE)).denied()["code"], "APPROVAL_PENDING", "nobody changed it");

    machine.claude_writes(BY_CLAUDE);
    let error = machine.patch("c3", &patch(BEFORE)).denied();
    assert_eq!((&error["code"], &error["details"]["path"]), (&json!("STALE_FILE"), &json!(LOGIN)), "{error}");
    assert_eq!(error["recoverable"], true);
    assert_eq!(read(&machine.root().join(LOGIN)), BY_CLAUDE);

    machine.codex_reads("c4");
    assert_eq!(machine.patch("c5", &patch(BY_CLAUDE)).denied()["code"], "APPROVAL_PENDING");
    both_are_told(&machine);
}

/// Both stand in `status`, each with its own state.
#[track_caller]
fn both_are_told(machine: &Machine) {
    let said = machine.world.shown(&["status"]);
    for session in ["Sessions: 2", "claude-code s1  ", "codex s1  "] {
        assert!(said.contains(session), "{session} is not in {said}");
    }
    let status: Value = parsed(&machine.world.shown(&["status", "--json"]));
    let mut sessions: Vec<(&str, &str)> = status["sessions"].as_array().unwrap().iter().map(told).collect();
    sessions.sort_unstable();
    assert_eq!(sessions, [("claude-code/s1", "INT-001"), ("codex/s1", "INT-001")]);
}

fn told(session: &Value) -> (&str, &str) {
    (session["session"].as_str().unwrap(), session["active_intent"].as_str().unwrap())
}
