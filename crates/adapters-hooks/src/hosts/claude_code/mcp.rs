//! Registering the MCP server for one person and one project: `projects["ROOT"].mcpServers.bailiwick` in
//! `~/.claude.json` (ADR 0008). The rest of that file is the host's and stays as it is.

use bailiwick_domain::{Value, json};
use jsonc_parser::cst::{CstObject, CstObjectProp};

use crate::settings::{
    InstallError, Installed, LAUNCHER_PATH, SettingsText, Uninstalled, input, member_object, without_mark,
};

/// The server's name; its tools are `mcp__bailiwick__…`.
const SERVER: &str = "bailiwick";

/// What the host starts as the MCP server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct McpCommand {
    /// The absolute path of the binary.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
}

impl McpCommand {
    fn entry(&self) -> Value {
        json!({"args": self.args, "command": self.command, "env": {}, "type": "stdio"})
    }
}

/// Registers the server for the project. An entry of that name that starts the gate is replaced where it stands; another
/// server of that name stays, and ours is not registered.
pub fn mcp_install(
    existing: Option<&str>,
    project_root: &str,
    command: &McpCommand,
) -> Result<Installed, InstallError> {
    let file = SettingsText::read(existing)?;
    let projects = member_object(file.object(), "projects", "projects")?;
    let project = member_object(&projects, project_root, "projects.<root>")?;
    let servers = member_object(&project, "mcpServers", "projects.<root>.mcpServers")?;
    if !servers.get(SERVER).is_some_and(|prop| is_foreign(&prop)) {
        register(&servers, &command.entry());
    }
    Ok(installed(existing, &file))
}

fn is_foreign(prop: &CstObjectProp) -> bool {
    !prop.to_serde_value().is_some_and(|entry| starts_the_gate(&entry))
}

/// Whether an entry starts the gate: by its program's name, or by the arguments that `init` gives it.
fn starts_the_gate(entry: &Value) -> bool {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let command = entry.get("command").and_then(text).unwrap_or_default();
    let name = command.rsplit(['/', '\\']).next().unwrap_or_default();
    let args = entry.get("args").and_then(Value::as_array).into_iter().flatten();
    let args: Vec<String> = args.filter_map(text).collect();
    let is_of_init = matches!(args.as_slice(), [root, _, mcp, state, _]
        if root == "--root" && mcp == "mcp" && state == "--state");
    is_of_init || (name.trim_end_matches(".exe") == SERVER && args.iter().any(|arg| arg == "mcp"))
}

/// Puts the entry where one of our name stands, or at the end.
fn register(servers: &CstObject, entry: &Value) {
    match servers.get(SERVER) {
        Some(prop) if prop.to_serde_value().as_ref() == Some(entry) => {}
        Some(prop) => prop.set_value(input(entry)),
        None => {
            servers.append(SERVER, input(entry));
        }
    }
}

fn installed(existing: Option<&str>, file: &SettingsText) -> Installed {
    let text = file.text();
    Installed { changed: existing != Some(text.as_str()), text }
}

/// Takes the server out for the project, and the objects that hold nothing else then. Another server of that name stays.
pub fn mcp_uninstall(existing: &str, project_root: &str) -> Result<Uninstalled, InstallError> {
    let unchanged = || Uninstalled { text: Some(existing.to_owned()), changed: false };
    let file = SettingsText::read(Some(existing))?;
    let Some(projects) = file.object().object_value("projects") else {
        return Ok(unchanged());
    };
    let Some(project) = projects.object_value(project_root) else {
        return Ok(unchanged());
    };
    let Some(servers) = project.object_value("mcpServers") else {
        return Ok(unchanged());
    };
    let Some(entry) = servers.get(SERVER).filter(|entry| !is_foreign(entry)) else {
        return Ok(unchanged());
    };
    entry.remove();
    let chain = [(&servers, &project, "mcpServers"), (&project, &projects, project_root)];
    for (emptied, parent, key) in chain {
        if emptied.properties().is_empty()
            && let Some(prop) = parent.get(key)
        {
            prop.remove();
        }
    }
    if projects.properties().is_empty()
        && let Some(prop) = file.object().get("projects")
    {
        prop.remove();
    }
    Ok(Uninstalled { text: Some(file.text()), changed: true })
}

