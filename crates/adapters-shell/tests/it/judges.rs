//! What other programs make of words of ours: the programs on this machine are the judges. One that is not here is passed over.

use std::path::Path;
use std::process::{Command, Stdio};

use bailiwick_domain::{CommandReader, CommandReading, PlacedCommand};

use crate::cases::table;
use crate::trust::{admits, words};

fn is_proved(command: &str) -> bool {
    matches!(table().read(command), CommandReading::ReadOnly(_))
}

/// What a line prints in a folder; nothing where the shell cannot be started.
fn printed(folder: &Path, line: &str) -> Option<String> {
    let output =
        Command::new("sh").args(["-c", line]).current_dir(folder).stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

// A14: GNU programs put what a file says in the place of `@FILE`, also where a value stands
#[test]
fn no_proved_line_takes_its_options_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".env"), "TOKEN=hushhush\n").unwrap();
    std::fs::write(folder.path().join("a.md"), "plain text\n").unwrap();
    std::fs::write(folder.path().join("number"), "4 .env\n").unwrap();
    std::fs::write(folder.path().join("base"), "x .env\n").unwrap();
    for line in [
        "strings -n @number a.md",
        "strings -n@number a.md",
        "strings -t @base a.md",
        "strings -a -t @base a.md",
        "strings @number a.md",
        "strings a.md @number",
        "strings -n 4 a.md",
        "strings -an4 -td a.md",
    ] {
        let shows = printed(folder.path(), line).is_some_and(|text| text.contains("hushhush"));
        assert!(!(shows && is_proved(line)), "{line}");
    }
    assert!(is_proved("strings -n 4 a.md") && is_proved("strings -an4 -td a.md"));
}

// D-32: options right behind a program's name make it run nothing else
#[test]
fn make_runs_the_same_target_behind_options_that_are_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Makefile"), "test:\n\t@echo tested\nwipe 8:\n\t@echo wiped\n")
        .unwrap();
    let printed = |line: &str| printed(folder.path(), line).filter(|text| text.contains("ed\n"));
    for line in [
        "make -s test",
        "make -s -j8 test",
        "make --no-print-directory -k test",
        "make -j 8 test",
        "make -j wipe",
        "make -j8 wipe",
        "make -sj8 test",
        "make -s",
        "make -k -s wipe test",
    ] {
        let Some(text) = printed(line) else { continue };
        assert!(!admits("make test", line) || text == "tested\n", "{line}: {text}");
    }
    assert!(admits("make test", "make -s -j8 test") && !admits("make test", "make -j 8 test"));
}

// A14: what a script sources is read, and never shown
#[test]
fn no_option_of_shellcheck_shows_what_a_script_sources() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".env"), "TOKEN=hushhush `ls`\n").unwrap();
    std::fs::write(folder.path().join("broken.env"), "TOKEN=hushhush `ls\nif\n").unwrap();
    std::fs::write(folder.path().join("a.sh"), "#!/bin/sh\n. ./.env\n. ./broken.env\necho $TOKEN\n").unwrap();
    for line in [
        "shellcheck -x a.sh",
        "shellcheck -x -a a.sh",
        "shellcheck -ax a.sh",
        "shellcheck --external-sources --check-sourced a.sh",
        "shellcheck -x -f json a.sh",
        "shellcheck -x -f gcc a.sh",
        "shellcheck -x -f checkstyle -S style a.sh",
    ] {
        let shows = printed(folder.path(), line).is_some_and(|text| text.contains("hushhush"));
        assert!(!(shows && admits("shellcheck …", line)), "{line}");
    }
    assert!(admits("shellcheck …", "shellcheck -x -f gcc a.sh"));
}

/// Shells of a system, with the words that make them run a line.
const SHELLS: &str = include_str!("../data/shells.txt");

