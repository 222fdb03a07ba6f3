//! More scope as a human changed it before saying yes: that is what is added, to the same intent, and nothing else (K-01).

use bailiwick::gate::{Because, Outcome};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Amended, Answer, Approval, ApprovalQueue, ApprovalStatus, ErrorCode, IntentRepo, OwnedScope,
    ScopePattern, ToolCall, json,
};
use pollster::block_on;
use proptest::prelude::*;

use super::world::{World, refused, yes};

fn expand(world: &World, paths: &[&str]) -> ToolCall {
    world.call("request_scope_expansion", json!({"paths": paths, "reason": "the bill is printed there"}))
}

fn scope(patterns: &[&str]) -> OwnedScope {
    OwnedScope::new(patterns.iter().map(|pattern| ScopePattern::new(pattern).unwrap()).collect(), true)
        .unwrap()
}

fn narrowed(patterns: &[&str]) -> Answer {
    Answer::Amend { by: "ada".to_owned(), draft: Amended::Scope { added_scope: scope(patterns) } }
}

fn owned(world: &World) -> Vec<String> {
    let intent = block_on(world.intents.get(&sample::intent_id("INT-001"))).unwrap().unwrap();
    intent.owned_scope().patterns().iter().map(ToString::to_string).collect()
}

fn answer_of(outcome: Outcome) -> String {
    match outcome {
        Outcome::Allow(Because::OwnTool { result, .. }) => result,
        other => panic!("no answer of an own tool: {other:?}"),
    }
}

