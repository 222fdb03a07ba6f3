//! Keeps `.orchestration/intent_map.md` as the ledger has it: at the end of a turn in which intent evolved, when
//! a person asks for it, and when entries are sealed where the team tracks it.
//!
//! Deliberately absent: what stands in it (`evidence::map`).

use std::ops::ControlFlow;

use bailiwick_adapters_fs::{FsIntentMap, FsIntentRepo, FsLedger, FsLedgerReader};
use bailiwick_adapters_git::GitVcs;
use bailiwick_domain::{IntentRepo, LedgerQuery, LedgerReader, PortError, RepoPath, StoredEntry, Sync, Vcs};
use pollster::block_on;

use crate::evidence::IntentMap;
use crate::lessons::is_lesson;
use crate::site::Site;

/// A longer ledger is not read at the end of a turn; `bailiwick map` reads it, in bytes.
const MOST_AT_ONCE: u64 = 64 << 20;

/// What the ledger says of intents, files and symbols. A lesson is no work under an intent.
pub(crate) fn recorded(reader: &FsLedgerReader) -> Result<IntentMap, PortError> {
    let mut map = IntentMap::default();
    let mut take = |stored: StoredEntry| {
        if !is_lesson(&stored.entry) {
            map.take(&stored);
        }
        ControlFlow::Continue(())
    };
    reader.visit(&LedgerQuery::default(), &mut take)?;
    Ok(map)
}

/// Makes the page anew.
pub(crate) fn write(site: &Site) -> Result<IntentMap, PortError> {
    let mut made = IntentMap::default();
    FsIntentMap::new(&site.layout).write(|| {
        let intents = block_on(FsIntentRepo::new(site.layout.clone()).load())?;
        made = recorded(&FsLedgerReader::new(&site.layout))?;
        Ok(made.to_markdown(&intents))
    })?;
    Ok(made)
}

/// Rebuilds the page without anybody asking for it: where git does not see it, so that a turn leaves only the agent's
/// own work in `git status`, and as long as reading the ledger is quick.
pub(crate) fn follow(site: &Site) -> Result<(), PortError> {
    let ledger = FsLedger::new(site.layout.clone(), Sync::default());
    let is_short = ledger.length().is_ok_and(|length| (1..=MOST_AT_ONCE).contains(&length));
    let unseen = site.git.is_none() || FsIntentMap::new(&site.layout).is_expected();
    if is_short && unseen && !is_tracked(site) {
        write(site)?;
    }
    Ok(())
}

/// Whether the team keeps the page in git; what cannot be found out is a yes.
pub(crate) fn is_tracked(site: &Site) -> bool {
    let Some(place) = &site.git else { return false };
    let page = FsIntentMap::new(&site.layout).path();
    let path = page.strip_prefix(site.layout.root()).ok().and_then(|path| RepoPath::new(path.to_str()?).ok());
    let git = GitVcs::new(place.git_dir.clone(), place.common_dir.clone());
    place.git_dir.join("index").exists() && path.is_none_or(|path| block_on(git.tracks(&path)))
}
