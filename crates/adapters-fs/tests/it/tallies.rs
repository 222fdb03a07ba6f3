//! The counts of intents that bound how much may be changed, on the disk.

use bailiwick_adapters_fs::FsTallies;
use bailiwick_domain::testing::{contract, sample};
use bailiwick_domain::{PortError, Tallies};
use pollster::block_on;

use crate::place::Place;

// D-42
#[test]
fn counts_are_kept_as_the_port_says() {
    block_on(contract::tallies(&FsTallies::new(&Place::new().layout())));
}

// D-42: a count that was damaged is an error, and no fresh start
#[test]
fn a_damaged_count_is_not_zero() {
    let place = Place::new();
    let (store, intent) = (FsTallies::new(&place.layout()), sample::intent("INT-001", &["src/"]));
    block_on(store.keep(intent.id(), intent.revision(), &Default::default())).unwrap();
    let folder = place.layout().remembered().unwrap().join("tallies");
    let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    std::fs::write(file, b"{").unwrap();
    let read = block_on(store.of(intent.id(), intent.revision()));
    assert!(matches!(read, Err(PortError::Invalid(_))), "{read:?}");
}
