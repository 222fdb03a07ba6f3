//! The optimistic lock at the gate: rows 128, 130, 145, 166, 167; K-10, K-11, K-46, D-09.

use bailiwick::gate::HostTraits;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    ContentHash, EditRules, ErrorCode, FileState, NeverRead, PortError, SessionStore, Showed, Shown,
    ToolCall, ToolError, ToolResult, Value, json,
};

use super::world::{JWT, JWT_TEXT, World};

const STALE: &str = "Stale File: src/auth/jwt.rs changed since it was read. Read it again before writing.";

fn hash(text: &str) -> String {
    ContentHash::of(text.as_bytes()).to_string()
}

fn stale(world: &World, call: &ToolCall, cause: &str) -> ToolError {
    let error = world.refuses(call, ErrorCode::StaleFile);
    assert_eq!(error.details()["cause"], cause, "{}", error.message());
    assert!(error.is_recoverable());
    error
}

#[test]
fn req_128_req_130_req_166_req_167_an_outside_edit_blocks_the_write_until_it_is_read_again() {
    let world = World::ready();
    world.edit_outside(JWT, "fn other() {}\n");
    let call = world.write(JWT, "new\n");
    let error = stale(&world, &call, "changed");
    assert_eq!((error.message(), error.to_json().contains("\"kind\":\"StaleFile\"")), (STALE, true));
    assert_eq!(error.details()["expected"], hash(JWT_TEXT));
    assert_eq!(error.details()["actual"], hash("fn other() {}\n"));
    assert_eq!(world.text(JWT), "fn other() {}\n");
    world.read(JWT);
    world.mutates(&world.again(&call));
}

#[test]
fn req_167_many_stale_tries_do_not_stop_the_write_after_the_reading() {
    let world = World::ready();
    world.edit_outside(JWT, "fn other() {}\n");
    let call = world.write(JWT, "new\n");
    for _ in 0..3 {
        stale(&world, &world.again(&call), "changed");
    }
    world.refuses(&world.again(&call), ErrorCode::LoopDetected);
    world.read(JWT);
    world.mutates(&world.again(&call));
}

#[test]
fn req_167_the_whole_loop_of_a_file_that_was_changed_deleted_or_created_since() {
    // Refused with the sentence, left alone, read again, and then the very same change passes.
    let edit = |world: &World| {
        world.call(
            "edit_file",
            json!({"path": JWT, "old_string": "fn sign() {}", "new_string": "fn seal() {}"}),
        )
    };
    let world = World::ready();
    world.edit_outside(JWT, "fn sign() {}\nfn theirs() {}\n");
    let change = world.write(JWT, "mine\n");
    assert_eq!(stale(&world, &change, "changed").message(), STALE);
    assert_eq!(world.text(JWT), "fn sign() {}\nfn theirs() {}\n");
    world.read(JWT);
    world.mutates(&world.again(&change));
    assert_eq!(world.text(JWT), "mine\n");

    let world = World::ready();
    world.remove_outside(JWT);
    let change = edit(&world);
    let error = stale(&world, &change, "deleted_since");
    assert_eq!((error.message(), &error.details()["actual"]), (STALE, &json!("DELETED")));
    assert!(!world.exists(JWT));
    world.edit_outside(JWT, JWT_TEXT);
    world.read(JWT);
    world.mutates(&world.again(&change));
    assert_eq!(world.text(JWT), "fn seal() {}\nfn verify() {}\n");

    let world = World::ready();
    world.mutates(&world.call("delete_file", json!({"path": JWT})));
    world.edit_outside(JWT, "theirs\n");
    let change = world.write(JWT, "mine\n");
    let error = stale(&world, &change, "created_since");
    assert_eq!((error.message(), &error.details()["expected"]), (STALE, &json!("ABSENT")));
    assert_eq!(world.text(JWT), "theirs\n");
    world.read(JWT);
    world.mutates(&world.again(&change));
    assert_eq!(world.text(JWT), "mine\n");
}

