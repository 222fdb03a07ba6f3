//! Names of variables that mean nothing to any shell, and as good as nothing to any program.

/// Names in small letters. Of others, one may already mean something, as `path` does to zsh.
#[rustfmt::skip]
const SMALL: &[&str] = &[
    "a", "app", "b", "branch", "c", "commit", "crate", "d", "dep", "dir", "doc", "e", "entry", "ext", "f", "file", "fn", "func", "g",
    "h", "hash", "i", "id", "item", "j", "k", "key", "keyword", "kw", "l", "lib", "line", "m", "method", "mod", "module", "n", "name",
    "num", "o", "p", "package", "page", "pat", "pattern", "phase", "pkg", "pr", "project", "q", "r", "ref", "repo", "rev", "rule", "s",
    "service", "sha", "skill", "spec", "src", "step", "sub", "svc", "sym", "symbol", "t", "tag", "term", "test", "tool", "topic",
    "u", "v", "val", "w", "word", "workflow", "x", "y", "z",
];

/// Beginnings of names that shells, loaders and tool chains know.
#[rustfmt::skip]
const KNOWN_STARTS: &[&str] = &[
    "ANSIBLE", "ASAN", "AWS_", "BABEL", "BAILIWICK", "BASH", "BUNDLE_", "BUN_", "CARGO_", "CMAKE_", "COMPOSER_", "COMP_", "CONDA",
    "CORECLR_", "COR_", "COVERAGE", "CURL", "DENO_", "DJANGO", "DOCKER_", "DOTNET_", "DUNE_", "DYLD_", "ELIXIR_", "ERL_", "ESLINT", "GEM_",
    "GIT_", "GLIBC", "GO", "GRADLE_", "GREP_", "HIST", "JAVA", "JDK_", "JEST_", "KSH", "KUBE", "LC_", "LD_", "LESS", "LOGCHECK", "LUA",
    "MAIL", "MAKE", "MALLOC_", "MAVEN_", "MOCHA", "MVN_", "NIX_", "NODE_", "NPM_", "OPENSSL", "PERL", "PHP", "PIPENV_", "PIP_", "PNPM_",
    "POETRY_", "POSIX", "PROMPT", "PYTEST_", "PYTHON", "READLINE_", "RUBY", "RUST", "R_", "SSH_", "SSL", "STACK_", "SUDO_", "TF_", "TOX_",
    "TS_NODE", "TTY", "UV_", "VIRTUAL_ENV", "VITEST", "WATCH", "WGET", "XDG_", "YARN_", "ZLE", "ZSH",
];

/// Whole names of the same kind.
#[rustfmt::skip]
const KNOWN: &[&str] = &[
    "ARGV0", "BAUD", "CHILD_MAX", "COLUMNS", "COPROC", "CORRECT_IGNORE", "CORRECT_IGNORE_FILE", "CPP", "CPUTYPE", "CXX", "DIRSTACK",
    "DIRSTACKSIZE", "EGID", "ENV", "EPOCHREALTIME", "EPOCHSECONDS", "ERRNO", "EUID", "FIGNORE", "FPATH", "FUNCNAME", "FUNCNEST", "GID", "GLOBIGNORE",
    "GROUPS", "HOSTTYPE", "IFS", "INSIDE_EMACS", "JOBMAX", "KEYTIMEOUT", "LANG", "LEX", "LINENO", "LINES", "LISTMAX", "MACHTYPE", "MAPFILE", "NULLCMD",
    "OLDPWD", "OPTERR", "OSTYPE", "PGRP", "PIPESTATUS", "POSTEDIT", "PPID", "PS1", "PS2", "PS3", "PS4", "PWD", "RANDOM", "READNULLCMD", "REPLY", "SAVEHIST",
    "SECONDS", "SHLVL", "SRANDOM", "STTY", "TEMP", "TERM", "TIMEFMT", "TIMEFORMAT", "TMOUT", "TMP", "TRY_BLOCK_ERROR", "TRY_BLOCK_INTERRUPT", "UID",
    "USERNAME", "USER_ID", "VENDOR", "YACC", "_AST_FEATURES",
];

/// Parts of names that say that something is found or loaded by them.
#[rustfmt::skip]
const KNOWN_PARTS: &[&str] = &[
    "AGENT", "ARGS", "BIN", "BROWSER", "BUNDLE", "CMD", "COMMAND", "COMPILER", "CONF", "CONFIG", "DIR", "EDITOR", "ENVIRON", "EXEC", "EXS",
    "FILE", "FLAGS", "HOME", "HOOK", "HOST", "IMPORT", "INIT", "JSON", "KEY", "LIB", "LINKER", "LINTRC", "LOADER", "MAGIC", "MODULE",
    "OPT", "OUTPUT", "PAGER", "PASSWORD", "PATH", "PLUGIN", "PREFIX", "PRELOAD", "PREPEND", "PRESET", "PROFILER", "PROGRAM", "PROXY",
    "REGISTRY", "REQUIRE", "ROOT", "RUNNER", "SCRIPT", "SECRET", "SETTINGS", "SHELL", "START", "STARTUP", "TOKEN", "TOML", "TOOL",
    "TOOLCHAIN", "URL", "VISUAL", "WORKSPACE", "WRAPPER", "YAML", "YML",
];

/// Whether a name in large letters looks like one of a project's own.
pub(crate) fn is_of_project(name: &str) -> bool {
    name.len() > 2
        && is_large(name)
        && !KNOWN.contains(&name)
        && !KNOWN_STARTS.iter().any(|start| name.starts_with(start))
        && !KNOWN_PARTS.iter().any(|part| name.contains(part))
}

/// Whether a name is one of large letters, with digits and `_` between them.
pub(crate) fn is_large(name: &str) -> bool {
    name.chars().all(|sign| sign.is_ascii_uppercase() || sign.is_ascii_digit() || sign == '_')
}

/// Beginnings and ends of names in small letters with several parts that are known: to zsh, bash, npm, and to all that looks for a proxy.
const SMALL_STARTS: &[&str] = &["zsh_", "zle_", "npm_", "module_", "auto_", "bash_", "ksh_"];
const SMALL_ENDS: &[&str] = &["_proxy", "_path", "_preload"];

/// Whether no shell and no program knows a name in small letters.
pub(crate) fn is_small(name: &str) -> bool {
    let has_parts = name.starts_with(|sign: char| sign.is_ascii_lowercase())
        && name.contains('_')
        && name.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_');
    let is_known = SMALL_STARTS.iter().any(|start| name.starts_with(start))
        || SMALL_ENDS.iter().any(|end| name.ends_with(end));
    SMALL.contains(&name) || (has_parts && !is_known)
}
