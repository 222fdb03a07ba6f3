//! Every host of the table at the real binary, each in its own words: what is refused, what waits for a person, and what
//! passes once.
#![cfg(target_os = "linux")]

use bailiwick_adapters_hooks::{HOSTS, Host, Output, Probe};
use bailiwick_domain::{Value, json};

use super::machine::{Hooked, Machine};

/// The tool that runs a command, and the members of an event that bear a tool and its parameters.
fn words(host: &Host) -> (&'static str, &'static str, &'static str) {
    match host.profile.name {
        "claude-code" | "codex" | "kimi" => ("Bash", "tool_name", "tool_input"),
        "copilot" => ("bash", "toolName", "toolArgs"),
        "cursor" => ("Shell", "tool_name", "tool_input"),
        "gemini" | "qwen" => ("run_shell_command", "tool_name", "tool_input"),
        "opencode" => ("bash", "tool", "args"),
        "cline" => ("run_commands", "tool", "args"),
        "droid" => ("Execute", "tool_name", "tool_input"),
        "kiro" => ("execute_bash", "tool_name", "tool_input"),
        "vscode" => ("run_in_terminal", "tool_name", "tool_input"),
        "antigravity" => ("run_command", "name", "args"),
        "windsurf" => ("pre_run_command", "agent_action_name", "tool_info"),
        "generic" => ("execute_command", "tool_name", "tool_input"),
        other => panic!("how does {other} tell of a command?"),
    }
}

struct Talk<'a> {
    machine: &'a Machine,
    host: &'a Host,
}

impl Talk<'_> {
    fn say(&self, event: &[u8]) -> Output {
        self.through(&self.line(), event)
    }

    fn line(&self) -> String {
        let (binary, state) = (env!("CARGO_BIN_EXE_bailiwick"), self.machine.state());
        let name = self.host.profile.name;
        format!("'{binary}' hook --agent {name} --governed --state '{}'", state.display())
    }

    fn through(&self, line: &str, event: &[u8]) -> Output {
        let Hooked { code, stdout, stderr } = self.machine.through(line, event);
        Output { stdout, stderr, exit_code: u8::try_from(code.unwrap()).unwrap() }
    }

    fn probe(&self, call: &str, file: &str) -> Vec<u8> {
        let (root, file) = (self.machine.root(), self.machine.root().join(file));
        (self.host.probe)(&Probe {
            session: "s1",
            call,
            root: &root.display().to_string(),
            file: &file.display().to_string(),
            content: "pub fn new() {}\n",
        })
    }

    fn command(&self, call: &str, command: &str) -> Output {
        self.say(self.command_event(call, command).to_string().as_bytes())
    }

    /// The event after a command that succeeded, on a host that says nothing of what it printed.
    fn after_command(&self, call: &str, command: &str) -> Output {
        let mut event = self.command_event(call, command);
        match self.host.profile.name {
            "windsurf" => event["agent_action_name"] = "post_run_command".into(),
            "antigravity" => {
                event["hookEventName"] = "PostToolUse".into();
                event["toolResult"] = json!({ "ok": true });
            }
            "droid" => event["hookEventName"] = "PostToolUse".into(),
            "cursor" | "kiro" => event["hook_event_name"] = "postToolUse".into(),
            _ => event["hook_event_name"] = "PostToolUse".into(),
        }
        self.say(event.to_string().as_bytes())
    }

    fn command_event(&self, call: &str, command: &str) -> Value {
        let (tool, key, params) = words(self.host);
        let mut event: Value = serde_json::from_slice(&self.probe(call, "x")).unwrap();
        let root = self.machine.root().display().to_string();
        match self.host.profile.name {
            "antigravity" => {
                event["toolCall"] = json!({key: tool, params: {"CommandLine": command, "Cwd": root}})
            }
            "windsurf" => {
                event[key] = tool.into();
                event[params] = json!({"command_line": command, "cwd": root});
            }
            _ => {
                event[key] = tool.into();
                event[params] = json!({"command": command});
            }
        }
        event
    }

    /// The error that the model is told; the call must be stopped.
    #[track_caller]
    fn refused(&self, output: &Output) -> Value {
        let name = self.host.profile.name;
        let told =
            (self.host.refusal)(output).unwrap_or_else(|| panic!("{name} was let through: {output:?}"));
        serde_json::from_str(&told).unwrap_or_else(|why| panic!("{name}: {why}: {told}"))
    }

    #[track_caller]
    fn goes(&self, output: &Output) {
        assert_eq!((self.host.refusal)(output), None, "{}: {output:?}", self.host.profile.name);
        assert_eq!((output.exit_code, output.stderr.as_str()), (0, ""), "{}", self.host.profile.name);
    }
}

