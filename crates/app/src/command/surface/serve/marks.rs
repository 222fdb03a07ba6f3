//! Whether queries would answer otherwise than before, told by the lengths and times of a few files.

use std::path::Path;
use std::time::UNIX_EPOCH;

use bailiwick_adapters_fs::Layout;
use bailiwick_adapters_vscode::protocol::Marks;

/// The marks of a root as it is now.
pub(super) fn of(layout: &Layout) -> Marks {
    let private = layout.private();
    let [ignore, nested] = layout.ignore_files();
    Marks {
        ledger: mark(&[&private.join("ledger/live.jsonl")]),
        intents: mark(&[&layout.intents_file(), &layout.config_file(), &ignore.1, &nested.1]),
        decisions: mark(&[&private.join("decisions.jsonl")]),
        // Each request is put in its place anew when it is answered or used.
        answered: mark(&[&private.join("approvals")]),
    }
}

fn mark(files: &[&Path]) -> String {
    let parts: Vec<String> = files.iter().map(|file| part(file)).collect();
    parts.join("-")
}

fn part(file: &Path) -> String {
    let Ok(meta) = file.metadata() else { return String::new() };
    let changed = meta.modified().ok().and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
    format!("{:x}.{:x}", meta.len(), changed.map_or(0, |moment| moment.as_nanos()))
}
