//! `bailiwick restore` as a person runs it, after hooks recorded what an agent did: exactly those files, never over a
//! later change, recorded as that person's own (row 75).
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::{FsPendingStore, Layout};
use bailiwick_domain::{Actor, ContentHash, PendingCall, PendingStore as _, Value, json};

use super::machine::{Machine, fed};
use crate::world::{read, said};

const LOGIN: &str = "src/auth/login.rs";
const BEFORE: &str = "pub fn login() {}\n";

impl Machine {
    /// A call of the agent: asked about, approved, made, and recorded.
    #[track_caller]
    pub(super) fn does(&self, id: &str, tool: &str, input: &Value, make: impl FnOnce(&Path)) {
        let call = self.pre(id, tool, input);
        let error = self.hook(&call).denied();
        assert_eq!(error["code"], "APPROVAL_PENDING", "{error}");
        self.approve(error["details"]["approval_id"].as_str().unwrap());
        assert_eq!(self.hook(&call).decision().as_deref(), Some("allow"));
        make(&self.root());
        let mut done = call;
        done["hook_event_name"] = "PostToolUse".into();
        done["tool_response"] = json!({});
        assert_eq!(self.hook(&done).code, Some(0));
    }

    #[track_caller]
    pub(super) fn writes(&self, id: &str, path: &str, text: &str) {
        self.sees(path);
        let file = self.root().join(path).display().to_string();
        self.does(id, "Write", &json!({"file_path": file, "content": text}), |_| self.write(path, text));
    }

    /// The agent reads a file, if it is there.
    pub(super) fn sees(&self, path: &str) {
        let file = self.root().join(path);
        if file.exists() {
            let mut read = self.pre("r", "Read", &json!({"file_path": file.display().to_string()}));
            self.hook(&read);
            read["hook_event_name"] = "PostToolUse".into();
            read["tool_response"] = json!({});
            self.hook(&read);
        }
    }

    #[track_caller]
    pub(super) fn patches(&self, id: &str, patch: &str, make: impl FnOnce(&Path)) {
        self.does(id, "apply_patch", &json!({"patch": patch}), make);
    }

    pub(super) fn text(&self, path: &str) -> String {
        read(&self.root().join(path))
    }

    /// `restore` with these words and `--yes --json`, and its status.
    pub(super) fn restores(&self, words: &[&str]) -> (Option<i32>, Value) {
        let words = [&["restore", "--yes", "--json"], words].concat();
        let output = self.world.run(&words);
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        let value = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why}: {}", said(&output)));
        (output.status.code(), value)
    }

    /// The entries of the ledger, oldest first.
    pub(super) fn trace(&self) -> Vec<Value> {
        let log: Value = crate::world::json(&self.world.ok(&["trace", "log", "--json"]));
        log["entries"].as_array().unwrap().clone()
    }
}

fn own(entry: &Value) -> &Value {
    &entry["metadata"]["dev.bailiwick"]
}

