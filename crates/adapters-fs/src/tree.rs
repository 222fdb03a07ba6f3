//! The governed tree: its files, and what a person wrote into it for the gate, which are intents, settings and rules.
//!
//! Deliberately absent: what the gate itself remembers (`state`) and proves (`ledger`).

mod config;
mod documents;
mod intents;
mod line_index;
mod map_file;
mod meter;
mod past;
mod policy_source;
mod scaffold;
mod workspace;

pub use config::{ConfigReport, config_with, config_word, settings_of};
pub use documents::{FsDocuments, NotRead};
pub use intents::{FsIntentRepo, IntentReport, intents_of, intents_schema};
pub use line_index::FsLineIndex;
pub use map_file::FsIntentMap;
pub use meter::FsScopeMeter;
pub use past::{FsPastCache, KeptCommit, KeptPast};
pub use policy_source::FsPolicySource;
pub use scaffold::{
    AppendError, FsIntentWriter, Imported, NewIntent, Scaffold, accepted_scope, added_scope_text,
    append_intent, format_intents, imported, intent_records, is_formatted, proposal_text, read_added_scope,
    read_proposal, scaffold_ignored, spell_canonically, write_imported,
};
pub use workspace::{FsWorkspace, FsWorkspaceWriter, is_too_long, normalise};
