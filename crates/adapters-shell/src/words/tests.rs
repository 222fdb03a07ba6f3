//! The shells of this machine are the judges: what they run of a line must stand among the commands that are read here.

mod moves;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::sample::select;

use super::line;

/// The words of a command, and what a shell may make of each.
type Words = Vec<(String, Becomes)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Becomes {
    Itself,
    /// The files that it names.
    Files,
    /// Any number of words.
    Any,
}

/// Shells of a system, with the words that make them run a line. One that is not here is passed over.
const SHELLS: &str = include_str!("../../tests/data/shells.txt");

/// Programs that only write down their words.
const PROGRAMS: &[&str] = &["cat", "wc", "ls", "git", "rm"];

/// A folder with some files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    for file in ["a.rs", "b.rs", "c d.rs", "sub/e.rs"] {
        std::fs::write(folder.path().join(file), "").unwrap();
    }
    folder
}

/// What each shell here runs for a line, each command as its words between `<` and `>`.
fn run_by_shells(folder: &Path, line: &str) -> Vec<(String, BTreeSet<String>)> {
    let told = tempfile::NamedTempFile::new().unwrap();
    let path = told.path().display();
    let mut text = format!(
        "tell() {{ t=; for w in \"$@\"; do t=\"$t<$w>\"; done; printf '%s\\036' \"$t\" >>{path}; }}\n"
    );
    for program in PROGRAMS {
        // One of them fails.
        let status = u8::from(*program == "git");
        text += &format!("{program}() {{ tell {program} \"$@\"; return {status}; }}\n");
    }
    text += line;
    let run = |shell: &str| {
        let mut words = shell.split(' ');
        let (program, options) = (words.next()?, words);
        std::fs::write(told.path(), "").ok()?;
        let mut command = Command::new(program);
        command.args(options).arg(&text).current_dir(folder).stdin(Stdio::null());
        command.env("LC_ALL", "C.UTF-8").output().ok()?;
        let lines = std::fs::read_to_string(told.path()).unwrap();
        Some((shell.to_owned(), lines.split_terminator('\u{1e}').map(str::to_owned).collect()))
    };
    SHELLS.lines().filter_map(run).collect()
}

/// The commands that are read here; nothing where the line is not.
fn ours(text: &str) -> Option<Vec<Words>> {
    let commands = line(text).ok()?.commands;
    let words = |command: super::Simple| {
        let becomes = |word: &super::Word| match word {
            super::Word { pattern: true, splits: false, .. } => Becomes::Files,
            super::Word { pattern: false, open: false, .. } => Becomes::Itself,
            _ => Becomes::Any,
        };
        // What is set before a program is no word of it.
        let words = command.words.into_iter().skip_while(|word| word.sets);
        words.map(|word| (word.text.clone(), becomes(&word))).collect()
    };
    Some(commands.into_iter().map(words).collect())
}

/// Whether a command that ran is one of those, where a pattern stands for any words.
fn is_among(ran: &str, commands: &[Words]) -> bool {
    let ran: Vec<&str> = ran.trim_start_matches('<').trim_end_matches('>').split("><").collect();
    commands.iter().any(|words| fits(&ran, words))
}

fn fits(ran: &[&str], words: &[(String, Becomes)]) -> bool {
    match (ran.split_first(), words.split_first()) {
        (None, None) => true,
        (_, Some(((_, Becomes::Any), rest))) => (0..=ran.len()).any(|count| fits(&ran[count..], rest)),
        (_, Some(((word, Becomes::Files), rest))) => {
            let is_named = |one: &&&str| **one == word || is_like(word.as_bytes(), one.as_bytes());
            let named = ran.iter().take_while(is_named).count();
            (0..=named).any(|count| fits(&ran[count..], rest))
        }
        (Some((one, others)), Some(((word, Becomes::Itself), rest))) => {
            let is_file = word == "-" && ["/dev/fd/", "/proc/"].iter().any(|start| one.starts_with(start));
            (one == word || is_file) && fits(others, rest)
        }
        _ => false,
    }
}

