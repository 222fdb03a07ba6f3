//! From an entry to its line.

use bailiwick_domain::{ContentHash, TraceEntry};

use super::written::Record;
use super::{LineFault, Place};
use crate::ledger::canonical::CanonicalObject;

/// Most lines are not longer.
const USUAL: usize = 4096;

/// The line of an entry at its place in the chain, without LF, and the line's checksum.
pub(in crate::ledger) fn write(
    entry: &TraceEntry,
    place: Place<'_>,
) -> Result<(Vec<u8>, ContentHash), LineFault> {
    let form = |error: serde_json::Error| LineFault::Form(error.to_string());
    let record = Record::of(entry, place);
    let mut bytes = Vec::with_capacity(USUAL);
    serde_json::to_writer(&mut bytes, &record).map_err(form)?;
    // It comes out in the canonical form by itself, or a member was declared where it does not belong.
    if let Some(object) = CanonicalObject::scan(&bytes) {
        return Ok(with_checksum(&object, place));
    }
    let bytes = serde_json_canonicalizer::to_vec(&record).map_err(form)?;
    let object = CanonicalObject::scan(&bytes).ok_or(LineFault::NotCanonical)?;
    Ok(with_checksum(&object, place))
}

fn with_checksum(record: &CanonicalObject<'_>, place: Place<'_>) -> (Vec<u8>, ContentHash) {
    let quoted = |plain: &str| format!("\"{plain}\"");
    let checksum = record.hash();
    let mut added = vec![("checksum", quoted(checksum.as_str()))];
    added.extend(place.signer.map(|signer| ("signature", quoted(&signer.sign(&checksum)))));
    (record.with(&added), checksum)
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::arbitrary;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        // K-22
        #[test]
        fn members_are_declared_in_the_order_of_the_canonical_form(entry in arbitrary::trace_entry()) {
            let place = Place { seq: 7, prev: None, working_copy: "3f9c2b7a", signer: None };
            let record = Record::of(&entry, place);
            let plain = serde_json::to_string(&record).unwrap();
            prop_assert_eq!(plain.as_bytes(), serde_json_canonicalizer::to_vec(&record).unwrap());
        }
    }
}
