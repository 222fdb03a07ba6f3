//! Globs of paths, compiled and asked. What a pattern's signs mean is read in `signs`; what a match is good for, scopes
//! and ignore rules decide.
//!
//! `globset` matches bytes, as git does, so that its `?` is half of an `é`. The same glob read by characters is its
//! regular expression with every byte sequence put together again.

mod signs;

use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobSet};
use regex::{Regex, RegexBuilder};

use signs::literals;
pub(crate) use signs::{Case, Kind, Reading, class_length, spelled};

/// What one `?` of a pattern stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Byte,
    Character,
}

/// One glob, read and compiled in each reading when a text is asked about that holds what is literal in it.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    spelled: String,
    folds_case: bool,
    /// What every match holds, in this order; nothing where case counts for nothing.
    literals: Vec<String>,
    by_bytes: OnceLock<Option<GlobSet>>,
    by_characters: OnceLock<Option<Regex>>,
}

/// The pattern cannot be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooComplex;

impl Pattern {
    /// Whether the whole text has this form.
    pub(crate) fn is_match(&self, text: &str, unit: Unit) -> Result<bool, TooComplex> {
        if !self.may_match(text) {
            return Ok(false);
        }
        match unit {
            Unit::Byte => {
                let compiled = self.by_bytes.get_or_init(|| GlobSet::new([self.glob()?]).ok());
                compiled.as_ref().map(|glob| glob.is_match(text)).ok_or(TooComplex)
            }
            Unit::Character => {
                let compiled = self.by_characters.get_or_init(|| compiled(&self.glob()?));
                compiled.as_ref().map(|glob| glob.is_match(text)).ok_or(TooComplex)
            }
        }
    }

    fn glob(&self) -> Option<Glob> {
        let mut builder = GlobBuilder::new(&self.spelled);
        builder.literal_separator(true).backslash_escape(true).case_insensitive(self.folds_case);
        builder.build().ok()
    }

    /// Whether the text, or what it begins with, may have this form: told by what is literal in it.
    pub(crate) fn may_match(&self, text: &str) -> bool {
        let mut rest = Some(text);
        for literal in &self.literals {
            rest = rest.and_then(|rest| rest.split_once(literal.as_str())).map(|(_, behind)| behind);
        }
        rest.is_some()
    }
}

/// A glob as `signs` spells it, which the library always reads.
pub(crate) fn pattern(spelled: String, reading: Reading) -> Pattern {
    let folds_case = reading.case != Case::Counts;
    let literals = if folds_case { Vec::new() } else { literals(&spelled) };
    Pattern { spelled, folds_case, literals, by_bytes: OnceLock::new(), by_characters: OnceLock::new() }
}

fn compiled(glob: &Glob) -> Option<Regex> {
    RegexBuilder::new(&of_characters(glob.regex())?).dot_matches_new_line(true).build().ok()
}

/// A glob's expression over bytes as one over characters: each run of `\xc3\xa9` is an `é` again.
fn of_characters(expression: &str) -> Option<String> {
    let mut rest = expression.strip_prefix("(?-u)")?.chars();
    let mut out = String::from("(?u)");
    let mut bytes = Vec::new();
    while let Some(sign) = rest.next() {
        let escaped = if sign == '\\' { rest.next() } else { None };
        match escaped {
            Some('x') => {
                let digits = [rest.next()?, rest.next()?];
                bytes.push(u8::from_str_radix(&String::from_iter(digits), 16).ok()?);
                if let Ok(character) = std::str::from_utf8(&bytes) {
                    out.push_str(character);
                    bytes.clear();
                }
            }
            escaped => {
                out.push(sign);
                out.extend(escaped);
            }
        }
    }
    bytes.is_empty().then_some(out)
}

#[cfg(test)]
mod tests {
    use super::{Case, Kind, Pattern, Reading, Unit, literals, of_characters, spelled};

    const READING: Reading = Reading { of: Kind::Scope, case: Case::Counts };

    fn patterns(text: &str, reading: Reading) -> Vec<Pattern> {
        spelled(text, reading).unwrap().into_iter().map(|text| super::pattern(text, reading)).collect()
    }

    fn matches(pattern: &str, text: &str, unit: Unit) -> bool {
        patterns(pattern, READING).iter().any(|pattern| pattern.is_match(text, unit).unwrap())
    }

