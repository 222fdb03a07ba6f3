//! Hooks in a file that is ours alone: written as a whole, and never over what a person put there (D-08).

use bailiwick_adapters_hooks::host;
use bailiwick_adapters_hooks::settings::{
    HookCommand, HookSettings, guards, install, installed_hooks, takes_hooks_away, uninstall,
};
use bailiwick_domain::{Value, json};

fn kiro() -> &'static HookSettings {
    host("kiro").unwrap().settings.unwrap()
}

fn command(binary: &str) -> HookCommand {
    HookCommand::new(binary, Some("/home/dev/state".into()))
}

fn written() -> String {
    install(kiro(), None, &command("/opt/b w/bailiwick")).unwrap().text
}

/// The file with its first hook changed.
fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut file: Value = serde_json::from_str(&written()).unwrap();
    change(&mut file["hooks"][0]);
    file.to_string()
}

#[test]
fn a_fresh_file_is_frozen() {
    insta::assert_snapshot!("fresh_listed", written());
}

#[test]
fn an_older_file_of_ours_is_replaced_and_the_file_goes_as_a_whole() {
    let older = install(kiro(), Some(" \n"), &command("/old/bailiwick")).unwrap().text;
    let newer = install(kiro(), Some(&older), &command("/opt/b w/bailiwick")).unwrap();
    assert_eq!((newer.text.as_str(), newer.changed), (written().as_str(), true));
    assert!(!install(kiro(), Some(&written()), &command("/opt/b w/bailiwick")).unwrap().changed);
    let gone = uninstall(kiro(), &newer.text, false).unwrap();
    assert_eq!((gone.text, gone.changed), (None, true));
}

#[test]
fn what_a_person_wrote_stays() {
    let theirs = [
        changed(|hook| hook["action"]["command"] = "./lint.sh".into()),
        changed(|hook| hook["action"] = json!({ "type": "agent", "prompt": "look" })),
        r#"{"version":"v1","hooks":[]}"#.to_owned(),
        "not JSON".to_owned(),
        "[]".to_owned(),
    ];
    for file in theirs {
        assert!(install(kiro(), Some(&file), &command("/opt/bailiwick")).is_err(), "{file}");
        let left = uninstall(kiro(), &file, true).unwrap();
        assert_eq!((left.text, left.changed), (Some(file), false));
    }
}

#[test]
fn a_hook_that_is_turned_off_or_gone_guards_nothing() {
    assert!(guards(kiro(), &written()));
    assert_eq!(installed_hooks(kiro(), &written()).len(), kiro().events.len());
    let off = changed(|hook| hook["enabled"] = false.into());
    let other = changed(|hook| hook["trigger"] = "PostToolUse".into());
    for file in [off.as_str(), other.as_str(), "{}"] {
        assert!(!guards(kiro(), file), "{file}");
        assert!(takes_hooks_away(kiro(), Some(file), true).is_some(), "{file}");
    }
    assert_eq!(installed_hooks(kiro(), &off).len(), kiro().events.len() - 1);
}
