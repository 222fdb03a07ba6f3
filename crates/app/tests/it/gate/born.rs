//! Intents are born: an agent drafts, a human says yes, the gate writes (D-01); and a scope grows the same way (K-01).

use bailiwick::gate::{Because, HostTraits, Outcome};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Actor, Amended, Answer, ApprovalKind, ApprovalQueue, Breadth, Clock, ErrorCode, Intent,
    IntentDraft, IntentId, IntentProposal, IntentRepo, IntentStatus, OwnedScope, State, ToolCall, Value,
    json,
};
use pollster::block_on;

use super::world::{World, command, no, refused, yes};

fn draft(scope: &[&str]) -> Value {
    json!({"name": "Round the bill", "why": "Cents get lost", "owned_scope": scope,
        "acceptance_criteria": ["A bill of 0.005 is 0.01"]})
}

fn propose(world: &World, scope: &[&str]) -> ToolCall {
    world.call("propose_intent", draft(scope))
}

fn expand(world: &World, paths: &[&str]) -> ToolCall {
    world.call("request_scope_expansion", json!({"paths": paths, "reason": "the bill is printed there"}))
}

fn ids(world: &World) -> Vec<String> {
    block_on(world.intents.load()).unwrap().iter().map(|intent| intent.id().to_string()).collect()
}

fn answer_of(outcome: Outcome) -> String {
    match outcome {
        Outcome::Allow(Because::OwnTool { result, .. }) => result,
        other => panic!("no answer of an own tool: {other:?}"),
    }
}

// D-01, K-30
#[test]
fn a_drafted_intent_is_written_after_a_yes_and_can_be_selected() {
    let world = World::new();
    world.prompt();
    let call = propose(&world, &["src/billing/round.rs"]);
    world.will_say(yes());
    let text = answer_of(world.pre(&call));
    assert!(text.contains("INT-003") && text.contains("select_active_intent"), "{text}");
    let set = block_on(world.intents.load()).unwrap();
    let born = set.get(&IntentId::new("INT-003").unwrap()).unwrap();
    assert_eq!((born.name(), born.status()), ("Round the bill", IntentStatus::Pending));
    assert_eq!(world.actions_of(&call), [Action::WaitForApproval, Action::Approved, Action::Transition]);
    assert_eq!(world.state().1, None, "a proposal selects nothing");
    world.select("INT-003");
    assert_eq!(world.state(), (State::Action, Some("INT-003".to_owned())));
}

// D-01
#[test]
fn the_human_sees_the_diff_and_what_was_measured() {
    let world = World::new();
    world.edit_outside("src/billing/build.rs", "fn main() {}");
    let request = world.asks_what(&propose(&world, &["src/billing/**"]));
    assert_eq!(request.kind, ApprovalKind::IntentProposal);
    assert_eq!(request.changed_paths, [".orchestration/active_intents.yaml"]);
    assert_eq!(request.intent_id, None);
    for shown in [
        "+INT-003 PENDING Round the bill src/billing/**",
        "matches 2 of 4 files",
        "  src/billing/bill.rs",
        "overlaps INT-002 (",
        "in 2 files",
        "can run code: 1 of them\n  src/billing/build.rs",
    ] {
        assert!(request.diff_preview.contains(shown), "{shown} is not in {}", request.diff_preview);
    }
    assert_eq!(ids(&world).len(), 2, "a question writes nothing");
}

// D-01
#[test]
fn a_rejected_draft_writes_nothing_and_tells_the_agent_why() {
    let world = World::new();
    let call = propose(&world, &["src/billing/round.rs"]);
    world.will_say(no("INT-002 covers it"));
    let error = refused(world.pre(&call));
    assert_eq!(error.code(), ErrorCode::DestructiveActionRejected);
    assert!(error.reason().contains("INT-002 covers it"));
    assert_eq!(ids(&world).len(), 2);
    assert_eq!(world.last_record(&call).action, Action::Block);
    let again = world.again(&call);
    let asked = world.human.asked().len();
    assert_eq!(refused(world.pre(&again)).code(), ErrorCode::DestructiveActionRejected);
    assert_eq!(world.human.asked().len(), asked, "a no is not asked again");
}

// D-01: what another agent or a person writes into the file meanwhile takes nothing away from a yes
#[test]
fn a_yes_to_a_draft_stands_when_other_intents_changed_meanwhile() {
    let world = World::new();
    let call = propose(&world, &["src/billing/round.rs"]);
    let approval = world.asks(&call);
    world.rewrite_intent(|draft| draft.name = "Changed by hand".to_owned());
    assert!(answer_of(world.resolve(&approval, yes())).contains("INT-003"));
    assert_eq!(ids(&world).len(), 3);
}

