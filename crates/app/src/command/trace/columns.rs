//! How wide each part of a blamed line is.

pub(super) const INTENT: usize = 12;
pub(super) const CLASS: usize = 3;
pub(super) const REQUIREMENT: usize = 12;
pub(super) const SESSION: usize = 8;
pub(super) const DAY: usize = 10;