#[test]
fn req_167_a_file_that_went_away_or_appeared_since_is_stale() {
    // K-10
    let world = World::ready();
    world.remove_outside(JWT);
    let delete = world.call("delete_file", json!({"path": JWT}));
    assert_eq!(stale(&world, &delete, "deleted_since").details()["actual"], "DELETED");
    let world = World::in_action();
    let call = world.write("src/auth/new.rs", "one\n");
    world.mutates(&call);
    world.mutates(&world.call("delete_file", json!({"path": "src/auth/new.rs"})));
    world.edit_outside("src/auth/new.rs", "theirs\n");
    let error = stale(&world, &world.write("src/auth/new.rs", "mine\n"), "created_since");
    assert_eq!(error.details()["expected"], "ABSENT");
}

#[test]
fn req_166_a_file_that_was_never_read_is_not_overwritten() {
    // K-10
    let world = World::in_action();
    let call = world.write(JWT, "new\n");
    let error = stale(&world, &call, "never_read");
    assert_eq!(
        error.message(),
        "Stale File: src/auth/jwt.rs was never read in this session. Read it before writing."
    );
    stale(&world, &world.call("delete_file", json!({"path": JWT})), "never_read");
    stale(
        &world,
        &world.call("insert_content", json!({"path": JWT, "line": 1, "content": "x"})),
        "never_read",
    );
    world.settings(|settings| settings.never_read = NeverRead::Ask);
    assert!(world.asks_what(&world.again(&call)).reason.contains("was never read in this session"));
    world.settings(|settings| settings.never_read = NeverRead::Allow);
    assert!(!world.asks_what(&world.write(JWT, "other\n")).reason.contains("never read"));
}

#[test]
fn req_145_an_edit_that_quotes_a_line_that_is_there_needs_no_reading() {
    // K-10, D-09, D-44
    let world = World::in_action();
    let edit = |old: &str| {
        world.call("edit_file", json!({"path": JWT, "old_string": old, "new_string": "fn x() {}"}))
    };
    stale(&world, &edit("fn gone() {}"), "anchor_not_found");
    stale(&world, &edit("fn"), "anchor_ambiguous");
    stale(&world, &edit("sign"), "never_read");
    world.edit_outside(JWT, "// moved down\nfn sign() {}\nfn verify() {}\n");
    world.mutates(&edit("fn sign() {}"));
    assert_eq!(world.text(JWT), "// moved down\nfn x() {}\nfn verify() {}\n");
}

#[test]
fn req_145_a_read_hash_is_evidence_and_not_authority() {
    // K-46
    let claiming = |world: &World, text: &str| ToolCall {
        read_hash: Some(ContentHash::of(text.as_bytes())),
        ..world.write(JWT, "new\n")
    };
    let world = World::in_action();
    stale(&world, &claiming(&world, JWT_TEXT), "read_hash_mismatch");
    world.read(JWT);
    stale(&world, &claiming(&world, "something else"), "read_hash_mismatch");
    world.edit_outside(JWT, "theirs\n");
    stale(&world, &claiming(&world, "theirs\n"), "read_hash_mismatch");
    world.read(JWT);
    world.asks(&claiming(&world, "theirs\n"));
}

#[test]
fn searching_listing_and_failed_reads_are_no_reading() {
    // K-11
    let world = World::in_action();
    for call in [
        world.call("search_files", json!({"path": JWT, "regex": "fn"})),
        world.call("list_files", json!({"path": "src/auth"})),
        world.call("glob", json!({"pattern": "src/auth/*"})),
    ] {
        world.passes_unasked(&call);
        assert!(world.post(&call).observations.is_empty());
    }
    let failed = world.call("read_file", json!({"path": JWT}));
    world.passes_unasked(&failed);
    assert!(world.post_failed(&failed).observations.is_empty());
    stale(&world, &world.write(JWT, "new\n"), "never_read");
}

#[test]
fn a_proved_cat_shows_the_whole_file_and_one_in_the_background_nothing() {
    // K-11, D-03, A9
    let cat = |world: &World, background: bool| {
        world.read_only("cat src/auth/jwt.rs", &[JWT]);
        let call = world.call(
            "execute_command",
            json!({"command": "cat src/auth/jwt.rs", "run_in_background": background}),
        );
        world.passes_unasked(&call);
        world.post(&call)
    };
    let world = World::in_action();
    assert!(cat(&world, true).observations.is_empty());
    stale(&world, &world.write(JWT, "new\n"), "never_read");
    assert_eq!(cat(&world, false).observations[JWT], Some(ContentHash::of(JWT_TEXT.as_bytes())));
    world.mutates(&world.write(JWT, "new\n"));
}

