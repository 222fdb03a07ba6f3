//! Secrets are taken out of what people and logs are shown: the shape and the length stay, the value goes. What an
//! approval is bound to, what is hashed, and what is kept as a pre-image is never touched.
//!
//! Known forms only: no guess by randomness alone, so that hashes, UUIDs, lock files and images stay readable. A redacted
//! value never holds a blank or a sign that means something to a shell, so that nothing that runs can hide behind a mark.
//!
//! | form | what goes |
//! |---|---|
//! | AWS access key ids, Google API keys, `sk-…` | everything behind the prefix |
//! | tokens of GitHub, GitLab, Slack, Stripe, npm, PyPI, Hugging Face, SendGrid | everything behind the prefix |
//! | JSON web tokens | everything behind `eyJ` |
//! | private keys in PEM form | each line between the first and the last |
//! | URLs with a password | the password |
//! | `Bearer …` | the token |
//! | names that end in `password`, `secret`, `token`, `api_key` and the like | the value, quoted or of letters and digits |

use bailiwick_domain::RepoPath;
use bailiwick_policy::executable::can_run;
use bailiwick_policy::secrets::{Found, form_at, is_sign};

use super::reading::{self, Part};

/// The shortest line of a private key that goes; a shorter one could be a command as well.
const KEY_LINE: usize = 40;
/// The longest name that is looked at, so that a line costs no more than its length.
const LONGEST_NAME: usize = 128;
/// The longest value of a telling name.
const LONGEST_VALUE: usize = 512;

/// How a name ends whose value is a secret.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "api_key",
    "api-key",
    "apikey",
    "access_key",
    "access-key",
    "accesskey",
    "private_key",
    "private-key",
    "credential",
    "credentials",
];

/// What becomes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// It is read.
    Read,
    /// It may be run, so that whatever could name a program stays.
    Run,
}

/// The text with every known secret replaced by a mark.
pub fn redact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    redact_into(text, Use::Read, &mut out);
    out
}

/// A preview with every known secret replaced by a mark, where no mark can hide what would run: in a command, in a file
/// that runs. A key ends with its file.
pub fn redact_preview(preview: &str) -> String {
    let mut out = String::with_capacity(preview.len());
    let mut how = Use::Run;
    for part in reading::read(preview) {
        match part {
            Part::File(head) => {
                let runs = RepoPath::new(head.path).is_ok_and(|path| can_run(&path));
                how = if runs { Use::Run } else { Use::Read };
                out.push_str(head.text);
            }
            Part::Hunk(hunk) => redact_into(hunk.text, how, &mut out),
            Part::Plain(line) => out.push_str(line),
            Part::Words(words) => redact_into(words, Use::Run, &mut out),
        }
    }
    out
}

fn redact_into(text: &str, how: Use, out: &mut String) {
    let mut in_key = false;
    for line in text.split_inclusive('\n') {
        if line.contains("PRIVATE KEY-----") {
            in_key = line.contains("-----BEGIN ");
            out.push_str(line);
        } else if let Some(masked) = key_line(line, how).filter(|_| in_key) {
            out.push_str(&masked);
        } else {
            // What is no line of a key is shown, whatever stands around it.
            of_line(line, how, out);
        }
    }
}

/// How every mark ends.
pub(crate) const REDACTED: &str = " characters redacted›";

fn mark(name: &str, shown: &str, length: usize) -> String {
    format!("{shown}‹{name} of {length}{REDACTED}")
}

/// A line of a private key without its content; `None` when it is none. A `/` makes a line the place of a program, so
/// that in what may run such a line stays.
fn key_line(line: &str, how: Use) -> Option<String> {
    let body = line.trim_end_matches(['\n', '\r']);
    let unsigned = body.strip_prefix(['+', '-']).unwrap_or(body).trim_start_matches([' ', '\t']);
    let (sign, content) = body.split_at(body.len() - unsigned.len());
    let is_place =
        content.starts_with('/') || content.contains("//") || (how == Use::Run && content.contains('/'));
    let is_key = content.len() >= KEY_LINE && !is_place && content.bytes().all(|byte| is_sign(byte, b"+/="));
    is_key.then(|| {
        format!("{}{}", mark("key line", sign, content.len()), line.get(body.len()..).unwrap_or_default())
    })
}

