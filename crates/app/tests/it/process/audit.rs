//! `bailiwick audit`: real commits of a real git, some an agent's, some a person's, and what CI can say of them (D-11,
//! D-43).

mod beside;
mod copied;
mod evidence;
mod filters;
mod folder;
mod hidden;
mod line_ends;
mod modes;
mod moved;
mod names;
mod scope;
mod taken_back;

use std::path::Path;

use bailiwick_domain::Value;

use super::machine::Machine;
use super::sealing::{bailiwick_in, git, git_in, sealing};
use super::trace::change;
use crate::world::{json as parsed, read, said, write};

/// Exit status and JSON of an audit in that folder.
fn audited_in(machine: &Machine, folder: &Path, words: &[&str]) -> (Option<i32>, Value) {
    let output = bailiwick_in(machine, folder, &[&["audit", "--json"], words].concat());
    (
        output.status.code(),
        parsed(&String::from_utf8(output.stdout.clone()).unwrap_or_else(|_| said(&output))),
    )
}

fn audited(machine: &Machine, words: &[&str]) -> (Option<i32>, Value) {
    audited_in(machine, &machine.root(), words)
}

/// The labels of the runs of each commit.
fn labels(audit: &Value) -> Vec<Vec<&str>> {
    let of = |commit: &'_ Value| commit["hunks"].as_array().unwrap().clone();
    let commits = audit["commits"].as_array().unwrap();
    commits
        .iter()
        .map(|commit| {
            let runs = of(commit);
            (0..runs.len()).map(|at| commit["hunks"][at]["label"].as_str().unwrap()).collect()
        })
        .collect()
}

/// Files that an agent writes under INT-001.
fn written(machine: &Machine, files: &[(&str, &str)]) {
    let mut wire = machine.wire();
    wire.select("INT-001");
    for (path, content) in files {
        change(machine, &mut wire, path, content);
    }
    wire.end();
}

fn commit(machine: &Machine, message: &str) {
    git(machine, &["add", "-A"]);
    git(machine, &["commit", "-qm", message]);
}

// D-11, D-43
#[test]
fn an_agents_commit_is_traced_and_a_persons_is_human() {
    let machine = sealing();
    written(&machine, &[("src/auth/a.rs", "fn a() {}\n"), ("src/auth/b.rs", "fn b() {}\n")]);
    commit(&machine, "agent");
    machine.write("src/core/main.rs", "fn main() {\n    run();\n}\n");
    commit(&machine, "person");
    let (code, audit) = audited(&machine, &["HEAD~2..HEAD"]);
    assert_eq!(code, Some(0), "{audit}");
    assert_eq!(labels(&audit), [vec!["traced", "traced"], vec!["human"]], "{audit}");
    let (agent, person) = (&audit["commits"][0], &audit["commits"][1]);
    assert_eq!(agent["hunks"][0]["intents"][0], "INT-001");
    assert_eq!((&agent["marks"][0], &agent["evidence"]), (&"sealed entries".into(), &true.into()));
    assert_eq!(person["marks"].as_array().map(Vec::len), Some(0));
}