// REQ 75: AT `restore` returns the tree to what was there before the call
#[test]
fn req_075_a_call_is_taken_back_and_that_is_recorded() {
    let machine = Machine::selected();
    machine.writes("w1", LOGIN, "pub fn login() { renew() }\n");
    machine.writes("w2", "src/auth/new.rs", "pub fn new() {}\n");
    let dry: Value =
        crate::world::json(&machine.world.ok(&["restore", "--call", "w1", "--dry-run", "--json"]));
    assert_eq!((&dry["outcome"], &dry["files"][0]["path"]), (&json!("dry_run"), &json!(LOGIN)));
    assert!(machine.text(LOGIN).contains("renew"));

    let (status, done) = machine.restores(&["--call", "w1"]);
    assert_eq!((status, &done["outcome"]), (Some(0), &json!("restored")), "{done}");
    assert_eq!(machine.text(LOGIN), BEFORE);
    assert!(machine.root().join("src/auth/new.rs").exists(), "another call's file stays");
    let entry = machine.trace().pop().unwrap();
    assert_eq!(entry["id"], done["trace_ids"][0]);
    assert_eq!(own(&entry)["restores"]["entries"], json!([machine.trace()[0]["id"]]));
    assert_eq!((&own(&entry)["host"], &own(&entry)["tool"]), (&json!("human"), &json!("restore")));
    assert_eq!(entry["agent"]["contributor"]["entity_type"], "HUMAN");
    assert_eq!(entry["files"][0]["conversations"][0]["contributor"]["type"], "human");
    let told = machine.decisions().pop().unwrap();
    assert_eq!((&told["action"], &told["tool"]), (&json!("recorded"), &json!("restore")), "{told}");
    machine.world.ok(&["trace", "verify", "--strict"]);

    // Done once; and what was put back is taken back by its own entry.
    let (status, again) = machine.restores(&["--call", "w1"]);
    assert_eq!((status, &again["outcome"]), (Some(0), &json!("nothing")), "{again}");
    let id = entry["id"].as_str().unwrap();
    assert_eq!(machine.restores(&["--call", id]).0, Some(0));
    assert!(machine.text(LOGIN).contains("renew"));
    assert_eq!(machine.restores(&["--call", "w1"]).1["outcome"], "restored");
    assert_eq!(machine.text(LOGIN), BEFORE);
}

// REQ 75: a created file goes, a deleted one returns, a rename is undone with its mode
#[test]
fn req_075_created_deleted_and_renamed_files_come_back() {
    let machine = Machine::selected();
    machine.write("src/auth/old.sh", "#!/bin/sh\necho one\n");
    let old = machine.root().join("src/auth/old.sh");
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o755)).unwrap();
    machine.write("src/auth/gone.rs", "fn gone() {}\n");
    for path in ["src/auth/old.sh", "src/auth/gone.rs", LOGIN] {
        machine.sees(path);
    }
    let patch = "*** Begin Patch\n*** Add File: src/auth/deep/added.rs\n+fn added() {}\n*** Delete File: src/auth/gone.rs\n*** Update File: src/auth/old.sh\n*** Move to: src/auth/new.sh\n@@\n #!/bin/sh\n-echo one\n+echo two\n*** End Patch\n";
    machine.patches("p1", patch, |root| {
        std::fs::create_dir_all(root.join("src/auth/deep")).unwrap();
        std::fs::write(root.join("src/auth/deep/added.rs"), "fn added() {}\n").unwrap();
        std::fs::remove_file(root.join("src/auth/gone.rs")).unwrap();
        std::fs::rename(root.join("src/auth/old.sh"), root.join("src/auth/new.sh")).unwrap();
        std::fs::write(root.join("src/auth/new.sh"), "#!/bin/sh\necho two\n").unwrap();
    });
    let (status, done) = machine.restores(&["--call", "p1"]);
    assert_eq!((status, &done["outcome"]), (Some(0), &json!("restored")), "{done}");
    assert_eq!(machine.text("src/auth/old.sh"), "#!/bin/sh\necho one\n");
    assert_eq!(machine.text("src/auth/gone.rs"), "fn gone() {}\n");
    for path in ["src/auth/new.sh", "src/auth/deep/added.rs"] {
        assert!(!machine.root().join(path).exists(), "{path}");
    }
}

/// Where a content from before a call is kept.
fn image(machine: &Machine, content: &str) -> PathBuf {
    let hash = ContentHash::of(content.as_bytes());
    machine.private().join("preimages").join(hash.digits().get(..2).unwrap()).join(hash.digits())
}

fn is_executable(machine: &Machine, path: &str) -> bool {
    machine.root().join(path).metadata().unwrap().permissions().mode() & 0o111 != 0
}

