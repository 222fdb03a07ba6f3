//! What is remembered between calls: actors, observations and pending calls, in memory.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::Mutex;

use async_trait::async_trait;

use super::{Fault, held};
use crate::calls::{Actor, CallId, Look, Observation};
use crate::evidence::PendingCall;
use crate::ports::{PendingStore, PortError, SessionStore};
use crate::state::{ActorState, Written};
use crate::values::{ContentHash, FileState, RepoPath};

/// Actors and their observations.
#[derive(Clone, Debug, Default)]
pub struct MemorySessions(Arc<Sessions>);

/// What is there, and the own call that put it there.
type Seen = (Observation, Option<Written>);

#[derive(Debug, Default)]
struct Sessions {
    states: Mutex<BTreeMap<Actor, ActorState>>,
    observations: Mutex<BTreeMap<(Actor, RepoPath), Seen>>,
    looks: Mutex<BTreeMap<(Actor, RepoPath), Look>>,
    fault: Fault,
    loading: Fault,
    saving: Fault,
    looking: Fault,
}

impl MemorySessions {
    /// Makes every later question fail; `None` heals it.
    pub fn fail(&self, fault: Option<PortError>) {
        self.0.fault.set(fault);
    }

    /// Makes every later look at a state fail, and nothing else; `None` heals it.
    pub fn fail_to_load(&self, fault: Option<PortError>) {
        self.0.loading.set(fault);
    }

    /// Makes every later keeping of a state fail, as a full disk does, and nothing else; `None` heals it.
    pub fn fail_to_save(&self, fault: Option<PortError>) {
        self.0.saving.set(fault);
    }

    /// Makes every later note of what is there before a call fail, as a full disk does, and nothing else; `None` heals it.
    pub fn fail_to_look(&self, fault: Option<PortError>) {
        self.0.looking.set(fault);
    }

    /// What is remembered of an actor.
    pub fn peek(&self, actor: &Actor) -> Option<ActorState> {
        held(&self.0.states).get(actor).cloned()
    }

    /// Replaces what is remembered of an actor.
    pub fn put(&self, actor: &Actor, state: ActorState) {
        held(&self.0.states).insert(actor.clone(), state);
    }
}

#[async_trait]
impl SessionStore for MemorySessions {
    async fn load(&self, actor: &Actor) -> Result<Option<ActorState>, PortError> {
        self.0.fault.check()?;
        self.0.loading.check()?;
        Ok(self.peek(actor))
    }

    async fn save(&self, actor: &Actor, state: &ActorState) -> Result<(), PortError> {
        self.0.fault.check()?;
        self.0.saving.check()?;
        self.put(actor, state.clone());
        Ok(())
    }

    async fn observation(&self, actor: &Actor, path: &RepoPath) -> Result<Option<Observation>, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.observations).get(&(actor.clone(), path.clone())).map(|(state, _)| state.clone()))
    }

    async fn observe(&self, actor: &Actor, path: &RepoPath, seen: &Observation) -> Result<(), PortError> {
        self.0.fault.check()?;
        held(&self.0.observations).insert((actor.clone(), path.clone()), (seen.clone(), None));
        Ok(())
    }

    async fn observe_own(
        &self,
        actor: &Actor,
        path: &RepoPath,
        seen: &Observation,
        written: &Written,
    ) -> Result<(), PortError> {
        self.0.fault.check()?;
        let seen = (seen.clone(), Some(written.clone()));
        held(&self.0.observations).insert((actor.clone(), path.clone()), seen);
        Ok(())
    }

    async fn own(&self, actor: &Actor, path: &RepoPath) -> Result<Option<(FileState, Written)>, PortError> {
        self.0.fault.check()?;
        let seen = held(&self.0.observations).get(&(actor.clone(), path.clone())).cloned();
        Ok(seen.and_then(|(seen, written)| Some((seen.state, written?))))
    }

    async fn look(&self, actor: &Actor, look: &Look) -> Result<(), PortError> {
        self.0.fault.check()?;
        self.0.looking.check()?;
        held(&self.0.looks).insert((actor.clone(), look.path.clone()), look.clone());
        Ok(())
    }

    async fn looked(&self, actor: &Actor, path: &RepoPath) -> Result<Option<Look>, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.looks).get(&(actor.clone(), path.clone())).cloned())
    }

    async fn observations(
        &self,
        actor: &Actor,
        limit: usize,
    ) -> Result<Vec<(RepoPath, Observation)>, PortError> {
        self.0.fault.check()?;
        let seen = held(&self.0.observations);
        let own = seen.iter().filter(|((whose, _), _)| whose == actor);
        Ok(own.take(limit).map(|((_, path), (seen, _))| (path.clone(), seen.clone())).collect())
    }
}

