//! The neutral wire (design §5, rows 131 to 134 and 142 to 144; D-16 c, D-28): one JSON object a line each way, for a host of
//! one's own in any language.

use bailiwick_domain::{Value, json};

use super::machine::{Machine, fed};

fn content(text: &str) -> Value {
    json!({"path": "src/auth/new.rs", "content": text})
}

// REQ 131, REQ 132, REQ 133, REQ 134, REQ 142, REQ 144
#[test]
fn req_131_a_session_from_the_prompt_to_the_recorded_change() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    let prompt = wire.ask(json!({"phase": "prompt", "prompt": "make login faster"}));
    assert_eq!(prompt["action"], "allow");
    assert!(prompt["context"].as_str().unwrap().contains(bailiwick_domain::HANDSHAKE_SENTENCE), "{prompt}");
    let early = wire.pre("write_to_file", &content("one\n"));
    assert_eq!((&early["action"], &early["error"]["code"]), (&json!("block"), &json!("STATE_VIOLATION")));
    assert_eq!(early["error"]["details"]["selectable"], json!(["INT-001", "INT-002", "INT-004"]));
    let selected = wire.select("INT-001");
    assert_eq!(selected["action"], "allow");
    let context = selected["result"].as_str().unwrap();
    assert!(
        context.starts_with("<intent_context>") && context.trim_end().ends_with("</intent_context>"),
        "{context}"
    );
    let ask = wire.pre("write_to_file", &content("one\n"));
    assert_eq!(ask["action"], "waitForApproval");
    let request = ask["request"].as_object().unwrap();
    let keys: Vec<&str> = request.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "broad",
            "changed_paths",
            "diff_preview",
            "fingerprint",
            "intent_id",
            "kind",
            "mutation",
            "offer",
            "reason",
            "tool"
        ]
    );
    assert_eq!(request["intent_id"], "INT-001");
    assert_eq!(request["tool"], "write_to_file");
    assert_eq!(request["changed_paths"], json!(["src/auth/new.rs"]));
    assert_eq!(request["kind"], "destructive");
    assert!(request["diff_preview"].as_str().unwrap().contains("+one"), "{ask}");
    assert!(request["fingerprint"].as_str().unwrap().starts_with("sha256:"), "{ask}");
    let status = wire.ask(json!({"phase": "status"}));
    assert_eq!(
        (&status["state"], &status["activeIntent"], &status["health"]),
        (&json!("ACTION"), &json!("INT-001"), &json!("ok"))
    );
    assert_eq!(status["pendingApprovals"][0]["id"], ask["approvalId"]);
    let yes = wire.ask(json!({"phase": "resolve", "approvalId": ask["approvalId"], "decision": "approve", "approver": "dana"}));
    assert_eq!((&yes["action"], &yes["approver"]), (&json!("allow"), &json!("dana")));
    machine.write("src/auth/new.rs", "one\n");
    let recorded = wire.post("write_to_file", &content("one\n"), true);
    assert_eq!(recorded["action"], "recorded");
    assert_eq!(recorded["traceIds"].as_array().unwrap().len(), 1, "{recorded}");
    assert!(
        recorded["observations"]["src/auth/new.rs"].as_str().unwrap().starts_with("sha256:"),
        "{recorded}"
    );
    wire.end();
}

// REQ 22, REQ 74, REQ 143: only the positive word is a yes
#[test]
fn req_143_anything_but_approve_is_a_no() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let words = [
        json!("reject"),
        json!("Approve"),
        json!("approved"),
        json!("yes"),
        json!(""),
        json!(true),
        Value::Null,
    ];
    for (index, word) in words.into_iter().enumerate() {
        let ask = wire.pre("write_to_file", &content(&format!("{index}\n")));
        let no = wire.ask(json!({"phase": "resolve", "approvalId": ask["approvalId"], "decision": word, "feedback": "not so"}));
        assert_eq!(no["error"]["code"], "DESTRUCTIVE_ACTION_REJECTED", "{word}: {no}");
        assert_eq!(
            (&no["error"]["recoverable"], &no["error"]["details"]["feedback"]),
            (&json!(false), &json!("not so"))
        );
        let twice =
            wire.ask(json!({"phase": "resolve", "approvalId": ask["approvalId"], "decision": "approve"}));
        assert_eq!(twice["error"]["code"], "APPROVAL_TIMEOUT", "answered once: {twice}");
    }
    wire.end();
}

