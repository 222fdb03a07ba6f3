//! From a line back to its entry, with the proof that it is what was written.

use bailiwick_domain::{
    Actor, ApprovalId, CallId, Change, ChangedFile, ChangedRange, ContentHash, FileState, Fingerprint, Hunk,
    IntentId, Landmarks, Lineage, Mutation, RepoPath, Restores, Revision, Timestamp, TraceContext,
    TraceEntry, VcsRevision,
};
use memchr::memmem;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{LedgerLine, LedgerSays, LineFault};
use crate::ledger::record::canonical::CanonicalObject;

/// The members that a checksum does not cover.
const UNSIGNED: &[&str] = &["checksum", "signature"];
/// The place of a line in its chain.
const SEQ: &[u8] = br#""seq":"#;
/// Its checksum.
const CHECKSUM: &[u8] = br#""checksum":""#;
/// The key of its signature.
const SIGNED_BY: &[u8] = br#""signed_by":""#;

/// The members that a line is read back from.
#[derive(Debug, Deserialize)]
struct Envelope {
    id: String,
    timestamp: Timestamp,
    files: Vec<TracedFile>,
    metadata: Metadata,
    prev: Option<ContentHash>,
    checksum: ContentHash,
    signature: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Metadata {
    #[serde(rename = "dev.bailiwick")]
    own: Own,
}

#[derive(Debug, Deserialize)]
struct TracedFile {
    conversations: Vec<Conversation>,
}

#[derive(Debug, Deserialize)]
struct Conversation {
    ranges: Vec<ChangedRange>,
}

/// Our members of a record.
#[derive(Debug, Deserialize)]
struct Own {
    #[serde(rename = "schema")]
    _schema: u32,
    seq: u64,
    working_copy: Option<String>,
    #[serde(default)]
    signed_by: Option<String>,
    call: CallId,
    host: String,
    session_id: String,
    agent_id: Option<String>,
    tool: String,
    fingerprint: Fingerprint,
    approval: Option<ApprovalId>,
    approved_by: Option<String>,
    #[serde(default)]
    approved_at: Option<Timestamp>,
    intent: IntentId,
    revision: Revision,
    requirements: Vec<String>,
    derived: bool,
    late: bool,
    #[serde(default)]
    ledger: LedgerSays,
    amended: bool,
    scope_override: bool,
    model: Option<String>,
    vcs: VcsRevision,
    #[serde(default)]
    mutation: Option<Mutation>,
    #[serde(default)]
    restores: Option<Restores>,
    files: Vec<OwnFile>,
}

#[derive(Debug, Deserialize)]
struct OwnFile {
    path: RepoPath,
    change: Change,
    before: FileState,
    after: FileState,
    removed: Vec<OwnRemoved>,
    binary: bool,
    #[serde(default)]
    moved_from: Option<RepoPath>,
    #[serde(default)]
    moved_to: Option<RepoPath>,
    /// For each range of the file, in the same order; older versions did not say.
    #[serde(default)]
    landmarks: Vec<Landmarks>,
    /// Older versions did not say.
    #[serde(default)]
    hunks: Option<Vec<Hunk>>,
    #[serde(default)]
    doubtful: Vec<(usize, usize)>,
}

#[derive(Debug, Deserialize)]
struct OwnRemoved {
    anchor: usize,
    previous_hash: ContentHash,
}

/// What the next line builds on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ledger) struct Link {
    /// Its place, counted from 0.
    pub(in crate::ledger) seq: u64,
    /// The checksum of the line.
    pub(in crate::ledger) checksum: ContentHash,
}

impl From<LedgerLine> for Link {
    fn from(line: LedgerLine) -> Self {
        Self { seq: line.seq, checksum: line.checksum }
    }
}

