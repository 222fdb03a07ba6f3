//! Whose a line is when it came another way than it looks: typed again, rewritten, copied, moved, formatted (row 163).

use bailiwick_domain::{Value, json};

use super::machine::{Machine, Wire, installed};
use super::trace::change;
use crate::world::json as parsed;

const PATH: &str = "src/auth/session.rs";

/// Twelve lines that say something.
fn lines(of: &str) -> Vec<String> {
    (1..=12).map(|line| format!("    let {of}_value_{line} = compute_{of}_number({line});\n")).collect()
}

/// A repository, and everything that is written in it.
struct Desk {
    machine: Machine,
    wire: Wire,
}

impl Desk {
    fn new() -> Self {
        let machine = Machine::new();
        std::os::unix::fs::symlink(installed("git"), machine.world.path("bin/git")).unwrap();
        Self { wire: machine.wire(), machine }
    }

    fn git(&self, words: &[&str]) {
        crate::world::git(&self.machine.root(), words);
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "step"]);
    }

    fn person(&self, path: &str, text: &str) {
        self.machine.write(path, text);
    }

    /// An agent writes the whole file, with everything that it asks for first; the entry's id.
    fn agent(&mut self, path: &str, text: &str) -> String {
        self.wire.select("INT-001");
        if self.machine.root().join(path).exists() {
            let read = json!({"path": path});
            self.wire.pre("read_file", &read);
            self.wire.post("read_file", &read, true);
        }
        change(&self.machine, &mut self.wire, path, text)
    }

    fn blame(&self, path: &str) -> Vec<Value> {
        let blame = parsed(&self.machine.world.ok(&["trace", "blame", "--json", path]));
        blame["lines"].as_array().unwrap().clone()
    }

    /// The entry of each line, and how sure that is.
    fn told(&self, path: &str) -> Vec<(Option<String>, String)> {
        let told = |line: Value| {
            (
                line["entry"].as_str().map(str::to_owned),
                line["proof"].as_str().unwrap_or("unknown").to_owned(),
            )
        };
        self.blame(path).into_iter().map(told).collect()
    }

    fn owners(&self, path: &str) -> Vec<Option<String>> {
        self.told(path).into_iter().map(|(entry, _)| entry).collect()
    }

    fn end(self) {
        self.wire.end();
    }
}

fn count(owners: &[Option<String>], entry: &str) -> usize {
    owners.iter().filter(|owner| owner.as_deref() == Some(entry)).count()
}

// REQ 163
#[test]
fn a_line_that_a_person_typed_again_is_not_the_agents() {
    let mut desk = Desk::new();
    let mut text = lines("first");
    desk.agent(PATH, &text.concat());
    let line = text.remove(5);
    let second = desk.agent(PATH, &text.concat());
    text.insert(5, line);
    desk.person(PATH, &text.concat());
    let told = desk.told(PATH);
    assert_eq!(told[5], (None, "unknown".to_owned()), "{told:?}");
    assert!(told.iter().enumerate().all(|(at, (entry, _))| at == 5 || entry.is_some()), "{told:?}");
    assert_eq!(count(&desk.owners(PATH), &second), 0);
    desk.end();
}

// REQ 163: the commit still has the line, and the agent took it out since
#[test]
fn a_committed_line_that_an_agent_took_out_and_a_person_typed_again_is_no_proof() {
    let mut desk = Desk::new();
    let mut text = lines("first");
    let first = desk.agent(PATH, &text.concat());
    desk.commit();
    let line = text.remove(5);
    desk.agent(PATH, &text.concat());
    text.insert(5, line);
    text.push("    a person says this();\n".to_owned());
    desk.person(PATH, &text.concat());
    for is_committed in [false, true] {
        if is_committed {
            desk.commit();
        }
        let told = desk.told(PATH);
        assert_eq!(told[5], (Some(first.clone()), "likely".to_owned()), "{told:?}");
        let rest = told[..12].iter().enumerate().filter(|(at, _)| *at != 5);
        assert!(rest.clone().all(|(_, (_, proof))| proof == "proved"), "{told:?}");
        assert_eq!(told[12], (None, "unknown".to_owned()), "{told:?}");
    }
    let why = desk.machine.world.ok(&["trace", "why", &format!("{PATH}:6")]);
    assert!(why.contains("likely"), "{why}");
    desk.end();
}