// K-01
#[test]
fn what_the_human_made_of_a_request_is_what_is_added_and_what_the_agent_is_told() {
    let world = World::in_action();
    let call = expand(&world, &["src/core/**", "src/ui/**"]);
    world.will_say(narrowed(&["src/core/print.rs"]));
    let text = answer_of(world.pre(&call));
    for told in ["The human changed what you asked for", "INT-001", r#"["src/core/print.rs"]"#] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert_eq!(owned(&world), ["src/auth/**", "src/core/print.rs"]);
    let intent = block_on(world.intents.get(&sample::intent_id("INT-001"))).unwrap().unwrap();
    let entry = world.mutates(&world.write("src/core/print.rs", "x"));
    assert_eq!(entry.context.revision, *intent.revision(), "it counts from the next call on");
    world.refuses(&world.write("src/core/other.rs", "x"), ErrorCode::ScopeViolation);
    world.refuses(&world.write("src/ui/main.rs", "x"), ErrorCode::ScopeViolation);
    assert_eq!(block_on(world.intents.load()).unwrap().len(), 2, "no other intent came to be");
    let logged = world.decisions.records();
    assert!(logged.iter().any(|line| line.note.contains("approved as changed by ada")), "{logged:?}");
}

// K-01, K-12: what a human took out is not asked for again before the human's next prompt, as after a no
#[test]
fn an_agent_that_asks_again_for_the_rest_is_told_and_nobody_is_asked() {
    let world = World::in_action();
    world.will_say(narrowed(&["src/core/print.rs"]));
    answer_of(world.pre(&expand(&world, &["src/core/**", "src/ui/**"])));
    let asked = world.human.asked().len();
    for again in [&["src/core/**", "src/ui/**"][..], &["src/ui/**"], &["src/core/**"]] {
        assert!(answer_of(world.pre(&expand(&world, again))).contains("The human changed"), "{again:?}");
    }
    assert_eq!((world.human.asked().len(), owned(&world).len()), (asked, 2));
    world.asks(&expand(&world, &["src/ui/**", "src/new/**"]));
    // What is not there any more, or was never written, is nothing that an agent could be told of.
    world.rewrite_intent(|draft| draft.owned_scope = scope(&["src/auth/**"]));
    world.asks(&expand(&world, &["src/core/**", "src/ui/**"]));
    world.prompt();
    world.select("INT-001");
    world.asks(&expand(&world, &["src/ui/**"]));
}

// D-13, K-01: a slip of the human's editor opens nothing that no request may open
#[test]
fn a_changed_request_reaches_no_further_than_any() {
    for (patterns, code) in [
        (&[".orchestration/**"][..], ErrorCode::TooBroad),
        (&["src/core/print.rs", ".claude/settings.json"], ErrorCode::TooBroad),
        (&["src/auth/**"], ErrorCode::MalformedCall),
        (&[], ErrorCode::MalformedCall),
    ] {
        let world = World::in_action();
        world.will_say(narrowed(patterns));
        let error = refused(world.pre(&expand(&world, &["src/core/**"])));
        assert_eq!(error.code(), code, "{patterns:?}");
        assert_eq!(owned(&world), ["src/auth/**"], "{patterns:?}");
    }
}

// K-01, K-09
#[test]
fn a_changed_request_does_not_fit_when_the_intents_changed_meanwhile() {
    let world = World::in_action();
    let approval = world.asks(&expand(&world, &["src/core/**"]));
    world.rewrite_intent(|draft| draft.name = "Changed by hand".to_owned());
    let error = refused(world.resolve(&approval, narrowed(&["src/core/print.rs"])));
    assert_eq!(error.code(), ErrorCode::StaleFile);
    assert_eq!(owned(&world), ["src/auth/**"]);
}

/// The request, answered by a surface of a version that knows no changed expansions: it takes the draft for an intent.
fn answered_by_an_older_surface(world: &World, call: &ToolCall) -> Approval {
    let asked = world.asks(call);
    let status = ApprovalStatus::Approved { by: "ada".to_owned(), at: world.now(), grant: None };
    let amended = asked.request.draft.clone().map(Amended::Intent);
    let left = Approval { status, amended, ..asked };
    world.approvals.leave(left.clone());
    left
}

// D-08, K-01: versions that are mixed write nothing that nobody has seen, and the human is asked again
#[test]
fn a_change_of_another_kind_is_a_yes_to_nothing_and_is_used_up() {
    let world = World::in_action();
    let call = expand(&world, &["src/core/**"]);
    let left = answered_by_an_older_surface(&world, &call);
    let error = refused(world.pre(&world.again(&call)));
    assert!(error.message().contains("another version"), "{}", error.message());
    assert_eq!(owned(&world), ["src/auth/**"]);
    assert_eq!(block_on(world.intents.load()).unwrap().len(), 2);
    let used = block_on(world.approvals.get(&left.id)).unwrap().unwrap();
    assert!(matches!(used.status, ApprovalStatus::Used { .. }), "{used:?}");
    assert_ne!(world.asks(&world.again(&call)).id, left.id, "asked again");
}

// K-01: an answer that changes an expansion is none to a drafted intent, nor to an ordinary call
#[test]
fn a_changed_request_is_no_yes_to_anything_else() {
    let world = World::in_action();
    let params = json!({"name": "Round the bill", "why": "x", "owned_scope": ["src/billing/round.rs"],
        "acceptance_criteria": ["y"]});
    for call in [world.call("propose_intent", params), world.write("src/auth/jwt.rs", "new\n")] {
        world.will_say(narrowed(&["src/core/print.rs"]));
        refused(world.pre(&call));
    }
    assert_eq!(owned(&world), ["src/auth/**"]);
    assert_eq!(block_on(world.intents.load()).unwrap().len(), 2);
}

// D-19: what an agent is shown that asked through its shell
#[test]
fn the_display_tells_what_became_of_the_request() {
    let world = World::in_action();
    let params = |paths: &[&str]| json!({"paths": paths, "reason": "x"}).as_object().cloned().unwrap();
    let shown = |paths: &[&str]| {
        block_on(world.gate.authoring().show_expansion(&sample::actor(), &params(paths))).unwrap()
    };
    assert!(shown(&["src/core/**"]).contains("active_intent"), "nothing was answered yet");
    world.will_say(narrowed(&["src/core/print.rs"]));
    answer_of(world.pre(&expand(&world, &["src/core/**"])));
    assert!(shown(&["src/core/**"]).contains("The human changed what you asked for"));
    world.will_say(yes());
    answer_of(world.pre(&expand(&world, &["src/ui/**"])));
    assert!(shown(&["src/ui/**"]).contains("INT-001 was expanded"));
    assert!(shown(&["src/other/**"]).contains("active_intent"));
    let moved =
        world.decisions.records().into_iter().filter(|line| line.action == Action::Transition).count();
    shown(&["src/ui/**"]);
    let after =
        world.decisions.records().into_iter().filter(|line| line.action == Action::Transition).count();
    assert_eq!(moved, after, "a display changes nothing");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    // K-01: naive oracle: the scope is the old one and what the human left, in that order, whatever was asked for
    #[test]
    fn the_scope_grows_by_exactly_what_the_human_said(
        asked in prop::collection::vec("src/(core|ui|auth)/[a-c]\\.rs", 1..4),
        said in prop::collection::vec("!?src/(core|ui|auth)/[a-d]\\.rs", 0..4),
    ) {
        let world = World::in_action();
        let texts = |texts: &[String]| texts.iter().map(|text| (*text).clone()).collect::<Vec<_>>();
        let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
        let patterns: Vec<&str> = said.iter().map(String::as_str).collect();
        world.will_say(narrowed(&patterns));
        let outcome = world.pre(&expand(&world, &asked));
        let mut expected = vec!["src/auth/**".to_owned()];
        if matches!(outcome, Outcome::Allow(_)) {
            expected.extend(texts(&said));
        } else {
            prop_assert!(said.is_empty(), "{:?}", outcome);
        }
        prop_assert_eq!(owned(&world), expected);
    }
}
