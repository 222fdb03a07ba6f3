//! What the page shows beside the queue: the intents, and the newest changes of the ledger.
//!
//! Deliberately absent: the words for them, which the report has.

use std::ops::ControlFlow;

use bailiwick_adapters_fs::FsIntentRepo;
use bailiwick_adapters_web::page::{ChangeRow, Reply};
use bailiwick_domain::{IntentRepo as _, LedgerQuery, LedgerReader as _, StoredEntry};
use pollster::block_on;

use crate::command::CommandError;
use crate::command::history::report;
use crate::command::trace::reader_of;
use crate::command::trace::sources::claims::Claims;
use crate::inert;
use crate::site::Site;

/// How many changes are shown at most; `trace log` and `report` show all.
const CHANGES: usize = 200;

/// The intents, in the order of their file.
pub(super) fn intents(site: &Site) -> Result<Reply, CommandError> {
    let intents = block_on(FsIntentRepo::new(site.layout.clone()).load())?;
    Ok(Reply::Intents { intents: intents.iter().map(|intent| report::described(intent, 0, 0)).collect() })
}

/// The newest changes of files whose path holds this text, under this intent where one is named.
pub(super) fn changes(site: &Site, path: &str, intent: &str) -> Result<Reply, CommandError> {
    let (mut rows, mut has_more) = (Vec::new(), false);
    let mut take = |stored: StoredEntry| {
        if intent.is_empty() || stored.entry.context.intent.as_str() == intent {
            for file in report::shown(&stored) {
                let shown = inert::line(file.path.as_str());
                if !shown.contains(path) {
                    continue;
                }
                has_more = rows.len() >= CHANGES;
                if !has_more {
                    rows.push(ChangeRow { path: shown, change: report::change(&stored, file) });
                }
            }
        }
        if has_more { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let reader = Claims::default().reader(reader_of(site));
    reader.visit(&LedgerQuery::default(), &mut take)?;
    Ok(Reply::Changes { changes: rows, has_more })
}
