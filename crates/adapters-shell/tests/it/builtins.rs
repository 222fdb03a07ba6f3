//! Builtins of shells that count as readers: whatever is proved changes nothing in the shell that runs it. The shells that
//! are on this machine are the judges.

use std::process::Command;

use bailiwick_domain::{CommandReader, CommandReading};

use crate::cases::table;

/// Every shell whose builtins may answer, with the words that start it. One that is not here is passed over.
const SHELLS: &[&[&str]] = &[
    &["sh"],
    &["bash"],
    &["bash", "--posix"],
    &["dash"],
    &["zsh", "-f"],
    &["zsh", "-f", "--emulate", "sh"],
    &["ksh93"],
    &["ksh"],
    &["mksh"],
    &["yash"],
    &["busybox", "sh"],
];

const FORMATS: &[&str] = &[
    "%d",
    "%i",
    "%u",
    "%x",
    "%o",
    "%e",
    "%f",
    "%g",
    "%s",
    "%b",
    "%c",
    "%5d",
    "%-5.1f",
    "%.3d",
    "%*s",
    "%.*s",
    "%1$d",
    "%s %d",
    "%%d",
    "%%%d",
    "%ld",
    "%q",
    "%T",
    "%(%s)T",
    "%n",
    "%..5d",
    "%.3.4d",
    "%#d",
    "%'d",
    "x\\x25d",
    "\\045d",
    "\\0045d",
    "\\45d",
    "\\u0025d",
    "\\U00000025d",
    "\\x{25}d",
    "\\ce%d",
    "%\\x64",
    "%\\144",
    "%\\0144",
    "%\\x73",
    "%\\u0064",
    "%5\\x64",
    "%s\\x25d",
    "%\\s",
    "%\\d",
    "%s\\n",
    "\\033[1m%s\\033[0m",
];

/// Operands by which a shell that computes would set a variable.
const OPERANDS: &[&str] = &[
    "PROBE=5",
    "PROBE++",
    "PROBE--",
    "IFS--",
    "PATH=5",
    "1,PROBE=5",
    "1?PROBE=5:2",
    "x[PROBE=5]",
    "PROBE[1]=5",
    "(PROBE=5)",
    "16#PROBE",
    "5 PROBE=6",
    "5+PROBE++",
    "PROBE",
    "5",
    "-5",
    "+5.25",
    "0x1f",
    "010",
    "99999999999999999999999",
    "1e3",
    "0xg",
    "5x",
    "",
    "'A",
    "'PROBE=5",
    ".5",
    "5.",
];

/// What a shell says of itself.
const STATE: &str = r#"printf '%s|' "$PROBE" "$PATH" "$IFS" "$HOME" "$x" "$PWD" "$OPTIND""#;

fn starts(shell: &[&str], script: &str) -> Option<String> {
    let (program, arguments) = shell.split_first()?;
    let mut command = Command::new(program);
    command.args(arguments).arg("-c").arg(script);
    command.env_clear().env("PATH", std::env::var_os("PATH")?).env("HOME", "/");
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.contains("<end>").then_some(text)
}

/// What a shell is behind a command, told between signs that no command here prints.
fn state_behind(shell: &[&str], command: &str) -> Option<String> {
    let script = format!("PROBE=1; {command} >/dev/null 2>&1; printf '<state>'; {STATE}; printf '<end>'");
    starts(shell, &script).and_then(|text| text.split_once("<state>").map(|(_, state)| state.to_owned()))
}

fn quoted(text: &str) -> String {
    if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") }
}

fn candidates() -> Vec<String> {
    let of_printf = FORMATS.iter().flat_map(|format| {
        OPERANDS.iter().flat_map(move |operand| {
            let (format, operand) = (quoted(format), quoted(operand));
            [
                format!("printf {format} {operand}"),
                format!("printf {format} 5 {operand}"),
                format!("printf {operand} {format}"),
            ]
        })
    });
    let of_test = OPERANDS.iter().flat_map(|operand| {
        let operand = quoted(operand);
        ["-f", "-e", "-d", "-x", "-s", "-v", "-t", "-o", "-n", "-z", "-R", "!"]
            .iter()
            .flat_map(|asked| [format!("[ {asked} {operand} ]"), format!("[[ {asked} {operand} ]]")])
            .chain(["-eq", "-lt", "=", "==", "-nt", "-a"].map(|sign| format!("test {operand} {sign} 5")))
            .chain(
                ["echo", "type", "command -v", "true", "pwd", "which"]
                    .map(|name| format!("{name} {operand}")),
            )
            .collect::<Vec<_>>()
    });
    of_printf.chain(of_test).collect()
}

fn is_proved(command: &str) -> bool {
    matches!(table().read(command), CommandReading::ReadOnly(_))
}

// B5, D-03: zsh and ksh compute numbers that printf prints, and what is computed may set a variable
#[test]
fn no_proved_builtin_changes_the_shell_that_runs_it() {
    let proved: Vec<String> = candidates().into_iter().filter(|command| is_proved(command)).collect();
    assert!(proved.len() > 300, "{}", proved.len());
    let mut wrong = Vec::new();
    for shell in SHELLS {
        let Some(before) = state_behind(shell, "true") else { continue };
        // All in one process each: a hundred shells for each command would take long.
        for some in proved.chunks(40) {
            if state_behind(shell, &some.join(" >/dev/null 2>&1; ")).as_ref() == Some(&before) {
                continue;
            }
            let alone = some.iter().filter(|command| state_behind(shell, command).as_ref() != Some(&before));
            wrong.extend(alone.map(|command| format!("{}: {command}", shell.join(" "))));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

// D-03
#[test]
fn text_and_numbers_are_printed_unasked_whatever_shell_prints_them() {
    for command in [
        "printf '%s\\n' 'A=5' '[x]' '(y)'",
        "printf '%d %5.2f %x\\n' 12 -1.5 0x1f",
        "printf 'a%%b\\t%s' x=y",
        "printf '\\033[1m%s\\033[0m\\n' done",
        "printf -- '%s' x",
    ] {
        assert!(is_proved(command), "{command}: {:?}", table().read(command));
    }
    for command in [
        "printf '%d' 'PATH=5'",
        "printf '%i' 'IFS--'",
        "printf '%s %d' a 1 b 'PATH=5'",
        "printf '%s %d' 'PATH=5' 1",
        "printf '%f' HOME=5",
        "printf '\\u0025d' 'PATH=5'",
        "printf '\\x{25}d' 'PATH=5'",
        "[ PATH=5 -eq 5 ]",
        "test 5 -lt 'PATH=5'",
        "[ -v 'x[PATH=5]' ]",
    ] {
        assert!(!is_proved(command), "{command}");
    }
}
