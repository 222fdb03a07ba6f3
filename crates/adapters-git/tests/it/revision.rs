//! The commit that a working copy stands on.

use std::fs;

use bailiwick_adapters_git::GitVcs;
use bailiwick_domain::{Vcs, VcsRevision};

use crate::repository::{Scratch, discover};

fn revision(scratch: &Scratch, folder: &str) -> VcsRevision {
    let place = discover(&scratch.path(folder)).unwrap();
    pollster::block_on(GitVcs::new(place.git_dir, place.common_dir).revision())
}

/// Asserts that the adapter and git name the same commit.
#[track_caller]
fn check(scratch: &Scratch, folder: &str) {
    let expected = scratch.git(folder, &["rev-parse", "HEAD"]);
    assert_eq!(revision(scratch, folder), VcsRevision::Commit(expected));
}

#[track_caller]
fn none(scratch: &Scratch, folder: &str) -> String {
    match revision(scratch, folder) {
        VcsRevision::None(why) => why,
        VcsRevision::Commit(commit) => panic!("made up {commit}"),
    }
}

#[test]
fn a_branch_is_followed_as_it_moves() {
    let scratch = Scratch::with_commit();
    check(&scratch, "repo");
    scratch.git("repo", &["commit", "-q", "--allow-empty", "-m", "two"]);
    check(&scratch, "repo");
    scratch.git("repo", &["switch", "-q", "-c", "feature/deep/er"]);
    scratch.git("repo", &["commit", "-q", "--allow-empty", "-m", "three"]);
    check(&scratch, "repo");
}

fn branch(scratch: &Scratch, folder: &str) -> String {
    let place = discover(&scratch.path(folder)).unwrap();
    pollster::block_on(GitVcs::new(place.git_dir, place.common_dir).branch())
}

// D-02: a grant ends with a switch, not with a commit
#[test]
fn the_branch_is_the_same_until_somebody_switches() {
    let scratch = Scratch::with_commit();
    let first = branch(&scratch, "repo");
    assert_eq!(first, format!("refs/heads/{}", scratch.git("repo", &["branch", "--show-current"])));
    scratch.git("repo", &["commit", "-q", "--allow-empty", "-m", "two"]);
    assert_eq!(branch(&scratch, "repo"), first);
    scratch.git("repo", &["switch", "-q", "-c", "other"]);
    assert_eq!(branch(&scratch, "repo"), "refs/heads/other");
    scratch.git("repo", &["switch", "-q", "--detach"]);
    let detached = branch(&scratch, "repo");
    assert_eq!(detached, scratch.git("repo", &["rev-parse", "HEAD"]));
    scratch.git("repo", &["commit", "-q", "--allow-empty", "-m", "three"]);
    assert_ne!(branch(&scratch, "repo"), detached);
}

#[test]
fn packed_refs_are_matched_exactly() {
    let scratch = Scratch::with_commit();
    for name in ["x/main", "main2", "ma"] {
        scratch.git("repo", &["switch", "-q", "-c", name]);
        scratch.git("repo", &["commit", "-q", "--allow-empty", "-m", name]);
    }
    scratch.git("repo", &["tag", "-a", "-m", "t", "annotated"]);
    scratch.git("repo", &["pack-refs", "--all"]);
    assert!(!scratch.path("repo/.git/refs/heads/main").exists(), "packed");
    for name in ["main", "main2", "ma", "x/main"] {
        scratch.git("repo", &["switch", "-q", name]);
        check(&scratch, "repo");
    }
    scratch.git("repo", &["commit", "-q", "--allow-empty", "-m", "loose again"]);
    check(&scratch, "repo");
}

#[test]
fn a_detached_head_is_its_commit() {
    let scratch = Scratch::with_commit();
    scratch.git("repo", &["switch", "-q", "--detach"]);
    check(&scratch, "repo");
}

