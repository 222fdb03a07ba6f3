//! What a file's text becomes.

use bailiwick_domain::EditRules;
use bailiwick_policy::AnchorFact;
use bailiwick_policy::Edit;
use bailiwick_policy::edits::{Fault, edited};
use bailiwick_policy::patch::{PatchOp, parse_patch};
use bailiwick_policy::preview::{anchor_of_hunks, apply_hunks};

/// The text after edits that write what they say.
fn apply_edits(text: &str, edits: &[Edit]) -> Result<String, AnchorFact> {
    match edited(&EditRules::LITERAL, text.as_bytes(), edits) {
        Ok(edited) => Ok(String::from_utf8(edited.bytes).unwrap()),
        Err(Fault::Anchor(fact)) => Err(fact),
        Err(fault) => panic!("{fault:?}"),
    }
}

fn anchor_of(text: &str, edits: &[Edit]) -> AnchorFact {
    apply_edits(text, edits).map_or_else(|fact| fact, |_| AnchorFact::Found)
}
use proptest::prelude::*;

fn patched(current: &str, body: &str) -> Option<String> {
    let patch = parse_patch(&format!("*** Begin Patch\n*** Update File: x\n{body}*** End Patch\n")).unwrap();
    match &patch.ops[0] {
        PatchOp::Update { hunks, .. } => apply_hunks(current, hunks),
        other => panic!("{other:?}"),
    }
}

fn lines(old: &str, new: &str, line: Option<usize>) -> Edit {
    Edit { whole_lines: true, line, ..Edit::once(old, new) }
}

#[test]
fn an_edit_needs_its_text_once_or_as_often_as_it_says() {
    // D-09
    let all = Edit { replace_all: true, ..Edit::once("a", "b") };
    let two = Edit { expected: Some(2), ..Edit::once("a", "b") };
    assert_eq!(apply_edits("a-c", &[Edit::once("a", "b")]).as_deref(), Ok("b-c"));
    assert_eq!(apply_edits("a-a", &[Edit::once("a", "b")]), Err(AnchorFact::Ambiguous));
    assert_eq!(apply_edits("a-a", &[all]).as_deref(), Ok("b-b"));
    assert_eq!(apply_edits("a-a", std::slice::from_ref(&two)).as_deref(), Ok("b-b"));
    assert_eq!(apply_edits("a-a-a", std::slice::from_ref(&two)), Err(AnchorFact::Ambiguous));
    assert_eq!(apply_edits("c", &[two]), Err(AnchorFact::Missing));
}

#[test]
fn edits_build_on_each_other() {
    let chain = [Edit::once("a", "b"), Edit::once("b", "c")];
    assert_eq!(apply_edits("a", &chain).as_deref(), Ok("c"));
    assert_eq!(anchor_of("x", &chain), AnchorFact::Missing);
}

#[test]
fn an_empty_old_text_quotes_nothing_but_creates() {
    assert_eq!(anchor_of("x", &[Edit::once("", "n")]), AnchorFact::NotQuoted);
    assert_eq!(apply_edits("", &[Edit::once("", "n")]).as_deref(), Ok("n"));
    assert_eq!(anchor_of("x", &[]), AnchorFact::NotQuoted);
}

#[test]
fn whole_lines_match_whole_lines_and_the_claimed_line_tells_them_apart() {
    assert_eq!(apply_edits("ab\na\n", &[lines("a\n", "x\n", None)]).as_deref(), Ok("ab\nx\n"));
    assert_eq!(apply_edits("a\na\n", &[lines("a\n", "x\n", None)]), Err(AnchorFact::Ambiguous));
    assert_eq!(apply_edits("a\na\n", &[lines("a\n", "x\n", Some(2))]).as_deref(), Ok("a\nx\n"));
    assert_eq!(apply_edits("b\na\n", &[lines("a\n", "", Some(7))]).as_deref(), Ok("b\n"));
    assert_eq!(apply_edits("a\r\nb\r\n", &[lines("a\n", "x\n", None)]).as_deref(), Ok("x\r\nb\r\n"));
    assert_eq!(apply_edits("b\na", &[lines("a\n", "x\n", None)]).as_deref(), Ok("b\nx"));
}

