//! What is proved by writing a name out, and what is not (REQ 165).

use bailiwick_domain::MutationMethod::Expanded;

use crate::pairs::{is_evolution, is_refactor};

// REQ 165
#[test]
fn functions_constants_and_variables_may_be_extracted_and_put_in_place() {
    for (path, before, after) in [
        (
            "A.java",
            "class A { void f() { t = g(); h = i(); k(); } }",
            "class A { void f() { s(); k(); } private void s() { t = g(); h = i(); } }",
        ),
        (
            "A.java",
            "class A { void f() { if (x) { t = g(); h = i(); } } }",
            "class A { void f() { if (x) { s(); } } private void s() { t = g(); h = i(); } }",
        ),
        (
            "A.java",
            "class A { boolean f(String a) { return g(a) && (a.length() == 2 || h(a)); } }",
            "class A { boolean f(String a) { return g(a) && (two(a) || h(a)); } private static boolean two(final String s) { return s.length() == 2; } }",
        ),
        (
            "A.java",
            "class A { int f() { String a = g(); return h(a, b); } }",
            "class A { int f() { return h(g(), b); } }",
        ),
        (
            "a.py",
            "def f(v):\n    return v.decode('x')\n",
            "def f(v):\n    return _d(v)\n\n\ndef _d(w):\n    return w.decode('x')\n",
        ),
        (
            "a.go",
            "package x\nfunc f() { g(\"a b\") }\n",
            "package x\nconst name = \"a b\"\nfunc f() { g(name) }\n",
        ),
        (
            "a.go",
            "package x\nfunc f() { g(32, 2.5) }\n",
            "package x\nconst size = 32\nconst rate = 2.5\nfunc f() { g(size, rate) }\n",
        ),
        (
            "a.ts",
            "export function f() { return g(5) }\n",
            "const limit = 5\nexport function f() { return g(limit) }\n",
        ),
        (
            "a.py",
            "def f():\n    return g('a', 7)\n",
            "_NAME = 'a'\n_SIZE = 7\n\n\ndef f():\n    return g(_NAME, _SIZE)\n",
        ),
        (
            "a.rs",
            "fn f() { g(\"a\", 'c') }\n",
            "const NAME: &str = \"a\";\nconst SIGN: char = 'c';\nfn f() { g(NAME, SIGN) }\n",
        ),
        (
            "A.java",
            "class A { int f() { return g(\"a\", 5, 7L, true); } }",
            "class A { private static final String NAME = \"a\"; private static final int SIZE = 5; private static final long LONG = 7L; private static final boolean ON = true; int f() { return g(NAME, SIZE, LONG, ON); } }",
        ),
        (
            "A.java",
            "class A { private static final String NAME = \"a\"; String f() { return NAME + g(NAME); } }",
            "class A { String f() { return \"a\" + g(\"a\"); } }",
        ),
        (
            "a.go",
            "package x\nfunc f(c *C) { g(c.R.Get(\"x\")) }\n",
            "package x\nfunc f(c *C) { g(c.r(\"x\")) }\nfunc (c *C) r(key string) string { return c.R.Get(key) }\n",
        ),
        (
            "a.ts",
            "export function f(a) { return g(a.b) }\n",
            "export function f(a) { return h(a) }\nfunction h(c) { return g(c.b) }\n",
        ),
        ("a.ts", "function f() { const a = g(); return h(a) }\n", "function f() { return h(g()) }\n"),
    ] {
        is_refactor(path, Expanded, before, after);
    }
}

