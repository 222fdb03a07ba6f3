//! Forgets what a person decided for one repository. The decisions lie in `accepted` and `accepted_intents`.

use std::path::PathBuf;

use bailiwick_domain::PortError;

use crate::Layout;
use crate::files::atomic::unavailable;
use crate::state::accepted::{Accepted, GovernedRoots};
use crate::state::accepted_intents::AcceptedIntents;

/// Forgets what a person decided for this repository on this machine: settings that were accepted for one of its working
/// copies, accepted revisions of its intents, and that they are governed. What is kept for other repositories, and the
/// person's keys, stay.
///
/// # Errors
/// A file cannot be removed or written.
pub fn forget_decisions(layout: &Layout, copies: &[PathBuf]) -> Result<Vec<PathBuf>, PortError> {
    let Some(user_state) = layout.user_state() else { return Ok(Vec::new()) };
    let registry = GovernedRoots::new(user_state);
    let mut gone = Vec::new();
    let roots = || std::iter::once(layout.root()).chain(copies.iter().map(PathBuf::as_path));
    for root in roots().filter(|root| registry.contains(root).unwrap_or(false)).collect::<Vec<_>>() {
        registry.remove(root)?;
        gone.push(registry.file().to_owned());
    }
    gone.dedup();
    let accepted = roots().map(|root| Accepted::new(user_state, root).into_file());
    let (intents, folder) = AcceptedIntents::new(layout).into_files();
    for file in accepted.chain(intents) {
        match std::fs::remove_file(&file) {
            Ok(()) => gone.push(file),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(unavailable(&file, &error)),
        }
    }
    if let Some(folder) = folder {
        let _ = std::fs::remove_dir(folder);
    }
    let _ = std::fs::remove_dir(user_state.join("accepted"));
    Ok(gone)
}
