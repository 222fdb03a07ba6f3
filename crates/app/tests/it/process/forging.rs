//! Who may approve: no process below an agent, no pipe, no file; a person at a terminal (D-16, threats G3 and G4). Each
//! refusal is paired with what the operator can do.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use bailiwick_domain::{Value, json};

use super::machine::{Machine, fed, installed};
use crate::world::{read, said, write};

/// What a human's commands may change: the store, the queue, the client's files, the user's state.
fn governance(machine: &Machine) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let private = ["repo/.git/bailiwick/approvals", "repo/.git/bailiwick/grants"];
    for folder in ["home", "repo/.orchestration", "repo/.claude"].into_iter().chain(private) {
        collect(&machine.world.path(folder), &mut all);
    }
    // Who is an agent is what hooks write down, and what they understood of a file is kept: neither governs anything.
    all.retain(|name, _| !["/bailiwick/agents/", "/bailiwick/cache/"].iter().any(|part| name.contains(part)));
    all
}

fn collect(folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else {
            found.insert(path.display().to_string(), std::fs::read(&path).unwrap());
        }
    }
}

/// An agent whose hook has run, and which then runs these lines of shell one after another: the status and the words of
/// each.
pub(super) fn agent_runs(machine: &Machine, lines: &[String]) -> Vec<(i32, String)> {
    let folder = machine.world.path("agent");
    write(&folder.join("event"), &machine.prompt("another").to_string());
    let mut script = format!(
        "cd '{}'\n{} < event\ncd '{}'\n",
        folder.display(),
        machine.bare_line(),
        machine.root().display()
    );
    for (index, line) in lines.iter().enumerate() {
        let said = folder.join(index.to_string());
        script.push_str(&format!(
            "( {line} ) > '{0}' 2>&1 < /dev/null\necho $? > '{0}.status'\n",
            said.display()
        ));
    }
    let file = folder.join("agent.sh");
    write(&file, &script);
    let mut agent = std::process::Command::new("/bin/sh");
    agent
        .arg(&file)
        .env_clear()
        .env("HOME", machine.world.path("home"))
        .env("PATH", std::env::var_os("PATH").unwrap());
    let output = fed(&mut agent, b"");
    assert!(output.status.success(), "{}", said(&output));
    let result = |index: usize| {
        let status = read(&folder.join(format!("{index}.status"))).trim().parse().unwrap();
        (
            status,
            String::from_utf8_lossy(&std::fs::read(folder.join(index.to_string())).unwrap()).into_owned(),
        )
    };
    (0..lines.len()).map(result).collect()
}

/// Every command of a human, on an open request.
fn operator_commands(id: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["approval", "approve", id],
        vec!["approval", "reject", id],
        vec!["approval", "grant", id],
        vec!["approval", "revoke", "--all"],
        vec!["approval", "review", "1", "--keep", "--yes"],
        vec!["intent", "accept", id],
        vec!["approval", "list"],
        vec!["approval", "list", "--json"],
        vec!["watch"],
        vec!["serve", "--stdio"],
        vec!["gate"],
        vec!["select", "INT-002"],
        vec!["select", "INT-002", "--session", "claude-code/s1"],
        vec!["config", "accept"],
        vec!["pause", "--for", "1m"],
        vec!["resume"],
        vec!["gc"],
        vec!["restore", "--session", "s1", "--yes"],
        vec!["intent", "new", "Everything", "--scope", "src/"],
        vec!["init"],
        vec!["init", "--agent", "claude-code"],
        vec!["uninstall"],
        vec!["doctor"],
        vec!["demo"],
    ]
}

// D-16; threat G3
#[test]
fn an_agent_cannot_run_a_humans_commands() {
    let machine = Machine::selected();
    machine.write(".orchestration/config.yaml", "stale: { never_read: allow }\n");
    let id = machine.pending("w1", "src/auth/new.rs");
    let script = installed("script").display().to_string();
    let root = machine.root().display().to_string();
    let mut lines = Vec::new();
    for words in operator_commands(&id) {
        let line = machine.line(&words);
        lines.push(line.clone());
        if matches!(words[0], "approval" | "watch" | "select" | "gate") && lines.len() < 28 {
            lines.push(format!("printf 'y\\nq' | '{script}' -qec \"{line}\" /dev/null"));
            lines.push(format!("cd / && {line} --root '{root}'"));
            lines.push(format!("env -i HOME=/nowhere XDG_STATE_HOME=/nowhere {line}"));
        }
    }
    let before = governance(&machine);
    for (line, (status, words)) in lines.iter().zip(agent_runs(&machine, &lines)) {
        assert_eq!(status, 2, "{line}: {words}");
        assert!(words.contains("under a governed agent"), "{line}: {words}");
    }
    assert_eq!(governance(&machine), before);
    // The operator can.
    machine.approve(&id);
    assert_eq!(
        machine.hook(&machine.write_call("w2", "src/auth/new.rs")).decision().as_deref(),
        Some("allow")
    );
}

