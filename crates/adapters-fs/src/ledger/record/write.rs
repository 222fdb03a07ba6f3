//! From an entry to its line.

use bailiwick_domain::{ContentHash, TraceEntry};
use memchr::memmem;

use super::written::Record;
use super::{LineFault, Place};
use crate::ledger::record::canonical::CanonicalObject;

/// Most lines are not longer.
const USUAL: usize = 4096;
/// The member that stands behind the checksum in the canonical form.
const BEHIND_CHECKSUM: &[u8] = br#""files":"#;

/// The line of an entry at its place in the chain, without LF, and the line's checksum. It comes out in the canonical form
/// by itself, as the members are declared in that order; who writes it checks that all the same.
pub(in crate::ledger) fn write(
    entry: &TraceEntry,
    place: Place<'_>,
) -> Result<(Vec<u8>, ContentHash), LineFault> {
    let mut line = Vec::with_capacity(USUAL);
    let record = Record::of(entry, place);
    serde_json::to_writer(&mut line, &record).map_err(|error| LineFault::Form(error.to_string()))?;
    let checksum = ContentHash::of(&line);
    let at = memmem::find(&line, BEHIND_CHECKSUM).ok_or(LineFault::NotCanonical)?;
    drop(line.splice(at..at, format!("\"checksum\":\"{checksum}\",").into_bytes()));
    match place.signer {
        Some(signer) => Ok((signed(&line, &signer.sign(&checksum))?, checksum)),
        None => Ok((line, checksum)),
    }
}

fn signed(line: &[u8], signature: &str) -> Result<Vec<u8>, LineFault> {
    let record = CanonicalObject::scan(line).ok_or(LineFault::NotCanonical)?;
    Ok(record.with(&[("signature", format!("\"{signature}\""))]))
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::arbitrary;
    use proptest::prelude::*;

    use super::*;
    use crate::ledger::record::{Adopted, Continues, LedgerSays, Why};

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        // K-22
        #[test]
        fn members_are_declared_in_the_order_of_the_canonical_form(entry in arbitrary::trace_entry()) {
            let says = LedgerSays {
                adopted: vec![Adopted {
                    at: entry.timestamp,
                    by: "dana".to_owned(),
                    first: 3,
                    head: ContentHash::of(b"1"),
                    last: 4,
                }],
                continues: Some(Continues {
                    by: Some("dana".to_owned()),
                    chain: ContentHash::of(b"2"),
                    entries: 5,
                    head: ContentHash::of(b"3"),
                    why: Why::NewPlace,
                }),
                signed_from: Some(7),
            };
            let place = Place { seq: 7, prev: None, working_copy: "3f9c2b7a", signer: None, says: &says };
            let record = Record::of(&entry, place);
            let plain = serde_json::to_string(&record).unwrap();
            prop_assert_eq!(plain.as_bytes(), serde_json_canonicalizer::to_vec(&record).unwrap());
        }
    }
}
