//! What an earlier crash left behind, so that a program meets it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::stage::world::World;

/// One line of the witness, with its LF.
const WITNESS_LINE: usize = 33;
/// A decision log of this size is closed at the next record.
const LONG: usize = 8 * 1024 * 1024;

/// Something that is not as a writer that ended would have left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wound {
    None,
    /// A piece of a record at the end of the ledger.
    TornTail,
    /// The last record lacks its LF, and nobody else has seen it.
    MissingLineEnd,
    ViewMissing,
    /// The view and the witness lack the last record, the view not all of it.
    ViewTorn,
    WitnessBehind,
    WitnessMissing,
    TornDecisions,
    /// The decision log is closed and begun anew at the next record.
    LongDecisions,
    /// A new file that never got its name.
    LeftOver,
    /// The file that the ledger is appended to is closed, and another one begun, with the next record.
    LongLedger,
}

impl Wound {
    /// All of them but the last.
    pub(super) const ALL: &[Self] = &[
        Self::TornTail,
        Self::MissingLineEnd,
        Self::ViewMissing,
        Self::ViewTorn,
        Self::WitnessBehind,
        Self::WitnessMissing,
        Self::TornDecisions,
        Self::LongDecisions,
        Self::LeftOver,
    ];

    /// How many entries the ledger must have for it.
    pub(super) fn entries(self) -> usize {
        match self {
            Self::None | Self::TornDecisions | Self::LongDecisions | Self::LeftOver | Self::LongLedger => 0,
            Self::TornTail
            | Self::MissingLineEnd
            | Self::ViewMissing
            | Self::ViewTorn
            | Self::WitnessBehind
            | Self::WitnessMissing => 2,
        }
    }

    /// Inflicts it; the bytes of the ledger that nothing may take.
    pub(super) fn inflict(self, world: &World) -> Result<Vec<u8>> {
        let private = world.repo().join(".git/bailiwick");
        let (live, view) =
            (private.join("ledger/live.jsonl"), world.repo().join(".orchestration/agent_trace.jsonl"));
        let decisions = private.join("decisions.jsonl");
        let mut kept = std::fs::read(&live).unwrap_or_default();
        match self {
            Self::None | Self::LongLedger => {}
            Self::TornTail => {
                let last = last_line(&kept);
                let piece = kept.get(last..last + (kept.len() - last) / 2).unwrap_or_default().to_vec();
                append(&live, &piece)?;
            }
            Self::MissingLineEnd => {
                let last = last_line(&kept);
                kept.pop();
                std::fs::write(&live, &kept)?;
                shorten(&view, last)?;
                forget_last(world)?;
            }
            Self::ViewMissing => std::fs::remove_file(&view)?,
            Self::ViewTorn => {
                let last = last_line(&kept);
                shorten(&view, last + (kept.len() - last) / 3)?;
                forget_last(world)?;
            }
            Self::WitnessBehind => forget_last(world)?,
            Self::WitnessMissing => std::fs::remove_file(heads(world)?)?,
            Self::TornDecisions => append(&decisions, b"{\"seq\":")?,
            Self::LongDecisions => lengthen(&decisions)?,
            Self::LeftOver => {
                let session = std::fs::read_dir(world.pending()?)?.next().context("nothing pending")??;
                std::fs::write(session.path().join(".left.json.1.2.3.tmp"), "{")?;
            }
        }
        Ok(kept)
    }
}

/// Where the last line begins.
fn last_line(bytes: &[u8]) -> usize {
    let before = bytes.len().saturating_sub(1);
    bytes.iter().take(before).rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

fn append(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = std::fs::OpenOptions::new().append(true).open(path)?;
    file.write_all(bytes).map_err(Into::into)
}

fn shorten(path: &Path, length: usize) -> Result<()> {
    let bytes = std::fs::read(path)?;
    std::fs::write(path, bytes.get(..length).unwrap_or(&bytes)).map_err(Into::into)
}

fn heads(world: &World) -> Result<PathBuf> {
    let all = world.home().join(".local/state/bailiwick/witness");
    let folder = std::fs::read_dir(&all)?.next().context("no witness")??;
    Ok(folder.path().join("heads"))
}

fn forget_last(world: &World) -> Result<()> {
    let heads = heads(world)?;
    let length = std::fs::metadata(&heads)?.len();
    shorten(&heads, usize::try_from(length)?.saturating_sub(WITNESS_LINE))
}

/// Goes on with the newest decision until the log is long.
fn lengthen(decisions: &Path) -> Result<()> {
    let text = std::fs::read_to_string(decisions)?;
    let mut record: Value = serde_json::from_str(text.lines().next_back().context("an empty log")?)?;
    let mut seq = record["seq"].as_u64().context("a decision without a number")?;
    let mut long = text;
    record["note"] = "x".repeat(4096).into();
    while long.len() < LONG {
        seq += 1;
        record["seq"] = seq.into();
        long.push_str(&record.to_string());
        long.push('\n');
    }
    std::fs::write(decisions, long).map_err(Into::into)
}
