//! A team's shared installation (D-08) as whole processes: what stands in the team's files, and what happens on machines
//! with Bailiwick, without it, and with something that only looks like it.

use std::path::Path;
use std::process::Command;

use bailiwick_domain::{Value, json};

use super::machine::{Hooked, Machine, fed};
use crate::world::{World, git, json as parsed, read, said, write};

const EVENTS: [&str; 11] = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "UserPromptSubmit",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "ConfigChange",
];

impl Machine {
    fn shared(mode: &str) -> Self {
        let machine = Self::new();
        machine.world.ok(&["init", "--agent", "claude-code", "--shared", "--launcher", mode]);
        machine
    }

    fn team_settings(&self) -> Value {
        parsed(&read(&self.root().join(".claude/settings.json")))
    }

    /// One event through the team's own line. `path` is where programs are found beside the system's.
    fn teams_hook(&self, event: &Value, path: &Path) -> Hooked {
        let name = event["hook_event_name"].as_str().unwrap();
        let line = self.team_settings()["hooks"][name][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
        let mut agent = self.agent(&line);
        agent.env("PATH", format!("{}:/usr/bin:/bin", path.display())).env("CLAUDE_PROJECT_DIR", self.root());
        Hooked::of(&fed(&mut agent, event.to_string().as_bytes()))
    }

    fn event(&self, name: &str) -> Value {
        let mut event = self.write_call("w1", "src/auth/new.rs");
        event["hook_event_name"] = name.into();
        event["prompt"] = "go on".into();
        event
    }
}

// D-08
#[test]
fn the_teams_files_hold_nothing_of_one_machine_and_can_be_taken_out_again() {
    let world = World::new();
    write(&world.path("repo/.claude/settings.json"), "{\n  // ours\n  \"model\": \"opus\"\n}\n");
    git(&world.root(), &["add", "."]);
    let words = ["init", "--agent", "claude-code", "--shared"];
    world.ok(&words);
    assert_eq!(world.git_status(), "AM .claude/settings.json\n?? .mcp.json\n?? .orchestration/\n");
    for name in [".claude/settings.json", ".mcp.json", ".orchestration/launch"] {
        let text = read(&world.root().join(name));
        for own in [world.path("").display().to_string(), env!("CARGO_BIN_EXE_bailiwick").to_owned()] {
            assert!(!text.contains(own.trim_end_matches('/')), "{name} names this machine: {text}");
        }
    }
    assert!(!world.local_settings().exists(), "hooked once, not twice");
    assert!(!world.servers().exists() || !read(&world.servers()).contains("bailiwick"));
    let before = world.everything();
    world.ok(&words);
    world.ok(&["init", "--agent", "claude-code"]);
    assert_eq!(world.changes_since(&before), [""; 0]);

    let plain = world.run(&["uninstall"]);
    assert!(said(&plain).contains("bailiwick uninstall --shared"), "{}", said(&plain));
    world.ok(&["uninstall", "--shared"]);
    assert_eq!(read(&world.path("repo/.claude/settings.json")), "{\n  // ours\n  \"model\": \"opus\"\n}\n");
    assert!(!world.path("repo/.mcp.json").exists() && !world.path("repo/.orchestration/launch").exists());
}

// D-08
#[test]
fn going_shared_moves_the_hooks_and_the_mode_can_be_changed() {
    let world = World::new();
    write(&world.path("repo/.mcp.json"), "{ \"mcpServers\": { \"theirs\": { \"command\": \"x\" } } }\n");
    world.ok(&["init", "--agent", "claude-code"]);
    assert!(world.local_settings().exists());
    world.ok(&["init", "--agent", "claude-code", "--shared", "--launcher", "required"]);
    assert!(!world.local_settings().exists());
    let launcher = world.path("repo/.orchestration/launch");
    assert!(read(&launcher).contains("mode=required"));
    world.ok(&["init", "--agent", "claude-code", "--shared"]);
    assert!(read(&launcher).contains("mode=required"), "the mode stays when none is said");
    world.ok(&["init", "--agent", "claude-code", "--shared", "--launcher", "advisory"]);
    assert!(read(&launcher).contains("mode=advisory"));
    assert_eq!(read(&world.path("repo/.claude/settings.json")).matches(" hook --agent ").count(), 11);
    assert_eq!(world.run(&["init", "--launcher", "advisory"]).status.code(), Some(2), "only with --shared");
    world.ok(&["uninstall", "--shared"]);
    assert!(parsed(&read(&world.path("repo/.mcp.json")))["mcpServers"]["theirs"].is_object());
    world.ok(&["init", "--agent", "claude-code"]);
    assert!(world.local_settings().exists(), "without the team's hooks a person's own come back");
}

// D-08: a teammate without Bailiwick is never bricked by surprise
#[test]
fn an_advisory_team_says_one_thing_and_lets_go() {
    let machine = Machine::shared("advisory");
    for name in EVENTS {
        let answer = machine.teams_hook(&machine.event(name), Path::new("/nonexistent"));
        assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{name}");
        if name == "SessionStart" {
            let note: Value = serde_json::from_str(&answer.stdout).unwrap();
            assert!(note["systemMessage"].as_str().unwrap().contains("not installed"), "{note}");
            assert_eq!(note["hookSpecificOutput"]["hookEventName"], "SessionStart");
        } else {
            assert_eq!(answer.stdout, "", "{name}");
        }
    }
    for groups in machine.team_settings()["hooks"].as_object().unwrap().values() {
        assert_eq!(groups[0]["hooks"][0].get("onFailure"), None, "a machine without a shell is let go too");
    }
}

// D-08
#[test]
fn a_required_team_refuses_tools_with_the_install_line() {
    let machine = Machine::shared("required");
    for name in EVENTS {
        let answer = machine.teams_hook(&machine.event(name), Path::new("/nonexistent"));
        match name {
            "PreToolUse" => {
                assert_eq!(answer.decision().as_deref(), Some("deny"));
                assert!(answer.stdout.contains("cargo install --locked"), "{answer:?}");
            }
            "SessionStart" => assert!(answer.stdout.contains("every tool call is refused"), "{answer:?}"),
            _ => assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), ""), "{name}: {answer:?}"),
        }
    }
    let spaced = format!("{:#}", machine.event("PreToolUse"));
    let line =
        machine.team_settings()["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
    for event in [spaced.as_str(), "", "{", "\u{feff}{}"] {
        let mut agent = machine.agent(&line);
        agent.env("PATH", "/usr/bin:/bin").env("CLAUDE_PROJECT_DIR", machine.root());
        let answer = Hooked::of(&fed(&mut agent, event.as_bytes()));
        let denied = answer.code == Some(0) && answer.decision().as_deref() == Some("deny");
        assert!(denied || answer.code == Some(2), "{event:?}: {answer:?}");
    }
}

