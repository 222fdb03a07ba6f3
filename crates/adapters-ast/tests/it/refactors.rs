//! What is proved (REQ 165).

use bailiwick_domain::MutationMethod::{Renamed, SameItems, SameTokens};

use crate::pairs::is_refactor;

// REQ 165
#[test]
fn comments_and_layout_change_nothing() {
    for (path, before, after) in [
        ("a.rs", "fn f() { g(1, 2); }\n", "// Why.\nfn f() {\n    g(\n        1,\n        2,\n    );\n}\n"),
        (
            "a.py",
            "def f(x):\n  if x:\n    a()\n  b()\n",
            "def f(x):\n    # why\n    if x:\n        a()\n    b()\n",
        ),
        (
            "a.py",
            "def f():\n    \"\"\"Old.\"\"\"\n    return 'x'\n",
            "def f():\n    \"\"\"New.\"\"\"\n    return \"x\"\n",
        ),
        ("a.py", "x = (a +\n     b)\n", "x = a + b\n"),
        (
            "a.ts",
            "const o = {\n  a: \"x\",\n  b: [1, 2]\n};\nf(o);\n",
            "const o = {\n  'a': 'x',\n  b: [1, 2],\n}\nf(o)\n",
        ),
        ("a.ts", "x.map((y) => { return y })\n", "x.map(y => {\n  return y;\n});\n"),
        ("a.js", "if (a) b()\nelse c()\n", "if (a) {\n  b();\n} else {\n  c();\n}\n"),
        ("a.tsx", "const a = <p>hi <b>x</b></p>\n", "const a = (\n  <p>\n    hi <b>x</b>\n  </p>\n);\n"),
        (
            "a.go",
            "package x\nfunc f() { g(1) }\n",
            "package x\n\n// f does.\nfunc f() {\n\tg(\n\t\t1,\n\t)\n}\n",
        ),
        (
            "A.java",
            "class A { int f() { if (x) return 1; return 2; } }",
            "class A {\n  /** Doc. */\n  int f() {\n    if (x) {\n      return 1;\n    }\n    return 2;\n  }\n}\n",
        ),
        ("a.c", "int f(void){return 1;}\n", "/* why */\nint f(void) {\n  return 1;\n}\n"),
        ("a.cpp", "int f(){return g<int>(1);}\n", "int f() {\n  return g<int>(1);  // why\n}\n"),
        (
            "a.cs",
            "class A { int F() { return 1; } }\n",
            "class A\n{\n    // why\n    int F()\n    {\n        return 1;\n    }\n}\n",
        ),
        ("a.rb", "def f\n  g(1)\nend\n", "# why\ndef f\n    g(1)\nend\n"),
        (
            "a.php",
            "<?php\nfunction f() { return 'x'; }\n",
            "<?php\n// why\nfunction f()\n{\n    return \"x\";\n}\n",
        ),
    ] {
        is_refactor(path, SameTokens, before, after);
    }
}

// REQ 165
#[test]
fn variables_may_be_renamed() {
    for (path, before, after) in [
        (
            "a.rs",
            "fn f(a: u8) -> u8 { let b = a + 1; g(a, b); b }",
            "fn f(x: u8) -> u8 { let y = x + 1; g(x, y); y }",
        ),
        ("a.rs", "fn f(a: u8) { println!(\"{a} {}\", a); }", "fn f(x: u8) { println!(\"{x} {}\", x); }"),
        (
            "a.ts",
            "export function f(a: number, b: number) {\n  return g(a, b)\n}\n",
            "export function f(left: number, right: number) {\n  return g(left, right)\n}\n",
        ),
        (
            "a.py",
            "def f(x):\n    y = x + 1\n    return [z + y for z in x]\n",
            "def f(x):\n    total = x + 1\n    return [item + total for item in x]\n",
        ),
        (
            "a.go",
            "package x\nfunc f(a int) int { b := a; return b }\n",
            "package x\nfunc f(n int) int { m := n; return m }\n",
        ),
        (
            "A.java",
            "class A { int f(int a) { int b = a; return b; } }",
            "class A { int f(int n) { int m = n; return m; } }",
        ),
        ("a.c", "int f(int a) { int b = a; return b; }", "int f(int n) { int m = n; return m; }"),
        (
            "a.rb",
            "def f(a)\n  b = a\n  b.each { |c| puts c }\nend\n",
            "def f(n)\n  m = n\n  m.each { |x| puts x }\nend\n",
        ),
        (
            "a.php",
            "<?php\nfunction f() { $a = g(); return \"$a\"; }\n",
            "<?php\nfunction f() { $b = g(); return \"$b\"; }\n",
        ),
        (
            "a.cs",
            "class A { int F() { var a = G(); return a; } }",
            "class A { int F() { var b = G(); return b; } }",
        ),
    ] {
        is_refactor(path, Renamed, before, after);
    }
}

