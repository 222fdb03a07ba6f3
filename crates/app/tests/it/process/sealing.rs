//! Evidence that travels with git: sealed at each commit, merged without a conflict, verified in a fresh clone (D-22,
//! D-25). The git here is the real one.

use std::path::Path;
use std::process::{Command, Output};

use bailiwick_domain::{Value, json};

use super::machine::{Machine, Wire, installed};
use crate::world::{json as parsed, read, said, write};

/// Git as a person runs it in that folder: with its hooks, and with the home of the machine.
fn run_git(machine: &Machine, folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(installed("git"));
    command.args([
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.invalid",
        "-c",
        "init.defaultBranch=main",
    ]);
    command.args(words).current_dir(folder).env_clear();
    command.env("HOME", machine.world.path("home")).env("PATH", std::env::var_os("PATH").unwrap());
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_EDITOR", "true").output().unwrap()
}

#[track_caller]
pub(super) fn git_in(machine: &Machine, folder: &Path, words: &[&str]) -> String {
    let output = run_git(machine, folder, words);
    assert!(output.status.success(), "{words:?}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
pub(super) fn git(machine: &Machine, words: &[&str]) -> String {
    git_in(machine, &machine.root(), words)
}

/// A command of a person in that folder, where git is on the search path.
pub(super) fn bailiwick_in(machine: &Machine, folder: &Path, words: &[&str]) -> Output {
    let mut command = machine.world.command_in(folder, words);
    command.env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap()
}

#[track_caller]
fn ok(machine: &Machine, words: &[&str]) -> String {
    ok_in(machine, &machine.root(), words)
}

#[track_caller]
fn ok_in(machine: &Machine, folder: &Path, words: &[&str]) -> String {
    let output = bailiwick_in(machine, folder, words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// A governed repository with a first commit, whose commits seal.
pub(super) fn sealing() -> Machine {
    let machine = Machine::new();
    git(&machine, &["checkout", "-q", "-b", "main"]);
    ok(&machine, &["init", "--git"]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "start"]);
    machine
}

// K-24: each alarm has its own next step, and the one of a damaged segment is git
#[test]
fn a_damaged_segment_comes_back_as_the_hint_says() {
    let machine = sealing();
    changed(&machine, &["a"]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "agent"]);
    let folder = machine.root().join(".orchestration/trace");
    let is_segment = |path: &std::path::PathBuf| path.extension().is_some_and(|name| name == "jsonl");
    let segment =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).find(is_segment).unwrap();
    std::fs::write(&segment, read(&segment).replace("INT-001", "INT-002")).unwrap();
    for words in [["trace", "verify"], ["trace", "repair"]] {
        let output = bailiwick_in(&machine, &machine.root(), &words);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(
            !text.contains("run `bailiwick trace repair`") && !text.contains("nothing to repair"),
            "{text}"
        );
        assert!(text.contains("is whole in git: `git checkout "), "{text}");
    }
    let doctor = said(&bailiwick_in(&machine, &machine.root(), &["doctor"]));
    assert!(doctor.contains("1 sealed segment is damaged"), "{doctor}");
    let output = bailiwick_in(&machine, &machine.root(), &["trace", "repair", "--json"]);
    assert_eq!(parsed(&String::from_utf8(output.stdout).unwrap())["ok"], false);
    let text = said(&bailiwick_in(&machine, &machine.root(), &["trace", "verify"]));
    let line = text.split_once("`git ").unwrap().1.split_once('`').unwrap().0;
    git(&machine, &line.split(' ').collect::<Vec<_>>());
    ok(&machine, &["trace", "verify"]);
    assert!(ok(&machine, &["trace", "repair"]).contains("nothing to repair"));
}

// D-25, K-24: the errors of a damaged list lead to what mends it
#[test]
fn a_damaged_list_of_what_was_sealed_leads_to_its_repair() {
    let machine = sealing();
    changed(&machine, &["a"]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "agent"]);
    let ledger = machine.root().join(".git/bailiwick/ledger");
    std::fs::write(ledger.join("sealed.json"), "x").unwrap();
    for (words, next) in [
        (["trace", "verify"].as_slice(), "run `bailiwick trace repair`"),
        (&["trace", "seal"], "run `bailiwick doctor`"),
        (&["doctor"], "run `bailiwick trace repair`"),
    ] {
        let output = bailiwick_in(&machine, &machine.root(), words);
        assert_ne!(output.status.code(), Some(0), "{words:?}");
        let text = said(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(next), "{words:?}: {text}");
    }
    let mended = ok(&machine, &["trace", "repair"]);
    assert!(mended.contains("the list of sealed segments was made again"), "{mended}");
    ok(&machine, &["trace", "verify"]);
    let doctor = said(&bailiwick_in(&machine, &machine.root(), &["doctor"]));
    assert!(!doctor.contains("list of sealed segments"), "{doctor}");
}

