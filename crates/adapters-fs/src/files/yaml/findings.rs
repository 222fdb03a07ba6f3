//! Reading typed values out of a tree, collecting every complaint instead of stopping at the first.

use bailiwick_domain::{Diagnostic, IntentRule};

use super::tree::{Entry, Mark, Node, Value, complain, likely, shortened};

/// What was found in one file so far.
#[derive(Debug)]
pub(crate) struct Findings {
    file: &'static str,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The rule of each error, and of each warning.
    rules: (Vec<IntentRule>, Vec<IntentRule>),
}

/// What a value must be, as said in "expected …, found …".
const TEXT: &str = "a text";
const LIST_OF_TEXTS: &str = "a list of strings";

impl Findings {
    pub(crate) fn new(file: &'static str) -> Self {
        Self { file, errors: Vec::new(), warnings: Vec::new(), rules: (Vec::new(), Vec::new()) }
    }

    pub(crate) fn error(&mut self, at: Mark, message: impl Into<String>, fix: impl Into<String>) {
        self.error_of(IntentRule::Value, at, message, fix);
    }

    pub(crate) fn error_of(
        &mut self,
        rule: IntentRule,
        at: Mark,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.errors.push(complain(self.file, at, message, fix));
        self.rules.0.push(rule);
    }

    /// Takes in why the file cannot be read at all.
    pub(crate) fn unreadable(&mut self, why: Diagnostic) {
        self.errors.push(why);
        self.rules.0.push(IntentRule::Yaml);
    }

    /// The rules of the errors, and of the warnings, in their order.
    pub(crate) fn into_parts(self) -> (Vec<Diagnostic>, Vec<Diagnostic>, Vec<IntentRule>, Vec<IntentRule>) {
        (self.errors, self.warnings, self.rules.0, self.rules.1)
    }

    pub(crate) fn warn(&mut self, at: Mark, message: impl Into<String>, fix: impl Into<String>) {
        self.warn_of(IntentRule::OtherSpelling, at, message, fix);
    }

    pub(crate) fn warn_of(
        &mut self,
        rule: IntentRule,
        at: Mark,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.warnings.push(complain(self.file, at, message, fix));
        self.rules.1.push(rule);
    }

    pub(crate) fn wrong_type(&mut self, node: &Node, key: &str, expected: &str) {
        let found = node.kind();
        let fix = match (&node.value, expected) {
            (Value::Scalar(scalar), TEXT) if !scalar.is_null() => {
                format!("put it in quotes: `\"{}\"`", scalar.text)
            }
            (Value::Scalar(scalar), LIST_OF_TEXTS) if !scalar.is_null() => {
                format!("write a list: `{key}: [\"{}\"]`", shortened(&scalar.text))
            }
            (Value::Map(_), expected) if expected.starts_with("a list") => {
                "write a list: each item on a line that begins with `- `".into()
            }
            (Value::Map(entries), TEXT) => match entries.first() {
                Some(entry) if entry.key.contains(' ') => {
                    "put the whole text in quotes, it contains `: `".into()
                }
                _ => String::new(),
            },
            _ => String::new(),
        };
        self.error(node.at, format!("`{key}`: expected {expected}, found {found}"), fix);
    }

    /// Says that a key is not known, with the likely one.
    pub(crate) fn unknown_key(&mut self, entry: &Entry, place: &str, known: &[&str]) {
        let message = format!("unknown key `{}` in {place}", shortened(&entry.key));
        let fix = if entry.key.contains(' ') {
            "put the whole text in quotes if it is one, it contains `: `".into()
        } else {
            likely(&entry.key, known)
        };
        self.error_of(IntentRule::UnknownKey, entry.at, message, fix);
    }

    pub(crate) fn text(&mut self, node: &Node, key: &str) -> Option<String> {
        let text = match &node.value {
            Value::Scalar(scalar) => scalar.as_text(),
            _ => None,
        };
        if text.is_none() {
            self.wrong_type(node, key, TEXT);
        }
        text.map(str::to_owned)
    }

    /// A text that says something.
    pub(crate) fn filled_text(&mut self, node: &Node, key: &str) -> Option<String> {
        let text = self.text(node, key)?;
        if text.trim().is_empty() {
            self.error(node.at, format!("`{key}` is blank"), "give it a value or remove the key");
            return None;
        }
        Some(text.trim().to_owned())
    }

    /// The items of a list; nothing at all counts as an empty list.
    pub(crate) fn list<'n>(&mut self, node: &'n Node, key: &str, expected: &str) -> Option<&'n [Node]> {
        match &node.value {
            Value::List(items) => Some(items),
            _ if node.is_null() => Some(&[]),
            _ => {
                self.wrong_type(node, key, expected);
                None
            }
        }
    }

    /// A list of texts with their places.
    pub(crate) fn texts(&mut self, node: &Node, key: &str) -> Vec<(Mark, String)> {
        let items = self.list(node, key, LIST_OF_TEXTS).unwrap_or_default();
        items.iter().filter_map(|item| Some((item.at, self.text(item, key)?))).collect()
    }

    pub(crate) fn map<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n [Entry]> {
        match &node.value {
            Value::Map(entries) => Some(entries),
            _ if node.is_null() => Some(&[]),
            _ => {
                self.wrong_type(node, key, "a map");
                None
            }
        }
    }

    pub(crate) fn flag(&mut self, node: &Node, key: &str) -> Option<bool> {
        let scalar = match &node.value {
            Value::Scalar(scalar) => scalar,
            _ => {
                self.wrong_type(node, key, "`true` or `false`");
                return None;
            }
        };
        let flag = scalar.as_bool();
        if flag.is_none() {
            let fix = match scalar.text.to_lowercase().as_str() {
                "yes" | "on" | "y" | "1" | "true" => "did you mean `true`?",
                "no" | "off" | "n" | "0" | "false" => "did you mean `false`?",
                _ => "",
            };
            self.error(node.at, format!("`{key}`: expected `true` or `false`, found {}", node.kind()), fix);
        }
        flag
    }

    /// A whole number within limits.
    pub(crate) fn whole(&mut self, node: &Node, key: &str, limits: (u64, u64)) -> Option<u64> {
        let (least, most) = limits;
        let number = match &node.value {
            Value::Scalar(scalar) => scalar.as_whole(),
            _ => None,
        };
        let fitting = number.filter(|number| (least..=most).contains(number));
        if fitting.is_none() {
            let expected = format!("expected a whole number from {least} to {most}");
            self.error(node.at, format!("`{key}`: {expected}, found {}", node.kind()), "");
        }
        fitting
    }

    /// A part of the whole, such as `0.1`, in thousandths.
    pub(crate) fn share(&mut self, node: &Node, key: &str) -> Option<u32> {
        let found = match &node.value {
            Value::Scalar(scalar) => scalar.as_thousandths(),
            _ => None,
        };
        if found.is_none() {
            let expected = "expected a number from 0 to 1 with at most three decimals";
            self.error(node.at, format!("`{key}`: {expected}, found {}", node.kind()), "such as 0.1");
        }
        found
    }

    /// One of a few words.
    pub(crate) fn word<T: Copy>(&mut self, node: &Node, key: &str, words: &[(&str, T)]) -> Option<T> {
        let text = match &node.value {
            Value::Scalar(scalar) => scalar.text.as_str(),
            _ => {
                self.wrong_type(node, key, "one word");
                return None;
            }
        };
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let message = format!("`{key}`: `{}` is not one of its values", shortened(text));
            self.error(node.at, message, likely(text, &known));
        }
        found
    }
}
