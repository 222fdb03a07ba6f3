//! What every server on this machine's own address has: connections with limits, the one name that it is reached by, and
//! secrets.
//!
//! Deliberately absent: what is served, and to whom.
#![warn(missing_docs)]

mod body;
mod guard;
mod listen;
mod places;
mod secret;

pub use body::{Unread, whole};
pub use guard::{Refused, one, sent_here};
pub use listen::{Limits, bind, serve};
pub use secret::Secret;
