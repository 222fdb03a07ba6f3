//! What `init` and `intent new` write.

use std::fs;

use bailiwick_adapters_fs::{
    AppendError, FsIntentRepo, FsPolicySource, Layout, NewIntent, Scaffold, append_intent,
};
use bailiwick_domain::{Health, IntentId, PolicySource, ScopePattern, Settings};
use pollster::block_on;

use crate::governed::Place;

fn bare() -> (tempfile::TempDir, Layout) {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path(), folder.path().join(".orchestration/state"), None);
    (folder, layout)
}

#[test]
fn a_fresh_store_is_healthy_and_changes_nothing() {
    let (_folder, layout) = bare();
    let scaffold = Scaffold::new(layout.clone());
    let planned: Vec<_> = scaffold.plan().into_iter().map(|(path, _)| path).collect();
    assert_eq!(scaffold.apply().unwrap(), planned);
    assert_eq!(planned.len(), 3);
    let source = FsPolicySource::new(layout.clone());
    assert_eq!(block_on(source.health()), Health::Ok);
    assert_eq!(block_on(source.settings()), Ok(Settings::default()));
    let report = FsIntentRepo::new(layout.clone()).load_report().unwrap();
    assert_eq!((report.set.len(), report.warnings.len(), report.errors.len()), (0, 0, 0));
    let ignored = fs::read_to_string(layout.orchestration().join(".gitignore")).unwrap();
    assert_eq!(ignored.lines().collect::<Vec<_>>(), ["agent_trace.jsonl", "intent_map.md", "state/"]);
}

#[test]
fn a_second_run_changes_nothing_and_nothing_is_overwritten() {
    let (_folder, layout) = bare();
    fs::create_dir(layout.orchestration()).unwrap();
    fs::write(layout.intents_file(), "active_intents: [] # mine\n").unwrap();
    assert_eq!(Scaffold::new(layout.clone()).apply().unwrap().len(), 2);
    assert_eq!(Scaffold::new(layout.clone()).apply().unwrap().len(), 0);
    assert_eq!(fs::read_to_string(layout.intents_file()).unwrap(), "active_intents: [] # mine\n");
}

#[test]
fn the_commented_settings_are_the_defaults() {
    let (_folder, layout) = bare();
    Scaffold::new(layout.clone()).apply().unwrap();
    let text = fs::read_to_string(layout.config_file()).unwrap();
    let active: String =
        text.lines().skip(2).map(|line| format!("{}\n", line.strip_prefix("# ").unwrap_or(line))).collect();
    fs::write(layout.config_file(), active).unwrap();
    let report = FsPolicySource::new(layout).config_report().unwrap();
    assert_eq!((report.errors.as_slice(), report.warnings.as_slice()), ([].as_slice(), [].as_slice()));
    let mut settings = report.settings;
    assert_eq!(
        settings.classification.remove("my_tool"),
        Some(bailiwick_domain::Classification::Destructive)
    );
    assert_eq!(settings, Settings::default());
    let defaults: Vec<&str> =
        report.sourced.iter().filter(|one| one.source == "default").map(|one| one.key.as_str()).collect();
    assert!(defaults.is_empty(), "not in the file: {defaults:?}");
}

#[test]
fn the_commented_example_of_an_intent_is_sound() {
    let (_folder, layout) = bare();
    Scaffold::new(layout.clone()).apply().unwrap();
    let text = fs::read_to_string(layout.intents_file()).unwrap();
    let example: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("#   ")).collect();
    fs::write(layout.intents_file(), format!("active_intents:\n{}\n", example.join("\n"))).unwrap();
    let report = FsIntentRepo::new(layout).load_report().unwrap();
    assert_eq!((report.set.len(), report.warnings.len(), report.errors.len()), (1, 0, 0), "{report:?}");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_symlink() {
    let (folder, layout) = bare();
    let elsewhere = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), folder.path().join(".orchestration")).unwrap();
    assert!(Scaffold::new(layout).apply().is_err());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

fn new(name: &str) -> NewIntent {
    NewIntent {
        name: name.into(),
        owned_scope: vec![ScopePattern::new("src/auth/").unwrap()],
        ..NewIntent::default()
    }
}

/// Files, each with the text before and after a new intent.
const TEXTS: &[(&str, &str)] = &[
    ("an empty list", "# Goals.\nactive_intents: []\n"),
    ("an empty list with a comment", "active_intents: []  # none yet\n# end\n"),
    ("no list yet", "active_intents:\n"),
    (
        "the seeds' indentation",
        "active_intents:\n    - id: \"INT-001\"\n      name: \"One\"\n      status: \"PENDING\"\n      owned_scope:\n          - \"src/**\"\n\n# The end.\n",
    ),
    ("no indentation", "active_intents:\n- id: INT-007 # seven\n  name: One\n  status: PENDING\n"),
    ("no newline at the end", "active_intents:\n  - {id: A, name: a, status: PENDING}"),
    ("a list alone", "- id: INT-001\n  name: One\n  status: PENDING\n"),
];

