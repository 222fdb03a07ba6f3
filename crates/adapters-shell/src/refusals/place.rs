//! Which word of a simple command is its program: what stands before it, programs that only run another one, and programs
//! that fetch a package and run it.

/// A simple command from its program on, with the variables that were set for it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Placed<'a> {
    pub(super) set: Vec<&'a str>,
    pub(super) program: &'a str,
    pub(super) words: Vec<&'a str>,
}

/// A program that runs the command behind it.
struct Carrier {
    name: &'static str,
    /// Options that take the next word.
    valued: &'static [&'static str],
    /// Further words before the command.
    first: usize,
}

const fn carrier(name: &'static str, valued: &'static [&'static str], first: usize) -> Carrier {
    Carrier { name, valued, first }
}

#[rustfmt::skip]
const CARRIERS: &[Carrier] = &[
    carrier("sudo", &["-u", "-g", "-h", "-p", "-C", "-r", "-t", "-U", "-D", "-R", "-T"], 0),
    carrier("doas", &["-u", "-C"], 0), carrier("env", &["-u", "-C", "--unset", "--chdir"], 0),
    carrier("timeout", &["-s", "-k", "--signal", "--kill-after"], 1), carrier("nice", &["-n", "--adjustment"], 0),
    carrier("ionice", &["-c", "-n", "--class", "--classdata"], 0), carrier("stdbuf", &["-i", "-o", "-e"], 0),
    carrier("xargs", &["-I", "-n", "-P", "-L", "-d", "-E", "-s", "-a", "--max-args", "--max-procs", "--delimiter"], 0),
    carrier("time", &["-f", "-o"], 0), carrier("flock", &["-w", "-E", "--timeout"], 1), carrier("chrt", &[], 1),
    carrier("taskset", &[], 1), carrier("systemd-run", &["-p", "-u", "--unit", "--property"], 0),
    carrier("nohup", &[], 0), carrier("setsid", &[], 0), carrier("command", &[], 0), carrier("exec", &["-a"], 0),
    carrier("builtin", &[], 0), carrier("unbuffer", &[], 0), carrier("caffeinate", &["-t", "-w"], 0),
    carrier("direnv", &[], 2), carrier("mise", &[], 1),
];

/// Words of the shell's own grammar before a command.
const KEYWORDS: &[&str] =
    &["then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "coproc", "eval", "script"];

/// Programs that fetch a package and run it: the words up to the package, and options that take the next word.
#[rustfmt::skip]
const LAUNCHERS: &[(&[&str], &[&str])] = &[
    // https://docs.npmjs.com/cli/commands/npx
    (&["npx"], &["-p", "--package", "-w", "--workspace"]), (&["npm", "exec"], &["-p", "--package", "-w", "--workspace"]),
    (&["npm", "x"], &["-p", "--package"]),
    // https://pnpm.io/cli/dlx, https://yarnpkg.com/cli/dlx, https://bun.com/docs/pm/bunx
    (&["pnpm", "dlx"], &["--package"]), (&["pnpx"], &["--package"]), (&["yarn", "dlx"], &["-p", "--package"]),
    (&["bunx"], &["-p", "--package"]), (&["bun", "x"], &["-p", "--package"]),
    // https://docs.astral.sh/uv/guides/tools, https://pipx.pypa.io
    (&["uvx"], &["--from", "--with", "-p", "--python"]), (&["uv", "tool", "run"], &["--from", "--with", "-p", "--python"]),
    (&["pipx", "run"], &["--spec", "--python"]),
    // https://docs.deno.com/runtime/reference/cli/run
    (&["deno", "run"], &[]),
];

/// Packages whose program has another name.
#[rustfmt::skip]
const PACKAGES: &[(&str, &str)] = &[
    ("@anthropic-ai/claude-code", "claude"), ("@openai/codex", "codex"), ("@google/gemini-cli", "gemini"),
    ("@github/copilot", "copilot"), ("opencode-ai", "opencode"), ("@qwen-code/qwen-code", "qwen"),
    ("@sourcegraph/amp", "amp"), ("aider-chat", "aider"), ("@google/jules", "jules"),
];

/// Finds the program of a simple command; `None` where there is none.
pub(super) fn placed<'a>(words: &[&'a str]) -> Option<Placed<'a>> {
    let mut set = Vec::new();
    let mut rest = words;
    loop {
        let (word, after) = rest.split_first()?;
        if is_assignment(word) {
            set.push(*word);
            rest = after;
        } else if KEYWORDS.contains(&base(word)) {
            rest = past_options(after, &[]).0;
        } else if let Some(carrier) = CARRIERS.iter().find(|carrier| carrier.name == base(word)) {
            let (behind, options) = past_options(after, carrier.valued);
            if carrier.name == "env"
                && options.iter().any(|word| matches!(*word, "-i" | "-" | "--ignore-environment"))
            {
                set.push("HOME=");
            }
            rest = behind.get(carrier.first..).unwrap_or_default();
        } else if let Some((package, behind)) = launched(rest) {
            return Some(Placed { set, program: package, words: behind.to_vec() });
        } else {
            return Some(Placed { set, program: base(word), words: after.to_vec() });
        }
    }
}

/// The last part of a program's path, without the ending of Windows.
pub(super) fn base(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    [".exe", ".cmd", ".ps1"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

fn is_assignment(word: &str) -> bool {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
    word.split_once('=').is_some_and(|(name, _)| is_name(name.trim_end_matches('+')))
}

/// What follows the options, and these. An option that takes a value may have it in the same word.
fn past_options<'w, 'a>(words: &'w [&'a str], valued: &[&str]) -> (&'w [&'a str], Vec<&'a str>) {
    let (mut rest, mut options) = (words, Vec::new());
    while let [word, after @ ..] = rest {
        if !word.starts_with('-') {
            break;
        }
        options.push(*word);
        rest = match after {
            [_, behind @ ..] if valued.contains(word) => behind,
            _ => after,
        };
        if *word == "--" {
            break;
        }
    }
    (rest, options)
}

/// The program that a fetched package runs, and its words.
fn launched<'w, 'a>(words: &'w [&'a str]) -> Option<(&'a str, &'w [&'a str])> {
    let (program, _) = words.split_first()?;
    let (behind, valued) = LAUNCHERS.iter().find_map(|(head, valued)| {
        let (first, others) = head.split_first()?;
        let rest = words.get(1..)?.strip_prefix(others)?;
        (*first == base(program)).then_some((rest, *valued))
    })?;
    let (package, words) = past_options(behind, valued).0.split_first()?;
    let name = package.strip_prefix("npm:").unwrap_or(package);
    let version = name.get(1..).and_then(|tail| tail.find('@')).map_or(name.len(), |at| at + 1);
    let name = name.get(..version).unwrap_or(name);
    let known = PACKAGES.iter().find(|(known, _)| *known == name).map(|(_, program)| *program);
    Some((known.unwrap_or_else(|| base(name)), words))
}
