//! Every parameter counts: the table of what each of them does (A8).

use std::collections::BTreeMap;

use bailiwick_domain::{Classification, Effect, ErrorCode, State, Value, json};
use bailiwick_policy::registry::{
    Extractor, classify, entries, extras, in_call, is_classed, lists_parameters,
};
use bailiwick_policy::{Facts, IntentFact, decide};

use crate::support::{asked, blocked, call, read, write};

fn unknown(tool: &str, params: &Value) -> Vec<String> {
    let entry = classify(tool, &BTreeMap::new());
    assert!(entry.known, "{tool}");
    extras(&entry.canonical, params.as_object().unwrap()).unknown
}

fn altering(tool: &str, params: &Value) -> Vec<String> {
    let entry = classify(tool, &BTreeMap::new());
    let found = extras(&entry.canonical, params.as_object().unwrap());
    assert!(found.unknown.is_empty(), "{tool} {params}: {found:?}");
    found.altering.into_iter().map(|(name, _)| name).collect()
}

// A8
#[test]
fn every_tool_whose_targets_can_be_told_lists_its_parameters() {
    for row in entries().filter(|row| !row.own && row.extractor != Extractor::Unknown) {
        assert!(lists_parameters(row.name), "{}", row.name);
    }
    assert!(lists_parameters("new_task"));
    assert!(!lists_parameters("mcp__x__y"));
}

// A8: each call of the captures of six hosts
#[test]
fn what_was_captured_holds_no_unknown_parameter() {
    let captures = include_str!("../data/captures.jsonl");
    for line in captures.lines() {
        let call: Value = line.parse().unwrap();
        let tool = call["tool"].as_str().unwrap();
        assert!(unknown(tool, &call["params"]).is_empty(), "{line}");
        assert!(altering(tool, &call["params"]).is_empty(), "{line}");
    }
    assert!(captures.lines().count() >= 24);
}

