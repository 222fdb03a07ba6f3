//! No environment variable changes what the hook says: an agent's tools, a shell's start-up files and a cloned repository's
//! tooling all reach into the environment (D-15; threats E6, E8).

use bailiwick_domain::{Value, json};

use super::machine::{Hooked, Machine};

/// Variables that other programs obey, with values that would hurt if this one did. `@` is a folder that an agent may
/// write: it holds another home, another repository, other settings.
const HOSTILE: &[(&str, &str)] = &[
    ("HOME", "@/home"),
    ("HOME", ""),
    ("USERPROFILE", "@/home"),
    ("USER", "root"),
    ("LOGNAME", "nobody"),
    ("XDG_STATE_HOME", "@/state"),
    ("XDG_CONFIG_HOME", "@/config"),
    ("XDG_CACHE_HOME", "@/cache"),
    ("XDG_DATA_HOME", "@/data"),
    ("XDG_RUNTIME_DIR", "@/run"),
    ("LD_PRELOAD", "@/evil.so"),
    ("LD_LIBRARY_PATH", "@"),
    ("LD_AUDIT", "@/evil.so"),
    ("PATH", "@/bin"),
    ("PATH", ""),
    ("PWD", "@"),
    ("OLDPWD", "@"),
    ("GIT_DIR", "@/repo/.git"),
    ("GIT_WORK_TREE", "@/repo"),
    ("GIT_INDEX_FILE", "@/index"),
    ("GIT_COMMON_DIR", "@/repo/.git"),
    ("GIT_OBJECT_DIRECTORY", "@/objects"),
    ("GIT_NAMESPACE", "evil"),
    ("GIT_CONFIG_COUNT", "1"),
    ("GIT_CONFIG_KEY_0", "core.worktree"),
    ("GIT_CONFIG_VALUE_0", "@/repo"),
    ("GIT_CONFIG_GLOBAL", "@/gitconfig"),
    ("GIT_CONFIG_PARAMETERS", "'core.worktree=@/repo'"),
    ("GIT_CEILING_DIRECTORIES", "/"),
    ("GIT_DISCOVERY_ACROSS_FILESYSTEM", "0"),
    ("TMPDIR", "@/absent"),
    ("RUST_BACKTRACE", "full"),
    ("RUST_LOG", "trace"),
    ("RUST_MIN_STACK", "1"),
    ("NO_COLOR", "1"),
    ("CLICOLOR_FORCE", "1"),
    ("FORCE_COLOR", "3"),
    ("TERM", "dumb"),
    ("COLUMNS", "1"),
    ("LANG", "tr_TR.UTF-8"),
    ("LC_ALL", "C"),
    ("LANGUAGE", "de"),
    ("TZ", "Pacific/Kiritimati"),
    ("SHELL", "@/bin/sh"),
    ("ENV", "@/profile"),
    ("BASH_ENV", "@/profile"),
    ("IFS", "/"),
    ("EDITOR", "false"),
    ("PAGER", "false"),
    ("CI", "true"),
    ("DEBUG", "1"),
    ("BAILIWICK_DISABLE", "1"),
    ("BAILIWICK_ROOT", "@/repo"),
    ("BAILIWICK_STATE", "@/state"),
    ("BAILIWICK_APPROVE", "1"),
    ("BAILIWICK_LOG", "trace"),
    ("CLAUDECODE", "1"),
    ("CLAUDE_CONFIG_DIR", "@/config"),
    ("CLAUDE_CODE_SIMPLE", "1"),
    ("CLAUDE_CODE_ENTRYPOINT", "cli"),
    ("SUDO_USER", "root"),
    ("FAKETIME", "-1y"),
];

