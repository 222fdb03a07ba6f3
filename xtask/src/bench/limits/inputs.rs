//! Large inputs that are made to take long: those that once did, and generated ones of each kind.

use serde_json::{Value, json};

use crate::stage::dice::Dice;

/// A call, or another event, and the files that it names.
pub(super) struct Input {
    pub(super) name: String,
    /// The event where it is no call; its fields are then the parameters.
    pub(super) event: Option<&'static str>,
    pub(super) tool: &'static str,
    pub(super) params: Value,
    pub(super) files: Vec<(String, String)>,
    /// The lines of the ignore file.
    pub(super) ignored: String,
    /// Whether it may change something, so that it must not pass.
    pub(super) changes: bool,
}

/// The file that an agent has read before it changes it.
pub(super) const FILE: &str = "src/auth/large.txt";
const ROOTED: &str = "{root}/src/auth/large.txt";

impl Input {
    fn call(name: String, tool: &'static str, params: Value) -> Self {
        Self { name, event: None, tool, params, files: Vec::new(), ignored: String::new(), changes: true }
    }

    fn with(mut self, text: String) -> Self {
        self.files.push((FILE.to_owned(), text));
        self
    }

    fn harmless(self) -> Self {
        Self { changes: false, ..self }
    }

    pub(super) fn named_bytes(&self) -> u64 {
        self.files.iter().map(|(_, text)| text).chain([&self.ignored]).map(|text| text.len() as u64).sum()
    }
}

/// What a review found to take minutes.
pub(super) fn known() -> Vec<Input> {
    let envelope = |updates: usize| {
        let update = |n: usize| format!("*** Update File: src/auth/f{n}.txt\n@@\n-a\n+b\n");
        format!("*** Begin Patch\n{}*** End Patch\n", (0..updates).map(update).collect::<String>())
    };
    let renames = |count: usize| {
        let rename = |n: usize| {
            format!("diff --git a/a{n} b/b{n}\nsimilarity index 100%\nrename from a{n}\nrename to b{n}\n")
        };
        (0..count).map(rename).collect::<String>()
    };
    let some = |count: usize| (0..count).map(|n| format!("<{n}>\n")).collect::<String>();
    let edits: Vec<Value> = (0..20_000)
        .map(|n| json!({"old_string": format!("<{n}>"), "new_string": format!("[{n}]")}))
        .collect();
    vec![
        doubling(40),
        patch("30,000 updates".to_owned(), envelope(30_000)),
        patch("100,000 renames".to_owned(), renames(100_000)),
        hunks(20_000),
        one_hunk(100_000),
        Input::call(
            "20,000 edits of one file".to_owned(),
            "MultiEdit",
            json!({"file_path": ROOTED, "edits": edits}),
        )
        .with(some(20_000)),
        named_files(300, 15 << 10),
        growth(20_000, 500_000),
    ]
}

/// One of any kind.
pub(super) fn generated(dice: &mut Dice) -> Input {
    match dice.roll(21) {
        0 => doubling(5 + dice.roll(60)),
        1 => many_edits(100 + dice.roll(4_900)),
        2 => growth(100 + dice.roll(200_000), 100 + dice.roll(200_000)),
        3 => hunks(100 + dice.roll(8_000)),
        4 => one_hunk(1_000 + dice.roll(120_000)),
        5 => updates(10 + dice.roll(2_000), dice.roll(3) == 0),
        6 => named_files(1 + dice.roll(60), 1 << (8 + dice.roll(11))),
        7 => deep(10 + dice.roll(100_000)),
        8 => wide(100 + dice.roll(60_000)),
        9 => long_line(1 << (10 + dice.roll(12))),
        10 => rewritten(100 + dice.roll(60_000), dice.roll(4)),
        11 => command(1 << (8 + dice.roll(12)), dice.roll(COMMANDS.len())),
        12 => heredocs(1 + dice.roll(5_000)),
        13 => long_path(10 + dice.roll(60_000), dice.roll(4)),
        14 => globs(1 + dice.roll(2_000), dice.roll(4)),
        15 => prompt(1 << (10 + dice.roll(12))),
        16 => response(1 << (10 + dice.roll(12))),
        17 => alike(1_000 + dice.roll(100_000)),
        18 => anchor_twice(100 + dice.roll(50_000)),
        19 => ignored(1 + dice.roll(3_000), dice.roll(4)),
        _ => unknown_tool(1 << (8 + dice.roll(13))),
    }
}

fn doubling(times: usize) -> Input {
    let double = json!({"old_string": "a", "new_string": "aa", "replace_all": true});
    let params = json!({"file_path": ROOTED, "edits": vec![double; times]});
    Input::call(format!("a text that doubles {times} times"), "MultiEdit", params).with("a\n".to_owned())
}