// REQ 75: a program that was deleted can be run when it returns, also after that was taken back; a text cannot
#[test]
fn a_deleted_file_returns_as_runnable_as_it_was() {
    let machine = Machine::selected();
    let (program, text) = ("src/auth/run.sh", "src/auth/gone.rs");
    machine.write(program, "#!/bin/sh\necho one\n");
    machine.write(text, "fn gone() {}\n");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(machine.root().join(program), mode).unwrap();
    [program, text].into_iter().for_each(|path| machine.sees(path));
    let patch =
        format!("*** Begin Patch\n*** Delete File: {program}\n*** Delete File: {text}\n*** End Patch\n");
    machine.patches("p1", &patch, |root| {
        [program, text].into_iter().for_each(|path| std::fs::remove_file(root.join(path)).unwrap());
    });
    let (_, done) = machine.restores(&["--call", "p1"]);
    assert_eq!((is_executable(&machine, program), is_executable(&machine, text)), (true, false), "{done}");
    let id = done["trace_ids"][0].as_str().unwrap();
    assert_eq!(machine.restores(&["--call", id]).0, Some(0));
    assert!(!machine.root().join(program).exists());
    assert_eq!(machine.restores(&["--call", "p1"]).1["outcome"], "restored");
    assert_eq!((is_executable(&machine, program), is_executable(&machine, text)), (true, false));
}

// REQ 75: of a file that went more than once, the first time says whether what comes back could be run
#[test]
fn a_program_that_was_replaced_and_deleted_again_returns_as_runnable_as_it_was() {
    let machine = Machine::selected();
    let program = "src/auth/run.sh";
    machine.write(program, "#!/bin/sh\necho one\n");
    let path = machine.root().join(program);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let delete = format!("*** Begin Patch\n*** Delete File: {program}\n*** End Patch\n");
    let add = format!("*** Begin Patch\n*** Add File: {program}\n+plain\n*** End Patch\n");
    machine.sees(program);
    machine.patches("p1", &delete, |_| std::fs::remove_file(&path).unwrap());
    machine.patches("p2", &add, |_| std::fs::write(&path, "plain\n").unwrap());
    machine.patches("p3", &delete, |_| std::fs::remove_file(&path).unwrap());
    let (_, done) = machine.restores(&["--session", "s1"]);
    assert_eq!(machine.text(program), "#!/bin/sh\necho one\n", "{done}");
    assert!(is_executable(&machine, program), "{done}");
}

// REQ 75: what an older version kept says nothing of it, and is read all the same
#[test]
fn a_program_whose_pre_image_an_older_version_kept_returns_as_an_ordinary_file() {
    let machine = Machine::selected();
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&machine.root().join(LOGIN), 0o755);
    machine.sees(LOGIN);
    machine.patches("p1", &format!("*** Begin Patch\n*** Delete File: {LOGIN}\n*** End Patch\n"), |root| {
        std::fs::remove_file(root.join(LOGIN)).unwrap();
    });
    mode(&image(&machine, BEFORE), 0o600);
    let (status, done) = machine.restores(&["--call", "p1"]);
    assert_eq!((status, is_executable(&machine, LOGIN)), (Some(0), false), "{done}");
    assert_eq!(machine.text(LOGIN), BEFORE);
}

/// One call, `p1`, that adds `src/auth/a.rs` and `src/auth/b.rs`.
fn adds_two_files(machine: &Machine) {
    let patch =
        "*** Begin Patch\n*** Add File: src/auth/a.rs\n+a\n*** Add File: src/auth/b.rs\n+b\n*** End Patch\n";
    machine.patches("p1", patch, |_| {
        machine.write("src/auth/a.rs", "a\n");
        machine.write("src/auth/b.rs", "b\n");
    });
}

