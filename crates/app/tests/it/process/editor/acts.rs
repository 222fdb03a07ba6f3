//! What a person does in the views: grants, allowed commands, drafts, reviews, and queries of the command line.

use bailiwick_domain::{Value, json};

use super::client::{Call, Editor};
use super::yes;
use crate::process::forging::agent_runs;
use crate::process::machine::{INTENTS, Machine};
use crate::world::read;

const FILE: &str = ".orchestration/active_intents.yaml";

fn root(machine: &Machine) -> String {
    machine.root().display().to_string()
}

/// The request of this window as it was shown, with more of it.
fn named(shown: &Value, more: Value) -> Value {
    let mut named = json!({"root": shown["root"], "id": shown["id"], "fingerprint": shown["fingerprint"]});
    named.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    named
}

/// A write of session `s1` that the person answers in the view.
fn question(machine: &Machine, editor: &mut Editor, id: &str, path: &str) -> (Call, Value) {
    in_view(editor, Call::start(machine, &machine.write_call(id, path)))
}

fn in_view(editor: &mut Editor, call: Call) -> (Call, Value) {
    let (asked, shown) = editor.question();
    editor.say(&asked, &json!({"decision": "view"}));
    (call, shown)
}

/// The write passes without a question and is made.
#[track_caller]
fn edits(machine: &Machine, id: &str, path: &str) {
    let call = machine.write_call(id, path);
    assert_eq!(machine.hook(&call).decision().as_deref(), Some("allow"), "{path}");
    made(machine, call, path);
}

fn made(machine: &Machine, call: Value, path: &str) {
    machine.write(path, "pub fn new() {}\n");
    let mut done = call;
    done["hook_event_name"] = "PostToolUse".into();
    done["tool_response"] = json!({"filePath": path});
    assert_eq!(machine.hook(&done).code, Some(0));
}

fn own(machine: &Machine, tool: &str, params: &Value) -> Value {
    machine.pre("own", "Bash", &json!({"command": format!("bailiwick tool {tool} '{params}'")}))
}

// D-02
#[test]
fn req_144_a_grant_is_given_used_ended_and_reviewed_in_the_view() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    let (call, shown) = question(&machine, &mut editor, "w0", "src/auth/0.rs");
    assert!(shown["offer"]["max_files"].as_u64().is_some_and(|files| files > 2), "{shown}");
    let bounds = |bounds: Value| named(&shown, json!({"bounds": bounds}));
    for none in [json!({"files": 0}), json!({"minutes": 31}), json!({"calls": 4_000_000_000_u32})] {
        assert_eq!(editor.refused("approval/grant", &bounds(none)).0, -32012);
    }
    assert_eq!(editor.refused("approval/grant", &bounds(json!({"files": -1}))).0, -32602);
    editor.done("approval/grant", &bounds(json!({"files": 3, "minutes": 10})));
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
    made(&machine, machine.write_call("w0", "src/auth/0.rs"), "src/auth/0.rs");
    edits(&machine, "w1", "src/auth/1.rs");
    edits(&machine, "w2", "src/auth/2.rs");
    let folder = editor.snapshot();
    let grant = &folder["grants"][0];
    assert_eq!((&grant["id"], &grant["bounds"]["seconds"]), (&json!("grant#1"), &json!(600)), "{folder}");
    let listed = crate::world::json(&machine.world.ok(&["approval", "list", "--json"]));
    for key in ["files", "lines", "calls"] {
        assert_eq!(grant["left"][key], listed["grants"][0]["left"][key], "as the command line has it: {key}");
    }
    let ended = editor.done("grant/revoke", &json!({"root": root(&machine), "grant": "grant#1"}));
    assert_eq!(ended["message"], "grant#1 revoked; edits are asked about again");
    let (call, shown) = question(&machine, &mut editor, "w3", "src/auth/3.rs");
    editor.done("approval/answer", &named(&shown, json!({"decision": "reject"})));
    assert_eq!(call.code(), "DESTRUCTIVE_ACTION_REJECTED");
    let folder = editor.changed(|folder| folder["reviews"][0]["grant"] == "grant#1");
    let review = &folder["reviews"][0];
    assert!(review["diff"].as_str().unwrap().contains("+++ b/src/auth/2.rs"), "{review}");
    let finish = |back: Value| json!({"root": root(&machine), "grant": "grant#1", "shown": review["shown"], "back": back});
    for wrong in [json!(["/etc/passwd"]), json!(["../x"]), json!(["src/core/main.rs"])] {
        editor.refused("review/finish", &finish(wrong));
    }
    assert!(machine.root().join("src/auth/2.rs").exists());
    let late = std::fs::read_to_string(machine.root().join("src/auth/1.rs")).unwrap();
    std::fs::write(machine.root().join("src/auth/1.rs"), format!("{late}more\n")).unwrap();
    let (_, why) = editor.refused("review/finish", &finish(json!(["src/auth/2.rs"])));
    assert!(why.contains("changed since they were shown"), "{why}");
    std::fs::write(machine.root().join("src/auth/1.rs"), late).unwrap();
    editor.done("review/finish", &finish(json!(["src/auth/2.rs"])));
    assert!(machine.root().join("src/auth/1.rs").exists() && !machine.root().join("src/auth/2.rs").exists());
    assert_eq!(editor.snapshot()["reviews"], json!([]));
}

