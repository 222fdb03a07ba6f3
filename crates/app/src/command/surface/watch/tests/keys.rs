//! What the keys do: exactly one answer for what was read, and none by accident.

use bailiwick_domain::{
    Amended, Answer, ApprovalKind, GrantBounds, GrantId, GrantLimits, OwnedScope, TrustedCommand,
};

use super::super::model::{Effect, Key, Mode, Model};
use super::staged::{at, edit, grant, model, nobody, request, screen, snapshot};
use crate::command::surface::Snapshot;

fn three() -> (Model, std::time::Instant) {
    let one = |path: &str| edit(path, "a\n", "b\n");
    let (mut model, at) =
        model(snapshot(vec![one("src/auth/a.rs"), one("src/auth/b.rs"), one("src/auth/c.rs")]));
    screen(&mut model, (100, 30));
    (model, at)
}

fn press(model: &mut Model, keys: &[Key], at: std::time::Instant) -> Vec<Effect> {
    keys.iter().flat_map(|key| model.press(*key, at)).collect()
}

fn yes(id: &str) -> Effect {
    Effect::Answer(bailiwick_domain::ApprovalId(id.to_owned()), Answer::Approve { by: "dana".to_owned() })
}

fn no(id: &str, feedback: Option<&str>) -> Effect {
    let answer = Answer::Reject { by: "dana".to_owned(), feedback: feedback.map(str::to_owned) };
    Effect::Answer(bailiwick_domain::ApprovalId(id.to_owned()), answer)
}

fn text(text: &str) -> Vec<Key> {
    text.chars().map(Key::Char).collect()
}

#[test]
fn a_yes_is_to_the_request_that_is_shown() {
    let (mut model, now) = three();
    assert_eq!(press(&mut model, &[Key::Char('j')], now), []);
    assert_eq!(press(&mut model, &[Key::Char('a')], at(now, 300)), [yes("ap-3f9c2b72")]);
}

// threat G1
#[test]
fn a_key_that_stays_down_or_comes_before_the_request_answers_nothing() {
    let (mut model, now) = three();
    assert_eq!(press(&mut model, &[Key::Char('j'), Key::Char('a')], now), []);
    assert!(screen(&mut model, (100, 30)).contains("Too fast: press again to confirm"));
    // The queue moves under the finger: the first request was answered, another is shown in its place.
    let rest = snapshot(vec![edit("src/auth/z.rs", "a\n", "b\n")]);
    let _ = model.refresh(rest, at(now, 1000));
    assert_eq!(press(&mut model, &[Key::Char('a')], at(now, 1100)), []);
    assert_eq!(press(&mut model, &[Key::Char('a')], at(now, 1300)), [yes("ap-3f9c2b71")]);
}

// a notice is of what was there when it was said
#[test]
fn a_notice_goes_when_another_question_comes_and_after_a_while() {
    let one = || edit("src/auth/a.rs", "a\n", "b\n");
    let other = || edit("src/auth/b.rs", "a\n", "b\n");
    let (mut model, start) = model(snapshot(vec![one()]));
    model.note = Some("ap-1 approved".to_owned());
    let _ = model.refresh(snapshot(vec![one()]), at(start, 300));
    assert!(model.note.is_some(), "it is there to be read");
    let _ = model.refresh(snapshot(vec![one(), other()]), at(start, 600));
    assert_eq!(model.note, None, "it would stand under a question that it is not about");
    model.note = Some("ap-1 approved".to_owned());
    let _ = model.refresh(snapshot(vec![one(), other()]), at(start, 900));
    let _ = model.refresh(snapshot(vec![one(), other()]), at(start, 8_000));
    assert!(model.note.is_some());
    let _ = model.refresh(snapshot(vec![one(), other()]), at(start, 12_000));
    assert_eq!(model.note, None);
}

// however narrow the screen, it says how to leave
#[test]
fn the_key_that_quits_is_always_shown() {
    let (mut model, _) = three();
    for width in [60, 80, 100] {
        assert!(screen(&mut model, (width, 24)).contains("q quit"), "{width}");
    }
}

