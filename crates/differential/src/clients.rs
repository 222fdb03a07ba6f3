//! Where real clients lie. `cargo xtask e2e claude` and `cargo xtask e2e agents` install them; nothing is installed here.

use std::path::PathBuf;

/// A file of a client for a judge. Where that version is not installed, the judge plays nothing, and that is said.
pub(crate) fn installed(judge: &str, client: &str, file: &str) -> Option<PathBuf> {
    let found = find(client, file);
    if found.is_none() {
        println!(
            "{judge}: {client} is not installed (`cargo xtask e2e claude` and `e2e agents` do that), so nothing is played"
        );
    }
    found
}

/// The same, without a word.
pub(crate) fn find(client: &str, file: &str) -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let cache = cache.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
    let path = cache.join("bailiwick/clients").join(client).join("node_modules").join(file);
    Some(path).filter(|path| path.exists())
}
