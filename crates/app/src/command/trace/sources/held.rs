//! The ledger, read once for questions about many files. One with more entries than are held is read again for each.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use bailiwick_domain::{
    ChangedFile, LedgerQuery, LedgerReader, PortError, RepoPath, StoredEntry, Touching, Visit,
};

use crate::command::trace::sources::source::reader;
use crate::command::{CommandError, Context};
use crate::site::Site;

/// So many entries are held at most.
const MOST: usize = 20_000;

/// What one reading came to.
pub(in crate::command::trace) struct Once {
    /// Answers as the ledger does, about entries without their records, the newest first.
    pub(in crate::command::trace) ledger: Box<dyn LedgerReader>,
    /// How many entries there are.
    pub(in crate::command::trace) count: usize,
    /// The files that they are about.
    pub(in crate::command::trace) files: BTreeSet<RepoPath>,
}

/// The entries of a ledger, the newest first.
#[derive(Debug)]
struct Held(Vec<StoredEntry>);

pub(in crate::command::trace) fn once(site: &Site, context: &Context) -> Result<Once, CommandError> {
    let (mut count, mut files, mut held) = (0, BTreeSet::new(), Vec::new());
    let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
    let reader = reader(site, context);
    reader.visit(&query, &mut |stored: StoredEntry| {
        count += 1;
        files.extend(stored.entry.files.iter().map(|file| file.path.clone()));
        if count <= MOST {
            held.push(stored);
        }
        ControlFlow::Continue(())
    })?;
    let ledger: Box<dyn LedgerReader> = if count <= MOST { Box::new(Held(held)) } else { Box::new(reader) };
    Ok(Once { ledger, count, files })
}

impl LedgerReader for Held {
    fn visit(&self, query: &LedgerQuery, visit: &mut Visit<'_>) -> Result<(), PortError> {
        let text = query.touching.as_ref();
        let asked = self.0.iter().filter(|stored| text.is_none_or(|text| may_touch(text, stored)));
        for stored in asked {
            if visit(stored.clone()).is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn may_touch(text: &Touching, stored: &StoredEntry) -> bool {
    let is_name = |path: &RepoPath| text.names().any(|name| name == path);
    let is_own = |file: &ChangedFile| is_name(&file.path) || file.moved_from.as_ref().is_some_and(&is_name);
    stored.entry.files.iter().any(|file| {
        is_own(file)
            || file
                .ranges
                .iter()
                .any(|range| text.may_hold(range.landmarks.lines.as_slice().iter().copied(), false))
    })
}
