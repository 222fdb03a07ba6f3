//! Questions about lines of code: who wrote them, why, and where they are now.

pub(super) mod blame;
pub(super) mod locate;
pub(super) mod why;
