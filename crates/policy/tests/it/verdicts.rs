//! Each check of `decide`, and their order.

use bailiwick_domain::{
    ApprovalKind, CommandFault, Constraint, ContentHash, Diagnostic, Effect, ErrorCode, FileState, Health,
    HealthFault, IgnoreFile, Intent, IntentDraft, IntentStatus, Location, NeverRead, Observation,
    OnViolation, OwnedScope, Permission, ScopePattern, Settings, State, Timestamp, json,
};
use bailiwick_policy::{
    Access, AnchorFact, Facts, IgnoreFact, IgnoreRules, IntentFact, TargetFact, Unreadable, Verdict, decide,
    health_error, rejected_again,
};

use crate::support::{
    active, asked, blocked, call, check_allowed, check_code, content, draft, id, inside, linked, read,
    target, write,
};

fn settings(change: impl FnOnce(&mut Settings)) -> Settings {
    let mut settings = Settings::default();
    change(&mut settings);
    settings
}

fn ask_on_violation() -> Settings {
    settings(|settings| settings.on_violation = OnViolation::Ask)
}

fn ignoring(text: &str) -> IgnoreFact {
    let file = IgnoreFile { name: ".intentignore".to_owned(), text: text.to_owned() };
    IgnoreFact::Rules(IgnoreRules::parse(&[file]).unwrap())
}

fn under(change: impl FnOnce(&mut IntentDraft)) -> IntentFact {
    let mut draft = draft("INT-001", &["src/**"]);
    change(&mut draft);
    IntentFact::Active(Box::new(Intent::new(draft).unwrap()))
}

fn at(location: Location, access: Access) -> TargetFact {
    TargetFact { location, ..target("x", access) }
}

fn faults() -> [(HealthFault, ErrorCode); 4] {
    let diagnostic = Diagnostic {
        file: "f".into(),
        line: 3,
        column: 1,
        message: "bad".into(),
        fix: String::new(),
        way_out: None,
    };
    [
        (HealthFault::NoRoot, ErrorCode::MissingWorkspaceRoot),
        (HealthFault::Missing(".orchestration".into()), ErrorCode::OrchestrationMissing),
        (HealthFault::Invalid(diagnostic), ErrorCode::OrchestrationInvalid),
        (HealthFault::StateUnavailable("disk full".into()), ErrorCode::LedgerUnavailable),
    ]
}

#[test]
fn req_102_req_064_a_broken_store_blocks_even_safe_tools_but_not_our_own() {
    // K-07
    for (fault, code) in faults() {
        let health = Health::Broken(fault.clone());
        check_code(&Facts { health: health.clone(), ..read("src/a") }, code);
        check_code(&Facts { health: health.clone(), ..write("src/a") }, code);
        check_allowed(&Facts { health, ..call("select_active_intent", Vec::new()) });
        assert_eq!(health_error(&fault).code(), code);
    }
    assert!(!health_error(&HealthFault::NoRoot).is_recoverable());
}

#[test]
fn fail_safe_lets_safe_tools_through_and_nothing_else() {
    let settings = settings(|settings| settings.safe_tools_when_broken = Permission::Allow);
    for (fault, code) in faults() {
        let health = Health::Broken(fault);
        check_allowed(&Facts { health: health.clone(), settings: settings.clone(), ..read("src/a") });
        check_code(
            &Facts { health: health.clone(), settings: settings.clone(), ..read(".env") },
            ErrorCode::ProtectedPath,
        );
        check_code(&Facts { health, settings: settings.clone(), ..write("src/a") }, code);
    }
}

#[test]
fn a_halted_session_does_nothing() {
    // K-34
    for facts in [read("src/a"), write("src/a"), call("list_intents", Vec::new())] {
        check_code(&Facts { quarantine: Some("it ran".into()), ..facts }, ErrorCode::Quarantined);
    }
}

#[test]
fn req_065_an_intent_that_vanished_is_not_found() {
    check_code(
        &Facts { intent: IntentFact::Gone(id("INT-001")), ..write("src/a") },
        ErrorCode::IntentNotFound,
    );
}

#[test]
fn req_152_closed_and_frozen_intents_are_refused_by_name() {
    for status in [IntentStatus::Blocked, IntentStatus::Completed, IntentStatus::Abandoned] {
        let error = blocked(&Facts { intent: under(|draft| draft.status = status), ..write("src/a") });
        assert_eq!(error.code(), ErrorCode::IntentNotSelectable);
        assert!(error.suggestion().contains("INT-002"));
    }
    check_code(
        &Facts { intent: under(|draft| draft.frozen = true), ..write("src/a") },
        ErrorCode::IntentNotSelectable,
    );
}

