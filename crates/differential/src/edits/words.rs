//! What a client's tools and their parameters are called, and a session as calls in those words.

use std::path::Path;

use bailiwick_domain::{Value, json};

use crate::server::Answer;

/// A call: a tool and its parameters.
pub(super) type Call = (&'static str, Value);

/// Turns of a session, each with its calls.
pub(super) type Turns = Vec<Vec<Call>>;

/// How a model's turns are said.
#[derive(Clone, Copy)]
pub(super) struct Protocol {
    /// What stands behind the address that a client is given.
    pub(super) base: &'static str,
    /// Whether a request with that first line asks for a turn.
    pub(super) is_turn: fn(&str) -> bool,
    /// The turn of that number, with its calls.
    pub(super) calls: fn(usize, &[Call]) -> Answer,
    /// The last turn.
    pub(super) end: fn() -> Answer,
}

/// What its tools are called: a name, and its parameters in the order that each needs.
pub(crate) struct Words {
    pub(super) read: (&'static str, &'static str),
    /// The path, the old text, the new one, and whether every place is meant.
    pub(super) edit: (&'static str, [&'static str; 3], Option<&'static str>),
    pub(super) write: (&'static str, [&'static str; 2]),
}

impl Words {
    pub(super) fn read(&self, file: &Path) -> (&'static str, Value) {
        let (tool, path) = self.read;
        (tool, json!({path: file}))
    }
}
