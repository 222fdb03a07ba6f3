//! The handshake at the gate: rows 2, 63 to 65, 81, 82, 91 to 107, 111 to 119, 121, 150 to 152, 157; K-07, K-15, K-28
//! to K-31, D-03, D-04, D-05, D-27.

use bailiwick::gate::{HostTraits, Outcome};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    ActiveIntent, ActorState, Classification, Diagnostic, ErrorCode, Health, HealthFault, Permission,
    Reselect, State, ToolCall, json,
};
use bailiwick_policy::registry;
use pollster::block_on;

use super::interception::sample_call;
use super::world::{BILLING, JWT, World, command, refused};

#[test]
fn req_082_req_045_a_session_starts_with_no_intent() {
    let world = World::new();
    assert_eq!(world.state(), (State::Request, None));
    let status = block_on(world.gate.status(&sample::actor())).unwrap();
    assert!(status.intent.is_none() && status.open.is_empty());
}

#[test]
fn req_002_req_091_req_092_req_093_req_094_req_095_req_118_reading_needs_no_intent() {
    let world = World::new();
    world.prompt();
    world.passes_unasked(&world.call("codebase_search", json!({"query": "sign"})));
    world.passes_unasked(&world.call("list_files", json!({"path": "src", "recursive": true})));
    assert_eq!(world.state(), (State::Reasoning, None));
    world.passes_unasked(&world.call("read_file", json!({"path": BILLING})));
    world.passes_unasked(&world.call("search_files", json!({"path": ".", "regex": "fn"})));
}

#[test]
fn req_096_req_097_req_098_req_099_nothing_is_changed_before_a_selection() {
    let world = World::new();
    world.prompt();
    let write = world.write("src/auth/a.rs", "x");
    let error = world.refuses(&write, ErrorCode::StateViolation);
    assert_eq!(error.to_json().matches("StateViolationError").count(), 1);
    assert!(error.message().contains("an active intent is required for mutations"));
    assert!(error.suggestion().contains("INT-001, INT-002"));
    world.refuses(&command(&world, "touch x"), ErrorCode::StateViolation);
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
    world.refuses(&world.again(&write), ErrorCode::StateViolation);
    assert!(!world.exists("src/auth/a.rs"));
}

#[test]
fn req_106_req_107_req_115_req_116_before_a_selection_safe_tools_run_and_no_others() {
    // REQ 157
    let world = World::new();
    world.prompt();
    for row in registry::entries().filter(|row| !row.own) {
        for name in std::iter::once(&row.name).chain(row.aliases) {
            let mut call = ToolCall { tool: (*name).to_owned(), ..sample_call(&world, row) };
            for other in registry::extras(row.name, &call.params).unknown {
                call.params.remove(&other);
            }
            match row.class {
                Classification::Safe => world.passes_unasked(&call),
                Classification::Destructive => drop(world.refuses(&call, ErrorCode::StateViolation)),
            }
        }
    }
}

#[test]
fn req_101_req_116_unknown_and_mcp_tools_are_blocked_in_the_handshake() {
    let world = World::new();
    for name in
        ["use_mcp_tool", "mcp--x--y", "mcp__x__y", "mcp_x_y", "frobnicate", "READ_FILE", "read_file ", ""]
    {
        world.refuses(&world.call(name, json!({"path": JWT})), ErrorCode::StateViolation);
    }
}

