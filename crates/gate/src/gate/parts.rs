//! The parts behind a gate. Each is made for one verb and borrows what it names in its own folder; those that only some
//! surfaces need are reached here and not through a verb.

use bailiwick_domain::{LedgerReader, WorkspaceWriter};

use crate::admission::Admission;
use crate::carrying::Carrying;
use crate::parts::House;
use crate::undo::{Restorer, Undo};
use crate::{Allowances, Authoring, Gate, Lessons, OwnTools, Pausing, Recording, Standing, Turns};

impl Gate {
    pub(super) fn admission(&self) -> Admission<'_> {
        Admission::of(&self.house())
    }

    pub(super) fn carrying(&self) -> Carrying<'_> {
        Carrying::of(&self.house())
    }

    /// What became of calls, beyond [`Gate::post`] and [`Gate::settle`].
    pub fn recording(&self) -> Recording<'_> {
        Recording::of(&self.house())
    }

    /// What else a host says of a session.
    pub fn turns(&self) -> Turns<'_> {
        Turns::of(&self.house())
    }

    /// What an actor may do now, and which answers it still has to hear.
    pub fn standing(&self) -> Standing<'_> {
        Standing::of(&self.house())
    }

    /// The gate's own tools, for a server that shows them and for a person who selects.
    pub fn own_tools(&self) -> OwnTools<'_> {
        OwnTools::of(&self.house())
    }

    /// Drafts of intents, and what a scope would own.
    pub fn authoring(&self) -> Authoring<'_> {
        Authoring::of(&self.house())
    }

    /// The commands that people trust.
    pub fn allowances(&self) -> Allowances<'_> {
        Allowances::of(&self.house())
    }

    /// The file of lessons that agents read.
    pub fn lessons(&self) -> Lessons<'_> {
        Lessons::of(&self.house())
    }

    /// A person's off switch.
    pub fn pausing(&self) -> Pausing<'_> {
        Pausing::of(&self.house())
    }

    /// What takes changes back, for a person: the ledger is read with `reader`, governed files are written with `writer`.
    pub fn restorer<'g>(
        &'g self,
        reader: impl LedgerReader + 'g,
        writer: impl WorkspaceWriter + 'g,
    ) -> Restorer<'g> {
        Restorer { undo: Undo::of(&self.house()), reader: Box::new(reader), writer: Box::new(writer) }
    }

    fn house(&self) -> House<'_> {
        House {
            ports: &self.ports,
            host: self.host,
            worktree: self.worktree.as_deref(),
            described: self.described.as_ref(),
            extensions: &self.extensions,
            waiting: &self.waiting,
        }
    }
}
