//! The tags by which a test says which requirement it covers: `req_083_…` in its name, `REQ 83`, `K-35`, `D-17`,
//! `threat C4` in a comment above it or inside it.
//!
//! It reads text; which text belongs to a test is found in `status`.

use std::collections::BTreeSet;

/// One row of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Row {
    /// A numbered requirement.
    Requirement(u32),
    /// A resolved conflict.
    Conflict(u32),
    /// A decision.
    Decision(u32),
    /// A class of attacks.
    Threat(char, u32),
}

impl Row {
    /// Reads the name that the row list uses.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name.split_once('-') {
            Some(("K", number)) => Some(Self::Conflict(number.parse().ok()?)),
            Some(("D", number)) => Some(Self::Decision(number.parse().ok()?)),
            _ => name.parse().ok().map(Self::Requirement).or_else(|| threat(name).map(|(row, _)| row)),
        }
    }
}

/// The rows that a test's name stands for: `req_083_…`, `req_083_084_…`, `req_083_req_160_…`.
pub(crate) fn in_name(name: &str) -> BTreeSet<Row> {
    let parts = name.strip_prefix("req_").into_iter().flat_map(|rest| rest.split('_'));
    let numbers = parts.filter(|part| *part != "req").map_while(|part| part.parse().ok());
    numbers.map(Row::Requirement).collect()
}

/// The rows that a text names.
pub(crate) fn in_text(text: &str) -> BTreeSet<Row> {
    let mut rows = BTreeSet::new();
    collect(text, "K-", Row::Conflict, &mut rows);
    collect(text, "D-", Row::Decision, &mut rows);
    collect(text, "REQ ", Row::Requirement, &mut rows);
    for tag in ["threat ", "threats "] {
        text.match_indices(tag).for_each(|(at, _)| {
            rows.extend(threat_list(text.get(at + tag.len()..).unwrap_or_default()));
        });
    }
    rows
}

/// `C4`, `H2, H3`, `G3 and G4`, `A1 to A18`.
fn threat_list(mut text: &str) -> Vec<Row> {
    let mut threats = Vec::new();
    while let Some((row, mut rest)) = threat(text) {
        threats.push(row);
        let last = rest.strip_prefix(" to ").and_then(threat);
        if let (Row::Threat(letter, first), Some((Row::Threat(same, last), after))) = (row, last)
            && letter == same
        {
            threats.extend((first + 1..=last).map(|number| Row::Threat(letter, number)));
            rest = after;
        }
        let joined = [", ", " and "].iter().find_map(|joint| rest.strip_prefix(joint));
        let Some(after) = joined else { break };
        text = after;
    }
    threats
}

/// A class of attacks, and the text behind it.
fn threat(text: &str) -> Option<(Row, &str)> {
    let letter = text.chars().next().filter(|letter| ('A'..='H').contains(letter))?;
    let rest = text.get(1..)?;
    let number = number(rest)?;
    Some((Row::Threat(letter, number), rest.trim_start_matches(|char: char| char.is_ascii_digit())))
}

fn collect(text: &str, tag: &str, row: fn(u32) -> Row, rows: &mut BTreeSet<Row>) {
    for (at, _) in text.match_indices(tag) {
        let joined = text.get(..at).and_then(|before| before.chars().next_back());
        if joined.is_some_and(|char| char.is_alphanumeric() || char == '-' || char == '_') {
            continue;
        }
        let rest = text.get(at + tag.len()..).unwrap_or_default();
        if tag == "REQ " {
            rows.extend(number_list(rest).into_iter().map(row))
        } else {
            rows.extend(number(rest).map(row))
        }
    }
}

/// `83`, `83, 84 and 90`, `46-53`.
fn number_list(text: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    let mut rest = text;
    while let Some(next) = number(rest) {
        rest = rest.trim_start_matches(|char: char| char.is_ascii_digit());
        numbers.push(next);
        if let Some(after) = rest.strip_prefix(['-', '–'])
            && let Some(last) = number(after)
        {
            numbers.extend(next + 1..=last);
            rest = after.trim_start_matches(|char: char| char.is_ascii_digit());
        }
        let joined = [", ", "/", " and ", " & "].iter().find_map(|joint| rest.strip_prefix(joint));
        let Some(after) = joined else { break };
        rest = after;
    }
    numbers
}

fn number(text: &str) -> Option<u32> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    let before_word = text.chars().nth(digits.len()).is_some_and(char::is_alphabetic);
    if before_word || digits.len() > 3 { None } else { digits.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Row]) {
        assert_eq!(in_text(text), expected.iter().copied().collect());
    }

    #[test]
    fn a_name_carries_its_rows() {
        assert_eq!(in_name("req_083_deletes_ask"), BTreeSet::from([Row::Requirement(83)]));
        assert_eq!(in_name("req_083_160_x"), BTreeSet::from([Row::Requirement(83), Row::Requirement(160)]));
        assert_eq!(in_name("req_083_req_160_x"), in_name("req_083_160_x"));
        assert_eq!(in_name("asks_req_083"), BTreeSet::new());
    }

    #[test]
    fn a_text_carries_tags_of_each_kind() {
        check("// D-17 K-35, REQ 83", &[Row::Decision(17), Row::Conflict(35), Row::Requirement(83)]);
        check("// REQ 8, 22 and 30", &[Row::Requirement(8), Row::Requirement(22), Row::Requirement(30)]);
        check("// REQ 46-48/50", &[46, 47, 48, 50].map(Row::Requirement));
    }

    #[test]
    fn classes_of_attacks_are_tags() {
        check("// threat C4", &[Row::Threat('C', 4)]);
        check(
            "// threats H2, H3 and G10: it was cut",
            &[('H', 2), ('H', 3), ('G', 10)].map(|(l, n)| Row::Threat(l, n)),
        );
        check(
            "// threats A1 to A3 and B2",
            &[('A', 1), ('A', 2), ('A', 3), ('B', 2)].map(|(l, n)| Row::Threat(l, n)),
        );
        check("// a threat Cx, threat I1", &[]);
    }

    #[test]
    fn look_alikes_are_no_tags() {
        check("REQ-001 INT-D-17 SHA-K-1 K-x REQ abc UTF-8 D-1234 xK-35", &[]);
    }
}