// D-01: an intent with an end closes by itself
#[test]
fn an_intent_whose_time_is_over_is_refused_by_name() {
    let end = Timestamp::from_unix_ms(1_000_000);
    let at = |ms: i64| {
        let draft = IntentDraft { expires: Some(end), ..draft("INT-001", &["src/**"]) };
        let intent = Intent::new(draft).unwrap().as_of(Timestamp::from_unix_ms(ms));
        Facts { intent: IntentFact::Active(Box::new(intent)), ..write("src/a") }
    };
    assert!(matches!(decide(&at(999_999)), Verdict::WaitForApproval(_)), "{:?}", decide(&at(999_999)));
    for ms in [1_000_000, 1_000_001, i64::MAX] {
        check_code(&at(ms), ErrorCode::IntentNotSelectable);
    }
}

#[test]
fn a_call_that_names_another_intent_is_refused() {
    let naming = |name| Facts { foreign_intent: Some(id(name)), ..write("src/a") };
    check_code(&naming("INT-002"), ErrorCode::StateViolation);
    check_code(&naming("INT-999"), ErrorCode::IntentNotFound);
}

#[test]
fn strict_makes_safe_tools_wait_except_talking_and_our_own() {
    // K-29 K-31
    let settings = settings(|settings| settings.strict = true);
    check_code(&Facts { settings: settings.clone(), ..read("src/a") }, ErrorCode::StateViolation);
    for tool in ["attempt_completion", "select_active_intent"] {
        let state = State::Request;
        check_allowed(&Facts {
            settings: settings.clone(),
            state,
            intent: IntentFact::None,
            ..call(tool, Vec::new())
        });
    }
    check_allowed(&Facts { settings, ..call("read_file", vec![target("src/a", Access::Read)]) });
}

#[test]
fn req_103_req_119_completing_needs_no_intent() {
    check_allowed(&Facts {
        state: State::Reasoning,
        intent: IntentFact::None,
        ..call("attempt_completion", Vec::new())
    });
}

#[test]
fn parameters_that_cannot_be_understood_are_malformed_even_for_reading() {
    // threat D11 threat C13
    for facts in [read("src/a"), write("src/a")] {
        check_code(
            &Facts { malformed: Some("there is no path".into()), ..facts.clone() },
            ErrorCode::MalformedCall,
        );
        let much = Some(Unreadable::TooLarge("much".to_owned()));
        check_code(&Facts { malformed: much, ..facts }, ErrorCode::TooLarge);
    }
    let nul = vec![at(Location::Invalid("it holds a NUL character".into()), Access::Read)];
    check_code(&Facts { targets: nul, ..read("src/a") }, ErrorCode::MalformedCall);
}

#[test]
fn req_104_reading_stays_inside_the_root() {
    // K-35
    let reading = |location| Facts { targets: vec![at(location, Access::Read)], ..read("src/a") };
    check_code(&reading(Location::Outside("/etc/passwd".into())), ErrorCode::OutsideWorkspace);
    check_allowed(&reading(Location::Root));
    check_allowed(&reading(Location::ReadRoot("/usr/share/doc/x".into())));
    check_allowed(&reading(Location::Scratch("/tmp/host/plan.md".into())));
    check_code(&reading(Location::ReadRoot("/usr/share/.ssh/id".into())), ErrorCode::ProtectedPath);
}

#[test]
fn changing_stays_inside_the_root_and_nobody_overrides_that() {
    // K-35
    for location in
        [Location::Outside("/x".into()), Location::ReadRoot("/x".into()), Location::Scratch("/x".into())]
    {
        let facts = Facts {
            targets: vec![at(location, Access::Overwrite)],
            settings: ask_on_violation(),
            ..write("src/a")
        };
        check_code(&facts, ErrorCode::OutsideWorkspace);
    }
    let root = Facts {
        targets: vec![at(Location::Root, Access::Delete)],
        settings: ask_on_violation(),
        ..write("src/a")
    };
    check_code(&root, ErrorCode::ProtectedPath);
}

#[test]
fn an_agent_keeps_its_own_notes_in_scratch_places() {
    // D-05
    let mut facts = read("src/a");
    facts.targets = vec![at(Location::Scratch("/home/u/.host/plans/p.md".into()), Access::Overwrite)];
    check_code(&facts, ErrorCode::StateViolation);
    facts.tool.effect = Effect::Interact;
    check_allowed(&facts);
    facts.targets.push(target("src/a", Access::Overwrite));
    check_code(&facts, ErrorCode::StateViolation);
}