// REQ 163: what an agent took out on another branch says nothing of this one
#[test]
fn a_committed_line_that_an_agent_took_out_on_another_branch_stays_proved() {
    let mut desk = Desk::new();
    let mut text = lines("first");
    desk.agent(PATH, &text.concat());
    desk.commit();
    desk.git(&["checkout", "-q", "-b", "topic"]);
    let whole = text.clone();
    text.remove(5);
    desk.agent(PATH, &text.concat());
    desk.commit();
    desk.git(&["checkout", "-q", "-"]);
    desk.person(PATH, &format!("{}    a person says this();\n", whole.concat()));
    let told = desk.told(PATH);
    assert!(told[..12].iter().all(|(_, proof)| proof == "proved"), "{told:?}");
    desk.end();
}

// REQ 163
#[test]
fn a_rewritten_line_stays_with_who_rewrote_it_when_its_neighbour_changes() {
    let mut desk = Desk::new();
    let mut text = lines("first");
    let first = desk.agent(PATH, &text.concat());
    text[4] = "    rewritten_to_say_something_else(4);\n".to_owned();
    text[5] = "    rewritten_to_say_something_else(5);\n".to_owned();
    desk.agent(PATH, &text.concat());
    text[4] = "    let first_value_5 = compute_first_number(5);\n".to_owned();
    let third = desk.agent(PATH, &text.concat());
    text[5] = "    a person says this();\n".to_owned();
    desk.person(PATH, &text.concat());
    let owners = desk.owners(PATH);
    assert_eq!(owners[4].as_deref(), Some(&*third), "the line looks as the first entry wrote it");
    assert_eq!((owners[5].as_deref(), count(&owners, &first)), (None, 10));
    desk.end();
}

// REQ 163
#[test]
fn what_an_agent_copied_from_a_person_stays_the_persons() {
    for is_committed in [true, false] {
        let mut desk = Desk::new();
        let text = lines("person");
        desk.person("src/auth/by_hand.rs", &text.concat());
        if is_committed {
            desk.commit();
        }
        let copy = desk.agent("src/auth/copy.rs", &format!("// a copy\n{}", text[2..].concat()));
        let of_person = desk.told("src/auth/by_hand.rs");
        assert!(of_person.iter().all(|(_, proof)| proof != "proved"), "{of_person:?}");
        assert!(!is_committed || of_person.iter().all(|(entry, _)| entry.is_none()), "{of_person:?}");
        assert_eq!(count(&desk.owners("src/auth/copy.rs"), &copy), 11);
        std::fs::remove_file(desk.machine.root().join("src/auth/copy.rs")).unwrap();
        let of_person = desk.told("src/auth/by_hand.rs");
        assert!(of_person.iter().all(|(_, proof)| proof != "proved"), "{of_person:?}");
        assert!(!is_committed || of_person.iter().all(|(entry, _)| entry.is_none()), "{of_person:?}");
        desk.end();
    }
}

// REQ 163: also as a whole, which looks like a rename.
#[test]
fn a_whole_copy_of_a_persons_file_makes_nothing_the_agents() {
    let mut desk = Desk::new();
    let text = lines("person").concat();
    desk.person("src/auth/by_hand.rs", &text);
    desk.commit();
    desk.agent("src/auth/copy.rs", &text);
    std::fs::remove_file(desk.machine.root().join("src/auth/copy.rs")).unwrap();
    assert_eq!(desk.owners("src/auth/by_hand.rs"), vec![None; 12]);
    desk.end();
}

// REQ 163
#[test]
fn a_header_and_an_import_claim_no_file_that_is_older() {
    let mut desk = Desk::new();
    let header = "// Copyright (c) the authors of this program, all rights are reserved by them.\n// Licensed under the terms that the file LICENSE in the root of this repository has.\n";
    let import = "use crate::session::manager::{SessionManager, SessionOptions, SessionErrorKind};\n";
    let older = format!("{header}\n{import}\n{}", lines("older").concat());
    desk.person("src/auth/older.rs", &older);
    desk.commit();
    desk.agent(PATH, &format!("{header}\n{import}\n{}", lines("agent").concat()));
    assert_eq!(desk.owners("src/auth/older.rs"), vec![None; 17]);
    desk.end();
}

