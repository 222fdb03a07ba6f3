//! Records, pending calls, trace entries and settings as they are written.

use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Classification, DecisionRecord, Diagnostic, HANDSHAKE_SENTENCE, Mutation, MutationEvidence,
    MutationMethod, PendingCall, RepoPath, Reselect, Settings, TraceEntry, TurnMeaning,
};
use serde_json::{from_str, to_string, to_value};

#[test]
fn records_survive_their_json() {
    let decision = sample::decision("why");
    assert_eq!(from_str::<DecisionRecord>(&to_string(&decision).unwrap()).unwrap(), decision);
    let pending = sample::pending("call-1", &sample::child("a1"), sample::now());
    assert_eq!(from_str::<PendingCall>(&to_string(&pending).unwrap()).unwrap(), pending);
    let entry = sample::trace_entry("id", &sample::intent("INT-001", &["src/**"]));
    assert_eq!(from_str::<TraceEntry>(&to_string(&entry).unwrap()).unwrap(), entry);
}

// K-45
#[test]
fn words_of_a_decision_are_the_published_ones() {
    assert_eq!(to_value(Action::WaitForApproval).unwrap(), "wait_for_approval");
    assert_eq!(to_value(Action::Allow).unwrap(), "allow");
    assert_eq!(to_value(Classification::Safe).unwrap(), "SAFE");
    assert_eq!(to_value(Classification::Destructive).unwrap(), "DESTRUCTIVE");
}

// REQ 109
#[test]
fn req_109_handshake_sentence_is_word_for_word() {
    let sentence = "Analysis and read-only actions are permitted, but an active intent is still required for \
                    mutations (writes/commands).";
    assert_eq!(HANDSHAKE_SENTENCE, sentence);
}

// D-03, K-01, K-10
#[test]
fn defaults_are_the_documented_ones() {
    let settings = to_value(Settings::default()).unwrap();
    for (key, value) in [
        ("reselect", "request"),
        ("on_violation", "block"),
        ("overlap", "warn"),
        ("never_read", "block"),
        ("channel", "auto"),
        ("read_only_commands", "SAFE"),
        ("sync", "always"),
        ("safe_tools_when_broken", "block"),
    ] {
        assert_eq!(settings[key], value, "{key}");
    }
    assert_eq!(settings["approval_timeout_s"], 100);
    assert_eq!(settings["loop_repeats"], 3);
    assert_eq!(settings["context_max_bytes"], 8192);
    assert_eq!(Reselect::default(), Reselect::Request);
}

#[test]
fn a_diagnostic_says_where_what_and_how() {
    let diagnostic = Diagnostic {
        file: ".orchestration/config.yaml".to_owned(),
        line: 3,
        column: 5,
        message: "unknown key `scop`".to_owned(),
        fix: String::new(),
        way_out: None,
    };
    assert_eq!(diagnostic.to_string(), ".orchestration/config.yaml:3:5: unknown key `scop`");
    let fixed = Diagnostic { fix: "did you mean `scope`?".to_owned(), ..diagnostic };
    assert_eq!(
        fixed.to_string(),
        ".orchestration/config.yaml:3:5: unknown key `scop` (did you mean `scope`?)"
    );
    let out = Diagnostic { way_out: Some("`x` to stop".to_owned()), ..fixed.clone() };
    assert!(out.to_string().ends_with("scop` (did you mean `scope`?; or `x` to stop)"), "{out}");
    let only_out = Diagnostic { fix: String::new(), ..out };
    assert!(only_out.to_string().ends_with("scop` (`x` to stop)"), "{only_out}");
    let line = Diagnostic { column: 0, ..fixed.clone() };
    assert!(line.to_string().starts_with(".orchestration/config.yaml:3: unknown"), "{line}");
    let whole = Diagnostic { line: 0, column: 0, ..fixed };
    assert!(whole.to_string().starts_with(".orchestration/config.yaml: unknown"), "{whole}");
}

// REQ 165: the line stands beside entries of other files too
#[test]
fn what_a_turn_meant_names_the_files() {
    let at = |path: &str, what: &str| MutationEvidence {
        line: 1,
        path: RepoPath::new(path).unwrap(),
        what: what.to_owned(),
    };
    let evidence = vec![at("src/new.rs", "the file is new"), at("src/a.rs", "`f` changed")];
    let mutation = Mutation::evolution(MutationMethod::WholeFile, evidence);
    assert_eq!(mutation.in_a_line(), "INTENT_EVOLUTION: the file is new; `f` changed");
    let turn = TurnMeaning { entries: vec!["one".to_owned(), "two".to_owned()], mutation };
    assert_eq!(
        turn.in_a_line(),
        "2 calls together: INTENT_EVOLUTION: src/new.rs is new; src/a.rs: `f` changed"
    );
}
