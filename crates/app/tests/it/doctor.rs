//! `doctor` of the real binary: what is live, and everything that makes a gate useless without a word.

use std::path::Path;

use bailiwick_adapters_hooks::host;
use serde_json::Value;

use crate::world::{World, git, json, read, said, write};

const BINARY: &str = env!("CARGO_BIN_EXE_bailiwick");

fn installed() -> World {
    let world = World::new();
    world.ok(&["init", "--agent", "claude-code"]);
    world
}

fn findings(world: &World, status: i32) -> Vec<(String, String)> {
    let output = world.run(&["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(status), "{}", said(&output));
    let report = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(report["ok"], status == 0);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| (text(&found["level"]), text(&found["message"])))
        .collect()
}

/// The installation is broken in one way; `doctor` says so, and says it with these words.
#[track_caller]
fn check(breakage: impl FnOnce(&World), level: &str, words: &[&str]) {
    let world = installed();
    breakage(&world);
    let found = findings(&world, i32::from(level == "fail"));
    for part in words {
        let is_said = found.iter().any(|(at, message)| at == level && message.contains(part));
        assert!(is_said, "{level} {part:?} is not in {found:#?}");
    }
}

fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value = json(&read(path));
    change(&mut value);
    write(path, &value.to_string());
}

#[test]
fn a_fresh_installation_is_live_and_its_limits_are_told() {
    // D-19, REQ 117
    let world = installed();
    let found = findings(&world, 0);
    for part in
        ["a forbidden write is denied with", "a cut-off event is refused", "hooks for 11 events", "is ours"]
    {
        assert!(
            found.iter().any(|(level, message)| level == "ok" && message.contains(part)),
            "{part}: {found:#?}"
        );
    }
    let text = world.ok(&["doctor"]);
    for limit in host("claude-code").unwrap().profile.lets_through {
        assert!(text.contains(limit), "{limit} is not in {text}");
    }
    assert!(text.contains("The gate is live"), "{text}");
}

#[test]
fn probes_leave_nothing_but_lines_in_the_decision_log() {
    // D-15, D-16
    let world = installed();
    world.ok(&["doctor"]);
    let before = world.everything();
    world.ok(&["doctor"]);
    let log = world.path("repo/.git/bailiwick/decisions.jsonl").display().to_string();
    assert_eq!(world.changes_since(&before), [log]);
    assert!(!world.ok(&["log", "--blocked"]).contains(" probe "), "no agent was refused anything");
    let said = world.ok(&["log", "--probes"]);
    assert!(!said.contains(" block ") && said.contains(" probe  STATE_VIOLATION Write "), "{said}");
    assert!(said.contains("`bailiwick doctor` checked"), "{said}");
    assert!(
        !before.keys().any(|name| name.contains("/bailiwick/agents/") && !name.ends_with('/')),
        "{:?}",
        before.keys()
    );
}

#[test]
fn hooks_that_are_gone_are_a_failure() {
    // D-08
    check(|world| std::fs::remove_file(world.local_settings()).unwrap(), "fail", &["the hooks are gone"]);
    check(|world| write(&world.local_settings(), "{}"), "fail", &["the hooks are gone"]);
    let event_gone = |world: &World| {
        edit(&world.local_settings(), |settings| {
            drop(settings["hooks"].as_object_mut().unwrap().remove("UserPromptSubmit"))
        });
    };
    check(event_gone, "fail", &["no hook for UserPromptSubmit"]);
}

#[test]
fn a_missing_binary_is_a_failure() {
    // D-08
    let moved = |world: &World| {
        let text = read(&world.local_settings()).replace(BINARY, "/gone/bailiwick");
        write(&world.local_settings(), &text);
    };
    check(moved, "fail", &["/gone/bailiwick is missing", "NOT denied as JSON"]);
}

#[test]
fn hooks_that_are_turned_off_are_a_failure_at_every_level() {
    for place in ["repo/.claude/settings.json", "home/.claude/settings.json"] {
        check(
            |world| write(&world.path(place), "{\"disableAllHooks\": true}"),
            "fail",
            &["`disableAllHooks`"],
        );
    }
    let local =
        |world: &World| edit(&world.local_settings(), |settings| settings["disableAllHooks"] = true.into());
    check(local, "fail", &["`disableAllHooks`"]);
}

