//! Whole screens, as a person sees them, narrow and wide, with and without colour.

use bailiwick_domain::{Actor, ApprovalKind, ApprovalRequest, GrantBounds, Pause};
use ratatui::buffer::Buffer;

use super::super::model::{Key, Model};
use super::super::view::Palette;
use super::staged::{diff, drawn, edit, grant, model, nobody, request, screen, snapshot};
use crate::command::surface::Snapshot;

const SIZES: [(u16, u16); 3] = [(60, 20), (100, 30), (160, 50)];

fn session() -> (String, String) {
    let before: String = (1..=60).map(|n| format!("    step_{n}(request);\n")).collect();
    let before =
        format!("pub fn login(request: &Request) -> Session {{\n{before}    Session::new(request)\n}}\n");
    let after = before
        .replace("    step_3(request);\n", "    step_3(request);\n    let started = clock.now();\n")
        .replace(
            "    step_30(request);\n",
            "    log::info!(\"login {}\", request.name());\n    step_30(request);\n",
        )
        .replace(
            "    step_55(request);\n",
            "    Command::new(\"sh\").arg(\"-c\").arg(request.hook()).spawn();\n    step_55(request);\n",
        );
    (before, after)
}

/// Four requests of three agents, the first of them long.
fn queue() -> Vec<ApprovalRequest> {
    let (before, after) = session();
    let mut command =
        request("execute_command", &[], "in /home/you/shop\n$ cargo test -p auth -- --nocapture");
    command.actor.agent = Some("explore-7".to_owned());
    let mut other = edit("src/auth/token.rs", "pub const TTL: u64 = 300;\n", "pub const TTL: u64 = 1800;\n");
    other.actor = Actor::root("gate", "night-build");
    other.folder = Some("/home/you/shop-night".to_owned());
    let mut outside = edit("src/core/main.rs", "fn main() {}\n", "fn main() { run() }\n");
    outside.kind = ApprovalKind::ScopeOverride;
    outside.reason = "src/core/main.rs is outside the scope of INT-001.".to_owned();
    vec![edit("src/auth/login.rs", &before, &after), command, other, outside]
}

#[track_caller]
fn check(name: &str, model: &mut Model) {
    for (width, height) in SIZES {
        insta::assert_snapshot!(format!("{name}-{width}x{height}"), screen(model, (width, height)));
    }
}

fn shown(found: Snapshot) -> Model {
    model(found).0
}

#[test]
fn a_queue() {
    check("queue", &mut shown(snapshot(queue())));
}

#[test]
fn nothing_waits() {
    check("idle", &mut shown(nobody()));
}

// D-15: what the person asked for, in their own words, which are nobody's lines but one
#[test]
fn a_question_shows_what_was_asked_for() {
    let mut found = snapshot(queue());
    let prompt = "Sessions end too early.\nMake the login timeout thirty minutes, and say in the log who logs in \
                  \u{202e}please";
    found.requests[0].prompt = Some(prompt.into());
    check("asked-for", &mut shown(found));
}

#[test]
fn a_command() {
    let (mut model, now) = model(snapshot(queue()));
    let _ = model.press(Key::Char('j'), now);
    check("command", &mut model);
}

// K-01, rows 72 and 78: the dialog of an override says what it is, and so does its key
#[test]
fn an_override_says_so() {
    let (mut model, now) = model(snapshot(queue()));
    for _ in 0..3 {
        let _ = model.press(Key::Char('j'), now);
    }
    check("override", &mut model);
    for size in SIZES {
        let text = screen(&mut model, size);
        assert!(text.contains("OUTSIDE THE SCOPE") && text.contains("a Approve Anyway"), "{text}");
    }
}

