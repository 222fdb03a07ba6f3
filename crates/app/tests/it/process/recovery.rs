//! An agent that sees nothing but the error finds a valid next action (REQ 21, REQ 39): scenarios as data, every code of the
//! closed set, one rule-based agent, through `bailiwick gate`; what only a hook meets is in `hook_door`.

mod hook_door;

use std::collections::BTreeSet;

use bailiwick_domain::{ErrorCode, Value, json};

use super::machine::{Machine, Wire};

/// What a call meets and how: the tool, its parameters, what was done before, and further fields of the request.
struct Scenario {
    name: &'static str,
    before: fn(&Machine, &mut Wire),
    call: Value,
    code: ErrorCode,
}

fn scenario(name: &'static str, code: ErrorCode, before: fn(&Machine, &mut Wire), call: Value) -> Scenario {
    Scenario { name, before, call, code }
}

fn pre(tool: &str, params: Value) -> Value {
    json!({"phase": "pre", "toolName": tool, "params": params})
}

fn write(path: &str) -> Value {
    pre("write_to_file", json!({"path": path, "content": "new\n"}))
}

fn nothing(_: &Machine, _: &mut Wire) {}

fn auth(_: &Machine, wire: &mut Wire) {
    wire.select("INT-001");
}

/// An intent is selected, and then the stored state names none.
fn forgotten(machine: &Machine, wire: &mut Wire) {
    auth(machine, wire);
    let actors = std::fs::read_dir(machine.private().join("actors")).unwrap();
    for actor in actors {
        let path = actor.unwrap().path().join("state.json");
        let mut state: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(state["state"], "ACTION");
        state["active"] = Value::Null;
        std::fs::write(&path, state.to_string()).unwrap();
    }
}

fn core(_: &Machine, wire: &mut Wire) {
    wire.select("INT-002");
}

fn has_read(path: &str, wire: &mut Wire) {
    wire.post("read_file", &json!({"path": path}), true);
}

fn set(machine: &Machine, wire: &mut Wire, settings: &str) {
    machine.write(".orchestration/config.yaml", settings);
    auth(machine, wire);
}

fn rejected(wire: &mut Wire, call: Value) {
    let ask = wire.ask(call);
    wire.ask(json!({"phase": "resolve", "approvalId": ask["approvalId"], "decision": "reject", "feedback": "choose another file"}));
}

/// Calls before an intent is active, and selections that fail.
fn handshake() -> Vec<Scenario> {
    use ErrorCode::{IntentNotFound, IntentNotSelectable, MissingIntent, StateViolation};
    let select = |id: &str| pre("select_active_intent", json!({"intent_id": id}));
    let mut named = write("src/auth/a.rs");
    named["intentId"] = "INT-002".into();
    let mut unknown = write("src/auth/a.rs");
    unknown["intentId"] = "INT-404".into();
    vec![
        scenario("write at once", StateViolation, nothing, write("src/auth/a.rs")),
        scenario(
            "delete at once",
            StateViolation,
            nothing,
            pre("delete_file", json!({"path": "src/auth/login.rs"})),
        ),
        scenario(
            "command at once",
            StateViolation,
            nothing,
            pre("execute_command", json!({"command": "make"})),
        ),
        scenario(
            "patch at once",
            StateViolation,
            nothing,
            pre("apply_patch", json!({"patch": "--- /dev/null\n+++ b/src/auth/p.rs\n@@ -0,0 +1 @@\n+x\n"})),
        ),
        scenario("unknown tool at once", StateViolation, nothing, pre("frobnicate", json!({"x": 1}))),
        scenario(
            "after a new prompt",
            StateViolation,
            |machine, wire| {
                auth(machine, wire);
                wire.ask(json!({"phase": "prompt", "prompt": "something else"}));
            },
            write("src/auth/a.rs"),
        ),
        scenario(
            "strict reading",
            StateViolation,
            |machine, _| machine.write(".orchestration/config.yaml", "handshake: { strict: true }\n"),
            pre("read_file", json!({"path": "src/core/main.rs"})),
        ),
        scenario("the intent is forgotten", MissingIntent, forgotten, write("src/auth/a.rs")),
        scenario(
            "the intent is forgotten, a command",
            MissingIntent,
            forgotten,
            pre("execute_command", json!({"command": "make"})),
        ),
        scenario("names another intent", StateViolation, auth, named),
        scenario("names an unknown intent", IntentNotFound, auth, unknown),
        scenario("selects an unknown id", IntentNotFound, nothing, select("INT-404")),
        scenario("selects a sentence", IntentNotFound, nothing, select("fix the login")),
        scenario("selects nothing", IntentNotFound, nothing, pre("select_active_intent", json!({}))),
        scenario("selects in lower case", IntentNotFound, nothing, select("int-001")),
        scenario("selects what is done", IntentNotSelectable, nothing, select("INT-003")),
        scenario(
            "intent is gone",
            IntentNotFound,
            |machine, wire| {
                auth(machine, wire);
                machine.write(
                    ".orchestration/active_intents.yaml",
                    &super::machine::INTENTS.replace("INT-001", "INT-009"),
                );
            },
            write("src/auth/a.rs"),
        ),
        scenario(
            "intent was closed",
            IntentNotSelectable,
            |machine, wire| {
                auth(machine, wire);
                machine.write(
                    ".orchestration/active_intents.yaml",
                    &super::machine::INTENTS.replace("IN_PROGRESS", "COMPLETED"),
                );
            },
            write("src/auth/a.rs"),
        ),
    ]
}