// D-01, D-17: two agents, two drafts, two answers
#[test]
fn two_drafts_that_wait_beside_each_other_are_both_written() {
    let world = World::new();
    let unanswered = Answer::Unanswered { why: "Nobody is there.".to_owned() };
    let calls = ["src/billing/round.rs", "src/auth/new.rs"].map(|scope| {
        let mut params = draft(&[scope]);
        params["name"] = json!(scope);
        world.call("propose_intent", params)
    });
    for call in &calls {
        world.will_say(unanswered.clone());
        assert_eq!(refused(world.pre(call)).code(), ErrorCode::ApprovalPending);
    }
    for open in world.approvals.all() {
        block_on(bailiwick_domain::ApprovalQueue::answer(&world.approvals, &open.id, &yes(), world.now()))
            .unwrap();
    }
    for (call, id) in calls.iter().zip(["INT-003", "INT-004"]) {
        assert!(answer_of(world.pre(&world.again(call))).contains(id));
    }
}

// D-01, K-09: a wider scope was shown for the intent as it was
#[test]
fn a_yes_to_more_paths_does_not_fit_when_that_intent_changed_meanwhile() {
    let world = World::ready();
    let call = expand(&world, &["src/billing/round.rs"]);
    let approval = world.asks(&call);
    world.rewrite_intent(|draft| draft.name = "Changed by hand".to_owned());
    assert_eq!(refused(world.resolve(&approval, yes())).code(), ErrorCode::StaleFile);
}

// D-16: a refusal of an own tool stands in the log once
#[test]
fn a_refused_own_tool_is_logged_once() {
    let world = World::new();
    world.prompt();
    for call in [
        world.call("select_active_intent", json!({"intent_id": "INT-404"})),
        world.call("propose_intent", json!({"name": "x"})),
        world.call("report_done", json!({"intent_id": "INT-001", "summary": "x"})),
    ] {
        refused(world.pre(&call));
        assert_eq!(world.actions_of(&call), [Action::Block], "{}", call.tool);
        assert_eq!(world.last_record(&call).state, world.state().0, "{}", call.tool);
    }
}

// D-42: an agent says that it is done, a person closes
#[test]
fn a_report_is_in_the_log_and_completes_nothing() {
    let world = World::in_action();
    let call = world.call("report_done", json!({"intent_id": "INT-001", "summary": "all of it"}));
    assert!(answer_of(world.pre(&call)).contains("until the human closes it"));
    let line = world.last_record(&call);
    assert_eq!((line.action, line.intent), (Action::Transition, Some(sample::intent_id("INT-001"))));
    assert_eq!(line.done.unwrap().summary, "all of it");
    assert_eq!(world.state(), (State::Action, Some("INT-001".to_owned())), "work may go on");
}

fn changed(name: &str, scope: &[&str]) -> Answer {
    let owned_scope = OwnedScope::parse(scope.iter().copied()).unwrap();
    let draft = IntentProposal { name: name.to_owned(), owned_scope, ..sample::proposal("x") };
    Answer::Amend { by: "ada".to_owned(), draft: Amended::Intent(draft) }
}

