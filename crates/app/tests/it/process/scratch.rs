//! The places that a host keeps for its own notes are found in the person's home, wherever the state folder lies (D-05,
//! D-15).

use std::path::Path;

use bailiwick_domain::json;

use super::machine::Machine;
use crate::world::{json as parsed, read, said};

/// Installs with the state folder there, and gives the line that the host runs before a tool.
fn installed(machine: &Machine, state: &Path) -> String {
    for words in [&["init", "--agent", "claude-code"][..], &["doctor"]] {
        let mut command = machine.world.command_in(&machine.root(), words);
        let output = command.env("XDG_STATE_HOME", state).output().unwrap();
        assert!(!said(&output).contains("command line is not the one"), "{}", said(&output));
    }
    let settings = parsed(&read(&machine.world.local_settings()));
    settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap().to_owned()
}

// D-05, D-15
#[test]
fn plan_files_are_free_wherever_the_state_folder_lies() {
    for (state, is_told) in [("home/.local/state", false), ("state", true), ("other/.local/state", true)] {
        let machine = Machine::new();
        let line = installed(&machine, &machine.world.path(state));
        assert_eq!(line.contains("--home"), is_told, "{line}");
        let write = |path: &str| {
            let path = machine.world.path(path).display().to_string();
            let call = machine.pre("w1", "Write", &json!({"file_path": path, "content": "1. look"}));
            machine.through(&line, call.to_string().as_bytes())
        };
        let plan = write("home/.claude/plans/p.md");
        assert_ne!(plan.decision().as_deref(), Some("deny"), "{state}: {plan:?}");
        for path in ["home/.claude/settings.json", "home/plan.md", "other/.claude/plans/p.md", "plans/p.md"] {
            assert_eq!(write(path).decision().as_deref(), Some("deny"), "{state}: {path}");
        }
    }
}

// D-05, D-15
#[test]
fn plan_files_are_free_where_a_person_put_the_hosts_folder() {
    let machine = Machine::new();
    let own = machine.world.path("elsewhere");
    let mut init = machine.world.command_in(&machine.root(), &["init", "--agent", "claude-code"]);
    assert!(init.env("CLAUDE_CONFIG_DIR", &own).output().unwrap().status.success());
    let settings = parsed(&read(&machine.world.local_settings()));
    let line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
    assert!(line.contains(&format!("--config '{}'", own.display())), "{line}");
    let write = |line: &str, path: &str| {
        let path = machine.world.path(path).display().to_string();
        let call = machine.pre("w1", "Write", &json!({"file_path": path, "content": "1. look"}));
        machine.through(line, call.to_string().as_bytes()).decision()
    };
    assert_ne!(write(&line, "elsewhere/plans/p.md").as_deref(), Some("deny"));
    for path in ["elsewhere/settings.json", "elsewhere/p.md", "home/.claude/plans/p.md", "repo/plans/p.md"] {
        assert_eq!(write(&line, path).as_deref(), Some("deny"), "{path}");
    }
    // A folder inside the repository stays governed, and one that is no absolute path is none.
    let inside = line.replace(&own.display().to_string(), &machine.root().display().to_string());
    assert_eq!(write(&inside, "repo/plans/p.md").as_deref(), Some("deny"));
    let relative = line.replace(&own.display().to_string(), "elsewhere");
    assert_eq!(write(&relative, "elsewhere/plans/p.md").as_deref(), Some("deny"));
}

// D-05, D-15: what an older version installed, and what is no place, opens nothing
#[test]
fn a_home_that_is_not_told_or_no_absolute_path_opens_nothing() {
    let machine = Machine::new();
    let line = installed(&machine, &machine.world.path("state"));
    let told = format!(" --home '{}'", machine.world.path("home").display());
    let plan = machine.world.path("home/.claude/plans/p.md").display().to_string();
    let call = machine.pre("w1", "Write", &json!({"file_path": plan, "content": "1. look"})).to_string();
    assert_ne!(machine.through(&line, call.as_bytes()).decision().as_deref(), Some("deny"));
    for instead in ["", " --home ''", " --home ../home"] {
        let line = line.replace(&told, instead);
        assert!(!line.contains(&told));
        assert_eq!(machine.through(&line, call.as_bytes()).decision().as_deref(), Some("deny"), "{line}");
    }
}

// B: what a background command prints may be read, by its own session, with every tool, and nothing else there
#[cfg(unix)]
#[test]
fn what_a_background_command_of_the_session_printed_may_be_read_and_not_changed() {
    use std::os::unix::fs::DirBuilderExt as _;
    let machine = Machine::new();
    let dashed = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '-' };
    let key: String = machine.root().display().to_string().chars().map(dashed).collect();
    let user = machine.world.path("temporary").join(format!("claude-{}", nix::unistd::getuid()));
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&user).unwrap();
    let file = |session: &str| {
        let file = user.join(&key).join(session).join("tasks/b1.output");
        crate::world::write(&file, "pass 12\n");
        file.display().to_string()
    };
    let (own, foreign) = (file("s1"), file("s2"));
    let hook = |tool: &str, input| machine.hook(&machine.pre("c1", tool, &input));
    assert_eq!(hook("Read", json!({"file_path": own})).decision(), None);
    for command in [format!("tail -5 {own}"), format!("cat {own} | grep pass")] {
        assert_eq!(hook("Bash", json!({"command": command})).decision(), None, "{command}");
    }
    machine.select("INT-001");
    for (tool, input) in [
        ("Read", json!({"file_path": foreign})),
        ("Bash", json!({"command": format!("cat {foreign}")})),
        ("Write", json!({"file_path": own, "content": "x"})),
        ("Edit", json!({"file_path": own, "old_string": "pass 12", "new_string": "x"})),
        ("Read", json!({"file_path": user.join(&key).display().to_string()})),
    ] {
        let error = hook(tool, input.clone()).denied();
        assert_eq!(error["code"], "OUTSIDE_WORKSPACE", "{tool} {input}: {error}");
    }
}
