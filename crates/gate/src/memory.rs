//! A gate whose ports are all in memory, for trying the gate out and for the tests of a host.
//!
//! Only behind the feature `memory`. Deliberately absent: anything that outlives the process.

use bailiwick_domain::testing::memory::{
    CountingIds, FixedClock, FixedVcs, MemoryAllowances, MemoryApprovals, MemoryDecisions, MemoryGrants,
    MemoryIntents, MemoryLedger, MemoryLessons, MemoryLock, MemoryMutations, MemoryPauses, MemoryPendings,
    MemoryPolicySource, MemorySessions, MemoryTallies, MemoryWorkspace, ScriptedApprover, TableReader,
};

use crate::{Chance, Consents, Gate, Ports, Readers, Records, Rules, Tree};

/// What is behind the ports. Each part is a handle that a gate shares: what you change here, the gate sees.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The intents that humans wrote.
    pub intents: MemoryIntents,
    /// Settings, ignore rules, health.
    pub policy: MemoryPolicySource,
    /// The governed files.
    pub files: MemoryWorkspace,
    /// The lock of the governed root.
    pub lock: MemoryLock,
    /// The version control system.
    pub vcs: FixedVcs,
    /// The human, who gives the answers that you prepare.
    pub human: ScriptedApprover,
    /// The queue of approval requests.
    pub approvals: MemoryApprovals,
    /// The grants that humans gave.
    pub grants: MemoryGrants,
    /// The commands that humans trust.
    pub allowances: MemoryAllowances,
    /// The human's off switch.
    pub pauses: MemoryPauses,
    /// Actors and their observations.
    pub sessions: MemorySessions,
    /// Calls between the yes and their outcome.
    pub pendings: MemoryPendings,
    /// The ledger of mutations.
    pub ledger: MemoryLedger,
    /// What was changed under intents that bound it.
    pub tallies: MemoryTallies,
    /// What failed before.
    pub lessons: MemoryLessons,
    /// The log of decisions.
    pub decisions: MemoryDecisions,
    /// Reads shell commands, as you tell it.
    pub commands: TableReader,
    /// Says what a change means, and finds no named unit, as you tell it.
    pub mutations: MemoryMutations,
    /// The time, which stands still.
    pub clock: FixedClock,
    /// Fresh identifiers, counted.
    pub ids: CountingIds,
}

impl Memory {
    /// The ports over it.
    pub fn ports(&self) -> Ports {
        let Self { intents, policy, files, lock, vcs, human, approvals, grants, allowances, pauses, .. } =
            self.clone();
        let Self {
            sessions,
            pendings,
            ledger,
            tallies,
            lessons,
            decisions,
            commands,
            mutations,
            clock,
            ids,
            ..
        } = self.clone();
        Ports {
            rules: Rules::new(intents.clone(), intents, files.clone(), policy),
            tree: Tree::new(files, lock, vcs),
            consents: Consents::new(human, approvals, grants, allowances, pauses),
            records: Records::new(sessions, pendings, ledger, tallies, lessons, decisions),
            readers: Readers::new(commands, mutations.clone(), mutations),
            chance: Chance::new(clock, ids),
        }
    }
}

impl Gate {
    /// A gate over nothing but memory, and what is behind its ports.
    pub fn in_memory() -> (Self, Memory) {
        let memory = Memory::default();
        (Self::over(memory.ports()), memory)
    }
}
