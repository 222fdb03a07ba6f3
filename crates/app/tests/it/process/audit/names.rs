//! Anybody who can push can call a tag like a branch, and git takes the tag: what is called so twice is not judged.

use super::{audited, commit, labels};
use crate::process::machine::Machine;
use crate::process::sealing::{bailiwick_in, git, sealing};
use crate::world::said;

const CLAUDE: &str = "by hand\n\nCo-authored-by: Claude <noreply@anthropic.com>";

/// A branch of another machine, and a commit of an agent after it that nobody recorded.
fn with_a_branch() -> Machine {
    let machine = sealing();
    git(&machine, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    machine.write("src/core/main.rs", "fn main() {\n    run();\n}\n");
    commit(&machine, CLAUDE);
    machine
}

#[track_caller]
fn is_refused(machine: &Machine, words: &[&str], says: &[&str]) {
    let output = bailiwick_in(machine, &machine.root(), words);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
    assert!(says.iter().all(|part| text.contains(part)), "{words:?}: {text}");
}

#[track_caller]
fn is_seen(machine: &Machine, range: &str) {
    let (code, audit) = audited(machine, &[range]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{range}: {audit}");
}

// D-43
#[test]
fn a_tag_that_is_called_like_a_branch_does_not_empty_a_range() {
    let machine = with_a_branch();
    is_seen(&machine, "origin/main..HEAD");
    git(&machine, &["tag", "-a", "-m", "the same commit", "origin/main", "refs/remotes/origin/main"]);
    is_seen(&machine, "origin/main..HEAD");
    git(&machine, &["tag", "-f", "origin/main", "HEAD"]);
    let both = &["`refs/tags/origin/main`", "`refs/remotes/origin/main`", "full name"];
    for range in
        ["origin/main..HEAD", "origin/main...HEAD", "origin/main~0..HEAD", "HEAD..origin/main", "origin/main"]
    {
        is_refused(&machine, &["audit", range], both);
    }
    is_refused(&machine, &["trace", "blame", "src/core/main.rs", "--at", "origin/main"], both);
    is_refused(&machine, &["trace", "verify", "--keys-at", "origin/main"], both);
    is_seen(&machine, "refs/remotes/origin/main..HEAD");
}

#[test]
fn a_tag_that_is_called_like_a_commit_or_a_full_name_is_not_taken_for_it() {
    let machine = with_a_branch();
    let base = git(&machine, &["rev-parse", "HEAD~1"]);
    let (base, short) = (base.trim(), base.get(..8).unwrap());
    git(&machine, &["tag", short, "HEAD"]);
    git(&machine, &["tag", base, "HEAD"]);
    git(&machine, &["tag", "refs/remotes/origin/next", "HEAD"]);
    is_refused(&machine, &["audit", &format!("{short}..HEAD")], &[&format!("`refs/tags/{short}`"), base]);
    is_seen(&machine, &format!("{base}..HEAD"));
    is_refused(
        &machine,
        &["audit", "refs/remotes/origin/next..HEAD"],
        &["there is no `refs/remotes/origin/next` here"],
    );
}
