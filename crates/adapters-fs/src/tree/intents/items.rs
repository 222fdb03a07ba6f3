//! Items of an intent's lists: scope patterns, constraints and acceptance criteria. A plain text is always enough;
//! maps say more. A limit that the gate cannot enforce is an error, never a promise.

use bailiwick_domain::{Constraint, Criterion, IntentRule, ScopeError, ScopePattern, Strength};

use crate::files::yaml::{Entry, Findings, Mark, Node, Value, shortened};

/// Whether a value is a text of blanks, or a list of nothing but such.
pub(crate) fn is_blank(node: &Node) -> bool {
    match &node.value {
        Value::Scalar(scalar) => scalar.text.trim().is_empty(),
        Value::List(items) => {
            items.iter().all(|item| matches!(&item.value, Value::Scalar(_)) && is_blank(item))
        }
        Value::Map(_) => false,
    }
}

/// One scope pattern; blanks are left out with a warning.
pub(crate) fn pattern(at: Mark, text: &str, found: &mut Findings) -> Option<ScopePattern> {
    if text.trim().is_empty() {
        found.warn(at, "an empty scope pattern is ignored", "take it out");
        return None;
    }
    let bad = |found: &mut Findings, message: String, fix: &str| {
        found.error_of(IntentRule::BadPattern, at, message, fix);
    };
    let pattern = settled(text).map_err(|error| bad(found, error.to_string(), "")).ok()?;
    if let Some(fault) = glob_fault(pattern.glob()) {
        let message = format!("scope pattern `{}` {fault}", shortened(text));
        bad(found, message, "close it, or write `\\` before it");
        return None;
    }
    Some(pattern)
}

/// The pattern in a form that checking again leaves alone, so that reading it back from a cache changes nothing.
fn settled(text: &str) -> Result<ScopePattern, ScopeError> {
    let mut pattern = ScopePattern::new(text)?;
    loop {
        let again = ScopePattern::new(pattern.as_str())?;
        if again == pattern {
            return Ok(pattern);
        }
        pattern = again;
    }
}

/// What keeps a text from being a glob.
fn glob_fault(glob: &str) -> Option<&'static str> {
    let mut braces = 0_usize;
    let mut chars = glob.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => drop(chars.next()?),
            '[' => {
                let mut class = chars.by_ref().skip_while(|c| matches!(c, '!' | '^')).skip(1);
                if !class.any(|c| c == ']') {
                    return Some("has a `[` that is not closed");
                }
            }
            '{' => braces += 1,
            '}' if braces == 0 => return Some("has a `}` without a `{`"),
            '}' => braces -= 1,
            _ => {}
        }
    }
    (braces > 0).then_some("has a `{` that is not closed")
}

pub(super) const CONSTRAINT_KEYS: &[&str] =
    &["text", "because", "check", "forbid_paths", "forbid_tools", "max_files", "max_lines"];

/// The largest bounds; a larger one bounds nothing.
pub(super) const MOST_FILES: u64 = 10_000;
pub(super) const MOST_LINES: u64 = 10_000_000;

/// The constraints of an intent.
pub(crate) fn constraints(node: &Node, found: &mut Findings) -> Vec<Constraint> {
    let items = found.list(node, "constraints", "a list of strings").unwrap_or_default();
    items.iter().flat_map(|item| constraint(item, found)).collect()
}

fn constraint(node: &Node, found: &mut Findings) -> Vec<Constraint> {
    let Value::Map(entries) = &node.value else {
        return found.filled_text(node, "constraints").map(Constraint::Text).into_iter().collect();
    };
    let mut constraints = Vec::new();
    let (mut text, mut because) = (None, None);
    for entry in entries {
        match entry.key.as_str() {
            "text" => text = found.filled_text(&entry.node, "text"),
            "because" => because = found.filled_text(&entry.node, "because"),
            "check" => check(&entry.node, found),
            "forbid_paths" => {
                let texts = found.texts(&entry.node, "forbid_paths");
                let patterns =
                    texts.iter().filter_map(|(at, text)| forbidden_path(*at, text, found)).collect();
                constraints.push(Constraint::ForbidPaths(patterns));
            }
            "forbid_tools" => {
                let tools =
                    found.texts(&entry.node, "forbid_tools").into_iter().map(|(_, tool)| tool).collect();
                constraints.push(Constraint::ForbidTools(tools));
            }
            "max_files" => constraints
                .extend(bound(&entry.node, "max_files", MOST_FILES, found).map(Constraint::MaxFiles)),
            "max_lines" => constraints
                .extend(bound(&entry.node, "max_lines", MOST_LINES, found).map(Constraint::MaxLines)),
            key if key.starts_with("max_") => unenforced(entry, found),
            _ => found.unknown_key(entry, "a constraint", CONSTRAINT_KEYS),
        }
    }
    if let Some(text) = text {
        constraints.push(Constraint::Text(with_reason(text, because)));
    } else if entries.iter().any(|entry| matches!(entry.key.as_str(), "because" | "check")) {
        found.error(node.at, "a constraint has no `text`", "add `text:`");
    }
    constraints
}