/// Reads a file as a host does that tells what it showed.
fn reads(world: &World, params: Value, showed: Option<Showed>) {
    let call = world.call("read_file", params);
    world.passes_unasked(&call);
    pollster::block_on(world.gate.post(&call, &ToolResult { ok: true, showed })).unwrap();
}

fn lines(first: u64, total: u64, text: &str) -> Option<Showed> {
    Some(Showed::Lines { first, total, text: text.to_owned() })
}

#[test]
fn a_part_of_a_file_is_enough_for_an_edit_and_not_for_replacing_it() {
    // D-44, A9: by the parameters, and by the host's counts, which may say more or less
    let one_line = json!({"path": JWT, "offset": 1, "limit": 1});
    let all = json!({"path": JWT});
    for (params, showed) in [
        (one_line.clone(), None),
        (one_line, lines(1, 3, "fn sign() {}")),
        (all.clone(), lines(1, 3, "fn sign() {}")),
        (all.clone(), lines(2, 3, "fn verify() {}\n")),
    ] {
        let world = World::in_action();
        reads(&world, params.clone(), showed);
        let error = stale(&world, &world.write(JWT, "new\n"), "partly_read");
        assert!(error.message().contains("only a part of src/auth/jwt.rs was read"), "{}", error.message());
        stale(&world, &world.call("delete_file", json!({"path": JWT})), "partly_read");
        let word = json!({"path": JWT, "old_string": "sign", "new_string": "seal"});
        world.mutates(&world.call("edit_file", word));
        stale(&world, &world.write(JWT, "new\n"), "partly_read");
        reads(&world, all.clone(), None);
        reads(&world, json!({"path": JWT, "limit": 1}), None);
        world.mutates(&world.write(JWT, "new\n"));
        world.mutates(&world.write(JWT, "newer\n"));
    }
    let world = World::in_action();
    reads(&world, json!({"path": JWT, "limit": 500}), lines(1, 3, JWT_TEXT));
    world.mutates(&world.write(JWT, "new\n"));
}

#[test]
fn a_change_while_a_tool_looks_is_no_reading() {
    // A9: what the host hands on is not what is there after it; or the gate saw it change between the two events
    let world = World::in_action();
    reads(&world, json!({"path": JWT}), lines(1, 3, "fn sign() {}\nfn other() {}\n"));
    stale(&world, &world.write(JWT, "new\n"), "never_read");
    world.read_only("cat src/auth/jwt.rs", &[JWT]);
    let cat = world.call("execute_command", json!({"command": "cat src/auth/jwt.rs"}));
    world.passes_unasked(&cat);
    let printed = Some(Showed::Printed("fn sign() {}".to_owned()));
    pollster::block_on(world.gate.post(&cat, &ToolResult { ok: true, showed: printed })).unwrap();
    stale(&world, &world.write(JWT, "new\n"), "never_read");

    let world = World::on(HostTraits { hides_output: true, ..HostTraits::default() });
    world.prompt();
    world.select("INT-001");
    let read = world.call("read_file", json!({"path": JWT}));
    world.passes_unasked(&read);
    world.edit_outside(JWT, "theirs\n");
    assert!(world.post(&read).observations.is_empty());
    stale(&world, &world.write(JWT, "new\n"), "never_read");
    world.read(JWT);
    world.mutates(&world.write(JWT, "new\n"));
}

#[test]
fn a_look_that_a_full_disk_has_no_room_for_makes_the_reading_count_for_nothing() {
    let world = World::on(HostTraits { hides_output: true, ..HostTraits::default() });
    world.prompt();
    world.select("INT-001");
    world.sessions.fail_to_look(Some(PortError::Unavailable("no space left on the device".to_owned())));
    let read = world.call("read_file", json!({"path": JWT}));
    world.passes_unasked(&read);
    let unsaid = ToolResult { ok: true, showed: Some(Showed::Nothing) };
    let report = pollster::block_on(world.gate.post(&read, &unsaid)).unwrap();
    assert!(report.observations.is_empty());
    stale(&world, &world.write(JWT, "new\n"), "never_read");
    world.sessions.fail_to_look(None);
    world.read(JWT);
    world.mutates(&world.write(JWT, "new\n"));
}

