//! Commands that are refused whatever the intent is: what cannot be shown to a person, ungoverned agents (D-20), and the
//! gate's own commands that only a human runs (D-16, K-42).
//!
//! This looks at words, so it is a courtesy to honest agents and a tripwire, no boundary: every command that it misses
//! is still shown to a human in full before it runs.

use bailiwick_domain::CommandFault;

/// The longest command that a person can be asked about, in bytes.
const MAX_SHOWN: usize = 64 << 10;

/// Commands of `bailiwick` that a process below an agent may run (D-16).
const OPEN: &[&str] =
    &["completions", "help", "hook", "intent", "log", "mcp", "prompt", "status", "tool", "tools"];

/// Those of them whose second word tells.
const OPEN_SECOND: &[(&str, &[&str])] = &[
    ("intent", &["list", "show", "check"]),
    ("config", &["show", "check"]),
    ("map", &["--files", "--intents"]),
    ("trace", &["blame", "export", "locate", "log", "show", "verify", "why"]),
];

/// Options of `bailiwick` that stand anywhere and take the next word.
const WITH_VALUE: &[&str] = &["--root", "--color"];

/// An agent's program, and the words that make it run without a gate.
const UNGOVERNED: &[(&str, &[&str])] = &[
    ("claude", &["--bare", "--safe-mode", "--dangerously-skip-permissions"]),
    ("codex", &["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", "--yolo"]),
    ("gemini", &["--yolo", "-y"]),
    ("copilot", &["--allow-all-tools", "--allow-all"]),
    ("opencode", &["run"]),
    ("cursor-agent", &["--force", "-f"]),
    ("gh", &["workflow", "agent-task"]),
];

/// Programs that run the command behind them.
const CARRIERS: &[&str] = &[
    "sudo", "doas", "env", "nohup", "setsid", "nice", "ionice", "stdbuf", "timeout", "time", "command",
    "exec", "xargs", "script", "eval", "then", "do", "else", "!", "{",
];

/// Why a command is refused, if it is.
pub(crate) fn fault(command: &str) -> Option<CommandFault> {
    if command.len() > MAX_SHOWN {
        return Some(CommandFault::NotUnderstood(format!("it is longer than {MAX_SHOWN} bytes")));
    }
    if let Some(sign) = command.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        return Some(CommandFault::NotUnderstood(format!(
            "it holds the control character U+{:04X}",
            u32::from(sign)
        )));
    }
    simple_commands(command).find_map(|words| human_only(&words).or_else(|| ungoverned(&words)))
}

/// The words of each part of a command line, from its program on.
fn simple_commands(command: &str) -> impl Iterator<Item = Vec<&str>> {
    let parts = command.split([';', '&', '|', '(', ')', '`', '\n', '"', '\'']);
    parts
        .map(|part| part.split_whitespace().skip_while(|word| leads(word)).collect())
        .filter(|words: &Vec<&str>| !words.is_empty())
}

/// Whether a word stands before the program: an assignment, a carrier, its options and numbers.
fn leads(word: &str) -> bool {
    let carrier = CARRIERS.contains(&base(word));
    carrier || word.contains('=') || word.starts_with('-') || word.starts_with(|c: char| c.is_ascii_digit())
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn human_only(words: &[&str]) -> Option<CommandFault> {
    let (program, rest) = words.split_first()?;
    if base(program) != "bailiwick" {
        return None;
    }
    let mut named = behind_options(rest).iter();
    let first = named.next()?;
    let second = named.next().copied().unwrap_or("");
    let open = match OPEN_SECOND.iter().find(|(name, _)| name == first) {
        Some((_, seconds)) => seconds.contains(&second),
        None => OPEN.contains(first),
    };
    (!open).then(|| CommandFault::HumanOnly(format!("bailiwick {first}")))
}

/// The words from the first that is neither an option nor an option's value.
fn behind_options<'a>(mut words: &'a [&'a str]) -> &'a [&'a str] {
    while let [word, rest @ ..] = words {
        words = match rest {
            [_, behind @ ..] if WITH_VALUE.contains(word) => behind,
            _ if word.starts_with('-') => rest,
            _ => break,
        };
    }
    words
}

fn ungoverned(words: &[&str]) -> Option<CommandFault> {
    let (program, rest) = words.split_first()?;
    let (name, marks) = UNGOVERNED.iter().find(|(name, _)| *name == base(program))?;
    let mark = rest.iter().find(|word| marks.contains(word))?;
    Some(CommandFault::Delegation(format!("`{name} {mark}`")))
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::CommandFault;

    use super::fault;

    // D-16, K-42, threat G3
    #[test]
    fn commands_of_a_human_are_refused_in_every_place_of_a_line() {
        for command in [
            "bailiwick approval approve ap-1",
            "/usr/local/bin/bailiwick watch",
            "ls; bailiwick approval list",
            "yes | bailiwick approval approve ap-1",
            "sh -c 'bailiwick select INT-001'",
            "sudo -n bailiwick config accept",
            "FOO=1 setsid bailiwick gate --root .",
            "bailiwick --root /x intent new a --scope src/",
            "$(bailiwick uninstall)",
            "timeout 5 bailiwick init",
            "bailiwick trace repair --new-chain --yes",
            "bailiwick --root status restore --call c-1 --yes",
            "bailiwick --json --color always gc",
            "bailiwick --root=status restore --session s",
        ] {
            assert!(matches!(fault(command), Some(CommandFault::HumanOnly(_))), "{command}");
        }
    }

    // D-16
    #[test]
    fn queries_and_talk_about_the_program_are_not_refused() {
        for command in [
            "bailiwick status",
            "bailiwick log --blocked",
            "bailiwick intent list --json",
            "bailiwick config show",
            "bailiwick trace verify --json",
            "bailiwick tool list_intents",
            "bailiwick --root sub status",
            "bailiwick --json --root /x log",
            "cat docs/bailiwick.md",
            "grep -rn bailiwick approval",
            "cargo build -p bailiwick",
            "bailiwick",
        ] {
            assert_eq!(fault(command), None, "{command}");
        }
    }

    // D-20
    #[test]
    fn agents_without_a_gate_are_refused() {
        for command in [
            "claude --bare -p x",
            "echo x | codex exec --yolo",
            "gh workflow run ci.yml",
            "env A=b gemini -y",
        ] {
            assert!(matches!(fault(command), Some(CommandFault::Delegation(_))), "{command}");
        }
        for command in ["claude --version", "gh pr list", "cat claude --bare.md"] {
            assert_eq!(fault(command), None, "{command}");
        }
    }

    // threat A17, G2
    #[test]
    fn what_cannot_be_shown_is_not_understood() {
        for command in ["ls\0", "echo \u{1b}[2J", "ls \r rm", &"x".repeat(70_000)] {
            assert!(matches!(fault(command), Some(CommandFault::NotUnderstood(_))));
        }
        assert_eq!(fault("ls \\\n\t-l"), None);
    }
}
