//! Whether a stored record may be one that a query asks for, seen from its bytes alone.
//!
//! A record is in its one canonical form, so that a member's name and value stand in it exactly so; quotes inside of
//! strings are escaped. A glance may take a record for wanted that is not; never the other way round.

use bailiwick_domain::{LedgerQuery, LineHashes, RepoPath, Touching, Value};
use memchr::memmem;

/// The lines of a block, in hexadecimal digits up to the next quote.
const LINES: &[u8] = br#""lines":""#;
/// A block has one, whatever version wrote it.
const BLOCK: &[u8] = br#""content_hash":"#;
/// A file is gone, or has another name: what it was called before is known from here.
const RENAMED: [&[u8]; 2] = [br#""change":"deleted""#, br#""moved_from":""#];

/// Whether the record may be wanted.
pub(super) fn may_be_wanted(record: &[u8], query: &LedgerQuery) -> bool {
    let holds = |text: &String| memmem::find(record, text.as_bytes()).is_some();
    query.containing.as_ref().is_none_or(holds)
        && query.touching.as_ref().is_none_or(|text| may_touch(record, text))
}

fn may_touch(record: &[u8], text: &Touching) -> bool {
    let is_own = text.names().any(|name| memmem::find(record, &as_stored(name)).is_some());
    if is_own && RENAMED.iter().any(|member| memmem::find(record, member).is_some()) {
        return true;
    }
    let mut starts = memmem::find_iter(record, LINES).peekable();
    if starts.peek().is_none() {
        return memmem::find(record, BLOCK).is_some();
    }
    starts.any(|start| {
        let lines = record.get(start + LINES.len()..).unwrap_or_default();
        let lines = lines.split(|byte| *byte == b'"').next().unwrap_or_default();
        text.may_hold(LineHashes::read(lines).flatten(), is_own)
    })
}

/// The path as it is spelled in a record, with its quotes.
fn as_stored(path: &RepoPath) -> Vec<u8> {
    Value::from(path.as_str()).to_string().into_bytes()
}
