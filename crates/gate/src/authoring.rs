//! Intents that an agent drafts and more scope that it asks for: measured, asked about, written after a yes.
//!
//! Deliberately absent: the form of the intents file (the port `IntentWriter`).

pub(crate) mod drafting;
mod drafts;
mod expansion;
mod measure;
mod proposal;
