//! What is written in several ways, and its neighbours that mean something else (REQ 165).

use bailiwick_domain::MutationMethod::SameItems;

use crate::pairs::{is_evolution, is_refactor};

// REQ 165
#[test]
fn what_is_written_in_several_ways_is_read_alike() {
    for (path, before, after) in [
        // Bodies that are one value or one call.
        ("a.ts", "export const f = (a) => { return g(a) }\n", "export const f = (a) => g(a)\n"),
        ("a.js", "f(function (a, b) { return g(a, b) })\n", "f((a, b) => g(a, b))\n"),
        ("a.js", "f(async function (a) { await g(a); h() })\n", "f(async a => { await g(a); h() })\n"),
        (
            "A.java",
            "class A { F f() { return g(a -> { return h(a); }); } }",
            "class A { F f() { return g(a -> h(a)); } }",
        ),
        (
            "a.cs",
            "class A { int F() { return x; } void G() { H(); } A() { K(); } }",
            "class A { int F() => x; void G() => H(); A() => K(); }",
        ),
        (
            "a.cs",
            "class A { int P { get { return x; } } int Q { get { return y; } set { y = value; } } }",
            "class A { int P => x; int Q { get => y; set => y = value; } }",
        ),
        ("a.rb", "def f\n  g\n  return h(1)\nend\n", "def f\n  g\n  h(1)\nend\n"),
        ("a.rs", "fn f() -> u8 { g(); return h(1); }\n", "fn f() -> u8 { g(); h(1) }\n"),
        // Branches behind a statement.
        (
            "a.rb",
            "def f\n  g if a && b\n  h(1) unless c\nend\n",
            "def f\n  if a && b\n    g\n  end\n  unless c\n    h(1)\n  end\nend\n",
        ),
        // Declarations.
        (
            "a.js",
            "function f() { var a = g(); if (a) { var b = a + 1; h(b) } return a }\n",
            "function f() { const a = g(); if (a) { let b = a + 1; h(b) } return a }\n",
        ),
        (
            "a.js",
            "function f(x) { for (var i = 0; i < x; i++) { g(i) } }\n",
            "function f(x) { for (let i = 0; i < x; i++) { g(i) } }\n",
        ),
        (
            "a.ts",
            "export function f() { let a = g(); return a }\n",
            "export function f() { const a = g(); return a }\n",
        ),
        (
            "a.js",
            "var a = require('a')\nmodule.exports = function () { return a(1) }\n",
            "const a = require('a')\nmodule.exports = function () { return a(1) }\n",
        ),
        // Statements.
        (
            "a.go",
            "package x\nfunc f(a int, b int, c string) (d int, e int) { return a, b }\n",
            "package x\nfunc f(a, b int, c string) (d, e int) { return a, b }\n",
        ),
        (
            "a.go",
            "package x\nfunc f() { for k, _ := range m { g(k) } }\n",
            "package x\nfunc f() { for k := range m { g(k) } }\n",
        ),
        ("a.go", "package x\nfunc f() { v, _ := m[k]; g(v) }\n", "package x\nfunc f() { v := m[k]; g(v) }\n"),
        (
            "a.go",
            "package x\nfunc f(v interface{}) []interface{} { return g(v) }\n",
            "package x\nfunc f(v any) []any { return g(v) }\n",
        ),
        ("a.go", "package x\nfunc f() { s = s + g(1) }\n", "package x\nfunc f() { s += g(1) }\n"),
        ("a.js", "function f() { s = s * 2 }\n", "function f() { s *= 2 }\n"),
        ("A.java", "class A { void f() { s = s + \"a\"; } }", "class A { void f() { s += \"a\"; } }"),
        ("a.c", "void f(void) { s = s | 1; }", "void f(void) { s |= 1; }"),
        // Words in another order.
        (
            "A.java",
            "class A { final static private int X = 1; @B final public void f() {} }",
            "class A { private static final int X = 1; @B public final void f() {} }",
        ),
        ("a.cs", "class A { static public void F() {} }", "class A { public static void F() {} }"),
        (
            "a.php",
            "<?php\nclass A { static private function f() {} }\n",
            "<?php\nclass A { private static function f() {} }\n",
        ),
        // Members of the object itself.
        (
            "A.java",
            "class A { int x; int f(int a) { this.g(a); return this.x + this.y.z; } }",
            "class A { int x; int f(int a) { g(a); return x + y.z; } }",
        ),
        (
            "a.cs",
            "class A { int x; int F(int a) { return this.x + this.G(a); } }",
            "class A { int x; int F(int a) { return x + G(a); } }",
        ),
        // Places in a text.
        (
            "a.rs",
            "fn f(a: u8, b: B) { println!(\"{} {:?} {}\\n\", a, b.c, a); }\n",
            "fn f(a: u8, b: B) { println!(\"{a} {:?} {a}\\n\", b.c); }\n",
        ),
        (
            "a.rs",
            "fn f(w: W, a: u8) { write!(w, \"{:>4}\", a).unwrap(); }\n",
            "fn f(w: W, a: u8) { write!(w, \"{a:>4}\").unwrap(); }\n",
        ),
    ] {
        is_refactor(path, SameItems, before, after);
    }
}