/// Whether a name is one that a pattern may name.
fn is_like(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, _) => name.is_empty(),
        (Some((b'*', rest)), None) => is_like(rest, name),
        (Some((b'*', rest)), Some((_, behind))) => is_like(rest, name) || is_like(pattern, behind),
        (Some((b'[', rest)), Some((one, behind))) => {
            let end = rest.iter().position(|sign| *sign == b']').unwrap();
            rest[..end].contains(one) && is_like(&rest[end + 1..], behind)
        }
        (Some((sign, rest)), Some((one, behind))) => (sign == one || *sign == b'?') && is_like(rest, behind),
        (Some(_), None) => false,
    }
}

fn judge(folder: &Path, text: &str) -> Option<usize> {
    let ours = ours(text)?;
    let mut count = 0;
    for (shell, ran) in run_by_shells(folder, text) {
        for command in &ran {
            assert!(is_among(command, &ours), "{shell} ran {command} for\n{text}\nread as {ours:?}");
        }
        count += ran.len();
    }
    Some(count)
}

// K-16: commands that stand in others
#[test]
fn what_shells_run_of_an_honest_line_is_read() {
    let folder = folder();
    for text in [
        "for f in a.rs sub/e.rs; do cat \"$f\"; wc -l $f; done | cat",
        "for f in *.rs; do echo \"== $f\"; cat \"$f\"; done",
        "for f in *.rs\ndo\n  wc -l < \"$f\" 2>/dev/null\n  cat \"${f}\"\ndone",
        "for i in 1 2 3; do git log -$i \"x$i\" ${i}y; done",
        "for d in sub; do for f in a b; do cat $d/$f.rs; done; done",
        "echo \"HEAD=$(git rev-parse --short HEAD)\"; ls",
        "printf '%s %s\\n' \"$(wc -l < a.rs)\" x",
        "(cd sub && ls) && cat a.rs",
        "cd sub && (ls; cat e.rs) | wc -l",
        "if [ -f a.rs ]; then cat a.rs; elif [ -f b.rs ]; then cat b.rs; else ls; fi",
        "if ls | wc; then cat a.rs; fi && git status",
        "cat a.rs | wc; echo \"exit ${PIPESTATUS[0]} $? $PWD\"",
        "echo $(ls) `",
        "git commit -m 'subject\n\nbody → “x”' a.rs",
        "for d in su* a.rs; do cat \"$d/e.rs\" x$d; wc \"$d.bak\"; done",
        "for f in *.rs; do [ -f \"sub/$f\" ] && cat sub/$f; done; ls",
        "cat {a,b}.rs sub/{e,f}.{rs,md} && ls",
        "wc -l {sub/,}*.rs {a,b}.rs | cat",
        "ls -{a,l} {a.rs,b.rs}; cat x{y,z}",
        "git log \"^a$\" \"a$|b$\" \"(a$)\" \"$ $/$.$,$]$%\" | cat",
        "echo \"构建，请稍候（x）：！\"; ls",
        "git -I{} x {} y; ls",
        "cat [ab].rs sub/[id]/e.rs sub/[...slug]/e.rs && wc -l *[b].rs; echo [done]",
        "f=a.rs; cat $f \"x/$f\"; n=$(ls); echo \"$n\"; f=b.rs; cat \"$f\"",
        "ls && f=a.rs && echo $f; n=1 k='a b'; cat \"$k\" $n",
        "ls sub/\\[id\\] x\\(a\\) && wc a",
        "cat sub/\\[id\\]/e.rs x\\(y\\).rs; ls",
        "cat c\\ d.rs && wc -l sub\\ x/a\\ b",
        "cat a.rs \\\n  b.rs && echo \"$(ls \\\n sub)\"",
    ] {
        if text.contains('`') {
            assert_eq!(judge(folder.path(), text), None, "{text}");
        } else {
            assert!(judge(folder.path(), text).is_some_and(|count| count > 0), "{text}: {:?}", line(text));
        }
    }
    let pattern = ours("for f in *.rs; do cat \"$f\"; done").unwrap();
    let cat = [("cat".to_owned(), Becomes::Itself), ("*.rs".to_owned(), Becomes::Files)];
    assert_eq!(pattern.last().unwrap(), &cat);
    assert!(
        line("for f in *.rs; do cat $f; done")
            .unwrap()
            .commands
            .iter()
            .any(|one| one.words.iter().any(|word| word.splits))
    );
}

