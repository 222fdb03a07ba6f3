//! `config.yaml`: what is in force, what loosens, where values come from, and what is said about bad ones.

use std::fs;
use std::sync::Arc;

use bailiwick_adapters_fs::{ConfigReport, FsPolicySource, config_with, settings_of};
use bailiwick_domain::{AskOutbound, NeverRead, OnViolation, PolicySource, PortError, Reselect, Settings};
use pollster::block_on;

use crate::governed::{Later, Place};

fn with(config: &str) -> Place {
    let place = Place::new();
    fs::write(place.layout().config_file(), config).unwrap();
    place
}

fn report(place: &Place) -> ConfigReport {
    FsPolicySource::new(place.layout()).config_report().unwrap()
}

fn in_force(place: &Place) -> Settings {
    block_on(FsPolicySource::new(place.layout()).settings()).unwrap()
}

fn lines<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Every key that something obeys, each with a value that is not the default.
const ALL: &str = r#"
handshake: {reselect: session, strict: true}
scope: {on_violation: ask, overlap: deny}
stale: {never_read: ask}
approval: {channel: queue, timeout_s: 105, grants: false, show_prompt: false, dialogs: [zed]}
commands: {read_only: destructive, allow: ["cargo test …"]}
classification: {my_tool: SAFE, other_tool: DESTRUCTIVE}
protect: {write: ["ops/**"], read: [".secrets/"]}
read: {roots: [/usr/include]}
network: {allow: [docs.rs], ask: all}
loop: {repeats: 5}
intents: {broad_files: 500, broad_share: 0.25}
trace: {require_requirement: true, sign: true, sync: os, in_git: false, keys: ["ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c dana"]}
retention: {days: 7, log_mb: 16}
context: {max_bytes: 4096, include: [lessons]}
fail_safe: {safe_tools: allow}
lessons: {from_agents: true}
"#;

#[test]
fn without_a_file_every_default_applies() {
    let place = Place::new();
    assert_eq!(in_force(&place), Settings::default());
    let report = report(&place);
    assert!(report.sourced.iter().all(|sourced| sourced.source == "default"));
    assert_eq!((report.warnings.len(), report.errors.len()), (0, 0));
}

#[test]
fn comments_alone_are_a_valid_file() {
    assert_eq!(in_force(&with("# nothing yet\n")), Settings::default());
}

// D-18
#[test]
fn what_loosens_waits_for_a_human_and_what_tightens_applies_at_once() {
    let place = with(ALL);
    let settings = in_force(&place);
    assert!(settings.strict && settings.require_requirement && settings.trace_sign);
    assert_eq!(settings.protect_write, ["ops/**"]);
    assert_eq!(settings.classification.keys().collect::<Vec<_>>(), ["other_tool"]);
    let default = Settings::default();
    assert_eq!(settings.reselect, default.reselect);
    assert_eq!(settings.on_violation, default.on_violation);
    assert_eq!(settings.never_read, default.never_read);
    assert_eq!(settings.approval_timeout_s, default.approval_timeout_s);
    assert_eq!(settings.dialogs, default.dialogs); // D-40
    assert_eq!(settings.read_roots, default.read_roots);
    assert_eq!(settings.allowed_commands, default.allowed_commands); // D-32
    assert_eq!((settings.network_allow, settings.network_ask), (default.network_allow, AskOutbound::All));
    assert_eq!(settings.loop_repeats, default.loop_repeats);
    assert_eq!(settings.sync, default.sync);
    assert_eq!(settings.safe_tools_when_broken, default.safe_tools_when_broken);
    let report = report(&place);
    assert_eq!(report.errors, []);
    insta::assert_snapshot!("loosening_warnings", lines(&report.warnings));
    let sourced: Vec<String> =
        report.sourced.iter().map(|one| format!("{} = {} <- {}", one.key, one.value, one.source)).collect();
    insta::assert_snapshot!("sourced_before_acceptance", sourced.join("\n"));
}

// D-18
#[test]
fn acceptance_is_of_the_exact_bytes_on_this_machine() {
    let place = with(ALL);
    FsPolicySource::new(place.layout()).accept_config().unwrap();
    let settings = in_force(&place);
    assert_eq!(settings.reselect, Reselect::Session);
    assert_eq!(settings.on_violation, OnViolation::Ask);
    assert_eq!(settings.never_read, NeverRead::Ask);
    assert_eq!(settings.read_roots, ["/usr/include"]);
    assert_eq!(settings.allowed_commands, ["cargo test …"]);
    assert_eq!(settings.network_allow, ["docs.rs"]);
    assert_eq!(settings.classification.len(), 2);
    assert!(!settings.grants);
    assert_eq!(report(&place).warnings, []);
    assert!(
        report(&place)
            .sourced
            .iter()
            .all(|one| !one.source.contains("not accepted") && one.source != "default")
    );
    fs::write(place.layout().config_file(), format!("{ALL}\n")).unwrap();
    assert_eq!(in_force(&place).on_violation, OnViolation::Block);
    fs::write(place.layout().config_file(), ALL).unwrap();
    assert_eq!(in_force(&place).on_violation, OnViolation::Ask);
}

