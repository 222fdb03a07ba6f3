//! Intents are born, grow and end in the real file, by hooks below an agent and by a person at a terminal.

use bailiwick_domain::{Value, json};

use super::machine::{INTENTS, Machine, fed};
use crate::world::said;

const FILE: &str = ".orchestration/active_intents.yaml";

fn intents(machine: &Machine) -> String {
    std::fs::read_to_string(machine.root().join(FILE)).unwrap()
}

/// A call of an own tool through the agent's shell.
fn own(machine: &Machine, id: &str, tool: &str, params: &Value) -> Value {
    machine.pre(id, "Bash", &json!({"command": format!("bailiwick tool {tool} '{params}'")}))
}

/// Asks, approves at a terminal, and makes the same call again.
fn accepted(machine: &Machine, tool: &str, params: &Value) {
    let error = machine.hook(&own(machine, "d1", tool, params)).denied();
    assert_eq!(error["code"], "APPROVAL_PENDING", "{error}");
    machine.approve(error["details"]["approval_id"].as_str().unwrap());
    let answer = machine.hook(&own(machine, "d2", tool, params));
    assert_eq!(answer.decision().as_deref(), Some("allow"), "{answer:?}");
}

// D-01, D-19
#[test]
fn an_accepted_draft_is_in_the_file_and_can_be_worked_under() {
    let machine = Machine::new();
    let params = json!({"name": "Round the bill", "why": "Cents get lost", "owned_scope": ["src/billing/**"],
        "acceptance_criteria": ["0.005 is 0.01"]});
    accepted(&machine, "propose_intent", &params);
    let text = intents(&machine);
    assert!(
        text.starts_with(INTENTS) && text.contains("- id: INT-005\n    name: Round the bill\n"),
        "{text}"
    );
    machine.select("INT-005");
    machine.pending("w1", "src/billing/round.rs");
    let shown = machine.world.ok(&["tool", "propose_intent", &params.to_string()]);
    assert!(shown.contains("INT-005"), "{shown:?}");
}

/// Asks for an intent that owns `src/billing/**`, and gives the request's id and the call's parameters.
fn drafted(machine: &Machine) -> (String, Value) {
    drafted_as(machine, "Round the bill")
}

fn drafted_as(machine: &Machine, name: &str) -> (String, Value) {
    let params = json!({"name": name, "why": "Cents get lost", "owned_scope": ["src/billing/**"],
        "acceptance_criteria": ["0.005 is 0.01"]});
    let error = machine.hook(&own(machine, "d1", "propose_intent", &params)).denied();
    (error["details"]["approval_id"].as_str().unwrap().to_owned(), params)
}

// D-01: "the human edits and accepts, the gate writes"
#[test]
fn a_person_accepts_a_draft_with_other_words_and_another_scope() {
    let machine = Machine::new();
    let (id, params) = drafted(&machine);
    let words = ["intent", "accept", &id, "--name", "Round bills", "--scope", "src/billing/round.rs"];
    assert_eq!(machine.typed(&words, "n\n").status.code(), Some(1), "anything but y leaves it open");
    assert_eq!(machine.world.run(&words).status.code(), Some(2), "a pipe accepts nothing");
    let output = machine.typed(&words, "y\n");
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("As you accept it:") && text.contains("name: Round bills"), "{text}");
    assert_eq!(intents(&machine), INTENTS, "the gate writes, when the agent retries");
    assert_eq!(machine.typed(&words, "y\n").status.code(), Some(1), "answered once");
    let answer = machine.hook(&own(&machine, "d2", "propose_intent", &params));
    assert_eq!(answer.decision().as_deref(), Some("allow"), "{answer:?}");
    assert!(intents(&machine).contains("name: Round bills\n"), "{}", intents(&machine));
    let shown = machine.world.ok(&["tool", "propose_intent", &params.to_string()]);
    assert!(shown.contains("The human changed your draft") && shown.contains("INT-005"), "{shown}");
    machine.select("INT-005");
    machine.pending("w1", "src/billing/round.rs");
    let error = machine.hook(&machine.write_call("w2", "src/billing/other.rs")).denied();
    assert_eq!(error["code"], "SCOPE_VIOLATION", "{error}");
}

