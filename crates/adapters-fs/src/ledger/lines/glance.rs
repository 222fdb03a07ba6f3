//! Whether a stored record may be one that a query asks for, seen from its bytes alone.
//!
//! A record is in its one canonical form, so that a member's name and value stand in it exactly so; quotes inside of
//! strings are escaped. A glance may take a record for wanted that is not; never the other way round.

use bailiwick_domain::{LedgerQuery, LineHashes, RepoPath, Touching, Value};
use memchr::memchr;
use memchr::memmem::Finder;

/// The lines of a block, in hexadecimal digits up to the next quote.
const LINES: &[u8] = br#""lines":""#;
/// A block has one, whatever version wrote it.
const BLOCK: &[u8] = br#""content_hash":"#;
/// A file is gone, or has another name: what it was called before is known from here.
const RENAMED: [&[u8]; 2] = [br#""change":"deleted""#, br#""moved_from":""#];

/// A file says how its lines follow from those before: the way of every later line leads through it.
const LINEAGE: &[u8] = br#""hunks":["#;

/// What a query looks for in a record.
#[derive(Debug)]
pub(in crate::ledger) struct Glance<'q> {
    containing: Option<Finder<'q>>,
    touching: Option<Touched<'q>>,
}

impl<'q> Glance<'q> {
    pub(in crate::ledger) fn of(query: &'q LedgerQuery) -> Self {
        Self {
            containing: query.containing.as_ref().map(Finder::new),
            touching: query.touching.as_ref().map(Touched::of),
        }
    }

    /// Whether the record may be wanted.
    pub(in crate::ledger) fn may_be_wanted(&self, record: &[u8]) -> bool {
        self.containing.as_ref().is_none_or(|text| text.find(record).is_some())
            && self.touching.as_ref().is_none_or(|text| text.may_be_touched_by(record))
    }
}

#[derive(Debug)]
struct Touched<'q> {
    text: &'q Touching,
    names: Vec<Finder<'static>>,
    renamed: [Finder<'static>; 2],
    lineage: Finder<'static>,
    lines: Finder<'static>,
    block: Finder<'static>,
}

impl<'q> Touched<'q> {
    fn of(text: &'q Touching) -> Self {
        Self {
            text,
            names: text.names().map(|name| Finder::new(&as_stored(name)).into_owned()).collect(),
            renamed: RENAMED.map(Finder::new),
            lineage: Finder::new(LINEAGE),
            lines: Finder::new(LINES),
            block: Finder::new(BLOCK),
        }
    }

    fn may_be_touched_by(&self, record: &[u8]) -> bool {
        let holds = |finder: &Finder<'_>| finder.find(record).is_some();
        let is_own = self.names.iter().any(holds);
        if is_own && (holds(&self.lineage) || self.renamed.iter().any(holds)) {
            return true;
        }
        let mut starts = self.lines.find_iter(record).peekable();
        if starts.peek().is_none() {
            return holds(&self.block);
        }
        starts.any(|start| {
            let lines = record.get(start + LINES.len()..).unwrap_or_default();
            let length = memchr(b'"', lines).unwrap_or(lines.len());
            self.text.may_hold(LineHashes::read(lines.get(..length).unwrap_or_default()).flatten(), is_own)
        })
    }
}

/// The path as it is spelled in a record, with its quotes.
fn as_stored(path: &RepoPath) -> Vec<u8> {
    Value::from(path.as_str()).to_string().into_bytes()
}