// REQ 165
#[test]
fn names_that_the_set_declares_may_be_renamed() {
    for (path, before, after) in [
        (
            "a.go",
            "package x\nfunc helperOne() int { return 1 }\nfunc Use() int { return helperOne() + 1 }\n",
            "package x\nfunc one() int { return 1 }\nfunc Use() int { return one() + 1 }\n",
        ),
        ("a.rs", "fn first() {}\npub fn g() { first() }\n", "fn second() {}\npub fn g() { second() }\n"),
        (
            "a.py",
            "def _a1():\n    pass\n\n\ndef g():\n    _a1()\n",
            "def _b2():\n    pass\n\n\ndef g():\n    _b2()\n",
        ),
        (
            "a.cs",
            "class A { private static int first = 1; int F() { return first; } }",
            "class A { private static int second = 1; int F() { return second; } }",
        ),
        (
            "A.java",
            "class A { private static final int FIRST = f(); int g() { return FIRST; } }",
            "class A { private static final int SECOND = f(); int g() { return SECOND; } }",
        ),
        (
            "a.go",
            "package x\ntype t struct{ first int }\nfunc (a *t) G() int { return a.first }\n",
            "package x\ntype t struct{ second int }\nfunc (a *t) G() int { return a.second }\n",
        ),
        (
            "a.py",
            "_FIRST = g()\n\n\ndef f():\n    return _FIRST\n",
            "_SECOND = g()\n\n\ndef f():\n    return _SECOND\n",
        ),
        (
            "a.py",
            "class A:\n    def f(self):\n        self._first = 1\n\n    def g(self):\n        return self._first\n",
            "class A:\n    def f(self):\n        self._second = 1\n\n    def g(self):\n        return self._second\n",
        ),
        (
            "a.cs",
            "class A : B { private int One() { return 1; } int F() { return One(); } }",
            "class A : B { private int First() { return 1; } int F() { return First(); } }",
        ),
        (
            "a.js",
            "R.prototype.matchReq = function (a) { return this.matchReq(a) }\n",
            "R.prototype.matchRequest = function (a) { return this.matchRequest(a) }\n",
        ),
    ] {
        is_refactor(path, Renamed, before, after);
    }
}

// REQ 165
#[test]
fn functions_and_imports_may_stand_in_another_order() {
    for (path, before, after) in [
        (
            "a.rs",
            "use a::b;\nuse c::{d, e};\nfn f() {}\nstruct S;\n",
            "use c::e;\nuse c::d;\nuse a::b;\nstruct S;\nfn f() {}\n",
        ),
        (
            "a.go",
            "package x\nvar v = 1\nfunc f() {}\nfunc g() {}\n",
            "package x\nfunc g() {}\nvar v = 1\nfunc f() {}\n",
        ),
        (
            "a.ts",
            "import { b, a } from 'x'\nfunction f() {}\nfunction g() {}\n",
            "import { a, b } from 'x'\nfunction g() {}\nfunction f() {}\n",
        ),
        (
            "A.java",
            "import x.B;\nimport x.C;\nclass A { int x; void f() {} void g() {} B b; C c; }",
            "import x.C;\nimport x.B;\nclass A { void g() {} int x; void f() {} B b; C c; }",
        ),
        ("a.ts", "import { a, b } from 'x'\nf(a)\n", "import { a } from 'x'\nf(a)\n"),
        (
            "a.py",
            "import a\nimport b\ndef f():\n    pass\ndef g():\n    pass\n",
            "import b\nimport a\ndef g():\n    pass\ndef f():\n    pass\n",
        ),
    ] {
        is_refactor(path, SameItems, before, after);
    }
}

// REQ 165
#[test]
fn members_may_be_sorted() {
    for (path, before, after) in [
        (
            "A.java",
            "class A { A(int a) { x = a; } A() { this(1); } void f(int a) { g(a); } void f() { f(2); } int x; int y = 3; }",
            "class A { int y = 3; int x; A() { this(1); } A(int a) { x = a; } void f() { f(2); } void f(int a) { g(a); } }",
        ),
        (
            "A.java",
            "class A { private final boolean b; private final String a = \"c\"; A() { b = g(); } }",
            "class A { private final String a = \"c\"; private final boolean b; A() { b = g(); } }",
        ),
        (
            "a.cs",
            "class A { void F(int a) { G(a); } void F() { F(2); } }",
            "class A { void F() { F(2); } void F(int a) { G(a); } }",
        ),
    ] {
        is_refactor(path, SameItems, before, after);
    }
}
