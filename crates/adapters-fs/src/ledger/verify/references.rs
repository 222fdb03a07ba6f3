//! Segments that another one follows, that were sealed here, or that somebody's head was seen in, and that are not here.
//!
//! Git moves segments about: a branch is deleted, a commit is picked alone. So a segment that is somewhere else, or that
//! git once had, is a note; only what was sealed here, never was in git, and is needed here is gone.

use std::collections::BTreeMap;

use bailiwick_domain::{ContentHash, FindingKind, OtherLedger, PortError, SegmentHistory, Severity};

use super::report::Report;
use crate::Layout;
use crate::ledger::segment::kept::Past;
use crate::ledger::segment::sealed_here::SealedHere;
use crate::ledger::segment::{self, Header};
use crate::ledger::transparency::Frontier;
use crate::ledger::trust::seen::Seen;

/// A segment that was looked at.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) header: Header,
    pub(super) head: Option<ContentHash>,
    pub(super) first_names: Option<ContentHash>,
    /// The tree behind its last entry, where its header says what the tree was before the first.
    pub(super) tree: Option<Frontier>,
}

/// Checks which segment each follows.
///
/// # Errors
/// Version control cannot be asked.
pub(super) fn check(
    layout: &Layout,
    present: &BTreeMap<ContentHash, Looked>,
    past: &BTreeMap<ContentHash, Looked>,
    here: &SealedHere,
    history: Option<&dyn SegmentHistory>,
    report: &mut Report,
) -> Result<(), PortError> {
    let folder = segment::folder(layout);
    let mut in_git = None;
    for (name, looked) in present {
        let Some(follows) = &looked.header.follows else { continue };
        report.about(segment::file(&folder, name).display().to_string());
        if let Some(before) = present.get(follows).or_else(|| past.get(follows)) {
            let fits = before.header.end() == looked.header.first
                && before.header.chain == looked.header.chain
                && before.head == looked.first_names
                && before
                    .tree
                    .as_ref()
                    .zip(looked.header.tree())
                    .is_none_or(|(ends, begins)| *ends == begins);
            if !fits {
                report.alarm(
                    FindingKind::NotLinked,
                    Some(1),
                    Some(looked.header.first),
                    "the segment does not go on where the one ends that it follows",
                );
            }
            continue;
        }
        if segment::file(&folder, follows).exists() {
            continue;
        }
        if in_git.is_none() {
            in_git = Some(history.map(SegmentHistory::names).transpose()?.unwrap_or_default());
        }
        let known_to_git = in_git.as_ref().is_some_and(|names| names.contains(follows));
        let needed = follows.digits();
        match here.known.get(follows) {
            Some(known) if !known.in_git && !known_to_git => {
                let message =
                    format!("it follows the segment {needed}, which was sealed here and no longer exists");
                report.alarm(FindingKind::SegmentGone, Some(1), None, message);
            }
            _ => {
                let message = format!(
                    "it follows the segment {needed}, which is not in this working copy: on another ref, or withdrawn by git"
                );
                report.push(Severity::Note, FindingKind::SegmentElsewhere, Some(1), None, message);
            }
        }
    }
    Ok(())
}

/// Reports segments that were sealed here and are not in the working copy, where no commit of its history explains it.
pub(super) fn elsewhere(layout: &Layout, here: &SealedHere, absent: &[Past], report: &mut Report) {
    let folder = segment::folder(layout);
    let is_explained = |name: &ContentHash| absent.iter().any(|one| one.kept.name == *name);
    let gone = here.known.keys().filter(|name| !segment::file(&folder, name).exists() && !is_explained(name));
    let count = gone.count();
    if count > 0 {
        report.about(folder.display().to_string());
        let segments = sealed(count);
        let message = format!("{segments} not in this working copy: on another ref, or withdrawn");
        report.note(FindingKind::SegmentElsewhere, message);
    }
}

/// Reports heads of ledgers that were seen in this clone and that no segment has any more.
///
/// # Errors
/// The heads cannot be listed.
pub(super) fn gone(
    layout: &Layout,
    seen: &Seen,
    ledgers: &[OtherLedger],
    is_own: &dyn Fn(&ContentHash) -> bool,
    report: &mut Report,
) -> Result<(), PortError> {
    for (chain, head) in seen.here()? {
        let entries = ledgers.iter().find(|ledger| ledger.chain == chain).map_or(0, |ledger| ledger.entries);
        if is_own(&chain) || entries > head.seq {
            continue;
        }
        report.about(segment::folder(layout).display().to_string());
        let message = format!(
            "of the ledger {} entry {} was seen here, signed, and {} in this working copy or its history: on another \
             ref, withdrawn, or taken away",
            chain.digits().get(..16).unwrap_or_default(),
            head.seq,
            held(entries)
        );
        report.push(Severity::Note, FindingKind::HeadGone, None, Some((entries, head.seq)), message);
    }
    Ok(())
}

fn sealed(count: usize) -> String {
    match count {
        1 => "1 segment that was sealed here is".to_owned(),
        _ => format!("{count} segments that were sealed here are"),
    }
}

/// How much of a ledger is here.
fn held(entries: u64) -> String {
    match entries {
        0 => "nothing is".to_owned(),
        1 => "only the first is".to_owned(),
        _ => format!("only the first {entries} are"),
    }
}

#[cfg(test)]
mod tests {
    use super::{held, sealed};

    #[test]
    fn one_is_not_said_as_many() {
        assert_eq!(sealed(1), "1 segment that was sealed here is");
        assert_eq!(sealed(2), "2 segments that were sealed here are");
        assert_eq!(held(0), "nothing is");
        assert_eq!(held(1), "only the first is");
        assert_eq!(held(2), "only the first 2 are");
    }
}
