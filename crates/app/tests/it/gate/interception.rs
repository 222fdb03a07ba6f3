//! Nothing runs past the gate, and nothing runs without evidence: rows 1, 27, 40, 76, 110, 129, 155; K-24, K-25.

use bailiwick::gate::{Because, Outcome};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Classification, ContentHash, ErrorCode, Health, HealthFault, PendingStore, State, ToolCall, json,
};
use bailiwick_policy::registry;

use super::world::{HUMAN, JWT, JWT_TEXT, World, broken, command, content, refused, yes};

/// Parameters that the tool of that name understands; each kind of tool has its own.
pub(super) fn params_for(name: &str) -> serde_json::Value {
    json!({
        "path": JWT, "content": "new\n", "old_string": "fn sign() {}", "new_string": "fn sign(key: &Key) {}",
        "from": JWT, "to": "src/auth/token.rs", "command": "make", "intent_id": "INT-001",
        "diff": "<<<<<<< SEARCH\nfn sign() {}\n=======\nfn seal() {}\n>>>>>>> REPLACE\n",
        "patch": format!("*** Begin Patch\n*** Add File: src/auth/{name}.rs\n+x\n*** End Patch\n"),
    })
}

/// A call of a registered tool that its extractor understands.
pub(super) fn sample_call(world: &World, row: &registry::Row) -> ToolCall {
    use registry::Extractor::{Blocks, Editor, Move, MultiFileEdit, Patch};
    let all = params_for(row.name);
    let keys: &[&str] = match row.extractor {
        Move => &["from", "to"],
        Patch => &["patch"],
        Blocks => &["path", "diff"],
        registry::Extractor::Command => &["command"],
        Editor => &["path", "content", "intent_id"],
        _ => &["path", "content", "old_string", "new_string", "intent_id"],
    };
    let mut params: bailiwick_domain::Params = all
        .as_object()
        .unwrap()
        .iter()
        .filter(|(key, _)| keys.contains(&key.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    match row.extractor {
        MultiFileEdit => {
            params = json!({"replacements": [{"filePath": JWT, "oldString": "sign", "newString": "seal"}]})
                .as_object()
                .cloned()
                .unwrap();
        }
        Editor => drop(params.insert("command".to_owned(), json!("create"))),
        _ => {}
    }
    ToolCall { params, ..world.call(row.name, json!({})) }
}

#[test]
fn req_001_req_110_req_155_the_log_of_the_gate_equals_the_log_of_the_host() {
    let world = World::ready();
    let mut host: Vec<_> = Vec::new();
    for row in registry::entries() {
        for name in std::iter::once(&row.name).chain(row.aliases) {
            let call = ToolCall { tool: (*name).to_owned(), ..sample_call(&world, row) };
            let _ = world.pre(&call);
            host.push(call.id);
        }
    }
    let unknown = world.call("frobnicate", json!({"x": 1}));
    let _ = world.pre(&unknown);
    host.push(unknown.id);
    let mut logged: Vec<_> = Vec::new();
    for record in world.decisions.records() {
        if let Some(id) = record.call.filter(|id| host.contains(id) && !logged.contains(id)) {
            logged.push(id);
        }
    }
    assert_eq!(logged, host);
}

#[test]
fn req_027_req_028_every_decision_names_its_call_its_class_and_where_the_actor_stood() {
    let world = World::ready();
    let read = world.call("Read", json!({"file_path": JWT}));
    world.passes_unasked(&read);
    let record = world.last_record(&read);
    assert_eq!((record.tool.as_str(), record.class), ("Read", Some(Classification::Safe)));
    assert_eq!((record.state, record.intent), (State::Action, Some(sample::intent_id("INT-001"))));
    assert_eq!(record.paths, [JWT]);
    let write = world.write(JWT, "new\n");
    world.asks(&write);
    assert_eq!(world.last_record(&write).class, Some(Classification::Destructive));
}

#[test]
fn req_148_writing_and_executing_are_wrapped_on_both_sides_once_an_intent_is_selected() {
    let world = World::new();
    world.prompt();
    let (write, run) = (world.write("src/auth/new.rs", "x\n"), command(&world, "make"));
    for call in [&write, &run] {
        world.refuses(call, ErrorCode::StateViolation);
    }
    world.select("INT-001");
    let (write, run) = (world.again(&write), world.again(&run));
    assert_eq!(world.mutates(&write).context.intent, sample::intent_id("INT-001"));
    world.passes_by_yes(&run);
    world.post(&run);
    for call in [&write, &run] {
        assert!(world.records_of(call).len() >= 2, "before and after {}", call.tool);
    }
    assert_eq!(world.ledger.entries().len(), 1);
}

#[test]
fn req_001_the_second_event_of_the_same_call_is_logged_too() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    let before = world.records_of(&call).len();
    assert_eq!(world.pre(&call), Outcome::Allow(Because::Repeated));
    assert_eq!(world.records_of(&call).len(), before + 1);
    assert_eq!(world.last_record(&call).action, Action::Allow);
    world.decisions.fail(Some(broken()));
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::LedgerUnavailable);
}

