//! The content that an entry left, made again from the content before it, the entry's own hashes, and a text in which most
//! of its lines still stand.

use std::collections::HashMap;

use bailiwick_domain::{ChangedFile, ContentHash, FileState, LineHash};

/// What was made.
#[derive(Debug)]
pub(super) enum Rebuilt {
    /// Exactly the content: its hash says so.
    Exact(Vec<u8>),
    /// Its lines without the blanks at their ends. One that is not known is told from every other, and nothing else.
    Loose(Vec<Vec<u8>>),
}

/// Makes it again; `None` where the entry does not say enough.
pub(super) fn rebuilt(file: &ChangedFile, before: &[u8], like: &[u8]) -> Option<Rebuilt> {
    let lineage = file.lineage.as_ref()?;
    let old: Vec<&[u8]> = before.split_inclusive(|byte| *byte == b'\n').collect();
    let mut texts: HashMap<LineHash, &[u8]> = HashMap::new();
    for line in like.split_inclusive(|byte| *byte == b'\n') {
        texts.entry(LineHash::of(line)).or_insert(line);
    }
    let hashes = own_hashes(file);
    let (mut lines, mut is_whole, mut at): (Vec<Vec<u8>>, _, _) = (Vec::new(), true, 0);
    for hunk in &lineage.hunks {
        let start = hunk.old_start.checked_sub(1).filter(|start| (at..=old.len()).contains(start))?;
        lines.extend(old.get(at..start)?.iter().map(|line| line.to_vec()));
        if lines.len() + 1 != hunk.new_start {
            return None;
        }
        for line in hunk.new_start..hunk.new_start.saturating_add(hunk.new_count) {
            let text = hashes.get(&line).and_then(|hash| texts.get(hash));
            is_whole &= text.is_some();
            lines.push(text.map_or_else(|| format!("\0{line}\n").into_bytes(), |text| text.to_vec()));
        }
        at = start.saturating_add(hunk.old_count);
    }
    lines.extend(old.get(at..)?.iter().map(|line| line.to_vec()));
    let text = lines.concat();
    let is_exact = is_whole && file.after == FileState::Content(ContentHash::of(&text));
    Some(match is_exact {
        true => Rebuilt::Exact(text),
        false => Rebuilt::Loose(lines.iter().map(|line| line.trim_ascii().to_vec()).collect()),
    })
}

/// The loose hash of each line that the entry wrote, by its number.
fn own_hashes(file: &ChangedFile) -> HashMap<usize, LineHash> {
    let ranges = file.ranges.iter();
    let lines =
        ranges.flat_map(|range| (range.start_line..).zip(range.landmarks.lines.as_slice().iter().copied()));
    lines.collect()
}
