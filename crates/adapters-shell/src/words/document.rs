//! A word that is one literal here-document: `"$(cat <<'EOF' … EOF … )"`, in which agents write messages of several lines.
//!
//! Only this form is read: the delimiter in single quotes, `cat` with no words, the whole between double quotes. To bash since 4,
//! dash, zsh and ksh all of the text is literal then. bash 3.2 looks for the `)` in the text as well, with or without quotes and
//! comments in mind; a text in which it may find one is refused.

/// What it begins with. PowerShell knows no here-documents.
const START: &str = "\"$(cat <<'";

/// The text of such a word and what follows it; nothing where a text begins with no such word.
///
/// # Errors
/// It begins with one that may be read in two ways.
pub(super) fn literal(text: &str) -> Option<Result<(String, &str), String>> {
    text.strip_prefix(START).map(read)
}

fn read(behind: &str) -> Result<(String, &str), String> {
    let unclear = "a here-document is read only as \"$(cat <<'EOF' … EOF … )\", with nothing else in it";
    let (end, rest) = behind.split_once("'\n").ok_or(unclear)?;
    if end.is_empty() || !end.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Err(unclear.to_owned());
    }
    let mut length = 0;
    let found = rest.split_inclusive('\n').find(|line| {
        let is_end = line.trim_end_matches('\n') == end;
        length += if is_end { 0 } else { line.len() };
        is_end
    });
    let after = found.and_then(|line| rest.get(length + line.len()..)).ok_or(unclear)?;
    let after = after.trim_start_matches([' ', '\n']).strip_prefix(")\"").ok_or(unclear)?;
    let text = rest.get(..length).unwrap_or_default();
    if text.contains(|sign: char| sign.is_control() && sign != '\n') {
        return Err("a here-document holds a control character".to_owned());
    }
    // That shell is the one of macOS, and is found on no other system of today.
    if !cfg!(target_os = "linux") && !ends_where_it_ends(text, after) {
        return Err(
            "an older bash may end the text at one of its brackets or quotes; give it in several `-m`"
                .to_owned(),
        );
    }
    // A shell leaves the ends of the last lines out.
    Ok((text.trim_end_matches('\n').to_owned(), after))
}

/// Whether bash 3.2 finds no `)` in the text that would end the substitution, and none in what follows the word either.
fn ends_where_it_ends(text: &str, after: &str) -> bool {
    let ways = [(false, false), (false, true), (true, false), (true, true)];
    let mut ends = ways.iter().map(|(quotes, comments)| scan(text, *quotes, *comments));
    ends.all(|end| match end {
        End::Early => false,
        End::Here => true,
        End::Later => !after.contains(['\'', '"', '`', ')']),
    })
}

/// Where a search for the `)` comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Early,
    Here,
    /// A quote, a bracket or a comment is still open.
    Later,
}

fn scan(text: &str, quotes: bool, comments: bool) -> End {
    let (mut depth, mut rest) = (0_usize, text);
    let mut starts_word = true;
    while let Some(sign) = rest.chars().next() {
        rest = rest.get(sign.len_utf8()..).unwrap_or_default();
        match sign {
            '(' => depth += 1,
            ')' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return End::Early,
            },
            '#' if comments && starts_word => {
                rest = rest.split_once('\n').map_or("", |(_, behind)| behind);
            }
            '\\' if quotes => rest = rest.get(1..).unwrap_or_default(),
            '\'' | '"' | '`' if quotes => match rest.split_once(sign) {
                // What is quoted within another quote may end elsewhere.
                Some((within, _)) if sign != '\'' && within.contains(['"', '`', '\\', '$']) => {
                    return if rest.contains(')') { End::Early } else { End::Later };
                }
                Some((_, behind)) => rest = behind,
                None => return End::Later,
            },
            _ => {}
        }
        starts_word = sign.is_whitespace();
    }
    if depth == 0 { End::Here } else { End::Later }
}

#[cfg(test)]
mod tests {
    use super::{ends_where_it_ends, literal};

    // D-32
    #[test]
    fn a_literal_document_is_one_word() {
        let read =
            |text: &str| literal(text).and_then(Result::ok).map(|(text, after)| (text, after.to_owned()));
        let of = |text: &str| read(&format!("\"$(cat <<'EOF'\n{text}EOF\n)\" x")).map(|(text, _)| text);
        for text in [
            "fix(api): a\n\nb `c()` \"d\" (e)\n",
            "don't (a) won't\n",
            "it's `b()`\n",
            "🤖 Generated with [x](https://x)\n",
            "a # b's (c)\n",
            "\n",
            "$HOME $(id)\n",
            "",
        ] {
            assert_eq!(of(text).as_deref(), Some(text.trim_end_matches('\n')), "{text}");
            assert!(ends_where_it_ends(text, " x"), "{text}");
        }
        for text in ["a\r\n", "a\0b\n", "EOF\nb\n"] {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!(read("\"$(cat <<'E'\na\nE\n  )\"\nb"), Some(("a".to_owned(), "\nb".to_owned())));
        for text in [
            "\"$(cat <<'E'\na\nE)\"",
            "\"$(cat <<'E'\na\n E\n)\"",
            "\"$(cat <<'E'\na\nE\n)",
            "\"$(cat <<'E'\na\nE\nid)\"",
            "\"$(cat <<'E' x\na\nE\n)\"",
            "\"$(cat <<''\na\n\n)\"",
            "\"$(cat <<'E'\r\na\r\nE\r\n)\"",
            "\"$(cat <<'E'\na\nE",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        for text in [
            "\"$(cat <<E\na\nE\n)\"",
            "\"$(cat <<-'E'\na\nE\n)\"",
            "\"$(cat  <<'E'\n",
            "\"a $(cat <<'E'\n",
            "$(cat <<'E'\n",
        ] {
            assert_eq!(literal(text), None, "{text}");
        }
    }

    // D-32: bash 3.2, which no system of these tests has, looks for the bracket in the text
    #[test]
    fn a_bracket_that_may_end_it_to_an_old_bash_is_seen() {
        for text in [
            "a)\n",
            "a) b (c\n",
            "don't ( won't )\n",
            "(' (' ) )\n",
            "`a \" ` \" ) (`\n",
            "\\( )\n",
            "# (\n)\n",
        ] {
            assert!(!ends_where_it_ends(text, " x"), "{text}");
        }
        assert!(!ends_where_it_ends("it's\n", " && x 'y) z'"));
    }
}