fn many_edits(count: usize) -> Input {
    let edit = |n: usize| json!({"old_string": format!("<{n}>\n"), "new_string": format!("[{n}]\n")});
    let params = json!({"file_path": ROOTED, "edits": (0..count).map(edit).collect::<Vec<_>>()});
    let text = (0..count).map(|n| format!("<{n}>\n")).collect();
    Input::call(format!("{count} edits of one file"), "MultiEdit", params).with(text)
}

fn growth(signs: usize, by: usize) -> Input {
    let edit =
        json!({"file_path": ROOTED, "old_string": "a", "new_string": "b".repeat(by), "replace_all": true});
    Input::call(format!("{signs} signs that become {by} each"), "Edit", edit).with("a".repeat(signs))
}

fn patch(name: String, text: String) -> Input {
    Input::call(name, "apply_patch", json!({ "patch": text }))
}

fn hunks(count: usize) -> Input {
    let hunk = |n: usize| format!("@@ -{0} +{0} @@\n-<{n}>\n+[{n}]\n", n + 1);
    let body: String = (0..count).map(hunk).collect();
    let text = (0..count).map(|n| format!("<{n}>\n")).collect();
    patch(format!("{count} hunks"), format!("--- a/{FILE}\n+++ b/{FILE}\n{body}")).with(text)
}

fn one_hunk(lines: usize) -> Input {
    let body = "-a\n".repeat(lines) + &"+b\n".repeat(lines);
    let text = format!("--- a/{FILE}\n+++ b/{FILE}\n@@ -1,{lines} +1,{lines} @@\n{body}");
    patch(format!("one hunk of {lines} lines"), text).with("a\n".repeat(lines))
}

fn updates(count: usize, of_one: bool) -> Input {
    let update = |n: usize| {
        let name = if of_one { FILE.to_owned() } else { format!("src/auth/f{n}.txt") };
        format!("*** Update File: {name}\n@@\n-a\n+b\n")
    };
    let body: String = (0..count).map(update).collect();
    patch(format!("{count} updates"), format!("*** Begin Patch\n{body}*** End Patch\n"))
        .with("a\n".repeat(count))
}

fn named_files(count: usize, size: usize) -> Input {
    let names: Vec<String> = (0..count).map(|n| format!("src/auth/s{n}.sh")).collect();
    let params = json!({"command": format!("sh {}", names.join(" "))});
    let mut input =
        Input::call(format!("a command that names {count} files of {size} bytes"), "Bash", params);
    input.files = names.into_iter().map(|name| (name, "echo so\n".repeat(size.div_ceil(8)))).collect();
    input
}

fn deep(levels: usize) -> Input {
    // As a text: a value of so many levels would be taken apart level by level here.
    let text = "[".repeat(levels) + &"]".repeat(levels);
    let content = if levels < 100 { serde_json::from_str(&text).unwrap_or_default() } else { json!(text) };
    Input::call(format!("JSON of {levels} levels"), "Write", json!({"file_path": ROOTED, "content": content}))
}

fn wide(count: usize) -> Input {
    let fields: serde_json::Map<String, Value> =
        (0..count).map(|n| (format!("key{n}"), json!([n, {}]))).collect();
    Input::call(format!("{count} parameters"), "Write", Value::Object(fields))
}

fn long_line(length: usize) -> Input {
    let params = json!({"file_path": ROOTED, "content": "ab ".repeat(length / 3)});
    Input::call(format!("a line of {length} signs"), "Write", params).with("ba ".repeat(length / 3))
}

/// Every line is another one, or most of them stand elsewhere: the difference of both has no short form.
fn rewritten(lines: usize, how: usize) -> Input {
    let old = (0..lines).map(|n| format!("line {n}\n")).collect();
    let new: String = match how {
        0 => (0..lines).map(|n| format!("other {n}\n")).collect(),
        1 => (0..lines).rev().map(|n| format!("line {n}\n")).collect(),
        2 => (0..lines).map(|n| format!("line {}\n", (n * 7_919) % lines)).collect(),
        _ => (0..lines).map(|n| format!("line {}\n", n - n % 2)).collect(),
    };
    let params = json!({"file_path": ROOTED, "content": new});
    Input::call(format!("{lines} lines written anew ({how})"), "Write", params).with(old)
}

/// Lines that are all the same, on both sides.
fn alike(lines: usize) -> Input {
    let params = json!({"file_path": ROOTED, "content": "}\n\n".repeat(lines / 2)});
    Input::call(format!("{lines} lines that are alike"), "Write", params).with("\n}\n}\n".repeat(lines / 3))
}

