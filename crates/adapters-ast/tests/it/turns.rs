//! Sets of files as a turn leaves them: proved as a whole, and not one planted change passes (REQ 165).

#![expect(clippy::unwrap_used, reason = "the paths are written here")]

use bailiwick_domain::{FileChange, Mutation, MutationClassifier, RepoPath};

use crate::mutants::mutants;
use crate::pairs::reader;

type Texts = Vec<(String, String, String)>;

fn classify(files: &Texts) -> Mutation {
    let paths: Vec<RepoPath> = files.iter().map(|(path, ..)| RepoPath::new(path).unwrap()).collect();
    let changes: Vec<FileChange<'_>> = paths
        .iter()
        .zip(files)
        .map(|(path, (_, before, after))| FileChange {
            path,
            before: Some(before.as_bytes()),
            after: Some(after.as_bytes()),
        })
        .collect();
    reader().classify(&changes)
}

fn set(files: &[(&str, &str, &str)]) -> Texts {
    files.iter().map(|(path, before, after)| ((*path).into(), (*before).into(), (*after).into())).collect()
}

const GO: &str =
    "func clamp(n, limit int) int {\n\tif n >= limit {\n\t\treturn limit - 1\n\t}\n\treturn n * 2\n}\n";
const SAYING: &str = "func (b *Box) Say(n int) error {\n\tif n > 3 {\n\t\treturn fmt.Errorf(\"bad %d\", n)\n\t}\n\treturn nil\n}\n";

fn moved() -> Texts {
    set(&[
        ("p/a.go", &format!("package p\n\nfunc First() {{}}\n\n{GO}"), "package p\n\nfunc First() {}\n"),
        ("p/b.go", "package p\n\nfunc Second() {}\n", &format!("package p\n\nfunc Second() {{}}\n\n{GO}")),
    ])
}

fn moved_with_its_import() -> Texts {
    let before = format!(
        "package p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\ntype Box struct{{}}\n\n{SAYING}\nfunc First() {{ os.Exit(1) }}\n"
    );
    let after = "package p\n\nimport \"os\"\n\ntype Box struct{}\n\nfunc First() { os.Exit(1) }\n";
    let there =
        "package p\n\nimport \"strings\"\n\nfunc Second(s string) string { return strings.ToLower(s) }\n";
    let then = format!(
        "package p\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n\nfunc Second(s string) string {{ return strings.ToLower(s) }}\n\n{SAYING}"
    );
    set(&[("p/a.go", &before, after), ("p/b.go", there, &then)])
}

fn renamed() -> Texts {
    let of = |n: usize, name: &str| match n {
        0 => format!(
            "package p\n\nfunc {name}(n int, s string) int {{\n\tif n == 3 {{\n\t\treturn len(s) + 1\n\t}}\n\treturn n - 1\n}}\n"
        ),
        _ => format!("package p\n\nfunc Use{n}(v int) int {{\n\treturn {name}(v+{n}, \"x{n}\") * 2\n}}\n"),
    };
    (0..12).map(|n| (format!("p/f{n}.go"), of(n, "measure"), of(n, "gauge"))).collect()
}

fn turns() -> Vec<Texts> {
    vec![moved(), moved_with_its_import(), renamed()]
}

// REQ 165
#[test]
fn a_move_and_a_rename_over_many_files_are_proved_as_a_whole() {
    for turn in turns() {
        let whole = classify(&turn);
        assert!(whole.is_refactor(), "{}: {:?}", turn[0].0, whole.evidence);
        for one in turn.iter().skip(1) {
            let alone = classify(&vec![one.clone()]);
            assert!(!alone.is_refactor(), "{} alone: {:?}", one.0, alone.method);
        }
    }
    assert_eq!(classify(&moved()).in_a_line(), "AST_REFACTOR, proved: `clamp` moved here from p/a.go");
}

// REQ 165: what a name means depends on the file, the package, and when the file is compiled.
#[test]
fn a_move_that_may_change_what_a_name_means_is_not_proved() {
    let with = |from: &str, to: &str, change: &dyn Fn(&mut Texts)| {
        let mut files = moved_with_its_import();
        (files[0].0, files[1].0) = (from.to_owned(), to.to_owned());
        change(&mut files);
        let found = classify(&files);
        assert!(!found.is_refactor(), "{from} {to}: {:?}\n{}", found.evidence, files[1].2);
    };
    let nothing = |_: &mut Texts| {};
    for (from, to) in
        [("p/a.go", "q/b.go"), ("p/a.go", "p/b_test.go"), ("p/a_linux.go", "p/b.go"), ("p/a.rs", "p/b.rs")]
    {
        with(from, to, &nothing);
    }
    let swap = |at: usize, old: &'static str, new: &'static str| {
        move |files: &mut Texts| files[at].2 = files[at].2.replace(old, new)
    };
    with("p/a.go", "p/b.go", &swap(1, "package p", "package p_test"));
    with("p/a.go", "p/b.go", &swap(1, "\t\"fmt\"", "\tfmt \"example.com/fmt\""));
    with("p/a.go", "p/b.go", &swap(1, "\t\"fmt\"", "\t\"example.com/fmt\""));
    with("p/a.go", "p/b.go", &swap(1, "\t\"fmt\"", "\t\"fmt\"\n\t_ \"embed\""));
    with("p/a.go", "p/b.go", &swap(0, "import \"os\"", "import \"example.com/os\""));
    with("p/a.go", "p/b.go", &|files| {
        let noinline = "//go:noinline\nfunc (b *Box)";
        files[0].1 = files[0].1.replace("func (b *Box)", noinline);
        files[0].2 = files[0].2.replace("func First", "//go:noinline\nfunc First");
    });
    with("p/a.go", "p/b.go", &|files| {
        for (_, before, after) in files.iter_mut() {
            *before = before.replace("(b *Box) Say", "init").replace("(n int) error", "()");
            *after = after.replace("(b *Box) Say", "init").replace("(n int) error", "()");
        }
    });
}

// REQ 165: where each file is a module, loading it runs it, and an import copies what a name stood for at that time.
#[test]
fn a_move_between_modules_is_not_proved() {
    let python = "def _clamp(n):\n    return n * 2\n";
    let script = "export function clamp(n) {\n  return n * 2\n}\n";
    for (first, second, moved, import) in [
        ("p/a.py", "p/b.py", python, "from .b import _clamp\n"),
        ("p/a.ts", "p/b.ts", script, "import { clamp } from './b'\n"),
        ("p/a.js", "p/b.js", script, "import { clamp } from './b'\n"),
    ] {
        let turn = set(&[(first, moved, import), (second, "", moved)]);
        assert!(!classify(&turn).is_refactor(), "{first}");
    }
}

// REQ 165
#[test]
fn no_change_planted_into_a_file_of_a_turn_passes() {
    let (mut planted, mut passed) = (0, Vec::new());
    for turn in turns() {
        for at in 0..turn.len() {
            for mutant in mutants(&turn[at].2) {
                let mut files = turn.clone();
                planted += 1;
                files[at].2 = mutant;
                if classify(&files).is_refactor() {
                    passed.push(format!("{}:\n{}", files[at].0, files[at].2));
                }
            }
        }
    }
    assert!(planted >= 300, "{planted} planted");
    assert!(passed.is_empty(), "{} of {planted} passed:\n{}", passed.len(), passed.join("\n"));
}
