//! Where a ledger came from: copied to another place, begun by somebody else, or going on from the one before.

pub(in crate::ledger) mod arrival;
pub(in crate::ledger) mod beneath;
pub(in crate::ledger) mod continuing;