// K-47
#[test]
fn a_new_intent_goes_to_the_end_and_comments_stay() {
    let mut answers = Vec::new();
    for (name, text) in TEXTS {
        let place = Place::new();
        fs::write(place.layout().intents_file(), text).unwrap();
        append_intent(&place.layout(), &new("Fix login timeout")).unwrap();
        let after = fs::read_to_string(place.layout().intents_file()).unwrap();
        answers.push(format!("## {name}\n{after}"));
        append_intent(&place.layout(), &new("Second")).unwrap();
    }
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn words_that_yaml_would_misread_are_quoted() {
    let place = Place::new();
    let new = NewIntent {
        id: Some(IntentId::new("REQ-1").unwrap()),
        name: "yes: #1 \"quoted\" \u{e9}".into(),
        why: Some("true".into()),
        owned_scope: vec![ScopePattern::new("**/*.rs").unwrap(), ScopePattern::new("!src/*").unwrap()],
        acceptance_criteria: vec!["- a list?".into(), "null".into(), "1e3".into()],
        requirements: vec!["12".into()],
        allow_broad: false,
        expires: Some(bailiwick_domain::testing::sample::now()),
    };
    assert_eq!(append_intent(&place.layout(), &new).unwrap().as_str(), "REQ-1");
    let report = FsIntentRepo::new(place.layout()).load_report().unwrap();
    let intent = report.set.iter().next().unwrap();
    assert_eq!(intent.name(), new.name);
    assert_eq!(intent.why(), new.why.as_deref());
    assert_eq!(intent.owned_scope().patterns(), new.owned_scope);
    assert_eq!(intent.requirements(), new.requirements);
    let criteria: Vec<&str> =
        intent.acceptance_criteria().iter().map(|criterion| criterion.0.as_str()).collect();
    assert_eq!(criteria, new.acceptance_criteria);
    assert!(matches!(append_intent(&place.layout(), &new), Err(AppendError::Taken(_))));
}

#[test]
fn the_next_id_follows_the_highest() {
    let place = Place::new();
    let ids: Vec<String> = (0..3)
        .map(|n| append_intent(&place.layout(), &new(&format!("Goal {n}"))).unwrap().to_string())
        .collect();
    assert_eq!(ids, ["INT-001", "INT-002", "INT-003"]);
    let named = NewIntent { id: Some(IntentId::new("INT-1200").unwrap()), ..new("Far") };
    append_intent(&place.layout(), &named).unwrap();
    assert_eq!(append_intent(&place.layout(), &new("After")).unwrap().as_str(), "INT-1201");
}

#[test]
fn what_cannot_be_added_leaves_the_file_as_it_is() {
    let inline = "active_intents: [{id: A, name: a, status: PENDING}]\n";
    let broken = "active_intents: [\n";
    for (text, new) in [(inline, new("Second")), (broken, new("First")), ("active_intents: []\n", new(" "))] {
        let place = Place::new();
        fs::write(place.layout().intents_file(), text).unwrap();
        assert!(append_intent(&place.layout(), &new).is_err(), "{text}");
        assert_eq!(fs::read_to_string(place.layout().intents_file()).unwrap(), text);
    }
}

#[cfg(unix)]
#[test]
fn permissions_of_the_file_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    let file = place.layout().intents_file();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    append_intent(&place.layout(), &new("First")).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}

// D-01: a human edits a draft as YAML
#[test]
fn a_draft_is_read_as_it_was_written() {
    let draft = bailiwick_domain::IntentProposal {
        name: "Rotate: tokens # daily".to_owned(),
        why: Some("\"quoted\" and\ttabbed".to_owned()),
        owned_scope: bailiwick_domain::OwnedScope::parse(["src/auth/", "!src/auth/legacy/**"]).unwrap(),
        acceptance_criteria: vec!["yes".to_owned(), "- odd".to_owned(), "12".to_owned()],
    };
    let text = bailiwick_adapters_fs::proposal_text(&draft);
    assert!(text.starts_with("name: ") && text.contains("\nowned_scope:\n  - "), "{text}");
    assert_eq!(bailiwick_adapters_fs::read_proposal(&text), Ok(draft.clone()));
    let commented = format!("# what you want\n\n{text}\n# the end\n");
    assert_eq!(bailiwick_adapters_fs::read_proposal(&commented), Ok(draft));
}

// D-01, D-29
#[test]
fn a_text_that_is_no_draft_is_refused_with_its_place() {
    let cases = [
        ("", 1, "empty"),
        ("# nothing\n", 1, "empty"),
        ("name: x\nowned_scope: [src/]\nrequirements: [REQ-1]\n", 3, "`requirements`"),
        ("name: x\nowned_scope: [/etc/]\n", 2, "/etc/"),
        ("name: x\nowned_scope: src/\n", 2, "owned_scope"),
        ("owned_scope: [src/]\n", 1, "name"),
        ("name: x\nowned_scope: [\"!src/\"]\n", 2, ""),
        ("name: x\nid: INT-009\nowned_scope: [src/]\n", 2, "`id`"),
        ("- name: x\n", 1, "no map"),
        ("name: [\n", 2, ""),
    ];
    for (text, line, says) in cases {
        let found = bailiwick_adapters_fs::read_proposal(text).expect_err(text);
        assert!(found.message.contains(says), "{text:?}: {found:?}");
        assert!(found.line.abs_diff(line) <= 1 && found.file == "the draft", "{text:?}: {found:?}");
    }
}