/// What is registered under our name for the project; the proof that `mcp__bailiwick__…` is ours is that this is our
/// own command in no environment of its own. `None` when nothing is, or the file cannot be read.
///
/// The last of two equal keys counts, as the host reads it.
pub fn mcp_registered(text: &str, project_root: &str) -> Option<McpCommand> {
    let (_, text) = without_mark(text);
    let file: Value = serde_json::from_str(text).ok()?;
    let entry = file.get("projects")?.get(project_root)?.get("mcpServers")?.get(SERVER)?;
    if !is_plain(entry) {
        return None;
    }
    let local = matches!(entry.get("type").and_then(Value::as_str), None | Some("stdio"));
    let command = entry.get("command")?.as_str().filter(|_| local)?;
    let no_arguments = Vec::new();
    let args = entry.get("args").map_or(Some(&no_arguments), Value::as_array)?;
    let args = args.iter().map(|arg| arg.as_str().map(ToOwned::to_owned)).collect::<Option<Vec<String>>>()?;
    Some(McpCommand { command: command.to_owned(), args })
}

/// Whether something is registered under our name for the project, whatever it is: the host starts it in place of the
/// team's server. So does a file that cannot be read.
pub fn mcp_is_named(text: &str, project_root: &str) -> bool {
    named(text, project_root).is_none_or(|entry| entry.is_some())
}

/// Whether a server that does not start the gate is registered under our name for the project.
pub fn mcp_is_foreign(text: &str, project_root: &str) -> bool {
    named(text, project_root).flatten().is_some_and(|entry| !starts_the_gate(&entry))
}

/// What is registered under our name for the project; `None` where the file cannot be read.
fn named(text: &str, project_root: &str) -> Option<Option<Value>> {
    let (_, text) = without_mark(text);
    let file: Value = serde_json::from_str(text).ok()?;
    Some(file.get("projects").and_then(|all| all.get(project_root)?.get("mcpServers")?.get(SERVER).cloned()))
}

/// Whether an entry says no more than what is started: an environment may make the same command another program, and
/// what is not known here may do so too.
fn is_plain(entry: &Value) -> bool {
    let no_environment = match entry.get("env") {
        None | Some(Value::Null) => true,
        Some(env) => env.as_object().is_some_and(|env| env.is_empty()),
    };
    let is_known = |key: &String| ["type", "command", "args", "env", "timeout"].contains(&key.as_str());
    no_environment && entry.as_object().is_some_and(|entry| entry.keys().all(is_known))
}

/// The entry of a team: the same on every machine.
fn shared_entry() -> Value {
    let launcher = format!("${{CLAUDE_PROJECT_DIR:-.}}/{LAUNCHER_PATH}");
    json!({"args": [launcher, "mcp"], "command": "sh", "env": {}, "type": "stdio"})
}

/// Registers the server for a whole team in `.mcp.json`; an entry of that name is replaced where it stands.
pub fn shared_mcp_install(existing: Option<&str>) -> Result<Installed, InstallError> {
    let file = SettingsText::read(existing)?;
    let servers = member_object(file.object(), "mcpServers", "mcpServers")?;
    register(&servers, &shared_entry());
    Ok(installed(existing, &file))
}

/// Takes the team's server out of `.mcp.json`; a file that holds nothing else then can go. Another server of that name
/// stays.
pub fn shared_mcp_uninstall(existing: &str) -> Result<Uninstalled, InstallError> {
    let file = SettingsText::read(Some(existing))?;
    let servers = file.object().object_value("mcpServers");
    let entry = servers.as_ref().and_then(|servers| servers.get(SERVER));
    let entry = entry.filter(|entry| entry.to_serde_value() == Some(shared_entry()));
    let (Some(servers), Some(entry)) = (servers, entry) else {
        return Ok(Uninstalled { text: Some(existing.to_owned()), changed: false });
    };
    entry.remove();
    if servers.properties().is_empty()
        && let Some(prop) = file.object().get("mcpServers")
    {
        prop.remove();
    }
    let text = (!file.object().properties().is_empty()).then(|| file.text());
    Ok(Uninstalled { text, changed: true })
}

/// Whether `.mcp.json` says that the server is the team's. The last of two equal keys counts, as the host reads it.
pub fn shared_mcp_is_ours(text: &str) -> bool {
    let (_, text) = without_mark(text);
    let file: Option<Value> = serde_json::from_str(text).ok();
    file.is_some_and(|file| file.pointer("/mcpServers/bailiwick") == Some(&shared_entry()))
}