/// The place that a line claims. Nothing else of the line is looked at: nobody may count on it before it is checked.
///
/// # Errors
/// It claims none.
pub(in crate::ledger) fn claimed_link(line: &[u8]) -> Result<Link, LineFault> {
    plain_link(line).map_or_else(|| read_ledger_line(line).map(Link::from), Ok)
}

/// Whether the line is what was written, and has the place that it claims.
///
/// # Errors
/// It is in another form, or does not match its checksum.
pub(in crate::ledger) fn check_link(line: &[u8], claimed: &Link) -> Result<(), LineFault> {
    let fits = |record: CanonicalObject<'_>| record.hash_without(UNSIGNED) == claimed.checksum;
    if CanonicalObject::scan(line).is_some_and(fits) && plain_link(line).as_ref() == Some(claimed) {
        return Ok(());
    }
    let link = Link::from(read_ledger_line(line)?);
    if link == *claimed { Ok(()) } else { Err(LineFault::Checksum) }
}

/// The key that a line names as the one it is signed with. Nothing else of the line is looked at.
pub(in crate::ledger) fn claimed_key(line: &[u8]) -> Option<String> {
    let Some(behind) = only(line, SIGNED_BY) else {
        // Most lines have it once. Any other is read as a whole.
        memmem::find(line, SIGNED_BY)?;
        return read_ledger_line(line).ok()?.signed_by;
    };
    str::from_utf8(behind.get(..memchr::memchr(b'"', behind)?)?).ok().map(str::to_owned)
}

/// `None` when it is not plain to see.
fn plain_link(line: &[u8]) -> Option<Link> {
    let checksum = only(line, CHECKSUM)?;
    let checksum = checksum.get(..memchr::memchr(b'"', checksum)?)?;
    let digits = only(line, SEQ)?;
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let seq = str::from_utf8(digits.get(..length)?).ok()?.parse().ok()?;
    Some(Link { seq, checksum: ContentHash::parse(str::from_utf8(checksum).ok()?)? })
}

/// What stands behind a text that is there once. Quotes inside of strings are escaped: one with quotes can only be the
/// name of a member.
fn only<'l>(line: &'l [u8], text: &[u8]) -> Option<&'l [u8]> {
    let mut places = memmem::find_iter(line, text);
    let (Some(at), None) = (places.next(), places.next()) else { return None };
    line.get(at + text.len()..)
}

/// Reads a line back and checks that it is in canonical form and matches its checksum. Members of newer
/// versions are covered by the checksum and otherwise ignored.
pub fn read_ledger_line(line: &[u8]) -> Result<LedgerLine, LineFault> {
    let form = |error: serde_json::Error| LineFault::Form(error.to_string());
    let Some(record) = CanonicalObject::scan(line) else {
        serde_json::from_slice::<IgnoredAny>(line).map_err(form)?;
        return Err(LineFault::NotCanonical);
    };
    let envelope: Envelope = serde_json::from_str(record.text()).map_err(form)?;
    if record.hash_without(UNSIGNED) != envelope.checksum {
        return Err(LineFault::Checksum);
    }
    Ok(from_envelope(envelope))
}

/// The ranges with what they are found again by, as far as the record says.
fn with_landmarks(mut ranges: Vec<ChangedRange>, landmarks: Vec<Landmarks>) -> Vec<ChangedRange> {
    for (range, landmarks) in ranges.iter_mut().zip(landmarks) {
        range.landmarks = landmarks;
    }
    ranges
}

/// So many items, and room for no more: a question may hold very many entries, and what is read has room for a few more of
/// everything.
fn sized<T>(count: usize, items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut exactly = Vec::with_capacity(count);
    exactly.extend(items);
    exactly
}

