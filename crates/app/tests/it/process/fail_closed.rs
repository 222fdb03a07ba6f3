//! Whatever goes wrong before a call comes out as a refusal that the client honours, and whatever goes wrong after a
//! call never stops the client (design §7.1, threats E1, E2, E3, E5, D11). Here: bad events, a lost or killed hook, a full
//! disk, held locks, nobody who answers. Broken stores are in `faulty_store`.

use std::path::Path;
use std::process::Command;

use bailiwick_domain::{Value, json};

use super::machine::{Hooked, Machine, assert_tool_error};

/// More bytes than an event may have.
const TOO_MANY: usize = 32 * 1024 * 1024 + 1;

/// Events that cannot be judged, each made from a good one.
fn bad_events(good: &Value) -> Vec<(String, Vec<u8>)> {
    let text = good.to_string();
    let with = |key: &str, value: Value| {
        let mut event = good.clone();
        event[key] = value;
        event.to_string()
    };
    let without = |key: &str| {
        let mut event = good.clone();
        event.as_object_mut().unwrap().remove(key);
        event.to_string()
    };
    let open = text.strip_suffix('}').unwrap();
    let mut cases: Vec<(String, Vec<u8>)> = [
        ("nothing", String::new()),
        ("blanks", " \n\t\n".to_owned()),
        ("null", "null".to_owned()),
        ("a list", format!("[{text}]")),
        ("a text", "\"PreToolUse\"".to_owned()),
        ("an open brace", "{".to_owned()),
        ("an empty object", "{}".to_owned()),
        ("single quotes", text.replace('"', "'")),
        ("a comma at the end", format!("{open},}}")),
        ("a key twice", format!("{open},\"tool_name\":\"Read\"}}")),
        ("a key twice, escaped", format!("{open},\"tool\\u005fname\":\"Read\"}}")),
        ("a key twice, deep", text.replacen("\"content\":", "\"content\":\"\",\"content\":", 1)),
        ("two events", format!("{text}{text}")),
        ("two events on two lines", format!("{text}\n{text}")),
        ("a word behind", format!("{text} ok")),
        ("not a number", format!("{open},\"x\":NaN}}")),
        ("a raw control character", text.replacen("pub fn", "pub \u{1}fn", 1)),
        ("half a surrogate pair", text.replacen("pub fn", "\\ud800", 1)),
        ("a hundred and thirty levels", format!("{open},\"x\":{}{}}}", "[".repeat(130), "]".repeat(130))),
        ("a hundred thousand levels", format!("{open},\"x\":{}", "[".repeat(100_000))),
        ("a hundred thousand objects", format!("{open},\"x\":{}", "{\"a\":".repeat(100_000))),
        ("no tool", without("tool_name")),
        ("no input", without("tool_input")),
        ("no session", without("session_id")),
        ("no name", without("hook_event_name")),
        ("an empty tool", with("tool_name", "".into())),
        ("an empty session", with("session_id", "".into())),
        ("an empty agent", with("agent_id", "".into())),
        ("a number as tool", with("tool_name", 3.into())),
        ("a list as tool", with("tool_name", json!(["Read", "Write"]))),
        ("a text as input", with("tool_input", "rm -rf .".into())),
        ("a list as input", with("tool_input", json!([]))),
        ("null as input", with("tool_input", Value::Null)),
        ("an object as session", with("session_id", json!({}))),
        ("a list as folder", with("cwd", json!([]))),
        ("a number as mode", with("permission_mode", 1.into())),
        ("a number as name", with("hook_event_name", 5.into())),
        ("a path that is a number", with("tool_input", json!({"file_path": 1, "content": ""}))),
        ("a path with NUL", with("tool_input", json!({"file_path": "src/auth/a\u{0}.rs", "content": ""}))),
        ("no path", with("tool_input", json!({"content": ""}))),
        (
            "two paths",
            with("tool_input", json!({"file_path": "src/auth/a", "path": "src/auth/b", "content": ""})),
        ),
    ]
    .map(|(name, text)| (name.to_owned(), text.into_bytes()))
    .into();
    cases.push((
        "not UTF-8".to_owned(),
        [&text.as_bytes()[..text.len() - 1], b",\"x\":\"\xff\xfe\"}"].concat(),
    ));
    cases.push(("UTF-16".to_owned(), text.encode_utf16().flat_map(u16::to_le_bytes).collect()));
    cases.push(("a NUL byte behind".to_owned(), [text.as_bytes(), b"\0"].concat()));
    cases.push((
        "too many bytes".to_owned(),
        [open.as_bytes(), b",\"x\":\"", &vec![b'a'; TOO_MANY], b"\"}"].concat(),
    ));
    cases
        .extend((1..10).map(|tenth| {
            (format!("cut at {tenth}/10"), text.as_bytes()[..text.len() * tenth / 10].to_vec())
        }));
    cases
}

