//! What the ledger's entries say about the code of today: where their blocks are now, which entry wrote a line, and
//! which intent changed which file.
//!
//! Plain functions over texts and hashes, newest evidence first, never guessed as exact. Deliberately absent: reading
//! files, the ledger's form, and printing.

mod account;
mod alignment;
mod blame;
mod block;
mod drift;
mod history;
mod lineage;
mod map;
mod proof;
mod rebuilt;
mod relocate;
mod text;

pub use account::{Account, of_lines, parts, way};
pub use blame::{Certainty, Owner, blame};
pub use block::Block;
pub use drift::{Explanation, Knowledge, LastEntry, Versioned, unexplained_lines};
pub use history::{Claim, Written, moved_here, names_of, traced, written};
pub use lineage::{Came, Committed, Contents, How, Moved, lineage, stayed};
pub use map::{IntentMap, MapChange, MapRow};
pub use proof::Proof;
pub use relocate::{Place, relocate, relocate_elsewhere};
pub use text::IndexedText;