// D-32
#[test]
fn req_144_a_command_is_allowed_in_the_view_and_passes_from_then_on() {
    let machine = Machine::selected();
    machine.write("Cargo.toml", "[workspace]\n");
    let mut editor = Editor::focused(&machine);
    let (call, shown) = question(&machine, &mut editor, "w0", "src/auth/0.rs");
    assert_eq!(
        editor.refused("approval/allow", &named(&shown, json!({}))).0,
        -32012,
        "a write is no command"
    );
    editor.done("approval/answer", &named(&shown, json!({"decision": "approve"})));
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
    let test = |id: &str| machine.pre(id, "Bash", &json!({"command": "cargo test"}));
    let (call, shown) = in_view(&mut editor, Call::start(&machine, &test("t1")));
    assert!(shown["allows"].as_str().is_some_and(|words| words.starts_with("cargo test")), "{shown}");
    let files = editor.done("approval/files", &named(&shown, json!({})));
    let said = files["beside"].as_str().unwrap();
    assert!(files["files"] == json!([]) && said.ends_with("\n$ cargo test"), "{files}");
    let said = editor.done("approval/allow", &named(&shown, json!({})));
    assert!(said["message"].as_str().unwrap().contains("allow#1 lets it pass from now on"), "{said}");
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
    assert_eq!(machine.hook(&test("t2")).decision().as_deref(), Some("allow"));
}

// D-06, D-32: a command is trusted on the files of its question, and a yes to a void one tells the agent what changed
#[test]
fn req_144_a_void_command_is_trusted_by_nobody_and_a_yes_to_it_passes_nothing() {
    let machine = Machine::selected();
    machine.write("Cargo.toml", "[workspace]\n");
    let mut editor = Editor::focused(&machine);
    let (call, shown) = question(&machine, &mut editor, "w0", "src/auth/0.rs");
    editor.done("approval/answer", &named(&shown, json!({"decision": "approve"})));
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
    let test = machine.pre("t1", "Bash", &json!({"command": "cargo test"}));
    let (call, shown) = in_view(&mut editor, Call::start(&machine, &test));
    machine.write("Cargo.toml", "[workspace]\nmembers = []\n");
    let (_, why) = editor.refused("approval/allow", &named(&shown, json!({})));
    assert!(why.contains("Cargo.toml changed since it was asked"), "{why}");
    let folder = editor.changed(|folder| folder["approvals"][0]["void"].is_string());
    assert_eq!(folder["approvals"][0]["allows"], json!(null));
    let said = editor.done("approval/answer", &named(&shown, json!({"decision": "approve"})));
    assert!(said["message"].as_str().unwrap().contains("is void: Cargo.toml changed"), "{said}");
    let told = call.answer().denied();
    assert!(told["code"] == "STALE_FILE" && told.to_string().contains("Cargo.toml"), "{told}");
}