// REQ 75: what a human changed since is never overwritten, and then nothing is done at all
#[test]
fn req_075_a_later_change_is_refused_and_named() {
    let machine = Machine::selected();
    adds_two_files(&machine);
    machine.write("src/auth/b.rs", "b, and a human's line\n");
    let (status, refused) = machine.restores(&["--call", "p1"]);
    assert_eq!((status, &refused["outcome"]), (Some(1), &json!("refused")));
    assert_eq!(refused["refused"][0]["path"], "src/auth/b.rs");
    assert!(refused["refused"][0]["reason"].as_str().unwrap().contains("no call explains it"), "{refused}");
    assert_eq!(machine.text("src/auth/a.rs"), "a\n");
    assert_eq!(machine.text("src/auth/b.rs"), "b, and a human's line\n");
    assert_eq!(machine.trace().len(), 1);

    // The other file alone goes back.
    let (status, done) = machine.restores(&["--call", "p1", "--file", "src/auth/a.rs"]);
    assert_eq!((status, &done["outcome"]), (Some(0), &json!("restored")), "{done}");
    assert!(!machine.root().join("src/auth/a.rs").exists());
    assert_eq!(machine.text("src/auth/b.rs"), "b, and a human's line\n");
    assert_eq!(machine.world.run(&["restore", "--call", "p1", "--file", LOGIN]).status.code(), Some(1));
}

// REQ 75: half of a rename would lose the content
#[test]
fn a_rename_goes_back_whole_or_not_at_all() {
    let machine = Machine::selected();
    machine.sees(LOGIN);
    let patch = "*** Begin Patch\n*** Update File: src/auth/login.rs\n*** Move to: src/auth/moved.rs\n@@\n-pub fn login() {}\n+pub fn moved() {}\n*** End Patch\n";
    machine.patches("p1", patch, |root| {
        std::fs::remove_file(root.join(LOGIN)).unwrap();
        std::fs::write(root.join("src/auth/moved.rs"), "pub fn moved() {}\n").unwrap();
    });
    machine.write(LOGIN, "a human's new file\n");
    let (status, refused) = machine.restores(&["--call", "p1", "--file", "src/auth/moved.rs"]);
    assert_eq!((status, &refused["outcome"]), (Some(1), &json!("refused")), "{refused}");
    assert_eq!(machine.text("src/auth/moved.rs"), "pub fn moved() {}\n");
    std::fs::remove_file(machine.root().join(LOGIN)).unwrap();
    assert_eq!(machine.restores(&["--call", "p1", "--file", "src/auth/moved.rs"]).0, Some(0));
    assert_eq!(machine.text(LOGIN), BEFORE);
    assert!(!machine.root().join("src/auth/moved.rs").exists());
}

