//! What a heading or a line numbers: requirements, their criteria, and what a user story wants.

use crate::outline::{Block, Kind};
use crate::wording::{REQUIREMENT, name, one_line};

/// Words before what a user story wants, the longer ones first.
const WANTS: &[&str] = &["i want to ", "i want ", "我想要", "我希望", "我需要", "我想"];
/// Words before why it is wanted.
const SO_THAT: &[&str] =
    &[", so that", " so that", ", damit", "，以便", "以便", "，从而", "，這樣", "，这样"];

/// Where a word is; case does not matter. Folding keeps the length of ASCII alone, so other text is compared as it is.
fn find(text: &str, word: &str) -> Option<usize> {
    text.to_ascii_lowercase().find(word)
}

/// What a user story wants, as a name.
pub(super) fn wish_in(text: &str) -> String {
    let line = one_line(text);
    let after = |word: &str| find(&line, word).map(|at| at + word.len());
    let from = WANTS.iter().find_map(|word| after(word));
    let wish = from.and_then(|at| line.get(at..)).unwrap_or(&line);
    let end = SO_THAT.iter().filter_map(|word| find(wish, word)).min();
    let wish = end.and_then(|at| wish.get(..at)).unwrap_or(wish);
    let mut chars = wish.trim_end_matches([',', '.', ' ', '，', '。', '、']).chars();
    name(&chars.next().map(|first| first.to_uppercase().chain(chars).collect::<String>()).unwrap_or_default())
}

/// A heading that begins a requirement: its number and title.
pub(super) fn requirement(text: &str, level: Option<u8>) -> Option<(String, String)> {
    let text = text.trim();
    let is_word = |rest: &&str| rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let named = REQUIREMENT.iter().find_map(|word| text.strip_prefix(word).filter(is_word));
    let is_deep = level.is_some_and(|level| level >= 3);
    let has_title = text.contains(". ") || text.contains(": ");
    let bare = Some(text).filter(is_word).filter(|_| is_deep && has_title);
    let rest = named.or(bare)?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest.get(..end)?.trim_start_matches('0');
    let title = rest.get(end..)?;
    // `1.2 Something` is no requirement of its own.
    let is_part = title.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if number.is_empty() || number.len() > 4 || is_part {
        return None;
    }
    Some((number.to_owned(), name(title.trim_start_matches([':', '：', '.', '-', '–', '—', ' ', ')']))))
}

/// The criteria of a block with their numbers and lines: an ordered item, or lines that begin with `1.2`.
pub(super) fn numbered(block: &Block) -> Vec<(String, String, usize)> {
    let mut found: Vec<(String, String, usize)> = Vec::new();
    if block.ticked.is_some() || block.kind == Kind::Row {
        return found;
    }
    for (line, at) in block.text.lines().zip(block.lines.0..) {
        match (dotted(line), found.last_mut()) {
            (Some((number, text)), _) => found.push((number, one_line(text), at)),
            (None, Some((_, last, _))) => *last = one_line(&format!("{last} {line}")),
            (None, None) => break,
        }
    }
    if let (true, Kind::Item { depth: 1, number: Some(number) }) = (found.is_empty(), block.kind) {
        found.push((number.to_string(), one_line(&block.text), block.lines.0));
    }
    found
}

/// A number such as `1.2` that a line begins with, and what follows it.
fn dotted(line: &str) -> Option<(String, &str)> {
    let (number, rest) = line.trim().split_once(' ')?;
    let bare = number.trim_end_matches(['.', ')', ':']);
    let is_number =
        |part: &str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    let (first, second) = bare.split_once('.')?;
    (is_number(first) && is_number(second)).then(|| (bare.to_owned(), rest.trim()))
}