    #[test]
    fn wildcards_mean_what_gitignore_says() {
        for (pattern, text, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "a/b.rs", false),
            ("**/a", "a", true),
            ("**/a", "x/y/a", true),
            ("**/a", "xa", false),
            ("a/**", "a/b/c", true),
            ("a/**", "a", false),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("a/**/b", "axb", false),
            ("a/**/**/b", "a/x/y/b", true),
            ("a**b", "axyb", true),
            ("a**b", "a/b", false),
            ("?", "/", false),
            ("x[!a]y", "x/y", false),
            ("x[+-9]y", "x/y", false),
            ("x[+-9]y", "x.y", true),
            ("[!a]", "b", true),
            ("[!a]", "!", true),
            ("[]a]", "]", true),
            ("[a-c]", "b", true),
            ("[a-c-e]", "d", false),
            ("[a-c-e]", "-", true),
            ("[a-]", "-", true),
            ("[[:digit:]x]", "7", true),
            ("[[:digit:]x]", ":", false),
            ("[[a:]", ":", true),
            ("[x:a:]", "a", true),
            ("[]-a]", "]", true),
            ("[]-a]", "^", true),
            ("[]-a]", "_", true),
            (r"\*", "*", true),
            (r"[\]]", "]", true),
            (r"[\]]", "\\", false),
            (r"[\[-\]]", "\\", true),
            (r"[\!]", "!", true),
            (r"[\^a]", "^", true),
            ("[!!]", "!", false),
            ("*", "a\nb", true),
            ("**", "a\n/b", true),
        ] {
            assert_eq!(matches(pattern, text, Unit::Character), expected, "{pattern} {text}");
            assert_eq!(matches(pattern, text, Unit::Byte), expected, "{pattern} {text}");
        }
    }

    // A15, D-45: two stars go deep where they stand alone; behind the literal beginning of an ignored path also elsewhere
    #[test]
    fn stars_are_deep_where_git_says_so() {
        for (kind, pattern, expected) in [
            (Kind::Scope, "a/*/b", &["a/*/b"][..]),
            (Kind::Scope, "a/**/b", &["a/**/b"]),
            (Kind::Scope, "a/**/**/b", &["a/**/b"]),
            (Kind::Scope, "a/**/**", &["a/**/**"]),
            (Kind::Scope, "a/***/b", &["a/*/b"]),
            (Kind::Scope, r"a/**\/b", &["a/**/b"]),
            (Kind::Scope, "a/**", &["a/**"]),
            (Kind::Scope, "a**", &["a*"]),
            (Kind::Scope, "**b", &["*b"]),
            (Kind::Path, "a/*", &["a/*"]),
            (Kind::Path, "a/***/b", &["a/**/b"]),
            (Kind::Path, "a/**", &["a/**"]),
            (Kind::Path, "a**b", &["a*b"]),
            (Kind::Path, "a**", &["a*", "a*/**"]),
            (Kind::Path, "a**/b", &["ab", "a*/**/b"]),
            (Kind::Path, "a*b**", &["a*b*"]),
            (Kind::Path, "[a]", &["[\0a]"]),
        ] {
            let spelled = spelled(pattern, Reading { of: kind, case: Case::Counts }).unwrap();
            assert_eq!(spelled, expected, "{kind:?} {pattern}");
        }
    }

    // A15, D-45
    #[test]
    fn one_sign_is_a_character_or_a_byte() {
        for (pattern, text, by_character, by_byte) in [
            ("?", "\u{e9}", true, false),
            ("??", "\u{e9}", false, true),
            ("[\u{e9}]", "\u{e9}", true, false),
            ("[\u{e9}][\u{e9}]", "\u{e9}", false, true),
            ("[\u{e0}-\u{fc}]", "\u{e9}", true, false),
            ("[!a]", "\u{e9}", true, false),
            ("[!a]", "\u{10348}", true, false),
            ("*", "\u{e9}", true, true),
            ("a\u{e9}.x", "a\u{e9}.x", true, true),
        ] {
            assert_eq!(matches(pattern, text, Unit::Character), by_character, "{pattern} {text}");
            assert_eq!(matches(pattern, text, Unit::Byte), by_byte, "{pattern} {text}");
        }
    }

    // A15: git leaves out a capital that stands alone in a class, and keeps a range of them
    #[test]
    fn case_folds_in_classes_as_in_git() {
        for (class, text, case, expected) in [
            ("[A]", "a", Case::FoldsAsGit, false),
            ("[A]", "A", Case::FoldsAsGit, false),
            ("[A-C]", "b", Case::FoldsAsGit, true),
            ("[A]", "a", Case::Folds, true),
            ("[A]", "a", Case::Counts, false),
            ("[[:upper:]]", "a", Case::FoldsAsGit, true),
            ("[[:upper:]]", "a", Case::Folds, true),
            ("[[:upper:]]", "a", Case::Counts, false),
            ("[[:lower:]]", "A", Case::Folds, true),
            ("[[:lower:]]", "A", Case::Counts, false),
            ("[![:lower:]]", "A", Case::Folds, false),
        ] {
            for pattern in patterns(class, Reading { of: Kind::Name, case }) {
                assert_eq!(pattern.is_match(text, Unit::Byte), Ok(expected), "{class} {text} {case:?}");
            }
        }
    }

    #[test]
    fn named_classes_hold_what_the_standard_library_says() {
        type Holds = fn(&u8) -> bool;
        let classes: [(&str, Holds); 12] = [
            ("alnum", u8::is_ascii_alphanumeric),
            ("alpha", u8::is_ascii_alphabetic),
            ("lower", u8::is_ascii_lowercase),
            ("upper", u8::is_ascii_uppercase),
            ("digit", u8::is_ascii_digit),
            ("xdigit", u8::is_ascii_hexdigit),
            ("blank", |sign| matches!(sign, b' ' | b'\t')),
            ("space", |sign| matches!(sign, b' ' | b'\t'..=b'\r')),
            ("cntrl", u8::is_ascii_control),
            ("graph", u8::is_ascii_graphic),
            ("print", |sign| sign.is_ascii_graphic() || *sign == b' '),
            ("punct", u8::is_ascii_punctuation),
        ];
        for (name, holds) in classes {
            // No class holds a `/`, and no path a NUL.
            for sign in (1..128).filter(|sign| *sign != b'/') {
                let text = char::from(sign).to_string();
                let class = format!("[[:{name}:]]");
                assert_eq!(matches(&class, &text, Unit::Byte), holds(&sign), "{class} {text:?}");
            }
        }
    }

    #[test]
    fn every_class_can_be_compiled() {
        for class in [
            "[ab]",
            "[!a]",
            "[^b]",
            "[\u{e9}]",
            "[!\u{e9}]",
            "[\u{e0}-\u{fc}]",
            "[a-\u{e9}]",
            "[]a]",
            "[a-]",
            "[a-c-e]",
            "[[:alpha:]]",
            "[[:upper:]b]",
            "[![:lower:]]",
            "[[:punct:]]",
            "[\\]]",
            "[!-/]",
            "[+-9]",
            "[\\!a]",
            "[^^]",
            "[[:x]",
            "[A-\\]]",
            "[\\\\-a]",
            "[.-.]",
            "[/]",
            "[!/]",
            "[&&a]",
            "[+--b~~c]",
            "[[:cntrl:]]",
            "\u{17f}",
        ] {
            for case in [Case::Counts, Case::Folds, Case::FoldsAsGit] {
                for pattern in patterns(class, Reading { of: Kind::Name, case }) {
                    for unit in [Unit::Byte, Unit::Character] {
                        assert!(pattern.is_match("a&\u{17f}", unit).is_ok(), "{class} {case:?} {unit:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_pattern_is_an_error() {
        for pattern in ["[", "[a", "[]", "[!", "[a-", "[z-a]", "a\\", "[[:nothing:]]", "[[:alpha:"] {
            assert!(spelled(pattern, Reading { of: Kind::Path, case: Case::Counts }).is_err(), "{pattern}");
        }
    }

    #[test]
    fn every_expression_of_the_library_is_read_by_characters() {
        let reading = Reading { of: Kind::Name, case: Case::Folds };
        for text in ["**", "**/a", "a.\u{e9}-&&~#", "[a\u{e9}-\u{fc}]", r"\[\{\}\]", "*.\u{10348}"] {
            let glob = super::pattern(text.to_owned(), reading).glob().unwrap();
            assert!(
                of_characters(glob.regex()).is_some_and(|text| !text.contains("\\x")),
                "{}",
                glob.regex()
            );
        }
    }

    #[test]
    fn what_is_literal_is_looked_for_first() {
        for (spelled, expected) in [
            ("**/a.b/*c?", &["a.b", "c"][..]),
            (r"\*x\[", &["*x["]),
            ("a[]x]b[!\0-]c", &["a", "b", "c"]),
            ("[\0]]", &["]"]),
            ("**", &[]),
        ] {
            assert_eq!(literals(spelled), expected, "{spelled}");
        }
        let pattern = patterns("*a*b", READING).remove(0);
        assert!(!pattern.is_match("ba", Unit::Byte).unwrap() && pattern.by_bytes.get().is_none());
        assert!(pattern.is_match("ab", Unit::Byte).unwrap() && pattern.by_bytes.get().is_some());
    }

    // "Time": the time is bounded, whatever the pattern is
    #[test]
    fn many_stars_take_no_time() {
        let pattern = "*a".repeat(200) + "b";
        assert!(!matches(&pattern, &"a".repeat(2_000), Unit::Byte));
        assert!(!matches(&pattern, &"a".repeat(2_000), Unit::Character));
    }
}
