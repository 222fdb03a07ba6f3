//! The parts of a command that say where, with what and how loudly it runs, apart from what it is: options right behind its name, an
//! environment before it, a folder or packages that it goes to, a shell around it.

pub(super) mod early;
pub(super) mod environment;
pub(super) mod moved;
pub(super) mod packages;
pub(super) mod wrapped;
