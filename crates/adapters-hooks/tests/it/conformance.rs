//! Each host against its page of `conformance/`: what its events mean, the exact bytes of each answer, and what becomes of
//! events that cannot be read. A page is data; a new version of a host is more lines.

use std::path::{Path, PathBuf};

use bailiwick_adapters_hooks::settings::{
    HookCommand, InstalledHook, Shape, guards, install, installed_hooks, uninstall,
};
use bailiwick_adapters_hooks::{EventKind, HOSTS, Host, HostEvent, Output, Probe, Reply, host};
use bailiwick_domain::{ErrorCode, IntentId, ToolError, Value, json};

/// What every page must show.
const EVERYWHERE: [&str; 7] =
    ["allow", "deny", "ask", "rewritten", "malformed", "oversize", "internal error"];

fn pages() -> Vec<(&'static Host, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    HOSTS.iter().map(|host| (host, folder.join(format!("{}.jsonl", host.profile.name)))).collect()
}

fn cases(page: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(page).unwrap_or_else(|why| panic!("{}: {why}", page.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}")))
        .collect()
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("no `{key}` in {case}"))
}

#[test]
fn every_host_does_what_its_page_says() {
    let mut wrong = Vec::new();
    for (host, page) in pages() {
        for case in cases(&page) {
            let found = found(host, &case);
            if found != case {
                wrong.push(format!("{}: {found}", host.profile.name));
            }
        }
    }
    assert!(wrong.is_empty(), "these are so now:\n{}", wrong.join("\n"));
}

/// Cases of answers, for a host without a page.
pub(super) fn page_of(cases: &[(&str, &str, &str)]) -> Vec<Value> {
    cases.iter().map(|(case, on, say)| json!({"case": case, "on": on, "say": say})).collect()
}

/// What is so, in the form of a page.
pub(super) fn found(host: &Host, case: &Value) -> Value {
    let mut found = json!({"case": case["case"]});
    shown(host, case, &mut found);
    found
}

fn shown(host: &Host, case: &Value, found: &mut Value) {
    if let Some(event) = case.get("send") {
        found["send"] = event.clone();
        let event = (host.parse)(event.to_string().as_bytes());
        found["means"] = event.map_or_else(|error| json!(error.to_string()), |event| meaning(&event));
    } else if let Some(event) = case.get("on") {
        found["on"] = event.clone();
        found["say"] = case["say"].clone();
        let output = (host.render)(text(case, "on"), &reply(text(case, "say")));
        ended(&output, found);
        if text(case, "on") == before_a_tool(host) {
            found["stops"] = (host.refusal)(&output).is_some().into();
        }
    } else {
        let raw = if let Some(count) = case.get("blanks").and_then(Value::as_u64) {
            found["blanks"] = count.into();
            " ".repeat(usize::try_from(count).unwrap())
        } else {
            found["raw"] = case["raw"].clone();
            text(case, "raw").to_owned()
        };
        let error = match case.get("internal") {
            Some(yes) => {
                found["internal"] = yes.clone();
                ToolError::new(ErrorCode::InternalError, "the gate failed on this call and refuses it")
            }
            None => (host.parse)(raw.as_bytes()).unwrap_err().tool_error(),
        };
        let output = (host.render_failure)(raw.as_bytes(), &error);
        ended(&output, found);
        found["stops"] = (host.refusal)(&output).is_some().into();
    }
}

fn ended(output: &Output, found: &mut Value) {
    found["stdout"] = output.stdout.as_str().into();
    found["stderr"] = output.stderr.as_str().into();
    found["exit"] = output.exit_code.into();
}

/// The host's name of the event before a tool.
fn before_a_tool(host: &Host) -> String {
    let probe = Probe { session: "s", call: "c", root: "/repo", file: "/repo/a.yaml", content: "x: 1\n" };
    (host.parse)(&(host.probe)(&probe)).unwrap().name
}

