//! Attacks that went through once: each has the smallest call that shows it.

use bailiwick::gate::HostTraits;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{Action, CallId, CommandReading, ContentHash, ErrorCode, ToolCall, json};
use pollster::block_on;

use super::world::{World, command};

#[test]
fn work_that_leaves_the_session_is_no_sub_agent_of_it() {
    // threat D4, D-05, D-20
    let world = World::on(HostTraits { hooks_subagents: true, ..HostTraits::default() });
    for tool in ["RemoteTrigger", "CronCreate", "CronDelete", "Workflow", "SendMessage", "ScheduleWakeup"] {
        world.refuses(&world.call(tool, json!({"prompt": "go"})), ErrorCode::StateViolation);
    }
    for elsewhere in [json!("remote"), json!("Worktree"), json!(true)] {
        let call = world.call("Agent", json!({"prompt": "go", "isolation": elsewhere}));
        world.refuses(&call, ErrorCode::StateViolation);
    }
    for here in [json!("worktree"), json!(null)] {
        world.passes_unasked(&world.call("Agent", json!({"prompt": "go", "isolation": here})));
    }
}

#[test]
fn a_call_of_a_sub_agent_under_way_is_not_settled_by_its_session() {
    // threat H5, D-12, D-21
    let world = World::in_action();
    let child = sample::child("a1");
    let call = world.call_of(&child, "write_to_file", json!({"path": "src/auth/a.rs", "content": "x\n"}));
    world.passes_by_yes(&call);
    assert!(block_on(world.gate.settle(&sample::actor())).unwrap().is_empty());
    world.execute(&call);
    assert_eq!(world.post(&call).trace_ids.len(), 1);
    assert!(!world.actions_of(&call).contains(&Action::Drift));
    assert!(!world.ledger.entries()[0].context.late);
}

#[test]
fn the_end_of_a_session_settles_the_calls_of_its_sub_agents() {
    // D-21
    let world = World::in_action();
    let child = sample::child("a1");
    let call = world.call_of(&child, "write_to_file", json!({"path": "src/auth/a.rs", "content": "x\n"}));
    world.passes_by_yes(&call);
    world.execute(&call);
    let reports = block_on(world.gate.settle_session(&sample::actor())).unwrap();
    assert_eq!(reports.iter().map(|report| report.trace_ids.len()).collect::<Vec<_>>(), [1]);
    assert!(world.ledger.entries()[0].context.late && world.pendings.calls().is_empty());
}

#[test]
fn a_question_shows_parameters_that_no_diff_tells() {
    // threat G1, row 144
    let world = World::in_action();
    let cell = json!({"notebook_path": "src/auth/n.ipynb", "new_source": "first\nimport evil", "edit_mode": "insert"});
    let shown = world.asks_what(&world.call("NotebookEdit", cell)).diff_preview;
    for part in ["+first", "+import evil", "insert"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn a_question_about_a_command_shows_what_else_the_call_asks_for() {
    // threat G1, row 144
    let world = World::in_action();
    let plain = world.asks_what(&command(&world, "make")).diff_preview;
    assert!(!plain.contains("with"), "{plain}");
    let params =
        json!({"command": "make", "run_in_background": true, "dangerouslyDisableSandbox": true, "x": false});
    let shown = world.asks_what(&world.call("Bash", params)).diff_preview;
    assert!(
        shown.contains("with {\"dangerouslyDisableSandbox\":true,\"run_in_background\":true}"),
        "{shown}"
    );
}

#[test]
fn without_ids_of_the_host_each_call_needs_a_yes_of_its_own() {
    // threat G4, D-17
    let world = World::in_action();
    let id = CallId::made_up(&ContentHash::of(b"make"));
    let call = ToolCall { id, ..command(&world, "make") };
    world.passes_by_yes(&call);
    world.asks(&call);
}

#[test]
fn a_yes_to_one_tool_is_none_to_another_that_is_judged_alike() {
    // threat G4, D-17
    let world = World::in_action();
    let make = json!({"command": "make"});
    let twins = [
        ("Bash", "PowerShell", make),
        ("EnterWorktree", "ExitWorktree", json!({})),
        ("CronCreate", "RemoteTrigger", json!({"prompt": "x"})),
    ];
    for (asked, twin, params) in twins {
        let first = world.asks(&world.call(asked, params.clone()));
        let second = world.asks(&world.call(twin, params));
        assert_ne!(first.id, second.id, "{asked} {twin}");
        assert_ne!(first.request.fingerprint, second.request.fingerprint);
    }
}

#[test]
fn git_is_not_believed_where_a_folder_looks_like_a_repository() {
    // threat F6, D-03
    let world = World::in_action();
    let reads = CommandReading::ReadOnly { folder: None, shows: Vec::new(), reads: Vec::new() };
    world.commands.insert("git status", reads);
    let in_folder = |cwd: &str| world.call("execute_command", json!({"command": "git status", "cwd": cwd}));
    world.passes_unasked(&in_folder("src/auth/kit/sub"));
    world.vcs.distrust("src/auth/kit", "src/auth/kit may be a repository with settings of its own");
    for cwd in ["src/auth/kit/sub", "src/auth/kit"] {
        assert!(
            world.asks_what(&in_folder(cwd)).reason.contains("a repository with settings of its own"),
            "{cwd}"
        );
    }
    world.passes_unasked(&in_folder("src/auth"));
}

#[test]
fn git_is_not_believed_outside_of_the_repository() {
    // A3, threat F6
    let world = World::in_action();
    let reads = CommandReading::ReadOnly { folder: None, shows: Vec::new(), reads: Vec::new() };
    world.commands.insert("git status", reads.clone());
    world.commands.insert("ls | git diff", reads);
    for command in ["git status", "ls | git diff"] {
        let from = |cwd: &str| ToolCall {
            cwd: Some(cwd.to_owned()),
            ..world.call("execute_command", json!({"command": command}))
        };
        world.passes_unasked(&from("/repo/src"));
        let reason = world.asks_what(&from("/elsewhere/kit")).reason;
        assert!(reason.contains("outside of this repository"), "{reason}");
    }
}
