//! The parameters of every tool whose targets can be told, by its canonical name, as data. No logic lives here.
//!
//! Names of every known host stand together: what a parameter does is the same wherever a tool is called so. A host's own
//! noise is taken away before (`noise` of the host).

use super::Meaning::{
    Address, Command, Content, Edit, Elsewhere, Environment, Folder, Interpreter, Mode, Names, Path,
};
use super::{Parameter, acts, alters, inert, keys, list, members, plain};

/// What every tool may carry: words for people, and what links a call to an intent.
pub(super) const COMMON: &[Parameter] = &[
    inert(&[
        "description",
        "explanation",
        "task_progress",
        "reason",
        "instruction",
        "instructions",
        "summary",
        "intent_id",
        "toolSummary",
        "toolAction",
    ]),
    plain(&["mutation_class", "requires_approval", "wait_for_previous", "waitForPreviousTools"]),
];

const PATH: Parameter = acts(keys::PATH, Path);
const PATHS: Parameter = list(keys::PATHS, Path, &[PATH, LINES, inert(&["description", "reason"])]);
const LINES: Parameter = plain(&[
    "offset",
    "limit",
    "pages",
    "view_range",
    "viewRange",
    "range",
    "start_line",
    "end_line",
    "startLine",
    "endLine",
    "line_range",
    "line_ranges",
    "lineRange",
    "lineRanges",
    "start_line_one_indexed",
    "should_read_entire_file",
    "end_line_one_indexed",
    "end_line_one_indexed_inclusive",
    "forceReadLargeFiles",
    "max_lines",
    "max_bytes",
    // Kimi Code's `Read` and `ReadMediaFile`
    "line_offset",
    "n_lines",
    "column_offset",
    "max_chars",
    // Antigravity's `view_file`
    "StartLine",
    "EndLine",
]);
const OLD: Parameter = acts(keys::OLD, Edit);
const NEW: Parameter = acts(keys::NEW, Content);
const ALL: Parameter = acts(keys::ALL, Edit);
const EXPECTED: Parameter = acts(keys::EXPECTED, Edit);
/// Where in the file a quoted text counts, or how it is compared: the gate compares whole texts of whole files.
const LOOSE: Parameter = alters(
    &[
        "use_regex",
        "regex",
        "ignore_case",
        "case_insensitive",
        "start_line",
        "end_line",
        "occurrence",
        "dry_run",
    ],
    Mode,
    &[],
);
const PAIR: &[Parameter] = &[PATH, OLD, NEW, ALL, EXPECTED, LOOSE, inert(&["explanation", "description"])];

/// What keeps hidden and ignored files, and what a host leaves out by itself, away from a reader: secrets are among them.
const HOLDS_BACK: Parameter = alters(
    // Gemini CLI's `read_many_files`
    &["respect_git_ignore", "respect_gemini_ignore", "useDefaultExcludes"],
    Mode,
    &["true"],
);
const OPENS: Parameter = alters(
    &[
        "include_ignored",     // Kimi Code's `Grep`
        "includeIgnoredFiles", // VS Code's `grep_search`
        "no_ignore",           // Gemini CLI's `grep_search` by ripgrep
    ],
    Mode,
    &["false"],
);
/// What is looked for, and in which files it is not.
#[rustfmt::skip]
const SOUGHT: Parameter = inert(&[
    "pattern", "regex", "query", "queries", "exclude", "exclude_pattern", "excludePattern", "exclude_glob",
]);
#[rustfmt::skip]
const SEARCH: Parameter = plain(&[
    "output_mode", "-A", "-B", "-C", "-n", "-i", "-o", "context", "before",
    "after", "head_limit", "offset", "limit", "multiline", "case_sensitive", "case_insensitive", "caseSensitive",
    "isRegexp", "isRegex", "maxResults", "max_results", "names_only", "max_matches_per_file", "total_max_matches",
    "fixed_strings",
    "num_results", // Cursor's `SemanticSearch`
    "sourceControlState", // VS Code's `get_changed_files`
    "IsRegex", "CaseInsensitive", "MatchPerLine", // Antigravity's `grep_search`
    "context_before", "context_after", "line_numbers", // Droid's `Grep`
]);
/// What a language server is asked; it can also be told to rename, to run and to change.
#[rustfmt::skip]
const ASKS: Parameter = alters(&["operation"], Mode, &[
    // Claude Code's `LSP`, OpenCode's `lsp`
    "goToDefinition", "findReferences", "hover", "documentSymbol", "workspaceSymbol", "goToImplementation",
    "prepareCallHierarchy", "incomingCalls", "outgoingCalls",
    // Qwen Code's `lsp`
    "diagnostics", "workspaceDiagnostics", "codeActions",
]);

