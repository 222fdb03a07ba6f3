//! Why a line deserves the first look: kinds of marks, and patterns over what comes, what goes, and commands
//! (`marks.txt`).
//!
//! A heuristic for the eye, and a documented one (`docs/guide/approvals.md` lists the kinds). It decides only the order
//! in which lines are shown.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexSet, RegexSetBuilder};

use super::{Line, LineKind};
use crate::presentation::reading::LEFT_OUT;
use crate::presentation::redact::{REDACTED, redact};

/// A kind of mark, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Control or invisible characters, look-alike letters, or code far to the right.
    Hidden,
    /// A part of the preview is left out.
    LeftOut,
    /// Downloads something and runs it.
    RunsDownload,
    /// A password, key or token that was taken out of what is shown.
    Secret,
    /// Reads keys, passwords or the whole environment.
    ReadsSecrets,
    /// Deletes far and wide.
    Destroys,
    /// Starts with the system, a shell or a login.
    Persists,
    /// More rights, or for more people.
    Permission,
    /// A test or an assertion goes away.
    TestGone,
    /// A check of identity, rights or input goes away.
    GuardGone,
    /// A check is switched off.
    CheckOff,
    /// Runs text as code, or starts another program.
    RunsCode,
    /// Text that must be decoded before it can be read.
    Encoded,
    /// A dependency from an unusual source, or a step that runs at installation.
    Dependency,
    /// Talks to the network.
    Network,
    /// Text of others reaches a query or a page unescaped, or weak cryptography.
    Injection,
    /// A file that runs, or decides what runs, when somebody builds, tests or pushes.
    Executable,
}

impl Mark {
    /// What it says beside the line.
    pub fn says(self) -> &'static str {
        match self {
            Self::Hidden => "hides something",
            Self::LeftOut => "a part is not shown",
            Self::RunsDownload => "runs what it downloads",
            Self::Secret => "a secret, redacted",
            Self::ReadsSecrets => "reads secrets",
            Self::Destroys => "destroys",
            Self::Persists => "starts by itself later",
            Self::Permission => "gives rights",
            Self::GuardGone => "a guard is removed",
            Self::CheckOff => "a check is off",
            Self::TestGone => "a test is removed",
            Self::RunsCode => "runs code",
            Self::Encoded => "is encoded",
            Self::Network => "network",
            Self::Injection => "unescaped or weak",
            Self::Dependency => "dependency",
            Self::Executable => "can run code",
        }
    }
}

/// Where a pattern counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// What comes, and commands.
    Comes,
    /// What goes.
    Goes,
}

/// The memory that matching may use to be fast, in bytes.
const CACHE: usize = 32 << 20;

/// The patterns, in sections headed `[KIND comes]` or `[KIND goes]`, one pattern a line.
const PATTERNS: &str = include_str!("marks.txt");

/// All kinds with their names in the file.
const KINDS: &[(&str, Mark)] = &[
    ("Hidden", Mark::Hidden),
    ("LeftOut", Mark::LeftOut),
    ("RunsDownload", Mark::RunsDownload),
    ("Secret", Mark::Secret),
    ("ReadsSecrets", Mark::ReadsSecrets),
    ("Destroys", Mark::Destroys),
    ("Persists", Mark::Persists),
    ("Permission", Mark::Permission),
    ("TestGone", Mark::TestGone),
    ("GuardGone", Mark::GuardGone),
    ("CheckOff", Mark::CheckOff),
    ("RunsCode", Mark::RunsCode),
    ("Encoded", Mark::Encoded),
    ("Network", Mark::Network),
    ("Injection", Mark::Injection),
    ("Dependency", Mark::Dependency),
    ("Executable", Mark::Executable),
];

/// The sections of the file: a kind, where it counts, and its patterns as one.
pub(super) fn sections() -> Vec<(Mark, Side, String)> {
    let mut sections: Vec<(Mark, Side, String)> = Vec::new();
    for line in PATTERNS.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        if let Some((mark, side)) = head(line) {
            sections.push((mark, side, String::new()));
        } else if let Some((_, _, all)) = sections.last_mut() {
            all.push_str(if all.is_empty() { "(?i-u)" } else { "|" });
            all.push_str(line);
        }
    }
    sections
}

fn head(line: &str) -> Option<(Mark, Side)> {
    let (name, side) = line.strip_prefix('[')?.strip_suffix(']')?.split_once(' ')?;
    let side = match side {
        "comes" => Side::Comes,
        "goes" => Side::Goes,
        _ => return None,
    };
    KINDS.iter().find(|(kind, _)| *kind == name).map(|(_, mark)| (*mark, side))
}

