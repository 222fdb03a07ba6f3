//! Real refactors with one change planted in them: not one may pass (REQ 165).
//!
//! Each seed is a pair that is proved. A plant changes one token of the text after: an operator, a number, a text, a word
//! of the language, the order of two arguments, a call. Where the planted text happens to be the same text, or is no text
//! of the language, it is left out of the count.

#![expect(clippy::string_slice, clippy::unwrap_used, reason = "the seeds are ASCII")]

use std::collections::BTreeSet;

use crate::pairs::classify;

const SEEDS: &[(&str, &str, &str)] = &[
    (
        "a.ts",
        "import { a, b } from 'x'\nexport function area(w: number, h = 2, unit = 'cm') {\n  if (w <= 0 || h < 0) return null\n  const base = w * h + 1\n  const list = [base, w - h, !unit]\n  for (let i = 0; i < list.length; i++) {\n    if (list[i] === base && a(list[i], i)) b(i, base)\n  }\n  return { base, unit: unit + 'x', ok: true }\n}\n",
        "import { b, a } from \"x\";\n\n// The area.\nexport function area(w: number, h = 2, unit = \"cm\") {\n  if (w <= 0 || h < 0) {\n    return null;\n  }\n  const base = w * h + 1;\n  const items = [base, w - h, !unit];\n  for (let n = 0; n < items.length; n++) {\n    if (items[n] === base && a(items[n], n)) {\n      b(n, base);\n    }\n  }\n  return { base, unit: unit + \"x\", ok: true };\n}\n",
    ),
    (
        "a.py",
        "import os\nfrom sys import argv\n\ndef total(rows, scale=2, name='sum'):\n    out = 0\n    for row in rows:\n        if row > 10 and not row == 12:\n            out += row * scale\n        elif row < 0 or row is None:\n            continue\n    print(name, out, os.sep)\n    return [out - 1, -out, [r + 1 for r in rows if r != 3]]\n",
        "from sys import argv\nimport os\n\n\ndef total(rows, scale=2, name=\"sum\"):\n    \"\"\"Adds rows.\"\"\"\n    result = 0\n    for item in rows:\n        if item > 10 and not item == 12:\n            result += item * scale\n        elif item < 0 or item is None:\n            continue\n    print(name, result, os.sep)\n    return [result - 1, -result, [x + 1 for x in rows if x != 3]]\n",
    ),
    (
        "a.rs",
        "use std::fmt;\nuse std::io::{self, Read};\n\npub fn sum(values: &[u32], limit: u32) -> Option<u32> {\n    let mut out = 0;\n    for value in values {\n        if *value >= limit && limit != 7 { return None; }\n        out += value * 2 - 1;\n    }\n    println!(\"{out} of {}\", limit);\n    match out { 0 => None, n if n > 100 => Some(n % 10), n => Some(n | 1) }\n}\n",
        "use std::io::{self, Read};\nuse std::fmt;\n\n/// Sums.\npub fn sum(numbers: &[u32], limit: u32) -> Option<u32> {\n    let mut total = 0;\n    for number in numbers {\n        if *number >= limit && limit != 7 {\n            return None;\n        }\n        total += number * 2 - 1;\n    }\n    println!(\"{total} of {}\", limit);\n    match total {\n        0 => None,\n        k if k > 100 => Some(k % 10),\n        k => Some(k | 1),\n    }\n}\n",
    ),
    (
        "a.go",
        "package x\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc First(in []int, max int) (int, error) {\n\tfor i, v := range in {\n\t\tif v > max || i == 9 {\n\t\t\treturn v - 1, fmt.Errorf(\"bad %d\", v)\n\t\t}\n\t\tdefer os.Remove(\"tmp\")\n\t}\n\tgo second(max, 4)\n\treturn -max, nil\n}\n\nfunc second(a, b int) bool { return a < b && !third(a*b) }\n",
        "package x\n\nimport (\n\t\"os\"\n\t\"fmt\"\n)\n\nfunc second(a, b int) bool {\n\treturn a < b && !third(a*b)\n}\n\n// First finds.\nfunc First(values []int, max int) (int, error) {\n\tfor n, value := range values {\n\t\tif value > max || n == 9 {\n\t\t\treturn value - 1, fmt.Errorf(\"bad %d\", value)\n\t\t}\n\t\tdefer os.Remove(\"tmp\")\n\t}\n\tgo second(max, 4)\n\treturn -max, nil\n}\n",
    ),
    (
        "A.java",
        "import x.B;\nimport x.C;\n\npublic class A {\n    private int limit = 3;\n    private final String name = \"a\";\n\n    public boolean check(int value, String text) {\n        int twice = value * 2 + 1;\n        if (twice >= limit && !text.isEmpty()) { log(text, twice); return true; }\n        while (twice < 10 || value == 4) { twice += 1; value--; }\n        return B.of(twice, value) != C.NONE;\n    }\n\n    static synchronized void log(String a, int b) { System.out.println(a + b); }\n}\n",
        "import x.C;\nimport x.B;\n\npublic class A {\n    private int limit = 3;\n    private final String name = \"a\";\n\n    static synchronized void log(String first, int second) {\n        System.out.println(first + second);\n    }\n\n    /** Checks. */\n    public boolean check(int value, String text) {\n        int doubled = value * 2 + 1;\n        if (doubled >= limit && !text.isEmpty()) {\n            log(text, doubled);\n            return true;\n        }\n        while (doubled < 10 || value == 4) {\n            doubled += 1;\n            value--;\n        }\n        return B.of(doubled, value) != C.NONE;\n    }\n}\n",
    ),
    (
        "a.c",
        "#include <stdio.h>\n#define LIMIT 10\nstatic int count = 0;\nint add(int a, const char *b) { int c = a * 2; if (c > LIMIT && b[0] == 'x') { count++; return -1; } printf(\"%d %s\", c, b); return c | 1; }\n",
        "#include <stdio.h>\n#define LIMIT 10\nstatic int count = 0;\n\n/* Adds. */\nint add(int n, const char *text) {\n  int twice = n * 2;\n  if (twice > LIMIT && text[0] == 'x') {\n    count++;\n    return -1;\n  }\n  printf(\"%d %s\", twice, text);\n  return twice | 1;\n}\n",
    ),
    (
        "a.cs",
        "using System;\nclass A { private int limit = 3; public bool Check(int value) { var twice = value * 2 + 1; if (twice >= limit && value != 7) { Log(\"a\", twice); return true; } return !Other(twice, value); } }\n",
        "using System;\n\nclass A\n{\n    private int limit = 3;\n\n    // Checks.\n    public bool Check(int value)\n    {\n        var doubled = value * 2 + 1;\n        if (doubled >= limit && value != 7)\n        {\n            Log(\"a\", doubled);\n            return true;\n        }\n        return !Other(doubled, value);\n    }\n}\n",
    ),
    (
        "a.rb",
        "require 'x'\n\nclass A\n  LIMIT = 3\n\n  def check(value, text)\n    twice = value * 2 + 1\n    return nil if twice > LIMIT && !text.empty?\n    [1, 2].each { |n| puts n + twice unless n == 2 }\n    log(text, twice, \"a b\")\n  end\nend\n",
        "require 'x'\n\nclass A\n  LIMIT = 3\n\n  # Checks.\n  def check(amount, words)\n    double = amount * 2 + 1\n    return nil if double > LIMIT && !words.empty?\n\n    [1, 2].each { |k| puts k + double unless k == 2 }\n    log(words, double, \"a b\")\n  end\nend\n",
    ),
    (
        "a.php",
        "<?php\nclass A { private $limit = 3; public function check($value, $text) { $twice = $value * 2 + 1; if ($twice >= $this->limit && $text !== 'x') { log($text, $twice); return true; } foreach ([1, 2] as $n) { echo $n - $twice; } return !other($twice, $value); } }\n",
        "<?php\nclass A\n{\n    private $limit = 3;\n\n    // Checks.\n    public function check($value, $text)\n    {\n        $double = $value * 2 + 1;\n        if ($double >= $this->limit && $text !== 'x') {\n            log($text, $double);\n            return true;\n        }\n        foreach ([1, 2] as $item) {\n            echo $item - $double;\n        }\n        return !other($double, $value);\n    }\n}\n",
    ),
    (
        "a.py",
        "def load(path):\n    data = read(path)\n    return data.strip().split(',')\n\n\ndef main(p, q):\n    a = load(p)\n    b = load(q)\n    if len(a) > len(b):\n        return a[0] + b[1]\n    return None\n",
        "def load(path):\n    data = read(path)\n    return _parts(data)\n\n\ndef _parts(text):\n    return text.strip().split(',')\n\n\ndef main(p, q):\n    a = load(p)\n    b = load(q)\n    if len(a) > len(b):\n        return a[0] + b[1]\n    return None\n",
    ),
    (
        "A.java",
        "class A {\n    void stop(int code) {\n        time = now();\n        state = \"off\";\n        if (code > 3) { time = now(); state = \"off\"; }\n        emit(code, state);\n    }\n}\n",
        "class A {\n    void stop(int code) {\n        mark();\n        if (code > 3) {\n            mark();\n        }\n        emit(code, state);\n    }\n\n    private void mark() {\n        time = now();\n        state = \"off\";\n    }\n}\n",
    ),
    (
        "A.java",
        "class A {\n    int f(int n, String s) {\n        if (n > 40 && s.equals(\"on\")) { return g(n, 40) - 1; }\n        return h(s, \"on\") + 2;\n    }\n}\n",
        "class A {\n    private static final int LIMIT = 40;\n    private static final String STATE = \"on\";\n\n    int f(int n, String s) {\n        if (n > LIMIT && s.equals(STATE)) {\n            return g(n, LIMIT) - 1;\n        }\n        return h(s, STATE) + 2;\n    }\n}\n",
    ),
    (
        "a.py",
        "def f(n, s):\n    if n > 40 and s == 'on':\n        return g(n, 40) - 1\n    return h(s, 'on') + 2\n",
        "_LIMIT = 40\n_STATE = 'on'\n\n\ndef f(n, s):\n    if n > _LIMIT and s == _STATE:\n        return g(n, _LIMIT) - 1\n    return h(s, _STATE) + 2\n",
    ),
    (
        "a.rs",
        "pub fn f(n: u32, s: &str) -> u32 {\n    if n > 3 && s == \"on\" { return g(n, 'x') - 1; }\n    h(s, \"on\") + 2\n}\n",
        "const STATE: &str = \"on\";\nconst SIGN: char = 'x';\n\npub fn f(n: u32, s: &str) -> u32 {\n    if n > 3 && s == STATE {\n        return g(n, SIGN) - 1;\n    }\n    h(s, STATE) + 2\n}\n",
    ),
    (
        "a.go",
        "package x\n\nfunc F(n int, s string) int {\n\tif n > 40 && s == \"on\" {\n\t\treturn g(n, 40) - 1\n\t}\n\treturn h(s, 2.5) + 2\n}\n",
        "package x\n\nconst limit = 40\n\nconst rate = 2.5\n\nfunc F(n int, s string) int {\n\tif n > limit && s == \"on\" {\n\t\treturn g(n, limit) - 1\n\t}\n\treturn h(s, rate) + 2\n}\n",
    ),
    (
        "a.go",
        "package x\n\nfunc F(n int, err error) int {\n\tif n > 3 {\n\t\treturn g(n, 4)\n\t} else {\n\t\th(n)\n\t}\n\tif err != nil {\n\t\tk(n, 1)\n\t} else {\n\t\tm(n, 2)\n\t}\n\treturn n - 1\n}\n",
        "package x\n\nfunc F(n int, err error) int {\n\tif n > 3 {\n\t\treturn g(n, 4)\n\t}\n\th(n)\n\tif err == nil {\n\t\tm(n, 2)\n\t} else {\n\t\tk(n, 1)\n\t}\n\treturn n - 1\n}\n",
    ),
    (
        "a.py",
        "def f(n, ok):\n    if n > 3:\n        return g(n, 4)\n    else:\n        h(n)\n    if not ok:\n        k(n, 1)\n    else:\n        m(n, 2)\n    return n - 1\n",
        "def f(n, ok):\n    if n > 3:\n        return g(n, 4)\n    h(n)\n    if ok:\n        m(n, 2)\n    else:\n        k(n, 1)\n    return n - 1\n",
    ),
    (
        "a.ts",
        "export function f(n: number, ok: boolean) {\n  if (n > 3) {\n    return g(n, 4);\n  } else {\n    h(n);\n  }\n  if (!ok) {\n    k(n, 1);\n  } else {\n    m(n, 2);\n  }\n  return n - 1;\n}\n",
        "export function f(n: number, ok: boolean) {\n  if (n > 3) {\n    return g(n, 4);\n  }\n  h(n);\n  if (ok) {\n    m(n, 2);\n  } else {\n    k(n, 1);\n  }\n  return n - 1;\n}\n",
    ),
    (
        "a.rs",
        "pub struct A;\nimpl A {\n    pub fn run(&self, part: &Part, limit: u32) -> Result<u32, E> {\n        let count = part.count(limit)?;\n        if count > limit && limit != 7 { return Ok(count - 1); }\n        println!(\"{} of {}\", count, limit);\n        Ok(count * 2)\n    }\n}\n",
        "pub struct A;\nimpl A {\n    pub fn run(&self, part: &Part, limit: u32) -> Result<u32, E> {\n        self.counted(part, limit)\n    }\n    fn counted(&self, piece: &Part, most: u32) -> Result<u32, E> {\n        let count = piece.count(most)?;\n        if count > most && most != 7 { return Ok(count - 1); }\n        println!(\"{} of {}\", count, most);\n        Ok(count * 2)\n    }\n}\n",
    ),
    (
        "a.c",
        "int run(struct part *p, int limit)\n{\n\tint n = 3;\n\tfirst(p, n);\n\tif (p->size > limit) {\n\t\treturn -1;\n\t}\n\treturn last(p, limit) + 10;\n}\n",
        "static int rest(struct part *q, int most)\n{\n\tif (q->size > most)\n\t\treturn -1;\n\treturn last(q, most) + 10;\n}\nint run(struct part *p, int limit)\n{\n\tint n = 3;\n\tfirst(p, n);\n\treturn rest(p, limit);\n}\n",
    ),
    (
        "a.js",
        "module.exports = function (rows, limit) {\n  var total = 0\n  var scale = limit * 2\n  rows.forEach(function (row) { return add(row, scale) })\n  for (var i = 0; i < limit; i++) { total = total + rows[i] }\n  const label = name(total, 4)\n  return show(label, limit)\n}\n",
        "module.exports = function (rows, limit) {\n  let total = 0\n  const scale = limit * 2\n  rows.forEach(row => add(row, scale))\n  for (let i = 0; i < limit; i++) total += rows[i]\n  const label = name(total, 4)\n  return show(label, limit)\n}\n",
    ),
    (
        "a.go",
        "package x\n\nfunc F(a int, b int, m map[string]interface{}) int {\n\tfor k, _ := range m {\n\t\tg(k, 2)\n\t}\n\ty := h(a, b)\n\treturn k(y, 3) + a\n}\n",
        "package x\n\nfunc F(a, b int, m map[string]any) int {\n\tfor k := range m {\n\t\tg(k, 2)\n\t}\n\ty := h(a, b)\n\treturn k(y, 3) + a\n}\n",
    ),
    (
        "a.rb",
        "class A\n  def check a, b\n    x = { :one => 1, :two => b }\n    call(a, x) if a > 2 and not b\n    [:p, :q].each do |n| puts n, a end\n    return a + 3\n  end\nend\n",
        "class A\n  def check(a, b)\n    x = { one: 1, two: b }\n    if a > 2 && !b\n      call(a, x)\n    end\n    %i[p q].each { |n| puts(n, a) }\n    a + 3\n  end\nend\n",
    ),
    (
        "a.c",
        "enum mode { NOISY, SILENT = 4 };\nstruct part { int size; int most; };\nstatic int visits = 2;\nint run(struct part *p, int limit)\n{\n\tif (p->size > limit && p->most != 7) {\n\t\tvisits = visits + p->size;\n\t\treturn NOISY;\n\t}\n\tlast(p->most,\n\t     visits);  // why\n\treturn p->size - limit + SILENT;\n}\n",
        "enum mode { NOISY, SILENT = 4 };\nstruct part { int size; int most; };\nstatic int visits = 2;\nint run(struct part *p, int limit)\n{\n\tif (p->size > limit && p->most != 7) {\n\t\tvisits = visits + p->size;\n\t\treturn NOISY;\n\t}\n\tlast(p->most, visits);\n\treturn p->size - limit + SILENT;\n}\n",
    ),
    (
        "a.rs",
        "#[derive(Clone)]\nenum Mode { Loud, Silent }\npub(crate) struct Part { pub(crate) len: u32, mode: Mode }\npub fn run(part: &Part, limit: u32) -> u32 {\n    if part.len > limit && limit != 7 { return last(Mode::Loud, 3); }\n    last(part.mode.or(Mode::Silent), part.len - limit)\n}\n",
        "#[derive(Clone)]\nenum Mode { Noisy, Silent }\npub(crate) struct Part { pub(crate) size: u32, mode: Mode }\npub fn run(part: &Part, limit: u32) -> u32 {\n    if part.size > limit && limit != 7 { return last(Mode::Noisy, 3); }\n    last(part.mode.or(Mode::Silent), part.size - limit)\n}\n",
    ),
    (
        "a.rb",
        "class A\n  def start(limit)\n    @lines = first(limit, 3)\n    @most = 4\n  end\n\n  def check(n)\n    return @most if n > @lines && n != 7\n    last(@lines, n) + @most\n  end\nend\n",
        "class A\n  def start(limit)\n    @lines = first(limit, 3)\n    @most = 4\n  end\n\n  def check(n)\n    return @most if n > @lines && n != 7\n    last(@lines, n) + @most\n  end\nend\n",
    ),
    (
        "a.h",
        "#ifndef A_H\n#define A_H 1\nBEGIN(\n#if A > 2\nint f(int a { return a + 1; }\nint g(int n) { if (n > 3 && n != 7) return h(\"on\", n, 4); return n - 2; }\n#endif\n",
        "#ifndef A_H\n#define A_H 1\n// Begins.\nBEGIN(\n#if A > 2\nint f(\n    int a { return a + 1; }\nint g(int n) {\n  if (n > 3 && n != 7)\n    return h(\"on\", n, 4);\n  return n - 2;\n}\n#endif\n",
    ),
    (
        "a.go",
        "package x\n\nconst (\n\tlow = 3\n\thigh = 40\n\tend = \"on\"\n)\n\nfunc F(n int) int {\n\tif n > low && n != high {\n\t\treturn g(end, n, 4)\n\t}\n\treturn n - low\n}\n",
        "package x\n\nconst (\n\tend  = \"on\"\n\thigh = 40\n\tlow  = 3\n)\n\nfunc F(n int) int {\n\tif n > low && n != high {\n\t\treturn g(end, n, 4)\n\t}\n\treturn n - low\n}\n",
    ),
];

