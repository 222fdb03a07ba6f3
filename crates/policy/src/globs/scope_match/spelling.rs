//! Back-slashes and braces of scope patterns. Knows nothing of matching.

use crate::globs::glob::class_length;

/// The most alternatives that the braces of one pattern may stand for.
const MOST: usize = 256;

/// The pattern with `/` as its only separator. With `escapes`, a back-slash before one of `! * ? [ ] { } ,`
/// takes that character's meaning away and stays; every other back-slash separates, and so does a doubled one.
pub(crate) fn separated(pattern: &str, escapes: bool) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut signs = pattern.chars().peekable();
    while let Some(sign) = signs.next() {
        if sign != '\\' {
            out.push(sign);
            continue;
        }
        match signs.peek() {
            Some('!' | '*' | '?' | '[' | ']' | '{' | '}' | ',') if escapes => {
                out.push('\\');
                out.extend(signs.next());
            }
            _ => out.push('/'),
        }
    }
    out
}

/// The patterns that the braces stand for: `{a,b}/c` is `a/c` and `b/c`; nested braces are fine.
///
/// # Errors
/// An unclosed or unopened brace, or too many alternatives.
pub(crate) fn expand_braces(pattern: &str) -> Result<Vec<String>, String> {
    if !pattern.contains(['{', '}']) {
        return Ok(vec![pattern.to_owned()]);
    }
    let mut parts = Parts { signs: pattern.chars().collect(), at: 0 };
    let all = parts.sequence(false)?;
    if parts.at < parts.signs.len() { Err("a `}` without its `{`".to_owned()) } else { Ok(all) }
}

struct Parts {
    signs: Vec<char>,
    at: usize,
}

impl Parts {
    /// Reads up to the end, or inside braces up to the `,` or `}` that ends the alternative.
    fn sequence(&mut self, inside: bool) -> Result<Vec<String>, String> {
        let mut all = vec![String::new()];
        while let Some(&sign) = self.signs.get(self.at) {
            match sign {
                '}' => return Ok(all),
                ',' if inside => return Ok(all),
                '{' => all = product(&all, &self.group()?)?,
                _ => {
                    let piece = self.piece(sign);
                    all.iter_mut().for_each(|text| text.push_str(&piece));
                }
            }
        }
        Ok(all)
    }

    fn group(&mut self) -> Result<Vec<String>, String> {
        let mut alternatives = Vec::new();
        loop {
            self.at += 1;
            alternatives.extend(self.sequence(true)?);
            match self.signs.get(self.at) {
                Some(',') => {}
                Some(_) => break,
                None => return Err("a `{` without its `}`".to_owned()),
            }
        }
        self.at += 1;
        Ok(alternatives)
    }

    /// One sign, with what belongs to it: an escaped sign, a whole class.
    fn piece(&mut self, sign: char) -> String {
        let start = self.at;
        self.at += match sign {
            '\\' => 2,
            '[' => class_length(&self.signs, self.at).unwrap_or(1),
            _ => 1,
        };
        self.signs.iter().take(self.at).skip(start).collect()
    }
}

fn product(heads: &[String], tails: &[String]) -> Result<Vec<String>, String> {
    if heads.len().saturating_mul(tails.len()) > MOST {
        return Err(format!("its braces stand for more than {MOST} patterns"));
    }
    Ok(heads.iter().flat_map(|head| tails.iter().map(move |tail| format!("{head}{tail}"))).collect())
}

#[cfg(test)]
mod tests {
    use super::{MOST, expand_braces};

    #[test]
    fn braces_in_brackets_are_signs() {
        for (pattern, expected) in [
            ("x[{,}]{a,b}", &["x[{,}]a", "x[{,}]b"][..]),
            ("{x[,],y}", &["x[,]", "y"]),
            // What is not closed is no class.
            ("x[{a,b}", &["x[a", "x[b"]),
        ] {
            assert_eq!(expand_braces(pattern).unwrap(), expected, "{pattern}");
        }
    }

    #[test]
    fn so_many_alternatives_are_spelled_out_and_no_more() {
        let most = "{a,b}".repeat(MOST.ilog2() as usize);
        assert_eq!(expand_braces(&most).unwrap().len(), MOST);
        assert!(expand_braces(&(most + "{a,b}")).is_err());
    }
}
