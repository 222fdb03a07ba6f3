//! Finds lines in files, in UTF-8 or behind the mark of UTF-16. Which files may be shown is the caller's to say, and reading them is too.

use std::borrow::Cow;

use bailiwick_domain::RepoPath;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Lossy;
use grep_searcher::{Searcher, SearcherBuilder};

use crate::ignored::Tree;
use crate::walk::{WalkError, name_of, start, walk};

/// So many lines are found.
const MOST_HITS: usize = 200;

/// The longest part of a line that is shown, in characters.
const LONGEST_LINE: usize = 300;

/// How large the program of a regular expression may become, in bytes. What one step of a search costs grows with it.
const MOST_REGEX: usize = 1 << 20;

/// So many bytes of a file are searched between two looks whether somebody still waits, as long as its lines allow that.
const BLOCK: usize = 16 << 10;

/// Of a longer line only the beginning is searched, in bytes.
const LONGEST_SEARCHED: usize = 64 << 10;

/// So many bytes are looked through.
const MOST_BYTES: usize = 1 << 30;

/// Files, as far as the search may see them.
pub trait Source {
    /// The content of a plain file; `None` where there is none, or it is too large.
    fn read(&self, path: &RepoPath) -> Option<Vec<u8>>;
    /// Whether lines of that file may be shown.
    fn may_show(&self, path: &RepoPath) -> bool;
    /// Whether nobody waits for the outcome any more.
    fn is_stopped(&self) -> bool;
}

/// What is searched, and where.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// A regular expression.
    pub regex: &'a str,
    /// A folder or file, relative to the root.
    pub below: &'a str,
    /// A pattern of file names.
    pub names: Option<&'a str>,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its file.
    pub path: RepoPath,
    /// Its number, from 1 on.
    pub line: u64,
    /// Its text, cut where it is long.
    pub text: String,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The lines.
    pub hits: Vec<Hit>,
    /// Whether the search ended before everything was looked through.
    pub more: bool,
    /// The files with lines of which only the beginning was searched.
    pub cut: Vec<RepoPath>,
}

/// Why nothing was searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The regular expression is none.
    #[error("the regular expression cannot be used: {0}")]
    Regex(String),
    /// The place or the pattern of names is none.
    #[error(transparent)]
    Walk(#[from] WalkError),
}

/// Searches below a place of the root.
///
/// # Errors
/// What is wrong with what is wanted.
pub fn search(tree: Tree<'_>, wanted: Wanted<'_>, source: &impl Source) -> Result<Found, SearchError> {
    let matcher = RegexMatcherBuilder::new()
        .size_limit(MOST_REGEX)
        .dfa_size_limit(MOST_REGEX)
        .line_terminator(Some(b'\n'))
        .build(wanted.regex)
        .map_err(|error| SearchError::Regex(error.to_string()))?;
    let start = start(tree.root, wanted.below)?;
    let mut searcher = SearcherBuilder::new().build();
    let mut found = Found::default();
    let mut bytes = 0_usize;
    for entry in walk(tree, &start, None, wanted.names)? {
        if source.is_stopped() || bytes > MOST_BYTES || found.hits.len() >= MOST_HITS {
            found.more = true;
            break;
        }
        let path =
            name_of(tree.root, &entry).filter(|_| entry.file_type().is_some_and(|kind| kind.is_file()));
        let Some(path) = path.and_then(|name| RepoPath::new(&name).ok()) else { continue };
        // Asked before anything is read: what is said of the search, and its time, must not depend on what such a file holds.
        if !source.may_show(&path) {
            continue;
        }
        let Some(content) = source.read(&path) else { continue };
        bytes = bytes.saturating_add(content.len());
        let content = in_utf8(&content);
        // A file with such a byte is not text.
        if content.contains(&0) {
            continue;
        }
        search_file(&mut searcher, &matcher, (&path, &content), source, &mut found);
    }
    if found.hits.len() > MOST_HITS {
        found.hits.truncate(MOST_HITS);
        found.more = true;
    }
    Ok(found)
}

/// The content as it is searched: text that says by its mark that it is UTF-16 has another NUL in each plain letter.
fn in_utf8(content: &[u8]) -> Cow<'_, [u8]> {
    let (text, is_little) = match content {
        [0xFF, 0xFE, text @ ..] => (text, true),
        [0xFE, 0xFF, text @ ..] => (text, false),
        _ => return Cow::Borrowed(content),
    };
    let (pairs, _) = text.as_chunks();
    let unit = |pair: [u8; 2]| if is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) };
    let units = pairs.iter().map(|pair| unit(*pair));
    let text: String =
        char::decode_utf16(units).map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    Cow::Owned(text.into_bytes())
}

/// Searches one file, block by block: a costly regular expression can be called off in the middle of it.
fn search_file(
    searcher: &mut Searcher,
    matcher: &RegexMatcher,
    (path, content): (&RepoPath, &[u8]),
    source: &impl Source,
    found: &mut Found,
) {
    let (mut rest, mut lines_before) = (content, 0_u64);
    while !rest.is_empty() && found.hits.len() <= MOST_HITS {
        if source.is_stopped() {
            found.more = true;
            return;
        }
        let (block, after) = rest.split_at_checked(block_length(rest)).unwrap_or((rest, &[]));
        let searched = block.get(..LONGEST_SEARCHED).unwrap_or(block);
        if searched.len() < block.len() && found.cut.last() != Some(path) {
            found.cut.push(path.clone());
        }
        let hits = hits(searcher, matcher, path, searched);
        found
            .hits
            .extend(hits.into_iter().map(|hit| Hit { line: lines_before.saturating_add(hit.line), ..hit }));
        let lines = block.iter().filter(|byte| **byte == b'\n').count();
        lines_before = lines_before.saturating_add(u64::try_from(lines).unwrap_or(u64::MAX));
        rest = after;
    }
}

/// As many whole lines as a block holds, and at least one.
fn block_length(rest: &[u8]) -> usize {
    let is_end = |byte: &u8| *byte == b'\n';
    let within = rest.get(..BLOCK).unwrap_or(rest);
    let last = within.iter().rposition(is_end).or_else(|| rest.iter().position(is_end));
    last.map_or(rest.len(), |last| last.saturating_add(1))
}

fn hits(searcher: &mut Searcher, matcher: &RegexMatcher, path: &RepoPath, content: &[u8]) -> Vec<Hit> {
    let mut hits = Vec::new();
    let sink = Lossy(|line, text| {
        let text = text.trim_end_matches(['\r', '\n']);
        let mut shown: String = text.chars().take(LONGEST_LINE).collect();
        if text.chars().nth(LONGEST_LINE).is_some() {
            shown.push('…');
        }
        hits.push(Hit { path: path.clone(), line, text: shown });
        Ok(hits.len() <= MOST_HITS)
    });
    // What cannot be searched has no lines to show.
    let _ = searcher.search_slice(matcher, content, sink);
    hits
}
