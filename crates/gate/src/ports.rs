//! What a gate is built over: its ports in groups, each of them whole.
//!
//! Deliberately absent: what is behind a port.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bailiwick_domain::{
    AllowanceStore, ApprovalQueue, Approver, Clock, CommandReader, DecisionLog, GrantStore, IdSource,
    IntentRepo, IntentWriter, Ledger, MutationClassifier, Pauses, PendingStore, PolicySource, ScopeMeter,
    SessionStore, SymbolFinder, Tallies, Vcs, Workspace, WorkspaceLock,
};

use crate::{Extension, Gate, HostTraits};

macro_rules! groups {
    ($($(#[$doc:meta])* $group:ident { $($(#[$port_doc:meta])* $name:ident: $port:ident,)* })*) => {
        $($(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $group {
            $($(#[$port_doc])* pub $name: Arc<dyn $port>,)*
        }

        impl $group {
            /// All of them; to swap one alone, assign its field.
            pub fn new($($name: impl $port + 'static),*) -> Self {
                Self { $($name: Arc::new($name)),* }
            }
        })*
    };
}

groups! {
    /// What people wrote down.
    Rules {
        /// The intents that humans wrote.
        intents: IntentRepo,
        /// Changes the intents file after a human's yes.
        writer: IntentWriter,
        /// Lists the files that a drafted scope is measured on.
        meter: ScopeMeter,
        /// Settings, ignore rules, health.
        policy: PolicySource,
    }
    /// The working copy.
    Tree {
        /// The governed files, read only.
        workspace: Workspace,
        /// The lock of the governed root.
        lock: WorkspaceLock,
        /// The version control system.
        vcs: Vcs,
    }
    /// How a person says yes, no, or not now.
    Consents {
        /// Who asks the human.
        approver: Approver,
        /// The queue of approval requests.
        approvals: ApprovalQueue,
        /// The grants that humans gave.
        grants: GrantStore,
        /// The commands that humans trust.
        allowances: AllowanceStore,
        /// The human's off switch.
        pauses: Pauses,
    }
    /// What is remembered.
    Records {
        /// Actors and their observations.
        sessions: SessionStore,
        /// Calls between the yes and their outcome.
        pendings: PendingStore,
        /// The ledger of mutations.
        ledger: Ledger,
        /// What was changed under intents that bound it.
        tallies: Tallies,
        /// The log of decisions.
        decisions: DecisionLog,
    }
    /// What understands commands and source.
    Readers {
        /// Reads shell commands.
        commands: CommandReader,
        /// Says what a change means.
        mutations: MutationClassifier,
        /// Finds the named units around changed lines.
        symbols: SymbolFinder,
    }
    /// What no rule can foresee.
    Chance {
        /// The time.
        clock: Clock,
        /// Fresh identifiers.
        ids: IdSource,
    }
}

/// What the gate needs from the world. A port that is absent would be a hole, so that each group wants all of its own
/// and a gate wants all groups.
///
/// ```compile_fail
/// use bailiwick_gate::{Chance, Ports};
///
/// fn without_the_others(chance: Chance) -> Ports {
///     Ports { chance }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Ports {
    /// What people wrote down.
    pub rules: Rules,
    /// The working copy.
    pub tree: Tree,
    /// How a person says yes, no, or not now.
    pub consents: Consents,
    /// What is remembered.
    pub records: Records,
    /// What understands commands and source.
    pub readers: Readers,
    /// What no rule can foresee.
    pub chance: Chance,
}

impl Gate {
    /// A gate over these ports, for a host of which nothing is believed.
    pub fn over(ports: Ports) -> Self {
        let (host, worktree, extensions) = (HostTraits::default(), None, Vec::new());
        let (waiting, looked) = (Mutex::new(BTreeMap::new()), Mutex::default());
        Self { ports, host, worktree, extensions, waiting, looked }
    }

    /// What is believed of the host.
    #[must_use]
    pub fn host(self, host: HostTraits) -> Self {
        Self { host, ..self }
    }

    /// The working copy that paths are relative to, for people who read a request.
    #[must_use]
    pub fn in_worktree(self, root: impl Into<String>) -> Self {
        Self { worktree: Some(root.into()), ..self }
    }

    /// Adds a custom pre or post hook; hooks run by rising order, equal orders as added.
    #[must_use]
    pub fn extend(mut self, extension: Extension) -> Self {
        self.extensions.push(extension);
        self.extensions.sort_by_key(Extension::order);
        self
    }
}