// D-01
#[test]
fn a_person_edits_a_draft_in_an_editor_until_it_is_valid() {
    let machine = Machine::new();
    let (id, _) = drafted(&machine);
    let editor = machine.world.path("bin/editor");
    // The first time it breaks the draft; told so, it mends it.
    let script = "#!/bin/sh\nfile=$1\ntext=; while IFS= read -r line; do text=\"$text$line\n\"; done < \"$file\"\ncase $text in *'scopes'*) printf 'name: Round bills\\nowned_scope: [src/billing/]\\n' > \"$file\";; *) printf 'name: Round bills\\nowned_scopes: [src/billing/]\\n' > \"$file\";; esac\n";
    crate::world::write(&editor, script);
    std::fs::set_permissions(&editor, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = machine.terminal(&["intent", "accept", &id, "--edit"]);
    let output = fed(command.env("VISUAL", &editor), b"y\n");
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("owned_scope:") && text.contains("Round bills"), "{text}");
    // An editor that empties the draft, or fails, accepts nothing.
    let (id, _) = drafted_as(&machine, "Round it later");
    for script in ["#!/bin/sh\n: > \"$1\"\n", "#!/bin/sh\nexit 3\n"] {
        crate::world::write(&editor, script);
        let mut command = machine.terminal(&["intent", "accept", &id, "--edit"]);
        assert_eq!(fed(command.env("VISUAL", &editor), b"y\n").status.code(), Some(1));
    }
    assert_eq!(machine.open_requests().len(), 1);
}

// D-01: by hand, with an end
#[test]
fn an_intent_with_an_end_says_so_and_closes_by_itself() {
    let machine = Machine::selected();
    machine.world.ok(&["intent", "new", "Fix it today", "--scope", "src/today/", "--expires", "4h"]);
    let list = machine.world.ok(&["intent", "list"]);
    assert!(list.contains("ends in 3h 59m") || list.contains("ends in 4h"), "{list}");
    assert!(machine.world.ok(&["intent", "show", "INT-005"]).contains("ends in "));
    machine.select("INT-005");
    for wrong in ["0s", "soon", "-1h"] {
        let words = ["intent", "new", "X", "--scope", "x/", "--expires", wrong];
        assert_eq!(machine.world.run(&words).status.code(), Some(2), "{wrong}");
    }
    machine.select("INT-001");
    machine.pending("w1", "src/auth/new.rs");
    let over = intents(&machine).replacen(
        "    owned_scope",
        "    expires: \"2020-01-01T00:00:00Z\"\n    owned_scope",
        1,
    );
    machine.write(FILE, &over);
    let error = machine.hook(&machine.write_call("w2", "src/auth/new.rs")).denied();
    assert_eq!(error["code"], "INTENT_NOT_SELECTABLE", "{error}");
    assert!(error["message"].as_str().unwrap().contains("expired"), "{error}");
    let select = own(&machine, "s9", "select_active_intent", &json!({"intent_id": "INT-001"}));
    assert_eq!(machine.hook(&select).denied()["code"], "INTENT_NOT_SELECTABLE");
    assert!(machine.world.ok(&["intent", "list"]).contains("expired "));
}

// K-01
#[test]
fn an_approved_expansion_counts_from_the_next_call_on() {
    let machine = Machine::selected();
    let error = machine.hook(&machine.write_call("w1", "src/core/new.rs")).denied();
    assert_eq!(error["code"], "SCOPE_VIOLATION", "{error}");
    let params = json!({"paths": ["src/core/new.rs"], "reason": "the login starts there"});
    accepted(&machine, "request_scope_expansion", &params);
    let expected = INTENTS.replace("[src/auth/]", "[src/auth/, \"src/core/new.rs\"]");
    assert_eq!(intents(&machine), expected);
    machine.pending("w2", "src/core/new.rs");
}

/// Asks for more scope, and gives the request's id and the call's parameters.
fn asked_for_scope(machine: &Machine) -> (String, Value) {
    let params = json!({"paths": ["src/core/", "src/ui/"], "reason": "the login starts there"});
    let error = machine.hook(&own(machine, "d1", "request_scope_expansion", &params)).denied();
    (error["details"]["approval_id"].as_str().unwrap().to_owned(), params)
}

