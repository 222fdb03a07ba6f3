//! What a person answers with one command: requests, grants and reviews, commands that are trusted, a pause.
//!
//! Deliberately absent: the screens that put the same questions (`surface`).

pub(super) mod allow;
pub(super) mod approval;
pub(super) mod asked;
pub(super) mod breadth;
pub(super) mod checks;
pub(super) mod draft;
pub(super) mod past;
pub(super) mod pause;
pub(super) mod uncounted;
pub(super) mod void;