// D-08, D-19
#[test]
fn a_teammate_with_bailiwick_is_governed_through_the_launcher() {
    for mode in ["advisory", "required"] {
        let machine = Machine::shared(mode);
        machine.own_binary();
        let bin = machine.world.path("bin");
        let hook = |event: &Value| machine.teams_hook(event, &bin);
        assert_eq!(hook(&machine.write_call("w1", ".mcp.json")).denied()["code"], "STATE_VIOLATION");
        let own = machine.pre("s", "mcp__bailiwick__select_active_intent", &json!({"intent_id": "INT-001"}));
        assert_eq!(hook(&own).decision().as_deref(), Some("allow"), "the team's server is ours");
        assert_eq!(
            hook(&machine.write_call("w2", ".orchestration/launch")).denied()["code"],
            "PROTECTED_PATH"
        );
        assert_eq!(hook(&machine.write_call("w3", "src/core/main.rs")).denied()["code"], "SCOPE_VIOLATION");
        // A launcher or a server that is not ours proves nothing.
        let launcher = machine.root().join(".orchestration/launch");
        write(&launcher, &format!("{}# more\n", read(&launcher)));
        assert_ne!(hook(&own).decision().as_deref(), Some("allow"));
    }
}

// D-08, threat F4
#[test]
fn a_program_inside_the_repository_is_not_run() {
    let machine = Machine::shared("required");
    for folder in ["tools", ".git/hooks"] {
        let planted = machine.root().join(folder);
        write(&planted.join("bailiwick"), "#!/bin/sh\nexit 0\n");
        assert!(Command::new("chmod").arg("+x").arg(planted.join("bailiwick")).status().unwrap().success());
        let answer = machine.teams_hook(&machine.event("PreToolUse"), &planted);
        assert_eq!(answer.decision().as_deref(), Some("deny"), "{folder}: {answer:?}");
    }
    let answer = machine.teams_hook(&machine.event("PreToolUse"), Path::new("tools"));
    assert_eq!(answer.decision().as_deref(), Some("deny"), "a relative search path: {answer:?}");
}