/// A path constraint forbids; an exclusion in it would allow again, which no constraint does.
fn forbidden_path(at: Mark, text: &str, found: &mut Findings) -> Option<ScopePattern> {
    let pattern = pattern(at, text, found)?;
    if pattern.is_exclusion() {
        found.error(at, "`forbid_paths` cannot exclude a path with `!`", "write narrower patterns");
        return None;
    }
    Some(pattern)
}

fn bound(node: &Node, key: &str, most: u64, found: &mut Findings) -> Option<u32> {
    found.whole(node, key, (1, most)).and_then(|number| u32::try_from(number).ok())
}

fn unenforced(entry: &Entry, found: &mut Findings) {
    let message = format!("`{}` is no limit that the gate can enforce", shortened(&entry.key));
    found.error(entry.at, message, "`max_files` and `max_lines` are enforced; write others as a `text:` constraint, which the agent sees");
}

fn with_reason(text: String, because: Option<String>) -> String {
    match because {
        Some(reason) => format!("{text} (because: {reason})"),
        None => text,
    }
}

pub(super) const REQUIREMENT_KEYS: &[&str] = &["id", "text", "strength", "source", "vanished"];

/// A requirement: its id, or a map of its id and what it says.
pub(super) fn requirement(node: &Node, found: &mut Findings) -> Option<String> {
    let Value::Map(entries) = &node.value else { return found.filled_text(node, "requirements") };
    let mut id = None;
    for entry in entries {
        match entry.key.as_str() {
            "id" => id = found.filled_text(&entry.node, "id"),
            "text" | "source" => drop(found.filled_text(&entry.node, &entry.key)),
            "strength" => drop(found.word(&entry.node, "strength", Strength::WORDS)),
            "vanished" => drop(found.flag(&entry.node, "vanished")),
            _ => found.unknown_key(entry, "a requirement", REQUIREMENT_KEYS),
        }
    }
    if !entries.iter().any(|entry| entry.key == "id") {
        found.error(node.at, "a requirement has no `id`", "add `id:`");
    }
    id
}

pub(super) const CRITERION_KEYS: &[&str] = &["id", "text", "check", "status"];
pub(super) const CHECK_KEYS: &[&str] = &["run", "file", "human"];

/// The acceptance criteria of an intent.
pub(crate) fn criteria(node: &Node, found: &mut Findings) -> Vec<Criterion> {
    let items = found.list(node, "acceptance_criteria", "a list of strings").unwrap_or_default();
    items.iter().filter_map(|item| criterion(item, found)).collect()
}

fn criterion(node: &Node, found: &mut Findings) -> Option<Criterion> {
    let Value::Map(entries) = &node.value else {
        return found.filled_text(node, "acceptance_criteria").map(Criterion);
    };
    let (mut id, mut text) = (None, None);
    for entry in entries {
        match entry.key.as_str() {
            "id" => id = found.filled_text(&entry.node, "id"),
            "text" => text = found.filled_text(&entry.node, "text"),
            "check" => check(&entry.node, found),
            "status" => drop(found.text(&entry.node, "status")),
            _ => found.unknown_key(entry, "an acceptance criterion", CRITERION_KEYS),
        }
    }
    if !entries.iter().any(|entry| entry.key == "text") {
        found.error(node.at, "an acceptance criterion has no `text`", "add `text:`");
    }
    let text = text?;
    Some(Criterion(id.map_or(text.clone(), |id| format!("{id}: {text}"))))
}

/// `check: human`, or a map of `run`, `file`, `human`. Checks are run by `bailiwick verify` only.
fn check(node: &Node, found: &mut Findings) {
    match &node.value {
        Value::Scalar(_) => drop(found.word(node, "check", &[("human", ())])),
        Value::List(_) => found.wrong_type(node, "check", "`human` or a map with `run` or `file`"),
        Value::Map(entries) => {
            for entry in entries {
                match entry.key.as_str() {
                    "run" | "file" | "human" => drop(found.filled_text(&entry.node, &entry.key)),
                    _ => found.unknown_key(entry, "`check`", CHECK_KEYS),
                }
            }
        }
    }
}
