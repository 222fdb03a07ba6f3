//! Patches as typed operations.

use bailiwick_policy::Unreadable;
use bailiwick_policy::patch::{PatchOp, parse_patch};
use proptest::prelude::*;

fn shapes(text: &str) -> Vec<String> {
    let shape = |op: &PatchOp| match op {
        PatchOp::Add { path, content } => format!("add {path} {content:?}"),
        PatchOp::Delete { path } => format!("delete {path}"),
        PatchOp::Update { path, move_to: None, hunks } => format!("update {path} {}", hunks.len()),
        PatchOp::Update { path, move_to: Some(to), hunks } => format!("move {path} {to} {}", hunks.len()),
        PatchOp::Copy { path, to, .. } => format!("copy {path} {to}"),
        PatchOp::Opaque { path, hunks } => format!("opaque {path} {}", hunks.len()),
    };
    parse_patch(text).unwrap().ops.iter().map(shape).collect()
}

/// Why the patch is refused.
fn refused(text: &str) -> String {
    match parse_patch(text) {
        Err(Unreadable::Malformed(why)) => why,
        other => panic!("{text:?} gives {other:?}"),
    }
}

const ENVELOPE: &str = "*** Begin Patch\n*** Update File: a/known.ts\n@@\n-1\n+2\n*** End Patch\n";
const UNIFIED: &str = "--- a/known.ts\n+++ b/known.ts\n@@ -1 +1 @@\n-1\n+2\n";

/// Changes that some program makes of a file called `lib/b.ts`, in every format.
const OTHERS: [&str; 13] = [
    "--- a/lib/b.ts\n+++ b/lib/b.ts\n@@ -1 +1 @@\n-x\n+y\n",
    "  --- a/lib/b.ts\n  +++ b/lib/b.ts\n  @@ -1 +1 @@\n  -x\n  +y\n",
    "X--- a/lib/b.ts\nX+++ b/lib/b.ts\nX@@ -1 +1 @@\nX-x\nX+y\n",
    "- --- a/lib/b.ts\n+++ b/lib/b.ts\n@@ -1 +1 @@\n-x\n+y\n",
    "diff --git a/lib/b.ts b/c.ts\nrename from lib/b.ts\nrename to c.ts\n",
    "diff --git a/lib/b.ts b/lib/b.ts\nold mode 100644\nnew mode 100755\n",
    "*** a/lib/b.ts\n--- b/lib/b.ts\n***************\n*** 1 ****\n! x\n--- 1 ----\n! y\n",
    "\t*** a/lib/b.ts\n\t--- b/lib/b.ts\n\t***************\n\t*** 1 ****\n\t! x\n\t--- 1 ----\n\t! y\n",
    "Index: lib/b.ts\n1c1\n< x\n---\n> y\n",
    "Index: lib/b.ts\n1c\ny\n.\n",
    "Prereq: x\n",
    "1d\n",
    "@@ -1 +1 @@\n-x\n+y\n",
];

#[test]
fn a1_no_change_hides_before_between_or_after_the_sections_that_are_understood() {
    for known in [ENVELOPE, UNIFIED] {
        assert_eq!(shapes(&format!("Here it is:\n\n{known}\nThat was all.\n")).len(), 1);
    }
    for other in OTHERS {
        for text in [format!("{other}{ENVELOPE}"), format!("{ENVELOPE}{other}")] {
            let why = refused(&text);
            assert!(why.starts_with("line ") || why.starts_with("at the end of the patch: "), "{why}");
        }
        // Behind a section that is understood, a hunk is one more of its own.
        if other.starts_with("@@") {
            refused(&format!("{other}{UNIFIED}"));
            continue;
        }
        let around = [format!("{other}{UNIFIED}"), format!("{UNIFIED}{other}")];
        for text in around.into_iter().chain([format!("{UNIFIED}{other}{UNIFIED}")]) {
            if let Ok(patch) = parse_patch(&text) {
                assert!(format!("{:?}", patch.ops).contains("lib/b.ts"), "{text:?} hides a change");
            }
        }
    }
}