// D-02: a grant on the wire, within the bounds that were said
#[test]
fn a_wire_grants_within_bounds_and_asks_again_beyond_them() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let ask = wire.pre("write_to_file", &content("one\n"));
    assert_eq!(ask["request"]["offer"]["max_calls"], 30, "{ask}");
    for bounds in
        [json!({"max_calls": 0}), json!({"max_files": 201}), json!({"calls": 1}), json!(true), json!([])]
    {
        let fault = wire.ask(json!({"phase": "resolve", "approvalId": ask["approvalId"], "decision": "grant", "bounds": bounds}));
        assert_eq!(fault["error"]["code"], "MALFORMED_CALL", "{bounds}: {fault}");
    }
    let yes = wire.ask(json!({"phase": "resolve", "approvalId": ask["approvalId"], "decision": "grant", "approver": "dana", "bounds": {"max_calls": 2}}));
    assert_eq!((&yes["action"], &yes["approvalId"]), (&json!("allow"), &ask["approvalId"]), "{yes}");
    machine.write("src/auth/new.rs", "one\n");
    wire.post("write_to_file", &content("one\n"), true);
    for number in 1..=2 {
        let path = format!("src/auth/{number}.rs");
        let params = json!({"path": path, "content": "x\n"});
        let passed = wire.pre("write_to_file", &params);
        assert_eq!((&passed["action"], &passed["grant"]), (&json!("allow"), &json!("grant#1")), "{passed}");
        machine.write(&path, "x\n");
        wire.post("write_to_file", &params, true);
    }
    let beyond = wire.pre("write_to_file", &json!({"path": "src/auth/3.rs", "content": "x\n"}));
    assert_eq!(beyond["action"], "waitForApproval", "{beyond}");
    let command = wire.pre("execute_command", &json!({"command": "make all"}));
    assert_eq!(command["request"]["offer"], Value::Null, "{command}");
    let resolved = |decision: &str| json!({"phase": "resolve", "approvalId": command["approvalId"], "decision": decision});
    let refused = wire.ask(resolved("grant"));
    assert_eq!(refused["error"]["code"], "MALFORMED_CALL", "{refused}");
    assert!(
        refused["error"]["message"].as_str().unwrap().contains("cannot be answered by a grant"),
        "{refused}"
    );
    let yes = wire.ask(resolved("approve"));
    assert_eq!(yes["action"], "allow", "a grant that does not fit answers nothing: {yes}");
    wire.end();
}

// D-16 c
#[test]
fn a_request_is_resolved_on_its_own_connection_only() {
    let machine = Machine::new();
    let (mut one, mut other) = (machine.wire(), machine.wire());
    one.select("INT-001");
    let ask = one.pre("write_to_file", &content("one\n"));
    let resolve = json!({"phase": "resolve", "approvalId": ask["approvalId"], "decision": "approve"});
    assert_eq!(other.ask(resolve.clone())["error"]["code"], "APPROVAL_TIMEOUT");
    assert_eq!(one.ask(resolve)["action"], "allow");
    other.end();
    one.end();
}

// design §5: ids come back as they are
#[test]
fn any_id_comes_back() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    for id in [
        json!(7),
        json!("seven"),
        json!(-1.5),
        json!([1, {"a": null}]),
        json!({"k": "v"}),
        json!(true),
        Value::Null,
    ] {
        let answer = wire.raw(json!({"id": id, "phase": "status"}).to_string().as_bytes());
        assert_eq!(answer["id"], id);
    }
    let bare = wire.raw(br#"{"phase":"status"}"#);
    assert_eq!((&bare["id"], &bare["action"]), (&Value::Null, &json!("status")));
    wire.end();
}

// threats D10, D11; D-28
#[test]
fn a_bad_line_is_refused_and_the_connection_goes_on() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    let deep = format!("{{\"phase\":\"pre\",\"x\":{}", "[".repeat(100_000));
    let bad: [&[u8]; 23] = [
        b"{",
        b"nonsense",
        b"[]",
        b"[{\"phase\":\"status\"},{\"phase\":\"status\"}]",
        b"3",
        b"null",
        b"{\"phase\":\"status\"}{\"phase\":\"status\"}",
        b"{\"phase\":\"status\",\"phase\":\"pre\"}",
        b"{\"phase\":\"status\",\"x\":\"\xff\"}",
        b"{\"phase\":\"status\"} ok",
        b"{}",
        b"{\"phase\":null}",
        b"{\"phase\":\"PRE\"}",
        b"{\"phase\":\"execute\"}",
        b"{\"phase\":\"status\",\"userSessionId\":3}",
        b"{\"phase\":\"status\",\"userSessionId\":\"\"}",
        b"{\"phase\":\"pre\"}",
        b"{\"phase\":\"pre\",\"toolName\":\"\"}",
        b"{\"phase\":\"pre\",\"toolName\":\"read_file\",\"params\":[]}",
        b"{\"phase\":\"pre\",\"toolName\":\"read_file\",\"params\":{\"path\":\"a\"},\"intentId\":\"<b>\"}",
        b"{\"phase\":\"pre\",\"toolName\":\"read_file\",\"params\":{\"path\":\"a\"},\"readHash\":\"md5:0\"}",
        b"{\"phase\":\"resolve\"}",
        deep.as_bytes(),
    ];
    for line in bad {
        let answer = wire.raw(line);
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
        assert_eq!(answer["error"]["code"], "MALFORMED_CALL", "{shown}: {answer}");
        assert_eq!(wire.ask(json!({"phase": "status"}))["action"], "status", "{shown}");
    }
    let empty = wire.raw(b"{\"phase\":\"status\",\"userSessionId\":\"\"}");
    assert!(empty["error"]["message"].as_str().unwrap().contains("`userSessionId` is empty"), "{empty}");
    wire.end();
}

