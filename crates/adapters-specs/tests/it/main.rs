//! Specs of other tools as intents: what is read, what another import changes, and texts that nobody expects.
#![cfg(test)]

mod again;
mod anything;
mod bounds;
mod kiro;
mod openspec;
mod paths;
mod project;
mod reading;
mod rules;
mod speckit;
mod wording;
