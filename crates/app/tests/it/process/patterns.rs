//! Readers of the files that a pattern names: they pass unasked, and what the shell puts in place of the pattern is what was
//! judged.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::process::Command;

use bailiwick_domain::json;
use bailiwick_policy::shell_pattern::taken;

use super::machine::{Hooked, Machine};

fn run(machine: &Machine, command: &str) -> Hooked {
    machine.hook(&machine.pre("p1", "Bash", &json!({"command": command})))
}

fn governed() -> Machine {
    let machine = Machine::new();
    for file in ["src/a.rs", "src/b.rs", "README.md", "conf/app.toml", "keys/server.pem", "odd/-rf", "odd/a"]
    {
        machine.write(file, "text\n");
    }
    machine
}

// D-03, D-32
#[test]
fn readers_of_the_files_that_a_pattern_names_pass_unasked() {
    let machine = governed();
    for line in [
        "wc -l src/*.rs",
        "ls *.md",
        "cat src/?.rs | head -5",
        "grep -n text src/*.rs conf/*.toml",
        "cd src && tail -2 *.rs",
        "cd src; wc -l *.rs",
        "ls nothing*",
        "# how much there is\ndu -sh src\n\nls src\n",
    ] {
        let hooked = run(&machine, line);
        assert_eq!(hooked.decision(), None, "{line}: {hooked:?}");
    }
}

// K-16: commands that stand in others, and patterns in several parts of a path
#[test]
fn readers_that_stand_in_others_pass_unasked() {
    let machine = governed();
    machine.write("src/deep/c.rs", "text\n");
    for line in [
        "for f in src/*.rs README.md; do echo \"== $f\"; head -3 \"$f\"; done | head -50",
        "for f in src/*.rs; do wc -l $f; done",
        "echo \"HEAD=$(git rev-parse --short HEAD)\"; ls",
        "wc -l */*.rs src/*/*.rs",
        "cat s*/deep/c.rs",
        "(cd src && ls) && cat README.md",
        "if [ -f README.md ]; then cat README.md; else ls; fi",
        "find src -type f -name '*.rs' -exec wc -l {} +",
        "echo '→ done ✓'",
        "for d in s*/; do [ -f \"$d/a.rs\" ] && head -2 \"$d/a.rs\"; done",
    ] {
        let hooked = run(&machine, line);
        assert_eq!(hooked.decision(), None, "{line}: {hooked:?}");
    }
    machine.write(".env", "SECRET\n");
    machine.write("odd/a b.rs", "");
    machine.write("src/.env", "SECRET\n");
    for line in [
        "for f in .env; do cat $f; done",
        "for f in .e*; do cat \"$f\"; done",
        "echo \"$(cat .env)\"",
        "for d in src conf; do cat $d/.env; done",
        "find . -name '.env' -exec cat {} +",
        "cat s*/.env",
        "for f in keys/*; do cat \"$f\"; done",
        "diff <(cat .env) README.md",
        "for d in k*; do cat \"$d/server.pem\"; done",
        "for d in s*; do cat $d/.env; done",
        "if [ -f x ]; then cat keys/server.pem; fi",
    ] {
        run(&machine, line).refused("PROTECTED_PATH");
    }
    // The name of the folder is an option to the program.
    machine.write("-osub/n.txt", "");
    run(&machine, "sort README.md */n.txt").refused("STATE_VIOLATION");
    assert_eq!(run(&machine, "sort README.md ./*/n.txt").decision(), None);
    // A shell makes two words of this name.
    assert_eq!(run(&machine, "for f in odd/*.rs; do cat \"$f\"; done").decision(), None);
    run(&machine, "for f in odd/*.rs; do cat $f; done").refused("STATE_VIOLATION");
    run(&machine, "cat */../README.md").refused("STATE_VIOLATION");
}

// A14, D-45: what it names is judged file by file
#[test]
fn a_pattern_reads_nothing_that_its_files_may_not() {
    let machine = governed();
    let outside = machine.state().join("outside");
    std::fs::write(&outside, "text\n").unwrap();
    symlink(&outside, machine.root().join("conf/linked.toml")).unwrap();
    run(&machine, "cat keys/*").refused("PROTECTED_PATH");
    run(&machine, "cat keys/server.*").refused("PROTECTED_PATH");
    run(&machine, "cat conf/*.toml").refused("OUTSIDE_WORKSPACE");
    run(&machine, "cat conf/l*").refused("OUTSIDE_WORKSPACE");
    machine.write(".env", "SECRET\n");
    run(&machine, "cat .e*").refused("PROTECTED_PATH");
    run(&machine, "bailiwick trace blame .env").refused("PROTECTED_PATH");
    run(&machine, "cd src && bailiwick trace why ../.env:1").refused("PROTECTED_PATH");
}