#[test]
fn a1_an_envelope_that_is_also_a_diff_to_another_program_is_refused() {
    let inside = |body: &str| format!("*** Begin Patch\n*** Update File: a.ts\n@@\n{body}*** End Patch\n");
    for body in [
        "--- a/lib/b.ts\n+++ b/lib/b.ts\n@@ -1 +1 @@\n-x\n+y\n",
        " --- a/lib/b.ts\n +++ b/lib/b.ts\n @@ -1 +1 @@\n -x\n +y\n",
        " diff --git a/b b/b\n old mode 100644\n new mode 100755\n",
        " ***************\n *** 1 ****\n",
        "--- lib/b.ts\n 1d\n",
        " Index: lib/b.ts\n 1c1\n < x\n ---\n > y\n",
    ] {
        refused(&inside(body));
    }
    // Comments that are taken away, rules of stars and added diffs are content.
    let content = "--- an old comment\n+-- a new one\n ********\n ***\n+--- a/x\n+@@ -1 +1 @@\n";
    assert_eq!(shapes(&inside(content)), ["update a.ts 1"]);
}

#[test]
fn a1_a_name_that_two_programs_read_differently_is_refused() {
    let with = |old: &str, new: &str| format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-1\n+2\n");
    for odd in [
        "b/x.ts 2026-01-01 00:00:00 +0000",
        "b/x.ts ",
        " b/x.ts",
        "b/my file.ts",
        "b/x.ts\tb/y.ts 2026-01-01 00:00:00 +0000",
        "b/x.ts \t2026-01-01 00:00:00 +0000",
        "b/../x.ts",
        "b//x.ts",
        "/etc/x.ts",
        "b/x\u{1}.ts",
        "\"b/x.ts\" y",
        "\"b/\\303\"",
        "\"b/x\u{1}.ts\"",
        "\"b/x\\q.ts\"",
    ] {
        refused(&with("a/x.ts", odd));
        refused(&with(&odd.replacen("b/", "a/", 1), odd));
    }
    refused(&with("a/x.ts", "b/y.ts"));
    for two in ["a/x  b/x\nold mode 100644\nnew mode 100755", "a/x  b/y\nrename from x \nrename to y"] {
        refused(&format!("diff --git {two}\n"));
    }
    for plain in
        ["b/x.ts\t", "b/x.ts\t2026-01-31 08:00:00.123456789 +0100", "b/x.ts\t(working copy)", "b/x.ts\r"]
    {
        assert_eq!(shapes(&with("a/x.ts", plain)), ["update x.ts 1"]);
    }
    assert_eq!(shapes(&with("a/my file.ts\t", "b/my file.ts\t")), ["update my file.ts 1"]);
}

