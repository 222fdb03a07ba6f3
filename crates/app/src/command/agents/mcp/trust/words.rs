//! What a server says of a tool, for a person: all of what is trusted with it. Each line of it has a mark, so that none can
//! be taken for one of ours.

use bailiwick_domain::{Map, Value};
use unicode_width::UnicodeWidthStr as _;

use crate::command::output::columns::{WIDTH, of_terminal, wrapped};
use crate::inert;

/// The longest text that is shown whole, in characters.
const LONGEST: usize = 8_000;

/// So many characters of each end of a longer one are shown.
const END: usize = 2_000;

/// Before each line of a server's words.
const MARK: &str = "              │ ";

/// Before each further line of one word.
const FURTHER: &str = "  ";

/// How a word stands to what was trusted before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// It is said now.
    Now,
    /// It was said before, and is no more.
    Before,
    /// It was not said before.
    New,
}

/// All that a definition says but for the tool's name, in the lines of the screen.
pub(super) fn all(definition: &Value) -> Vec<(Side, String)> {
    words(definition).iter().flat_map(|(name, text)| lines(Side::Now, name, text)).collect()
}

/// What is said now and was not before, and the other way round.
pub(super) fn changes(now: &Value, before: &Value) -> Vec<(Side, String)> {
    let (now, before) = (words(now), words(before));
    let gone = before.iter().filter(|word| !now.contains(word)).map(|word| (Side::Before, word));
    let new = now.iter().filter(|word| !before.contains(word)).map(|word| (Side::New, word));
    let mut changed: Vec<_> = gone.chain(new).collect();
    // What was said stands before what is said instead.
    changed.sort_by_key(|(side, (name, _))| (rank(name), *side == Side::New));
    changed.into_iter().flat_map(|(side, (name, text))| lines(side, name, text)).collect()
}

/// Each thing that a definition says, with the place where it stands.
fn words(definition: &Value) -> Vec<(String, String)> {
    let mut words = Vec::new();
    if let Value::Object(members) = definition {
        for (name, value) in members.iter().filter(|(name, _)| *name != "name") {
            gather(&mut words, plain(name), name, value);
        }
    }
    words.sort_by(|(one, _), (other, _)| rank(one).cmp(&rank(other)));
    words
}

fn gather(words: &mut Vec<(String, String)>, place: String, name: &str, value: &Value) {
    match value {
        Value::Object(members) if !members.is_empty() => each(words, &place, members),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            for (number, item) in items.iter().enumerate() {
                gather(words, format!("{place}[{number}]"), "", item);
            }
        }
        Value::String(text) if ["description", "title"].contains(&name) => words.push((place, text.clone())),
        other => words.push((place, other.to_string())),
    }
}

fn each(words: &mut Vec<(String, String)>, place: &str, members: &Map<String, Value>) {
    for (name, value) in members {
        let place = match place {
            "inputSchema.properties" => format!("parameter {}", plain(name)),
            place => format!("{place}.{}", plain(name)),
        };
        gather(words, place, name, value);
    }
}

/// A name that can be read in one way only.
fn plain(name: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_-$".contains(sign);
    if !name.is_empty() && name.chars().all(is_plain) {
        name.to_owned()
    } else {
        Value::String(name.to_owned()).to_string()
    }
}

/// What a model reads first stands first.
fn rank(place: &str) -> (u8, &str) {
    let first = match place {
        "description" => 0,
        "title" => 1,
        other if other.starts_with("parameter ") => 2,
        other if other.starts_with("annotations") => 3,
        _ => 4,
    };
    (first, place)
}

/// The lines of one word. All but the first begin where no place does, behind the sign of the side: a server that breaks its
/// text cannot begin a line that looks like another word, or like one of the other side.
fn lines(side: Side, place: &str, text: &str) -> Vec<(Side, String)> {
    let sign = match side {
        Side::Now => "",
        Side::Before => "- ",
        Side::New => "+ ",
    };
    let taken = MARK.chars().count() + sign.len() + FURTHER.len();
    let width = of_terminal().unwrap_or(WIDTH).saturating_sub(taken).max(20);
    let whole = format!("{place}: {}", within(text));
    let pieces = whole.split('\n').flat_map(|line| wrapped(&inert::line(line), width));
    // A word that is longer than a line must not go on at the left edge of the screen.
    let pieces = pieces.flat_map(|line| cut(&line, width));
    let begins = |number: usize| if number == 0 { "" } else { FURTHER };
    pieces.enumerate().map(|(at, line)| (side, format!("{MARK}{sign}{}{line}", begins(at)))).collect()
}

