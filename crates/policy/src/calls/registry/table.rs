//! The one classification table, as data. No logic lives here.

use bailiwick_domain::Classification::{self, Destructive, Safe};
use bailiwick_domain::Effect::{self, Delegate, Delete, Execute, Interact, Read, Write};
use bailiwick_domain::OwnTool;

use super::{Extractor, Row};

const fn row(
    name: &'static str,
    aliases: &'static [&'static str],
    class: Classification,
    effect: Effect,
    extractor: Extractor,
) -> Row {
    Row { name, aliases, class, effect, extractor, own: false }
}

const fn own(tool: OwnTool) -> Row {
    Row {
        name: tool.as_str(),
        aliases: tool.remote_names(),
        class: Safe,
        effect: Interact,
        extractor: Extractor::Nothing,
        own: true,
    }
}

/// Every tool that the gate knows: canonical name, aliases, class, effect, and how its targets are found.
#[rustfmt::skip]
pub static COMMAND_CLASSIFICATION: &[Row] = &[
    own(OwnTool::SelectActiveIntent),
    own(OwnTool::ListIntents),
    own(OwnTool::CurrentIntent),
    own(OwnTool::ProposeIntent),
    own(OwnTool::RequestScopeExpansion),
    own(OwnTool::ReportDone),

    row("read_file", &["Read", "ReadFile", "read", "view", "fs_read", "pre_read_code", "read_files", "read_many_files",
        "view_image", "NotebookRead"],
        Safe, Read, Extractor::ReadFile),
    row("list_files", &["read_directory", "list_dir", "list_directory", "list", "LS", "list_code_definition_names"],
        Safe, Read, Extractor::ReadTree),
    row("search_files", &["grep", "Grep", "rg", "grep_search", "codebase_search", "search_codebase", "search"],
        Safe, Read, Extractor::ReadTree),
    row("glob", &["Glob", "file_search"], Safe, Read, Extractor::ReadGlob),
    row("lsp", &["LSP"], Safe, Read, Extractor::ReadTree),
    row("read_command_output", &["BashOutput", "TaskOutput", "get_terminal_output"], Safe, Read, Extractor::Nothing),
    row("web_fetch", &["WebFetch", "fetch_webpage", "fetch_web_content", "webfetch"], Safe, Read, Extractor::Nothing),
    row("web_search", &["WebSearch", "google_web_search", "websearch"], Safe, Read, Extractor::Nothing),
    row("access_mcp_resource", &["ListMcpResourcesTool", "ReadMcpResourceTool", "load_mcp_documentation"],
        Safe, Read, Extractor::Nothing),
    row("search_tools", &["ToolSearch"], Safe, Read, Extractor::Nothing),

    row("attempt_completion", &["submit_and_exit"], Safe, Interact, Extractor::Nothing),
    row("ask_followup_question", &["AskUserQuestion", "ask_user", "ask_question", "request_user_input"], Safe, Interact, Extractor::Nothing),
    row("update_todo_list", &["TodoWrite", "todowrite", "TodoRead", "todoread", "write_todos", "update_todo",
        "update_plan", "get_goal", "create_goal", "update_goal", "focus_chain", "update_topic", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "CronList",
        "ListAgents"], Safe, Interact, Extractor::Nothing),
    row("switch_mode", &["EnterPlanMode", "ExitPlanMode", "enter_plan_mode", "exit_plan_mode", "plan_mode_respond",
        "act_mode_respond"], Safe, Interact, Extractor::Nothing),
    // Where only instructions are loaded. Claude Code's `Skill` also runs the `!` lines of a skill, with no hook.
    row("skill", &["skills", "use_skill", "activate_skill"], Safe, Interact, Extractor::Nothing),
    row("run_slash_command", &["Skill", "SlashCommand"], Destructive, Execute, Extractor::Unknown),
    row("condense", &["summarize_task", "report_bug", "generate_explanation"], Safe, Interact, Extractor::Nothing),
    // What a host calls in the place of a call that it cannot make: the agent is told why.
    row("report_invalid_call", &[], Safe, Interact, Extractor::Nothing),

    row("write_to_file", &["write_file", "Write", "write", "create", "Create", "create_file", "new_rule"],
        Destructive, Write, Extractor::Write),
    row("edit_file", &["edit", "Edit", "MultiEdit", "replace", "StrReplace", "search_replace", "search_and_replace",
        "str_replace", "replace_string_in_file", "pre_write_code", "editFiles"], Destructive, Write, Extractor::Edit),
    row("multi_replace_string_in_file", &[], Destructive, Write, Extractor::MultiFileEdit),
    row("insert_content", &["insert_edit_into_file"], Destructive, Write, Extractor::Insert),
    row("str_replace_editor", &["editor", "fs_write", "str_replace_based_edit_tool"],
        Destructive, Write, Extractor::Editor),
    row("apply_diff", &["replace_in_file"], Destructive, Write, Extractor::Blocks),
    row("apply_patch", &["ApplyPatch", "patch"], Destructive, Write, Extractor::Patch),
    row("edit_notebook", &["NotebookEdit", "edit_notebook_file"], Destructive, Write, Extractor::Notebook),
    row("generate_image", &[], Destructive, Write, Extractor::Image),
    row("delete_file", &["Delete"], Destructive, Delete, Extractor::Delete),
    row("move_file", &["rename_file"], Destructive, Delete, Extractor::Move),

    row("execute_command", &["run_command", "run_commands", "Bash", "bash", "PowerShell", "powershell", "Shell", "shell",
        "Monitor", "Execute", "exec", "execute_bash", "run_shell_command", "run_in_terminal", "pre_run_command"],
        Destructive, Execute, Extractor::Command),
    row("write_stdin", &[], Destructive, Execute, Extractor::Unknown),
    row("stop_task", &["TaskStop", "KillShell", "KillBash"], Destructive, Execute, Extractor::Unknown),
    row("change_worktree", &["EnterWorktree", "ExitWorktree"], Destructive, Execute, Extractor::Unknown),
    row("browser_action", &[], Destructive, Execute, Extractor::Unknown),
    row("use_mcp_tool", &["pre_mcp_tool_use"], Destructive, Execute, Extractor::Unknown),
    row("publish_artifact", &["Artifact"], Destructive, Write, Extractor::Unknown),

    row("new_task", &["Agent", "Task", "task", "spawn_agent", "runSubagent", "use_subagents"],
        Destructive, Delegate, Extractor::Unknown),
    row("schedule", &["Workflow", "SendMessage", "RemoteTrigger", "CronCreate", "CronDelete", "ScheduleWakeup"],
        Destructive, Delegate, Extractor::Unknown),
];
