//! Tools, versions and what is known of a host.

use std::path::Path;

use bailiwick_adapters_hooks::claude_code::{claude_version, enough_for_fail_closed, own_tool};
use bailiwick_adapters_hooks::{EventKind, HOSTS, host};
use bailiwick_domain::{AGENT_PROGRAMS, Value, json};

#[test]
fn only_exact_words_name_the_gates_own_tools() {
    // D-19
    assert_eq!(own_tool("mcp__bailiwick__select_active_intent"), Some("select_active_intent"));
    assert_eq!(own_tool("mcp__bailiwick__list_intents"), Some("list_intents"));
    for other in [
        "select_active_intent",
        "mcp__bailiwick__",
        "mcp__bailiwick__rm",
        "mcp__bailiwick__select_active_intent ",
        "mcp__bailiwick__select_active_intent__x",
        "mcp__bailiwick2__select_active_intent",
        "mcp__Bailiwick__select_active_intent",
        "mcp__plugin_x_bailiwick__select_active_intent",
        "xmcp__bailiwick__select_active_intent",
    ] {
        assert_eq!(own_tool(other), None, "{other}");
    }
}

// B: by host and version
#[test]
fn how_a_tool_writes_is_known_for_the_versions_that_were_measured() {
    let is_known =
        |name: &str, tool: &str, told: &str| !host(name).unwrap().edit_rules(tool, Some(told)).is_guess;
    for (name, tool, told) in [
        ("claude-code", "Edit", "claude-code_2-1-300_harness"),
        ("claude-code", "Write", "claude-code_2-1-331"),
        ("copilot", "create", "/home/dev/.cache/copilot/pkg/linux-x64/1.0.102"),
        ("copilot", "edit", "C:\\Users\\dev\\copilot\\pkg\\win32-x64\\1.0.102"),
        ("opencode", "edit", "1.18.33"),
        ("qwen", "edit", "0.24.4"),
    ] {
        assert!(is_known(name, tool, told), "{name} {tool} {told}");
        assert!(!is_known(name, "NotebookEdit", told), "{name}");
        assert!(host(name).unwrap().edit_rules(tool, None).is_guess, "{name}");
    }
    for (name, tool, told) in [
        ("claude-code", "Edit", "claude-code_2-1-299_harness"),
        ("claude-code", "Edit", "claude-code_2-1-333_harness"),
        ("claude-code", "Edit", "claude-code_2-1-330-1_harness"),
        ("claude-code", "Edit", "other_2-1-330_harness"),
        ("claude-code", "Edit", "2.1.330"),
        ("copilot", "edit", "/home/dev/.cache/copilot/pkg/linux-x64/1.0.103"),
        ("copilot", "edit", "/home/dev/.cache/copilot/pkg/1.0.102/linux-x64"),
        ("opencode", "edit", ""),
        ("qwen", "write_file", "0.24.4"),
        ("opencode", "apply_patch", "1.18.34"),
        ("vscode", "apply_patch", "1.2.3"),
        ("codex", "Bash", "0.169.0"),
    ] {
        assert!(!is_known(name, tool, told), "{name} {tool} {told}");
    }
    assert!(is_known("codex", "apply_patch", ""), "it does not tell its hooks its version");
    let measured = host("claude-code").unwrap().edits.unwrap();
    assert_eq!(measured.span(), "2.1.300 to 2.1.332");
    assert!(measured.versions.is_sorted());
}

#[test]
fn only_labels_and_time_limits_are_noise() {
    // D-17
    let check = |tool: &str, given: Value, expected: Value| {
        let judged = host("claude-code").unwrap().judged_params(tool, given.as_object().unwrap());
        assert_eq!(Value::Object(judged), expected, "{tool}");
    };
    let shell = json!({"command": "ls", "description": "d", "timeout": 5, "run_in_background": true});
    check("Bash", shell.clone(), json!({"command": "ls", "run_in_background": true}));
    check("mcp__x__y", shell.clone(), shell.clone());
    check("Write", shell.clone(), shell);
    check("Agent", json!({"prompt": "p", "description": "d"}), json!({"prompt": "p"}));
}

