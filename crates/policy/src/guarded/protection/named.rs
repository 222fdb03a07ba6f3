//! File patterns of searches that ask for secret files by name: `.env`, `*.pem`, `.e[n]v`, `{a,.env}`.
//!
//! A pattern that takes every name (`*`, `src/**`) asks for no secret by name; what such a search shows is no matter of
//! this module.

use bailiwick_domain::Settings;
use globset::{Glob, GlobBuilder, GlobMatcher};

use super::{Name, configured, folded, secret, table};
use crate::globs::scope_match::expand_braces;

/// A pattern that is longer is not looked through.
const LONGEST: usize = 1024;

/// What stands for any name: patterns with letters of their own do not take it.
const STEM: &str = "§";

/// A sign of a name that no pattern spells out. It is one byte, as `?` takes one.
const ANY: char = '\u{7f}';

/// Names of `.env.*` that tools give a meaning. A pattern over endings takes them without saying `env`.
#[rustfmt::skip]
const STAGES: &[&str] = &[
    ".env.local", ".env.development", ".env.development.local", ".env.production", ".env.production.local", ".env.staging",
    ".env.preview", ".env.dev", ".env.prod", ".env.qa", ".env.uat", ".env.secret", ".env.secrets", ".env.vault", ".env.keys",
];

/// Classes and groups that some programs know and others take by letter.
const READ_OTHERWISE: &[&str] = &["[:", "[=", "@(", "+(", "?(", "*(", "!("];

/// What begins and ends a sign by its name, as in `[[.hyphen.]]`. The folder `[[...slug]]` of a web application has no such end.
const BY_NAME: (&str, &str) = ("[[.", ".]");

/// A secret name that the pattern asks for, if it asks for one. What cannot be understood asks for itself.
///
/// ```
/// use bailiwick_domain::Settings;
/// use bailiwick_policy::protection::secret_named_by;
/// assert_eq!(secret_named_by("*.{rs,env}", &Settings::default()).as_deref(), Some(".env"));
/// assert_eq!(secret_named_by("**/*.rs", &Settings::default()), None);
/// ```
pub fn secret_named_by(pattern: &str, settings: &Settings) -> Option<String> {
    let names_signs = pattern.split_once(BY_NAME.0).is_some_and(|(_, behind)| behind.contains(BY_NAME.1));
    if pattern.len() > LONGEST || names_signs || READ_OTHERWISE.iter().any(|sign| pattern.contains(sign)) {
        return first_of_all();
    }
    // A closing brace that is left over makes a pattern that cannot be understood, and such a one asks for secrets.
    let parts = expand_braces(pattern).unwrap_or_else(|_| vec![pattern.replace('{', ",")]);
    let names = parts.iter().flat_map(|part| part.split([',', ' ', '\t', '\n']));
    names
        .filter(|name| !name.is_empty() && !name.starts_with('!'))
        .find_map(|name| of_one(name, settings))
        .map(|name| name.replace(STEM, "*"))
}

/// A guarded name that the pattern asks for, if it asks for one, with what is in its folder. What cannot be understood asks for
/// one.
///
/// ```
/// use bailiwick_domain::Settings;
/// use bailiwick_policy::protection::guarded_named_by;
/// assert!(guarded_named_by(".orch*/*.yaml", &Settings::default()).is_some());
/// assert_eq!(guarded_named_by("**/*.md", &Settings::default()), None);
/// ```
pub fn guarded_named_by(pattern: &str, settings: &Settings) -> Option<String> {
    let Ok(parts) = expand_braces(pattern) else { return Some(pattern.to_owned()) };
    parts.into_iter().find(|part| asks_for_a_guarded(&part.to_lowercase(), settings))
}

fn asks_for_a_guarded(pattern: &str, settings: &Settings) -> bool {
    let literal = example(pattern);
    if configured(&settings.protect_write, &literal, &[Name::new(folded(&literal))]).is_some() {
        return true;
    }
    let segments = pattern.split('/').filter(|segment| !matches!(*segment, "" | "."));
    let Some(segments) = segments.map(Segment::new).collect::<Option<Vec<_>>>() else { return true };
    let starts = (0..segments.len()).filter_map(|at| segments.get(at..)).collect::<Vec<_>>();
    let rows = || table::PROTECTED.iter().chain(table::SENSITIVE);
    starts.iter().any(|segments| rows().any(|row| asks_for(segments, row)))
}

/// One segment of a pattern; `**` stands for any number of them.
struct Segment(Option<Takes>);

impl Segment {
    fn new(text: &str) -> Option<Self> {
        if text == "**" { Some(Self(None)) } else { Takes::new(text).map(|takes| Self(Some(takes))) }
    }

    fn takes(&self, name: &str) -> bool {
        self.0.as_ref().is_none_or(|takes| takes.no_others_than(name, &[]))
    }

    /// Whether it asks for that name in particular.
    fn asks_for(&self, name: &str) -> bool {
        let mut others = vec![whole(name), format!("{ANY}{}", dotted(name))];
        let stem = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
        others.extend(stem.map(|(stem, ending)| format!("{}.{ending}", whole(stem))));
        self.0.as_ref().is_some_and(|takes| takes.no_others_than(name, &others))
    }
}