/// What a token is replaced by.
fn plants(token: &str) -> Vec<String> {
    const SWAPS: &[(&str, &str)] = &[
        ("<", "<="),
        ("<=", "<"),
        (">", ">="),
        (">=", ">"),
        ("==", "!="),
        ("!=", "=="),
        ("===", "!=="),
        ("!==", "==="),
        ("&&", "||"),
        ("||", "&&"),
        ("+", "-"),
        ("-", "+"),
        ("*", "+"),
        ("%", "*"),
        ("|", "&"),
        ("+=", "-="),
        ("++", "--"),
        ("--", "++"),
        ("!", ""),
        ("and", "or"),
        ("or", "and"),
        ("not", ""),
        ("true", "false"),
        ("if", "while"),
        ("return", ""),
        ("unless", "if"),
        ("continue", "break"),
        ("mut", ""),
        ("export", ""),
        ("public", "private"),
        ("private", "public"),
        ("static", ""),
        ("synchronized", ""),
        ("final", ""),
        ("defer", "go"),
        ("go", "defer"),
        ("None", "0"),
        ("null", "0"),
        ("nil", "0"),
        ("is", "=="),
        ("in", "not in"),
        ("of", "in"),
        ("range", ""),
        ("int", "long"),
        ("u32", "u64"),
        ("string", "any"),
        ("bool", "int"),
        ("boolean", "Boolean"),
        ("elif", "if"),
        ("while", "if"),
        ("var", "long"),
        ("Some", "Ok"),
    ];
    let mut found: Vec<String> =
        SWAPS.iter().filter(|(from, _)| *from == token).map(|(_, to)| (*to).to_owned()).collect();
    if token.chars().all(|c| c.is_ascii_digit()) {
        found.extend([format!("{token}1"), "0".to_owned(), format!("-{token}")]);
    }
    if token.starts_with(['"', '\'']) && token.len() > 2 {
        let quote = &token[..1];
        found.extend([format!("{quote}{quote}"), format!("{quote}z{}", &token[1..])]);
    }
    if token.starts_with(|c: char| c.is_ascii_alphabetic()) && token.len() > 1 {
        found.extend([format!("{token}Z"), "a".to_owned(), "value".to_owned()]);
    }
    found
}