pub(super) static TABLE: &[(&str, &[Parameter])] = &[
    (
        "read_file",
        &[
            PATH,
            PATHS,
            LINES,
            HOLDS_BACK,
            members(&["file_filtering_options"], &[HOLDS_BACK]),
            // Roo Code's `read_file` and Kiro's `fs_read`
            alters(&["mode"], Mode, &["slice", "indentation", "Line"]),
            // the last is Claude Code's `NotebookRead`
            plain(&["indentation", "encoding", "recursive", "detail", "cell_id"]),
            inert(&["exclude", "pattern"]),
        ],
    ),
    (
        "list_files",
        &[
            PATH,
            PATHS,
            // Names of ignored files show nothing of what is in them.
            plain(&[
                "recursive",
                "depth",
                "max_depth",
                "offset",
                "limit",
                "respect_git_ignore",
                "file_filtering_options",
            ]),
            // the last is Droid's `LS`
            inert(&["ignore", "exclude", "ignorePatterns"]),
        ],
    ),
    ("search_files", &[PATH, PATHS, OPENS, HOLDS_BACK, SOUGHT, SEARCH, acts(keys::FILE_NAMES, Names)]),
    (
        "glob",
        &[
            PATH,
            PATHS,
            acts(keys::GLOB, Names),
            plain(&[
                "case_sensitive",
                "respect_git_ignore",
                "respect_gemini_ignore",
                "limit",
                "offset",
                "head_limit",
                "maxResults",
                "max_results",
                "sort",
                // Kimi Code's `Glob`
                "include_ignored",
                // Antigravity's `find_by_name`
                "Extensions",
                "FullPath",
                "MaxDepth",
                "Type",
            ]),
            // the last two are Antigravity's `find_by_name` and Droid's `Glob`
            inert(&["exclude", "ignoreGlobs", "Excludes", "excludePatterns"]),
        ],
    ),
    (
        "lsp",
        &[
            PATH,
            PATHS,
            ASKS,
            // the last are VS Code's usages of a name and Antigravity's `view_code_item`
            inert(&["query", "symbol", "symbolName", "lineContent", "NodePaths"]),
            // the last are VS Code's `get_errors` and Antigravity's `view_file_outline`
            plain(&["line", "character", "includeDeclaration", "ranges", "ItemOffset"]),
        ],
    ),
    (
        "read_command_output",
        &[
            inert(&[
                "filter",
                "search",
                "sessionId",   // Copilot CLI's `read_bash`
                "pattern",     // Cursor's `Await`
                "document_id", // Antigravity's `view_content_chunk`
            ]),
            plain(&[
                // Copilot CLI's `read_bash`, `list_agents` and `read_agent`
                "delay",
                "include_completed",
                "scope",
                "agent_id",
                "wait",
                "since_turn",
                // Cursor's `Await`
                "block_until_ms",
                // Antigravity's `command_status` and `view_content_chunk`
                "CommandId",
                "OutputCharacterCount",
                "OutputPriority",
                "WaitDurationSeconds",
                "position",
                "task_id",
                "bash_id",
                "shell_id",
                "shellId",
                "artifact_id",
                "id",
                "offset",
                "limit",
                "block",
                "timeout",
                "wait_up_to",
            ]),
        ],
    ),
    (
        "web_fetch",
        &[
            acts(&["url", "urls", "prompt", "query", "params"], Address),
            list(&["requests"], Address, &[acts(&["url", "prompt"], Address), METHOD, SENT, HEADERS]),
            METHOD,
            SENT,
            HEADERS,
            plain(&["format", "timeout", "max_length", "maxLength", "start_index", "raw"]),
        ],
    ),
    (
        "web_search",
        &[
            acts(&["query", "queries"], Address),
            inert(&["allowed_domains", "blocked_domains", "search_term", "domain"]),
            plain(&[
                "numResults",
                "num_results",
                "max_results",
                "livecrawl",
                "type",
                "contextMaxCharacters",
                // Kimi Code's `WebSearch`
                "limit",
                "include_content",
            ]),
        ],
    ),
    (
        "access_mcp_resource",
        &[acts(&["server", "server_name", "serverName", "uri"], Address), inert(&["cursor"])],
    ),
    ("search_tools", &[inert(&["query"]), plain(&["max_results"])]),
    ("attempt_completion", &[acts(keys::COMMAND, Command), inert(&["result", "report", "verified"])]),
    (
        "ask_followup_question",
        &[inert(&[
            "question",
            "questions",
            "answers",
            "follow_up",
            "options",
            "choices",
            "metadata",
            "annotations",
            "allow_freeform",
            "allowFreeform",
            "header",
            "type",
            "title",
            // Droid's `AskUser`
            "questionnaire",
            // Antigravity's `notify_user`
            "Message",
            "PathsToReview",
            "BlockedOnUser",
            "ShouldAutoProceed",
            "ConfidenceScore",
            "ConfidenceJustification",
        ])],
    ),
    (
        "update_todo_list",
        &[inert(&[
            "todos",
            "todo",
            "items",
            "merge",
            "plan",
            "title",
            "strategic_intent",
            "objective",
            "token_budget",
            "subject",
            "activeForm",
            "metadata",
            "taskId",
            "task_id",
            "id",
            "status",
            "owner",
            "addBlocks",
            "addBlockedBy",
            "filter",
            // VS Code's `manage_todo_list`
            "todoList",
            "operation",
            // Kimi Code's `TaskList`
            "active_only",
            "limit",
            // Copilot CLI's `report_intent`
            "intent",
            // Antigravity's `task_boundary`
            "TaskName",
            "TaskStatus",
            "TaskSummary",
            "Mode",
            "PredictedTaskSize",
            // Kiro's `thinking` and `todo_list`
            "thought",
            "tasks",
            "todo_list_description",
            "completed_indices",
            "context_update",
            "modified_files",
            "current_id",
            "new_tasks",
            "insert_indices",
            "new_description",
            "remove_indices",
        ])],
    ),
    (
        "switch_mode",
        &[
            inert(&[
                "mode",
                "mode_slug",
                "plan",
                "planFilePath",
                "plan_path",
                "plan_filename",
                "allowedPrompts",
                "response",
                "options",
                "needs_more_exploration",
                "todos",
                "remoteSessionId",
                "remoteSessionUrl",
                "remoteSessionTitle",
                // Cursor's `SwitchMode` and `CreatePlan`
                "target_mode_id",
                "name",
                "overview",
                // Droid's `ExitSpecMode`
                "title",
                "optionNames",
            ]),
            alters(&["pushToRemote"], Elsewhere, &[]),
        ],
    ),
    ("skill", &[inert(&["skill", "skill_name", "name", "args", "arguments"])]),
    (
        "condense",
        &[inert(&[
            "context",
            "message",
            "title",
            "what_happened",
            "steps_to_reproduce",
            "api_request_output",
            "additional_context",
            "from_ref",
            "to_ref",
        ])],
    ),
    ("report_invalid_call", &[inert(&["tool", "error"])]),
    (
        "write_to_file",
        &[
            PATH,
            acts(keys::CONTENT, Content),
            alters(&["mode"], Mode, &["overwrite", "write", "w", "create", "rewrite", "replace"]),
            alters(&["encoding"], Mode, &["utf-8", "utf8", "UTF-8", "UTF8"]),
            alters(&["append", "executable", "permissions", "chmod", "follow_symlinks"], Mode, &[]),
            plain(&[
                "record_as_artifact",
                "line_count",
                "overwrite",
                "create_dirs",
                "createDirectories",
                "create_directories",
            ]),
        ],
    ),
    (
        "edit_file",
        &[
            PATH,
            OLD,
            NEW,
            ALL,
            EXPECTED,
            LOOSE,
            acts(&["code_edit"], Content),
            list(&["edits"], Edit, PAIR),
            alters(&["encoding"], Mode, &["utf-8", "utf8", "UTF-8", "UTF8"]),
        ],
    ),
    ("multi_replace_string_in_file", &[list(&["replacements"], Edit, PAIR)]),
    (
        "insert_content",
        &[
            PATH,
            acts(
                &["content", "code", "text", "line", "line_number", "insert_line", "position", "operations"],
                Content,
            ),
        ],
    ),
    (
        "str_replace_editor",
        &[
            PATH,
            OLD,
            NEW,
            ALL,
            EXPECTED,
            LINES,
            acts(keys::CONTENT, Content),
            acts(&["command", "insert_line", "insert_text"], Edit),
            alters(&["encoding"], Mode, &["utf-8", "utf8", "UTF-8", "UTF8"]),
        ],
    ),
    ("apply_diff", &[PATH, acts(&["diff"], Edit)]),
    ("apply_patch", &[PATH, acts(keys::PATCH, Edit)]),
    (
        "edit_notebook",
        &[
            PATH,
            OLD,
            NEW,
            acts(
                &[
                    "new_source",
                    "cell_id",
                    "cell_type",
                    "edit_mode",
                    "cell_number",
                    "cell_index",
                    "cell_idx",
                    "is_new_cell",
                    "cell_language",
                    "cellId",
                    "newCode",
                    "editType",
                    "language",
                ],
                Edit,
            ),
        ],
    ),
    ("generate_image", &[PATH, PATHS, acts(&["image"], Path), acts(&["prompt"], Address)]),
    ("delete_file", &[PATH, PATHS, alters(&["recursive", "force"], Mode, &[])]),
    (
        "move_file",
        &[acts(keys::FROM, Path), acts(keys::TO, Path), alters(&["overwrite", "force"], Mode, &[])],
    ),
    (
        "execute_command",
        &[
            acts(keys::COMMAND, Command),
            list(
                keys::COMMANDS,
                Command,
                &[
                    acts(keys::COMMAND, Command),
                    acts(&["args"], Command),
                    RUN_BY,
                    SURROUNDED,
                    plain(&["timeout"]),
                    inert(&["description"]),
                ],
            ),
            acts(keys::CWD, Folder),
            acts(&["args"], Command),
            RUN_BY,
            SURROUNDED,
            // What is not so here is told beside the command, see `beside_command`.
            plain(&[
                "timeout",
                "timeout_ms",
                "timeoutMs",
                "yield_time_ms",
                "max_output_tokens",
                "run_in_background",
                "is_background",
                "isBackground",
                "background",
                "dangerouslyDisableSandbox",
                "persistent",
                "mode",
                "initial_wait",
                "tty",
                // Antigravity's `run_command`
                "SafeToAutoRun",
                "WaitMsBeforeAsync",
                // Cursor's `Shell`
                "block_until_ms",
            ]),
            inert(&[
                "goal",
                "justification",
                // Droid's `Execute`: a word, or an object with its reason
                "riskLevel",
                "riskLevelReason",
                // Copilot CLI's `bash`: a shell that is named is kept, which is minded where the command is read.
                "sessionId",
                "shellId",
            ]),
        ],
    ),
    (
        "new_task",
        &[
            inert(&[
                "prompt",
                "message",
                "context",
                "task",
                "subagent_type",
                "agent_type",
                "agentType",
                "model",
                "todos",
                "name",
                "agentName",
            ]),
            plain(&["run_in_background", "resume", "max_turns", "task_id", "agent_id", "effort"]),
            alters(&["isolation"], Elsewhere, &["worktree"]),
            alters(&["mode"], Elsewhere, &["default", "plan", "acceptEdits", "auto", "dontAsk"]),
            alters(&["environment", "remote", "team_name", "cwd", "command"], Elsewhere, &[]),
        ],
    ),
];

const METHOD: Parameter = alters(&["method"], Mode, &["GET", "HEAD", "get", "head"]);
/// What is sent changes something there.
const SENT: Parameter = alters(&["body", "data", "json", "form"], Address, &[]);
/// Headers that say in which form an answer is wanted. Any other may carry rights or stand for another method.
#[rustfmt::skip]
const HEADERS: Parameter = members(&["headers"], &[inert(&[
    "Accept", "accept", "Accept-Language", "accept-language", "Accept-Encoding", "accept-encoding", "User-Agent",
    "user-agent",
])]);
const RUN_BY: Parameter = alters(
    &["shell", "script", "interpreter", "login", "stdin", "input", "user", "sudo", "elevated"],
    Interpreter,
    &[],
);
const SURROUNDED: Parameter =
    alters(&["env", "environment", "envs", "environment_variables"], Environment, &[]);
