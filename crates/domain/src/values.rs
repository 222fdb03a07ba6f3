//! Values that everything else is said in: paths, hashes, times, and the one form of a JSON text that is hashed.

mod canonical;
mod hash;
mod path;
mod timestamp;

pub use canonical::{canonical_json, canonical_of};
pub use hash::{ContentHash, FileState, block_hash};
pub use path::{Location, RepoPath, RepoPathError, SEPARATORS, WorkspacePath};
pub use timestamp::{Timestamp, TimestampError};