fn asks_for(segments: &[Segment], row: &str) -> bool {
    let names: Vec<String> = row.split('/').map(|name| name.replace('*', STEM)).collect();
    let [head, names @ ..] = names.as_slice() else { return false };
    let [first, segments @ ..] = segments else { return false };
    // Behind `**` anything may stand.
    let clear = segments.iter().position(|segment| segment.0.is_none()).unwrap_or(segments.len());
    let segments = segments.get(..clear).unwrap_or_default();
    let all = format!("{STEM}{STEM}");
    // What holds a guarded file is guarded, and so is all below of a guarded folder.
    let ends = names.iter().position(|name| *name == all);
    let is_long_enough = segments.len() <= names.len() || ends.is_some();
    let mut rest = segments.iter().zip(names.get(..ends.unwrap_or(names.len())).unwrap_or_default());
    first.asks_for(head) && is_long_enough && rest.all(|(segment, name)| segment.takes(name))
}

/// Why a file pattern cannot be used, if it cannot: no program finds a file by it.
///
/// ```
/// use bailiwick_policy::protection::unusable;
/// assert!(unusable("[").is_some());
/// assert_eq!(unusable("*.{rs,toml}"), None);
/// ```
pub fn unusable(pattern: &str) -> Option<String> {
    if pattern.len() > LONGEST {
        return None;
    }
    let parts = expand_braces(pattern).unwrap_or_default();
    let why = parts.iter().find_map(|part| Takes::glob(part).err())?;
    Some(format!("`{}` is no file pattern: {}", pattern.escape_debug(), why.kind()))
}

/// The secret name that stands for what cannot be understood.
fn first_of_all() -> Option<String> {
    Some(table::SECRET.first().map_or_else(String::new, |name| (*name).to_owned()))
}

fn of_one(pattern: &str, settings: &Settings) -> Option<String> {
    let pattern = pattern.to_lowercase();
    let literal = example(&pattern);
    let names = [Name::new(folded(&literal))];
    let is_secret = names.iter().any(|name| secret(name).is_some());
    if is_secret || configured(&settings.protect_read, &literal, &names).is_some() {
        return Some(literal);
    }
    let (single, in_folders): (Vec<&str>, Vec<&str>) =
        table::SECRET.iter().partition(|row| !row.contains('/'));
    let last = pattern.rsplit('/').next().unwrap_or(&pattern);
    let Some(takes) = Takes::new(last) else { return first_of_all() };
    let stages = if last.contains('.') { STAGES } else { &[] };
    let rows = single.iter().flat_map(|row| [row.replace('*', STEM), row.replace('*', "")]);
    let mut names = rows.chain(stages.iter().map(ToString::to_string));
    let is_named =
        |name: &String| takes.no_others_than(name, &[whole(name), format!("{ANY}{}", dotted(name))]);
    let of_last = example(last);
    names
        .find(is_named)
        .or_else(|| single.iter().find_map(|row| grafted(row, &of_last, &takes)))
        .or_else(|| with_its_folder(&pattern, &in_folders))
}

/// The name of a row that only a pattern with letters of its own takes, and no others of that form: `key.pe?` is `key.pem`.
fn grafted(row: &str, example: &str, takes: &Takes) -> Option<String> {
    let (before, behind) = row.split_once('*')?;
    let spare = example.chars().count().checked_sub(before.chars().count() + behind.chars().count())?;
    let stem: String = example.chars().skip(before.chars().count()).take(spare).collect();
    let with = |form: fn(&str) -> String| format!("{}{stem}{}", form(before), form(behind));
    let name = with(str::to_owned);
    let is_asked = takes.no_others_than(&name, &[with(whole), with(dotted)]);
    (is_asked && secret(&Name::new(folded(&name))).is_some()).then_some(name)
}

/// The name that a pattern asks for together with its folder: `.aws/cred*`. One that takes the name in any other folder, too,
/// such as `**/*.json`, asks for none.
fn with_its_folder(pattern: &str, rows: &[&str]) -> Option<String> {
    let below = pattern.trim_start_matches("./").trim_start_matches('/');
    let behind = |count: usize| below.rmatch_indices('/').nth(count).and_then(|(at, _)| below.get(at + 1..));
    let parts = [Some(below), behind(1), behind(2)].into_iter().flatten().filter(|part| part.contains('/'));
    let Some(all) = parts.map(Takes::new).collect::<Option<Vec<_>>>() else { return first_of_all() };
    rows.iter().map(|row| row.replace("**", STEM)).find(|name| {
        let (folder, file) = name.rsplit_once('/').unwrap_or_default();
        let elsewhere = [format!("{}/{file}", whole(folder))];
        all.iter().any(|takes| takes.no_others_than(name, &elsewhere))
    })
}

/// Letters and dots of a name as any sign, so that a pattern which takes it asks for no name in particular.
fn whole(name: &str) -> String {
    name.chars().map(|sign| if sign == '/' { sign } else { ANY }).collect()
}