// D-01
#[test]
fn a_drafted_intent() {
    let before = "active_intents: []\n";
    let after = "active_intents:\n  - id: INT-001\n    name: Rotate tokens\n    status: PENDING\n    owned_scope:\n      - src/auth/\n";
    let mut draft = request("propose_intent", &[".orchestration/active_intents.yaml"], "");
    draft.diff_preview = format!(
        "{}\nmatches 2 of 9 files\n  src/auth/login.rs\n  src/auth/token.rs\n",
        diff(".orchestration/active_intents.yaml", before, after)
    );
    draft.intent_id = None;
    draft.kind = ApprovalKind::IntentProposal;
    draft.reason =
        "An agent drafted a new intent. Approving adds it as the next free id, now INT-001. Its scope matches 2 of 9 files."
            .to_owned();
    check("draft", &mut shown(snapshot(vec![draft])));
}

/// What the gate predicts of an ordinary change.
fn evolution() -> bailiwick_domain::Mutation {
    serde_json::from_value(serde_json::json!({
        "class": "INTENT_EVOLUTION", "method": "whole_file",
        "evidence": [{"path": "src/auth/login.rs", "line": 4, "what": "statement added"}],
    }))
    .unwrap()
}

/// The rows of a screen that have something on them, by what they begin with.
fn place(rows: &[&str], begins: &str) -> usize {
    let found = rows.iter().position(|row| row.starts_with(begins));
    found.unwrap_or_else(|| panic!("no row begins with {begins:?}:\n{}", rows.join("\n")))
}

// C: what changes, why it asks, intent, paths, first hunk, in this order and without blank rows between them
#[test]
fn the_first_screen_says_what_matters_in_its_order() {
    let mut long = queue().remove(0);
    long.mutation = Some(evolution());
    let mut model = shown(snapshot(vec![long, queue().remove(2)]));
    let text = screen(&mut model, (80, 24));
    insta::assert_snapshot!("question-80x24", text);
    let rows: Vec<&str> = text.lines().collect();
    let order = ["ap-", "why ", "intent ", "paths ", "agent ", "── 1 file", "! starts another"]
        .map(|begins| if begins.starts_with('!') { place(&rows, "! ") } else { place(&rows, begins) });
    assert!(order.is_sorted(), "{text}");
    let blank = rows.iter().take(order[6]).position(|row| row.trim().is_empty());
    assert_eq!(blank, None, "{text}");
    assert!(text.contains("@@ ") || text.contains("  + "), "the first hunk: {text}");
}

// C: a short change leaves room, and every fact is there
#[test]
fn facts_fill_the_room_that_a_short_change_leaves() {
    let mut short = edit("src/auth/token.rs", "pub const TTL: u64 = 300;\n", "pub const TTL: u64 = 1800;\n");
    short.mutation = Some(evolution());
    let text = screen(&mut shown(snapshot(vec![short])), (80, 24));
    for fact in ["why ", "intent ", "paths ", "scope ", "goal ", "agent ", "class ", "change "] {
        assert!(text.lines().any(|line| line.starts_with(fact)), "{fact}: {text}");
    }
}

/// A request whose reason is longer than two rows, and ends in what decides.
fn reasoned(mut request: ApprovalRequest) -> ApprovalRequest {
    let begins = "`edit_file` changes src/auth/token.rs under INT-001 (Fix login timeout). ".repeat(3);
    request.reason = format!("{begins}grant#1 does not cover this: it ends at three files.");
    request
}

#[test]
fn a_long_reason_is_whole_where_there_is_room() {
    let short = edit("src/auth/token.rs", "pub const TTL: u64 = 300;\n", "pub const TTL: u64 = 1800;\n");
    let text = screen(&mut shown(snapshot(vec![reasoned(short)])), (80, 24));
    assert!(text.contains("three files."), "{text}");
    for fact in ["why ", "intent ", "paths ", "agent "] {
        assert!(text.lines().any(|line| line.starts_with(fact)), "{fact}: {text}");
    }
    let (mut model, now) = model(snapshot(vec![reasoned(queue().remove(0))]));
    let _ = model.press(Key::Enter, now);
    let text = screen(&mut model, (80, 24));
    assert!(text.contains("three files."), "{text}");
}

