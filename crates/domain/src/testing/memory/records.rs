//! What is written down: approvals, the ledger and the decision log, in memory.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::Mutex;

use async_trait::async_trait;

use super::{Fault, held};
use crate::calls::{Actor, CallId};
use crate::consents::{Answer, Approval, ApprovalId, ApprovalRequest, ApprovalStatus, Fingerprint};
use crate::evidence::{SessionEntries, TraceEntry};
use crate::intents::IntentId;
use crate::ports::{ApprovalError, ApprovalQueue, DecisionLog, Ledger, PortError};
use crate::state::DecisionRecord;
use crate::values::Timestamp;

/// The queue of approval requests.
#[derive(Clone, Debug, Default)]
pub struct MemoryApprovals(Arc<Approvals>);

#[derive(Debug, Default)]
struct Approvals {
    queue: Mutex<Vec<Approval>>,
    fault: Fault,
}

impl MemoryApprovals {
    /// Makes every later question fail; `None` heals it.
    pub fn fail(&self, fault: Option<PortError>) {
        self.0.fault.set(fault);
    }

    /// Leaves a request as another program would have left it, in place of the one of its id.
    pub fn leave(&self, left: Approval) {
        let mut queue = held(&self.0.queue);
        queue.retain(|approval| approval.id != left.id);
        queue.push(left);
    }

    fn change(
        &self,
        id: &ApprovalId,
        next: impl FnOnce(&Approval) -> Result<Approval, ApprovalError>,
    ) -> Result<Approval, ApprovalError> {
        self.0.fault.check()?;
        let mut queue = held(&self.0.queue);
        let found = queue.iter_mut().find(|approval| approval.id == *id);
        let approval = found.ok_or_else(|| ApprovalError::Unknown(id.0.clone()))?;
        *approval = next(approval)?;
        Ok(approval.clone())
    }

    /// All requests, oldest first.
    pub fn all(&self) -> Vec<Approval> {
        held(&self.0.queue).clone()
    }
}

#[async_trait]
impl ApprovalQueue for MemoryApprovals {
    async fn open(&self, request: &ApprovalRequest, now: Timestamp) -> Result<Approval, PortError> {
        self.0.fault.check()?;
        let mut queue = held(&self.0.queue);
        let same = |old: &&Approval| old.is_open(now) && old.request.fingerprint == request.fingerprint;
        if let Some(open) = queue.iter().find(same) {
            return Ok(open.clone());
        }
        let approval = Approval {
            id: ApprovalId(format!("ap-{:08x}", queue.len())),
            request: request.clone(),
            created: now,
            expires: now.plus_seconds(Approval::LIFETIME_S),
            status: ApprovalStatus::Open,
            amended: None,
        };
        queue.push(approval.clone());
        Ok(approval)
    }