// D-11: the hook seals what an agent did elsewhere with a person's commit, and that is still a person's
#[test]
fn a_persons_commit_beside_an_agents_pending_work_is_human() {
    let machine = sealing();
    written(&machine, &[("src/auth/a.rs", "fn a() {}\n")]);
    machine.write("src/core/main.rs", "fn main() {\n    run();\n}\n");
    git(&machine, &["add", "src/core"]);
    git(&machine, &["commit", "-qm", "person"]);
    commit(&machine, "agent");
    let (code, audit) = audited(&machine, &["HEAD~2..HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["human"], vec!["traced"]]), "{audit}");
    let (person, agent) = (&audit["commits"][0], &audit["commits"][1]);
    assert_eq!(person["marks"].as_array().map(Vec::len), Some(0), "{audit}");
    assert_eq!(agent["marks"][0], "trailer Intent: INT-001", "{audit}");
}

// D-11: what an agent's commit has besides its entries fails, with the place
#[test]
fn what_no_entry_explains_fails_in_an_agents_commit_alone() {
    let machine = sealing();
    written(&machine, &[("src/auth/a.rs", "fn a() {}\nfn b() {}\n")]);
    machine.write("src/auth/a.rs", "fn a() {}\nfn sneaked_in() {}\nfn b() {}\n");
    commit(&machine, "agent and more");
    let (code, audit) = audited(&machine, &[]);
    assert_eq!(code, Some(1), "{audit}");
    assert_eq!(audit["fails"], 1);
    let runs = &audit["commits"][0]["hunks"];
    assert_eq!(labels(&audit), [vec!["traced", "unexplained", "traced"]], "{audit}");
    assert_eq!((&runs[1]["file"], &runs[1]["lines"]), (&"src/auth/a.rs".into(), &1.into()));
    let output = bailiwick_in(&machine, &machine.root(), &["audit"]);
    let text = said(&output);
    assert!(text.contains("unexplained   src/auth/a.rs:2\n"), "{text}");
    let sarif = bailiwick_in(&machine, &machine.root(), &["audit", "--sarif"]);
    assert_eq!(sarif.status.code(), Some(1));
    let sarif = parsed(&String::from_utf8(sarif.stdout).unwrap());
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        (&place["region"]["startLine"], &place["region"]["endLine"]),
        (&2.into(), &2.into()),
        "{sarif}"
    );

    machine.write("src/core/main.rs", "fn main() {\n    run();\n}\n");
    commit(&machine, "by hand\n\nCo-authored-by: Claude <noreply@anthropic.com>");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{audit}");

    machine.write("src/core/main.rs", "fn main() {\n    walk();\n}\n");
    commit(&machine, "by hand");
    assert_eq!(audited(&machine, &["HEAD"]).0, Some(0));
    let (code, audit) = audited(&machine, &["--agent-author", "t@example.invalid", "HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{audit}");
}

// REQ 168, D-11: a lesson of a check, or of the hook, is no change beyond the scope; an agent's own change there still is
#[test]
fn req_168_a_lesson_in_an_agents_commit_is_traced() {
    let machine = sealing();
    let intents = read(&machine.root().join(".orchestration/active_intents.yaml"));
    let criterion = "    acceptance_criteria: [{id: AC-1, text: it is there, check: {run: cat none.txt}}]\n";
    let owned = "    owned_scope: [src/auth/]\n";
    let checked = intents.replacen(owned, &format!("{owned}{criterion}"), 1);
    assert_ne!(checked, intents);
    machine.write(".orchestration/active_intents.yaml", &checked);
    commit(&machine, "checks");
    let output = machine.typed(&["verify", "INT-001"], "y\n");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(read(&machine.root().join("AGENTS.md")).contains("<!-- lesson "), "{}", said(&output));
    const BY_AGENT: &str = "work\n\nCo-Authored-By: Claude <noreply@anthropic.com>";
    commit(&machine, BY_AGENT);
    let (code, audit) = audited(&machine, &["HEAD~1.."]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced"]]), "{audit}");

    let text = format!("{}obey me\n", read(&machine.root().join("AGENTS.md")));
    machine.write("AGENTS.md", &text);
    commit(&machine, BY_AGENT);
    let (code, audit) = audited(&machine, &["HEAD~1.."]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{audit}");
}

// A person's own entries are no mark of an agent: a lesson beside an edit by hand stays a person's commit.
#[test]
fn a_lesson_in_a_persons_commit_makes_it_no_agents() {
    let machine = sealing();
    let output = machine.typed(&["lesson", "add", "INT-001", "Reload after the change"], "y\n");
    assert!(output.status.success(), "{}", said(&output));
    machine.write("src/core/main.rs", "fn main() {\n    run();\n}\n");
    git(&machine, &["add", "-A"]);
    let output = bailiwick_in(&machine, &machine.root(), &["trace", "trailers", "--json"]);
    assert_eq!(parsed(&said(&output))["trailers"], bailiwick_domain::json!([]), "{}", said(&output));
    commit(&machine, "by hand");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced", "human"]]), "{audit}");
}

// D-43: a squash and a merge are found by content
#[test]
fn squashes_and_merges_are_found_by_content() {
    let machine = sealing();
    git(&machine, &["checkout", "-qb", "topic"]);
    written(&machine, &[("src/auth/a.rs", "fn a() {}\n")]);
    commit(&machine, "one");
    written(&machine, &[("src/auth/a.rs", "fn a() {}\nfn c() {}\n"), ("src/auth/b.rs", "fn b() {}\n")]);
    commit(&machine, "two");
    git(&machine, &["checkout", "-q", "main"]);
    machine.write("docs/note.md", "by hand\n");
    commit(&machine, "meanwhile");
    git(&machine, &["checkout", "-qb", "squashed"]);
    git(&machine, &["merge", "-q", "--squash", "topic"]);
    git(&machine, &["commit", "-qm", "squash"]);
    let (code, audit) = audited(&machine, &[]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced", "traced"]]), "{audit}");
    git(&machine, &["checkout", "-q", "main"]);
    git(&machine, &["merge", "-q", "--no-ff", "-m", "merge", "topic"]);
    let (code, audit) = audited(&machine, &[]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec![]]), "a merge adds nothing: {audit}");
}

// D-43: a clone has the segments and no ledger; a shallow one says what it cannot know
#[test]
fn a_clone_judges_by_segments_and_a_shallow_one_says_what_it_lacks() {
    let machine = sealing();
    written(&machine, &[("src/auth/a.rs", "fn a() {}\n")]);
    commit(&machine, "agent");
    let origin = format!("file://{}", machine.root().display());
    let clones = [("whole", vec!["clone", "-q"]), ("shallow", vec!["clone", "-q", "--depth", "1"])];
    for (name, words) in clones {
        let words = [&words[..], &[origin.as_str(), name]].concat();
        git_in(&machine, &machine.world.path("."), &words);
    }
    let (code, audit) = audited_in(&machine, &machine.world.path("whole"), &[]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced"]]), "{audit}");
    let mut stranger = machine.world.command_in(&machine.world.path("whole"), &["audit", "--trusted"]);
    stranger.env("HOME", machine.world.path("stranger")).env("PATH", std::env::var_os("PATH").unwrap());
    let output = stranger.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "nobody there vouches for the entries: {}", said(&output));
    let (code, audit) = audited_in(&machine, &machine.world.path("shallow"), &["HEAD"]);
    assert_eq!((code, &audit["shallow"]), (Some(0), &true.into()), "{audit}");
    assert!(labels(&audit).concat().iter().all(|label| *label == "unknown"), "{audit}");
    let shallow = bailiwick_in(&machine, &machine.world.path("shallow"), &["audit"]);
    let text = said(&shallow);
    assert!(text.contains("unknown       src/auth/a.rs\n") && !text.contains("removed lines"), "{text}");
}

// D-43: what changed without a line is called what it is, and so is it in the warning at the commit
#[cfg(unix)]
#[test]
fn a_change_without_lines_is_called_what_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let machine = sealing();
    machine.write("lib/gone", "");
    machine.write("lib/text.txt", "one\ntwo\n");
    commit(&machine, "before");
    let main = machine.root().join("src/core/main.rs");
    std::fs::set_permissions(main, std::fs::Permissions::from_mode(0o755)).unwrap();
    machine.write("lib/bin.dat", "a\0b");
    machine.write("lib/empty", "");
    machine.write("lib/text.txt", "two\n");
    std::fs::remove_file(machine.root().join("lib/gone")).unwrap();
    commit(&machine, "by hand");
    let output = bailiwick_in(&machine, &machine.root(), &["audit"]);
    let text = said(&output);
    for place in [
        "src/core/main.rs (mode)\n",
        "lib/bin.dat (binary)\n",
        "lib/empty (new, empty)\n",
        "lib/gone (deleted)\n",
        "lib/text.txt (removed lines)\n",
    ] {
        assert!(text.contains(place), "{place:?}: {text}");
    }
    let (_, audit) = audited(&machine, &[]);
    let runs = audit["commits"][0]["hunks"].as_array().unwrap();
    assert!(runs.iter().all(|run| run["first_line"] == 0 && run["lines"] == 0), "as before: {audit}");
    written(&machine, &[("src/auth/a.rs", "fn a() {}\n")]);
    machine.write("lib/second", "");
    git(&machine, &["add", "-A"]);
    let mut commit = std::process::Command::new(super::machine::installed("git"));
    commit.args(["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "both"]);
    let output = commit.current_dir(machine.root()).env("HOME", machine.world.path("home")).output().unwrap();
    assert!(
        said(&output).contains("not recorded under an intent: lib/second (new, empty)"),
        "{}",
        said(&output)
    );
}

// Git gives the hooks of `git commit PATH` no index of its own to add to, so the next commit brings the segment.
#[test]
fn work_of_a_partial_commit_is_traced_once_its_entries_are_sealed() {
    let machine = sealing();
    written(&machine, &[("src/auth/a.rs", "fn a() {}\n"), ("src/auth/b.rs", "fn b() {}\n")]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "a part", "src/auth/a.rs"]);
    commit(&machine, "the rest");
    git(&machine, &["clone", "-q", ".", &machine.world.path("clone").display().to_string()]);
    for folder in [machine.root(), machine.world.path("clone")] {
        let (code, audit) = audited_in(&machine, &folder, &["HEAD~2..HEAD"]);
        assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced"], vec!["traced"]]), "{audit}");
    }
}

// A formatter's run is proved to change nothing but the layout.
#[test]
#[cfg(feature = "ast")]
fn a_formatters_run_is_layout() {
    let machine = sealing();
    machine.write("src/core/main.rs", "fn main() { run(1,2); }\n");
    commit(&machine, "person");
    machine.write("src/core/main.rs", "fn main() {\n    run(1, 2);\n}\n");
    commit(&machine, "format\n\nAgent: formatter");
    let (code, audit) = audited(&machine, &[]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["layout"]]), "{audit}");
    machine.write("src/core/main.rs", "fn main() {\n    // as they said\n    run(1, 2);\n}\n");
    commit(&machine, "a comment is more than layout\n\nAgent: formatter");
    let (code, audit) = audited(&machine, &[]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{audit}");
}

// D-11: a removed file, and lines that only go
#[test]
fn what_an_agent_removes_is_traced_as_well() {
    let machine = sealing();
    written(&machine, &[("src/auth/a.rs", "fn a() {}\nfn b() {}\n")]);
    commit(&machine, "agent");
    written(&machine, &[("src/auth/a.rs", "fn a() {}\n")]);
    commit(&machine, "agent removes");
    let (code, audit) = audited(&machine, &[]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced"]]), "{audit}");
}

// D-43: a person changed the file as well, so that no call leads from one commit to the other
#[test]
fn what_an_agent_removes_beside_a_persons_change_is_traced() {
    let machine = sealing();
    let text = |without: usize| -> String {
        (0..12).filter(|line| *line != without).map(|line| format!("fn f{line}() {{}}\n")).collect()
    };
    written(&machine, &[("src/auth/a.rs", &text(99))]);
    commit(&machine, "agent");
    written(&machine, &[("src/auth/a.rs", &text(2))]);
    machine.write("src/auth/a.rs", &format!("{}fn by_hand() {{}}\n", text(2)));
    commit(&machine, "both");
    let (code, audit) = audited(&machine, &[]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["traced", "unexplained"]]), "{audit}");
    machine
        .write("src/auth/a.rs", &format!("{}fn by_hand() {{}}\n", text(2).replacen("fn f1() {}\n", "", 1)));
    commit(&machine, "a person removes\n\nAgent: somebody");
    let (code, audit) = audited(&machine, &[]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{audit}");
}

// D-43: what came in the place of the lines went away again, so git shows lines that only go; the text tells whose they were
#[test]
fn lines_that_an_agent_replaced_are_traced_where_their_replacement_is_gone_and_no_others() {
    let before = "fn a() {\n    return nothing;\n}\nfn b() {\n    return nothing;\n    later();\n}\n";
    let replaced =
        before.replace("    return nothing;\n    later();", "    one();\n    two();\n    later();");
    // A person takes out what the agent put there, or the same line of another function.
    for (by_hand, expected) in [
        (replaced.replace("    one();\n    two();\n", ""), (Some(0), vec![vec!["traced"]])),
        (replaced.replacen("    return nothing;\n", "", 1), (Some(1), vec![vec!["unexplained", "traced"]])),
    ] {
        let machine = sealing();
        written(&machine, &[("src/auth/a.rs", before)]);
        commit(&machine, "agent");
        written(&machine, &[("src/auth/a.rs", &replaced)]);
        machine.write("src/auth/a.rs", &by_hand);
        commit(&machine, "both");
        let (code, audit) = audited(&machine, &[]);
        assert_eq!((code, labels(&audit)), expected, "{audit}");
    }
}

/// A commit with that message made of the tree of `HEAD`, byte for byte, as git takes it from a program.
fn commit_as_is(machine: &Machine, message: &str) -> String {
    let file = machine.world.path("message");
    write(&file, message);
    let words = ["commit-tree", "-p", "HEAD^", "-F", file.to_str().unwrap(), "HEAD^{tree}"];
    let id = git(machine, &words).trim().to_owned();
    git(machine, &["update-ref", "HEAD", &id]);
    id
}

// A message is text, whatever signs it holds: no part of it becomes a commit or an option of git
#[test]
fn a_message_is_never_taken_for_a_record_or_an_option() {
    let machine = sealing();
    machine.write("src/core/main.rs", "fn main() {\n    run();\n}\n");
    commit(&machine, "by hand");
    let target = machine.world.path("written-by-git");
    let option = format!("--output={}", target.display());
    let known = git(&machine, &["rev-parse", "HEAD"]);
    let forged = format!("\u{1e}{}\u{1f}{option}\u{1f}1\u{1f}A\u{1f}s\u{1f}m\u{1e}", known.trim());
    let id = commit_as_is(&machine, &format!("Fix it\n\n{forged}\n"));
    let (code, audit) = audited(&machine, &[]);
    assert!(!target.exists(), "git wrote a file: {audit}");
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["human"]]), "{audit}");
    assert_eq!(audit["commits"][0]["commit"], id.as_str());
    let (code, audit) = audited(&machine, &["--agent-author", "t@example.invalid"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{audit}");
}

#[test]
fn no_sign_in_a_subject_hides_an_agents_commit() {
    for sign in ["\u{1e}", "\u{1f}", "\u{1f}\u{1f}\u{1f}\u{1e}"] {
        let machine = sealing();
        machine.write("src/core/main.rs", "fn main() {\n    run();\n}\n");
        commit(&machine, "by hand");
        commit_as_is(&machine, &format!("Fix it{sign}\n\nAgent: somebody\n"));
        let (code, audit) = audited(&machine, &[]);
        assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{sign:?} {audit}");
        assert_eq!(audit["commits"][0]["subject"], format!("Fix it{sign}"));
    }
}

/// Two branches that changed other lines of one file, merged and not yet committed, with an agent's mark to come.
fn merging() -> Machine {
    let machine = sealing();
    let lines = |third: &str, ninth: &str| format!("1\n2\n{third}\n4\n5\n6\n7\n8\n{ninth}\n");
    machine.write("docs/lines.md", &lines("3", "9"));
    machine.write("docs/gone.md", "text\n");
    machine.write("docs/image.bin", "\0before");
    commit(&machine, "by hand");
    git(&machine, &["checkout", "-qb", "topic"]);
    machine.write("docs/lines.md", &lines("3", "topic"));
    commit(&machine, "on the topic");
    git(&machine, &["checkout", "-q", "main"]);
    machine.write("docs/lines.md", &lines("main", "9"));
    commit(&machine, "meanwhile");
    git(&machine, &["merge", "-q", "--no-commit", "--no-ff", "topic"]);
    machine
}

const MARKED: &str = "Merge the topic\n\nAgent: somebody";

// D-43: what an agent's merge takes away or replaces as no parent has it is its own
#[test]
fn a_merge_answers_for_what_it_removes_and_for_what_is_no_text() {
    let machine = merging();
    git(&machine, &["rm", "-q", "docs/gone.md"]);
    machine.write("docs/image.bin", "\0after");
    commit(&machine, MARKED);
    let (code, audit) = audited(&machine, &[]);
    assert_eq!(code, Some(1), "{audit}");
    let runs = audit["commits"][0]["hunks"].as_array().unwrap();
    let told: Vec<_> =
        runs.iter().map(|run| (run["file"].as_str().unwrap(), run["label"].as_str().unwrap())).collect();
    assert_eq!(told, [("docs/gone.md", "unexplained"), ("docs/image.bin", "unexplained")], "{audit}");
}

#[test]
fn a_merge_answers_for_lines_that_go_although_both_parents_have_them() {
    let machine = merging();
    machine.write("docs/lines.md", "1\n2\nmain\n4\n5\n7\n8\ntopic\n");
    commit(&machine, MARKED);
    let (code, audit) = audited(&machine, &[]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{audit}");
    let run = &audit["commits"][0]["hunks"][0];
    assert_eq!((&run["first_line"], &run["lines"]), (&5.into(), &0.into()), "{audit}");
}

// D-43: and it does not answer for what its parents brought to one file
#[test]
fn a_clean_merge_of_two_changes_to_one_file_passes() {
    let machine = merging();
    commit(&machine, MARKED);
    let (code, audit) = audited(&machine, &[]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec![]]), "{audit}");
}

