//! Named units around lines (REQ 122).

use bailiwick_domain::testing::sample::path as path_of;
use bailiwick_domain::{Symbol, SymbolFinder as _, SymbolKind};

use crate::pairs::reader;

fn around(path: &str, text: &str, lines: (usize, usize)) -> Option<Symbol> {
    reader().enclosing(&path_of(path), text, &[lines]).remove(0)
}

#[track_caller]
fn check(path: &str, text: &str, lines: (usize, usize), expected: Option<(&str, SymbolKind)>) {
    let found = around(path, text, lines);
    assert_eq!(found.as_ref().map(|symbol| (symbol.path.as_str(), symbol.kind)), expected);
}

// REQ 122
#[test]
fn the_innermost_named_unit_is_found() {
    use SymbolKind::{Constant, Function, Module, Type};
    let rust = "mod m {\n    impl S {\n        // why\n        fn f() {\n            g();\n        }\n    }\n}\nconst K: u8 = 1;\n";
    check("a.rs", rust, (5, 5), Some(("m.S.f", Function)));
    check("a.rs", rust, (3, 6), Some(("m.S.f", Function)));
    check("a.rs", rust, (2, 2), Some(("m.S", Module)));
    check("a.rs", rust, (9, 9), Some(("K", Constant)));
    check("a.rs", rust, (1, 9), None);
    check("a.py", "class A:\n    def f(self):\n        x = 1\n", (3, 3), Some(("A.f", Function)));
    check("a.ts", "export const f = () => {\n  const x = 1\n}\n", (2, 2), Some(("f", Constant)));
    check("a.go", "package x\nfunc (t *T) M() {\n\tg()\n}\n", (3, 3), Some(("T.M", Function)));
    check("A.java", "class A {\n  int f() {\n    return 1;\n  }\n}\n", (3, 3), Some(("A.f", Function)));
    check("a.cpp", "int C::f() {\n  return 1;\n}\n", (2, 2), Some(("C::f", Function)));
    check(
        "a.rb",
        "module M\n  class C\n    def f\n      1\n    end\n  end\nend\n",
        (4, 4),
        Some(("M.C.f", Function)),
    );
    check("a.cs", "class A {\n  void F() {\n    x();\n  }\n}\n", (3, 3), Some(("A.F", Function)));
    check("a.php", "<?php\nclass A {\n  function f() {\n    x();\n  }\n}\n", (4, 4), Some(("A.f", Function)));
    check("a.py", "class A:\n    x = 1\n", (1, 1), Some(("A", Type)));
}

// REQ 122
#[test]
fn unknown_texts_and_lines_have_no_symbol() {
    check("a.txt", "fn f() {}\n", (1, 1), None);
    check("a.rs", "fn f() {}\n", (7, 9), None);
    check("a.rs", "fn f() {}\n", (0, 0), None);
}

// REQ 122, REQ 163
#[test]
fn the_structural_hash_survives_moving_and_formatting_only() {
    let hash = |text: &str, line| around("a.rs", text, (line, line)).unwrap().structural_hash;
    let plain = hash("fn f() { g(1) }\n", 1);
    assert_eq!(plain, hash("use x;\n\n// why\nfn f() {\n    g(1)\n}\n", 5));
    assert_ne!(plain, hash("fn f() { g(2) }\n", 1));
    assert_ne!(plain, hash("fn f() { g(1); }\n", 1));
}
