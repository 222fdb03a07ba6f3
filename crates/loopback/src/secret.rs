//! A secret that lets somebody in.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq as _;

/// The bytes of a secret.
const BYTES: usize = 32;

/// The bytes of a name.
const NAME_BYTES: usize = 16;

/// What is compared in constant time and never printed.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// A new one.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn random() -> std::io::Result<Self> {
        let mut bytes = [0_u8; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// A name for one run, as a host name may be, that nobody can have had before.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn random_name() -> std::io::Result<String> {
        let mut bytes = [0_u8; NAME_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// One that was kept; `None` for what no secret is.
    pub fn kept(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == BYTES).then(|| Self(text.to_owned()))
    }

    /// Whether this was said.
    pub fn is(&self, said: &str) -> bool {
        self.0.as_bytes().ct_eq(said.as_bytes()).into()
    }

    /// The secret itself, for the one whom it is for.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}
