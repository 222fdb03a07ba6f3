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
    "LD_", "DYLD_", "GIT_", "SSH_", "NPM_", "CARGO_", "RUST", "PYTHON", "PERL", "RUBY", "NODE_", "JAVA", "JDK_", "DOTNET_", "COR_",
    "CORECLR_", "GO", "BASH", "ZSH", "UV_", "PIP_", "YARN_", "BUN_", "PNPM_", "DENO_", "MAKE", "CMAKE_",
    "TS_NODE", "OPENSSL", "SSL", "STACK_", "DUNE_", "COVERAGE", "ANSIBLE", "WGET", "CURL", "R_", "BABEL", "DJANGO", "TF_", "COMP_", "READLINE_", "PROMPT", "HIST", "ZLE", "KSH", "GREP_", "LESS", "MAIL", "LOGCHECK", "WATCH", "TTY", "POSIX", "ASAN", "GLIBC", "MALLOC_", "XDG_", "LC_", "SUDO_", "DOCKER_", "KUBE", "AWS_", "BUNDLE_", "GEM_", "GRADLE_",
    "MAVEN_", "MVN_", "COMPOSER_", "PHP", "LUA", "ERL_", "ELIXIR_", "NIX_", "VIRTUAL_ENV", "CONDA", "POETRY_", "PIPENV_", "TOX_", "PYTEST_", "VITEST",
    "JEST_", "MOCHA", "ESLINT", "BAILIWICK",
];

/// Whole names of the same kind.
#[rustfmt::skip]
const KNOWN: &[&str] = &[
    "CPP", "CXX", "LEX", "YACC", "IFS", "ENV", "PS1", "PS2", "PS3", "PS4", "TMP", "TEMP", "FPATH", "NULLCMD", "READNULLCMD", "STTY", "USERNAME",
    "ARGV0", "GLOBIGNORE", "POSIXLY_CORRECT", "POSIX_ME_HARDER", "CORRECT_IGNORE", "CORRECT_IGNORE_FILE", "TRY_BLOCK_ERROR", "TRY_BLOCK_INTERRUPT",
    "INSIDE_EMACS", "CHILD_MAX", "KEYTIMEOUT", "DIRSTACKSIZE", "BAUD", "ERRNO", "OPTERR", "MACHTYPE", "OSTYPE", "HOSTTYPE", "CPUTYPE", "TIMEFORMAT", "TIMEFMT", "TMOUT", "COLUMNS", "LINES", "GROUPS", "RANDOM", "SECONDS", "SHLVL", "PPID",
    "STTY", "TTY", "HISTSIZE", "SAVEHIST", "FIGNORE", "WATCH", "MAIL", "LESS", "POSTEDIT", "FUNCNEST", "DIRSTACK", "COPROC", "MAPFILE", "VENDOR",
    "REPLY", "PWD", "OLDPWD", "UID", "EUID", "LINENO", "LANG", "TERM",
];

/// Parts of names that say that something is found or loaded by them.
#[rustfmt::skip]
const KNOWN_PARTS: &[&str] = &[
    "PATH", "OPT", "FLAGS", "ARGS", "PRELOAD", "COMMAND", "CMD", "EXEC", "SHELL", "EDITOR", "VISUAL", "PAGER", "BROWSER", "WRAPPER", "RUNNER", "LINKER", "PROXY",
    "HOOK", "PLUGIN", "CONFIG", "SCRIPT", "HOME", "LOADER", "AGENT", "TOOLCHAIN", "PROFILER", "DIR", "FILE", "ROOT", "PREFIX", "REGISTRY", "URL", "HOST",
    "CONF", "BUNDLE", "LIB", "OUTPUT", "START", "YAML", "YML", "JSON", "TOML", "EXS", "WORKSPACE", "MAGIC", "LINTRC", "ENVIRON", "SETTINGS", "PRESET",
    "TOKEN", "SECRET", "KEY", "PASSWORD", "PREPEND", "INIT", "STARTUP", "IMPORT", "REQUIRE", "MODULE", "BIN", "TOOL", "COMPILER", "PROGRAM",
];

/// Whether a name in large letters looks like one of a project's own.
pub(crate) fn is_of_project(name: &str) -> bool {
    let is_large = |sign: char| sign.is_ascii_uppercase() || sign.is_ascii_digit() || sign == '_';
    name.len() > 2
        && name.chars().all(is_large)
        && !KNOWN.contains(&name)
        && !KNOWN_STARTS.iter().any(|start| name.starts_with(start))
        && !KNOWN_PARTS.iter().any(|part| name.contains(part))
}

/// Whether no shell and no program knows a name in small letters.
pub(crate) fn is_small(name: &str) -> bool {
    SMALL.contains(&name)
}
