//! Integration tests of the policy crate, one binary.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests stop at the first surprise, as tests do"
)]

mod acceptance;
mod coverage;
mod edits;
mod examples;
mod executable;
mod handshake;
mod ignore;
mod lessons;
mod lint;
mod oracle;
mod parameters;
mod patch;
mod preview;
mod properties;
mod protection;
mod refusals;
mod registry;
mod scope;
mod secrets;
mod shown;
mod suggest;
mod support;
mod targets;
mod verdicts;
mod verified;
mod within;
