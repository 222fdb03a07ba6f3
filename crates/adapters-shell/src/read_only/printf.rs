//! `printf`: formats that neither store into a variable nor compute their arguments.

use crate::read_only::options::Proof;

/// Conversions that only print text or numbers. `%n` stores into a variable, `%(` asks the clock.
const CONVERSIONS: &str = "sbcdiouxXeEfgG%";

/// Proves a call of `printf`. An argument with a subscript could be evaluated as arithmetic by some shells, and a
/// subscript can run a command.
pub(crate) fn prove(words: &[&str]) -> Result<Proof, String> {
    let words = match words {
        ["--", rest @ ..] => rest,
        words => words,
    };
    let (format, arguments) = words.split_first().ok_or("`printf` has no format")?;
    if format.starts_with('-') {
        return Err("`printf` has an option".to_owned());
    }
    if !format.split('%').skip(1).fold(Scan::Text, Scan::after).is_harmless() {
        return Err("the format of `printf` does more than print".to_owned());
    }
    if arguments.iter().any(|argument| argument.contains(['[', '$', '`', '('])) {
        return Err("an argument of `printf` could be evaluated".to_owned());
    }
    Ok(Proof::default())
}

/// Where a walk over the pieces between `%` stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scan {
    Text,
    Percent,
    Bad,
}

impl Scan {
    /// The next piece after a `%`: empty means that `%%` follows, whose second `%` ends the conversion.
    fn after(self, piece: &str) -> Self {
        match self {
            Self::Bad => Self::Bad,
            Self::Percent => Self::Text,
            Self::Text if piece.is_empty() => Self::Percent,
            Self::Text => {
                let conversion =
                    piece.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #.".contains(c));
                if conversion.starts_with(|c| CONVERSIONS.contains(c)) { Self::Text } else { Self::Bad }
            }
        }
    }

    fn is_harmless(self) -> bool {
        self == Self::Text
    }
}