#[test]
fn protected_paths_open_to_no_scope_and_no_human() {
    // D-13 K-51
    for path in
        [".orchestration/active_intents.yaml", ".git/config", ".claude/settings.json", ".intentignore"]
    {
        let intent = active("INT-001", &["**", path]);
        check_code(&Facts { intent, settings: ask_on_violation(), ..write(path) }, ErrorCode::ProtectedPath);
        check_allowed(&read(path));
    }
}

#[test]
fn sensitive_paths_must_be_named_literally_and_say_so_when_asking() {
    // D-13
    let wide = Facts { intent: active("INT-001", &["**"]), ..write("CLAUDE.md") };
    let error = blocked(&wide);
    assert_eq!(error.code(), ErrorCode::ScopeViolation);
    assert!(error.reason().contains("name it literally"));
    let named = Facts { intent: active("INT-001", &["**", "CLAUDE.md"]), ..write("CLAUDE.md") };
    assert!(asked(&named).reason.contains("CLAUDE.md is sensitive"));
}

#[test]
fn req_113_secrets_are_not_read() {
    // K-32
    check_code(&read("config/.env"), ErrorCode::ProtectedPath);
    let facts = Facts {
        ignore: ignoring("[*] read\nsrc/hidden/\n"),
        ..call("read_file", vec![target("src/hidden/a", Access::Read)])
    };
    check_code(&facts, ErrorCode::IntentIgnored);
}

// Private state lies in the folder of git: its names may be listed, what is in its files is told to nobody.
#[test]
fn a_folder_that_holds_private_state_is_listed_and_not_searched_through() {
    let over = |tool: &str, place: &str| call(tool, vec![target(place, Access::Read)]);
    for (tool, searches) in
        [("search_files", false), ("a_tool_of_nobody", false), ("list_files", true), ("read_file", true)]
    {
        check_code(&Facts { searches, ..over(tool, ".git") }, ErrorCode::ProtectedPath);
        let elsewhere = Facts { searches, ..over(tool, "src") };
        if matches!(decide(&elsewhere), Verdict::Block(_)) {
            assert_ne!(blocked(&elsewhere).code(), ErrorCode::ProtectedPath, "{tool}");
        }
    }
    check_allowed(&over("list_files", ".git"));
    check_allowed(&over("read_file", ".git/HEAD"));
}

#[test]
fn what_cannot_be_read_is_not_to_be_read_before_it_is_changed() {
    let unseen =
        |path: &str, current| TargetFact { observed: None, current, ..target(path, Access::Overwrite) };
    let everything =
        |target| Facts { intent: active("INT-001", &["**"]), ..call("write_to_file", vec![target]) };

    let secret = blocked(&everything(unseen("notes/.env", content("old"))));
    assert_eq!(secret.code(), ErrorCode::ProtectedPath);
    assert!(!secret.to_json().to_string().contains("Read "), "{}", secret.to_json());
    drop(asked(&everything(unseen("notes/.env", FileState::Absent))));

    let folder = blocked(&everything(unseen("src/auth", FileState::Other)));
    assert_eq!(
        folder.message(),
        "Stale File: src/auth is no file, so there is nothing to read or to replace."
    );
    assert!(!folder.to_json().to_string().contains("Read "), "{}", folder.to_json());
    check_code(&everything(unseen("src/auth", content("old"))), ErrorCode::StaleFile);
}

#[test]
fn req_005_ignore_rules_win_over_scope_and_override() {
    // K-33
    let facts =
        Facts { ignore: ignoring("[INT-001]\nlib/\n"), settings: ask_on_violation(), ..write("lib/a") };
    let error = blocked(&facts);
    assert_eq!(error.code(), ErrorCode::IntentIgnored);
    assert_eq!(error.details()["also"], json!(["SCOPE_VIOLATION"]));
    assert!(error.reason().contains("`lib/` in [INT-001] of .intentignore"));
}

#[test]
fn req_026_rules_that_cannot_be_understood_stop_what_is_destructive() {
    let ignore = IgnoreFact::Invalid(".intentignore:3:1: not closed".into());
    check_code(&Facts { ignore: ignore.clone(), ..write("src/a") }, ErrorCode::IntentignoreInvalid);
    check_code(&Facts { ignore: ignore.clone(), ..call("Bash", Vec::new()) }, ErrorCode::IntentignoreInvalid);
    check_allowed(&Facts { ignore, ..read("src/a") });
}