#[test]
fn what_git_writes_itself_is_understood() {
    // B: what git itself writes was refused
    let quoted = "diff --git \"a/src/\\303\\274m.ts\" \"b/src/\\303\\274m.ts\"\nindex 1..2 100644\n\
                  --- \"a/src/\\303\\274m.ts\"\n+++ \"b/src/\\303\\274m.ts\"\n@@ -1 +1 @@\n-1\n+2\n";
    assert_eq!(shapes(quoted), ["update src/üm.ts 1"]);
    let context = "diff --git a/doc.md b/doc.md\nindex 1..2 100644\n--- a/doc.md\n+++ b/doc.md\n\
                   @@ -1,3 +1,3 @@\n *** Begin Patch\n-1\n+2\n *** End Patch\n";
    assert_eq!(shapes(context), ["update doc.md 1"]);
    let blank = "diff --git a/my file.ts b/my file.ts\nold mode 100644\nnew mode 100755\n";
    assert_eq!(shapes(blank), ["update my file.ts 0"]);
    let typed = "diff --git a/l b/l\ndeleted file mode 100644\nindex 1..0\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
                 diff --git a/l b/l\nnew file mode 120000\nindex 0..2\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+doc.md\n\
                 \\ No newline at end of file\n";
    assert_eq!(shapes(typed), ["opaque l 1"]);
    let binary = "diff --git a/i.png b/i.png\nnew file mode 100644\nindex 0..2\nGIT binary patch\nliteral 4\n\
                  LcmZQzWMT#Y01f~L\n\nliteral 0\nHcmV?d00001\n\n";
    assert_eq!(shapes(binary), ["opaque i.png 0"]);
    assert_eq!(shapes(&format!("{binary}{UNIFIED}")), ["opaque i.png 0", "update known.ts 1"]);
    refused(&binary.replace("LcmZQzWMT#Y01f~L", "not binary"));
    refused(&binary.replace("literal 4", "1c1"));
    let open = "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
    assert_eq!(shapes(open), ["add n \"x\""]);
    let mail =
        format!("From: a\nSubject: b\n---\n known.ts | 2 +-\n 1 file changed\n\n{UNIFIED}-- \n2.47.3\n");
    assert_eq!(shapes(&mail), ["update known.ts 1"]);
    let crlf = "--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-1\r\n+2\r\n";
    assert_eq!(shapes(crlf), ["update x 1"]);
}

#[test]
fn a_quoted_name_has_the_escapes_of_c() {
    for (escape, sign) in [
        ("a", '\u{7}'),
        ("b", '\u{8}'),
        ("t", '\t'),
        ("n", '\n'),
        ("v", '\u{b}'),
        ("f", '\u{c}'),
        ("r", '\r'),
        ("\"", '"'),
        ("\\", '\\'),
        ("001", '\u{1}'),
    ] {
        let text = format!("--- \"a/x\\{escape}\"\n+++ \"b/x\\{escape}\"\n@@ -1 +1 @@\n-1\n+2\n");
        assert_eq!(shapes(&text), [format!("update x{sign} 1")]);
    }
}

#[test]
fn the_longest_header_that_is_read_has_sixteen_kilobytes() {
    let plain = |size: usize| {
        let name = "x".repeat(size - 2);
        format!("--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-1\n+2\n")
    };
    let renamed = |size: usize| {
        let name = "y".repeat(size - "a/x b/".len());
        format!("diff --git a/x b/{name}\nrename from x\nrename to {name}\n")
    };
    for of_size in [&plain as &dyn Fn(usize) -> String, &renamed] {
        assert_eq!(shapes(&of_size(16_384)).len(), 1);
        refused(&of_size(16_385));
    }
}

#[test]
fn the_date_of_a_file_that_was_not_there_adds_or_deletes() {
    let now = "2026-01-31 08:00:00.123456789 +0100";
    for epoch in ["1970-01-01 00:00:00.000000000 +0000", "1969-12-31 19:00:00 -0500"] {
        let added = format!("--- a/x\t{epoch}\n+++ b/x\t{now}\n@@ -0,0 +1 @@\n+1\n");
        assert_eq!(shapes(&added), ["add x \"1\\n\""]);
        let deleted = format!("--- a/x\t{now}\n+++ b/x\t{epoch}\n@@ -1 +0,0 @@\n-1\n");
        assert_eq!(shapes(&deleted), ["delete x"]);
    }
}

#[test]
fn a_patch_notes_each_mode_but_that_of_a_new_plain_file() {
    let modes = |lines: &str| {
        let patch = parse_patch(&format!("diff --git a/x b/x\n{lines}\n")).unwrap();
        patch.modes.into_iter().map(|note| (note.path, note.old, note.new)).collect::<Vec<_>>()
    };
    let note = |old: Option<&str>, new: &str| ("x".to_owned(), old.map(str::to_owned), new.to_owned());
    assert_eq!(modes("new file mode 100644"), []);
    assert_eq!(modes("deleted file mode 100644"), []);
    assert_eq!(modes("new file mode 100755"), [note(None, "100755")]);
    assert_eq!(modes("new file mode 120000"), [note(None, "120000")]);
    assert_eq!(modes("old mode 100644\nnew mode 100755"), [note(Some("100644"), "100755")]);
    assert_eq!(modes("old mode 100755\nnew mode 100644"), [note(Some("100755"), "100644")]);
}

