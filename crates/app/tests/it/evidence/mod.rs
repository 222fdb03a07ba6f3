//! What the ledger says about the code of today, without a ledger: blocks and texts.

mod account;
mod blame;
mod drift;
mod relocation;