// D-22: what git ignores does not travel, and is not said to be for git
#[test]
fn segments_that_git_ignores_are_named() {
    let machine = sealing();
    machine.write(".gitignore", ".orchestration/\n");
    changed(&machine, &["a"]);
    git(&machine, &["add", "-A"]);
    let committed = run_git(&machine, &machine.root(), &["commit", "-qm", "agent"]);
    assert!(said(&committed).contains("git ignores the sealed segments"), "{}", said(&committed));
    assert!(said(&committed).contains("take out `.orchestration/` in .gitignore:1"), "{}", said(&committed));
    let text = ok(&machine, &["trace", "verify"]);
    assert!(!text.contains("for git"), "{text}");
    let output = bailiwick_in(&machine, &machine.root(), &["trace", "verify"]);
    assert!(said(&output).contains("git ignores 1 segment here, which no clone gets"), "{}", said(&output));
    let doctor = said(&bailiwick_in(&machine, &machine.root(), &["doctor"]));
    assert!(doctor.contains("git ignores 1 segment here, which no clone gets"), "{doctor}");
    let value = parsed(&ok(&machine, &["trace", "verify", "--json"]));
    assert_eq!(value["ignored"].as_array().map(Vec::len), Some(1), "{value}");
}

// D-22: the advice names the rule that is there
#[test]
fn the_rule_by_which_git_ignores_segments_is_named() {
    let machine = sealing();
    let rules = machine.world.path("rules");
    std::fs::write(&rules, "*.log\n*.jsonl\n").unwrap();
    git(&machine, &["config", "core.excludesFile", rules.to_str().unwrap()]);
    changed(&machine, &["a"]);
    git(&machine, &["add", "-A"]);
    let committed = run_git(&machine, &machine.root(), &["commit", "-qm", "agent"]);
    let verified = bailiwick_in(&machine, &machine.root(), &["trace", "verify"]);
    let rule = format!("take out `*.jsonl` in {}:2", rules.display());
    for text in [said(&committed), said(&verified)] {
        assert!(text.contains(&rule) && !text.contains(".gitignore"), "{text}");
    }
}

// D-22: what is not checked out here goes with the commit all the same
#[test]
fn evidence_travels_from_a_sparse_checkout() {
    let machine = sealing();
    changed(&machine, &["a"]);
    commit(&machine, "agent");
    git(&machine, &["sparse-checkout", "set", "--no-cone", "/*", "!/.orchestration/trace/"]);
    changed(&machine, &["b"]);
    git(&machine, &["add", "src"]);
    let committed = run_git(&machine, &machine.root(), &["commit", "-qm", "agent"]);
    assert!(!said(&committed).contains("not sealed"), "{}", said(&committed));
    let listed = git(&machine, &["ls-tree", "-r", "--name-only", "HEAD", ".orchestration/trace"]);
    assert_eq!(listed.lines().filter(|name| name.ends_with(".jsonl")).count(), 2, "{listed}");
    verified(&machine, &machine.root());
}

/// One recorded change of a file.
fn change(machine: &Machine, wire: &mut Wire, name: &str) {
    let path = format!("src/auth/{name}.rs");
    let params = json!({"path": path, "content": format!("// {name}\n")});
    let id = wire.pre("write_to_file", &params)["approvalId"].clone();
    let allowed = wire.ask(json!({"phase": "resolve", "approvalId": id, "decision": "approve"}));
    assert_eq!(allowed["action"], "allow", "{allowed}");
    machine.write(&path, &format!("// {name}\n"));
    assert_eq!(wire.post("write_to_file", &params, true)["traceIds"].as_array().map(Vec::len), Some(1));
}

pub(super) fn changed(machine: &Machine, names: &[&str]) {
    let mut wire = machine.wire();
    wire.select("INT-001");
    for name in names {
        change(machine, &mut wire, name);
    }
    wire.end();
}

fn commit(machine: &Machine, message: &str) {
    git(machine, &["add", "-A"]);
    git(machine, &["commit", "-qm", message]);
}

