//! How hosts' own tools turn edits into bytes, as far as that was measured with the real client.

use bailiwick_domain::EditRules;

use crate::version::Version;

/// What was measured of a host.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredEdits {
    /// The tools, by the names that the host's events have for them.
    pub tools: &'static [&'static str],
    /// How the host tells its hooks its version. Of a host that tells none, what was measured counts for all versions.
    pub told: Option<ToldVersion>,
    /// The versions that were measured, in their order. What lies between two of them counts as measured.
    pub versions: &'static [Version],
    /// What they do.
    pub rules: EditRules,
}

/// How a host tells its hooks its version.
#[derive(Clone, Copy, Debug)]
pub struct ToldVersion {
    /// The environment variable.
    pub variable: &'static str,
    /// The version in what that variable holds.
    pub read: fn(&str) -> Option<Version>,
}

impl MeasuredEdits {
    /// Whether a host of which that variable says this counts as measured.
    pub fn are_of(&self, told: Option<&str>) -> bool {
        self.told.is_none_or(|by| told.and_then(by.read).is_some_and(|version| self.is_measured(version)))
    }

    /// Whether that version counts as measured.
    pub fn is_measured(&self, version: Version) -> bool {
        self.versions.first() <= Some(&version) && Some(&version) <= self.versions.last()
    }

    /// The measured versions as a person reads them, such as `2.1.300 to 2.1.332`.
    pub fn span(&self) -> String {
        match self.versions {
            [first, .., last] => format!("{first} to {last}"),
            versions => versions.iter().map(ToString::to_string).collect(),
        }
    }
}
