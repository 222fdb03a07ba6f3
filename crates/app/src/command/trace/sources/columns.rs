//! How wide each part of a blamed line is.

pub(crate) const INTENT: usize = 12;
pub(crate) const CLASS: usize = 3;
pub(crate) const REQUIREMENT: usize = 12;
pub(crate) const SESSION: usize = 8;
pub(crate) const DAY: usize = 10;
