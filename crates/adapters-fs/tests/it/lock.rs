//! The lock of a root, between threads and processes.

use std::io::{BufRead, BufReader, Read, Write};
use std::time::Duration;

use bailiwick_adapters_fs::FsWorkspaceLock;
use bailiwick_domain::testing::contract;
use bailiwick_domain::{PortError, WorkspaceLock};
use pollster::block_on;

use crate::place::{Place, childs_layout};

const PATIENT: Duration = Duration::from_secs(60);

// K-09
#[test]
fn req_025_the_lock_keeps_the_contract() {
    let place = Place::new();
    let lock = || FsWorkspaceLock::new(place.layout()).with_wait(PATIENT);
    block_on(contract::workspace_lock(&lock(), &lock()));
}

// K-09
#[test]
fn waiting_for_the_lock_is_bounded() {
    let place = Place::new();
    let _held = block_on(FsWorkspaceLock::new(place.layout()).acquire()).unwrap();
    let second = FsWorkspaceLock::new(place.layout()).with_wait(Duration::from_millis(1));
    let refused = block_on(second.acquire());
    assert!(matches!(refused, Err(PortError::Locked(path)) if path.contains("lock")));
}

// K-09, REQ 25
#[test]
fn who_gave_up_waiting_does_not_take_the_lock_later() {
    let place = Place::new();
    let held = block_on(FsWorkspaceLock::new(place.layout()).acquire()).unwrap();
    let hurried = FsWorkspaceLock::new(place.layout()).with_wait(Duration::from_millis(1));
    for _ in 0..8 {
        assert!(matches!(block_on(hurried.acquire()), Err(PortError::Locked(_))));
    }
    drop(held);
    let patient = FsWorkspaceLock::new(place.layout()).with_wait(PATIENT);
    for _ in 0..8 {
        drop(block_on(patient.acquire()).unwrap());
    }
}

// K-09
#[test]
fn a_killed_holder_leaves_no_lock() {
    let place = Place::new();
    let mut child = place.child("lock::holder_in_another_process");
    let out = BufReader::new(child.stdout.take().unwrap());
    assert!(out.lines().any(|line| line.unwrap().contains("holding")), "the child never got the lock");
    let impatient = FsWorkspaceLock::new(place.layout()).with_wait(Duration::ZERO);
    assert!(matches!(block_on(impatient.acquire()), Err(PortError::Locked(_))), "held by the child");
    child.kill().unwrap();
    child.wait().unwrap();
    block_on(impatient.acquire()).unwrap();
}

#[test]
fn holder_in_another_process() {
    let Some(layout) = childs_layout() else { return };
    let _held = block_on(FsWorkspaceLock::new(layout).acquire()).unwrap();
    println!("\nholding");
    std::io::stdout().flush().unwrap();
    let _ = std::io::stdin().read(&mut [0]);
}