/// What an agent sends, after a fresh prompt and a selection: each of the answers that the gate knows.
fn events(machine: &Machine) -> Vec<Vec<u8>> {
    let select = json!({"command": "bailiwick tool select_active_intent '{\"intent_id\":\"INT-001\"}'"});
    let calls = [
        machine.prompt("s1"),
        machine.write_call("w0", "src/auth/new.rs"),
        machine.pre("select", "Bash", &select),
        machine.read_call("r1"),
        machine.write_call("w1", "README.md"),
        machine.write_call("w2", ".orchestration/config.yaml"),
        machine.write_call("w3", "src/auth/new.rs"),
        machine.pre("b1", "Bash", &json!({"command": "git log --oneline"})),
        machine.pre("w4", "Write", &json!({"content": ""})),
    ];
    let mut events: Vec<Vec<u8>> = calls.iter().map(|call| call.to_string().into_bytes()).collect();
    events.push(b"{\"hook_event_name\":\"PreToolUse\"".to_vec());
    events
}

fn answers(machine: &Machine, line: &str) -> Vec<(Option<i32>, String)> {
    let told = |event: &Vec<u8>| machine.through(line, event);
    events(machine).iter().map(told).map(|said: Hooked| (said.code, said.stdout)).collect()
}

/// The hook's line with these variables set for it alone.
fn line_with(machine: &Machine, variables: &[(&str, &str)]) -> String {
    let folder = machine.world.path("hostile").display().to_string();
    let set: Vec<String> = variables
        .iter()
        .map(|(name, value)| format!("{name}='{}'", value.replace('@', &folder).replace('\'', r"'\''")))
        .collect();
    format!("export {}; {}", set.join(" "), machine.bare_line())
}

/// A machine with another repository and other settings in a folder that an agent may write.
fn beside_a_trap() -> Machine {
    let machine = Machine::new();
    let trap = machine.world.path("hostile");
    for folder in ["home/.local/state/bailiwick", "state/bailiwick", "bin", "config", "run"] {
        std::fs::create_dir_all(trap.join(folder)).unwrap();
    }
    crate::world::write(&trap.join("repo/file"), "");
    crate::world::git(&trap.join("repo"), &["init", "--quiet"]);
    machine
}

// D-15; threats E6, E8
#[test]
fn no_environment_variable_changes_an_answer_by_a_byte() {
    let machine = beside_a_trap();
    machine.select("INT-001");
    let expected = answers(&machine, &machine.bare_line());
    let decisions: Vec<Option<&str>> = expected.iter().map(|(_, said)| decided(said)).collect();
    let (deny, allow) = (Some("deny"), Some("allow"));
    assert_eq!(
        decisions,
        [None, deny, allow, None, deny, deny, deny, None, deny, deny],
        "each answer is among them"
    );
    assert_eq!(answers(&machine, &machine.bare_line()), expected, "the same question has the same answer");
    for variable in HOSTILE {
        assert_eq!(answers(&machine, &line_with(&machine, &[*variable])), expected, "{variable:?}");
    }
    assert_eq!(answers(&machine, &line_with(&machine, HOSTILE)), expected, "all at once");
    assert!(HOSTILE.len() >= 40);
}

fn decided(stdout: &str) -> Option<&'static str> {
    let answer: Value = serde_json::from_str(stdout).ok()?;
    match answer["hookSpecificOutput"]["permissionDecision"].as_str()? {
        "deny" => Some("deny"),
        "allow" => Some("allow"),
        other => panic!("{other}"),
    }
}

// D-14: the one variable that the host documents may move a call, never open one
#[test]
fn another_project_folder_refuses_rather_than_opens() {
    let machine = beside_a_trap();
    machine.select("INT-001");
    for folder in ["@/repo", "@/absent", "/", ""] {
        let line = line_with(&machine, &[("CLAUDE_PROJECT_DIR", folder)]);
        for call in [machine.write_call("w1", "README.md"), machine.write_call("w2", "src/auth/new.rs")] {
            machine.through(&line, call.to_string().as_bytes()).refused(folder);
        }
    }
}