/// Calls that the intent does not cover.
fn authority() -> Vec<Scenario> {
    use ErrorCode::{
        ConstraintViolation, IntentIgnored, IntentignoreInvalid, NoScope, OutsideWorkspace, ProtectedPath,
        ScopeViolation, TraceLinkMissing,
    };
    let mut stranger = write("src/auth/a.rs");
    stranger["requirementIds"] = json!(["REQ-404"]);
    let patch = "--- /dev/null\n+++ b/src/auth/p.rs\n@@ -0,0 +1 @@\n+x\n--- /dev/null\n+++ b/docs/p.md\n@@ -0,0 +1 @@\n+x\n";
    vec![
        scenario("another folder", ScopeViolation, auth, write("docs/a.md")),
        scenario("another intent's folder", ScopeViolation, auth, write("src/core/new.rs")),
        scenario("a name that begins alike", ScopeViolation, auth, write("src/authority.rs")),
        scenario("up and down again", ScopeViolation, auth, write("src/auth/../core/new.rs")),
        scenario(
            "delete elsewhere",
            ScopeViolation,
            auth,
            pre("delete_file", json!({"path": "src/core/main.rs"})),
        ),
        scenario(
            "move out",
            ScopeViolation,
            auth,
            pre("move_file", json!({"from": "src/auth/login.rs", "to": "docs/login.rs"})),
        ),
        scenario("a patch with one stray", ScopeViolation, auth, pre("apply_patch", json!({"patch": patch}))),
        scenario("a sensitive file", ScopeViolation, auth, write("AGENTS.md")),
        scenario(
            "an empty scope",
            NoScope,
            |_, wire| {
                wire.select("INT-004");
            },
            write("src/auth/a.rs"),
        ),
        scenario(
            "an empty scope, a command",
            NoScope,
            |_, wire| {
                wire.select("INT-004");
            },
            pre("execute_command", json!({"command": "make"})),
        ),
        scenario(
            "ignored for all",
            IntentIgnored,
            |machine, wire| {
                machine.write(".intentignore", "src/auth/old/\n");
                auth(machine, wire);
            },
            write("src/auth/old/a.rs"),
        ),
        scenario(
            "ignored for one",
            IntentIgnored,
            |machine, wire| {
                machine.write(".intentignore", "[INT-001]\n*.sql\n");
                auth(machine, wire);
            },
            write("src/auth/a.sql"),
        ),
        scenario(
            "ignore rules are broken",
            IntentignoreInvalid,
            |machine, wire| {
                machine.write(".intentignore", "[INT-001\n");
                auth(machine, wire);
            },
            write("src/auth/a.rs"),
        ),
        scenario("a folder is frozen", ConstraintViolation, core, write("src/core/frozen/a.rs")),
        scenario(
            "a tool is forbidden",
            ConstraintViolation,
            core,
            pre("delete_file", json!({"path": "src/core/main.rs"})),
        ),
        scenario("a requirement of nobody", TraceLinkMissing, auth, stranger),
        scenario("the intents", ProtectedPath, auth, write(".orchestration/active_intents.yaml")),
        scenario("the ignore rules", ProtectedPath, auth, write(".intentignore")),
        scenario("a hook of git", ProtectedPath, auth, write(".git/hooks/pre-commit")),
        scenario("the client's settings", ProtectedPath, auth, write(".claude/settings.json")),
        scenario("a secret", ProtectedPath, nothing, pre("read_file", json!({"path": ".env"}))),
        scenario("a system file", OutsideWorkspace, auth, write("/etc/hosts")),
        scenario("above the root", OutsideWorkspace, auth, write("../elsewhere.rs")),
        scenario(
            "reading above the root",
            OutsideWorkspace,
            nothing,
            pre("read_file", json!({"path": "../../etc/passwd"})),
        ),
    ]
}