// D-01, K-01: comments and order of the file stay
#[test]
fn req_144_a_draft_and_more_scope_are_edited_and_accepted_in_the_view() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    let params = json!({"paths": ["src/core/", "src/ui/"], "reason": "the login starts there"});
    let call = Call::start(&machine, &own(&machine, "request_scope_expansion", &params));
    let (call, shown) = in_view(&mut editor, call);
    assert_eq!(shown["kind"], "scope_expansion");
    assert_eq!(shown["draft"]["owned_scope"], json!(["src/core/", "src/ui/"]));
    let draft = |scope: Value| named(&shown, json!({"draft": {"name": "", "owned_scope": scope}}));
    let change = editor.done("approval/change", &draft(json!(["src/core/"])));
    assert!(
        change["diff"].as_str().unwrap().contains("+    owned_scope: [src/auth/, \"src/core/\"]"),
        "{change}"
    );
    for wrong in [json!([]), json!(["/etc/"]), json!(["src/auth/"])] {
        assert_eq!(editor.refused("approval/change", &draft(wrong)).0, -32012);
    }
    let accept = |scope: Value, name: &Value| {
        let draft = json!({"name": "", "owned_scope": scope});
        named(&shown, json!({"draft": draft, "shown": name}))
    };
    let other = accept(json!(["src/core/", "src/ui/"]), &change["shown"]);
    assert_eq!(
        editor.refused("approval/amend", &other).0,
        -32012,
        "another change than the one that was shown"
    );
    assert_eq!(
        editor.refused("approval/amend", &draft(json!(["src/core/"]))).0,
        -32602,
        "one that nobody saw"
    );
    assert_eq!(read(&machine.root().join(FILE)), INTENTS);
    editor.done("approval/amend", &accept(json!(["src/core/"]), &change["shown"]));
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
    assert_eq!(
        read(&machine.root().join(FILE)),
        INTENTS.replace("[src/auth/]", "[src/auth/, \"src/core/\"]")
    );
    let (call, shown) = question(&machine, &mut editor, "w1", "src/core/new.rs");
    editor.done("approval/answer", &named(&shown, json!({"decision": "approve"})));
    assert_eq!(call.answer().decision().as_deref(), Some("allow"), "then the write passes");
}

// D-31: a modal that asks once has not approved a broad scope
#[test]
fn req_144_a_broad_scope_takes_a_second_word() {
    let machine = Machine::new();
    for at in 0..12 {
        machine.write(&format!("src/ui/{at}.rs"), "pub fn a() {}\n");
    }
    machine.write(".orchestration/config.yaml", "intents: { broad_files: 5 }\n");
    let mut editor = Editor::focused(&machine);
    let params = json!({"name": "All of it", "why": "It is all wrong", "owned_scope": ["src/**"],
        "acceptance_criteria": ["it is right"]});
    let call = Call::start(&machine, &own(&machine, "propose_intent", &params));
    let (asked, shown) = editor.question();
    assert!(shown["broad"]["files"].as_u64().is_some_and(|files| files >= 12), "{shown}");
    editor.say(&asked, &yes());
    let answer = |more: Value| named(&shown, more);
    assert_eq!(editor.refused("approval/answer", &answer(json!({"decision": "approve"}))).0, -32012);
    let once = json!({"decision": "approve", "broad": false});
    assert_eq!(editor.refused("approval/answer", &answer(once)).0, -32012);
    let change = editor.done("approval/change", &answer(json!({"draft": shown["draft"]})));
    let draft = json!({"draft": shown["draft"], "shown": change["shown"]});
    let (code, why) = editor.refused("approval/amend", &answer(draft));
    assert!(code == -32012 && why.contains("broad"), "{why}");
    assert_eq!(editor.snapshot()["approvals"].as_array().unwrap().len(), 1);
    editor.done("approval/answer", &answer(json!({"decision": "approve", "broad": true})));
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
}