// A8: what six hosts were seen or are documented to send
#[test]
fn what_the_hosts_send_is_known_and_alters_nothing() {
    for (tool, params) in [
        // Claude Code
        ("Read", json!({"file_path": "/r/a", "offset": 1, "limit": 5, "pages": "1-2"})),
        ("Glob", json!({"pattern": "**/*.rs", "path": "/r"})),
        (
            "Grep",
            json!({"pattern": "x", "path": "/r", "glob": "*.rs", "type": "rust", "output_mode": "content", "-A": 1,
            "-B": 1, "-C": 1, "-n": true, "-i": true, "-o": true, "context": 2, "head_limit": 5, "offset": 1,
            "multiline": false}),
        ),
        ("LSP", json!({"operation": "hover", "filePath": "/r/a", "line": 1, "character": 2})),
        ("WebFetch", json!({"url": "https://a.example/", "prompt": "x"})),
        ("WebSearch", json!({"query": "x", "allowed_domains": ["a"], "blocked_domains": []})),
        ("TaskOutput", json!({"task_id": "1", "block": true, "timeout": 5})),
        ("ToolSearch", json!({"query": "select:x", "max_results": 1})),
        ("AskUserQuestion", json!({"questions": [{"question": "?", "options": []}], "answers": {}})),
        ("TaskCreate", json!({"subject": "s", "description": "d", "activeForm": "a"})),
        ("TodoWrite", json!({"todos": [{"content": "c", "status": "pending"}]})),
        ("ExitPlanMode", json!({"plan": "p", "planFilePath": "/h/p.md"})),
        ("Write", json!({"file_path": "/r/a", "content": "x"})),
        ("Edit", json!({"file_path": "/r/a", "old_string": "1", "new_string": "2", "replace_all": false})),
        ("MultiEdit", json!({"file_path": "/r/a", "edits": [{"old_string": "1", "new_string": "2"}]})),
        (
            "NotebookEdit",
            json!({"notebook_path": "/r/n.ipynb", "cell_id": "0", "new_source": "x", "cell_type": "code",
            "edit_mode": "insert"}),
        ),
        ("Bash", json!({"command": "ls", "description": "d", "timeout": 5, "run_in_background": true})),
        (
            "Agent",
            json!({"prompt": "p", "description": "d", "subagent_type": "Explore", "model": "opus",
            "isolation": "worktree", "run_in_background": true}),
        ),
        // Codex
        ("apply_patch", json!({"command": "*** Begin Patch"})),
        // Cline
        ("read_files", json!({"files": [{"path": "/r/a", "start_line": 1, "end_line": 2}]})),
        ("read_files", json!({"files": "[{\"path\":\"/r/a\"}]"})),
        ("editor", json!({"path": "/r/a", "new_text": "x", "old_text": "y", "insert_line": 1})),
        ("run_commands", json!({"commands": ["ls", {"command": "ls", "args": ["-l"]}]})),
        ("execute_command", json!({"command": "ls", "requires_approval": false, "timeout": "5"})),
        ("attempt_completion", json!({"result": "done", "task_progress": "- [x] a"})),
        ("search_files", json!({"path": ".", "regex": "x", "file_pattern": "*.rs"})),
        // Copilot, OpenCode, Cursor, Kiro, Windsurf
        ("view", json!({"path": "/r/a", "view_range": [1, 2]})),
        ("create", json!({"path": "/r/a", "file_text": "x"})),
        ("read", json!({"filePath": "/r/a"})),
        ("write", json!({"filePath": "/r/a", "content": "x"})),
        ("bash", json!({"command": "ls", "description": "x"})),
        ("Shell", json!({"command": "ls", "working_directory": "/r"})),
        ("StrReplace", json!({"path": "/r/a", "old_string": "1", "new_string": "2"})),
        ("fs_write", json!({"command": "create", "path": "/r/a", "file_text": "x", "summary": "s"})),
        ("pre_run_command", json!({"command_line": "make", "cwd": "/r"})),
        // OpenCode
        ("report_invalid_call", json!({"tool": "x", "error": "y"})),
        ("apply_patch", json!({"patchText": "*** Begin Patch"})),
        ("bash", json!({"command": "ls", "workdir": "/r", "timeout": 5})),
        ("task", json!({"description": "x", "prompt": "x", "subagent_type": "general", "task_id": "t"})),
        ("edit_file", json!({"filePath": "/r/a", "edits": [{"oldString": "1", "newString": "2"}]})),
        // Qwen Code
        (
            "run_shell_command",
            json!({"command": "ls", "directory": "/r", "timeout": 5, "is_background": false}),
        ),
        ("write_file", json!({"file_path": "/r/a", "content": "x", "record_as_artifact": true})),
        ("grep_search", json!({"pattern": "x", "glob": "*.rs", "path": "/r", "limit": 3})),
        ("read_file", json!({"file_path": "/r/a", "offset": null, "limit": null, "pages": null})),
        // Gemini
        (
            "run_shell_command",
            json!({"command": "ls", "description": "x", "dir_path": "/r", "is_background": false}),
        ),
        (
            "replace",
            json!({"file_path": "/r/a", "instruction": "i", "old_string": "1", "new_string": "2",
            "allow_multiple": false}),
        ),
        ("read_many_files", json!({"include": ["a", "b"], "exclude": [], "recursive": true})),
        // Kimi Code
        (
            "Read",
            json!({"path": "/r/a", "line_offset": 1, "n_lines": 5, "column_offset": 0, "max_chars": 900}),
        ),
        ("Grep", json!({"pattern": "x", "path": "/r", "include_ignored": false})),
        ("Glob", json!({"pattern": "*.rs", "path": "/r", "include_ignored": true})),
        // Antigravity
        ("read_file", json!({"path": "/r/a", "StartLine": 1, "EndLine": 5})),
        ("TaskList", json!({"active_only": true, "limit": 5})),
        ("WebSearch", json!({"query": "x", "limit": 5, "include_content": true})),
        ("run_command", json!({"command": "ls", "SafeToAutoRun": true, "WaitMsBeforeAsync": 500})),
        ("grep_search", json!({"SearchPath": "/r", "query": "x", "IsRegex": true, "MatchPerLine": true})),
        ("glob", json!({"path": "/r", "pattern": "*.rs", "MaxDepth": 3, "Type": "file"})),
        // Droid
        ("Execute", json!({"command": "ls", "riskLevel": "low", "riskLevelReason": "it reads"})),
        // Cursor
        ("Shell", json!({"command": "ls", "block_until_ms": 0})),
        // Copilot CLI
        ("bash", json!({"command": "ls", "sessionId": "main", "shellId": "0"})),
        // Kiro
        ("update_todo_list", json!({"thought": "x"})),
        ("update_todo_list", json!({"operation": "create", "tasks": [{"task_description": "x"}]})),
        // VS Code
        ("update_todo_list", json!({"operation": "write", "todoList": []})),
        ("lsp", json!({"filePaths": ["/r/a", "/r/b"], "ranges": []})),
        ("grep_search", json!({"query": "x", "isRegexp": true, "includeIgnoredFiles": false})),
        (
            "multi_replace_string_in_file",
            json!({"explanation": "", "replacements": [{"filePath": "a",
            "oldString": "1", "newString": "2", "explanation": "e"}]}),
        ),
        // What hosts ask a person, tell and look up of themselves
        (
            "ask_followup_question",
            json!({"PathsToReview": ["/r/plan.md"], "BlockedOnUser": true, "Message": "?"}),
        ),
        ("ask_followup_question", json!({"questionnaire": "1. ?"})),
        ("update_todo_list", json!({"intent": "Exploring"})),
        (
            "update_todo_list",
            json!({"TaskName": "x", "Mode": "PLANNING", "TaskStatus": "y", "TaskSummary": "z"}),
        ),
        ("switch_mode", json!({"target_mode_id": "plan", "explanation": "x"})),
        ("switch_mode", json!({"name": "x", "overview": "y", "plan": "z", "todos": []})),
        ("switch_mode", json!({"plan": "z", "title": "x", "optionNames": ["a"]})),
        ("lsp", json!({"paths": ["/r/a"]})),
        ("lsp", json!({"symbol": "f", "filePath": "/r/a", "lineContent": "f(1); // a/b"})),
        ("lsp", json!({"symbolName": "f", "filePaths": ["/r/a"]})),
        ("lsp", json!({"path": "/r/a", "ItemOffset": 1})),
        ("lsp", json!({"path": "/r/a", "NodePaths": ["A.b"]})),
        ("codebase_search", json!({"query": "how?", "target_directories": ["/r"], "num_results": 5})),
        ("search_files", json!({"path": "/r", "sourceControlState": ["staged", "unstaged"]})),
        ("read_command_output", json!({"shellId": "0", "delay": 5})),
        ("read_command_output", json!({"agent_id": "a", "wait": true, "timeout": 5, "since_turn": 1})),
        (
            "read_command_output",
            json!({"CommandId": "c", "OutputCharacterCount": 5, "WaitDurationSeconds": 1}),
        ),
        ("read_command_output", json!({"document_id": "https://a.example/", "position": 1})),
        ("read_command_output", json!({"task_id": "1", "block_until_ms": 5, "pattern": "done"})),
        ("access_mcp_resource", json!({"server": "x"})),
        ("search_tools", json!({"query": "reference/commands.md"})),
        ("attempt_completion", json!({"summary": "done"})),
        ("attempt_completion", json!({"report": {"answer": "x", "sources": ["a/b.md"]}})),
        ("NotebookRead", json!({"notebook_path": "/r/n.ipynb", "cell_id": "a1"})),
        ("Execute", json!({"command": "ls", "riskLevel": {"value": "low", "reason": "It only lists."}})),
        // Roo Code, and the neutral wire
        (
            "read_file",
            json!({"path": "a", "mode": "slice", "offset": 1, "limit": 2, "indentation": {"anchor_line": 1}}),
        ),
        ("list_files", json!({"path": ".", "recursive": true})),
        ("ask_followup_question", json!({"question": "?", "follow_up": [{"text": "a", "mode": "code"}]})),
        (
            "edit_file",
            json!({"path": "a", "old_string": "1", "new_string": "2", "expected_replacements": 1,
            "mutation_class": "AST_REFACTOR"}),
        ),
        ("write_to_file", json!({"path": "a", "content": "x", "line_count": 3})),
        ("move_file", json!({"from": "a", "to": "b"})),
    ] {
        assert_eq!(altering(tool, &params), Vec::<String>::new(), "{tool} {params}");
    }
}