// K-01: a person takes away of what was asked for, and that is what counts from the next call on
#[test]
fn a_person_accepts_less_scope_than_was_asked_for() {
    let machine = Machine::selected();
    let (id, params) = asked_for_scope(&machine);
    let words = ["intent", "accept", &id, "--scope", "src/core/", "--scope", "!src/core/gen/"];
    let narrow = |more: &[&str]| machine.typed(&[&words[..], more].concat(), "y\n");
    for wrong in [&["--name", "Other"][..], &["--why", "x"], &["--accept", "x"], &["--scope", "**"]] {
        assert_eq!(narrow(wrong).status.code(), Some(2), "{wrong:?}: {}", said(&narrow(wrong)));
    }
    let nothing = machine.typed(&["intent", "accept", &id, "--scope", "src/auth/"], "y\n");
    assert!(nothing.status.code() == Some(1) && said(&nothing).contains("reject the request"), "{nothing:?}");
    assert_eq!(machine.world.run(&words).status.code(), Some(2), "a pipe accepts nothing");
    assert_eq!(machine.typed(&words, "n\n").status.code(), Some(1), "anything but y leaves it open");
    let output = narrow(&[]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("As you accept it:") && text.contains("!src/core/gen/"), "{text}");
    assert_eq!(intents(&machine), INTENTS, "the gate writes, when the agent retries");
    let answer = machine.hook(&own(&machine, "d2", "request_scope_expansion", &params));
    assert_eq!(answer.decision().as_deref(), Some("allow"), "{answer:?}");
    let added = r#"[src/auth/, "src/core/", "!src/core/gen/"]"#;
    assert_eq!(intents(&machine), INTENTS.replace("[src/auth/]", added));
    let shown = machine.world.ok(&["tool", "request_scope_expansion", &params.to_string()]);
    assert!(shown.contains("The human changed what you asked for") && !shown.contains("src/ui/"), "{shown}");
    machine.pending("w1", "src/core/new.rs");
    for path in ["src/core/gen/new.rs", "src/ui/new.rs"] {
        let error = machine.hook(&machine.write_call("w2", path)).denied();
        assert_eq!(error["code"], "SCOPE_VIOLATION", "{path}: {error}");
    }
}