// D-28: the process ends with its input
#[test]
fn the_input_may_end_anywhere() {
    let machine = Machine::new();
    for (input, answers) in [
        (&b""[..], 0),
        (b"\n \n\r\n", 0),
        (b"{\"phase\":\"status\"}", 1),
        (b"{\"phase\":\"status\"}\n{\"pha", 2),
    ] {
        let output = fed(&mut machine.world.command_in(&machine.root(), &["gate"]), input);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        let lines: Vec<Value> =
            String::from_utf8(output.stdout).unwrap().lines().map(crate::world::json).collect();
        assert_eq!(lines.len(), answers, "{lines:?}");
    }
}

// REQ 102; K-07: a store that breaks under the connection, and is repaired
#[test]
fn req_102_a_connection_outlives_a_broken_store() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let store = machine.root().join(".orchestration");
    let aside = machine.world.path("aside");
    std::fs::rename(&store, &aside).unwrap();
    for tool in ["read_file", "write_to_file"] {
        assert_eq!(wire.pre(tool, &content(""))["error"]["code"], "ORCHESTRATION_MISSING");
    }
    assert_ne!(wire.ask(json!({"phase": "status"}))["health"], "ok");
    std::fs::rename(&aside, &store).unwrap();
    assert_eq!(wire.pre("read_file", &json!({"path": "src/core/main.rs"}))["action"], "allow");
    assert_eq!(wire.pre("write_to_file", &content(""))["action"], "waitForApproval");
    wire.end();
}

// REQ 80, REQ 145; K-09: what was approved is looked at again
#[test]
fn a_yes_does_not_cover_what_changed_meanwhile() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let params = json!({"path": "src/auth/login.rs", "content": "new\n"});
    wire.post("read_file", &json!({"path": "src/auth/login.rs"}), true);
    let ask = wire.pre("write_to_file", &params);
    assert_eq!(ask["action"], "waitForApproval", "{ask}");
    machine.write("src/auth/login.rs", "somebody else\n");
    let answer =
        wire.ask(json!({"phase": "resolve", "approvalId": ask["approvalId"], "decision": "approve"}));
    assert_eq!(answer["error"]["code"], "STALE_FILE", "{answer}");
    wire.end();
}

// K-45: a host that runs what was refused halts the session
#[test]
fn a_halted_session_says_so() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let outside = json!({"path": "README.md", "content": "x\n"});
    assert_eq!(wire.pre("write_to_file", &outside)["error"]["code"], "SCOPE_VIOLATION");
    machine.write("README.md", "x\n");
    wire.post("write_to_file", &outside, true);
    let halted = wire.pre("read_file", &json!({"path": "README.md"}));
    assert_eq!(
        (&halted["error"]["code"], &halted["halt"]),
        (&json!("QUARANTINED"), &json!(true)),
        "{halted}"
    );
    wire.end();
}

// A line is read as it is or refused, and what is no text is not taken for nothing
#[test]
fn what_is_too_long_or_of_another_type_is_no_request() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    let request = br#"{"id":7,"phase":"status"}"#;
    let padded = |length: usize| {
        let mut line = request.to_vec();
        line.resize(length, b' ');
        line
    };
    assert_eq!(wire.raw(&padded(32 << 20))["action"], "status", "32 MiB are taken");
    let refused = wire.raw(&padded((32 << 20) + 1));
    assert_eq!((&refused["error"]["code"], &refused["id"]), (&json!("MALFORMED_CALL"), &Value::Null));
    assert_eq!(wire.raw(request)["action"], "status", "the next one is read");
    for key in ["intentId", "readHash", "toolCallId", "cwd"] {
        for value in [json!(7), json!(["INT-001"]), json!(false)] {
            let mut request =
                json!({"phase": "pre", "toolName": "read_file", "params": {"path": "src/core/main.rs"}});
            request[key] = Value::Null;
            assert_eq!(wire.ask(request.clone())["action"], "allow", "{key}");
            request[key] = value.clone();
            assert_eq!(wire.ask(request)["error"]["code"], "MALFORMED_CALL", "{key} {value}");
        }
    }
    wire.end();
}

// The handshake and the refusals say the names that this wire has
#[test]
fn the_wire_calls_tools_and_parameters_by_its_own_names() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    let prompt = wire.ask(json!({"phase": "prompt"}));
    let text = prompt["context"].as_str().unwrap();
    assert!(text.contains("call list_intents, then select_active_intent"), "{text}");
    assert!(!text.contains("mcp__"), "{text}");
    wire.select("INT-001");
    let refused = wire.pre("write_to_file", &json!({"content": "x"}));
    let said = refused["error"]["message"].as_str().unwrap();
    assert!(said.contains("expected `path`"), "{said}");
    wire.end();
}
