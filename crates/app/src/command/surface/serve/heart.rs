//! The signs of life of a window, on a thread of their own, so that nothing that takes long stops them.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use bailiwick_adapters_fs::Window;

/// How often a window that somebody uses gives a sign of life.
const BEAT: Duration = Duration::from_millis(1500);

/// Beats while somebody is there, and rests otherwise.
pub(super) struct Heart(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Default)]
struct State {
    is_there: bool,
    windows: Vec<Arc<Window>>,
}

impl Heart {
    pub(super) fn start() -> Self {
        let shared = Arc::<Shared>::default();
        let beating = Arc::clone(&shared);
        std::thread::spawn(move || beating.beat());
        Self(shared)
    }

    /// Beats for these windows from now on.
    pub(super) fn follow(&self, windows: Vec<Arc<Window>>) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = windows.len() != state.windows.len();
        state.windows = windows;
        if is_new {
            state.show();
        }
    }

    pub(super) fn attend(&self, is_there: bool) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_there = is_there;
        state.show();
        self.0.woken.notify_one();
    }
}

impl State {
    /// A window that cannot give a sign is none that anybody waits for.
    fn show(&self) {
        for window in &self.windows {
            let _ = if self.is_there { window.beat() } else { window.rest() };
        }
    }
}

impl Shared {
    fn beat(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.is_there {
                state.show();
                let (next, _) = self.woken.wait_timeout(state, BEAT).unwrap_or_else(PoisonError::into_inner);
                state = next;
            } else {
                state = self.woken.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}
