//! Names that are given to something else than a function: fields, variants, constants, variables of a file. For each the
//! rename that is proved, and beside it the one that would be noticed (REQ 165).

use bailiwick_domain::MutationMethod::{Renamed, SameItems, SameTokens};

use crate::pairs::{is_evolution, is_refactor};

/// A text twice: with an old name and with a new one at each `@`.
fn twice(text: &str, old: &str, new: &str) -> (String, String) {
    (text.replace('@', old), text.replace('@', new))
}

// REQ 165
#[test]
fn a_name_that_nobody_reads_as_text_may_change_everywhere() {
    for (path, text) in [
        (
            "a.cpp",
            "template <typename T> auto f(C& c) -> int {\n  constexpr bool % = is_c<T>::value;\n  if (!%) return c.begin();\n  using U = cond<%, T, int>;\n  return g<U>().parse(c);\n}\n",
        ),
        (
            "a.cs",
            "class A : B\n{\n    private static H % = new H();\n    int F(int k) { return %.Get(k); }\n}\n",
        ),
        (
            "A.java",
            "class A {\n  S of() { return new %(1); }\n  private static class % extends S {\n    %(int f) { g(f); }\n  }\n}\n",
        ),
        ("a.js", "class A {\n  #% = 1\n  f() { return this.#% }\n}\n"),
        ("a.rs", "pub(crate) struct S { pub(crate) %: u8 }\nfn f(s: &S) -> u8 { s.% }\n"),
        ("a.rs", "#[derive(Clone)]\nenum E { %, Other }\nfn f() -> E { E::% }\n"),
    ] {
        let (before, after) = (text.replace('%', "earlier"), text.replace('%', "later"));
        is_refactor(path, Renamed, &before, &after);
    }
}

