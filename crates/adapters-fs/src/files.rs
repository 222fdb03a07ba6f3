//! What every store stands on: how a file is named, read, replaced, locked, appended to and freed, and what is known of
//! it from the last time.
//!
//! Deliberately absent: what stands in the files; that is `state`, `ledger` and `tree`.

pub(crate) mod atomic;
pub(crate) mod cache;
pub(crate) mod freeing;
pub(crate) mod identity;
pub(crate) mod jsonl;
pub(crate) mod layout;
pub(crate) mod lock;
pub(crate) mod mode;
pub(crate) mod system;
pub(crate) mod yaml;

pub use atomic::{Durability, read_file, replace};
pub use freeing::{Doing, Freed};
pub use layout::Layout;
pub use lock::{FsWorkspaceLock, end_lock_waits_at};
pub use system::{RandomIds, SystemClock};
