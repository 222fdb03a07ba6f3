//! The intents whose work an agent calls done, as long as that still says something.
//!
//! Deliberately absent: whether they are done (`verify`), and closing one.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use bailiwick_adapters_fs::{FsDecisionLog, FsLedgerReader};
use bailiwick_domain::{
    Actor, IntentId, IntentSet, LedgerQuery, LedgerReader, StoredEntry, Timestamp, Value, json,
};

use crate::command::CommandError;
use crate::lessons::is_work;
use crate::site::Site;

/// An agent asks a person to close an intent.
pub(in crate::command) struct Reported {
    pub(in crate::command) intent: IntentId,
    pub(in crate::command) actor: Actor,
    pub(in crate::command) at: Timestamp,
    pub(in crate::command) summary: String,
}

impl Reported {
    pub(in crate::command) fn as_json(&self) -> Value {
        json!({"at": self.at, "session": self.actor.to_string(), "summary": self.summary})
    }
}

/// What was reported of open intents, for the revision that counts. A change that was recorded under the intent after it
/// ends it: the agent went on.
pub(in crate::command) fn reported(site: &Site, intents: &IntentSet) -> Result<Vec<Reported>, CommandError> {
    let mut found: BTreeMap<IntentId, Reported> = BTreeMap::new();
    for record in FsDecisionLog::new(site.layout.clone()).reports()? {
        let (Some(id), Some(done)) = (record.intent, record.done) else { continue };
        let counts =
            intents.get(&id).is_some_and(|now| now.is_selectable() && *now.revision() == done.revision);
        if counts {
            let (actor, at) = (record.actor, record.at);
            found.insert(id.clone(), Reported { intent: id, actor, at, summary: done.summary });
        }
    }
    let Some(oldest) = found.values().map(|one| one.at).min() else { return Ok(Vec::new()) };
    let mut take = |stored: StoredEntry| {
        if stored.entry.timestamp <= oldest {
            return ControlFlow::Break(());
        }
        let intent = &stored.entry.context.intent;
        if is_work(&stored.entry) && found.get(intent).is_some_and(|one| one.at < stored.entry.timestamp) {
            found.remove(intent);
        }
        ControlFlow::Continue(())
    };
    let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
    FsLedgerReader::new(&site.layout).visit(&query, &mut take)?;
    Ok(found.into_values().collect())
}
