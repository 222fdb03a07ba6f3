//! Files whose lines end otherwise in the working copy than in git.

use super::super::sealing::{git, sealing};
use super::beside::{FILE, change};
use super::{audited_in, commit, labels};

/// Eight lines of which the fifth says this.
fn text(fifth: &str) -> String {
    let line = |at: usize| if at == 5 { fifth.to_owned() } else { format!("fn number_{at}() {{}}") };
    (1..=8).map(|at| line(at) + "\r\n").collect()
}

// D-43: the entries were made of CRLF, and a clone has LF alone
#[test]
fn work_in_a_working_copy_with_crlf_is_traced_in_every_clone() {
    let machine = sealing();
    machine.write(".gitattributes", "*.rs text eol=crlf\n");
    machine.write(FILE, &text("// a person's"));
    commit(&machine, "begun");
    change(&machine, &text("// an agent's"));
    commit(&machine, "agent");
    let clone = machine.world.path("clone");
    git(&machine, &["clone", "-q", ".", &clone.display().to_string()]);
    for folder in [machine.root(), clone] {
        let (code, audit) = audited_in(&machine, &folder, &["HEAD"]);
        assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced"]]), "{audit}");
    }
}
