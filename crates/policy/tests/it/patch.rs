//! Patches as typed operations.

use bailiwick_policy::patch::{PatchOp, parse_patch};
use proptest::prelude::*;

fn shapes(text: &str) -> Vec<String> {
    let shape = |op: &PatchOp| match op {
        PatchOp::Add { path, content } => format!("add {path} {content:?}"),
        PatchOp::Delete { path } => format!("delete {path}"),
        PatchOp::Update { path, move_to: None, hunks } => format!("update {path} {}", hunks.len()),
        PatchOp::Update { path, move_to: Some(to), hunks } => format!("move {path} {to} {}", hunks.len()),
        PatchOp::Copy { path, to, .. } => format!("copy {path} {to}"),
    };
    parse_patch(text).unwrap().ops.iter().map(shape).collect()
}

#[test]
fn req_085_a_git_diff_with_everything() {
    let text = "diff --git a/m.rs b/m.rs\nindex 1..2 100644\n--- a/m.rs\n+++ b/m.rs\n@@ -1,2 +1,2 @@ fn x\n one\n-two\n+2\n\
                diff --git a/n.rs b/n.rs\nnew file mode 100644\n--- /dev/null\n+++ b/n.rs\n@@ -0,0 +1 @@\n+hi\n\
                diff --git a/d.rs b/d.rs\ndeleted file mode 100644\n--- a/d.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n\
                diff --git a/o.rs b/p.rs\nsimilarity index 100%\nrename from o.rs\nrename to p.rs\n\
                diff --git a/q.rs b/r.rs\ncopy from q.rs\ncopy to r.rs\n\
                diff --git a/mode.sh b/mode.sh\nold mode 100644\nnew mode 100755\n\
                diff --git a/i.png b/i.png\nBinary files a/i.png and b/i.png differ\n";
    let expected = [
        "update m.rs 1",
        "add n.rs \"hi\\n\"",
        "delete d.rs",
        "move o.rs p.rs 0",
        "copy q.rs r.rs",
        "update mode.sh 0",
        "update i.png 0",
    ];
    assert_eq!(shapes(text), expected);
}

#[test]
fn a_plain_diff_with_and_without_prefixes() {
    assert_eq!(shapes("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n"), ["update x 1"]);
    assert_eq!(shapes("--- x\t2026\n+++ x\t2026\n@@ -1 +1 @@\n-1\n+2\n"), ["update x 1"]);
    assert_eq!(shapes("--- a/x\n+++ a/x\n@@ -1 +1 @@\n-1\n+2\n"), ["update a/x 1"]);
    assert_eq!(shapes("--- x.orig\n+++ x\n@@ -1 +1 @@\n-1\n+2\n"), ["move x.orig x 1"]);
}

#[test]
fn removed_lines_that_look_like_headers_are_content() {
    let text = "--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n--- a/y\n-*** Delete File: z\n+++ b/y\n";
    assert_eq!(shapes(text), ["update x 1"]);
    let text = "*** Begin Patch\n*** Update File: x\n@@\n *** Delete File: y\n-a\n+b\n*** End Patch\n";
    assert_eq!(shapes(text), ["update x 1"]);
}

#[test]
fn an_indented_header_after_an_added_file_is_a_header() {
    // threat D2
    let text = "*** Begin Patch\n*** Add File: a\n+x\n  *** Delete File: b\n*** End Patch\n";
    assert_eq!(shapes(text), ["add a \"x\\n\"", "delete b"]);
}

#[test]
fn what_is_not_understood_makes_the_whole_patch_unreadable() {
    for text in [
        "",
        "hello",
        "*** Begin Patch\n*** End Patch\n",
        "*** Begin Patch\n*** Delete File: a\n",
        "*** Begin Patch\n*** Delete File:\n*** End Patch\n",
        "*** Begin Patch\n*** Frobnicate File: a\n*** End Patch\n",
        "*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Begin Patch\n*** Delete File: b\n*** End Patch\n",
        "--- a/x\n+++ b/x\n*** Begin Patch\n*** Delete File: a\n*** End Patch\n",
        "*** Begin Patch\n*** Update File: a\n@@\nodd\n*** End Patch\n",
        "--- a/x\n",
        "@@ -1 +1 @@\n-a\n+b\n",
        "--- a/x\n+++ b/x\n@@ -1,5 +1 @@\n-a\n",
        "--- \"a/\\303\"\n+++ \"b/\\303\"\n@@ -1 +1 @@\n-a\n+b\n",
        "--- /dev/null\n+++ /dev/null\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+++ b/y\n",
    ] {
        assert!(parse_patch(text).is_err(), "{text:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_without_a_crash(text in "([*+@ -]{0,4}(Begin Patch|Add File: a|a/x|[ -~]{0,6})\n){0,12}") {
        let _ = parse_patch(&text);
    }

    #[test]
    fn every_header_in_an_envelope_is_a_target(names in prop::collection::vec("[a-z]{1,6}", 1..6)) {
        let body: String = names.iter().map(|name| format!("*** Delete File: {name}\n")).collect();
        let found = shapes(&format!("*** Begin Patch\n{body}*** End Patch\n"));
        prop_assert_eq!(found, names.iter().map(|name| format!("delete {name}")).collect::<Vec<_>>());
    }
}
