//! Ledgers of many entries: over many files and intents, or all about one file.

use std::path::Path;

use bailiwick_adapters_fs::FsLedger;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Change, ChangedFile, ChangedRange, ContentHash, FileState, Hunk, Intent, Landmarks, Ledger as _,
    LineHashes, Lineage, Mutation, MutationEvidence, MutationMethod, Timestamp, TraceContext, TraceEntry,
    VcsRevision, block_hash,
};
use pollster::block_on;

use crate::Outcome;
use crate::random::Random;

const COMMIT: &str = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0";
const FILES: usize = 900;
const INTENTS: usize = 40;

/// Makes entries, one second after the other.
pub(crate) struct Writer {
    random: Random,
    intents: Vec<Intent>,
    count: usize,
}

impl Writer {
    pub(crate) fn new() -> Self {
        let intent = |number| sample::intent(&format!("INT-{number:03}"), &["src/**"]);
        Self { random: Random::new(7), intents: (1..=INTENTS).map(intent).collect(), count: 0 }
    }

    /// An entry that changed a few lines of some file.
    pub(crate) fn entry(&mut self) -> TraceEntry {
        let path = format!("src/part{}/file{}.rs", self.random.below(30), self.random.below(FILES));
        let start = self.random.below(2_000);
        let text = format!("let value_{} = {start};\nuse_it(value_{0});\n", self.count);
        let file = changed_file(&path, start, text.as_bytes(), b"a\nb\nc\n", b"d\ne\nf\n");
        self.with(file)
    }

    /// The shortest entry that changed a line: an older version wrote it, in a folder without git.
    fn short_entry(&mut self) -> TraceEntry {
        let mut entry = self.entry();
        entry.vcs = VcsRevision::None("no repository".to_owned());
        entry.context.mutation = None;
        for range in entry.files.iter_mut().flat_map(|file| &mut file.ranges) {
            range.landmarks = Landmarks::default();
        }
        entry
    }

    fn with(&mut self, file: ChangedFile) -> TraceEntry {
        let number = self.count;
        self.count += 1;
        self.intents.rotate_left(1);
        let intent = self.intents.first().cloned();
        let intent = intent.unwrap_or_else(|| sample::intent("INT-001", &["src/**"]));
        let plain = sample::trace_entry(&format!("{number:08x}-0000-4000-8000-{number:012}"), &intent);
        let seconds = i64::try_from(number).unwrap_or_default();
        let what = "the default of `timeout` changed".to_owned();
        let evidence = MutationEvidence { path: file.path.clone(), line: 1, what };
        TraceEntry {
            timestamp: Timestamp::from_unix_ms(plain.timestamp.unix_ms() + seconds * 1000),
            vcs: VcsRevision::Commit(COMMIT.to_owned()),
            context: TraceContext {
                mutation: Some(Mutation::evolution(MutationMethod::Unexplained, vec![evidence])),
                ..plain.context
            },
            files: vec![file],
            ..plain
        }
    }
}

fn changed_file(path: &str, start: usize, block: &[u8], above: &[u8], below: &[u8]) -> ChangedFile {
    let count = block.split_inclusive(|byte| *byte == b'\n').count();
    let range = ChangedRange {
        start_line: start + 1,
        end_line: start + count,
        content_hash: block_hash(block),
        landmarks: Landmarks {
            lines: LineHashes::of(block),
            above: LineHashes::of(above),
            below: LineHashes::of(below),
        },
        symbol: None,
    };
    ChangedFile {
        path: sample::path(path),
        change: Change::Modified,
        moved_from: None,
        moved_to: None,
        lineage: None,
        before: FileState::Content(ContentHash::of(above)),
        after: FileState::Content(ContentHash::of(block)),
        ranges: if count == 0 { Vec::new() } else { vec![range] },
        removed: Vec::new(),
        binary: false,
    }
}

/// Appends so many entries.
pub(crate) fn fill(ledger: &FsLedger, count: usize) -> Outcome {
    let mut writer = Writer::new();
    for _ in 0..count {
        block_on(ledger.append(&writer.short_entry()))?;
    }
    Ok(format!("{count} entries"))
}

/// An entry that wrote this block of a file.
pub(crate) fn one(path: &str, lines: &[String], start: usize, count: usize) -> TraceEntry {
    let text = |from: usize, to: usize| lines.get(from..to.min(lines.len())).unwrap_or_default().concat();
    let (end, above) = (start + count, start.saturating_sub(Landmarks::AROUND));
    let (above, below) = (text(above, start), text(end, end + Landmarks::AROUND));
    let block = text(start, end);
    Writer { count: 0xffff, ..Writer::new() }.with(changed_file(
        path,
        start,
        block.as_bytes(),
        above.as_bytes(),
        below.as_bytes(),
    ))
}

/// Edits one file again and again, each time a few lines somewhere, so that the blocks of most entries stand elsewhere
/// today, or only in part; the file ends with about so many lines.
pub(crate) fn edits(ledger: &FsLedger, path: &str, target: &Path, count: usize, lines: usize) -> Outcome {
    let mut writer = Writer::new();
    let mut file: Vec<String> = Vec::new();
    for number in 0..count {
        let missing = (lines.saturating_sub(file.len())) / (count - number);
        let start = writer.random.below(file.len() + 1);
        let gone = writer.random.below(4).min(file.len() - start);
        let come = 1 + missing + writer.random.below(3).max(gone) - usize::from(missing > 0 || gone > 0);
        let new: Vec<String> = (0..come).map(|line| code(&mut writer.random, number, line)).collect();
        file.splice(start..start + gone, new);
        let around = |from: usize, to: usize| {
            file.get(from..to.min(file.len())).unwrap_or_default().concat().into_bytes()
        };
        let above = around(start.saturating_sub(Landmarks::AROUND), start);
        let below = around(start + come, start + come + Landmarks::AROUND);
        let block = around(start, start + come);
        let state = |number: usize| FileState::Content(ContentHash::of(&number.to_le_bytes()));
        let changed = ChangedFile {
            before: number.checked_sub(1).map_or(FileState::Absent, state),
            after: match number + 1 == count {
                true => FileState::Content(ContentHash::of(file.concat().as_bytes())),
                false => state(number),
            },
            lineage: Some(Lineage {
                hunks: vec![Hunk::from([start + 1, gone, start + 1, come])],
                doubtful: Vec::new(),
            }),
            ..changed_file(path, start, &block, &above, &below)
        };
        block_on(ledger.append(&writer.with(changed)))?;
    }
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(target, file.concat())?;
    Ok(format!("{} lines", file.len()))
}

/// A line as code has them: some stand everywhere.
fn code(random: &mut Random, number: usize, line: usize) -> String {
    match random.below(8) {
        0 => "    }\n".to_owned(),
        1 => "\n".to_owned(),
        2 => "        return None;\n".to_owned(),
        _ => format!("        let value_{number}_{line} = compute({});\n", random.below(1000)),
    }
}
