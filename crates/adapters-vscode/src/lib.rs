//! The person's side of the gate in an editor: the wire between an editor's extension and `bailiwick serve`, when a window
//! counts as attended, which question is put to it, and the approver that asks over the wire.
//!
//! Deliberately absent: the stores (the program behind [`Desk`] shows and writes them), how anything looks in an editor
//! (`extension/`), and any decision about a call.
#![warn(missing_docs)]

mod approver;
mod attention;
mod desk;
mod frame;
mod line;
pub mod protocol;
mod server;
mod wire;

pub use approver::EditorApprover;
pub use attention::Attention;
pub use desk::{Desk, Later, Refusal};
pub use frame::{FrameError, MAX_FRAME, read_frame};
pub use server::{Event, serve};
pub use wire::{Asked, Outbox};
