//! The small languages inside arguments: which scripts only print. What is refused comes back as the text at which it was.

pub(crate) mod awk;
mod expression;
mod sed;

pub(crate) use sed::only_prints as sed;

/// Patterns of searchers run nothing.
pub(crate) fn pattern(_: &str) -> Result<(), &str> {
    Ok(())
}

/// What a filter of `jq` does by these: it reads the environment or files that are not its input, or need not end.
#[rustfmt::skip]
const ACTING: &[&str] = &[
    "env", "ENV", "import", "include", "modulemeta", "get_search_list", "__prog_args",
    "repeat", "until", "while", "def", "infinite",
];

/// A filter of `jq` that only computes with its input. `.env` is a field of the input.
pub(crate) fn jq(filter: &str) -> Result<(), &str> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_harmless = |at: usize, word: &str| {
        let (before, rest) = filter.split_at(at);
        let is_longer = before.ends_with(is_letter)
            || rest.get(word.len()..).is_some_and(|rest| rest.starts_with(is_letter));
        is_longer || (before.ends_with('.') && !before.ends_with(".."))
    };
    // `recurse` alone ends where its input does.
    let mut found =
        ACTING.iter().chain(&["recurse(", "recurse ("]).flat_map(|word| filter.match_indices(word));
    match found.find(|(at, word)| !is_harmless(*at, word)) {
        Some((at, _)) => Err(filter.get(at..).unwrap_or(filter)),
        None => Ok(()),
    }
}
