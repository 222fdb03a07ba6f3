//! The version of a host's client, as three numbers. Where a client prints it is the client's own matter.

use core::fmt;

/// A version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// First number.
    pub major: u32,
    /// Second number.
    pub minor: u32,
    /// Third number.
    pub patch: u32,
}

impl Version {
    /// These three numbers.
    pub const fn of(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch }
    }

    /// Reads `1.2.3`; what follows a `-` or `+` does not count.
    ///
    /// ```
    /// use bailiwick_adapters_hooks::Version;
    /// assert_eq!(Version::read("0.169.0-alpha.1").unwrap().to_string(), "0.169.0");
    /// assert!(Version::read("1.2").is_none());
    /// ```
    pub fn read(number: &str) -> Option<Self> {
        let number = number.split_once(['-', '+']).map_or(number, |(number, _)| number);
        let mut parts = number.split('.').map(str::parse);
        let version =
            Self { major: parts.next()?.ok()?, minor: parts.next()?.ok()?, patch: parts.next()?.ok()? };
        parts.next().is_none().then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}