/// The tokens of a text, roughly: words, numbers, texts, operators, with where they are.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().unwrap();
        let line_end = rest.find('\n').unwrap_or(rest.len());
        let is_comment = ["//", "# ", "/*", "\"\"\""].iter().any(|mark| rest.starts_with(mark));
        let length = if is_comment {
            at += line_end;
            continue;
        } else if first.is_ascii_alphanumeric() || first == '_' {
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len())
        } else if matches!(first, '"' | '\'') {
            rest[1..].find(first).map_or(1, |end| end + 2)
        } else if "+-*/%<>=!&|".contains(first) {
            rest.find(|c: char| !"+-*/%<>=!&|".contains(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            found.push((at, &rest[..length]));
        }
        at += length;
    }
    found
}

/// Each text with one change planted.
pub(crate) fn mutants(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let tokens = tokens(text);
    for (at, token) in &tokens {
        for plant in plants(token) {
            found.insert(format!("{}{plant}{}", &text[..*at], &text[at + token.len()..]));
        }
    }
    // Two arguments swapped, and a call or a statement lost.
    for window in tokens.windows(5) {
        let [(_, open), (a, first), (_, comma), (b, second), (_, close)] = window else { continue };
        if matches!(*open, "(" | "[" | ",")
            && *comma == ","
            && matches!(*close, ")" | "]" | ",")
            && first != second
        {
            found.insert(format!(
                "{}{second}{}{first}{}",
                &text[..*a],
                &text[a + first.len()..*b],
                &text[b + second.len()..]
            ));
        }
    }
    for line in text.lines().filter(|line| line.trim_end().ends_with([';', ')']) && line.contains('(')) {
        let is_whole = line.matches('(').count() == line.matches(')').count() && !line.contains('{');
        if is_whole {
            found.insert(text.replacen(&format!("{line}\n"), "", 1));
        }
    }
    found.extend(misnamed(text, &tokens));
    found.extend(disordered(text));
    found.remove(text);
    found
}

