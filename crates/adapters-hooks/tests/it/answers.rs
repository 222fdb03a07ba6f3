//! Claude Code's answers, byte by byte, and the limits that they keep (D-28).

use bailiwick_adapters_hooks::claude_code::{parse, render, render_failure};
use bailiwick_adapters_hooks::{Reply, SERVED_TOOLS, handshake_text};
use bailiwick_domain::{ErrorCode, HANDSHAKE_SENTENCE, IntentId, Params, ToolError, Value, json};
use proptest::prelude::*;

const EVENTS: [&str; 12] = [
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
    "PermissionRequest",
];

fn params(value: Value) -> Params {
    value.as_object().cloned().unwrap()
}

fn out_of_scope() -> ToolError {
    ToolError::scope_violation(&IntentId::new("INT-001").unwrap(), "src/core/main.ts")
        .with_detail("paths", vec!["src/core/main.ts"])
}

fn replies() -> Vec<Reply> {
    vec![
        Reply::NoOpinion,
        Reply::Allow { reason: "approved by dev".into() },
        Reply::AllowRewritten {
            params: params(json!({"command": "bailiwick run -- ls"})),
            reason: "confined".into(),
        },
        Reply::Ask { reason: "INT-001 wants to delete \"a.rs\"\nline two".into() },
        Reply::deny(out_of_scope()),
        Reply::Context("Bailiwick: INT-001 is active".into()),
        Reply::KeepGoing { reason: "approved, retry call t1".into() },
        Reply::BlockPrompt { reason: "paused".into() },
    ]
}

fn word(reply: &Reply) -> String {
    let debug = format!("{reply:?}");
    debug.split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}

#[test]
fn every_answer_that_is_not_silence_is_frozen() {
    let mut table = String::new();
    for event in EVENTS {
        for reply in replies() {
            let answer = render(event, &reply);
            if !answer.is_empty() {
                table.push_str(&format!("{event} {}\n  {answer}\n", word(&reply)));
            }
        }
    }
    insta::assert_snapshot!("answers", table);
}

#[test]
fn silence_is_empty_everywhere() {
    for event in EVENTS {
        assert_eq!(render(event, &Reply::NoOpinion), "", "{event}");
    }
}

fn decision(answer: &str) -> Value {
    let answer: Value = serde_json::from_str(answer).unwrap();
    answer["hookSpecificOutput"].clone()
}

