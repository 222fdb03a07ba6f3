//! Where a string or a regular expression ends, as far as every program agrees.

/// What follows the sign that ends a text in which only `\` has a meaning.
pub(super) fn past_text(text: &str, end: char) -> Option<&str> {
    past(text, end, Some)
}

/// What follows the sign that ends a regular expression.
pub(super) fn past_expression(text: &str, end: char) -> Option<&str> {
    past(text, end, |behind| past_class(behind, end))
}

fn past<'t>(text: &'t str, end: char, past_bracket: impl Fn(&'t str) -> Option<&'t str>) -> Option<&'t str> {
    let mut rest = text;
    loop {
        let (sign, behind) = first(rest)?;
        rest = match sign {
            sign if sign == end => return Some(behind),
            '\\' => first(behind).filter(|(escaped, _)| escaped.is_ascii()).map(|(_, behind)| behind)?,
            '[' => past_bracket(behind)?,
            _ => behind,
        };
    }
}

/// What follows the bracket that ends a class. Programs differ on one that begins with `]` or holds `[`, and on whether the
/// end of the expression and `\` mean anything in it.
fn past_class(text: &str, end: char) -> Option<&str> {
    let mut rest = text.strip_prefix('^').unwrap_or(text);
    if rest.starts_with(']') {
        return None;
    }
    loop {
        let (sign, behind) = first(rest)?;
        rest = match sign {
            ']' => return Some(behind),
            '[' => past_name(behind)?,
            '\\' if behind.starts_with(['[', ']', '\\', end]) => return None,
            sign if sign == end => return None,
            _ => behind,
        };
    }
}

/// What follows the name of a class, as in `[[:space:]]`.
fn past_name(text: &str) -> Option<&str> {
    let named = text.strip_prefix(':')?;
    named.trim_start_matches(|sign: char| sign.is_ascii_lowercase()).strip_prefix(":]")
}

/// The first sign. Programs that take the text for another encoding may see the sign behind one of another script as a part
/// of it.
fn first(text: &str) -> Option<(char, &str)> {
    let mut signs = text.chars();
    let sign = signs.next()?;
    let is_split = !sign.is_ascii() && signs.as_str().starts_with(['\\', '[', ']', '|']);
    (!is_split).then_some((sign, signs.as_str()))
}

#[cfg(test)]
mod tests {
    use super::{past_expression, past_text};

    // D-03
    #[test]
    fn an_expression_ends_where_every_program_ends_it() {
        for (text, rest) in [
            ("a/b", Some("b")),
            ("a\\/b/c", Some("c")),
            ("[^a-z]/", Some("")),
            ("[[:space:]_]/x", Some("x")),
            ("\\[/x", Some("x")),
            ("ü/x", Some("x")),
            ("[]/ ]/x", None),
            ("[^]/ ]/x", None),
            ("[[]/x", None),
            ("[[.a.]]/x", None),
            ("[/]/x", None),
            ("[\\]/x", None),
            ("[\\/]/x", None),
            ("ü\\/x/", None),
            ("ü[/x/", None),
            ("\\ü/x", None),
            ("a", None),
            ("a\\", None),
            ("[a", None),
        ] {
            assert_eq!(past_expression(text, '/'), rest, "{text}");
        }
        assert_eq!(past_text("a [\\\" /\" x", '"'), Some(" x"));
    }
}
