//! The review of a grant on the screen: what is shown, and that only a `y` after a look does anything (D-02, row 74).

use std::sync::Arc;

use bailiwick_domain::{ContentHash, FileState, Grant, GrantEnd, GrantFile, GrantId, GrantStatus, RepoPath};

use super::super::model::{Effect, Key, Mode, Model};
use super::super::view::Palette;
use super::staged::{at, diff, drawn, edit, grant, model, nobody, now, screen, snapshot};
use crate::command::surface::{ReviewFile, ReviewItem, Snapshot};
use crate::review::Review;

const SIZES: [(u16, u16); 3] = [(60, 20), (100, 30), (160, 50)];

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

/// A grant whose turn is over: two files that can go back, and one that a human changed since.
fn item(number: u64) -> ReviewItem {
    let names = ["src/auth/login.rs", "src/auth/token.rs", "src/auth/session.rs"];
    let file = |name: &&str| GrantFile {
        path: path(name),
        before: FileState::Absent,
        after: FileState::Content(ContentHash::of(name.as_bytes())),
    };
    let live = grant();
    let used = bailiwick_domain::GrantUse { files: names.iter().map(file).collect(), calls: 4, ..live.used };
    let change = [
        diff(names[0], "fn login() {}\n", "fn login() {\n    renew();\n}\n"),
        diff(names[1], "", &(0..40).map(|n| format!("pub const T{n}: u64 = {n};\n")).collect::<String>()),
        diff(names[2], "a\n", "b\n"),
    ];
    let files = names.iter().map(|name| ReviewFile {
        path: path(name),
        obstacle: name.contains("session").then(|| "it changed after the grant's last call".to_owned()),
    });
    ReviewItem {
        grant: Grant {
            id: GrantId::new(number),
            used,
            status: GrantStatus::Ended { why: GrantEnd::TurnOver, at: now() },
            ..live
        },
        review: Arc::new(Review::of(&change.concat())),
        diff: change.concat().into(),
        shown: "shown".to_owned(),
        files: files.collect(),
    }
}

fn to_review() -> Snapshot {
    Snapshot { reviews: vec![item(1), item(2)], ..nobody() }
}

#[track_caller]
fn check(name: &str, model: &mut Model) {
    for (width, height) in SIZES {
        insta::assert_snapshot!(format!("{name}-{width}x{height}"), screen(model, (width, height)));
    }
}

// D-02
#[test]
fn a_grant_is_reviewed_on_the_screen() {
    let (mut model, start) = model(to_review());
    check("to-review", &mut model);
    let _ = model.press(Key::Char('v'), start);
    check("reviewing", &mut model);
    for key in [Key::Char('j'), Key::Char(' ')] {
        let _ = model.press(key, start);
    }
    check("reviewing-marked", &mut model);
    let _ = model.press(Key::Char('a'), at(start, 500));
    check("reviewing-asks", &mut model);
}

#[test]
fn a_review_is_offered_beside_requests() {
    let found = Snapshot { reviews: vec![item(1)], ..snapshot(vec![edit("src/auth/a.rs", "a\n", "b\n")]) };
    let (mut model, _) = model(found);
    for size in SIZES {
        let text = screen(&mut model, size);
        assert!(text.contains("1 to review"), "{text}");
    }
    assert!(screen(&mut model, (160, 50)).contains("v review"));
}

/// What these keys do, half a second apart.
fn pressed(keys: &[Key]) -> (Model, Vec<Effect>) {
    let (mut model, start) = model(to_review());
    let mut made = Vec::new();
    for (number, key) in (0..).zip(keys) {
        made.extend(model.press(*key, at(start, 500 * number)));
    }
    (model, made)
}

