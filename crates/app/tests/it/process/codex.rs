//! Codex at the real binary: its own words in, only its own words out, and calls tied to the folder that was judged.
#![cfg(target_os = "linux")]

use std::process::Command;

use bailiwick_domain::{Value, json};

use super::machine::{Hooked, Machine};

const PATCH: &str = "*** Begin Patch\n*** Add File: src/auth/new.rs\n+pub fn new() {}\n*** End Patch\n";

impl Machine {
    fn codex_line(&self) -> String {
        let binary = env!("CARGO_BIN_EXE_bailiwick");
        format!("'{binary}' hook --agent codex --governed --state '{}'", self.state().display())
    }

    pub(super) fn codex(&self, event: &Value) -> Hooked {
        self.through(&self.codex_line(), event.to_string().as_bytes())
    }

    pub(super) fn codex_call(&self, id: &str, tool: &str, command: &str) -> Value {
        json!({
            "session_id": "s1", "turn_id": "t1", "transcript_path": null, "model": "gpt-5.1-codex",
            "cwd": self.root().display().to_string(), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {"command": command},
            "tool_use_id": id,
        })
    }

    pub(super) fn patch(&self, id: &str, text: &str) -> Hooked {
        self.codex(&self.codex_call(id, "apply_patch", text))
    }

    pub(super) fn shell(&self, id: &str, command: &str) -> Hooked {
        self.codex(&self.codex_call(id, "Bash", command))
    }

    /// One whose Codex session works under INT-001.
    pub(super) fn with_codex() -> Self {
        let machine = Self::new();
        let select = "bailiwick tool select_active_intent '{\"intent_id\":\"INT-001\"}'";
        let whole = machine.shell("select", select).tied();
        assert!(
            whole.ends_with("/bailiwick' tool select_active_intent '{\"intent_id\":\"INT-001\"}'"),
            "{whole}"
        );
        machine
    }
}

impl Hooked {
    /// What was said by a hook that let the call go.
    #[track_caller]
    pub(super) fn silent(&self) -> &str {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{self:?}");
        &self.stdout
    }

    /// The command that Codex is told to run in place of the one that it asked about.
    #[track_caller]
    pub(super) fn tied(&self) -> String {
        let answer: Value = serde_json::from_str(self.silent()).unwrap();
        let said = answer["hookSpecificOutput"].as_object().unwrap();
        let keys: Vec<&str> = said.keys().map(String::as_str).collect();
        assert_eq!(keys, ["hookEventName", "permissionDecision", "updatedInput"], "{answer}");
        assert_eq!(said["permissionDecision"], "allow");
        said["updatedInput"]["command"].as_str().unwrap().to_owned()
    }
}

// D-06: Codex cannot be made to ask
#[test]
fn a_patch_waits_for_a_person_and_passes_once() {
    let machine = Machine::new();
    assert_eq!(machine.patch("p0", PATCH).denied()["code"], "STATE_VIOLATION");
    let machine = Machine::with_codex();
    let error = machine.patch("p1", PATCH).denied();
    assert_eq!(error["code"], "APPROVAL_PENDING", "{error}");
    machine.approve(error["details"]["approval_id"].as_str().unwrap());
    assert_eq!(machine.patch("p2", PATCH).silent(), "", "a bare `allow` is an error for Codex");
    assert_eq!(machine.patch("p3", PATCH).denied()["code"], "APPROVAL_PENDING");
}

// D-35
#[test]
fn every_path_of_a_patch_is_judged_in_either_form() {
    let machine = Machine::with_codex();
    let moved = "*** Begin Patch\n*** Update File: src/auth/login.rs\n*** Move to: src/core/login.rs\n@@\n-pub fn login() {}\n+pub fn log_in() {}\n*** End Patch\n";
    let error = machine.patch("m1", moved).denied();
    assert_eq!(
        (&error["code"], &error["details"]["paths"]),
        (&json!("SCOPE_VIOLATION"), &json!(["src/core/login.rs"]))
    );
    let root = machine.root().display().to_string();
    let heredoc = format!("cd {root}/src && apply_patch <<'EOF'\n{}EOF", moved.replace("src/", ""));
    let error = machine.shell("m2", &heredoc).denied();
    assert_eq!(
        (&error["code"], &error["details"]["paths"]),
        (&json!("SCOPE_VIOLATION"), &json!(["src/core/login.rs"]))
    );
    let unplaced = format!("apply_patch <<'EOF'\n{PATCH}EOF");
    let error = machine.shell("m3", &unplaced).denied();
    let expected = (json!("APPROVAL_PENDING"), json!(["src/auth/new.rs"]));
    assert_eq!((error["code"].clone(), error["details"]["paths"].clone()), expected, "{error}");
    machine.approve(error["details"]["approval_id"].as_str().unwrap());
    let tied = machine.shell("m4", &unplaced).tied();
    assert_eq!(tied, format!("cd '{root}' && apply_patch <<'EOF'\n{PATCH}EOF"), "Codex applies it there");
}

// threat D9: the event does not say where a command runs
#[test]
fn a_command_runs_only_in_the_folder_that_was_judged() {
    let machine = Machine::new();
    machine.write("notes.txt", "of the root\n");
    machine.write("sub/notes.txt", "of the folder\n");
    let tied = machine.shell("c1", "cat notes.txt").tied();
    let ran = |folder: &str| {
        Command::new("/bin/sh").args(["-c", &tied]).current_dir(machine.root().join(folder)).output().unwrap()
    };
    let here = ran("");
    assert_eq!(
        (here.status.code(), String::from_utf8(here.stdout).unwrap()),
        (Some(0), "of the root\n".to_owned())
    );
    let elsewhere = ran("sub");
    assert_eq!((elsewhere.status.code(), elsewhere.stdout.len()), (Some(126), 0));
    assert!(String::from_utf8(elsewhere.stderr).unwrap().contains("leave out workdir"));
    let mut post = machine.codex_call("c1", "Bash", &tied);
    post["hook_event_name"] = "PostToolUse".into();
    post["tool_response"] = "of the root\n".into();
    assert_eq!(machine.codex(&post).silent(), "", "the reading is taken note of");
}

#[test]
fn prompts_and_sessions_are_told_the_handshake_and_what_is_broken_is_refused() {
    let machine = Machine::new();
    for event in ["UserPromptSubmit", "SessionStart"] {
        let told = machine.codex(&json!({
            "session_id": "s1", "cwd": machine.root().display().to_string(), "hook_event_name": event,
            "model": "m", "prompt": "faster", "source": "startup",
        }));
        let answer: Value = serde_json::from_str(told.silent()).unwrap();
        let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
        assert!(context.contains(bailiwick_domain::HANDSHAKE_SENTENCE), "{event}");
    }
    for event in [
        "",
        "{",
        "{\"hook_event_name\":\"PreToolUse\"}",
        "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":",
    ] {
        machine.through(&machine.codex_line(), event.as_bytes()).refused(event);
    }
    let deep = format!("{{\"hook_event_name\":\"PreToolUse\",\"tool_input\":{}", "[".repeat(10_000));
    machine.through(&machine.codex_line(), deep.as_bytes()).refused("nested without end");
}
