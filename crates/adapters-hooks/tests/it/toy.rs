//! A host that does not exist, as `docs/guide/add-a-host.md` tells a stranger to write one: the page quotes this file, and
//! the checks below hold it to what every host must do.

use bailiwick_adapters_hooks::answer::{
    EventNames, around, around_error, line, no_form, nobody_asks, unread,
};
use bailiwick_adapters_hooks::dialect::{Dialect, Means, read};
use bailiwick_adapters_hooks::fields::required;
use bailiwick_adapters_hooks::settings::{HookSettings, Registered, Shape};
use bailiwick_adapters_hooks::{Client, Host, HostProfile, Output, Reply, Spoken, Version};
use bailiwick_domain::{ToolError, Value, json};

// [data]
const NAME: &str = "toy";

const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &["a hook that takes longer than its limit does not stop the call"],
    client: Client {
        programs: &["toy"],
        own_folder: ".toy",
        own_folder_variable: Some("TOY_HOME"),
        local: ".toy/hooks.json",
        user: "hooks.json",
        ..Client::UNKNOWN
    },
    sends_prompt_events: true,
    ..HostProfile::UNKNOWN
};

const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    shape: Shape::Entries,
    events: &[
        Registered::plain("before", 120, true),
        Registered::plain("after", 30, false),
        Registered::plain("asked", 120, true),
    ],
    root: &[("form", 3)],
    fixed: &[],
    command: "run",
    limit: "ms",
    units_a_second: 1_000,
    reads_trailing_commas: true,
    switches: &[(&["hooks_off"], true)],
    ..HookSettings::USUAL
};
// [/data]

// [parse]
const DIALECT: Dialect = Dialect {
    host: NAME,
    name: |fields| required(fields, "what"),
    events: &[("before", Means::Before), ("after", Means::After), ("asked", Means::Prompt)],
    session: "talk",
    tool: "tool",
    params: "with",
    call: Some("id"),
    response: "came_out",
    showed: |_| None,
    ..Dialect::USUAL
};
// [/parse]

// [render]
fn render(event: &str, reply: &Reply) -> Output {
    Output::said(match (event, reply) {
        ("before", Reply::NoOpinion | Reply::Allow { .. } | Reply::Context(_)) => go(),
        ("before", Reply::Deny(error)) => stop(error),
        ("before", Reply::Ask { reason }) => stop(&nobody_asks(reason)),
        ("before", _) => stop(&no_form()),
        ("asked", Reply::Context(text)) => around(text, |text| line(&json!({ "tell": text }))),
        _ => String::new(),
    })
}

fn go() -> String {
    line(&json!({ "go": true }))
}

fn stop(error: &ToolError) -> String {
    around_error(error, |text| line(&json!({ "go": false, "because": text })))
}

fn render_failure(raw: &[u8], error: &ToolError) -> Output {
    let names = EventNames { key: "what", before: &["before"], prompt: "asked" };
    unread(raw, error, names, |error| Output::said(stop(error)))
}
// [/render]

// [row]
const HOST: Host = Host {
    settings: Some(&SETTINGS),
    ..Host::speaking(
        PROFILE,
        Spoken {
            parse: |bytes| read(&DIALECT, bytes),
            render,
            render_failure,
            version: |printed| Version::read(printed.trim()),
            probe: |probe| {
                let event = json!({
                    "what": "before", "talk": probe.session, "cwd": probe.root, "id": probe.call,
                    "tool": "write_to_file", "with": { "path": probe.file, "content": probe.content },
                });
                event.to_string().into_bytes()
            },
            refusal: |ended| {
                let answer: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
                let told = answer["because"].as_str().unwrap_or(&ended.stderr).to_owned();
                (ended.exit_code == 2 || answer["go"] == false).then_some(told)
            },
        },
    )
};
// [/row]

// A host is data and a few pure functions; nothing else has to be touched.
#[test]
fn a_toy_host_stands_in_the_table_and_does_what_every_host_must() {
    let table = [HOST];
    for host in &table {
        super::conformance::check_doctors_write(host);
        super::conformance::check_identity(host);
        #[cfg(unix)]
        super::conformance::check_dying(host);
        let page = super::conformance::page_of(&[
            ("allow", "before", "allow"),
            ("deny", "before", "deny"),
            ("ask", "before", "ask"),
            ("context", "asked", "context"),
        ]);
        let said: Vec<Value> = page.iter().map(|case| super::conformance::found(host, case)).collect();
        assert_eq!(said[0]["stdout"], "{\"go\":true}");
        assert!(said[1]["stdout"].as_str().unwrap().contains("SCOPE_VIOLATION"));
        assert!(said[2]["stdout"].as_str().unwrap().contains("APPROVAL_PENDING"));
        assert_eq!((&said[1]["stops"], &said[2]["stops"]), (&json!(true), &json!(true)));
        assert_eq!(said[3]["stdout"], "{\"tell\":\"told\"}");
        for raw in [
            "",
            "{",
            "[]",
            "{\"what\":\"before\",\"talk\":\"s\",\"tool\":\"x\"}",
            "{\"what\":\"before\",\"what\":\"x\"}",
        ] {
            let broken = super::conformance::found(host, &json!({"case": "broken", "raw": raw}));
            assert_eq!(broken["stops"], true, "{raw}");
        }
    }
}

// Each piece of code on the page is a piece of this file.
#[test]
fn the_page_about_adding_a_host_quotes_this_file() {
    let page = include_str!("../../../../docs/guide/add-a-host.md");
    let file = include_str!("toy.rs");
    let pieces: Vec<&str> =
        page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(pieces.len(), 4);
    for piece in pieces {
        assert!(file.contains(piece), "the page says otherwise:\n{piece}");
    }
}
