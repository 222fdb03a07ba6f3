//! Installing into a person's TOML, and out of it again: every other byte stays (D-08).

use bailiwick_adapters_hooks::settings::{
    HookCommand, HookSettings, InstallError, guards, install, installed_hooks, uninstall,
};
use bailiwick_adapters_hooks::{HOSTS, host};
use proptest::prelude::*;

fn kimi() -> &'static HookSettings {
    host("kimi").unwrap().settings.unwrap()
}

fn command() -> HookCommand {
    HookCommand::new("/opt/b w/bailiwick", Some("/home/dev/state".into()))
}

fn with_hooks(existing: Option<&str>) -> String {
    install(kimi(), existing, &command()).unwrap().text
}

const THEIRS: &str = "\
# mine
default_model = \"m1\"   # aligned

[models.m1]
provider = 'x'

[[hooks]] # lint first
event = \"PreToolUse\"
matcher = \"Bash\"
command = \"\"\"
./lint.sh\"\"\"

[thinking]
enabled = true
";

/// Files of people, each as it stays.
const FILES: [&str; 7] = [
    "",
    "\n",
    "a = 1\n",
    "a = 1\n\n\n",
    THEIRS,
    "\u{feff}a = 1\r\n\r\n[b]\r\nc = 'd'\r\n",
    "[[hooks]]\nevent = \"Stop\"\ncommand = \"say 'bailiwick hook --agent kimi'\"\n",
];

#[test]
fn a_fresh_file_is_frozen() {
    insta::assert_snapshot!("fresh_toml", with_hooks(None));
}

#[test]
fn the_file_of_a_person_stays_and_ours_comes_after_it() {
    for file in FILES {
        let once = with_hooks(Some(file));
        assert!(once.starts_with(file), "{once}");
        assert!(guards(kimi(), &once));
        let again = install(kimi(), Some(&once), &command()).unwrap();
        assert_eq!((again.changed, again.text), (false, once.clone()));
        assert_eq!(uninstall(kimi(), &once, false).unwrap().text.as_deref(), Some(file));
        let lines = once.matches('\n').count();
        assert!(lines == once.matches("\r\n").count() || !once.contains('\r'), "{once:?}");
    }
}

#[test]
fn a_file_of_ours_goes_when_nothing_is_left_in_it() {
    assert_eq!(uninstall(kimi(), &with_hooks(None), true).unwrap().text, None);
    let kept = uninstall(kimi(), &format!("{}\n[a]\n", with_hooks(None)), true).unwrap();
    assert!(kept.text.is_some_and(|text| text.trim() == "[a]"));
    let untouched = uninstall(kimi(), THEIRS, true).unwrap();
    assert_eq!((untouched.changed, untouched.text.as_deref()), (false, Some(THEIRS)));
}

#[test]
fn an_older_entry_of_ours_is_replaced_where_it_stands() {
    let older = with_hooks(None).replace("/opt/b w/", "/old/").replacen("timeout = 120", "timeout = 5", 1);
    let tables = THEIRS.get(THEIRS.find("[models").unwrap()..).unwrap();
    let mixed = format!("{older}\n{tables}").replacen("[[hooks]]", "  [[hooks]]", 1);
    // A person narrowed one, doubled one, and left one of an event that is no longer registered.
    let more = "[[hooks]]\nevent = \"Gone\"\ncommand = \"/x/bailiwick hook --agent kimi\" # old\n";
    let mixed = mixed.replacen("event = \"Stop\"", "event = \"Stop\"\nmatcher = \"x\"", 1) + more + more;
    let once = with_hooks(Some(&mixed));
    assert_eq!(once.replacen("  [[hooks]]", "[[hooks]]", 1), format!("{}\n{tables}", with_hooks(None)));
    let out = uninstall(kimi(), &once, false).unwrap().text.unwrap();
    assert_eq!(out.trim_start(), tables);
}

#[test]
fn the_command_says_nothing_of_one_project() {
    for hook in installed_hooks(kimi(), &with_hooks(None)) {
        assert!(hook.command.starts_with("'/opt/b w/bailiwick' hook --agent kimi --state '/home/dev/state'"));
        let refuses = hook.command.ends_with("|| { echo 'Bailiwick did not answer: refused' >&2; exit 2; }");
        assert_eq!(refuses, ["PreToolUse", "UserPromptSubmit"].contains(&hook.event.as_str()));
    }
    for host in HOSTS.iter().filter(|host| host.settings.is_some()) {
        let is_said = host.settings.unwrap().is_for_all_projects;
        assert_eq!(is_said, host.profile.client.local.is_empty(), "{}", host.profile.name);
    }
}

#[test]
fn any_path_stays_one_word() {
    let odd = HookCommand::new("/o'p\"t\\\u{1}\t/bailiwick", None);
    let text = install(kimi(), Some(THEIRS), &odd).unwrap().text;
    let hooks = installed_hooks(kimi(), &text);
    assert_eq!(hooks.len(), kimi().events.len());
    assert!(hooks[0].command.starts_with("'/o'\\''p\"t\\\u{1}\t/bailiwick' hook"), "{:?}", hooks[0]);
}

#[test]
fn a_list_that_is_an_empty_value_becomes_one_of_tables() {
    let file = "a = 1\nhooks = [ ] # none\n\n[b]\n";
    let once = with_hooks(Some(file));
    assert!(once.starts_with("a = 1\n\n[b]\n\n[[hooks]]\n"), "{once}");
    assert_eq!(uninstall(kimi(), file, false).unwrap().text.as_deref(), Some(file));
}

#[test]
fn a_file_that_cannot_be_understood_is_never_edited() {
    let lists =
        ["hooks = [{ event = \"Stop\", command = \"x\" }]", "hooks = 1", "[hooks]\na = 1", "hooks.a = 1"];
    for file in lists {
        let refused = install(kimi(), Some(file), &command());
        assert!(matches!(refused, Err(InstallError::Unexpected { key: "hooks", .. })), "{file}: {refused:?}");
        assert!(uninstall(kimi(), file, true).is_err());
    }
    let broken = install(kimi(), Some("a = 1\nb = = 2\n"), &command());
    assert!(matches!(broken, Err(InstallError::MalformedToml { line: 2, .. })), "{broken:?}");
    assert!(install(kimi(), Some("a = 1\na = 2\n"), &command()).is_err(), "twice");
    assert!(installed_hooks(kimi(), "a = = 1").is_empty());
    let nested = format!("{}\n[hooks.more]\na = 1\n", with_hooks(None));
    assert!(uninstall(kimi(), &nested, true).is_err(), "a table below ours would change its owner");
}

#[test]
fn a_file_that_is_nested_without_end_is_refused() {
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(install(kimi(), Some(&deep), &command()).is_err());
}

proptest! {
    // D-08
    #[test]
    fn installing_and_uninstalling_is_the_identity_for_any_file(
        lines in prop::collection::vec("(|# .*|\\[t[0-9]{6}\\]|[a-z]{8} = [0-9]|\\[\\[hooks\\]\\]\nevent = \"Stop\")", 0..12),
        crlf: bool,
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let file: String = lines.iter().map(|line| line.replace('\n', end) + end).collect();
        if let Ok(once) = install(kimi(), Some(&file), &command()) {
            prop_assert!(once.text.starts_with(&file));
            let back = uninstall(kimi(), &once.text, false).unwrap();
            prop_assert_eq!(back.text.as_deref(), Some(file.as_str()));
        }
    }
}