// row 74
#[test]
fn several_marked_requests_are_approved_only_after_a_y() {
    let (mut model, now) = three();
    press(&mut model, &[Key::Char(' '), Key::Char(' ')], now);
    assert_eq!(press(&mut model, &[Key::Char('a')], at(now, 500)), []);
    let shown = screen(&mut model, (100, 30));
    assert!(shown.contains("Approve these 2 requests?"), "{shown}");
    assert!(shown.contains("src/auth/a.rs") && shown.contains("any other key: back"), "{shown}");
    for key in [Key::Enter, Key::Escape, Key::Char('a'), Key::Char('n'), Key::Char(' '), Key::Char('Y')] {
        let mut other = model.clone();
        assert_eq!(press(&mut other, &[key], at(now, 1000)), [], "{key:?}");
        assert_eq!(other.mode, Mode::Reading);
    }
    assert_eq!(press(&mut model.clone(), &[Key::Char('y')], at(now, 600)), [], "a slip");
    assert_eq!(press(&mut model, &[Key::Char('y')], at(now, 1000)), [yes("ap-3f9c2b71"), yes("ap-3f9c2b72")]);
}

// row 74
#[test]
fn a_command_of_several_lines_is_in_no_answer_to_several_requests() {
    let lines = "in /repo\n$ rm -rf src\ncargo build";
    let (mut model, now) =
        model(snapshot(vec![edit("src/auth/a.rs", "a\n", "b\n"), request("run_command", &[], lines)]));
    assert!(screen(&mut model, (100, 30)).contains("rm -rf src … +1 line"));
    assert_eq!(press(&mut model, &[Key::Char(' '), Key::Char(' ')], now), []);
    assert_eq!(press(&mut model, &[Key::Char('a')], at(now, 500)), []);
    assert_eq!(model.mode, Mode::Reading);
    assert!(screen(&mut model, (100, 30)).contains("A command of several lines is approved by itself"));
    assert_eq!(press(&mut model, &[Key::Escape, Key::Char('a')], at(now, 1000)), [yes("ap-3f9c2b72")]);
}

#[test]
fn a_confirmation_says_what_was_not_looked_at() {
    let (mut model, now) = three();
    model.marked.extend(model.requests.iter().map(|item| item.id().clone()).collect::<Vec<_>>());
    press(&mut model, &[Key::Char('a')], now);
    assert!(screen(&mut model, (100, 30)).contains("You have not looked at 2 of them."));
}

#[test]
fn what_is_answered_elsewhere_leaves_the_answer_in_progress() {
    let (mut model, now) = three();
    press(&mut model, &[Key::Char(' '), Key::Char(' '), Key::Char('a')], now);
    press(&mut model, &[Key::Char('a')], at(now, 500));
    let mut rest = snapshot(vec![edit("src/auth/a.rs", "a\n", "b\n"), edit("src/auth/b.rs", "a\n", "b\n")]);
    rest.requests.remove(0);
    let _ = model.refresh(rest, at(now, 600));
    assert_eq!(press(&mut model.clone(), &[Key::Char('y')], at(now, 1000)), [yes("ap-3f9c2b72")]);
    let _ = model.refresh(nobody(), at(now, 700));
    assert_eq!(model.mode, Mode::Reading);
    assert_eq!(
        press(&mut model, &[Key::Char('y'), Key::Char('a'), Key::Char('r'), Key::Enter], at(now, 1000)),
        []
    );
}

// rows 15, 22
#[test]
fn a_rejection_carries_the_line_that_was_written() {
    let (mut model, now) = three();
    assert_eq!(press(&mut model, &[Key::Char('r')], now), []);
    assert_eq!(press(&mut model, &text("use a mapx"), now), [], "letters are text, not keys");
    assert_eq!(press(&mut model, &[Key::Backspace], now), []);
    assert!(screen(&mut model, (60, 20)).contains("> use a map█"));
    assert_eq!(press(&mut model, &[Key::Enter], now), [no("ap-3f9c2b71", Some("use a map"))]);
    assert_eq!(press(&mut model, &[Key::Char('r'), Key::Enter], now), [no("ap-3f9c2b71", None)]);
    assert_eq!(press(&mut model, &[Key::Char('r'), Key::Char('x'), Key::Escape], now), []);
    assert_eq!(model.mode, Mode::Reading);
}

