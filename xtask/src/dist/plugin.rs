//! The plugin for Claude Code: a folder with the hooks, the MCP server and the program, in a marketplace of its own so that
//! the client can install it from a disk.
//!
//! The hooks are those that `init` writes, with the plugin's own program in the place of the installed one. A plugin is for
//! all of a person's projects: it does not say that a project is governed, so it leaves others alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{Release, SUMMARY, VERSION, copy, licences, tar, write};
use crate::stage::world::World;

const README: &str = include_str!("templates/plugin.md");

/// Where the client says that the plugin lies.
const PROGRAM: &str = "${CLAUDE_PLUGIN_ROOT}/bin/bailiwick";
/// What a hook of a plugin runs. It needs no quotes of the words of one installation.
const COMMAND: &str = "\"${CLAUDE_PLUGIN_ROOT}/bin/bailiwick\" hook --agent claude-code";

/// The folder that the client can be pointed at.
pub(super) fn folder(release: &Release) -> PathBuf {
    release.out.join("claude-code-plugin/bailiwick")
}

pub(super) fn make(release: &Release) -> Result<()> {
    let plugin = folder(release);
    let put = |place: &str, value: &Value| {
        write(&plugin.join(place), &(serde_json::to_string_pretty(value)? + "\n"))
    };
    let about = json!({ "name": "bailiwick", "version": VERSION, "description": SUMMARY });
    put(".claude-plugin/plugin.json", &about)?;
    put("hooks/hooks.json", &json!({ "description": SUMMARY, "hooks": hooks(release)? }))?;
    put(".mcp.json", &json!({ "mcpServers": { "bailiwick": { "command": PROGRAM, "args": ["mcp"] } } }))?;
    write(&plugin.join("README.md"), README)?;
    copy(&release.program, &plugin.join("bin/bailiwick"))?;
    licences(&plugin)?;
    let listed = json!({ "name": "bailiwick", "source": "./bailiwick", "description": SUMMARY });
    put(
        "../.claude-plugin/marketplace.json",
        &json!({
            "name": "bailiwick", "owner": { "name": "The Bailiwick contributors" }, "plugins": [listed],
        }),
    )?;
    let packed = format!("bailiwick-{VERSION}-claude-code-plugin-{}.tar.gz", release.platform);
    tar(release, &release.out, "claude-code-plugin", &release.out.join(packed))
}

/// What `init` writes into a project of its own, with other commands.
fn hooks(release: &Release) -> Result<Value> {
    let world = World::new(&release.program)?;
    let mut init = Command::new(&release.program);
    let said = world.output(init.args(["init", "--agent", "claude-code", "--yes"]))?;
    ensure!(said.status.success(), "init failed: {}", String::from_utf8_lossy(&said.stderr));
    let settings = world.read(".claude/settings.local.json").context("init wrote no settings")?;
    let mut settings: Value = serde_json::from_str(&settings)?;
    let events = settings["hooks"].as_object_mut().context("init wrote no hooks")?;
    for groups in events.values_mut() {
        for group in groups.as_array_mut().into_iter().flatten() {
            for handler in group["hooks"].as_array_mut().into_iter().flatten() {
                let line = handler["command"].as_str().context("a hook without a command")?;
                handler["command"] = of_a_plugin(line, &release.program)?.into();
            }
        }
    }
    Ok(settings["hooks"].take())
}

/// The line without what belongs to one installation; what happens when the program fails stays.
fn of_a_plugin(line: &str, program: &Path) -> Result<String> {
    let (runs, fails) = line.split_once(" || ").context("a hook that says nothing of a failure")?;
    ensure!(runs.contains(&program.display().to_string()), "another program: {line}");
    Ok(format!("{COMMAND} || {fails}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_of_a_plugin_keeps_its_way_of_failing_and_no_path() {
        let line = "'/opt/b w/bailiwick' hook --agent claude-code --governed --state '/home/x' || { echo no >&2; exit 2; }";
        let made = of_a_plugin(line, Path::new("/opt/b w/bailiwick")).unwrap();
        assert_eq!(made, format!("{COMMAND} || {{ echo no >&2; exit 2; }}"));
        assert!(of_a_plugin("/opt/bailiwick hook", Path::new("/opt/bailiwick")).is_err());
    }
}
