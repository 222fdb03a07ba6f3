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
            "a.rs",
            "fn f(a: usize) -> usize { if a > 4 { a * 2 } else { a + 4 } }\n",
            "const SIZE: usize = 4;\nfn f(a: usize) -> usize { if a > SIZE { a * 2 } else { a + SIZE } }\n",
        ),
        (
            "A.java",
            "class A { String f() { return getClass().name() + h(getClass().name()); } }",
            "class A { String f() { return name() + h(name()); } private String name() { return getClass().name(); } }",
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
        ("a.rs", "fn f() -> u8 { (1 + 5).g() }\n", "const SIZE: u64 = 5;\nfn f() -> u8 { (1 + SIZE).g() }\n"),
        (
            "a.rs",
            "fn f(a: f64) -> f64 { g(5, a) }\n",
            "const SIZE: i64 = 5;\nfn f(a: f64) -> f64 { g(SIZE, a) }\n",
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

// REQ 165
#[test]
fn a_body_may_stand_for_its_call_wherever_it_leaves_no_more_than_the_call_did() {
    for (path, before, after) in [
        // All of a body, where the caller gives back what it does.
        (
            "A.java",
            "class A { int f(int a) { if (a > 1) { return g(a); } while (h()) { k(); } return 3; } }",
            "class A { int f(int a) { return s(a); } private int s(int n) { if (n > 1) { return g(n); } while (h()) { k(); } return 3; } }",
        ),
        (
            "a.py",
            "class A:\n    def f(self, a):\n        k()\n        if a:\n            return self.x\n        for b in a:\n            g(b)\n        return None\n",
            "class A:\n    def f(self, a):\n        k()\n        return self._s(a)\n\n    def _s(self, v):\n        if v:\n            return self.x\n        for b in v:\n            g(b)\n        return None\n",
        ),
        (
            "a.go",
            "package x\nfunc (c *C) F(a int) (int, error) {\n\tg()\n\tif a > 1 {\n\t\treturn 0, c.e\n\t}\n\treturn a, nil\n}\n",
            "package x\nfunc (c *C) F(a int) (int, error) {\n\tg()\n\treturn c.s(a)\n}\nfunc (d *C) s(a int) (int, error) {\n\tif a > 1 {\n\t\treturn 0, d.e\n\t}\n\treturn a, nil\n}\n",
        ),
        (
            "a.rs",
            "pub fn f(a: &A) -> Result<u8, E> { g()?; let b = a.h()?; if b > 1 { return Ok(b); } Ok(2) }\n",
            "pub fn f(a: &A) -> Result<u8, E> { g()?; s(a) }\nfn s(n: &A) -> Result<u8, E> { let b = n.h()?; if b > 1 { return Ok(b); } Ok(2) }\n",
        ),
        (
            "a.ts",
            "export class A { f(a: B) { g(); if (a) { return 1 } return this.x } }\n",
            "export class A { f(a: B) { g(); return this.s(a) } private s(b: B) { if (b) { return 1 } return this.x } }\n",
        ),
        (
            "a.cs",
            "class A { public int F(string a) { G(); if (a == \"b\") { return 1; } return H(a); } }",
            "class A { public int F(string a) { G(); return S(a); } private int S(string b) { if (b == \"b\") { return 1; } return H(b); } }",
        ),
        (
            "a.c",
            "int f(struct a *b) { g(); if (b->c == 1) { return 2; } return h(b); }",
            "static int s(struct a *d) { if (d->c == 1) { return 2; } return h(d); }\nint f(struct a *b) { g(); return s(b); }",
        ),
        // Statements.
        (
            "a.rs",
            "impl A { pub fn f(&mut self, a: u8) { self.b.push(a); g(a); h(); } }\n",
            "impl A { pub fn f(&mut self, a: u8) { self.s(a); h(); } fn s(&mut self, n: u8) { self.b.push(n); g(n); } }\n",
        ),
        (
            "a.rs",
            "pub fn f(a: &A) -> Result<(), E> { a.g()?; a.h()?; k(); Ok(()) }\n",
            "pub fn f(a: &A) -> Result<(), E> { s(a)?; k(); Ok(()) }\nfn s(a: &A) -> Result<(), E> { a.g()?; a.h()?; Ok(()) }\n",
        ),
        (
            "a.ts",
            "export class A { f() { this.b = 1; g(this.b); h() } }\n",
            "export class A { f() { this.#s(); h() } #s() { this.b = 1; g(this.b) } }\n",
        ),
        (
            "a.cs",
            "class A { public void F(B b) { b.C(); G(b); H(); } }",
            "class A { public void F(B b) { S(b); H(); } private void S(B c) { c.C(); G(c); } }",
        ),
        (
            "a.c",
            "void f(struct a *b) { g(b); h(b, 1); k(); }",
            "static void s(struct a *c) { g(c); h(c, 1); }\nvoid f(struct a *b) { s(b); k(); }",
        ),
        // Statements and the value at the end.
        (
            "A.java",
            "class A { void f(String a) { B b = g(a); b.c(); h(b); } }",
            "class A { void f(String a) { B b = s(a); h(b); } private B s(String n) { B c = g(n); c.c(); return c; } }",
        ),
        (
            "a.py",
            "def f(a):\n    b = g(a)\n    b.c()\n    h(b)\n",
            "def f(a):\n    b = _s(a)\n    h(b)\n\n\ndef _s(v):\n    w = g(v)\n    w.c()\n    return w\n",
        ),
        (
            "a.js",
            "function f(a) { const b = g(a); k(b); const c = b + 1; return h(c) }\n",
            "function f(a) { const c = s(a); return h(c) }\nfunction s(n) { const b = g(n); k(b); return b + 1 }\n",
        ),
        (
            "a.rs",
            "pub fn f(a: &A) { let b = &a.g; b.k(); let c = b.m(); h(c); }\n",
            "pub fn f(a: &A) { let c = s(a); h(c); }\nfn s(n: &A) -> C { let b = &n.g; b.k(); b.m() }\n",
        ),
        // A name that both have.
        (
            "a.js",
            "function f(a) { { const b = 1; g(b) } { const b = a; k(b); h(b) } m() }\n",
            "function f(a) { { const b = 1; g(b) } { s(a) } m() }\nfunction s(a) { const b = a; k(b); h(b) }\n",
        ),
        // A value, and a member of the receiver that is read before anything runs.
        (
            "a.rs",
            "pub fn f(a: &A) -> u8 { g(a.b(1) + 2) }\n",
            "pub fn f(a: &A) -> u8 { g(s(a)) }\nfn s(c: &A) -> u8 { c.b(1) + 2 }\n",
        ),
        (
            "a.ts",
            "class A { f() { return g(this.b.c(1)) } }\n",
            "class A { f() { return g(s(this.b)) } }\nfunction s(d) { return d.c(1) }\n",
        ),
        (
            "a.cs",
            "class A { public bool F(B b) { return G() && b.C == 1; } }",
            "class A { public bool F(B b) { return G() && S(b); } static bool S(B d) => d.C == 1; }",
        ),
    ] {
        is_refactor(path, Expanded, before, after);
    }
}

// REQ 165
#[test]
fn a_body_that_leaves_more_or_runs_at_another_time_is_not_its_call() {
    for (path, before, after) in [
        // What leaves the function leaves the caller.
        (
            "A.java",
            "class A { void f(int a) { if (a > 1) { return; } g(); } }",
            "class A { void f(int a) { s(a); g(); } private void s(int n) { if (n > 1) { return; } } }",
        ),
        (
            "a.py",
            "def f(a):\n    if a:\n        return 1\n    g()\n    return 2\n",
            "def f(a):\n    _s(a)\n    g()\n    return 2\n\n\ndef _s(v):\n    if v:\n        return 1\n",
        ),
        (
            "a.rs",
            "pub fn f(a: &A) -> Result<(), E> { a.g()?; k(); Ok(()) }\n",
            "pub fn f(a: &A) -> Result<(), E> { let _ = s(a); k(); Ok(()) }\nfn s(a: &A) -> Result<(), E> { a.g()?; Ok(()) }\n",
        ),
        // The end of the body falls through.
        (
            "a.js",
            "function f(a) { if (a) { if (a.b) { return 1 } } return 2 }\n",
            "function f(a) { if (a) { return s(a) } return 2 }\nfunction s(a) { if (a.b) { return 1 } }\n",
        ),
        // Another failure, another result.
        (
            "a.rs",
            "pub fn f(a: &A) -> Result<(), E> { a.g()?; k(); Ok(()) }\n",
            "pub fn f(a: &A) -> Result<(), E> { s(a)?; k(); Ok(()) }\nfn s(a: &A) -> Result<(), D> { a.g()?; Ok(()) }\n",
        ),
        (
            "A.java",
            "class A { long f(int a) { k(); return a * 2; } }",
            "class A { long f(int a) { k(); return s(a); } private int s(int n) { return n * 2; } }",
        ),
        (
            "a.c",
            "long f(int a) { k(); return a * 2; }",
            "static int s(int n) { return n * 2; }\nlong f(int a) { k(); return s(a); }",
        ),
        // A jump out of the caller's loop.
        (
            "a.js",
            "function f(a) { for (const b of a) { if (b) { break } g(b) } }\n",
            "function f(a) { for (const b of a) { s(b); g(b) } }\nfunction s(b) { if (b) { break } }\n",
        ),
        // A parameter that gets another value, a caller's variable that changes before it is read.
        (
            "a.py",
            "def f(a):\n    a += 1\n    g(a)\n    return a\n",
            "def f(a):\n    _s(a)\n    return a\n\n\ndef _s(v):\n    v += 1\n    g(v)\n",
        ),
        (
            "a.js",
            "function f() { let a = 1; g(() => a); a = 2 }\n",
            "function f() { let a = 1; s(a); a = 2 }\nfunction s(n) { g(() => n) }\n",
        ),
        (
            "a.ts",
            "class A { f() { g(); return this.b + h() } }\n",
            "class A { f() { return s(this.b) } }\nfunction s(n) { g(); return n + h() }\n",
        ),
        (
            "a.ts",
            "class A { f() { return g(h(), this.b) } }\n",
            "class A { f() { return s(this.b) } }\nfunction s(n) { return g(h(), n) }\n",
        ),
        (
            "a.ts",
            "class A { f() { return k && this.b.c() } }\n",
            "class A { f() { return s(this.b) } }\nfunction s(n) { return k && n.c() }\n",
        ),
        // Another object, another class, a method that a subclass may change.
        (
            "a.py",
            "class A:\n    def f(self, o):\n        g(self.x)\n        h(o)\n",
            "class A:\n    def f(self, o):\n        o._s()\n        h(o)\n\n    def _s(self):\n        g(self.x)\n",
        ),
        (
            "a.ts",
            "class A { f() { g(this.x); h() } }\nclass B {}\n",
            "class A { f() { this._s(); h() } }\nclass B { _s() { g(this.x) } }\n",
        ),
        // A public one, an attributed one, one of a trait.
        (
            "a.rs",
            "pub fn f(a: u8) { g(a); h(a); k(); }\n",
            "pub fn f(a: u8) { s(a); k(); }\npub fn s(a: u8) { g(a); h(a); }\n",
        ),
        (
            "a.rs",
            "pub fn f(a: u8) { g(a); h(a); k(); }\n",
            "pub fn f(a: u8) { s(a); k(); }\n#[track_caller]\nfn s(a: u8) { g(a); h(a); }\n",
        ),
        (
            "a.c",
            "void f(int a) { g(a); h(a); k(); }",
            "void s(int a) { g(a); h(a); }\nvoid f(int a) { s(a); k(); }",
        ),
        (
            "a.cs",
            "class A { public void F(int a) { G(a); H(a); K(); } }",
            "class A { public void F(int a) { S(a); K(); } public void S(int a) { G(a); H(a); } }",
        ),
        // Conversions.
        (
            "a.c",
            "void f(int a) { g(a); h(a); k(); }",
            "static void s(char a) { g(a); h(a); }\nvoid f(int a) { s(a); k(); }",
        ),
        (
            "a.cs",
            "class A { public void F(int a) { G(a); H(a); K(); } }",
            "class A { public void F(int a) { S(a); K(); } void S(object a) { G(a); H(a); } }",
        ),
        (
            "a.cs",
            "class A { public void F(int a) { a = 1; H(a); } }",
            "class A { public void F(int a) { S(ref a); H(a); } void S(ref int a) { a = 1; } }",
        ),
        // What takes the value was known before.
        (
            "a.py",
            "def f(b):\n    b = g(b)\n    k(b)\n    return b\n",
            "def f(b):\n    b = _s(b)\n    return b\n\n\ndef _s(v):\n    w = g(v)\n    k(v)\n    return w\n",
        ),
        // A name inside a text.
        (
            "a.rs",
            "pub fn f(a: u8, b: u8) { println!(\"{a}\"); g(b); h(); }\n",
            "pub fn f(a: u8, b: u8) { s(b, a); h(); }\nfn s(a: u8, b: u8) { println!(\"{a}\"); g(b); }\n",
        ),
        // What the function keeps between its calls.
        (
            "a.c",
            "void f(void) { static int n; n++; g(n); k(); }\nvoid h(void) { static int n; n++; g(n); m(); }",
            "static void s(void) { static int n; n++; g(n); }\nvoid f(void) { s(); k(); }\nvoid h(void) { s(); m(); }",
        ),
        // The arguments are the other way round.
        (
            "a.rs",
            "pub fn f(a: u8, b: u8) { g(a - b); h(); k(); }\n",
            "pub fn f(a: u8, b: u8) { s(b, a); k(); }\nfn s(x: u8, y: u8) { g(x - y); h(); }\n",
        ),
        (
            "a.c",
            "void f(int a, int b) { g(a - b); h(); k(); }",
            "static void s(int x, int y) { g(x - y); h(); }\nvoid f(int a, int b) { s(b, a); k(); }",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165
#[test]
fn a_variable_may_go_where_its_value_is_the_first_thing_that_is_evaluated() {
    for (path, before, after) in [
        (
            "A.java",
            "class A { Object f() { final Object e = c != null ? c : g(); return e; } }",
            "class A { Object f() { return c != null ? c : g(); } }",
        ),
        (
            "A.java",
            "class A { long f(Object o) { FileInputStream s = (FileInputStream) o; return s.k().size(); } }",
            "class A { long f(Object o) { return ((FileInputStream) o).k().size(); } }",
        ),
        (
            "A.java",
            "class A { void f() { boolean g = g(); if (g) { h(); } } }",
            "class A { void f() { if (g()) { h(); } } }",
        ),
        (
            "A.java",
            "class A { void f(B b) { String s = g(); b.h(s, 1); } }",
            "class A { void f(B b) { b.h(g(), 1); } }",
        ),
        (
            "a.go",
            "package x\nfunc f() int {\n\ty := g(1)\n\treturn h(y, 2)\n}\n",
            "package x\nfunc f() int {\n\treturn h(g(1), 2)\n}\n",
        ),
        (
            "a.go",
            "package x\nfunc f(a A) {\n\tb := a.b()\n\tfor _, c := range b {\n\t\tg(c)\n\t}\n}\n",
            "package x\nfunc f(a A) {\n\tfor _, c := range a.b() {\n\t\tg(c)\n\t}\n}\n",
        ),
        ("a.rs", "fn f(a: A) -> B { let x = a.g(); h(x) }\n", "fn f(a: A) -> B { h(a.g()) }\n"),
        ("a.rs", "fn f(a: A) { let x = a.g(); if x { h(); } }\n", "fn f(a: A) { if a.g() { h(); } }\n"),
        (
            "a.cs",
            "class A { int F() { var y = G(1); return H(y); } }",
            "class A { int F() { return H(G(1)); } }",
        ),
        (
            "a.py",
            "def f(self):\n    y = g(1)\n    if y.k():\n        h()\n",
            "def f(self):\n    if g(1).k():\n        h()\n",
        ),
        ("a.py", "def f(self):\n    y = g(1)\n    self.z = y + 1\n", "def f(self):\n    self.z = g(1) + 1\n"),
        (
            "a.ts",
            "async function f() { const y = await g(1); return y.k }\n",
            "async function f() { return (await g(1)).k }\n",
        ),
        (
            "a.ts",
            "function f() { const y = g(1); for (const z of y) { h(z) } }\n",
            "function f() { for (const z of g(1)) { h(z) } }\n",
        ),
    ] {
        is_refactor(path, Expanded, before, after);
    }
}

// REQ 165
#[test]
fn a_variable_stays_where_its_value_would_be_evaluated_later_or_converted() {
    for (path, before, after) in [
        ("A.java", "class A { long f() { int e = g(); return e; } }", "class A { long f() { return g(); } }"),
        (
            "A.java",
            "class A { Object f() { int e = g(); return e; } }",
            "class A { Object f() { return g(); } }",
        ),
        ("A.java", "class A { void f() { Object o = g(); h(o); } }", "class A { void f() { h(g()); } }"),
        ("A.java", "class A { void f() { String s = g(); b.h(s); } }", "class A { void f() { b.h(g()); } }"),
        (
            "A.java",
            "class A { void f() { String s = g(); h(k(), s); } }",
            "class A { void f() { h(k(), g()); } }",
        ),
        (
            "A.java",
            "class A { Runnable f() { String s = g(); return () -> h(s); } }",
            "class A { Runnable f() { return () -> h(g()); } }",
        ),
        (
            "A.java",
            "class A { int f() { List<B> l = new ArrayList<>(); return l.k(); } }",
            "class A { int f() { return new ArrayList<>().k(); } }",
        ),
        (
            "A.java",
            "class A { void f() { boolean b = g(); while (b) { h(); } } }",
            "class A { void f() { while (g()) { h(); } } }",
        ),
        (
            "A.java",
            "class A { void f() { boolean b = g(); if (k() && b) { h(); } } }",
            "class A { void f() { if (k() && g()) { h(); } } }",
        ),
        ("a.go", "package x\nfunc f() {\n\ty := 5\n\th(y)\n}\n", "package x\nfunc f() {\n\th(5)\n}\n"),
        (
            "a.go",
            "package x\nfunc f() {\n\ty := g()\n\tif h() && y {\n\t\tk()\n\t}\n}\n",
            "package x\nfunc f() {\n\tif h() && g() {\n\t\tk()\n\t}\n}\n",
        ),
        // A copy is changed, and not what it was taken from.
        (
            "a.go",
            "package x\nfunc f(a A) {\n\ty := a.b\n\ty.k()\n}\n",
            "package x\nfunc f(a A) {\n\ta.b.k()\n}\n",
        ),
        ("a.cs", "class A { void F() { var y = this.s; y.K(); } }", "class A { void F() { this.s.K(); } }"),
        ("a.rs", "fn f(a: A) { let mut x = a.b; x.next(); }\n", "fn f(a: A) { a.b.next(); }\n"),
        // What is on the way lives longer.
        ("a.rs", "fn f(a: A) { let x = a.lock().g(); h(x); }\n", "fn f(a: A) { h(a.lock().g()); }\n"),
        ("a.rs", "fn f(a: A) { let x = a.g(); h(&x); }\n", "fn f(a: A) { h(&a.g()); }\n"),
        ("a.rs", "fn f(a: A) { let x: B = a.g(); h(x); }\n", "fn f(a: A) { h(a.g()); }\n"),
        ("a.rs", "fn f(a: A) { let x = a.g(); while x { h(); } }\n", "fn f(a: A) { while a.g() { h(); } }\n"),
        ("a.cs", "class A { void F() { object y = G(1); H(y); } }", "class A { void F() { H(G(1)); } }"),
        (
            "a.py",
            "def f():\n    y = g()\n    return a[k()] if y else h()\n",
            "def f():\n    return a[k()] if g() else h()\n",
        ),
        ("a.py", "def f(o):\n    y = g()\n    o.z[k()] = y\n", "def f(o):\n    o.z[k()] = g()\n"),
        (
            "a.py",
            "def f(o):\n    y = g()\n    return [y for _ in o]\n",
            "def f(o):\n    return [g() for _ in o]\n",
        ),
        (
            "a.js",
            "function f() { let o = k; o = m; const y = g(); o.h(y) }\n",
            "function f() { let o = k; o = m; o.h(g()) }\n",
        ),
        ("a.js", "function f() { const y = g(); return x.z + y }\n", "function f() { return x.z + g() }\n"),
        (
            "a.js",
            "function f() { const y = g(); return k ? y : 1 }\n",
            "function f() { return k ? g() : 1 }\n",
        ),
        ("a.js", "function f() { const y = g(); h(() => 1, y) }\n", "function f() { h(() => 1, g()) }\n"),
    ] {
        is_evolution(path, before, after);
    }
}