#[test]
fn binary_content_is_passed_over_where_it_has_the_form_that_git_writes() {
    let of = |lines: &str| {
        format!(
            "diff --git a/i b/i\nnew file mode 100644\nGIT binary patch\n{lines}\nliteral 0\nHcmV?d00001\n\n"
        )
    };
    let full = format!("z{}", "c".repeat(65));
    let (half, last) = (format!("a{}", "c".repeat(35)), format!("M{}", "c".repeat(20)));
    let known = of(&format!("literal 99\n{full}\n{half}\n{last}\n"));
    assert_eq!(shapes(&known), ["opaque i 0"]);
    assert_eq!(shapes(&known.replace("literal 99", "delta 99")), ["opaque i 0"]);
    for (line, odd) in [
        (full.as_str(), full.replacen('z', "v", 1)),
        (half.as_str(), half.replacen('c', " ", 1)),
        (last.as_str(), last.replacen('c', "", 1)),
        (last.as_str(), last.replacen('M', "1", 1)),
        ("literal 99", "literal x".to_owned()),
        ("literal 99", "literal ".to_owned()),
    ] {
        refused(&known.replacen(line, &odd, 1));
    }
    let stands_for =
        |line: &str| shapes(&format!("diff --git a/i b/i\nold mode 100644\nnew mode 100755\n{line}\n"));
    assert_eq!(stands_for("Binary files a/i and b/i differ"), ["opaque i 0"]);
    assert_eq!(stands_for("Binary files are not shown"), ["update i 0"]);
    assert_eq!(stands_for("The files differ"), ["update i 0"]);
    let gone = "diff --git a/i b/i\ndeleted file mode 100644\nBinary files a/i and /dev/null differ\n";
    assert_eq!(shapes(gone), ["delete i"]);
    refused("diff --git a/i b/j\nrename from i\nrename to j\nBinary files a/i and b/j differ\n");
}

#[test]
fn words_of_git_are_refused_behind_its_sections_and_are_prose_elsewhere() {
    let git = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
    assert_eq!(shapes(&format!("{git}-- \n2.47.3\n")), ["update x 0"]);
    assert_eq!(shapes(&format!("old mode of work\n{UNIFIED}new mode of work\n")), ["update known.ts 1"]);
    refused(&format!("{git}\nnew mode of work\n"));
}

#[test]
fn the_end_of_a_file_without_a_line_feed_is_told_once_on_each_side_and_in_full() {
    let diff = |hunk: &str, marker: &str| format!("--- a/x\n+++ b/x\n{}", hunk.replace("END", marker));
    let marker = "\\ No newline at end of file";
    for hunk in [
        "@@ -1 +1 @@\n-1\nEND\n+2\n",
        "@@ -1 +1 @@\n-1\n+2\nEND\n",
        "@@ -1 +1 @@\n+2\nEND\n-1\n",
        "@@ -1 +1,2 @@\n+2\n 1\nEND\n",
    ] {
        assert_eq!(shapes(&diff(hunk, marker)), ["update x 1"], "{hunk}");
        assert_eq!(shapes(&diff(hunk, "\\ Kein Zeilenumbruch am Dateiende.")), ["update x 1"], "{hunk}");
        for odd in ["\\ short", "\\No newline at end of file"] {
            refused(&diff(hunk, odd));
        }
    }
    refused(&diff("@@ -1,2 +1 @@\n-1\nEND\n-2\n+1\n", marker));
    refused(&diff("@@ -1 +1,2 @@\n-1\n+1\nEND\n+2\n", marker));
}

