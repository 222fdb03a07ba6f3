//! What the ledger's entries say about the code of today: where their blocks are now, and which entry wrote a line.
//!
//! Plain functions over texts and hashes, newest evidence first, never guessed as exact. Deliberately absent: reading
//! files, the ledger's form, and printing.

mod alignment;
mod blame;
mod relocate;
mod text;

pub use blame::{Certainty, Owner, blame};
pub use relocate::{Block, Place, relocate, relocate_elsewhere};
pub use text::IndexedText;
