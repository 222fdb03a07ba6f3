//! What a person reads: data in, lines out. Requests and diffs, what deserves the first look, secrets taken out, text of
//! others made harmless.
//!
//! Deliberately absent: screens and colours, and any decision.

/// How many of something, in words.
pub mod counted {
    pub use bailiwick_domain::counted;
}
pub mod inert;
pub mod reading;
pub mod redact;
pub(crate) mod request;
pub mod review;
mod unified;

pub use unified::unified_diff;
