//! What scripts rely on: exit statuses, one JSON value with `--json`, messages that say what to do next, and the words of
//! every `--help` (design §6, K-07, D-28).

use bailiwick_domain::{Value, json};

use super::machine::{INTENTS, Machine};
use crate::world::{World, git, json as parsed, said};

/// Runs a command, and gives its exit status and everything that it said.
fn run(world: &World, words: &[&str]) -> (Option<i32>, String) {
    let output = world.run(words);
    (output.status.code(), said(&output))
}

// design §6: 0 done, 1 found something wrong, 2 usage or environment
#[test]
fn exit_statuses_tell_what_kind_of_end_it_was() {
    let machine = Machine::selected();
    let world = &machine.world;
    world.ok(&["init", "--agent", "claude-code"]);
    let done: [&[&str]; 14] = [
        &["--help"],
        &["--version"],
        &["status"],
        &["log"],
        &["tools"],
        &["prompt"],
        &["intent", "list"],
        &["intent", "check"],
        &["intent", "show", "INT-001"],
        &["config", "show"],
        &["approval", "list"],
        &["trace", "log"],
        &["trace", "verify"],
        &["completions", "bash"],
    ];
    let wrong: [&[&str]; 6] = [
        &["intent", "show", "INT-404"],
        &["trace", "show", "none"],
        &["approval", "revoke", "grant#404"],
        &["select", "INT-404"],
        &["select", "INT-003"],
        &["tool", "select_active_intent", "{\"intent_id\":\"INT-404\"}"],
    ];
    let usage: [&[&str]; 15] = [
        &[],
        &["frobnicate"],
        &["status", "--frobnicate"],
        &["intent", "show"],
        &["intent", "new", "No scope"],
        &["intent", "new", "Everything", "--scope", "**"],
        &["tool", "select_active_intent", "not json"],
        &["init", "--agent", "nobody"],
        &["tools", "--state", "sleeping"],
        &["approval", "approve", "ap-00000000"],
        &["approval", "grant", "ap-00000000"],
        &["approval", "revoke"],
        &["watch"],
        &["serve"],
        &["hook"],
    ];
    for (status, commands) in [(0, &done[..]), (1, &wrong), (2, &usage)] {
        for words in commands {
            let (code, text) = run(world, words);
            assert_eq!(code, Some(status), "{words:?}: {text}");
            assert!(!text.is_empty() || status == 0, "{words:?} says nothing");
        }
    }
    machine.write(".orchestration/active_intents.yaml", "active_intents: 3\n");
    machine.write(".orchestration/config.yaml", "aproval: {}\n");
    for words in [&["status"][..], &["intent", "check"], &["config", "check"]] {
        let (code, text) = run(world, words);
        assert_eq!(code, Some(1), "{words:?}: {text}");
    }
}

// design §6, D-28
#[test]
fn json_output_is_one_value_whatever_the_store_is_like() {
    let machine = Machine::selected();
    machine.pending("w1", "src/auth/new.rs");
    let reports: [(&[&str], &str); 11] = [
        (&["status", "--json"], "health"),
        (&["log", "--json"], "decisions"),
        (&["intent", "list", "--json"], "intents"),
        (&["intent", "show", "INT-001", "--json"], "owned_scope"),
        (&["intent", "check", "--json"], "errors"),
        (&["approval", "list", "--json"], "approvals"),
        (&["tools", "--json"], "tools"),
        (&["config", "show", "--json"], "settings"),
        (&["config", "check", "--json"], "errors"),
        (&["trace", "log", "--json"], "entries"),
        (&["trace", "verify", "--json"], "findings"),
    ];
    for (words, key) in reports {
        let output = machine.world.run(words);
        let value: Value = parsed(&String::from_utf8(output.stdout).unwrap());
        assert!(value.get(key).is_some(), "{words:?}: {value}");
        assert!(output.stderr.is_empty(), "{words:?}");
    }
    machine.write(".orchestration/active_intents.yaml", "active_intents: [\n");
    for (words, _) in reports {
        let output = machine.world.run(words);
        let value: Value = parsed(&String::from_utf8(output.stdout).unwrap());
        assert!(value.is_object() && output.stderr.is_empty(), "{words:?}: {value}");
    }
}