#[test]
fn hooks_that_another_file_turns_off_are_a_failure() {
    for (agent, place, text, switch) in [
        ("codex", "home/.codex/config.toml", "[features]\nhooks = false\n", "features.hooks"),
        ("codex", "repo/.codex/config.toml", "[features]\nhooks = false\n", "features.hooks"),
        ("copilot", "repo/.github/hooks/team.json", "{\"disableAllHooks\": true}", "disableAllHooks"),
        ("antigravity", "repo/.agents/hooks.json", "{\"bailiwick\": {\"enabled\": false}}", "enabled"),
    ] {
        let world = World::new();
        write(&world.path(place), text);
        world.ok(&["init", "--agent", agent]);
        let found = findings(&world, 1);
        let told = format!("{}: `{switch}` turns every hook off", world.path(place).display());
        assert!(
            found.iter().any(|(level, said)| level == "fail" && said.contains(&told)),
            "{told}: {found:#?}"
        );
    }
}

/// The one next step that `doctor` names.
fn next(world: &World) -> String {
    let report = json(&String::from_utf8(world.run(&["doctor", "--json"]).stdout).unwrap());
    report["next"].as_str().unwrap().to_owned()
}

#[test]
fn the_next_step_is_one_that_a_person_can_take() {
    let world = installed();
    std::fs::remove_dir_all(world.path("repo/.claude")).unwrap();
    assert_eq!(next(&world), "Run `bailiwick init --agent claude-code` to install them again.");
    world.ok(&["init", "--agent", "claude-code"]);
    write(&world.path("repo/.claude/settings.json"), "{oops");
    assert_eq!(next(&world), "Correct .claude/settings.json, line 1.");
}

#[test]
fn status_says_by_its_exit_status_that_no_agent_is_hooked() {
    let world = World::new();
    world.ok(&["init"]);
    let status = world.run(&["status"]);
    assert_eq!(status.status.code(), Some(1), "{}", said(&status));
    let said = said(&status);
    assert!(said.contains("Calls are not judged: no agent is hooked here"), "{said}");
    assert!(said.contains("Run `bailiwick init --agent claude-code`"), "{said}");
}

#[test]
fn settings_that_cannot_be_understood_are_a_failure() {
    check(
        |world| write(&world.path("repo/.claude/settings.json"), "{"),
        "fail",
        &["settings.json: not valid JSON"],
    );
}

#[test]
fn a_double_installation_is_a_failure() {
    for place in ["repo/.claude/settings.json", "home/.claude/settings.json"] {
        check(
            |world| write(&world.path(place), &read(&world.local_settings())),
            "fail",
            &["installed twice"],
        );
    }
}

#[test]
fn a_governed_home_is_not_a_double_installation() {
    let world = World::without_git();
    let home = world.path("home").display().to_string();
    world.ok(&["init", "--root", &home, "--agent", "claude-code"]);
    std::fs::rename(world.path("home/.claude/settings.local.json"), world.path("home/.claude/settings.json"))
        .unwrap();
    let text = world.ok(&["doctor", "--root", &home]);
    assert!(text.contains("hooks for 11 events") && !text.contains("installed twice"), "{text}");
}

#[test]
fn every_switch_that_fails_closed_must_be_set() {
    // threat D11
    let pre = |world: &World, change: fn(&mut Value)| {
        edit(&world.local_settings(), |settings| change(&mut settings["hooks"]["PreToolUse"][0]));
    };
    let open = |group: &mut Value| drop(group["hooks"][0].as_object_mut().unwrap().remove("onFailure"));
    check(|world| pre(world, open), "fail", &["`onFailure` is not `block`"]);
    check(
        |world| pre(world, |group| group["hooks"][0]["timeout"] = 60.into()),
        "fail",
        &["time limit is too short"],
    );
    check(|world| pre(world, |group| group["matcher"] = "Bash".into()), "fail", &["another matcher"]);
    let bare = |group: &mut Value| {
        let line = group["hooks"][0]["command"].as_str().unwrap().split(" || ").next().unwrap().to_owned();
        group["hooks"][0]["command"] = line.into();
    };
    check(|world| pre(world, bare), "fail", &["the command line is not the one", "PreToolUse"]);
}