/// Calls on what the agent has not seen, that cannot be understood, or that a human does not want.
fn work() -> Vec<Scenario> {
    use ErrorCode::{
        ApprovalTimeout, DestructiveActionRejected, LoopDetected, MalformedCall, Quarantined, StaleFile,
        TooBroad,
    };
    let edit = |old: &str| {
        pre("edit_file", json!({"path": "src/auth/login.rs", "old_string": old, "new_string": "x"}))
    };
    let mut claimed = write("src/auth/login.rs");
    claimed["readHash"] = format!("sha256:{}", "0".repeat(64)).into();
    vec![
        scenario("never read", StaleFile, auth, write("src/auth/login.rs")),
        scenario(
            "never read, delete",
            StaleFile,
            auth,
            pre("delete_file", json!({"path": "src/auth/login.rs"})),
        ),
        scenario(
            "changed since",
            StaleFile,
            |machine, wire| {
                auth(machine, wire);
                has_read("src/auth/login.rs", wire);
                machine.write("src/auth/login.rs", "else\n");
            },
            write("src/auth/login.rs"),
        ),
        scenario(
            "gone since",
            StaleFile,
            |machine, wire| {
                auth(machine, wire);
                has_read("src/auth/login.rs", wire);
                std::fs::remove_file(machine.root().join("src/auth/login.rs")).unwrap();
            },
            pre("delete_file", json!({"path": "src/auth/login.rs"})),
        ),
        scenario(
            "text is not there",
            StaleFile,
            |machine, wire| {
                auth(machine, wire);
                has_read("src/auth/login.rs", wire);
            },
            edit("not there"),
        ),
        scenario(
            "text is there twice",
            StaleFile,
            |machine, wire| {
                auth(machine, wire);
                machine.write("src/auth/login.rs", "a\na\n");
                has_read("src/auth/login.rs", wire);
            },
            edit("a"),
        ),
        scenario(
            "a wrong hash",
            StaleFile,
            |machine, wire| {
                auth(machine, wire);
                has_read("src/auth/login.rs", wire);
            },
            claimed,
        ),
        scenario("no path", MalformedCall, auth, pre("write_to_file", json!({"content": "x"}))),
        scenario(
            "a path of another kind",
            MalformedCall,
            auth,
            pre("write_to_file", json!({"path": 7, "content": "x"})),
        ),
        scenario(
            "two paths",
            MalformedCall,
            auth,
            pre("write_to_file", json!({"path": "src/auth/a", "file_path": "src/auth/b", "content": "x"})),
        ),
        scenario("a broken patch", MalformedCall, auth, pre("apply_patch", json!({"patch": "@@ what @@"}))),
        scenario(
            "a draft for everything",
            TooBroad,
            auth,
            pre("request_scope_expansion", json!({"paths": ["**"], "reason": "more"})),
        ),
        scenario("a control character", MalformedCall, auth, write("src/auth/a\u{1b}.rs")),
        scenario("parameters in a list", MalformedCall, auth, pre("write_to_file", json!([]))),
        scenario("no tool", MalformedCall, auth, json!({"phase": "pre", "params": {}})),
        scenario("an unknown phase", MalformedCall, auth, json!({"phase": "run"})),
        scenario(
            "a human said no",
            DestructiveActionRejected,
            |machine, wire| {
                auth(machine, wire);
                rejected(wire, write("src/auth/a.rs"));
            },
            write("src/auth/a.rs"),
        ),
        scenario(
            "a human said no to a command",
            DestructiveActionRejected,
            |machine, wire| {
                auth(machine, wire);
                rejected(wire, pre("execute_command", json!({"command": "make"})));
            },
            pre("execute_command", json!({"command": "make"})),
        ),
        scenario(
            "an approval that is not there",
            ApprovalTimeout,
            auth,
            json!({"phase": "resolve", "approvalId": "ap-00000000", "decision": "approve"}),
        ),
        scenario(
            "again and again",
            LoopDetected,
            |machine, wire| {
                auth(machine, wire);
                for _ in 0..3 {
                    wire.ask(write("docs/a.md"));
                }
            },
            write("docs/a.md"),
        ),
        scenario(
            "the first repetition",
            LoopDetected,
            |machine, wire| {
                set(machine, wire, "loop: { repeats: 1 }\n");
                wire.ask(write("docs/a.md"));
            },
            write("docs/a.md"),
        ),
        scenario(
            "a halted session",
            Quarantined,
            |machine, wire| {
                auth(machine, wire);
                wire.ask(write("docs/a.md"));
                machine.write("docs/a.md", "new\n");
                wire.post("write_to_file", &json!({"path": "docs/a.md", "content": "new\n"}), true);
            },
            write("src/auth/a.rs"),
        ),
    ]
}