// C: a screen that says "nothing waits" while every call is refused tells an untruth
#[test]
fn trouble_stands_where_nothing_waits_would() {
    let trouble = Some(crate::command::judged::Trouble {
        effect: "Every call is refused",
        why: ".orchestration/active_intents.yaml:3:7: not YAML: mapping values are not allowed".to_owned(),
        next: "Correct .orchestration/active_intents.yaml, line 3.".to_owned(),
    });
    let mut troubled = shown(Snapshot { trouble: trouble.clone(), ..nobody() });
    check("trouble", &mut troubled);
    for size in SIZES {
        let text = screen(&mut troubled, size);
        assert!(text.contains("Every call is refused") && text.contains("line 3"), "{text}");
        assert!(!text.to_lowercase().contains("nothing waits"), "{text}");
        let asked = screen(&mut shown(Snapshot { trouble: trouble.clone(), ..snapshot(queue()) }), size);
        assert!(asked.contains("Every call is refused"), "{asked}");
    }
}

// D-31
#[test]
fn a_broad_draft() {
    let before = "active_intents: []\n";
    let after = "active_intents:\n  - id: INT-001\n    name: Move the crates\n    status: PENDING\n    owned_scope:\n      - crates/\n";
    let mut draft = request("propose_intent", &[".orchestration/active_intents.yaml"], "");
    draft.diff_preview = format!(
        "{}\nmatches 120 of 243 files\n  crates/a/src/lib.rs\n  and 119 more\ncan run code: 7 of them\n  crates/a/build.rs\n",
        diff(".orchestration/active_intents.yaml", before, after)
    );
    draft.intent_id = None;
    draft.kind = ApprovalKind::IntentProposal;
    draft.broad = Some(bailiwick_domain::Breadth { files: 120, of: 243, can_run: 7 });
    draft.reason = "An agent drafted a new intent. Approving adds it as the next free id, now INT-001. Its scope is broad: it matches 120 of 243 files.".to_owned();
    let (mut model, now) = model(snapshot(vec![draft]));
    check("broad", &mut model);
    let _ = model.press(Key::Char('a'), now);
    check("broad-asks", &mut model);
}

#[test]
fn answers_in_progress() {
    let (mut model, now) = model(snapshot(queue()));
    let _ = model.press(Key::Char('?'), now);
    check("help", &mut model);
    let keys = [Key::Escape, Key::Char(' '), Key::Char(' '), Key::Char('a')];
    for key in keys {
        let _ = model.press(key, now + std::time::Duration::from_secs(1));
    }
    let _ = model.press(Key::Char('a'), now + std::time::Duration::from_secs(3));
    check("confirm", &mut model);
}

// D-02
#[test]
fn a_grant_is_given_and_revoked() {
    let mut one = edit("src/auth/token.rs", "pub const TTL: u64 = 300;\n", "pub const TTL: u64 = 1800;\n");
    one.offer = Some(GrantBounds::default());
    let (mut model, now) = model(Snapshot { grants: vec![grant()], ..snapshot(vec![one]) });
    check("offer", &mut model);
    let _ = model.press(Key::Char('g'), now);
    check("granting", &mut model);
    for key in [Key::Escape, Key::Char('x')] {
        let _ = model.press(key, now);
    }
    check("revoking", &mut model);
    check("idle-grant", &mut shown(Snapshot { grants: vec![grant()], ..nobody() }));
}

// D-07
#[test]
fn a_pause_stands_at_the_top_of_every_screen() {
    let from = nobody().now;
    let pause = Some(Pause::new("dana\u{1b}[2J", from, 100));
    for found in [nobody(), snapshot(queue())] {
        for size in SIZES {
            let drawn = screen(&mut shown(Snapshot { pause: pause.clone(), ..found.clone() }), size);
            let top = drawn.lines().next().unwrap_or_default();
            assert!(top.contains("PAUSED by dana") && top.contains("2 min left"), "{size:?}: {top}");
            assert!(!drawn.contains('\u{1b}'));
            assert!(!screen(&mut shown(found.clone()), size).contains("PAUSED"));
        }
    }
}

