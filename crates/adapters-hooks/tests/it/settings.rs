//! Installing into settings that a person wrote, and out of them again (D-08).

use bailiwick_adapters_hooks::claude_code::{
    CommandForm, HookCommand, InstallError, detect_double, disable_all_hooks, install, installed_hooks,
    takes_hooks_away, uninstall,
};
use bailiwick_adapters_hooks::{host, settings};
use bailiwick_domain::{Value, json};
use proptest::prelude::*;

fn command() -> HookCommand {
    HookCommand {
        binary: "/opt/b w/bailiwick".into(),
        state: Some("/home/dev/state".into()),
        home: None,
        config: None,
        form: CommandForm::Shell,
    }
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

const THEIRS: &str = r#"{
  // the team's own
  "permissions": { "deny": ["Read(./.env)"] },
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "./lint.sh" }] // keep
      }
    ],
    "Notification": [
      { "hooks": [{ "type": "command", "command": "say hi" }] }
    ]
  },
  "model": "opus"
}
"#;

#[test]
fn a_fresh_file_is_frozen() {
    // D-08
    let installed = install(None, &command()).unwrap();
    assert!(installed.changed);
    insta::assert_snapshot!("fresh_settings", installed.text);
}

#[test]
fn a_persons_file_keeps_order_comments_and_entries() {
    // D-08
    let installed = install(Some(THEIRS), &command()).unwrap();
    insta::assert_snapshot!("merged_settings", installed.text);
}

#[test]
fn installing_again_changes_nothing() {
    for existing in [None, Some(""), Some("{}"), Some(THEIRS), Some("\u{feff}{\r\n\t\"a\": 1,\r\n}\r\n")] {
        let once = install(existing, &command()).unwrap();
        assert!(once.changed, "{existing:?}");
        let twice = install(Some(&once.text), &command()).unwrap();
        assert_eq!((twice.text, twice.changed), (once.text, false), "{existing:?}");
    }
}

#[test]
fn uninstalling_leaves_what_was_there() {
    let cases =
        [THEIRS, "{\n  \"model\": \"opus\"\n}\n", "\u{feff}{\r\n\t\"a\": 1\r\n}\r\n", "{\n  \"a\": {}\n}"];
    for existing in cases {
        let installed = install(Some(existing), &command()).unwrap();
        let left = uninstall(&installed.text, false).unwrap();
        assert!(left.changed);
        assert_eq!(left.text.as_deref(), Some(existing));
    }
}

#[test]
fn a_file_of_ours_goes_when_nothing_is_left_in_it() {
    let installed = install(None, &command()).unwrap();
    assert_eq!(uninstall(&installed.text, true).unwrap().text, None);
    assert_eq!(value(&uninstall(&installed.text, false).unwrap().text.unwrap()), json!({}));
    let theirs = install(Some("{\"model\":\"opus\"}"), &command()).unwrap();
    assert_eq!(value(&uninstall(&theirs.text, true).unwrap().text.unwrap()), json!({"model": "opus"}));
}

#[test]
fn uninstalling_where_nothing_of_ours_is_changes_nothing() {
    for existing in [THEIRS, "{}", "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"*\",\"hooks\":[]}]}}"] {
        let left = uninstall(existing, true).unwrap();
        assert_eq!((left.text.as_deref(), left.changed), (Some(existing), false));
    }
}

#[test]
fn a_file_that_cannot_be_understood_is_never_edited() {
    for malformed in ["{", "not json", "{\"a\" 1}", "{'a':1}", "{a:1}", "{\"a\":1}{}", "{\"a\":1 \"b\":2}"] {
        assert!(
            matches!(install(Some(malformed), &command()), Err(InstallError::Malformed { .. })),
            "{malformed}"
        );
        assert!(matches!(uninstall(malformed, true), Err(InstallError::Malformed { .. })), "{malformed}");
    }
    for odd in [
        "[]",
        "7",
        "{\"hooks\":[]}",
        "{\"hooks\":{\"PreToolUse\":{}}}",
        "{\"hooks\":{\"PreToolUse\":[7]}}",
        "{\"hooks\":{\"Stop\":[{\"hooks\":{}}]}}",
    ] {
        assert!(
            matches!(
                install(Some(odd), &command()),
                Err(InstallError::Unexpected { .. } | InstallError::Event { .. })
            ),
            "{odd}"
        );
    }
    for double in ["{\"hooks\":{},\"hooks\":{}}", "{\"a\":[{\"b\":1,\"\\u0062\":2}]}"] {
        assert!(matches!(install(Some(double), &command()), Err(InstallError::DuplicateKey(_))), "{double}");
    }
}