// D-28
#[test]
fn the_queue_as_json_has_the_published_keys() {
    let machine = Machine::selected();
    let id = machine.pending("w1", "src/auth/new.rs");
    let request = machine.open_requests().remove(0);
    let keys: Vec<&str> = request.as_object().unwrap().keys().map(String::as_str).collect();
    let published = [
        "actor",
        "allows",
        "asked_by",
        "broad",
        "changed_paths",
        "created",
        "diff_preview",
        "draft",
        "expires",
        "id",
        "intent_id",
        "kind",
        "mutation",
        "offer",
        "reason",
        "status",
        "tool",
        "void",
    ];
    assert_eq!(keys, published);
    assert_eq!(
        (request["id"].as_str(), request["actor"].as_str()),
        (Some(id.as_str()), Some("claude-code/s1"))
    );
}

// D-12, D-14, D-28: several agents and one queue that names who asks, and from which working copy
#[test]
fn the_queue_names_host_session_sub_agent_and_working_copy() {
    let machine = Machine::selected();
    let other = machine.world.path("other");
    git(&machine.root(), &["add", "."]);
    git(&machine.root(), &["commit", "--quiet", "-m", "a"]);
    git(&machine.root(), &["worktree", "add", "--quiet", "../other"]);
    machine.pending("w1", "src/auth/new.rs");
    let mut child = machine.write_call("w2", "src/auth/child.rs");
    child["agent_id"] = json!("explore-7");
    machine.hook(&child).denied();
    let mut elsewhere = machine.write_call("w3", "src/auth/new.rs");
    elsewhere["cwd"] = json!(other.display().to_string());
    elsewhere["tool_input"]["file_path"] = json!(other.join("src/auth/new.rs").display().to_string());
    machine.hook(&elsewhere).denied();
    let root = machine.root().display().to_string();
    let who: Vec<Value> = machine.open_requests().iter().map(|request| request["asked_by"].clone()).collect();
    let asked = |agent: Value, folder: &str| json!({"host": "claude-code", "session": "s1", "agent": agent, "worktree": folder, "folder": folder});
    let other = other.display().to_string();
    assert_eq!(
        who,
        [asked(Value::Null, &root), asked(json!("explore-7"), &root), asked(Value::Null, &other)]
    );
    let list = machine.world.ok(&["approval", "list"]);
    assert!(list.contains("claude-code s1/explore-7") && list.contains(&other), "{list}");
}

// one screen as text, for a look without a terminal; it is no surface that agents would wait for (D-28)
#[test]
fn one_screen_is_printed_without_a_terminal_and_agents_do_not_wait_for_it() {
    let machine = Machine::selected();
    let (code, text) = run(&machine.world, &["watch", "--once"]);
    assert!(code == Some(0) && text.contains("Nothing waits for an answer."), "{text}");
    let id = machine.pending("w1", "src/auth/new.rs");
    let (code, text) = run(&machine.world, &["watch", "--once"]);
    assert_eq!(code, Some(0), "{text}");
    for shown in [
        id.as_str(),
        "INT-001 Fix login timeout",
        "claude-code s1",
        "src/auth/",
        "+ pub fn new() {}",
        "DESTRUCTIVE · write",
    ] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    assert_eq!(text.lines().count(), 30, "{text}");
    let status: Value = parsed(&machine.world.shown(&["status", "--json"]));
    assert_eq!(status["surfaces"], json!([]));
    let (code, text) = run(&machine.world, &["watch"]);
    assert!(
        code == Some(2) && text.contains("watch --once") && text.contains("approval list --json"),
        "{text}"
    );
}

// REQ 66, REQ 152: who asks for what is not there is told what is
#[test]
fn an_unknown_intent_lists_the_ids_that_there_are() {
    let machine = Machine::selected();
    for words in [
        &["intent", "show", "INT-404"][..],
        &["select", "INT-404"],
        &["tool", "select_active_intent", "{\"intent_id\":\"INT-404\"}"],
        &["verify", "INT-404"],
        &["intent", "close", "INT-404"],
        &["intent", "expand", "INT-404", "--scope", "src/more/"],
    ] {
        let (_, text) = run(&machine.world, words);
        for id in ["INT-001", "INT-002", "INT-004"] {
            assert!(text.contains(id), "{words:?}: {text}");
        }
    }
    let (_, text) = run(&machine.world, &["select", "INT-003"]);
    assert!(text.contains("COMPLETED"), "{text}");
}

