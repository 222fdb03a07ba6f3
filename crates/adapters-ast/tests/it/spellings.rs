//! Spellings that a language reads alike, and their neighbours that it does not (REQ 165).

use bailiwick_domain::MutationMethod::SameTokens;

use crate::pairs::{is_evolution, is_refactor};

// REQ 165
#[test]
fn what_a_language_reads_alike_is_the_same_text() {
    for (path, before, after) in [
        // Marks in numbers.
        ("a.rs", "fn f() { g(10000u32) }\n", "fn f() { g(10_000_u32) }\n"),
        ("a.cs", "class A { int F() { return 10000; } }", "class A { int F() { return 10_000; } }"),
        ("a.go", "package x\nvar v = 0644\n", "package x\nvar v = 0o644\n"),
        // Blocks round one statement.
        (
            "a.c",
            "int f(void) { if (a) g(); else h(); return 1; }",
            "int f(void) { if (a) { g(); } else { h(); } return 1; }",
        ),
        (
            "a.c",
            "void f(void) { for (;;) while (a) g(); }",
            "void f(void) { for (;;) { while (a) { g(); } } }",
        ),
        ("a.cpp", "void f() { for (auto x : y) g(x); }", "void f() { for (auto x : y) { g(x); } }"),
        (
            "a.cs",
            "class A { void F() { if (a) G(); foreach (var x in y) H(x); } }",
            "class A { void F() { if (a) { G(); } foreach (var x in y) { H(x); } } }",
        ),
        (
            "a.php",
            "<?php\nfunction f() { if ($a) g(); elseif ($b) h(); else k(); }\n",
            "<?php\nfunction f() { if ($a) { g(); } elseif ($b) { h(); } else { k(); } }\n",
        ),
        // Parentheses.
        ("a.c", "int f(int a) { return (a); }", "int f(int a) { return a; }"),
        (
            "a.c",
            "int f(int a) { return a == 1 || (a == 2 && g); }",
            "int f(int a) { return (a == 1) || (a == 2 && g); }",
        ),
        (
            "a.cs",
            "class A { bool F() { return (a && b) || c; } }",
            "class A { bool F() { return a && b || c; } }",
        ),
        ("a.rs", "fn f() { if (a) { g() } }\n", "fn f() { if a { g() } }\n"),
        ("a.rb", "def f\n  if (a)\n    g\n  end\nend\n", "def f\n  if a\n    g\n  end\nend\n"),
        // Brackets and words of Ruby.
        ("a.rb", "def f a, b\n  puts a, b\nend\n", "def f(a, b)\n  puts(a, b)\nend\n"),
        ("a.rb", "def f()\n  a.b()\nend\n", "def f\n  a.b\nend\n"),
        ("a.rb", "x = { :a => 1, 'b' => 2 }\n", "x = { a: 1, 'b' => 2 }\n"),
        ("a.rb", "X = ['a', \"b\"]\nY = [:a, :b]\n", "X = %w[a b]\nY = %i(a b)\n"),
        ("a.rb", "a.each do |x| g x end\n", "a.each { |x| g x }\n"),
        ("a.rb", "f if a and not b\n", "f if a && !b\n"),
        // Words of PHP.
        ("a.php", "<?php\n$a = array(1, 'b' => TRUE);\n", "<?php\n$a = [1, 'b' => true];\n"),
        (
            "a.php",
            "<?php\nclass A { var $a; function f() {} }\n",
            "<?php\nclass A { public $a; public function f() {} }\n",
        ),
        // Words of Java.
        (
            "A.java",
            "class A { void f(int a) { B b = g(); for (B c : d) { try { h(); } catch (E e) { k(); } } } }",
            "class A { void f(final int a) { final B b = g(); for (final B c : d) { try { h(); } catch (final E e) { k(); } } } }",
        ),
        (
            "A.java",
            "class A { public int g() { return 1; } }",
            "class A { @Override public int g() { return 1; } }",
        ),
        (
            "A.java",
            "interface A { public abstract void f(); public static final int X = 1; }",
            "interface A { void f(); int X = 1; }",
        ),
        // Words of C#.
        ("a.cs", "class A { int x; void F() {} }", "class A { private int x; private void F() {} }"),
        (
            "a.cs",
            "class A { B F() { return new B() { X = 1 }; } }",
            "class A { B F() { return new B { X = 1 }; } }",
        ),
        // Words of Python.
        ("a.py", "class A():\n    x = 1\n", "class A:\n    x = 1\n"),
        ("a.py", "class A:\n    pass\n", "class A:\n    \"\"\"Is one.\"\"\"\n"),
        ("a.py", "def f():\n    return None\n", "def f():\n    return\n"),
        // Words of JavaScript.
        ("a.ts", "const o = { a: a, b }\nconst { c: c } = o\n", "const o = { a, b }\nconst { c } = o\n"),
        ("a.js", "f(`a b`)\n", "f('a b')\n"),
        // Words of Rust.
        ("a.rs", "fn f() -> S { S { a: a, b } }\n", "fn f() -> S { S { a, b } }\n"),
        ("a.rs", "fn f(s: S) { let S { a: a } = s; }\n", "fn f(s: S) { let S { a } = s; }\n"),
        ("a.rs", "const X: &'static str = \"a\";\n", "const X: &str = \"a\";\n"),
    ] {
        is_refactor(path, SameTokens, before, after);
    }
}

