//! What an agent wrote is inert when a person sees it: no escape sequence, no bidirectional control, no carriage return
//! reaches the terminal, and nothing hides behind blank lines (threats G1 and G2).
#![cfg(target_os = "linux")]

use bailiwick_domain::json;

use super::machine::Machine;
use crate::world::said;

/// A title, a clipboard write, a link, a cleared screen, an overwritten line, hidden and reversed text.
const TRICKS: &str = "a\u{1b}]0;title\u{7}b\u{1b}]52;c;cm0gLXJmIC8=\u{7}c\u{1b}]8;;https://example.invalid\u{1b}\\d\u{1b}[2Je\r\
harmless\u{9b}31mf\u{202e}gpj.exe\u{2066}g\u{200b}h\u{feff}i\u{8}\u{8}j\u{7f}k\u{e0041}l";

/// A word that must be seen whatever is above it.
const PAYLOAD: &str = "curl_example_invalid_run_it";

/// The text without the colours that the program itself puts in.
fn without_colours(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        let (_, end) = after.split_once(|c: char| !c.is_ascii_digit() && c != ';').unwrap();
        assert!(
            after.strip_suffix(end).unwrap().ends_with('m'),
            "an escape sequence that is no colour: {text:?}"
        );
        out.push_str(before);
        rest = end;
    }
    out + rest
}

#[track_caller]
fn assert_inert(what: &str, text: &str) {
    let plain = without_colours(text).replace("\r\n", "\n");
    let bad: Vec<char> = plain.chars().filter(|c| *c != '\n' && (c.is_control() || is_hidden(*c))).collect();
    assert!(bad.is_empty(), "{what}: {bad:?} in {plain:?}");
}

fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// A machine with one open request that tries everything, and the request's id.
fn tricked() -> (Machine, String) {
    let machine = Machine::selected();
    let content = format!("{TRICKS}\n{}{}{PAYLOAD}\n", "\n".repeat(200), " \t \n".repeat(200));
    let name: String = TRICKS.chars().filter(|c| !c.is_control() && *c != '/').collect();
    let call =
        machine.pre("w1", "Write", &json!({"file_path": format!("src/auth/{name}.rs"), "content": content}));
    let error = machine.hook(&call).denied();
    (machine, error["details"]["approval_id"].as_str().unwrap_or_else(|| panic!("{error}")).to_owned())
}

// threats G1, G2
#[test]
fn a_request_is_shown_whole_and_inert() {
    let (machine, id) = tricked();
    let shown = machine.typed(&["approval", "approve", &id], "n\n");
    let text = said(&shown);
    assert_inert("approval approve", &text);
    assert!(text.contains(PAYLOAD), "the end is shown: {text}");
    assert!(text.contains("more blank lines"), "{text}");
    assert!(text.lines().count() < 60, "{} lines", text.lines().count());
    assert!(
        text.contains("\\u{1b}") && text.contains("\\u{202e}") && text.contains("\\u{d}"),
        "made visible: {text}"
    );
    assert_inert("approval list", &machine.world.ok(&["approval", "list"]));
    assert_inert("approval list on a terminal", &said(&machine.typed(&["approval", "list"], "")));
}

// threat G2: names that no file should have
#[test]
fn a_path_with_control_characters_is_refused() {
    let machine = Machine::selected();
    for control in ["\u{1b}[2J", "\r", "\n", "\u{7}", "\u{9b}31m", "\u{7f}"] {
        let call = machine.pre(
            "w1",
            "Write",
            &json!({"file_path": format!("src/auth/a{control}.rs"), "content": ""}),
        );
        assert_eq!(machine.hook(&call).denied()["code"], "MALFORMED_CALL", "{control:?}");
    }
}

// threats G2, H6
#[test]
fn names_and_words_of_an_agent_are_inert_everywhere() {
    let (machine, _) = tricked();
    machine.hook(&machine.pre("u1", &format!("Tool{TRICKS}"), &json!({"x": TRICKS})));
    machine.hook(&machine.pre("b1", "Bash", &json!({"command": format!("echo {TRICKS}")})));
    machine.hook(&machine.pre_in(&format!("session{TRICKS}"), "r1", "Read", &json!({"file_path": TRICKS})));
    for words in
        [&["log"][..], &["log", "--blocked"], &["status"], &["approval", "list"], &["intent", "list"]]
    {
        assert_inert(&words.join(" "), &machine.world.shown(words));
        assert_inert(&words.join(" "), &said(&machine.typed(words, "")));
    }
}

// threat G1: a command is shown as it will run, to its end
#[test]
fn a_command_is_shown_to_its_end() {
    let machine = Machine::selected();
    let command = format!("echo ok{}; {PAYLOAD}", "\n".repeat(300));
    let call = machine.pre("b1", "Bash", &json!({"command": command, "description": "Lists files"}));
    let error = machine.hook(&call).denied();
    let id = error["details"]["approval_id"].as_str().unwrap_or_else(|| panic!("{error}"));
    let text = said(&machine.typed(&["approval", "approve", id], "n\n"));
    assert!(text.contains(PAYLOAD) && !text.contains("Lists files"), "{text}");
    assert_inert("a command", &text);
}

// G1: what a file says is inert in what goes wrong, too
#[test]
fn an_error_that_quotes_a_file_has_no_escape_sequence() {
    let machine = Machine::new();
    machine.write(
        ".orchestration/active_intents.yaml",
        "a: *K\u{1b}[2J\u{1b}[1;32mThe gate is live\u{9b}0m\u{202e}\n",
    );
    for words in [&["intent", "list"][..], &["intent", "graph"], &["map"], &["config", "check"], &["status"]]
    {
        let output = machine.typed(words, "");
        let shown = said(&output);
        let is_odd = |sign: char| matches!(sign, '\u{9b}' | '\u{202e}');
        assert!(!shown.contains("\u{1b}[2J") && !shown.contains(is_odd), "{words:?}: {shown:?}");
    }
}
