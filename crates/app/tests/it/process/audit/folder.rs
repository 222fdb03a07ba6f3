//! The gate's own folder: what the gate keeps there is nobody's work, and whatever else is there is work as any other (D-43).
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::{audited, commit, written};
use crate::process::sealing::{bailiwick_in, changed, git, sealing};
use crate::world::said;

#[test]
fn a_file_that_the_gate_does_not_keep_is_judged() {
    let machine = sealing();
    written(&machine, &[("src/auth/a.rs", "fn a() {}\n")]);
    machine.write(".orchestration/evil.py", "import os\n");
    machine.write(".orchestration/trace/more.jsonl", "{}\n");
    let program = machine.root().join(".orchestration/evil.py");
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let ignored = machine.root().join(".orchestration/.intentignore");
    symlink("/etc/passwd", ignored).unwrap();
    git(&machine, &["add", "-Af"]);
    commit(&machine, "agent");
    let (code, audit) = audited(&machine, &["HEAD"]);
    let runs = audit["commits"][0]["hunks"].as_array().unwrap();
    let unexplained: Vec<&str> = runs
        .iter()
        .filter(|run| run["label"] == "unexplained")
        .map(|run| run["file"].as_str().unwrap())
        .collect();
    let own = ".orchestration/";
    let wanted =
        [".intentignore", "evil.py", "evil.py", "trace/more.jsonl"].map(|name| format!("{own}{name}"));
    assert_eq!((code, unexplained), (Some(1), wanted.iter().map(String::as_str).collect()), "{audit}");
}

// D-22: nothing is written through a link, wherever it leads
#[test]
fn a_link_in_the_place_of_the_segments_is_a_fault() {
    let machine = sealing();
    changed(&machine, &["a"]);
    let elsewhere = machine.world.path("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, machine.root().join(".orchestration/trace")).unwrap();
    for words in [&["trace", "seal"][..], &["trace", "verify"], &["trace", "log"], &["doctor"]] {
        let text = said(&bailiwick_in(&machine, &machine.root(), words));
        assert!(text.contains(".orchestration/trace"), "{words:?}: {text}");
    }
    git(&machine, &["add", "src"]);
    git(&machine, &["commit", "-qm", "agent"]);
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    let verified = bailiwick_in(&machine, &machine.root(), &["trace", "verify"]);
    assert_eq!(verified.status.code(), Some(1), "{}", said(&verified));
}