#[test]
fn req_024_an_intent_without_scope_changes_nothing() {
    // K-08
    let empty = || under(|draft| draft.owned_scope = OwnedScope::default());
    for facts in [write("src/a"), call("Bash", Vec::new()), call("mcp__x__y", Vec::new())] {
        check_code(&Facts { intent: empty(), ..facts.clone() }, ErrorCode::NoScope);
        let need = asked(&Facts { intent: empty(), settings: ask_on_violation(), ..facts });
        assert_eq!(need.kind, ApprovalKind::ScopeOverride);
    }
    check_allowed(&Facts { intent: empty(), ..call("read_file", vec![target("a", Access::Read)]) });
}

#[test]
fn req_031_req_062_another_intent_gives_another_verdict() {
    asked(&write("src/a"));
    check_code(
        &Facts { intent: active("INT-002", &["lib/**"]), ..write("src/a") },
        ErrorCode::ScopeViolation,
    );
}

#[test]
fn req_085_one_bad_path_blocks_the_whole_call() {
    let targets = vec![
        target("src/a", Access::Patch),
        target("lib/b", Access::MoveTo),
        target("lib/c", Access::Delete),
    ];
    let error = blocked(&call("apply_patch", targets));
    assert_eq!(
        error.message(),
        "Scope Violation: INT-001 is not authorized to edit lib/b. Request scope expansion."
    );
    assert_eq!(error.details()["paths"], json!(["lib/b", "lib/c"]));
}

#[test]
fn req_160_every_way_to_change_is_judged_by_scope() {
    // K-17
    for access in
        [Access::Overwrite, Access::Anchored, Access::Patch, Access::Delete, Access::MoveFrom, Access::MoveTo]
    {
        check_code(&call("move_file", vec![target("lib/a", access)]), ErrorCode::ScopeViolation);
    }
}

#[test]
fn a_link_is_judged_itself_when_it_is_removed_or_moved() {
    // threat C3
    let through =
        |access| Facts { targets: vec![at(linked("src/real", "lib/link"), access)], ..write("src/a") };
    for access in [Access::Delete, Access::MoveFrom, Access::MoveTo] {
        let error = blocked(&through(access));
        assert!(error.message().contains("lib/link"), "{access:?}");
    }
    assert!(asked(&through(Access::Overwrite)).reason.contains("lib/link leads to src/real"));
    let out =
        Facts { targets: vec![at(linked("lib/real", "src/link"), Access::Overwrite)], ..write("src/a") };
    check_code(&out, ErrorCode::ScopeViolation);
}

#[test]
fn a_child_stays_inside_its_parents_scope() {
    // D-12
    let parent = |pattern: &str| Some(OwnedScope::parse([pattern]).unwrap());
    asked(&Facts { parent_scope: parent("src/a"), ..write("src/a") });
    let error = blocked(&Facts { parent_scope: parent("src/b"), ..write("src/a") });
    assert!(error.message().contains("INT-001") && error.reason().contains("src/b"));
    check_code(
        &Facts { parent_scope: Some(OwnedScope::default()), ..write("src/a") },
        ErrorCode::ScopeViolation,
    );
}

#[test]
fn a_scope_that_cannot_be_read_blocks_and_is_not_overridden() {
    // K-38
    let broken = || under(|draft| draft.owned_scope = OwnedScope::parse(["src/**", "a["]).unwrap());
    let error = blocked(&Facts { intent: broken(), settings: ask_on_violation(), ..write("src/a") });
    assert_eq!(error.code(), ErrorCode::OrchestrationInvalid);
    assert!(error.message().contains("`a[`"));
}

#[test]
fn constraints_forbid_paths_and_tools() {
    let with =
        |constraint| under(|draft| draft.constraints = vec![Constraint::Text("be nice".into()), constraint]);
    let paths = || with(Constraint::ForbidPaths(vec![ScopePattern::new("src/db/").unwrap()]));
    check_code(&Facts { intent: paths(), ..write("src/db/a") }, ErrorCode::ConstraintViolation);
    asked(&Facts { intent: paths(), ..write("src/a") });
    for name in ["execute_command", "Bash", "run_command"] {
        let intent = with(Constraint::ForbidTools(vec![name.into()]));
        check_code(&Facts { intent, ..call("Bash", Vec::new()) }, ErrorCode::ConstraintViolation);
    }
    let as_the_host_calls_it = "mcp__bailiwick__write_to_file".to_owned();
    let intent = with(Constraint::ForbidTools(vec![as_the_host_calls_it.clone()]));
    check_code(
        &Facts { intent, tool_name: as_the_host_calls_it, ..write("src/a") },
        ErrorCode::ConstraintViolation,
    );
    let unreadable = with(Constraint::ForbidPaths(vec![ScopePattern::new("a[").unwrap()]));
    check_code(&Facts { intent: unreadable, ..write("src/a") }, ErrorCode::ConstraintViolation);
    let copies = vec![target("src/db/a", Access::Read), target("src/b", Access::Overwrite)];
    asked(&Facts { intent: paths(), ..call("execute_command", copies) });
}