/// Calls between the yes and their outcome, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct MemoryPendings(Arc<Pendings>);

#[derive(Debug, Default)]
struct Pendings {
    calls: Mutex<Vec<PendingCall>>,
    contents: Mutex<BTreeMap<ContentHash, Vec<u8>>>,
    executable: Mutex<BTreeMap<ContentHash, bool>>,
    fault: Fault,
    mode_fault: Fault,
}

impl MemoryPendings {
    /// Makes every later question fail; `None` heals it.
    pub fn fail(&self, fault: Option<PortError>) {
        self.0.fault.set(fault);
    }

    /// Makes it fail to keep whether a file may be run; `None` heals it.
    pub fn fail_executable(&self, fault: Option<PortError>) {
        self.0.mode_fault.set(fault);
    }

    /// All pending calls of all sessions.
    pub fn calls(&self) -> Vec<PendingCall> {
        held(&self.0.calls).clone()
    }
}

fn is_call(pending: &PendingCall, actor: &Actor, call: &CallId) -> bool {
    pending.call == *call && pending.actor.parent() == actor.parent()
}

#[async_trait]
impl PendingStore for MemoryPendings {
    async fn put(&self, pending: &PendingCall) -> Result<(), PortError> {
        self.0.fault.check()?;
        let mut calls = held(&self.0.calls);
        calls.retain(|old| !is_call(old, &pending.actor, &pending.call));
        calls.push(pending.clone());
        Ok(())
    }

    async fn get(&self, actor: &Actor, call: &CallId) -> Result<Option<PendingCall>, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.calls).iter().find(|pending| is_call(pending, actor, call)).cloned())
    }

    async fn remove(&self, actor: &Actor, call: &CallId) -> Result<(), PortError> {
        self.0.fault.check()?;
        held(&self.0.calls).retain(|pending| !is_call(pending, actor, call));
        Ok(())
    }

    async fn list(&self, actor: &Actor) -> Result<Vec<PendingCall>, PortError> {
        self.0.fault.check()?;
        let mut calls = self.calls();
        calls.retain(|pending| pending.actor.parent() == actor.parent());
        calls.sort_by_key(|pending| pending.at);
        Ok(calls)
    }

    async fn all(&self) -> Result<Vec<PendingCall>, PortError> {
        self.0.fault.check()?;
        let mut calls = self.calls();
        calls.sort_by_key(|pending| pending.at);
        Ok(calls)
    }

    async fn keep(&self, content: &[u8]) -> Result<ContentHash, PortError> {
        self.0.fault.check()?;
        let hash = ContentHash::of(content);
        held(&self.0.contents).insert(hash.clone(), content.to_vec());
        Ok(hash)
    }

    async fn keep_executable(&self, hash: &ContentHash, is_executable: bool) -> Result<(), PortError> {
        self.0.mode_fault.check()?;
        held(&self.0.executable).insert(hash.clone(), is_executable);
        Ok(())
    }

    async fn was_executable(&self, hash: &ContentHash) -> Result<bool, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.executable).get(hash).copied().unwrap_or_default())
    }

    async fn kept(&self, hash: &ContentHash) -> Result<Option<Vec<u8>>, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.contents).get(hash).cloned())
    }
}
