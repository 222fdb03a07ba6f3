//! Whether a person is provably at the host, so that its own prompt may ask (the setting `approval.channel`).
//!
//! Doubt means no: in headless runs and bypass modes nobody would see the question.

use bailiwick_adapters_hooks::PermissionMode;

/// The look that fits a mode: in modes that never ask, nobody is there.
pub(super) fn look(mode: PermissionMode) -> fn() -> bool {
    use PermissionMode::{AcceptEdits, Auto, Bypass, Default, DontAsk, Plan, Unknown};
    match mode {
        Default | Plan | AcceptEdits | Auto => agent_is_interactive,
        DontAsk | Bypass | Unknown => || false,
    }
}

/// The host's process has a terminal and was not started for one headless run.
fn agent_is_interactive() -> bool {
    bailiwick_adapters_fs::calling_agent()
        .is_some_and(|agent| agent.has_terminal && !agent.words().iter().any(|word| is_headless(word)))
}

/// Words of a command line that say that a program, not a person, reads what the host shows.
fn is_headless(word: &str) -> bool {
    const WORDS: [&str; 4] = ["--print", "--input-format", "--output-format", "--permission-prompt-tool"];
    let name = word.split('=').next().unwrap_or(word);
    let letters = word.strip_prefix('-').filter(|letters| letters.bytes().all(|b| b.is_ascii_alphabetic()));
    WORDS.contains(&name) || letters.is_some_and(|letters| letters.contains('p'))
}

#[cfg(test)]
mod tests {
    use super::is_headless;

    // threat G7
    #[test]
    fn runs_that_a_program_reads_are_headless_however_they_are_spelled() {
        for word in [
            "-p",
            "--print",
            "-cp",
            "-pc",
            "--output-format=json",
            "--input-format",
            "--permission-prompt-tool",
        ] {
            assert!(is_headless(word), "{word}");
        }
        for word in ["claude", "-c", "--model", "explain -p", "--permission-mode", "src/print.rs", "-"] {
            assert!(!is_headless(word), "{word}");
        }
    }
}
