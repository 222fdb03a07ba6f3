//! Many processes at once: one strictly ordered log without a torn line, no lost update, and one yes for one call
//! (REQ 25; K-09, D-17; threats G4, H4).
#![cfg(target_os = "linux")]

use bailiwick_domain::{Value, json};

use super::machine::{Hooked, Machine};

const AGENTS: usize = 8;
const CALLS: usize = 4;

/// Runs `work` for each agent at the same time, in threads that each start processes.
fn at_once<T: Send>(work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let work = &work;
        let agents: Vec<_> = (0..AGENTS).map(|agent| scope.spawn(move || work(agent))).collect();
        agents.into_iter().map(|agent| agent.join().unwrap()).collect()
    })
}

/// The log holds whole records only, numbered without a gap in the order in which they stand, and exactly one for each
/// of these calls.
#[track_caller]
fn assert_ordered(machine: &Machine, calls: usize) {
    let records = machine.decisions();
    for (place, record) in records.iter().enumerate() {
        assert_eq!(record["seq"], place, "{record}");
    }
    let times: Vec<&str> = records.iter().map(|record| record["at"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let mut seen: Vec<&str> = records
        .iter()
        .filter_map(|record| record["call"].as_str())
        .filter(|id| id.starts_with("c-"))
        .collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), calls);
}

/// A call of each kind, so that reading, refusing and asking run side by side.
fn call(machine: &Machine, session: &str, agent: usize, index: usize) -> Value {
    let id = format!("c-{agent}-{index}");
    let (tool, path) = match index % 4 {
        0 => ("Write", format!("README-{agent}-{index}.md")),
        1 => ("Read", "src/core/main.rs".to_owned()),
        2 => ("Write", format!("src/auth/{agent}-{index}.rs")),
        _ => ("Write", format!("docs/{agent}-{index}.md")),
    };
    let file = machine.root().join(path).display().to_string();
    let params = match tool {
        "Read" => json!({"file_path": file}),
        _ => json!({"file_path": file, "content": "x\n"}),
    };
    machine.pre_in(session, &id, tool, &params)
}

// REQ 25; K-09; threat H4
#[test]
fn req_025_calls_of_one_session_are_put_in_one_order() {
    let machine = Machine::selected();
    let said: Vec<Vec<Hooked>> =
        at_once(|agent| (0..CALLS).map(|index| machine.hook(&call(&machine, "s1", agent, index))).collect());
    for answers in said {
        let codes: Vec<Value> =
            [0, 2, 3].iter().map(|index| answers[*index].denied()["code"].clone()).collect();
        assert_eq!(codes, ["SCOPE_VIOLATION", "APPROVAL_PENDING", "SCOPE_VIOLATION"]);
        assert_eq!(answers[1].decision(), None);
    }
    assert_ordered(&machine, AGENTS * CALLS);
    // No refusal was forgotten: each call's third repetition is the loop that the settings speak of.
    for index in [0, 3] {
        for repetition in ["SCOPE_VIOLATION", "SCOPE_VIOLATION", "LOOP_DETECTED"] {
            let error = machine.hook(&call(&machine, "s1", 5, index)).denied();
            assert_eq!(error["code"], repetition, "{error}");
        }
    }
    assert_eq!(machine.open_requests().len(), AGENTS);
}

// REQ 25, REQ 45; K-09, D-12
#[test]
fn req_025_sessions_side_by_side_share_one_order_and_nothing_else() {
    let machine = Machine::new();
    at_once(|agent| {
        let session = format!("session-{agent}");
        let intent = if agent % 2 == 0 { "INT-001" } else { "INT-002" };
        machine.select_in(&session, intent);
        for index in 0..CALLS {
            let said = machine.hook(&call(&machine, &session, agent, index));
            match index {
                1 => assert_eq!(said.decision(), None),
                2 if agent % 2 == 0 => assert_eq!(said.denied()["code"], "APPROVAL_PENDING"),
                _ => {
                    let error = said.denied();
                    assert_eq!(error["code"], "SCOPE_VIOLATION");
                    assert_eq!(error["details"]["intent_id"], intent);
                }
            }
        }
    });
    assert_ordered(&machine, AGENTS * CALLS);
}

// D-17; threat G4
#[test]
fn one_yes_lets_one_of_many_calls_through() {
    let machine = Machine::selected();
    let id = machine.pending("first", "src/auth/new.rs");
    machine.approve(&id);
    let passed = at_once(|agent| {
        let said = machine.hook(&machine.write_call(&format!("c-{agent}"), "src/auth/new.rs"));
        let passed = said.decision().as_deref() == Some("allow");
        assert!(passed || said.denied()["code"] == "APPROVAL_PENDING", "{said:?}");
        passed
    });
    assert_eq!(passed.iter().filter(|passed| **passed).count(), 1);
    assert_ordered(&machine, AGENTS);
}

// REQ 25; threat H4: every yes is used, every change recorded once, in one chain
#[test]
fn req_025_changes_of_many_wires_are_all_recorded_once() {
    let machine = Machine::new();
    at_once(|agent| {
        let mut wire = machine.wire();
        wire.ask(json!({"phase": "pre", "userSessionId": format!("w{agent}"), "toolName": "select_active_intent", "params": {"intent_id": "INT-001"}}));
        for index in 0..CALLS {
            let path = format!("src/auth/{agent}-{index}.rs");
            let params = json!({"path": path, "content": format!("{agent} {index}\n")});
            let session = format!("w{agent}");
            let ask = wire.ask(json!({"phase": "pre", "userSessionId": session, "toolName": "write_to_file", "params": params}));
            let yes = wire.ask(json!({"phase": "resolve", "userSessionId": session, "approvalId": ask["approvalId"], "decision": "approve"}));
            assert_eq!(yes["action"], "allow", "{yes}");
            machine.write(&path, &format!("{agent} {index}\n"));
            let done = wire.ask(json!({"phase": "post", "userSessionId": session, "toolName": "write_to_file", "params": params, "result": {"ok": true}}));
            assert_eq!(done["traceIds"].as_array().unwrap().len(), 1, "{done}");
        }
        wire.end();
    });
    let ledger = std::fs::read_to_string(machine.root().join(".orchestration/agent_trace.jsonl")).unwrap();
    let entries: Vec<Value> = ledger.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(entries.len(), AGENTS * CALLS);
    let records = machine.decisions();
    assert!(records.iter().enumerate().all(|(place, record)| record["seq"] == place));
}
