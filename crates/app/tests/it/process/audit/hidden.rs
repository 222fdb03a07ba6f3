//! What is committed, or stands beside the repository, hides nothing from an audit: what a file is, what counts as a
//! change, which commit is meant, and what a name is (D-43).
#![cfg(unix)]

use std::os::unix::ffi::OsStrExt as _;

use super::beside::change_of;
use super::{audited, commit, labels, written};
use crate::process::machine::Machine;
use crate::process::sealing::{git, git_in, sealing};
use crate::world::{json as parsed, said};

const FILE: &str = "src/auth/a.rs";
const BASE: &str = "// one line by hand\n";

/// A commit with one recorded line, and one that nobody recorded.
fn half_recorded(machine: &Machine) {
    machine.write(FILE, BASE);
    commit(machine, "by hand");
    change_of(machine, FILE, &format!("{BASE}// recorded by the gate\n"));
    machine.write(FILE, &format!("{BASE}// recorded by the gate\nfn unrecorded() {{ steal() }}\n"));
    commit(machine, "agent");
}

#[track_caller]
fn is_seen(machine: &Machine) {
    let (code, audit) = audited(machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["traced", "unexplained"]]), "{audit}");
}

#[test]
fn attributes_do_not_decide_what_is_text() {
    for attributes in ["*.rs -diff\n", "*.rs binary\n", "*.rs diff=own\n"] {
        let machine = sealing();
        machine.write(".gitattributes", attributes);
        git(&machine, &["config", "diff.own.binary", "true"]);
        half_recorded(&machine);
        is_seen(&machine);
        let message = git(&machine, &["log", "-1", "--format=%B"]);
        assert!(message.contains("Intent: INT-001"), "the hook looks alike: {message}");
    }
}

#[test]
fn settings_do_not_decide_what_is_compared() {
    let machine = sealing();
    half_recorded(&machine);
    for (name, value) in [
        ("core.bigFileThreshold", "1"),
        ("diff.external", "true"),
        ("diff.noprefix", "true"),
        ("diff.relative", "true"),
        ("diff.interHunkContext", "9"),
        ("diff.orderFile", "no-such-file"),
        ("diff.ignoreSubmodules", "all"),
        ("log.follow", "true"),
        ("log.diffMerges", "first-parent"),
        ("color.ui", "always"),
    ] {
        git(&machine, &["config", name, value]);
    }
    is_seen(&machine);
}

#[test]
fn a_commit_in_the_place_of_another_is_not_looked_at() {
    let machine = sealing();
    written(&machine, &[(FILE, "fn a() {}\n")]);
    commit(&machine, "agent");
    let good = git(&machine, &["rev-parse", "HEAD"]);
    machine.write(FILE, "fn a() {}\nfn unrecorded() { steal() }\n");
    git(&machine, &["-c", "core.hooksPath=/dev/null", "commit", "-qa", "--amend", "--no-edit"]);
    is_seen(&machine);
    git(&machine, &["replace", "HEAD", good.trim()]);
    is_seen(&machine);
}

/// Makes git's note of the parents of a commit name another one.
fn forge_the_parent(machine: &Machine, commit: &str, parent: &str) {
    git(machine, &["commit-graph", "write", "--reachable"]);
    let path = machine.root().join(".git/objects/info/commit-graph");
    let mut graph = std::fs::read(&path).unwrap();
    let number = |graph: &[u8], at: usize| {
        usize::try_from(u32::from_be_bytes(graph[at..at + 4].try_into().unwrap())).unwrap()
    };
    // Behind each name of a part stands where it is, in eight bytes.
    let part = |name: &[u8]| {
        let at = (0..usize::from(graph[6])).map(|part| 8 + 12 * part).find(|at| graph[*at..at + 4] == *name);
        number(&graph, at.unwrap() + 8)
    };
    let (ids, commits, count) = (part(b"OIDL"), part(b"CDAT"), number(&graph, part(b"OIDF") + 255 * 4));
    let place = |name: &str| {
        let id = git(machine, &["rev-parse", name]);
        let hex = |at: usize| -> String {
            graph[ids + 20 * at..][..20].iter().map(|byte| format!("{byte:02x}")).collect()
        };
        (0..count).find(|at| hex(*at) == id.trim()).unwrap()
    };
    let (commit, parent) = (commits + 36 * place(commit) + 20, place(parent));
    graph[commit..commit + 4].copy_from_slice(&u32::try_from(parent).unwrap().to_be_bytes());
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, graph).unwrap();
}

