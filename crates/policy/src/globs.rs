//! Patterns of paths: what one means, what a scope owns, what a rule forbids, and whether one lies within another.

pub(crate) mod glob;
pub mod ignore_match;
pub mod scope_match;
pub mod shell_pattern;
pub(crate) mod wildcard;
pub mod within;
