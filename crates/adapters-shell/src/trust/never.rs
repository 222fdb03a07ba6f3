//! What nobody can allow: code in arguments, programs that run what their arguments say, destructive git, publishing, and
//! clients that talk to a host named in their arguments.

use super::forms::{environment, packages};
use super::programs;
use super::publishing::is_publishing;
use crate::prefix;

/// Programs whose arguments are code, or name the program that they run.
const RUNS_ARGUMENTS: &[&str] = &[
    "cd",
    "pushd",
    "popd",
    "chdir",
    "unset",
    "hash",
    "umask",
    "ulimit",
    "shopt",
    "enable",
    "declare",
    "typeset",
    "local",
    "readonly",
    "env",
    "xargs",
    "sudo",
    "doas",
    "su",
    "nohup",
    "setsid",
    "nice",
    "ionice",
    "stdbuf",
    "script",
    "eval",
    "exec",
    "command",
    "builtin",
    "source",
    ".",
    "time",
    "timeout",
    "watch",
    "parallel",
    "find",
    "fd",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "sed",
    "tee",
    "dd",
    "strace",
    "ltrace",
    "gdb",
    "lldb",
    "flock",
    "entr",
    "watchexec",
    "chroot",
    "unshare",
    "nsenter",
    "at",
    "batch",
    "crontab",
    "systemd-run",
    "systemctl",
    "launchctl",
    "expect",
    "osascript",
    "open",
    "xdg-open",
    "start",
    "vim",
    "vi",
    "nvim",
    "ex",
    "ed",
    "emacs",
    "nano",
    "less",
    "more",
    "man",
    "tmux",
    "screen",
    "trap",
    "alias",
    "set",
    "export",
    "cmd",
    "busybox",
    "coproc",
    "[",
    "[[",
    "test",
    "printf",
    "print",
    "let",
    "read",
    "mapfile",
    "readarray",
    "getopts",
    "integer",
    "float",
    "nameref",
    "setopt",
    "unsetopt",
    "zmodload",
    "autoload",
    "emulate",
    "disable",
    "noglob",
    "nocorrect",
    "unalias",
    "unhash",
    "unfunction",
    "if",
    "for",
    "while",
    "function",
    "nix-shell",
    "direnv",
    "tclsh",
    "scala",
    "groovy",
    "jshell",
    "R",
    "octave",
    "sqlite3",
    "docker-machine",
    "chmod",
    "chown",
];

/// Programs that read a script: allowed with a script of the root as their first argument, never with code.
const INTERPRETERS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "fish",
    "csh",
    "tcsh",
    "pwsh",
    "powershell",
    "nu",
    "elvish",
    "python",
    "python2",
    "python3",
    "pypy",
    "pypy3",
    "node",
    "nodejs",
    "deno",
    "bun",
    "ruby",
    "perl",
    "php",
    "lua",
    "luajit",
    "Rscript",
    "julia",
    "ts-node",
    "tsx",
    "uv",
];

/// Words behind an interpreter that make it run the script after them.
const RUNS_SCRIPT: &[(&str, &str)] = &[("deno", "run"), ("bun", "run"), ("uv", "run")];

/// Clients that talk to a host named in their arguments, or act on something far away.
const CLIENTS: &[&str] = &[
    "curl",
    "wget",
    "ssh",
    "scp",
    "sftp",
    "rsync",
    "nc",
    "ncat",
    "netcat",
    "telnet",
    "ftp",
    "socat",
    "http",
    "https",
    "httpie",
    "xh",
    "aria2c",
    "aws",
    "gcloud",
    "gsutil",
    "az",
    "kubectl",
    "helm",
    "psql",
    "mysql",
    "mongo",
    "mongosh",
    "redis-cli",
    "gh",
    "glab",
    "hub",
    "heroku",
    "fly",
    "flyctl",
    "vercel",
    "netlify",
    "wrangler",
    "firebase",
    "doctl",
    "terraform",
    "tofu",
    "ansible",
    "ansible-playbook",
    "pulumi",
    "mosh",
    "rclone",
    "s3cmd",
    "twine",
    "dig",
    "nslookup",
    "ping",
    "mail",
    "sendmail",
    "ngrok",
];

/// How many words of a command that is not known may be its subcommand.
const MAY_NAME_IT: usize = 4;

/// Subcommands that run a package which they may fetch first.
const FETCHES: &[(&str, &str)] = &[
    ("npm", "exec"),
    ("npm", "x"),
    ("pnpm", "dlx"),
    ("yarn", "dlx"),
    ("bun", "x"),
    ("uv", "tool"),
    ("pipx", "run"),
];

/// Programs that do nothing else.
const FETCHERS: &[&str] = &["bunx", "pnpx", "uvx"];

/// Words by which package managers go to other packages than that of the folder.
const OTHER_PACKAGES: &[(&str, &[&str])] = &[
    ("npm", &["-w", "--workspace", "-ws", "--workspaces"]),
    ("pnpm", &["-r", "--recursive", "-F", "--filter", "--filter-prod", "-w", "--workspace-root"]),
    ("yarn", &["workspace", "workspaces", "foreach"]),
    ("bun", &["-F", "--filter"]),
];

