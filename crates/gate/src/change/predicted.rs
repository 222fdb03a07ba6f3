//! What a call will leave on disk, as far as what it says tells. Deliberately absent: showing it.

use bailiwick_policy::edits::{self, Edited};
use bailiwick_policy::{Access, TargetFact, Targets};

/// The content after the call: `None` when it cannot be predicted, `Some(None)` when the file will be gone. `before` is
/// the file's own content, or the source's where something is moved or copied to. A guess is no prediction.
pub(crate) fn after(
    targets: &Targets,
    target: &TargetFact,
    before: Option<&[u8]>,
) -> Option<Option<Vec<u8>>> {
    let guess = guessed(targets, target, before)?;
    is_known(targets, target, before, guess.as_deref()).then_some(guess)
}

/// Whether it was measured what the host's tools make of such a file and such a change, where that is `after`.
pub(crate) fn is_known(
    targets: &Targets,
    target: &TargetFact,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> bool {
    match target.access {
        Access::Overwrite => {
            let content = targets.content_for(&target.requested);
            edits::are_known(&targets.rules, before, &[], content.as_deref())
                && edits::is_patch_known(&targets.rules, None, after, targets.patch.as_ref())
        }
        Access::Anchored => {
            edits::are_known(&targets.rules, before, &targets.edits_for(&target.requested), None)
        }
        Access::Patch | Access::MoveTo => {
            edits::is_patch_known(&targets.rules, before, after, targets.patch.as_ref())
        }
        _ => true,
    }
}

pub(crate) fn guessed(
    targets: &Targets,
    target: &TargetFact,
    before: Option<&[u8]>,
) -> Option<Option<Vec<u8>>> {
    let text = || String::from_utf8(before.unwrap_or_default().to_vec()).ok();
    match target.access {
        Access::Read | Access::Look | Access::Anything => None,
        _ if targets.unforeseen => None,
        Access::Delete | Access::MoveFrom => Some(None),
        Access::Overwrite => {
            let content = targets.content_for(&target.requested)?;
            edits::written(&targets.rules, before, &content).map(Some)
        }
        Access::Anchored => edited(targets, target, before).map(|edited| Some(edited.bytes)),
        Access::Patch => {
            let after = targets.patched(&target.requested, &text()?)?;
            Some(Some(after.into_bytes()))
        }
        Access::MoveTo => {
            if targets.patch.is_none() {
                return before.map(<[u8]>::to_vec).map(Some);
            }
            let patched = targets.patched(&target.requested, &text()?).map(String::into_bytes);
            patched.or_else(|| before.map(<[u8]>::to_vec)).map(Some)
        }
    }
}

pub(crate) fn edited(targets: &Targets, target: &TargetFact, before: Option<&[u8]>) -> Option<Edited> {
    edits::edited(&targets.rules, before.unwrap_or_default(), &targets.edits_for(&target.requested)).ok()
}
