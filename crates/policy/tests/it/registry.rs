//! The classification table.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::{Classification, Effect, ErrorCode, State};
use bailiwick_policy::registry::{Extractor, classify, entries, is_remote_name, offered};
use bailiwick_policy::{Access, Facts, IntentFact, ToolEntry, decide};
use proptest::prelude::*;

use crate::support::{asked, blocked, call, check_allowed, target};

fn class(name: &str) -> Classification {
    classify(name, &BTreeMap::new()).class
}

#[test]
fn req_105_no_name_stands_for_two_tools() {
    let mut seen = BTreeSet::new();
    for row in entries() {
        for name in std::iter::once(&row.name).chain(row.aliases) {
            assert!(seen.insert(*name), "{name} is in the table twice");
        }
    }
}

#[test]
fn req_054_the_safe_set_of_the_seeds() {
    for name in ["read_file", "search_files", "list_files", "read_directory", "grep", "select_active_intent"]
    {
        assert_eq!(class(name), Classification::Safe, "{name}");
    }
}

// REQ 58, REQ 87
#[test]
fn req_055_req_028_the_destructive_set_of_the_seeds() {
    for name in ["write_to_file", "delete_file", "execute_command", "run_command", "apply_patch", "edit_file"]
    {
        assert_eq!(class(name), Classification::Destructive, "{name}");
    }
}

// REQ 36
#[test]
fn req_002_one_sample_of_each_effect() {
    let effect = |name| classify(name, &BTreeMap::new()).effect;
    assert_eq!(effect("read_file"), Effect::Read);
    assert_eq!(effect("write_to_file"), Effect::Write);
    assert_eq!(effect("delete_file"), Effect::Delete);
    assert_eq!(effect("execute_command"), Effect::Execute);
    assert_eq!(effect("new_task"), Effect::Delegate);
    assert_eq!(effect("attempt_completion"), Effect::Interact);
}

// A8
#[test]
fn a_safe_tool_in_a_call_that_does_more_is_one_that_may_do_anything() {
    for (name, effect) in [
        ("read_file", Effect::Execute),
        ("attempt_completion", Effect::Execute),
        ("write_to_file", Effect::Write),
        ("delete_file", Effect::Delete),
    ] {
        let tool = classify(name, &BTreeMap::new()).beyond_its_targets();
        assert_eq!((tool.class, tool.effect), (Classification::Destructive, effect), "{name}");
    }
}

#[test]
fn req_112_completing_and_exploring_are_safe() {
    for name in [
        "attempt_completion",
        "codebase_search",
        "TodoWrite",
        "ask_followup_question",
        "skill",
        "switch_mode",
    ] {
        assert_eq!(class(name), Classification::Safe, "{name}");
    }
}

#[test]
fn tools_that_no_seed_classifies_are_classified() {
    // K-15
    for name in [
        "generate_image",
        "new_task",
        "use_mcp_tool",
        "new_rule",
        "Agent",
        "Task",
        "browser_action",
        // A13: what they load may run commands that no hook sees.
        "run_slash_command",
        "Skill",
        "SlashCommand",
    ] {
        assert_eq!(class(name), Classification::Destructive, "{name}");
    }
    for name in ["access_mcp_resource", "update_todo_list", "skill", "read_command_output", "WebFetch"] {
        assert_eq!(class(name), Classification::Safe, "{name}");
    }
}

#[test]
fn req_101_unlisted_tools_of_servers_are_destructive_and_blocked_before_a_selection() {
    for name in ["use_mcp_tool", "mcp--x--y", "mcp__x__y", "mcp_x_y", "MCP:y", "@x/y"] {
        assert_eq!(class(name), Classification::Destructive, "{name}");
        let facts = Facts { state: State::Reasoning, intent: IntentFact::None, ..call(name, Vec::new()) };
        assert_eq!(blocked(&facts).code(), ErrorCode::StateViolation, "{name}");
    }
}

#[test]
fn look_alikes_are_unknown() {
    // threat D7
    for name in
        ["bash ", " Bash", "BASH", "Read_file", "read_file\u{200b}", "rеad_file", "mcp__evil__Read", ""]
    {
        let entry = classify(name, &BTreeMap::new());
        assert!(!entry.known, "{name:?}");
        assert_eq!(entry, ToolEntry::unknown(name));
    }
}

#[test]
fn the_gates_own_tools_are_recognised_by_exact_words() {
    // D-01, D-19, K-01
    let own = [
        "select_active_intent",
        "list_intents",
        "current_intent",
        "propose_intent",
        "request_scope_expansion",
        "report_done",
    ];
    for name in own {
        let remote = format!("mcp__bailiwick__{name}");
        assert!(classify(name, &BTreeMap::new()).own && !is_remote_name(name));
        assert!(classify(&remote, &BTreeMap::new()).own && is_remote_name(&remote));
        assert!(!classify(&format!("mcp__bailiwick2__{name}"), &BTreeMap::new()).own);
    }
    for name in ["propose_intents", "request_scope", "mcp__bailiwick__read_file"] {
        assert!(!classify(name, &BTreeMap::new()).known, "{name}");
    }
}

