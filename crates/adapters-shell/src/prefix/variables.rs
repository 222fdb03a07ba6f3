//! Variables that may be set before a command: with these values they change what it prints, what it warns of or how much it
//! does, and name no program and no file.
//!
//! Sources: the pages of Cargo, rustc, Rust's test harness, Go (`go help environment`), npm, Node, Python, SQLx, no-color.org and
//! the C locale.

use crate::read_only::options::is_number;

/// What a variable may be set to.
#[derive(Clone, Copy, Debug)]
enum Value {
    Any,
    Number,
    /// Letters, digits, and what joins them in names.
    Name,
    OneOf(&'static [&'static str]),
    /// Some of these apart by blanks; `<number>` at the end of one is a whole number.
    Flags(&'static [&'static str]),
    /// What rustc warns of, and how.
    Lints,
}

use Value::{Any, Flags, Lints, Name, Number, OneOf};

const NUMBER: &str = "<number>";

const VARIABLES: &[(&str, Value)] = &[
    ("RUST_BACKTRACE", Any),
    ("RUST_LOG", Any),
    ("RUST_TEST_THREADS", Any),
    ("RUST_MIN_STACK", Number),
    ("RUSTFLAGS", Lints),
    ("RUSTDOCFLAGS", Lints),
    ("CARGO_TERM_COLOR", Any),
    ("CARGO_INCREMENTAL", Any),
    ("CARGO_BUILD_JOBS", Number),
    ("CARGO_NET_OFFLINE", OneOf(&["true", "false"])),
    ("SQLX_OFFLINE", OneOf(&["true", "false", "1", "0"])),
    ("PROPTEST_CASES", Any),
    ("NO_COLOR", Any),
    ("FORCE_COLOR", Any),
    ("CLICOLOR", Any),
    ("CLICOLOR_FORCE", Number),
    ("CI", Any),
    ("COLUMNS", Number),
    ("TERM", Name),
    ("TZ", Any),
    ("LANG", Any),
    ("LC_ALL", Any),
    // These of Node's are for those who write a program; with another one it may write to where its users are.
    ("NODE_ENV", OneOf(&["test", "development"])),
    ("NODE_NO_WARNINGS", Number),
    (
        "NODE_OPTIONS",
        Flags(&[
            "--max-old-space-size=<number>",
            "--max_old_space_size=<number>",
            "--no-warnings",
            "--trace-warnings",
            "--experimental-vm-modules",
            "--no-deprecation",
        ]),
    ),
    ("PYTHONDONTWRITEBYTECODE", Any),
    ("PYTHONUNBUFFERED", Any),
    ("PYTHONHASHSEED", Number),
    ("PYTHONUTF8", Number),
    ("PYTHONIOENCODING", Name),
    ("PYTHONWARNINGS", OneOf(&["ignore", "default", "error", "always", "once"])),
    ("GOFLAGS", Flags(&["-count=1", "-mod=vendor", "-mod=readonly", "-race", "-v", "-short"])),
    ("GOTOOLCHAIN", OneOf(&["local"])),
    ("GOWORK", OneOf(&["off"])),
    ("GO111MODULE", OneOf(&["on", "off", "auto"])),
    ("GOMAXPROCS", Number),
    ("CGO_ENABLED", OneOf(&["0", "1"])),
    ("GOOS", Name),
    ("GOARCH", Name),
];

/// How the names of variables end that say how long something waits, how many of it run, or where chance begins; each is a number.
const COUNTED: &[&str] = &[
    "_TIMEOUT",
    "_TIMEOUT_MS",
    "_TIMEOUT_SECS",
    "_TIMEOUT_SECONDS",
    "_JOBS",
    "_WORKERS",
    "_THREADS",
    "_RETRIES",
    "_SEED",
];

/// Whether a word sets one of them to what it may be.
pub(super) fn is_harmless(word: &str) -> bool {
    let Some((name, value)) = word.split_once('=') else { return false };
    let counts = COUNTED.iter().any(|end| name.ends_with(end)) && is_number(value);
    counts || VARIABLES.iter().any(|(known, kind)| *known == name && takes(*kind, value))
}

fn takes(kind: Value, value: &str) -> bool {
    match kind {
        Any => true,
        Number => is_number(value),
        Name => {
            !value.is_empty()
                && value.bytes().all(|sign| sign.is_ascii_alphanumeric() || b"-_:".contains(&sign))
        }
        OneOf(all) => all.contains(&value),
        Flags(all) => value.split_ascii_whitespace().all(|flag| all.iter().any(|known| is_flag(known, flag))),
        Lints => are_lints(value.split_ascii_whitespace()),
    }
}

fn is_flag(known: &str, flag: &str) -> bool {
    match known.strip_suffix(NUMBER) {
        Some(option) => flag.strip_prefix(option).is_some_and(is_number),
        None => flag == known,
    }
}

/// `-D warnings -Aunused`: each of rustc's letters for a level with the name of a lint.
fn are_lints<'v>(mut flags: impl Iterator<Item = &'v str>) -> bool {
    while let Some(flag) = flags.next() {
        let Some(lint) = ["-D", "-W", "-A", "-F"].iter().find_map(|level| flag.strip_prefix(level)) else {
            return false;
        };
        let lint = if lint.is_empty() { flags.next().unwrap_or_default() } else { lint };
        let is_part = |sign: u8| sign.is_ascii_alphanumeric() || b"_-:".contains(&sign);
        if !lint.bytes().next().is_some_and(|sign| sign.is_ascii_alphabetic()) || !lint.bytes().all(is_part) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_harmless;

    // D-32
    #[test]
    fn a_variable_is_harmless_with_the_values_that_it_may_have() {
        for word in [
            "CI=1",
            "RUST_LOG=a=debug,b=trace",
            "RUSTFLAGS=-D warnings",
            "RUSTFLAGS=-Dwarnings -A clippy::all",
            "RUSTFLAGS=",
            "NODE_OPTIONS=--max-old-space-size=4096 --no-warnings",
            "NODE_ENV=test",
            "GOFLAGS=-count=1",
            "GOOS=linux",
            "TERM=xterm-256color",
            "CGO_ENABLED=0",
            "BUN_TEST_TIMEOUT=15000",
        ] {
            assert!(is_harmless(word), "{word}");
        }
        for word in [
            "CI",
            "XCI=1",
            "RUSTFLAGS=-C linker=x",
            "RUSTFLAGS=-D",
            "RUSTFLAGS=-D -C",
            "RUSTFLAGS=-D warnings linker",
            "RUSTFLAGS=-D a=b",
            "RUSTFLAGS=--cfg x",
            "NODE_OPTIONS=--require ./x.js",
            "NODE_OPTIONS=--max-old-space-size=4096x",
            "NODE_OPTIONS=--max-old-space-size=",
            "NODE_ENV=production",
            "GOFLAGS=-toolexec=x",
            "GOFLAGS=-mod=mod",
            "GOOS=",
            "GOOS=a/b",
            "PYTHONWARNINGS=error::a.B",
            "CGO_ENABLED=2",
            "BUN_TEST_TIMEOUT=./x",
            "GIT_SSH_TIMEOUT=",
            "TIMEOUT=1",
        ] {
            assert!(!is_harmless(word), "{word}");
        }
    }
}
