//! A file that git keeps through a filter: what an entry wrote and what the commit has are two texts, so nobody can look.

use super::{audited, commit, labels, written};
use crate::process::sealing::{bailiwick_in, git, sealing};
use crate::world::said;

// D-11, D-43
#[test]
fn an_agents_commit_of_a_filtered_file_is_no_persons() {
    let machine = sealing();
    git(&machine, &["config", "filter.up.clean", "tr a-z A-Z"]);
    git(&machine, &["config", "filter.up.smudge", "tr A-Z a-z"]);
    machine.write(".gitattributes", "*.lf filter=up\n");
    commit(&machine, "by hand");
    written(&machine, &[("src/auth/x.lf", "alpha beta gamma\ndelta epsilon\n")]);
    machine.write("src/auth/cmd.rs", "fn unapproved() {}\n");
    git(&machine, &["add", "-A", "src"]);
    git(&machine, &["commit", "-qm", "both"]);
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained", "unexplained"]]), "{audit}");
    assert_eq!(audit["commits"][0]["hunks"][1]["why"], "git keeps this file through a filter", "{audit}");
    let text = said(&bailiwick_in(&machine, &machine.root(), &["audit", "HEAD"]));
    assert!(text.contains("src/auth/x.lf:1-2  (git keeps this file through a filter)\n"), "{text}");

    // The attributes count as the commit has them.
    machine.write(".gitattributes", "");
    commit(&machine, "by hand");
    assert_eq!(audited(&machine, &["HEAD~1"]).0, Some(1));
}