// D-17
#[test]
fn what_a_host_puts_beside_a_command_for_itself_is_noise() {
    for (name, tool, params) in [
        ("droid", "Execute", json!({"command": "ls", "riskLevel": "low", "riskLevelReason": "it reads"})),
        (
            "antigravity",
            "run_command",
            json!({"command": "ls", "SafeToAutoRun": true, "WaitMsBeforeAsync": 5}),
        ),
        ("cursor", "Shell", json!({"command": "ls", "description": "d", "block_until_ms": 0})),
    ] {
        let host = host(name).unwrap();
        let judged = host.judged_params(tool, params.as_object().unwrap());
        assert_eq!(Value::Object(judged), json!({"command": "ls"}), "{name}");
        let elsewhere = host.judged_params("write", params.as_object().unwrap());
        assert_eq!(Value::Object(elsewhere), params, "{name}");
    }
}

/// What a host's own tool is called in the table of tools, and its parameters there.
fn known_as(name: &str, tool: &str, params: &Value) -> (String, Value) {
    let session = if name == "cursor" { "conversation_id" } else { "session_id" };
    let fields = match name {
        "copilot" => json!({"sessionId": "s", "toolName": tool, "toolArgs": params}),
        "antigravity" => json!({"conversationId": "s", "toolCall": {"name": tool, "args": params}}),
        _ => json!({
            "hook_event_name": match name { "gemini" => "BeforeTool", "cursor" => "preToolUse", _ => "PreToolUse" },
            session: "s", "tool_name": tool, "tool_input": params, "tool_use_id": "t",
        }),
    };
    match (host(name).unwrap().parse)(fields.to_string().as_bytes()).unwrap().kind {
        EventKind::Pre { call, .. } => (call.tool, call.params.into()),
        other => panic!("{name} {tool}: {other:?}"),
    }
}

// Its plugin puts a list or a text below `input`; the client takes both
#[test]
fn cline_takes_a_bare_list_or_text_for_the_entries() {
    for (tool, args, known) in [
        ("run_commands", json!({"input": "ls"}), json!({"command": "ls"})),
        ("run_commands", json!({"input": ["ls"]}), json!({"command": "ls"})),
        ("run_commands", json!({"input": ["a", "b"]}), json!({"commands": ["a", "b"]})),
        ("run_commands", json!({"input": [{"command": "a"}]}), json!({"commands": [{"command": "a"}]})),
        ("read_files", json!({"input": "[\"a\"]"}), json!({"path": "[\"a\"]"})),
        ("read_files", json!({"input": ["a", {"path": "b"}]}), json!({"files": ["a", {"path": "b"}]})),
        ("search_codebase", json!({"input": "a"}), json!({"queries": "a"})),
        ("search_codebase", json!({"input": ["a"]}), json!({"queries": ["a"]})),
        ("read_files", json!({"input": [["a"]]}), json!({"input": [["a"]]})),
        ("read_files", json!({"input": "a", "path": "b"}), json!({"input": "a", "path": "b"})),
        ("apply_patch", json!({"input": "a"}), json!({"input": "a"})),
    ] {
        let event = json!({
            "event": "tool.execute.before", "session": "s", "cwd": "/repo", "call": "c", "tool": tool, "args": args,
        });
        let told = (host("cline").unwrap().parse)(event.to_string().as_bytes()).unwrap();
        let EventKind::Pre { call, .. } = told.kind else { panic!("{tool}") };
        assert_eq!(Value::from(call.params), known, "{tool} {args}");
    }
}