// A8
#[test]
fn parameters_that_change_what_a_call_does_are_known_as_such() {
    let path = |more: Value| {
        let mut params = json!({"path": "src/a", "content": "x"});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };
    for usual in
        [json!({"mode": "overwrite"}), json!({"append": false, "encoding": "UTF-8"}), json!({"mode": null})]
    {
        assert_eq!(altering("write_to_file", &path(usual)), Vec::<String>::new());
    }
    for (more, name) in [
        (json!({"mode": "append"}), "mode"),
        (json!({"append": true}), "append"),
        (json!({"encoding": "base64"}), "encoding"),
        (json!({"executable": true}), "executable"),
    ] {
        assert_eq!(altering("Write", &path(more)), [name]);
    }
    for (more, name) in [
        (json!({"command": "git diff", "env": {"GIT_EXTERNAL_DIFF": "x"}}), "env"),
        (json!({"command": "ls", "shell": "/tmp/sh"}), "shell"),
        (json!({"command": "ls", "script": "rm -rf ."}), "script"),
        (json!({"commands": [{"command": "ls", "env": {"A": "b"}}]}), "commands.env"),
    ] {
        assert_eq!(altering("execute_command", &more), [name]);
    }
    assert_eq!(
        altering("Edit", &json!({"file_path": "a", "edits": [{"use_regex": true}]})),
        ["edits.use_regex"]
    );
    assert_eq!(altering("Agent", &json!({"prompt": "p", "mode": "bypassPermissions"})), ["mode"]);
    assert_eq!(altering("web_fetch", &json!({"url": "https://a.example", "method": "POST"})), ["method"]);
}

