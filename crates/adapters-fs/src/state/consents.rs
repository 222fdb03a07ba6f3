//! What a person said: to one request, to calls like it, to a command, to all of them for a while.

pub(crate) mod allowances;
pub(crate) mod approvals;
pub(crate) mod grants;
pub(crate) mod pauses;
pub(crate) mod trusted_tools;
mod versions;
