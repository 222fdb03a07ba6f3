//! What an append costs beside one synced write of the same bytes, in turns, so that both meet the same disk.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use bailiwick_adapters_fs::{FsLedger, Layout};
use bailiwick_domain::{Ledger as _, PortError, Sync};
use pollster::block_on;

use crate::Outcome;
use crate::history::Writer;

/// The medians over rounds, in microseconds: an append, a signed one, and one synced write of the same bytes.
pub(crate) fn measure(folder: &Path, rounds: usize) -> Outcome {
    let (mut plain, mut signed) =
        (Ledger::in_folder(&folder.join("plain"))?, Ledger::in_folder(&folder.join("signed"))?);
    signed.ledger = signed.ledger.with_signing(true);
    signed.append()?;
    let line = std::fs::read(signed.ledger.live_file())?;
    let file = folder.join("written");
    let (mut appended, mut with_signature, mut written) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        appended.push(plain.append()?);
        with_signature.push(signed.append()?);
        let start = Instant::now();
        let mut file = OpenOptions::new().append(true).create(true).open(&file)?;
        file.write_all(&line)?;
        file.sync_data()?;
        written.push(start.elapsed());
    }
    let medians = [appended, with_signature, written].map(|times| median(times).as_micros().to_string());
    Ok(medians.join(" "))
}

/// A ledger that grows.
struct Ledger {
    ledger: FsLedger,
    writer: Writer,
}

impl Ledger {
    fn in_folder(folder: &Path) -> std::io::Result<Self> {
        let (root, private) = (folder.join("repo"), folder.join("private"));
        std::fs::create_dir_all(root.join(".orchestration"))?;
        let layout = Layout::new(&root, &private, Some(folder.join("state")));
        Ok(Self { ledger: FsLedger::new(layout, Sync::Always), writer: Writer::new() })
    }

    /// How long the next append takes.
    fn append(&mut self) -> Result<Duration, PortError> {
        let entry = self.writer.entry();
        let start = Instant::now();
        block_on(self.ledger.append(&entry))?;
        Ok(start.elapsed())
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