// D-05, D-08, D-15: a team's file names no folder of a person; what `init` wrote down on this machine does
#[test]
fn plan_files_are_free_through_the_launcher_where_a_person_put_the_hosts_folder() {
    let machine = Machine::shared("required");
    machine.own_binary();
    let own = machine.world.path("elsewhere");
    let says = |words: &[&str]| {
        let mut command = machine.world.command_in(&machine.root(), words);
        command.env("PATH", format!("{}:/usr/bin:/bin", machine.world.path("bin").display()));
        said(&command.env("CLAUDE_CONFIG_DIR", &own).output().unwrap())
    };
    let write = |path: &str| {
        let path = machine.world.path(path).display().to_string();
        let call = machine.pre("w1", "Write", &json!({"file_path": path, "content": "1. look"}));
        machine.teams_hook(&call, &machine.world.path("bin")).decision()
    };
    let plan = "elsewhere/plans/p.md";
    assert_eq!(write(plan).as_deref(), Some("deny"), "nobody has said where it is");
    assert!(says(&["doctor"]).contains("plan files in it are refused"));
    says(&["init", "--agent", "claude-code"]);
    for name in [".claude/settings.json", ".mcp.json", ".orchestration/launch"] {
        assert!(!read(&machine.root().join(name)).contains("elsewhere"), "{name}");
    }
    assert_ne!(write(plan).as_deref(), Some("deny"));
    assert!(!says(&["doctor"]).contains("plan files in it are refused"));
    for path in ["elsewhere/settings.json", "elsewhere/p.md", "plans/p.md", "repo/plans/p.md"] {
        assert_eq!(write(path).as_deref(), Some("deny"), "{path}");
    }
    // A record that is no place, or that cannot be read, opens nothing.
    let folder = machine.private().join("install");
    let record = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let text = read(&record);
    for broken in [text.replace(&own.display().to_string(), "elsewhere"), "{".to_owned()] {
        assert_ne!(broken, text);
        crate::world::write(&record, &broken);
        assert_eq!(write(plan).as_deref(), Some("deny"), "{broken}");
    }
}

// D-08: fail closed
#[test]
fn a_program_that_fails_is_a_refusal_and_a_launcher_that_is_gone_is_as_the_team_chose() {
    for (mode, gone) in [("advisory", Some(0)), ("required", Some(2))] {
        let machine = Machine::shared(mode);
        write(&machine.world.path("bin/bailiwick"), "#!/bin/sh\nexit 101\n");
        let chmod =
            Command::new("chmod").arg("+x").arg(machine.world.path("bin/bailiwick")).status().unwrap();
        assert!(chmod.success());
        let answer = machine.teams_hook(&machine.event("PreToolUse"), &machine.world.path("bin"));
        assert_eq!(answer.code, Some(2), "{mode}: {answer:?}");
        std::fs::remove_file(machine.root().join(".orchestration/launch")).unwrap();
        let answer = machine.teams_hook(&machine.event("PreToolUse"), &machine.world.path("bin"));
        assert_eq!((answer.code, answer.stdout.as_str()), (gone, ""), "{mode}: {answer:?}");
    }
}