#[test]
fn an_edit_that_replaces_every_place_of_what_was_never_read_is_stale() {
    // A9: `replace_all` of a blank
    let world = World::in_action();
    let edit = |old: &str| {
        world.call(
            "edit_file",
            json!({"path": JWT, "old_string": old, "new_string": "_", "replace_all": true}),
        )
    };
    stale(&world, &edit(" "), "never_read");
    stale(&world, &edit("fn sign() {}"), "never_read");
    world.read(JWT);
    world.mutates(&edit(" "));
}

#[test]
fn a_patch_of_what_was_never_read_asks_where_it_quotes_lines_at_one_place() {
    // D-44
    let world = World::in_action();
    let patch = |old: &str| {
        let text = format!("*** Begin Patch\n*** Update File: {JWT}\n@@\n{old}+// new\n*** End Patch");
        world.call("apply_patch", json!({ "patch": text }))
    };
    stale(&world, &patch(""), "never_read");
    assert!(world.asks_what(&patch(" fn verify() {}\n")).reason.contains("was never read in this session"));
}

#[test]
fn a_file_that_was_read_and_is_gone_can_be_written_again() {
    // B: ABSENT is a fact, not stale for ever
    let world = World::ready();
    world.remove_outside(JWT);
    let write = world.write(JWT, "new\n");
    assert!(world.asks_what(&write).reason.contains("was read in this session and is gone since"));
    world.mutates(&world.write(JWT, "again\n"));
    world.mutates(&world.write(JWT, "once more\n"));
}

#[test]
fn the_own_write_is_the_next_baseline() {
    // K-10
    let world = World::ready();
    world.mutates(&world.write(JWT, "one\n"));
    world.mutates(&world.write(JWT, "two\n"));
    world.edit_outside(JWT, "theirs\n");
    stale(&world, &world.write(JWT, "three\n"), "changed");
}

#[test]
fn what_another_session_read_counts_for_nothing_here() {
    // D-12
    let world = World::in_action();
    let other = bailiwick_domain::Actor::root("claude-code", "s2");
    world.read_as(&other, JWT);
    stale(&world, &world.write(JWT, "new\n"), "never_read");
    assert_ne!(other, sample::actor());
}

#[test]
fn a_new_file_needs_no_reading() {
    let world = World::in_action();
    world.mutates(&world.write("src/auth/new.rs", "x\n"));
}

#[test]
fn moving_onto_a_file_that_was_never_read_is_overwriting_it() {
    // K-10
    let world = World::ready();
    world.edit_outside("src/auth/token.rs", "precious\n");
    stale(&world, &world.call("move_file", json!({"from": JWT, "to": "src/auth/token.rs"})), "never_read");
}

/// A host whose tools keep line ends and take the line along; `is_guess`: whose version is not known.
fn client(is_guess: bool) -> World {
    let edits = EditRules {
        keeps_marks: true,
        keeps_line_ends: true,
        curls_quotes: true,
        takes_the_line: true,
        is_guess,
        ..EditRules::LITERAL
    };
    let world = World::on(HostTraits { edits, ..HostTraits::default() });
    world.prompt();
    world.select("INT-001");
    world.edit_outside(JWT, "one\r\ntwo\r\n");
    world.read(JWT);
    world
}

#[test]
fn what_the_host_will_write_is_shown_and_remembered_by_its_own_rules() {
    // B: CRLF, and an empty replacement that takes its line
    let world = client(false);
    let edit = |old: &str, new: &str| {
        world.call("edit_file", json!({"path": JWT, "old_string": old, "new_string": new}))
    };
    let call = edit("one\ntwo", "1\n2\n3");
    world.passes_by_yes(&call);
    let pending = world.pendings.calls().pop().unwrap();
    let expected = FileState::Content(ContentHash::of(b"1\r\n2\r\n3\r\n"));
    assert_eq!(pending.files[0].predicted, Some(expected));
    world.edit_outside(JWT, "1\r\n2\r\n3\r\n");
    world.post(&call);
    let question = world.asks_what(&edit("2", ""));
    assert!(question.diff_preview.contains("-2\r\n") || question.diff_preview.contains("-2\n"));
    assert!(!question.diff_preview.contains("\n+\r") && !question.diff_preview.contains("\n+\n"));
    assert!(question.diff_preview.contains("also removes the line end"), "{}", question.diff_preview);
}

