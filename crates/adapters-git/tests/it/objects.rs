//! Whether content is an object of the repository (D-10), against what the real `git` says.

use bailiwick_adapters_git::GitVcs;
use bailiwick_domain::{RepoPath, Vcs};
use pollster::block_on;

use crate::repository::{Scratch, discover};

fn vcs(scratch: &Scratch, folder: &str) -> GitVcs {
    let place = discover(&scratch.path(folder)).unwrap();
    GitVcs::new(place.git_dir, place.common_dir)
}

#[track_caller]
fn check(scratch: &Scratch, folder: &str, content: &str, expected: bool) {
    let known = block_on(vcs(scratch, folder).has_content(content.as_bytes()));
    assert_eq!(known, expected, "{folder}: {content:?}");
}

/// A hundred contents of `repo`, some of them deltas of each other once they are packed.
fn contents() -> Vec<String> {
    (0..100).map(|number| format!("{}{number}\n", "the same line\n".repeat(number))).collect()
}

fn with_contents(scratch: &Scratch) {
    for (number, content) in contents().iter().enumerate() {
        scratch.write(&format!("repo/{number}.txt"), content);
    }
    scratch.git("repo", &["add", "-A"]);
    scratch.git("repo", &["commit", "-q", "-m", "many"]);
}

// D-10
#[test]
fn loose_and_packed_contents_are_known_and_others_are_not() {
    let scratch = Scratch::with_commit();
    with_contents(&scratch);
    for packed in [false, true] {
        if packed {
            scratch.git("repo", &["gc", "-q"]);
            assert!(scratch.git("repo", &["count-objects"]).starts_with("0 objects"));
        }
        for content in contents() {
            check(&scratch, "repo", &content, true);
            check(&scratch, "repo", &format!("{content}\n"), false);
        }
        check(&scratch, "repo", "", false);
    }
}

// D-10: what was stashed, amended away or never committed is kept as well
#[test]
fn contents_that_no_branch_holds_are_known() {
    let scratch = Scratch::with_commit();
    scratch.write("repo/a.txt", "work\n");
    check(&scratch, "repo", "work\n", false);
    scratch.git("repo", &["stash", "-q"]);
    check(&scratch, "repo", "work\n", true);
    check(&scratch, "repo", "a\n", true);
}

// D-10, D-14
#[test]
fn linked_worktrees_and_shared_clones_know_what_they_borrow() {
    let scratch = Scratch::with_commit();
    scratch.git("repo", &["worktree", "add", "-q", "../tree"]);
    scratch.git(".", &["clone", "-q", "--shared", "repo", "clone"]);
    for folder in ["tree", "clone"] {
        check(&scratch, folder, "a\n", true);
        check(&scratch, folder, "b\n", false);
    }
}

// D-10
#[test]
fn repositories_of_the_longer_hash_are_understood() {
    let scratch = Scratch::new();
    scratch.git(".", &["init", "-q", "--object-format=sha256", "repo"]);
    scratch.write("repo/a.txt", "a\n");
    scratch.git("repo", &["add", "-A"]);
    scratch.git("repo", &["commit", "-q", "-m", "one"]);
    for _ in 0..2 {
        check(&scratch, "repo", "a\n", true);
        check(&scratch, "repo", "b\n", false);
        scratch.git("repo", &["gc", "-q"]);
    }
}

// D-10
#[test]
fn a_checkout_with_other_line_ends_is_known() {
    let scratch = Scratch::with_commit();
    check(&scratch, "repo", "a\r\n", true);
    check(&scratch, "repo", "a\r\n\r\n", false);
}

// D-10: damage makes nothing known and nothing fail
#[test]
fn a_damaged_pack_index_holds_nothing() {
    let scratch = Scratch::with_commit();
    scratch.git("repo", &["gc", "-q"]);
    let folder = scratch.path("repo/.git/objects/pack");
    let index = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let index = index.into_iter().find(|path| path.extension().is_some_and(|e| e == "idx")).unwrap();
    let whole = std::fs::read(&index).unwrap();
    std::fs::remove_file(&index).unwrap();
    for cut in [0, 4, 8, 700, 1032, 1040] {
        std::fs::write(&index, &whole[..cut]).unwrap();
        check(&scratch, "repo", "a\n", false);
    }
    let mut endless = whole.clone();
    endless[8..1032].fill(0xff);
    std::fs::write(&index, endless).unwrap();
    check(&scratch, "repo", "a\n", false);
    std::fs::write(&index, whole).unwrap();
    check(&scratch, "repo", "a\n", true);
}

// D-10
#[test]
fn tracked_paths_are_those_of_the_index() {
    let scratch = Scratch::with_commit();
    scratch.write("repo/src/b.txt", "b\n");
    let tracks = |path: &str| block_on(vcs(&scratch, "repo").tracks(&RepoPath::new(path).unwrap()));
    assert!(tracks("a.txt") && !tracks("src/b.txt"));
    scratch.git("repo", &["add", "-A"]);
    assert!(tracks("src/b.txt") && !tracks("src/b.tx") && !tracks("src") && !tracks("z"));
    scratch.git("repo", &["rm", "-q", "--cached", "a.txt"]);
    assert!(!tracks("a.txt"));
    std::fs::write(scratch.path("repo/.git/index"), "damaged").unwrap();
    assert!(tracks("a.txt"), "what cannot be told is tracked");
}
