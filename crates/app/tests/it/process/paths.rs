//! A path of a call leads where the file system leads it, through both doors (D-45, K-35).

use bailiwick_domain::{Value, json};

use super::machine::Machine;

fn content(path: &str) -> Value {
    json!({"path": path, "content": "x\n"})
}

#[track_caller]
fn code(answer: &Value) -> String {
    assert_eq!(answer["action"], "block", "{answer}");
    answer["error"]["code"].as_str().unwrap().to_owned()
}

// D-45, A2
#[test]
fn a_backslash_opens_no_way_out_of_the_scope_or_the_root_on_the_wire() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    for (path, refusal) in [
        (r"src/auth\a\b\c/../../../evil.txt", "OUTSIDE_WORKSPACE"),
        (r"src/auth\a\b/../../README.md", "SCOPE_VIOLATION"),
        (r"src\auth\new.rs", "SCOPE_VIOLATION"),
        (r"src/auth/../auth\new.rs", "SCOPE_VIOLATION"),
    ] {
        assert_eq!(code(&wire.pre("write_to_file", &content(path))), refusal, "{path}");
    }
    let read = wire.pre("read_file", &json!({"path": r"q\w/../../outside.txt"}));
    assert_eq!(code(&read), "OUTSIDE_WORKSPACE");
    let own = wire.pre("write_to_file", &content(r"src/auth/a\b.rs"));
    assert_eq!(own["request"]["changed_paths"], json!([r"src/auth/a\b.rs"]), "{own}");
    wire.end();
}

// D-45, A2
#[test]
fn a_grant_covers_no_file_behind_a_backslash() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let ask = wire.pre("write_to_file", &content("src/auth/one.rs"));
    let yes = wire.ask(json!({"phase": "resolve", "approvalId": ask["approvalId"], "decision": "grant", "approver": "dana", "bounds": {"max_calls": 9}}));
    assert_eq!(yes["action"], "allow", "{yes}");
    machine.write("src/auth/one.rs", "x\n");
    wire.post("write_to_file", &content("src/auth/one.rs"), true);
    assert_eq!(wire.pre("write_to_file", &content("src/auth/two.rs"))["action"], "allow");
    let other = wire.pre("write_to_file", &content(r"src/auth\a\b/../../README.md"));
    assert_eq!(code(&other), "SCOPE_VIOLATION");
    wire.end();
}

// D-45, A2
#[test]
fn the_client_writes_no_file_behind_a_backslash_unseen() {
    let machine = Machine::selected();
    let root = machine.root().display().to_string();
    let write = |id: &str, path: &str| {
        let call = machine.pre(id, "Write", &json!({"file_path": path, "content": "x\n"}));
        machine.hook(&call).denied()["code"].clone()
    };
    assert_eq!(write("w1", &format!(r"{root}/src\auth\lit_test.py")), "SCOPE_VIOLATION");
    assert_eq!(write("w2", &format!(r"{root}/src/auth\a\b\c/../../../evil.txt")), "OUTSIDE_WORKSPACE");
    assert_eq!(write("w3", &format!(r"{root}/src/auth/a\b.py")), "APPROVAL_PENDING");
    let read = machine.pre("r1", "Read", &json!({"file_path": r"q\w/../../outside.txt"}));
    assert_eq!(machine.hook(&read).denied()["code"], "OUTSIDE_WORKSPACE");
}

// K-35: the client takes white space off a path, so it would act on another one than was judged
#[test]
fn a_path_that_a_client_would_trim_is_malformed() {
    let machine = Machine::selected();
    for path in [" /etc/passwd", " ../../etc/passwd", "src/auth/a.py ", "\u{feff}/etc/passwd"] {
        let read = machine.pre("r1", "Read", &json!({"file_path": path}));
        assert_eq!(machine.hook(&read).denied()["code"], "MALFORMED_CALL", "{path:?}");
    }
}

// C: refused as what it is, not as a fault of the private state
#[test]
fn what_is_too_long_or_holds_a_control_character_is_a_malformed_call() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let deep = format!("src/auth/{}", vec!["d"; 3_000].join("/"));
    let paths = [
        "n".repeat(6_000),
        format!("src/auth/{}", "n".repeat(256)),
        deep,
        "src/auth/a\0b".to_owned(),
        "src/auth/a\u{1b}[2K".to_owned(),
    ];
    for path in paths {
        for (tool, params) in [
            ("write_to_file", content(&path)),
            ("read_file", json!({"path": path})),
            ("execute_command", json!({"command": "ls", "cwd": path})),
            ("execute_command", json!({"command": "make", "cwd": path})),
        ] {
            assert_eq!(code(&wire.pre(tool, &params)), "MALFORMED_CALL", "{tool} {path:.40}");
        }
    }
    wire.end();
}

// D-45, K-35
#[test]
fn a_working_folder_that_is_no_absolute_path_is_a_malformed_call() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    for cwd in [json!("src"), json!(""), json!("/a\0b"), json!(7), json!(["/"])] {
        for (tool, params) in [
            ("read_file", json!({"path": "README.md"})),
            ("execute_command", json!({"command": "git status"})),
            ("execute_command", json!({"command": "make"})),
        ] {
            let asked = json!({"phase": "pre", "toolName": tool, "params": params, "cwd": cwd});
            assert_eq!(code(&wire.ask(asked)), "MALFORMED_CALL", "{tool} {cwd}");
        }
    }
    wire.end();
}
