//! Whatever is read-only stops being so when it is dressed up: operators, wrappers, redirections, other names.

use bailiwick_domain::{CommandReader, CommandReading};
use proptest::prelude::*;

use crate::cases::{cases, table};

fn read_only() -> impl Strategy<Value = String> {
    let commands: Vec<String> =
        cases().into_iter().filter(|case| case.want == "read-only").map(|case| case.command).collect();
    prop::sample::select(commands)
}

#[track_caller]
fn is_unproved(command: &str) -> Result<(), TestCaseError> {
    let reading = table().read(command);
    prop_assert!(matches!(reading, CommandReading::Unproved { .. }), "{command:?} was read as {reading:?}");
    Ok(())
}

const PREFIXES: &[&str] = &[
    "sudo ",
    "doas ",
    "env ",
    "env -i ",
    "env A=b ",
    "timeout -k 5 5 ",
    "nohup ",
    "setsid ",
    "nice ",
    "stdbuf -o0 ",
    "time -p ",
    "command ",
    "builtin ",
    "exec ",
    "busybox ",
    "xargs ",
    "watch ",
    "strace ",
    "A=b ",
    "PATH=. ",
    "! ",
    "( ",
    "{ ",
    "rm x; ",
    "rm x && ",
    "rm x || ",
    "rm x | ",
    "rm x & ",
    "rm x\n",
    "\\",
    "./",
    "/bin/",
    "$(echo) ",
    "`echo`",
    "> f ",
    "2>f ",
    "< f ",
    "<<EOF ",
    "#",
    "eval ",
    "source ",
    "if ",
    "while ",
    "coproc ",
    "\u{feff}",
    "\u{a0}",
    "\t",
    "$x ",
    "~/",
];

const SUFFIXES: &[&str] = &[
    "; rm x",
    ";rm x",
    " && rm x",
    " || rm x",
    " | sh",
    " |& sh",
    " & rm x",
    " &",
    "\nrm x",
    "\r\nrm x",
    "\rrm x",
    "\0",
    " > f",
    ">f",
    " >> f",
    " 2> f",
    " &> f",
    " >| f",
    " <> f",
    " <> f",
    " << EOF",
    " <<< x",
    " $(rm x)",
    " `rm x`",
    " \"$(rm x)\"",
    " \"`rm x`\"",
    " $x",
    " ${x}",
    " <(rm x)",
    " >(rm x)",
    " -*",
    " **",
    " {a,{b,c}}",
    " ~",
    " # x",
    " '",
    " \"",
    " \\",
    " !!",
    " \u{a0}rm",
    " \u{200b}",
    "\t",
    ")",
    " }",
];

proptest! {
    // threats A8, A9, B1, B2, B3
    #[test]
    fn a_prefix_is_never_read_only(command in read_only(), prefix in prop::sample::select(PREFIXES)) {
        is_unproved(&format!("{prefix}{}", command.trim_start()))?;
    }

    // threats A3, A4, A7, A9, A11, A13, B11
    #[test]
    fn a_suffix_is_never_read_only(command in read_only(), suffix in prop::sample::select(SUFFIXES)) {
        is_unproved(&format!("{command}{suffix}"))?;
    }

    // threat B1
    #[test]
    fn a_shell_around_it_is_never_read_only(
        command in read_only(),
        shell in prop::sample::select(&["sh -c", "bash -c", "bash -lc", "zsh -c", "su -c", "ssh host", "eval"][..]),
        depth in 1_usize..4,
    ) {
        let mut wrapped = command;
        for _ in 0..depth {
            wrapped = format!("{shell} '{}'", wrapped.replace('\'', "'\\''"));
            is_unproved(&wrapped)?;
        }
    }

    // threats A1, A6, A8
    #[test]
    fn a_shell_character_inside_is_never_read_only(
        command in read_only(), at: prop::sample::Index,
        inserted in prop::sample::select(&["$(rm x)", "`id`", "\r", "\0", "\u{7}", "\u{202e}", "\u{200b}"][..]),
    ) {
        let mut characters: Vec<char> = command.chars().collect();
        let place = at.index(characters.len() + 1);
        let quoted = characters.iter().take(place).filter(|c| **c == '\'').count() % 2 == 1;
        prop_assume!(!(quoted && inserted.is_ascii() && !inserted.contains(char::is_control)));
        characters.splice(place..place, inserted.chars());
        is_unproved(&characters.into_iter().collect::<String>())?;
    }

    // threats A15, A16, A17
    #[test]
    fn any_text_is_read_without_a_panic(text in prop_oneof!["\\PC*", "[ -~]{0,60}", "(cat|git|find|sed|rg)( [ -~]{1,12}){0,4}"]) {
        let first = table().read(&text);
        prop_assert_eq!(table().read(&text), first.clone());
        if matches!(first, CommandReading::ReadOnly(_)) {
            is_unproved(&format!("{text} > f"))?;
            is_unproved(&format!("{text}; rm x"))?;
        }
    }

    // threat B5: names of writing options in any place are never read-only
    #[test]
    fn a_writing_option_is_never_read_only(
        command in plain_read_only(|name| !["echo", "printf", "find"].contains(&name)),
        option in prop::sample::select(&[
            "--output=f", "--output", "--outp=f", "--pre=x", "--ext-diff", "--in-place", "--compress-program=x",
            "--open-files-in-pager=x", "--files0-from=f", "--exec=x", "--set=x",
        ][..]),
    ) {
        is_unproved_with(&command, option)?;
    }

    // threat B4
    #[test]
    fn an_acting_primary_is_never_read_only(
        command in plain_read_only(|name| name == "find"),
        primary in prop::sample::select(&[
            "-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls", "-files0-from",
        ][..]),
    ) {
        is_unproved_with(&command, primary)?;
    }
}

/// Labelled read-only commands without quotes and without `--` and input, of programs that the filter takes.
fn plain_read_only(takes: fn(&str) -> bool) -> impl Strategy<Value = String> {
    let is_plain = |command: &String| {
        let mut words = command.split_whitespace();
        let is_one = !["&&", "||", ";", "<"].iter().any(|sign| command.contains(sign));
        is_one
            && words.next().is_some_and(takes)
            && words.all(|word| word != "--" && !word.contains(['\'', '"']))
    };
    let labelled = cases().into_iter().filter(|case| case.want == "read-only").map(|case| case.command);
    prop::sample::select(labelled.filter(is_plain).collect::<Vec<_>>())
}

/// Asserts that the command is unproved with this word put in at any place after its name.
fn is_unproved_with(command: &str, added: &str) -> Result<(), TestCaseError> {
    let words: Vec<&str> = command.split_whitespace().collect();
    for place in 1..=words.len() {
        let mut changed = words.clone();
        changed.insert(place, added);
        is_unproved(&changed.join(" "))?;
    }
    Ok(())
}

// threat A16
#[test]
fn any_number_of_prefixes_is_read_at_once() {
    let many = "PAGER=cat ".repeat(400);
    assert!(matches!(table().read(&format!("{many}git log")), CommandReading::ReadOnly(_)));
    assert!(matches!(table().read(&format!("{many}ls")), CommandReading::Unproved { .. }));
}

// threats A15, A16
#[test]
fn long_and_deep_texts_are_unproved() {
    for text in [
        "true;".repeat(1000),
        "$(".repeat(3000),
        "a ".repeat(100_000),
        "'".repeat(4097),
        format!("cat {}", "a".repeat(5000)),
    ] {
        assert!(matches!(table().read(&text), CommandReading::Unproved { .. }));
    }
}
