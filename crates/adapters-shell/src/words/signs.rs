//! Single signs: what they mean to a shell, and what they are called to people.

/// Characters that mean themselves to every shell, wherever they stand in a word.
pub(super) fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-./:,+@%".contains(c)
}

/// Whether a shell that meets it unquoted looks for files.
pub(super) fn is_wild(c: char) -> bool {
    matches!(c, '*' | '?')
}

/// Why an unquoted sign is not taken.
pub(super) fn refused(c: char) -> String {
    format!("{} {}", named(c), meaning(c))
}

/// What an unquoted sign may do, for people.
fn meaning(c: char) -> &'static str {
    match c {
        '>' => "may write a file",
        '<' => "may start a command or read a file here",
        '$' | '`' => "stands for what only the shell knows",
        '(' | ')' | '{' | '}' | '&' => "starts other commands",
        '\\' | '!' | '#' | '^' => "means different things to different shells",
        '~' => {
            "stands for a home folder: write the path without `~`, and have `read.roots` name its folder outside of this repository"
        }
        _ => "is not a plain character",
    }
}

pub(super) fn named(c: char) -> String {
    match c {
        '\n' => "a line break".to_owned(),
        '`' => "a backtick".to_owned(),
        c if c.is_ascii_graphic() => format!("`{c}`"),
        c => format!("the character U+{:04X}", u32::from(c)),
    }
}