// REQ 75: lines that came in while the call ran are not taken away unseen
#[test]
fn what_came_in_while_the_call_ran_is_looked_at_first() {
    let machine = Machine::selected();
    machine.sees(LOGIN);
    let file = machine.root().join(LOGIN).display().to_string();
    machine.does("w1", "Write", &json!({"file_path": file, "content": "one\n"}), |_| {
        machine.write(LOGIN, "one\na human's line\n");
    });
    let refused = machine.world.run(&["restore", "--call", "w1", "--yes"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("while the call ran"), "{}", said(&refused));
    assert_eq!(machine.text(LOGIN), "one\na human's line\n");
    let typed = machine.typed(&["restore", "--call", "w1"], "y\n");
    assert!(said(&typed).contains("while the call ran"), "{}", said(&typed));
    assert_eq!(machine.text(LOGIN), BEFORE);
}

// REQ 75: what was taken back changed nothing since
#[test]
fn a_change_that_was_taken_back_is_in_nobodys_way() {
    let machine = Machine::selected();
    machine.writes("w1", LOGIN, "one\n");
    machine.write(LOGIN, "one\nhuman\n");
    machine.writes("w2", LOGIN, "two\n");
    assert_eq!(machine.restores(&["--call", "w2"]).1["outcome"], "restored");
    let (_, refused) = machine.restores(&["--call", "w1"]);
    assert!(refused["refused"][0]["reason"].as_str().unwrap().contains("no call explains it"), "{refused}");
}

// REQ 75
#[test]
fn only_an_entry_that_is_not_known_may_want_more_of_its_id() {
    let machine = Machine::selected();
    machine.writes("w1", LOGIN, "one\n");
    let told = |words: &[&str]| said(&machine.world.run(&[&["restore", "--yes"], words].concat()));
    assert!(told(&["--call", "x1"]).contains("at least"));
    let other = told(&["--call", "w1", "--file", "src/core/main.rs"]);
    assert!(other.contains("is not one of its files") && !other.contains("at least"), "{other}");
}

// REQ 75: a session goes back newest first; of one file that several calls changed the first content returns
#[test]
fn req_075_a_session_is_taken_back_newest_first() {
    let machine = Machine::selected();
    machine.writes("w1", LOGIN, "one\n");
    machine.writes("w2", "src/auth/new.rs", "new\n");
    machine.writes("w3", LOGIN, "two\n");
    // A call in the middle cannot be taken back before the one after it.
    let (status, refused) = machine.restores(&["--call", "w1"]);
    assert_eq!(status, Some(1));
    assert!(refused["refused"][0]["reason"].as_str().unwrap().contains("changed it later"), "{refused}");
    assert_eq!(machine.restores(&["--call", "w3"]).1["outcome"], "restored");
    assert_eq!(machine.text(LOGIN), "one\n");
    let (status, done) = machine.restores(&["--session", "s1"]);
    assert_eq!((status, &done["outcome"]), (Some(0), &json!("restored")), "{done}");
    assert_eq!(machine.text(LOGIN), BEFORE);
    assert!(!machine.root().join("src/auth/new.rs").exists());
    assert_eq!(machine.restores(&["--session", "claude-code/s1"]).1["outcome"], "nothing");
    assert_eq!(machine.world.run(&["restore", "--session", "s9"]).status.code(), Some(1));
}

// REQ 75, REQ 163: afterwards the ledger answers who wrote what is there
#[test]
fn blame_answers_right_after_a_restore() {
    let machine = Machine::selected();
    machine.writes("w1", LOGIN, "pub fn login() {}\nfn first() { one() }\n");
    machine.writes("w2", LOGIN, "pub fn login() {}\nfn second() { two() }\n");
    machine.restores(&["--call", "w2"]);
    let first = machine.trace()[0]["id"].clone();
    let blame: Value = crate::world::json(&machine.world.ok(&["trace", "blame", LOGIN, "--json"]));
    assert_eq!((&blame["lines"][0]["entry"], &blame["lines"][1]["entry"]), (&Value::Null, &first), "{blame}");
    machine.restores(&["--call", "w1"]);
    let blame: Value = crate::world::json(&machine.world.ok(&["trace", "blame", LOGIN, "--json"]));
    assert_eq!(blame["lines"], json!([{"line": 1, "entry": null}]));
    let shown = machine.world.ok(&["trace", "log"]);
    assert!(shown.contains("put back by"), "{shown}");
}

// REQ 75, REQ 167: the agent must read again what was put back behind its back
#[test]
fn an_agent_does_not_write_over_what_was_put_back() {
    let machine = Machine::selected();
    machine.writes("w1", LOGIN, "one\n");
    assert_eq!(machine.restores(&["--call", "w1"]).0, Some(0));
    let file = machine.root().join(LOGIN).display().to_string();
    let error =
        machine.hook(&machine.pre("w2", "Write", &json!({"file_path": file, "content": "two\n"}))).denied();
    assert_eq!(error["code"], "STALE_FILE", "{error}");
}

// D-16, REQ 74: only a typed yes at a terminal, or `--yes` of an operator
#[test]
fn it_asks_before_it_puts_back() {
    let machine = Machine::selected();
    machine.writes("w1", LOGIN, "one\n");
    let words = ["restore", "--call", "w1"];
    for keys in ["", "\n", "n\n", "yeah\n"] {
        let output = machine.typed(&words, keys);
        assert_eq!(output.status.code(), Some(1), "{keys:?}: {}", said(&output));
        assert_eq!(machine.text(LOGIN), "one\n");
    }
    let piped = fed(&mut machine.world.command_in(&machine.root(), &words), b"y\n");
    assert_eq!(piped.status.code(), Some(2), "{}", said(&piped));
    let marked = machine
        .world
        .command_in(&machine.root(), &["restore", "--call", "w1", "--yes"])
        .env("CLAUDECODE", "1")
        .output()
        .unwrap();
    assert_eq!(marked.status.code(), Some(2), "{}", said(&marked));
    assert_eq!(machine.text(LOGIN), "one\n");
    machine.writes("w2", "src/auth/new.rs", "two\n");
    let created = said(&machine.typed(&["restore", "--call", "w2"], "n\n"));
    assert!(created.contains("is deleted") && created.contains("Delete this file? [y/N]"), "{created}");
    let both = said(&machine.typed(&["restore", "--session", "s1"], "n\n"));
    assert!(both.contains("Put 1 file back and delete 1 file? [y/N]"), "{both}");
    let dry = machine.world.ok(&["restore", "--session", "s1", "--dry-run"]);
    assert!(dry.contains("1 file would be put back, 1 file would be deleted."), "{dry}");
    let typed = machine.typed(&words, "y\n");
    assert_eq!(typed.status.code(), Some(0), "{}", said(&typed));
    assert!(said(&typed).contains("-one") && said(&typed).contains("+pub fn login() {}"), "{}", said(&typed));
    assert_eq!(machine.text(LOGIN), BEFORE);
}

// REQ 75: a pre-image that is gone says so, and nothing is done; one that was tampered with is not believed
#[test]
fn a_pre_image_that_is_gone_or_forged_is_refused() {
    let machine = Machine::selected();
    machine.writes("w1", LOGIN, "one\n");
    let image = image(&machine, BEFORE);
    std::fs::write(&image, "forged").unwrap();
    let (status, refused) = machine.restores(&["--call", "w1"]);
    assert_eq!(status, Some(1));
    assert!(refused["refused"][0]["reason"].as_str().unwrap().contains("does not match"), "{refused}");
    std::fs::remove_file(&image).unwrap();
    let (status, refused) = machine.restores(&["--call", "w1"]);
    assert_eq!(status, Some(1));
    assert!(refused["refused"][0]["reason"].as_str().unwrap().contains("no longer kept"), "{refused}");
    assert_eq!(machine.text(LOGIN), "one\n");
}

// REQ 75, K-24, D-21: a put-back whose process was killed is found, recorded, cleared up, and finished by the next one
#[test]
fn a_killed_put_back_is_finished_by_the_next_one() {
    let machine = Machine::selected();
    adds_two_files(&machine);
    let entry = machine.trace().pop().unwrap();
    // As if it had been killed after the first file: its record is still pending, the second file is still there, and
    // what it put aside lies beside.
    std::fs::remove_file(machine.root().join("src/auth/a.rs")).unwrap();
    let state = |path: &str, text: &str| {
        let hash = ContentHash::of(text.as_bytes());
        json!({"path": path, "effect": "delete", "before": {"content": hash}, "predicted": "absent", "moved_to": null})
    };
    let pending = json!({
        "call": "restore-killed", "actor": {"host": "human", "session": "dana", "agent": null}, "tool": "restore",
        "at": "2026-11-22T00:00:00.000Z", "fingerprint": own(&entry)["fingerprint"], "intent": "INT-001",
        "revision": own(&entry)["revision"], "requirements": ["REQ-AUTH-1"], "derived": false, "approval": null,
        "approved_by": "dana", "scope_override": false,
        "files": [state("src/auth/a.rs", "a\n"), state("src/auth/b.rs", "b\n")],
        "restores": {"entries": [entry["id"]]},
    });
    let layout = Layout::new(machine.root(), machine.private(), Some(machine.state()));
    let session = Actor::root("human", "dana").session_key();
    let folder = layout.remembered().unwrap().join("pending").join(session.digits());
    let record = folder.join(format!("{}.json", ContentHash::of(b"restore-killed").digits()));
    let pending: PendingCall = serde_json::from_value(pending).unwrap();
    pollster::block_on(FsPendingStore::new(layout).put(&pending)).unwrap();
    assert!(record.exists());
    let spare = ContentHash::of(b"src/auth/a.rs");
    let spare = format!("src/auth/.bailiwick-restore-{}", spare.digits().get(..16).unwrap());
    machine.write(&spare, "a\n");

    let (status, done) = machine.restores(&["--call", "p1"]);
    assert_eq!((status, &done["outcome"]), (Some(0), &json!("restored")), "{done}");
    assert_eq!(done["files"].as_array().unwrap().len(), 1, "{done}");
    for path in [spare.as_str(), "src/auth/a.rs", "src/auth/b.rs"] {
        assert!(!machine.root().join(path).exists(), "{path}");
    }
    assert!(!record.exists());
    let late = &machine.trace()[1];
    assert_eq!((&own(late)["late"], &own(late)["restores"]["entries"][0]), (&json!(true), &entry["id"]));
    assert_eq!(machine.trace().len(), 3);
}

// REQ 75, D-02: what is too old goes, and whoever wants it back is told so; what is open stays; the ledger is not touched
#[test]
fn what_was_collected_is_told_and_what_is_open_stays() {
    let machine = Machine::selected();
    machine.writes("w1", LOGIN, "one\n");
    machine.writes("w2", "src/auth/new.rs", "new\n");
    let hash = ContentHash::of(BEFORE.as_bytes());
    let image = machine.private().join("preimages").join(hash.digits().get(..2).unwrap()).join(hash.digits());
    let then = std::time::SystemTime::now() - std::time::Duration::from_secs(40 * 86_400);
    std::fs::File::options().write(true).open(&image).unwrap().set_modified(then).unwrap();
    let live = std::fs::read(machine.private().join("ledger/live.jsonl")).unwrap();
    let gc = |words: &[&str]| -> Value {
        crate::world::json(&machine.world.ok(&[&["gc", "--json"], words].concat()))
    };
    assert_eq!(gc(&[])["freed"]["preimages"]["files"], 0, "a recent entry needs it");
    // Without the entry nothing does.
    std::fs::remove_file(machine.private().join("ledger/live.jsonl")).unwrap();
    assert_eq!(gc(&["--dry-run"])["freed"]["preimages"]["files"], 1);
    assert!(image.exists());
    assert_eq!(gc(&[])["freed"]["preimages"]["files"], 1);
    assert!(!image.exists() && machine.world.ok(&["gc"]).contains("Nothing is old enough"));
    std::fs::write(machine.private().join("ledger/live.jsonl"), &live).unwrap();
    let (status, refused) = machine.restores(&["--call", "w1"]);
    assert_eq!(status, Some(1));
    assert!(refused["refused"][0]["reason"].as_str().unwrap().contains("bailiwick gc"), "{refused}");
    assert_eq!(machine.text(LOGIN), "one\n");
    assert_eq!(machine.restores(&["--call", "w2"]).0, Some(0));
    machine.world.ok(&["trace", "verify"]);
}

// D-18: a lower bound from the tree counts only when a human accepted it on this machine
#[test]
fn a_shorter_retention_from_the_tree_needs_acceptance() {
    let machine = Machine::new();
    machine.write(".orchestration/config.yaml", "retention: { days: 1 }\n");
    let days = || -> Value {
        let told: Value = crate::world::json(&machine.world.ok(&["gc", "--dry-run", "--json"]));
        told["older_than_days"].clone()
    };
    assert_eq!(days(), 30);
    machine.write(".orchestration/config.yaml", "retention: { days: 400 }\n");
    assert_eq!(days(), 400);
}
