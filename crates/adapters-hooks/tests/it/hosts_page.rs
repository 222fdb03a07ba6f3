//! `docs/hosts.md`, made from the table of hosts and from what was measured (`conformance/measured.json`). The test fails
//! when the page is not what they say; with `WRITE_PAGES=1` it writes the page.

use std::fmt::Write as _;
use std::path::Path;

use bailiwick_adapters_hooks::settings::Shape;
use bailiwick_adapters_hooks::{HOSTS, Host};
use bailiwick_domain::Value;

/// What a gate can do instead of answering.
const ENDINGS: [&str; 6] = ["gone", "dying", "failing", "silent", "babbling", "hanging"];

const OPENING: &str = "\
# What each host enforces

<!-- Made by `WRITE_PAGES=1 cargo test -p bailiwick-adapters-hooks --test it hosts_page`. -->

How to install and use each host stands in the [guide](guide/hosts.md). This page is made from the table of hosts and from
what was measured on the real clients.

## How a call is stopped

| host | registered in | by | sub-agents | told of prompts | waits at most |
|---|---|---|---|---|---|
";

const MATRIX: &str = "
## When the gate does not answer

A real client with a scripted model wants one change, while the gate is gone, dies or fails at each event, says nothing, says
something that is no answer, or hangs. *Stopped*: nothing was written. *Runs*: the change was made, since the host has no switch
against it; the gate never ends so by itself, and answers before the host's time is up. An empty cell was not played;
*reference* means that no test of ours plays it.

| host | version | gone | dying | failing | silent | babbling | hanging | proved by |
|---|---|---|---|---|---|---|---|---|
";

const GRANTS: &str = "
## Whose edits a grant covers

A [grant](guide/approvals.md#grants) covers an edit only where it was measured with the real client what its tool leaves in the
file. Every other edit is asked about: its question shows what the edit would most likely leave, and says that this is not certain.
`cargo xtask differential edits` plays each version that is installed, `cargo xtask nightly` those that were measured; patches are
played by `codex-patches` and `opencode-patches`. You are asked about a patch where one of them was seen to write something else than
it says: lines that only an anchor places, a hunk without `@@`, the mark of a file's end, two sections about one file, an indented
header or end; and where the file has no LF at its end or ends with an empty line, before or after it. Codex does not tell its hooks
its version: what was measured counts for all of them.

| host | versions | tools | texts |
|---|---|---|---|
";

#[test]
fn the_page_of_hosts_is_what_the_table_says() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let measured = std::fs::read_to_string(here.join("conformance/measured.json")).unwrap();
    let page = page(&serde_json::from_str(&measured).unwrap());
    let path = here.join("../../docs/hosts.md");
    if std::env::var_os("WRITE_PAGES").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/hosts.md is out of date: run this test with WRITE_PAGES=1");
}

fn page(measured: &Value) -> String {
    let mut page = OPENING.to_owned();
    for host in HOSTS {
        let profile = &host.profile;
        let told = if profile.sends_prompt_events { "yes" } else { "no" };
        let agents = if profile.hooks_subagents { "an actor of their own" } else { "count as the session" };
        let (file, by) = registered(host);
        let wait = profile.timeout_s;
        let _ = writeln!(page, "| {} | {file} | {by} | {agents} | {told} | {wait} s |", profile.name);
    }
    page.push_str(MATRIX);
    for host in HOSTS {
        let found = &measured[host.profile.name];
        assert!(found.is_object(), "nothing is said of {}", host.profile.name);
        let cell = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        let cells: Vec<String> = ENDINGS.iter().map(|ending| cell(ending)).collect();
        let (name, version) = (host.profile.name, cell("version"));
        let _ = writeln!(page, "| {name} | {version} | {} | {} |", cells.join(" | "), cell("by"));
    }
    page.push_str(GRANTS);
    for host in HOSTS {
        let Some(edits) = host.edits else { continue };
        let tools = edits.tools.iter().map(|tool| format!("`{tool}`")).collect::<Vec<_>>().join(", ");
        let texts = if edits.rules.plain_only {
            "UTF-8 without a mark, lines that end in LF, nothing replaced by nothing"
        } else {
            "all"
        };
        let _ = writeln!(page, "| {} | {} | {tools} | {texts} |", host.profile.name, edits.span());
    }
    page.push_str("\n## What each lets through\n");
    for host in HOSTS {
        let _ = write!(page, "\n**{}**\n\n", host.profile.name);
        for way in host.profile.lets_through {
            let _ = writeln!(page, "- {way}");
        }
    }
    page
}

fn registered(host: &Host) -> (String, &'static str) {
    let Some(settings) = host.settings else { return ("by hand".to_owned(), "a hook that you register") };
    let by = match (settings.shape, settings.fails_closed) {
        (Shape::Script(_), _) => "a plugin that refuses whatever is no clear yes in time",
        (_, Some(_)) => "a hook, with the host's switch to fail closed",
        (_, None) => "a hook, whose command line refuses when the gate is gone or fails",
    };
    let client = &host.profile.client;
    let file = match settings.is_for_all_projects {
        true => format!("`~/{}/{}`, for all projects", client.own_folder, client.user),
        false => format!("`{}`", client.local),
    };
    (file, by)
}
