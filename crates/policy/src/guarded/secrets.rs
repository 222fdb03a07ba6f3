//! Tokens that are known by their form: how they begin, and how long they are at least. No guess by randomness.
//!
//! What becomes of a found token, and names that tell of a secret, are the caller's matter.

/// A form that is known by how it begins.
struct Family {
    name: &'static str,
    prefix: &'static str,
    /// The fewest signs behind the prefix.
    least: usize,
    /// The signs that may follow beside letters and digits.
    also: &'static [u8],
}

const fn family(name: &'static str, prefix: &'static str, least: usize, also: &'static [u8]) -> Family {
    Family { name, prefix, least, also }
}

#[rustfmt::skip]
const FAMILIES: &[Family] = &[
    family("AWS key", "AKIA", 16, b""), family("AWS key", "ASIA", 16, b""),
    family("GitHub token", "ghp_", 20, b""), family("GitHub token", "gho_", 20, b""),
    family("GitHub token", "ghu_", 20, b""), family("GitHub token", "ghs_", 20, b""),
    family("GitHub token", "ghr_", 20, b""), family("GitHub token", "github_pat_", 20, b"_"),
    family("GitLab token", "glpat-", 20, b"_-"),
    family("Slack token", "xoxb-", 10, b"-"), family("Slack token", "xoxp-", 10, b"-"),
    family("Slack token", "xoxa-", 10, b"-"), family("Slack token", "xoxr-", 10, b"-"),
    family("Slack token", "xoxs-", 10, b"-"), family("Slack token", "xapp-", 10, b"-"),
    family("Stripe key", "sk_live_", 16, b""), family("Stripe key", "sk_test_", 16, b""),
    family("Stripe key", "rk_live_", 16, b""), family("Stripe key", "rk_test_", 16, b""),
    family("Stripe secret", "whsec_", 16, b""),
    family("API key", "sk-ant-", 20, b"_-"), family("API key", "sk-proj-", 20, b"_-"),
    family("API key", "sk-", 32, b"_-"),
    family("Google key", "AIza", 35, b"_-"), family("npm token", "npm_", 36, b""),
    family("PyPI token", "pypi-AgE", 50, b"_-"), family("Hugging Face token", "hf_", 30, b""),
    family("SendGrid key", "SG.", 40, b"_-."),
];

/// The longest web token and the longest run that are looked at, so that a line costs no more than its length.
const LONGEST_TOKEN: usize = 16 << 10;
const LONGEST_HEAD: usize = 512;

/// A secret: how many bytes are shown, how many behind them go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// How many bytes tell the form.
    pub shown: usize,
    /// How many bytes behind them are the secret.
    pub hidden: usize,
    /// What it is.
    pub name: &'static str,
}

/// The known form that a text begins with; `before` is the sign before it.
pub fn form_at(rest: &str, before: Option<char>) -> Option<Found> {
    let begins = before.is_none_or(|sign| !sign.is_ascii_alphanumeric() && sign != '_');
    let found =
        if begins { family_at(rest).or_else(|| jwt_at(rest)).or_else(|| bearer_at(rest)) } else { None };
    found.or_else(|| url_at(rest, before))
}

/// What the first token of a known form in a text is.
///
/// ```
/// use bailiwick_policy::secrets::known_form;
/// assert_eq!(known_form("x=AKIAABCDEFGHIJKLMNOP"), Some("AWS key"));
/// assert_eq!(known_form("https://example.com/a?id=3f9c2b7a"), None);
/// ```
pub fn known_form(text: &str) -> Option<&'static str> {
    if text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----") {
        return Some("private key");
    }
    let mut before = None;
    text.char_indices().find_map(|(at, sign)| {
        let found = form_at(text.get(at..)?, before);
        before = Some(sign);
        found.map(|found| found.name)
    })
}

/// How the families of tokens begin.
pub fn prefixes() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().map(|family| family.prefix)
}

/// How many signs a text begins with.
pub fn run(text: &str, also: &[u8]) -> usize {
    text.bytes().take(LONGEST_TOKEN).take_while(|byte| is_sign(*byte, also)).count()
}

/// Whether a byte is a letter, a digit or one of these.
pub fn is_sign(byte: u8, also: &[u8]) -> bool {
    byte.is_ascii_alphanumeric() || also.contains(&byte)
}

fn family_at(rest: &str) -> Option<Found> {
    FAMILIES.iter().find_map(|family| {
        let hidden = run(rest.strip_prefix(family.prefix)?, family.also);
        (hidden >= family.least).then_some(Found { shown: family.prefix.len(), hidden, name: family.name })
    })
}

fn jwt_at(rest: &str) -> Option<Found> {
    let body = rest.strip_prefix("eyJ")?;
    let head = body.bytes().take(LONGEST_HEAD).take_while(|byte| is_sign(*byte, b"_-")).count();
    if head < 8 || !body.get(head..)?.starts_with(".eyJ") {
        return None;
    }
    let length = run(body, b"_-.");
    let is_token = body.get(..length)?.split('.').nth(2).is_some_and(|seal| seal.len() >= 16);
    is_token.then_some(Found { shown: 3, hidden: length, name: "web token" })
}

fn bearer_at(rest: &str) -> Option<Found> {
    const WORD: usize = "bearer ".len();
    rest.get(..WORD).filter(|word| word.eq_ignore_ascii_case("bearer "))?;
    let hidden = run(rest.get(WORD..)?, b"_-.~+/=");
    (hidden >= 16).then_some(Found { shown: WORD, hidden, name: "bearer token" })
}

/// `://USER:PASSWORD@`.
fn url_at(rest: &str, before: Option<char>) -> Option<Found> {
    if !before.is_some_and(|sign| sign.is_ascii_alphanumeric()) {
        return None;
    }
    let after = rest.strip_prefix("://")?;
    let user = run(after, b"_-.~%+");
    let password = after.get(user..)?.strip_prefix(':')?;
    let hidden = run(password, b"_-.~%+!*=,^");
    let ends = password.get(hidden..)?.starts_with('@');
    (hidden > 0 && ends).then_some(Found { shown: "://".len() + user + 1, hidden, name: "password" })
}
