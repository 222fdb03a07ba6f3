//! Files, edits of them, and what is written over them: line ends of both kinds, byte order marks, UTF-16, quotation marks of both kinds, empty
//! replacements, anchors over several lines, and anchors that are not there.

use std::fmt;
use std::path::Path;

use bailiwick_domain::{EditRules, Value, json};
use bailiwick_policy::Edit;
use bailiwick_policy::edits::{Fault, are_known, edited, written};
use proptest::prelude::*;

use super::words::Words;

/// One edit of one file.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// What the file holds; nothing where it is not there.
    pub(crate) before: Option<Vec<u8>>,
    /// What is replaced; nothing where the file is written whole.
    old: Option<String>,
    new: String,
    all: bool,
}

impl Case {
    /// The call that makes it.
    pub(super) fn call(&self, words: &Words, file: &Path) -> (&'static str, Value) {
        let Some(old) = &self.old else {
            let (tool, [path, content]) = words.write;
            return (tool, json!({path: file, content: self.new}));
        };
        let (tool, [path, from, to], every) = words.edit;
        (
            tool,
            match every {
                Some(every) => json!({path: file, from: old, to: self.new, every: self.all}),
                None => json!({path: file, from: old, to: self.new}),
            },
        )
    }

    /// Whether the file is written whole.
    pub(super) fn is_write(&self) -> bool {
        self.old.is_none()
    }

    /// What the gate says that the file then holds.
    pub(super) fn said(&self, words: &Words, rules: &EditRules) -> Result<Vec<u8>, Fault> {
        let before = self.before.as_deref();
        let Some(old) = &self.old else {
            let known = are_known(rules, before, &[], Some(&self.new));
            return written(rules, before, &self.new).filter(|_| known).ok_or(Fault::Unknown);
        };
        let edits = [Edit { replace_all: self.all && words.edit.2.is_some(), ..Edit::once(old, &self.new) }];
        let edited = edited(rules, before.unwrap_or_default(), &edits)?;
        if are_known(rules, before, &edits, None) { Ok(edited.bytes) } else { Err(Fault::Unknown) }
    }
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Plain,
    Marked,
    Wide,
}

/// The edits of one session.
pub(crate) struct Batch(pub(crate) Vec<Case>);

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a session of {} edits", self.0.len())
    }
}

/// They do not shrink: each try is a session of its own.
pub(crate) fn batch(size: usize, mostly_plain: bool) -> impl Strategy<Value = Batch> {
    prop::collection::vec(case(mostly_plain), size).no_shrink().prop_map(Batch)
}

fn case(mostly_plain: bool) -> impl Strategy<Value = Case> {
    let odd = if mostly_plain { 1 } else { 4 };
    let form = prop_oneof![6 => Just(Form::Plain), odd => prop_oneof![Just(Form::Marked), Just(Form::Wide)]];
    let lf = if mostly_plain { 20 } else { 3 };
    let ends = prop_oneof![lf => Just(0_u8), 3 => Just(100), 2 => 1_u8..100];
    let there = prop::bool::weighted(0.8);
    let lines = prop::collection::vec((line(), 0_u8..100), 1..9);
    let flags = (prop::bool::weighted(0.3), any::<bool>());
    let text = (ends, lines, any::<bool>()).prop_map(|(ends, lines, open)| joined(lines, ends, open));
    let kind = prop_oneof![6 => Just(Kind::Piece), 3 => Just(Kind::Write), 1 => Just(Kind::All), 1 => blank().prop_map(Kind::Blank)];
    (form, text, any::<(u16, u16)>(), new(), flags, (kind, there)).prop_map(
        |(form, text, place, new, (all, straight), (kind, there))| {
            let text = if let Kind::Blank(blank) = kind { blank.to_owned() } else { text };
            let plain = text.replace("\r\n", "\n");
            let old = match kind {
                Kind::Blank(_) => Some(String::new()),
                Kind::Write => None,
                Kind::All => Some(plain),
                Kind::Piece => Some(anchor(&plain, place, straight)),
            };
            let new = if old.as_ref() == Some(&new) { format!("{new}!") } else { new };
            // Only a whole text makes a new file.
            let before = (there || old.is_some()).then(|| bytes(form, &text));
            Case { before, old, new, all }
        },
    )
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// An edit of a piece of the text.
    Piece,
    /// An edit of all of it.
    All,
    /// A text for a file that holds as good as nothing.
    Blank(&'static str),
    Write,
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "\n", "\r\n", " \r\n\t\n", "a"])
}

fn joined(lines: Vec<(String, u8)>, ends: u8, open: bool) -> String {
    let mut text = String::new();
    let count = lines.len();
    for (index, (line, dice)) in lines.into_iter().enumerate() {
        text.push_str(&line);
        if index + 1 < count || !open {
            text.push_str(if dice < ends { "\r\n" } else { "\n" });
        }
    }
    text
}

/// What is written.
fn new() -> impl Strategy<Value = String> {
    let new = prop_oneof![
        2 => Just(String::new()),
        1 => prop::sample::select(vec!["\u{feff}", "\u{feff}x", "\n", "\r\n"]).prop_map(str::to_owned),
        4 => word(),
        4 => prop::collection::vec(line(), 1..4).prop_map(|lines| lines.join("\n")),
    ];
    let new = (new, prop::bool::weighted(0.3));
    new.prop_map(|(new, crlf)| if crlf { new.replace('\n', "\r\n") } else { new })
}

/// A piece of the text, with its quotation marks made straight or not.
fn anchor(text: &str, (from, length): (u16, u16), straight: bool) -> String {
    let signs: Vec<char> = text.chars().collect();
    let from = usize::from(from) % signs.len().max(1);
    let length = 1 + usize::from(length) % 24;
    let piece: String = signs.iter().skip(from).take(length).collect();
    if straight {
        piece.replace(['\u{201c}', '\u{201d}'], "\"").replace(['\u{2018}', '\u{2019}'], "'")
    } else {
        piece
    }
}

fn bytes(form: Form, text: &str) -> Vec<u8> {
    match form {
        Form::Plain => text.as_bytes().to_vec(),
        Form::Marked => [&[0xEF, 0xBB, 0xBF], text.as_bytes()].concat(),
        Form::Wide => [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect(),
    }
}

fn line() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..4).prop_map(|words| words.join(" "))
}

fn word() -> impl Strategy<Value = String> {
    let words = [
        "a",
        "b",
        "let",
        "x = 1;",
        "}",
        "{",
        "\u{201c}so\u{201d}",
        "\"so\"",
        "it\u{2019}s",
        "it's",
        "(\u{2018}q\u{2019})",
        "('q')",
        "\u{e9}t\u{e9}",
        "\u{1f600}",
        "\u{2014}\"d\"",
        "$1",
        "\t",
        "end",
    ];
    prop::sample::select(words.to_vec()).prop_map(str::to_owned)
}
