//! Whether the index has `.orchestration/`.

use std::fs;

use bailiwick_adapters_git::{GitVcs, head_tracks_orchestration};
use bailiwick_domain::{RepoPath, Vcs as _};

use crate::repository::{Scratch, discover};

fn tracks(scratch: &Scratch) -> bool {
    head_tracks_orchestration(&discover(&scratch.path("repo")).unwrap())
}

/// Stages these files in an index of that version and asserts what the adapter and git say.
#[track_caller]
fn check(version: &str, files: &[&str], expected: bool) {
    let scratch = Scratch::with_repository();
    for file in files {
        scratch.write(&format!("repo/{file}"), "x");
    }
    scratch.git("repo", &["add", "-A", "-f"]);
    scratch.git("repo", &["update-index", "--index-version", version]);
    let listed = scratch.git("repo", &["ls-files", "--", ".orchestration"]);
    assert_eq!(!listed.is_empty(), expected, "git itself, {files:?}");
    assert_eq!(tracks(&scratch), expected, "version {version}, {files:?}");
}

// D-21: what a sparse checkout leaves out is not missed.
#[test]
fn the_tracked_files_are_those_that_git_lists_and_the_working_copy_is_to_have() {
    for version in ["2", "3", "4"] {
        let scratch = Scratch::with_repository();
        for file in ["a.rs", "src/b.rs", "src/c.rs", "z/long name é.rs"] {
            scratch.write(&format!("repo/{file}"), "x");
        }
        scratch.git("repo", &["add", "-A", "-f"]);
        scratch.git("repo", &["update-index", "--index-version", version]);
        let place = discover(&scratch.path("repo")).unwrap();
        let tracked = || -> Vec<String> {
            let git = GitVcs::new(place.git_dir.clone(), place.common_dir.clone());
            git.tracked().iter().map(ToString::to_string).collect()
        };
        assert_eq!(tracked(), ["a.rs", "src/b.rs", "src/c.rs", "z/long name é.rs"], "version {version}");
        scratch.git("repo", &["update-index", "--skip-worktree", "src/b.rs"]);
        assert_eq!(tracked(), ["a.rs", "src/c.rs", "z/long name é.rs"], "version {version}");
    }
}

// The question about one path is the oracle.
#[test]
fn many_paths_are_looked_up_in_one_pass_as_each_one_alone() {
    let asked = ["a", "a.rs", "src", "src/", "src/b.rs", "src/b.rs.orig", "src/deep/d.rs", "z/é.rs", "zz"];
    for is_sparse in [false, true] {
        let scratch = Scratch::with_repository();
        for file in ["a.rs", "src/b.rs", "src/deep/d.rs", "z/é.rs"] {
            scratch.write(&format!("repo/{file}"), "x");
        }
        scratch.git("repo", &["add", "-A", "-f"]);
        scratch.git("repo", &["commit", "--quiet", "-m", "all"]);
        if is_sparse {
            scratch.git("repo", &["sparse-checkout", "set", "--cone", "--sparse-index", "z"]);
        }
        let place = discover(&scratch.path("repo")).unwrap();
        let git = GitVcs::new(place.git_dir.clone(), place.common_dir.clone());
        let together = git.tracked_of(&asked.into_iter().collect());
        for path in asked {
            let Ok(one) = RepoPath::new(path) else { continue };
            let alone = pollster::block_on(git.tracks(&one));
            assert_eq!(together.contains(path), alone, "{path}, sparse: {is_sparse}");
        }
        assert!(together.contains("src/deep/d.rs") && !together.contains("zz"), "{together:?}");
    }
}

// D-14
#[test]
fn tracked_orchestration_is_seen_in_every_index_version() {
    let long = format!("{}/{}", "!".repeat(200), "#".repeat(200));
    for version in ["2", "3", "4"] {
        check(version, &[".orchestration/active_intents.yaml"], true);
        check(version, &[".claude/a", ".opencode/b", ".orchestration/x", "src/main.rs"], true);
        check(version, &[".orchestra", ".orchestration/x"], true);
        check(version, &[&long, "!a", ".a", ".ab", ".abc", ".abcd", ".abcde", ".orchestration/x"], true);
    }
}

#[test]
fn names_that_only_look_alike_are_not_taken() {
    for version in ["2", "4"] {
        check(version, &["src/main.rs"], false);
        check(version, &["vendor/.orchestration/x", ".orchestrationx/y", ".orchestration.md"], false);
        check(version, &[".opencode/a", ".p"], false);
    }
}

#[test]
fn very_long_names_do_not_end_the_search() {
    let deep = vec!["-".repeat(200); 19].join("/");
    for version in ["2", "4"] {
        let scratch = Scratch::with_repository();
        scratch.write("blob", "x");
        let blob = scratch.git("repo", &["hash-object", "-w", "../blob"]);
        for path in [deep.as_str(), &format!("{deep}-{}", "-".repeat(250)), ".orchestration/x"] {
            scratch.git("repo", &["update-index", "--add", "--cacheinfo", &format!("100644,{blob},{path}")]);
        }
        scratch.git("repo", &["update-index", "--index-version", version]);
        assert!(tracks(&scratch), "version {version}");
    }
}

#[test]
fn extended_entries_are_walked() {
    let scratch = Scratch::with_repository();
    for file in ["!a", ".a", ".orchestration/x"] {
        scratch.write(&format!("repo/{file}"), "x");
    }
    scratch.git("repo", &["add", "-N", "!a"]);
    scratch.git("repo", &["add", "-A"]);
    scratch.git("repo", &["update-index", "--skip-worktree", "!a"]);
    assert!(tracks(&scratch));
}

#[test]
fn longer_object_ids_are_walked() {
    let scratch = Scratch::new();
    if !scratch.git_can(".", &["init", "-q", "--object-format=sha256", "repo"]) {
        return;
    }
    scratch.write("repo/.a", "x");
    scratch.git("repo", &["add", "-A"]);
    assert!(!tracks(&scratch));
    scratch.write("repo/.orchestration/x", "x");
    scratch.git("repo", &["add", "-A"]);
    assert!(tracks(&scratch));
}

#[test]
fn a_repository_without_an_index_tracks_nothing() {
    assert!(!tracks(&Scratch::with_repository()));
}

#[test]
fn a_damaged_index_is_searched_for_the_name() {
    let scratch = Scratch::with_commit();
    let index = scratch.path("repo/.git/index");
    for (bytes, expected) in [
        (&b"DIRC\0\0\0\x09\0\0\0\x01....orchestration/x"[..], true),
        (b"DIRC\0\0\0\x02\0\0\0\x01", false),
        (b"", false),
        (b"junk", false),
    ] {
        fs::write(&index, bytes).unwrap();
        assert_eq!(tracks(&scratch), expected, "{bytes:?}");
    }
}
