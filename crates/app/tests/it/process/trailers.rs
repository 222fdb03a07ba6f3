//! Trailers of commits from the ledger. The git here is the real one, and runs the hooks that `init --git` installs.
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use super::machine::{Machine, fed, installed};
use super::sealing::{changed, git, git_in, sealing};
use crate::world::{read, said, write};

/// Git with an editor: a script that gets the message's file.
fn edited(machine: &Machine, script: &str, words: &[&str]) -> Output {
    let editor = machine.world.path("editor.sh");
    write(&editor, &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(installed("git"));
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"]).args(words);
    command.current_dir(machine.root()).env_clear();
    command.env("HOME", machine.world.path("home")).env("PATH", std::env::var_os("PATH").unwrap());
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_EDITOR", &editor).output().unwrap()
}

fn staged(names: &[&str]) -> Machine {
    let machine = sealing();
    changed(&machine, names);
    git(&machine, &["add", "-A"]);
    machine
}

/// The trailers of the last commit, as git reads them.
fn trailers(machine: &Machine) -> String {
    git(machine, &["log", "-1", "--format=%(trailers:only,unfold)"]).trim().replace('\n', "; ")
}

const BOTH: &str = "Intent: INT-001; Requirement: REQ-AUTH-1";

#[test]
fn a_commit_says_what_it_was_made_for() {
    let machine = staged(&["one"]);
    let shown = super::sealing::bailiwick_in(&machine, &machine.root(), &["trace", "trailers"]);
    assert_eq!(String::from_utf8_lossy(&shown.stdout), "Intent: INT-001\nRequirement: REQ-AUTH-1\n");
    git(&machine, &["commit", "-qm", "Do it", "-m", "Because.", "--trailer", "Reviewed-by: Ada <a@b>"]);
    assert_eq!(trailers(&machine), format!("Reviewed-by: Ada <a@b>; {BOTH}"));
    assert_eq!(git(&machine, &["log", "-1", "--format=%s"]), "Do it\n");
    changed(&machine, &["two"]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-q", "--amend", "--no-edit"]);
    assert_eq!(trailers(&machine), format!("Reviewed-by: Ada <a@b>; {BOTH}"), "once");
    changed(&machine, &["three"]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-q", "--amend", "-m", "New words"]);
    assert_eq!(trailers(&machine), BOTH, "for what was newly staged");
    machine.write("other.txt", "by hand\n");
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "By hand"]);
    assert_eq!(trailers(&machine), "", "a person's own commit");
}

// Git takes each of these for trailers, and spells them its own way.
#[test]
fn what_looks_like_a_trailer_stays_as_it_was_written() {
    for last in ["https://example.com/issues/12", "Fixes:#12", "see:this\n\nhttps://example.com/a b"] {
        let machine = staged(&["one"]);
        git(&machine, &["commit", "-qm", "Subject", "-m", last]);
        let message = git(&machine, &["log", "-1", "--format=%B"]);
        assert!(message.starts_with(&format!("Subject\n\n{last}\n")), "{message}");
        assert!(trailers(&machine).contains("Intent: INT-001"), "{message}");
    }
}

#[test]
fn the_many_commits_of_a_file_before_take_no_trailer_away() {
    let machine = sealing();
    for round in 0..19 {
        let mut wire = machine.wire();
        wire.select("INT-001");
        let text = format!("fn round_{round}() {{}}\n");
        super::trace::change(&machine, &mut wire, "src/auth/many.rs", &text);
        wire.end();
        git(&machine, &["add", "-A"]);
        git(&machine, &["commit", "-qm", "Round"]);
    }
    assert!(trailers(&machine).contains("Intent: INT-001"));
}

#[test]
fn a_message_of_another_commit_stays_as_it_is() {
    let machine = staged(&["one"]);
    git(&machine, &["commit", "-qm", "One"]);
    machine.write("other.txt", "by hand\n");
    git(&machine, &["add", "-A"]);
    git(&machine, &["-c", "core.hooksPath=/dev/null", "commit", "-qm", "Mine"]);
    machine.write("other.txt", "by hand again\n");
    git(&machine, &["commit", "-qa", "-C", "HEAD"]);
    assert_eq!(git(&machine, &["log", "-1", "--format=%B"]).trim(), "Mine");
    changed(&machine, &["two"]);
    git(&machine, &["add", "-A"]);
    let output = edited(&machine, "echo Two > \"$1\"", &["commit", "-e", "-m", "Two"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    git(&machine, &["commit", "-q", "--amend", "--no-edit"]);
    assert_eq!(trailers(&machine), "", "what was taken out stays out");
    git(&machine, &["rebase", "-q", "--force-rebase", "HEAD~1"]);
    assert_eq!(trailers(&machine), "");
    git(&machine, &["checkout", "-q", "-b", "side", "HEAD~1"]);
    git(&machine, &["cherry-pick", "main"]);
    assert_eq!(trailers(&machine), "");
    git(&machine, &["commit", "-q", "--allow-empty", "-m", "Side"]);
    git(&machine, &["checkout", "-q", "main"]);
    git(&machine, &["merge", "-q", "--no-ff", "--no-edit", "side"]);
    git(&machine, &["commit", "-q", "--amend", "--no-edit"]);
    assert_eq!(trailers(&machine), "");
}

#[test]
fn what_a_commit_has_already_gives_no_trailers() {
    let machine = staged(&["one", "two"]);
    git(&machine, &["commit", "-qm", "Work"]);
    assert_eq!(trailers(&machine), BOTH);
    git(&machine, &["mv", "src/auth/one.rs", "src/auth/uno.rs"]);
    git(&machine, &["commit", "-qm", "Moved by hand"]);
    assert_eq!(git(&machine, &["log", "-1", "--format=%B"]).trim(), "Moved by hand");
    let audited = super::sealing::bailiwick_in(&machine, &machine.root(), &["audit", "HEAD~1.."]);
    assert_eq!(audited.status.code(), Some(0), "{}", said(&audited));
    machine.write("src/auth/two.rs", "// mine\n// two\n// mine\n");
    git(&machine, &["commit", "-qam", "Kept by hand"]);
    assert_eq!(trailers(&machine), "");
    let intents = machine.root().join(".orchestration/active_intents.yaml");
    write(&intents, &read(&intents).replace("REQ-AUTH-1", "REQ-NEW"));
    let mut wire = machine.wire();
    wire.select("INT-001");
    let params = bailiwick_domain::json!({"path": "src/auth/uno.rs"});
    wire.pre("read_file", &params);
    wire.post("read_file", &params, true);
    super::trace::change(&machine, &mut wire, "src/auth/uno.rs", "// one\n// more\n");
    wire.end();
    git(&machine, &["add", "src"]);
    git(&machine, &["commit", "-qm", "More"]);
    assert_eq!(trailers(&machine), "Intent: INT-001; Requirement: REQ-NEW");
}

// What one commit sealed and left for the next one still counts there.
#[test]
fn what_is_committed_in_parts_is_said_by_each() {
    let machine = sealing();
    changed(&machine, &["one", "two"]);
    for name in ["one", "two"] {
        git(&machine, &["add", &format!("src/auth/{name}.rs")]);
        git(&machine, &["commit", "-qm", name]);
        assert_eq!(trailers(&machine), BOTH, "{name}");
    }
}

/// `git add -p` with these answers.
pub(super) fn added(machine: &Machine, answers: &str) {
    let mut command = Command::new(installed("git"));
    command.args(["add", "-p"]).current_dir(machine.root()).env_clear();
    command.env("HOME", machine.world.path("home")).env("PATH", std::env::var_os("PATH").unwrap());
    let output = fed(command.env("GIT_CONFIG_NOSYSTEM", "1"), answers.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

// What one call changed, a person may commit in parts.
#[test]
fn each_part_of_a_file_is_said() {
    let machine = sealing();
    let text = |first: &str, last: &str| {
        let between: String = (0..20).map(|number| format!("// {number}\n")).collect();
        format!("// {first}\n{between}// {last}\n")
    };
    machine.write("src/auth/parts.rs", &text("old first", "old last"));
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "By hand"]);
    let mut wire = machine.wire();
    wire.select("INT-001");
    let params = bailiwick_domain::json!({"path": "src/auth/parts.rs"});
    wire.pre("read_file", &params);
    wire.post("read_file", &params, true);
    super::trace::change(&machine, &mut wire, "src/auth/parts.rs", &text("new first", "new last"));
    wire.end();
    for answers in ["y\nn\n", "y\n"] {
        added(&machine, answers);
        git(&machine, &["commit", "-qm", "A part"]);
        assert_eq!(trailers(&machine), BOTH, "{answers:?}");
    }
    machine.write("src/auth/parts.rs", &text("old first", "new last"));
    git(&machine, &["commit", "-qam", "Back by hand"]);
    assert_eq!(trailers(&machine), "");
    machine.write("src/auth/parts.rs", &text("new first", "new last"));
    git(&machine, &["commit", "-qam", "And again by hand"]);
    assert_eq!(trailers(&machine), "", "a commit had it already");
}

#[test]
fn a_template_that_nobody_filled_in_makes_no_commit() {
    let machine = staged(&["one"]);
    machine.write("../template", "Ticket:\n\nWhy:\n");
    let template = machine.world.path("template").display().to_string();
    let words = ["commit", "-q", "-t", &template];
    let before = git(&machine, &["rev-parse", "HEAD"]);
    let output = edited(&machine, "true", &words);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!(git(&machine, &["rev-parse", "HEAD"]), before);
    let output = edited(&machine, "sed -i 's/Ticket:/Ticket 7/; s/Why:/Because./' \"$1\"", &words);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(
        git(&machine, &["log", "-1", "--format=%B"]).trim(),
        "Ticket 7\n\nBecause.\n\nIntent: INT-001\nRequirement: REQ-AUTH-1"
    );
}

// Git keeps such lines where it shows no editor.
#[test]
fn words_that_look_like_comments_stay_words() {
    let machine = staged(&["one"]);
    git(&machine, &["commit", "-qm", "Fix it", "-m", "#123"]);
    assert_eq!(
        git(&machine, &["log", "-1", "--format=%B"]).trim(),
        format!("Fix it\n\n#123\n\n{}", BOTH.replace("; ", "\n"))
    );
    changed(&machine, &["two"]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "#124 fix it"]);
    assert_eq!(trailers(&machine), BOTH);
    changed(&machine, &["three"]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-q", "--cleanup=strip", "-m", "Third", "-m", "# not said"]);
    assert_eq!(trailers(&machine), BOTH);
}

#[test]
fn what_is_too_much_to_look_at_is_said() {
    let machine = staged(&["one"]);
    for n in 0..200 {
        machine.write(&format!("by-hand/{n}.txt"), "mine\n");
    }
    git(&machine, &["add", "-A"]);
    let output = edited(&machine, "exit 1", &["commit", "-qm", "Much"]);
    assert!(said(&output).contains("1 staged file was not looked at"), "{}", said(&output));
    assert_eq!(trailers(&machine), BOTH, "what the ledger names is looked at first");
}

#[test]
fn what_is_mixed_or_not_recorded_is_said() {
    let machine = staged(&["one"]);
    machine.write("other.txt", "by hand\n");
    git(&machine, &["add", "-A"]);
    let output = edited(&machine, "exit 1", &["commit", "-qm", "Both"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        said(&output).contains("1 change of it was not recorded under an intent: other.txt:1"),
        "{}",
        said(&output)
    );
    assert_eq!(trailers(&machine), BOTH);
}

#[test]
fn an_editor_that_leaves_the_message_empty_makes_no_commit() {
    let machine = staged(&["one"]);
    let before = git(&machine, &["rev-parse", "HEAD"]);
    for words in [&["commit"][..], &["commit", "--verbose"], &["commit", "-s"]] {
        let output = edited(&machine, "true", words);
        assert_eq!(output.status.code(), Some(1), "{words:?} {}", said(&output));
        assert_eq!(git(&machine, &["rev-parse", "HEAD"]), before);
    }
    let output = edited(
        &machine,
        "{ echo Written; cat \"$1\"; } > \"$1.new\" && mv \"$1.new\" \"$1\"",
        &["commit", "--verbose"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(
        (git(&machine, &["log", "-1", "--format=%s"]).as_str(), trailers(&machine).as_str()),
        ("Written\n", BOTH)
    );
}

#[test]
fn what_a_person_takes_out_stays_out() {
    let machine = staged(&["one"]);
    let output = edited(&machine, "echo Mine > \"$1\"", &["commit", "-e", "-m", "Theirs"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(git(&machine, &["log", "-1", "--format=%B"]).trim(), "Mine");
}

#[test]
fn other_comment_signs_and_messages_that_pass_are_respected() {
    let machine = staged(&["one"]);
    git(&machine, &["config", "core.commentChar", ";"]);
    let before = git(&machine, &["rev-parse", "HEAD"]);
    assert_eq!(edited(&machine, "true", &["commit"]).status.code(), Some(1));
    assert_eq!(git(&machine, &["rev-parse", "HEAD"]), before, "only comments");
    git(&machine, &["commit", "-q", "--fixup", "HEAD"]);
    assert_eq!(git(&machine, &["log", "-1", "--format=%B"]).trim(), "fixup! start");
    git(&machine, &["checkout", "-q", "-b", "side", "HEAD^"]);
    changed(&machine, &["side"]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "Side"]);
    git(&machine, &["merge", "-q", "--no-edit", "main"]);
    assert_eq!(trailers(&machine), "", "a merge brings commits that say it themselves");
    git(&machine, &["checkout", "-q", "main"]);
    git(&machine, &["checkout", "-q", "-b", "squashed", "HEAD^"]);
    git(&machine, &["merge", "-q", "--squash", "side"]);
    git(&machine, &["commit", "-qm", "All of it"]);
    assert_eq!(trailers(&machine), BOTH);
}

#[test]
fn a_worktree_and_a_first_commit_have_trailers_too() {
    let machine = Machine::new();
    git(&machine, &["checkout", "-q", "--orphan", "empty"]);
    super::sealing::bailiwick_in(&machine, &machine.root(), &["init", "--git"]);
    changed(&machine, &["one"]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "First"]);
    assert_eq!(trailers(&machine), BOTH);
    let tree = machine.world.path("tree");
    let path = tree.display().to_string();
    git(&machine, &["worktree", "add", "-q", "-b", "beside", &path]);
    git_in(&machine, &tree, &["rm", "-q", "src/auth/one.rs"]);
    git_in(&machine, &tree, &["commit", "-qm", "Gone by hand"]);
    assert_eq!(git_in(&machine, &tree, &["log", "-1", "--format=%B"]).trim(), "Gone by hand");
}

#[test]
fn whatever_goes_wrong_the_commit_goes_through() {
    let machine = staged(&["one"]);
    let live = machine.private().join("ledger/live.jsonl");
    write(&live, "no ledger\n");
    let output = edited(&machine, "true", &["commit", "-qm", "Anyway"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(git(&machine, &["log", "-1", "--format=%s"]), "Anyway\n");
    let victim = machine.root().join("victim.txt");
    write(&victim, "Mine\n");
    let words = ["trace", "trailers", "--git-hook", "victim.txt", "message"];
    let output = super::sealing::bailiwick_in(&machine, &machine.root(), &words);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("no trailers were added"), "{}", said(&output));
    assert_eq!(read(&victim), "Mine\n", "only git's own message is written");
}

#[test]
fn hooks_that_are_there_go_on_and_come_back_as_they_were() {
    let machine = Machine::new();
    let hooks = ["prepare-commit-msg", "commit-msg"];
    let theirs = "#!/bin/sh\necho \"$0\" >> hooked\n";
    for name in hooks {
        let hook = machine.root().join(".git/hooks").join(name);
        write(&hook, theirs);
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    git(&machine, &["checkout", "-q", "-b", "main"]);
    super::sealing::bailiwick_in(&machine, &machine.root(), &["init", "--git"]);
    changed(&machine, &["one"]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "Work"]);
    assert_eq!(trailers(&machine), BOTH);
    assert_eq!(read(&machine.root().join("hooked")).lines().count(), 2);
    super::sealing::bailiwick_in(&machine, &machine.root(), &["uninstall"]);
    for name in hooks {
        assert_eq!(read(&machine.root().join(".git/hooks").join(name)), theirs);
    }
    assert!(!machine.root().join(".git/hooks/pre-commit").exists());
}

// A hook that is none of ours stays as it is, whatever it is, and stops nobody from leaving.
#[test]
fn hooks_of_others_stop_no_uninstall() {
    let machine = Machine::new();
    super::sealing::bailiwick_in(&machine, &machine.root(), &["init"]);
    let hooks = machine.root().join(".git/hooks");
    std::fs::create_dir_all(hooks.join("prepare-commit-msg")).unwrap();
    std::fs::write(hooks.join("commit-msg"), b"#!/bin/sh\n# J\xf6rg\n").unwrap();
    let output = super::sealing::bailiwick_in(&machine, &machine.root(), &["uninstall"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let roots = machine.world.path("home/.local/state/bailiwick/roots.json");
    assert!(!roots.exists() || !read(&roots).contains("repo"), "{}", said(&output));
    assert_eq!(std::fs::read(hooks.join("commit-msg")).unwrap(), b"#!/bin/sh\n# J\xf6rg\n");
}

#[test]
fn a_hook_of_ours_that_cannot_be_edited_stops_uninstall_before_it_writes() {
    let machine = Machine::new();
    super::sealing::bailiwick_in(&machine, &machine.root(), &["init", "--git", "--agent", "claude-code"]);
    let hook = machine.root().join(".git/hooks/commit-msg");
    let ours = std::fs::read(&hook).unwrap();
    std::fs::write(&hook, [&ours[..], b"# J\xf6rg\n"].concat()).unwrap();
    let settings = machine.root().join(".claude/settings.local.json");
    let before = read(&settings);
    let output = super::sealing::bailiwick_in(&machine, &machine.root(), &["uninstall"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("nothing was changed"), "{}", said(&output));
    assert_eq!(read(&settings), before);
    std::fs::write(&hook, ours).unwrap();
    let output = super::sealing::bailiwick_in(&machine, &machine.root(), &["uninstall"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(!hook.exists() && !settings.exists());
}

#[test]
fn a_hook_that_is_turned_off_or_linked_is_left_alone() {
    for is_link in [false, true] {
        let machine = Machine::new();
        let hook = machine.root().join(".git/hooks/commit-msg");
        let (theirs, file) = ("#!/bin/sh\nexit 1\n", machine.root().join("tools/hook.sh"));
        let held = if is_link { &file } else { &hook };
        write(held, theirs);
        if is_link {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
            std::os::unix::fs::symlink("../../tools/hook.sh", &hook).unwrap();
        }
        let mode = std::fs::metadata(held).unwrap().permissions().mode();
        let output = super::sealing::bailiwick_in(&machine, &machine.root(), &["init", "--git"]);
        let why = if is_link { "it is a link" } else { "git does not run it" };
        assert!(output.status.code() == Some(1) && said(&output).contains(why), "{}", said(&output));
        assert_eq!(read(held), theirs);
        assert_eq!(std::fs::metadata(held).unwrap().permissions().mode(), mode);
        assert!(!machine.root().join(".git/hooks/pre-commit").exists(), "nothing was changed");
    }
}
