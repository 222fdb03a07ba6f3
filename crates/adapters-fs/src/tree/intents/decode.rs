//! From a tree to intents: the file as a whole, ids, parents. The fields of one intent are read in `fields`.

use std::collections::HashMap;

use bailiwick_domain::{
    AncestorScope, Constraint, Diagnostic, Intent, IntentDraft, IntentId, IntentRule, IntentSet,
    WrittenIntent,
};

use super::fields::{self, Draft};
use super::written;
use crate::files::Layout;
use crate::files::yaml::{self, Findings, Mark, Node, Value};

/// What `bailiwick intent check` shows: all that could be read, and all that is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntentReport {
    /// The intents that are sound by themselves; the gate uses none of them while there are errors.
    pub set: IntentSet,
    /// Things to tidy up: lenient spellings, missing requirements, blank scope patterns.
    pub warnings: Vec<Diagnostic>,
    /// Why the file is not valid.
    pub errors: Vec<Diagnostic>,
    /// The rule of each error.
    pub error_rules: Vec<IntentRule>,
    /// The rule of each warning.
    pub warning_rules: Vec<IntentRule>,
    /// The intents as they are written; only where they were asked for.
    pub written: Vec<WrittenIntent>,
}

/// Reads the intents file's bytes.
pub(crate) fn decode(bytes: &[u8]) -> IntentReport {
    read(bytes, false)
}

/// The same, with the intents as they are written.
pub(crate) fn decode_written(bytes: &[u8]) -> IntentReport {
    read(bytes, true)
}

fn read(bytes: &[u8], as_written: bool) -> IntentReport {
    let mut written = Vec::new();
    let mut found = Findings::new(Layout::INTENTS);
    let drafts = match yaml::read(Layout::INTENTS, bytes) {
        Err(error) => {
            found.unreadable(*error);
            Vec::new()
        }
        Ok(None) => {
            found.error(Mark { line: 1, column: 1 }, "the file is empty", "write `active_intents: []`");
            Vec::new()
        }
        Ok(Some(root)) => {
            let list = list_of(&root, &mut found);
            if as_written {
                written = list.iter().filter_map(written::read).collect();
            }
            list.iter().filter_map(|node| fields::read(node, &mut found)).collect()
        }
    };
    let drafts = without_duplicates(drafts, &mut found);
    check_parents(&drafts, &mut found);
    let set = IntentSet::new(with_inherited(drafts, &mut found));
    let (errors, warnings, error_rules, warning_rules) = found.into_parts();
    IntentReport { set, warnings, errors, error_rules, warning_rules, written }
}

const ROOTS: &[&str] = &["active_intents"];

fn list_of<'n>(root: &'n Node, found: &mut Findings) -> &'n [Node] {
    let entries = match &root.value {
        Value::List(items) => {
            found.warn(root.at, "the file is a bare list", "put it under `active_intents:`");
            return items;
        }
        Value::Map(entries) => entries,
        Value::Scalar(_) => {
            found.wrong_type(root, "active_intents", "a map with the key `active_intents`");
            return &[];
        }
    };
    let mut list: Option<&[Node]> = None;
    for entry in entries {
        match entry.key.as_str() {
            "intents" if list.is_none() => {
                found.warn(
                    entry.at,
                    "`intents` is read as `active_intents`",
                    "rename it to `active_intents`",
                );
                list = Some(found.list(&entry.node, "intents", "a list of intents").unwrap_or_default());
            }
            "active_intents" if list.is_none() => {
                list =
                    Some(found.list(&entry.node, "active_intents", "a list of intents").unwrap_or_default());
            }
            "intents" | "active_intents" => {
                found.error(entry.at, "there are two lists of intents", "keep `active_intents` only");
            }
            _ => found.unknown_key(entry, "the file", ROOTS),
        }
    }
    if list.is_none() && found.errors.is_empty() {
        let (message, fix) = ("the key `active_intents` is missing", "write `active_intents: []`");
        found.error_of(IntentRule::MissingKey, root.at, message, fix);
    }
    list.unwrap_or_default()
}

fn without_duplicates(drafts: Vec<Draft>, found: &mut Findings) -> Vec<Draft> {
    let mut first: HashMap<IntentId, Mark> = HashMap::new();
    let mut kept = Vec::with_capacity(drafts.len());
    for draft in drafts {
        match first.get(&draft.intent.id) {
            Some(earlier) => {
                let message = format!(
                    "the id `{}` on line {} is taken on line {}",
                    draft.intent.id, draft.id_at.line, earlier.line
                );
                found.error_of(IntentRule::DuplicateId, draft.id_at, message, "give each intent its own id");
            }
            None => {
                first.insert(draft.intent.id.clone(), draft.id_at);
                kept.push(draft);
            }
        }
    }
    kept
}