#[track_caller]
fn verified(machine: &Machine, folder: &Path) -> Value {
    let output = bailiwick_in(machine, folder, &["trace", "verify", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    parsed(&String::from_utf8(output.stdout).unwrap())
}

fn segments(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder.join(".orchestration/trace"));
    entries.map_or(0, |entries| entries.flatten().filter(|entry| entry.path().extension().is_some()).count())
}

// D-22
#[test]
fn a_commit_seals_and_leaves_nothing_behind() {
    let machine = sealing();
    assert_eq!(segments(&machine.root()), 0, "nothing recorded, nothing sealed");
    changed(&machine, &["one", "two"]);
    assert_eq!(
        git(&machine, &["status", "--porcelain", "-uall"]).lines().count(),
        2,
        "only the agent's own work"
    );
    commit(&machine, "work");
    assert_eq!((segments(&machine.root()), git(&machine, &["status", "--porcelain"]).as_str()), (1, ""));
    let found = verified(&machine, &machine.root());
    assert_eq!((&found["findings"], &found["extent"]["sealed"]), (&json!([]), &json!(2)), "{found}");
    changed(&machine, &["three"]);
    machine.write("other.txt", "x\n");
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "a part", "other.txt"]);
    git(&machine, &["commit", "-qm", "the rest"]);
    assert_eq!((segments(&machine.root()), git(&machine, &["status", "--porcelain"]).as_str()), (2, ""));
    git(&machine, &["commit", "-q", "--amend", "-m", "amended"]);
    assert_eq!(verified(&machine, &machine.root())["findings"], json!([]));
}

// D-22: twenty branches merge as plain three-way, without a conflict of ours.
#[test]
fn twenty_branches_merge_without_a_conflict() {
    let machine = sealing();
    let names: Vec<String> = (0..20).map(|n| format!("b{n}")).collect();
    for name in &names {
        git(&machine, &["checkout", "-q", "-b", name, "main"]);
        changed(&machine, &[name]);
        commit(&machine, name);
    }
    git(&machine, &["checkout", "-q", "main"]);
    for name in &names {
        git(&machine, &["merge", "-q", "--no-edit", name]);
    }
    assert_eq!(git(&machine, &["status", "--porcelain"]), "");
    assert_eq!(segments(&machine.root()), 20);
    let found = verified(&machine, &machine.root());
    assert_eq!((&found["findings"], &found["extent"]["sealed"]), (&json!([]), &json!(20)), "{found}");
}

// D-22, D-25: a fresh clone reads and verifies what is there, and adds its own.
#[test]
fn a_fresh_clone_has_the_evidence() {
    let machine = sealing();
    changed(&machine, &["one", "two"]);
    commit(&machine, "work");
    let clone = machine.world.path("clone");
    git_in(&machine, &machine.world.path(""), &["clone", "-q", "repo", "clone"]);
    let found = verified(&machine, &clone);
    assert_eq!((&found["ok"], &found["extent"]["segments"]), (&json!(true), &json!(1)), "{found}");
    let log = bailiwick_in(&machine, &clone, &["trace", "log", "--json"]);
    let log = parsed(&String::from_utf8(log.stdout).unwrap());
    assert_eq!(log["entries"].as_array().map(Vec::len), Some(2), "{log}");
    let segment = std::fs::read_dir(clone.join(".orchestration/trace")).unwrap().flatten();
    let segment =
        segment.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let segment = segment.unwrap();
    write(&segment, &read(&segment).replace("src/auth/one.rs", "src/auth/six.rs"));
    assert_eq!(bailiwick_in(&machine, &clone, &["trace", "verify"]).status.code(), Some(1));
}

// Nothing is hooked in a clone, so nothing is refused there, and no folder has to be mended
#[test]
fn a_fresh_clone_is_told_to_begin() {
    let machine = sealing();
    let clone = machine.world.path("a_clone");
    git(&machine, &["clone", "-q", ".", clone.to_str().unwrap()]);
    for words in [&["status"][..], &["doctor"]] {
        let text = said(&bailiwick_in(&machine, &clone, words));
        assert!(text.contains("`bailiwick init` has not run in this clone"), "{words:?}: {text}");
        assert!(!text.contains("Every call is refused") && !text.contains("writable"), "{words:?}: {text}");
        assert!(!clone.join(".git/bailiwick").exists(), "{words:?} left something");
    }
}

