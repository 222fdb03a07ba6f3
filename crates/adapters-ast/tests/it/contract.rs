//! The contracts of the two ports.

use bailiwick_domain::testing::contract;

use crate::pairs::reader;

// REQ 165
#[test]
fn the_classifier_keeps_its_contract() {
    contract::mutation_classifier(&reader());
}

// REQ 122
#[test]
fn the_finder_keeps_its_contract() {
    contract::symbol_finder(&reader());
}
