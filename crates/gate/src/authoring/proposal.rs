//! What an agent's draft says: the parameters of `propose_intent`, `request_scope_expansion` and `report_done`, read strictly.

use bailiwick_domain::{IntentProposal, OwnedScope, Params, ScopePattern, ToolError, Value};

use crate::refusals::{DraftFault, Hindrance};

/// The longest text that a human is asked to read, in characters, and the most items of a list.
const MAX_TEXT: usize = 2_000;
const MAX_ITEMS: usize = 50;

/// The drafted intent of `propose_intent`.
pub(crate) fn proposal(params: &Params) -> Result<IntentProposal, ToolError> {
    read_proposal(params).map_err(|fault| Hindrance::Proposal(fault).error())
}

fn read_proposal(params: &Params) -> Result<IntentProposal, DraftFault<'_>> {
    known(params, &["name", "why", "owned_scope", "acceptance_criteria"])?;
    let patterns = patterns(params, "owned_scope")?;
    Ok(IntentProposal {
        name: text(params, "name")?,
        why: Some(text(params, "why")?),
        owned_scope: OwnedScope::new(patterns, false).map_err(DraftFault::Scope)?,
        acceptance_criteria: texts(params, "acceptance_criteria")?,
    })
}

/// The patterns that `request_scope_expansion` asks for, and why.
pub(crate) fn expansion(params: &Params) -> Result<(Vec<ScopePattern>, String), ToolError> {
    read_expansion(params).map_err(|fault| Hindrance::Draft(fault).error())
}

fn read_expansion(params: &Params) -> Result<(Vec<ScopePattern>, String), DraftFault<'_>> {
    known(params, &["paths", "reason"])?;
    let patterns = patterns(params, "paths")?;
    if let Some(pattern) = patterns.iter().find(|pattern| pattern.is_exclusion()) {
        return Err(DraftFault::TakesAway(pattern.clone()));
    }
    Ok((patterns, text(params, "reason")?))
}

/// The intent that `report_done` names, and what was done.
pub(crate) fn report(params: &Params) -> Result<(String, String), ToolError> {
    let read = || {
        known(params, &["intent_id", "summary"])?;
        Ok((text(params, "intent_id")?, text(params, "summary")?))
    };
    read().map_err(|fault| Hindrance::Draft(fault).error())
}

fn known<'a>(params: &'a Params, keys: &'a [&'a str]) -> Result<(), DraftFault<'a>> {
    match params.keys().find(|key| *key != "session" && !keys.contains(&key.as_str())) {
        Some(key) => Err(DraftFault::UnknownParameter(key, keys)),
        None => Ok(()),
    }
}

fn text<'a>(params: &Params, key: &'a str) -> Result<String, DraftFault<'a>> {
    let found = params.get(key).and_then(Value::as_str).map(str::trim).unwrap_or_default();
    checked(key, found)
}

fn texts<'a>(params: &Params, key: &'a str) -> Result<Vec<String>, DraftFault<'a>> {
    let Some(Value::Array(items)) = params.get(key) else {
        return Err(DraftFault::NotAList(key));
    };
    if items.is_empty() || items.len() > MAX_ITEMS {
        return Err(DraftFault::Count(key, items.len(), MAX_ITEMS));
    }
    items.iter().map(|item| checked(key, item.as_str().map(str::trim).unwrap_or_default())).collect()
}

fn checked<'a>(key: &'a str, text: &str) -> Result<String, DraftFault<'a>> {
    if text.is_empty() {
        return Err(DraftFault::Missing(key));
    }
    if text.chars().count() > MAX_TEXT {
        return Err(DraftFault::TooLong(key, MAX_TEXT));
    }
    Ok(text.to_owned())
}

fn patterns<'a>(params: &Params, key: &'a str) -> Result<Vec<ScopePattern>, DraftFault<'a>> {
    texts(params, key)?.iter().map(|text| ScopePattern::new(text).map_err(DraftFault::Scope)).collect()
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::{Params, json};

    use super::{MAX_ITEMS, MAX_TEXT, proposal};

    fn drafted(name: &str, criteria: usize) -> Params {
        let criteria = vec!["it works"; criteria];
        let draft =
            json!({"name": name, "why": "w", "owned_scope": ["src/**"], "acceptance_criteria": criteria});
        draft.as_object().unwrap().clone()
    }

    #[test]
    fn a_draft_is_as_long_as_a_person_reads_and_no_longer() {
        let name = "n".repeat(MAX_TEXT);
        let read = proposal(&drafted(&name, MAX_ITEMS)).unwrap();
        assert_eq!((read.name.as_str(), read.acceptance_criteria.len()), (name.as_str(), MAX_ITEMS));
        for draft in [drafted(&format!("{name}n"), 1), drafted("n", MAX_ITEMS + 1), drafted("n", 0)] {
            assert!(proposal(&draft).is_err());
        }
    }
}