    async fn get(&self, id: &ApprovalId) -> Result<Option<Approval>, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.queue).iter().find(|approval| approval.id == *id).cloned())
    }

    async fn find(&self, fingerprint: &Fingerprint) -> Result<Option<Approval>, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.queue)
            .iter()
            .rev()
            .find(|approval| approval.request.fingerprint == *fingerprint)
            .cloned())
    }

    async fn list(&self) -> Result<Vec<Approval>, PortError> {
        self.0.fault.check()?;
        Ok(self.all())
    }

    async fn answer(
        &self,
        id: &ApprovalId,
        answer: &Answer,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError> {
        self.change(id, |before| before.answered(answer, now))
    }

    async fn take_back(&self, id: &ApprovalId, by: &str, now: Timestamp) -> Result<Approval, ApprovalError> {
        self.change(id, |before| before.taken_back(by, now))
    }

    async fn hand_over(
        &self,
        id: &ApprovalId,
        call: &CallId,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError> {
        self.change(id, |before| before.handed_over(call, now))
    }

    async fn settle_host(
        &self,
        id: &ApprovalId,
        call: &CallId,
        by: Option<String>,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError> {
        self.change(id, |before| before.settled_by_host(call, by.as_deref(), now))
    }

    async fn consume(
        &self,
        id: &ApprovalId,
        fingerprint: &Fingerprint,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError> {
        self.0.fault.check()?;
        let mut queue = held(&self.0.queue);
        let found = queue.iter_mut().find(|a| a.id == *id && a.request.fingerprint == *fingerprint);
        let approval = found.ok_or_else(|| ApprovalError::Unknown(id.0.clone()))?;
        let ApprovalStatus::Approved { by, .. } = approval.status.clone() else {
            return Err(ApprovalError::Answered(id.0.clone()));
        };
        if !approval.is_usable(fingerprint, now) {
            return Err(ApprovalError::Lapsed(id.0.clone()));
        }
        approval.status = ApprovalStatus::Used { by, at: now };
        Ok(approval.clone())
    }
}

/// The ledger of mutations.
#[derive(Clone, Debug, Default)]
pub struct MemoryLedger(Arc<Entries>);

#[derive(Debug, Default)]
struct Entries {
    entries: Mutex<Vec<TraceEntry>>,
    fault: Fault,
}

impl MemoryLedger {
    /// Makes every later question fail; `None` heals it.
    pub fn fail(&self, fault: Option<PortError>) {
        self.0.fault.set(fault);
    }

    /// All entries, oldest first.
    pub fn entries(&self) -> Vec<TraceEntry> {
        held(&self.0.entries).clone()
    }
}

#[async_trait]
impl Ledger for MemoryLedger {
    async fn ready(&self) -> Result<(), PortError> {
        self.0.fault.check()
    }

    async fn append(&self, entry: &TraceEntry) -> Result<String, PortError> {
        self.0.fault.check()?;
        held(&self.0.entries).push(entry.clone());
        Ok(entry.id.clone())
    }

    async fn recent(&self, intent: &IntentId, limit: usize) -> Result<Vec<TraceEntry>, PortError> {
        self.0.fault.check()?;
        let entries = held(&self.0.entries);
        Ok(entries
            .iter()
            .rev()
            .filter(|entry| entry.context.intent == *intent)
            .take(limit)
            .cloned()
            .collect())
    }

    async fn of_session(
        &self,
        actor: &Actor,
        since: Timestamp,
        limit: usize,
    ) -> Result<SessionEntries, PortError> {
        self.0.fault.check()?;
        let entries = held(&self.0.entries);
        let of_turn = entries
            .iter()
            .filter(|entry| entry.timestamp >= since && entry.context.actor.parent() == actor.parent());
        let found: Vec<TraceEntry> = of_turn.cloned().collect();
        let kept = found.len().saturating_sub(limit);
        Ok(SessionEntries { is_complete: kept == 0, entries: found.into_iter().skip(kept).collect() })
    }
}

/// The decision log.
#[derive(Clone, Debug, Default)]
pub struct MemoryDecisions(Arc<Decisions>);

#[derive(Debug, Default)]
struct Decisions {
    records: Mutex<Vec<DecisionRecord>>,
    fault: Fault,
}

impl MemoryDecisions {
    /// Makes every later append fail; `None` heals it.
    pub fn fail(&self, fault: Option<PortError>) {
        self.0.fault.set(fault);
    }

    /// All records, oldest first.
    pub fn records(&self) -> Vec<DecisionRecord> {
        held(&self.0.records).clone()
    }
}

#[async_trait]
impl DecisionLog for MemoryDecisions {
    async fn append(&self, record: &DecisionRecord) -> Result<u64, PortError> {
        self.0.fault.check()?;
        let mut records = held(&self.0.records);
        let seq = records.len() as u64;
        records.push(DecisionRecord { seq, ..record.clone() });
        Ok(seq)
    }

    async fn since(&self, seq: u64) -> Result<Vec<DecisionRecord>, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.records).iter().filter(|record| record.seq >= seq).cloned().collect())
    }

    async fn tells_of(
        &self,
        actor: &Actor,
        call: &CallId,
        since: Timestamp,
    ) -> Result<Option<bool>, PortError> {
        self.0.fault.check()?;
        let records = held(&self.0.records);
        let is_it = |record: &&DecisionRecord| {
            record.call.as_ref() == Some(call) && record.actor.parent() == actor.parent()
        };
        if records.iter().any(|record| is_it(&record)) {
            return Ok(Some(true));
        }
        Ok(records.first().filter(|first| first.seq == 0 || first.at <= since).map(|_| false))
    }
}