// REQ 165; threat C4: a rename that someone outside the text would notice
#[test]
fn a_name_that_something_may_look_up_stays() {
    for (path, text) in [
        // A header, a linker or a macro may have a name of C.
        ("a.c", "struct s { int @; int b; };\nint f(struct s *p) { return p->@ + p->b; }\n"),
        ("a.c", "static int @;\nint f(void) { return @; }\n"),
        ("a.c", "extern int @;\nint f(void) { return @; }\n"),
        ("a.c", "int @ = 0;\nint f(void) { return @; }\n"),
        ("a.c", "typedef struct { int a; } @;\nint f(@ *x) { return x->a; }\n"),
        ("a.c", "enum e { @, OTHER };\nint f(int x) { return x == @; }\n"),
        ("a.cpp", "class A {\n public:\n  int f() { return @; }\n\n private:\n  int @;\n};\n"),
        ("a.cpp", "namespace n { extern int @; }\nint f() { return n::@; }\n"),
        (
            "a.c",
            "#define DUMP(x) printf(\"%s\", #x)\nstatic int @(void) { return 1; }\nint f(void) { DUMP(@); }\n",
        ),
        ("a.c", "static int @(void) { return 1; }\nEXPORT(@);\nint f(void) { return @(); }\n"),
        // A macro makes a text of what it is given.
        ("a.c", "struct s { int @; };\nint f(struct s *p) { return DUMP(p, @); }\n"),
        ("a.c", "#define KEY(x) name_of(@, x)\nenum e { @, OTHER };\nint f(int x) { return x == @; }\n"),
        // A template may ask for it.
        (
            "a.cpp",
            "template <class T> int g(T t) { return t.@; }\nstruct A { int @; };\nint f(A a) { return a.@; }\n",
        ),
        // Serialization, reflection, injection.
        ("A.java", "class A {\n  private int @;\n  int f() { return @; }\n}\n"),
        (
            "A.java",
            "class A {\n  S of() { return new @(1); }\n  %Bean static class @ {\n    @(int f) {}\n  }\n}\n",
        ),
        ("a.cs", "class A\n{\n    [Column] internal int @;\n    int F() { return @; }\n}\n"),
        ("a.cs", "class A\n{\n    internal int @;\n    int F() { return @; }\n}\n"),
        ("a.cs", "class A\n{\n    private int @;\n    string F() { return nameof(@) + @; }\n}\n"),
        ("a.cs", "class A\n{\n    private int @;\n    object F(A o) { return J(new { o.@ }); }\n}\n"),
        ("a.cs", "class A\n{\n    private int @;\n    object F() { return (@, 1); }\n}\n"),
        ("a.cs", "class A\n{\n    private string @;\n    void F() { G.ThrowIfNull(@); }\n}\n"),
        ("a.cs", "[Serializable]\nclass A\n{\n    private int @;\n    int F() { return @; }\n}\n"),
        ("A.java", "class A { private native void @(); void f() { @(); } }\n"),
        ("a.cs", "class A\n{\n    internal int @ { get; set; }\n    int F() { return @; }\n}\n"),
        ("a.ts", "class A {\n  private @ = 1\n  f() { return this.@ }\n}\n"),
        ("a.ts", "class A {\n  %tracked #@ = 1\n  f() { return this.#@ }\n}\n"),
        ("a.ts", "class A {\n  @ = 1\n  f() { return this.@ }\n}\n"),
        ("a.rs", "#[derive(Debug)]\nenum E { @, Other }\nfn f() -> E { E::@ }\n"),
        ("a.rs", "#[derive(Serialize)]\nenum E { @, Other }\nfn f() -> E { E::@ }\n"),
        ("a.rs", "#[derive(Serialize)]\npub struct S { pub @: u8 }\nfn f(s: &S) -> u8 { s.@ }\n"),
        ("a.rs", "#[derive(Debug)]\npub struct S { pub @: u8 }\nfn f(s: &S) -> u8 { s.@ }\n"),
        ("a.rs", "#[derive(Debug)]\nstruct @;\nfn f() -> @ { @ }\n"),
        (
            "a.rs",
            "enum E { @, B }\nfn f(e: E) -> &'static str { match e { E::@ => stringify!(@), E::B => \"\" } }\n",
        ),
        ("a.rs", "struct S { @: u8 }\nimpl S { fn f(&self) { info!(@ = self.@, \"in\"); } }\n"),
        ("a.ts", "declare function @(): void\nfunction f() { @() }\n"),
        ("a.rs", "struct S { @: usize }\nimpl S { fn g(&self) -> usize { self.@() + self.@ } }\n"),
        (
            "a.rs",
            "struct S;\nimpl S { fn @(&self) {} fn g(&self) { self.@() } }\nmod m { use ext::S; fn h(s: &S) { s.@() } }\n",
        ),
        ("a.js", "const o = { @() { return 1 } }\nexport default o\n"),
        ("a.js", "function @() { return 1 }\nexport { @ }\n"),
        ("a.py", "class A:\n    def g(self):\n        self._@ = 1\n        return self.__dict__\n"),
        ("a.rs", "struct @;\nfn g() -> &'static str { std::any::type_name::<@>() }\n"),
        ("A.java", "class A { private void @() {} Object f() { return new B() { void g() { @(); } }; } }\n"),
        ("a.cs", "class A { private int @; void F() { Debug.Assert(@ > 1); } }\n"),
        ("a.cs", "class A { private int @; D F(D d) { return d with { @ = @ }; } }\n"),
        ("a.cs", "class A { private int @; bool F(D d) { return d is { @: 1 } && @ > 1; } }\n"),
        ("a.cs", "class A { private int @; void F() { G(@: 1); G(@); } }\n"),
        ("a.cs", "class A { private int @; class C : D { int F() { return @; } } }\n"),
        ("a.c", "static int @(void) { return 1; }\nmodule_init(@);\n"),
        ("a.rs", "extern \"C\" { fn @() -> i32; }\nfn f() -> i32 { unsafe { @() } }\n"),
        ("a.rs", "extern \"C\" { static @: i32; }\nfn f() -> i32 { unsafe { @ } }\n"),
        ("a.ts", "export function @() { return 1 }\nexport const f = () => ({ @ })\n"),
        (
            "a.py",
            "class A(B):\n    def f(self):\n        self._@ = 1\n\n    def g(self):\n        return self._@\n",
        ),
        // Nobody in the set uses it: its users are elsewhere.
        ("a.c", "struct s { int @; };\n"),
        ("a.py", "@ = 3\n"),
        ("a.rs", "pub struct S { pub @: u8 }\n"),
        ("a.rs", "pub trait T {\n    fn @(&self) -> u8 {\n        1\n    }\n}\n"),
    ] {
        let (before, after) = twice(text, "earlier", "later");
        is_evolution(path, &before.replace('%', "@"), &after.replace('%', "@"));
    }
    // What another package asks for at run time, and properties.
    for (path, text, old, new) in [
        ("a.tsx", "function @() { return <p /> }\nexport const f = () => <@ />\n", "Total", "sum"),
        (
            "a.go",
            "package a\n\ntype t struct{ @ int }\n\nfunc (x t) g() string { return p(\"%+v\", x, x.@) }\n",
            "earlier",
            "later",
        ),
        (
            "a.go",
            "package a\n\nfunc (t *T) @(w W) {}\n\nfunc (t *T) f() { t.@(nil) }\n",
            "WriteTo",
            "WriteAll",
        ),
        ("A.java", "class A { public int @() { return 1; } int f() { return @(); } }\n", "getA", "fetchA"),
    ] {
        let (before, after) = twice(text, old, new);
        is_evolution(path, &before, &after);
    }
    for text in [
        "class A\n  def initialize\n    @% = 1\n  end\n\n  def f\n    @% + 1\n  end\nend\n",
        "class A < B\n  def f\n    @% = 1\n  end\n\n  def g\n    @%\n  end\nend\n",
    ] {
        is_evolution("a.rb", &text.replace('%', "earlier"), &text.replace('%', "later"));
    }
}

