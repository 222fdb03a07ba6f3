//! What a gate is built over: its ports in groups, each of them whole, and what is believed of its host.
//!
//! Deliberately absent: what is behind a port.

use std::sync::Arc;

use bailiwick_domain::{
    AllowanceStore, ApprovalQueue, Approver, Clock, CommandReader, DecisionLog, EditRules, GrantStore,
    IdSource, IntentRepo, IntentWriter, Ledger, LessonReader, MutationClassifier, Pauses, PendingStore,
    PolicySource, ScopeMeter, SessionStore, SymbolFinder, Tallies, Vcs, Workspace, WorkspaceLock,
};

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

        /// Each port by its name, as a part borrows it.
        #[expect(non_camel_case_types, reason = "they are the names of ports")]
        pub(crate) mod held {
            $($(pub(crate) type $name = dyn super::$port;)*)*
        }
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
        /// What failed here before.
        lessons: LessonReader,
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

/// What the gate believes of the host that it serves.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostTraits {
    /// The calls of sub-agents are hooked too, so spawning one is safe.
    pub hooks_subagents: bool,
    /// Calls of `mcp__bailiwick__…` are proved to reach our own server.
    pub own_server_proved: bool,
    /// How its own tools turn edits into bytes.
    pub edits: EditRules,
    /// Its commands run one after another in one shell, and it does not tell where that stands.
    pub keeps_shell: bool,
    /// Its events do not say, or not in full, what a tool showed of a file.
    pub hides_output: bool,
    /// It tells that a call ran before what the call writes is there.
    pub tells_early: bool,
    /// Its tools that change files are carried out by [`Gate::carry_out`](crate::Gate::carry_out), which writes what was
    /// predicted and nothing else: a call that cannot be predicted is refused.
    pub carries_out: bool,
}