// D-01: "the human edits and accepts, the gate writes"
#[test]
fn what_the_human_made_of_a_draft_is_what_is_written_and_what_the_agent_is_told() {
    let world = World::new();
    let call = propose(&world, &["src/billing/**"]);
    world.will_say(changed("Round bills", &["src/billing/round.rs"]));
    let text = answer_of(world.pre(&call));
    for told in [
        "The human changed your draft",
        "INT-003",
        "Round bills",
        "src/billing/round.rs",
        "select_active_intent",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let set = block_on(world.intents.load()).unwrap();
    let born = set.get(&IntentId::new("INT-003").unwrap()).unwrap();
    assert_eq!(born.name(), "Round bills");
    assert_eq!(born.owned_scope(), &OwnedScope::parse(["src/billing/round.rs"]).unwrap());
    // The agent that asks again for what it had drafted is told the same, and nobody is asked.
    let asked = world.human.asked().len();
    assert!(answer_of(world.pre(&world.again(&call))).contains("The human changed your draft"));
    assert_eq!((world.human.asked().len(), ids(&world).len()), (asked, 3));
    let Value::Object(params) = draft(&["src/billing/**"]) else { panic!() };
    assert!(block_on(world.gate.authoring().show_proposal(&params)).unwrap().contains("INT-003"));
}

// D-01: what the agent is told of is the intent that came of its draft, and no other of that name
#[test]
fn a_changed_draft_is_told_as_the_intent_that_it_became() {
    let world = World::new();
    let other = sample::draft("INT-009", &["src/other/**"]);
    let other = Intent::new(IntentDraft { name: "Round bills".to_owned(), ..other }).unwrap();
    let others = block_on(world.intents.load()).unwrap();
    world.intents.set(others.iter().cloned().chain([other]).collect());
    let call = propose(&world, &["src/billing/**"]);
    world.will_say(changed("Round bills", &["src/billing/round.rs"]));
    answer_of(world.pre(&call));
    let born = ids(&world).pop().unwrap();
    assert_ne!(born, "INT-009");
    let again = answer_of(world.pre(&world.again(&call)));
    assert!(again.contains(&born) && !again.contains("INT-009"), "{again}");
}

// D-01, D-17: a request that was made void makes nothing, whoever answers it
#[test]
fn a_void_draft_writes_nothing() {
    let world = World::new();
    let call = propose(&world, &["src/billing/**"]);
    world.will_say(Answer::Void { by: "ada".to_owned(), why: "the file changed".to_owned() });
    refused(world.pre(&call));
    assert_eq!(ids(&world).len(), 2);
}

// D-31: an overlap is told of files that are there, and of files that may come
#[test]
fn a_draft_tells_what_it_shares_with_others() {
    let world = World::new();
    let shared = world.asks_what(&propose(&world, &["src/billing/**"])).diff_preview;
    assert!(shared.contains("overlaps INT-002") && shared.contains("in 1 file\n"), "{shared}");
    let world = World::new();
    let may_come = world.asks_what(&propose(&world, &["src/billing/tax/**"])).diff_preview;
    assert!(may_come.contains("in files that may come"), "{may_come}");
}

// D-01, D-13: a slip of the human's editor opens nothing that no draft may open
#[test]
fn a_changed_draft_reaches_no_further_than_any_draft() {
    for scope in [".orchestration/**", ".git/hooks/", ".claude/settings.json"] {
        let world = World::new();
        world.will_say(changed("Round bills", &[scope]));
        let error = refused(world.pre(&propose(&world, &["src/billing/round.rs"])));
        assert_eq!(error.code(), ErrorCode::TooBroad, "{scope}");
        assert_eq!(ids(&world).len(), 2, "{scope}");
    }
}

// D-01, D-17: one answer wins, whichever surface gave it
#[test]
fn of_a_changed_and_a_plain_yes_the_first_counts() {
    let world = World::new();
    let call = propose(&world, &["src/billing/**"]);
    let approval = world.asks(&call);
    let amend = changed("Round bills", &["src/billing/round.rs"]);
    block_on(world.approvals.answer(&approval.id, &amend, world.clock.now())).unwrap();
    let text = answer_of(world.resolve(&approval, yes()));
    assert!(text.contains("Round bills"), "{text}");
    let again = refused(world.resolve(&approval, amend));
    assert_eq!(again.code(), ErrorCode::ApprovalTimeout);
    assert_eq!(ids(&world).len(), 3);
}

// D-01: an answer that changes a draft is none to any other question
#[test]
fn a_changed_draft_is_no_yes_to_an_ordinary_call() {
    let world = World::ready();
    let call = world.write("src/auth/jwt.rs", "new\n");
    world.will_say(changed("Round bills", &["src/billing/round.rs"]));
    refused(world.pre(&call));
    assert_eq!(ids(&world).len(), 2);
}

// D-01, D-17
#[test]
fn a_yes_from_the_queue_counts_when_the_same_call_comes_again_and_only_once() {
    let world = World::new();
    let call = propose(&world, &["src/billing/round.rs"]);
    world.will_say(Answer::Unanswered { why: "Nobody is there.".to_owned() });
    let pending = refused(world.pre(&call));
    assert_eq!(pending.code(), ErrorCode::ApprovalPending);
    let id = world.approvals.all().last().unwrap().id.clone();
    block_on(bailiwick_domain::ApprovalQueue::answer(&world.approvals, &id, &yes(), world.now())).unwrap();
    let asked = world.human.asked().len();
    assert!(answer_of(world.pre(&world.again(&call))).contains("INT-003"));
    assert!(answer_of(world.pre(&world.again(&call))).contains("INT-003"), "said already");
    assert_eq!((ids(&world).len(), world.human.asked().len()), (3, asked));
}

// D-01, D-16
#[test]
fn the_hosts_own_prompt_is_never_what_accepts_an_intent() {
    let world = World::new();
    let call = propose(&world, &["src/billing/round.rs"]);
    world.will_say(Answer::AskHost);
    let error = refused(world.pre(&call));
    assert_eq!(error.code(), ErrorCode::ApprovalPending);
    assert!(error.message().contains("bailiwick watch"), "{}", error.message());
    assert_eq!(ids(&world).len(), 2);
}

// D-31: breadth asks, it does not refuse
#[test]
fn a_broad_scope_is_shown_as_broad_and_asked_about() {
    let world = World::new();
    let narrow = world.asks_what(&propose(&world, &["src/**"]));
    assert_eq!((narrow.broad, narrow.diff_preview.contains("matches 2 of 3 files")), (None, true));
    let grown = || {
        let world = World::new();
        for number in 0..21 {
            world.edit_outside(&format!("src/auth/f{number}.rs"), "");
        }
        world.edit_outside("src/auth/build.rs", "fn main() {}");
        world
    };
    let world = grown();
    let broad = world.asks_what(&propose(&world, &["src/**"]));
    assert_eq!(broad.kind, ApprovalKind::IntentProposal);
    assert_eq!(broad.broad, Some(Breadth { files: 24, of: 25, can_run: 1 }));
    assert!(broad.reason.contains("broad: it matches 24 of 25 files"), "{}", broad.reason);
    let world = grown();
    for number in 0..400 {
        world.edit_outside(&format!("docs/f{number}.md"), "");
    }
    assert_eq!(world.asks_what(&propose(&world, &["src/**"])).broad, None, "a small part of a large tree");
    assert!(world.asks_what(&propose(&world, &["docs/**"])).broad.is_some());
    let many = || {
        let world = World::in_action();
        for number in 0..201 {
            world.edit_outside(&format!("docs/f{number}.md"), "");
        }
        world
    };
    let world = many();
    let more = world.asks_what(&expand(&world, &["docs/**"]));
    assert!(more.broad.is_some_and(|wide| wide.files == 201) && more.reason.contains("broad"), "{more:?}");
    let world = many();
    world.settings(|settings| (settings.broad_files, settings.broad_permille) = (1000, 1000));
    assert_eq!(world.asks_what(&expand(&world, &["docs/**"])).broad, None, "as the settings say");
}

// D-31: what no agent may ask for has a code of its own
#[test]
fn the_whole_tree_and_protected_places_are_too_broad_for_agents() {
    let world = World::in_action();
    for scope in ["**", "**/*", ".", "/", "/**", "{**,src/}", ".orch*/**", "[.]git/**", "**/.git/**"] {
        for call in [propose(&world, &["src/billing/round.rs", scope]), expand(&world, &[scope])] {
            let error = world.refuses(&call, ErrorCode::TooBroad);
            assert!(!error.suggestion().is_empty() && error.is_recoverable(), "{scope}");
        }
    }
}

// D-01, threat D11
#[test]
fn a_draft_that_lacks_something_is_malformed_and_shows_an_example() {
    let world = World::new();
    for (key, value) in [
        ("name", json!("  ")),
        ("why", Value::Null),
        ("owned_scope", json!([])),
        ("owned_scope", json!("src/**")),
        ("owned_scope", json!(["!src/**"])),
        ("acceptance_criteria", json!([7])),
        ("status", json!("COMPLETED")),
    ] {
        let mut params = draft(&["src/billing/round.rs"]);
        params[key] = value;
        let error = world.refuses(&world.call("propose_intent", params), ErrorCode::MalformedCall);
        assert_eq!(error.details()["example"]["owned_scope"], json!(["src/auth/**"]), "{key}");
    }
}

// D-01, D-13, K-35
#[test]
fn no_draft_reaches_out_of_the_root_or_to_protected_files() {
    let world = World::in_action();
    for (pattern, code) in [
        ("/etc/**", ErrorCode::OutsideWorkspace),
        ("../other/**", ErrorCode::OutsideWorkspace),
        (".orchestration/**", ErrorCode::TooBroad),
        (".claude/settings.json", ErrorCode::TooBroad),
    ] {
        world.refuses(&propose(&world, &["src/billing/round.rs", pattern]), code);
        world.refuses(&expand(&world, &[pattern]), code);
    }
    world.settings(|settings| settings.protect_write = vec!["locked/**".to_owned()]);
    for pattern in ["locked/a.rs", "locked/a/**"] {
        world.refuses(&propose(&world, &["src/billing/round.rs", pattern]), ErrorCode::TooBroad);
    }
}

// D-19
#[test]
fn a_draft_through_the_shell_is_the_same_draft() {
    let world = World::new();
    let params = draft(&["src/billing/round.rs"]).as_object().cloned().unwrap();
    let reading =
        bailiwick_domain::CommandReading::OwnTool { folder: None, name: "propose_intent".to_owned(), params };
    world.commands.insert("bailiwick tool propose_intent '{}'", reading);
    world.will_say(yes());
    let call = command(&world, "bailiwick tool propose_intent '{}'");
    assert!(answer_of(world.pre(&call)).contains("INT-003"));
}

// D-19
#[test]
fn a_server_that_only_claims_to_be_ours_cannot_draft() {
    let world = World::on(HostTraits { own_server_proved: false, ..HostTraits::default() });
    let call = world.call("mcp__bailiwick__propose_intent", draft(&["src/billing/round.rs"]));
    world.refuses(&call, ErrorCode::StateViolation);
}

// D-01
#[test]
fn a_repository_without_intents_says_how_to_propose_one() {
    let world = World::new();
    world.intents.set(Vec::new());
    let error = world.refuses(&world.write("src/new.rs", "x"), ErrorCode::StateViolation);
    assert!(error.suggestion().contains("propose_intent"), "{}", error.suggestion());
    assert_eq!(error.details()["propose"]["tool"], "propose_intent");
    let params = error.details()["propose"]["params"].clone();
    world.will_say(yes());
    assert!(answer_of(world.pre(&world.call("propose_intent", params))).contains("INT-001"));
    let error = world.refuses(&world.write("src/new.rs", "x"), ErrorCode::StateViolation);
    assert!(!error.details().contains_key("propose"));
}

// K-01
#[test]
fn an_expansion_is_effective_on_the_next_call_after_a_yes() {
    let world = World::in_action();
    let write = world.write("src/core/print.rs", "x");
    world.refuses(&write, ErrorCode::ScopeViolation);
    let call = expand(&world, &["src/core/**"]);
    world.will_say(yes());
    assert!(answer_of(world.pre(&call)).contains("INT-001"));
    assert_eq!(world.human.asked().last().unwrap().request.kind, ApprovalKind::ScopeExpansion);
    let entry = world.mutates(&world.again(&write));
    let intent = block_on(world.intents.get(&sample::intent_id("INT-001"))).unwrap().unwrap();
    assert_eq!(entry.context.revision, *intent.revision(), "the new revision");
    let status = block_on(world.gate.status(&sample::actor())).unwrap();
    assert_eq!(status.actor.active.unwrap().revision, *intent.revision());
    assert!(answer_of(world.pre(&world.again(&call))).contains("already"), "asked once");
}

// K-01
#[test]
fn the_human_sees_whose_scope_grows_by_what_and_why() {
    let world = World::in_action();
    let request = world.asks_what(&expand(&world, &["src/billing/bill.rs"]));
    assert_eq!(request.intent_id.unwrap().as_str(), "INT-001");
    for shown in [
        "-INT-001",
        "src/auth/** src/billing/bill.rs",
        "the agent says: \"the bill is printed there\"",
        "matches 1 of 3 files",
        "overlaps INT-002 (",
    ] {
        assert!(request.diff_preview.contains(shown), "{shown} is not in {}", request.diff_preview);
    }
}

// K-01
#[test]
fn a_rejected_expansion_changes_nothing() {
    let world = World::in_action();
    world.will_say(no("stay there"));
    let error = refused(world.pre(&expand(&world, &["src/core/**"])));
    assert_eq!(error.code(), ErrorCode::DestructiveActionRejected);
    world.refuses(&world.write("src/core/print.rs", "x"), ErrorCode::ScopeViolation);
}

// K-01
#[test]
fn an_expansion_needs_an_intent_and_stays_narrow() {
    let world = World::new();
    world.refuses(&expand(&world, &["src/core/**"]), ErrorCode::StateViolation);
    let world = World::in_action();
    world.refuses(&expand(&world, &["**"]), ErrorCode::TooBroad);
    world.refuses(&expand(&world, &["!src/auth/jwt.rs"]), ErrorCode::MalformedCall);
    world.rewrite_intent(|draft| draft.status = IntentStatus::Completed);
    world.refuses(&expand(&world, &["src/core/**"]), ErrorCode::IntentNotSelectable);
}

// D-12
#[test]
fn a_sub_agent_cannot_widen_its_parents_intent() {
    let world = World::in_action();
    let child = Actor { agent: Some("helper".to_owned()), ..sample::actor() };
    let params = json!({"paths": ["src/core/**"], "reason": "more"});
    world.refuses(&world.call_of(&child, "request_scope_expansion", params), ErrorCode::DelegationRefused);
}
