//! Whether a call runs: gather, decide, look for a yes, ask, admit or refuse. `look` is the list, the other files are its
//! stages.
//!
//! Deliberately absent: the rules (`bailiwick-policy`), and what became of the call (`recording`).

mod admit;
pub(crate) mod extension;
mod later;
pub(crate) mod look;
mod refuse;
mod request;
