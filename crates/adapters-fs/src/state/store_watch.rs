//! Tells of changes of one root's stores, for surfaces that must not look all the time.
//!
//! A hint, never a truth: whoever is told looks for itself, and looks now and then without being told. Deliberately absent:
//! what changed.

use std::path::Path;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::Layout;

/// What of the private state nobody shows, or what its readers write themselves.
const SILENT: &[&str] = &["surfaces", "dialogs", "cache", "preimages", "agents", "passes", "lock"];

/// Calls back after changes, from a thread of its own, until it is dropped.
#[derive(Debug)]
pub struct StoreWatch {
    _watcher: RecommendedWatcher,
}

impl StoreWatch {
    /// Watches the private state and the intents of a root; `None` where the system cannot.
    pub fn new(layout: &Layout, changed: impl Fn() + Send + 'static) -> Option<Self> {
        let private = layout.private().to_path_buf();
        let told = private.clone();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| tells(&event, &told)) {
                changed();
            }
        })
        .ok()?;
        watcher.watch(&private, RecursiveMode::Recursive).ok()?;
        let orchestration = layout.orchestration();
        if !private.starts_with(&orchestration) {
            // Without it the surface still sees what waits.
            let _ = watcher.watch(&orchestration, RecursiveMode::NonRecursive);
        }
        Some(Self { _watcher: watcher })
    }
}

fn tells(event: &Event, private: &Path) -> bool {
    let is_change = matches!(event.kind, EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_));
    is_change && event.paths.iter().any(|path| is_told(path, private))
}

fn is_told(path: &Path, private: &Path) -> bool {
    let Ok(inner) = path.strip_prefix(private) else { return true };
    let names: Vec<&str> = inner.iter().filter_map(|name| name.to_str()).collect();
    let is_lock = names.last().is_some_and(|name| *name == "lock");
    !is_lock && names.first().is_some_and(|first| !SILENT.contains(first))
}