// D-25: what git moves about is never an alarm.
#[test]
fn withdrawing_and_picking_are_notes() {
    let machine = sealing();
    for name in ["one", "two"] {
        git(&machine, &["checkout", "-q", "-B", "side"]);
        changed(&machine, &[name]);
        commit(&machine, name);
    }
    git(&machine, &["checkout", "-q", "main"]);
    let found = verified(&machine, &machine.root());
    assert_eq!(found["findings"][0]["kind"], "segment_elsewhere", "{found}");
    git(&machine, &["cherry-pick", "side"]);
    verified(&machine, &machine.root());
    git(&machine, &["branch", "-D", "side"]);
    git(&machine, &["reflog", "expire", "--expire=now", "--all"]);
    git(&machine, &["gc", "-q", "--prune=now"]);
    let found = verified(&machine, &machine.root());
    assert_eq!(found["findings"][0]["severity"], "note", "{found}");
    git_in(&machine, &machine.world.path(""), &["clone", "-q", "--no-local", "repo", "clone"]);
    verified(&machine, &machine.world.path("clone"));
}

// D-25: what the history has is evidence, where a commit took it away
#[test]
fn a_segment_that_a_commit_took_away_still_answers_and_the_commit_is_named() {
    let machine = sealing();
    changed(&machine, &["one", "two"]);
    commit(&machine, "work");
    git(&machine, &["rm", "-q", "-r", ".orchestration/trace"]);
    git(&machine, &["commit", "-q", "--no-verify", "-m", "away"]);
    let taken = git(&machine, &["rev-parse", "HEAD"]).trim().to_owned();
    verified(&machine, &machine.root());
    for (name, options) in [("whole", &[][..]), ("shallow", &["--depth=1"])] {
        let clone = machine.world.path(name);
        let from = format!("file://{}", machine.root().display());
        let words = [&["clone", "-q"][..], options, &[&from, name]].concat();
        git_in(&machine, &machine.world.path(""), &words);
        let found = verified(&machine, &clone);
        let log = bailiwick_in(&machine, &clone, &["trace", "log", "--json"]);
        let log = parsed(&String::from_utf8(log.stdout).unwrap());
        let entries = log["entries"].as_array().map(Vec::len);
        if options.is_empty() {
            let note = &found["findings"][0];
            assert_eq!(
                (&note["kind"], &note["severity"]),
                (&json!("segment_elsewhere"), &json!("note")),
                "{found}"
            );
            assert!(
                note["message"].as_str().unwrap().contains(&format!("commit {taken} took them away")),
                "{found}"
            );
            assert_eq!(entries, Some(2), "{log}");
            assert_eq!(found["extent"]["ledgers"][0]["entries"], 2, "{found}");
        } else {
            assert_eq!((entries, &found["findings"]), (Some(0), &json!([])), "nothing of it came along");
        }
    }
}

// D-25: a clone without the older trees cannot list them, which is no failure
#[test]
fn a_clone_without_the_older_trees_is_verified() {
    let machine = sealing();
    git(&machine, &["config", "uploadpack.allowFilter", "true"]);
    changed(&machine, &["one"]);
    commit(&machine, "one");
    git(&machine, &["rm", "-q", "-r", ".orchestration/trace"]);
    git(&machine, &["commit", "-q", "--no-verify", "-m", "away"]);
    git(&machine, &["checkout", "-q", "HEAD~1", "--", ".orchestration/trace"]);
    changed(&machine, &["two"]);
    commit(&machine, "two");
    let first = git(
        &machine,
        &["log", "--diff-filter=A", "--format=", "--name-only", "HEAD~2", "-1", "--", "*.jsonl"],
    );
    git(&machine, &["rm", "-q", first.trim()]);
    git(&machine, &["commit", "-q", "--no-verify", "-m", "the older one away"]);
    let from = format!("file://{}", machine.root().display());
    let words = ["clone", "-q", "--filter=tree:0", &from, "treeless"];
    git_in(&machine, &machine.world.path(""), &words);
    let found = verified(&machine, &machine.world.path("treeless"));
    assert_eq!(found["findings"][0]["kind"], "segment_elsewhere", "{found}");
}

// D-25: a segment that a checkout leaves out is read where git keeps it
#[test]
fn a_sparse_clone_has_the_evidence_of_its_commit() {
    let machine = sealing();
    changed(&machine, &["one"]);
    commit(&machine, "work");
    let clone = machine.world.path("sparse");
    git_in(&machine, &machine.world.path(""), &["clone", "-q", "--no-checkout", "repo", "sparse"]);
    git_in(&machine, &clone, &["sparse-checkout", "set", "--no-cone", "/*", "!/.orchestration/trace/"]);
    git_in(&machine, &clone, &["checkout", "-q"]);
    assert_eq!(segments(&clone), 0);
    let found = verified(&machine, &clone);
    assert_eq!(found["extent"]["ledgers"][0]["entries"], 1, "{found}");
    assert!(found["findings"][0]["message"].as_str().unwrap().contains("has them"), "{found}");
}

