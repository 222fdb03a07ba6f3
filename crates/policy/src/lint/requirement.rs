//! Which checks of an intent say that a requirement is met.

use bailiwick_domain::{CheckOf, Intent, NamedCheck};

/// The checks that verify this requirement: those whose criterion names it, in its id or its text; where none does and
/// the intent serves nothing else, the checks of all its criteria.
pub fn verifying<'c>(requirement: &str, intent: &Intent, checks: &'c [NamedCheck]) -> Vec<&'c NamedCheck> {
    let criteria = || checks.iter().filter(|check| check.of == CheckOf::Criterion);
    let names = |text: &Option<String>| text.as_ref().is_some_and(|text| names(text, requirement));
    let named: Vec<&NamedCheck> = criteria().filter(|check| names(&check.id) || names(&check.text)).collect();
    if named.is_empty() && intent.requirements().len() <= 1 { criteria().collect() } else { named }
}

/// Whether the id stands in the text as a whole: `REQ-1` does not stand in `REQ-10`.
fn names(text: &str, id: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric();
    let goes_on = |rest: &str| {
        let mut rest = rest.chars();
        match rest.next() {
            Some('-' | '_' | '.') => rest.next().is_some_and(is_part),
            Some(c) => is_part(c),
            None => false,
        }
    };
    let comes_from = |before: &str| {
        let mut before = before.chars().rev();
        match before.next() {
            Some('-' | '_' | '.') => before.next().is_some_and(is_part),
            Some(c) => is_part(c),
            None => false,
        }
    };
    !id.is_empty()
        && text.match_indices(id).any(|(at, found)| {
            let (before, rest) = text.split_at(at);
            let rest = rest.strip_prefix(found).unwrap_or_default();
            !comes_from(before) && !goes_on(rest)
        })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_requirement_is_named_as_a_whole() {
        for text in ["REQ-1", "meets REQ-1.", "(REQ-1)", "REQ-1: refused", "REQ-10 and REQ-1, both"] {
            assert!(names(text, "REQ-1"), "{text}");
        }
        for text in ["REQ-10", "REQ-1-2", "002-REQ-1", "REQ-1.2", "", "xREQ-1"] {
            assert!(!names(text, "REQ-1"), "{text}");
        }
    }
}