// threats D11, E2, E5; design §7.1
#[test]
fn a_call_that_cannot_be_judged_is_refused() {
    let machine = Machine::selected();
    let line = machine.registered_line(Path::new(env!("CARGO_BIN_EXE_bailiwick")), "PreToolUse");
    let good = machine.write_call("w1", "src/auth/new.rs");
    for (name, event) in bad_events(&good) {
        machine.through(&line, &event).refused(&name);
    }
    assert_eq!(machine.hook(&good).denied()["code"], "APPROVAL_PENDING", "the good one is judged");
}

// threat E2; D-21
#[test]
fn an_event_after_a_call_never_stops_the_client() {
    let machine = Machine::selected();
    let line = machine.registered_line(Path::new(env!("CARGO_BIN_EXE_bailiwick")), "PostToolUse");
    let mut good = machine.write_call("w1", "src/auth/new.rs");
    good["hook_event_name"] = "PostToolUse".into();
    good["tool_response"] = json!({"ok": true});
    for (name, event) in bad_events(&good) {
        let said = machine.through(&line, &event);
        assert!(matches!(said.code, Some(0 | 1)), "{name}: {said:?}");
        assert!(!said.stdout.contains("\"block\""), "{name}: {said:?}");
    }
    assert_eq!(machine.through(&line, good.to_string().as_bytes()).code, Some(0));
}

// threats E2, E3
#[test]
fn a_binary_that_is_gone_refuses_calls_and_lets_the_client_live() {
    let machine = Machine::selected();
    let binary = machine.own_binary();
    let (before, after) =
        (machine.registered_line(&binary, "PreToolUse"), machine.registered_line(&binary, "PostToolUse"));
    let call = machine.write_call("w1", "src/auth/new.rs").to_string();
    assert_eq!(machine.through(&before, call.as_bytes()).denied()["code"], "APPROVAL_PENDING");
    std::fs::remove_file(&binary).unwrap();
    let refused = machine.through(&before, call.as_bytes());
    refused.refused("a missing binary");
    assert!(refused.stderr.contains("Bailiwick did not answer: refused"), "{refused:?}");
    assert_eq!(machine.through(&after, call.as_bytes()).code, Some(1));
}

// threat E3
#[cfg(unix)]
#[test]
fn a_binary_that_cannot_be_run_refuses() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::new();
    let binary = machine.own_binary();
    let line = machine.registered_line(&binary, "PreToolUse");
    std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o644)).unwrap();
    machine
        .through(&line, machine.read_call("r1").to_string().as_bytes())
        .refused("a binary that may not be run");
    std::fs::write(&binary, "").unwrap();
    machine.through(&line, machine.read_call("r2").to_string().as_bytes()).refused("an empty binary");
}

// threat E2
#[test]
fn unknown_arguments_refuse() {
    let machine = Machine::new();
    let event = machine.read_call("r1").to_string();
    for rest in ["", " --agent", " --agent nobody", " --agent claude-code --force"] {
        let line = format!("'{}' hook{rest}", env!("CARGO_BIN_EXE_bailiwick"));
        machine.through(&line, event.as_bytes()).refused(&line);
    }
}

// threat E2
#[cfg(target_os = "linux")]
#[test]
fn a_hook_that_is_killed_refuses() {
    use std::process::Stdio;
    let machine = Machine::selected();
    let line = machine.registered_line(Path::new(env!("CARGO_BIN_EXE_bailiwick")), "PreToolUse");
    for signal in ["-KILL", "-SEGV", "-ALRM", "-TERM"] {
        let mut command = machine.agent(&line);
        let mut client =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The hook waits for its event, so it is there until it is killed.
        let hook = descendant(client.id(), &machine.state().display().to_string());
        assert!(Command::new("kill").args([signal, &hook.to_string()]).status().unwrap().success());
        drop(client.stdin.take());
        Hooked::of(&client.wait_with_output().unwrap()).refused(signal);
    }
}

/// The process below `top` that is the hook itself: its words hold `mark` and it has no shell as its program.
#[cfg(target_os = "linux")]
fn descendant(top: u32, mark: &str) -> u32 {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while std::time::Instant::now() < deadline {
        let mut generation = vec![top];
        while let Some(pid) = generation.pop() {
            let children =
                std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
            for child in children.split_ascii_whitespace() {
                let words = std::fs::read_to_string(format!("/proc/{child}/cmdline")).unwrap_or_default();
                if words.contains(mark) && words.contains("\0hook\0") {
                    return child.parse().unwrap();
                }
                generation.extend(child.parse::<u32>());
            }
        }
        std::thread::yield_now();
    }
    panic!("the hook did not start")
}