// D-02: keep, revert a file, revert all
#[test]
fn a_y_does_exactly_what_was_asked() {
    use Key::Char;
    let review = |id: u64, paths: &[&str]| {
        let back = paths.iter().map(|name| path(name)).collect();
        vec![Effect::Review { grant: GrantId::new(id), shown: "shown".to_owned(), back }]
    };
    assert_eq!(pressed(&[Char('v'), Char('a'), Char('y')]).1, review(1, &[]));
    let one = [Char('v'), Char('j'), Char(' '), Char('a'), Char('y')];
    assert_eq!(pressed(&one).1, review(1, &["src/auth/token.rs"]));
    let other = [Char('v'), Char('v'), Char(' '), Char(' '), Char(' '), Char('a'), Char('y')];
    assert_eq!(pressed(&other).1, review(2, &["src/auth/login.rs"]));
    let mut all = to_review();
    all.reviews[0].files[2].obstacle = None;
    let (mut model, start) = model(all);
    let _ = model.press(Char('v'), start);
    let _ = model.press(Char('r'), start);
    let files = ["src/auth/login.rs", "src/auth/token.rs", "src/auth/session.rs"];
    assert_eq!(model.press(Char('y'), at(start, 500)), review(1, &files));
    assert_eq!(model.mode, Mode::Reading);
}

// Row 74: anything else does nothing, a slip does not, and what somebody changed since does not go back
#[test]
fn nothing_else_does_anything() {
    use Key::Char;
    for keys in [
        &[Char('v'), Char('y')][..],
        &[Char('v'), Char('a'), Char('n')],
        &[Char('v'), Char('a'), Key::Enter],
        &[Char('v'), Char('a'), Key::Escape, Char('y')],
        &[Char('v'), Key::Escape, Char('a'), Char('y')],
        &[Char('v'), Char('r'), Char('y')],
        &[Char('a'), Char('y')],
    ] {
        let (model, made) = pressed(keys);
        assert_eq!(made, Vec::new(), "{keys:?}");
        assert_eq!(model.reviews.len(), 2);
    }
    let (refused, _) = pressed(&[Char('v'), Char('r')]);
    assert!(refused.note.unwrap().contains("session.rs cannot be put back"));
    let (marked, _) = pressed(&[Char('v'), Char('j'), Char('j'), Char('j'), Char(' ')]);
    assert!(marked.note.unwrap().contains("session.rs cannot be put back"));
    let (mut model, start) = model(to_review());
    let _ = model.press(Char('v'), start);
    let _ = model.press(Char('a'), start);
    assert_eq!(model.press(Char('y'), at(start, 100)), Vec::new(), "a slip");
    assert_eq!(model.press(Char('y'), at(start, 600)).len(), 1);
}

#[test]
fn a_review_that_is_over_closes() {
    let (mut model, start) = model(to_review());
    let _ = model.press(Key::Char('v'), start);
    let _ = model.refresh(nobody(), start);
    assert_eq!(model.mode, Mode::Reading);
    let _ = model.press(Key::Char('v'), start);
    assert_eq!((model.mode, model.note.as_deref()), (Mode::Reading, Some("no grant waits for a review")));
}

// threat G2
#[test]
fn a_path_of_a_review_is_shown_as_what_it_is_at_every_size() {
    let mut found = to_review();
    found.reviews[0].files[0].path = path("src/\u{1b}]0;t\u{7}a\u{202e}.rs");
    let (mut model, start) = model(found);
    let _ = model.press(Key::Char('v'), start);
    for size in SIZES {
        let text = screen(&mut model, size);
        assert!(text.contains("\\u{1b}") && !text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    }
    for key in [Key::Char('a'), Key::Escape] {
        for (width, height) in [(0, 0), (1, 1), (10, 4), (40, 3), (3, 40)] {
            drawn(&mut model, (width, height), &Palette::plain());
        }
        let _ = model.press(key, at(start, 500));
    }
}

// C: nothing waits, and every look at the queue finds that again
#[test]
fn a_review_is_scrolled_and_confirmed_while_nothing_waits() {
    let (mut model, start) = model(to_review());
    let size = (80, 24);
    let _ = model.press(Key::Char('v'), start);
    let first = screen(&mut model, size);
    let _ = model.press(Key::PageDown, at(start, 100));
    let _ = model.refresh(to_review(), at(start, 300));
    assert_ne!(screen(&mut model, size), first, "the change stays where it was scrolled to");
    let _ = model.press(Key::Char('a'), at(start, 400));
    let _ = model.refresh(to_review(), at(start, 700));
    let done = model.press(Key::Char('y'), at(start, 900));
    assert_eq!(
        done,
        [Effect::Review { grant: GrantId::new(1), shown: "shown".to_owned(), back: Vec::new() }]
    );
}