// D-06
#[test]
fn every_host_refuses_asks_and_passes_in_its_own_words() {
    for host in HOSTS {
        let machine = Machine::new();
        let talk = Talk { machine: &machine, host };
        let early = talk.refused(&talk.say(&talk.probe("c1", "src/auth/new.rs")));
        assert_eq!(early["code"], "STATE_VIOLATION", "{}", host.profile.name);
        talk.goes(&talk.command("c2", "cat src/auth/login.rs"));
        talk.goes(&talk.command("c3", "bailiwick tool select_active_intent '{\"intent_id\":\"INT-001\"}'"));
        let outside = talk.refused(&talk.say(&talk.probe("c4", "src/core/new.rs")));
        assert_eq!(outside["code"], "SCOPE_VIOLATION", "{}", host.profile.name);
        let protected = talk.refused(&talk.say(&talk.probe("c5", ".orchestration/active_intents.yaml")));
        assert_eq!(protected["code"], "PROTECTED_PATH", "{}", host.profile.name);
        let pending = talk.refused(&talk.say(&talk.probe("c6", "src/auth/new.rs")));
        assert_eq!(pending["code"], "APPROVAL_PENDING", "{}", host.profile.name);
        machine.approve(pending["details"]["approval_id"].as_str().unwrap());
        talk.goes(&talk.say(&talk.probe("c7", "src/auth/new.rs")));
        let deletion = talk.refused(&talk.command("c8", "rm -rf src"));
        assert_eq!(deletion["code"], "APPROVAL_PENDING", "{}", host.profile.name);
    }
}

// B, D-02: what a tool leaves in a file is known where it was measured, and the host says its version.
#[test]
fn a_grant_is_offered_where_the_hosts_version_was_measured() {
    let told = |name: &str| match name {
        "copilot" => "COPILOT_CLI_RESOLVED_DIST_DIR=/x/pkg/linux-x64/1.0.102",
        "opencode" => "BAILIWICK_OPENCODE_VERSION=1.18.33",
        _ => "X=",
    };
    for host in HOSTS {
        let machine = Machine::new();
        let talk = Talk { machine: &machine, host };
        talk.goes(&talk.command("c1", "bailiwick tool select_active_intent '{\"intent_id\":\"INT-001\"}'"));
        let asked = |variable: &str, file: &str| {
            let line = format!("{variable} {}", talk.line());
            let pending =
                talk.refused(&talk.through(&line, &talk.probe(file, &format!("src/auth/{file}.rs"))));
            assert_eq!(pending["code"], "APPROVAL_PENDING", "{}", host.profile.name);
            pending["details"]["approval_id"].clone()
        };
        let name = host.profile.name;
        let (measured, newer) = (asked(told(name), "a"), asked("AI_AGENT=claude-code_9-0-0_harness", "b"));
        let open = machine.open_requests();
        let offers = |id: Value| {
            let request = open.iter().find(|request| request["id"] == id).unwrap();
            !request["offer"].is_null()
        };
        // Whether a new file of Qwen Code begins with a mark is a setting.
        assert_eq!(offers(measured), host.edits.is_some() && name != "qwen", "{name}");
        // Codex tells its hooks no version.
        assert_eq!(offers(newer), name == "codex", "{name}");
    }
}

