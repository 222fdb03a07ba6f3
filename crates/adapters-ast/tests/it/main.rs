//! Tests of the reader of source: what is proved, what is not, limits, symbols.

mod contract;
mod evolutions;
mod limits;
mod pairs;
mod refactors;
mod symbols;
