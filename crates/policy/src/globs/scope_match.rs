//! Whether a path lies in an owned scope. The grammar is on the crate page.
//!
//! Most patterns are literal, a subtree, or have a literal head; they are compared as text, and a glob is compiled
//! only when the head agrees with the path. Paths are compared as they are: case matters, but for what is
//! taken away on file systems that ignore it.

use std::sync::Arc;

use bailiwick_domain::{OwnedScope, RepoPath, ScopePattern};

mod listed;
mod spelling;

use crate::globs::glob::{Case, Kind, Pattern, Reading, Unit, pattern, spelled};
pub(crate) use listed::{Listed, Places};
pub(crate) use spelling::expand_braces;
use spelling::separated;

/// An owned scope, ready to be asked.
///
/// ```
/// use bailiwick_domain::{OwnedScope, RepoPath};
/// use bailiwick_policy::scope_match::ScopeMatcher;
/// let scope = OwnedScope::parse(["src/", "!**/*.test.ts"]).unwrap();
/// let matcher = ScopeMatcher::new(&scope).unwrap();
/// assert!(matcher.matches(&RepoPath::new("src/a.ts").unwrap()));
/// assert!(!matcher.matches(&RepoPath::new("src/a.test.ts").unwrap()));
/// assert!(!matcher.matches(&RepoPath::new("src2/a.ts").unwrap()));
/// ```
#[derive(Clone, Debug)]
pub struct ScopeMatcher {
    included: Vec<Rule>,
    excluded: Vec<Rule>,
    /// Whether there are patterns and none includes: then everything is included that is not excluded.
    all_but: bool,
}

/// What a list of patterns is for: where a pattern can be read in two ways, doubt never permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// It says what may be changed.
    Owns,
    /// It says what may not.
    TakesAway,
}

impl ScopeMatcher {
    /// Reads the patterns of what may be changed.
    ///
    /// # Errors
    /// Names the pattern that is not a glob.
    pub fn new(scope: &OwnedScope) -> Result<Self, String> {
        Self::read(scope, Purpose::Owns, Case::Counts)
    }

    /// Reads the patterns of what may not be changed, or read: `?` and `[…]` count by characters and by bytes.
    ///
    /// # Errors
    /// As for [`ScopeMatcher::new`].
    pub fn that_takes_away(scope: &OwnedScope) -> Result<Self, String> {
        Self::read(scope, Purpose::TakesAway, Case::Counts)
    }

    fn read(scope: &OwnedScope, purpose: Purpose, case: Case) -> Result<Self, String> {
        let (mut included, mut excluded) = (Vec::new(), Vec::new());
        for pattern in scope.patterns() {
            let rules = if pattern.is_exclusion() { &mut excluded } else { &mut included };
            rules.extend(rules_of(pattern, purpose, case)?);
        }
        Ok(Self::over(included, excluded))
    }

    fn over(included: Vec<Rule>, excluded: Vec<Rule>) -> Self {
        let all_but = included.is_empty() && !excluded.is_empty();
        Self { included, excluded, all_but }
    }

    /// Whether the path is in the scope. Exclusions win, whatever their place.
    pub fn matches(&self, path: &RepoPath) -> bool {
        let path = path.as_str();
        let included = self.all_but || self.included.iter().any(|rule| rule.matches(path));
        included && !self.excluded.iter().any(|rule| rule.matches(path))
    }

    /// Whether a pattern without any wildcard is exactly this path, and no exclusion takes it away: what a sensitive
    /// file asks for.
    pub fn names_literally(&self, path: &RepoPath) -> bool {
        let is_path = |rule: &Rule| matches!(rule, Rule::Bare(text) if text == path.as_str());
        self.matches(path) && self.included.iter().any(is_path)
    }
}

/// Patterns that are compared without case. What takes away is read so where the file system ignores case; otherwise
/// another spelling of the same file would come back in.
#[derive(Clone, Debug)]
pub struct CaselessMatcher(ScopeMatcher);

impl CaselessMatcher {
    /// Reads patterns of what may not be changed, or read.
    ///
    /// # Errors
    /// Names the pattern that is not a glob.
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a ScopePattern>) -> Result<Self, String> {
        Self::read(patterns, Purpose::TakesAway)
    }

    fn read<'a>(
        patterns: impl IntoIterator<Item = &'a ScopePattern>,
        purpose: Purpose,
    ) -> Result<Self, String> {
        let lower = |pattern: &ScopePattern| ScopePattern::new(&pattern.as_str().to_lowercase());
        let patterns: Result<Vec<_>, _> = patterns.into_iter().map(lower).collect();
        let scope =
            patterns.and_then(|patterns| OwnedScope::new(patterns, true)).map_err(|why| why.to_string())?;
        ScopeMatcher::read(&scope, purpose, Case::Folds).map(Self)
    }

    /// What the exclusions of a scope leave over; `None` when it has none.
    ///
    /// # Errors
    /// As for [`CaselessMatcher::new`].
    pub fn left_by_exclusions(scope: &OwnedScope) -> Result<Option<Self>, String> {
        let exclusions = || scope.patterns().iter().filter(|pattern| pattern.is_exclusion());
        if exclusions().next().is_none() {
            return Ok(None);
        }
        Self::read(exclusions(), Purpose::Owns).map(Some)
    }

    /// Whether the path is among them.
    pub fn matches(&self, path: &RepoPath) -> bool {
        RepoPath::new(&path.as_str().to_lowercase()).is_ok_and(|path| self.0.matches(&path))
    }
}

