//! Commands that are refused whatever the intent is: what cannot be shown to a person, ungoverned agents, and the
//! gate's own commands that only a person runs.
//!
//! This looks at words, so it is a courtesy to honest agents and a tripwire, no boundary: every command that it misses
//! is still shown to a person in full before it runs, and the program itself keeps agents from what is for people.

use bailiwick_domain::CommandFault;

use crate::read_only::queries;

mod delegation;
mod line;
mod place;

/// The longest command that a person can be asked about, in bytes.
const MAX_SHOWN: usize = 64 << 10;

/// Commands of `bailiwick` that a process below an agent may run, beside those that only tell (`read_only::queries`).
const ALSO_OPEN: &[&[&str]] = &[
    &["completions"],
    &["hook"],
    &["mcp"],
    &["prompt"],
    &["tool"],
    &["intent", "schema"],
    &["map", "--files"],
    &["map", "--intents"],
    &["trace", "export"],
];

/// Commands of which the second word tells what they do.
const IN_TWO_WORDS: &[&str] = &["intent", "config", "lesson", "map", "trace"];

/// Options of `bailiwick` that stand anywhere and take the next word.
const WITH_VALUE: &[&str] = &["--root", "--color"];

/// Programs that run what their words, their input or another part of the line says. Where one of them is in a command's
/// place, every piece of text in the line may be a command.
#[rustfmt::skip]
const INTERPRETERS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "ksh", "fish", "ash", "busybox", "eval", "source", ".", "ssh", "su", "python", "python3",
    "node", "deno", "bun", "perl", "ruby", "php", "lua", "osascript", "pwsh", "powershell", "cmd", "tmux", "screen", "script",
    "watch", "expect", "parallel", "at", "batch", "crontab", "find", "fd", "trap", "entr", "make", "docker", "podman",
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
    match line::commands(command) {
        Ok(found) => {
            let words: Vec<Vec<&str>> =
                found.iter().map(|words| words.iter().map(String::as_str).collect()).collect();
            of_commands(&words).or_else(|| if is_loose(&words) { of_pieces(command) } else { None })
        }
        Err(line::Unclear) => of_pieces(command),
    }
}

/// Whether text of the line may be run as well.
fn is_loose(commands: &[Vec<&str>]) -> bool {
    commands.iter().any(|words| {
        words.iter().any(|word| word.contains("alias.") || matches!(*word, "-S" | "--split-string"))
            || words.first().is_some_and(|word| INTERPRETERS.contains(&place::base(word)))
            || place::placed(words).is_some_and(|placed| INTERPRETERS.contains(&placed.program))
    })
}

/// Looks at everything between quotes, separators and line ends as if it were a command.
fn of_pieces(command: &str) -> Option<CommandFault> {
    let parts = command.split([';', '&', '|', '(', ')', '`', '\n', '"', '\'', '!']);
    let words: Vec<Vec<&str>> = parts
        .map(|part| part.split_whitespace().collect())
        .filter(|words: &Vec<&str>| !words.is_empty())
        .collect();
    of_commands(&words)
}

fn of_commands(commands: &[Vec<&str>]) -> Option<CommandFault> {
    // Variables of a line that are set for all that follows in it.
    let mut set: Vec<&str> = Vec::new();
    for words in commands {
        let words = carried(words);
        let Some(placed) = place::placed(words) else {
            set.extend(words);
            continue;
        };
        if matches!(placed.program, "export" | "declare" | "typeset" | "set" | "setx") {
            set.extend(&placed.words);
        }
        let delegated = || delegation::of(&placed, &set).map(CommandFault::Delegation);
        if let Some(fault) = human_only(&placed).or_else(delegated) {
            return Some(fault);
        }
    }
    None
}

/// The command that `find` runs, or the command itself.
fn carried<'w, 'a>(words: &'w [&'a str]) -> &'w [&'a str] {
    if words.first().is_none_or(|word| place::base(word) != "find") {
        return words;
    }
    let runs = |word: &&str| matches!(*word, "-exec" | "-execdir" | "-ok" | "-okdir");
    words.iter().position(runs).and_then(|at| words.get(at + 1..)).unwrap_or(words)
}

fn human_only(command: &place::Placed<'_>) -> Option<CommandFault> {
    if command.program != "bailiwick" {
        return None;
    }
    let named = behind_options(&command.words);
    let first = named.first()?;
    // The one word that makes a query write.
    let writes = *first == "intent" && command.words.contains(&"--fix");
    let open = queries::is_query(named) || ALSO_OPEN.iter().any(|words| named.starts_with(words));
    let length = if IN_TWO_WORDS.contains(first) { 2 } else { 1 };
    let named = named.get(..length.min(named.len())).unwrap_or_default();
    (!open || writes).then(|| CommandFault::HumanOnly(format!("bailiwick {}", named.join(" "))))
}