#[test]
fn req_027_req_110_without_a_decision_log_not_even_a_read_gets_through() {
    let world = World::ready();
    world.decisions.fail(Some(broken()));
    for call in [
        world.call("read_file", json!({"path": JWT})),
        world.call("attempt_completion", json!({})),
        world.call("list_intents", json!({})),
        world.write("src/auth/new.rs", "x"),
        command(&world, "make"),
    ] {
        world.will_say(yes());
        assert_eq!(refused(world.pre(&call)).code(), ErrorCode::LedgerUnavailable, "{}", call.tool);
    }
}

#[test]
fn req_027_a_log_that_fails_after_the_yes_stops_the_call_and_its_retry() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    let approval = world.asks(&call);
    world.decisions.fail(Some(broken()));
    assert_eq!(refused(world.resolve(&approval, yes())).code(), ErrorCode::LedgerUnavailable);
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::LedgerUnavailable);
    assert!(world.pendings.calls().is_empty());
    world.decisions.fail(None);
    world.passes_by_yes(&call);
}

#[test]
fn a_selection_that_cannot_be_logged_selects_nothing() {
    // REQ 111
    let world = World::new();
    world.prompt();
    world.decisions.fail(Some(broken()));
    let call = world.call("select_active_intent", json!({"intent_id": "INT-001"}));
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::LedgerUnavailable);
    world.decisions.fail(None);
    assert_eq!(world.state(), (State::Request, None));
}

#[test]
fn a_ledger_that_is_not_ready_lets_no_mutation_through_and_keeps_the_yes() {
    // K-24
    let world = World::ready();
    world.ledger.fail(Some(broken()));
    let call = world.write(JWT, "new\n");
    world.will_say(yes());
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::LedgerUnavailable);
    assert!(world.pendings.calls().is_empty());
    assert_eq!(world.text(JWT), JWT_TEXT);
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
    world.ledger.fail(None);
    let retry = world.again(&call);
    assert!(matches!(world.pre(&retry), Outcome::Allow(Because::Approved { .. })));
    assert_eq!(world.human.asked().len(), 1);
}

#[test]
fn every_store_that_fails_stops_the_call() {
    // K-24, principle 1
    type Break = fn(&World);
    let stores: [(&str, Break); 4] = [
        ("sessions", |world| world.sessions.fail(Some(broken()))),
        ("approvals", |world| world.approvals.fail(Some(broken()))),
        ("pendings", |world| world.pendings.fail(Some(broken()))),
        ("intents", |world| world.intents.fail(Some(broken()))),
    ];
    for (name, stop) in stores {
        let world = World::ready();
        let call = world.write(JWT, "new\n");
        stop(&world);
        world.will_say(yes());
        let error = refused(world.pre(&call));
        assert_eq!(error.code(), ErrorCode::LedgerUnavailable, "{name}: {}", error.message());
        assert!(world.ledger.entries().is_empty());
        assert_ne!(world.last_record(&call).class, Some(Classification::Safe), "{name}: nobody can tell");
    }
}

// REQ 73, REQ 75: nobody is asked about what cannot be shown, and what could not be taken back is not done
#[test]
fn a_file_that_is_too_large_to_be_shown_is_not_changed_and_the_reason_is_told() {
    let world = World::ready();
    let huge = "x".repeat((4 << 20) + 1);
    world.edit_outside(JWT, &huge);
    world.read(JWT);
    for call in [
        world.write(JWT, "new\n"),
        world.call("delete_file", json!({"path": JWT})),
        world.call("edit_file", json!({"path": JWT, "old_string": "x", "new_string": "y"})),
    ] {
        world.will_say(yes());
        let error = refused(world.pre(&call));
        assert_eq!(error.code(), ErrorCode::TooLarge);
        assert!(error.message().contains("`src/auth/jwt.rs` is larger than 4 MiB"), "{}", error.message());
        assert!(error.suggestion().contains("ask the human"), "{}", error.suggestion());
        assert!(world.pendings.calls().is_empty() && world.text(JWT) == huge);
    }
    assert!(world.human.asked().is_empty());
}

// REQ 75, K-24: what a file was like is kept before it goes, or it does not go
#[test]
fn whether_a_file_could_be_run_is_kept_before_it_goes() {
    let world = World::ready();
    world.files.make_executable(&sample::path(JWT));
    let call = world.call("delete_file", json!({"path": JWT}));
    world.pendings.fail_executable(Some(broken()));
    world.will_say(yes());
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::LedgerUnavailable);
    assert!(world.pendings.calls().is_empty() && world.text(JWT) == JWT_TEXT);
    world.pendings.fail_executable(None);
    assert!(matches!(world.pre(&world.again(&call)), Outcome::Allow(Because::Approved { .. })));
    let kept = ContentHash::of(JWT_TEXT.as_bytes());
    assert_eq!(pollster::block_on(world.pendings.was_executable(&kept)), Ok(true));
}