// D-16: what an agent may run
#[test]
fn an_agent_may_ask_questions() {
    let machine = Machine::selected();
    let queries: [&[&str]; 10] = [
        &["status"],
        &["log"],
        &["tools"],
        &["prompt"],
        &["intent", "list"],
        &["intent", "show", "INT-001"],
        &["intent", "check"],
        &["config", "show"],
        &["config", "check"],
        &["tool", "list_intents"],
    ];
    // Where no agent is hooked, `status` says so by its exit status.
    machine.world.ok(&["init", "--agent", "claude-code"]);
    let lines: Vec<String> = queries.iter().map(|words| machine.line(words)).collect();
    let before = governance(&machine);
    for (line, (status, words)) in lines.iter().zip(agent_runs(&machine, &lines)) {
        assert_eq!(status, 0, "{line}: {words}");
    }
    assert_eq!(governance(&machine), before);
}

// D-16; threat G3
#[test]
fn a_yes_needs_a_terminal_outside_of_the_agents_shell() {
    let machine = Machine::selected();
    let id = machine.pending("w1", "src/auth/new.rs");
    let before = governance(&machine);
    let piped = fed(&mut machine.world.command_in(&machine.root(), &["approval", "approve", &id]), b"y\ny\n");
    assert_eq!(piped.status.code(), Some(2), "{}", said(&piped));
    assert!(said(&piped).contains("needs a person at a terminal"), "{}", said(&piped));
    let watching = fed(&mut machine.world.command_in(&machine.root(), &["watch"]), b"a");
    assert_eq!(watching.status.code(), Some(2), "{}", said(&watching));
    // A process that left its agent keeps what the agent's shells are given.
    let commands = operator_commands(&id);
    let marked = commands.iter().map(|words| (words, machine.world.command_in(&machine.root(), words)));
    let on_terminals = commands.iter().take(1).map(|words| (words, machine.terminal(words)));
    for (words, mut command) in marked.chain(on_terminals) {
        let marked = fed(command.env("CLAUDECODE", "1"), b"y\n");
        assert_eq!(marked.status.code(), Some(2), "{words:?}: {}", said(&marked));
        assert!(said(&marked).contains("CLAUDECODE is set"), "{}", said(&marked));
    }
    assert_eq!(governance(&machine), before);
    machine.approve(&id);
}

// REQ 74; threat G3: anything but a yes leaves the request open
#[test]
fn only_a_typed_yes_approves() {
    let machine = Machine::selected();
    let id = machine.pending("w1", "src/auth/new.rs");
    for keys in ["\n", "n\n", "no\n", "yep\n", "y y\n", "1\n", ""] {
        let output = machine.typed(&["approval", "approve", &id], keys);
        assert_eq!(output.status.code(), Some(1), "{keys:?}: {}", said(&output));
    }
    let unknown = machine.typed(&["approval", "approve", "ap-00000000"], "y\n");
    assert_eq!(unknown.status.code(), Some(1), "{}", said(&unknown));
    assert_eq!(machine.open_requests().len(), 1);
    machine.approve(&id);
    let again = machine.typed(&["approval", "approve", &id], "y\n");
    assert_eq!(again.status.code(), Some(1), "answered once: {}", said(&again));
}

// REQ 22; D-16: a no with a word for the agent
#[test]
fn a_typed_no_reaches_the_agent() {
    let machine = Machine::selected();
    let id = machine.pending("w1", "src/auth/new.rs");
    let output = machine.typed(&["approval", "reject", &id, "--message", "use the old file"], "y\n");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let error = machine.hook(&machine.write_call("w2", "src/auth/new.rs")).denied();
    assert_eq!(error["code"], "DESTRUCTIVE_ACTION_REJECTED");
    assert_eq!(error["details"]["feedback"], "use the old file");
}

// D-16 a
#[test]
fn a_person_approves_in_watch() {
    let machine = Machine::selected();
    machine.pending("w1", "src/auth/new.rs");
    let mut watch = machine.terminal(&["watch"]);
    watch.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut watch = watch.spawn().unwrap();
    let mut keys = watch.stdin.take().unwrap();
    // A key counts once the request has been on the screen for a moment.
    while !machine.open_requests().is_empty() {
        keys.write_all(b"a").unwrap();
    }
    keys.write_all(b"q").unwrap();
    assert_eq!(watch.wait().unwrap().code(), Some(0));
    assert_eq!(
        machine.hook(&machine.write_call("w2", "src/auth/new.rs")).decision().as_deref(),
        Some("allow")
    );
}

// D-16: "in agent shells also by the gate itself"
#[test]
fn the_gate_does_not_let_an_agents_shell_run_a_humans_command() {
    let machine = Machine::selected();
    let id = machine.pending("w1", "src/auth/new.rs");
    for words in operator_commands(&id) {
        for program in ["bailiwick", env!("CARGO_BIN_EXE_bailiwick")] {
            let command = format!("{program} {}", words.join(" "));
            let call = machine.pre("b1", "Bash", &json!({"command": command}));
            machine.hook(&call).denied();
        }
    }
}

