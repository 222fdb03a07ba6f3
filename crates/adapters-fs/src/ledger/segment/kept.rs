//! Segments that the history of version control has and the working copy lacks: they are evidence too.
//!
//! What they held is kept among the caches, under the hash that names it, and is compared with that name before it counts.
//! Deliberately absent: asking version control, which a port does.

use std::path::PathBuf;

use bailiwick_domain::{ContentHash, KeptSegment, PortError, SegmentHistory};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{Durability, create_dirs, read_optional, replace};
use crate::ledger::segment::{self, SegmentFile};

/// A segment of the history.
#[derive(Clone, Debug)]
pub(in crate::ledger) struct Past {
    pub(in crate::ledger) kept: KeptSegment,
    /// What it held; `None` where version control does not have it here.
    pub(in crate::ledger) file: Option<SegmentFile>,
}

/// The segments of the history that the working copy lacks, by name.
///
/// # Errors
/// The working copy cannot be listed, or a content not be kept.
pub(in crate::ledger) fn absent(
    layout: &Layout,
    history: &dyn SegmentHistory,
) -> Result<Vec<Past>, PortError> {
    absent_of(layout, history, history.kept()?)
}

/// Their files, for a question: the history of a commit is looked through once.
///
/// # Errors
/// As for [`absent`].
pub(in crate::ledger) fn files(
    layout: &Layout,
    history: &dyn SegmentHistory,
) -> Result<Vec<SegmentFile>, PortError> {
    let place = layout.cache().join("segments").join("known.json");
    let head = history.head();
    let read = || serde_json::from_slice::<Known>(&read_optional(&place).ok()??).ok();
    let kept = match read().filter(|known| head.is_some() && known.head == head) {
        Some(known) => known.kept,
        None => {
            let known = Known { head, kept: history.kept()? };
            let bytes = serde_json::to_vec(&known).unwrap_or_default();
            // It is looked for again where it cannot be kept.
            drop(
                create_dirs(&layout.cache().join("segments"))
                    .and_then(|()| replace(&place, &bytes, Durability::Os)),
            );
            known.kept
        }
    };
    Ok(absent_of(layout, history, kept)?.into_iter().filter_map(|past| past.file).collect())
}

/// What the history of a commit has.
#[derive(Serialize, Deserialize)]
struct Known {
    head: Option<String>,
    kept: Vec<KeptSegment>,
}

fn absent_of(
    layout: &Layout,
    history: &dyn SegmentHistory,
    kept: Vec<KeptSegment>,
) -> Result<Vec<Past>, PortError> {
    let folder = segment::folder(layout);
    let kept = kept.into_iter();
    let mut absent: Vec<KeptSegment> =
        kept.filter(|one| !segment::file(&folder, &one.name).exists()).collect();
    absent.sort_by(|one, other| one.name.cmp(&other.name));
    absent.into_iter().map(|kept| past(layout, history, kept)).collect()
}

fn past(layout: &Layout, history: &dyn SegmentHistory, kept: KeptSegment) -> Result<Past, PortError> {
    let file = SegmentFile { name: kept.name.clone(), path: place(layout, &kept.name) };
    if file.path.exists() && file.is_whole().unwrap_or(false) {
        return Ok(Past { kept, file: Some(file) });
    }
    for content in &kept.contents {
        let Some(bytes) = history.content(content, segment::LARGEST)? else { continue };
        if ContentHash::of(&bytes) == kept.name {
            file.path.parent().map_or(Ok(()), create_dirs)?;
            replace(&file.path, &bytes, Durability::Os)?;
            return Ok(Past { kept, file: Some(file) });
        }
    }
    Ok(Past { kept, file: None })
}

fn place(layout: &Layout, name: &ContentHash) -> PathBuf {
    segment::file(&layout.cache().join("segments"), name)
}