#[test]
fn req_164_only_declared_requirements_are_accepted() {
    // K-18
    let declaring = || under(|draft| draft.requirements = vec!["REQ-7".into()]);
    let naming = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
    asked(&Facts { intent: declaring(), requirement_ids: naming(&["REQ-7"]), ..write("src/a") });
    check_code(
        &Facts { intent: declaring(), requirement_ids: naming(&["REQ-8"]), ..write("src/a") },
        ErrorCode::TraceLinkMissing,
    );
    asked(&Facts { requirement_ids: naming(&["REQ-INT-001"]), ..write("src/a") });
    let strict = settings(|settings| settings.require_requirement = true);
    check_code(&Facts { settings: strict.clone(), ..write("src/a") }, ErrorCode::TraceLinkMissing);
    asked(&Facts { settings: strict, intent: declaring(), ..write("src/a") });
}

#[test]
fn req_145_req_166_staleness_by_what_was_seen_and_what_is_there() {
    // K-10
    let (absent, old, new) = (FileState::Absent, content("old"), content("new"));
    let cases = [
        (None, absent.clone(), None),
        (None, old.clone(), Some("never_read")),
        (None, FileState::Other, Some("never_read")),
        (Some(old.clone()), old.clone(), None),
        (Some(old.clone()), new.clone(), Some("changed")),
        (Some(absent.clone()), old.clone(), Some("created_since")),
        (Some(absent.clone()), absent.clone(), None),
    ];
    // What is put where nothing is any more asks; what needs what was there is stale.
    for (access, asks) in [
        (Access::Overwrite, true),
        (Access::MoveTo, true),
        (Access::Patch, false),
        (Access::Delete, false),
        (Access::MoveFrom, false),
    ] {
        let gone = TargetFact { current: absent.clone(), ..target("src/a", access) };
        let facts = call("move_file", vec![gone]);
        if asks {
            assert!(asked(&facts).reason.contains("src/a was read in this session and is gone since"));
        } else {
            assert_eq!(blocked(&facts).details()["cause"], "deleted_since", "{access:?}");
        }
    }
    // An empty quotation makes a file, so it needs nothing of what was there.
    let edit = |anchor| {
        let observed = Some(Observation::whole(FileState::Other));
        let gone =
            TargetFact { observed, current: absent.clone(), anchor, ..target("src/a", Access::Anchored) };
        call("edit_file", vec![gone])
    };
    assert!(asked(&edit(AnchorFact::Found)).reason.contains("is gone since"));
    assert_eq!(blocked(&edit(AnchorFact::NotQuoted)).details()["cause"], "deleted_since");
    for access in [Access::Overwrite, Access::Patch, Access::Delete, Access::MoveFrom, Access::MoveTo] {
        for (observed, current, cause) in &cases {
            let target = TargetFact {
                observed: observed.clone().map(Observation::whole),
                current: current.clone(),
                ..target("src/a", access)
            };
            let facts = call("move_file", vec![target]);
            match cause {
                None => drop(asked(&facts)),
                Some(cause) => assert_eq!(
                    blocked(&facts).details()["cause"],
                    *cause,
                    "{access:?} {observed:?} {current:?}"
                ),
            }
        }
    }
}

#[test]
fn what_is_gone_is_told_as_deleted() {
    // K-10
    let facts = call(
        "delete_file",
        vec![TargetFact { current: FileState::Absent, ..target("src/a", Access::Delete) }],
    );
    assert_eq!(blocked(&facts).details()["actual"], "DELETED");
}

#[test]
fn an_anchored_edit_of_what_was_never_shown_asks_for_a_whole_line_and_is_stale_for_less() {
    // D-44
    let edit = |anchor| {
        let unseen = TargetFact { observed: None, anchor, ..target("src/a", Access::Anchored) };
        call("edit_file", vec![unseen])
    };
    assert!(asked(&edit(AnchorFact::Found)).reason.contains("src/a exists and was never read"));
    assert_eq!(blocked(&edit(AnchorFact::FoundLoosely)).details()["cause"], "never_read");
    assert_eq!(blocked(&edit(AnchorFact::Missing)).details()["cause"], "anchor_not_found");
    assert_eq!(blocked(&edit(AnchorFact::Ambiguous)).details()["cause"], "anchor_ambiguous");
    assert_eq!(blocked(&edit(AnchorFact::NotQuoted)).details()["cause"], "never_read");
}