// K-01
#[test]
fn a_person_edits_more_scope_in_an_editor_that_shows_what_the_intent_owns() {
    let machine = Machine::selected();
    let (id, _) = asked_for_scope(&machine);
    let editor = machine.world.path("bin/editor");
    let seen = machine.world.path("seen");
    // The first time it says something else; told so, it mends it.
    let script = format!(
        "#!/bin/sh\nfile=$1\ntext=; while IFS= read -r line; do text=\"$text$line\n\"; done < \"$file\"\nprintf '%s' \"$text\" >> '{}'\ncase $text in *'nothing that a draft says'*) printf 'owned_scope: [src/core/a.rs]\\n' > \"$file\";; *) printf 'name: Mine\\nowned_scope: [src/core/a.rs]\\n' > \"$file\";; esac\n",
        seen.display()
    );
    let edits = |script: &str, keys: &[u8]| {
        crate::world::write(&editor, script);
        std::fs::set_permissions(&editor, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let mut command = machine.terminal(&["intent", "accept", &id, "--edit"]);
        fed(command.env("VISUAL", &editor), keys)
    };
    for script in
        ["#!/bin/sh\n: > \"$1\"\n", "#!/bin/sh\nexit 3\n", "#!/bin/sh\necho 'owned_scope: []' > \"$1\"\n"]
    {
        assert_eq!(edits(script, b"y\n").status.code(), Some(1), "{script}");
    }
    assert_eq!(machine.open_requests().len(), 1);
    let output = edits(&script, b"y\n");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let seen = crate::world::read(&seen);
    for shown in ["# INT-001 (Fix login timeout) owns", "#   src/auth/", "  - src/core/\n"] {
        assert!(seen.contains(shown), "{shown} is not in {seen}");
    }
    // C: the complaint names the line of the text in which it stands
    let (_, again) = seen.rsplit_once("# INT-001 (Fix login timeout) owns").unwrap();
    let again: Vec<&str> = again.lines().collect();
    let told = again.iter().find_map(|line| line.strip_prefix("# the draft:")).unwrap();
    let line: usize = told.split(':').next().unwrap().parse().unwrap();
    assert_eq!(again[line - 1], "name: Mine", "{seen}");
    assert!(said(&output).contains("src/core/a.rs"), "{}", said(&output));
}

// K-01, K-30, K-37
#[test]
fn what_a_person_expands_and_closes_counts_at_once() {
    let machine = Machine::selected();
    machine.world.ok(&["intent", "expand", "INT-001", "--scope", "src/core/"]);
    machine.pending("w1", "src/core/new.rs");
    assert_eq!(machine.world.run(&["intent", "expand", "INT-001", "--scope", "**"]).status.code(), Some(2));
    machine.world.ok(&["intent", "close", "INT-001"]);
    let error = machine.hook(&machine.write_call("w2", "src/auth/new.rs")).denied();
    assert_eq!(error["code"], "INTENT_NOT_SELECTABLE", "{error}");
    machine.world.ok(&["intent", "close", "INT-002", "--abandon"]);
    let closed = INTENTS.replace("IN_PROGRESS", "COMPLETED").replacen("PENDING", "ABANDONED", 1);
    assert_eq!(intents(&machine), closed.replace("[src/auth/]", "[src/auth/, \"src/core/\"]"));
    assert_eq!(machine.world.run(&["intent", "close", "INT-404"]).status.code(), Some(1));
}

// K-30: how an intent ended is part of the record
#[test]
fn an_intent_that_ended_stays_as_it_ended() {
    let machine = Machine::new();
    for words in [&["close", "INT-003", "--abandon"][..], &["expand", "INT-003", "--scope", "lib/"]] {
        let output = machine.world.run(&[&["intent"], words].concat());
        let text = crate::world::said(&output);
        assert!(output.status.code() == Some(1) && text.contains("INT-003 is COMPLETED"), "{text}");
    }
    assert!(machine.world.ok(&["intent", "close", "INT-003"]).contains("is COMPLETED already"));
    assert_eq!(intents(&machine), INTENTS);
}

// D-01
#[test]
fn a_person_says_so_when_a_scope_shall_be_broad() {
    let machine = Machine::new();
    for number in 0..30 {
        machine.write(&format!("lib/f{number}.rs"), "");
    }
    let words = ["intent", "new", "Tidy up", "--scope", "lib/"];
    let refused = machine.world.run(&words);
    assert_eq!(refused.status.code(), Some(2));
    assert!(crate::world::said(&refused).contains("30 of "), "{refused:?}");
    assert_eq!(intents(&machine), INTENTS);
    machine.world.ok(&[&words[..], &["--allow-broad"]].concat());
    let expand = ["intent", "expand", "INT-001", "--scope", "lib/"];
    assert_eq!(machine.world.run(&expand).status.code(), Some(2));
    machine.world.ok(&[&expand[..], &["--allow-broad"]].concat());
}

// D-16
#[test]
fn an_agent_closes_and_expands_nothing() {
    let machine = Machine::selected();
    for command in ["bailiwick intent close INT-001", "bailiwick intent expand INT-001 --scope src/"] {
        let error = machine.hook(&machine.pre("c1", "Bash", &json!({"command": command}))).denied();
        assert_ne!(error["code"], "APPROVAL_PENDING", "{command}: {error}");
    }
    assert_eq!(intents(&machine), INTENTS);
}

/// What `status` knows of the intents that are called done.
fn called_done(machine: &Machine) -> Value {
    crate::world::json(&machine.world.shown(&["status", "--json"]))["reported_done"].clone()
}

// D-42: an agent says that it is done, a person closes
#[test]
fn a_report_completes_nothing_and_a_person_sees_it() {
    let machine = Machine::new();
    let checked = "    status: PENDING\n    owned_scope: [src/core/]\n    acceptance_criteria: [{id: AC-1, text: It runs, check: {run: ./no-such-check}}]\n";
    let file = INTENTS.replacen("    status: PENDING\n    owned_scope: [src/core/]\n", checked, 1);
    machine.write(FILE, &file);
    let params = json!({"intent_id": "INT-002", "summary": "All of \u{1b}[31mcore, token=ghp_0123456789abcdef0123456789abcdef0123"});
    let error = machine.hook(&own(&machine, "d1", "report_done", &params)).denied();
    assert_eq!(error["code"], "STATE_VIOLATION", "{error}");
    machine.select("INT-001");
    let error = machine.hook(&own(&machine, "d2", "report_done", &params)).denied();
    assert!(error["suggestion"].as_str().unwrap().contains("INT-001"), "{error}");
    for wrong in
        [json!({"intent_id": "INT-001"}), json!({"intent_id": "INT-001", "summary": "s", "close": true})]
    {
        let error = machine.hook(&own(&machine, "d3", "report_done", &wrong)).denied();
        assert_eq!(error["code"], "MALFORMED_CALL", "{error}");
    }
    assert_eq!(called_done(&machine), json!({}));
    machine.select("INT-002");
    let answer = machine.hook(&own(&machine, "d4", "report_done", &params));
    assert_eq!(answer.decision().as_deref(), Some("allow"), "{answer:?}");
    assert_eq!(intents(&machine), file, "it completes nothing");
    assert!(machine.open_requests().is_empty(), "it asks nobody at once");
    let shown = machine.world.ok(&["tool", "report_done", &params.to_string()]);
    assert!(shown.contains("until the human closes it") && shown.contains("AC-1 is unmet"), "{shown}");
    let line = machine.decisions().pop().unwrap();
    assert_eq!((&line["intent"], &line["action"]), (&json!("INT-002"), &json!("transition")), "{line}");
    let summary = line["done"]["summary"].as_str().unwrap();
    assert!(summary.starts_with("All of") && !summary.contains("ghp_"), "{summary}");
    assert!(called_done(&machine)["INT-002"]["summary"].as_str().unwrap().starts_with("All of"));
    for words in [&["status"][..], &["intent", "show", "INT-002"], &["watch", "--once"]] {
        let text = machine.world.shown(words);
        assert!(text.contains("All of") && !text.contains('\u{1b}'), "{words:?}: {text}");
    }
    let refused = machine.typed(&["intent", "close", "INT-002"], "");
    assert!(
        said(&refused).contains("AC-1 is unmet"),
        "a word of an agent verifies nothing: {}",
        said(&refused)
    );
    machine.world.ok(&["intent", "close", "INT-002", "--unverified"]);
    assert_eq!(called_done(&machine), json!({}), "closed");
}

#[test]
fn a_report_ends_when_the_work_goes_on() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    super::trace::change(&machine, &mut wire, "src/auth/a.rs", "pub fn a() {}\n");
    let params = json!({"intent_id": "INT-001", "summary": "done"});
    let allowed = wire.pre("report_done", &params);
    assert_eq!(allowed["action"], "allow", "{allowed}");
    assert!(allowed["result"].as_str().unwrap().contains("INT-001 done"), "{allowed}");
    assert_eq!(called_done(&machine)["INT-001"]["summary"], "done");
    super::trace::change(&machine, &mut wire, "src/auth/b.rs", "pub fn b() {}\n");
    assert_eq!(called_done(&machine), json!({}));
    wire.pre("report_done", &params);
    assert_eq!(called_done(&machine)["INT-001"]["summary"], "done");
    wire.end();
    let file = intents(&machine).replacen("Fix login timeout", "Another goal", 1);
    machine.write(FILE, &file);
    assert_eq!(called_done(&machine), json!({}), "another revision");
}

// D-42: what an agent calls done is what the person wants now
#[test]
fn a_report_waits_until_the_agent_selects_what_a_person_changed() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let params = json!({"intent_id": "INT-001", "summary": "done"});
    let file = intents(&machine).replacen("Fix login timeout", "Another goal", 1);
    machine.write(FILE, &file);
    let refused = wire.pre("report_done", &params);
    assert_eq!(
        (&refused["action"], &refused["error"]["code"]),
        (&json!("block"), &json!("STATE_VIOLATION")),
        "{refused}"
    );
    let suggestion = refused["error"]["suggestion"].as_str().unwrap();
    assert!(suggestion.contains("select_active_intent with INT-001 again"), "{refused}");
    let details = &refused["error"]["details"];
    assert_ne!(details["revision"], details["selected_revision"], "{refused}");
    assert_eq!(called_done(&machine), json!({}));
    wire.select("INT-001");
    let allowed = wire.pre("report_done", &params);
    assert_eq!(allowed["action"], "allow", "{allowed}");
    assert_eq!(called_done(&machine)["INT-001"]["summary"], "done");
}