/// Calls that the gate does not let an agent put to a human at all.
fn refused() -> Vec<Scenario> {
    use ErrorCode::{
        CommandNotUnderstood, DelegationRefused, LedgerUnavailable, OrchestrationInvalid,
        OrchestrationMissing, TooLarge,
    };
    let command = |text: &str| pre("execute_command", json!({"command": text}));
    vec![
        scenario(
            "a human's command",
            ErrorCode::ProtectedPath,
            auth,
            command("bailiwick approval approve ap-00000000"),
        ),
        scenario("an agent without hooks", DelegationRefused, auth, command("claude --bare -p hello")),
        scenario("a command that nobody can read", CommandNotUnderstood, auth, command("printf a\u{0}b")),
        scenario(
            "a file that nobody can look at",
            TooLarge,
            |machine, wire| {
                auth(machine, wire);
                machine.write("src/auth/big.rs", &"// line\n".repeat(700_000));
            },
            pre("edit_file", json!({"path": "src/auth/big.rs", "old_string": "a", "new_string": "b"})),
        ),
        scenario(
            "the store is gone",
            OrchestrationMissing,
            |machine, _| {
                std::fs::rename(machine.root().join(".orchestration"), machine.world.path("aside")).unwrap()
            },
            write("src/auth/a.rs"),
        ),
        scenario(
            "the intents are broken",
            OrchestrationInvalid,
            |machine, _| machine.write(".orchestration/active_intents.yaml", "active_intents: [\n"),
            write("src/auth/a.rs"),
        ),
        scenario(
            "the settings are broken",
            OrchestrationInvalid,
            |machine, _| machine.write(".orchestration/config.yaml", "handshake: yes\n"),
            write("src/auth/a.rs"),
        ),
        scenario(
            "no evidence can be written",
            LedgerUnavailable,
            |machine, _| {
                std::fs::rename(machine.private(), machine.world.path("aside")).unwrap();
                std::fs::write(machine.private(), "").unwrap();
            },
            write("src/auth/a.rs"),
        ),
    ]
}