// K-16
#[test]
fn what_is_not_the_same_to_every_shell_is_not_read() {
    for text in [
        "for path in a; do ls; done",
        "for PATH in a; do ls; done",
        "for f; do cat \"$f\"; done",
        "for f in a; cat a",
        "for f in a; do cat a",
        "for f in a; do cat a; done done",
        "for f in a { cat a }",
        "((ls))",
        "(ls",
        "ls)",
        "echo $((1+1))",
        "echo \"${f%.rs}\"",
        "cat \"$(ls)\" && echo \"${x:-$(rm a)}\"",
        "if [ -f a ] then cat a; fi",
        "if ! ls; then cat a; fi",
        "echo $(cat <<'E'\nrm a\nE\n)",
        "echo \"$(ls",
        "echo \"$(ls\")",
        "cat $(<a.rs)",
        "{ ls; }",
        "cat <(ls)",
        "for f in a; do for f in b; do ls; done; done",
        "echo $(\\\n(ls))",
        "(\\\n(ls))",
        "ls\\\n-l",
        "git commit -m \"a\\\nb\"",
        "echo \"$HOME[PATH=0]\"",
        "for f in src; do cat \"$fé/etc/hostname\"; done",
        "echo \"$HOMEⅧ[PATH=0]\"",
        "echo \"$CI\\\n_JOB_TOKEN\"",
        "echo $?é",
        "for f in\na; do ls; done",
        "echo \"$?[PATH=0]\"",
        "echo $HOME:F:PATH=0:h",
        "while read f; do cat $f; done",
        "echo a$",
        "echo \"$'a'\"",
        "echo \"$\\n\"",
        "cat {a,b}\"c\"",
        "cat {a,{b,c}}",
        "cat {a..c}",
        "cat {a}",
        "cat {,.rs}",
        "cat {,x}=ls",
        "cat {,x}~/a",
        "for f in {a,b}; do cat $f; done",
        "cat {a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}",
        "X={a,b} ls",
        "cat $N_OF",
        "cat [!a].rs",
        "cat [[.a.]].rs",
        "cat [[...slug]]/e.rs",
        "cat [^a].rs",
        "cat -[a]",
        "wc < {a,b}",
        "cd {a,b} && ls",
        "cat {a, b}",
        "cat {a,'b'}",
        "for f in a b c d e f g h; do for g in a b c d e f g h; do for h in a b c; do ls; done; done; done",
    ] {
        assert!(line(text).is_err(), "{text}: {:?}", line(text));
    }
    // What a shell may split, look for files by, or take for a part of the variable, is known to nobody.
    for text in ["for f in 'a b'; do cat $f; done", "for f in '*'; do cat $f; done"] {
        assert!(
            line(text).unwrap().commands.iter().any(|one| one.words.iter().any(|word| word.open)),
            "{text}"
        );
    }
}