#[test]
fn a_refusal_names_the_line() {
    let why = refused("--- a/x\n+++ b/x\n@@ odd\n");
    assert!(why.starts_with("line 3 of the patch, `@@ odd`: "), "{why}");
    let why = refused("diff --git a/x b/x\nold mode 100644\nnew mode 100755\nold mode 100644\n");
    assert!(why.starts_with("line 4 of the patch, `old mode 100644`: "), "{why}");
    for odd in ["@@ -+1 +1 @@", "@@ -0000000001 +1 @@"] {
        let why = refused(&format!("--- a/x\n+++ b/x\n{odd}\n-1\n+2\n"));
        assert!(why.starts_with("line 3 of the patch, "), "{why}");
    }
}

#[test]
fn the_lines_of_a_section_must_agree() {
    for text in [
        "diff --git a/x b/y\nrename from x\nrename to z\n",
        "diff --git a/x b/y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n",
        "diff --git a/x b/x\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n",
        "diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+2\n",
        "diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n",
        "diff --git a/x b/x\nold mode 100644\nnew mode 104755\n",
        "diff --git a/x b/x\nold mode 100644\n",
        "diff --git a/x b/x\nold mode 100644\nnew mode 100755\nnew file mode 100755\n",
        "diff --git a/x b/x\nold mode 100644\nnew mode 100755\ndeleted file mode 100755\n",
        "diff --git a/x b/y\nrename from x\nrename to y\ncopy from x\ncopy to y\n",
        "diff --git a/x b/x\nnew file mode 100644\nnew file mode 100755\n",
        "diff --git a/x b/x\n\nold mode 100644\nnew mode 100755\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n+3\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+2\n@@ -0,0 +0,0 @@\n",
        "*** Begin Patch\n*** Add File: x\n+1\n*** Delete File: x\n*** End Patch\n",
        "*** Begin Patch\n*** Update File: x\n*** Move to: y\n*** Update File: y\n@@\n-1\n+2\n*** End Patch\n",
    ] {
        refused(text);
    }
    let twice = |section: &str| shapes(&format!("*** Begin Patch\n{section}{section}*** End Patch\n")).len();
    assert_eq!(twice("*** Delete File: x\n"), 2);
    assert_eq!(twice("*** Update File: x\n@@\n-1\n+2\n"), 2);
}

#[test]
fn more_than_the_budget_is_refused_before_it_is_read() {
    let much =
        |text: &str| assert!(matches!(parse_patch(text), Err(Unreadable::TooLarge(_))), "{:.60}", text);
    let envelope = |body: &str| format!("*** Begin Patch\n{body}*** End Patch\n");
    much(&"x".repeat(3 << 20));
    much(&envelope(&"*** Update File: x\n@@\n-1\n+2\n".repeat(30_000)));
    much(&envelope(&"*** Update File: x\n@@\n-1\n+2\n".repeat(20)));
    let many: String = (0..30_000).map(|n| format!("*** Delete File: {n}\n")).collect();
    much(&envelope(&many));
    let names: String = (0..20_000)
        .map(|n| format!("diff --git a/{n} b/{n}.x\nrename from {n}\nrename to {n}.x\n"))
        .collect();
    much(&names);
    let hunks: String = (1..20_001).map(|n| format!("@@ -{n} +{n} @@\n-1\n+2\n")).collect();
    much(&format!("--- a/x\n+++ b/x\n{hunks}"));
    much(&envelope(&format!("*** Update File: x\n{}", "@@\n-1\n+2\n".repeat(20_000))));
    let lines = "-1\n".repeat(100_000);
    much(&format!("--- a/x\n+++ b/x\n@@ -1,100000 +0,0 @@\n{lines}"));
    much(&envelope(&format!("*** Update File: x\n@@\n{lines}")));
    let added = |files: usize, lines: usize| {
        let section = |file: usize| format!("*** Add File: {file}\n{}", "+\n".repeat(lines));
        envelope(&(0..files).map(section).collect::<String>())
    };
    assert_eq!(shapes(&added(1, 50_000)).len(), 1);
    much(&added(1, 50_001));
    assert_eq!(shapes(&added(5, 40_000)).len(), 5);
    much(&added(5, 40_001));
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
        "opaque i.png 0",
    ];
    assert_eq!(shapes(text), expected);
}