// REQ 163
#[test]
fn a_persons_guard_is_not_the_agents_which_looks_the_same_and_went() {
    let mut desk = Desk::new();
    let guard = "    if session.is_expired() {\n        return Err(SessionError::Expired);\n    }\n";
    let function = |name: &str, guard: &str| {
        format!(
            "pub fn {name}(session: &Session) -> Result<Token, SessionError> {{\n{guard}    session.{name}_with_all_checks()\n}}\n\n"
        )
    };
    let text = |first: &str, third: &str| {
        [function("open", first), function("renew", ""), function("close", third)].concat()
    };
    desk.person(PATH, &text("", ""));
    desk.commit();
    let agent = desk.agent(PATH, &text(guard, ""));
    assert!(desk.told(PATH)[1..4].iter().all(|(entry, _)| entry.as_deref() == Some(&*agent)));
    desk.person(PATH, &text(guard, guard));
    desk.commit();
    desk.person(PATH, &text("", guard));
    assert_eq!(desk.owners(PATH), vec![None; 15], "the guard that is left was typed by a person");
    desk.end();
}

// REQ 163
#[test]
fn a_file_that_was_moved_and_then_edited_keeps_its_lines() {
    for by_git in [true, false] {
        let mut desk = Desk::new();
        let mut text = lines("first");
        let first = desk.agent(PATH, &text.concat());
        let to = "src/auth/renamed.rs";
        if by_git {
            desk.commit();
            desk.git(&["mv", PATH, to]);
        } else {
            std::fs::rename(desk.machine.root().join(PATH), desk.machine.root().join(to)).unwrap();
        }
        text[6] = "    edited_by_an_agent_after_the_move();\n".to_owned();
        let second = desk.agent(to, &text.concat());
        let owners = desk.owners(to);
        assert_eq!((count(&owners, &first), count(&owners, &second)), (11, 1), "{owners:?}");
        assert_eq!(desk.told(to)[0].1, if by_git { "proved" } else { "likely" });
        desk.end();
    }
}

// REQ 163: a person's file with the same content as an agent's stays the person's when it gets another name
#[test]
fn a_file_that_is_only_like_an_agents_is_no_move_of_it() {
    let mut desk = Desk::new();
    let text = lines("first").concat();
    desk.person("src/core/own.rs", &text);
    desk.commit();
    desk.agent(PATH, &text);
    desk.commit();
    desk.git(&["mv", "src/core/own.rs", "src/core/other.rs"]);
    assert!(desk.told("src/core/other.rs").iter().all(|(_, certainty)| *certainty != "proved"));
    desk.commit();
    assert!(desk.told("src/core/other.rs").iter().all(|(_, certainty)| *certainty != "proved"));
    desk.end();
}

// REQ 163: git shows each move, one after another
#[test]
fn moves_of_the_same_content_keep_the_proof() {
    let mut desk = Desk::new();
    let first = desk.agent(PATH, &lines("first").concat());
    desk.commit();
    desk.git(&["mv", PATH, "src/auth/second.rs"]);
    desk.commit();
    desk.git(&["mv", "src/auth/second.rs", "src/auth/third.rs"]);
    desk.commit();
    let told = desk.told("src/auth/third.rs");
    assert!(told.iter().all(|line| *line == (Some(first.clone()), "proved".to_owned())), "{told:?}");
    desk.end();
}

// REQ 163
#[test]
fn a_file_that_a_person_changed_and_git_moved_keeps_its_writers() {
    let mut desk = Desk::new();
    let mut text = lines("first");
    let first = desk.agent(PATH, &text.concat());
    desk.commit();
    // So few lines stay together that a likeness finds none of them.
    for at in [1, 3, 5, 7, 9, 11] {
        text[at] = format!("    by_hand_{at}();\n");
    }
    desk.person(PATH, &text.concat());
    desk.commit();
    let before = desk.told(PATH);
    assert_eq!(before.iter().filter(|(entry, _)| entry.as_ref() == Some(&first)).count(), 6, "{before:?}");
    desk.git(&["mv", PATH, "src/auth/second.rs"]);
    desk.commit();
    assert_eq!(desk.told("src/auth/second.rs"), before);

    // A move with a change is never more than likely.
    desk.git(&["mv", "src/auth/second.rs", "src/auth/third.rs"]);
    text[0] = "    also_by_hand();\n".to_owned();
    desk.person("src/auth/third.rs", &text.concat());
    desk.commit();
    let told = desk.told("src/auth/third.rs");
    assert_eq!(
        told.iter().filter(|line| **line == (Some(first.clone()), "likely".to_owned())).count(),
        5,
        "{told:?}"
    );
    desk.end();
}