// C: an error of a person's own typing says what to type instead
#[test]
fn an_error_says_what_to_do_next() {
    let machine = Machine::selected();
    for (words, next) in [
        (&["approval", "revoke", "grant#9"][..], "bailiwick approval list"),
        (&["allow", "revoke", "9"], "bailiwick allow list"),
        (&["log", "--limit", "x"], "a number such as 50"),
        (&["trace", "log", "--limit", "x"], "a number such as 50"),
        (&["pause", "--for", "banana"], "a time such as 15m or 2h"),
        (&["trace", "check", "nosuch"], "bailiwick trace prove ENTRY"),
        (&["intent", "new", "x", "--scope", "../src/core/"], "write it from the repository's root"),
    ] {
        let (code, text) = run(&machine.world, words);
        assert!(code != Some(0) && text.contains(next), "{words:?}: {text}");
    }
    for (words, next) in [
        (&["approval", "approve", "ap-0"][..], "bailiwick approval list"),
        (&["allow", "--", "git", "push"], "you are asked each time an agent runs it"),
    ] {
        let text = said(&machine.typed(words, "n\n"));
        assert!(text.contains(next), "{words:?}: {text}");
    }
    let (_, text) = run(&machine.world, &["intent", "new", "x", "--scope", "[z-a]"]);
    assert!(!text.contains("Malformed call") && !text.contains("parameters"), "{text}");
    let below =
        machine.world.command_in(&machine.root().join("src/auth"), &["trace", "why", "src/auth/login.rs:1"]);
    let text = said(&{ below }.output().unwrap());
    assert!(text.contains("paths count from src/auth, where you are"), "{text}");
}

// C: the words of a command are for the person who types it
#[test]
fn a_new_intent_that_cannot_be_made_says_what_you_can_do() {
    let machine = super::machine::Machine::new();
    let new = ["intent", "new", "Name", "--scope", "src/more/"];
    let (code, text) = run(&machine.world, &[&new[..], &["--expires", "yesterday"]].concat());
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("a length from now on, such as 4h or 2days"), "{text}");
    machine.write(".orchestration/active_intents.yaml", "");
    let (code, text) = run(&machine.world, &new);
    assert!(code != Some(0) && text.contains("Run `bailiwick intent check`"), "{text}");
    assert!(!text.contains("the human"), "{text}");
}