fn meaning(event: &HostEvent) -> Value {
    let kind = match &event.kind {
        EventKind::Pre { call, permission_mode } => json!({
            "pre": call.tool, "params": call.params, "mode": format!("{permission_mode:?}"),
            "id": if call.id.is_made_up() { "made up" } else { call.id.0.as_str() },
        }),
        EventKind::Post { call_id, tool, params, ok, showed, .. } => json!({
            "post": tool, "params": params, "ok": ok, "showed": format!("{showed:?}"),
            "id": if call_id.is_made_up() { "made up" } else { call_id.0.as_str() },
        }),
        EventKind::Prompt { prompt, injected } => json!({"prompt": prompt, "injected": injected}),
        other => json!(format!("{other:?}")),
    };
    json!({
        "event": event.name, "actor": event.actor.to_string(), "cwd": event.cwd,
        "project": event.project_dir, "is": kind,
    })
}

fn reply(word: &str) -> Reply {
    let error = ToolError::scope_violation(&IntentId::new("INT-001").unwrap(), "src/core/main.ts");
    let reason = || "why".to_owned();
    match word {
        "nothing" => Reply::NoOpinion,
        "allow" => Reply::Allow { reason: reason() },
        "rewritten" => {
            let params = json!({"command": "ls"}).as_object().cloned().unwrap();
            Reply::AllowRewritten { params, reason: reason() }
        }
        "ask" => Reply::Ask { reason: reason() },
        "deny" => Reply::deny(error),
        "context" => Reply::Context("told".to_owned()),
        "keep going" => Reply::KeepGoing { reason: reason() },
        "block prompt" => Reply::BlockPrompt { reason: reason() },
        other => panic!("no reply is called `{other}`"),
    }
}

#[test]
fn every_page_has_what_a_page_must_have_and_shows_it_refused() {
    for (host, page) in pages() {
        let cases = cases(&page);
        for must in EVERYWHERE {
            let found = cases.iter().find(|case| text(case, "case") == must);
            let found = found.unwrap_or_else(|| panic!("{}: no case `{must}`", page.display()));
            let goes = must == "allow" || (must == "ask" && host.profile.asks);
            // A host that may forget the rewriting is refused instead.
            let is_open = must == "rewritten" || found["stops"] == !goes;
            assert!(is_open, "{}: {must}", page.display());
            let code = if must == "oversize" || must == "malformed" { "MALFORMED_CALL" } else { "" };
            assert!(found["stdout"].to_string().contains(code) || found["stderr"].to_string().contains(code));
        }
    }
}

#[test]
fn what_doctor_asks_is_a_write_to_every_host() {
    HOSTS.iter().for_each(check_doctors_write);
}

pub(super) fn check_doctors_write(host: &Host) {
    let probe = Probe { session: "s", call: "c", root: "/repo", file: "/repo/a.yaml", content: "x: 1\n" };
    let event = (host.parse)(&(host.probe)(&probe)).unwrap();
    let EventKind::Pre { call, .. } = &event.kind else { panic!("{event:?}") };
    assert_eq!(event.cwd.as_deref(), Some("/repo"));
    assert!(json!(call.params).to_string().contains("/repo/a.yaml"), "{call:?}");
    assert_eq!(event.actor.session, "s");
}

// threat E2
#[cfg(unix)]
#[test]
fn a_hook_that_dies_or_is_gone_refuses_on_every_host() {
    HOSTS.iter().for_each(check_dying);
}