// K-23
#[test]
fn an_unborn_head_is_no_commit() {
    let scratch = Scratch::with_repository();
    assert_eq!(none(&scratch, "repo"), "unborn HEAD: refs/heads/main has no commit yet");
    let orphan = Scratch::with_commit();
    orphan.git("repo", &["switch", "-q", "--orphan", "fresh"]);
    orphan.git("repo", &["pack-refs", "--all"]);
    assert!(none(&orphan, "repo").starts_with("unborn HEAD: refs/heads/fresh "));
}

#[test]
fn each_worktree_has_a_head_of_its_own() {
    let scratch = Scratch::with_commit();
    scratch.git("repo", &["worktree", "add", "-q", "../linked", "-b", "side"]);
    scratch.git("linked", &["commit", "-q", "--allow-empty", "-m", "on the side"]);
    check(&scratch, "repo");
    check(&scratch, "linked");
    assert_ne!(revision(&scratch, "repo"), revision(&scratch, "linked"));
    scratch.git("repo", &["pack-refs", "--all"]);
    check(&scratch, "linked");
}

#[test]
fn longer_object_ids_are_read() {
    let scratch = Scratch::new();
    if !scratch.git_can(".", &["init", "-q", "--object-format=sha256", "repo"]) {
        return;
    }
    scratch.git("repo", &["commit", "-q", "--allow-empty", "-m", "one"]);
    check(&scratch, "repo");
    assert!(matches!(revision(&scratch, "repo"), VcsRevision::Commit(id) if id.len() == 64));
}

// K-23
#[test]
fn the_reftable_format_is_named_not_guessed() {
    let scratch = Scratch::new();
    if !scratch.git_can(".", &["init", "-q", "--ref-format=reftable", "repo"]) {
        return;
    }
    scratch.git("repo", &["commit", "-q", "--allow-empty", "-m", "one"]);
    assert!(none(&scratch, "repo").contains("reftable"));
}

// K-23
#[test]
fn damaged_refs_are_never_a_commit() {
    let scratch = Scratch::with_commit();
    scratch.write("outside", format!("{}\n", "a".repeat(40)));
    for head in [
        "",
        "\n",
        "ref: ",
        "ref: refs/heads/../../../outside",
        "ref: /etc/hostname",
        "ref: ../../outside",
        "ref: HEAD",
        "junk",
        "0000000000000000000000000000000000000000",
        &"A".repeat(40),
        &"a".repeat(41),
        "ref: refs/heads/a\0b",
        "ref: refs\\heads\\main",
        "ref: refs//heads",
    ] {
        scratch.write("repo/.git/HEAD", head);
        assert!(!none(&scratch, "repo").is_empty(), "{head:?}");
    }
    scratch.write("repo/.git/HEAD", "ref: refs/heads/main\n");
    for loose in ["", "junk\n", "ref: refs/heads/main\n", "0000000000000000000000000000000000000000\n"] {
        scratch.write("repo/.git/refs/heads/main", loose);
        assert!(!none(&scratch, "repo").is_empty(), "{loose:?}");
    }
    scratch.write("repo/.git/HEAD", vec![b'a'; 100_000]);
    assert!(!none(&scratch, "repo").is_empty());
}

#[test]
fn a_missing_head_is_named_with_its_path() {
    let scratch = Scratch::with_commit();
    let git_dir = scratch.path("repo/.git");
    fs::remove_file(git_dir.join("HEAD")).unwrap();
    let revision = pollster::block_on(GitVcs::new(&git_dir, &git_dir).revision());
    assert_eq!(revision, VcsRevision::None(format!("{}: no HEAD", git_dir.join("HEAD").display())));
}

#[test]
fn symbolic_refs_are_followed_a_few_steps() {
    let scratch = Scratch::with_commit();
    scratch.git("repo", &["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    scratch.git("repo", &["symbolic-ref", "HEAD", "refs/heads/alias"]);
    check(&scratch, "repo");
}