fn from_envelope(envelope: Envelope) -> LedgerLine {
    let Envelope { id, timestamp, files, metadata: Metadata { own }, prev, checksum, signature } = envelope;
    let ranges = files.into_iter().map(|file| {
        let count = file.conversations.iter().map(|talk| talk.ranges.len()).sum();
        sized(count, file.conversations.into_iter().flat_map(|talk| talk.ranges))
    });
    let count = own.files.len().min(ranges.len());
    let files = own.files.into_iter().zip(ranges).map(|(file, ranges)| ChangedFile {
        path: file.path,
        change: file.change,
        before: file.before,
        after: file.after,
        ranges: with_landmarks(ranges, file.landmarks),
        removed: sized(
            file.removed.len(),
            file.removed.into_iter().map(|removed| (removed.anchor, removed.previous_hash)),
        ),
        binary: file.binary,
        lineage: file
            .hunks
            .map(|hunks| Lineage { hunks: sized(hunks.len(), hunks), doubtful: file.doubtful }),
        moved_from: file.moved_from,
        moved_to: file.moved_to,
    });
    let context = TraceContext {
        call: own.call,
        actor: Actor { host: own.host, session: own.session_id, agent: own.agent_id },
        tool: own.tool,
        intent: own.intent,
        revision: own.revision,
        requirements: sized(own.requirements.len(), own.requirements),
        derived: own.derived,
        approval: own.approval,
        approved_by: own.approved_by,
        approved_at: own.approved_at,
        fingerprint: own.fingerprint,
        scope_override: own.scope_override,
        model: own.model,
        late: own.late,
        amended: own.amended,
        mutation: own.mutation,
        restores: own.restores,
    };
    let entry = TraceEntry { id, timestamp, vcs: own.vcs, context, files: sized(count, files) };
    LedgerLine {
        seq: own.seq,
        prev,
        checksum,
        working_copy: own.working_copy,
        signed_by: own.signed_by,
        signature,
        says: own.ledger,
        entry,
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::arbitrary;
    use proptest::prelude::*;

    use super::*;
    use crate::ledger::record::{Place, write};

    fn checked(line: &[u8]) -> Result<Link, LineFault> {
        let link = claimed_link(line)?;
        check_link(line, &link).map(|()| link)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        // D-23
        #[test]
        fn the_end_of_the_chain_is_what_the_whole_line_says(
            entry in arbitrary::trace_entry(), seq: u64, at in any::<prop::sample::Index>(), byte: u8
        ) {
            let says = LedgerSays::default();
            let place = Place { seq: seq >> 12, prev: None, working_copy: "3f9c2b7a", signer: None, says: &says };
            let (mut line, checksum) = write(&entry, place).unwrap();
            prop_assert_eq!(&checked(&line).unwrap().checksum, &checksum);
            prop_assert_eq!(checked(&line), read_ledger_line(&line).map(Link::from));
            let at = at.index(line.len());
            line[at] = byte;
            prop_assert_eq!(checked(&line).ok(), read_ledger_line(&line).map(Link::from).ok());
        }
    }

    // D-23
    #[test]
    fn a_place_that_stands_there_twice_is_read_from_where_it_belongs() {
        let entry = bailiwick_domain::testing::sample::trace_entry(
            "3f9c2b7a",
            &bailiwick_domain::testing::sample::intent("INT-001", &["src/**"]),
        );
        let says = LedgerSays::default();
        let place = Place { seq: 7, prev: None, working_copy: "3f9c2b7a", signer: None, says: &says };
        let line = String::from_utf8(write(&entry, place).unwrap().0).unwrap();
        let (before, rest) = line.split_once("\"checksum\"").unwrap();
        let (_, behind) = rest.split_once("\"files\"").unwrap();
        let newer = format!("{before}\"files\"{behind}");
        let newer = newer.replace("\"dev.bailiwick\":{", "\"another\":{\"seq\":9},\"dev.bailiwick\":{");
        let object = CanonicalObject::scan(newer.as_bytes()).unwrap();
        let newer = object.with(&[("checksum", format!("\"{}\"", ContentHash::of(newer.as_bytes())))]);
        assert_eq!(checked(&newer).unwrap().seq, 7);
    }
}