fn queue_file(machine: &Machine, id: &str) -> std::path::PathBuf {
    machine.private().join(format!("approvals/{id}.json"))
}

// D-16, D-17; threats G3, G4
#[test]
fn a_file_never_approves() {
    let machine = Machine::selected();
    let id = machine.pending("w1", "src/auth/new.rs");
    let file = queue_file(&machine, &id);
    let open: Value = crate::world::json(&read(&file));
    let yes = json!({"status": "approved", "by": "dana", "at": open["approval"]["created"]});
    let mut forged = open.clone();
    forged["approval"]["status"] = yes.clone();
    let mut unsealed = forged.clone();
    unsealed["asked_seal"] = Value::Null;
    unsealed["answer_seal"] = Value::Null;
    let mut copied_seal = forged.clone();
    copied_seal["answer_seal"] = open["asked_seal"].clone();
    let mut made_up = forged.clone();
    made_up["answer_seal"] = format!("sha256:{}", "0".repeat(64)).into();
    for (name, value) in [
        ("as it is", forged),
        ("unsealed", unsealed),
        ("a copied seal", copied_seal),
        ("a made up seal", made_up),
    ] {
        std::fs::write(&file, value.to_string()).unwrap();
        assert_eq!(
            machine.hook(&machine.write_call("w2", "src/auth/new.rs")).denied()["code"],
            "APPROVAL_PENDING",
            "{name}"
        );
    }
    std::fs::write(&file, open.to_string()).unwrap();
    machine.approve(&id);
}

// D-17; threat G4
#[test]
fn a_yes_does_not_serve_another_call() {
    let machine = Machine::selected();
    let yes = machine.pending("w1", "src/auth/new.rs");
    let other = machine.pending("w2", "src/auth/other.rs");
    machine.approve(&yes);
    // The other call's fingerprint is made to point at the yes, then the yes is put in the other request's file.
    let links = machine.private().join("approvals/by-fingerprint");
    for entry in std::fs::read_dir(&links).unwrap() {
        std::fs::write(entry.unwrap().path(), &yes).unwrap();
    }
    assert_eq!(
        machine.hook(&machine.write_call("w3", "src/auth/other.rs")).denied()["code"],
        "APPROVAL_PENDING"
    );
    let answered = read(&queue_file(&machine, &yes)).replace(&yes, &other);
    std::fs::write(queue_file(&machine, &other), answered).unwrap();
    assert_eq!(
        machine.hook(&machine.write_call("w4", "src/auth/other.rs")).denied()["code"],
        "APPROVAL_PENDING"
    );
    let elsewhere =
        machine.pre_in("s2", "w5", "Write", &machine.write_call("w5", "src/auth/new.rs")["tool_input"]);
    machine.select_in("s2", "INT-001");
    assert_eq!(machine.hook(&elsewhere).denied()["code"], "APPROVAL_PENDING", "another session");
}

// D-16 c, D-28: a request of a hooked agent is not answered on a wire
#[test]
fn another_connection_cannot_resolve() {
    let machine = Machine::selected();
    let id = machine.pending("w1", "src/auth/new.rs");
    let mut wire = machine.wire();
    let answer = wire.ask(json!({"phase": "resolve", "approvalId": id, "decision": "approve"}));
    assert_eq!(answer["error"]["code"], "APPROVAL_TIMEOUT", "{answer}");
    wire.end();
    assert_eq!(
        machine.hook(&machine.write_call("w2", "src/auth/new.rs")).denied()["code"],
        "APPROVAL_PENDING"
    );
}

// H3: whoever may write git's folder may write the decision log, and its lines are numbered
#[test]
fn the_log_tells_where_lines_were_taken_out_or_put_in() {
    let machine = Machine::selected();
    for nth in 0..4 {
        machine.hook(&machine.write_call(&format!("w{nth}"), "src/core/main.rs"));
    }
    let log = machine.private().join("decisions.jsonl");
    let whole = read(&log);
    let lines: Vec<&str> = whole.lines().collect();
    let gaps = |text: &str| {
        std::fs::write(&log, text).unwrap();
        let told: Value = crate::world::json(&machine.world.ok(&["log", "--json"]));
        let shown = said(&machine.world.run(&["log"]));
        assert_eq!(shown.contains("took lines out or put some in"), told["gaps"] != json!([]), "{shown}");
        told["gaps"].clone()
    };
    let last = lines.len() - 1;
    assert_eq!(gaps(&whole), json!([]));
    let cut: Vec<&str> =
        lines.iter().enumerate().filter(|(nth, _)| *nth != last - 1).map(|(_, line)| *line).collect();
    assert_eq!(gaps(&format!("{}\n", cut.join("\n"))), json!([[last - 2, last]]));
    assert_eq!(gaps(&format!("{whole}{}\n", lines[last - 1])), json!([[last, last - 1]]));
}
