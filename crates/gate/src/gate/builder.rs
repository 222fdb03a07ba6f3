//! Builds a gate from ports.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bailiwick_domain::{
    AllowanceStore, ApprovalQueue, Approver, Clock, CommandReader, DecisionLog, GrantStore, IdSource,
    IntentRepo, IntentWriter, Ledger, MutationClassifier, Pauses, PendingStore, PolicySource, ScopeMeter,
    SessionStore, SymbolFinder, Vcs, Workspace, WorkspaceLock,
};

use super::{Extension, Gate, HostTraits, Ports};

/// A gate cannot be built without this port; an absent port would be a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the gate needs the port `{0}`")]
pub struct MissingPort(pub &'static str);

/// Collects ports; every one is needed, each can be swapped.
#[derive(Debug, Default)]
pub struct GateBuilder {
    ports: OptionalPorts,
    host: HostTraits,
    worktree: Option<String>,
    extensions: Vec<Extension>,
}

macro_rules! optional_ports {
    ($($(#[$doc:meta])* $name:ident: $port:ident,)*) => {
        #[derive(Debug, Default)]
        struct OptionalPorts {
            $($name: Option<Arc<dyn $port>>,)*
        }

        impl GateBuilder {
            $($(#[$doc])*
            #[must_use]
            pub fn $name(mut self, port: impl $port + 'static) -> Self {
                self.ports.$name = Some(Arc::new(port));
                self
            })*

            fn into_ports(ports: OptionalPorts) -> Result<Ports, MissingPort> {
                Ok(Ports { $($name: ports.$name.ok_or(MissingPort(stringify!($name)))?,)* })
            }
        }
    };
}

optional_ports! {
    /// The intents that humans wrote.
    intents: IntentRepo,
    /// Changes the intents file after a human's yes.
    writer: IntentWriter,
    /// Lists the files that a drafted scope is measured on.
    meter: ScopeMeter,
    /// Settings, ignore rules, health.
    policy: PolicySource,
    /// The governed files, read only.
    workspace: Workspace,
    /// Actors and their observations.
    sessions: SessionStore,
    /// The queue of approval requests.
    approvals: ApprovalQueue,
    /// The grants that humans gave.
    grants: GrantStore,
    /// The commands that humans trust.
    allowances: AllowanceStore,
    /// Who asks the human.
    approver: Approver,
    /// The ledger of mutations.
    ledger: Ledger,
    /// The log of decisions.
    decisions: DecisionLog,
    /// Calls between the yes and their outcome.
    pendings: PendingStore,
    /// The human's off switch.
    pauses: Pauses,
    /// The lock of the governed root.
    lock: WorkspaceLock,
    /// Reads shell commands.
    commands: CommandReader,
    /// Says what a change means.
    mutations: MutationClassifier,
    /// Finds the named units around changed lines.
    symbols: SymbolFinder,
    /// The version control system.
    vcs: Vcs,
    /// The time.
    clock: Clock,
    /// Fresh identifiers.
    ids: IdSource,
}

impl GateBuilder {
    /// What is believed of the host.
    #[must_use]
    pub fn host(mut self, host: HostTraits) -> Self {
        self.host = host;
        self
    }

    /// The working copy that paths are relative to, for people who read a request.
    #[must_use]
    pub fn worktree(mut self, root: impl Into<String>) -> Self {
        self.worktree = Some(root.into());
        self
    }

    /// Adds a custom pre or post hook; hooks run by rising order, equal orders as added.
    #[must_use]
    pub fn extend(mut self, extension: Extension) -> Self {
        self.extensions.push(extension);
        self
    }

    /// The gate.
    ///
    /// # Errors
    /// Names the first port that is missing.
    pub fn build(mut self) -> Result<Gate, MissingPort> {
        self.extensions.sort_by_key(Extension::order);
        Ok(Gate {
            ports: Self::into_ports(self.ports)?,
            host: self.host,
            worktree: self.worktree,
            extensions: self.extensions,
            waiting: Mutex::new(BTreeMap::new()),
            looked: Mutex::default(),
        })
    }
}