// REQ 165; threat C4: one mention is left out, or another is taken along
#[test]
fn a_name_that_changes_in_part_is_another_name() {
    for (path, before, after) in [
        (
            "a.c",
            "struct s { int a; int b; };\nint f(struct s *p) { return p->a - p->b; }\n",
            "struct s { int b; int a; };\nint f(struct s *p) { return p->a - p->b; }\n",
        ),
        (
            "a.c",
            "struct s { int a; };\nint f(struct s *p, struct t *q) { return p->a - q->a; }\n",
            "struct s { int n; };\nint f(struct s *p, struct t *q) { return p->n - q->a; }\n",
        ),
        (
            "a.rs",
            "enum E { A, B }\nfn f() -> E { E::A }\nfn g() -> E { E::B }\n",
            "enum E { A, B }\nfn f() -> E { E::B }\nfn g() -> E { E::A }\n",
        ),
        (
            "a.ts",
            "import { a, b } from './b'\nexport const f = () => a(1)\n",
            "import { a, b } from './b'\nexport const f = () => b(1)\n",
        ),
        (
            "a.py",
            "ONE = 1\nTWO = 2\n\n\ndef f():\n    return ONE\n",
            "ONE = 1\nTWO = 2\n\n\ndef f():\n    return TWO\n",
        ),
        (
            "a.cpp",
            "template <typename T> int f() {\n  constexpr bool a = p<T>();\n  constexpr bool b = q<T>();\n  using U = cond<a, T, int>;\n  return g<U>(b);\n}\n",
            "template <typename T> int f() {\n  constexpr bool a = p<T>();\n  constexpr bool b = q<T>();\n  using U = cond<b, T, int>;\n  return g<U>(a);\n}\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165
#[test]
fn comments_are_found_where_the_grammar_gives_up() {
    let head = "#ifndef A_H\n#define A_H\nFMT_BEGIN(\n#if X\n";
    let tail = "int f(int a { return 1; }\nint g() { return h(\"a // b\", 'c'); }\n#endif\n";
    let before = format!("{head}{tail}");
    let commented = format!("{head}// Why.\n/* What\n   for. */\n{tail}");
    is_refactor("a.h", SameTokens, &before, &commented);
    is_refactor("a.h", SameTokens, &before, &before.replace("f(int a", "f( // two\n      int a"));
    is_refactor("a.h", SameTokens, &before, &before.replace("#if X", "#if X  // where it is there"));
    for (was, is) in [
        ("a // b", "a // c"),
        ("'c'", "'/'"),
        ("#if X", "#if X // goes on \\"),
        ("#if X", "#if X\n#if Y"),
        ("#define A_H\n", "#define A_H FMT_BEGIN(1)\n"),
        ("return 1", "return /* not */ 2"),
        ("#define A_H\n", "#define A_H // one\n#include <a//b>\n"),
        ("h(\"a // b\"", "h(R\"(a // b)\""),
    ] {
        is_evolution("a.h", &before, &before.replace(was, is));
    }
    // What is raw may hold anything.
    let raw = before.replace("\"a // b\"", "R\"(a // b)\"");
    is_evolution("a.h", &raw, &raw.replace("// b", "// c"));
}

// REQ 165
#[test]
fn documentation_counts_where_an_attribute_of_its_item_reads_it() {
    let quiet = "use clap::Parser;\n#[derive(Parser)]\nstruct A {\n    /// One.\n    a: u8,\n}\n\n/// Two.\n#[derive(\n    Clone,\n    Debug,\n)]\nstruct B {\n    /// Three.\n    b: u8,\n}\n\n/// Four.\nfn f() {}\n";
    for (was, is) in [("Two.", "2."), ("Three.", "3."), ("Four.", "4.")] {
        is_refactor("a.rs", SameTokens, quiet, &quiet.replace(was, is));
    }
    is_evolution("a.rs", quiet, &quiet.replace("One.", "1."));
    for text in [
        "/// Old.\n#[derive(\n    Clone,\n    Parser,\n)]\nstruct A;\n",
        "#[derive(Parser)]\n/// Old.\nstruct A;\n",
        "#[derive(\n    Clone,\n    Parser,\n)]\n#[command(about)]\n/// Old.\nstruct A;\n",
        "#[tool_box]\nimpl A {\n    /// Old.\n    fn f() {}\n}\n",
        "#[cfg_attr(feature = \"x\", derive(JsonSchema))]\nstruct A {\n    /// Old.\n    a: u8,\n}\n",
        "#[derive(Clone)]\nenum A {\n    /// Old.\n    #[value(name = \"x\")]\n    B,\n}\n",
        "#[derive(Clone)] #[pyclass]\n/// Old.\nstruct A;\n",
        "#[pyclass(\n    name = \"A\"\n)] // keep\n/// Old.\nstruct A;\n",
        "#[cfg_attr(feature = \"py\", pyclass)]\n/// Old.\nstruct A;\n",
        "# [ derive ( Clone , Parser ) ]\n/// Old.\nstruct A;\n",
        "#[derive(Clone /* , */, Parser)] struct A {\n    /// Old.\n    a: u8,\n}\n",
        "#[tool_box]\nmod a {\n    //! Old.\n}\n",
        "mod a {\n    //! Old.\n    #![tool_box]\n}\n",
        "#[tool_box]\nfn f(/* a */) {}\n/// Old.\nfn g() { let = ; }\n",
    ] {
        is_evolution("a.rs", text, &text.replace("Old.", "New."));
    }
    is_refactor(
        "a.rs",
        SameItems,
        "/// Doc.\n#[derive(Parser)]\nstruct A { a: u8 }\n\nconst X: u8 = 1;\n",
        "const X: u8 = 1;\n\n/// Doc.\n#[derive(Parser)]\nstruct A { a: u8 }\n",
    );
    is_evolution(
        "a.rs",
        "/// Doc.\n#[derive(Parser)]\nstruct A { a: u8 }\n\nstruct B;\n",
        "/// Doc.\nstruct B;\n\n#[derive(Parser)]\nstruct A { a: u8 }\n",
    );
}

// REQ 165
#[test]
fn orders_and_imports_that_nothing_can_tell() {
    for (path, before, after) in [
        (
            "a.go",
            "package a\n\nconst (\n\tx = \"1\"\n\tz = \"3\"\n\ty = \"2\"\n)\n",
            "package a\n\nconst (\n\tx = \"1\"\n\ty = \"2\"\n\tz = \"3\"\n)\n",
        ),
        (
            "A.java",
            "import a.*;\nimport b.*;\nclass A { B f() { return b(); } }\n",
            "import b.*;\nclass A { B f() { return b(); } }\n",
        ),
        ("a.rs", "use std::collections::BTreeSet;\nfn f() {}\n", "fn f() {}\n"),
        (
            "a.cs",
            "class A\n{\n    private static B b = new B();\n    public B C { get => b; }\n}\n",
            "class A\n{\n    public B C { get => b; }\n    private static B b = new B();\n}\n",
        ),
    ] {
        is_refactor(path, SameItems, before, after);
    }
    for (path, before, after) in [
        (
            "a.go",
            "package a\n\nconst (\n\tx = iota\n\ty = iota\n)\n",
            "package a\n\nconst (\n\ty = iota\n\tx = iota\n)\n",
        ),
        (
            "a.go",
            "package a\n\nconst (\n\tx = 1\n\ty\n\tz = 2\n)\n",
            "package a\n\nconst (\n\tz = 2\n\tx = 1\n\ty\n)\n",
        ),
        (
            "a.go",
            "package a\n\nvar (\n\ty = f()\n\tx = g()\n)\n",
            "package a\n\nvar (\n\tx = g()\n\ty = f()\n)\n",
        ),
        (
            "A.java",
            "import static a.B.*;\nclass A { int f() { return b(); } }\n",
            "class A { int f() { return b(); } }\n",
        ),
        ("a.rs", "use std::io::Read;\nfn f() {}\n", "fn f() {}\n"),
        ("a.rs", "pub use std::collections::BTreeSet;\nfn f() {}\n", "fn f() {}\n"),
        (
            "a.cs",
            "struct P { private byte x; public int Y { get; set; } }\n",
            "struct P { public int Y { get; set; } private byte x; }\n",
        ),
        (
            "a.cs",
            "[StructLayout(LayoutKind.Sequential)]\nclass P { private byte x; public int Y { get; set; } }\n",
            "[StructLayout(LayoutKind.Sequential)]\nclass P { public int Y { get; set; } private byte x; }\n",
        ),
        (
            "a.go",
            "package a\n\nconst A = 1\n\nfunc f() int {\n\tconst (\n\t\tB = A\n\t\tA = 2\n\t)\n\treturn B + A\n}\n",
            "package a\n\nconst A = 1\n\nfunc f() int {\n\tconst (\n\t\tA = 2\n\t\tB = A\n\t)\n\treturn B + A\n}\n",
        ),
        (
            "a.cs",
            "class A\n{\n    private static B b = new B();\n    public B C { get; set; } = b;\n}\n",
            "class A\n{\n    public B C { get; set; } = b;\n    private static B b = new B();\n}\n",
        ),
        (
            "a.cs",
            "class A\n{\n    public int B { get; set; }\n    public int C { get; set; }\n}\n",
            "class A\n{\n    public int C { get; set; }\n    public int B { get; set; }\n}\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: a parameter that a caller, an override or a framework may name
#[test]
fn a_parameter_that_somebody_may_name_stays() {
    for (path, text) in [
        ("a.py", "def _f(@, b):\n    return @ + b\n\n\ndef g(x):\n    return _f(x, 1)\n"),
        ("a.py", "def _f(@):\n    return @ + 1\n"),
        ("a.py", "class A(B):\n    def _f(self, @):\n        return @ + 1\n"),
        (
            "a.cs",
            "class A\n{\n    private int F(int @) { return @ + 1; }\n    public int G() { return F(2); }\n}\n",
        ),
        ("a.cs", "class A\n{\n    void F(B b) { b.Map(\"/u/{id}\", G); R G(int @) { return H(@); } }\n}\n"),
        ("a.cs", "class A\n{\n    void F(B b) { b.Map(\"/u/{id}\", (int @) => H(@)); }\n}\n"),
        ("a.cs", "class A\n{\n    public int G() { var @ = 1; return H(nameof(@)); }\n}\n"),
        ("a.cs", "class A\n{\n    public void G() { var @ = H(); I.ThrowIfNull(@); }\n}\n"),
    ] {
        let (before, after) = twice(text, "earlier", "later");
        is_evolution(path, &before, &after);
    }
    let lambda = "class A\n{\n    public int G(B b) { return b.Map((@) => @.C); }\n}\n";
    let (before, after) = twice(lambda, "earlier", "later");
    is_refactor("a.cs", Renamed, &before, &after);
}

// REQ 165; threat C4: another's thing of the same name is taken along
#[test]
fn a_name_behind_what_may_be_something_else_stays() {
    for (path, text, old, new) in [
        (
            "a.rs",
            "struct O { @: bool }\nfn f(o: &O) -> F { F::new().@(o.@).open(\"x\") }\n",
            "append",
            "truncate",
        ),
        (
            "a.rs",
            "struct O { @: i32 }\nimpl O { fn f(&self, v: &[i32]) -> bool { v.@() == Some(&self.@) } }\n",
            "first",
            "last",
        ),
        (
            "a.rs",
            "struct A(Vec<i32>);\nimpl A { fn @(&self) -> Option<&i32> { self.0.@() } }\n",
            "first",
            "last",
        ),
        (
            "a.rs",
            "#[derive(Clone)]\npub enum V { Quiet, @ }\nfn f(v: V) -> log::LevelFilter { match v { V::Quiet => log::LevelFilter::Off, V::@ => log::LevelFilter::@ } }\n",
            "Info",
            "Trace",
        ),
        ("a.rs", "struct S { @: u8 }\nfn f(s: S, o: other::T) -> u8 { s.@ + o.@ }\n", "a", "b"),
        ("a.rs", "struct S { @: u8 }\nfn f(s: S) -> other::T { other::T { @: s.@ } }\n", "a", "b"),
        ("a.rs", "struct S { @: u8 }\nfn f(s: S) -> u8 { let s = other(s); s.@ }\n", "a", "b"),
        (
            "a.rs",
            "struct S { @: u8 }\nimpl T for other::U { fn f(&self) -> u8 { self.@ } }\nfn g(s: S) -> u8 { s.@ }\n",
            "a",
            "b",
        ),
        ("a.rs", "use other::@;\nstruct S { @: u8 }\nfn f(s: S) -> u8 { @(s.@) }\n", "sin", "cos"),
        (
            "a.go",
            "package a\n\ntype t struct{ @ int }\n\nfunc f(x t, n int) int { return @(x.@, n) }\n",
            "min",
            "max",
        ),
        (
            "a.go",
            "package a\n\ntype t struct{ @ int }\n\nfunc f(x t, y u) int { return x.@ + y.@ }\n",
            "min",
            "max",
        ),
        ("a.go", "package a\n\ntype t struct{ @ int }\n\nfunc f(x t) u { return u{@: x.@} }\n", "min", "max"),
        (
            "a.go",
            "package a\n\nfunc @(x t) int { return b.@(x) }\n\nfunc g(x t) int { return @(x) }\n",
            "min",
            "max",
        ),
        (
            "A.java",
            "class A { private static int @ = 3; static int f(int a) { return Math.@(a, @); } }\n",
            "min",
            "max",
        ),
        (
            "A.java",
            "import static java.lang.Math.@;\nclass A { private static int @ = 3; static int f(int a) { return @(a, @); } }\n",
            "min",
            "max",
        ),
        (
            "A.java",
            "class A { private void @() {} void f() { @(); } }\nclass B extends C { void g() { @(); } }\n",
            "go",
            "walk",
        ),
        ("a.cs", "class A { private int @ = 3; int F(int a) { return Math.@(a, @); } }\n", "Min", "Max"),
        ("a.cs", "class A { private int @ = 3; int F(D o) { return o.@ + @; } }\n", "Total", "Sum"),
        ("a.cs", "class A { private int @ = 3; D F() { return new D { @ = @ }; } }\n", "Total", "Sum"),
        ("a.js", "function @(a, b) { return Math.@(a, b); }\nmodule.exports = x => @(x, 1);\n", "min", "max"),
        (
            "a.js",
            "import { @ } from 'b'\nR.prototype.@ = function (a) { return @(this.@(a)) }\n",
            "min",
            "max",
        ),
        ("a.py", "def _@():\n    return other._@()\n\n\ndef g():\n    return _@()\n", "a", "b"),
        (
            "a.c",
            "struct s { double @; };\ndouble f(struct s *p, double x) { p->@ = @(x); return p->@; }\n",
            "sin",
            "cos",
        ),
    ] {
        let (before, after) = twice(text, old, new);
        is_evolution(path, &before, &after);
    }
    for (path, text) in [
        (
            "a.rs",
            "struct S { @: u8 }\nimpl S {\n    fn new(@: u8) -> Self { Self { @ } }\n    fn f(self) -> u8 { let S { @, .. } = self; @ }\n    fn g(&self) -> u8 { self.@ }\n}\n",
        ),
        ("a.rs", "struct S { @: u8 }\nfn f(a: &mut S) { a.@ = 1; println!(\"{}\", a.@); }\n"),
        ("a.go", "package a\n\ntype t struct{ @ int }\n\nfunc (a *t) g(b t) t { return t{@: a.@ + b.@} }\n"),
        ("A.java", "class A { private static int @ = 3; int f() { return A.@ + @; } }\n"),
        ("a.cs", "class A { private int @ = 3; int F() { return this.@ + @; } }\n"),
        ("a.ts", "class A {\n  private @() { return 1 }\n  f() { return this.@() }\n}\n"),
    ] {
        let (before, after) = twice(text, "earlier", "later");
        is_refactor(path, Renamed, &before, &after);
    }
}

// REQ 165
#[test]
fn words_for_people_in_more_places() {
    for (path, before, after) in [
        (
            "a.py",
            "@fixture\ndef f():\n    \"\"\"Old.\"\"\"\n    g()\n",
            "@fixture\ndef f():\n    \"\"\"New.\"\"\"\n    g()\n",
        ),
        (
            "a.py",
            "def f():\n    from a import b, c\n    return b(c)\n",
            "def f():\n    from a import (\n        b,\n        c,\n    )\n    return b(c)\n",
        ),
        (
            "A.java",
            "class A {\n  /** \\u0041 one. */\n  int a;\n}\n",
            "class A {\n  /** \\u0041 two. */\n  int a;\n}\n",
        ),
        (
            "a.rs",
            "#![crate_type = \"lib\"]\n//! Old.\n#[derive(Parser)]\nstruct A;\n",
            "#![crate_type = \"lib\"]\n//! New.\n#[derive(Parser)]\nstruct A;\n",
        ),
    ] {
        is_refactor(path, SameTokens, before, after);
    }
    for (path, before, after) in [
        (
            "a.py",
            "@command\ndef f():\n    \"\"\"Old.\"\"\"\n    g()\n",
            "@command\ndef f():\n    \"\"\"New.\"\"\"\n    g()\n",
        ),
        (
            "a.py",
            "def f():\n    from a import b, c\n    return b(c)\n",
            "def f():\n    from a import (\n        b,\n        d,\n    )\n    return b(c)\n",
        ),
        (
            "A.java",
            "class A {\n  /* \\u002a/ int b; /* */\n  int a;\n}\n",
            "class A {\n  /* \\u002a/ int c; /* */\n  int a;\n}\n",
        ),
        (
            "A.java",
            "class A {\n  // \\u000a int b;\n  int a;\n}\n",
            "class A {\n  // \\u000a int c;\n  int a;\n}\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
    let units = "FMT_BEGIN(\nint f(int a {\n  return 1'000 + L'x';\n}\nint operator\"\" _a(const char* s);\n";
    is_refactor("a.h", SameTokens, units, &units.replace("FMT_BEGIN(", "FMT_BEGIN(  // why"));
    for (was, is) in [("1'000", "1'001"), ("L'x'", "L'y'"), ("\"\" _a", "\"\" _b")] {
        is_evolution("a.h", units, &units.replace(was, is));
    }
}

// REQ 165; threat C4: that a foreign type has both names of a method is believed only of short ones.
#[test]
fn a_method_behind_a_value_of_unknown_type_changes_with_its_name_of_many_words() {
    let text = |name: &str| {
        let body = "for _, child := range c.Commands() { if child.NAME() { return true } }\n\treturn false";
        format!(
            "package a\n\nfunc (c *Command) NAME() bool {{\n\treturn c.n > 1\n}}\n\nfunc (c *Command) f() bool {{\n\t{body}\n}}\n"
        )
        .replace("NAME", name)
    };
    for (old, new, is_believed) in [
        ("IsHelpCommand", "IsAdditionalHelpTopicCommand", true),
        ("IsHelpCommand", "IsHelp", false),
        ("Min", "Max", false),
        ("MinValue", "MaxValue", false),
    ] {
        match is_believed {
            true => is_refactor("a.go", Renamed, &text(old), &text(new)),
            false => is_evolution("a.go", &text(old), &text(new)),
        }
    }
    let rust = |name: &str| {
        format!("struct S {{ {name}: u8 }}\nfn f(s: S, o: other::T) -> u8 {{ s.{name} + o.{name} }}\n")
    };
    is_evolution("a.rs", &rust("first_of_all"), &rust("last_of_them_all"));
}