/// A long text that is quoted and nearly stands in the file again and again.
fn anchor_twice(length: usize) -> Input {
    let old = "ab".repeat(length) + "c";
    let params = json!({"file_path": ROOTED, "old_string": old, "new_string": "x"});
    Input::call(format!("an anchor of {length} signs that nearly fits"), "Edit", params)
        .with("ab".repeat(length * 3) + "\n")
}

const COMMANDS: &[(&str, &str)] = &[
    ("echo a; ", ""),
    ("echo a && ", "true"),
    ("cat x | ", "cat"),
    ("$(", "true"),
    ("`", ""),
    ("'", ""),
    ("\"$(\" ", ""),
    ("{a,b}", ""),
    ("a*?[b]/", ""),
    ("(", "true"),
    ("A=b ", "git status"),
    ("sudo env nice ", "ls"),
    ("\\\n", "ls"),
    ("<(", "true"),
    (">&2 ", "ls"),
    ("if true; then ", "fi"),
    ("-c ", ""),
    ("bash -c \"", ""),
    ("cd src && ", "rm x"),
    ("# ", "\nrm x"),
];

fn command(length: usize, which: usize) -> Input {
    let (piece, end) = COMMANDS.get(which).copied().unwrap_or_default();
    let line = format!("rm x; {}{end}", piece.repeat(length / piece.len().max(1)));
    Input::call(
        format!("a command of {length} signs, `{}`", piece.trim()),
        "Bash",
        json!({ "command": line }),
    )
}

fn heredocs(count: usize) -> Input {
    let one = |n: usize| format!("cat > src/auth/h{n}.txt <<'E{n}'\ntext\nE{n}\n");
    let line: String = (0..count).map(one).collect();
    Input::call(format!("{count} here-documents"), "Bash", json!({ "command": line }))
}

fn long_path(length: usize, how: usize) -> Input {
    let path = match how {
        0 => "a/".repeat(length) + "f",
        1 => "../".repeat(length) + "f",
        2 => "n".repeat(length),
        _ => "src/auth/../".repeat(length) + "src/auth/f",
    };
    let params = json!({"file_path": format!("{{root}}/{path}"), "content": "a\n"});
    Input::call(format!("a path of {} signs ({how})", path.len()), "Write", params)
}

fn globs(count: usize, how: usize) -> Input {
    let pattern = match how {
        0 => "{a,b}".repeat(count),
        1 => "*a".repeat(count),
        2 => "**/".repeat(count) + "x",
        _ => "[!a-z\u{e9}]?".repeat(count),
    };
    let draft = json!({"id": "INT-900", "name": "n", "owned_scope": vec![pattern; 20]});
    let line = format!("bailiwick tool propose_intent '{draft}'");
    Input::call(format!("globs of {count} pieces ({how})"), "Bash", json!({ "command": line })).harmless()
}

fn ignored(count: usize, how: usize) -> Input {
    let line = |n: usize| match how {
        0 => format!("*a*b*{n}*c*/\n"),
        1 => format!("**/x{n}/**/y*/**\n"),
        2 => format!("[!a-z\u{e9}]?{n}*\n"),
        _ => format!("{{a,b}}{{c,d}}*{n}\n"),
    };
    let path = "\u{e9}a/".repeat(50) + "f";
    let params = json!({"file_path": format!("{{root}}/src/auth/{path}"), "content": "a\n"});
    let input = Input::call(format!("an ignore file of {count} lines ({how})"), "Write", params);
    Input { ignored: (0..count).map(line).collect(), ..input }
}

fn prompt(length: usize) -> Input {
    let params = json!({"prompt": "word ".repeat(length / 5)});
    let input = Input::call(format!("a prompt of {length} signs"), "", params).harmless();
    Input { event: Some("UserPromptSubmit"), ..input }
}

fn response(length: usize) -> Input {
    let params = json!({
        "tool_name": "Bash", "tool_use_id": "toolu_none", "tool_input": {"command": "ls"},
        "tool_response": {"stdout": "line\n".repeat(length / 5), "stderr": "", "interrupted": false},
    });
    let input = Input::call(format!("a response of {length} signs"), "", params).harmless();
    Input { event: Some("PostToolUse"), ..input }
}

fn unknown_tool(length: usize) -> Input {
    let text = "token=abcdefgh12345678 ".repeat(length / 23 + 1);
    Input::call(
        format!("an unknown tool with {length} signs"),
        "mcp__x__y",
        json!({ "text": text, "path": text }),
    )
}