#[test]
fn req_101_in_action_an_unknown_tool_is_asked_about_with_its_parameters_shown() {
    // K-14
    let world = World::in_action();
    for name in ["mcp__x__y", "frobnicate"] {
        let request = world.asks_what(&world.call(name, json!({"target": "prod", "force": true})));
        assert_eq!(request.diff_preview, format!(r#"{name} {{"force":true,"target":"prod"}}"#));
        assert!(request.reason.contains("The tool is not known"), "{}", request.reason);
        assert!(request.changed_paths.is_empty());
    }
}

#[test]
fn a_tool_that_only_calls_itself_ours_is_not_ours() {
    // D-19
    let world = World::new();
    let call = world.call("mcp__bailiwick__select_active_intent", json!({"intent_id": "INT-001"}));
    world.refuses(&call, ErrorCode::StateViolation);
    assert_eq!(world.state().1, None);
    let proved = World::on(HostTraits { own_server_proved: true, ..HostTraits::default() });
    assert!(matches!(proved.pre(&call), Outcome::Allow(_)));
    assert_eq!(proved.state(), (State::Action, Some("INT-001".to_owned())));
}

#[test]
fn req_100_a_tool_that_the_settings_make_destructive_is_blocked_at_once() {
    let world = World::new();
    world.passes_unasked(&world.call("web_fetch", json!({"url": "https://example.org"})));
    world.classify("web_fetch", Classification::Destructive);
    world.refuses(&world.call("web_fetch", json!({"url": "https://example.org"})), ErrorCode::StateViolation);
    world.refuses(&world.call("WebFetch", json!({"url": "https://example.org"})), ErrorCode::StateViolation);
}

#[test]
fn a_setting_cannot_make_a_write_safe() {
    // REQ 96
    let world = World::new();
    world.classify("write_to_file", Classification::Safe);
    world.refuses(&world.write("src/auth/a.rs", "x"), ErrorCode::StateViolation);
    world.select("INT-001");
    world.refuses(&world.write("src/core/a.rs", "x"), ErrorCode::ScopeViolation);
}

#[test]
fn req_102_a_store_that_is_gone_stops_even_reading_and_selecting_says_how_to_mend_it() {
    // K-07
    let world = World::in_action();
    world.policy.set_health(Health::Broken(HealthFault::Missing(".orchestration".to_owned())));
    world.refuses(&world.call("read_file", json!({"path": JWT})), ErrorCode::OrchestrationMissing);
    world.refuses(&world.write("src/auth/a.rs", "x"), ErrorCode::OrchestrationMissing);
    let error = refused(world.pre(&world.call("select_active_intent", json!({"intent_id": "INT-001"}))));
    assert_eq!(error.code(), ErrorCode::OrchestrationMissing);
    assert!(
        error.suggestion().contains("bailiwick init") && error.suggestion().contains("bailiwick uninstall")
    );
}

#[test]
fn req_102_a_store_that_cannot_be_trusted_names_the_place() {
    // K-07
    let world = World::in_action();
    let diagnostic = Diagnostic {
        file: "active_intents.yaml".into(),
        line: 3,
        column: 5,
        message: "duplicate id".into(),
        fix: String::new(),
        way_out: None,
    };
    world.policy.set_health(Health::Broken(HealthFault::Invalid(diagnostic)));
    let error =
        world.refuses(&world.call("read_file", json!({"path": JWT})), ErrorCode::OrchestrationInvalid);
    assert_eq!(error.message(), "Orchestration invalid: active_intents.yaml:3:5: duplicate id");
    world.settings(|settings| settings.safe_tools_when_broken = Permission::Allow);
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
    world.refuses(&world.write("src/auth/a.rs", "x"), ErrorCode::OrchestrationInvalid);
}

#[test]
fn settings_that_cannot_be_read_stop_everything() {
    // K-07
    let world = World::in_action();
    world.policy.set_settings(Err(super::world::broken()));
    world.refuses(&world.call("read_file", json!({"path": JWT})), ErrorCode::LedgerUnavailable);
    let error = refused(world.pre(&world.call("select_active_intent", json!({"intent_id": "INT-001"}))));
    assert_eq!(error.code(), ErrorCode::LedgerUnavailable);
}

#[test]
fn req_103_req_112_req_119_a_task_that_only_looked_completes_without_an_intent() {
    // K-31
    let world = World::new();
    world.prompt();
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
    world.passes_unasked(&world.call("attempt_completion", json!({"result": "It signs tokens."})));
    assert_eq!(world.state(), (State::Reasoning, None));
}

#[test]
fn req_104_without_an_intent_reading_stays_inside_the_root() {
    let world = World::new();
    world.passes_unasked(&world.call("read_file", json!({"path": "/repo/README.md"})));
    for path in ["/etc/passwd", "../x", "src/../../x", "/repository/x"] {
        world.refuses(&world.call("read_file", json!({"path": path})), ErrorCode::OutsideWorkspace);
    }
    world.refuses(&world.call("list_files", json!({"path": "/"})), ErrorCode::OutsideWorkspace);
    world.refuses(&world.call("glob", json!({"pattern": "/etc/**"})), ErrorCode::OutsideWorkspace);
}

#[test]
fn req_113_secrets_and_private_state_are_not_read_in_any_state() {
    // K-32
    let world = World::in_action();
    for path in [".env", "config/prod.pem", ".git/bailiwick/decisions.jsonl", ".orchestration/state/x"] {
        world.refuses(&world.call("read_file", json!({"path": path})), ErrorCode::ProtectedPath);
    }
    world.passes_unasked(&world.call("read_file", json!({"path": ".env.example"})));
}

#[test]
fn req_104_other_roots_and_the_scratch_of_the_host_are_read_only_where_a_human_listed_them() {
    // D-05
    let world = World::in_action();
    world.files.add_read_root("/opt/docs");
    world.files.add_scratch("/home/ada/.plans");
    world.passes_unasked(&world.call("read_file", json!({"path": "/opt/docs/a.md"})));
    world.passes_unasked(&world.call("read_file", json!({"path": "/home/ada/.plans/p.md"})));
    world.refuses(&world.write("/opt/docs/a.md", "x"), ErrorCode::OutsideWorkspace);
}

// D-05
#[test]
fn an_own_note_in_the_scratch_of_the_host_passes_and_is_not_recorded() {
    let world = World::in_action();
    world.files.add_scratch("/home/ada/.plans");
    let notes = world.write("/home/ada/.plans/p.md", "1. look around");
    world.passes_unasked(&notes);
    assert!(world.post(&notes).trace_ids.is_empty());
}

#[test]
fn the_tools_that_only_talk_are_free_in_every_state() {
    // D-05, K-15
    let world = World::new();
    for tool in
        ["TodoWrite", "ExitPlanMode", "AskUserQuestion", "skill", "switch_mode", "ask_followup_question"]
    {
        world.passes_unasked(&world.call(tool, json!({"reason": "?"})));
    }
}

#[test]
fn req_111_a_selection_moves_to_action_and_a_failed_one_moves_nothing() {
    let world = World::new();
    world.prompt();
    let bad = world.call("select_active_intent", json!({"intent_id": "INT-999"}));
    assert_eq!(refused(world.pre(&bad)).code(), ErrorCode::IntentNotFound);
    assert_eq!(world.state(), (State::Request, None));
    assert_eq!(world.last_record(&bad).code, Some(ErrorCode::IntentNotFound));
    world.select("INT-001");
    assert_eq!(world.state(), (State::Action, Some("INT-001".to_owned())));
    let _ = world.pre(&bad);
    assert_eq!(world.state(), (State::Action, Some("INT-001".to_owned())));
}

#[test]
fn req_114_the_names_of_the_states_are_fixed() {
    let names =
        [State::Request, State::Reasoning, State::Action].map(|state| serde_json::to_value(state).unwrap());
    assert_eq!(names, [json!("REQUEST"), json!("REASONING"), json!("ACTION")]);
}

#[test]
fn req_081_after_a_selection_the_status_shows_intent_and_scope() {
    let world = World::in_action();
    let status = block_on(world.gate.status(&sample::actor())).unwrap();
    assert_eq!(status.intent, Some(sample::intent("INT-001", &["src/auth/**"])));
    let call = world.call("current_intent", json!({}));
    let Outcome::Allow(bailiwick::gate::Because::OwnTool { result, .. }) = world.pre(&call) else {
        panic!("refused")
    };
    let told: serde_json::Value = serde_json::from_str(&result).unwrap();
    assert_eq!((&told["state"], &told["active_intent"]["id"]), (&json!("ACTION"), &json!("INT-001")));
}

#[test]
fn req_121_req_150_req_151_a_new_request_of_the_human_needs_a_new_selection() {
    // K-28, D-04
    let world = World::ready();
    world.mutates(&world.write(JWT, "one\n"));
    world.prompt();
    assert_eq!(world.state(), (State::Request, None));
    assert_eq!(
        block_on(world.gate.status(&sample::actor())).unwrap().actor.hint,
        Some(sample::intent_id("INT-001"))
    );
    let call = world.write(JWT, "two\n");
    world.refuses(&call, ErrorCode::StateViolation);
    world.select("INT-001");
    world.mutates(&world.again(&call));
}

#[test]
fn a_prompt_that_the_host_injects_changes_nothing() {
    // D-04
    let world = World::ready();
    block_on(world.gate.prompt(&sample::actor(), true)).unwrap();
    assert_eq!(world.state(), (State::Action, Some("INT-001".to_owned())));
    world.mutates(&world.write(JWT, "one\n"));
}

#[test]
fn selecting_the_same_intent_again_is_free_and_open_questions_survive() {
    // D-04
    let world = World::ready();
    let call = world.write(JWT, "one\n");
    let approval = world.asks(&call);
    world.prompt();
    world.select("INT-001");
    assert!(matches!(world.resolve(&approval, super::world::yes()), Outcome::Allow(_)));
}

#[test]
fn with_reselect_session_the_selection_outlives_the_prompt() {
    // K-28
    let world = World::ready();
    world.settings(|settings| settings.reselect = Reselect::Session);
    world.prompt();
    assert_eq!(world.state(), (State::Action, Some("INT-001".to_owned())));
    world.mutates(&world.write(JWT, "one\n"));
}

#[test]
fn the_strict_handshake_lets_nothing_but_talk_before_the_selection() {
    // K-29, K-31
    let world = World::new();
    world.settings(|settings| settings.strict = true);
    world.prompt();
    world.refuses(&world.call("read_file", json!({"path": JWT})), ErrorCode::StateViolation);
    world.passes_unasked(&world.call("attempt_completion", json!({"result": "done"})));
    world.select("INT-001");
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
}

#[test]
fn req_063_in_action_without_an_intent_the_code_is_missing_intent() {
    // D-27
    let world = World::new();
    world.sessions.put(&sample::actor(), ActorState { state: State::Action, ..ActorState::default() });
    let error = world.refuses(&world.write(JWT, "x"), ErrorCode::MissingIntent);
    assert!(error.is_recoverable() && error.message().contains("select_active_intent"));
}

#[test]
fn a_call_that_names_another_intent_than_the_active_one_is_refused() {
    let world = World::in_action();
    let named =
        |id: &str| ToolCall { intent_id: Some(sample::intent_id(id)), ..world.write("src/auth/a.rs", "x") };
    world.asks(&named("INT-001"));
    let error = world.refuses(&named("INT-002"), ErrorCode::StateViolation);
    assert!(error.suggestion().contains("INT-002"));
    world.refuses(&named("INT-999"), ErrorCode::IntentNotFound);
}

#[test]
fn req_096_approval_of_a_selection_is_that_a_human_wrote_the_intent() {
    // K-30
    let world = World::in_action();
    for path in [
        ".orchestration/active_intents.yaml",
        ".intentignore",
        "sub/.ORCHESTRATION/config.yaml",
        ".claude/settings.json",
    ] {
        world.refuses(&world.write(path, "x"), ErrorCode::ProtectedPath);
    }
}

#[test]
fn a_proved_reader_runs_without_an_intent_and_shows_only_what_may_be_read() {
    // D-03
    let world = World::new();
    world.read_only("cat README.md", &["README.md"]);
    world.read_only("cat /etc/passwd", &["/etc/passwd"]);
    world.passes_unasked(&command(&world, "cat README.md"));
    world.refuses(&command(&world, "cat /etc/passwd"), ErrorCode::OutsideWorkspace);
    world.refuses(&command(&world, "cat README.md; rm x"), ErrorCode::StateViolation);
    world.settings(|settings| settings.read_only_commands = Classification::Destructive);
    world.refuses(&command(&world, "cat README.md"), ErrorCode::StateViolation);
}

#[test]
fn a_proved_reader_is_judged_by_the_folder_that_its_parameters_name() {
    // D-03, REQ 104
    let world = World::new();
    world.read_only("cat passwd", &["passwd"]);
    world.read_only("ls", &[]);
    let call = |cwd: &str, text: &str| world.call("execute_command", json!({"command": text, "cwd": cwd}));
    world.refuses(&call("/etc", "cat passwd"), ErrorCode::OutsideWorkspace);
    world.refuses(&call("../..", "cat passwd"), ErrorCode::OutsideWorkspace);
    world.refuses(&call("/etc", "ls"), ErrorCode::OutsideWorkspace);
    world.passes_unasked(&call("/repo/src", "cat passwd"));
    world.passes_unasked(&call("src", "ls"));
}

#[test]
fn the_question_about_a_command_shows_the_folder_that_its_parameters_name() {
    // REQ 144
    let world = World::in_action();
    let call = world.call("execute_command", json!({"command": "make", "cwd": "/srv"}));
    let call = ToolCall { cwd: Some("/repo".to_owned()), ..call };
    assert_eq!(world.asks_what(&call).diff_preview, "in /srv\n$ make");
}

#[test]
fn an_own_tool_behind_a_cd_counts_only_at_the_root() {
    // D-19
    let world = World::new();
    let params = json!({"intent_id": "INT-002"}).as_object().cloned().unwrap();
    for folder in ["/repo/src", "/elsewhere", ".", "/repo"] {
        let (name, params) = ("select_active_intent".to_owned(), params.clone());
        let reading =
            bailiwick_domain::CommandReading::OwnTool { folder: Some(folder.to_owned()), name, params };
        let text = format!("cd {folder} && bailiwick tool select_active_intent");
        world.commands.insert(&text, reading);
        let outcome = world.pre(&command(&world, &text));
        let is_root = folder == "/repo";
        assert_eq!(matches!(outcome, Outcome::Allow(_)), is_root, "{folder}: {outcome:?}");
        assert_eq!(world.state().0 == State::Action, is_root, "{folder}");
    }
}

#[test]
fn the_own_tools_work_through_the_shell() {
    // D-19
    let world = World::new();
    let params = json!({"intent_id": "INT-002"}).as_object().cloned().unwrap();
    let name = "select_active_intent".to_owned();
    world.commands.insert(
        "bailiwick tool select_active_intent INT-002",
        bailiwick_domain::CommandReading::OwnTool { folder: None, name, params },
    );
    let call = command(&world, "bailiwick tool select_active_intent INT-002");
    assert!(matches!(world.pre(&call), Outcome::Allow(_)));
    assert_eq!(world.state(), (State::Action, Some("INT-002".to_owned())));
}

#[test]
fn a_human_can_select_for_the_agent() {
    let world = World::new();
    assert!(
        block_on(world.gate.own_tools().select_by_human(&sample::actor(), "INT-001"))
            .unwrap()
            .contains("src/auth/**")
    );
    let revision = sample::intent("INT-001", &["src/auth/**"]).revision().clone();
    let active = world.sessions.peek(&sample::actor()).unwrap().active;
    assert_eq!(active, Some(ActiveIntent { id: sample::intent_id("INT-001"), revision }));
}

#[test]
fn req_043_req_061_reading_asks_nothing_of_the_intents_and_a_write_asks_for_one() {
    let world = World::ready();
    let before = world.intents.loads();
    for _ in 0..50 {
        world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
    }
    assert_eq!(world.intents.loads(), before);
    world.asks(&world.write(JWT, "new\n"));
    assert_eq!(world.intents.loads(), before + 1);
}
