//! Comments, blanks and words that act though they look like words for people (REQ 165).

use bailiwick_domain::MutationMethod::SameTokens;

use crate::pairs::{is_evolution, is_refactor};

// REQ 165; threat C4: tools, test runners and other compilers read these.
#[test]
fn a_comment_that_a_tool_acts_on_counts() {
    for (path, before, after) in [
        (
            "strs_test.go",
            "package strs\n\nimport \"fmt\"\n\nfunc ExampleReverse() {\n\tfmt.Println(Reverse(\"abc\"))\n\tfmt.Println(Reverse(\"x\"))\n\t// Output:\n\t// cba\n\t// x\n}\n",
            "package strs\n\nimport \"fmt\"\n\nfunc ExampleReverse() {\n\tfmt.Println(Reverse(\"abc\"))\n\tfmt.Println(Reverse(\"x\"))\n\t// Output:\n\t// abc\n\t// x\n}\n",
        ),
        (
            "strs_test.go",
            "package strs\n\nimport \"fmt\"\n\nfunc ExampleReverse() {\n\tfmt.Println(Reverse(\"abc\"))\n\tfmt.Println(Reverse(\"x\"))\n\t// output: cba\n}\n",
            "package strs\n\nimport \"fmt\"\n\nfunc ExampleReverse() {\n\tfmt.Println(Reverse(\"abc\"))\n\tfmt.Println(Reverse(\"x\"))\n\t// output: abc\n}\n",
        ),
        (
            "b.go",
            "package b\n\n// #include <math.h>\n// static int two(void) { return 2; }\nimport (\n\t\"C\"\n)\n\nfunc F() int { return int(C.two()) }\n",
            "package b\n\n// #include <math.h>\n// static int two(void) { return 3; }\nimport (\n\t\"C\"\n)\n\nfunc F() int { return int(C.two()) }\n",
        ),
        (
            "b.go",
            "package b\n\n//sys\tread(fd int, p *byte, np int) (n int, err error)\n//easyjson:json\ntype A struct{ B int }\n",
            "package b\n\n//sys\tread(fd int, p *byte, np int) (n int, err error)\ntype A struct{ B int }\n",
        ),
        (
            "b.go",
            "package b\n\ntype A struct {\n\t// +kubebuilder:validation:Minimum=1\n\tB int\n}\n",
            "package b\n\ntype A struct {\n\t// +kubebuilder:validation:Minimum=0\n\tB int\n}\n",
        ),
        (
            "User.php",
            "<?php\nnamespace App\\Entity;\n\nuse Doctrine\\ORM\\Mapping as ORM;\n\n/**\n * A user.\n *\n * @ORM\\Table(\n *     name=\"users\",\n *     indexes={}\n * )\n */\nclass User\n{\n    private $id;\n}\n",
            "<?php\nnamespace App\\Entity;\n\nuse Doctrine\\ORM\\Mapping as ORM;\n\n/**\n * A user.\n *\n * @ORM\\Table(\n *     name=\"accounts\",\n *     indexes={}\n * )\n */\nclass User\n{\n    private $id;\n}\n",
        ),
        (
            "b.php",
            "<?php\n/*\n * Plugin Name: Backup\n * Version: 1.2.0\n */\nfunction backup_run() { return 1; }\n",
            "<?php\n/*\n * Plugin Name: Backup\n * Version: 1.3.0\n */\nfunction backup_run() { return 1; }\n",
        ),
        (
            "a.js",
            "angular.module('a').controller('B', B);\n\n/* @ngInject */\nfunction B($scope) { $scope.a = 1; }\n",
            "angular.module('a').controller('B', B);\n\nfunction B($scope) { $scope.a = 1; }\n",
        ),
        (
            "a.js",
            "/*@cc_on\n  var legacy = true;\n@*/\nrun();\n",
            "/*@cc_on\n  var legacy = false;\n@*/\nrun();\n",
        ),
        (
            "a.js",
            "const a = /*@__INLINE__*/f();\nconst b = /*#__NOINLINE__*/g();\n",
            "const a = f();\nconst b = g();\n",
        ),
        ("a.ts", "defineProps</* @vue-ignore */ P>();\n", "defineProps<P>();\n"),
        ("a.rb", "# Frozen_String_Literal: TRUE\nA = 'x'\n", "# Frozen_String_Literal: FALSE\nA = 'x'\n"),
        (
            "a.py",
            "# /// script\n# requires-python = \">=3.11\"\n# dependencies = [\"requests<3\"]\n# ///\nimport requests\n\nprint(requests.get('x'))\n",
            "# /// script\n# requires-python = \">=3.11\"\n# dependencies = [\"requests<2\"]\n# ///\nimport requests\n\nprint(requests.get('x'))\n",
        ),
        (
            "a.py",
            "# cython: boundscheck=True\ndef f(a):\n    return a[0]\n",
            "# cython: boundscheck=False\ndef f(a):\n    return a[0]\n",
        ),
        (
            "a.py",
            "# Databricks notebook source\n# MAGIC %sql\n# MAGIC SELECT a FROM t\n",
            "# Databricks notebook source\n# MAGIC %sql\n# MAGIC SELECT b FROM t\n",
        ),
        (
            "A.java",
            "class A {\n  native int f(int n) /*-{\n    return n + 1;\n  }-*/;\n}\n",
            "class A {\n  native int f(int n) /*-{\n    return n + 2;\n  }-*/;\n}\n",
        ),
        (
            "a.js",
            "/**\n * @swagger\n * /users:\n *   get:\n *     summary: Old\n */\nrouter.get('/users', f);\n",
            "/**\n * @swagger\n * /users:\n *   get:\n *     summary: New\n */\nrouter.get('/users', f);\n",
        ),
        (
            "a.js",
            "/**\n * @openapi\n * /users:\n *   get: {}\n */\nrouter.get('/users', f);\n",
            "/**\n * @openapi\n * /members:\n *   get: {}\n */\nrouter.get('/users', f);\n",
        ),
        (
            "a.go",
            "package a\n\n// List lists.\n// @Router /users [get]\nfunc List() {}\n",
            "package a\n\n// List lists.\n// @Router /members [get]\nfunc List() {}\n",
        ),
        ("a.js", "const q = /* GraphQL */ `query { a }`;\n", "const q = `query { a }`;\n"),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: what a comment says counts in the first line, and not in the second.
#[test]
fn a_comment_that_acts_by_its_place_keeps_it() {
    for (path, before, after) in [
        ("a.rb", "# encoding: iso-8859-1\nA = 'x'\n", "# The a.\n# encoding: iso-8859-1\nA = 'x'\n"),
        (
            "a.py",
            "#!/usr/bin/env python3\nimport os\nos.getcwd()\n",
            "# Copyright\n#!/usr/bin/env python3\nimport os\nos.getcwd()\n",
        ),
        (
            "a.py",
            "#!/usr/bin/env python3\nimport os\nos.getcwd()\n",
            "\u{feff}#!/usr/bin/env python3\nimport os\nos.getcwd()\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4
#[test]
fn a_docstring_that_is_a_rule_or_a_help_text_counts() {
    for (path, before, after) in [
        (
            "parser.py",
            "def p_expr_plus(p):\n    'expr : expr PLUS term'\n    p[0] = p[1] + p[3]\n\n\ndef t_NUMBER(t):\n    r'\\d+'\n    t.value = int(t.value)\n    return t\n",
            "def p_expr_plus(p):\n    'expr : term PLUS expr'\n    p[0] = p[1] + p[3]\n\n\ndef t_NUMBER(t):\n    r'\\d+'\n    t.value = int(t.value)\n    return t\n",
        ),
        (
            "parser.py",
            "def p_expr_plus(p):\n    'expr : expr PLUS term'\n    p[0] = p[1] + p[3]\n\n\ndef t_NUMBER(t):\n    r'\\d+'\n    t.value = int(t.value)\n    return t\n",
            "def p_expr_plus(p):\n    'expr : expr PLUS term'\n    p[0] = p[1] + p[3]\n\n\ndef t_NUMBER(t):\n    r'[1-9]\\d*'\n    t.value = int(t.value)\n    return t\n",
        ),
        (
            "a.py",
            "import cmd\n\n\nclass Shell(cmd.Cmd):\n    def do_greet(self, line):\n        \"\"\"Greets.\"\"\"\n        print(line)\n",
            "import cmd\n\n\nclass Shell(cmd.Cmd):\n    def do_greet(self, line):\n        \"\"\"Greets you.\"\"\"\n        print(line)\n",
        ),
        (
            "a.py",
            "import typer\n\n\ndef go(x: int):\n    \"\"\"Goes.\"\"\"\n    print(x)\n\n\ntyper.run(go)\n",
            "import typer\n\n\ndef go(x: int):\n    \"\"\"Goes on.\"\"\"\n    print(x)\n\n\ntyper.run(go)\n",
        ),
        (
            "a.py",
            "import fire\n\n\ndef go(x):\n    \"\"\"Goes.\"\"\"\n    print(x)\n\n\nfire.Fire(go)\n",
            "import fire\n\n\ndef go(x):\n    \"\"\"Goes on.\"\"\"\n    print(x)\n\n\nfire.Fire(go)\n",
        ),
        (
            "a.py",
            "def weather(city: str):\n    \"\"\"Gets the weather.\"\"\"\n    return get(city)\n\n\nagent = Agent(tools=[weather])\n",
            "def weather(city: str):\n    \"\"\"Gets the weather of a city.\"\"\"\n    return get(city)\n\n\nagent = Agent(tools=[weather])\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: what stands outside the marks of PHP is sent to the browser.
#[test]
fn blanks_that_are_sent_count() {
    for (path, before, after) in [
        ("a.php", "<?php\nheader('X: 1');\n", "\u{feff}<?php\nheader('X: 1');\n"),
        ("a.php", "<?php\nheader('X: 1');\n", "\n<?php\nheader('X: 1');\n"),
        ("a.php", "<?php\nheader('X: 1');\n?>\n", "<?php\nheader('X: 1');\n?>\n\n\n"),
        ("a.php", "<?php f(); ?>\n\n<b>x</b>\n<?php g(); ?>\n", "<?php f(); ?>\n<b>x</b>\n<?php g(); ?>\n"),
        ("a.php", "<?php f(); ?> <?php g(); ?>\n", "<?php f(); ?><?php g(); ?>\n"),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: a text of JSX goes on behind a sign that is spelled out, a macro of C may be more than one statement,
// a variable of Java is a constant only with `final`, a brace behind an arrow opens a block, and a point of PHP binds as a
// sum does in some versions.
#[test]
fn layout_that_decides_what_is_meant_counts() {
    for (path, before, after) in [
        (
            "a.tsx",
            "export const A = () => <p>Fish &amp;\n  chips</p>;\n",
            "export const A = () => <p>Fish &amp;chips</p>;\n",
        ),
        (
            "a.c",
            "int f(int a, int b)\n{\n\tif (a > b) {\n\t\tSWAP(a, b);\n\t}\n\treturn a;\n}\n",
            "int f(int a, int b)\n{\n\tif (a > b)\n\t\tSWAP(a, b);\n\treturn a;\n}\n",
        ),
        (
            "A.java",
            "class A { String f(boolean b) { final int i = 0 + 1; return \"\" + (b ? 'x' : i); } }\n",
            "class A { String f(boolean b) { int i = 0 + 1; return \"\" + (b ? 'x' : i); } }\n",
        ),
        (
            "a.js",
            "const f = () => { a: 1 };\nmodule.exports = f;\n",
            "const f = () => ({ a: 1 });\nmodule.exports = f;\n",
        ),
        ("a.php", "<?php\n$a = 'x' . ($b + 1);\n", "<?php\n$a = 'x' . $b + 1;\n"),
        ("a.js", "class A {\n  static\n  f() {}\n}\n", "class A {\n  static; f() {}\n}\n"),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165
#[test]
fn other_comments_and_blanks_are_for_people() {
    for (path, before, after) in [
        (
            "a.go",
            "package a\n\n// F does.\nfunc F() {\n\t// goes: on\n\tg()\n}\n",
            "package a\n\nfunc F() {\n\tg()\n}\n",
        ),
        (
            "a.go",
            "package a\n\n//nolint:all\nfunc F() { g() } // see https://a.b\n",
            "package a\n\nfunc F() { g() }\n",
        ),
        (
            "a.php",
            "<?php\n/**\n * Old.\n * @param int $a\n *   goes on\n */\nfunction f($a) {}\n",
            "<?php\n/** New. */\nfunction f($a) {}\n",
        ),
        ("a.rb", "# frozen_string_literal: true\n# Old.\nf\n", "# frozen_string_literal: true\nf\n"),
        ("a.py", "#!/bin/sh\n# Old.\nf()\n", "#!/bin/sh\nf()\n"),
        ("a.py", "def path(p):\n    \"\"\"Old.\"\"\"\n", "def path(p):\n    \"\"\"New.\"\"\"\n"),
        ("a.tsx", "const a = <p>\n  Fish and\n  chips</p>;\n", "const a = <p>Fish and chips</p>;\n"),
        ("a.c", "void f(int a) { if (a) { go(a); } }\n", "void f(int a) { if (a) go(a); }\n"),
        (
            "A.java",
            "class A { void f() { final int i = g(); h(i); } }\n",
            "class A { void f() { int i = g(); h(i); } }\n",
        ),
    ] {
        is_refactor(path, SameTokens, before, after);
    }
}