// REQ 165
#[test]
fn what_only_looks_alike_is_not() {
    for (path, before, after) in [
        ("a.go", "package x\nvar v = 644\n", "package x\nvar v = 0o644\n"),
        ("a.py", "x = '1_000'\n", "x = '1000'\n"),
        ("a.rs", "fn f() { m!(1_000) }\n", "fn f() { m!(1000) }\n"),
        ("a.c", "void f(void) { if (a) g(); h(); }", "void f(void) { if (a) { g(); h(); } }"),
        (
            "a.c",
            "void f(void) { if (a) { if (b) g(); } else h(); }",
            "void f(void) { if (a) if (b) g(); else h(); }",
        ),
        ("a.c", "int f(int a) { return (a + 1) * 2; }", "int f(int a) { return a + 1 * 2; }"),
        ("a.c", "void f(void) { g((a, b)); }", "void f(void) { g(a, b); }"),
        ("a.cpp", "decltype(auto) f() { int a; return (a); }", "decltype(auto) f() { int a; return a; }"),
        (
            "a.cs",
            "class A { bool F() { return a && (b || c); } }",
            "class A { bool F() { return a && b || c; } }",
        ),
        ("a.rb", "def f(a)\n  super\nend\n", "def f(a)\n  super()\nend\n"),
        ("a.rb", "puts [1].map { |x| x }\n", "puts [1].map do |x| x end\n"),
        ("a.rb", "x = f and g\n", "x = f && g\n"),
        ("a.rb", "x = { :a => 1 }\n", "x = { 'a' => 1 }\n"),
        ("a.rb", "X = %w[a b]\n", "X = %i[a b]\n"),
        ("a.rb", "X = %w[a b]\n", "X = %w[ab]\n"),
        ("a.rb", "X = %W[a#{b}]\n", "X = %w[a#{b}]\n"),
        ("a.rb", "f(a)\n", "f a, b\n"),
        ("a.php", "<?php\n$a = array(1, 2);\n", "<?php\n$a = [[1, 2]];\n"),
        ("a.php", "<?php\nclass A { private function f() {} }\n", "<?php\nclass A { function f() {} }\n"),
        ("a.php", "<?php\nclass A { private $a; }\n", "<?php\nclass A { var $a; }\n"),
        ("A.java", "class A { final int x = 1; }", "class A { int x = 1; }"),
        ("A.java", "class A { final void f() {} }", "class A { void f() {} }"),
        ("A.java", "class A { public int g() { return 1; } }", "class A { int g() { return 1; } }"),
        (
            "A.java",
            "class A { boolean f() { final String a = \"a\"; return a + \"b\" == \"ab\"; } }",
            "class A { boolean f() { String a = \"a\"; return a + \"b\" == \"ab\"; } }",
        ),
        ("A.java", "interface A { static void f() {} }", "interface A { default void f() {} }"),
        ("a.cs", "class A { int x; }", "class A { protected int x; }"),
        ("a.cs", "class A { private protected int x; }", "class A { protected int x; }"),
        ("a.cs", "interface A { private void F() {} }", "interface A { void F() {} }"),
        ("a.py", "class A(B):\n    x = 1\n", "class A:\n    x = 1\n"),
        ("a.py", "def f():\n    return None, 1\n", "def f():\n    return 1\n"),
        ("a.py", "def f():\n    pass\n    g()\n", "def f():\n    pass\ng()\n"),
        ("a.ts", "const o = { a: b }\n", "const o = { a }\n"),
        ("a.js", "const o = { __proto__: __proto__ }\n", "const o = { __proto__ }\n"),
        ("a.js", "f`a b`\n", "f('a b')\n"),
        ("a.js", "f(`a ${b}`)\n", "f('a ${b}')\n"),
        ("a.js", "`use strict`\nf()\n", "'use strict'\nf()\n"),
        ("a.rs", "fn f() -> S { S { a: b } }\n", "fn f() -> S { S { b } }\n"),
        ("a.rs", "fn f(x: &'static str) {}\n", "fn f(x: &str) {}\n"),
    ] {
        is_evolution(path, before, after);
    }
}
