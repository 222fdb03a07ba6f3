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
    /// The option without which the command does more than tell.
    only_with: Option<&'static str>,
    allowed: Allowed,
    operands: Operands,
}

const fn query(words: &'static [&'static str], operands: Operands) -> Query {
    with(words, operands, &["json"])
}

const fn with(words: &'static [&'static str], operands: Operands, long: &'static [&'static str]) -> Query {
    let allowed = Allowed { flags: "", valued: "", long, digits: false };
    Query { words, only_with: None, allowed, operands }
}

const fn log_of(words: &'static [&'static str], long: &'static [&'static str]) -> Query {
    let allowed = Allowed { flags: "", valued: "n", long, digits: false };
    Query { words, only_with: None, allowed, operands: Operands::None }
}

const TRACE_LOG: &[&str] =
    &["json", "limit=", "intent=", "requirement=", "session=", "since=", "class=", "claimed"];

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
    query(&["help"], Operands::Text),
    with(&["audit"], Operands::Text, &["json", "trusted", "agent-author=", "sarif"]),
    Query { only_with: Some("--last"), ..with(&["verify"], Operands::Text, &["json", "all", "last"]) },
    log_of(&["trace", "log"], TRACE_LOG),
    query(&["trace", "show"], Operands::Text),
    query(&["trace", "locate"], Operands::Text),
    with(&["trace", "verify"], Operands::None, &["json", "strict", "drift"]),
    query(&["trace", "blame"], Operands::Files),
    query(&["trace", "why"], Operands::Files),
];

/// Whether these words are one of the queries, and tell only.
pub(crate) fn is_query(words: &[&str]) -> bool {
    QUERIES.iter().any(|query| words.starts_with(query.words) && query.only_tells(words))
}

impl Query {
    fn only_tells(&self, words: &[&str]) -> bool {
        self.only_with.is_none_or(|option| words.contains(&option))
    }
}

/// `--help` behind the name of a command, or behind nothing, whatever that command is.
pub(crate) fn asks_for_help(words: &[&str]) -> bool {
    let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    match words {
        [names @ .., "--help" | "-h"] => names.iter().all(|name| is_name(name) && !name.starts_with('-')),
        _ => false,
    }
}

/// Proves a query of the gate by the words behind its name.
pub(crate) fn prove(words: &[&str]) -> Result<Proof, String> {
    if asks_for_help(words) {
        return Ok(Proof::default());
    }
    let found = QUERIES.iter().find_map(|query| Some((words.strip_prefix(query.words)?, query)));
    let (rest, query) = found.ok_or("it is none of Bailiwick's commands that only tell")?;
    if let Some(option) = query.only_with.filter(|_| !query.only_tells(words)) {
        return Err(format!("without {option} `bailiwick {}` does more than tell", query.words.join(" ")));
    }
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
