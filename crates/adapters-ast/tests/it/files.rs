//! Files that are called something else than before (REQ 165).

use bailiwick_domain::testing::sample::path as path_of;
use bailiwick_domain::{FileChange, Mutation, MutationClassifier as _};

use crate::mutants::mutants;
use crate::pairs::reader;

/// A set of files: the path, what was there and what is there now.
fn classify(files: &[(&str, Option<&str>, Option<&str>)]) -> Mutation {
    let paths: Vec<_> = files.iter().map(|(path, ..)| path_of(path)).collect();
    let changes: Vec<FileChange<'_>> = paths
        .iter()
        .zip(files)
        .map(|(path, (_, before, after))| FileChange {
            path,
            before: before.map(str::as_bytes),
            after: after.map(str::as_bytes),
        })
        .collect();
    reader().classify(&changes)
}

const GO: &str = "package p\n\nvar errBad = errors.New(\"bad\")\n\nfunc F(n int) int {\n\tif n > 3 {\n\t\treturn n - 1\n\t}\n\treturn 2\n}\n";
const CS: &str = "class Box\n{\n    public Box(int n) { N = n; }\n    public int N { get; }\n    public static Box Of() { return new Box(3); }\n}\n";

fn is_proved(from: &str, to: &str, before: &str, after: &str) -> bool {
    classify(&[(from, Some(before), None), (to, None, Some(after))]).is_refactor()
}

// REQ 165
#[test]
fn a_file_may_have_another_name_where_no_name_of_a_file_counts() {
    assert!(is_proved("p/a.go", "p/b.go", GO, GO));
    assert!(is_proved("p/a_linux.go", "p/b_linux.go", GO, GO));
    assert!(is_proved("p/a_disabled.go", "p/a_unsupported.go", GO, GO));
    assert!(is_proved("p/a_base_linux_amd64.go", "p/b_linux_amd64.go", GO, GO));
    assert!(is_proved("p/Box.cs", "p/Crate.cs", CS, CS));
    assert!(is_proved("p/Box.cs", "p/Crate.cs", CS, &CS.replace("Box", "Crate")));
    let both = [
        ("p/a.go", Some(GO), None),
        ("p/b.go", None, Some(GO)),
        ("p/c.go", Some("package p\n\nfunc G() {}\n"), None),
        ("p/d.go", None, Some("package p\n\nfunc G() {}\n")),
    ];
    assert!(classify(&both).is_refactor());
}

// REQ 165; threat C4
#[test]
fn a_file_whose_name_or_place_counts_keeps_it() {
    for (from, to) in [
        ("p/a.go", "q/a.go"),
        ("p/a.go", "p/a_test.go"),
        ("p/a_wasm.go", "p/a_other.go"),
        ("p/a_linux_amd64.go", "p/a_linux.go"),
        ("p/a_linux_test.go", "p/a_test.go"),
        ("p/a_darwin.go", "p/a_windows.go"),
        ("p/a.go", "p/_a.go"),
        ("p/a.go", "p/a.txt"),
        ("p/a.py", "p/b.py"),
        ("p/a.ts", "p/b.ts"),
        ("p/a.rs", "p/b.rs"),
    ] {
        assert!(!is_proved(from, to, GO, GO), "{from} {to}");
    }
    for (from, to) in
        [("p/Box.cs", "q/Box.cs"), ("p/Box.cs", "p/Box.g.cs"), ("p/Box.Designer.cs", "p/Box.cs")]
    {
        assert!(!is_proved(from, to, CS, CS), "{from} {to}");
    }
    // It runs before `main`, in the order of the names of files.
    for early in ["func init() {\n\tg(1)\n}\n", "var x = g(1)\n", "var x = <-c\n"] {
        let text = format!("{GO}\n{early}");
        assert!(!is_proved("p/a.go", "p/b.go", &text, &text), "{early}");
    }
    // Its classes go on in other files, in whose order their fields are filled.
    let text = "partial class Box { static int n = m + 1; }\n";
    assert!(!is_proved("p/Box.cs", "p/Crate.cs", text, text));
    // Nobody can tell which is which, or one is really gone.
    assert!(!classify(&[("p/a.go", Some(GO), None)]).is_refactor());
    assert!(
        !classify(&[("p/a.go", Some(GO), None), ("p/b.go", Some(GO), None), ("p/c.go", None, Some(GO))])
            .is_refactor()
    );
    assert!(
        !classify(&[("p/a.go", Some(GO), None), ("p/b.go", None, Some(GO)), ("p/c.go", None, Some(GO))])
            .is_refactor()
    );
}

// REQ 165; threat C4
#[test]
fn a_class_of_java_that_something_looks_for_keeps_its_file() {
    let class = |head: &str, body: &str| {
        format!("package p;\nclass Box{head} {{\n  {body}\n  Box copy() {{ return new Box(); }}\n}}\n")
    };
    let moves = |text: &str| {
        let after = text.replace("class Box", "class Crate").replace("Box copy", "Crate copy");
        is_proved("p/Box.java", "p/Crate.java", text, &after.replace("new Box", "new Crate"))
    };
    assert!(moves(&class("", "int n = 3;")));
    for (head, body) in [
        ("", "public static void main(String[] a) { g(a); }"),
        ("", "native int f();"),
        (" implements java.io.Serializable", ""),
        (" extends Base", ""),
        (" implements Stored", ""),
        ("", "Object f() throws Exception { return Class.forName(\"p.Box\").newInstance(); }"),
    ] {
        assert!(!moves(&class(head, body)), "{head} {body}");
    }
}

// REQ 165
#[test]
fn no_change_planted_into_a_renamed_file_passes() {
    for (from, to, before, after) in
        [("p/a.go", "p/b.go", GO, GO.to_owned()), ("p/Box.cs", "p/Crate.cs", CS, CS.replace("Box", "Crate"))]
    {
        for mutant in mutants(&after) {
            assert!(!is_proved(from, to, before, &mutant), "{mutant}");
        }
    }
}