#[test]
#[cfg(unix)]
fn a_hook_that_lets_a_forbidden_call_through_is_a_failure() {
    // D-13
    for script in [
        "exit 0",
        "echo denied",
        "exit 1",
        "echo '{\"hookSpecificOutput\":{\"permissionDecision\":\"deny\"}}'",
    ] {
        let faked = |world: &World| {
            let fake = world.path("bin/bailiwick");
            program(&fake, script);
            let text = read(&world.local_settings()).replace(BINARY, &fake.display().to_string());
            write(&world.local_settings(), &text);
        };
        check(faked, "fail", &["a forbidden write is NOT denied"]);
    }
}

#[test]
fn another_server_under_our_name_is_a_failure_and_none_is_a_warning() {
    // D-19
    let server = |world: &World, change: fn(&mut Value)| {
        let root = world.root().display().to_string();
        edit(&world.servers(), |file| change(&mut file["projects"][&root]["mcpServers"]));
    };
    let other = |servers: &mut Value| servers["bailiwick"]["command"] = "/x/other".into();
    check(|world| server(world, other), "fail", &["/x/other, not what `init` registered"]);
    check(|world| server(world, |servers| *servers = serde_json::json!({})), "warn", &["is not registered"]);
}

#[test]
#[cfg(unix)]
fn the_clients_version_decides_whether_it_fails_closed() {
    let client = |line: &'static str| {
        move |world: &World| program(&world.path("bin/claude"), &format!("echo '{line}'"))
    };
    check(client("2.1.294 (Claude Code)"), "warn", &["version 2.1.294 ignores `onFailure`"]);
    check(client("2.1.295 (Claude Code)"), "ok", &["version 2.1.295 refuses"]);
    check(client("something else"), "warn", &["does not say its version"]);
    let newer = "the edits of version 2.9.0 leave in a file was not measured (of 2.1.300 to 2.1.332 it was)";
    check(client("2.9.0 (Claude Code)"), "note", &[newer]);
}

#[test]
#[cfg(unix)]
fn a_client_that_does_not_read_its_hooks_is_a_failure() {
    for (name, version, status) in
        [("kiro-cli", "2.4.1", 1), ("kiro-cli", "3.0.0", 0), ("kiro", "0.9.0", 1), ("kiro", "1.0.1", 0)]
    {
        let world = World::new();
        world.ok(&["init", "--agent", "kiro"]);
        program(&world.path(&format!("bin/{name}")), &format!("echo {name} {version}"));
        let fails: Vec<String> = findings(&world, status)
            .into_iter()
            .filter(|(at, _)| at == "fail")
            .map(|(_, told)| told)
            .collect();
        let told = format!("version {version} of `{name}` does not read .kiro/hooks/bailiwick.json");
        assert_eq!(fails.iter().any(|fail| fail.starts_with(&told)), status == 1, "{fails:?}");
    }
}

#[test]
fn a_broken_store_is_a_failure() {
    // K-07
    let intents = |world: &World| world.path("repo/.orchestration/active_intents.yaml");
    check(
        |world| write(&intents(world), "active_intents: 7\n"),
        "fail",
        &["Every call is refused", "only because the gate is broken"],
    );
    check(
        |world| std::fs::remove_dir_all(world.path("repo/.orchestration")).unwrap(),
        "fail",
        &["Every call is refused"],
    );
}

