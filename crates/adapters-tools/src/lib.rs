//! What the server's own tools do beside writing files: list a folder, search in files, run a command.
//!
//! It is called when a call was judged and let through. What is deliberately absent: any decision, the protocol, writing
//! files (`adapters-fs`), and reading them: whoever calls brings a confined [`Source`].
#![warn(missing_docs)]

mod command;
mod ignored;
mod search;
mod walk;

pub use command::{End, Order, Ran, run};
pub use ignored::Tree;
pub use search::{Found, Hit, SearchError, Source, Wanted, search};
pub use walk::{Listing, WalkError, list};
