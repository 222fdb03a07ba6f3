//! Windsurf, which is now called Devin Desktop: the hooks of Cascade, by contract only: they were not run.
//!
//! Contract: the vendor's page on Cascade hooks. Each kind of tool has events of its own, which stand for the tool here; no
//! time limit can be set, and how long it waits is not documented.

use bailiwick_domain::{Params, Value, json};

use super::{Reads, host};
use crate::dialect::{Dialect, Means, read};
use crate::event::ParseError;
use crate::fields::{Fields, required};
use crate::host::{Client, Host, HostProfile};
use crate::settings::{HookSettings, Registered, Shape, Shell};

/// The host's name.
pub const NAME: &str = "windsurf";

/// A guess at how long it waits, in seconds: no answer may come later.
const TIMEOUT_S: u32 = 30;

const DIALECT: Dialect = Dialect {
    host: NAME,
    name,
    events: &[
        ("PreToolUse", Means::Before),
        ("PostToolUse", Means::After),
        ("UserPromptSubmit", Means::Prompt),
    ],
    session: "trajectory_id",
    ..Dialect::USUAL
};

/// What the table of tools calls the tool that changes a file.
const EDITS: &str = "edit_file";

/// The events of tools, and the tool that each stands for.
const TOOLS: [(&str, &str); 4] = [
    ("run_command", "run_command"),
    ("read_code", "read_file"),
    ("write_code", EDITS),
    ("mcp_tool_use", "use_mcp_tool"),
];

fn name(fields: &mut Fields) -> Result<String, ParseError> {
    let told = required(fields, "agent_action_name")?;
    let info = fields.remove("tool_info");
    if told == "pre_user_prompt" {
        let prompt = info.as_ref().and_then(|info| info.get("user_prompt")).cloned();
        fields.insert("prompt".to_owned(), prompt.unwrap_or_default());
        return Ok("UserPromptSubmit".to_owned());
    }
    let is_before = told.starts_with("pre_");
    let tool = told.strip_prefix(if is_before { "pre_" } else { "post_" }).unwrap_or(&told);
    let known = TOOLS.iter().find(|(name, _)| *name == tool).map(|(_, name)| *name);
    // An event before something that is not known stands for a tool that nobody knows.
    let tool = match known {
        Some(tool) => tool.to_owned(),
        None if is_before => format!("{NAME}:{tool}"),
        None => return Ok(told),
    };
    let Some(Value::Object(mut params)) = info else { return Err(ParseError::WrongType("tool_info")) };
    let cwd = params.remove("cwd");
    // The gate's own commands are known by this name.
    if let Some(command) = params.remove("command_line") {
        told_once(&mut params, Params::from_iter([("command".to_owned(), command)]))?;
    }
    let params = if tool == EDITS { whole(params)? } else { params };
    fields.insert("tool_name".to_owned(), tool.into());
    fields.insert("tool_input".to_owned(), Value::Object(params));
    fields.extend(cwd.map(|cwd| ("cwd".to_owned(), cwd)));
    Ok(if is_before { "PreToolUse" } else { "PostToolUse" }.to_owned())
}

/// An edit without an old text writes a new file.
fn whole(mut params: Params) -> Result<Params, ParseError> {
    let only = match params.get("edits").and_then(Value::as_array).map(Vec::as_slice) {
        Some([Value::Object(edit)]) => edit.clone(),
        _ => return Ok(params),
    };
    params.remove("edits");
    told_once(&mut params, only)?;
    Ok(params)
}

/// Adds parameters to others. What both have and what differs is told twice: which of the two counts, nobody knows.
fn told_once(params: &mut Params, more: Params) -> Result<(), ParseError> {
    for (key, value) in more {
        let other = params.insert(key, value.clone());
        if other.is_some_and(|other| other != value) {
            return Err(ParseError::WrongType("tool_info"));
        }
    }
    Ok(())
}

/// The host's row.
pub const HOST: Host = host(
    PROFILE,
    &SETTINGS,
    Reads {
        parse: |bytes| read(&DIALECT, bytes),
        probe: |probe| {
            let call = json!({
                "agent_action_name": "pre_write_code", "trajectory_id": probe.session, "execution_id": probe.call,
                "tool_info": {
                    "cwd": probe.root, "file_path": probe.file,
                    "edits": [{ "old_string": "", "new_string": probe.content }],
                },
            });
            call.to_string().into_bytes()
        },
    },
);

const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "it was not run with this gate: what is said here is its contract",
        "a hook that is too slow does not stop the call; how long Windsurf waits is not documented",
        "only commands, edits, reads and tools of servers have events: a search or a fetch meets no hook",
        "its events name neither the call nor a sub-agent, and only those of commands a folder",
        "nothing can be told to the model but a refusal",
        "a turn that ends is not held while something waits for approval",
    ],
    client: Client {
        programs: &["windsurf", "devin"],
        own_folder: ".codeium/windsurf",
        local: ".windsurf/hooks.json",
        user: "hooks.json",
        ..Client::UNKNOWN
    },
    hides_output: true,
    sends_prompt_events: true,
    // Only events of commands name a folder; Windsurf starts a workspace's hooks in it, through a shell.
    project_dir_variable: Some("PWD"),
    timeout_s: TIMEOUT_S,
    ..HostProfile::UNKNOWN
};

const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    shape: Shape::Entries,
    events: &[
        Registered::plain("pre_write_code", TIMEOUT_S, true),
        Registered::plain("pre_run_command", TIMEOUT_S, true),
        Registered::plain("pre_read_code", TIMEOUT_S, true),
        Registered::plain("pre_mcp_tool_use", TIMEOUT_S, true),
        Registered::plain("pre_user_prompt", TIMEOUT_S, true),
        Registered::plain("post_write_code", TIMEOUT_S, false),
        Registered::plain("post_run_command", TIMEOUT_S, false),
        Registered::plain("post_read_code", TIMEOUT_S, false),
        Registered::plain("post_mcp_tool_use", TIMEOUT_S, false),
    ],
    fixed: &[],
    limit: "",
    shell: Shell::ByStatus,
    ..HookSettings::USUAL
};
