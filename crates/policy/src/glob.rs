//! Globs of paths, compiled and asked. What a pattern's signs mean is read in `signs`; what a match is good for, scopes
//! and ignore rules decide.
//!
//! `globset` matches bytes, as git does, so that its `?` is half of an `é`. The same glob read by characters is its
//! regular expression with every byte sequence put together again.

mod signs;

use std::path::Path;
use std::sync::OnceLock;

use globset::{Candidate, Glob, GlobBuilder, GlobSet};
use regex::{RegexSet, RegexSetBuilder};

pub(crate) use signs::{Case, Kind, Reading, class_length, spelled};

/// What one `?` of a pattern stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Byte,
    Character,
}

/// Globs that are asked together, each compiled when it is first needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globs {
    globs: Vec<Glob>,
    by_bytes: OnceLock<Option<GlobSet>>,
    by_characters: OnceLock<Option<RegexSet>>,
}

/// The set cannot be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooComplex;

impl Globs {
    pub(crate) fn new(globs: Vec<Glob>) -> Self {
        Self { globs, ..Self::default() }
    }

    /// Which of them the whole text has the form of, in their order.
    pub(crate) fn matching(&self, text: &str, unit: Unit) -> Result<Vec<usize>, TooComplex> {
        match unit {
            Unit::Byte => {
                let set = self.by_bytes.get_or_init(|| GlobSet::new(&self.globs).ok());
                Ok(set.as_ref().ok_or(TooComplex)?.matches_candidate(&Candidate::new(Path::new(text))))
            }
            Unit::Character => {
                let set = self.by_characters.get_or_init(|| compiled(&self.globs));
                Ok(set.as_ref().ok_or(TooComplex)?.matches(text).into_iter().collect())
            }
        }
    }

    /// Whether the whole text has the form of one of them.
    pub(crate) fn is_match(&self, text: &str, unit: Unit) -> Result<bool, TooComplex> {
        self.matching(text, unit).map(|found| !found.is_empty())
    }
}

/// A glob as `signs` spells it.
pub(crate) fn glob(spelled: &str, reading: Reading) -> Result<Glob, String> {
    let mut builder = GlobBuilder::new(spelled);
    builder.literal_separator(true).backslash_escape(true).case_insensitive(reading.case != Case::Counts);
    builder.build().map_err(|error| error.kind().to_string())
}

fn compiled(globs: &[Glob]) -> Option<RegexSet> {
    let expressions: Option<Vec<String>> = globs.iter().map(|glob| of_characters(glob.regex())).collect();
    RegexSetBuilder::new(expressions?).dot_matches_new_line(true).build().ok()
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
    use super::{Case, Globs, Kind, Reading, Unit, glob, of_characters, spelled};

    fn matches(pattern: &str, text: &str, unit: Unit) -> bool {
        let reading = Reading { of: Kind::Scope, case: Case::Counts };
        let globs =
            spelled(pattern, reading).unwrap().iter().map(|text| glob(text, reading).unwrap()).collect();
        Globs::new(globs).is_match(text, unit).unwrap()
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
            ("[]a]", "]", true),
            ("[a-c]", "b", true),
            ("[a-c-e]", "d", false),
            ("[a-c-e]", "-", true),
            ("[a-]", "-", true),
            ("[[:digit:]x]", "7", true),
            ("[[:digit:]x]", ":", false),
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
                let reading = Reading { of: Kind::Name, case };
                let globs = spelled(class, reading)
                    .unwrap()
                    .iter()
                    .map(|text| glob(text, reading).unwrap())
                    .collect();
                let globs = Globs::new(globs);
                for unit in [Unit::Byte, Unit::Character] {
                    assert!(
                        globs.is_match("a", unit).is_ok(),
                        "{class} {case:?} {unit:?} {:?}",
                        globs.globs[0].regex()
                    );
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
            let glob = glob(text, reading).unwrap();
            assert!(
                of_characters(glob.regex()).is_some_and(|text| !text.contains("\\x")),
                "{}",
                glob.regex()
            );
        }
    }

    // "Time": the time is bounded, whatever the pattern is
    #[test]
    fn many_stars_take_no_time() {
        let pattern = "*a".repeat(200) + "b";
        assert!(!matches(&pattern, &"a".repeat(2_000), Unit::Byte));
        assert!(!matches(&pattern, &"a".repeat(2_000), Unit::Character));
    }
}