/// Marks the lines that deserve it, each by its gravest kind; gives their places.
pub(super) fn mark(lines: &mut [Line]) -> Vec<usize> {
    let table = table();
    let mut marked = Vec::new();
    for at in 0..lines.len() {
        let found = lines.get(at).and_then(|line| table.find(line)).or_else(|| always_yes(lines, at));
        let Some(line) = lines.get_mut(at).filter(|_| found.is_some()) else { continue };
        line.mark = found;
        marked.push(at);
    }
    marked
}

/// A line that answers the same whatever it is asked, in place of lines that did not.
fn always_yes(lines: &[Line], at: usize) -> Option<(Mark, usize)> {
    const NEAR: usize = 8;
    let line = lines.get(at).filter(|line| line.kind == LineKind::Added && is_constant(&line.text))?;
    let before = lines.get(at.saturating_sub(NEAR)..at)?;
    let replaced = before.iter().rev().take_while(|line| line.kind != LineKind::Hunk);
    let mut gone = replaced.filter(|line| line.kind == LineKind::Removed);
    gone.any(|line| line.text.trim().len() > 3 && !is_constant(&line.text))
        .then(|| (Mark::CheckOff, line.text.len() - line.text.trim_start().len()))
}

fn is_constant(text: &str) -> bool {
    let body = text.trim().trim_start_matches("return ").trim_end_matches([';', ',']).to_ascii_lowercase();
    matches!(
        body.as_str(),
        "true" | "ok(true)" | "ok(())" | "some(true)" | "1" | "yes" | "allow" | "return" | "pass"
    )
}

/// The patterns, made ready.
struct Table {
    sides: Vec<(Mark, Side)>,
    set: RegexSet,
    each: Vec<Regex>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let sections = sections();
        let patterns: Vec<&String> = sections.iter().map(|(_, _, pattern)| pattern).collect();
        Table {
            set: RegexSetBuilder::new(&patterns)
                .dfa_size_limit(CACHE)
                .build()
                .unwrap_or_else(|_| RegexSet::empty()),
            each: patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect(),
            sides: sections.iter().map(|(mark, side, _)| (*mark, *side)).collect(),
        }
    })
}

impl Table {
    /// The gravest mark of a line, and the character that it begins at.
    fn find(&self, line: &Line) -> Option<(Mark, usize)> {
        let side = match line.kind {
            LineKind::Added | LineKind::Command => Side::Comes,
            LineKind::Removed => Side::Goes,
            LineKind::Note if line.text.starts_with(LEFT_OUT) => return Some((Mark::LeftOut, 0)),
            LineKind::Note | LineKind::Context => return line.had_hidden.then_some((Mark::Hidden, 0)),
            LineKind::File if line.in_executable => return Some((Mark::Executable, 0)),
            LineKind::File | LineKind::Hunk => return None,
        };
        if line.had_hidden || (side == Side::Comes && has_look_alikes(&line.text)) {
            return Some((Mark::Hidden, hidden_at(&line.text)));
        }
        if side == Side::Comes
            && let Some(at) = redacted_at(&line.text)
        {
            return Some((Mark::Secret, at));
        }
        let fits = self.set.matches(line.text.as_bytes());
        let found = fits.iter().filter_map(|index| {
            let (mark, counts) = self.sides.get(index)?;
            let at = self.each.get(index).filter(|_| *counts == side)?.find(line.text.as_bytes())?.start();
            let before = line.text.get(..line.text.floor_char_boundary(at)).unwrap_or_default();
            Some((*mark, before.chars().count()))
        });
        found.min_by_key(|(mark, _)| *mark)
    }
}

/// Where a secret stands that was taken out of what is shown, or would be: the redaction alone knows what one is, so that
/// the mark and the redaction never say different things.
fn redacted_at(text: &str) -> Option<usize> {
    let at = match text.find(REDACTED) {
        Some(end) => text.get(..end)?.rfind('‹')?,
        None => {
            let shown = redact(text);
            text.bytes().zip(shown.bytes()).position(|(raw, shown)| raw != shown).filter(|_| shown != text)?
        }
    };
    Some(text.get(..text.floor_char_boundary(at))?.chars().count())
}

/// Whether a word mixes Latin letters with letters of another script that look like them.
fn has_look_alikes(text: &str) -> bool {
    let foreign =
        |c: char| matches!(c, '\u{370}'..='\u{52f}' | '\u{ff01}'..='\u{ff5e}' | '\u{1d400}'..='\u{1d7ff}');
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word.chars().any(|c| c.is_ascii_alphabetic()) && word.chars().any(foreign))
}

fn hidden_at(text: &str) -> usize {
    let at = text.find("\\u{").or_else(|| text.find(|c: char| !c.is_ascii())).unwrap_or(0);
    text.get(..at).unwrap_or_default().chars().count()
}
