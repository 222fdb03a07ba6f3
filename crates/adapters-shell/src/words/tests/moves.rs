//! Where the shells of this machine run each command of a line with `cd` in it.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::select;

use super::{folder, run_by_shells};
use crate::words::line;

/// Where each command may run and surely runs, with its name.
type Placed = Vec<(String, Vec<String>, Vec<String>)>;

fn ours(text: &str) -> Option<Placed> {
    let placed = |command: crate::words::Simple| {
        let spelled =
            |places: Vec<Option<String>>| places.into_iter().map(Option::unwrap_or_default).collect();
        let name = command.words[1].text.clone();
        let may = command.surely.iter().chain(&command.elsewhere).cloned().collect();
        (name, spelled(may), spelled(command.surely))
    };
    let commands = line(text).ok()?.commands;
    // A `cd` that is left is no reader.
    let commands: Vec<_> = commands.into_iter().filter(|command| !command.assigns).collect();
    let is_read = commands.iter().all(|command| command.words[0].text != "cd");
    is_read.then(|| commands.into_iter().map(placed).collect())
}

/// The path of a place, without `..`.
fn by_names(root: &Path, place: &str) -> PathBuf {
    let mut path = root.to_path_buf();
    for part in place.split('/') {
        match part {
            ".." => drop(path.pop()),
            "" => {}
            part => path.push(part),
        }
    }
    path
}

/// Runs a line in each shell; each of its commands tells its first word and where it stands.
fn judge(root: &Path, text: &str) -> Option<usize> {
    let ours = ours(text)?;
    let needs = line(text).unwrap().needs;
    let all_there = needs.iter().all(|place| by_names(root, place).is_dir() && !place.contains("gone"));
    let mut count = 0;
    for (shell, ran) in run_by_shells(root, &text.replace("AT", "\"$PWD\"")) {
        for told in ran {
            let told: Vec<&str> = told.trim_start_matches('<').trim_end_matches('>').split("><").collect();
            let here = Path::new(told.last().unwrap());
            let (_, may, surely) = ours.iter().find(|(name, ..)| name == told[1]).unwrap();
            let is_one = |places: &[String]| places.iter().any(|place| by_names(root, place) == here);
            assert!(is_one(may), "{shell} ran {told:?} for\n{text}\nread as {ours:?}");
            assert!(
                !all_there || surely.is_empty() || is_one(surely),
                "{shell} ran {told:?} surely for\n{text}\nread as {ours:?}"
            );
            count += 1;
        }
    }
    Some(count)
}

/// A folder with folders.
fn root() -> tempfile::TempDir {
    let root = folder();
    std::fs::create_dir_all(root.path().join("sub/deep")).unwrap();
    std::fs::create_dir_all(root.path().join("lib/sub")).unwrap();
    root
}

// D-32
#[test]
fn each_command_is_where_it_runs() {
    let root = root();
    let root = std::fs::canonicalize(root.path()).unwrap();
    for (text, places) in [
        ("cd sub && cat 1 AT && cd .. && cat 2 AT", vec!["sub", "sub/.."]),
        ("cat 1 AT && cd sub && cat 2 AT && cd deep && cat 3 AT", vec!["", "sub", "sub/deep"]),
        ("cd sub; cat 1 AT; cd ../lib && cat 2 AT", vec!["sub", "sub/../lib"]),
        ("cd sub && git 1 AT; cd ../lib && cat 2 AT | wc 3 AT", vec!["sub", "sub/../lib", "sub/../lib"]),
        ("(cd sub && cat 1 AT) && cat 2 AT", vec!["sub", ""]),
        ("(cd sub && cat 1 AT) | cat 2 AT", vec!["sub", ""]),
        ("(cd sub && cat 1 AT) | for f in a; do cat 2 AT; done", vec!["sub", ""]),
        ("( (cd sub; cat 1 AT); cat 2 AT); cat 3 AT", vec!["sub", "", ""]),
    ] {
        let found = ours(text).unwrap_or_else(|| panic!("{text}: {:?}", line(text)));
        let surely: Vec<&String> = found.iter().map(|(_, _, surely)| surely.first().unwrap()).collect();
        assert_eq!(surely, places, "{text}");
        assert!(judge(&root, text).is_some_and(|count| count > 0), "{text}");
    }
    // Where the first command fails, the second stands where the line began.
    let either = ours("git 1 AT && cd sub; cat 2 AT").unwrap().pop().unwrap();
    assert_eq!(either.2, ["", "sub"]);
    let many = format!("{} cat 1 AT", "cd a; ".repeat(6));
    assert!(line(&many).unwrap_err().contains("too often"));
    let sure = format!("{} cat 1 AT", "cd a && ".repeat(6));
    assert_eq!(ours(&sure).unwrap()[0].2, ["a/a/a/a/a/a"]);
}

fn lines() -> impl Strategy<Value = String> {
    const COMMANDS: &[&str] = &[
        "cat # AT",
        "git # AT",
        "git # AT",
        "cat # AT | wc # AT",
        "cd sub",
        "cd lib",
        "cd ..",
        "cd gone",
        "cd deep",
        "cd sub/deep",
        "(cd sub && cat # AT)",
        "(git # AT; cat # AT)",
        "(cd sub && cat # AT) | wc # AT",
        "(cd sub; cat # AT) | if git # AT; then cat # AT; fi",
        "for f in a b; do cat # AT; done",
        "if git # AT; then cat # AT; fi",
        "cat # \"$(cat # AT)\" AT",
        "cd sub &>/dev/null",
        "cat # AT &>/dev/null",
        "f=a",
        "n=$(git # AT)",
    ];
    let joints = select(vec![" && ", " && ", " || ", "; ", "\n"]);
    prop::collection::vec((select(COMMANDS), joints), 1..7).prop_map(|parts| {
        let text: String = parts.iter().flat_map(|(command, joint)| [*command, *joint]).collect();
        let text = text.trim_end_matches([' ', '&', '|', ';', '\n']);
        let mut pieces = text.split('#');
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.enumerate().fold(first, |text, (at, piece)| format!("{text}{at}{piece}"))
    })
}

proptest! {
    // D-32, D-45
    #[test]
    fn every_command_is_where_it_runs(text in lines()) {
        if ours(&text).is_some() {
            let root = root();
            judge(&std::fs::canonicalize(root.path()).unwrap(), &text);
        }
    }
}