#[test]
fn a_plain_diff_with_and_without_prefixes() {
    assert_eq!(shapes("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n"), ["update x 1"]);
    assert_eq!(shapes("--- x\t2026\n+++ x\t2026\n@@ -1 +1 @@\n-1\n+2\n"), ["update x 1"]);
    // D-35: the door applies with `git apply -p1`, which takes off one folder, whatever it is called.
    assert_eq!(shapes("--- a/x\n+++ a/x\n@@ -1 +1 @@\n-1\n+2\n"), ["update x 1"]);
    assert_eq!(shapes("--- src/y/x\n+++ lib/y/x\n@@ -1 +1 @@\n-1\n+2\n"), ["update y/x 1"]);
    // D-35: no program renames a file because of such names, and each picks another of the two.
    refused("--- x.orig\n+++ x\n@@ -1 +1 @@\n-1\n+2\n");
    // D-35: names with and without a folder in one diff; `git apply` would take all of them as they are.
    refused("--- x\n+++ x\n@@ -1 +1 @@\n-1\n+2\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n");
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

// D-35: Codex 0.169.0 writes ` a.ts` for the first of these, and drops the tab of the last.
#[test]
fn a_name_in_an_envelope_that_appliers_read_differently_is_refused() {
    for name in ["  a.ts", " a.ts ", " a.ts\u{a0}", " a.ts\u{2028}", " a\u{85}.ts", " a.ts\t2026-01-01"] {
        for section in ["Add File:", "Delete File:", "Update File:", "Update File: b\n*** Move to:"] {
            refused(&format!("*** Begin Patch\n*** {section}{name}\n*** End Patch\n"));
        }
    }
    let plain = "*** Begin Patch\r\n*** Update File: my file.ts\r\n*** Move to:b.ts\r\n*** End Patch\r\n";
    assert_eq!(shapes(plain), ["move my file.ts b.ts 0"]);
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

// OpenCode 1.18.33 was given these and wrote these files: each is judged under that name, or the patch is not read at all.
#[test]
fn what_opencode_makes_of_odd_patches_is_judged_or_refused() {
    for (body, written) in [
        ("*** Add File: sub/p1.txt:/../../sub2/x.txt\n+one", "sub/p1.txt:/../../sub2/x.txt"),
        ("*** Add File: p2.txt: tail\n+two", "p2.txt: tail"),
        ("junk line\n*** Add File: p3.txt\n+three\njunk", "p3.txt"),
        ("*** Add File: p5.txt\n+five\n*** End Patch\n*** Begin Patch\n*** Add File: p6.txt\n+six", "p5.txt"),
        ("*** Add File:p7.txt\n+seven", "p7.txt"),
        ("*** Update File: a.txt\n*** Move to: m:1.txt\n@@\n-hello\n+hullo", "m:1.txt"),
    ] {
        let patch = format!("*** Begin Patch\n{body}\n*** End Patch");
        for text in [patch.clone(), format!("cat <<'EOF'\n{patch}\nEOF")] {
            let Ok(read) = parse_patch(&text) else { continue };
            let is_named = |op: &PatchOp| match op {
                PatchOp::Add { path, .. } => path == written,
                PatchOp::Update { move_to: Some(to), .. } => to == written,
                _ => false,
            };
            assert!(read.ops.iter().any(is_named), "{text}: {read:?}");
        }
    }
    // The plain ones among them are read, so honest work is not refused.
    assert_eq!(
        shapes("*** Begin Patch\n*** Add File: p2.txt: tail\n+two\n*** End Patch"),
        ["add p2.txt: tail \"two\\n\""]
    );
}