// A8: secrets are among the files that version control and the host leave out
#[test]
fn what_opens_ignored_files_to_a_reader_alters_the_call() {
    let holding = json!({"include": ["a"], "useDefaultExcludes": true, "respect_git_ignore": null,
        "file_filtering_options": {"respect_git_ignore": true, "respect_gemini_ignore": "true"}});
    assert_eq!(altering("read_many_files", &holding), Vec::<String>::new());
    for (more, name) in [
        (json!({"useDefaultExcludes": false}), "useDefaultExcludes"),
        (json!({"useDefaultExcludes": ""}), "useDefaultExcludes"),
        (json!({"useDefaultExcludes": 0}), "useDefaultExcludes"),
        (json!({"useDefaultExcludes": []}), "useDefaultExcludes"),
        (json!({"useDefaultExcludes": {}}), "useDefaultExcludes"),
        (json!({"respect_git_ignore": "false"}), "respect_git_ignore"),
        (
            json!({"file_filtering_options": {"respect_git_ignore": false}}),
            "file_filtering_options.respect_git_ignore",
        ),
        (
            json!({"file_filtering_options": "{\"respect_gemini_ignore\":false}"}),
            "file_filtering_options.respect_gemini_ignore",
        ),
        (json!({"file_filtering_options": "respect_git_ignore=false"}), "file_filtering_options"),
        (json!({"file_filtering_options": [{"respect_git_ignore": true}]}), "file_filtering_options"),
    ] {
        assert_eq!(altering("read_many_files", &more), [name], "{more}");
    }
    for (name, more) in [
        ("include_ignored", json!({"pattern": "x", "include_ignored": true})),
        ("include_ignored", json!({"pattern": "x", "include_ignored": "true"})),
        ("includeIgnoredFiles", json!({"query": "x", "includeIgnoredFiles": true})),
        ("no_ignore", json!({"pattern": "x", "no_ignore": true})),
    ] {
        assert_eq!(altering("grep_search", &more), [name], "{more}");
    }
    for text in ["false", ""] {
        assert!(altering("grep_search", &json!({"pattern": "x", "include_ignored": text})).is_empty());
    }
}

// A8: a language server renames, runs and changes, too
#[test]
fn only_what_is_known_to_ask_a_language_server_asks_it() {
    for operation in ["goToDefinition", "hover", "incomingCalls", "workspaceDiagnostics"] {
        assert!(altering("LSP", &json!({"operation": operation, "filePath": "a"})).is_empty(), "{operation}");
    }
    for operation in ["rename", "executeCommand", "applyCodeAction", "HOVER"] {
        assert_eq!(altering("LSP", &json!({"operation": operation, "filePath": "a"})), ["operation"]);
    }
    assert_eq!(altering("LSP", &json!({"operation": ["hover"], "filePath": "a"})), ["operation"]);
    assert!(altering("read_file", &json!({"path": "a", "mode": "indentation"})).is_empty());
    assert_eq!(altering("read_file", &json!({"path": "a", "mode": "r+"})), ["mode"]);
}