#[test]
fn req_100_a_tool_that_is_declared_destructive_is_blocked_at_once() {
    let overrides = BTreeMap::from([("read_file".to_owned(), Classification::Destructive)]);
    for name in ["read_file", "Read"] {
        let tool = classify(name, &overrides);
        assert_eq!(tool.class, Classification::Destructive);
        let facts = Facts { tool, state: State::Request, intent: IntentFact::None, ..call(name, Vec::new()) };
        assert_eq!(blocked(&facts).code(), ErrorCode::StateViolation);
    }
}

#[test]
fn the_given_name_overrides_before_the_canonical_one_and_aliases_by_the_strictest() {
    use Classification::{Destructive, Safe};
    let overrides = |pairs: &[(&str, Classification)]| {
        pairs.iter().map(|(name, class)| ((*name).to_owned(), *class)).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(classify("Read", &overrides(&[("Read", Safe), ("read_file", Destructive)])).class, Safe);
    assert_eq!(classify("view", &overrides(&[("Read", Safe), ("ReadFile", Destructive)])).class, Destructive);
    assert_eq!(classify("mcp__x__y", &overrides(&[("mcp__x__y", Safe)])).class, Safe);
    assert_eq!(classify("list_intents", &overrides(&[("list_intents", Destructive)])).class, Safe);
}

#[test]
fn req_108_without_an_intent_all_safe_tools_are_offered_and_no_other() {
    let none = BTreeMap::new();
    for state in [State::Request, State::Reasoning] {
        let names: BTreeSet<&str> = offered(state, &none).iter().map(|row| row.name).collect();
        let safe = entries().filter(|row| row.class == Classification::Safe).map(|row| row.name);
        assert_eq!(names, safe.collect());
        assert!(names.contains("select_active_intent"));
    }
    assert_eq!(offered(State::Action, &none).len(), entries().count());
}

#[test]
fn req_115_every_safe_tool_runs_in_the_handshake() {
    for row in entries().filter(|row| row.class == Classification::Safe) {
        for name in std::iter::once(&row.name).chain(row.aliases) {
            for state in [State::Request, State::Reasoning] {
                check_allowed(&Facts { state, intent: IntentFact::None, ..call(name, Vec::new()) });
            }
        }
    }
}

#[test]
fn req_116_every_destructive_tool_is_blocked_in_the_handshake() {
    for row in entries().filter(|row| row.class == Classification::Destructive) {
        for name in std::iter::once(&row.name).chain(row.aliases) {
            for state in [State::Request, State::Reasoning] {
                let facts = Facts { state, intent: IntentFact::None, ..call(name, Vec::new()) };
                assert_eq!(blocked(&facts).code(), ErrorCode::StateViolation, "{name} {state:?}");
            }
        }
    }
}

#[test]
fn req_037_req_086_every_destructive_tool_asks_a_human() {
    for row in entries().filter(|row| row.class == Classification::Destructive) {
        for name in std::iter::once(&row.name).chain(row.aliases) {
            let targets = match row.effect {
                Effect::Write | Effect::Delete => vec![target("src/a.rs", Access::Overwrite)],
                _ => Vec::new(),
            };
            assert!(asked(&call(name, targets)).reason.contains(name), "{name}");
        }
    }
}

#[test]
fn req_099_a_command_before_a_selection_is_blocked() {
    let facts = Facts { state: State::Request, intent: IntentFact::None, ..call("run_command", Vec::new()) };
    assert_eq!(blocked(&facts).error_kind(), "StateViolationError");
}

#[test]
fn an_unknown_tool_says_so_when_it_asks() {
    // K-14
    let facts = call("mcp__x__y", Vec::new());
    assert_eq!(facts.tool.extractor, Extractor::Unknown);
    assert!(asked(&facts).reason.contains("not known"));
}

trait Kind {
    fn error_kind(&self) -> String;
}

impl Kind for bailiwick_domain::ToolError {
    fn error_kind(&self) -> String {
        let json: bailiwick_domain::Value = self.to_json().parse().unwrap();
        json["kind"].as_str().unwrap().to_owned()
    }
}

proptest! {
    #[test]
    fn req_056_req_116_random_names_are_destructive_and_never_simply_allowed(name in "\\PC{0,24}") {
        prop_assume!(!entries().any(|row| row.is_called(&name)));
        prop_assert_eq!(class(&name), Classification::Destructive);
        for state in [State::Request, State::Reasoning, State::Action] {
            let facts = Facts { state, ..call(&name, Vec::new()) };
            prop_assert_ne!(decide(&facts), bailiwick_policy::Verdict::Allow);
        }
    }
}
