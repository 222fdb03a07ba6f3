//! The tree, and the words for complaining about a place in it. Does not know any file's keys.

use std::fmt::Write as _;

use bailiwick_domain::Diagnostic;

/// A place in a file; both numbers start at 1, the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) at: Mark,
    pub(crate) value: Value,
}

/// What a value can be.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Scalar(Scalar),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A scalar; only a plain (unquoted) one can be something else than a text.
#[derive(Clone, Debug)]
pub(crate) struct Scalar {
    pub(crate) text: String,
    pub(crate) plain: bool,
}

/// One key of a map with its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) at: Mark,
    pub(crate) key: String,
    pub(crate) node: Node,
}

impl Scalar {
    /// Whether it stands for nothing.
    pub(crate) fn is_null(&self) -> bool {
        self.plain && matches!(self.text.as_str(), "" | "~" | "null" | "Null" | "NULL")
    }

    /// `true` or `false`, when it is one of them.
    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self.text.as_str() {
            "true" | "True" | "TRUE" if self.plain => Some(true),
            "false" | "False" | "FALSE" if self.plain => Some(false),
            _ => None,
        }
    }

    /// The whole number that it is, if it is one.
    pub(crate) fn as_whole(&self) -> Option<u64> {
        let digits =
            self.plain && !self.text.is_empty() && self.text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| self.text.parse().ok()).flatten()
    }

    /// The thousandths of a number from 0 to 1 with at most three decimals, if it is one.
    pub(crate) fn as_thousandths(&self) -> Option<u32> {
        let (whole, decimals) = self.text.split_once('.').unwrap_or((&self.text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let fits = self.plain && matches!(whole, "0" | "1") && decimals.len() <= 3 && digits(decimals);
        let thousandths: u32 = fits.then(|| format!("{whole}{decimals:0<3}").parse().ok()).flatten()?;
        (thousandths <= 1000).then_some(thousandths)
    }

    /// The text, unless the scalar reads as a number, a truth value or nothing.
    pub(crate) fn as_text(&self) -> Option<&str> {
        (!self.plain || !(self.is_null() || self.as_bool().is_some() || self.is_number()))
            .then_some(&self.text)
    }

    fn is_number(&self) -> bool {
        let unsigned = self.text.strip_prefix(['-', '+']).unwrap_or(&self.text);
        unsigned.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || byte == b'.')
            && (self.text.parse::<f64>().is_ok() || unsigned.starts_with("0x") || unsigned.starts_with("0o"))
    }
}

impl Node {
    /// Whether nothing is there: `null`, `~` or no value.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar(scalar) if scalar.is_null())
    }

    /// What it is, with its article, for messages.
    pub(crate) fn kind(&self) -> String {
        match &self.value {
            Value::List(_) => "a list".into(),
            Value::Map(_) => "a map".into(),
            Value::Scalar(scalar) if scalar.is_null() => "nothing".into(),
            Value::Scalar(scalar) if scalar.as_bool().is_some() => {
                format!("the truth value `{}`", scalar.text)
            }
            Value::Scalar(scalar) if scalar.as_text().is_none() => format!("the number `{}`", scalar.text),
            Value::Scalar(scalar) => format!("the text `{}`", shortened(&scalar.text)),
        }
    }
}

/// A diagnostic at a place of a file.
pub(crate) fn complain(
    file: &str,
    at: Mark,
    message: impl Into<String>,
    fix: impl Into<String>,
) -> Diagnostic {
    let (message, fix) = (message.into(), fix.into());
    Diagnostic { file: file.into(), line: at.line, column: at.column, message, fix, way_out: None }
}

/// The fix for a word that is not among `known`: the nearest one, or all when there are few.
pub(crate) fn likely(word: &str, known: &[&str]) -> String {
    let folded = word.to_lowercase().replace(['-', ' '], "_");
    let distance = |candidate: &str| strsim::damerau_levenshtein(&folded, &candidate.to_lowercase());
    let near = known.iter().map(|candidate| (distance(candidate), *candidate)).min();
    let inside =
        |candidate: &&&str| folded.len() > 3 && (candidate.contains(&folded) || folded.contains(**candidate));
    match near {
        Some((far, candidate)) if far <= (folded.chars().count() / 3).max(1) => {
            format!("did you mean `{candidate}`?")
        }
        _ => match known.iter().find(inside) {
            Some(candidate) => format!("did you mean `{candidate}`?"),
            None => listed(known),
        },
    }
}

fn listed(known: &[&str]) -> String {
    let mut text = String::from("known:");
    for (index, word) in known.iter().enumerate() {
        let _ = write!(text, "{} `{word}`", if index == 0 { "" } else { "," });
    }
    text
}

/// A text that is fit for a message: one line, at most sixty characters.
pub(crate) fn shortened(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(60).collect();
    if text.chars().count() > 60 { format!("{line}…") } else { line }
}
