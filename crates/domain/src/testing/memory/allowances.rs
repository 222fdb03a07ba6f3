//! Allowed commands, in memory.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::Mutex;

use async_trait::async_trait;

use super::{Fault, held};
use crate::consents::{Allowance, AllowanceId, AllowanceTerms};
use crate::ports::{AllowanceStore, MOST_ALLOWANCES, PortError};

/// The allowances of one root.
#[derive(Clone, Debug, Default)]
pub struct MemoryAllowances(Arc<Allowances>);

#[derive(Debug, Default)]
struct Allowances {
    kept: Mutex<(u64, Vec<Allowance>)>,
    fault: Fault,
}

impl MemoryAllowances {
    /// Makes every later question fail; `None` heals it.
    pub fn fail(&self, fault: Option<PortError>) {
        self.0.fault.set(fault);
    }
}

#[async_trait]
impl AllowanceStore for MemoryAllowances {
    async fn list(&self) -> Result<Vec<Allowance>, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.kept).1.clone())
    }

    async fn allow(&self, terms: &AllowanceTerms) -> Result<Allowance, PortError> {
        self.0.fault.check()?;
        let mut kept = held(&self.0.kept);
        kept.1.retain(|known| !known.terms.is_same(terms));
        if kept.1.len() >= MOST_ALLOWANCES {
            return Err(PortError::Unavailable(alloc::format!("{MOST_ALLOWANCES} commands are allowed")));
        }
        kept.0 += 1;
        let allowance = Allowance { id: AllowanceId::new(kept.0), terms: terms.clone() };
        kept.1.push(allowance.clone());
        Ok(allowance)
    }

    async fn revoke(&self, id: AllowanceId) -> Result<Option<Allowance>, PortError> {
        self.0.fault.check()?;
        let mut kept = held(&self.0.kept);
        let place = kept.1.iter().position(|known| known.id == id);
        Ok(place.map(|place| kept.1.remove(place)))
    }
}
