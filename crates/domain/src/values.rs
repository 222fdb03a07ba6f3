//! Values that everything else is said in: paths, hashes, times, the one form of a JSON text that is hashed, which
//! characters show nothing, and how many of something there are.

mod canonical;
mod counted;
mod hash;
mod invisible;
mod path;
mod timestamp;

pub use canonical::{canonical_json, canonical_of};
pub use counted::counted;
pub use hash::{ContentHash, FileState, block_hash};
pub use invisible::is_invisible;
pub use path::{Location, RepoPath, RepoPathError, SEPARATORS, URI_MARK, WorkspacePath};
pub use timestamp::{Timestamp, TimestampError};