#[test]
fn a_note_of_git_about_the_parents_of_a_commit_hides_none() {
    let machine = sealing();
    git(&machine, &["tag", "base"]);
    for (text, message) in
        [("one\n", "by an agent\n\nAgent: somebody"), ("two\n", "more"), ("three\n", "last")]
    {
        machine.write("docs/note.md", text);
        commit(&machine, message);
    }
    forge_the_parent(&machine, "HEAD~1", "base");
    assert_eq!(git(&machine, &["rev-list", "--count", "base..HEAD"]).trim(), "2", "git believes it");
    let (code, audit) = audited(&machine, &["base..HEAD"]);
    assert_eq!(
        (code, labels(&audit)),
        (Some(1), vec![vec!["unexplained"], vec!["human"], vec!["human"]]),
        "{audit}"
    );
}

#[test]
fn a_submodule_that_is_to_be_ignored_is_told() {
    let machine = sealing();
    machine.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n\tignore = all\n");
    let at = |commit: &str| {
        git(&machine, &["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", commit.trim())]);
    };
    at(&git(&machine, &["rev-parse", "HEAD"]));
    git(&machine, &["add", ".gitmodules"]);
    git(&machine, &["commit", "-qm", "with a submodule"]);
    written(&machine, &[(FILE, "fn a() {}\n")]);
    at(&git(&machine, &["rev-parse", "HEAD"]));
    git(&machine, &["add", "src"]);
    git(&machine, &["commit", "-qm", "agent"]);
    is_seen(&machine);
}

#[test]
fn a_name_that_is_no_text_is_not_taken_for_another() {
    let machine = sealing();
    written(&machine, &[("src/auth/a\u{fffd}.rs", "fn a() {}\n")]);
    let odd = machine.root().join(std::ffi::OsStr::from_bytes(b"src/auth/a\xff.rs"));
    std::fs::write(odd, "fn unrecorded() { steal() }\n").unwrap();
    commit(&machine, "agent");
    is_seen(&machine);
}

// What git cannot tell by lines is looked at all the same
#[test]
fn a_file_that_became_no_text_is_judged_against_its_entries() {
    let machine = sealing();
    written(&machine, &[(FILE, "fn a() {}\n")]);
    machine.write(FILE, "fn a() {}\n\0fn unrecorded() { steal() }\n");
    commit(&machine, "agent");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{audit}");
}

// Git sets some of these itself for its hooks, so they are looked at and not all taken away
#[test]
fn an_environment_of_another_repository_does_not_decide_which_one_is_looked_at() {
    let machine = sealing();
    let other = machine.world.path("other");
    std::fs::create_dir(&other).unwrap();
    git_in(&machine, &other, &["init", "-q"]);
    std::fs::write(other.join("a"), "a\n").unwrap();
    git_in(&machine, &other, &["add", "a"]);
    git_in(&machine, &other, &["commit", "-qm", "innocent"]);
    half_recorded(&machine);
    let other = other.join(".git");
    for set in [
        &[("GIT_DIR", other.clone())][..],
        &[("GIT_DIR", other.clone()), ("GIT_INDEX_FILE", other.join("index"))],
        &[("GIT_DIR", ".git".into()), ("GIT_COMMON_DIR", other.clone())],
        &[("GIT_OBJECT_DIRECTORY", other.join("objects"))],
        &[("GIT_OBJECT_DIRECTORY", "/nowhere/at/all".into())],
        &[("GIT_WORK_TREE", machine.world.path("."))],
        &[("GIT_DIR", machine.root().join(".git")), ("GIT_WORK_TREE", ".".into())],
    ] {
        let mut command = machine.world.command_in(&machine.root(), &["audit", "--json", "HEAD"]);
        command.env("PATH", std::env::var_os("PATH").unwrap()).envs(set.iter().cloned());
        let output = command.output().unwrap();
        let audit = parsed(&said(&output));
        assert_eq!(labels(&audit), [["traced", "unexplained"]], "{set:?}: {audit}");
    }
}