// D-18
#[test]
fn another_root_or_a_damaged_memory_accepts_nothing() {
    let (place, other) = (with(ALL), with(ALL));
    let shared = place.layout_with_state_of(&other);
    FsPolicySource::new(shared).accept_config().unwrap();
    assert_eq!(in_force(&other).on_violation, OnViolation::Block);
    FsPolicySource::new(other.layout()).accept_config().unwrap();
    assert_eq!(in_force(&other).on_violation, OnViolation::Ask);
    for file in fs::read_dir(other.user_state().join("accepted")).unwrap() {
        fs::write(file.unwrap().path(), "{").unwrap();
    }
    assert_eq!(in_force(&other).on_violation, OnViolation::Block);
}

// D-18
#[test]
fn without_a_users_state_nothing_can_be_accepted() {
    let place = with(ALL);
    let source = FsPolicySource::new(place.layout_without_state());
    assert!(matches!(source.accept_config(), Err(PortError::Unavailable(_))));
    assert_eq!(block_on(source.settings()).unwrap().on_violation, OnViolation::Block);
}

#[test]
fn a_file_that_is_missing_or_invalid_cannot_be_accepted() {
    assert!(FsPolicySource::new(Place::new().layout()).accept_config().is_err());
    let place = with("scope: {on_violation: maybe}\n");
    assert!(matches!(FsPolicySource::new(place.layout()).accept_config(), Err(PortError::Invalid(_))));
}

// D-31, D-18: to ask about less than the default loosens, to ask about more does not
#[test]
fn what_is_broad_is_set_in_files_and_as_a_share() {
    for (text, files, permille) in [
        ("intents: {broad_files: 50, broad_share: 0.05}", 50, 50),
        ("intents: {broad_share: 0}", 200, 0),
        ("intents: {broad_files: 201, broad_share: 0.5}", 200, 100),
    ] {
        let settings = in_force(&with(text));
        assert_eq!((settings.broad_files, settings.broad_permille), (files, permille), "{text}");
    }
    for text in
        ["broad_share: 1.5", "broad_share: 10%", "broad_share: 0.0001", "broad_files: 0", "broad_share: .1"]
    {
        let report = report(&with(&format!("intents: {{{text}}}")));
        assert_eq!(report.errors.len(), 1, "{text}");
    }
}

#[test]
fn keys_that_nothing_obeys_are_said_to_be_without_effect() {
    let place = with("intents: {id_pattern: \"X-*\"}\ntrace: {in_git: false}\nlessons: {file: auto}\n");
    let report = report(&place);
    assert_eq!(report.errors, []);
    let warnings: Vec<&str> = report.warnings.iter().map(|warning| warning.message.as_str()).collect();
    let expected = ["intents.id_pattern", "lessons.file"];
    assert_eq!(warnings, expected.map(|key| format!("`{key}` has no effect yet")));
}

#[test]
fn a_section_of_the_context_that_does_not_exist_is_said_and_breaks_nothing() {
    let place = with("context: {include: [acceptance, lesson]}\n");
    let report = report(&place);
    assert_eq!(report.errors, []);
    let warnings: Vec<&str> = report.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(warnings, ["`context.include`: there is no section `lesson`"]);
    assert_eq!(in_force(&place).context_include, ["acceptance", "lesson"]);
}

/// Files that are wrong in one way each.
const BAD: &[(&str, &str)] = &[
    ("near section", "scop: {overlap: deny}"),
    ("far section", "colours: {}"),
    ("near key", "scope: {on_violations: block}"),
    ("key of another section", "scope: {strict: true}"),
    ("dotted key", "scope.on_violation: ask"),
    ("near value", "scope:\n  on_violation: aks"),
    ("far value", "scope: {on_violation: never}"),
    ("value of another type", "scope: {on_violation: [ask]}"),
    ("number for a flag", "handshake: {strict: 1}"),
    ("word for a flag", "handshake: {strict: on}"),
    ("word for a number", "loop: {repeats: many}"),
    ("number out of range", "approval: {timeout_s: 111}"),
    ("zero", "loop: {repeats: 0}"),
    ("negative", "context: {max_bytes: -1}"),
    ("section is a word", "scope: block"),
    ("no value", "scope:\n  overlap:"),
    ("class in lower case", "classification: {my_tool: safe}"),
    ("text for a list", "protect: {write: ops/}"),
    ("exclusion", "protect: {read: [\"!ops/\"]}"),
    ("relative root", "read: {roots: [~/include]}"),
    ("twice", "loop: {repeats: 2}\nloop: {repeats: 3}"),
    ("wrong type without effect", "trace: {sign: maybe}"),
    ("list", "- scope"),
];