// Of a file that nobody recorded there is nothing to look for in the history
#[cfg(unix)]
#[test]
fn files_without_entries_cost_no_process_each() {
    let machine = sealing();
    written(&machine, &[("src/auth/a.rs", "fn a() {}\n")]);
    commit(&machine, "agent");
    let folder = machine.world.path("counting");
    let log = folder.join("log");
    let git = super::machine::installed("git");
    write(
        &folder.join("git"),
        &format!("#!/bin/sh\necho x >> '{}'\nexec '{}' \"$@\"\n", log.display(), git.display()),
    );
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.join("git"), mode).unwrap();
    for number in 0..40 {
        machine.write(&format!("vendor/{number}.txt"), &format!("vendor {number}\n"));
    }
    commit(&machine, "by hand");
    let mut command = machine.world.command_in(&machine.root(), &["audit", "HEAD"]);
    let output = command.env("PATH", &folder).output().unwrap();
    assert!(said(&output).contains("40 human"), "{}", said(&output));
    let count = read(&log).lines().count();
    assert!(count < 40, "{count} processes for 40 files");
}

#[test]
fn every_form_of_a_range_that_git_knows_is_one() {
    let machine = sealing();
    for text in ["one\n", "two\n"] {
        machine.write("docs/note.md", text);
        commit(&machine, text);
    }
    let subjects = |range: &str| {
        let (code, audit) = audited(&machine, &[range]);
        assert_eq!(code, Some(0), "{range}: {audit}");
        let commits = audit["commits"].as_array().unwrap();
        commits.iter().map(|commit| commit["subject"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (range, expected) in
        [("HEAD", "two"), ("HEAD^!", "two"), ("HEAD^-", "two"), ("HEAD~1", "one"), ("HEAD^{/two}", "two")]
    {
        assert_eq!(subjects(range), [expected], "{range}");
    }
    assert_eq!(subjects("HEAD^@").last().map(String::as_str), Some("one"));
}

#[test]
fn a_range_that_git_does_not_know_is_a_usage_error() {
    let machine = sealing();
    let output = bailiwick_in(&machine, &machine.root(), &["audit", "nowhere..HEAD"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let text = said(&output);
    assert!(text.contains("git knows no commits `nowhere..HEAD`; this branch has "), "{text}");
    let output = bailiwick_in(&machine, &machine.root(), &["audit", "nosuch"]);
    assert!(said(&output).contains("git knows no commits `nosuch`;"), "{}", said(&output));
    let new = machine.world.path("new");
    std::fs::create_dir(&new).unwrap();
    git_in(&machine, &new, &["init", "-q"]);
    bailiwick_in(&machine, &new, &["init"]);
    let output = bailiwick_in(&machine, &new, &["audit"]);
    assert!(said(&output).contains("this branch has no commit yet"), "{}", said(&output));
}