/// The script that a command runs, which must be a file of the root.
///
/// # Errors
/// Why nobody can allow it.
pub(super) fn script_of(words: &[String]) -> Result<Option<String>, String> {
    let (program, arguments) = words.split_first().ok_or("there is no command")?;
    // A message may have several lines.
    if words.iter().any(|word| word.contains(|sign: char| sign.is_control() && sign != '\n')) {
        return Err("it holds a control character".to_owned());
    }
    let base = program.rsplit('/').next().unwrap_or(program);
    let name = base.strip_suffix(".exe").unwrap_or(base);
    if let Some(found) = packages::elsewhere(words) {
        return script_of(&found.plain);
    }
    if let Some(started) = programs::started(words) {
        return script_of(started);
    }
    if RUNS_ARGUMENTS.contains(&name) {
        return Err(format!("`{name}` runs or changes what its arguments say"));
    }
    if CLIENTS.contains(&name) {
        return Err(format!("`{name}` talks to a host that its arguments name"));
    }
    if name == "bailiwick" || bailiwick_domain::AGENT_PROGRAMS.contains(&name) {
        return Err(format!("`{name}` acts for a person or an agent"));
    }
    if let Some(variable) = prefix::variable(program) {
        return Err(prefix::changed_by(variable));
    }
    if program.contains('=') || program.starts_with(['-', '~', '/']) {
        return Err(format!("`{program}` is not a program of the search path or of the root"));
    }
    let rules = programs::rules_of(words);
    // Known, and with nothing behind it that nobody knows.
    let head = rules.as_ref().filter(|rules| rules.names(words).is_ok()).map(|rules| rules.head_length());
    let publishes_itself = arguments.first().is_some_and(|first| is_publishing(first));
    if name == "git" && head.is_none() && !publishes_itself {
        return Err("of git, only `add`, `commit`, `fetch`, `restore --staged`, `switch -c` and `checkout -b` can be allowed, with plain options".to_owned());
    }
    let further = rules.filter(|_| head.is_none()).map(|rules| rules.targets(words)).unwrap_or_default();
    let named = words.iter().take(head.unwrap_or(MAY_NAME_IT)).skip(1).map(String::as_str);
    publishes(named.chain(further))?;
    if let Some(what) = fetched_by(name, arguments.first().map_or("", String::as_str)) {
        return Err(format!("`{what}` runs a package that it may fetch first"));
    }
    if let Some(word) = other_packages(name, arguments) {
        return Err(format!(
            "which packages `{word}` leads to is not plain; put it right behind `{name}` with a name or a path"
        ));
    }
    if is_interpreter(name) && head.is_none() {
        return interpreted(name, arguments).map(Some);
    }
    let mut named = words.iter().take(head.unwrap_or_default()).skip(1);
    let script = named.find(|word| word.ends_with(".py"));
    let is_file = program.contains('/') && (head.is_none() || environment::program_of(program).is_none());
    Ok(if is_file { Some(program.clone()) } else { script.cloned() })
}

/// What runs a package that it may fetch. By a plain name `npx` runs what is installed; whether it is, the gate looks up.
fn fetched_by(name: &str, first: &str) -> Option<String> {
    let is_plain =
        !first.is_empty() && !first.starts_with('-') && !first.trim_start_matches('@').contains('@');
    let fetches = FETCHES.contains(&(name, first)) || (name == "npx" && !is_plain);
    match FETCHERS.contains(&name) {
        true => Some(name.to_owned()),
        false => fetches.then(|| format!("{name} {first}")),
    }
}

/// The word that sends a package manager to the scripts of other packages: what those say is not looked at.
fn other_packages<'w>(name: &str, arguments: &'w [String]) -> Option<&'w String> {
    let (_, options) = OTHER_PACKAGES.iter().find(|(tool, _)| *tool == name)?;
    // What `exec` starts has words of its own.
    let own = arguments.iter().take_while(|word| *word != "--" && *word != "exec");
    let is_it = |word: &&String| {
        let option = word.split_once('=').map_or(word.as_str(), |(option, _)| option);
        options.contains(&option)
    };
    own.into_iter().find(is_it)
}

fn is_interpreter(name: &str) -> bool {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&name) || INTERPRETERS.contains(&bare)
}

/// The first argument is the script; an option before it could be code, or say where code is.
fn interpreted(name: &str, arguments: &[String]) -> Result<String, String> {
    let script = match arguments {
        [verb, script, ..] if RUNS_SCRIPT.contains(&(name, verb.as_str())) => Some(script),
        [script, ..] => Some(script),
        [] => None,
    };
    script
        .filter(|script| script.contains(['.', '/']) && !script.contains("://"))
        .filter(|script| !script.starts_with(['-', '/', '~']))
        .cloned()
        .ok_or_else(|| {
            format!("`{name}` runs code; allow it with a script of this repository as its first word")
        })
}

/// Of a known command the words that name it count, of another one those that may be its subcommand or a target.
fn publishes<'w>(mut names: impl Iterator<Item = &'w str>) -> Result<(), String> {
    match names.find(|name| !name.starts_with('-') && is_publishing(name)) {
        Some(name) => Err(format!("`{name}` usually publishes something")),
        None => Ok(()),
    }
}
