//! The gate's own commands that only tell: `bailiwick status`. They read what the gate keeps of this repository, which no
//! path of the line names.
//!
//! Left out are those that only a person runs, those that never end, and every option that leads to another repository or
//! names a file.

use super::options::{Allowed, Proof, parse};

/// The options of one command; each has `--json`, too.
const fn query(
    words: &'static [&'static str],
    valued: &'static str,
    long: &'static [&'static str],
) -> (&'static [&'static str], Allowed) {
    (words, Allowed { flags: "", valued, long, digits: false })
}

const QUERIES: &[(&[&str], Allowed)] = &[
    query(&["status"], "", &["json"]),
    query(&["log"], "n", &["json", "blocked", "session=", "probes", "limit="]),
    query(&["tools"], "", &["json"]),
    query(&["intent", "list"], "", &["json"]),
    query(&["intent", "show"], "", &["json"]),
    query(&["intent", "check"], "", &["json"]),
    query(&["config", "show"], "", &["json"]),
    query(&["config", "check"], "", &["json"]),
    query(&["lesson", "list"], "", &["json"]),
    query(&["trace", "log"], "n", &["json", "limit="]),
    query(&["trace", "show"], "", &["json"]),
    query(&["trace", "blame"], "", &["json"]),
    query(&["trace", "why"], "", &["json"]),
];

/// Whether these words are one of the queries, whatever options they have.
pub(crate) fn begins(words: &[&str]) -> bool {
    QUERIES.iter().any(|(start, _)| words.starts_with(start))
}

/// Proves a query of the gate by the words behind its name.
pub(crate) fn prove(words: &[&str]) -> Result<Proof, String> {
    let found = QUERIES.iter().find_map(|(start, allowed)| Some((words.strip_prefix(*start)?, allowed)));
    let (rest, allowed) = found.ok_or("it is none of the gate's own commands that only tell")?;
    parse(allowed, rest)?;
    Ok(Proof::default())
}