/// What the agent does next, from the error alone; `None` when it stops and tells the human.
fn next_calls(error: &Value, call: &Value) -> Vec<Value> {
    let details = &error["details"];
    let ids =
        details["selectable"].as_array().or(details["valid_ids"].as_array()).cloned().unwrap_or_default();
    let select = ids.first().map(|id| pre("select_active_intent", json!({"intent_id": id})));
    let list = pre("list_intents", json!({}));
    let read = pre("read_file", json!({"path": details["path"].as_str().unwrap_or("src/core/main.rs")}));
    let in_scope = || {
        let pattern = details["scope"][0].as_str()?;
        Some(write(&format!("{}next.rs", pattern.trim_end_matches('*'))))
    };
    match error["code"].as_str().unwrap() {
        "STATE_VIOLATION" | "MISSING_INTENT" | "INTENT_NOT_FOUND" | "INTENT_NOT_SELECTABLE" => {
            vec![select.unwrap_or(list)]
        }
        // What was quoted is not there: the whole file is written anew from what it says now.
        "STALE_FILE" if details["cause"].as_str().unwrap().starts_with("anchor") => {
            vec![read, write(details["path"].as_str().unwrap())]
        }
        "STALE_FILE" => vec![read, without(call, "readHash")],
        "TRACE_LINK_MISSING" => vec![with(call, "requirementIds", details["requirements"].clone())],
        "SCOPE_VIOLATION"
        | "CONSTRAINT_VIOLATION"
        | "INTENT_IGNORED"
        | "PROTECTED_PATH"
        | "OUTSIDE_WORKSPACE"
        | "MALFORMED_CALL"
        | "TOO_LARGE"
        | "TOO_BROAD"
        | "LOOP_DETECTED"
        | "DESTRUCTIVE_ACTION_REJECTED"
        | "APPROVAL_TIMEOUT" => vec![in_scope().unwrap_or(list)],
        "NO_SCOPE" | "INTENTIGNORE_INVALID" | "COMMAND_NOT_UNDERSTOOD" | "DELEGATION_REFUSED" => vec![read],
        _ => Vec::new(),
    }
}

fn with(call: &Value, key: &str, value: Value) -> Value {
    let mut call = call.clone();
    call[key] = value;
    call
}

fn without(call: &Value, key: &str) -> Value {
    let mut call = call.clone();
    call.as_object_mut().unwrap().remove(key);
    call
}

/// Runs one scenario: whether the agent found a next action that is not refused.
fn recovers(scenario: &Scenario) -> bool {
    let machine = Machine::new();
    let mut wire = machine.wire();
    (scenario.before)(&machine, &mut wire);
    let refused = wire.ask(scenario.call.clone());
    let error = &refused["error"];
    assert_eq!(error["code"], scenario.code.as_str(), "{}: {refused}", scenario.name);
    let mut answer = refused.clone();
    for call in next_calls(error, &scenario.call) {
        answer = wire.ask(call.clone());
        if answer["action"] == "allow" && call["toolName"] == "read_file" {
            wire.post("read_file", &call["params"], true);
        }
    }
    wire.end();
    matches!(answer["action"].as_str(), Some("allow" | "waitForApproval"))
}

// REQ 21, REQ 39
#[test]
fn req_039_an_agent_finds_a_valid_next_action_from_the_error_alone() {
    let on_the_wire = [handshake(), authority(), work(), refused()].into_iter().flatten();
    let on_the_wire = on_the_wire.map(|scenario| (scenario.name, scenario.code, recovers(&scenario)));
    let at_the_hook = hook_door::met().into_iter().map(|met| (met.name, met.code, met.recovered));
    let met: Vec<(&str, ErrorCode, bool)> = on_the_wire.chain(at_the_hook).collect();
    let lost: Vec<&str> = met.iter().filter(|(_, _, recovered)| !recovered).map(|(name, ..)| *name).collect();
    let recovered = met.len() - lost.len();
    println!("{recovered} of {} recovered; not: {lost:?}", met.len());
    assert!(met.len() >= 50, "{}", met.len());
    assert!(recovered * 100 >= met.len() * 90, "{recovered} of {}; not: {lost:?}", met.len());
    let codes: BTreeSet<ErrorCode> = met.iter().map(|(_, code, _)| *code).collect();
    let missing: Vec<&ErrorCode> = ErrorCode::ALL.iter().filter(|code| !codes.contains(code)).collect();
    assert!(missing.is_empty(), "no scenario meets {missing:?}");
}