// A11: a file's name is no option, and no revision
#[test]
fn a_pattern_that_names_more_than_files_proves_nothing() {
    let machine = governed();
    machine.write("rev/HEAD:.env", "");
    machine.write("many/a", "");
    for number in 0..150 {
        machine.write(&format!("many/{number}"), "");
    }
    for (line, passes) in [
        ("ls .*", false),
        ("git -P log rev/H*", false),
        ("cd rev && git cat-file -p HEAD*", false),
        ("ls many/* many/*", true),
        ("ls many/* many/?*", false),
        ("ls *env* *.key .np*", true),
        ("cd odd && ls *", false),
        ("ls odd/*", true),
        ("cd odd && ls a*", true),
    ] {
        let hooked = run(&machine, line);
        assert_eq!(hooked.decision().is_none(), passes, "{line}: {hooked:?}");
    }
}

// D-45: the shell is the judge
#[test]
fn a_shell_names_no_file_that_was_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "a", "ab", "b.rs", ".hidden", ".h", "é", "aé", "A", "-x", "a b", "a*", "[a]", "ab.rs", "..c", "a\nb",
    ];
    for name in names {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let all: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let patterns = [
        "*", "?", "??", "a*", "a?", "a??", "*.rs", ".*", ".?", ".??", "*b*", "?*", "..*", "A*", "-*", "*a",
        "a*b*",
    ];
    for (shell, locale) in [("sh", "C"), ("sh", "C.UTF-8"), ("bash", "C"), ("bash", "C.UTF-8")] {
        for pattern in patterns {
            let script = format!("for name in {pattern}; do printf '%s/' \"$name\"; done");
            let mut command = Command::new(shell);
            command.args(["-c", &script]).current_dir(folder.path()).env("LC_ALL", locale);
            let printed = String::from_utf8(command.output().unwrap().stdout).unwrap();
            let named: BTreeSet<&str> = printed.split('/').filter(|name| !name.is_empty()).collect();
            let judged: BTreeSet<&str> = taken(pattern, &all).into_iter().collect();
            let missed: Vec<_> = named.difference(&judged).filter(|name| **name != pattern).collect();
            assert!(missed.is_empty(), "{shell} in {locale}: {pattern} names {missed:?}, too");
        }
    }
}

// K-16: what `xargs` gets are names, and it takes some of them apart
#[test]
fn readers_behind_xargs_pass_where_no_name_stands_for_another() {
    let machine = governed();
    machine.write("src/deep/c.rs", "text\n");
    let lines = [
        "find src -type f -name '*.rs' | xargs cat",
        "cd src && find . -type f -name '*.rs' | sort | xargs grep -n text | head -5",
        "find . -type f -name '*.rs' -not -path '*/odd/*' | xargs wc -l",
        "find src -type f -name '*.rs' | xargs sed -n '1,3p'",
    ];
    let by_zero = "find src -type f -name '*.rs' -print0 | xargs -0 grep -n text";
    for line in lines.iter().chain([&by_zero]) {
        let hooked = run(&machine, line);
        assert_eq!(hooked.decision(), None, "{line}: {hooked:?}");
    }
    // The name that a real `xargs` takes for two files, of which one is a secret.
    machine.write("keys.d/.env", "TOKEN\n");
    machine.write("src/deep/x keys.d/.env/d.rs", "text\n");
    let shown = Command::new("sh")
        .args(["-c", "find src -type f -name '*.rs' | xargs cat"])
        .current_dir(machine.root())
        .output();
    let shown = String::from_utf8(shown.unwrap().stderr).unwrap();
    assert!(shown.contains("keys.d/.env/d.rs"), "{shown}");
    for line in lines {
        assert!(run(&machine, line).decision().is_some(), "{line}");
    }
    assert_eq!(run(&machine, by_zero).decision(), None);
    // Folders that are not left out, links, and names that git keeps.
    std::fs::remove_dir_all(machine.root().join("src/deep")).unwrap();
    machine.write("src/out/a b.rs", "text\n");
    let line = "find src -type f -name '*.rs' -not -path '*/other/*' | xargs cat";
    assert!(run(&machine, line).decision().is_some());
    assert_eq!(run(&machine, &line.replace("other", "out")).decision(), None);
    machine.write(".git/refs/heads/it's", "text\n");
    assert!(
        run(&machine, "find . -type f -name '*.rs' -not -path '*/out/*' | xargs cat").decision().is_some()
    );
    // What lies outside, what is protected from reading, and more names than are looked at.
    for line in ["find ../other -type f | xargs cat", "find keys.d -type f -name '.env' | xargs cat"] {
        assert!(run(&machine, line).decision().is_some(), "{line}");
    }
    let many = machine.root().join("many");
    std::fs::create_dir(&many).unwrap();
    for name in 0..20_001 {
        std::fs::File::create(many.join(name.to_string())).unwrap();
    }
    assert!(run(&machine, "find many -type f -name '*.rs' | xargs cat").decision().is_some());
}
