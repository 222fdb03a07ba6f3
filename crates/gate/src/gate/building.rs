//! Makes a gate over its ports.

use std::sync::Mutex;

use bailiwick_policy::Described;

use crate::{Extension, Gate, HostTraits, Ports};

impl Gate {
    /// A gate over these ports, for a host of which nothing is believed.
    pub fn over(ports: Ports) -> Self {
        Self {
            ports,
            host: HostTraits::default(),
            worktree: None,
            described: None,
            extensions: Vec::new(),
            waiting: Mutex::default(),
        }
    }

    /// What is believed of the host.
    #[must_use]
    pub fn host(self, host: HostTraits) -> Self {
        Self { host, ..self }
    }

    /// What is known of the one tool of another server that this gate is asked about. It says nothing of the gate's own tools.
    #[must_use]
    pub fn describing(self, tool: Described) -> Self {
        Self { described: Some(tool), ..self }
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

    /// This gate for a connection that another one served so far: the calls that wait for an answer on it still do.
    #[must_use]
    pub fn in_place_of(self, other: Self) -> Self {
        Self { waiting: other.waiting, ..self }
    }

    /// The ports, for surfaces that show what the gate knows.
    pub fn ports(&self) -> &Ports {
        &self.ports
    }
}