// C: exit status 1 and one next step whenever a call would not be judged, or every one is refused
#[test]
fn nothing_that_is_not_judged_is_called_live() {
    let never = World::new();
    never.ok(&["init"]);
    type Case = (&'static str, World, fn(&World), &'static str);
    let steps: [Case; 5] = [
        ("never hooked", never, |_| (), "Run `bailiwick init --agent claude-code`."),
        (
            "hooks taken out",
            installed(),
            |world| write(&world.local_settings(), "{}"),
            "Run `bailiwick init --agent claude-code` to install them again.",
        ),
        (
            "a broken ignore file",
            installed(),
            |world| write(&world.path("repo/.intentignore"), "src/[\n"),
            "Correct .intentignore.",
        ),
        (
            "broken intents",
            installed(),
            |world| write(&world.path("repo/.orchestration/active_intents.yaml"), "active_intents: [\n"),
            "Correct .orchestration/active_intents.yaml",
        ),
        (
            "a ledger that is not what was written",
            installed(),
            |world| write(&world.path("repo/.git/bailiwick/ledger/live.jsonl"), "{\"seq\":7}\n"),
            "`bailiwick trace verify`",
        ),
    ];
    for (name, world, breaks, next) in steps {
        breaks(&world);
        let output = world.run(&["doctor"]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{name}: {text}");
        assert!(!text.contains("The gate is live"), "{name}: {text}");
        let last = text.lines().rfind(|line| !line.is_empty()).unwrap_or_default();
        assert!(last.starts_with("Next: ") && last.contains(next), "{name}: {text}");
    }
}

// C: `status` and `watch` say the same as `doctor`
#[test]
fn status_and_watch_say_when_nothing_can_be_judged() {
    for (file, text, effect) in [
        ("repo/.orchestration/active_intents.yaml", "active_intents: [\n", "Every call is refused"),
        ("repo/.intentignore", "src/[\n", "Every change is refused"),
        ("repo/.claude/settings.local.json", "{}", "Calls are not judged"),
    ] {
        let world = installed();
        write(&world.path(file), text);
        let status = world.run(&["status"]);
        assert_eq!(status.status.code(), Some(1), "{file}");
        let watch = said(&world.run(&["watch", "--once"]));
        for shown in [said(&status), watch] {
            assert!(shown.contains(effect), "{file}: {shown}");
            assert!(!shown.to_lowercase().contains("nothing waits"), "{file}: {shown}");
            assert!(!shown.contains("Store: OK") && !shown.contains("Leave this open"), "{file}: {shown}");
        }
        assert_eq!(world.run(&["watch", "--once"]).status.code(), Some(1), "{file}");
        let told = json(&String::from_utf8(world.run(&["watch", "--once", "--json"]).stdout).unwrap());
        assert_eq!(told["trouble"]["effect"], effect, "{file}");
    }
}

// C, G: a hook that stops nothing is no live gate, whoever asks
#[test]
fn status_tells_of_a_hook_that_is_not_what_init_writes() {
    let settings = |world: &World| world.path("repo/.claude/settings.local.json");
    for (from, to) in [
        (" hook --agent claude-code", " --version; exit 0; hook --agent claude-code"),
        ("\"timeout\": 120", "\"timeout\": 1"),
        ("exit 2; }", "exit 0; }"),
    ] {
        let world = installed();
        assert_eq!(world.run(&["status"]).status.code(), Some(0));
        let text = read(&settings(&world));
        assert!(text.contains(from), "{text}");
        write(&settings(&world), &text.replace(from, to));
        let status = world.run(&["status"]);
        assert_eq!(status.status.code(), Some(1), "{}", said(&status));
        let shown = said(&status);
        let is_said = shown.contains("The hooks need a look") && shown.contains("bailiwick doctor");
        assert!(is_said || shown.contains("Calls are not judged: the hooks are gone"), "{shown}");
        assert!(!shown.contains("Store: OK"), "{shown}");
    }
}

#[test]
fn a_working_copy_without_hooks_is_named() {
    // D-14
    let other = |world: &World| {
        git(&world.root(), &["commit", "--quiet", "--allow-empty", "-m", "first"]);
        git(&world.root(), &["worktree", "add", "--quiet", "../other"]);
    };
    check(other, "warn", &["agents started there are not hooked"]);
}

#[test]
fn an_ungoverned_repository_is_no_case_for_a_doctor() {
    // K-07
    let output = World::new().run(&["doctor"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("bailiwick init"), "{}", said(&output));
}

/// Written by a process of its own: a descriptor that another test's child inherits would keep the file from being run.
#[cfg(unix)]
fn program(path: &Path, script: &str) {
    let write = "printf '#!/bin/sh\n%s\n' \"$2\" > \"$1\" && chmod 755 \"$1\"";
    let mut shell = std::process::Command::new("/bin/sh");
    assert!(shell.args(["-c", write, "sh"]).arg(path).arg(script).status().unwrap().success());
}