// threat G3
#[test]
fn pasted_text_answers_nothing() {
    let (mut model, now) = three();
    model.paste("aaay\ry");
    assert_eq!(model.mode, Mode::Reading);
    press(&mut model, &[Key::Char('r')], now);
    model.paste("use\na map");
    assert_eq!(press(&mut model, &[Key::Enter], now), [no("ap-3f9c2b71", Some("use a map"))]);
}

#[test]
fn something_new_is_announced_once_and_in_words_of_ours() {
    let (mut model, now) = three();
    let mut four =
        snapshot(Vec::from(["a", "b", "c", "d"].map(|name| edit(&format!("src/{name}.rs"), "a\n", "b\n"))));
    let last = four.requests.last_mut().unwrap();
    let mut request = last.approval.request.clone();
    request.actor.host = "evil\u{1b}]0;x\u{7}-host".to_owned();
    last.approval = std::sync::Arc::new(super::staged::approval(4, request));
    let said = model.refresh(four.clone(), now);
    assert_eq!(said, [Effect::Announce("evil0x-host asks; 4 requests wait".to_owned())]);
    assert_eq!(model.refresh(four, now), []);
    assert_eq!(model.position(), Some(0), "the shown request stays");
}

#[test]
fn scrolling_ends_where_the_request_ends() {
    let after: String = (0..400).map(|n| format!("line {n}\n")).collect();
    let (mut model, now) = model(snapshot(vec![edit("src/auth/a.rs", "", &after)]));
    let first = screen(&mut model, (100, 30));
    assert!(first.contains("+ line 0") && first.contains("more rows below"), "{first}");
    press(&mut model, &[Key::PageDown, Key::Char('d'), Key::Char('u'), Key::PageUp], now);
    assert_eq!(screen(&mut model, (100, 30)), first);
    press(&mut model, &[Key::End, Key::PageDown, Key::PageDown], now);
    let last = screen(&mut model, (100, 30));
    assert!(last.contains("+ line 399") && last.contains("rows above"), "{last}");
    press(&mut model, &[Key::Home], now);
    assert_eq!(screen(&mut model, (100, 30)), first);
}

#[test]
fn ctrl_c_ends_the_screen_from_everywhere() {
    for keys in [&[][..], &[Key::Char('r')], &[Key::Char('?')], &[Key::Enter]] {
        let (mut model, now) = three();
        press(&mut model, keys, now);
        assert_eq!(press(&mut model, &[Key::Interrupt], now), [Effect::Quit], "{keys:?}");
    }
}

// D-01: what was edited is accepted only after a `y` to the change that it is
#[test]
fn an_edited_draft_is_accepted_after_a_y() {
    let mut drafted = edit("active_intents.yaml", "a\n", "b\n");
    drafted.draft = Some(bailiwick_domain::testing::sample::proposal("Round the bill"));
    let (mut model, now) = model(snapshot(vec![drafted, edit("src/a.rs", "a\n", "b\n")]));
    let id = model.requests[0].id().clone();
    assert_eq!(press(&mut model, &[Key::Char('e')], now), [Effect::Edit(id.clone())]);
    let edited = Amended::Intent(bailiwick_domain::testing::sample::proposal("Round bills"));
    let change = std::sync::Arc::new(crate::review::Review::of(
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+name: Round bills\n",
    ));
    model.ask_about(id.clone(), edited.clone(), (change, None), now);
    for size in [(60, 20), (100, 30)] {
        let shown = screen(&mut model, size);
        assert!(
            shown.contains("Accept the intent as you edited it?") && shown.contains("name: Round bills"),
            "{shown}"
        );
    }
    assert_eq!(press(&mut model.clone(), &[Key::Char('y')], at(now, 100)), [], "a slip");
    for key in [Key::Enter, Key::Char('a'), Key::Escape] {
        let mut other = model.clone();
        assert_eq!(press(&mut other, &[key], at(now, 400)), []);
        assert_eq!(other.mode, Mode::Reading);
    }
    let mut gone = model.clone();
    let _ = gone.refresh(nobody(), at(now, 300));
    assert_eq!(press(&mut gone, &[Key::Char('y')], at(now, 400)), [], "it was answered elsewhere");
    let accepted = Answer::Amend { by: "dana".to_owned(), draft: edited };
    assert_eq!(press(&mut model, &[Key::Char('y')], at(now, 400)), [Effect::Answer(id, accepted)]);
    assert_eq!(
        press(&mut model, &[Key::Char('j'), Key::Char('e')], at(now, 500)),
        [],
        "no draft, nothing to edit"
    );
}

