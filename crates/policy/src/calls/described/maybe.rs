//! Texts of a call that may be paths: no name and no format says so, and what is there tells.
//!
//! Deliberately absent: looking at what is there (the gate), and what follows for a path.

use bailiwick_domain::{Location, SEPARATORS};

use super::{LONGEST, has_ending, has_scheme, is_plainly};
use crate::calls::terms::Candidate;

/// What is known of the place to which a text leads that is taken for a path.
#[derive(Clone, Copy, Debug)]
pub struct Led<'a> {
    /// Where it is.
    pub location: &'a Location,
    /// Whether it is protected, secret or hidden.
    pub is_guarded: bool,
    /// Whether something is there.
    pub is_there: bool,
    /// Whether the folder is there in which it is.
    pub folder_is_there: bool,
}

impl Candidate {
    /// The paths that programs make of the text: as it stands, and with `..` taken out before anything is looked up.
    ///
    /// ```
    /// use bailiwick_policy::Candidate;
    /// let text = "@x/../.env".to_owned();
    /// assert_eq!(Candidate { text, named: false, is_content: false }.spellings(), ["@x/../.env", ".env"]);
    /// ```
    pub fn spellings(&self) -> Vec<String> {
        let text = self.text.as_str();
        let plain = lexical(text);
        let is_nothing = plain == "/" || (plain.is_empty() && (!self.named || text.trim().is_empty()));
        if is_nothing || plain.len() > LONGEST || (has_scheme(text) && !goes_up(text)) {
            return Vec::new();
        }
        if plain.is_empty() {
            return vec![text.to_owned()];
        }
        match goes_up(text) && text.len() <= LONGEST {
            true => vec![text.to_owned(), plain],
            false if text.trim() == text && text.len() <= LONGEST => vec![text.to_owned()],
            false => vec![plain],
        }
    }

    /// Whether a text without a folder or an ending is passed over unless what it names is guarded.
    pub fn looks(&self) -> bool {
        self.text.contains(['/', '\\']) || has_ending(&self.text) || self.text == "."
    }

    /// Whether the text counts as a path, as `spelling` leads to that place. Where a person is asked, the question shows all
    /// texts; where nobody is, doubt makes a path. Content may name an open file while a change is asked about.
    pub fn counts(&self, spelling: &str, reading: bool, led: &Led<'_>) -> bool {
        let is_prose = spelling.contains(char::is_whitespace);
        let looks = self.looks() && (reading || !self.is_content);
        match led.location {
            Location::Inside(_) => {
                let new = self.named && !is_prose && spelling.contains(SEPARATORS) && led.folder_is_there;
                (led.is_guarded && (!is_prose || led.folder_is_there)) || (looks && (led.is_there || new))
            }
            Location::Root => looks,
            Location::Outside(_) => led.is_guarded || (reading && looks && led.is_there),
            Location::Invalid(_) => reading && is_plainly(spelling),
            Location::Scratch(_) | Location::ReadRoot(_) => false,
        }
    }
}

/// Whether a part of the text is `..`.
fn goes_up(text: &str) -> bool {
    text.split(SEPARATORS).any(|part| part.trim() == "..")
}

