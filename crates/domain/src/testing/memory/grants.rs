//! Grants, in memory.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::Mutex;

use async_trait::async_trait;

use super::{Fault, held};
use crate::consents::GrantError;
use crate::consents::{Grant, GrantId, GrantStatus, GrantTerms, GrantUse};
use crate::ports::{GrantStore, PortError};

/// The grants of one root.
#[derive(Clone, Debug, Default)]
pub struct MemoryGrants(Arc<Grants>);

#[derive(Debug, Default)]
struct Grants {
    grants: Mutex<Vec<Grant>>,
    fault: Fault,
}

impl MemoryGrants {
    /// Makes every later question fail; `None` heals it.
    pub fn fail(&self, fault: Option<PortError>) {
        self.0.fault.set(fault);
    }

    /// All grants, oldest first.
    pub fn all(&self) -> Vec<Grant> {
        held(&self.0.grants).clone()
    }

    /// Replaces all grants, as whoever rolls the store back would.
    pub fn set(&self, grants: Vec<Grant>) {
        *held(&self.0.grants) = grants;
    }
}

#[async_trait]
impl GrantStore for MemoryGrants {
    fn can_grant(&self) -> bool {
        true
    }

    async fn open(&self, terms: &GrantTerms) -> Result<Grant, PortError> {
        self.0.fault.check()?;
        let mut grants = held(&self.0.grants);
        let grant = Grant {
            id: GrantId::new(grants.len() as u64 + 1),
            terms: terms.clone(),
            used: GrantUse::default(),
            status: GrantStatus::Live,
            log_seq: 0,
            review: None,
        };
        grants.push(grant.clone());
        Ok(grant)
    }

    async fn get(&self, id: GrantId) -> Result<Option<Grant>, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.grants).iter().find(|grant| grant.id == id).cloned())
    }

    async fn list(&self) -> Result<Vec<Grant>, PortError> {
        self.0.fault.check()?;
        Ok(self.all())
    }

    async fn replace(&self, before: &Grant, after: &Grant) -> Result<(), GrantError> {
        self.0.fault.check()?;
        let mut grants = held(&self.0.grants);
        let found = grants.iter_mut().find(|grant| grant.id == before.id);
        let stored = found.ok_or(GrantError::Unknown(before.id))?;
        if stored != before || !before.may_become(after) {
            return Err(GrantError::Changed(before.id));
        }
        *stored = after.clone();
        Ok(())
    }
}
