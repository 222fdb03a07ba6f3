//! Variables that a person allows with the command behind them, as in `SKIP_BUILD=true go test ./...` and `RAILS_ENV=test rake spec`:
//! they count as words of the command, with their values.
//!
//! Kept out are those by which a shell, a program or what starts it finds or loads something, and values that may be paths: what
//! an agent can write must not come to run by them.

use std::collections::BTreeMap;

use super::loading;
use super::publishing;
use crate::prefix;

/// Beginnings of names that shells, loaders and tool chains know.
#[rustfmt::skip]
const KNOWN_STARTS: &[&str] = &[
    "LD_", "DYLD_", "GIT_", "SSH_", "NPM_", "CARGO_", "RUST", "PYTHON", "PERL", "RUBY", "NODE_", "JAVA", "JDK_", "DOTNET_", "COR_",
    "CORECLR_", "GO", "BASH", "ZSH", "UV_", "PIP_", "YARN_", "BUN_", "PNPM_", "DENO_", "MAKE", "CMAKE_",
    "ASAN", "GLIBC", "MALLOC_", "XDG_", "LC_", "SUDO_", "DOCKER_", "KUBE", "AWS_", "BUNDLE_", "GEM_", "GRADLE_",
    "MAVEN_", "MVN_", "COMPOSER_", "PHP", "LUA", "ERL_", "ELIXIR_", "NIX_", "VIRTUAL_ENV", "CONDA", "POETRY_", "PIPENV_", "TOX_", "PYTEST_", "VITEST",
    "JEST_", "MOCHA", "ESLINT", "BAILIWICK",
];

/// Whole names of the same kind.
#[rustfmt::skip]
const KNOWN: &[&str] = &[
    "CPP", "CXX", "LEX", "YACC", "IFS", "ENV", "PS1", "PS2", "PS3", "PS4", "TMP", "TEMP", "FPATH", "NULLCMD", "READNULLCMD", "STTY", "USERNAME",
    "REPLY", "PWD", "OLDPWD", "UID", "EUID", "LINENO", "LANG", "TERM",
];

/// Parts of names that say that something is found or loaded by them.
#[rustfmt::skip]
const KNOWN_PARTS: &[&str] = &[
    "PATH", "OPT", "FLAGS", "ARGS", "PRELOAD", "COMMAND", "CMD", "EXEC", "SHELL", "EDITOR", "VISUAL", "PAGER", "BROWSER", "WRAPPER", "RUNNER", "LINKER", "PROXY",
    "HOOK", "PLUGIN", "CONFIG", "SCRIPT", "HOME", "LOADER", "AGENT", "TOOLCHAIN", "PROFILER", "DIR", "FILE", "ROOT", "PREFIX", "REGISTRY", "URL", "HOST",
    "TOKEN", "SECRET", "KEY", "PASSWORD", "PREPEND", "INIT", "STARTUP", "IMPORT", "REQUIRE", "MODULE", "BIN", "TOOL", "COMPILER", "PROGRAM",
];

/// Those that are taken nevertheless.
const TAKEN: &[&str] = &["V", "NODE_ENV", "BUNDLE_FROZEN", "COMPOSER_NO_INTERACTION", "DOCKER_BUILDKIT"];

/// Whether a word sets such a variable.
pub(super) fn is_one(word: &str) -> bool {
    let Some((name, value)) = word.split_once('=').filter(|_| prefix::variable(word).is_some()) else {
        return false;
    };
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_-".contains(sign);
    !prefix::is_harmless(word)
        && !value.starts_with('-')
        && value.chars().all(is_plain)
        && (TAKEN.contains(&name) || is_of_project(name))
}

/// Whether a name looks like one of a project's own.
fn is_of_project(name: &str) -> bool {
    let is_large = |sign: char| sign.is_ascii_uppercase() || sign.is_ascii_digit() || sign == '_';
    name.len() > 2
        && name.chars().all(is_large)
        && !KNOWN.contains(&name)
        && !KNOWN_STARTS.iter().any(|start| name.starts_with(start))
        && !KNOWN_PARTS.iter().any(|part| name.contains(part))
        && !publishing::is_publishing(&name.to_ascii_lowercase())
}

/// A command with what is set before it.
#[derive(Debug)]
pub(super) struct Parts<'w> {
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
    let (loads, set): (Vec<_>, Vec<_>) = set.iter().partition(|word| loading::is_one(word));
    // Of two values the last one counts.
    let variables: BTreeMap<Option<&str>, &String> =
        set.into_iter().map(|word| (prefix::variable(word), word)).collect();
    Parts { loads, variables: variables.into_values().collect(), command }
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