// B, D-02
#[test]
fn where_only_plain_texts_were_measured_a_grant_covers_those_alone() {
    let edits = EditRules { plain_only: true, ..EditRules::LITERAL };
    let world = World::on(HostTraits { edits, ..HostTraits::default() });
    world.prompt();
    world.select("INT-001");
    let edit =
        |new: &str| world.call("edit_file", json!({"path": JWT, "old_string": "one", "new_string": new}));
    let holds = |text: &str| {
        world.edit_outside(JWT, text);
        world.read(JWT);
    };
    holds("one\ntwo\n");
    let question = world.asks_what(&edit("1"));
    assert!(question.offer.is_some() && !question.diff_preview.contains("Nobody has tested"));
    assert!(world.asks_what(&world.write("src/auth/new.rs", "x\n")).offer.is_some());
    assert_eq!(world.asks_what(&edit("")).offer, None, "a text that goes");
    for other in ["1\r\n2", "\u{feff}1"] {
        assert_eq!(world.asks_what(&edit(other)).offer, None, "{other:?}");
        assert_eq!(world.asks_what(&world.write("src/auth/new.rs", other)).offer, None, "{other:?}");
    }
    for text in ["one\r\ntwo\r\n", "\u{feff}one\ntwo\n", "one\0\ntwo\n"] {
        holds(text);
        let question = world.asks_what(&edit("1"));
        assert_eq!(question.offer, None, "{text:?}");
        assert!(question.diff_preview.contains("Nobody has tested"), "{}", question.diff_preview);
    }
}

// B, D-02, D-35: no applier but those that were measured; a carriage return, the mark of a file's end, an empty last line,
// two sections about one file
#[test]
fn a_patch_is_predicted_where_its_applier_was_measured_and_it_is_read_in_one_way() {
    for (rules, is_measured, is_literal) in [
        (EditRules { is_guess: true, ..EditRules::LITERAL }, false, false),
        (EditRules { plain_only: true, ..EditRules::LITERAL }, true, false),
        (EditRules::LITERAL, true, true),
    ] {
        let world = World::on(HostTraits { edits: rules, ..HostTraits::default() });
        world.prompt();
        world.select("INT-001");
        world.edit_outside(JWT, "one\ntwo\n");
        world.read(JWT);
        let offers = |section: &str| {
            let patch = format!("*** Begin Patch\n{section}\n*** End Patch\n");
            world.asks_what(&world.call("apply_patch", json!({"patch": patch}))).offer.is_some()
        };
        let changes = |line: &str| offers(&format!("*** Update File: {JWT}\n@@\n-one\n+{line}"));
        let adds = |lines: &str| offers(&format!("*** Add File: src/auth/new.rs\n{lines}"));
        assert_eq!((changes("1"), adds("+1")), (is_measured, is_measured), "{rules:?}");
        for disputed in ["1\r", "1\n*** End of File"] {
            assert_eq!(changes(disputed), is_literal, "{disputed:?} {rules:?}");
        }
        let ends = offers(&format!("*** Update File: {JWT}\n@@\n-two\n+2\n+"));
        assert_eq!((ends, adds("+1\n+")), (is_literal, is_literal), "an empty last line, {rules:?}");
        let twice = |other: &str| {
            let update =
                |name: &str, line: &str| format!("*** Update File: {name}\n@@\n-{line}\n+{line}, once");
            offers(&[update(JWT, "one"), update(other, "two")].join("\n"))
        };
        assert_eq!(twice(JWT), is_literal, "several sections about one file");
        assert!(!twice(&format!("./{JWT}")), "one file under two names");
        world.edit_outside(JWT, "one\ntwo");
        world.read(JWT);
        assert_eq!(changes("1"), is_literal, "no LF behind the last line, {rules:?}");
    }
}

