//! Sets of files as a turn leaves them: proved as a whole, and not one planted change passes (REQ 165).

#![expect(clippy::unwrap_used, reason = "the paths are written here")]

use bailiwick_adapters_ast::AstReader;
use bailiwick_domain::{FileChange, Mutation, MutationClassifier, RepoPath};

use crate::mutants::mutants;

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
    AstReader::default().classify(&changes)
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

const TS: &str = "function clamp(n: number, most: number): number {\n  if (n >= most) {\n    return floor(most) - 1\n  }\n  return n * 2\n}\n";

fn moved_module() -> Texts {
    let first = "export const first = (n: number) => clamp(n, 3)\n";
    let before = format!("import {{ floor, ceil }} from './math'\n\n{TS}\n{first}export const last = ceil\n");
    let after = format!(
        "import {{ ceil }} from './math'\nimport {{ clamp }} from './tools'\n\n{first}export const last = ceil\n"
    );
    let tools = "export function other(n: number) {\n  return n + 4\n}\n";
    let then = format!("import {{ floor }} from './math'\n\n{tools}\nexport {TS}");
    set(&[("p/a.ts", &before, &after), ("p/tools.ts", tools, &then)])
}

const PY: &str =
    "def _clamp(n, most=4):\n    if n >= most:\n        return floor(most) - 1\n    return n * 2\n";

fn moved_in_python() -> Texts {
    let first = "def first(n):\n    return _clamp(n, 3)\n";
    let before = format!("from math import floor\n\n\n{PY}\n\n{first}");
    let after = format!("from .tools import _clamp\n\n\n{first}");
    let tools = "def other(n):\n    return n + 4\n";
    let then = format!("from math import floor\n\n\n{tools}\n\n{PY}");
    set(&[("p/a.py", &before, &after), ("p/tools.py", tools, &then)])
}

fn turns() -> Vec<Texts> {
    vec![moved(), moved_with_its_import(), moved_module(), moved_in_python(), renamed()]
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

// REQ 165: where each file is a module, a name means what its own file says.
#[test]
fn a_move_between_modules_that_may_change_a_meaning_is_not_proved() {
    type Change = (usize, bool, &'static str, &'static str);
    let refused = |files: fn() -> Texts, changes: &[Change]| {
        let mut turn = files();
        for (at, is_after, old, new) in changes {
            let text = if *is_after { &mut turn[*at].2 } else { &mut turn[*at].1 };
            assert!(text.contains(old), "{old} in {text}");
            *text = text.replace(old, new);
        }
        let found = classify(&turn);
        assert!(!found.is_refactor(), "{changes:?}: {:?}", found.evidence);
    };
    let both =
        |at: usize, old: &'static str, new: &'static str| [(at, false, old, new), (at, true, old, new)];
    // A name of what moved stands for something else there, or for nothing.
    refused(moved_module, &[(1, true, "'./math'", "'./maths'")]);
    refused(moved_module, &[(1, true, "{ floor }", "{ ceil as floor }")]);
    refused(moved_module, &[(1, true, "import { floor } from './math'\n", "")]);
    refused(moved_module, &both(1, "other", "floor"));
    refused(
        moved_module,
        &[
            (0, false, "import { floor, ceil }", "const floor = 1\nimport { ceil }"),
            (0, true, "first", "first"),
        ],
    );
    refused(moved_in_python, &[(1, true, "from math import floor", "from cmath import floor")]);
    refused(moved_in_python, &[(1, true, "from math import floor", "from math import *")]);
    refused(moved_in_python, &[(0, false, "from math import floor", "floor = 1")]);
    // A name of what stayed stands for something else.
    refused(moved_module, &[(0, true, "from './tools'", "from './tool'")]);
    refused(moved_module, &[(0, true, "{ clamp }", "{ other as clamp }")]);
    refused(moved_module, &[(0, true, "{ ceil } from './math'", "{ ceil } from './maths'")]);
    refused(moved_in_python, &[(0, true, "from .tools", "from tools.tools")]);
    refused(moved_in_python, &[(0, true, "import _clamp", "import other as _clamp")]);
    // It asks where it is, or its module is given a name by another function.
    for own in ["this", "import.meta", "require(most)", "eval(most)"] {
        let mut turn = moved_module();
        turn[0].1 = turn[0].1.replace("floor(most)", own);
        turn[1].2 = turn[1].2.replace("floor(most)", own);
        assert!(!classify(&turn).is_refactor(), "{own}");
    }
    let mut turn = moved_in_python();
    turn[0].1 = turn[0].1.replace("floor(most)", "cache") + "\n\ndef g():\n    global cache\n    cache = 1\n";
    turn[0].2 += "\n\ndef g():\n    global cache\n    cache = 1\n";
    turn[1].2 = turn[1].2.replace("floor(most)", "cache");
    assert!(!classify(&turn).is_refactor());
    // Loading the other module runs something, or one that was loaded is no more.
    refused(moved_module, &both(1, "export function other", "start()\nexport function other"));
    refused(moved_module, &[(0, false, "import {", "import './side'\nimport {")]);
    refused(
        moved_module,
        &[(
            0,
            false,
            "import { floor, ceil } from './math'",
            "import { floor, ceil } from './math'\nimport { x } from './x'",
        )],
    );
    // Others could import it from where it was.
    refused(
        moved_module,
        &[
            (0, false, "function clamp", "export function clamp"),
            (0, false, "clamp(n, 3)", "n"),
            (0, true, "clamp(n, 3)", "n"),
            (0, true, "import { clamp } from './tools'\n", ""),
        ],
    );
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