// K-15: an agent can ask its person before it has an intent, and look at what its host knows
#[test]
fn what_hosts_ask_tell_and_look_up_of_themselves_is_known() {
    let path = json!({"path": "a"});
    for (name, tool, params, usual, known) in [
        ("vscode", "vscode_askQuestions", json!({}), "ask_followup_question", json!({})),
        ("vscode", "get_changed_files", json!({"repositoryPath": "a"}), "search_files", path.clone()),
        ("vscode", "vscode_listCodeUsages", json!({"filePath": "a"}), "lsp", json!({"filePath": "a"})),
        ("vscode", "list_code_usages", json!({}), "lsp", json!({})),
        ("vscode", "terminal_last_command", json!({}), "read_command_output", json!({})),
        ("vscode", "copilot_getNotebookSummary", json!({"filePath": "a"}), "lsp", json!({"filePath": "a"})),
        ("droid", "FetchUrl", json!({"url": "x"}), "web_fetch", json!({"url": "x"})),
        ("droid", "AskUser", json!({}), "ask_followup_question", json!({})),
        ("droid", "ExitSpecMode", json!({}), "switch_mode", json!({})),
        (
            "antigravity",
            "notify_user",
            json!({"Message": "x"}),
            "ask_followup_question",
            json!({"Message": "x"}),
        ),
        ("antigravity", "task_boundary", json!({}), "update_todo_list", json!({})),
        ("antigravity", "command_status", json!({}), "read_command_output", json!({})),
        ("antigravity", "view_content_chunk", json!({}), "read_command_output", json!({})),
        ("antigravity", "view_file_outline", json!({"AbsolutePath": "a"}), "lsp", path.clone()),
        ("antigravity", "view_code_item", json!({"File": "a"}), "lsp", path.clone()),
        ("gemini", "search_file_content", path.clone(), "grep_search", path.clone()),
        ("gemini", "get_internal_docs", path.clone(), "search_tools", json!({"query": "a"})),
        ("gemini", "complete_task", json!({}), "attempt_completion", json!({})),
        ("copilot", "report_intent", json!({"intent": "x"}), "update_todo_list", json!({"intent": "x"})),
        ("copilot", "think", json!({}), "update_todo_list", json!({})),
        ("copilot", "read_bash", json!({}), "read_command_output", json!({})),
        ("copilot", "list_bash", json!({}), "read_command_output", json!({})),
        ("copilot", "list_agents", json!({}), "read_command_output", json!({})),
        ("copilot", "read_agent", json!({}), "read_command_output", json!({})),
        ("copilot", "task_complete", json!({}), "attempt_completion", json!({})),
        ("copilot", "fetch_copilot_cli_documentation", json!({}), "search_tools", json!({})),
        ("cursor", "AskQuestion", json!({}), "ask_followup_question", json!({})),
        ("cursor", "SwitchMode", json!({}), "switch_mode", json!({})),
        ("cursor", "CreatePlan", json!({}), "switch_mode", json!({})),
        ("cursor", "ReadLints", json!({"paths": ["a"]}), "lsp", json!({"paths": ["a"]})),
        ("cursor", "SemanticSearch", json!({}), "codebase_search", json!({})),
        ("cursor", "Await", json!({}), "read_command_output", json!({})),
        ("cursor", "ListMcpResources", json!({}), "access_mcp_resource", json!({})),
    ] {
        assert_eq!(known_as(name, tool, &params), (usual.to_owned(), known), "{name} {tool}");
    }
}

// threat D7: a tool of a server is none of the host's
#[test]
fn a_tool_of_a_server_is_not_taken_for_one_of_the_host() {
    for (name, tool) in [
        ("vscode", "mcp_x_vscode_askQuestions"),
        ("droid", "mcp__x__AskUser"),
        ("gemini", "mcp_x_complete_task"),
        ("copilot", "x-report_intent"),
        ("cursor", "MCP:AskQuestion"),
        ("claude-code", "AskUser"),
        ("kimi", "notify_user"),
        ("generic", "report_intent"),
    ] {
        assert_eq!(known_as(name, tool, &json!({})).0, tool, "{name}");
    }
}

#[test]
fn the_version_decides_whether_a_failing_hook_blocks() {
    let enough = |text: &str| claude_version(text).map(enough_for_fail_closed);
    assert_eq!(enough("2.1.330 (Claude Code)\n"), Some(true));
    assert_eq!(enough("2.1.295 (Claude Code)"), Some(true));
    assert_eq!(enough("2.1.294 (Claude Code)"), Some(false));
    assert_eq!(enough("2.0.999 (Claude Code)"), Some(false));
    assert_eq!(enough("3.0.0-beta.1 (Claude Code)"), Some(true));
    for text in [
        "",
        "2.1.330",
        "2.1 (Claude Code)",
        "2.1.3.4 (Claude Code)",
        "x.y.z (Claude Code)",
        "2.1.330 (Codex)",
    ] {
        assert_eq!(enough(text), None, "{text}");
    }
}