// D-29
#[test]
fn every_bad_key_and_value_is_named_with_its_place_and_the_likely_word() {
    let mut answers = Vec::new();
    for (name, file) in BAD {
        let place = with(file);
        let report = report(&place);
        assert!(!report.errors.is_empty(), "{name}");
        let first = report.errors[0].clone();
        assert_eq!(
            block_on(FsPolicySource::new(place.layout()).settings()),
            Err(PortError::Invalid(first)),
            "{name}"
        );
        answers.push(format!("## {name}\n{}", lines(&report.errors)));
    }
    insta::assert_snapshot!(answers.join("\n\n"));
}

// REQ 43, K-37
#[test]
fn settings_are_parsed_once_and_an_edit_applies_at_once() {
    let place = with(ALL);
    let source = FsPolicySource::with_clock(place.layout(), Arc::new(Later));
    for _ in 0..100 {
        assert!(block_on(source.settings()).unwrap().strict);
    }
    assert_eq!(source.reads_and_parses(), (1, 1));
    let next_process = FsPolicySource::with_clock(place.layout(), Arc::new(Later));
    assert!(block_on(next_process.settings()).unwrap().strict);
    assert_eq!(next_process.reads_and_parses(), (0, 0));
    fs::write(place.layout().config_file(), "handshake: {strict: false}\n").unwrap();
    assert!(!block_on(source.settings()).unwrap().strict);
    fs::remove_file(place.layout().config_file()).unwrap();
    assert_eq!(block_on(source.settings()), Ok(Settings::default()));
}

/// Ways in which a section can stand in a file.
const FORMS: [&str; 9] = [
    "",
    "# only a comment",
    "loop: {repeats: 2}",
    "trace:\n  sync: always # mine\n",
    "trace:\r\n    require_requirement: true\r\n    in_git: true\r\n",
    "trace: { sync: always }\nhandshake: {strict: true}\n",
    "trace: {}\n",
    "trace: {in_git: \"yes\"}",
    "\u{feff}trace:\n  in_git: true   # why\n",
];

// D-08
#[test]
fn a_value_is_written_into_every_form_and_nothing_else_changes() {
    for form in FORMS {
        for value in ["true", "false"] {
            let Ok(changed) = config_with(form, &[("trace.in_git", value)]) else {
                assert!(form.contains("\"yes\""), "{form:?}: only an invalid file is refused");
                continue;
            };
            assert_eq!(settings_of(&changed).unwrap().trace_in_git, value == "true", "{changed}");
            assert_eq!(config_with(&changed, &[("trace.in_git", value)]).unwrap(), changed, "again");
            let other =
                |text: &str| bailiwick_domain::Settings { trace_in_git: true, ..settings_of(text).unwrap() };
            assert_eq!(other(&changed), other(form));
            for comment in ["# only a comment", "# mine", "# why"] {
                assert_eq!(changed.contains(comment), form.contains(comment), "{changed}");
            }
        }
    }
}

#[test]
fn what_cannot_be_changed_safely_is_left_to_a_human() {
    for text in ["{loop: {repeats: 2}}", "trace:\n", "scop: 1", "- a"] {
        assert!(config_with(text, &[("trace.in_git", "false")]).is_err(), "{text}");
    }
}

// D-36, D-18
#[test]
fn what_may_leave_unasked_is_a_list_of_hosts_that_loosens() {
    let place = with("network: {allow: [docs.rs, '*.example.com'], ask: all}\n");
    let settings = in_force(&place);
    assert_eq!((settings.network_allow.len(), settings.network_ask), (0, AskOutbound::All));
    FsPolicySource::new(place.layout()).accept_config().unwrap();
    assert_eq!(in_force(&place).network_allow, ["docs.rs", "*.example.com"]);
    for wrong in ["https://docs.rs", "docs.rs/x", "'*'", "a@b", "'*.'", "docs.rs:443"] {
        let place = with(&format!("network: {{allow: [{wrong}]}}\n"));
        assert_eq!(report(&place).errors.len(), 1, "{wrong}");
    }
}

// A key in the settings is a proposal; what is none is told where it stands
#[test]
fn keys_are_read_as_they_are_proposed() {
    let found = report(&with("trace: {keys: [\"dana ed25519:00\"]}\n"));
    assert!(
        found.errors.iter().any(|error| error.to_string().contains("does not start with a key")),
        "{found:#?}"
    );
    assert!(settings_of(ALL).unwrap().trace_keys[0].ends_with(" dana"));
}
