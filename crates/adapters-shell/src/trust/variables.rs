//! Variables that a person allows with the command behind them, as in `SKIP_BUILD=true go test ./...` and `RAILS_ENV=test rake spec`:
//! they count as words of the command, with their values.
//!
//! Kept out are those by which a shell, a program or what starts it finds or loads something, and values that
//! could be the name of a file: what an agent can write must not come to run by them.

use std::collections::BTreeMap;

use super::loading;
use super::publishing;
use crate::read_only::options::is_number;
use crate::{names, prefix};

/// Those that are taken nevertheless.
const TAKEN: &[&str] = &["V", "NODE_ENV", "BUNDLE_FROZEN", "COMPOSER_NO_INTERACTION", "DOCKER_BUILDKIT"];

/// Whether a word sets such a variable.
pub(super) fn is_one(word: &str) -> bool {
    let Some((name, value)) = word.split_once('=').filter(|_| prefix::variable(word).is_some()) else {
        return false;
    };
    let is_taken = is_plain(value) && (TAKEN.contains(&name) || is_quiet(name));
    !prefix::is_harmless(word) && (is_taken || is_built_in(name, value) || is_local(name, value))
}

/// Beginnings of names whose values a build of a web application puts into its pages, and that nothing else reads. Sources:
/// vite.dev/guide/env-and-mode, nextjs.org/docs/app/guides/environment-variables, create-react-app.dev, docs.expo.dev.
const BUILT_IN: &[&str] = &["VITE_", "NEXT_PUBLIC_", "REACT_APP_", "EXPO_PUBLIC_", "NUXT_PUBLIC_"];

fn is_built_in(name: &str, value: &str) -> bool {
    let is_text = |sign: char| sign.is_ascii_alphanumeric() || "_-.:/?&%+,".contains(sign);
    let is_one = BUILT_IN.iter().any(|start| name.starts_with(start)) && !name.starts_with("VITE_NODE");
    is_one && names::is_large(name) && value.chars().all(is_text)
}

/// What an address of this machine begins with, where tests find a page or a database.
const LOCAL: &[&str] = &["http://localhost", "http://127.0.0.1", "ws://localhost", "ws://127.0.0.1"];

/// Whether a variable says at which address of this machine a page is.
fn is_local(name: &str, value: &str) -> bool {
    let behind = LOCAL.iter().find_map(|start| value.strip_prefix(start));
    let is_rest = |sign: char| sign.is_ascii_alphanumeric() || "_-/".contains(sign);
    let is_port = |rest: &str| rest.strip_prefix(':').unwrap_or(rest).chars().all(is_rest);
    let is_url = name.strip_suffix("_URL").is_some_and(|stem| {
        stem.ends_with("BASE") || stem.ends_with("APP") || stem.ends_with("SITE") || stem.ends_with("API")
    });
    is_url
        && !name.starts_with("NPM")
        && behind.is_some_and(|rest| rest.is_empty() || (rest.starts_with([':', '/']) && is_port(rest)))
}

/// Words that say which of several ways a program works in.
#[rustfmt::skip]
const WAYS: &[&str] = &[
    "true", "false", "yes", "no", "on", "off", "test", "testing", "tests", "development", "dev", "production", "prod", "staging", "ci", "local", "debug", "info", "warn",
    "warning", "error", "trace", "silent", "quiet", "verbose", "release", "always", "never", "auto", "none", "all", "unit", "integration", "e2e", "fast",
    "slow", "small", "medium", "large", "full", "memory", "mock", "sqlite", "postgres", "mysql", "strict", "arm64", "amd64", "x86_64", "aarch64",
];

/// Whether a value is a number or such a word: no file is called so that anybody would load.
fn is_plain(value: &str) -> bool {
    value.is_empty() || is_number(value) || WAYS.contains(&value)
}

/// Whether a word sets a variable that may reach every command behind it: its name has several parts, as those of shells rarely have.
pub(super) fn may_be_exported(word: &str) -> bool {
    is_one(word) && word.split_once('=').is_some_and(|(name, _)| name.contains('_'))
}

/// Whether a name looks like one of a project's own, and like none that makes it publish.
fn is_quiet(name: &str) -> bool {
    names::is_of_project(name) && !publishing::is_publishing(&name.to_ascii_lowercase())
}

/// A command with what is set before it.
#[derive(Debug)]
pub(super) struct Parts<'w> {
    /// All that is set before it, as it stands.
    pub(super) set: &'w [String],
    /// What says where modules are looked for (`loading`).
    pub(super) loads: Vec<&'w String>,
    /// Variables of a project's own, each once and by their names.
    pub(super) variables: Vec<&'w String>,
    /// The command behind them.
    pub(super) command: &'w [String],
}

/// Takes apart what is set before a command.
pub(super) fn split(words: &[String]) -> Parts<'_> {
    let count = words.iter().take_while(|word| loading::is_one(word) || is_one(word)).count();
    let (set, command) = words.split_at(count);
    let (loads, others): (Vec<_>, Vec<_>) = set.iter().partition(|word| loading::is_one(word));
    // Of two values the last one counts.
    let variables: BTreeMap<Option<&str>, &String> =
        others.into_iter().map(|word| (prefix::variable(word), word)).collect();
    Parts { set, loads, variables: variables.into_values().collect(), command }
}

#[cfg(test)]
mod tests {
    use super::is_one;

    // D-32
    #[test]
    fn a_variable_of_a_project_is_taken_with_a_plain_value() {
        for word in [
            "CLI_TEST_SKIP_BUILD=true",
            "COREPACK_ENABLE_STRICT=0",
            "RAILS_ENV=test",
            "MIX_ENV=test",
            "NODE_ENV=production",
            "SKIP_SLOW=",
            "LOG_LEVEL=debug",
            "VERBOSE=1",
            "V=1",
            "ARCH=arm64",
            "VITE_API=https://a.example/x",
            "NEXT_PUBLIC_NAME=a-b.c",
            "PLAYWRIGHT_BASE_URL=http://127.0.0.1:5181",
            "TEST_API_URL=http://localhost:3000/v1",
        ] {
            assert!(is_one(word), "{word}");
        }
        for word in [
            "BASH_ENV=1",
            "ENV=test",
            "LD_PRELOAD=x",
            "GIT_DIR=x",
            "NODE_OPTIONS=1",
            "NODE_PATH=lib",
            "RUSTC_WRAPPER=sccache",
            "PATH=x",
            "PERL5OPT=1",
            "MAKEFLAGS=k",
            "CC=gcc",
            "CXX=x",
            "MY_TOOL_PATH=x",
            "APP_CONFIG=x",
            "SKIP_X=./a",
            "SKIP_X=a/b",
            "SKIP_X=-x",
            "SKIP_X=a.js",
            "SKIP_X=rc",
            "VITE_X=$(a)",
            "VITE_x=a",
            "VITE_NODE_DEPS_MODULE_DIRECTORIES=x",
            "GOPROXY_BASE_URL=http://localhost.example",
            "PIP_INDEX_URL=http://localhost:1",
            "APP_BASE_URL=http://localhost@evil",
            "APP_BASE_URL=http://evil",
            "PYLINTRC=1",
            "TS_NODE_PROJECT=1",
            "OPENSSL_CONF=1",
            "ARGV0=1",
            "skip_x=1",
            "X=1",
            "DEPLOY_NOW=1",
            "PUBLISH=true",
            "SKIP-X=1",
            "SKIP_X",
        ] {
            assert!(!is_one(word), "{word}");
        }
    }
}
