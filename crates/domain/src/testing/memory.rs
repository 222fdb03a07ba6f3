//! In-memory implementations of every port, for tests of whatever stands on the ports.
//!
//! Each is a cheap handle on shared contents: a test keeps one clone and gives another away. They remember what was
//! asked of them and can be told to fail. They keep nothing between processes and never touch the machine.

mod allowances;
mod authoring;
mod governance;
mod grants;
mod lessons;
mod mutations;
mod records;
mod stores;
mod surroundings;
mod tallies;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use allowances::MemoryAllowances;
pub use governance::{MemoryIntents, MemoryPauses, MemoryPolicySource, MemoryWorkspace};
pub use grants::MemoryGrants;
pub use lessons::MemoryLessons;
pub use mutations::MemoryMutations;
pub use records::{MemoryApprovals, MemoryDecisions, MemoryLedger};
pub use stores::{MemoryPendings, MemorySessions};
pub use surroundings::{CountingIds, FixedClock, FixedVcs, MemoryLock, ScriptedApprover, TableReader};
pub use tallies::MemoryTallies;

use crate::port_error::PortError;

/// A panicking test thread must not hide the assertion that failed first.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The error that a store returns while it is told to fail.
#[derive(Debug, Default)]
struct Fault(Mutex<Option<PortError>>);

impl Fault {
    fn set(&self, fault: Option<PortError>) {
        *held(&self.0) = fault;
    }

    fn check(&self) -> Result<(), PortError> {
        held(&self.0).clone().map_or(Ok(()), Err)
    }
}
