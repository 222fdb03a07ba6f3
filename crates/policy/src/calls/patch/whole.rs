//! What the sections of one patch say together: several about one file must not contradict each other.

use std::collections::BTreeMap;

use super::spent::within;
use super::{Patch, PatchOp};
use crate::calls::budget::PATCH_SECTIONS_OF_A_FILE;
use crate::calls::terms::Unreadable;

/// The patch with at most one meaning for each file: changes that build on each other stay, a file that goes and comes again
/// is replaced. Some appliers let the last change of a file win over those before it.
pub(super) fn settled(mut patch: Patch) -> Result<Patch, Unreadable> {
    let ops = &mut patch.ops;
    let mut of_file: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, op) in ops.iter().enumerate() {
        for path in changed(op) {
            of_file.entry(path.to_owned()).or_default().push(index);
        }
    }
    let mut gone = Vec::new();
    for (path, indices) in of_file.iter().filter(|(_, indices)| indices.len() > 1) {
        patch.is_disputed = true;
        within(indices.len(), PATCH_SECTIONS_OF_A_FILE, "sections about one file")?;
        let about: Vec<&PatchOp> = indices.iter().filter_map(|index| ops.get(*index)).collect();
        let builds_on = |op: &&PatchOp| matches!(op, PatchOp::Update { move_to: None, .. });
        match about.as_slice() {
            [PatchOp::Delete { .. }, PatchOp::Add { .. } | PatchOp::Opaque { .. }] => {
                gone.extend(indices.first().copied());
            }
            about if about.iter().all(builds_on) => {}
            about if about.iter().all(|op| matches!(op, PatchOp::Delete { .. })) => {}
            _ => {
                return Err(Unreadable::Malformed(format!(
                    "several sections of the patch make different things of `{path}`; send them in several calls"
                )));
            }
        }
    }
    let mut index = 0;
    ops.retain(|_| {
        index += 1;
        !gone.contains(&(index - 1))
    });
    Ok(patch)
}

/// The files that an operation changes.
fn changed(op: &PatchOp) -> Vec<&str> {
    match op {
        PatchOp::Add { path, .. } | PatchOp::Delete { path } | PatchOp::Opaque { path, .. } => vec![path],
        PatchOp::Update { path, move_to, .. } => {
            std::iter::once(path.as_str()).chain(move_to.as_deref()).collect()
        }
        PatchOp::Copy { to, .. } => vec![to],
    }
}
