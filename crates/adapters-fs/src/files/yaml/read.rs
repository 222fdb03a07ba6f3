//! Bytes to tree. Refuses what the subset leaves out and says how to write it instead.

use bailiwick_domain::Diagnostic;
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};

use super::cause;
use super::tree::{Entry, Mark, Node, Scalar, Value, complain, shortened};

const MAX_DEPTH: usize = 32;
const MAX_KEYS: usize = 1000;
const WHOLE_FILE: Mark = Mark { line: 0, column: 0 };

/// Reads one document; `None` when there is nothing but blanks and comments.
pub(crate) fn read(file: &str, bytes: &[u8]) -> Result<Option<Node>, Box<Diagnostic>> {
    if bytes.len() as u64 > super::MAX_BYTES {
        return Err(Box::new(complain(
            file,
            WHOLE_FILE,
            "the file is larger than 8 MiB",
            "split or shorten it",
        )));
    }
    let text = text_of(file, bytes)?;
    let mut reader = Reader { file, text, events: Parser::new_from_str(text) };
    reader.document()
}

fn text_of<'t>(file: &str, bytes: &'t [u8]) -> Result<&'t str, Box<Diagnostic>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = good.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let before = good.get(start..).unwrap_or_default();
        let column = String::from_utf8_lossy(before).chars().count() + 1;
        Box::new(complain(file, Mark { line, column }, "the file is not UTF-8", "save it as UTF-8"))
    })
}

struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    events: Parser<'t, StrInput<'t>>,
}

type Read<T> = Result<T, Box<Diagnostic>>;

impl<'t> Reader<'t> {
    fn document(&mut self) -> Read<Option<Node>> {
        let mut root = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => return Ok(root),
                Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
                _ if root.is_some() => {
                    return Err(self.at(
                        span,
                        "a second document starts here",
                        "keep one document in the file",
                    ));
                }
                Event::Scalar(text, ScalarStyle::Plain, _, None) if text.is_empty() => {}
                other => root = Some(self.node(other, span, 0)?),
            }
        }
    }

    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Read<Node> {
        if depth >= MAX_DEPTH {
            return Err(self.at(span, "nested more than 32 levels deep", "nest it less deeply"));
        }
        let at = mark(span);
        let tag = match &event {
            Event::Scalar(_, _, _, tag) | Event::SequenceStart(_, tag) | Event::MappingStart(_, tag) => {
                tag.clone()
            }
            _ => None,
        };
        if let Some(tag) = tag.filter(|tag| !(tag.is_yaml_core_schema() && tag.suffix == "str")) {
            let (message, fix) =
                (format!("`{}` is read as a YAML tag", shortened(&tag.to_string())), self.quoted(at));
            return Err(self.at(span, message, fix));
        }
        let value = match event {
            Event::Scalar(text, style, _, tag) => Value::Scalar(Scalar {
                text: text.into_owned(),
                plain: style == ScalarStyle::Plain && tag.is_none(),
            }),
            Event::SequenceStart(..) => Value::List(self.list(depth)?),
            Event::MappingStart(..) => Value::Map(self.map(depth)?),
            Event::Alias(_) => return Err(self.at(span, "aliases are not allowed", "write the value out")),
            _ => return Err(self.at(span, "a value is missing here", "")),
        };
        Ok(Node { at, value })
    }

    fn list(&mut self, depth: usize) -> Read<Vec<Node>> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(items),
                (event, span) => items.push(self.node(event, span, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Read<Vec<Entry>> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let (key, at) = match self.next()? {
                (Event::MappingEnd, _) => return Ok(entries),
                (Event::Scalar(text, _, _, None), span) => (text.into_owned(), span),
                (_, span) => return Err(self.at(span, "a key must be a word", "")),
            };
            if let Some(first) = entries.iter().find(|entry| entry.key == key) {
                let message = format!("the key `{}` is there twice", shortened(&key));
                return Err(self.at(at, message, format!("the first one is on line {}", first.at.line)));
            }
            if entries.len() >= MAX_KEYS {
                return Err(self.at(at, "a map has more than 1,000 keys", "write fewer"));
            }
            let (event, span) = self.next()?;
            let node = self.node(event, span, depth + 1)?;
            entries.push(Entry { at: mark(at), key, node });
        }
    }

    fn next(&mut self) -> Read<(Event<'t>, Span)> {
        match self.events.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(Box::new(self.scan_error(&error))),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn at(&self, span: Span, message: impl Into<String>, fix: impl Into<String>) -> Box<Diagnostic> {
        Box::new(complain(self.file, mark(span), message, fix))
    }

    fn scan_error(&self, error: &ScanError) -> Diagnostic {
        let at = Mark { line: error.marker().line(), column: error.marker().col() + 1 };
        if error.info().contains("unknown anchor") {
            let message = "a word that starts with `*` is read as an alias";
            return complain(self.file, at, message, self.quoted(at));
        }
        match cause::of(self.text, at) {
            Some(cause) => complain(self.file, cause.at, cause.message, cause.fix),
            None => complain(self.file, at, format!("not YAML: {}", error.info()), ""),
        }
    }

    /// Advice to quote the word that starts at a place.
    fn quoted(&self, at: Mark) -> String {
        let line = self.text.lines().nth(at.line.saturating_sub(1)).unwrap_or_default();
        let rest: String = line.chars().skip(at.column.saturating_sub(1)).collect();
        let word = rest.split([' ', ',', ']']).next().unwrap_or_default();
        if word.is_empty() { "put it in quotes".into() } else { format!("put it in quotes: `\"{word}\"`") }
    }
}

fn mark(span: Span) -> Mark {
    Mark { line: span.start.line(), column: span.start.col() + 1 }
}