// D-39: a client behind a proxy has no tool to read with, so that "read it again" would lead it nowhere
#[test]
fn a_tool_that_nobody_knows_asks_about_what_was_never_read() {
    let seen = [None, Some(Observation::whole(content("other"))), Some(Observation::part(content("old")))];
    for observed in seen {
        for current in [content("old"), FileState::Other] {
            let unseen =
                TargetFact { observed: observed.clone(), current, ..target("src/a", Access::Anything) };
            let asks = asked(&call("mcp__files__write", vec![unseen]));
            assert!(asks.reason.contains("src/a exists and was never read"), "{}", asks.reason);
        }
    }
    let made = TargetFact { observed: None, current: FileState::Absent, ..target("src/a", Access::Anything) };
    assert!(!asked(&call("mcp__files__write", vec![made])).reason.contains("never read"));
}

#[test]
fn what_was_shown_in_part_is_edited_and_not_replaced() {
    // D-44
    let seen = |access, anchor| {
        let part = Some(Observation::part(content("old")));
        call("edit_file", vec![TargetFact { observed: part, anchor, ..target("src/a", access) }])
    };
    for anchor in [AnchorFact::Found, AnchorFact::FoundLoosely] {
        asked(&seen(Access::Anchored, anchor));
        asked(&seen(Access::Patch, anchor));
    }
    asked(&seen(Access::MoveFrom, AnchorFact::NotQuoted));
    let asking = Facts {
        settings: settings(|settings| settings.never_read = NeverRead::Ask),
        ..seen(Access::MoveFrom, AnchorFact::NotQuoted)
    };
    assert!(!asked(&asking).reason.contains("in part"));
    for access in [Access::Overwrite, Access::Delete, Access::MoveTo, Access::Patch] {
        let error = blocked(&seen(access, AnchorFact::NotQuoted));
        assert_eq!(error.details()["cause"], "partly_read", "{access:?}");
    }
    let mut whole = seen(Access::Overwrite, AnchorFact::NotQuoted);
    whole.settings = settings(|settings| settings.never_read = NeverRead::Ask);
    assert!(asked(&whole).reason.contains("src/a was read only in part"));
}

#[test]
fn never_read_files_follow_the_setting() {
    // K-10
    let overwrite = |never_read| Facts {
        settings: settings(|settings| settings.never_read = never_read),
        ..call("write_to_file", vec![TargetFact { observed: None, ..target("src/a", Access::Overwrite) }])
    };
    check_code(&overwrite(NeverRead::Block), ErrorCode::StaleFile);
    assert!(asked(&overwrite(NeverRead::Ask)).reason.contains("never read"));
    assert!(!asked(&overwrite(NeverRead::Allow)).reason.contains("never read"));
    // Who quotes half of what was never shown guessed it, so somebody is asked whatever the setting.
    let quote = |never_read| {
        let unseen = TargetFact {
            observed: None,
            anchor: AnchorFact::FoundLoosely,
            ..target("src/a", Access::Anchored)
        };
        Facts {
            settings: settings(|settings| settings.never_read = never_read),
            ..call("edit_file", vec![unseen])
        }
    };
    check_code(&quote(NeverRead::Block), ErrorCode::StaleFile);
    assert!(asked(&quote(NeverRead::Ask)).reason.contains("never read"));
    assert!(asked(&quote(NeverRead::Allow)).reason.contains("never read"));
}

#[test]
fn a_claimed_hash_must_be_that_of_the_disk_and_of_the_last_reading() {
    // K-46
    let claiming = |text: &str, observed: Option<FileState>| {
        let claimed = Some(ContentHash::of(text.as_bytes()));
        call(
            "write_to_file",
            vec![TargetFact {
                claimed,
                observed: observed.map(Observation::whole),
                ..target("src/a", Access::Overwrite)
            }],
        )
    };
    asked(&claiming("old", Some(content("old"))));
    for facts in
        [claiming("new", Some(content("old"))), claiming("old", None), claiming("old", Some(content("new")))]
    {
        assert_eq!(blocked(&facts).details()["cause"], "read_hash_mismatch");
    }
}