// D-25: a branch from before lacks the file that keeps git from changing line ends; a segment is read as it was written
#[test]
fn a_segment_whose_line_ends_a_checkout_changed_is_the_same() {
    let machine = sealing();
    changed(&machine, &["one"]);
    commit(&machine, "work");
    git(&machine, &["rm", "-q", ".orchestration/trace/.gitattributes"]);
    machine.write(".gitattributes", "* text=auto eol=crlf\n");
    git(&machine, &["add", "-A"]);
    git(&machine, &["-c", "core.hooksPath=/dev/null", "commit", "-qm", "line ends"]);
    let clone = machine.world.path("clone");
    git_in(&machine, &machine.world.path(""), &["clone", "-q", "repo", "clone"]);
    let folder = clone.join(".orchestration/trace");
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    assert!(read(&file).ends_with("}\r\n"), "{}", file.display());
    let found = verified(&machine, &clone);
    assert_eq!(found["extent"]["ledgers"][0]["entries"], 1, "{found}");
    assert_eq!(
        found["findings"].as_array().unwrap().iter().filter(|one| one["severity"] == "alarm").count(),
        0
    );
    let lines = ok_in(&machine, &clone, &["trace", "blame", "--json", "--claimed", "src/auth/one.rs"]);
    assert_eq!(parsed(&lines)["lines"][0]["intent"], "INT-001", "{lines}");
    std::fs::write(&file, read(&file).replace("INT-001", "INT-002")).unwrap();
    let output = bailiwick_in(&machine, &clone, &["trace", "verify"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}

// D-22: what keeps git from changing segments goes into each commit that has some
#[test]
fn a_commit_brings_back_the_attributes_of_segments() {
    let machine = sealing();
    changed(&machine, &["one"]);
    commit(&machine, "work");
    let attributes = ".orchestration/trace/.gitattributes";
    git(&machine, &["rm", "-q", attributes]);
    git(&machine, &["-c", "core.hooksPath=/dev/null", "commit", "-qm", "without"]);
    machine.write("other.txt", "a person's\n");
    git(&machine, &["add", "other.txt"]);
    git(&machine, &["commit", "-qm", "by a person"]);
    assert_eq!(git(&machine, &["ls-tree", "--name-only", "-r", "HEAD", attributes]).trim(), attributes);
    assert_eq!(git(&machine, &["status", "--porcelain"]), "");
}

// D-22, D-25: what was sealed by hand goes into the commit of what follows it, and cleaning takes nothing away.
#[test]
fn a_commit_takes_along_what_was_sealed_before_it() {
    let machine = sealing();
    changed(&machine, &["one"]);
    ok(&machine, &["trace", "seal"]);
    changed(&machine, &["two"]);
    git(&machine, &["add", "src"]);
    git(&machine, &["commit", "-qm", "both"]);
    git(&machine, &["clean", "-fdxq"]);
    assert_eq!(segments(&machine.root()), 2);
    verified(&machine, &machine.root());
    ok(&machine, &["trace", "seal"]);
    changed(&machine, &["three"]);
    ok(&machine, &["trace", "seal"]);
    git(&machine, &["add", "src"]);
    git(&machine, &["commit", "-qm", "sealed by hand"]);
    git(&machine, &["clean", "-fdxq"]);
    assert_eq!(segments(&machine.root()), 3, "also where the commit had nothing of its own to seal");
}

// D-22: git refuses a commit of nothing, so nothing is sealed or staged for one.
#[test]
fn nothing_is_sealed_for_a_commit_of_nothing() {
    let machine = sealing();
    changed(&machine, &["one"]);
    commit(&machine, "work");
    let before = segments(&machine.root());
    changed(&machine, &["two"]);
    ok(&machine, &["trace", "seal", "--git-hook"]);
    assert_eq!(segments(&machine.root()), before);
    commit(&machine, "more work");
    assert_eq!(segments(&machine.root()), before + 1);
}

// D-22: opt-in, chained with what is there, and taken out exactly.
#[test]
fn the_git_hook_is_chained_and_taken_out_exactly() {
    let machine = Machine::new();
    let hook = machine.root().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let theirs = "#!/bin/sh\necho theirs >> hooked\nexit 0\n";
    write(&hook, theirs);
    #[cfg(unix)]
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    ok(&machine, &["init"]);
    assert_eq!(read(&hook), theirs, "only when asked for");
    ok(&machine, &["init", "--git"]);
    let with_ours = read(&hook);
    ok(&machine, &["init", "--git"]);
    assert_eq!(read(&hook), with_ours, "once");
    changed(&machine, &["one"]);
    commit(&machine, "work");
    assert_eq!((read(&machine.root().join("hooked")).as_str(), segments(&machine.root())), ("theirs\n", 1));
    ok(&machine, &["uninstall"]);
    assert_eq!(read(&hook), theirs);
    std::fs::remove_file(&hook).unwrap();
    ok(&machine, &["init", "--git"]);
    ok(&machine, &["uninstall"]);
    assert!(!hook.exists(), "what was not there before is gone");
}

// D-22: a hook that is not ours to edit is named, and nothing is changed.
#[test]
fn a_hook_that_cannot_be_edited_is_left_alone() {
    let machine = Machine::new();
    let hook = machine.root().join(".git/hooks/pre-commit");
    write(&hook, "#!/usr/bin/env python3\nprint()\n");
    let refused = bailiwick_in(&machine, &machine.root(), &["init", "--git"]);
    assert!(
        refused.status.code() == Some(1) && said(&refused).contains("trace seal --git-hook"),
        "{}",
        said(&refused)
    );
    std::fs::remove_file(&hook).unwrap();
    git(&machine, &["config", "core.hooksPath", ".husky"]);
    let refused = bailiwick_in(&machine, &machine.root(), &["init", "--git"]);
    assert!(said(&refused).contains("core.hooksPath"), "{}", said(&refused));
}

// D-22: a team that keeps the ledger out of git commits without it, and a missing program stops no commit.
#[test]
fn a_commit_goes_through_without_sealing() {
    let machine = Machine::new();
    git(&machine, &["checkout", "-q", "-b", "main"]);
    ok(&machine, &["init", "--git", "--ledger-in-git", "no"]);
    changed(&machine, &["one"]);
    commit(&machine, "work");
    assert_eq!(segments(&machine.root()), 0);
    let hook = machine.root().join(".git/hooks/pre-commit");
    write(&hook, &read(&hook).replace(env!("CARGO_BIN_EXE_bailiwick"), "/nowhere/bailiwick"));
    changed(&machine, &["two"]);
    commit(&machine, "more");
}

// D-16: an agent commits, and git seals for it; the agent itself does not.
#[test]
fn git_seals_below_an_agent() {
    let machine = sealing();
    changed(&machine, &["one"]);
    git(&machine, &["add", "-A"]);
    let below = |words: &[&str]| {
        let mut command = machine.world.command_in(&machine.root(), words);
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("CLAUDECODE", "1").output().unwrap()
    };
    assert_eq!(below(&["trace", "seal"]).status.code(), Some(2));
    assert_eq!(below(&["trace", "seal", "--git-hook"]).status.code(), Some(0));
    assert_eq!(segments(&machine.root()), 1);
}

// A commit can bring a link or a folder with a segment's name: it holds nothing, and takes nobody's evidence away.
#[cfg(unix)]
#[test]
fn what_is_no_file_and_has_a_segments_name_stops_no_question() {
    let machine = sealing();
    changed(&machine, &["one"]);
    commit(&machine, "one");
    let (link, place) = (format!("{}.jsonl", "1".repeat(64)), machine.root().join(".orchestration/trace"));
    std::os::unix::fs::symlink("nowhere", place.join(link)).unwrap();
    let folder = place.join(format!("{}.jsonl", "2".repeat(64)));
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a"), "").unwrap();
    commit(&machine, "a stranger's");
    changed(&machine, &["two"]);
    let before = segments(&machine.root());
    commit(&machine, "two");
    assert_eq!(segments(&machine.root()), before + 1, "what comes next is sealed");
    for words in [
        &["trace", "log"][..],
        &["trace", "blame", "src/auth/one.rs"],
        &["audit"],
        &["trace", "export", "--format", "csv"],
    ] {
        let output = bailiwick_in(&machine, &machine.root(), words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", said(&output));
    }
    let output = bailiwick_in(&machine, &machine.root(), &["trace", "verify"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("out of the commit with `git rm`"), "{}", said(&output));
}
