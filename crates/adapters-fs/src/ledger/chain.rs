//! This clone's own chain on the disk: its files, how it grows, what the next entry has to say of it, its view in the
//! working copy, and the chains that a person ended.

pub(in crate::ledger) mod append;
pub(in crate::ledger) mod ended;
pub(in crate::ledger) mod next;
pub(in crate::ledger) mod parts;
pub(in crate::ledger) mod place;
pub(in crate::ledger) mod rotate;
pub(in crate::ledger) mod view;