#[test]
fn every_host_has_a_name_of_its_own_and_says_what_it_lets_through() {
    for each in HOSTS {
        let found = host(each.profile.name).map(|found| found.profile.name);
        assert_eq!(found, Some(each.profile.name));
        assert!(!each.profile.lets_through.is_empty());
        assert!((each.render)("", &bailiwick_adapters_hooks::Reply::NoOpinion).stdout.is_empty());
    }
    assert!(host("nobody").is_none());
}

#[test]
fn what_commands_print_lies_in_a_folder_of_the_user_the_project_and_the_session() {
    // B: as 2.1.330 names it
    let prints = host("claude-code").unwrap().profile.prints;
    let end = prints(1000, Path::new("/repo/my.shop"), "2d62b63b-8e37-4ad0-870d-332ab13b709a").unwrap();
    assert_eq!(end, Path::new("claude-1000/-repo-my-shop/2d62b63b-8e37-4ad0-870d-332ab13b709a/tasks"));
    for session in ["", "..", ".", "a/b", "a\\b", "/", "s\0"] {
        assert_eq!(prints(1000, Path::new("/repo"), session), None, "{session:?}");
    }
}

#[test]
fn scratch_folders_lie_in_the_hosts_own_folder_and_hold_no_settings() {
    // D-05
    let profile = host("claude-code").unwrap().profile;
    let own = Path::new("/home/dev/.claude");
    let folders = (profile.own_scratch)(Path::new("/home/dev/.claude"), Path::new("/repo/my.shop"));
    assert!(folders.contains(&own.join("plans")));
    assert!(folders.contains(&own.join("projects/-repo-my-shop/memory")));
    for folder in folders {
        assert!(folder.starts_with(own) && folder != own);
        assert!(!own.join("settings.json").starts_with(&folder) && !own.join("hooks").starts_with(&folder));
    }
}

// D-20: a skill of Qwen Code may bring hooks, which run commands; Claude Code's class of the same thing
#[test]
fn a_skill_that_can_run_commands_is_no_instruction_only() {
    let called = |tool: &str| {
        let event = json!({"session_id": "s", "cwd": "/repo", "hook_event_name": "PreToolUse", "tool_name": tool,
            "tool_use_id": "c", "tool_input": {}});
        match (host("qwen").unwrap().parse)(event.to_string().as_bytes()).unwrap().kind {
            bailiwick_adapters_hooks::EventKind::Pre { call, .. } => call.tool,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(called("skill"), "run_slash_command");
    assert_eq!(called("exec"), "qwen:exec", "JavaScript, and no command");
    assert_eq!(called("read_mcp_resource"), "access_mcp_resource");
}

// Qwen Code runs a call whose hooks took 60 s, whatever they say later; D-28: and the last decision of all hooks counts
#[test]
fn what_qwen_code_is_told_comes_in_time_and_stays() {
    let qwen = host("qwen").unwrap();
    assert!(qwen.profile.timeout_s < 60);
    assert!(qwen.settings.unwrap().events.iter().all(|event| event.timeout_s < 60));
    let error = bailiwick_domain::ToolError::new(bailiwick_domain::ErrorCode::ScopeViolation, "no");
    let said = (qwen.render)("PreToolUse", &bailiwick_adapters_hooks::Reply::deny(error)).stdout;
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["continue"], false);
    assert_eq!(said["stopReason"], said["hookSpecificOutput"]["permissionDecisionReason"]);
}

#[test]
fn the_programs_of_every_host_are_known_as_agents() {
    let programs = HOSTS.iter().flat_map(|host| host.profile.client.programs);
    let unknown: Vec<_> = programs.filter(|program| !AGENT_PROGRAMS.contains(program)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn an_editor_knows_each_host_by_the_name_that_people_say() {
    let words = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters-vscode/extension/src/words.ts");
    let words = std::fs::read_to_string(words).unwrap();
    let (_, table) = words.split_once("const HOSTS").unwrap();
    let (table, _) = table.split_once("};").unwrap();
    let said: Vec<&str> =
        table.lines().filter_map(|row| row.trim().split_once(": '")).map(|row| row.0).collect();
    let hosts: Vec<&str> = HOSTS.iter().map(|host| host.profile.name).collect();
    let said: Vec<&str> = said.into_iter().map(|name| name.trim_matches('\'')).collect();
    assert_eq!(said, hosts);
}