/// One line; scanned from the left, at each place the first form that fits.
fn of_line(line: &str, how: Use, out: &mut String) {
    if may_hide(line) { scan(line, how, out) } else { out.push_str(line) }
}

/// Whether a line holds three signs without which no form is there; most lines hold none, and each call is logged.
fn may_hide(line: &str) -> bool {
    line.as_bytes().array_windows().any(|signs: &[u8; 3]| {
        matches!(
            &signs.map(|sign| sign.to_ascii_lowercase()),
            // Names that tell, bearer, URLs.
            b"pas" | b"pwd" | b"sec" | b"tok" | b"key" | b"cre" | b"bea" | b"://"
            // Families and web tokens.
            | b"aki" | b"asi" | b"aiz" | b"ghp" | b"gho" | b"ghu" | b"ghs" | b"ghr" | b"hub" | b"glp" | b"xox"
            | b"xap" | b"sk_" | b"rk_" | b"sk-" | b"npm" | b"pyp" | b"hf_" | b"sg." | b"eyj"
        )
    })
}

fn scan(line: &str, how: Use, out: &mut String) {
    let mut rest = line;
    let mut before: Option<char> = None;
    while let Some(next) = rest.chars().next() {
        let found = form_at(rest, before).or_else(|| assigned_at(rest, before, how));
        match found {
            Some(Found { shown, hidden, name }) => {
                let (kept, secret) = (rest.get(..shown), rest.get(shown..shown + hidden));
                out.push_str(&mark(name, kept.unwrap_or_default(), secret.map_or(0, str::len)));
                rest = rest.get(shown + hidden..).unwrap_or_default();
                before = Some('›');
            }
            None => {
                out.push(next);
                before = Some(next);
                rest = rest.get(next.len_utf8()..).unwrap_or_default();
            }
        }
    }
}

/// `NAME = "VALUE"`, `NAME: VALUE`, `NAME=VALUE`, told at the last sign of the name.
fn assigned_at(rest: &str, before: Option<char>, how: Use) -> Option<Found> {
    if before.is_some_and(|sign| sign.is_ascii_alphanumeric()) {
        return None;
    }
    let name = rest.bytes().take(LONGEST_NAME + 1).take_while(|byte| is_sign(*byte, b"_-.")).count();
    let word = rest.get(..name).filter(|name| name.len() <= LONGEST_NAME)?;
    let word = word.rsplit_once('.').map_or(word, |(_, last)| last);
    let ends = |known: &&str| {
        let end = word.len().checked_sub(known.len()).and_then(|at| word.get(at..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(known))
    };
    NAMES.iter().copied().find(|known| ends(known))?;
    let mut at = name;
    let skip = |at: usize, signs: &[char]| {
        let tail = rest.get(at..).unwrap_or_default();
        at + tail.len() - tail.trim_start_matches(signs).len()
    };
    at = skip(at, &['"', '\'']);
    at = skip(at, &[' ', '\t']);
    let equals = skip(at, &[':', '=', '>']);
    if equals == at || equals - at > 2 {
        return None;
    }
    at = skip(equals, &[' ', '\t']);
    let value = rest.get(at..)?;
    let (quote, value) = match value.strip_prefix(['"', '\'']) {
        Some(inner) => (value.chars().next(), inner),
        None => (None, value),
    };
    let signs: &[u8] = if quote.is_some() { b"_-.~+/=@#%^*!?,:" } else { b"_-.~+/=" };
    let hidden = value.bytes().take(LONGEST_VALUE + 1).take_while(|byte| is_sign(*byte, signs)).count();
    if hidden > LONGEST_VALUE {
        return None;
    }
    let text = value.get(..hidden)?;
    let end = value.get(hidden..)?.chars().next();
    // A path could be a program that is run by that name.
    let is_path = text.starts_with(['/', '.', '~']) || (how == Use::Run && text.contains('/'));
    let mixed =
        text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let fits = match quote {
        Some(quote) => end == Some(quote) && hidden >= 6,
        None => {
            mixed
                && hidden >= 8
                && end.is_none_or(|sign| matches!(sign, ' ' | '\t' | '\n' | '\r' | ',' | ';' | '"' | '\''))
        }
    };
    (fits && !is_path).then_some(Found { shown: at + usize::from(quote.is_some()), hidden, name: "value" })
}

#[cfg(test)]
mod tests;