// D-08
#[test]
fn doctor_fires_the_teams_hooks_and_knows_a_launcher_that_is_not_ours() {
    let machine = Machine::shared("required");
    machine.own_binary();
    let doctor = |machine: &Machine| {
        let mut command = machine.world.command_in(&machine.root(), &["doctor"]);
        let output = command.env("PATH", format!("{}:/usr/bin:/bin", machine.world.path("bin").display()));
        said(&output.output().unwrap())
    };
    let told = doctor(&machine);
    assert!(told.contains("launcher") && told.contains("fired: a forbidden write is denied with"), "{told}");
    assert!(told.contains("`bailiwick` is the team's"), "{told}");
    // The home of the test is not the one of the password database, which is all that is wrong.
    assert_eq!(told.matches("  FAIL ").count(), 1, "{told}");
    assert!(told.contains("your answers do not count"), "{told}");
    write(&machine.root().join(".orchestration/launch"), "#!/bin/sh\nexit 0\n");
    let told = doctor(&machine);
    assert!(told.matches("  FAIL ").count() > 1 && told.contains("bailiwick uninstall --shared"), "{told}");
}

// D-08, docs/teams.md
#[test]
fn a_fresh_clone_is_governed_at_once() {
    let machine = Machine::shared("required");
    machine.own_binary();
    git(&machine.root(), &["add", "."]);
    git(&machine.root(), &["-c", "user.name=d", "-c", "user.email=d@x", "commit", "-qm", "x"]);
    std::fs::remove_dir_all(machine.private()).unwrap();
    std::fs::remove_dir_all(machine.world.path("home/.local")).unwrap();
    let bin = machine.world.path("bin");
    assert_eq!(machine.teams_hook(&machine.read_call("r1"), &bin).decision(), None);
    assert_eq!(
        machine.teams_hook(&machine.write_call("w1", "src/auth/new.rs"), &bin).denied()["code"],
        "STATE_VIOLATION"
    );
    std::fs::remove_file(machine.root().join(".orchestration/active_intents.yaml")).unwrap();
    let error = machine.teams_hook(&machine.read_call("r2"), &bin).denied();
    let line = format!("cd {} && bailiwick uninstall --shared", machine.root().display());
    assert!(error["message"].as_str().unwrap().contains(&line), "{error}");
    git(&machine.root(), &["checkout", "-q", "."]);
    machine.world.ok(&["init", "--agent", "claude-code", "--yes"]);
    assert_eq!(machine.world.git_status(), "");
}

// D-08, docs/teams.md
#[test]
fn in_ci_nobody_is_asked_and_nothing_passes() {
    let machine = Machine::selected();
    let code = |id: &str| machine.hook(&machine.write_call(id, "src/auth/new.rs")).denied()["code"].clone();
    assert_eq!(code("w1"), "APPROVAL_PENDING");
    machine.write(".orchestration/config.yaml", "approval: { channel: deny }\n");
    assert_eq!(code("w2"), "DESTRUCTIVE_ACTION_REJECTED");
}

// D-08
#[test]
fn a_removed_program_after_uninstall_leaves_a_client_that_works() {
    let machine = Machine::shared("required");
    machine.world.ok(&["uninstall", "--shared"]);
    for name in [".claude/settings.json", ".mcp.json", ".orchestration/launch"] {
        assert!(!machine.root().join(name).exists(), "{name}");
    }
    assert!(!machine.world.local_settings().exists());
}