#[test]
fn hunks_find_their_place() {
    assert_eq!(patched("1\n2\n3\n", "@@\n 1\n-2\n+two\n").as_deref(), Some("1\ntwo\n3\n"));
    assert_eq!(patched("f\nx\ng\nx\n", "@@ g\n-x\n+y\n").as_deref(), Some("f\nx\ng\ny\n"));
    assert_eq!(patched("x\nx\n", "@@ x\n-x\n+y\n").as_deref(), Some("x\ny\n"));
    assert_eq!(patched("1\n", "@@\n+2\n").as_deref(), Some("1\n2\n"));
    assert_eq!(patched("1\n", "@@\n-9\n+2\n"), None);
    assert_eq!(patched("a\nb\na\nb\n", "@@\n-a\n+1\n@@\n-a\n+2\n").as_deref(), Some("1\nb\n2\nb\n"));
    assert_eq!(patched("a\r\nb\r\n", "@@\n a\n-b\n+c\n").as_deref(), Some("a\r\nc\r\n"));
}

#[test]
fn the_anchor_of_hunks_is_firm_where_the_lines_of_each_stand_together_at_one_place_alone() {
    let anchor = |current: &str, body: &str| {
        let patch =
            parse_patch(&format!("*** Begin Patch\n*** Update File: x\n{body}*** End Patch\n")).unwrap();
        match &patch.ops[0] {
            PatchOp::Update { hunks, .. } => anchor_of_hunks(current, &hunks.iter().collect::<Vec<_>>()),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(anchor("a\n", ""), AnchorFact::NotQuoted);
    for firm in ["a\nb\n", "b\na\n", "b\nb\na"] {
        assert_eq!(anchor(firm, "@@\n-a\n+x\n"), AnchorFact::Found, "{firm:?}");
    }
    assert_eq!(anchor("b\n", "@@\n-a\n+x\n"), AnchorFact::Missing);
    assert_eq!(anchor("a\n\nb\n", "@@\n a\n-b\n"), AnchorFact::Missing, "not together");
    for (loose, body) in [
        ("a\nb\na\n", "@@\n-a\n+x\n"),
        ("a\n\nb\n", "@@\n \n+x\n"),
        ("a\n", "@@\n+x\n"),
        ("a\n", "@@\n-a\n@@\n+x\n"),
    ] {
        assert_eq!(anchor(loose, body), AnchorFact::FoundLoosely, "{loose:?} {body:?}");
    }
    let (many, body) = ("a\n".repeat(1_000), format!("@@\n{}-b\n", " a\n".repeat(100)));
    assert_eq!(anchor(&many, &body), AnchorFact::FoundLoosely, "nobody looked everywhere");
    let one = format!("{}b\n{many}", "a\n".repeat(100));
    assert_eq!(anchor(&one, &body), AnchorFact::FoundLoosely, "there may be another one");
}

fn diffed(current: &str, body: &str) -> Option<String> {
    match &parse_patch(&format!("--- a/x\n+++ b/x\n{body}")).unwrap().ops[0] {
        PatchOp::Update { hunks, .. } => apply_hunks(current, hunks),
        other => panic!("{other:?}"),
    }
}

#[test]
fn hunks_of_a_diff_go_to_the_nearest_place_as_git_applies_them() {
    let body = "@@ -4,2 +4,2 @@\n-a\n+b\n x\n";
    let near = "a\nx\n1\n2\n3\na\nx\na\nx\n";
    assert_eq!(diffed(near, body).as_deref(), Some("a\nx\n1\n2\n3\nb\nx\na\nx\n"));
    let both = "a\nx\na\nx\n1\na\nx\n";
    assert_eq!(diffed(both, body).as_deref(), Some("a\nx\nb\nx\n1\na\nx\n"));
    let two = "@@ -1,2 +1,3 @@\n-a\n+b\n+c\n x\n@@ -3 +4 @@\n-a\n+d\n";
    assert_eq!(diffed("a\nx\na\n", two).as_deref(), Some("b\nc\nx\nd\n"));
    let twice = "@@ -1,2 +1,2 @@\n-a\n+b\n x\n@@ -3,2 +3,2 @@\n-a\n+c\n x\n";
    assert_eq!(diffed("a\nx\n1\n2\n3\n4\n5\n6\n", twice), None, "the lines of one hunk are none of the next");
}

#[test]
fn a_hunk_without_lines_around_it_is_only_at_an_end_as_git_applies_it() {
    assert_eq!(diffed("a\nb\nc\n", "@@ -2 +2 @@\n-b\n+x\n"), None);
    assert_eq!(diffed("a\nb\nc\n", "@@ -2 +2 @@\n-c\n+x\n").as_deref(), Some("a\nb\nx\n"));
    assert_eq!(diffed("a\nb\nc\n", "@@ -1,2 +1,2 @@\n-b\n+x\n c\n"), None);
    assert_eq!(diffed("a\nb\n", "@@ -1,0 +2 @@\n+x\n"), None);
    assert_eq!(diffed("a\nb\nc\n", "@@ -2,0 +3 @@\n+x\n").as_deref(), Some("a\nb\nc\nx\n"));
}

#[test]
fn the_end_of_a_file_without_a_line_feed_is_as_the_diff_says() {
    let none = "\\ No newline at end of file\n";
    assert_eq!(diffed("a", &format!("@@ -1 +1 @@\n-a\n{none}+b\n")).as_deref(), Some("b\n"));
    assert_eq!(diffed("a\n", &format!("@@ -1 +1 @@\n-a\n+b\n{none}")).as_deref(), Some("b"));
    assert_eq!(diffed("a", &format!("@@ -1 +1,2 @@\n+b\n a\n{none}")).as_deref(), Some("b\na"));
    assert_eq!(diffed("a", "@@ -1 +1 @@\n-a\n+b\n"), None);
    assert_eq!(diffed("a\n", &format!("@@ -1 +1 @@\n-a\n{none}+b\n")), None);
}

#[test]
fn looking_for_the_place_of_a_hunk_ends_with_the_budget() {
    let current = "a\n".repeat(40_000);
    let body = format!("@@\n{}-b\n+c\n", " a\n".repeat(4_000));
    let start = std::time::Instant::now();
    assert_eq!(patched(&current, &body), None);
    assert!(start.elapsed() < std::time::Duration::from_secs(2), "{:?}", start.elapsed());
}

// Each of the 253 lines of the file and the patch may be looked at sixteen times.
#[test]
fn a_hunk_is_placed_where_that_takes_no_more_looks_than_there_are() {
    let body = format!("@@ top\n{}-b\n", " a\n".repeat(18));
    let current = |lines: usize| format!("top\n{}b\n", "a\n".repeat(lines));
    assert_eq!(patched(&current(230), &body), current(230).strip_suffix("b\n").map(str::to_owned));
    assert_eq!(patched(&current(231), &body), None);
    let body = format!("@@ -2,20 +2,19 @@\n{}-b\n c\n", " a\n".repeat(18));
    let current = |lines: usize| format!("{}b\nc\n", "a\n".repeat(lines));
    assert_eq!(diffed(&current(230), &body), Some(current(230).replace("b\n", "")));
    assert_eq!(diffed(&current(231), &body), None);
}

proptest! {
    #[test]
    fn an_edit_that_fits_changes_exactly_the_quoted_text(head in "[a-m\n]{0,20}", tail in "[a-m\n]{0,20}", new in "[n-z]{0,5}") {
        let text = format!("{head}QUOTED{tail}");
        prop_assert_eq!(apply_edits(&text, &[Edit::once("QUOTED", &new)]), Ok(format!("{head}{new}{tail}")));
    }

    #[test]
    fn a_hunk_of_context_alone_changes_nothing(text in prop::collection::vec("[a-c]{0,2}", 1..8)) {
        let current: String = text.iter().map(|line| format!("{line}\n")).collect();
        let body: String = text.iter().map(|line| format!(" {line}\n")).collect();
        prop_assert_eq!(patched(&current, &format!("@@\n{body}")), Some(current));
    }
}