/// Parts of lines, honest and not.
const PARTS: &[&str] = &[
    "for f in ",
    "for i in ",
    "a.rs ",
    "b.rs ",
    "*.rs ",
    "'c d.rs' ",
    "; do ",
    "\ndo\n",
    "; done",
    "\ndone\n",
    "done ",
    "do ",
    "if ",
    "[ -f a.rs ]",
    "; then ",
    "; else ",
    "; elif ",
    "; fi",
    "fi ",
    "then ",
    "cat ",
    "wc -l ",
    "ls ",
    "git ",
    "echo ",
    "printf '%s' ",
    "\"$f\" ",
    "$f ",
    "${f} ",
    "\"x $f\" ",
    "$f:h ",
    "$i",
    "\"${i}\"",
    "\"$f/x\" ",
    "sub/$f ",
    "$f.bak ",
    "$(",
    "\"$(",
    ")",
    ")\" ",
    "(",
    "<(",
    "(\\\n(",
    "$(\\\n",
    " \\\n",
    "\"a\\\n.rs\" ",
    "\"$fé\" ",
    "$f→ ",
    "\"$f\\\n[PATH=0]\" ",
    "\"${f}é\" ",
    "\"$HOME[PATH=0]\" ",
    "$HOME:F:PATH=0:h ",
    "\"$?[PATH=0]\" ",
    "'$(rm a)' ",
    "'a[$(rm a)]' ",
    "< ",
    "| ",
    "&& ",
    "|| ",
    "; ",
    "\n",
    "cd sub && ",
    "cd sub; ",
    "\"",
    "'",
    "\"a$\" ",
    "\"a$|$)$.$/$ \" ",
    "\"$",
    "{a,b}.rs ",
    "{a,b}",
    "{x,-n} ",
    "{,a} ",
    "{a,{b,c}} ",
    "{1..2} ",
    "c\\ d.rs ",
    "a\\[b\\]c ",
    "-I{} ",
    "a\\(b\\)c ",
    "\\[",
    "\\ ",
    "x y ",
    "# x",
    "\\\n",
    "2>/dev/null ",
    "{} ",
    "\\; ",
    "$PWD ",
    "N_OF=a.rs ",
    "f=a.rs; ",
    "f=b.rs &>/dev/null; ",
    "f==ls; ",
    "[[.a.]]",
    "n=$(ls); ",
    "\"$N_OF\" ",
    "$n ",
    "[ab].rs ",
    "sub/[e].rs ",
    "[[...a]]",
    "[a",
    "$? ",
    "\"${PIPESTATUS[0]}\" ",
    "“ ",
    "'“' ",
    "'a b' ",
    "-n ",
    "in ",
    "rm a ",
    "`",
    "! ",
    "[[ ",
    "]] ",
    "\"\\\"\" ",
    "$'",
    "~ ",
];

/// Lines with a plan, into which parts are put at random.
fn lines() -> impl Strategy<Value = String> {
    let frames = select(vec![
        vec!["for f in ", "a.rs ", "; do ", "cat ", "\"$f\" ", "; done"],
        vec!["for f in ", "*.rs ", "; do ", "wc -l ", "$f ", "; done", "| ", "cat "],
        vec!["echo ", "\"$(", "git ", "x", ")\" ", "; ", "ls "],
        vec!["if ", "[ -f a.rs ]", "; then ", "cat ", "a.rs ", "; fi"],
        vec!["(", "cd sub && ", "ls ", ")", "| ", "wc -l "],
        vec!["for f in ", "a.rs ", "; do ", "for i in ", "b.rs ", "; do ", "cat ", "$f ", "; done", "; done"],
        vec![],
    ]);
    let changes = prop::collection::vec((any::<prop::sample::Index>(), select(PARTS), any::<bool>()), 0..6);
    (frames, changes).prop_map(|(mut parts, changes)| {
        for (at, part, replaces) in changes {
            let at = at.index(parts.len() + 1);
            if replaces && at < parts.len() {
                parts[at] = part;
            } else {
                parts.insert(at, part);
            }
        }
        parts.concat()
    })
}

proptest! {
    // K-16
    #[test]
    fn what_shells_run_of_any_line_is_read(text in lines()) {
        if ours(&text).is_some() {
            judge(folder().path(), &text);
        }
    }
}

// Nested loops do not multiply what a word stands for
#[test]
fn text_that_grows_is_bounded() {
    let mut text = "for a in xxxxxxxxxx; do ".to_owned();
    for (outer, inner) in [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "f")] {
        text += &format!("for {inner} in \"{}\"; do ", format!("${outer}").repeat(60));
    }
    text += "ls; done; done; done; done; done; done";
    assert!(line(&text).unwrap_err().contains("too much text"));
    let many = format!("for f in {}; do ls {}; done", "a ".repeat(100), "x ".repeat(1500));
    assert!(line(&many).unwrap_err().contains("too much text"));
}
