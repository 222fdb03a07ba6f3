//! The literal words of a command that could be places, for a project that nobody governs. Reads generously: a word too
//! many costs a look, and only one that leads into a governed repository says anything.
//!
//! Deliberately absent: what a command does, and words that a shell would make of variables and globs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::normalise;

/// How deep quoted commands in commands are read.
const DEPTH: usize = 3;

/// From so many folders is each word seen at most.
const MOST_FOLDERS: usize = 16;

/// Each place that a word of the command may name, with the folders that it runs in.
pub(super) fn places(command: &str, start: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let mut folders = vec![normalise(start)];
    let mut places: BTreeSet<PathBuf> = folders.iter().cloned().collect();
    let mut words = Vec::new();
    split(command, DEPTH, &mut words);
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| words.get(before)).map(String::as_str);
        for part in parts(word) {
            let part = at_home(part, home);
            let named: Vec<PathBuf> = folders.iter().map(|folder| normalise(&folder.join(&part))).collect();
            if leads_on(before, word) {
                let fresh: Vec<PathBuf> =
                    named.iter().filter(|folder| !folders.contains(folder)).cloned().collect();
                folders.extend(fresh);
                folders.truncate(MOST_FOLDERS);
            }
            places.extend(named);
        }
    }
    places.into_iter().collect()
}

/// A place below the home folder, as a shell reads it.
pub(super) fn at_home(word: &str, home: Option<&Path>) -> PathBuf {
    let below = ["~", "$HOME", "${HOME}"].iter().find_map(|mark| word.strip_prefix(mark));
    match (below, home) {
        (Some(""), Some(home)) => home.to_path_buf(),
        (Some(rest), Some(home)) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        _ => PathBuf::from(word),
    }
}

/// Whether what stands behind that word is a folder that later words are seen from.
fn leads_on(before: Option<&str>, word: &str) -> bool {
    const BEFORE: [&str; 5] = ["cd", "pushd", "-C", "--directory", "--cwd"];
    before.is_some_and(|before| BEFORE.contains(&before))
        || ["-C", "--directory=", "--cwd="]
            .iter()
            .any(|option| word.len() > option.len() && word.starts_with(option))
}

/// A word, and what stands in it behind an option or an assignment.
fn parts(word: &str) -> Vec<&str> {
    let mut parts = vec![word];
    for mark in ['=', ':', ',', '@'] {
        parts.extend(word.split(mark).skip(1).filter(|part| !part.is_empty()));
    }
    if word.starts_with('-') {
        parts.extend(word.find(['/', '~', '.', '$']).and_then(|at| word.get(at..)));
    }
    parts
}

/// The words of a command without quotes and operators. A quoted text may be a command of its own.
fn split(command: &str, depth: usize, words: &mut Vec<String>) {
    let mut word = String::new();
    let mut quote = None;
    let mut is_quoted = false;
    let mut letters = command.chars();
    let end = |word: &mut String, is_quoted: &mut bool, words: &mut Vec<String>| {
        let whole = std::mem::take(word);
        let is_command = std::mem::take(is_quoted) && whole.contains([' ', '\t', '\n', ';', '&', '|']);
        if is_command && depth > 0 {
            split(&whole, depth - 1, words);
        }
        if !whole.is_empty() {
            words.push(whole);
        }
    };
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some('\''), _) => word.push(letter),
            (_, '\\') => word.extend(letters.next()),
            (Some(_), _) => word.push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                is_quoted = true;
            }
            (None, ' ' | '\t' | '\n' | '\r' | ';' | '&' | '|' | '(' | ')' | '<' | '>' | '`' | '{' | '}') => {
                end(&mut word, &mut is_quoted, words);
            }
            (None, _) => word.push(letter),
        }
    }
    end(&mut word, &mut is_quoted, words);
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::places;

    // D-14, A12
    #[test]
    fn every_spelling_of_a_place_is_found() {
        let home = Path::new("/home/ada");
        for (command, place) in [
            ("touch /gov/x", "/gov/x"),
            ("touch ../gov/x", "/srv/gov/x"),
            ("cd ../gov && touch x", "/srv/gov/x"),
            ("cd .. && cd gov && rm y", "/srv/gov/y"),
            ("git -C ../gov commit -m x", "/srv/gov"),
            ("git -C/gov commit", "/gov"),
            ("make --directory=/gov all", "/gov"),
            ("git --git-dir=/gov/.git commit", "/gov/.git"),
            ("OUT=/gov/x make", "/gov/x"),
            ("dd of=/gov/x", "/gov/x"),
            ("echo x>/gov/x", "/gov/x"),
            ("bash -c 'cd /gov && touch x'", "/gov/x"),
            ("bash -c \"sh -c 'touch /gov/x'\"", "/gov/x"),
            ("touch '/my gov/x'", "/my gov/x"),
            ("touch /my\\ gov/x", "/my gov/x"),
            ("rm -rf ~/gov", "/home/ada/gov"),
            ("rm -rf $HOME/gov", "/home/ada/gov"),
            ("rm -rf \"${HOME}/gov\"", "/home/ada/gov"),
            ("rsync a host:/b /gov/x", "/gov/x"),
            ("(cd /gov; make)", "/gov"),
            ("true", "/srv/mine"),
        ] {
            let found = places(command, Path::new("/srv/mine"), Some(home));
            assert!(found.contains(&PathBuf::from(place)), "{command}: {found:?}");
        }
    }
}