#[test]
fn a_version_that_is_not_known_is_asked_about_and_never_granted() {
    // B
    let world = client(true);
    let edit = world.call("edit_file", json!({"path": JWT, "old_string": "one", "new_string": "1"}));
    let question = world.asks_what(&edit);
    assert!(question.diff_preview.contains("Nobody has tested what this host's tool writes"));
    assert_eq!(question.offer, None);
    assert_eq!(world.asks_what(&world.write("src/auth/new.rs", "x\n")).offer, None);
    world.passes_by_yes(
        &world.again(&world.call("edit_file", json!({"path": JWT, "old_string": "two", "new_string": "2"}))),
    );
    assert_eq!(world.pendings.calls().pop().unwrap().files[0].predicted, None);
}

#[test]
fn more_than_is_looked_at_is_refused_before_it_is_built() {
    // Time: a text that doubles forty times, a list of 20,000 edits, a command that names 300 large files
    let world = World::ready();
    let double = json!({"old_string": "f", "new_string": "ff", "replace_all": true});
    let edits = |edits: Vec<Value>| world.call("edit_file", json!({"path": JWT, "edits": edits}));
    let many = json!({"old_string": "f", "new_string": "g"});
    for call in [edits(vec![double; 40]), edits(vec![many; 20_000])] {
        let error = super::world::refused(world.pre(&call));
        assert_eq!(error.code(), ErrorCode::TooLarge, "{}", error.message());
    }
    let large = "x".repeat(15 << 20);
    let names: Vec<String> = (0..6).map(|number| format!("src/auth/large_{number}.sh")).collect();
    names.iter().for_each(|name| world.edit_outside(name, &large));
    let call = world.call("execute_command", json!({"command": format!("sh {}", names.join(" "))}));
    let error = super::world::refused(world.pre(&call));
    assert_eq!(error.code(), ErrorCode::TooLarge, "{}", error.message());
    assert!(world.human.asked().is_empty() && world.pendings.calls().is_empty());
}

// A9, D-44: lines are those of one file, and a file that is too long to look through was seen in part
#[test]
fn lines_of_several_files_count_as_what_the_call_asked_for() {
    let world = World::in_action();
    let call = world.call("read_file", json!({"paths": [JWT, "README.md"]}));
    world.passes_unasked(&call);
    let showed = lines(1, 9, "fn sign() {}");
    let report = pollster::block_on(world.gate.post(&call, &ToolResult { ok: true, showed })).unwrap();
    assert_eq!(report.observations.len(), 2);
    world.mutates(&world.write(JWT, "new\n"));
}

// A9, D-44
#[test]
fn what_a_host_told_of_a_file_that_is_too_long_is_a_part_of_it() {
    let long = "src/auth/long.rs";
    let seen = |showed: Showed| {
        let world = World::in_action();
        world.edit_outside(long, &"long line\n".repeat(500_000));
        let call = world.call("read_file", json!({ "path": long }));
        world.passes_unasked(&call);
        let result = ToolResult { ok: true, showed: Some(showed) };
        pollster::block_on(world.gate.post(&call, &result)).unwrap();
        pollster::block_on(world.sessions.observation(&sample::actor(), &sample::path(long))).unwrap()
    };
    let part = seen(Showed::Lines { first: 1, total: 500_000, text: "long line".to_owned() });
    assert_eq!(part.map(|seen| seen.shown), Some(Shown::Part));
    assert_eq!(seen(Showed::Nothing), None);
}

// D-44: what does not fit a file that was shown as a whole is not stale: the tool itself refuses it
#[test]
fn a_patch_that_does_not_fit_what_was_shown_whole_is_asked_about() {
    let world = World::ready();
    let patch = format!("*** Begin Patch\n*** Update File: {JWT}\n@@\n-fn gone() {{}}\n+x\n*** End Patch\n");
    world.asks(&world.call("apply_patch", json!({ "patch": patch })));
    stale(
        &World::in_action(),
        &World::in_action().call("apply_patch", json!({ "patch": patch })),
        "never_read",
    );
}
