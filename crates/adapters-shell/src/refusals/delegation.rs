//! Ways to hand work to an agent or a machine that no gate governs, as data with a source for each.
//!
//! An agent that is started plainly, so that the hooks of its folder run, is not here: such a command is asked about.

use bailiwick_domain::AGENT_PROGRAMS;

use super::place::Placed;

/// What makes a command such a way.
#[derive(Clone, Copy, Debug)]
enum Mark {
    /// An option, alone or with a value behind `=`.
    Option(&'static str),
    /// An option with a value that begins so, in the next word or behind `=`.
    Value(&'static str, &'static [&'static str]),
    /// The first words that are no options.
    Words(&'static [&'static str]),
    /// A word that contains all of these.
    Holds(&'static [&'static str]),
}

struct Way {
    program: &'static str,
    marks: &'static [Mark],
    /// Where the marks are documented.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "for readers of the table; a test looks that each row has one")
    )]
    source: &'static str,
}

const fn way(program: &'static str, source: &'static str, marks: &'static [Mark]) -> Way {
    Way { program, marks, source }
}

use Mark::{Holds, Option as Opt, Value, Words};

const CLAUDE: &str = "https://code.claude.com/docs/en/cli-reference";
const CODEX: &str = "https://developers.openai.com/codex/cli/reference";
const GEMINI: &str = "https://geminicli.com/docs/cli/cli-reference";
const COPILOT: &str = "https://docs.github.com/en/copilot/reference/cli-command-reference";
const GH: &str = "https://cli.github.com/manual";
const DISPATCH: &str = "https://docs.github.com/en/rest/repos/repos#create-a-repository-dispatch-event";

#[rustfmt::skip]
static WAYS: &[Way] = &[
    // No hooks, other hooks, or no questions.
    way("claude", CLAUDE, &[
        Opt("--bare"), Opt("--safe-mode"), Opt("--dangerously-skip-permissions"),
        Opt("--allow-dangerously-skip-permissions"), Value("--permission-mode", &["bypassPermissions"]),
        Opt("--settings"), Opt("--setting-sources"),
    ]),
    // A session on another machine.
    way("claude", CLAUDE, &[Opt("--remote"), Opt("--cloud")]),
    way("codex", CODEX, &[
        Opt("--dangerously-bypass-approvals-and-sandbox"), Opt("--dangerously-bypass-hook-trust"), Opt("--yolo"),
        Opt("--full-auto"), Value("-a", &["never"]), Value("--ask-for-approval", &["never"]),
        Value("-s", &["danger-full-access"]), Value("--sandbox", &["danger-full-access"]),
        Value("-c", &["approval_policy", "sandbox_mode", "hooks", "features.hooks"]),
        Value("--config", &["approval_policy", "sandbox_mode", "hooks", "features.hooks"]),
    ]),
    way("codex", CODEX, &[Words(&["cloud", "exec"]), Words(&["cloud-tasks", "exec"])]),
    way("gemini", GEMINI, &[Opt("--yolo"), Opt("-y"), Value("--approval-mode", &["yolo"])]),
    way("qwen", "https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings",
        &[Opt("--bare"), Opt("--safe-mode"), Opt("--yolo"), Opt("-y"), Value("--approval-mode", &["yolo"])]),
    way("copilot", COPILOT, &[Opt("--allow-all-tools"), Opt("--allow-all"), Opt("--yolo")]),
    way("opencode", "https://opencode.ai/docs/cli", &[Opt("--pure"), Opt("--auto"), Words(&["run"])]),
    way("cursor-agent", "https://cursor.com/docs/cli/reference/parameters",
        &[Opt("--force"), Opt("-f"), Opt("--yolo"), Opt("--cloud")]),
    way("cline", "https://docs.cline.bot/cline-cli/cli-reference", &[Opt("--yolo"), Opt("-y")]),
    way("amp", "https://ampcode.com/manual", &[Opt("--dangerously-allow-all")]),
    way("droid", "https://docs.factory.ai/reference/cli-reference", &[Opt("--skip-permissions-unsafe")]),
    way("aider", "https://aider.chat/docs/config/options.html", &[Opt("--yes-always"), Opt("--yes")]),
    way("q", "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-reference.html",
        &[Opt("--trust-all-tools")]),
    way("kiro-cli", "https://kiro.dev/docs/cli/reference/cli-commands", &[Opt("--trust-all-tools")]),
    // Work on other machines.
    way("gh", GH, &[
        Words(&["workflow", "run"]), Words(&["agent-task", "create"]), Value("--add-assignee", &["@copilot"]),
        Value("--assignee", &["@copilot"]),
    ]),
    way("gh", DISPATCH, &[Holds(&["/dispatches"])]),
    way("curl", DISPATCH, &[Holds(&["api.github.com", "/dispatches"])]),
    way("wget", DISPATCH, &[Holds(&["api.github.com", "/dispatches"])]),
    way("glab", "https://docs.gitlab.com/cli/ci/run", &[Words(&["ci", "run"])]),
    way("jules", "https://jules.google/docs/cli/reference", &[Words(&["remote", "new"]), Words(&["new"])]),
];

