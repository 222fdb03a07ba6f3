//! The gate's own commands that only tell: `bailiwick status`. They read what the gate keeps of this repository, and some ask
//! git.
//!
//! Left out are those that only a person runs, those that never end, and every option that leads to another repository or
//! names a file.

use super::options::{Allowed, Proof, parse};

/// What may stand besides the options of a query.
#[derive(Clone, Copy, Debug)]
enum Operands {
    None,
    /// Ids.
    Text,
    /// Files, each with the lines that are asked about behind a colon, or without.
    Files,
}

/// One query; each has `--json`, too.
struct Query {
    words: &'static [&'static str],
    allowed: Allowed,
    operands: Operands,
}

const fn query(words: &'static [&'static str], operands: Operands) -> Query {
    Query { words, allowed: Allowed { flags: "", valued: "", long: &["json"], digits: false }, operands }
}

const fn log_of(words: &'static [&'static str], long: &'static [&'static str]) -> Query {
    Query {
        words,
        allowed: Allowed { flags: "", valued: "n", long, digits: false },
        operands: Operands::None,
    }
}

const QUERIES: &[Query] = &[
    query(&["status"], Operands::None),
    log_of(&["log"], &["json", "blocked", "session=", "probes", "limit="]),
    query(&["tools"], Operands::None),
    query(&["intent", "list"], Operands::None),
    query(&["intent", "show"], Operands::Text),
    query(&["intent", "check"], Operands::None),
    query(&["config", "show"], Operands::None),
    query(&["config", "check"], Operands::None),
    query(&["lesson", "list"], Operands::None),
    log_of(&["trace", "log"], &["json", "limit="]),
    query(&["trace", "blame"], Operands::Files),
    query(&["trace", "why"], Operands::Files),
];

/// Whether these words are one of the queries, whatever options they have.
pub(crate) fn begins(words: &[&str]) -> bool {
    QUERIES.iter().any(|query| words.starts_with(query.words))
}

/// Proves a query of the gate by the words behind its name.
pub(crate) fn prove(words: &[&str]) -> Result<Proof, String> {
    let found = QUERIES.iter().find_map(|query| Some((words.strip_prefix(query.words)?, query)));
    let (rest, query) = found.ok_or("it is none of the gate's own commands that only tell")?;
    let parsed = parse(&query.allowed, rest)?;
    match query.operands {
        Operands::None if parsed.operands.is_empty() => Ok(Proof::default()),
        Operands::None => Err(format!("`bailiwick {}` takes no operand", query.words.join(" "))),
        Operands::Text => Ok(Proof::default()),
        Operands::Files => Proof::reading(parsed.operands.iter().flat_map(|operand| files_of(operand))),
    }
}

/// The file that an operand names: with what stands behind its last colon, and without.
fn files_of(operand: &str) -> impl Iterator<Item = &str> {
    std::iter::once(operand).chain(operand.rsplit_once(':').map(|(file, _)| file))
}