// D-08: Qwen Code moves a file with such a comma away and goes on without any hook
#[test]
fn a_comma_that_the_host_does_not_read_is_refused() {
    let of = |name: &str| host(name).and_then(|host| host.settings).unwrap();
    let (qwen, claude) = (of("qwen"), of("claude-code"));
    let fresh = settings::install(qwen, None, &command()).unwrap().text;
    assert!(!settings::installed_hooks(qwen, &fresh).is_empty());
    let open = fresh.trim_end().strip_suffix('}').unwrap();
    let loose = format!("{},\n}}\n", open.trim_end());
    let again = settings::install(qwen, Some(&loose), &command());
    assert!(matches!(again, Err(InstallError::TrailingComma)), "{loose}");
    assert!(settings::installed_hooks(qwen, &loose).is_empty());
    assert!(settings::install(claude, Some("{\"a\": 1,}"), &command()).is_ok());
}

#[test]
fn a_file_that_is_nested_without_end_is_refused() {
    // threat D11
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert!(matches!(install(Some(&deep), &command()), Err(InstallError::Malformed { .. })));
    assert!(!disable_all_hooks(&deep));
}

#[test]
fn an_older_entry_of_ours_is_replaced_where_it_stands() {
    let old = r#"{
  "hooks": {
    "PreToolUse": [
      { "matcher": "*", "hooks": [{ "type": "command", "command": "/old/bailiwick hook --agent claude-code" }] },
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./lint.sh" }, { "type": "command", "command": "'/older/bailiwick' hook --agent claude-code || exit 2" }] }
    ],
    "PreCompact": [
      { "hooks": [{ "type": "command", "command": "/old/bailiwick", "args": ["hook", "--agent", "claude-code"] }] }
    ]
  }
}"#;
    let installed = install(Some(old), &command()).unwrap();
    let hooks = value(&installed.text)["hooks"].clone();
    let fresh = value(&install(None, &command()).unwrap().text)["hooks"].clone();
    assert_eq!(hooks["PreToolUse"][0], fresh["PreToolUse"][0]);
    let lint = json!({"matcher": "Bash", "hooks": [{"type": "command", "command": "./lint.sh"}]});
    assert_eq!(hooks["PreToolUse"][1], lint);
    assert_eq!(hooks["PreToolUse"].as_array().unwrap().len(), 2);
    assert!(hooks.get("PreCompact").is_none());
    assert!(!install(Some(&installed.text), &command()).unwrap().changed);
}

#[test]
fn an_entry_that_a_person_narrowed_is_put_back_for_every_tool() {
    let narrowed =
        install(None, &command()).unwrap().text.replace("\"matcher\": \"*\"", "\"matcher\": \"Write\"");
    let repaired = install(Some(&narrowed), &command()).unwrap();
    let fresh = install(None, &command()).unwrap();
    assert_eq!(value(&repaired.text), value(&fresh.text));
}

