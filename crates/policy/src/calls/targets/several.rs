//! Several commands of one call as one text. A host runs each in a shell of its own, so nothing of one may reach the next:
//! no folder that it changed to, no quote that it left open. What could is kept apart by a shell of its own in the text.

/// Words that change how later lines are run.
const STAYING: &[&str] = &[
    "cd", "pushd", "popd", "exec", "exit", "return", "set", "alias", "unalias", "export", "unset", "source",
    "eval", "if", "then", "else", "for", "while", "until", "do", "case", "select", "function", "time",
    "coproc", "trap", "umask", "shopt",
];

/// The commands as one text.
pub(super) fn joined(commands: &[String]) -> String {
    let apart = |command: &String| match commands.len() {
        0 | 1 => command.clone(),
        _ if is_closed(command) => command.clone(),
        _ => format!("sh -c '{}'", command.replace('\'', r"'\''")),
    };
    commands.iter().map(apart).collect::<Vec<_>>().join("\n")
}

/// Whether a command is one plain line that ends where it ends.
fn is_closed(command: &str) -> bool {
    let words = command.split(|sign: char| !sign.is_ascii_alphanumeric());
    let mut quote = None;
    let is_plain = command.chars().all(|sign| match quote {
        Some(open) if sign == open => {
            quote = None;
            true
        }
        Some(_) => !matches!(sign, '\n' | '\r' | '\\' | '$' | '`'),
        None if matches!(sign, '\'' | '"') => {
            quote = Some(sign);
            true
        }
        None => sign.is_ascii_alphanumeric() || " -_./=:,@%+*|".contains(sign),
    });
    let goes_on = command.trim_end().ends_with('|');
    is_plain && quote.is_none() && !goes_on && !words.into_iter().any(|word| STAYING.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    // threat D: a heredoc, a quote or a folder of one command would hide what the next one does
    #[test]
    fn nothing_of_one_command_reaches_the_next() {
        let check = |commands: &[&str], expected: &str| {
            let commands: Vec<String> = commands.iter().map(|command| (*command).to_owned()).collect();
            assert_eq!(joined(&commands), expected);
        };
        check(&["cat <<E"], "cat <<E");
        check(&["ls -l src", "grep -n \"a b\" src | wc -l"], "ls -l src\ngrep -n \"a b\" src | wc -l");
        check(&["cat <<E", "rm x\nE"], "sh -c 'cat <<E'\nsh -c 'rm x\nE'");
        check(&["echo 'a", "rm x #'"], "sh -c 'echo '\\''a'\nsh -c 'rm x #'\\'''");
        check(&["cd src/auth", "rm x"], "sh -c 'cd src/auth'\nrm x");
        check(&["ls |", "rm x"], "sh -c 'ls |'\nrm x");
        check(&["echo \\", "rm x"], "sh -c 'echo \\'\nrm x");
    }
}