// REQ 163: of two files with the same content git takes either for the one that moved
#[test]
fn a_move_of_one_of_two_equal_files_is_no_proof() {
    let mut desk = Desk::new();
    desk.agent(PATH, &lines("first").concat());
    desk.person("src/auth/by_hand.rs", &lines("first").concat());
    desk.commit();
    desk.git(&["rm", "-q", "src/auth/by_hand.rs"]);
    desk.git(&["mv", PATH, "src/auth/second.rs"]);
    desk.commit();
    assert!(desk.told("src/auth/second.rs").iter().all(|(_, proof)| proof != "proved"));
    desk.end();
}

// REQ 163
#[test]
fn the_second_half_of_a_split_file_is_found() {
    let mut desk = Desk::new();
    let text = lines("first");
    let first = desk.agent(PATH, &text.concat());
    desk.commit();
    desk.person(PATH, &text[..6].concat());
    desk.person("src/auth/half.rs", &format!("// the second half\n{}", text[6..].concat()));
    assert_eq!(count(&desk.owners(PATH), &first), 6);
    let told = desk.told("src/auth/half.rs");
    assert_eq!(told[0].0, None);
    assert!(told[1..].iter().all(|told| *told == (Some(first.clone()), "likely".to_owned())), "{told:?}");
    desk.end();
}

// REQ 163
#[test]
fn what_a_formatter_made_of_a_line_is_likely_that_line() {
    let mut desk = Desk::new();
    let text =
        "const first = load('first', 'of many names', { quietly: true });\nconst second = load('second');\n";
    let formatted = "const first = load(\"first\", \"of many names\", {\n  quietly: true,\n});\nconst second = load(\"second\");\n";
    let first = desk.agent("src/auth/load.js", text);
    desk.commit();
    desk.person("src/auth/load.js", formatted);
    let told = desk.told("src/auth/load.js");
    assert!(told.iter().all(|told| *told == (Some(first.clone()), "likely".to_owned())), "{told:?}");
    desk.person("src/auth/load.js", &formatted.replace("quietly: true", "quietly: false"));
    assert_eq!(desk.told("src/auth/load.js")[1].0, None, "a person's word is no formatting");
    desk.end();
}

// REQ 163: a content that git brings back as a whole keeps its writers; what was merged keeps each side's.
#[test]
fn what_git_brings_back_keeps_its_writers() {
    let mut desk = Desk::new();
    desk.git(&["checkout", "-q", "-b", "trunk"]);
    let mut text = lines("first");
    let first = desk.agent(PATH, &text.concat());
    desk.commit();
    desk.git(&["switch", "-q", "-c", "side"]);
    text[11] = "    changed_on_the_side_by_an_agent();\n".to_owned();
    let side = desk.agent(PATH, &text.concat());
    desk.commit();
    desk.git(&["switch", "-q", "trunk"]);
    assert_eq!(count(&desk.owners(PATH), &first), 12);
    let mut other = lines("first");
    other[0] = "    changed_by_a_person_meanwhile();\n".to_owned();
    desk.person(PATH, &other.concat());
    desk.commit();
    desk.git(&["merge", "-q", "--no-edit", "side"]);
    let owners = desk.owners(PATH);
    assert_eq!((&owners[0], count(&owners, &first), owners[11].as_deref()), (&None, 10, Some(&*side)));
    assert!(desk.told(PATH)[5].1 == "proved", "{:?}", desk.told(PATH));
    desk.git(&["switch", "-q", "side"]);
    assert_eq!(count(&desk.owners(PATH), &first), 11);
    desk.git(&["rebase", "-q", "trunk~1"]);
    let owners = desk.owners(PATH);
    assert_eq!((&owners[0], owners[11].as_deref()), (&None, Some(&*side)), "{owners:?}");
    desk.end();
}