#[cfg(unix)]
pub(super) fn check_dying(host: &Host) {
    use std::os::unix::fs::PermissionsExt;

    let Some(settings) = host.settings else { return };
    let name = format!("bailiwick-conformance-{}-{}", std::process::id(), settings.host);
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let binary = folder.join("bailiwick");
    for script in [None, Some("exit 1"), Some("kill -ALRM $$"), Some("kill -KILL $$")] {
        let _ = std::fs::remove_file(&binary);
        if let Some(script) = script {
            std::fs::write(&binary, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let text =
            install(settings, None, &HookCommand::new(binary.display().to_string(), None)).unwrap().text;
        for hook in installed_hooks(settings, &text) {
            if matches!(settings.shape, Shape::Script(_)) {
                check_script(host, &hook);
                continue;
            }
            let ran = std::process::Command::new("/bin/sh").args(["-c", &hook.command]).output().unwrap();
            let output = Output {
                stdout: String::from_utf8(ran.stdout).unwrap(),
                stderr: String::from_utf8(ran.stderr).unwrap(),
                exit_code: u8::try_from(ran.status.code().unwrap()).unwrap(),
            };
            let closed = settings.events.iter().any(|event| event.name == hook.event && event.fails_closed);
            assert_eq!(output.exit_code, if closed { 2 } else { 1 }, "{}: {}", settings.host, hook.event);
            if closed {
                assert!((host.refusal)(&output).is_some(), "{}: {script:?}: {output:?}", settings.host);
            }
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A script starts the program itself, so its reading of every ending but a yes is a refusal.
#[cfg(unix)]
fn check_script(host: &Host, hook: &InstalledHook) {
    let ran = std::process::Command::new(&hook.command).args(hook.arguments.iter().flatten()).output();
    let ended = ran.map_or(Output::status(127, ""), |ran| Output {
        stdout: String::from_utf8(ran.stdout).unwrap(),
        stderr: String::from_utf8(ran.stderr).unwrap(),
        exit_code: ran.status.code().map_or(137, |code| u8::try_from(code).unwrap()),
    });
    for output in [ended, Output::silence(), Output::said("{}"), Output::said("yes"), Output::said("[]")] {
        assert!((host.refusal)(&output).is_some_and(|told| !told.is_empty()), "{}: {output:?}", hook.event);
    }
}

// A file of somebody else is neither overwritten nor taken out; an older script of ours is both.
#[test]
fn a_script_of_somebody_else_is_left_alone() {
    let settings = host("opencode").unwrap().settings.unwrap();
    let command = HookCommand::new("/opt/bailiwick", None);
    let ours = install(settings, None, &command).unwrap().text;
    for theirs in
        ["export const Mine = async () => ({});\n", "{}", &ours.replacen("// Bailiwick", "// My", 1)]
    {
        assert!(install(settings, Some(theirs), &command).is_err(), "{theirs}");
        assert_eq!(uninstall(settings, theirs, true).unwrap().text.as_deref(), Some(theirs));
        assert!(!guards(settings, theirs), "{theirs}");
    }
    let older = ours.replacen("throw", "give up", 1).replacen("/opt/bailiwick", "/old/bailiwick", 1);
    let again = install(settings, Some(&older), &command).unwrap();
    assert_eq!((again.text, again.changed), (ours, true));
    assert_eq!(uninstall(settings, &older, true).unwrap().text, None);
}

#[test]
fn installing_and_uninstalling_is_the_identity_on_every_host() {
    HOSTS.iter().for_each(check_identity);
}

pub(super) fn check_identity(host: &Host) {
    let Some(settings) = host.settings else { return };
    let command = HookCommand::new("/opt/b w/bailiwick", Some("/home/dev/state".to_owned()));
    let once = install(settings, None, &command).unwrap().text;
    assert!(guards(settings, &once), "{once}");
    assert!(!install(settings, Some(&once), &command).unwrap().changed, "{}", settings.host);
    assert_eq!(uninstall(settings, &once, true).unwrap().text, None, "{}", settings.host);
    if matches!(settings.shape, Shape::Script(_) | Shape::Toml | Shape::Listed(_)) {
        return;
    }
    let theirs = "{\n  \"other\": true\n}\n";
    let merged = install(settings, Some(theirs), &command).unwrap().text;
    let left = uninstall(settings, &merged, false).unwrap().text.unwrap();
    let mut left: Value = serde_json::from_str(&left).unwrap();
    for (key, _) in settings.root {
        left.as_object_mut().unwrap().remove(*key);
    }
    assert_eq!(left, json!({"other": true}), "{}", settings.host);
}