#[test]
fn the_same_block_again_and_again_is_a_loop() {
    let again = |count, facts| Facts { blocked_before: count, ..facts };
    check_code(&again(2, write("lib/a")), ErrorCode::ScopeViolation);
    let error = blocked(&again(3, write("lib/a")));
    assert_eq!(error.code(), ErrorCode::LoopDetected);
    assert_eq!(
        (&error.details()["cause"], &error.details()["count"]),
        (&json!("SCOPE_VIOLATION"), &json!(3))
    );
    assert!(error.reason().contains("is not authorized to edit lib/a"));
    asked(&again(9, write("src/a")));
    assert_eq!(rejected_again(&again(2, write("src/a"))), None);
    let rejected = rejected_again(&again(3, write("src/a"))).unwrap();
    assert_eq!(rejected.details()["cause"], "DESTRUCTIVE_ACTION_REJECTED");
    assert_eq!(rejected_again(&again(9, read("src/a"))), None);
    check_allowed(&again(9, read("src/a")));
    check_code(
        &Facts { health: Health::Broken(HealthFault::NoRoot), ..again(9, write("src/a")) },
        ErrorCode::MissingWorkspaceRoot,
    );
}

#[test]
fn req_084_commands_are_asked_about_and_not_judged_by_path() {
    // K-17
    let need = asked(&Facts { command: Some("rm -rf lib".into()), ..call("execute_command", Vec::new()) });
    assert_eq!(need.kind, ApprovalKind::Destructive);
}

#[test]
fn req_083_deleting_is_asked_about_and_judged_by_scope() {
    assert!(
        asked(&call("delete_file", vec![target("src/a", Access::Delete)]))
            .reason
            .contains("removes or moves src/a")
    );
    check_code(&call("delete_file", vec![target("lib/a", Access::Delete)]), ErrorCode::ScopeViolation);
}

#[test]
fn req_079_only_a_lone_scope_violation_can_be_overridden() {
    // K-01
    let ask = ask_on_violation;
    let mut stale = Facts { settings: ask(), ..write("lib/a") };
    stale.targets[0].observed = None;
    let error = blocked(&stale);
    assert_eq!(error.code(), ErrorCode::ScopeViolation);
    assert_eq!(error.details()["also"], json!(["STALE_FILE"]));
    check_code(
        &Facts { settings: ask(), intent: IntentFact::None, ..write("lib/a") },
        ErrorCode::MissingIntent,
    );
    check_code(
        &Facts { settings: ask(), health: Health::Broken(HealthFault::NoRoot), ..write("lib/a") },
        ErrorCode::MissingWorkspaceRoot,
    );
}

#[test]
fn a_tool_that_a_setting_calls_safe_still_changes_nothing_without_an_intent() {
    // REQ 96
    let mut facts = write("src/a");
    facts.tool.class = bailiwick_domain::Classification::Safe;
    check_allowed(&facts);
    check_code(&Facts { state: State::Reasoning, ..facts.clone() }, ErrorCode::StateViolation);
    facts.targets = vec![target("lib/a", Access::Overwrite)];
    check_code(&facts, ErrorCode::ScopeViolation);
}

#[test]
fn the_first_failure_is_returned_and_the_others_are_listed() {
    // K-34
    let mut facts = write("x");
    facts.targets = vec![
        at(Location::Outside("/x".into()), Access::Overwrite),
        TargetFact { location: inside(".git/config"), ..target("x", Access::Overwrite) },
        target("lib/a", Access::Overwrite),
        TargetFact { observed: None, ..target("src/a", Access::Overwrite) },
    ];
    facts.ignore = ignoring("lib/\n");
    facts.requirement_ids = vec!["REQ-9".into()];
    facts.malformed = Some("odd".into());
    let error = blocked(&facts);
    assert_eq!(error.code(), ErrorCode::MalformedCall);
    let also = json!([
        "OUTSIDE_WORKSPACE",
        "PROTECTED_PATH",
        "INTENT_IGNORED",
        "SCOPE_VIOLATION",
        "TRACE_LINK_MISSING",
        "STALE_FILE"
    ]);
    assert_eq!(error.details()["also"], also);
}

#[test]
fn req_020_every_refusal_says_why_and_what_next() {
    let facts = [
        Facts { health: Health::Broken(HealthFault::NoRoot), ..write("src/a") },
        Facts { quarantine: Some("x".into()), ..write("src/a") },
        Facts { state: State::Request, ..write("src/a") },
        write("lib/a"),
        write(".git/a"),
        Facts { blocked_before: 5, ..write("lib/a") },
    ];
    for facts in facts {
        let error = blocked(&facts);
        assert!(!error.reason().trim().is_empty() && !error.suggestion().trim().is_empty());
        for key in ["intent_id", "tool", "paths", "scope", "requested_path"] {
            assert!(error.details().contains_key(key), "{:?} {key}", error.code());
        }
    }
}