// A host that says nothing of what a tool showed: what was there before and still is was read.
#[test]
fn a_reading_counts_on_a_host_that_says_nothing_of_it_unless_the_file_changed_meanwhile() {
    let silent: Vec<&Host> = HOSTS.iter().filter(|host| host.profile.hides_output).collect();
    assert!(silent.len() >= 7);
    for host in silent {
        let machine = Machine::new();
        let (talk, file) = (Talk { machine: &machine, host }, machine.root().join("src/auth/login.rs"));
        talk.goes(&talk.command("c1", "bailiwick tool select_active_intent '{\"intent_id\":\"INT-001\"}'"));
        let code_of = |call: &str, file: &str| {
            let told = talk.refused(&talk.say(&talk.probe(call, file)));
            told["code"].as_str().unwrap().to_owned()
        };
        let code = |call: &str| code_of(call, "src/auth/login.rs");
        let name = host.profile.name;
        assert_eq!(code("c2"), "STALE_FILE", "{name}");
        talk.goes(&talk.command("c3", "cat src/auth/login.rs"));
        std::fs::write(&file, "pub fn changed() {}\n").unwrap();
        talk.after_command("c3", "cat src/auth/login.rs");
        assert_eq!(code("c4"), "STALE_FILE", "{name}: it changed while the tool looked");
        talk.goes(&talk.command("c5", "cat src/auth/login.rs"));
        assert_eq!(code("c6"), "STALE_FILE", "{name}: it is not over");
        talk.after_command("c5", "cat src/auth/login.rs");
        assert_eq!(code("c7"), "APPROVAL_PENDING", "{name}");
        let long = machine.root().join("src/auth/long.rs");
        std::fs::write(&long, "pub fn line() {}\n".repeat(201)).unwrap();
        talk.goes(&talk.command("c8", "cat src/auth/long.rs"));
        talk.after_command("c8", "cat src/auth/long.rs");
        // Windsurf knows edits alone, and for those a page is enough.
        let wanted = if name == "windsurf" { "APPROVAL_PENDING" } else { "STALE_FILE" };
        assert_eq!(code_of("c9", "src/auth/long.rs"), wanted, "{name}: a tool may have shown a page");
    }
}

// threats D9, D11
#[test]
fn every_host_refuses_what_cannot_be_read() {
    let machine = Machine::new();
    for host in HOSTS {
        let talk = Talk { machine: &machine, host };
        let whole = String::from_utf8(talk.probe("c1", "src/auth/new.rs")).unwrap();
        let deep =
            whole.replacen("pub fn new", &"[".repeat(10_000), 1).replacen('{', &"{\"a\":[".repeat(10_000), 1);
        let half = whole.get(..whole.len() / 2).unwrap().to_owned();
        let first = whole.split('"').nth(1).unwrap();
        let twice = whole.replacen('{', &format!("{{\"{first}\":\"/\","), 1);
        for event in [String::new(), "null".to_owned(), half, deep, twice] {
            let error = talk.refused(&talk.say(event.as_bytes()));
            assert_eq!(error["code"], "MALFORMED_CALL", "{}", host.profile.name);
        }
    }
}

// The same file under another name of its folder, through each host's own way of naming files.
#[test]
fn every_host_is_judged_by_where_a_path_leads() {
    for host in HOSTS {
        let machine = Machine::new();
        let talk = Talk { machine: &machine, host };
        talk.goes(&talk.command("c1", "bailiwick tool select_active_intent '{\"intent_id\":\"INT-001\"}'"));
        let around = talk.refused(&talk.say(&talk.probe("c2", "src/auth/../core/new.rs")));
        assert_eq!(around["code"], "SCOPE_VIOLATION", "{}", host.profile.name);
        let outside = talk.refused(&talk.say(&talk.probe("c3", "../elsewhere.rs")));
        assert_eq!(outside["code"], "OUTSIDE_WORKSPACE", "{}", host.profile.name);
    }
}

