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