/// What each shell prints for a line in which `mytool` prints its words, each between `<` and `>`.
fn told_by_shells(folder: &Path, line: &str) -> Vec<(String, String)> {
    let text = format!("mytool() {{ printf '<%s>' \"$@\"; }}; {line}");
    let run = |shell: &str| {
        let mut words = shell.split(' ');
        let (program, options) = (words.next()?, words);
        let mut command = Command::new(program);
        command.args(options).arg(&text).current_dir(folder).stdin(Stdio::null());
        let output = command.output().ok()?;
        Some((
            shell.to_owned(),
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
        ))
    };
    SHELLS.lines().filter_map(run).collect()
}

/// The words of `mytool` as they are read here; nothing where the line is not.
fn ours(line: &str) -> Option<String> {
    let found = table().line(line).ok()?;
    let [PlacedCommand { words, .. }] = found.commands.as_slice() else { return None };
    Some(words.iter().skip(1).map(|word| format!("<{word}>")).collect())
}

// D-32: the form in which agents write a message of several lines, and what is like it
#[test]
fn a_here_document_is_to_every_shell_what_it_is_here() {
    let folder = tempfile::tempdir().unwrap();
    let of = |text: &str| format!("mytool -m \"$(cat <<'EOF'\n{text}\nEOF\n)\"");
    let honest = [
        "fix(api): do not `panic()`\n\nIt's \"so\" (see #12).\n\n🤖 Generated with [x](https://x/y)\nA <a@b.c>",
        "$HOME $(id) ${x} \\n \\",
        "don't",
        "",
        "\n\na\n\n",
        "a 'b' (c) `d`",
        " EOF\nEOF ",
    ];
    for text in honest {
        assert!(ours(&of(text)).is_some(), "{text}");
    }
    let hostile = [
        of("a\"; touch out; echo \""),
        of("a)\"; touch out; echo \"("),
        of("a\nEOF\n)\"; touch out; \"$(cat <<'EOF'\nb"),
        of("a\r\nEOF\r"),
        of("(' (' ) )\"; touch out; \""),
        of("a").replace("'EOF'", "EOF"),
        of("$(touch out)").replace("'EOF'", "EOF"),
        of("a").replace("<<", "<<-"),
        of("\ta").replace("<<", "<<-"),
        of("a").replace("EOF\n)", "EOF\ntouch out)"),
        of("a").replace("EOF\n)", "EOF\n; touch out)"),
        of("a").replace("'EOF'", "'EOF'; touch out"),
        of("a").replace("cat", "cat x"),
        of("a") + "b",
        of("a").replace("-m \"", "-m x\""),
        of("a").replace('"', ""),
        of("a").replace("\nEOF\n)", "\nEOF)"),
        of("a") + " && mytool b",
        of("it's") + " 'b) c'",
    ];
    for line in honest.iter().map(|text| of(text)).chain(hostile) {
        let Some(ours) = ours(&line) else { continue };
        for (shell, told) in told_by_shells(folder.path(), &line) {
            // ksh takes some of them for no line at all.
            assert!(told == ours || told.contains("syntax error"), "{shell}: {line}: {told}");
        }
    }
    let read = |line: &str| table().line(line).is_ok();
    assert!(!read(&of("$(id)").replace("'EOF'", "EOF")));
    assert!(!std::fs::exists(folder.path().join("out")).unwrap() || !read("touch out"));
    assert!(admits("git commit …", &of("fix(api): x\n\nIt's (so).").replace("mytool", "git commit")));
    assert!(!is_proved(&of("a\nb").replace("mytool -m", "grep")));
}

