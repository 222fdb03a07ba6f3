//! The catalogue of errors and their one shape on the wire.

use bailiwick_domain::testing::{arbitrary, sample};
use bailiwick_domain::{ErrorCode, ToolError, Value};
use proptest::prelude::*;

fn json(error: &ToolError) -> Value {
    serde_json::from_str(&error.to_json()).unwrap()
}

#[test]
fn req_020_every_code_has_a_reason_and_a_suggestion() {
    assert_eq!(ErrorCode::ALL.len(), 28);
    for &code in ErrorCode::ALL {
        for message in ["", "  ", "something happened"] {
            let error = ToolError::new(code, message).with_reason(" ").with_suggestion("\t");
            assert!(!error.message().trim().is_empty(), "{code:?}");
            assert!(!error.reason().trim().is_empty(), "{code:?}");
            assert_eq!(error.suggestion(), code.default_suggestion());
            assert!(!error.suggestion().trim().is_empty(), "{code:?}");
        }
    }
}

// K-04
#[test]
fn every_code_has_the_same_keys_and_types() {
    for &code in ErrorCode::ALL {
        let value = json(&ToolError::new(code, "m"));
        let keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
        let mut expected = [
            "schema_version",
            "error",
            "code",
            "kind",
            "message",
            "reason",
            "suggestion",
            "recoverable",
            "details",
        ];
        expected.sort_unstable();
        let mut keys = keys;
        keys.sort_unstable();
        assert_eq!(keys, expected);
        assert_eq!(value["schema_version"], 1);
        assert_eq!(value["error"], code.as_str());
        assert_eq!(value["code"], code.as_str());
        assert_eq!(value["kind"], code.kind());
        assert!(value["recoverable"].is_boolean() && value["details"].is_object());
    }
}

#[test]
fn names_on_the_wire_are_the_published_ones() {
    let published = [
        "STATE_VIOLATION",
        "MISSING_INTENT",
        "INTENT_NOT_FOUND",
        "INTENT_NOT_SELECTABLE",
        "NO_SCOPE",
        "SCOPE_VIOLATION",
        "INTENT_IGNORED",
        "INTENTIGNORE_INVALID",
        "PROTECTED_PATH",
        "OUTSIDE_WORKSPACE",
        "MISSING_WORKSPACE_ROOT",
        "ORCHESTRATION_MISSING",
        "ORCHESTRATION_INVALID",
        "STALE_FILE",
        "CONSTRAINT_VIOLATION",
        "TRACE_LINK_MISSING",
        "DESTRUCTIVE_ACTION_REJECTED",
        "APPROVAL_PENDING",
        "APPROVAL_TIMEOUT",
        "COMMAND_NOT_UNDERSTOOD",
        "DELEGATION_REFUSED",
        "QUARANTINED",
        "MALFORMED_CALL",
        "TOO_LARGE",
        "TOO_BROAD",
        "LEDGER_UNAVAILABLE",
        "LOOP_DETECTED",
        "INTERNAL_ERROR",
    ];
    assert_eq!(ErrorCode::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>(), published);
    for &code in ErrorCode::ALL {
        assert_eq!(serde_json::to_value(code).unwrap(), code.as_str(), "serde and as_str agree");
    }
}

#[test]
fn kinds_are_the_published_aliases() {
    assert_eq!(ErrorCode::ScopeViolation.kind(), "ScopeViolation");
    assert_eq!(ErrorCode::StaleFile.kind(), "StaleFile");
    assert_eq!(ErrorCode::StateViolation.kind(), "StateViolationError");
    for &code in ErrorCode::ALL {
        let plain: String = code.as_str().replace('_', "").to_lowercase();
        assert_eq!(code.kind().to_lowercase().trim_end_matches("error"), plain.trim_end_matches("error"));
    }
}

// REQ 10, REQ 161, K-02, K-03
#[test]
fn scope_sentence_is_fixed() {
    let error = ToolError::scope_violation(&sample::intent_id("INT-001"), "src/core/main.ts");
    let sentence =
        "Scope Violation: INT-001 is not authorized to edit src/core/main.ts. Request scope expansion.";
    assert_eq!(error.message(), sentence);
    assert_eq!(error.code(), ErrorCode::ScopeViolation);
}