// REQ 165
#[test]
fn an_extraction_that_changes_something_is_none() {
    for (path, before, after) in [
        // A literal on the way.
        (
            "a.py",
            "def f(x):\n    y = x + 1\n    print(y)\n    return y\n",
            "def f(x):\n    y = x + 2\n    show(y)\n    return y\n\n\ndef show(v):\n    print(v)\n",
        ),
        // The order of evaluation.
        (
            "a.js",
            "function f() {\n  const a = g()\n  h()\n  return a\n}\n",
            "function f() {\n  h()\n  return g()\n}\n",
        ),
        ("a.js", "function f() { const a = g(); return x.y + a }", "function f() { return x.y + g() }"),
        ("a.js", "function f() { const a = g(); return h(i(), a) }", "function f() { return h(i(), g()) }"),
        ("a.js", "function f() { const a = g(); if (x) { k(a) } }", "function f() { if (x) { k(g()) } }"),
        ("a.js", "function f() { const a = g(); return () => a }", "function f() { return () => g() }"),
        ("a.js", "function f() { const a = g(); while (h(a)) {} }", "function f() { while (h(g())) {} }"),
        // Evaluated twice.
        ("a.js", "function f() { const a = g(); return h(a, a) }", "function f() { return h(g(), g()) }"),
        (
            "a.py",
            "def f():\n    return g(h() + h())\n",
            "def f():\n    return _s(h())\n\n\ndef _s(v):\n    return g(v + v)\n",
        ),
        // Swapped arguments.
        (
            "a.py",
            "def f(a, b):\n    return g(a - b)\n",
            "def f(a, b):\n    return _s(b, a)\n\n\ndef _s(x, y):\n    return g(x - y)\n",
        ),
        // A name that means something else there.
        (
            "a.py",
            "def f(a):\n    k = 1\n    return g(a, k)\n",
            "def f(a):\n    k = 1\n    return _s(a)\n\n\ndef _s(v):\n    return g(v, k)\n",
        ),
        // Conversions.
        (
            "A.java",
            "class A { int f(int a) { return g(a / 2); } }",
            "class A { int f(int a) { return g(half(a)); } private double half(double v) { return v / 2; } }",
        ),
        (
            "A.java",
            "class A { int f(int a, int b) { return g(a / b); } }",
            "class A { int f(int a, int b) { return g(d(a, b)); } private double d(int a, int b) { return a / b; } }",
        ),
        (
            "A.java",
            "class A { int f() { int a = g(); return h(a); } }",
            "class A { int f() { return h(g()); } }",
        ),
        // An early return.
        (
            "a.js",
            "function f() { if (x) return; k() }",
            "function f() { s(); k() }\nfunction s() { if (x) return }",
        ),
        // `this`.
        (
            "a.js",
            "class A { f() { return g(this.x) } }",
            "class A { f() { return s() } }\nfunction s() { return g(this.x) }",
        ),
        // Another receiver.
        (
            "a.go",
            "package x\nfunc f(c *C, d *D) { g(c.R.Get(\"x\")) }\n",
            "package x\nfunc f(c *C, d *D) { g(d.r(\"x\")) }\nfunc (c *C) r(key string) string { return c.R.Get(key) }\n",
        ),
        // Public, decorated, asynchronous.
        (
            "a.ts",
            "function f(a) { return g(a.b) }\n",
            "function f(a) { return h(a) }\nexport function h(c) { return g(c.b) }\n",
        ),
        (
            "a.py",
            "def f(v):\n    return g(v)\n",
            "def f(v):\n    return _s(v)\n\n\n@cache\ndef _s(w):\n    return g(w)\n",
        ),
        (
            "a.ts",
            "function f(a) { return g(a.b) }\n",
            "function f(a) { return h(a) }\nasync function h(c) { return g(c.b) }\n",
        ),
        // A constant of another text, an exported one, one that is hidden.
        (
            "a.go",
            "package x\nfunc f() { g(\"a\") }\n",
            "package x\nconst name = \"b\"\nfunc f() { g(name) }\n",
        ),
        (
            "a.go",
            "package x\nfunc f() { g(\"a\") }\n",
            "package x\nconst Name = \"a\"\nfunc f() { g(Name) }\n",
        ),
        (
            "a.go",
            "package x\nfunc f(v string) { g(v) }\n",
            "package x\nconst name = \"a\"\nfunc f(name string) { g(name) }\n",
        ),
        // A constant that converts, that others may name, that nothing mentions, or that is looked up by its name.
        (
            "A.java",
            "class A { void f() { g(5); } }",
            "class A { private static final long SIZE = 5; void f() { g(SIZE); } }",
        ),
        (
            "A.java",
            "class A { void f() { g(5); } }",
            "class A { private static final Integer SIZE = 5; void f() { g(SIZE); } }",
        ),
        (
            "A.java",
            "class A { void f() { g(5); } }",
            "class A { static final int SIZE = 5; void f() { g(SIZE); } }",
        ),
        (
            "A.java",
            "class A { void f() { g(5); } }",
            "class A { private static int size = 5; void f() { g(size); } }",
        ),
        (
            "A.java",
            "class A { void f() { g(5); } }",
            "class A { private static final int SIZE = 6; void f() { g(SIZE); } }",
        ),
        (
            "A.java",
            "class A { void f() { g(); } }",
            "class A { private static final int SIZE = 5; void f() { g(); } }",
        ),
        (
            "A.java",
            "class A { long f() { return 1L; } }",
            "class A { private static final long serialVersionUID = 1L; long f() { return serialVersionUID; } }",
        ),
        (
            "A.java",
            "class A { void f() { new B() { int h() { return 5; } }; } }",
            "class A { private static final int SIZE = 5; void f() { new B() { int h() { return SIZE; } }; } }",
        ),
        (
            "A.java",
            "class A { void f() { g(5); } }",
            "class A { @Inject private static final int SIZE = 5; void f() { g(SIZE); } }",
        ),
        ("a.rs", "fn f() { g(5) }\n", "const SIZE: u64 = 5;\nfn f() { g(SIZE) }\n"),
        ("a.rs", "fn f() { g(\"a\") }\n", "pub const NAME: &str = \"a\";\nfn f() { g(NAME) }\n"),
        (
            "a.rs",
            "fn f() { assert!(g(\"a\")) }\n",
            "const NAME: &str = \"a\";\nfn f() { assert!(g(NAME)) }\n",
        ),
        (
            "a.rs",
            "#[cfg(test)]\nfn f() { g(\"a\") }\n",
            "#[cfg(test)]\nconst NAME: &str = \"a\";\nfn f() { g(NAME) }\n",
        ),
        ("a.rs", "fn f() { g(\"a\") }\n", "static NAME: &str = \"a\";\nfn f() { g(NAME) }\n"),
        ("a.py", "def f():\n    return g('a')\n", "NAME = 'a'\n\n\ndef f():\n    return g(NAME)\n"),
        (
            "a.py",
            "def f():\n    return g(f'{h()}')\n",
            "_NAME = f'{h()}'\n\n\ndef f():\n    return g(_NAME)\n",
        ),
        (
            "a.py",
            "def f(x):\n    match x:\n        case 'a':\n            g()\n",
            "_NAME = 'a'\n\n\ndef f(x):\n    match x:\n        case _NAME:\n            g()\n",
        ),
        ("a.py", "def f():\n    return g('a')\n", "def f():\n    return g(_NAME)\n\n\n_NAME = 'a'\n"),
        (
            "a.go",
            "package x\nfunc f() { g(32) }\n",
            "package x\nconst size int64 = 32\nfunc f() { g(size) }\n",
        ),
        ("a.go", "package x\nfunc f() { g(32) }\n", "package x\nvar size = 32\nfunc f() { g(size) }\n"),
        (
            "a.ts",
            "export function f() { return g(5) }\n",
            "let limit = 5\nexport function f() { return g(limit) }\n",
        ),
        // A new function that nothing calls, or that is called besides.
        (
            "a.py",
            "def f(v):\n    return g(v)\n",
            "def f(v):\n    return g(v)\n\n\ndef _s(w):\n    return g(w)\n",
        ),
        ("a.js", "function f() { k() }", "function f() { k(); s() }\nfunction s() { k() }"),
    ] {
        is_evolution(path, before, after);
    }
}