// K-42
#[test]
fn req_144_both_sides_of_a_change_are_there_for_a_diff_editor() {
    let machine = Machine::selected();
    machine.write("src/auth/login.rs", "pub fn login() {}\npub fn logout() {}\n");
    let mut editor = Editor::focused(&machine);
    machine.hook(&{
        let file = machine.root().join("src/auth/login.rs").display().to_string();
        let mut read = machine.pre("r1", "Read", &json!({"file_path": file}));
        assert_eq!(machine.hook(&read).code, Some(0));
        read["hook_event_name"] = "PostToolUse".into();
        read["tool_response"] = json!({"type": "text", "file": {"filePath": file,
            "content": "pub fn login() {}\npub fn logout() {}\n", "numLines": 2, "startLine": 1, "totalLines": 2}});
        read
    });
    let (call, shown) = question(&machine, &mut editor, "w1", "src/auth/login.rs");
    let files = editor.done("approval/files", &named(&shown, json!({})))["files"].clone();
    let file = files.as_array().unwrap().iter().find(|file| file["path"] == "src/auth/login.rs").unwrap();
    assert_eq!(
        *file,
        json!({"path": "src/auth/login.rs", "before": "pub fn login() {}\npub fn logout() {}\n",
            "after": "pub fn new() {}\n", "whole": true})
    );
    editor.done("approval/answer", &named(&shown, json!({"decision": "reject"})));
    assert_eq!(call.code(), "DESTRUCTIVE_ACTION_REJECTED");
    assert_eq!(editor.refused("approval/files", &named(&shown, json!({}))).0, -32012, "it is over");
}

// K-42: the views show what the command line says, and nothing else runs
#[test]
fn req_124_reading_commands_are_answered_as_the_command_line_does_and_others_never_run() {
    let machine = Machine::selected();
    let mut editor = Editor::hidden(&machine);
    let query = |args: &[&str]| json!({"root": root(&machine), "args": args});
    for words in [
        &["status"][..],
        &["intent", "list"],
        &["intent", "show", "INT-001"],
        &["intent", "check"],
        &["config", "show"],
        &["trace", "log"],
        &["map", "--files", "INT-001"],
    ] {
        let shown = editor.done("query", &query(words));
        let output = machine.world.run(&[words, &["--json"]].concat());
        let said = crate::world::json(&String::from_utf8(output.stdout).unwrap());
        assert_eq!((&shown["exit"], &shown["value"]), (&json!(output.status.code()), &said), "{words:?}");
    }
    let unknown = editor.done("query", &query(&["intent", "show", "INT-999"]));
    assert!(unknown["exit"] == 1 && unknown["value"]["error"].is_string(), "{unknown}");
    let before = machine.world.everything();
    for words in [
        &[][..],
        &["approval", "list"],
        &["approval", "approve", "ap-00000000"],
        &["pause", "--for", "1h"],
        &["watch", "--once"],
        &["gate"],
        &["serve", "--stdio"],
        &["init"],
        &["gc"],
        &["map", "--check"],
        &["config", "accept"],
        &["intent", "new", "All", "--scope", "src/"],
        &["trace", "repair"],
        &["trace", "export", "--format", "json"],
        &["--root", "/", "status"],
        &["status", "--root", "/"],
        &["status", ";", "touch", "x"],
        &["--help"],
        &["status", "--help"],
        &["--version"],
    ] {
        assert_eq!(editor.refused("query", &query(words)).0, -32602, "{words:?}");
    }
    assert_eq!(editor.refused("query", &query(&vec!["status"; 65])).0, -32602);
    assert_eq!(editor.refused("query", &query(&["log", &"x".repeat(5000)])).0, -32602);
    assert_eq!(editor.refused("query", &json!({"root": "/", "args": ["status"]})).0, -32602);
    assert_eq!(machine.world.changes_since(&before), [""; 0]);
}