// A3, D-45: where a host keeps its shell and does not tell where that stands, what follows a `cd` is not judged at the root.
#[test]
fn where_a_host_keeps_its_shell_a_cd_counts_for_what_follows() {
    let mut keep = Vec::new();
    for host in HOSTS {
        let machine = Machine::new();
        machine.write("src/keys/.env", "SECRET\n");
        let talk = Talk { machine: &machine, host };
        let root = machine.root().display().to_string();
        talk.goes(&talk.command("c1", "ls src"));
        talk.goes(&talk.command("c2", "cd src && ls"));
        let further = talk.command("c3", "cat core/main.rs");
        if (host.refusal)(&further).is_none() {
            assert!(!host.profile.keeps_shell);
            continue;
        }
        keep.push(host.profile.name);
        for (call, line) in
            [("c4", "git status"), ("c5", "cargo --version"), ("c6", "cd keys && ls"), ("c7", "ls *.rs")]
        {
            let told = talk.refused(&talk.command(call, line)).to_string();
            assert!(told.contains(&format!("begin with `cd {root} &&`")), "{line}: {told}");
        }
        talk.goes(&talk.command("c8", "pwd"));
        talk.goes(&talk.command("c9", &format!("cd {root}/src && ls core")));
        talk.refused(&talk.command("c10", "ls"));
        talk.goes(&talk.command("c11", &format!("cd {root} && ls")));
        talk.goes(&talk.command("c12", "ls"));
        talk.goes(&talk.command("c13", "bailiwick tool select_active_intent '{\"intent_id\":\"INT-001\"}'"));
        let asked = talk.refused(&talk.command("c14", "pushd src > /dev/null; make"));
        assert_eq!(asked["code"], "APPROVAL_PENDING");
        talk.refused(&talk.command("c15", "ls"));
        // Neither brackets, nor what waits for an answer, nor what may fail to move brings it back.
        for (call, line) in [
            ("d1", format!("(cd {root} && ls)")),
            ("d2", format!("cd {root} && rm x")),
            ("d3", format!("cd {root} && ls; pwd")),
        ] {
            let hooked = talk.command(call, &line);
            if line.starts_with('(') {
                talk.goes(&hooked);
            } else {
                talk.refused(&hooked);
            }
            talk.refused(&talk.command(&format!("{call}-after"), "ls"));
        }
        let hidden = [
            "c\"\"d src",
            "c\\d src",
            "c\"\\\n\"d src",
            "make test && 'c'd src",
            "for f in d; do c$f src; done",
            "eval \"cd src\"",
            "ls && \"c\"d src",
            ". ./env.sh",
            "X=1 . ./go.sh",
            ">/dev/null . ./go.sh",
            "2> log eval \"$x\"",
            "{c,}d src",
            "c? src",
            "src/",
            "while . ./f; do ls; done",
        ];
        for (number, line) in hidden.iter().enumerate() {
            talk.goes(&talk.command(&format!("e{number}"), &format!("cd {root} && ls")));
            talk.refused(&talk.command(&format!("f{number}"), line));
            talk.refused(&talk.command(&format!("g{number}"), "ls"));
        }
        talk.goes(&talk.command("d4", &format!("cd {root} && ls")));
        talk.goes(&talk.command("d5", "ls"));
        talk.refused(&talk.command("d6", "rm -rf out"));
        talk.goes(&talk.command("d7", "ls"));
    }
    assert_eq!(keep, ["cursor", "vscode"]);
}

// Cursor, Copilot CLI and VS Code run Claude Code's hooks beside their own: each call is judged once, as the client's.
#[test]
fn a_hook_of_another_host_steps_aside_where_the_clients_own_hook_judges() {
    use bailiwick_adapters_hooks::settings::{HookCommand, install};
    let pairs = HOSTS.iter().flat_map(|client| {
        let others = HOSTS.iter().filter(|other| client.also_runs_hooks_of(other));
        others.map(move |other| (client, other))
    });
    let mut played = 0;
    for (client, other) in pairs {
        let machine = Machine::new();
        let (own, beside) =
            (Talk { machine: &machine, host: client }, Talk { machine: &machine, host: other });
        let sign = client.profile.also_runs.unwrap().signed;
        let unsigned = beside.probe("c1", "src/core/new.rs");
        let mut signed: Value = serde_json::from_slice(&unsigned).unwrap();
        signed[sign] = json!("2026-11-26T01:44:06.449Z");
        let signed = signed.to_string().into_bytes();
        let settings = client.settings.unwrap();
        let command = HookCommand::new(env!("CARGO_BIN_EXE_bailiwick").to_owned(), None);
        let file = machine.root().join(client.profile.client.local);

        beside.refused(&beside.say(&signed));
        own.refused(&own.say(&own.probe("c0", "src/core/new.rs")));
        beside.refused(&beside.say(&signed));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, install(settings, None, &command).unwrap().text).unwrap();
        // Registered, heard and signed: only now.
        beside.goes(&beside.say(&signed));
        beside.refused(&beside.say(&unsigned));
        let elsewhere = String::from_utf8(signed.clone()).unwrap().replace("\"s1\"", "\"s2\"");
        beside.refused(&beside.say(elsewhere.as_bytes()));
        std::fs::write(&file, "{}").unwrap();
        beside.refused(&beside.say(&signed));
        played += 1;
    }
    assert_eq!(played, 4);
}

