//! An agent that works in a project that nobody governs, with the hook of the user, and reaches into a repository that
//! somebody does (D-14): refused and told where to start, and everything else stays silent.

use bailiwick_domain::{Value, json};

use super::machine::{Hooked, Machine};
use crate::world::write;

/// The governed repository, and beside it a project `mine` that nobody governs.
fn both() -> Machine {
    let machine = Machine::new();
    crate::world::git(&machine.world.path(""), &["init", "-q", "mine"]);
    write(&machine.world.path("mine/a.txt"), "x\n");
    machine
}

fn call(machine: &Machine, folder: &str, tool: &str, input: &Value) -> Hooked {
    let mut event = machine.pre("c1", tool, input);
    event["cwd"] = json!(machine.world.path(folder).display().to_string());
    let line = machine.bare_line().replace(" --governed", "");
    let mut agent = machine.agent(&line);
    agent.current_dir(machine.world.path("mine"));
    Hooked::of(&super::machine::fed(&mut agent, event.to_string().as_bytes()))
}

fn is_sent_there(machine: &Machine, hooked: &Hooked, what: &str) {
    let error = hooked.denied();
    assert_eq!(error["code"], "OUTSIDE_WORKSPACE", "{what}: {error}");
    let root = machine.root().canonicalize().unwrap().display().to_string();
    assert_eq!(error["details"]["root"], json!(root), "{what}");
    assert!(error["suggestion"].as_str().unwrap().contains(&root), "{what}");
}

// A12, D-14
#[test]
fn a_write_into_a_governed_repository_from_a_project_that_is_not_is_sent_there() {
    let machine = both();
    let file = |name: &str| machine.root().join(name).display().to_string();
    for path in ["src/auth/new.rs", ".orchestration/active_intents.yaml", ".git/hooks/pre-commit"] {
        let input = json!({"file_path": file(path), "content": "x"});
        is_sent_there(&machine, &call(&machine, "mine", "Write", &input), path);
    }
    let relative = json!({"file_path": "../repo/src/auth/new.rs", "content": "x"});
    is_sent_there(&machine, &call(&machine, "mine", "Write", &relative), "relative");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(machine.root(), machine.world.path("mine/link")).unwrap();
        let through = json!({"file_path": machine.world.path("mine/link/new.rs"), "content": "x"});
        is_sent_there(&machine, &call(&machine, "mine", "Write", &through), "a link");
    }
    assert!(!machine.private().join("actors").exists(), "no session is made");
    let logged = machine.decisions();
    assert!(logged.iter().any(|line| line["code"] == "OUTSIDE_WORKSPACE"), "{logged:?}");
}

// A12, D-14
#[test]
fn a_command_that_leads_into_a_governed_repository_is_sent_there() {
    let machine = both();
    let root = machine.root().display().to_string();
    for command in [
        format!("touch {root}/x"),
        "cd ../repo && touch x".to_owned(),
        "cd .. && rm repo/README.md".to_owned(),
        "git -C ../repo commit -m x".to_owned(),
        format!("git --git-dir={root}/.git commit -m x"),
        format!("bash -c 'echo x > {root}/y'"),
    ] {
        is_sent_there(&machine, &call(&machine, "mine", "Bash", &json!({"command": command})), &command);
    }
    let there = call(&machine, "repo", "Bash", &json!({"command": "make"}));
    assert_ne!(there.decision().as_deref(), Some("allow"), "the folder that it runs in");
}

// A12, D-14, principle 2
#[test]
fn what_stays_in_a_project_that_nobody_governs_is_silent() {
    let machine = both();
    let before = machine.world.everything();
    let root = machine.root().display().to_string();
    for (tool, input) in [
        ("Write", json!({"file_path": machine.world.path("mine/b.txt"), "content": "x"})),
        ("Write", json!({"file_path": "/tmp/elsewhere.txt", "content": "x"})),
        ("Bash", json!({"command": "make test && cd sub && touch ../x"})),
        ("Bash", json!({"command": format!("cat {root}/src/auth/login.rs")})),
        ("Read", json!({"file_path": format!("{root}/src/auth/login.rs")})),
        ("mcp__other__do", json!({"text": "hello"})),
    ] {
        let hooked = call(&machine, "mine", tool, &input);
        assert_eq!((hooked.code, hooked.stdout.as_str()), (Some(0), ""), "{tool} {input}");
    }
    assert_eq!(machine.world.changes_since(&before), Vec::<String>::new());
}

// A11: what no gate could decide is in the log all the same
#[test]
fn an_event_that_is_not_understood_is_in_the_log() {
    let machine = Machine::selected();
    machine
        .through(&machine.bare_line(), b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":7}")
        .refused("malformed");
    let last = machine.decisions().pop().unwrap();
    assert_eq!(
        (last["action"].as_str(), last["code"].as_str()),
        (Some("block"), Some("MALFORMED_CALL")),
        "{last}"
    );
}