/// The text as a path without `.` and `..`, and without white space around it.
pub(super) fn lexical(text: &str) -> String {
    let text = text.trim();
    let is_rooted = text.starts_with(SEPARATORS);
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split(SEPARATORS) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if is_rooted => {}
            part => parts.push(part),
        }
    }
    let head = if is_rooted { "/" } else { "" };
    format!("{head}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::{RepoPath, WorkspacePath};

    use super::*;

    fn candidate(text: &str, named: bool) -> Candidate {
        Candidate { text: text.to_owned(), named, is_content: false }
    }

    fn inside(path: &str) -> Location {
        let path = RepoPath::new(path).unwrap();
        Location::Inside(WorkspacePath { folded: path.to_string(), path, spelled: None })
    }

    #[test]
    fn what_goes_up_is_followed_in_both_ways() {
        for (text, plain) in [
            ("/repo/my dir/../.env", "/repo/.env"),
            ("a/./b/../../../c", "../c"),
            ("https://a/../../.env", ".env"),
            ("/../etc", "/etc"),
        ] {
            assert_eq!(candidate(text, false).spellings().last().unwrap(), plain);
        }
        assert_eq!(candidate(" .env\n", false).spellings(), [".env"]);
        assert_eq!(candidate(&format!("{}.env", "a/../".repeat(2000)), false).spellings(), [".env"]);
        for text in ["", "/", "./", "https://a/.env", "x/.."] {
            let spellings = candidate(text, false).spellings();
            assert!(spellings.is_empty(), "{text}: {spellings:?}");
        }
    }

    #[test]
    fn what_does_not_go_up_stays_as_it_stands_while_it_is_no_longer_than_a_path() {
        for text in ["./a", "a//b", &"a".repeat(LONGEST)] {
            assert_eq!(candidate(text, false).spellings(), [text]);
        }
        assert!(candidate(&"a".repeat(LONGEST + 1), false).spellings().is_empty());
    }

    #[test]
    fn a_text_counts_where_something_is_there_or_guarded() {
        let counts = |text: &str, named, is_guarded, is_there, folder_is_there| {
            let location = inside("x");
            let led = Led { location: &location, is_guarded, is_there, folder_is_there };
            candidate(text, named).counts(text, false, &led)
        };
        assert!(counts(".env", false, true, false, true));
        assert!(counts("id_rsa", false, true, false, true));
        assert!(counts("config/.env", false, true, false, false), "no prose");
        assert!(counts("my config/.env", false, true, false, true));
        assert!(!counts("say it in config/.env", false, true, false, false), "no such folder");
        assert!(counts("src/a", false, false, true, true));
        assert!(!counts("src", false, false, true, true), "a word");
        assert!(!counts("src/new", false, false, false, true));
        assert!(counts("src/new", true, false, false, true));
        assert!(!counts("new.rs", true, false, false, true));
        assert!(!counts("docs/guide: a text", true, false, false, true));
    }

    #[test]
    fn content_keeps_a_change_from_what_is_guarded_alone() {
        let content = Candidate { is_content: true, ..candidate("src/a", true) };
        let counts = |location: &Location, reading, is_guarded| {
            let led = Led { location, is_guarded, is_there: true, folder_is_there: true };
            content.counts("src/a", reading, &led)
        };
        let outside = Location::Outside("/src/a".to_owned());
        assert!(!counts(&inside("src/a"), false, false) && counts(&inside("src/a"), false, true));
        assert!(counts(&inside("src/a"), true, false) && counts(&outside, true, false));
        assert!(!counts(&Location::Root, false, false) && counts(&Location::Root, true, false));
        assert!(!counts(&outside, false, false) && counts(&outside, false, true));
    }

    #[test]
    fn what_leads_out_counts_where_nobody_is_asked() {
        let counts = |path: &str, reading, is_guarded, is_there| {
            let location = Location::Outside(path.to_owned());
            let led = Led { location: &location, is_guarded, is_there, folder_is_there: true };
            candidate(path, false).counts(path, reading, &led)
        };
        assert!(counts("/etc/passwd", true, false, true));
        assert!(!counts("/api/login", true, false, false));
        assert!(!counts("/usr/bin/env", false, false, true));
        assert!(counts("/elsewhere/.ssh/id_rsa", false, true, false));
    }

    #[test]
    fn what_is_no_usable_path_counts_where_nobody_is_asked_and_it_looks_like_one() {
        let counts = |text: &str, reading| {
            let location = Location::Invalid("a NUL".to_owned());
            let led = Led { location: &location, is_guarded: false, is_there: false, folder_is_there: false };
            candidate(text, false).counts(text, reading, &led)
        };
        assert!(counts("/etc/pass\0wd", true));
        assert!(!counts("/etc/pass\0wd", false));
        assert!(!counts("a word\0 or two", true));
    }
}
