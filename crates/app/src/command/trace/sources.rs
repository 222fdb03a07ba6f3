//! What the questions about the ledger start from: its entries and who vouches for them, the file as it is and as it was,
//! and what other programs claim.

pub(in crate::command) mod claims;
pub(super) mod columns;
pub(super) mod contents;
pub(in crate::command) mod contradicted;
pub(super) mod damage;
pub(in crate::command) mod departed;
pub(super) mod filter;
pub(super) mod foreign;
pub(super) mod held;
pub(super) mod source;
pub(super) mod turns;