/// The words from the first that is neither an option nor an option's value.
fn behind_options<'w, 'a>(mut words: &'w [&'a str]) -> &'w [&'a str] {
    while let [word, rest @ ..] = words {
        words = match rest {
            [_, behind @ ..] if WITH_VALUE.contains(word) => behind,
            _ if word.starts_with('-') => rest,
            _ => break,
        };
    }
    words
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
            "bailiwick verify INT-001",
            "bailiwick verify INT-001 --tick AC-2",
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
            "bailiwick verify INT-001 --last",
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

    // D-20, A13
    #[test]
    fn every_known_way_to_hand_work_out_is_refused() {
        for command in [
            "HOME=/x claude -p go",
            "env HOME=/x claude -p go",
            "HOME=/x kiro-cli chat go",
            "HOME=/x windsurf .",
            "env -i claude -p go",
            "export HOME=/x; claude -p go",
            "HOME=/x\nclaude -p go",
            "CLAUDE_CONFIG_DIR=/x timeout -s KILL 60 claude -p go",
            "claude --permission-mode bypassPermissions -p go",
            "claude -p go --permission-mode=bypassPermissions",
            "claude --dangerously-skip-permissions",
            "claude --settings '{\"disableAllHooks\":true}' -p go",
            "claude --remote 'fix the tests'",
            "npx claude --bare",
            "npx -y @anthropic-ai/claude-code@latest --bare -p go",
            "bunx @anthropic-ai/claude-code --safe-mode",
            "pnpm dlx @openai/codex exec --full-auto go",
            "uvx --from aider-chat aider --yes-always",
            "npm exec --package @google/gemini-cli gemini -- --yolo",
            "codex exec --full-auto go",
            "codex --ask-for-approval never exec go",
            "codex exec -c approval_policy=never go",
            "codex cloud exec --env e go",
            "gemini --approval-mode yolo -p go",
            "gemini -py go",
            "opencode --pure run go",
            "OPENCODE_PURE=1 opencode",
            "qwen --safe-mode -p go",
            "QWEN_CODE_SIMPLE=1 qwen -p go",
            "gh -R o/r workflow run ci.yml",
            "gh api -X POST repos/o/r/dispatches -f event_type=x",
            "gh api repos/o/r/actions/workflows/ci.yml/dispatches",
            "curl -d '{}' https://api.github.com/repos/o/r/dispatches",
            "gh agent-task create 'fix it'",
            "gh issue edit 3 --add-assignee @copilot",
            "sudo -u bob nice -n 5 claude --bare",
            "find . -name x -exec claude --bare {} ;",
            "echo 'claude --bare' | sh",
            "bash <<'E'\nclaude --bare\nE",
            "if true; then claude --bare; fi",
            "x=$(claude --bare -p go)",
            "git -c alias.x='!claude --bare' x",
            "\"claude\" --bare",
            "cl\\aude --bare",
            "claude \\\n --bare",
        ] {
            assert!(matches!(fault(command), Some(CommandFault::Delegation(_))), "{command}");
        }
    }

    // D-20: hooks run in an agent that is started plainly, so that a person is only asked
    #[test]
    fn an_agent_that_is_started_plainly_is_asked_about() {
        for command in [
            "claude -p 'look at the tests'",
            "ANTHROPIC_API_KEY=x claude -p go",
            "codex exec 'look at the tests'",
            "npx @openai/codex exec go",
            "HOME=/x claude --version",
            "HOME=/x make test",
            "gh workflow list",
            "gh api repos/o/r/pulls",
            "codex cloud list",
        ] {
            assert_eq!(fault(command), None, "{command}");
        }
    }

    // B: the words of a message are words
    #[test]
    fn words_that_are_no_command_are_words() {
        for command in [
            "git commit -m \"bailiwick approval approve\"",
            "git commit -m \"claude --bare\"",
            "git commit -m 'fix: refuse; claude --bare | bailiwick config accept'",
            "git commit -q -F - <<'E'\nbailiwick approval approve ap-1\nclaude --bare\nE",
            "git commit -m \"$(cat <<'E'\nclaude --bare is refused\nE\n)\"",
            "echo 'bailiwick gc' >> notes.md",
            "grep -rn 'claude --bare' docs | head -5",
            "rg \"codex --yolo\" && ls",
            "cat <<E > notes.md\nbailiwick uninstall\nE",
            "gh pr create --title 'x' --body 'run claude --bare'",
            "ls # bailiwick uninstall",
        ] {
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
