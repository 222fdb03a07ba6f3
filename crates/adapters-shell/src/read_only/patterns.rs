//! Readers of the files that a pattern names: `wc -l src/*.rs`.
//!
//! Which files those are, and whether one of them is an option or a link, the gate looks up. Here it counts that a pattern
//! stands where any number of paths may stand, that it begins as no option does, and that it leads down alone.

use super::options::{self, Operands, Proof};
use super::{git, printf, table};

/// Proves a command of the table with these patterns among its arguments.
pub(crate) fn prove(name: &str, arguments: &[&str], patterns: Vec<&str>) -> Result<Proof, String> {
    let refused = |pattern: &str| format!("`{pattern}` stands for whatever files it names then");
    let first = patterns.first().copied().unwrap_or_default();
    let proof = match table::lookup(name) {
        Some(reader) if takes_any_number(reader.operands) => options::prove(reader, arguments)?,
        None if name == "git" => git::prove(arguments)?,
        // They show no more than names.
        None if name == "echo" => names_alone(&patterns)?,
        None if name == "printf" => {
            printf::prove(arguments)?;
            names_alone(&patterns)?
        }
        _ => return Err(refused(first)),
    };
    for pattern in &patterns {
        let count = |texts: &mut dyn Iterator<Item = &str>| texts.filter(|text| text == pattern).count();
        let given = count(&mut arguments.iter().copied());
        let read = count(&mut proof.reads.iter().map(String::as_str));
        let is_one_name = goes_down_whole(pattern) && !turns_back(pattern);
        // zsh may take `A~B` for what is A and not B, and git what stands behind a colon for a path in a revision.
        if given != read || !is_one_name || pattern.contains([':', '~']) {
            return Err(refused(pattern));
        }
    }
    let is_path = |path: &String| !patterns.contains(&path.as_str());
    let mut reads: Vec<String> = proof.reads.into_iter().filter(is_path).collect();
    // Some shells leave a pattern away that names nothing, and without paths some programs read the folder.
    reads.push(".".to_owned());
    // Where no name fits, a word with a class is itself.
    reads.extend(patterns.iter().filter(|pattern| !pattern.contains(['*', '?'])).map(ToString::to_string));
    let patterns = patterns.into_iter().map(|pattern| without_classes(name_of(pattern))).collect();
    Ok(Proof { reads, patterns, shows: Vec::new(), ..proof })
}

fn names_alone(patterns: &[&str]) -> Result<Proof, String> {
    Ok(Proof { looks: true, ..Proof::reading(patterns.iter().copied())? })
}

/// Whether one more path does not mean anything else than the one before it.
pub(crate) fn takes_any_number(operands: Operands) -> bool {
    matches!(
        operands,
        Operands::Paths { at_most: usize::MAX }
            | Operands::Shown
            | Operands::PathsOrHere
            | Operands::Script { .. }
    )
}

/// A pattern that names at least as much, in which any sign stands for one of a class.
fn without_classes(pattern: &str) -> String {
    let mut wider = String::new();
    let mut rest = pattern;
    while let Some((before, class)) = rest.split_once('[') {
        let (_, behind) = class.split_once(']').unwrap_or((class, ""));
        wider.push_str(before);
        wider.push('?');
        rest = behind;
    }
    wider + rest
}

/// A pattern without the slash by which it names folders alone.
fn name_of(pattern: &str) -> &str {
    pattern.strip_suffix('/').filter(|name| !name.is_empty() && !name.ends_with('/')).unwrap_or(pattern)
}

/// Whether `**` stands in it for whole folders alone: to some shells for any number of them, to others for one.
fn goes_down_whole(pattern: &str) -> bool {
    let mut parts = pattern.rsplit('/');
    let ends_in_it = parts.next().is_some_and(|last| last.contains("**"));
    !ends_in_it && parts.all(|part| part == "**" || !part.contains("**"))
}

/// Whether it leads out of what a part of it named.
fn turns_back(pattern: &str) -> bool {
    let mut parts = pattern.split('/').skip_while(|part| !part.contains(['*', '?']));
    parts.any(|part| part == "..")
}