// D-16, D-20, K-42
#[test]
fn commands_that_no_intent_allows_are_refused_without_asking() {
    for (fault, code) in [
        (CommandFault::NotUnderstood("odd".into()), ErrorCode::CommandNotUnderstood),
        (CommandFault::Delegation("`claude --bare`".into()), ErrorCode::DelegationRefused),
        (CommandFault::HumanOnly("bailiwick approval".into()), ErrorCode::ProtectedPath),
    ] {
        let facts = Facts { command_fault: Some(fault), ..call("Bash", Vec::new()) };
        check_code(&facts, code);
        let strayed = Facts { state: State::Reasoning, intent: IntentFact::None, ..facts };
        assert_eq!(blocked(&strayed).details()["also"], json!([code]));
    }
}

#[test]
fn what_is_taken_away_stays_away_in_another_case_where_case_does_not_count() {
    // threat C8
    let scope = || active("INT-001", &["src/**", "!src/legacy/", "!**/*.Gen.ts"]);
    let limit = || {
        let forbidden = Constraint::ForbidPaths(vec![ScopePattern::new("src/DB/").unwrap()]);
        under(|draft| draft.constraints = vec![forbidden])
    };
    for (path, intent, code) in [
        ("src/Legacy/a", scope(), ErrorCode::ScopeViolation),
        ("src/x/a.gen.TS", scope(), ErrorCode::ScopeViolation),
        ("src/db/a", limit(), ErrorCode::ConstraintViolation),
    ] {
        let facts = Facts { intent, ..write(path) };
        asked(&facts);
        check_code(&Facts { folds_case: true, ..facts }, code);
    }
    asked(&Facts { intent: scope(), folds_case: true, ..write("src/New/a") });
}

#[test]
fn a_call_that_no_intent_allows_is_not_told_to_select_one() {
    let early = |target| Facts {
        state: State::Reasoning,
        intent: IntentFact::None,
        ..call("write_to_file", vec![target])
    };
    for (target, advice) in [
        (target(".git/config", Access::Overwrite), "Leave this path alone; only a human changes it."),
        (
            at(Location::Outside("/etc/hosts".to_owned()), Access::Overwrite),
            "Use a path inside the repository.",
        ),
    ] {
        let error = blocked(&early(target));
        assert_eq!((error.code(), error.is_recoverable()), (ErrorCode::StateViolation, false));
        assert_eq!(error.suggestion(), advice);
        assert!(error.reason().contains("No intent would allow it: "), "{}", error.reason());
    }
    let odd = Some(CommandFault::NotUnderstood("odd".into()));
    let error = blocked(&Facts { command_fault: odd, ..early(target("src/a", Access::Overwrite)) });
    assert_eq!(error.suggestion(), "Write the command plainly: one simple command, literal words.");
    let fits = blocked(&early(target("src/a", Access::Overwrite)));
    assert!(fits.is_recoverable() && fits.suggestion().contains("select_active_intent"));
}

#[test]
fn the_null_device_may_be_read_and_not_be_changed() {
    let null = |tool, access| Facts {
        targets: vec![at(Location::Outside("/dev/null".to_owned()), access)],
        ..call(tool, vec![])
    };
    check_allowed(&null("read_file", Access::Read));
    check_code(&null("write_to_file", Access::Overwrite), ErrorCode::OutsideWorkspace);
    let zero = at(Location::Outside("/dev/zero".to_owned()), Access::Read);
    check_code(&call("read_file", vec![zero]), ErrorCode::OutsideWorkspace);
}

#[test]
fn a_quotation_of_a_file_that_is_not_there_is_told_so() {
    let missing = TargetFact {
        observed: None,
        current: FileState::Absent,
        anchor: AnchorFact::Missing,
        ..target("src/a", Access::Anchored)
    };
    let error = blocked(&call("edit_file", vec![missing]));
    assert_eq!(error.code(), ErrorCode::StaleFile);
    assert_eq!(error.message(), "Stale File: src/a does not exist, so nothing in it can be replaced.");
    assert_eq!(error.suggestion(), "Name a file that is there, or write this one whole.");
    let unread = TargetFact { observed: None, ..target("src/a", Access::Overwrite) };
    let error = blocked(&call("write_to_file", vec![unread]));
    assert_eq!(error.suggestion(), "Read the file, then make the change on what it says now.");
}

#[test]
fn an_edit_of_what_changed_since_it_was_read_says_so_in_the_question() {
    // D-44
    let edit = |current: &str| {
        let target = TargetFact { current: content(current), ..target("src/a", Access::Anchored) };
        asked(&call("edit_file", vec![target])).reason
    };
    assert!(edit("new").contains("src/a changed since the agent read it; the text that it quotes is there."));
    assert!(!edit("old").contains("changed since"));
}
