//! What a proxy before another program's pipes stands on: lines within limits, frames that both sides read alike, the
//! program's process, and when to end.
//!
//! Frames are those of JSON-RPC 2.0, one a line. Deliberately absent: any protocol's methods, and what becomes of a frame.
#![warn(missing_docs)]

mod end;
mod frame;
mod legible;
mod lines;
mod output;
mod process;
mod torn;

pub use end::told_to_end;
pub use frame::{
    BYTE_ORDER_MARK, FAILED, Frame, INVALID, Id, NO_METHOD, Odd, PARSE, Says, error, read, twins,
    without_space,
};
pub use legible::legible;
pub use lines::{LONGEST, Line, Lines};
pub use output::{Full, Output, Room};
pub use process::{NotStarted, Started};
pub use torn::Meant;
