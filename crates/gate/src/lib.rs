//! The application ring: everything between a host's event and the ports of the domain.
//!
//! [`gate`] is the way of a call; [`evidence`] answers who wrote a line; [`restore`] takes changes back; [`review`] and
//! [`redact`] make text that a person reads. Deliberately absent: files, the environment, processes, terminals (adapters
//! and the `bailiwick` crate), and rules (`bailiwick-policy`).
#![warn(missing_docs)]

mod change;
pub mod counted;
pub mod evidence;
pub mod gate;
pub mod inert;
pub mod redact;
pub mod restore;
pub mod review;
pub mod shares;
