//! Finding repositories.

use std::fs;
use std::path::Path;

use bailiwick_adapters_git::GitPlace;

use crate::repository::{Scratch, discover};

/// Asserts that `start` lies in the working copy `root` with these git directories, and that git says the same.
#[track_caller]
fn check(scratch: &Scratch, start: &str, root: &str, git_dir: &str, common_dir: &str) -> GitPlace {
    let place = discover(&scratch.path(start)).unwrap_or_else(|| panic!("{start} lies in no repository"));
    let real = |path: &str| fs::canonicalize(scratch.path(path)).unwrap();
    assert_eq!(place.worktree_root, real(root));
    assert_eq!(place.git_dir, real(git_dir));
    assert_eq!(place.common_dir, real(common_dir));
    let says = |what: &str| {
        let said = scratch.git(root, &["rev-parse", "--path-format=absolute", what]);
        fs::canonicalize(said).unwrap()
    };
    assert_eq!(place.worktree_root, says("--show-toplevel"));
    assert_eq!(place.git_dir, says("--git-dir"));
    assert_eq!(place.common_dir, says("--git-common-dir"));
    place
}

// D-14
#[test]
fn a_repository_is_found_from_everywhere_inside() {
    let scratch = Scratch::with_commit();
    scratch.write("repo/src/deep/b.txt", "b");
    for start in
        ["repo", "repo/src/deep", "repo/src/deep/b.txt", "repo/not/yet/there.rs", "repo/.git/hooks/x"]
    {
        let place = check(&scratch, start, "repo", "repo/.git", "repo/.git");
        assert!(!place.git_is_symlink);
    }
}

#[test]
fn outside_of_a_repository_there_is_none() {
    let scratch = Scratch::with_commit();
    for start in ["", "repository", "repo2/x"] {
        assert_eq!(discover(&scratch.path(start)), None, "{start}");
    }
    assert_eq!(discover(Path::new("repo")), None, "a relative path has no place");
}

#[test]
fn a_bare_repository_is_no_working_copy() {
    let scratch = Scratch::new();
    scratch.git(".", &["init", "-q", "--bare", "bare.git"]);
    assert_eq!(discover(&scratch.path("bare.git")), None);
    assert_eq!(discover(&scratch.path("bare.git/refs/heads")), None);
}

// D-14
#[test]
fn linked_worktrees_share_the_common_directory() {
    let scratch = Scratch::with_commit();
    scratch.git("repo", &["worktree", "add", "-q", "../linked", "-b", "side"]);
    scratch.git("repo", &["worktree", "add", "-q", ".claude/worktrees/inner"]);
    check(&scratch, "linked/new.rs", "linked", "repo/.git/worktrees/linked", "repo/.git");
    let inner = ".claude/worktrees/inner";
    check(
        &scratch,
        &format!("repo/{inner}"),
        &format!("repo/{inner}"),
        "repo/.git/worktrees/inner",
        "repo/.git",
    );
}

#[test]
fn worktrees_of_a_bare_repository_are_found() {
    let scratch = Scratch::with_commit();
    scratch.git(".", &["clone", "-q", "--bare", "repo", "bare.git"]);
    scratch.git("bare.git", &["worktree", "add", "-q", "../from-bare"]);
    check(&scratch, "from-bare/x", "from-bare", "bare.git/worktrees/from-bare", "bare.git");
}

#[test]
fn a_relative_git_file_is_followed() {
    let scratch = Scratch::with_commit();
    scratch.git(".", &["clone", "-q", "--separate-git-dir", "elsewhere", "repo", "separate"]);
    scratch.write("separate/.git", "gitdir: ../elsewhere\r\n");
    check(&scratch, "separate/x", "separate", "elsewhere", "elsewhere");
}

#[test]
fn a_submodule_is_a_repository_of_its_own() {
    let scratch = Scratch::with_commit();
    scratch.git(".", &["init", "-q", "-b", "main", "outer"]);
    scratch.git("outer", &["submodule", "--quiet", "add", "../repo", "sub"]);
    let module = "outer/.git/modules/sub";
    check(&scratch, "outer/sub/a.txt", "outer/sub", module, module);
    check(&scratch, "outer/x", "outer", "outer/.git", "outer/.git");
}

// D-14: a planted `.git` takes nothing out of the governed root.
#[test]
fn a_git_entry_that_is_no_repository_is_passed_over() {
    let scratch = Scratch::with_commit();
    fs::create_dir_all(scratch.path("repo/empty/.git")).unwrap();
    scratch.write("repo/junk/.git", "not a git file");
    scratch.write("repo/nowhere/.git", "gitdir: /no/such/place\n");
    scratch.write("repo/blank/.git", "gitdir: \n");
    scratch.write("repo/huge/.git", vec![b'x'; 100_000]);
    scratch.write("repo/nul/.git", "gitdir: a\0b");
    for folder in ["empty", "junk", "nowhere", "blank", "huge", "nul"] {
        let place = discover(&scratch.path(&format!("repo/{folder}/x"))).unwrap();
        assert_eq!(place.worktree_root, scratch.path("repo"), "{folder}");
    }
    let alone = Scratch::new();
    alone.write("x/.git", "not a git file");
    assert_eq!(discover(&alone.path("x")), None);
}

#[cfg(unix)]
#[test]
fn a_symlinked_git_directory_is_reported() {
    let scratch = Scratch::with_commit();
    fs::rename(scratch.path("repo/.git"), scratch.path("moved")).unwrap();
    std::os::unix::fs::symlink("../moved", scratch.path("repo/.git")).unwrap();
    let place = discover(&scratch.path("repo/x")).unwrap();
    assert!(place.git_is_symlink);
    assert_eq!(place.git_dir, scratch.path("moved"));
    assert_eq!(place.common_dir, scratch.path("moved"));
}

#[cfg(unix)]
#[test]
fn symlinks_on_the_way_are_followed_before_looking_up() {
    let scratch = Scratch::with_commit();
    scratch.write("repo/src/b.txt", "b");
    fs::create_dir(scratch.path("other")).unwrap();
    let link = |target: &str, at: &str| std::os::unix::fs::symlink(target, scratch.path(at)).unwrap();
    link("../repo/src", "other/into");
    link("../other", "repo/out");
    assert_eq!(discover(&scratch.path("other/into/new.rs")).unwrap().worktree_root, scratch.path("repo"));
    assert_eq!(discover(&scratch.path("repo/out/new.rs")), None);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_does_not_hang() {
    let scratch = Scratch::with_commit();
    let made = std::process::Command::new("mkfifo").arg(scratch.path("repo/src")).status().unwrap();
    assert!(made.success());
    fs::create_dir(scratch.path("repo/sub")).unwrap();
    fs::rename(scratch.path("repo/src"), scratch.path("repo/sub/.git")).unwrap();
    assert_eq!(discover(&scratch.path("repo/sub")).unwrap().worktree_root, scratch.path("repo"));
}
