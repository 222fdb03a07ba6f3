//! The owned scope of an intent: which paths it may change, as patterns. Matching lives in `bailiwick-policy`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

/// One pattern of an owned scope, such as `src/auth/**`, `src/utils/` or `!**/*.test.ts`.
///
/// A trailing slash or a bare directory name means the whole subtree; `!` excludes; `\!` is a literal `!`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ScopePattern(String);

/// Why a text is not a scope pattern or a list of patterns not an owned scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScopeError {
    /// Nothing but blanks.
    #[error("scope pattern is empty")]
    Empty,
    /// Starts with `/` or a drive letter.
    #[error("scope pattern `{0}` is absolute: write it relative to the repository's root")]
    Absolute(String),
    /// Has a `..` segment.
    #[error("scope pattern `{0}` has `..`: write it from the repository's root")]
    Parent(String),
    /// Only exclusions, which would own everything else.
    #[error("scope has only exclusions: add a pattern that includes, or set `allow_broad: true`")]
    OnlyExclusions,
}

impl ScopePattern {
    /// Checks one pattern; back-slashes that separate become `/`, blanks around it are dropped, and so is a
    /// leading `./`, whose rest includes even when it starts with `!`.
    pub fn new(text: &str) -> Result<Self, ScopeError> {
        let trimmed = text.trim();
        let body = trimmed.strip_prefix('!').unwrap_or(trimmed);
        let mut below = body;
        while let Some(rest) = below.strip_prefix("./") {
            below = rest.trim_start();
        }
        let is_hidden_bang =
            below.len() < body.len() && below.starts_with('!') && body.len() == trimmed.len();
        let body = below;
        if body.is_empty() {
            return Err(ScopeError::Empty);
        }
        if body.starts_with('/') || body.as_bytes().get(1) == Some(&b':') {
            return Err(ScopeError::Absolute(trimmed.to_owned()));
        }
        if body.split(['/', '\\']).any(|segment| segment == "..") {
            return Err(ScopeError::Parent(trimmed.to_owned()));
        }
        let mut normal = String::with_capacity(trimmed.len());
        if trimmed.starts_with('!') {
            normal.push('!');
        }
        if is_hidden_bang {
            normal.push('\\');
        }
        normal.push_str(body);
        Ok(Self(normal))
    }

    /// The pattern as written, `!` included.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it takes paths out.
    pub fn is_exclusion(&self) -> bool {
        self.0.starts_with('!')
    }

    /// The glob without the leading `!`.
    pub fn glob(&self) -> &str {
        self.0.strip_prefix('!').unwrap_or(&self.0)
    }
}

impl fmt::Display for ScopePattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl TryFrom<String> for ScopePattern {
    type Error = ScopeError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text)
    }
}

impl From<ScopePattern> for String {
    fn from(pattern: ScopePattern) -> Self {
        pattern.0
    }
}

/// The patterns of an intent in their order; exclusions win over inclusions. Empty owns nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OwnedScope(Vec<ScopePattern>);

impl OwnedScope {
    /// A scope from patterns that were checked one by one.
    ///
    /// # Errors
    /// [`ScopeError::OnlyExclusions`] when no pattern includes anything and `allow_broad` is false.
    pub fn new(patterns: Vec<ScopePattern>, allow_broad: bool) -> Result<Self, ScopeError> {
        if !allow_broad && !patterns.is_empty() && patterns.iter().all(ScopePattern::is_exclusion) {
            return Err(ScopeError::OnlyExclusions);
        }
        Ok(Self(patterns))
    }

    /// A scope from texts, for tests and for commands that a human types.
    ///
    /// ```
    /// use bailiwick_domain::OwnedScope;
    /// assert!(OwnedScope::parse(["src/auth/**", "!src/auth/legacy/**"]).is_ok());
    /// assert!(OwnedScope::parse(["!src/**"]).is_err());
    /// ```
    pub fn parse<'a>(patterns: impl IntoIterator<Item = &'a str>) -> Result<Self, ScopeError> {
        let patterns = patterns.into_iter().map(ScopePattern::new).collect::<Result<Vec<_>, _>>()?;
        Self::new(patterns, false)
    }

    /// The patterns in their order.
    pub fn patterns(&self) -> &[ScopePattern] {
        &self.0
    }

    /// Whether no pattern is there (`NO_SCOPE`).
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
