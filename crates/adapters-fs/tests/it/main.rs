//! One binary for all integration tests of the crate; each module covers one port or file.
#![cfg(test)]

mod acceptance;
mod approvals;
mod authoring;
mod big;
mod config;
mod decisions;
mod foreign;
mod forgery;
mod garbage;
mod golden;
mod governed;
mod grants;
mod health;
mod intents;
mod intents_diagnostics;
mod ledger;
mod ledger_reader;
mod line_index;
mod lock;
mod parts;
mod pauses;
mod pending;
mod place;
mod processes;
mod put_back;
mod records;
mod scaffold;
mod segments;
mod sessions;
mod signatures;
mod tampering;
mod tampering_anywhere;
mod tampering_parts;
mod tampering_segments;
mod workspace;