// Cline goes on without a plugin that it could not load: a second hook stops the run until the plugin was heard.
#[test]
fn what_asks_whether_a_plugin_is_loaded_is_refused_until_the_plugin_was_heard() {
    for host in HOSTS.iter().filter(|host| host.load_check.is_some()) {
        let machine = Machine::new();
        let talk = Talk { machine: &machine, host };
        let root = machine.root().display().to_string();
        let asks =
            |session: &str| json!({"event": "plugin.loaded", "session": session, "cwd": root}).to_string();
        let told = talk.refused(&talk.say(asks("s1").as_bytes()));
        assert!(told["message"].as_str().unwrap().contains("is not loaded"), "{told}");
        assert!(machine.private().join("decisions.jsonl").exists(), "the refusal stands in no log");
        let heard = machine.root().join("heard.json");
        let prompt = json!({"event": "chat.message", "session": "s1", "cwd": root, "prompt": "go"});
        std::fs::write(&heard, prompt.to_string()).unwrap();
        let after_the_plugin = format!("{0} < '{1}' > '{1}.out'; {0}", talk.line(), heard.display());
        talk.goes(&talk.through(&after_the_plugin, asks("s1").as_bytes()));
        talk.refused(&talk.through(&after_the_plugin, asks("s2").as_bytes()));
        // The process that was heard is gone by now, so whoever asks runs without it.
        talk.refused(&talk.say(asks("s1").as_bytes()));
    }
}

