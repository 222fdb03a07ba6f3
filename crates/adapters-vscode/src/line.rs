//! Which question is put to the person: one at a time, first in, first out.

use std::collections::BTreeSet;

use crate::protocol::{Approval, ApprovalStatus, Snapshot};

/// The folder and the id of a request.
pub(crate) type Name = (String, String);

/// The questions of one window.
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// Those that were put to the person and are not over.
    put: BTreeSet<Name>,
    /// The one that the editor has not answered yet.
    asking: Option<Name>,
}

impl Line {
    /// Takes out the questions that are over, and names them.
    pub(crate) fn settle(&mut self, snapshot: &Snapshot) -> Vec<Name> {
        let open: BTreeSet<Name> = open(snapshot).map(name).collect();
        let over: Vec<Name> = self.put.difference(&open).cloned().collect();
        self.put.retain(|name| open.contains(name));
        over
    }

    /// The question that is put next, if none is on its way. From now on it is.
    pub(crate) fn next<'a>(&mut self, snapshot: &'a Snapshot) -> Option<&'a Approval> {
        if self.asking.is_some() {
            return None;
        }
        let waiting = open(snapshot).filter(|approval| !self.put.contains(&name(approval)));
        let first = waiting.min_by(|a, b| (&a.created, &a.id).cmp(&(&b.created, &b.id)))?;
        self.put.insert(name(first));
        self.asking = Some(name(first));
        Some(first)
    }

    /// The editor is done with this one.
    pub(crate) fn done(&mut self, name: &Name) {
        if self.asking.as_ref() == Some(name) {
            self.asking = None;
        }
    }

    /// Those that were put to the person and are not over.
    pub(crate) fn put(&self) -> Vec<Name> {
        self.put.iter().cloned().collect()
    }
}

/// What can be asked; in a pause nobody is asked.
fn open(snapshot: &Snapshot) -> impl Iterator<Item = &Approval> {
    let asked = snapshot.folders.iter().filter(|folder| folder.pause.is_none());
    let approvals = asked.flat_map(|folder| &folder.approvals);
    approvals.filter(|approval| approval.status == ApprovalStatus::Open)
}

fn name(approval: &Approval) -> Name {
    (approval.root.clone(), approval.id.clone())
}