#[test]
fn req_167_stale_sentence_is_fixed() {
    let error = ToolError::stale_file("a.rs");
    assert_eq!(error.message(), "Stale File: a.rs changed since it was read. Read it again before writing.");
    assert_eq!(error.code(), ErrorCode::StaleFile);
    assert!(error.is_recoverable());
}

// REQ 80, K-06
#[test]
fn req_080_a_human_no_is_not_recoverable() {
    assert!(!ErrorCode::DestructiveActionRejected.recoverable());
    assert_eq!(json(&ToolError::new(ErrorCode::DestructiveActionRejected, "no"))["recoverable"], false);
    let recoverable: Vec<_> =
        ErrorCode::ALL.iter().filter(|code| code.recoverable()).map(|code| code.as_str()).collect();
    let expected = [
        "STATE_VIOLATION",
        "MISSING_INTENT",
        "INTENT_NOT_FOUND",
        "INTENT_NOT_SELECTABLE",
        "SCOPE_VIOLATION",
        "STALE_FILE",
        "CONSTRAINT_VIOLATION",
        "TRACE_LINK_MISSING",
        "APPROVAL_PENDING",
        "APPROVAL_TIMEOUT",
        "COMMAND_NOT_UNDERSTOOD",
        "MALFORMED_CALL",
        "TOO_LARGE",
        "TOO_BROAD",
    ];
    assert_eq!(recoverable, expected);
}

// REQ 68, K-39
#[test]
fn scope_violation_is_derived_from_the_code() {
    for &code in ErrorCode::ALL {
        assert_eq!(ToolError::new(code, "m").is_scope_violation(), code.as_str() == "SCOPE_VIOLATION");
    }
}

#[test]
fn req_070_without_a_suggestion_an_error_has_that_of_its_code() {
    for code in ErrorCode::ALL {
        let silent = ToolError::new(*code, "m").with_suggestion(" \n");
        assert_eq!(silent.suggestion(), code.default_suggestion());
        assert!(!silent.suggestion().trim().is_empty(), "{code:?}");
        assert_eq!(silent.is_recoverable(), code.recoverable());
    }
    assert!(ToolError::new(ErrorCode::StaleFile, "m").is_recoverable());
}

#[test]
fn req_070_a_blank_suggestion_keeps_the_one_before() {
    let error = ToolError::new(ErrorCode::StaleFile, "m").with_suggestion("").with_suggestion("do this");
    assert_eq!(error.suggestion(), "do this");
    assert_eq!(error.with_suggestion("\n").suggestion(), "do this");
}

proptest! {
    #[test]
    fn req_069_an_error_survives_its_json(error in arbitrary::tool_error()) {
        prop_assert!(!error.to_json().contains('\n'), "one line");
        prop_assert_eq!(ToolError::from_text(&error.to_json()), Some(error.clone()));
    }

    #[test]
    fn req_071_text_around_an_error_is_tolerated(
        error in arbitrary::tool_error(), before in "[^{]*", after in "\\PC*",
    ) {
        prop_assert_eq!(ToolError::from_text(&format!("{before}{}{after}", error.to_json())), Some(error));
    }

    #[test]
    fn req_071_junk_gives_none(junk in prop_oneof!["\\PC*", "[{}\\[\\]\":,a-z0-9 ]*"]) {
        prop_assert_eq!(ToolError::from_text(&junk), None);
    }

    #[test]
    fn a_cut_error_gives_none(error in arbitrary::tool_error(), cut: prop::sample::Index) {
        let json = error.to_json();
        let kept: String = json.chars().take(cut.index(json.chars().count())).collect();
        prop_assert_eq!(ToolError::from_text(&kept), None);
    }
}

#[test]
fn objects_that_are_no_errors_give_none() {
    let mut unknown = json(&ToolError::new(ErrorCode::StaleFile, "m"));
    unknown["code"] = "NO_SUCH_CODE".into();
    for text in ["", "{}", "null", "[]", r#"{"code":"STALE_FILE"}"#, &unknown.to_string()] {
        assert_eq!(ToolError::from_text(text), None, "{text}");
    }
}