#[test]
fn only_our_own_command_is_ours() {
    for foreign in [
        "/opt/notbailiwick hook --agent claude-code",
        "/opt/bailiwick-old hook --agent claude-code",
        "/opt/bailiwick hook --agent claude-code-fork",
        "/opt/bailiwick status",
        "echo bailiwick",
    ] {
        let text = json!({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": foreign}]}]}})
            .to_string();
        assert!(!uninstall(&text, true).unwrap().changed, "{foreign}");
        assert!(installed_hooks(&text).is_empty(), "{foreign}");
    }
    for ours in [
        r"'C:\Program Files\bailiwick.exe' hook --agent claude-code --governed",
        "\"/opt/x y/bailiwick\" hook --agent claude-code",
        "bailiwick hook --agent claude-code || exit 2",
    ] {
        let text =
            json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": ours}]}]}}).to_string();
        assert!(uninstall(&text, true).unwrap().changed, "{ours}");
    }
}

#[test]
fn only_events_that_protect_something_fail_closed() {
    // D-08
    let hooks = installed_hooks(&install(None, &command()).unwrap().text);
    assert_eq!(hooks.len(), 11);
    for hook in hooks {
        let closed = matches!(hook.event.as_str(), "PreToolUse" | "UserPromptSubmit");
        assert_eq!(hook.fails_closed, closed, "{}", hook.event);
        assert_eq!(hook.command.ends_with("exit 2; }"), closed, "{}", hook.event);
        assert!(hook.timeout_s.is_some());
    }
}

#[test]
fn a_path_with_a_quote_in_it_stays_one_word() {
    let odd = HookCommand {
        binary: "/o'b/$(x)/bailiwick".into(),
        state: Some("/s t".into()),
        home: Some("/h'o me".into()),
        config: Some("/c fg".into()),
        form: CommandForm::Shell,
    };
    let installed = install(None, &odd).unwrap();
    let hook = installed_hooks(&installed.text).into_iter().find(|hook| hook.event == "PreToolUse").unwrap();
    let expected = r"'/o'\''b/$(x)/bailiwick' hook --agent claude-code --governed --state '/s t' --home '/h'\''o me' --config '/c fg' || {";
    assert!(hook.command.starts_with(expected), "{}", hook.command);
    assert_eq!(uninstall(&installed.text, true).unwrap().text, None);
}

#[cfg(unix)]
#[test]
fn the_installed_line_turns_every_failure_before_a_tool_into_a_refusal() {
    let missing = HookCommand::new("/nowhere/bailiwick", None);
    for hook in installed_hooks(&install(None, &missing).unwrap().text) {
        let output = std::process::Command::new("/bin/sh").args(["-c", &hook.command]).output().unwrap();
        let expected = if hook.fails_closed { 2 } else { 1 };
        assert_eq!(output.status.code(), Some(expected), "{}", hook.event);
        assert_eq!(
            String::from_utf8_lossy(&output.stderr).contains("Bailiwick did not answer"),
            hook.fails_closed
        );
    }
}

#[test]
fn without_a_shell_the_program_and_its_arguments_are_apart() {
    let windows = HookCommand {
        binary: r"C:\Program Files\bailiwick.exe".into(),
        state: Some(r"C:\state".into()),
        home: Some(r"C:\Users\dev".into()),
        config: None,
        form: CommandForm::Arguments,
    };
    let installed = install(None, &windows).unwrap();
    let hook = installed_hooks(&installed.text).into_iter().find(|hook| hook.event == "PreToolUse").unwrap();
    assert_eq!(hook.command, windows.binary);
    let expected =
        ["hook", "--agent", "claude-code", "--governed", "--state", r"C:\state", "--home", r"C:\Users\dev"];
    assert_eq!(hook.arguments.unwrap(), expected);
    assert!(hook.fails_closed);
    assert_eq!(uninstall(&installed.text, true).unwrap().text, None);
}

#[test]
fn two_files_with_our_hook_are_found() {
    let ours = install(None, &command()).unwrap().text;
    assert_eq!(detect_double(&[("local", &ours), ("project", THEIRS)]), Vec::<&str>::new());
    assert_eq!(detect_double(&[("local", &ours), ("project", THEIRS), ("user", &ours)]), ["local", "user"]);
}

// D-08: a switch that the host keeps beside its events is no event
#[test]
fn a_switch_among_the_events_stays_and_counts() {
    let form = host("antigravity").unwrap().settings.unwrap();
    let theirs = json!({"bailiwick": {"enabled": true}}).to_string();
    let with = settings::install(form, Some(&theirs), &command()).unwrap();
    assert_eq!(value(&with.text)["bailiwick"]["enabled"], true);
    assert!(settings::guards(form, &with.text));
    assert_eq!(settings::turned_off(form, &with.text), None);
    let left = settings::uninstall(form, &with.text, false).unwrap();
    assert_eq!(left.text.map(|text| value(&text)), Some(value(&theirs)));
    let off = with.text.replace("true", "false");
    assert_eq!(settings::turned_off(form, &off), Some("enabled"));
    for (odd, told) in [
        (json!({"bailiwick": {"on": true}}), "`bailiwick.on` is not a list"),
        (
            json!({"bailiwick": {"PreToolUse": [7]}}),
            "`bailiwick.PreToolUse[]` is not an object with a list `hooks`",
        ),
    ] {
        let refused = settings::install(form, Some(&odd.to_string()), &command()).unwrap_err();
        assert_eq!(refused.to_string(), told);
    }
}

// D-08
#[test]
fn files_beside_the_hooks_can_turn_them_off() {
    let switch = |name: &str, text: &str| {
        let beside = host(name).unwrap().settings.unwrap().beside.unwrap();
        settings::turned_off_beside(&beside, text)
    };
    for off in
        ["[features]\nhooks = false\n", "features.hooks = false", "\u{feff}features = { hooks = false }"]
    {
        assert_eq!(switch("codex", off).as_deref(), Some("features.hooks"), "{off}");
    }
    for on in ["", "[features]\nhooks = true\n", "[hooks]\nfeatures = false\n", "[features\nhooks = false"] {
        assert_eq!(switch("codex", on), None, "{on}");
    }
    let off = switch("copilot", "{\"version\": 1, \"disableAllHooks\": true}");
    assert_eq!(off.as_deref(), Some("disableAllHooks"));
    assert_eq!(switch("copilot", "{\"hooks\": {\"disableAllHooks\": true}}"), None);
}

#[test]
fn hooks_that_are_switched_off_are_noticed() {
    assert!(disable_all_hooks("{\"disableAllHooks\": true} // off"));
    for on in ["{}", "{\"disableAllHooks\": false}", "{\"disableAllHooks\": \"true\"}", "{", "[]"] {
        assert!(!disable_all_hooks(on), "{on}");
    }
}

// D-18, threats F1, F5
#[test]
fn a_settings_file_that_takes_the_hooks_away_is_noticed() {
    let ours = install(None, &command()).unwrap().text;
    assert_eq!(takes_hooks_away(Some(&ours), true), None);
    for (text, held_ours) in [
        (Some("{\"disableAllHooks\": true}"), false),
        (Some("{\"disableAllHooks\": true}"), true),
        (Some(THEIRS), true),
        (Some("{"), true),
        (None, true),
    ] {
        assert!(takes_hooks_away(text, held_ours).is_some(), "{text:?}");
    }
    for (text, held_ours) in [(Some(THEIRS), false), (Some("{"), false), (None, false)] {
        assert_eq!(takes_hooks_away(text, held_ours), None, "{text:?}");
    }
}

fn foreign_settings() -> impl Strategy<Value = Value> {
    let handler = "[a-z ./]{1,12}".prop_map(|command| json!({"type": "command", "command": command}));
    let group = (prop::option::of("[A-Z*|a-z]{1,8}"), prop::collection::vec(handler, 1..3)).prop_map(
        |(matcher, hooks)| {
            matcher.map_or(json!({"hooks": hooks}), |matcher| json!({"hooks": hooks, "matcher": matcher}))
        },
    );
    let event = prop::sample::select(vec!["PreToolUse", "PostToolUse", "Stop", "Notification", "PreCompact"]);
    let hooks = prop::collection::btree_map(event, prop::collection::vec(group, 1..4), 0..4);
    let others = prop::collection::btree_map("[a-gi-z]{1,6}", "\\PC{0,8}", 0..4);
    (others, hooks).prop_map(|(others, hooks)| {
        let mut settings = json!(others);
        if !hooks.is_empty() {
            settings["hooks"] = json!(hooks);
        }
        settings
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn installing_and_uninstalling_is_the_identity_for_any_settings(theirs in foreign_settings(), pretty: bool) {
        // D-08
        let text = if pretty { serde_json::to_string_pretty(&theirs).unwrap() } else { theirs.to_string() };
        let installed = install(Some(&text), &command()).unwrap();
        prop_assert!(!install(Some(&installed.text), &command()).unwrap().changed);
        prop_assert_eq!(installed_hooks(&installed.text).len(), 11);
        let left = uninstall(&installed.text, false).unwrap();
        prop_assert_eq!(value(&left.text.unwrap()), theirs);
    }
}
