//! The intent that a person names. Deliberately absent: what is done with it, which is each command's own.

use bailiwick_adapters_fs::FsIntentRepo;
use bailiwick_domain::{Intent, IntentId, IntentRepo, IntentSet};

use super::CommandError;
use crate::inert;
use crate::site::Site;

/// The intent of this id.
///
/// # Errors
/// There is none of that id; says which there are.
pub(super) fn intent(site: &Site, named: &str) -> Result<Intent, CommandError> {
    let id = IntentId::new(named).map_err(|error| CommandError::Usage(error.to_string()))?;
    let set = pollster::block_on(FsIntentRepo::new(site.layout.clone()).load())?;
    set.get(&id).cloned().ok_or_else(|| unknown(named, &set))
}

/// No intent has this name.
pub(super) fn unknown(named: &str, set: &IntentSet) -> CommandError {
    let ids: Vec<&str> = set.iter().map(|intent| intent.id().as_str()).collect();
    let valid = if ids.is_empty() { "there are none yet".to_owned() } else { ids.join(", ") };
    CommandError::Other(format!("there is no intent `{}`; valid ids: {valid}", inert::line(named)))
}