// threats E2, F9; D-26
#[cfg(unix)]
#[test]
fn a_disk_that_takes_no_byte_refuses() {
    for (name, limit) in [("an error", "ulimit -f 0; trap '' XFSZ; "), ("a signal", "ulimit -f 0; ")] {
        let machine = Machine::selected();
        let registered = machine.registered_line(Path::new(env!("CARGO_BIN_EXE_bailiwick")), "PreToolUse");
        let line = format!("{limit}{registered}");
        for call in [
            machine.read_call("r1"),
            machine.write_call("w1", "src/auth/new.rs"),
            machine.write_call("w2", "README.md"),
        ] {
            machine.through(&line, call.to_string().as_bytes()).refused(name);
        }
        let registered = machine.registered_line(Path::new(env!("CARGO_BIN_EXE_bailiwick")), "PostToolUse");
        let mut post = machine.read_call("r1");
        post["hook_event_name"] = "PostToolUse".into();
        let after = machine.through(&format!("{limit}{registered}"), post.to_string().as_bytes());
        assert!(matches!(after.code, Some(0 | 1)), "{name}: {after:?}");
        assert_eq!(
            machine.hook(&machine.read_call("r2")).decision(),
            None,
            "all is well with space on the disk"
        );
    }
}

// threats E2, F9
#[test]
fn too_little_memory_refuses() {
    let machine = Machine::selected();
    let registered = machine.registered_line(Path::new(env!("CARGO_BIN_EXE_bailiwick")), "PreToolUse");
    let call = machine.write_call("w1", "src/auth/new.rs").to_string();
    for kilobytes in [1_000, 4_000, 8_000, 16_000, 24_000, 32_000, 48_000] {
        let line = format!("ulimit -v {kilobytes}; {registered}");
        machine.through(&line, call.as_bytes()).refused(&line);
    }
}

// threat E2
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_said_refuses() {
    let machine = Machine::selected();
    let call = machine.write_call("w1", "src/auth/new.rs").to_string();
    let said = machine.through(&format!("{} > /dev/full", machine.bare_line()), call.as_bytes());
    assert_eq!(said.code, Some(2), "{said:?}");
    let registered = machine.registered_line(Path::new(env!("CARGO_BIN_EXE_bailiwick")), "PreToolUse");
    for input in ["< .", "<&-", "< /dev/null"] {
        let (hook, caught) = registered.split_once(" ||").unwrap();
        let line = format!("{hook} {input} ||{caught}");
        machine.through(&line, call.as_bytes()).refused(input);
    }
}

// threats E1, F9; K-09
#[test]
fn a_lock_that_somebody_keeps_refuses() {
    for name in ["lock", "decisions.lock", "approvals/lock"] {
        let machine = Machine::selected();
        machine.pending("w0", "src/auth/first.rs");
        let file = std::fs::File::options().write(true).open(machine.private().join(name)).unwrap();
        file.lock().unwrap();
        let error = machine.hook(&machine.write_call("w1", "src/auth/new.rs")).denied();
        assert_eq!(error["code"], "LEDGER_UNAVAILABLE", "{name}: {error}");
        file.unlock().unwrap();
        assert_eq!(
            machine.hook(&machine.write_call("w2", "src/auth/new.rs")).denied()["code"],
            "APPROVAL_PENDING"
        );
    }
}

// REQ 143, REQ 74; D-06, D-17, D-28; threat E1
#[cfg(target_os = "linux")]
#[test]
fn silence_is_no_yes_and_a_later_yes_passes_once() {
    let machine = Machine::selected();
    machine.write(".orchestration/config.yaml", "approval: { channel: queue, timeout_s: 1 }\n");
    let error = machine.hook(&machine.write_call("w1", "src/auth/new.rs")).denied();
    assert_eq!(error["code"], "APPROVAL_PENDING");
    assert!(error["message"].as_str().unwrap().contains("Nobody answered within 1 s"), "{error}");
    let id = error["details"]["approval_id"].as_str().unwrap();
    assert_eq!(machine.open_requests()[0]["id"], id, "the request stays open");
    machine.approve(id);
    assert_eq!(
        machine.hook(&machine.write_call("w2", "src/auth/other.rs")).denied()["code"],
        "APPROVAL_PENDING"
    );
    assert_eq!(
        machine.hook(&machine.write_call("w3", "src/auth/new.rs")).decision().as_deref(),
        Some("allow")
    );
    let again = machine.hook(&machine.write_call("w4", "src/auth/new.rs")).denied();
    assert_eq!(again["code"], "APPROVAL_PENDING", "a yes is used once");
    assert_ne!(again["details"]["approval_id"], id);
}

// D-28: under the client's limit of 10,000 characters, whatever the call says
#[test]
fn a_refusal_stays_short() {
    let machine = Machine::selected();
    let long = "deep/".repeat(700);
    let calls = [
        machine.write_call("w1", &format!("{long}file.rs")),
        machine.pre("w2", &"\u{1F600}".repeat(5_000), &json!({})),
        machine.pre("w3", "Write", &json!({"file_path": "src/auth/a.rs", "content": "x".repeat(200_000)})),
        machine.pre("w4", "Bash", &json!({"command": "\u{1}\"\\".repeat(30_000)})),
    ];
    for call in calls {
        let said = machine.hook(&call);
        assert_tool_error(&said.denied());
        assert!(said.stdout.len() < 10_000, "{} bytes", said.stdout.len());
    }
}