// REQ 165
#[test]
fn what_only_looks_like_another_form_is_not() {
    for (path, before, after) in [
        // The value is lost, or there was none.
        ("a.ts", "export const f = (a) => { g(a) }\n", "export const f = (a) => g(a)\n"),
        ("a.ts", "export const f = (a) => { h(); return g(a) }\n", "export const f = (a) => g(a)\n"),
        (
            "A.java",
            "class A { F f() { return g(a -> { h(a); }); } }",
            "class A { F f() { return g(a -> h(a)); } }",
        ),
        ("a.cs", "class A { int F() { G(); return x; } }", "class A { int F() => x; }"),
        ("a.cs", "class A { int P { get; } }", "class A { int P => x; }"),
        ("a.cs", "class A { int P { get { return x; } set { x = value; } } }", "class A { int P => x; }"),
        ("a.rb", "def f\n  g\n  return h(1), 2\nend\n", "def f\n  g\n  h(1)\nend\n"),
        ("a.rb", "def f\n  a.each { |x| return x }\nend\n", "def f\n  a.each { |x| x }\nend\n"),
        ("a.rs", "fn f() -> u8 { if a { return 1; } 2 }\n", "fn f() -> u8 { if a { 1 } 2 }\n"),
        ("a.rs", "fn f() { g(|| { return 1; }) }\n", "fn f() { g(|| { 1; }) }\n"),
        // Who is called how.
        ("a.js", "f(function () { return this.a })\n", "f(() => this.a)\n"),
        ("a.js", "f(function () { return g(arguments) })\n", "f(() => g(arguments))\n"),
        ("a.js", "const f = function () { return 1 }\n", "const f = () => 1\n"),
        ("a.js", "f(function* () { g() })\n", "f(() => { g() })\n"),
        ("a.js", "f(function g() { return h(g) })\n", "f(() => h(g))\n"),
        ("a.js", "new F(function () { return 1 })\n", "new F(() => 1)\n"),
        // Branches.
        ("a.rb", "g if (a = h)\n", "if (a = h)\n  g\nend\n"),
        ("a.rb", "g if a\n", "unless a\n  g\nend\n"),
        ("a.rb", "g if a\n", "if a\n  g\nelse\n  h\nend\n"),
        ("a.rb", "g while a\n", "if a\n  g\nend\n"),
        // Declarations that something can tell.
        (
            "a.js",
            "function f() { g(a); var a = 1; return a }\n",
            "function f() { g(a); let a = 1; return a }\n",
        ),
        (
            "a.js",
            "function f() { if (x) { var a = 1 } return a }\n",
            "function f() { if (x) { let a = 1 } return a }\n",
        ),
        (
            "a.js",
            "function f() { for (var i = 0; i < 3; i++) { g(() => i) } }\n",
            "function f() { for (let i = 0; i < 3; i++) { g(() => i) } }\n",
        ),
        (
            "a.js",
            "function f(x) { while (x) { var a = 1; g(() => a) } }\n",
            "function f(x) { while (x) { let a = 1; g(() => a) } }\n",
        ),
        (
            "a.js",
            "function f() { h(); var a = 1; function h() { return a } }\n",
            "function f() { h(); let a = 1; function h() { return a } }\n",
        ),
        (
            "a.js",
            "function f() { var a = 1; a = 2; return a }\n",
            "function f() { const a = 1; a = 2; return a }\n",
        ),
        (
            "a.js",
            "function f(x) { while (x) { var a; g(a); a = 1 } }\n",
            "function f(x) { while (x) { let a; g(a); a = 1 } }\n",
        ),
        ("a.js", "var a = 1\n", "let a = 1\n"),
        (
            "a.ts",
            "export function f() { let a = 1; a++; return a }\n",
            "export function f() { const a = 1; a++; return a }\n",
        ),
        // Another type, another look, another sum.
        ("a.go", "package x\nfunc f(a int, b int64) {}\n", "package x\nfunc f(a, b int64) {}\n"),
        (
            "a.go",
            "package x\nfunc f() { v, _ := y.(T); g(v) }\n",
            "package x\nfunc f() { v := y.(T); g(v) }\n",
        ),
        (
            "a.go",
            "package x\nfunc f() { for _, v := range m { g(v) } }\n",
            "package x\nfunc f() { for v := range m { g(v) } }\n",
        ),
        (
            "a.go",
            "package x\ntype any struct{}\nfunc f(v interface{}) {}\n",
            "package x\ntype any struct{}\nfunc f(v any) {}\n",
        ),
        ("a.go", "package x\nfunc f(v interface{ G() }) {}\n", "package x\nfunc f(v any) {}\n"),
        ("a.go", "package x\nfunc f() { s = t + s }\n", "package x\nfunc f() { s += t }\n"),
        ("a.js", "function f() { s = s - 1 - 2 }\n", "function f() { s -= 1 - 2 }\n"),
        ("a.py", "def f(s):\n    s = s + [1]\n", "def f(s):\n    s += [1]\n"),
        ("a.rs", "fn f() { s = s + 1; }\n", "fn f() { s += 1; }\n"),
        ("A.java", "class A { void f() { s[g()] = s[g()] + 1; } }", "class A { void f() { s[g()] += 1; } }"),
        ("A.java", "class A { @B @C void f() {} }", "class A { @C @B void f() {} }"),
        // A variable of that name.
        (
            "A.java",
            "class A { int x; int f(int x) { return this.x; } }",
            "class A { int x; int f(int x) { return x; } }",
        ),
        (
            "A.java",
            "class A { int x; F f() { return g(x -> this.x); } }",
            "class A { int x; F f() { return g(x -> x); } }",
        ),
        (
            "a.cs",
            "class A { int x; int F() { foreach (var x in y) { G(this.x); } return 1; } }",
            "class A { int x; int F() { foreach (var x in y) { G(x); } return 1; } }",
        ),
        ("a.ts", "class A { f() { return this.x } }\n", "class A { f() { return x } }\n"),
        ("A.java", "class A { void f() { o.g(); } }", "class A { void f() { g(); } }"),
        // Other places.
        (
            "a.rs",
            "fn f(a: u8, b: u8) { println!(\"{} {}\", a, b); }\n",
            "fn f(a: u8, b: u8) { println!(\"{b} {a}\"); }\n",
        ),
        ("a.rs", "fn f(a: u8) { println!(\"{}\", a); }\n", "fn f(a: u8) { println!(\"{a:?}\"); }\n"),
        ("a.rs", "fn f(a: u8) { panic!(\"{}\", a); }\n", "fn f(a: u8) { panic!(\"{a}\"); }\n"),
        ("a.rs", "fn f(a: u8) { log!(\"{}\", a); }\n", "fn f(a: u8) { log!(\"{a}\"); }\n"),
        (
            "a.rs",
            "fn f(a: u8, b: u8) { println!(\"{1} {0}\", a, b); }\n",
            "fn f(a: u8, b: u8) { println!(\"{a} {b}\"); }\n",
        ),
        ("a.rs", "fn f(a: u8) { println!(\"{{}}\", ); }\n", "fn f(a: u8) { println!(\"{a}\"); }\n"),
    ] {
        is_evolution(path, before, after);
    }
}