// K-01: more scope is edited in the same way, and the screen says what the yes would be to
#[test]
fn edited_scope_is_accepted_after_a_y() {
    let mut more = edit("active_intents.yaml", "a\n", "b\n");
    more.draft = Some(bailiwick_domain::testing::sample::proposal("Round the bill"));
    more.kind = ApprovalKind::ScopeExpansion;
    let (mut model, now) = model(snapshot(vec![more]));
    let id = model.requests[0].id().clone();
    assert_eq!(press(&mut model, &[Key::Char('e')], now), [Effect::Edit(id.clone())]);
    let edited = Amended::Scope { added_scope: OwnedScope::parse(["src/core/print.rs"]).unwrap() };
    let change =
        std::sync::Arc::new(crate::review::Review::of("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+src/core\n"));
    model.ask_about(id.clone(), edited.clone(), (change, None), now);
    for size in [(60, 20), (100, 30)] {
        let shown = screen(&mut model, size);
        assert!(
            shown.contains("Expand the scope as you edited it?") && shown.contains("src/core"),
            "{shown}"
        );
    }
    let mut other = model.clone();
    assert_eq!(press(&mut other, &[Key::Enter], at(now, 400)), []);
    let accepted = Answer::Amend { by: "dana".to_owned(), draft: edited };
    assert_eq!(press(&mut model, &[Key::Char('y')], at(now, 400)), [Effect::Answer(id, accepted)]);
}

// D-02; row 74, threat G1: only Enter on bounds that are shown and understood grants, and only where one is offered
#[test]
fn a_grant_is_given_with_enter_on_its_bounds() {
    let mut offered = edit("src/auth/a.rs", "a\n", "b\n");
    offered.offer = Some(GrantBounds::default());
    let found = snapshot(vec![offered, edit("src/auth/b.rs", "a\n", "b\n")]);
    let (mut model, now) = model(Snapshot { grants: vec![grant()], ..found });
    screen(&mut model, (100, 30));
    assert_eq!(press(&mut model.clone(), &[Key::Char('g'), Key::Enter], now), [], "a slip");
    for last in [Key::Escape, Key::Char('x')] {
        let mut other = model.clone();
        assert_eq!(press(&mut other, &[Key::Char('g')], now), []);
        assert_eq!(press(&mut other, &[last, Key::Enter], at(now, 300)), []);
    }
    assert_eq!(press(&mut model, &[Key::Char('g')], now), []);
    press(&mut model, &[Key::Backspace, Key::Backspace, Key::Char('5')], at(now, 300));
    let bounds = GrantBounds::new(GrantLimits { seconds: 300, ..GrantLimits::default() }).unwrap();
    let id = model.requests[0].id().clone();
    let granted = Effect::Answer(id, Answer::Grant { by: "dana".to_owned(), bounds });
    assert_eq!(press(&mut model, &[Key::Enter], at(now, 300)), [granted]);
    assert_eq!(press(&mut model, &[Key::Char('j'), Key::Char('g')], at(now, 900)), []);
    assert_eq!(model.mode, Mode::Reading, "nothing is offered there");
}

// D-02
#[test]
fn a_digit_revokes_a_grant() {
    let (mut model, now) = model(Snapshot { grants: vec![grant()], ..nobody() });
    for key in [Key::Enter, Key::Escape, Key::Char('0'), Key::Char('2'), Key::Char('y')] {
        assert_eq!(press(&mut model, &[Key::Char('x'), key], now), [], "{key:?}");
        assert_eq!(model.mode, Mode::Reading);
    }
    let revoked = Effect::Revoke(GrantId::new(1));
    assert_eq!(press(&mut model, &[Key::Char('x'), Key::Char('1')], now), [revoked]);
}

/// A broad draft, and after it an ordinary edit.
fn broad_and_narrow() -> (Model, std::time::Instant) {
    let mut broad = edit("active_intents.yaml", "a\n", "b\n");
    broad.kind = ApprovalKind::IntentProposal;
    broad.draft = Some(bailiwick_domain::testing::sample::proposal("Move the crates"));
    broad.broad = Some(bailiwick_domain::Breadth { files: 120, of: 243, can_run: 7 });
    model(snapshot(vec![broad, edit("src/a.rs", "a\n", "b\n")]))
}