// A8, D-36
#[test]
fn a_fetch_that_sends_something_or_carries_rights_is_more_than_a_fetch() {
    let plain = json!({"url": "https://a.example/", "headers": {"Accept": "text/html", "user-agent": "x"},
        "method": "GET", "body": null, "data": "", "json": [], "form": {}, "timeout": 5, "format": "markdown"});
    assert_eq!(altering("web_fetch", &plain), Vec::<String>::new());
    assert!(extras("web_fetch", plain.as_object().unwrap()).is_empty());
    for (name, more) in [
        ("body", json!({"body": "x"})),
        ("data", json!({"data": {"a": 1}})),
        ("json", json!({"json": [1]})),
        ("form", json!({"form": "a=b"})),
        ("headers", json!({"headers": "X-HTTP-Method-Override: DELETE"})),
        ("headers", json!({"headers": [["Authorization", "x"]]})),
        ("requests.body", json!({"requests": [{"url": "https://a.example/", "body": "x"}]})),
    ] {
        assert_eq!(altering("web_fetch", &more), [name], "{more}");
    }
    for header in ["X-HTTP-Method-Override", "Authorization", "Cookie", "Metadata-Flavor"] {
        let name = format!("headers.{header}");
        assert_eq!(unknown("web_fetch", &json!({"headers": {header: "x"}})), [name.as_str()]);
        let name = format!("requests.{header}");
        let asked = json!({"requests": [{"url": "https://a.example/", "headers": {header: "x"}}]});
        assert_eq!(unknown("web_fetch", &asked), [name.replace("requests", "headers")]);
    }
}

// A8: what a host makes of such a value, nobody knows
#[test]
fn a_parameter_that_changes_nothing_takes_numbers_words_and_switches_alone() {
    for (tool, usual) in [
        ("Read", json!({"file_path": "a", "offset": "1", "pages": "1-3, 7", "limit": 2.5})),
        ("Read", json!({"file_path": "a", "view_range": "[1,-1]", "lineRange": {"start": 1, "end": null}})),
        ("Grep", json!({"pattern": "a/b; c", "output_mode": "files_with_matches", "-A": "1", "-i": true})),
        ("Bash", json!({"command": "ls", "timeout": "5", "run_in_background": "true", "mode": "async"})),
        ("lsp", json!({"filePaths": ["a"], "ranges": [[0, 1, 2, 3]]})),
        ("TaskOutput", json!({"task_id": "toolu_01.a:b", "block": false})),
    ] {
        assert_eq!(altering(tool, &usual), Vec::<String>::new(), "{tool} {usual}");
    }
    for (tool, odd, name) in [
        ("Bash", json!({"command": "ls", "run_in_background": "touch x"}), "run_in_background"),
        ("Bash", json!({"command": "ls", "timeout": "1; touch x"}), "timeout"),
        ("Bash", json!({"command": "ls", "timeout": "$(x)"}), "timeout"),
        ("run_commands", json!({"commands": [{"command": "ls", "timeout": "1 x"}]}), "commands.timeout"),
        ("Read", json!({"file_path": "a", "offset": {"path": ".env"}}), "offset"),
        ("Read", json!({"file_path": "a", "pages": "../.env"}), "pages"),
        ("Read", json!({"file_path": "a", "limit": [[".env"]]}), "limit"),
        ("Read", json!({"file_path": "a", "limit": "[\".env\"]"}), "limit"),
        ("Read", json!({"file_path": "a", "limit": "[1"}), "limit"),
        ("Read", json!({"file_path": "a", "encoding": "x".repeat(101)}), "encoding"),
        ("Grep", json!({"pattern": "x", "-A": "1 .env"}), "-A"),
    ] {
        assert_eq!(altering(tool, &odd), [name], "{tool} {odd}");
    }
    let params = json!({"path": "src/a.rs", "offset": "../x"});
    let reason = blocked(&with_parameters("read_file", &params, read("src/a.rs"))).reason().to_owned();
    assert!(reason.contains("`offset` has a value of another kind than it takes."), "{reason}");
}