/// The same with its dots.
fn dotted(name: &str) -> String {
    name.chars().map(|sign| if sign == '.' { sign } else { ANY }).collect()
}

/// The names that a pattern takes.
struct Takes(GlobMatcher);

impl Takes {
    fn new(pattern: &str) -> Option<Self> {
        Some(Self(Self::glob(pattern).ok()?.compile_matcher()))
    }

    fn glob(pattern: &str) -> Result<Glob, globset::Error> {
        let mut glob = GlobBuilder::new(pattern);
        glob.case_insensitive(true).literal_separator(true).backslash_escape(true);
        glob.build()
    }

    fn no_others_than(&self, name: &str, others: &[String]) -> bool {
        self.0.is_match(name) && !others.iter().any(|other| self.0.is_match(other))
    }
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

    use super::{LONGEST, guarded_named_by, secret_named_by, unusable};

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
            "[[.i.]]d_rsa",
            "src/[[.hyphen.]]x",
            "x@(a|b).rs",
            "[.]???",
            "[.]*",
            "\\.???",
            "src/[.]*",
            ".aws/cred*",
            "home/.aws/cred*",
            ".kube/con*",
            ".docker/config.j*",
            ".ss?/*",
            "key.pe?",
            "certs/ke*.pe?",
            "k?y.p[a-e]m",
            "id_rs?.bak",
            "*.local",
            "**/*.production",
            "*.loca?",
            "*.l*",
            "*.{rs,staging}",
            ".en?.local",
            "**/.ss[h]/**",
            ".{e,1,2,3,4,5,6}{n,1,2,3,4,5,6}{v,1,2,3,4,5,6}",
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
            "app/[id]/page.tsx",
            "app/[...all]/page.tsx",
            "app/[[...slug]]/page.tsx",
            "app/[[...slug]]/*.tsx",
            "????",
            "**/*.???",
            "config/*.json",
            "**/config",
            "*/*",
            "src/**/*.{ts,tsx}",
            "key.???",
            "test_?.py",
            "id_?.txt",
            "p*.m?",
            "*product*",
            "*.test.ts",
            "*.test*",
            "*.d.ts",
            "*.proto",
            "local*",
        ] {
            assert_eq!(secret_named_by(pattern, &Settings::default()), None, "{pattern}");
        }
    }

    // A8
    #[test]
    fn patterns_that_ask_for_guarded_files_are_told() {
        let settings = Settings { protect_write: vec!["infra/**".to_owned()], ..Settings::default() };
        for pattern in [
            ".orchestratio[n]/*.yaml",
            ".orch*/*",
            "?orchestration/*.yaml",
            "[.]orchestration",
            "./.Orch*/**/*.yaml",
            "{src,.orchestratio?}/*.yaml",
            "CLAUD?.md",
            "sub/AGENT*.md",
            ".git*b/workflows/*.yml",
            ".claude/sett*.json",
            ".github/*.md",
            ".claude/**/settings.json",
            "infra/*.tf",
            "inf\\ra/*.tf",
        ] {
            assert!(guarded_named_by(pattern, &settings).is_some(), "{pattern}");
        }
        for pattern in [
            "**/*.ts",
            "*.md",
            "src/**/*.{ts,tsx}",
            "test/**/*.@(spec|test).js",
            "*/*.json",
            ".github/*.png",
            "docs/*-guide.md",
            "*.config.js",
        ] {
            assert_eq!(guarded_named_by(pattern, &settings), None, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_is_too_long_to_be_looked_through_asks_for_secrets() {
        let longest = format!("{}.rs", "a".repeat(LONGEST - 3));
        assert_eq!(secret_named_by(&longest, &Settings::default()), None);
        let asked = secret_named_by(&format!("a{longest}"), &Settings::default());
        assert_eq!(asked.as_deref(), Some(".env"));
    }

    // A14: what is asked for is named by an example
    #[test]
    fn one_name_that_a_pattern_takes_stands_for_it() {
        let settings = Settings { protect_read: vec!["customers/**".to_owned()], ..Settings::default() };
        for (pattern, expected) in [
            ("customers/*.csv", "customers/x.csv"),
            ("customers/[!a]*b", "customers/axb"),
            (r"customers/\*", "customers/*"),
            ("certs/ke*.pe?", "kex.pem"),
            ("k?y.p[a-e]m", "kxy.pem"),
        ] {
            assert_eq!(secret_named_by(pattern, &settings).as_deref(), Some(expected), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_is_too_long_to_be_looked_through_is_not_complained_about() {
        let longest = "[".repeat(LONGEST);
        assert!(unusable(&longest).is_some());
        assert_eq!(unusable(&format!("{longest}[")), None);
    }

    #[test]
    fn alternatives_that_are_too_many_to_be_looked_at_ask_for_secrets_and_an_open_brace_does_not() {
        let named = |pattern: &str| secret_named_by(pattern, &Settings::default());
        assert_eq!(named(&format!("{{{}}}.rs", vec!["a"; 200].join(","))), None);
        assert_eq!(named(&format!("{{{}}}.rs", vec!["a"; 300].join(","))).as_deref(), Some(".env"));
        assert_eq!(named("src{a.rs"), None);
    }
}
