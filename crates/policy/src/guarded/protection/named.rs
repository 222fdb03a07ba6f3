//! File patterns of searches that ask for secret files by name: `.env`, `*.pem`, `.e[n]v`, `{a,.env}`.
//!
//! A pattern that takes every name (`*`, `src/**`) asks for no secret by name; what such a search shows is no matter of
//! this module.

use bailiwick_domain::Settings;
use globset::GlobBuilder;

use super::{Name, configured, folded, secret, table};
use crate::globs::scope_match::expand_braces;

/// A pattern that is longer is not looked through.
const LONGEST: usize = 1024;

/// What stands for any name: patterns with letters of their own do not take it.
const STEM: &str = "§";

/// Classes and groups that some programs know and others take by letter.
const READ_OTHERWISE: &[&str] = &["[:", "[=", "[[.", "@(", "+(", "?(", "*(", "!("];

/// A secret name that the pattern asks for, if it asks for one. What cannot be understood asks for itself.
///
/// ```
/// use bailiwick_domain::Settings;
/// use bailiwick_policy::protection::secret_named_by;
/// assert_eq!(secret_named_by("*.{rs,env}", &Settings::default()).as_deref(), Some(".env"));
/// assert_eq!(secret_named_by("**/*.rs", &Settings::default()), None);
/// ```
pub fn secret_named_by(pattern: &str, settings: &Settings) -> Option<String> {
    if pattern.len() > LONGEST || READ_OTHERWISE.iter().any(|sign| pattern.contains(sign)) {
        return Some(table::SECRET.first().map_or_else(String::new, |name| (*name).to_owned()));
    }
    let parts = expand_braces(pattern).unwrap_or_else(|_| vec![pattern.replace(['{', '}'], ",")]);
    let names = parts.iter().flat_map(|part| part.split([',', ' ', '\t', '\n']));
    names.filter(|name| !name.is_empty() && !name.starts_with('!')).find_map(|name| of_one(name, settings))
}

fn of_one(pattern: &str, settings: &Settings) -> Option<String> {
    let pattern = pattern.to_lowercase();
    let literal = example(&pattern);
    let names = [Name::new(folded(&literal))];
    let is_secret = names.iter().any(|name| secret(name).is_some());
    if is_secret || configured(&settings.protect_read, &literal, &names).is_some() {
        return Some(literal);
    }
    let last = pattern.rsplit('/').next().unwrap_or(&pattern);
    if !last.starts_with('.') && !last.chars().any(char::is_alphanumeric) {
        return None;
    }
    let Ok(glob) = GlobBuilder::new(last).case_insensitive(true).build() else {
        return Some(table::SECRET.first().map_or_else(String::new, |name| (*name).to_owned()));
    };
    let glob = glob.compile_matcher();
    let single = table::SECRET.iter().filter(|row| !row.contains('/'));
    single.flat_map(|row| [row.replace('*', STEM), row.replace('*', "")]).find(|name| glob.is_match(name))
}

/// One name that the pattern takes: wildcards stand for `x`, a class for its first sign.
fn example(pattern: &str) -> String {
    let mut example = String::new();
    let mut signs = pattern.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '*' | '?' => {
                while signs.next_if(|next| matches!(next, '*' | '?')).is_some() {}
                example.push('x');
            }
            '[' => {
                let first = signs.find(|sign| !matches!(sign, '!' | '^'));
                example.extend(first.filter(|sign| *sign != ']'));
                while signs.next_if(|sign| *sign != ']').is_some() {}
                signs.next();
            }
            '\\' => example.extend(signs.next()),
            sign => example.push(sign),
        }
    }
    example
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::Settings;

    use super::{LONGEST, secret_named_by};

    // A14
    #[test]
    fn patterns_that_ask_for_secrets_are_told() {
        let settings = Settings { protect_read: vec!["customers/**".to_owned()], ..Settings::default() };
        for pattern in [
            ".env",
            ".ENV",
            "*.env",
            ".env*",
            ".e*",
            ".e[n]v",
            "[.]env",
            ".e?v",
            "{a,.env}",
            "*.{rs,pem}",
            ".*",
            "**/.env",
            "config/.env.local",
            "*.key",
            "server.pem",
            "id_rsa",
            "id_*",
            ".ssh/**",
            "**/.aws/credentials",
            "*.rs,.env",
            "*.rs .env",
            "\\.env",
            "*env",
            "customers/*.csv",
            "{",
            "{.env",
            "[[:alpha:]]x.rs",
            "x@(a|b).rs",
        ] {
            let named = secret_named_by(pattern, &settings);
            assert!(named.is_some() || pattern == "{", "{pattern}");
        }
    }

    // A14
    #[test]
    fn honest_patterns_stay_free() {
        for pattern in [
            "*.rs",
            "**/*.ts",
            "*.{ts,tsx}",
            "src/**",
            "*",
            "**",
            "*.*",
            "Cargo.toml",
            "*_test.go",
            "test_*",
            ".env.example",
            "*.config.js",
            "*config*",
            "!.env",
            "!*.pem",
            ".github/**",
            "Makefile",
            "*.md",
            "*.json",
            "docs/*.html",
        ] {
            assert_eq!(secret_named_by(pattern, &Settings::default()), None, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_is_too_long_to_be_looked_through_asks_for_secrets() {
        let longest = format!("{}.rs", "a".repeat(LONGEST - 3));
        assert_eq!(secret_named_by(&longest, &Settings::default()), None);
        assert!(secret_named_by(&format!("a{longest}"), &Settings::default()).is_some());
    }
}
