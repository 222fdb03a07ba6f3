//! What `init` says: what it did or would do, and what to do next.

use bailiwick_adapters_fs::FsPolicySource;
use bailiwick_adapters_hooks::host;
use bailiwick_domain::{Health, PolicySource, Value, json};

use super::plan::{Plan, Summary};
use crate::command::output::terminal::{DIM, GOOD, HEADING};
use crate::command::{Context, judged};
use crate::inert;
use crate::site::Site;

/// The columns of a next command.
const COMMAND: usize = 42;

/// What `init` would do, with the diff of every file.
pub(super) fn dry_run(plan: &Plan, summary: &Summary, context: &Context) {
    let diffs = diffs(plan);
    if context.json {
        let mut value = value(summary);
        if let Some(object) = value.as_object_mut() {
            object.insert("dry_run".to_owned(), true.into());
            object.insert("diff".to_owned(), diffs.concat().into());
        }
        return context.terminal.json(&value);
    }
    for line in diffs.iter().flat_map(|diff| inert::lines(diff.trim_end())) {
        context.terminal.say(line);
    }
    if summary.is_empty() {
        context.terminal.styled(GOOD, "nothing to do: everything is there already");
    }
    context.terminal.say(format_args!("{DIM}dry run: nothing was written{DIM:#}"));
    foreign_servers(summary, context);
}

fn foreign_servers(summary: &Summary, context: &Context) {
    for file in &summary.foreign {
        context.terminal.warning(&format!(
            "{}: you have another MCP server called `bailiwick` for this project. It stays, and the gate's own is not \
             registered: agents use `bailiwick tool`. To have it, give yours another name and run `bailiwick init` again",
            inert::line(&file.display().to_string())
        ));
    }
}

fn diffs(plan: &Plan) -> Vec<String> {
    let store = plan.store_files().into_iter().map(|(path, content)| {
        let name = path.display().to_string();
        crate::gate::unified_diff(name.trim_start_matches('/'), None, Some(content.as_bytes()), usize::MAX)
    });
    store.chain(plan.changes().map(crate::command::client_files::settings_file::Change::diff)).collect()
}

fn value(summary: &Summary) -> Value {
    json!({
        "root": summary.root.display().to_string(),
        "created": summary.created,
        "changed": summary.changed,
        "agents": summary.agents,
        "shared": summary.shared,
    })
}

/// What `init` did.
pub(super) fn done(site: &Site, summary: &Summary, context: &Context) {
    if context.json {
        return context.terminal.json(&value(summary));
    }
    let terminal = &context.terminal;
    let root = summary.root.display();
    if summary.is_empty() {
        terminal.styled(GOOD, format_args!("{root} is already governed; nothing to do"));
    } else {
        terminal.styled(HEADING, format_args!("{root} is governed"));
    }
    for (word, list) in [("created", &summary.created), ("changed", &summary.changed)] {
        for path in list {
            terminal.say(format_args!("  {GOOD}{word}{GOOD:#} {}", inert::line(path)));
        }
    }
    match summary.agents.as_slice() {
        [] => terminal.warning("no agent was found to hook; name one: `bailiwick init --agent claude-code`"),
        agents => terminal.say(format_args!("  hooked  {}", agents.join(", "))),
    }
    foreign_servers(summary, context);
    if let Health::Broken(_) = pollster::block_on(FsPolicySource::new(site.layout.clone()).health()) {
        terminal.warning("the store is broken, so every call is refused; `bailiwick doctor` says why");
    }
    if summary.governs_anew() && judged::ignores_nothing(site) {
        terminal.say(format_args!("  {DIM}note{DIM:#}    {}", judged::IGNORES_NOTHING));
    }
    if !summary.is_empty() {
        next(site, summary, context);
    }
}

fn next(site: &Site, summary: &Summary, context: &Context) {
    let commit = if summary.shared {
        ("git add .orchestration .claude/settings.json .mcp.json", "the team's files")
    } else {
        ("git add .orchestration", "intents belong to the repository")
    };
    let commit = site.git.is_some().then_some(commit);
    let steps = [
        ("bailiwick intent new \"NAME\" --scope PATH", "optional: agents draft intents too"),
        ("bailiwick watch", "in its own terminal: answer agents"),
        ("bailiwick doctor", "check that the gate is live"),
    ];
    context.terminal.styled(HEADING, "Next");
    for (command, why) in steps.into_iter().chain(commit) {
        // A longer command would read as if its reason were a part of it.
        let gap = if command.len() > COMMAND { format!("\n{:1$}", "", COMMAND + 3) } else { " ".to_owned() };
        context.terminal.say(format_args!("  {command:<COMMAND$}{gap}{DIM}{why}{DIM:#}"));
    }
    context.terminal.say("  then start the agent; restart one that already runs");
    let hooked = summary.agents.iter().filter_map(|name| host(name));
    for trust in hooked.filter_map(|host| host.profile.client.trust) {
        context.terminal.warning(trust);
    }
}
