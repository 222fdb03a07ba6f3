//! What lives until the end of a function, what asks where it is called from, and what runs before a value is there (REQ 165).

use bailiwick_domain::MutationMethod::{Expanded, SameItems};

use crate::pairs::{is_evolution, is_refactor};

// REQ 165; threat C4: a guard is let go where its function ends.
#[test]
fn a_body_that_holds_something_until_its_end_is_not_its_call() {
    for (path, before, after) in [
        (
            "a.rs",
            "impl Store {\n    pub fn save(&self, row: u32) {\n        let _guard = self.lock.lock();\n        self.write(row);\n        self.sync();\n    }\n}\n",
            "impl Store {\n    pub fn save(&self, row: u32) {\n        self.locked(row);\n        self.sync();\n    }\n\n    fn locked(&self, row: u32) {\n        let _guard = self.lock.lock();\n        self.write(row);\n    }\n}\n",
        ),
        (
            "A.cs",
            "class A\n{\n    void Save(int row)\n    {\n        using var file = Open();\n        Write(row);\n        Sync();\n    }\n}\n",
            "class A\n{\n    void Save(int row)\n    {\n        Put(row);\n        Sync();\n    }\n\n    private void Put(int row)\n    {\n        using var file = Open();\n        Write(row);\n    }\n}\n",
        ),
        (
            "a.ts",
            "export function save(row) {\n  using file = open();\n  write(row);\n  sync();\n}\n",
            "export function save(row) {\n  put(row);\n  sync();\n}\n\nfunction put(row) {\n  using file = open();\n  write(row);\n}\n",
        ),
        (
            "a.rs",
            "fn f(&self) -> u8 {\n    let g = lock();\n    match g {\n        Ok(_) => go(),\n        Err(_) => 0,\n    }\n}\n",
            "fn f(&self) -> u8 {\n    match lock() {\n        Ok(_) => go(),\n        Err(_) => 0,\n    }\n}\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4
#[test]
fn a_body_that_asks_for_its_caller_is_not_its_call() {
    for (path, before, after) in [
        (
            "a.c",
            "int f(int a)\n{\n\tlog(\"%s\", __func__);\n\tgo(a);\n\treturn a;\n}\n",
            "static void enter(int b)\n{\n\tlog(\"%s\", __func__);\n\tgo(b);\n}\n\nint f(int a)\n{\n\tenter(a);\n\treturn a;\n}\n",
        ),
        (
            "a.c",
            "int f(struct l *l, int a)\n{\n\tl->p = alloca(10);\n\tgo(l);\n\treturn a;\n}\n",
            "static void room(struct l *q)\n{\n\tq->p = alloca(10);\n}\n\nint f(struct l *l, int a)\n{\n\troom(l);\n\tgo(l);\n\treturn a;\n}\n",
        ),
        (
            "a.py",
            "import warnings\n\n\ndef old(x):\n    warnings.warn('old', stacklevel=2)\n    return x + 1\n",
            "import warnings\n\n\ndef old(x):\n    _warn()\n    return x + 1\n\n\ndef _warn():\n    warnings.warn('old', stacklevel=2)\n",
        ),
        (
            "a.go",
            "package a\n\nimport \"runtime\"\n\nfunc F(x int) int {\n\t_, file, _, _ := runtime.Caller(1)\n\tlog(file)\n\treturn x\n}\n",
            "package a\n\nimport \"runtime\"\n\nfunc F(x int) int {\n\ttell()\n\treturn x\n}\n\nfunc tell() {\n\t_, file, _, _ := runtime.Caller(1)\n\tlog(file)\n}\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: a function that stands below may be called above.
#[test]
fn a_constant_that_is_asked_for_too_early_is_not_its_literal() {
    for (path, before, after) in [
        (
            "a.js",
            "start();\n\nfunction start() {\n  return go(40);\n}\n",
            "start();\n\nconst LIMIT = 40;\n\nfunction start() {\n  return go(LIMIT);\n}\n",
        ),
        (
            "a.js",
            "const app = build();\n\nfunction build() {\n  return go(40);\n}\n\nmodule.exports = app;\n",
            "const app = build();\n\nconst LIMIT = 40;\n\nfunction build() {\n  return go(LIMIT);\n}\n\nmodule.exports = app;\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: what the compiler finds out of the constant it does not find out of the literal.
#[test]
fn a_number_that_gives_its_type_to_another_is_not_its_literal() {
    is_evolution(
        "a.rs",
        "pub fn f(s: &str) -> bool {\n    let n = s.parse().unwrap_or(0);\n    n > 3\n}\n",
        "const LIMIT: u64 = 3;\n\npub fn f(s: &str) -> bool {\n    let n = s.parse().unwrap_or(0);\n    n > LIMIT\n}\n",
    );
}

// REQ 165; threat C4: in front of its condition an assignment declares.
#[test]
fn a_condition_behind_an_assignment_may_read_another_name() {
    is_evolution(
        "user.rb",
        "class User\n  attr_accessor :name\n\n  def fill(default)\n    name = default if name.nil?\n    name\n  end\nend\n",
        "class User\n  attr_accessor :name\n\n  def fill(default)\n    if name.nil?\n      name = default\n    end\n    name\n  end\nend\n",
    );
}

// REQ 165; threat C4: a class above calls its own methods by their names.
#[test]
fn a_body_that_becomes_a_method_of_a_class_with_another_above_it_is_not_its_call() {
    is_evolution(
        "a.py",
        "import io\n\n\nclass Sink(io.RawIOBase):\n    def put(self, rows):\n        self.seek(0)\n        self.write(b'x')\n        return len(rows)\n",
        "import io\n\n\nclass Sink(io.RawIOBase):\n    def put(self, rows):\n        self.flush()\n        return len(rows)\n\n    def flush(self):\n        self.seek(0)\n        self.write(b'x')\n",
    );
}

// REQ 165; threat C4: a namespace reaches to the next, an arrow makes nothing, and other threads see each step.
#[test]
fn a_form_that_something_around_it_reads_otherwise_is_another() {
    for (path, before, after) in [
        (
            "a.php",
            "<?php\nnamespace A;\nfunction f() { return 1; }\nnamespace B;\nfunction g() { return 2; }\n",
            "<?php\nnamespace A;\nnamespace B;\nfunction f() { return 1; }\nfunction g() { return 2; }\n",
        ),
        (
            "a.js",
            "Client.mockImplementation(function () { return { go: 1 }; });\n",
            "Client.mockImplementation(() => { return { go: 1 }; });\n",
        ),
        (
            "a.c",
            "static _Atomic int n;\nvoid f(int a) { n += a; }\n",
            "static _Atomic int n;\nvoid f(int a) { n = n + a; }\n",
        ),
        (
            "a.rs",
            "macro_rules! m { () => { 1 } }\nfn f() -> u8 { m!() }\nmacro_rules! m { () => { 2 } }\nfn g() -> u8 { m!() }\n",
            "macro_rules! m { () => { 1 } }\nmacro_rules! m { () => { 2 } }\nfn f() -> u8 { m!() }\nfn g() -> u8 { m!() }\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: what is called on a member is called on something, and a chain ends early with all behind it.
#[test]
fn a_member_that_is_called_stays_in_its_variable() {
    for (path, before, after) in [
        (
            "a.js",
            "function f(o) {\n  const g = o.go;\n  return g();\n}\n",
            "function f(o) {\n  return o.go();\n}\n",
        ),
        (
            "a.js",
            "function f(o) {\n  const g = o.go;\n  return g`x`;\n}\n",
            "function f(o) {\n  return o.go`x`;\n}\n",
        ),
        (
            "a.ts",
            "export function f(a?: A) {\n  const n = a?.size;\n  return n.x;\n}\n",
            "export function f(a?: A) {\n  return a?.size.x;\n}\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: a name of the body is not the caller's, and a number has the type that its function says.
#[test]
fn a_body_that_means_something_else_at_its_call_is_not_its_call() {
    for (path, before, after) in [
        (
            "a.go",
            "package a\n\nvar c = other()\n\nfunc (c *C) F(key string) string {\n\tg()\n\treturn c.R.Get(key)\n}\n",
            "package a\n\nvar c = other()\n\nfunc (c *C) F(key string) string {\n\tg()\n\treturn c.r(key)\n}\n\nfunc (d *C) r(key string) string { return c.R.Get(key) }\n",
        ),
        (
            "a.rs",
            "pub fn f() -> String {\n    let n = 10 + 5;\n    show(n - 20)\n}\n",
            "pub fn f() -> String {\n    let n = limit();\n    show(n - 20)\n}\n\nfn limit() -> u64 {\n    10 + 5\n}\n",
        ),
        (
            "a.go",
            "package a\n\nfunc F() int {\n\tn := 10\n\treturn g(n)\n}\n",
            "package a\n\nfunc F() int {\n\tn := limit()\n\treturn g(n)\n}\n\nfunc limit() int64 { return 10 }\n",
        ),
        (
            "a.py",
            "class A:\n    def f(self, x):\n        g()\n        return self.r.get(x)\n",
            "class A:\n    def f(self, x):\n        g()\n        return self._s(x)\n\n    def _s(me, y):\n        return self.r.get(y)\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4
#[test]
fn an_import_that_is_used_in_another_way_stays() {
    for (path, before, after) in [
        (
            "a.php",
            "<?php\nnamespace A;\n\nuse B\\{Foo, Bar};\n\nfunction f() { return new Foo(); }\n",
            "<?php\nnamespace A;\n\nfunction f() { return new Foo(); }\n",
        ),
        (
            "a.php",
            "<?php\nnamespace A;\n\nuse B\\Foo;\n\nfunction f() { return new foo(); }\n",
            "<?php\nnamespace A;\n\nfunction f() { return new foo(); }\n",
        ),
        (
            "a.tsx",
            "import React, { useState } from 'react';\n\nexport function A() {\n  const [n] = useState(0);\n  return <p>{n}</p>;\n}\n",
            "import { useState } from 'react';\n\nexport function A() {\n  const [n] = useState(0);\n  return <p>{n}</p>;\n}\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165
#[test]
fn what_holds_nothing_may_be_taken_out() {
    for (path, before, after) in [
        (
            "a.rs",
            "impl Store {\n    pub fn save(&self, row: u32) {\n        let _guard = self.lock.lock();\n        self.write(row);\n        self.sync();\n    }\n}\n",
            "impl Store {\n    pub fn save(&self, row: u32) {\n        self.locked(row)\n    }\n\n    fn locked(&self, row: u32) {\n        let _guard = self.lock.lock();\n        self.write(row);\n        self.sync();\n    }\n}\n",
        ),
        (
            "a.py",
            "import io\n\n\nclass Sink(io.RawIOBase):\n    def put(self, rows):\n        self.seek(0)\n        self.write(b'x')\n        return len(rows)\n",
            "import io\n\n\nclass Sink(io.RawIOBase):\n    def put(self, rows):\n        self._begin()\n        return len(rows)\n\n    def _begin(self):\n        self.seek(0)\n        self.write(b'x')\n",
        ),
        (
            "a.js",
            "start();\n\nfunction start() {\n  return go(40);\n}\n",
            "const LIMIT = 40;\n\nstart();\n\nfunction start() {\n  return go(LIMIT);\n}\n",
        ),
        (
            "a.rs",
            "pub fn f(n: u64) -> bool {\n    n > 3\n}\n",
            "const LIMIT: u64 = 3;\n\npub fn f(n: u64) -> bool {\n    n > LIMIT\n}\n",
        ),
        (
            "a.go",
            "package a\n\nvar c = other()\n\nfunc (c *C) F(key string) string {\n\tg()\n\treturn c.R.Get(key)\n}\n",
            "package a\n\nvar c = other()\n\nfunc (c *C) F(key string) string {\n\tg()\n\treturn c.r(key)\n}\n\nfunc (d *C) r(key string) string { return d.R.Get(key) }\n",
        ),
        (
            "a.rs",
            "pub fn f(a: &A) -> String {\n    let n = a.most + 5;\n    show(n - 20)\n}\n",
            "pub fn f(a: &A) -> String {\n    let n = limit(a);\n    show(n - 20)\n}\n\nfn limit(a: &A) -> u64 {\n    a.most + 5\n}\n",
        ),
    ] {
        is_refactor(path, Expanded, before, after);
    }
}

// REQ 165
#[test]
fn an_object_behind_an_arrow_may_be_returned() {
    is_refactor(
        "a.js",
        SameItems,
        "const f = (x) => ({ a: x });\nmodule.exports = f;\n",
        "const f = x => {\n  return { a: x };\n};\nmodule.exports = f;\n",
    );
}

// REQ 165
#[test]
fn a_condition_behind_a_statement_may_stand_before_it() {
    is_refactor(
        "user.rb",
        SameItems,
        "class User\n  attr_accessor :name\n\n  def fill(default)\n    @name = default if @name.nil?\n    name\n  end\nend\n",
        "class User\n  attr_accessor :name\n\n  def fill(default)\n    if @name.nil?\n      @name = default\n    end\n    name\n  end\nend\n",
    );
}
