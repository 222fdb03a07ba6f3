//! Further words of an allowed command that may name a path: what each of them may stand for.

/// More alternatives than this in braces are not looked through.
const MOST_ALTERNATIVES: usize = 64;

/// Names of addresses that are no paths. Others are known by the slash behind their colon.
const SCHEMES: &[&str] = &["npm:", "jsr:", "data:", "git:", "ext:", "file:", "http:", "https:"];

/// Adds the paths that a word may name. Many programs take a word for a pattern themselves: what stands in its braces counts as
/// each of its alternatives.
pub(super) fn add(word: &str, paths: &mut Vec<String>) -> Result<(), String> {
    let unclear = || format!("`{word}` may stand for something else");
    let all = match word.contains(['{', '}']) {
        true => alternatives(word).ok_or_else(unclear)?,
        false => Vec::new(),
    };
    for one in std::iter::once(word).chain(all.iter().map(String::as_str)) {
        let path = checked(one).ok_or_else(unclear)?;
        paths.push(path.to_owned());
        paths.extend(files_of(path).map(str::to_owned));
    }
    Ok(())
}

/// What may be the file of a word that says which part of it: `a.py::test_b`, `a.rb:12`, `a.rb[1:2]`.
fn files_of(word: &str) -> impl Iterator<Item = &str> {
    let before = |sign: char| word.split_once(sign).map(|(file, _)| file).filter(|file| !file.is_empty());
    [':', '['].into_iter().filter_map(before)
}

/// A word that reads no further words from a file, names no host, and no pattern of which a part leads elsewhere.
fn checked(word: &str) -> Option<&str> {
    let lower = word.to_ascii_lowercase();
    let is_address = word.contains(":/") || SCHEMES.iter().any(|scheme| lower.starts_with(scheme));
    let leads_out = word.contains('(') && ["..", "(/", "|/"].iter().any(|sign| word.contains(sign));
    let is_plain = !word.starts_with(['@', '~']) && !word.contains(char::is_control);
    let is_up = word.split('/').any(may_be_up);
    (is_plain && !is_address && !leads_out && !is_up).then_some(word)
}

/// Whether a pattern may be another spelling of `..`, as `[.].` is.
fn may_be_up(part: &str) -> bool {
    part.contains('.') && part.contains(['[', '(', '\\']) && !part.contains(char::is_alphanumeric)
}

/// What braces stand for, one after another; nothing where they are within each other, name a range or do not end.
fn alternatives(word: &str) -> Option<Vec<String>> {
    if word.contains('\\') || word.contains("..") {
        return None;
    }
    let mut all = vec![String::new()];
    let mut rest = word;
    while let Some((before, behind)) = rest.split_once('{') {
        let (inside, after) = behind.split_once('}')?;
        let choices: Vec<&str> = inside.split(',').collect();
        if before.contains('}')
            || inside.contains('{')
            || all.len().checked_mul(choices.len())? > MOST_ALTERNATIVES
        {
            return None;
        }
        all = all
            .iter()
            .flat_map(|start| choices.iter().map(move |choice| format!("{start}{before}{choice}")))
            .collect();
        rest = after;
    }
    if rest.contains('}') {
        return None;
    }
    Some(all.iter().map(|start| format!("{start}{rest}")).collect())
}

/// Whether Go may ask a host for a package of this name, or for a version of one. A file of this folder ends in `.go`.
pub(super) fn is_remote_package(word: &str) -> bool {
    let first = word.split('/').next().unwrap_or(word);
    let is_here = matches!(first, "" | "." | ".." | "...") || (first == word && word.ends_with(".go"));
    word.contains('@') || (first.contains('.') && !is_here)
}
