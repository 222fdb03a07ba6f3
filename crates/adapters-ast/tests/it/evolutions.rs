//! What must never be called a refactor (REQ 165). Each pair is tried in both directions.

use crate::pairs::{classify, is_evolution};

// REQ 165
#[test]
fn behaviour_in_layout_and_comments_is_seen() {
    for (path, before, after) in [
        ("a.py", "if x:\n    a()\n    b()\n", "if x:\n    a()\nb()\n"),
        ("a.js", "function f() { return x }\n", "function f() { return\nx }\n"),
        ("a.js", "const a = b\n;(c)()\n", "const a = b\n(c)()\n"),
        ("a.js", "const t = (a + b) * c\n", "const t = a + b * c\n"),
        ("a.js", "(a?.b).c\n", "a?.b.c\n"),
        ("a.js", "const t = `a b`\n", "const t = `a  b`\n"),
        ("a.js", "const t = [a,,]\n", "const t = [a,]\n"),
        ("a.py", "t = (a,)\n", "t = (a)\n"),
        ("a.py", "t = x[a,]\n", "t = x[a]\n"),
        ("a.rs", "fn f() -> u8 { g() }\n", "fn f() -> u8 { g(); }\n"),
        ("a.rs", "fn f() { (a.b)(c); }\n", "fn f() { a.b(c); }\n"),
        ("a.rs", "fn f() -> (u8,) { x }\n", "fn f() -> (u8) { x }\n"),
        ("a.go", "//go:build linux\n\npackage x\n", "//go:build darwin\n\npackage x\n"),
        ("a.rb", "# frozen_string_literal: true\nx = 'a'\n", "x = 'a'\n"),
        ("a.rb", "x = 'a#{b}'\n", "x = \"a#{b}\"\n"),
        ("a.ts", "// @ts-nocheck\nf()\n", "f()\n"),
        ("a.ts", "/** @jsx h */\nf()\n", "f()\n"),
        ("a.py", "#!/usr/bin/python2\nf()\n", "#!/usr/bin/python3\nf()\n"),
        ("a.py", "\"\"\"Usage: a.\"\"\"\nprint(__doc__)\n", "\"\"\"Usage: b.\"\"\"\nprint(__doc__)\n"),
        (
            "a.py",
            "@app.command()\ndef f():\n    \"\"\"Old help.\"\"\"\n",
            "@app.command()\ndef f():\n    \"\"\"New help.\"\"\"\n",
        ),
        (
            "a.rs",
            "/// Old help.\n#[derive(Parser)]\nstruct A;\n",
            "/// New help.\n#[derive(Parser)]\nstruct A;\n",
        ),
        (
            "a.php",
            "<?php\n/** @Route(\"/a\") */\nfunction f() {}\n",
            "<?php\n/** @Route(\"/b\") */\nfunction f() {}\n",
        ),
        ("a.php", "<b>x</b>\n<?php f();\n", "<b>x </b>\n<?php f();\n"),
        ("a.c", "#define LIMIT 10\n", "#define LIMIT 100\n"),
        ("A.java", "class A { /* \\u002a\\u002f int x; */ }", "class A { }"),
        ("a.tsx", "const a = <p>a b</p>\n", "const a = <p>ab</p>\n"),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165
#[test]
fn small_words_count() {
    for (path, before, after) in [
        (
            "a.ts",
            "export const eq = (a: any, b: any) => a === b\n",
            "export const eq = (a: any, b: any) => a == b\n",
        ),
        ("a.ts", "async function f() { await g() }\n", "async function f() { g() }\n"),
        ("a.ts", "function f(a = 1) {}\n", "function f(a = 2) {}\n"),
        ("a.ts", "function f() {}\n", "export function f() {}\n"),
        ("a.rs", "fn f() -> R { g()?; Ok(()) }\n", "fn f() -> R { g(); Ok(()) }\n"),
        ("a.rs", "fn f(a: &A) {}\n", "fn f(a: &mut A) {}\n"),
        ("a.rs", "fn f() {}\n", "pub fn f() {}\n"),
        ("a.rs", "#[cfg(unix)]\nfn f() {}\n", "#[cfg(windows)]\nfn f() {}\n"),
        ("a.py", "def f(x):\n    return x\n", "@cache\ndef f(x):\n    return x\n"),
        ("a.py", "def f(x, timeout=1):\n    pass\n", "def f(x, timeout=2):\n    pass\n"),
        ("a.py", "def f(x):\n    return u'a'\n", "def f(x):\n    return b'a'\n"),
        ("A.java", "class A { private int x; }", "class A { public int x; }"),
        ("A.java", "enum A { LOW, HIGH }", "enum A { HIGH, LOW }"),
        ("a.cs", "class A { void F() { x(); } }", "class A { void F() { if (y) x(); } }"),
        ("a.rb", "def f\n  return 1 if x\n  2\nend\n", "def f\n  return 1 unless x\n  2\nend\n"),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165
#[test]
fn a_rename_that_changes_what_a_name_stands_for_is_no_rename() {
    for (path, before, after) in [
        // Swapped arguments.
        ("a.ts", "function f(a, b) { return g(a, b) }", "function f(a, b) { return g(b, a) }"),
        // Capture of a name from outside.
        ("a.ts", "function f(a) { return a + y }", "function f(y) { return y + y }"),
        ("a.py", "def f(x):\n    z = 1\n    return z + y\n", "def f(x):\n    y = 1\n    return y + y\n"),
        // A free name is not a variable.
        ("a.ts", "function f() { return g(x) }", "function f() { return g(y) }"),
        // Only some of the mentions.
        ("a.rs", "fn f(a: u8) { let b = 1; g(a, b, a) }", "fn f(c: u8) { let b = 1; g(c, b, b) }"),
        // The outer of two variables of one name.
        (
            "a.rs",
            "fn f(x: u8) { if let Some(x) = y { g(x) } else { h(x) } }",
            "fn f(z: u8) { if let Some(x) = y { g(z) } else { h(z) } }",
        ),
        (
            "a.py",
            "def f():\n    g(x)\n    return lambda x=x: x\n",
            "def f():\n    g(x)\n    return lambda y=y: y\n",
        ),
        // Keys and members are text.
        ("a.ts", "function f(a) { return { a } }", "function f(b) { return { b } }"),
        (
            "a.ts",
            "function f(o) { const { a } = o; return a }",
            "function f(o) { const { b } = o; return b }",
        ),
        ("a.py", "def f(a):\n    return a\n", "def f(b):\n    return b\n"),
        ("a.rb", "def f(a:)\n  a\nend\n", "def f(b:)\n  b\nend\n"),
        (
            "a.py",
            "def f(x):\n    a = 1\n    return locals()\n",
            "def f(x):\n    b = 1\n    return locals()\n",
        ),
        ("a.rs", "fn f(a: u8) { json!({ a: a }) }", "fn f(b: u8) { json!({ b: b }) }"),
        ("a.rs", "fn f(a: u8) { log!(\"{a}\") }", "fn f(b: u8) { log!(\"{b}\") }"),
        (
            "a.php",
            "<?php\nfunction f($a) { return compact('a'); }",
            "<?php\nfunction f($b) { return compact('a'); }",
        ),
        ("a.rs", "fn f(v: E) { match v { A => 1, _ => 2 } }", "fn f(v: E) { match v { B => 1, _ => 2 } }"),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165
#[test]
fn names_that_somebody_may_look_up_are_not_renamed() {
    for (path, before, after) in [
        (
            "a.go",
            "package x\ntype T struct { Name string }\nfunc f(t T) { g(t.Name) }\n",
            "package x\ntype T struct { Title string }\nfunc f(t T) { g(t.Title) }\n",
        ),
        (
            "a.go",
            "package x\nfunc (t T) String() string { return t.s() }\nfunc f(t T) { t.String() }\n",
            "package x\nfunc (t T) Text() string { return t.s() }\nfunc f(t T) { t.Text() }\n",
        ),
        (
            "a.py",
            "@app.route('/')\ndef home():\n    pass\nhome()\n",
            "@app.route('/')\ndef index_page():\n    pass\nindex_page()\n",
        ),
        (
            "a.py",
            "class A(Base):\n    def work(self):\n        self.work()\n",
            "class A(Base):\n    def toil(self):\n        self.toil()\n",
        ),
        (
            "a.py",
            "def old_name():\n    pass\nold_name()\ng('old_name')\n",
            "def new_name():\n    pass\nnew_name()\ng('old_name')\n",
        ),
        (
            "a.rs",
            "#[derive(Serialize)]\nstruct A { old: u8 }\nfn f(a: A) { g(a.old) }\n",
            "#[derive(Serialize)]\nstruct A { new: u8 }\nfn f(a: A) { g(a.new) }\n",
        ),
        (
            "a.ts",
            "interface A { old: string }\nfunction f(a: A) { g(a.old) }\n",
            "interface A { fresh: string }\nfunction f(a: A) { g(a.fresh) }\n",
        ),
        ("a.js", "function f() { return { old: 1 }.old }\n", "function f() { return { fresh: 1 }.fresh }\n"),
        ("A.java", "enum A { OLD; } class B { A a = A.OLD; }", "enum A { NEW; } class B { A a = A.NEW; }"),
        (
            "A.java",
            "class A implements I { public void go() {} void f() { go(); } }",
            "class A implements I { public void walk() {} void f() { walk(); } }",
        ),
        (
            "A.java",
            "class A { private int first; int g() { return first; } }",
            "class A { private int second; int g() { return second; } }",
        ),
        (
            "A.java",
            "class A { @B private static int first; int g() { return first; } }",
            "class A { @B private static int second; int g() { return second; } }",
        ),
        (
            "a.cs",
            "class A { protected int first; int F() { return first; } }",
            "class A { protected int second; int F() { return second; } }",
        ),
        (
            "a.cs",
            "class A { [B] private int first; int F() { return first; } }",
            "class A { [B] private int second; int F() { return second; } }",
        ),
        // Who may see it.
        (
            "a.go",
            "package x\nfunc Load() int { return 1 }\nfunc Use() int { return Load() + 1 }\n",
            "package x\nfunc load() int { return 1 }\nfunc Use() int { return load() + 1 }\n",
        ),
        (
            "a.go",
            "package x\ntype t struct{ first int }\nfunc (a *t) G() int { return a.first }\n",
            "package x\ntype t struct{ First int }\nfunc (a *t) G() int { return a.First }\n",
        ),
        (
            "a.py",
            "def load():\n    pass\n\n\ndef g():\n    load()\n",
            "def _load():\n    pass\n\n\ndef g():\n    _load()\n",
        ),
        ("a.py", "FIRST = 1\nf(FIRST)\n", "SECOND = 1\nf(SECOND)\n"),
        (
            "a.py",
            "class A:\n    def f(self):\n        self._first = 1\n        return getattr(self, '_first')\n",
            "class A:\n    def f(self):\n        self._second = 1\n        return getattr(self, '_first')\n",
        ),
        ("a.ts", "export function lonely() {}\n", "export function alone() {}\n"),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165
#[test]
fn what_runs_keeps_its_place() {
    for (path, before, after) in [
        ("a.py", "a()\nb()\n", "b()\na()\n"),
        ("a.py", "def f():\n    pass\nf()\n", "f()\ndef f():\n    pass\n"),
        (
            "a.py",
            "def f(x=g()):\n    pass\ndef g():\n    pass\n",
            "def g():\n    pass\ndef f(x=g()):\n    pass\n",
        ),
        (
            "a.py",
            "class A:\n    pass\nclass B(A):\n    pass\n",
            "class B(A):\n    pass\nclass A:\n    pass\n",
        ),
        (
            "a.rb",
            "class A\n  def f\n  end\n  private\n  def g\n  end\nend\n",
            "class A\n  private\n  def f\n  end\n  def g\n  end\nend\n",
        ),
        (
            "a.cpp",
            "class A { public: int f() { return 1; } private: int g() { return 2; } };",
            "class A { public: private: int f() { return 1; } int g() { return 2; } };",
        ),
        ("A.java", "class A { int a = 1; int b = a; }", "class A { int b = a; int a = 1; }"),
        ("a.js", "import './a.css'\nimport './b.css'\n", "import './b.css'\nimport './a.css'\n"),
        (
            "a.rs",
            "macro_rules! m { () => {} }\nm!();\nfn f() {}\n",
            "m!();\nmacro_rules! m { () => {} }\nfn f() {}\n",
        ),
        (
            "a.go",
            "package x\nimport \"encoding/json\"\nfunc f() { json.M() }\n",
            "package x\nimport json \"github.com/goccy/go-json\"\nfunc f() { json.M() }\n",
        ),
        ("a.py", "from a import x\nf(x)\n", "from b import x\nf(x)\n"),
        ("a.py", "import a\nf()\n", "f()\n"),
        ("a.js", "import { a } from 'x'\nf()\n", "f()\n"),
        ("a.ts", "import { a, b } from 'x'\nf(a, b)\n", "import { a } from 'x'\nf(a, b)\n"),
        ("a.ts", "import { a } from 'x'\nimport { b } from 'y'\nf(a)\n", "import { a } from 'x'\nf(a)\n"),
        ("a.ts", "import { type a, b } from 'x'\nf(a)\n", "import { type a } from 'x'\nf(a)\n"),
        ("a.ts", "class A { @log() f() {}\n g() {} }\n", "class A { g() {}\n @log() f() {} }\n"),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 4, K-44: the human reads what changed.
#[test]
fn the_evidence_names_the_difference() {
    for (path, before, after, expected) in [
        (
            "a.py",
            "def f(x, timeout=1):\n    pass\n",
            "def f(x, timeout=2):\n    pass\n",
            "the default of `timeout` changed",
        ),
        ("a.ts", "const f = () => a === b\n", "const f = () => a == b\n", "`===` became `==` in `f`"),
        ("a.rs", "fn f() {}\n", "fn f() {}\nfn g() {}\n", "`g` is new"),
        ("a.go", "package x\nfunc f() {}\n", "package x\n", "`f` was removed or moved"),
        ("a.py", "def f():\n    pass\n", "@cache\ndef f():\n    pass\n", "a decorator of `f` changed"),
    ] {
        let mutation = classify(path, before, after);
        let found = mutation.evidence.first().map(|evidence| evidence.what.clone()).unwrap_or_default();
        assert!(found.contains(expected), "{found}, not {expected}");
    }
}

// REQ 165
#[test]
fn members_that_run_or_replace_each_other_are_not_sorted() {
    for (path, before, after) in [
        ("A.java", "class A { int x = f(); int y = 3; }", "class A { int y = 3; int x = f(); }"),
        ("A.java", "class A { int x = 3; { f(); } }", "class A { { f(); } int x = 3; }"),
        ("A.java", "class A { @B int x; @C int y; }", "class A { @C int y; @B int x; }"),
        (
            "A.java",
            "class A { void f(int a) { g(a); } void f() { h(2); } }",
            "class A { void f() { g(2); } void f(int a) { h(a); } }",
        ),
        (
            "a.py",
            "def f(a):\n    g(a)\n\n\ndef f():\n    h()\n",
            "def f():\n    h()\n\n\ndef f(a):\n    g(a)\n",
        ),
        (
            "a.ts",
            "class A { f(a: string): void; f(a: any): void; f(a: any) { g(a) } }\n",
            "class A { f(a: any): void; f(a: string): void; f(a: any) { g(a) } }\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}
