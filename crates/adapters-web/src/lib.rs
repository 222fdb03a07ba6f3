//! Pages for a browser.
//!
//! So far one: the [`report`], a file that is read without a server. Deliberately absent: where its facts come from (the
//! command line gathers them) and any decision.
#![warn(missing_docs)]

pub mod report;