fn check_parents(drafts: &[Draft], found: &mut Findings) {
    let by_id: HashMap<&IntentId, &Draft> = drafts.iter().map(|draft| (&draft.intent.id, draft)).collect();
    for draft in drafts {
        let Some((at, parent)) = draft.parent_at.zip(draft.intent.parent.as_ref()) else { continue };
        if !by_id.contains_key(parent) {
            let ids: Vec<&str> = near_ids(drafts, draft, parent);
            let fix = if ids.is_empty() {
                "add that intent, or take `parent` out".to_owned()
            } else {
                format!("did you mean `{}`?", ids.join("` or `"))
            };
            found.error_of(
                IntentRule::UnknownParent,
                at,
                format!("the parent `{parent}` is not in the file"),
                fix,
            );
        } else if ancestors(draft, &by_id).any(|ancestor| ancestor.intent.id == draft.intent.id) {
            let message = format!("intent `{}` is its own ancestor through `{parent}`", draft.intent.id);
            found.error_of(IntentRule::ParentCycle, at, message, "remove one of the parents");
        } else if ancestors(draft, &by_id).count() == MAX_ANCESTORS {
            let message = format!("the chain of parents of `{}` does not end", draft.intent.id);
            let fix = format!("keep it shorter than {MAX_ANCESTORS}");
            found.error_of(IntentRule::ParentCycle, at, message, fix);
        }
    }
}

/// Ids of others that are spelled almost so.
fn near_ids<'d>(drafts: &'d [Draft], own: &Draft, id: &IntentId) -> Vec<&'d str> {
    let near = |candidate: &&str| {
        *candidate != own.intent.id.as_str() && strsim::damerau_levenshtein(candidate, id.as_str()) == 1
    };
    drafts.iter().map(|draft| draft.intent.id.as_str()).filter(near).take(2).collect()
}

/// Ancestors, nearest first; ends where the chain ends, breaks or is longer than any acyclic one.
fn ancestors<'d>(draft: &'d Draft, by_id: &HashMap<&IntentId, &'d Draft>) -> impl Iterator<Item = &'d Draft> {
    let next = |draft: &&'d Draft| draft.intent.parent.as_ref().and_then(|id| by_id.get(id).copied());
    std::iter::successors(next(&draft), next).take(MAX_ANCESTORS)
}

/// How long a chain of parents may be.
const MAX_ANCESTORS: usize = 64;

/// What the requirements of an intent say: in itself, or in the nearest ancestor that says it.
fn inherited_wording(draft: &Draft, by_id: &HashMap<&IntentId, &Draft>) -> Vec<String> {
    let is_of = |said: &&String, id: &str| said.strip_prefix(id).is_some_and(|rest| rest.starts_with(": "));
    let of = |id: &String| {
        let mut own = std::iter::once(draft).chain(ancestors(draft, by_id));
        own.find_map(|holder| holder.intent.wording.iter().find(|said| is_of(said, id)).cloned())
    };
    draft.intent.requirements.iter().filter_map(of).collect()
}

/// A child keeps the constraints of its ancestors, which it can add to, and changes nothing beyond what they own. One
/// that owns nothing, such as a goal, bounds nobody.
fn with_inherited(drafts: Vec<Draft>, found: &mut Findings) -> Vec<Intent> {
    let by_id: HashMap<&IntentId, &Draft> = drafts.iter().map(|draft| (&draft.intent.id, draft)).collect();
    let mut intents = Vec::with_capacity(drafts.len());
    for draft in &drafts {
        let mut constraints: Vec<Constraint> = Vec::new();
        let own = std::iter::once(draft).chain(ancestors(draft, &by_id));
        for constraint in own.flat_map(|draft| &draft.intent.constraints) {
            if !constraints.contains(constraint) {
                constraints.push(constraint.clone());
            }
        }
        let owning = ancestors(draft, &by_id).filter(|ancestor| !ancestor.intent.owned_scope.is_empty());
        let within = owning.map(|ancestor| AncestorScope {
            intent: ancestor.intent.id.clone(),
            owned_scope: ancestor.intent.owned_scope.clone(),
        });
        let within = within.collect();
        let wording = inherited_wording(draft, &by_id);
        match Intent::new(IntentDraft { constraints, within, wording, ..draft.intent.clone() }) {
            Ok(intent) => intents.push(intent),
            Err(error) => found.error(draft.id_at, error.to_string(), ""),
        }
    }
    intents
}