// A8
#[test]
fn what_is_not_in_the_table_is_unknown_wherever_it_stands() {
    assert_eq!(unknown("Read", &json!({"file_path": "a", "turbo": 1})), ["turbo"]);
    assert_eq!(unknown("list_files", &json!({"path": ".", "shell": "x"})), ["shell"]);
    assert_eq!(unknown("list_files", &json!({"path": ".", "script": "x"})), ["script"]);
    assert_eq!(unknown("read_files", &json!({"files": [{"path": "a", "run": "x"}]})), ["files.run"]);
    assert_eq!(
        unknown("search_files", &json!({"paths": [{"path": "a", "glob": ".env", "image_paths": ["b"]}]})),
        ["paths.glob", "paths.image_paths"]
    );
    assert_eq!(unknown("Write", &json!({"path": "a", "content": "x", "Content": "y"})), ["Content"]);
    assert_eq!(unknown("Read", &json!({"file_path": "a", "turbo": null})), Vec::<String>::new());
    let long = format!("x\u{1b}{}", "y".repeat(200));
    let told = unknown("Read", &json!({"file_path": "a", long.as_str(): 1}));
    assert!(told[0].len() < 90 && !told[0].contains('\u{1b}'), "{told:?}");
    for (length, more) in [(60, ""), (61, "…")] {
        let told = unknown("Read", &json!({"file_path": "a", "y".repeat(length): 1}));
        assert_eq!(told, [format!("{}{more}", "y".repeat(60))]);
    }
}

fn with_parameters(tool: &str, params: &Value, facts: Facts) -> Facts {
    let extras = extras(&facts.tool.canonical, params.as_object().unwrap());
    assert!(!extras.is_empty(), "{tool}");
    Facts { tool: facts.tool.clone().beyond_its_targets(), extras, ..facts }
}

// A8: a safe call with an unknown parameter needs an intent and a yes, and is told why
#[test]
fn a_safe_call_with_an_unknown_parameter_is_not_safe() {
    let params = json!({"path": "src/a.rs", "turbo": true});
    let early = with_parameters("read_file", &params, read("src/a.rs"));
    assert_eq!(early.tool.class, Classification::Destructive);
    let error = blocked(&early);
    assert_eq!(error.code(), ErrorCode::StateViolation);
    assert!(error.reason().contains("`turbo`"), "{}", error.reason());
    assert!(error.to_json().contains("\"parameters\":[\"turbo\"]"));
    let facts = Facts { state: State::Action, intent: write("src/a.rs").intent, ..early };
    assert!(asked(&facts).reason.contains("It carries `turbo`, which the gate does not know"));
}

// A8
#[test]
fn the_question_of_a_destructive_call_names_what_its_targets_do_not_tell() {
    let params = json!({"path": "src/a.rs", "content": "x", "mode": "append", "turbo": 1});
    let reason = asked(&with_parameters("write_to_file", &params, write("src/a.rs"))).reason;
    assert!(reason.contains("`mode` changes how the call does its work."), "{reason}");
    assert!(reason.contains("`turbo`"), "{reason}");
}

// A8
#[test]
fn ending_a_task_with_a_command_runs_it() {
    let plain = classify("attempt_completion", &BTreeMap::new());
    let runs = |params: Value| in_call(plain.clone(), params.as_object().unwrap());
    for params in [
        json!({"result": "done", "cmd": "rm -rf src"}),
        json!({"result": "done", "cmd": ["rm", "-rf", "src"]}),
        json!({"result": "done", "command_line": "rm -rf src"}),
        json!({"result": "done", "CommandLine": "rm -rf src", "command": null}),
    ] {
        let tool = runs(params.clone());
        let known = (tool.class, tool.effect, tool.extractor);
        assert_eq!(known, (Classification::Destructive, Effect::Execute, Extractor::Command), "{params}");
    }
    let tool = runs(json!({"result": "done", "command": "open index.html"}));
    assert_eq!((tool.class, tool.extractor), (Classification::Destructive, Extractor::Command));
    for quiet in [json!({"result": "done"}), json!({"command": ""}), json!({"command": null})] {
        assert_eq!(in_call(plain.clone(), quiet.as_object().unwrap()), plain);
    }
    let facts = Facts {
        tool,
        intent: IntentFact::None,
        state: State::Reasoning,
        ..call("attempt_completion", Vec::new())
    };
    assert_eq!(blocked(&facts).code(), ErrorCode::StateViolation);
    let quiet = Facts { tool: plain, ..facts };
    assert_eq!(decide(&quiet), bailiwick_policy::Verdict::Allow);
}

#[test]
fn a_tool_that_a_person_classed_is_known_by_each_of_its_names() {
    let overrides = BTreeMap::from([
        ("Read".to_owned(), Classification::Safe),
        ("mcp__x__y".to_owned(), Classification::Safe),
    ]);
    for name in ["Read", "read_file", "view", "mcp__x__y"] {
        assert!(is_classed(name, &overrides), "{name}");
    }
    for name in ["Grep", "mcp__x__z", "list_intents"] {
        assert!(!is_classed(name, &overrides), "{name}");
    }
}
