//! The seeds' own examples, byte for byte.

use bailiwick_domain::{ApprovalKind, ErrorCode, Observation, OnViolation, Settings, State};
use bailiwick_policy::{Access, Facts, IntentFact};

use crate::support::{active, asked, blocked, call, check_allowed, content, read, refused, target, write};

#[test]
fn req_010_req_032_the_sentence_of_the_first_seed() {
    let facts = Facts { intent: active("REQ-001", &["src/auth/**"]), ..write("src/core/main.ts") };
    let error = blocked(&facts);
    let sentence =
        "Scope Violation: REQ-001 is not authorized to edit src/core/main.ts. Request scope expansion.";
    assert_eq!(error.message(), sentence);
    assert_eq!(error.reason(), format!("{sentence} Patterns checked: src/auth/**."));
}

#[test]
fn req_161_the_sentence_names_the_active_intent() {
    let facts = Facts { intent: active("INT-001", &["src/auth/**"]), ..write("src/core/main.ts") };
    let sentence =
        "Scope Violation: INT-001 is not authorized to edit src/core/main.ts. Request scope expansion.";
    assert_eq!(blocked(&facts).message(), sentence);
}

#[test]
fn req_018_a_directory_scope_permits_what_is_below_it_still_subject_to_approval() {
    let facts = Facts { intent: active("INT-001", &["src/utils/"]), ..write("src/utils/helper.ts") };
    assert_eq!(asked(&facts).kind, ApprovalKind::Destructive);
}

#[test]
fn req_019_req_023_req_016_outside_the_directory_it_is_blocked_at_once() {
    let facts = Facts { intent: active("INT-001", &["src/utils/"]), ..write("src/core/main.ts") };
    let error = blocked(&facts);
    assert!(error.message().starts_with("Scope Violation"));
    assert!(error.message().contains("src/core/main.ts"));
    assert_eq!(error.details()["paths"], bailiwick_domain::json!(["src/core/main.ts"]));
    assert_eq!(error.details()["requested_path"], "src/core/main.ts");
    assert_eq!(error.details()["scope"], bailiwick_domain::json!(["src/utils/"]));
    assert_eq!(error.details()["intent_id"], "INT-001");
    assert_eq!(error.details()["tool"], "write_to_file");
}

#[test]
fn req_066_req_068_the_refusal_offers_other_intents_and_an_expansion() {
    let error = blocked(&write("lib/a"));
    assert!(error.is_recoverable() && error.is_scope_violation());
    assert!(error.suggestion().contains("INT-002") && error.suggestion().contains("expand the scope"));
    assert!(!error.suggestion().contains("INT-001,"), "the active intent is no alternative");
}

#[test]
fn req_093_req_094_req_095_exploring_needs_no_intent() {
    for state in [State::Request, State::Reasoning] {
        for tool in ["list_files", "codebase_search"] {
            let targets = vec![target("src", Access::Read)];
            check_allowed(&Facts { state, intent: IntentFact::None, ..call(tool, targets) });
        }
        check_allowed(&Facts { state, ..read("src/a.rs") });
    }
}

#[test]
fn req_097_req_098_a_write_before_a_selection_is_a_state_violation() {
    let facts = Facts { state: State::Reasoning, intent: IntentFact::None, ..write("src/a.rs") };
    let error = blocked(&facts);
    assert_eq!(error.code(), ErrorCode::StateViolation);
    assert!(error.to_json().contains("\"kind\":\"StateViolationError\""));
    assert!(error.message().contains("an active intent is required for mutations (writes/commands)"));
    assert!(error.suggestion().contains("INT-001, INT-002"));
}

#[test]
fn the_first_selection_in_a_repository_without_intents_is_explained() {
    // D-01
    let facts = Facts { state: State::Request, intent: IntentFact::None, ..write("src/a.rs") };
    assert!(refused(&facts).error(&facts, &[]).suggestion().contains("bailiwick intent new"));
}

#[test]
fn req_063_in_action_without_an_intent_the_agent_is_told_to_select() {
    let error = blocked(&Facts { intent: IntentFact::None, ..write("src/a.rs") });
    assert_eq!(error.code(), ErrorCode::MissingIntent);
    assert!(error.is_recoverable() && error.message().contains("select_active_intent with an intent id"));
}

#[test]
fn req_166_req_167_the_sentence_for_a_changed_file() {
    let mut facts = write("src/a.rs");
    facts.targets[0].current = content("new");
    let error = blocked(&facts);
    assert_eq!(
        error.message(),
        "Stale File: src/a.rs changed since it was read. Read it again before writing."
    );
    assert_eq!(error.details()["cause"], "changed");
    assert_ne!(error.details()["expected"], error.details()["actual"]);
    facts.targets[0].observed = Some(Observation::whole(content("new")));
    asked(&facts);
}

#[test]
fn req_041_req_057_req_072_under_ask_a_human_may_override_the_scope() {
    // K-01
    let settings = Settings { on_violation: OnViolation::Ask, ..Settings::default() };
    let need = asked(&Facts { settings, ..write("lib/a") });
    assert_eq!(need.kind, ApprovalKind::ScopeOverride);
    assert!(need.reason.contains("Scope Violation: INT-001 is not authorized to edit lib/a."));
    assert!(need.reason.contains("src/**"));
}

#[test]
fn a_refusal_reads_well() {
    let error = blocked(&Facts {
        intent: active("INT-001", &["src/auth/**", "!src/auth/old/"]),
        ..write("src/core/a.rs")
    });
    insta::assert_snapshot!(error.reason(), @"Scope Violation: INT-001 is not authorized to edit src/core/a.rs. Request scope expansion. Patterns checked: src/auth/**, !src/auth/old/.");
    insta::assert_snapshot!(error.suggestion(), @"Change a file inside the scope (src/auth/**, !src/auth/old/), select the intent that owns this file (INT-002), or call request_scope_expansion, which asks the human to expand the scope.");
}

#[test]
fn a_command_that_comes_too_early_is_told_why_it_counts_as_a_change() {
    let command = |unproved: Option<&str>| Facts {
        state: State::Request,
        intent: IntentFact::None,
        command: Some("make".to_owned()),
        unproved: unproved.map(ToOwned::to_owned),
        ..call("Bash", Vec::new())
    };
    let told = blocked(&command(Some("`make` is not in the table of readers"))).reason().to_owned();
    let untold = blocked(&command(None)).reason().to_owned();
    let why = " The command was not proved read-only: `make` is not in the table of readers.";
    assert_eq!(told.strip_suffix(why), Some(untold.as_str()));
}

#[test]
fn a_question_reads_well() {
    insta::assert_snapshot!(asked(&write("src/a.rs")).reason, @"`write_to_file` changes src/a.rs under INT-001 (Do it).");
    let command = Facts {
        command: Some("make".to_owned()),
        unproved: Some("`make` is not in the table of readers".to_owned()),
        ..call("Bash", Vec::new())
    };
    insta::assert_snapshot!(asked(&command).reason, @"`Bash` runs a command under INT-001 (Do it). The command was not proved read-only: `make` is not in the table of readers.");
    insta::assert_snapshot!(asked(&call("Task", Vec::new())).reason, @"`Task` hands work to another agent under INT-001 (Do it).");
    insta::assert_snapshot!(asked(&call("mcp__x__y", Vec::new())).reason, @"`mcp__x__y` can change things under INT-001 (Do it). The tool is not known, so what it touches is not known either.");
}
