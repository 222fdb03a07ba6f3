//! Pages for a browser.
//!
//! Two: the [`report`], a file that is read without a server, and the live [`page`], which a person answers on. Deliberately
//! absent: where their facts come from (the command line gathers them) and any decision.
#![warn(missing_docs)]

pub mod page;
pub mod report;