// K-16: signs that are escaped between double quotes
#[test]
fn an_escaped_sign_between_double_quotes_is_that_sign_to_every_shell() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "mytool \"\\$HOME\" \"\\`id\\`\" \"\\\"version\\\"\" \"it(\\\"does\"",
        "mytool \"a\\\\.b\" \"a\\\\\" \"a\\.b\" \"\\\\\\\\\" \"\\\\\\\"\" x",
        "mytool \"a != b\" \"! x\"",
        "mytool \"\\\\\\$(id)\" '\\$' 'a\\.b'",
    ] {
        let ours = ours(line).unwrap_or_else(|| panic!("{line}: {:?}", table().line(line)));
        for (shell, told) in told_by_shells(folder.path(), line) {
            assert_eq!(told, ours, "{shell}: {line}");
        }
    }
    for line in ["\"\\\\$HOME\"", "\"\\\\`id`\"", "\"a!b\"", "\"a!\"", "\"a\\\"", "'a\\\\b'"] {
        assert!(ours(&format!("mytool {line}")).is_none(), "{line}");
    }
    for line in ["grep -rn \"\\$HOME\" src", "grep -rn \"\\\"version\\\"\" a.json", "grep -n \"a\\\\.b\" f"] {
        assert!(is_proved(line), "{line}");
    }
}

// K-16: a sign that is a word by itself, and a line that goes on
#[test]
fn signs_and_lines_mean_to_every_shell_what_they_mean_here() {
    let folder = tempfile::tempdir().unwrap();
    for (line, expected) in [
        ("mytool \\( -name a -o -name b \\)", "<(><-name><a><-o><-name><b><)>"),
        ("mytool ! -name a", "<!><-name><a>"),
        ("mytool \\\n  a \\\n b", "<a><b>"),
        ("mytool @{u}..", "<@{u}..>"),
        ("mytool @~ @^ HEAD@{upstream}", "<@~><@^><HEAD@{upstream}>"),
        ("true &&\n mytool a", "<a>"),
        ("false ||\n\n mytool a", "<a>"),
        ("true |\n mytool a", "<a>"),
        ("mytool a >&2", "<a>"),
        ("mytool a 1>&2", "<a>"),
    ] {
        // Words with braces are git's alone.
        assert!(!line.contains('{') || is_proved(&line.replace("mytool", "git log")), "{line}");
        if line.starts_with("mytool") && !line.contains('{') {
            let ours: String = words(line).iter().skip(1).map(|word| format!("<{word}>")).collect();
            assert_eq!(ours, expected, "{line}");
        }
        for (shell, told) in told_by_shells(folder.path(), line) {
            assert_eq!(told, expected, "{shell}: {line}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no file was written");
}

// A14: what jq makes of a filter is computed from its input alone, and ends
#[test]
fn no_proved_filter_of_jq_shows_the_environment() {
    let shows = |filter: &str| {
        let run = Command::new("timeout")
            .args(["2", "jq", "-n", filter])
            .env("TOKEN", "hushhush")
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let endless = run.status.code() == Some(124);
        Some(endless || String::from_utf8_lossy(&run.stdout).contains("hushhush"))
    };
    for filter in [
        "env",
        "$ENV",
        "{a: env}",
        "{a: env, b: 1}",
        "{a: if true then 1, env, 2 else 3 end}",
        "{(env|keys[0]): env}",
        "[1, env, 2]",
        "{a: [1, env, 2]}",
        "{$ENV}",
        "\"\\(env)\"",
        "\"x\\(\"\\(env)\")\"",
        "\"\\\\\" + (env|tostring)",
        "[recurse  (.)]",
        "[recurse(.)]",
        "[recurse]",
        "{env: .env}",
        "{include, exclude}",
        "has(\"env\")",
        "..|env",
        ".env",
        "{env}|env",
    ] {
        let line = format!("jq -n '{filter}'");
        assert!(!(is_proved(&line) && shows(filter) == Some(true)), "{line}");
    }
    for line in [
        "jq '.scripts[\"env\"]' a.json",
        "jq '{env: .env}' a.json",
        "jq '{include, exclude}' a.json",
        "jq 'has(\"env\")' a.json",
    ] {
        assert!(is_proved(line), "{line}");
    }
}