/// Each name once taken for the one that stands before it, and for the one behind it.
fn misnamed(text: &str, tokens: &[(usize, &str)]) -> BTreeSet<String> {
    let is_import = |at: usize| text[..at].lines().last().is_some_and(|line| line.starts_with("use "));
    let is_name = |token: &&(usize, &str)| {
        token.1.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !is_import(token.0)
    };
    let names: Vec<_> = tokens.iter().filter(is_name).collect();
    let mut found = BTreeSet::new();
    for window in names.windows(2) {
        let [(a, one), (b, other)] = window else { continue };
        found.insert(format!("{}{other}{}", &text[..*a], &text[a + one.len()..]));
        found.insert(format!("{}{one}{}", &text[..*b], &text[b + other.len()..]));
    }
    found
}

/// Each statement once done twice, once done after the next, and once done outside its block (Python).
fn disordered(text: &str) -> BTreeSet<String> {
    let lines: Vec<&str> = text.lines().collect();
    let runs = |line: &str| {
        line.contains(['(', '='])
            && line.starts_with([' ', '\t'])
            && !line.contains(['{', '}', '"'])
            && !line.contains("#")
    };
    let is_python = text.contains(":\n    ") && !text.contains('{');
    let mut found = BTreeSet::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| runs(line)) {
        let (before, after) = lines.split_at(at);
        let after = after.get(1..).unwrap_or_default();
        let joined = |middle: &[&str], after: &[&str]| [before, middle, after].concat().join("\n") + "\n";
        found.insert(joined(&[line, line], after));
        let calls = |next: &str| line.contains('(') || next.contains('(');
        if let Some((next, rest)) = after.split_first().filter(|(next, _)| runs(next) && calls(next)) {
            found.insert(joined(&[next, line], rest));
        }
        if is_python && line.starts_with("        ") {
            found.insert(joined(&[&line[4..]], after));
        }
    }
    found
}

// REQ 165
#[test]
fn no_planted_change_passes_for_a_refactor() {
    let mut planted = 0;
    let mut passed = Vec::new();
    for (path, before, after) in SEEDS {
        let seed = classify(path, before, after);
        assert!(seed.is_refactor(), "{path}: {:?}\n{after}", seed.evidence);
        for mutant in mutants(after) {
            planted += 1;
            let mutation = classify(path, before, &mutant);
            if mutation.is_refactor() {
                passed.push(format!("{path} {:?}\n{}", mutation.method, difference(after, &mutant)));
            }
        }
    }
    assert!(planted >= 500, "{planted} planted");
    assert!(passed.is_empty(), "{} of {planted} passed:\n{}", passed.len(), passed.join("\n"));
}

fn difference(one: &str, other: &str) -> String {
    let lines = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    lines.map_or_else(|| "a line is gone".to_owned(), |(one, other)| format!("  {one}\n  {other}"))
}
