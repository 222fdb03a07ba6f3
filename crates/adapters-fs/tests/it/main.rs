//! One binary for all integration tests of the crate; each module covers one port or file.

mod intents;
mod intents_diagnostics;