#[test]
fn the_request_on_the_whole_screen() {
    let (mut model, now) = model(snapshot(queue()));
    let _ = model.press(Key::Enter, now);
    check("whole", &mut model);
}

/// Runs of equal style with their text.
fn styles(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let mut out = String::new();
    for row in buffer.content.chunks(width) {
        let mut runs: Vec<(String, String)> = Vec::new();
        for cell in row {
            let look =
                format!("{:?}/{:?}", cell.fg, cell.modifier).replace("Modifier(0x0)", "").replace("NONE", "");
            match runs.last_mut() {
                Some((last, text)) if *last == look => text.push_str(cell.symbol()),
                _ => runs.push((look, cell.symbol().to_owned())),
            }
        }
        for (look, text) in runs.iter().filter(|(look, text)| look != "Reset/" && !text.trim().is_empty()) {
            out.push_str(&format!("{look}: {}\n", text.trim()));
        }
    }
    out
}

#[test]
fn colours_say_what_comes_goes_and_deserves_a_look() {
    let mut model = shown(snapshot(queue()));
    insta::assert_snapshot!("colours", styles(&drawn(&mut model, (100, 30), &Palette::colour())));
}

// NO_COLOR
#[test]
fn without_colour_the_words_are_the_same() {
    let mut model = shown(snapshot(queue()));
    for size in SIZES {
        let plain = drawn(&mut model, size, &Palette::plain());
        let colour = drawn(&mut model, size, &Palette::colour());
        assert_eq!(super::super::text_of(&plain), super::super::text_of(&colour));
        assert!(plain.content.iter().all(|cell| cell.fg == ratatui::style::Color::Reset));
    }
}

// threat G2
#[test]
fn no_text_of_an_agent_reaches_the_terminal_as_control() {
    let tricks = "a\u{1b}]0;t\u{7}b\u{1b}[2Jc\rd\u{9b}31me\u{202e}f\u{200b}g\u{8}h\u{7f}i\u{e0041}";
    let mut bad = edit("src/auth/a.rs", "a\n", &format!("{tricks}\n"));
    bad.tool = tricks.to_owned();
    bad.reason = tricks.to_owned();
    bad.changed_paths = vec![tricks.to_owned(), tricks.to_owned()];
    bad.actor = Actor { host: tricks.to_owned(), session: tricks.to_owned(), agent: Some(tricks.to_owned()) };
    bad.folder = Some(tricks.to_owned());
    let mut found = snapshot(vec![bad]);
    let intent = found.requests[0].intent.as_mut().unwrap();
    (intent.name, intent.why, intent.scope) =
        (tricks.to_owned(), Some(tricks.to_owned()), vec![tricks.to_owned()]);
    found.agents[0].actor.session = tricks.to_owned();
    let (mut model, now) = model(found);
    for keys in [&[][..], &[Key::Char(' '), Key::Char('a')], &[Key::Escape, Key::Enter]] {
        for key in keys {
            let _ = model.press(*key, now);
        }
        for size in SIZES {
            let text = screen(&mut model, size);
            let hidden =
                |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{200b}' | '\u{202e}' | '\u{e0041}');
            assert!(!text.contains(hidden), "{text:?}");
            assert!(text.contains("\\u{1b}"), "{text}");
        }
    }
}

#[test]
fn every_size_is_drawn() {
    let mut model = shown(snapshot(queue()));
    for width in 0..40 {
        for height in 0..12 {
            drawn(&mut model, (width, height), &Palette::plain());
        }
    }
    for key in [Key::Char('?'), Key::Escape, Key::Char('r')] {
        let _ = model.press(key, std::time::Instant::now());
        drawn(&mut model, (10, 4), &Palette::plain());
    }
}