/// Variables that lead an agent to other settings, or take its hooks away; each host's documentation of its environment.
const MOVES: &[&str] = &[
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "XDG_CONFIG_HOME",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_SIMPLE",
    "CLAUDE_CODE_MANAGED_SETTINGS_PATH",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    "COPILOT_HOME",
    "COPILOT_ALLOW_ALL",
    "OPENCODE_CONFIG",
    "OPENCODE_CONFIG_DIR",
    "OPENCODE_CONFIG_CONTENT",
    "OPENCODE_DISABLE_PROJECT_CONFIG",
    "OPENCODE_PERMISSION",
    "OPENCODE_PURE",
    "QWEN_HOME",
    "QWEN_CODE_SAFE_MODE",
    "QWEN_CODE_SIMPLE",
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "PATH",
];

/// How a command hands work to what no gate governs, if it does. `before` are variables that the line set earlier.
pub(super) fn of(command: &Placed<'_>, before: &[&str]) -> Option<String> {
    let ways = WAYS.iter().filter(|way| way.program == command.program);
    if let Some(mark) = ways.flat_map(|way| way.marks).find_map(|mark| mark.found(&command.words)) {
        return Some(format!("`{} {mark}`", command.program));
    }
    // An agent finds its settings, and so its hooks, through its surroundings.
    if !AGENT_PROGRAMS.contains(&command.program) || is_a_question(&command.words) {
        return None;
    }
    let name = |assigned: &&str| assigned.split(['=', '+']).next().unwrap_or_default().to_ascii_uppercase();
    let moved = command.set.iter().chain(before).map(name).find(|name| MOVES.contains(&name.as_str()))?;
    Some(format!("`{}` with another `{moved}`", command.program))
}

/// Whether an agent's program is only asked about itself.
fn is_a_question(words: &[&str]) -> bool {
    matches!(words, ["--version" | "-v" | "-V" | "--help" | "-h" | "help" | "version"])
}

impl Mark {
    /// The mark as it is told, where it is among these words.
    fn found(self, words: &[&str]) -> std::option::Option<String> {
        match self {
            Self::Option(name) => words.iter().any(|word| is_option(word, name)).then(|| name.to_owned()),
            Self::Value(name, values) => {
                let starts = |value: &str| {
                    let lower = value.to_ascii_lowercase();
                    values.iter().find(|wanted| lower.starts_with(&wanted.to_ascii_lowercase())).copied()
                };
                let same = |word: &&str| word.strip_prefix(name)?.strip_prefix('=').and_then(starts);
                let next = |pair: &[&str]| match pair {
                    [option, value] if *option == name => starts(value),
                    _ => None,
                };
                let found = words.iter().find_map(same).or_else(|| words.windows(2).find_map(next));
                found.map(|value| format!("{name} {value}"))
            }
            Self::Words(wanted) => {
                let plain = || words.iter().filter(|word| !word.starts_with('-'));
                // The first plain word may be the value of an option.
                let begins = |skip: usize| {
                    let mut plain = plain().skip(skip);
                    wanted.iter().all(|word| plain.next() == Some(word))
                };
                (begins(0) || begins(1)).then(|| wanted.join(" "))
            }
            Self::Holds(parts) => {
                let holds = |word: &&&str| parts.iter().all(|part| word.contains(part));
                words.iter().find(holds).map(|_| parts.join("…"))
            }
        }
    }
}

/// Whether a word is this option, also with a value, or among letters of one word (`-py`).
fn is_option(word: &str, name: &str) -> bool {
    let with_value = || word.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
    let letter = name.strip_prefix('-').filter(|letter| letter.len() == 1);
    let clustered = letter.is_some_and(|letter| {
        word.strip_prefix('-').is_some_and(|letters| {
            letters.contains(letter) && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
        })
    });
    word == name || with_value() || clustered
}

#[cfg(test)]
mod tests {
    use super::WAYS;

    // D-20, A13
    #[test]
    fn each_way_has_its_source() {
        for way in WAYS {
            assert!(way.source.starts_with("https://") && !way.marks.is_empty(), "{}", way.program);
        }
    }
}