fn denied_with(answer: &str) -> ToolError {
    let output = decision(answer);
    assert_eq!(output["hookEventName"], "PreToolUse");
    assert_eq!(output["permissionDecision"], "deny");
    let reason = output["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.len() < 9_000);
    serde_json::from_str(reason).unwrap()
}

#[test]
fn req_008_a_denial_is_exactly_the_tool_error_and_nothing_after_it() {
    // D-28
    assert_eq!(denied_with(&render("PreToolUse", &Reply::deny(out_of_scope()))), out_of_scope());
}

#[test]
fn a_reply_without_a_form_before_a_tool_refuses() {
    for reply in [Reply::KeepGoing { reason: "x".into() }, Reply::BlockPrompt { reason: "x".into() }] {
        assert_eq!(denied_with(&render("PreToolUse", &reply)).code(), ErrorCode::InternalError);
    }
}

#[test]
fn a_rewritten_call_that_the_host_would_cut_is_refused() {
    let reply =
        Reply::AllowRewritten { params: params(json!({"content": "x".repeat(9_999)})), reason: "r".into() };
    assert_eq!(denied_with(&render("PreToolUse", &reply)).code(), ErrorCode::InternalError);
}

#[test]
fn long_errors_lose_their_details_before_their_sentences() {
    // D-28
    let also: Vec<String> = (0..400).map(|n| format!("\"check\" {n} failed as well")).collect();
    let long = out_of_scope().with_detail("also", also).with_detail("intent_id", "INT-001");
    let shown = denied_with(&render("PreToolUse", &Reply::deny(long.clone())));
    assert_eq!(
        (shown.message(), shown.reason(), shown.suggestion()),
        (long.message(), long.reason(), long.suggestion())
    );
    assert_eq!(shown.is_recoverable(), long.is_recoverable());
    let details = Value::Object(shown.details().clone());
    assert_eq!(details, json!({"intent_id": "INT-001", "paths": ["src/core/main.ts"], "shortened": true}));
}

#[test]
fn req_117_the_handshake_reaches_the_model_whole() {
    // REQ 109
    for has_intents in [true, false] {
        let text = handshake_text(has_intents, SERVED_TOOLS);
        for event in ["SessionStart", "UserPromptSubmit", "SubagentStart"] {
            let output = decision(&render(event, &Reply::Context(text.clone())));
            assert_eq!(
                (&output["hookEventName"], &output["additionalContext"]),
                (&json!(event), &json!(text))
            );
        }
        assert!(text.contains(HANDSHAKE_SENTENCE));
    }
}

#[test]
fn req_109_the_handshake_says_what_to_call_and_how_errors_look() {
    let text = handshake_text(true, SERVED_TOOLS);
    for part in [
        "mcp__bailiwick__list_intents",
        "mcp__bailiwick__select_active_intent",
        "bailiwick tool select_active_intent '{",
        "APPROVAL_PENDING",
        "suggestion",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("bailiwick intent new"));
    // A door whose tools have no prefix names them as it has them.
    let plain = handshake_text(false, "");
    assert!(plain.contains("draft one with propose_intent") && !plain.contains("mcp__"), "{plain}");
    assert!(handshake_text(false, SERVED_TOOLS).contains("bailiwick intent new \"NAME\" --scope PATH"));
    assert!(text.chars().count() < 1_500 && handshake_text(false, SERVED_TOOLS).chars().count() < 1_500);
}

#[test]
fn a_failure_denies_whatever_may_be_a_tool_call() {
    // threat D11
    let error = parse(b"{").unwrap_err().tool_error();
    for raw in [
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_name":"Read"}"#,
        r#"{"hook_event_name" :  "PreToolUse"  "#,
        r#"{"tool_input":{"hook_event_name":"Stop"},"hook_event_name":"PreToolUse","#,
        r#"{"hook_event_name":"PreToolUse","tool_input":{"hook_event_name":"Stop"}"#,
    ] {
        let output = render_failure(raw.as_bytes(), &error);
        assert_eq!((output.exit_code, output.stderr.as_str()), (0, ""), "{raw}");
        assert_eq!(denied_with(&output.stdout), error, "{raw}");
    }
    for raw in [
        &b""[..],
        b"{",
        b"\xff\xfe\x00",
        b"{\"hook_event_name\":",
        br#"{"hook_event_name":"UserPromptSubmit","#,
    ] {
        let output = render_failure(raw, &error);
        assert_eq!((output.exit_code, output.stdout.as_str()), (2, ""), "{raw:?}");
        assert_eq!(ToolError::from_text(&output.stderr), Some(error.clone()), "{raw:?}");
    }
}

#[test]
fn a_failure_on_another_event_does_not_hold_the_client_up() {
    let error = parse(b"{").unwrap_err().tool_error();
    for event in ["Stop", "SubagentStop", "PostToolUse", "SessionStart", "ConfigChange"] {
        let output = render_failure(format!(r#"{{"hook_event_name":"{event}","x":"#).as_bytes(), &error);
        assert_eq!((output.exit_code, output.stdout.as_str()), (1, ""), "{event}");
        assert!(!output.stderr.is_empty());
    }
}

fn any_error() -> impl Strategy<Value = ToolError> {
    let text = || "(\\PC|[\"\\\\\u{1}\n\u{1f600}ж]){0,6000}";
    (text(), text(), text(), any::<bool>(), prop::collection::vec("\\PC{0,300}", 0..60)).prop_map(
        |(message, reason, suggestion, recoverable, also)| {
            ToolError::new(ErrorCode::ScopeViolation, message)
                .with_reason(reason)
                .with_suggestion(suggestion)
                .with_recoverable(recoverable)
                .with_detail("also", also)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_denial_fits_and_keeps_every_key(error in any_error()) {
        // D-28
        let answer = render("PreToolUse", &Reply::deny(error.clone()));
        prop_assert!(answer.len() <= 10_000);
        let shown = denied_with(&answer);
        prop_assert_eq!((shown.code(), shown.is_recoverable()), (error.code(), error.is_recoverable()));
        prop_assert!(!shown.message().is_empty() && !shown.reason().is_empty() && !shown.suggestion().is_empty());
    }

    #[test]
    fn every_answer_is_short_and_is_empty_or_one_object(
        text in "(\\PC|[\"\\\\\u{1}\n]){0,12000}", event in prop::sample::select(&EVENTS[..]), which in 0usize..5,
    ) {
        let reply = match which {
            0 => Reply::Allow { reason: text },
            1 => Reply::Ask { reason: text },
            2 => Reply::Context(text),
            3 => Reply::KeepGoing { reason: text },
            _ => Reply::BlockPrompt { reason: text },
        };
        let answer = render(event, &reply);
        prop_assert!(answer.len() <= 10_000);
        prop_assert!(answer.is_empty() || serde_json::from_str::<Value>(&answer).unwrap().is_object());
    }
}
