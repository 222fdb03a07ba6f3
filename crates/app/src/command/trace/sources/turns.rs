//! What the decision log says of whole turns, for showing it beside the entries of their calls.

use bailiwick_adapters_fs::FsDecisionLog;
use bailiwick_domain::{DecisionRecord, TraceEntry, TurnMeaning, Value, json};

use crate::command::CommandError;
use crate::site::Site;

/// The turns that ended since some moment, each as it was told last.
#[derive(Debug)]
pub(crate) struct Turns(Vec<DecisionRecord>);

impl Turns {
    /// Those that may hold one of these entries.
    pub(crate) fn of<'e>(
        entries: impl Iterator<Item = &'e TraceEntry>,
        site: &Site,
    ) -> Result<Self, CommandError> {
        let Some(since) = entries.map(|entry| entry.timestamp).min() else { return Ok(Self(Vec::new())) };
        Ok(Self(FsDecisionLog::new(site.layout.clone()).turns(since)?))
    }

    /// What is known of one entry's turn.
    pub(crate) fn line_of(&self, entry: &TraceEntry) -> Option<String> {
        self.of_entry(entry).map(TurnMeaning::in_a_line)
    }

    /// What is known of the turn that an entry is the last of.
    pub(crate) fn line_after(&self, entry: &TraceEntry) -> Option<String> {
        self.of_entry(entry).filter(|turn| turn.entries.last() == Some(&entry.id)).map(TurnMeaning::in_a_line)
    }

    /// The turns of these entries, each once.
    pub(crate) fn as_json<'e>(&self, entries: impl Iterator<Item = &'e TraceEntry>) -> Value {
        let mut found: Vec<&TurnMeaning> = Vec::new();
        for turn in entries.filter_map(|entry| self.of_entry(entry)) {
            if !found.iter().any(|known| std::ptr::eq(*known, turn)) {
                found.push(turn);
            }
        }
        json!(found)
    }

    fn of_entry(&self, entry: &TraceEntry) -> Option<&TurnMeaning> {
        let mut turns = self.0.iter().filter_map(|record| record.turn.as_deref());
        turns.find(|turn| turn.entries.contains(&entry.id))
    }
}