#[test]
fn a_lock_that_somebody_else_holds_stops_the_call() {
    // K-09
    let world = World::ready();
    let held = pollster::block_on(bailiwick_domain::WorkspaceLock::acquire(&world.lock)).unwrap();
    let impatient = super::parallel::impatient(&world);
    let call = world.write(JWT, "new\n");
    assert_eq!(refused(pollster::block_on(impatient.pre(&call))).code(), ErrorCode::LedgerUnavailable);
    drop(held);
    world.asks(&call);
}

// REQ 88, REQ 123
#[test]
fn req_040_req_129_req_135_events_come_in_the_order_ask_answer_let_through_record() {
    let world = World::ready();
    let call = world.write(JWT, "fn sign() {}\nfn check() {}\n");
    let entry = world.mutates(&call);
    let expected = [Action::WaitForApproval, Action::Approved, Action::Allow, Action::Recorded];
    assert_eq!(world.actions_of(&call), expected);
    let seqs: Vec<u64> = world.decisions.records().iter().map(|record| record.seq).collect();
    assert_eq!(seqs, (0..seqs.len() as u64).collect::<Vec<_>>());
    let range = &entry.files[0].ranges[0];
    assert_eq!((range.start_line, range.end_line), (2, 2));
    assert_eq!(range.content_hash, bailiwick_domain::block_hash(b"fn check() {}"));
}

// REQ 76: intent, root and scope stand in the record of each decision, also of a refusal
#[test]
fn req_076_the_decision_record_has_intent_root_and_scope() {
    let world = World::ready();
    let read = world.call("read_file", json!({"path": JWT}));
    world.passes_unasked(&read);
    let refused = world.write("src/core/main.rs", "x");
    world.refuses(&refused, ErrorCode::ScopeViolation);
    let asked = world.write(JWT, "new\n");
    world.passes_by_yes(&asked);
    let owned = sample::intent("INT-001", &["src/auth/**"]);
    for call in [&refused, &asked] {
        let record = world.last_record(call);
        assert_eq!(record.intent.as_ref(), Some(owned.id()), "{record:?}");
        let context = record.context.unwrap();
        assert_eq!(context.root, "/repo");
        assert_eq!(context.revision.as_ref(), Some(owned.revision()));
        assert_eq!(context.scope, ["src/auth/**"]);
    }
    assert_eq!(world.last_record(&read).context.unwrap().root, "/repo");
}

// REQ 76: what the post-hook works with is what the pre-hook decided on
#[test]
fn what_is_let_through_is_remembered_with_the_context_that_it_was_decided_in() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    let pending = world.pendings.calls().remove(0);
    assert_eq!((pending.intent.as_str(), pending.approved_by.as_deref()), ("INT-001", Some(HUMAN)));
    assert_eq!(pending.revision, *sample::intent("INT-001", &["src/auth/**"]).revision());
    assert_eq!(pending.files[0].before, content(JWT_TEXT));
    assert_eq!(pending.files[0].predicted, Some(content("new\n")));
    assert_eq!(world.last_record(&call).approval, pending.approval);
}

#[test]
fn only_mutations_reach_the_ledger_and_everything_reaches_the_log() {
    // K-25
    let world = World::ready();
    world.refuses(&world.write("src/core/main.rs", "x"), ErrorCode::ScopeViolation);
    let call = world.write(JWT, "new\n");
    world.mutates(&call);
    let built = command(&world, "make");
    world.passes_by_yes(&built);
    world.post(&built);
    assert_eq!(world.ledger.entries().len(), 1);
    let actions: Vec<Action> = world.decisions.records().iter().map(|record| record.action).collect();
    for action in [Action::Transition, Action::Allow, Action::Block, Action::Approved, Action::Recorded] {
        assert!(actions.contains(&action), "{action:?}");
    }
}

#[test]
fn the_decision_log_holds_paths_and_no_contents() {
    // K-52
    let world = World::ready();
    let call = world.write(JWT, "SECRET-TOKEN-123\n");
    world.mutates(&call);
    world.refuses(&world.write("src/core/x.rs", "SECRET-TOKEN-123"), ErrorCode::ScopeViolation);
    let log = serde_json::to_string(&world.decisions.records()).unwrap();
    assert!(log.contains(JWT) && !log.contains("SECRET-TOKEN-123"));
}

#[test]
fn req_064_without_a_root_nothing_runs_and_the_agent_cannot_mend_it() {
    let world = World::new();
    world.policy.set_health(Health::Broken(HealthFault::NoRoot));
    let error = world.refuses(&world.write("a", "x"), ErrorCode::MissingWorkspaceRoot);
    assert!(!error.is_recoverable());
}
