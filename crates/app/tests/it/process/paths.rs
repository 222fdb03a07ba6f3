//! A path of a call leads where the file system leads it, through both doors (D-45, K-35).

use bailiwick_domain::{Value, json};

use super::machine::{Machine, installed};
use crate::world::World;

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

/// Runs the git of this computer, away from any settings of a person.
fn git(machine: &Machine, folder: &str, words: &[&str]) {
    let mut git = std::process::Command::new(installed("git"));
    git.args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(words)
        .current_dir(machine.world.path(folder));
    git.env_clear().env("HOME", machine.world.path("home")).env("GIT_CONFIG_NOSYSTEM", "1");
    let output = git.output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", crate::world::said(&output));
}

/// What the gate says to a git command there: `allow`, or the reason of the question.
fn asked_about(wire: &mut super::machine::Wire, command: &str, folder: &str, cwd: Option<&str>) -> String {
    let mut request =
        json!({"phase": "pre", "toolName": "execute_command", "params": {"command": command, "cwd": folder}});
    if let Some(cwd) = cwd {
        request["cwd"] = json!(cwd);
        request["params"].as_object_mut().unwrap().remove("cwd");
    }
    let answer = wire.ask(request);
    match answer["action"].as_str().unwrap() {
        "waitForApproval" => answer["request"]["reason"].as_str().unwrap().to_owned(),
        other => other.to_owned(),
    }
}

// A3, threat F6, D-03: looking with git is free only in the governed repository
#[test]
fn git_is_believed_only_where_it_uses_the_governed_repository() {
    let machine = Machine::new();
    git(&machine, "", &["init", "-q", "--bare", "strange"]);
    git(&machine, "", &["init", "-q", "outside"]);
    git(&machine, "repo", &["init", "-q", "--bare", "src/auth/kit"]);
    let mut wire = machine.wire();
    wire.select("INT-001");
    let outside = |name: &str| machine.world.path(name).display().to_string();
    for command in ["git status", "git log -p", "git diff | cat"] {
        assert_eq!(asked_about(&mut wire, command, "src/auth", None), "allow", "{command}");
        for name in ["strange", "outside", "", "home"] {
            let said = asked_about(&mut wire, command, "", Some(&outside(name)));
            assert!(said.contains("outside of this repository"), "{command} {name}: {said}");
        }
        for folder in ["src/auth/kit", "src/auth/kit/refs"] {
            let said = asked_about(&mut wire, command, folder, None);
            assert!(said.contains("settings of its own"), "{command} {folder}: {said}");
        }
        let said = asked_about(&mut wire, command, "../strange", None);
        assert!(said.contains("outside of this repository"), "{command}: {said}");
    }
    wire.end();
}

// B, A3, threat C3: a host that tells the folder as its shell calls it
#[cfg(unix)]
#[test]
fn readers_pass_at_the_root_under_the_name_of_a_link() {
    let machine = Machine::new();
    let link = |name: &str, target: &str| {
        std::os::unix::fs::symlink(machine.world.path(target), machine.world.path(name)).unwrap();
        machine.world.path(name).display().to_string()
    };
    let (root, inner) = (link("link", "repo"), link("inner", "repo/src"));
    let mut wire = machine.wire();
    wire.select("INT-001");
    for command in ["ls", "grep -rn x .", "git status", "git log -1", &format!("grep -r x {root}")] {
        assert_eq!(asked_about(&mut wire, command, "", Some(&root)), "allow", "{command}");
    }
    for (tool, params) in
        [("delete_file", json!({"path": root})), ("write_to_file", json!({"path": root, "content": "x"}))]
    {
        assert_eq!(code(&wire.pre(tool, &params)), "PROTECTED_PATH", "{tool}");
    }
    assert_eq!(code(&wire.pre("delete_file", &json!({"path": inner}))), "OUTSIDE_WORKSPACE");
    let command = json!({"command": format!("grep -r x {inner}")});
    assert_eq!(code(&wire.pre("execute_command", &command)), "OUTSIDE_WORKSPACE");
    wire.end();
}

// A7: the folder of git is protected under any name, and the private state in it stays unread
#[test]
fn a_git_folder_under_another_name_is_protected() {
    for by_link in [false, true] {
        let world = World::without_git();
        let machine = Machine { world };
        if by_link {
            git(&machine, "repo", &["init", "-q"]);
            std::fs::create_dir_all(machine.root().join("src/auth")).unwrap();
            std::fs::rename(machine.root().join(".git"), machine.root().join("src/auth/meta")).unwrap();
            std::os::unix::fs::symlink("src/auth/meta", machine.root().join(".git")).unwrap();
        } else {
            std::fs::create_dir_all(machine.root().join("src/auth")).unwrap();
            git(&machine, "repo", &["init", "-q", "--separate-git-dir", "src/auth/meta"]);
        }
        machine.world.ok(&["init"]);
        machine.write(".orchestration/active_intents.yaml", super::machine::INTENTS);
        let mut wire = machine.wire();
        wire.select("INT-001");
        for path in ["src/auth/meta/config", "src/auth/meta/hooks/pre-commit", ".git/config", "src/auth/meta"]
        {
            assert_eq!(code(&wire.pre("write_to_file", &content(path))), "PROTECTED_PATH", "{path}");
        }
        for (tool, params) in [
            ("read_file", json!({"path": "src/auth/meta/bailiwick/decisions.jsonl"})),
            ("execute_command", json!({"command": "cat src/auth/meta/bailiwick/decisions.jsonl"})),
            ("execute_command", json!({"command": "grep -r '' src/auth/meta"})),
            ("search_files", json!({"path": "src/auth/meta", "regex": "x"})),
        ] {
            assert_eq!(code(&wire.pre(tool, &params)), "PROTECTED_PATH", "{tool} {params}");
        }
        assert_eq!(wire.pre("read_file", &json!({"path": "src/auth/meta/HEAD"}))["action"], "allow");
        assert_eq!(wire.pre("write_to_file", &content("src/auth/a.rs"))["action"], "waitForApproval");
        wire.end();
    }
}

// A7, A5: what git takes for a bare repository may not be written into, nor be completed by a write
#[test]
fn a_bare_repository_in_the_tree_is_protected() {
    let machine = Machine::new();
    git(&machine, "repo", &["init", "-q", "--bare", "src/auth/kit"]);
    std::fs::create_dir_all(machine.root().join("src/auth/half/objects")).unwrap();
    std::fs::create_dir_all(machine.root().join("src/auth/half/refs")).unwrap();
    let mut wire = machine.wire();
    wire.select("INT-001");
    for path in ["src/auth/kit/config", "src/auth/kit/hooks/x", "src/auth/half/HEAD"] {
        assert_eq!(code(&wire.pre("write_to_file", &content(path))), "PROTECTED_PATH", "{path}");
    }
    assert_eq!(wire.pre("write_to_file", &content("src/auth/half/x"))["action"], "waitForApproval");
    wire.end();
}

// A7
#[test]
fn private_state_is_not_searched_through() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    for command in ["grep -r '' .git", "grep -rn x .git/bailiwick", "rg x .git", "ls src | grep -r x .git"] {
        let answer = wire.pre("execute_command", &json!({"command": command}));
        assert_eq!(code(&answer), "PROTECTED_PATH", "{command}");
    }
    assert_eq!(wire.pre("execute_command", &json!({"command": "ls .git"}))["action"], "allow");
    assert_eq!(wire.pre("execute_command", &json!({"command": "grep -rn x src"}))["action"], "allow");
    wire.end();
}
