//! What an append costs beside one synced write of the same bytes, in turns, so that both meet the same disk.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use bailiwick_adapters_fs::{FsLedger, Layout};
use bailiwick_domain::{Ledger as _, Sync};
use pollster::block_on;

use crate::Outcome;
use crate::history::Writer;

/// The median over rounds of one append by the median of one synced write, and that one in microseconds: where a write
/// is synced in the time of a few thousand instructions, as on a virtual disk that does not wait, they are what is measured.
pub(crate) fn measure(folder: &Path, rounds: usize) -> Outcome {
    let (root, private) = (folder.join("repo"), folder.join("private"));
    std::fs::create_dir_all(root.join(".orchestration"))?;
    let layout = Layout::new(&root, &private, Some(folder.join("state")));
    let ledger = FsLedger::new(layout, Sync::Always);
    let mut writer = Writer::new();
    block_on(ledger.append(&writer.entry()))?;
    let line = std::fs::read(ledger.live_file())?;
    let plain = folder.join("plain");
    let (mut appended, mut written) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let entry = writer.entry();
        let start = Instant::now();
        block_on(ledger.append(&entry))?;
        appended.push(start.elapsed());
        let start = Instant::now();
        let mut file = OpenOptions::new().append(true).create(true).open(&plain)?;
        file.write_all(&line)?;
        file.sync_data()?;
        written.push(start.elapsed());
    }
    let floor = median(written);
    let ratio = median(appended).as_secs_f64() / floor.as_secs_f64();
    Ok(format!("{ratio:.4} {}", floor.as_micros()))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