// K-07, D-29
#[test]
fn a_typing_mistake_is_shown_with_its_place_and_the_likely_word() {
    let machine = Machine::new();
    machine.write(".orchestration/active_intents.yaml", &INTENTS.replacen("owned_scope", "owned_scpoe", 1));
    for words in [&["intent", "check"][..], &["status"]] {
        let (code, text) = run(&machine.world, words);
        assert_eq!(code, Some(1), "{text}");
        assert!(
            text.contains(".orchestration/active_intents.yaml:5:5:") && text.contains("`owned_scope`"),
            "{text}"
        );
    }
    machine.write(".orchestration/config.yaml", "# settings\nhandshake:\n  strikt: true\n");
    let (code, text) = run(&machine.world, &["config", "check"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains(".orchestration/config.yaml:3:3:") && text.contains("`strict`"), "{text}");
}

// K-07
#[test]
fn a_folder_that_is_not_governed_says_how_to_govern_it() {
    let world = World::new();
    let commands: [&[&str]; 8] = [
        &["status"],
        &["log"],
        &["intent", "list"],
        &["approval", "list"],
        &["gate"],
        &["config", "show"],
        &["select", "INT-001"],
        &["tool", "list_intents"],
    ];
    for words in commands {
        let (code, text) = run(&world, words);
        assert_eq!(code, Some(2), "{words:?}: {text}");
        assert!(text.contains("not governed") && text.contains("bailiwick init"), "{words:?}: {text}");
        let mut with_json = words.to_vec();
        with_json.push("--json");
        let answer: Value = parsed(&String::from_utf8(world.run(&with_json).stdout).unwrap());
        assert!(answer["error"].as_str().unwrap().contains("bailiwick init"), "{answer}");
    }
    assert!(world.git_status().is_empty(), "asking changes nothing");
}

/// Every subcommand, as its words.
const SUBCOMMANDS: &[&[&str]] = &[
    &[],
    &["init"],
    &["uninstall"],
    &["doctor"],
    &["hook"],
    &["gate"],
    &["tool"],
    &["mcp"],
    &["mcp", "proxy"],
    &["mcp", "trust"],
    &["intent"],
    &["intent", "list"],
    &["intent", "show"],
    &["intent", "graph"],
    &["intent", "coverage"],
    &["intent", "check"],
    &["intent", "fmt"],
    &["intent", "schema"],
    &["intent", "new"],
    &["intent", "import"],
    &["intent", "accept"],
    &["intent", "expand"],
    &["intent", "close"],
    &["select"],
    &["tools"],
    &["prompt"],
    &["approval"],
    &["approval", "list"],
    &["approval", "approve"],
    &["approval", "grant"],
    &["approval", "review"],
    &["approval", "revoke"],
    &["approval", "reject"],
    &["watch"],
    &["serve"],
    &["acp"],
    &["log"],
    &["status"],
    &["pause"],
    &["resume"],
    &["config"],
    &["config", "show"],
    &["config", "check"],
    &["config", "accept"],
    &["audit"],
    &["verify"],
    &["lesson"],
    &["lesson", "add"],
    &["lesson", "list"],
    &["lesson", "prune"],
    &["restore"],
    &["gc"],
    &["allow"],
    &["allow", "list"],
    &["allow", "revoke"],
    &["demo"],
    &["trace"],
    &["trace", "log"],
    &["trace", "show"],
    &["trace", "blame"],
    &["trace", "why"],
    &["trace", "locate"],
    &["trace", "export"],
    &["trace", "key"],
    &["trace", "key", "show"],
    &["trace", "key", "trust"],
    &["trace", "key", "rotate"],
    &["trace", "key", "lost"],
    &["trace", "key", "stolen"],
    &["trace", "key", "forget"],
    &["trace", "checkpoint"],
    &["trace", "prove"],
    &["trace", "check"],
    &["trace", "verify"],
    &["trace", "trailers"],
    &["trace", "seal"],
    &["trace", "repair"],
    &["map"],
    &["report"],
    &["completions"],
    &["man"],
];

#[test]
fn the_version_says_what_the_program_was_built_from() {
    let world = World::new();
    let said = world.ok(&["--version"]);
    let lines: Vec<&str> = said.lines().collect();
    let [number, commit, features, platform] = lines.as_slice() else { panic!("{said}") };
    assert_eq!(*number, concat!("bailiwick ", env!("CARGO_PKG_VERSION")));
    assert!(commit.starts_with("commit: ") && commit.len() > 12, "{commit}");
    assert!(features.starts_with("features: ast, cli"), "{features}");
    assert!(platform.starts_with("platform: ") && platform.contains(std::env::consts::ARCH), "{platform}");
    assert_eq!(world.ok(&["-V"]).trim(), *number);
}

#[test]
fn commands_of_no_repository_refuse_the_options_that_mean_nothing_there() {
    let world = World::new();
    for words in [&["demo"][..], &["completions", "bash"], &["man", "pages"]] {
        for option in [&["--json"][..], &["--root", "."]] {
            for given in [[words, option].concat(), [option, words].concat()] {
                let (code, said) = run(&world, &given);
                assert_eq!(code, Some(2), "{given:?}: {said}");
                assert!(said.contains(option[0]), "{given:?}: {said}");
            }
        }
    }
    assert!(!world.root().join("pages").exists());
}

#[test]
fn only_a_rejection_takes_a_message() {
    let world = World::new();
    let (code, said) = run(&world, &["approval", "approve", "ap-3f9c2b7a", "--message", "well done"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("--message"), "{said}");
}

#[test]
fn every_command_has_a_man_page() {
    let world = World::new();
    let folder = world.root().join("pages/man1");
    world.ok(&["man", &folder.display().to_string()]);
    for words in SUBCOMMANDS.iter().filter(|words| **words != ["help"]) {
        let name = [&["bailiwick"], *words].concat().join("-") + ".1";
        let page = std::fs::read_to_string(folder.join(&name)).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(page.contains(".SH SYNOPSIS"), "{name}: {page}");
    }
}

/// The subcommands that a help text lists.
fn listed(help: &str) -> Vec<String> {
    let below = help.split_once("Commands:\n").map(|(_, below)| below).unwrap_or_default();
    let block = below.split("\n\n").next().unwrap_or_default();
    let words = block.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    words
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| *word != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_help_of_every_command_is_reviewed() {
    let world = World::new();
    for words in SUBCOMMANDS {
        let mut asked = words.to_vec();
        asked.push("--help");
        let help = if words == &["hook"] { world.ok(&["help", "hook"]) } else { world.ok(&asked) };
        for sub in listed(&help) {
            let known = SUBCOMMANDS
                .iter()
                .any(|known| known.strip_prefix(*words).is_some_and(|rest| rest == [sub.as_str()]));
            assert!(known, "`{words:?} {sub}` has no reviewed help");
        }
        let name = if words.is_empty() { "bailiwick".to_owned() } else { words.join("-") };
        insta::assert_snapshot!(format!("help-{name}"), help);
    }
}
