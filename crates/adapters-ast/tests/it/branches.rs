//! Branches that are written in two ways (REQ 165).

use bailiwick_domain::MutationMethod::SameItems;

use crate::pairs::{is_evolution, is_refactor};

// REQ 165
#[test]
fn an_else_behind_a_branch_that_leaves_and_a_negated_condition_are_read_alike() {
    for (path, before, after) in [
        (
            "a.go",
            "package x\nfunc f() int {\n\tif a {\n\t\treturn 1\n\t} else {\n\t\tg()\n\t\treturn 2\n\t}\n}\n",
            "package x\nfunc f() int {\n\tif a {\n\t\treturn 1\n\t}\n\tg()\n\treturn 2\n}\n",
        ),
        (
            "A.java",
            "class A { int f() { if (a) { return 1; } else { g(); } return 2; } }",
            "class A { int f() { if (a) { return 1; } g(); return 2; } }",
        ),
        (
            "a.py",
            "def f():\n    if a:\n        raise E\n    else:\n        b = g()\n        return b\n",
            "def f():\n    if a:\n        raise E\n    b = g()\n    return b\n",
        ),
        (
            "a.ts",
            "export function f() { for (const x of y) { if (x) { g(); continue } else { h(x) } k() } }\n",
            "export function f() { for (const x of y) { if (x) { g(); continue } h(x); k() } }\n",
        ),
        (
            "a.ts",
            "export function f() { if (!(a && b)) { g(); h() } else { k(); m() } }\n",
            "export function f() { if (a && b) { k(); m() } else { g(); h() } }\n",
        ),
        (
            "A.java",
            "class A { void f() { if (a != null) { g(); h(); } else { k(); m(); } } }",
            "class A { void f() { if (a == null) { k(); m(); } else { g(); h(); } } }",
        ),
        (
            "a.py",
            "def f():\n    if not a:\n        g()\n    else:\n        h()\n",
            "def f():\n    if a:\n        h()\n    else:\n        g()\n",
        ),
        (
            "a.go",
            "package x\nfunc f() {\n\tif err != nil {\n\t\tg()\n\t} else {\n\t\th()\n\t}\n}\n",
            "package x\nfunc f() {\n\tif err == nil {\n\t\th()\n\t} else {\n\t\tg()\n\t}\n}\n",
        ),
    ] {
        is_refactor(path, SameItems, before, after);
    }
}

