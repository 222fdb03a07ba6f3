//! Straight and curly quotation marks: what stands for quoted text in a file, and how new text takes the file's.

/// What a sign is compared as.
fn straight(sign: char) -> char {
    match sign {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        other => other,
    }
}

/// The first place in the text that is the quoted text but for the form of its quotation marks, as it is there.
pub(super) fn find(text: &str, quoted: &str) -> Option<String> {
    let plain: String = text.chars().map(straight).collect();
    let wanted: String = quoted.chars().map(straight).collect();
    let at = plain.find(&wanted)?;
    let skipped = plain.get(..at)?.chars().count();
    Some(text.chars().skip(skipped).take(wanted.chars().count()).collect())
}

/// The new text with the curly quotation marks of what it replaces.
pub(super) fn curled(found: &str, new: &str) -> String {
    let doubles = found.contains(['\u{201c}', '\u{201d}']);
    let singles = found.contains(['\u{2018}', '\u{2019}']);
    let signs: Vec<char> = new.chars().collect();
    let curl = |(index, sign): (usize, &char)| -> char {
        let before = index.checked_sub(1).and_then(|before| signs.get(before)).copied();
        let after = signs.get(index.saturating_add(1)).copied();
        match sign {
            '"' if doubles => {
                if opens(before) {
                    '\u{201c}'
                } else {
                    '\u{201d}'
                }
            }
            '\'' if singles => {
                let inside = |sign: Option<char>| sign.is_some_and(char::is_alphabetic);
                if opens(before) && !(inside(before) && inside(after)) { '\u{2018}' } else { '\u{2019}' }
            }
            other => *other,
        }
    };
    signs.iter().enumerate().map(curl).collect()
}

/// Whether a quotation mark behind this sign opens a quotation.
fn opens(before: Option<char>) -> bool {
    before.is_none_or(|sign| {
        matches!(sign, ' ' | '\t' | '\n' | '\r' | '(' | '[' | '{' | '\u{2014}' | '\u{2013}')
    })
}