// D-31: breadth asks, with a key of its own
#[test]
fn a_broad_scope_needs_a_second_key() {
    let (mut model, now) = broad_and_narrow();
    let id = model.requests[0].id().clone();
    assert!(screen(&mut model, (80, 24)).contains("BROAD: 120 of 243 files (50%), 7 can run code"));
    assert_eq!(press(&mut model, &[Key::Char('a')], now), []);
    for size in [(60, 20), (80, 24), (100, 30)] {
        let shown = screen(&mut model, size);
        for words in
            ["This scope is broad.", "120 of 243 files (50%)", "7 files can run code", "B approves all of it"]
        {
            assert!(shown.contains(words), "{words}: {shown}");
        }
    }
    assert_eq!(press(&mut model.clone(), &[Key::Char('B')], at(now, 100)), [], "a slip");
    for key in [Key::Char('a'), Key::Char('y'), Key::Char('b'), Key::Enter, Key::Escape] {
        let mut other = model.clone();
        assert_eq!(press(&mut other, &[key], at(now, 500)), [], "{key:?}");
        assert_eq!(other.mode, Mode::Reading);
    }
    let yes = Answer::Approve { by: "dana".to_owned() };
    assert_eq!(press(&mut model, &[Key::Char('B')], at(now, 500)), [Effect::Answer(id, yes)]);
}

// D-31: no broad scope slips through among others, or as an edited draft
#[test]
fn a_broad_scope_is_approved_by_itself() {
    let (mut model, now) = broad_and_narrow();
    let id = model.requests[0].id().clone();
    assert_eq!(press(&mut model.clone(), &[Key::Char(' '), Key::Char(' '), Key::Char('a')], now), []);
    let edited = Amended::Intent(bailiwick_domain::testing::sample::proposal("Everything"));
    let wide = bailiwick_domain::Breadth { files: 243, of: 243, can_run: 9 };
    let change = std::sync::Arc::new(crate::review::Review::of("+name: Everything\n"));
    model.ask_about(id.clone(), edited.clone(), (change, Some(wide)), now);
    assert_eq!(press(&mut model, &[Key::Char('y')], at(now, 500)), []);
    let accepted = Answer::Amend { by: "dana".to_owned(), draft: edited };
    assert_eq!(press(&mut model, &[Key::Char('B')], at(now, 1000)), [Effect::Answer(id, accepted)]);
}

// D-32; row 74: one key shows what would be allowed, and only a `y` allows it
#[test]
fn a_command_is_allowed_with_t_and_a_y() {
    let command =
        TrustedCommand { folder: None, words: vec!["cargo".to_owned(), "test".to_owned()], further: true };
    let mut asked = request("execute_command", &[], "in .\n$ cargo test -p app");
    asked.allows = Some(command.clone());
    let (mut model, now) = model(snapshot(vec![asked, edit("src/auth/b.rs", "a\n", "b\n")]));
    let shown = screen(&mut model, (100, 30));
    assert!(shown.contains("t trust"), "{shown}");
    for key in [Key::Enter, Key::Escape, Key::Char('t'), Key::Char('n')] {
        let mut other = model.clone();
        assert_eq!(press(&mut other, &[Key::Char('t')], now), []);
        assert_eq!(press(&mut other, &[key], at(now, 400)), [], "{key:?}");
        assert_eq!(other.mode, Mode::Reading);
    }
    assert_eq!(press(&mut model, &[Key::Char('t'), Key::Char('y')], now), [], "a slip");
    let shown = screen(&mut model, (100, 30));
    assert!(shown.contains("cargo test …") && shown.contains("unconfined"), "{shown}");
    let id = model.requests[0].id().clone();
    assert_eq!(press(&mut model, &[Key::Char('y')], at(now, 400)), [Effect::Allow(id, command)]);
    assert_eq!(press(&mut model, &[Key::Char('j'), Key::Char('t'), Key::Char('y')], at(now, 900)), []);
    assert_eq!(model.mode, Mode::Reading, "an edit is no command");
}