// D-42: nothing runs, nothing is saved
#[test]
fn req_124_a_text_that_is_not_saved_is_checked_as_the_file_would_be() {
    let machine = Machine::new();
    let mut editor = Editor::hidden(&machine);
    let mut check = |text: &str| {
        let found = editor.done("intent/check_text", &json!({"root": root(&machine), "text": text}));
        found["diagnostics"].as_array().unwrap().clone()
    };
    let broken = INTENTS.replace("status: PENDING", "status: PENDIN");
    let found = check(&broken);
    machine.write(FILE, &broken);
    let output = machine.world.run(&["intent", "check", "--json"]);
    let said = crate::world::json(&String::from_utf8(output.stdout).unwrap());
    let errors: Vec<&Value> = found.iter().filter(|one| one["severity"] == "error").collect();
    assert_eq!(errors.len(), said["errors"].as_array().unwrap().len(), "{found:?}");
    for (error, told) in errors.iter().zip(said["errors"].as_array().unwrap()) {
        for key in ["line", "column", "message", "fix"] {
            assert_eq!(error[key], told[key], "{key}");
        }
    }
    assert!(check(INTENTS).iter().all(|one| one["severity"] == "warning"), "a valid text has no errors");
    assert!(!check("active_intents: [&a *a, *a]\n\t").is_empty());
}

// D-16: nobody below an agent answers for a person, wherever it starts
#[test]
fn req_143_a_sidecar_below_an_agent_opens_no_folder() {
    let machine = Machine::selected();
    let told = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocol": 1, "client": {"name": "x", "version": "1"}, "folders": [root(&machine)]}})
    .to_string();
    let frame = format!("Content-Length: {}\r\n\r\n{told}", told.len());
    machine.write("frame", &frame);
    let serve = machine.line(&["serve", "--stdio"]);
    let line = format!("cd / && {serve} < '{}/frame'", root(&machine));
    let answer = agent_runs(&machine, &[line]).remove(0).1;
    assert!(answer.contains("under a governed agent") && !answer.contains("folders"), "{answer:?}");
    let mut person = Editor::silent(&machine);
    assert_eq!(person.initialize(&[&root(&machine)], 1)["result"]["folders"][0]["state"], "governed");
}

// K-42: a folder that nobody set up, and one that somebody sets up meanwhile
#[test]
fn req_124_a_folder_without_the_gate_says_so_until_somebody_sets_it_up() {
    let world = crate::world::World::new();
    let folder = world.path("repo").canonicalize().unwrap().display().to_string();
    let mut editor = Editor::of(world.command_in(&world.root(), &["serve", "--stdio"]));
    assert_eq!(
        editor.initialize(&[&folder, &folder], 1)["result"]["folders"],
        json!([{"root": folder, "name": "repo", "state": "not_set_up"}])
    );
    assert_eq!(editor.snapshot()["state"], "not_set_up");
    let (code, message) = editor.refused("intent/check_text", &json!({"root": folder, "text": ""}));
    assert!(code == -32012 && message.contains("not governed"), "{message}");
    world.ok(&["init"]);
    assert_eq!(editor.snapshot()["state"], "governed");
    crate::world::write(&world.path("repo/.orchestration/config.yaml"), "approval: [\n");
    let broken = editor.changed(|folder| folder["state"] == "trouble");
    let trouble = &broken["trouble"];
    assert!(trouble["what"].as_str().unwrap().starts_with("Every call is refused"), "{trouble}");
    assert!(trouble["next"].as_str().unwrap().contains("config.yaml"), "{trouble}");
}