/// A text, or both its ends.
fn within(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONGEST {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(END).collect();
    let end: String = text.chars().skip(count.saturating_sub(END)).collect();
    let left_out = count.saturating_sub(END.saturating_mul(2));
    format!("{beginning}\n… {left_out} more characters; `--json` shows them all\n{end}")
}

fn cut(line: &str, width: usize) -> Vec<String> {
    if line.width() <= width {
        return vec![line.to_owned()];
    }
    // A sign takes two columns at most.
    let step = if line.is_ascii() { width } else { (width / 2).max(1) };
    let signs: Vec<char> = line.chars().collect();
    signs.chunks(step).map(|piece| piece.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::json;

    use super::*;

    fn shown(lines: Vec<(Side, String)>) -> String {
        lines.into_iter().map(|(_, line)| format!("{}\n", line.trim_start())).collect()
    }

    #[test]
    fn everything_that_is_hashed_is_shown() {
        let definition = json!({
            "name": "read",
            "description": format!("Reads.{}\nEND", " It is good.".repeat(40)),
            "annotations": {"readOnlyHint": true},
            "inputSchema": {"type": "object", "required": ["path"], "properties": {
                "path": {"type": "string", "description": "which \u{1b}[2Jone"},
                "a.b": {"anyOf": [{"description": "deep"}]}}},
            "_meta": {}, "outputSchema": null,
        });
        let said = shown(all(&definition));
        for text in [
            "│ description: Reads.",
            "│   END\n",
            "│ annotations.readOnlyHint: true",
            "│ inputSchema.required: [\"path\"]",
            "│ parameter path.type: \"string\"",
            "│ parameter path.description: which ",
            "│ parameter \"a.b\".anyOf[0].description: deep",
            "│ _meta: {}",
            "│ outputSchema: null",
        ] {
            assert!(said.contains(text), "{text}: {said}");
        }
        assert!(!said.contains('\u{1b}') && said.lines().all(|line| line.starts_with('│')), "{said}");
    }

    #[test]
    fn a_very_long_text_says_how_much_is_left_out() {
        let said = shown(all(&json!({"description": format!("{}END", "x".repeat(10_000))})));
        assert!(said.contains("… 6003 more characters; `--json` shows them all"), "{said}");
        assert!(said.trim_end().ends_with("END"), "{said}");
        assert!(said.lines().all(|line| line.chars().count() <= WIDTH), "{said}");
    }

    #[test]
    fn what_changed_is_shown_as_it_was_and_as_it_is() {
        let before = json!({"name": "x", "description": "one", "inputSchema": {"properties": {"a": {"type": "string"}}}});
        let now = json!({"name": "x", "description": "one\ntwo", "inputSchema": {"properties": {"b": {"type": "string"}}}});
        let said = shown(changes(&now, &before));
        let expected = "│ - description: one\n│ + description: one\n│ +   two\n│ - parameter a.type: \"string\"\n│ + parameter b.type: \"string\"\n";
        assert_eq!(said, expected);
    }

    // Threat D9: no text of a server looks like another word than it is
    #[test]
    fn a_text_that_is_broken_begins_no_line_that_looks_like_another_word() {
        let forged = "two\n- parameter a.type: \"number\"\n+ parameter a.type: \"string\"";
        let long = format!("{}- parameter c: x {}", "y".repeat(200), "z ".repeat(100));
        let before = json!({"name": "x", "description": "one", "title": "t"});
        let now = json!({"name": "x", "description": forged, "title": long});
        let said = shown(changes(&now, &before));
        let first = ["│ - description: one", "│ + description: two", "│ - title: t", "│ + title:"];
        for line in said.lines() {
            assert!(line.starts_with("│ +   ") || first.contains(&line), "{line}: {said}");
        }
        let said = shown(all(&now));
        assert!(said.contains("│   - parameter a.type") && !said.contains("│ - "), "{said}");
    }
}
