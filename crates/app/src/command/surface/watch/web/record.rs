//! What the page shows beside the queue: the intents, and the changes of the ledger, a page at a time.
//!
//! Deliberately absent: the words for them, which the report has.

use std::ops::ControlFlow;

use bailiwick_adapters_fs::FsIntentRepo;
use bailiwick_adapters_web::page::{ChangeRow, Place, Reply};
use bailiwick_domain::{IntentRepo as _, LedgerQuery, LedgerReader as _, StoredEntry};
use pollster::block_on;

use crate::command::CommandError;
use crate::command::history::report;
use crate::command::trace::reader_of;
use crate::command::trace::sources::claims::Claims;
use crate::inert;
use crate::site::Site;

/// How many changes a page has; the last entry of it is shown whole.
const CHANGES: usize = 200;

/// The intents, in the order of their file.
pub(super) fn intents(site: &Site) -> Result<Reply, CommandError> {
    let intents = block_on(FsIntentRepo::new(site.layout.clone()).load())?;
    Ok(Reply::Intents { intents: intents.iter().map(|intent| report::described(intent, 0, 0)).collect() })
}

/// The newest changes of files whose path holds this text, under this intent where one is named, behind a place where one
/// is.
pub(super) fn changes(
    site: &Site,
    path: &str,
    intent: &str,
    behind: Option<&Place>,
) -> Result<Reply, CommandError> {
    let claims = Claims::default();
    let reader = || claims.reader(reader_of(site));
    let known = match behind {
        Some(place) => reader().behind(&place.entry, place.seq)?,
        None => None,
    };
    // What is no entry of this clone's own ledger is searched for.
    let mut is_behind = behind.is_none() || known.is_some();
    let mut page = Page::default();
    let mut take = |stored: StoredEntry| {
        if is_behind {
            return page.take(&stored, path, intent);
        }
        is_behind = behind.is_some_and(|place| place.entry == stored.entry.id);
        ControlFlow::Continue(())
    };
    known.unwrap_or_else(reader).visit(&LedgerQuery::default(), &mut take)?;
    Ok(Reply::Changes { changes: page.rows, next: page.last.filter(|_| page.has_more) })
}

/// What was found so far.
#[derive(Default)]
struct Page {
    rows: Vec<ChangeRow>,
    last: Option<Place>,
    has_more: bool,
}

impl Page {
    fn take(&mut self, stored: &StoredEntry, path: &str, intent: &str) -> ControlFlow<()> {
        if !intent.is_empty() && stored.entry.context.intent.as_str() != intent {
            return ControlFlow::Continue(());
        }
        let files = report::shown(stored);
        let named = files.map(|file| (inert::line(file.path.as_str()), file));
        let wanted: Vec<_> = named.filter(|(shown, _)| shown.contains(path)).collect();
        if wanted.is_empty() {
            return ControlFlow::Continue(());
        }
        if self.rows.len() >= CHANGES {
            self.has_more = true;
            return ControlFlow::Break(());
        }
        let row = |(path, file)| ChangeRow { path, change: report::change(stored, file) };
        self.rows.extend(wanted.into_iter().map(row));
        self.last = Some(Place { entry: stored.entry.id.clone(), seq: stored.seq });
        ControlFlow::Continue(())
    }
}
