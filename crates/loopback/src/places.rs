//! How many connections there are. One that waits for its next request makes room for a new one, so that nobody shuts others
//! out by saying nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

/// The connections that are open.
pub(crate) struct Places {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    opened: u64,
    connections: HashMap<u64, Arc<Connection>>,
}

/// What a connection does, and what tells it to close.
struct Connection {
    does: Mutex<Does>,
    closes: Notify,
}

enum Does {
    /// No request is under way since then.
    Waits(Instant),
    /// So many requests are being answered.
    Answers(usize),
    /// It has made room: whatever it still sends is not begun.
    Closes,
}

/// The place of one connection. It is free again when this is dropped.
pub(crate) struct Place {
    places: Arc<Places>,
    id: u64,
    connection: Arc<Connection>,
}

/// A request under way. It is over when this is dropped.
pub(crate) struct UnderWay(Arc<Connection>);

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Places {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, open: Mutex::default() })
    }

    /// A place for a new connection, if need be that of the one that waits the longest. Nothing when all are at work.
    pub(crate) fn take(self: &Arc<Self>) -> Option<Place> {
        let mut open = locked(&self.open);
        if open.connections.len() >= self.most {
            let id = open.longest_waiting()?;
            let left = open.connections.remove(&id)?;
            if !left.makes_room() {
                open.connections.insert(id, left);
                return None;
            }
        }
        let connection =
            Arc::new(Connection { does: Mutex::new(Does::Waits(Instant::now())), closes: Notify::new() });
        open.opened += 1;
        let id = open.opened;
        open.connections.insert(id, Arc::clone(&connection));
        Some(Place { places: Arc::clone(self), id, connection })
    }
}

impl Open {
    fn longest_waiting(&self) -> Option<u64> {
        let waiting = self.connections.iter().filter_map(|(id, one)| Some((one.waits_since()?, *id)));
        waiting.min().map(|(_, id)| id)
    }
}

impl Connection {
    fn waits_since(&self) -> Option<Instant> {
        match *locked(&self.does) {
            Does::Waits(since) => Some(since),
            Does::Answers(_) | Does::Closes => None,
        }
    }

    /// Whether it closes. One that got a request meanwhile does not.
    fn makes_room(&self) -> bool {
        let mut does = locked(&self.does);
        let waits = matches!(*does, Does::Waits(_));
        if waits {
            *does = Does::Closes;
            self.closes.notify_one();
        }
        waits
    }

    /// Whether a request may begin.
    fn begins(&self) -> bool {
        let mut does = locked(&self.does);
        *does = match *does {
            Does::Waits(_) => Does::Answers(1),
            Does::Answers(others) => Does::Answers(others + 1),
            Does::Closes => return false,
        };
        true
    }

    fn ends(&self) {
        let mut does = locked(&self.does);
        *does = match *does {
            Does::Answers(0 | 1) => Does::Waits(Instant::now()),
            Does::Answers(more) => Does::Answers(more - 1),
            Does::Waits(_) | Does::Closes => return,
        };
    }
}

impl Place {
    /// Waits until another connection has this place.
    pub(crate) async fn is_lost(&self) {
        self.connection.closes.notified().await;
    }

    /// What a request of this connection asks before it begins.
    pub(crate) fn asks(&self) -> impl Fn() -> Option<UnderWay> + use<> {
        let connection = Arc::clone(&self.connection);
        move || connection.begins().then(|| UnderWay(Arc::clone(&connection)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        locked(&self.places.open).connections.remove(&self.id);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.ends();
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Places};

    fn places(most: usize) -> (std::sync::Arc<Places>, Vec<Place>) {
        let places = Places::new(most);
        let taken = (0..most).map(|_| places.take().unwrap()).collect();
        (places, taken)
    }

    #[tokio::test]
    async fn the_one_that_waits_the_longest_makes_room() {
        let (places, taken) = places(3);
        let work = taken.first().unwrap().asks()().unwrap();
        let new = places.take().unwrap();
        // The first is at work, so the second had to go.
        let [first, second, _] = taken.as_slice() else { panic!("three") };
        second.is_lost().await;
        assert!(second.asks()().is_none(), "a connection that closes began a request");
        assert!(first.asks()().is_some());
        drop(work);
        assert!(new.asks()().is_some());
    }

    #[test]
    fn nobody_at_work_is_sent_away() {
        let (places, taken) = places(2);
        let mut work: Vec<_> = taken.iter().map(|place| place.asks()().unwrap()).collect();
        assert!(places.take().is_none());
        work.pop();
        assert!(places.take().is_some());
    }

    #[test]
    fn a_request_beside_another_keeps_the_connection_at_work() {
        let (places, taken) = places(1);
        let asks = taken.first().unwrap().asks();
        let (one, other) = (asks().unwrap(), asks().unwrap());
        drop(one);
        assert!(places.take().is_none());
        drop(other);
        assert!(places.take().is_some());
    }

    #[test]
    fn a_place_is_free_when_its_connection_ends() {
        let (places, taken) = places(1);
        let work = taken.first().unwrap().asks()();
        drop(taken);
        assert!(places.take().is_some());
        drop(work);
    }
}
