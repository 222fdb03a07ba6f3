//! Tests of the reader of source: what is proved, what is not, limits, symbols.

mod acting;
mod branches;
mod comments;
mod contract;
mod evolutions;
mod expansions;
mod files;
mod forms;
mod imports;
mod lifetimes;
mod limits;
mod mutants;
mod pairs;
mod read_names;
mod refactors;
mod renames;
mod spellings;
mod symbols;
mod turns;