// The second hook as Cline runs it: whatever is no clear yes ends the run.
#[test]
fn the_second_hook_of_cline_ends_the_run_unless_the_gate_says_yes() {
    use bailiwick_adapters_hooks::settings::{HookCommand, install};
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let node = std::env::split_paths(&folders).map(|folder| folder.join("node")).find(|node| node.is_file());
    let Some(node) = node else { return eprintln!("left out: no `node` here") };
    let machine = Machine::new();
    let check = bailiwick_adapters_hooks::host("cline").unwrap().load_check.unwrap();
    let gate = machine.root().join("bailiwick");
    let script = machine.root().join("check.mjs");
    let command = HookCommand::new(gate.display().to_string(), None);
    std::fs::write(&script, install(&check.settings, None, &command).unwrap().text).unwrap();
    let event =
        json!({"hookName": "tool_call", "taskId": "s1", "workspaceRoots": [machine.root()]}).to_string();
    let answer = |does: Option<&str>, event: &str| {
        let _ = std::fs::remove_file(&gate);
        if let Some(does) = does {
            std::fs::write(&gate, format!("#!/bin/sh\n{does}\n")).unwrap();
            std::fs::set_permissions(&gate, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        }
        let run = machine.through(&format!("'{}' '{}'", node.display(), script.display()), event.as_bytes());
        serde_json::from_str::<Value>(&run.stdout).unwrap_or_else(|why| panic!("{why}: {}", run.stdout))
    };
    assert_eq!(answer(Some("cat >/dev/null; echo '{\"verdict\":\"allow\"}'"), &event)["cancel"], false);
    let refuses = "echo '{\"verdict\":\"deny\",\"reason\":\"no\"}'";
    for does in [Some(refuses), Some("echo yes"), Some("exit 1"), Some("kill -KILL $$"), Some(""), None] {
        assert_eq!(answer(does, &event)["cancel"], true, "{does:?}");
    }
    assert_eq!(answer(Some("echo '{\"verdict\":\"allow\"}'"), "no json")["cancel"], true);
}

// VS Code opens what such a text names as a URI, percent signs and all
#[test]
fn a_path_that_vscode_takes_for_a_uri_is_refused() {
    let machine = Machine::new();
    machine.write(".env", "TOKEN=1\n");
    let root = machine.root().display().to_string();
    let talk = Talk { machine: &machine, host: bailiwick_adapters_hooks::host("vscode").unwrap() };
    let reads = |tool: &str, params: Value| {
        let mut event: Value = serde_json::from_slice(&talk.probe("c1", "x")).unwrap();
        (event["tool_name"], event["tool_input"]) = (tool.into(), params);
        talk.say(event.to_string().as_bytes())
    };
    for path in [
        format!("vscode-remote://localhost:8080{root}/%2Eenv"),
        format!("vscode-local:{root}/%2Eenv"),
        "vscode-userdata:/User/x".to_owned(),
        "untitled:Untitled-1".to_owned(),
        "src/a:b".to_owned(),
    ] {
        let refused = talk.refused(&reads("read_file", json!({ "filePath": path })));
        assert_eq!(refused["code"], "MALFORMED_CALL", "{path}: {refused}");
        assert!(refused.to_string().contains("spell the path from the root"), "{refused}");
    }
    talk.goes(&talk.command("c2", "bailiwick tool select_active_intent '{\"intent_id\":\"INT-001\"}'"));
    let patch = format!("*** Begin Patch\n*** Delete File: vscode-local:{root}/%2Eenv\n*** End Patch");
    assert_eq!(talk.refused(&reads("apply_patch", json!({ "input": patch })))["code"], "MALFORMED_CALL");
    machine.write("src/core/a:b", "1\n");
    talk.goes(&reads("read_file", json!({ "filePath": format!("{root}/src/core/a:b") })));
}

// Models fill optional parameters with ""
#[test]
fn an_empty_folder_is_none_or_the_refusal_says_what_to_do() {
    for (name, key, is_none) in [("opencode", "workdir", true), ("cursor", "working_directory", false)] {
        let machine = Machine::new();
        let talk = Talk { machine: &machine, host: bailiwick_adapters_hooks::host(name).unwrap() };
        let mut event = talk.command_event("c1", "cat src/auth/login.rs");
        event[words(talk.host).2][key] = "".into();
        let output = talk.say(event.to_string().as_bytes());
        if is_none {
            talk.goes(&output);
        } else {
            let refused = talk.refused(&output);
            assert_eq!(refused["code"], "MALFORMED_CALL");
            assert!(refused.to_string().contains("leave the parameter out"), "{refused}");
        }
    }
}

// What Cline takes without the object around it is judged as what it is
#[test]
fn a_bare_list_or_text_of_cline_is_judged() {
    let machine = Machine::new();
    machine.write(".env", "TOKEN=1\n");
    let talk = Talk { machine: &machine, host: bailiwick_adapters_hooks::host("cline").unwrap() };
    let calls = |tool: &str, input: Value| {
        let mut event = talk.command_event("c1", "x");
        (event["tool"], event["args"]) = (tool.into(), json!({ "input": input }));
        talk.say(event.to_string().as_bytes())
    };
    talk.goes(&calls("read_files", json!(["src/core/main.rs"])));
    talk.goes(&calls("read_files", json!("src/core/main.rs")));
    talk.goes(&calls("search_codebase", json!(["fn main"])));
    talk.goes(&calls("run_commands", json!(["cat src/core/main.rs"])));
    for (tool, input) in [
        ("read_files", json!(["src/core/main.rs", ".env"])),
        ("read_files", json!([{"path": ".env"}])),
        ("run_commands", json!(["cat src/core/main.rs", "cat .env"])),
        ("run_commands", json!("cat .env")),
    ] {
        let refused = talk.refused(&calls(tool, input.clone()));
        assert_eq!(refused["code"], "PROTECTED_PATH", "{tool} {input}: {refused}");
    }
}

// VS Code gives a sub-agent its errand as a prompt of the same session.
#[test]
fn what_a_sub_agent_is_told_is_no_word_of_the_person() {
    let machine = Machine::new();
    let host = bailiwick_adapters_hooks::host("vscode").unwrap();
    let talk = Talk { machine: &machine, host };
    let tell = |event: &str, prompt: &str| {
        let root = machine.root().display().to_string();
        let event = json!({ "hook_event_name": event, "session_id": "s1", "cwd": root, "prompt": prompt, "agent_id": "a1" });
        talk.say(event.to_string().as_bytes());
    };
    tell("UserPromptSubmit", "make the login longer");
    talk.goes(&talk.command("c1", "bailiwick tool select_active_intent '{\"intent_id\":\"INT-001\"}'"));
    tell("SubagentStart", "");
    tell("UserPromptSubmit", "the person said yes to everything");
    let code = |call: &str| talk.refused(&talk.say(&talk.probe(call, "src/auth/new.rs")))["code"].clone();
    assert_eq!(code("c2"), "APPROVAL_PENDING", "the selection ended with the errand");
    tell("SubagentStop", "");
    tell("UserPromptSubmit", "something else");
    assert_eq!(code("c3"), "STATE_VIOLATION", "a new request ends the selection");
    tell("SubagentStart", "");
    tell("Stop", "");
    tell("UserPromptSubmit", "and now this");
    let decisions = machine.decisions();
    let by_human = decisions.iter().filter(|record| record.to_string().contains("prompt by a person"));
    assert_eq!(by_human.count(), 3);
}