// REQ 165
#[test]
fn branches_that_change_what_runs_are_not() {
    for (path, before, after) in [
        // The first branch does not leave.
        (
            "A.java",
            "class A { int f() { if (a) { k(); } else { g(); } return 2; } }",
            "class A { int f() { if (a) { k(); } g(); return 2; } }",
        ),
        (
            "A.java",
            "class A { int f() { if (a) { if (b) { return 1; } } else { g(); } return 2; } }",
            "class A { int f() { if (a) { if (b) { return 1; } } g(); return 2; } }",
        ),
        // Only one of the condition and the branches was turned.
        (
            "a.ts",
            "export function f() { if (!a) { g() } else { k() } }\n",
            "export function f() { if (a) { g() } else { k() } }\n",
        ),
        (
            "a.ts",
            "export function f() { if (a != b) { g() } else { k() } }\n",
            "export function f() { if (a === b) { k() } else { g() } }\n",
        ),
        (
            "a.ts",
            "export function f() { if (!a && b) { g() } else { k() } }\n",
            "export function f() { if (a && b) { k() } else { g() } }\n",
        ),
        // What is declared would reach further, or hide something before it.
        (
            "a.ts",
            "export function f() { g(x); if (a) { return 1 } else { const x = 2; h(x) } }\n",
            "export function f() { g(x); if (a) { return 1 } const x = 2; h(x) }\n",
        ),
        (
            "a.go",
            "package x\nfunc f() int {\n\tif v := g(); v {\n\t\treturn 1\n\t} else {\n\t\th(v)\n\t}\n\treturn 2\n}\n",
            "package x\nfunc f() int {\n\tif v := g(); v {\n\t\treturn 1\n\t}\n\th(v)\n\treturn 2\n}\n",
        ),
        // `!=` and `not` that a class may define, and a chain.
        (
            "a.py",
            "def f():\n    if a != b:\n        g()\n    else:\n        h()\n",
            "def f():\n    if a == b:\n        h()\n    else:\n        g()\n",
        ),
        (
            "a.cpp",
            "void f() { if (!a) { g(); k(); } else { h(); k(); } }",
            "void f() { if (a) { h(); k(); } else { g(); k(); } }",
        ),
        (
            "a.py",
            "def f():\n    if a:\n        return 1\n    elif b:\n        g()\n    else:\n        h()\n",
            "def f():\n    if a:\n        return 1\n    elif b:\n        g()\n    h()\n",
        ),
        (
            "a.py",
            "def f():\n    if a:\n        return 1\n    else:\n        g()\n",
            "def f():\n    if a:\n        return 1\n        g()\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165
#[test]
fn a_branch_that_is_all_of_another_is_one_with_it() {
    for (path, before, after) in [
        (
            "a.py",
            "def f(a, b):\n    if a:\n        x(1)\n    else:\n        if b:\n            y(2)\n        elif c:\n            w(4)\n        else:\n            z(3)\n",
            "def f(a, b):\n    if a:\n        x(1)\n    elif b:\n        y(2)\n    elif c:\n        w(4)\n    else:\n        z(3)\n",
        ),
        (
            "a.go",
            "package a\nfunc f(a, b bool) {\n\tif a {\n\t\tx(1)\n\t} else {\n\t\tif n := g(); b {\n\t\t\ty(n)\n\t\t}\n\t}\n}\n",
            "package a\nfunc f(a, b bool) {\n\tif a {\n\t\tx(1)\n\t} else if n := g(); b {\n\t\ty(n)\n\t}\n}\n",
        ),
        (
            "a.ts",
            "function f(a, b) {\n  if (a) { x(1) } else { if (b) { y(2) } else { z(3) } }\n}\n",
            "function f(a, b) {\n  if (a) { x(1) } else if (b) { y(2) } else { z(3) }\n}\n",
        ),
        (
            "A.java",
            "class A { void f(boolean a, boolean b) { if (a) { x(1); } else { if (b) { y(2); } else { z(3); } } } }",
            "class A { void f(boolean a, boolean b) { if (a) { x(1); } else if (b) { y(2); } else { z(3); } } }",
        ),
        (
            "a.rs",
            "fn f(a: bool, b: bool) -> u8 { if a { x(1) } else { if b { y(2) } else { z(3) } } }",
            "fn f(a: bool, b: bool) -> u8 { if a { x(1) } else if b { y(2) } else { z(3) } }",
        ),
        (
            "a.c",
            "int f(int a, int b) { if (a) { x(1); } else { if (b) { y(2); } } return 1; }",
            "int f(int a, int b) { if (a) { x(1); } else if (b) { y(2); } return 1; }",
        ),
        (
            "a.cs",
            "class A { void F(bool a, bool b) { if (a) { X(1); } else { if (b) { Y(2); } } } }",
            "class A { void F(bool a, bool b) { if (a) { X(1); } else if (b) { Y(2); } } }",
        ),
        (
            "a.py",
            "def f(a, b, c):\n    if a or c:\n        if b and c:\n            y(2)\n",
            "def f(a, b, c):\n    if (a or c) and b and c:\n        y(2)\n",
        ),
        (
            "a.go",
            "package a\nfunc f(a, b bool) {\n\tif a {\n\t\tif b {\n\t\t\ty(2)\n\t\t}\n\t}\n}\n",
            "package a\nfunc f(a, b bool) {\n\tif a && b {\n\t\ty(2)\n\t}\n}\n",
        ),
        (
            "a.js",
            "function f(a, b) {\n  if (a) {\n    if (b) { y(2) }\n  }\n}\n",
            "function f(a, b) {\n  if (a && b) { y(2) }\n}\n",
        ),
        (
            "A.java",
            "class A { void f(boolean a, boolean b) { if (a) { if (b) { y(2); } } } }",
            "class A { void f(boolean a, boolean b) { if (a && b) { y(2); } } }",
        ),
    ] {
        is_refactor(path, SameItems, before, after);
        for mutant in crate::mutants::mutants(after) {
            let planted = crate::pairs::classify(path, before, &mutant);
            assert!(!planted.is_refactor(), "{mutant}");
        }
    }
}

// REQ 165; threat C4
#[test]
fn a_branch_beside_something_else_stays_where_it_is() {
    for (path, before, after) in [
        // More than the branch stands there.
        (
            "a.py",
            "def f(a, b):\n    if a:\n        x(1)\n    else:\n        if b:\n            y(2)\n        z(3)\n",
            "def f(a, b):\n    if a:\n        x(1)\n    elif b:\n        y(2)\n        z(3)\n",
        ),
        (
            "a.ts",
            "function f(a, b) {\n  if (a) { x(1) } else { if (b) { y(2) } z(3) }\n}\n",
            "function f(a, b) {\n  if (a) { x(1) } else if (b) { y(2) } z(3)\n}\n",
        ),
        // What is done otherwise is done less often.
        (
            "a.go",
            "package a\nfunc f(a, b bool) {\n\tif a {\n\t\tif b {\n\t\t\ty(2)\n\t\t}\n\t} else {\n\t\tz(3)\n\t}\n}\n",
            "package a\nfunc f(a, b bool) {\n\tif a && b {\n\t\ty(2)\n\t} else {\n\t\tz(3)\n\t}\n}\n",
        ),
        (
            "A.java",
            "class A { void f(boolean a, boolean b) { if (a) { if (b) { y(2); } else { z(3); } } } }",
            "class A { void f(boolean a, boolean b) { if (a && b) { y(2); } else { z(3); } } }",
        ),
        // What binds tighter.
        (
            "a.py",
            "def f(a, b, c):\n    if a or c:\n        if b:\n            y(2)\n",
            "def f(a, b, c):\n    if a or c and b:\n        y(2)\n",
        ),
        (
            "a.js",
            "function f(a, b, c) {\n  if (a) {\n    if (b || c) { y(2) }\n  }\n}\n",
            "function f(a, b, c) {\n  if (a && b || c) { y(2) }\n}\n",
        ),
        // Which is asked first.
        (
            "a.js",
            "function f(a, b) {\n  if (a()) {\n    if (b()) { y(2) }\n  }\n}\n",
            "function f(a, b) {\n  if (b() && a()) { y(2) }\n}\n",
        ),
        // The loop's own `else`; what `&&` means is up to a type; a value may live longer.
        (
            "a.py",
            "def f(a, b):\n    for n in a:\n        x(n)\n    else:\n        if b:\n            y(2)\n",
            "def f(a, b):\n    for n in a:\n        x(n)\n    if b:\n        y(2)\n",
        ),
        (
            "a.cpp",
            "void f(A a, A b) { if (a) { if (b) { y(2); } } }",
            "void f(A a, A b) { if (a && b) { y(2); } }",
        ),
        (
            "a.rs",
            "fn f(a: A) { if a.lock().ready() { if a.lock().full() { y(2) } } }",
            "fn f(a: A) { if a.lock().ready() && a.lock().full() { y(2) } }",
        ),
    ] {
        is_evolution(path, before, after);
    }
}
