//! What was changed under each revision, in memory.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use std::sync::Mutex;

use async_trait::async_trait;

use super::{Fault, held};
use crate::intents::{IntentId, Revision, Tally};
use crate::ports::{PortError, Tallies};

/// The counts of one clone.
#[derive(Clone, Debug, Default)]
pub struct MemoryTallies(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    counts: Mutex<BTreeMap<(IntentId, Revision), Tally>>,
    fault: Fault,
}

impl MemoryTallies {
    /// Makes every later question fail; `None` heals it.
    pub fn fail(&self, fault: Option<PortError>) {
        self.0.fault.set(fault);
    }

    /// How many revisions were counted.
    pub fn len(&self) -> usize {
        held(&self.0.counts).len()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[async_trait]
impl Tallies for MemoryTallies {
    async fn of(&self, intent: &IntentId, revision: &Revision) -> Result<Tally, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.counts).get(&(intent.clone(), revision.clone())).cloned().unwrap_or_default())
    }

    async fn keep(&self, intent: &IntentId, revision: &Revision, tally: &Tally) -> Result<(), PortError> {
        self.0.fault.check()?;
        held(&self.0.counts).insert((intent.clone(), revision.clone()), tally.clone());
        Ok(())
    }
}
