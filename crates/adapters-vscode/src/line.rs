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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::testing::{approval, snapshot};

    // D-37
    #[test]
    fn req_143_the_oldest_question_is_put_first_and_one_at_a_time() {
        let mut line = Line::default();
        let now = snapshot(vec![
            approval("ap-b", "2026-11-23T10:00:02.000Z"),
            approval("ap-a", "2026-11-23T10:00:01.000Z"),
        ]);
        let first = name(line.next(&now).unwrap());
        assert_eq!(first.1, "ap-a");
        assert!(line.next(&now).is_none(), "one at a time");
        line.done(&("/repo".to_owned(), "ap-b".to_owned()));
        assert!(line.next(&now).is_none(), "another one is no answer to it");
        line.done(&first);
        assert_eq!(line.next(&now).map(|next| next.id.as_str()), Some("ap-b"));
        line.done(&("/repo".to_owned(), "ap-b".to_owned()));
        assert!(line.next(&now).is_none(), "each is put once");
        assert_eq!(line.put().len(), 2);
    }

    // D-33, D-38
    #[test]
    fn req_143_what_is_answered_elsewhere_is_over_and_what_the_host_asks_is_not_put() {
        let mut line = Line::default();
        let mut with_host = approval("ap-c", "2026-11-23T10:00:00.000Z");
        with_host.status = ApprovalStatus::WithHost;
        let now = snapshot(vec![approval("ap-a", "2026-11-23T10:00:01.000Z"), with_host]);
        assert_eq!(line.next(&now).map(|next| next.id.as_str()), Some("ap-a"));
        assert!(line.settle(&now).is_empty());
        let mut paused = now.clone();
        paused.folders.iter_mut().for_each(|folder| folder.pause = Some(crate::protocol::testing::pause()));
        assert!(Line::default().next(&paused).is_none(), "nobody is asked in a pause");
        let over = line.settle(&snapshot(Vec::new()));
        assert_eq!(over, [("/repo".to_owned(), "ap-a".to_owned())]);
        assert!(line.settle(&snapshot(Vec::new())).is_empty(), "said once");
    }
}
