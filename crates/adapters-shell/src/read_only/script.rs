//! The small languages inside arguments: which scripts only print.

/// Patterns of searchers run nothing.
pub(crate) fn pattern(_: &str) -> bool {
    true
}

/// A filter of `jq` that neither reads the environment nor loads other files. `.env` is a field of the input.
pub(crate) fn jq(filter: &str) -> bool {
    const ACTING: [&str; 4] = ["env", "ENV", "import", "include"];
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    ACTING.iter().flat_map(|word| filter.match_indices(word)).all(|(at, word)| {
        let (before, rest) = filter.split_at(at);
        let is_longer = before.ends_with(is_letter)
            || rest.get(word.len()..).is_some_and(|rest| rest.starts_with(is_letter));
        is_longer || (before.ends_with('.') && !before.ends_with(".."))
    })
}

/// A script of `sed` made of addresses with `p`, `q` or `=` only: `10,40p`, `/a/,/b/p`, `$=`, `5q`.
pub(crate) fn sed(script: &str) -> bool {
    let mut rest = script.trim();
    loop {
        let Some(after) = sed_command(rest) else { return false };
        rest = after.trim_start();
        if rest.is_empty() {
            return true;
        }
        let Some(next) = rest.strip_prefix(';') else { return false };
        rest = next.trim_start();
        if rest.is_empty() {
            return true;
        }
    }
}

fn sed_command(text: &str) -> Option<&str> {
    let mut rest = text;
    if let Some(after) = address(rest) {
        rest = after.trim_start();
        if let Some(second) = rest.strip_prefix(',') {
            let second = second.trim_start();
            rest = address(second.strip_prefix(['+', '~']).unwrap_or(second))?.trim_start();
        }
        rest = rest.strip_prefix('!').unwrap_or(rest).trim_start();
    }
    rest.strip_prefix(['p', 'q', '='])
}

/// A line number, a step (`1~2`), the last line, or a regular expression between slashes.
fn address(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('$') {
        return Some(rest);
    }
    if let Some(expression) = text.strip_prefix('/') {
        let after = past_slash(expression)?;
        return Some(after.strip_prefix('I').unwrap_or(after));
    }
    let rest = digits(text)?;
    match rest.strip_prefix('~') {
        Some(step) => digits(step),
        None => Some(rest),
    }
}

fn digits(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < text.len()).then_some(rest)
}

/// What follows the slash that ends a regular expression. Brackets are refused together with slashes inside them,
/// for implementations differ on whether such a slash ends the expression.
fn past_slash(expression: &str) -> Option<&str> {
    let (mut escaped, mut bracketed) = (false, false);
    for (at, c) in expression.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => bracketed = true,
            ']' => bracketed = false,
            '/' if bracketed => return None,
            '/' => return expression.get(at + 1..),
            _ => {}
        }
    }
    None
}
