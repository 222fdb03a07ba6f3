//! Ids of requests that were called off. Their answers may come late, and must not be taken for those of others.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bailiwick_frames::Id;

/// So many of one client are remembered; the protocol has each id once.
const MOST: usize = 1024;

/// The last requests that were called off and not answered since.
#[derive(Debug, Default)]
pub(crate) struct CalledOff(VecDeque<Id>);

impl CalledOff {
    pub(crate) fn add(&mut self, id: Id) {
        self.0.push_back(id);
        if self.0.len() > MOST {
            self.0.pop_front();
        }
    }

    pub(crate) fn holds(&self, id: &Id) -> bool {
        self.0.contains(id)
    }

    /// An answer came late; false where that request was not called off.
    pub(crate) fn came(&mut self, id: &Id) -> bool {
        let before = self.0.len();
        self.0.retain(|this| this != id);
        self.0.len() < before
    }
}

/// The ids of one client's requests that no further one may have. Clones are of the same client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken(Arc<Mutex<Ids>>);

#[derive(Debug, Default)]
struct Ids {
    open: BTreeSet<Id>,
    called_off: CalledOff,
}

impl Taken {
    fn ids(&self) -> MutexGuard<'_, Ids> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why a request may not have this id, if it may not.
    pub(crate) fn why_not(&self, id: &Id) -> Option<&'static str> {
        let ids = self.ids();
        if ids.open.contains(id) {
            return Some("a request with this id is open already");
        }
        ids.called_off.holds(id).then_some("the request with this id was called off")
    }

    /// A request begins; false where its id is taken.
    pub(crate) fn begin(&self, id: Id) -> bool {
        self.why_not(&id).is_none() && self.ids().open.insert(id)
    }

    /// So many requests are open.
    pub(crate) fn count(&self) -> usize {
        self.ids().open.len()
    }

    pub(crate) fn answered(&self, id: &Id) {
        self.ids().open.remove(id);
    }

    /// Nobody tells when the work on it ends: its id is not free again for a long time.
    pub(crate) fn called_off(&self, id: &Id) {
        let mut ids = self.ids();
        if ids.open.remove(id) {
            ids.called_off.add(id.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_free_again_when_its_answer_came() {
        let (taken, id) = (Taken::default(), Id::Number(5));
        assert!(taken.begin(id.clone()) && !taken.begin(id.clone()));
        taken.answered(&id);
        assert!(taken.begin(id.clone()));
        taken.called_off(&id);
        assert!(!taken.begin(id));
        let mut called_off = CalledOff::default();
        (0..2000).for_each(|number| called_off.add(Id::Number(number)));
        assert!(!called_off.holds(&Id::Number(0)) && called_off.holds(&Id::Number(1999)));
        assert!(called_off.came(&Id::Number(1999)) && !called_off.came(&Id::Number(1999)));
    }
}