/// One pattern after its braces were expanded.
#[derive(Clone, Debug)]
enum Rule {
    /// The whole tree.
    All,
    /// This path and what is below it, written without a trailing slash.
    Bare(String),
    /// This path and what is below it, written with a trailing slash.
    Tree(String),
    /// What is below this path, not the path itself.
    Below(String),
    /// A glob; copies share what was compiled of it.
    Wild(Arc<Wild>),
}

#[derive(Clone, Debug)]
struct Wild {
    /// Whole literal segments before the first wildcard, with the final slash.
    head: String,
    patterns: Vec<Pattern>,
    /// Whether a match forbids: then it counts by bytes too, as to git, and where it cannot be compiled.
    forbids: bool,
    /// Whether what is below a match matches too.
    subtree: bool,
}

impl Rule {
    fn matches(&self, path: &str) -> bool {
        match self {
            Self::All => true,
            Self::Bare(text) | Self::Tree(text) => path == text || is_below(path, text),
            Self::Below(text) => is_below(path, text),
            Self::Wild(wild) => wild.matches(path),
        }
    }
}

impl Wild {
    fn matches(&self, path: &str) -> bool {
        if !path.starts_with(&self.head) {
            return false;
        }
        self.fits(path) || (self.subtree && ancestors(path).any(|above| self.fits(above)))
    }

    fn fits(&self, path: &str) -> bool {
        let fits =
            |unit| self.patterns.iter().any(|pattern| pattern.is_match(path, unit).unwrap_or(self.forbids));
        // Of plain ASCII both readings are the same.
        if path.is_ascii() {
            fits(Unit::Byte)
        } else {
            fits(Unit::Character) || self.forbids && fits(Unit::Byte)
        }
    }
}

/// The folders before the first wildcard or brace of a pattern.
pub fn literal_start(pattern: &ScopePattern) -> String {
    let glob = separated(pattern.glob(), true);
    let segments = glob.split('/');
    let literal = segments.take_while(|segment| is_literal(segment) && !segment.contains('{'));
    literal.map(unescaped).collect::<Vec<_>>().join("/")
}

fn is_below(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}

fn rules_of(pattern: &ScopePattern, purpose: Purpose, case: Case) -> Result<Vec<Rule>, String> {
    let is_exclusion = pattern.is_exclusion();
    let reader = Reader { case, forbids: is_exclusion == (purpose == Purpose::Owns) };
    let read = reader.read_pattern(pattern.glob(), is_exclusion);
    read.map_err(|why| format!("scope pattern `{pattern}` is not valid: {why}"))
}

/// How the patterns of one list are read.
#[derive(Clone, Copy)]
struct Reader {
    case: Case,
    /// Whether a match forbids.
    forbids: bool,
}

impl Reader {
    /// The rules of one pattern. An exclusion whose back-slashes can be read in two ways is read in both, so that
    /// doubt never widens a scope.
    fn read_pattern(self, glob: &str, exclusion: bool) -> Result<Vec<Rule>, String> {
        let escaped = separated(glob, true);
        let texts = expand_braces(&escaped)?;
        let mut rules =
            texts.iter().map(|text| self.read_alternative(text)).collect::<Result<Vec<_>, _>>()?;
        let plain = separated(glob, false);
        if exclusion && plain != escaped {
            let both = expand_braces(&plain)
                .and_then(|texts| texts.iter().map(|text| self.read_alternative(text)).collect());
            rules.extend(both.unwrap_or_else(|_: String| Vec::new()));
        }
        Ok(rules)
    }

    fn read_alternative(self, text: &str) -> Result<Rule, String> {
        let trailing = text.ends_with('/');
        let segments: Vec<&str> = text.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
        let Some(last) = segments.last() else { return Ok(Rule::All) };
        if segments.contains(&"..") {
            return Err("`..` is not allowed".to_owned());
        }
        let normal = segments.join("/");
        if normal == "**" {
            return Ok(Rule::All);
        }
        let below = normal.strip_suffix("/**").filter(|above| is_literal(above));
        if let (Some(above), false) = (below, trailing) {
            return Ok(Rule::Below(unescaped(above)));
        }
        if is_literal(&normal) {
            let path = unescaped(&normal);
            return Ok(if trailing { Rule::Tree(path) } else { Rule::Bare(path) });
        }
        let subtree = trailing || is_literal(last);
        let head =
            segments.iter().take_while(|segment| is_literal(segment)).map(|segment| unescaped(segment) + "/");
        let reading = Reading { of: Kind::Scope, case: self.case };
        let texts = spelled(&normal, reading)?.into_iter();
        let patterns = texts.map(|text| pattern(text, reading)).collect();
        Ok(Rule::Wild(Arc::new(Wild { head: head.collect(), patterns, forbids: self.forbids, subtree })))
    }
}

fn is_literal(text: &str) -> bool {
    let mut escaped = false;
    text.chars().all(|sign| {
        let wild = !escaped && matches!(sign, '*' | '?' | '[');
        escaped = !escaped && sign == '\\';
        !wild
    })
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        out.extend(if sign == '\\' { signs.next() } else { Some(sign) });
    }
    out
}
