//! Grants as processes: a person gives one at a terminal, hooks use it up and never overspend it, a person ends it
//! (D-02, D-16, D-28; threats G3, G4).
#![cfg(target_os = "linux")]

use bailiwick_domain::{Value, json};

use super::machine::{Hooked, Machine};
use crate::world::{read, said};

const AGENTS: usize = 8;

impl Machine {
    /// A machine on which a person has answered the first write of session `s1` with such a grant, and the agent made it.
    fn with_grant(bounds: &[&str]) -> Self {
        let machine = Self::selected();
        // Asking for the list makes hooks wait for an answer.
        machine.write(".orchestration/config.yaml", "approval: { timeout_s: 1 }\n");
        let id = machine.pending("w0", "src/auth/first.rs");
        let mut words = vec!["approval", "grant", id.as_str()];
        words.extend(bounds);
        let output = machine.typed(&words, "y\n");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        machine.edits("w1", "src/auth/first.rs");
        machine
    }

    /// The write passes without a question and is made.
    #[track_caller]
    fn edits(&self, id: &str, path: &str) {
        let call = self.write_call(id, path);
        assert_eq!(self.hook(&call).decision().as_deref(), Some("allow"), "{path}");
        self.write(path, "pub fn new() {}\n");
        let mut done = call;
        done["hook_event_name"] = "PostToolUse".into();
        done["tool_response"] = json!({"filePath": path});
        assert_eq!(self.hook(&done).code, Some(0));
    }

    /// The write is asked about, and the question says this.
    #[track_caller]
    fn asks(&self, id: &str, path: &str, reason: &str) {
        self.pending(id, path);
        let request = self.open_requests().pop().unwrap();
        assert!(request["reason"].as_str().unwrap().contains(reason), "{request}");
    }

    /// The live grants, as programs see them.
    fn live_grants(&self) -> Vec<Value> {
        let list: Value = crate::world::json(&self.world.ok(&["approval", "list", "--json"]));
        list["grants"].as_array().unwrap().clone()
    }

    /// How often the log tells this of a grant.
    fn told(&self, action: &str) -> usize {
        let records = self.decisions();
        let about = |record: &&Value| record["action"] == action && record["approval"] == "grant#1";
        records.iter().filter(about).count()
    }
}

// D-02
#[test]
fn edits_within_a_grant_pass_and_the_next_one_is_asked_about() {
    let machine = Machine::with_grant(&["--files", "4", "--calls", "3", "--for", "20m"]);
    let live = machine.live_grants().remove(0);
    assert_eq!((&live["id"], &live["by"]), (&json!("grant#1"), &json!("dana")));
    assert_eq!((&live["left"]["files"], &live["left"]["calls"]), (&json!(4), &json!(3)));
    for number in 1..=3 {
        machine.edits(&format!("e{number}"), &format!("src/auth/{number}.rs"));
        assert!(machine.open_requests().is_empty());
    }
    assert_eq!(machine.live_grants(), Vec::<Value>::new());
    machine.asks("e4", "src/auth/4.rs", "changes src/auth/4.rs");
    assert_eq!((machine.told("allow"), machine.told("grant_ended")), (3, 1));
}

// A grant that is over has nothing to do with a later rejection, which is logged under its own request.
#[test]
fn a_rejection_after_a_grant_is_logged_under_its_request() {
    let machine = Machine::with_grant(&["--files", "4", "--calls", "1"]);
    machine.edits("e1", "src/auth/1.rs");
    let id = machine.pending("e2", "src/auth/2.rs");
    let output = machine.typed(&["approval", "reject", &id], "y\n");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let again = machine.hook(&machine.write_call("e3", "src/auth/2.rs")).denied();
    assert_eq!(again["code"], "DESTRUCTIVE_ACTION_REJECTED");
    let blocked = machine.decisions().into_iter().rfind(|record| record["action"] == "block").unwrap();
    assert_eq!(blocked["approval"], json!(id), "{blocked}");
    let log = machine.world.ok(&["log"]);
    assert!(log.contains("1 of 1 call, 1 of ") && log.contains("of 4 files used"), "{log}");
    assert!(!log.contains("grant grant"), "{log}");
}

// D-02: what goes beyond one bound is asked about, the grant stays
#[test]
fn a_grant_is_as_narrow_as_a_person_made_it() {
    let machine = Machine::with_grant(&["--path", "src/auth/new/", "--lines-per-call", "1"]);
    machine.edits("e1", "src/auth/new/a.rs");
    machine.asks("e2", "src/auth/elsewhere.rs", "This goes beyond");
    let long = machine.root().join("src/auth/new/b.rs").display().to_string();
    let call = machine.pre("e3", "Write", &json!({"file_path": long, "content": "a\nb\n"}));
    assert_eq!(machine.hook(&call).denied()["code"], "APPROVAL_PENDING");
    let text = machine.world.ok(&["approval", "list"]);
    assert!(text.contains("grant#1") && text.contains("29 calls"), "{text}");
}

// D-02; threat G4
#[test]
fn many_hooks_at_once_do_not_overspend_a_grant() {
    let machine = Machine::with_grant(&["--calls", "3"]);
    let passes = |agent: usize| {
        let said: Hooked =
            machine.hook(&machine.write_call(&format!("c{agent}"), &format!("src/auth/{agent}.rs")));
        let passed = said.decision().as_deref() == Some("allow");
        assert!(passed || said.denied()["code"] == "APPROVAL_PENDING", "{said:?}");
        passed
    };
    let passed: Vec<bool> = std::thread::scope(|scope| {
        let agents: Vec<_> = (0..AGENTS).map(|agent| scope.spawn(move || passes(agent))).collect();
        agents.into_iter().map(|agent| agent.join().unwrap()).collect()
    });
    assert_eq!(passed.iter().filter(|passed| **passed).count(), 3);
    assert_eq!((machine.told("allow"), machine.told("grant_ended")), (3, 1));
}

// D-02, D-16
#[test]
fn a_person_revokes_a_grant() {
    let machine = Machine::with_grant(&[]);
    machine.edits("e1", "src/auth/1.rs");
    let output = machine.typed(&["approval", "revoke", "1"], "");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(machine.live_grants().is_empty());
    machine.asks("e2", "src/auth/2.rs", "grant#1 ended: dana revoked it");
    assert_eq!(machine.told("grant_ended"), 1);
    let again: Value = crate::world::json(&machine.world.ok(&["approval", "revoke", "--all", "--json"]));
    assert_eq!(again, json!({"revoked": [], "taken_back": []}));
    assert_eq!(machine.told("grant_ended"), 1);
}

// D-02, D-16; row 74: only a typed yes at a terminal grants, only within what may be granted, only what was offered
#[test]
fn nothing_but_a_typed_yes_to_an_offer_grants() {
    let machine = Machine::selected();
    let id = machine.pending("w0", "src/auth/first.rs");
    for keys in ["", "\n", "n\n", "yeah\n"] {
        assert_eq!(machine.typed(&["approval", "grant", &id], keys).status.code(), Some(1), "{keys:?}");
    }
    for (bound, value) in
        [("--files", "201"), ("--calls", "0"), ("--lines", "10001"), ("--for", "31m"), ("--path", "!src/")]
    {
        let output = machine.typed(&["approval", "grant", &id, bound, value], "y\n");
        assert_eq!(output.status.code(), Some(2), "{bound} {value}: {}", said(&output));
    }
    let piped = machine.world.command_in(&machine.root(), &["approval", "grant", &id]);
    let piped = super::machine::fed(&mut { piped }, b"y\n");
    assert_eq!(piped.status.code(), Some(2), "{}", said(&piped));
    let command = machine.pre("b0", "Bash", &json!({"command": "make all"}));
    let error = machine.hook(&command).denied();
    let unoffered = error["details"]["approval_id"].as_str().unwrap();
    let output = machine.typed(&["approval", "grant", unoffered], "y\n");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!(machine.hook(&command).denied()["code"], "APPROVAL_PENDING");
    assert_eq!(
        machine.hook(&machine.write_call("w1", "src/auth/first.rs")).denied()["code"],
        "APPROVAL_PENDING"
    );
    assert!(machine.live_grants().is_empty());
}

/// A grant under which two files were changed, and whose turn is over.
fn over() -> Machine {
    let machine = Machine::with_grant(&[]);
    machine.edits("e1", "src/auth/1.rs");
    machine.edits("e2", "src/auth/2.rs");
    assert_eq!(machine.hook(&machine.prompt("s1")).code, Some(0));
    machine
}

fn reviews(machine: &Machine) -> Value {
    let list: Value = crate::world::json(&machine.world.ok(&["approval", "list", "--json"]));
    list["reviews"].clone()
}

// D-02: one cumulative diff; keep
#[test]
fn a_grant_that_is_over_is_reviewed_and_kept() {
    let machine = over();
    assert_eq!(reviews(&machine)[0]["files"], json!(["src/auth/1.rs", "src/auth/2.rs"]));
    let status: Value = crate::world::json(&machine.world.shown(&["status", "--json"]));
    assert_eq!(status["reviews"][0]["id"], "grant#1");
    assert!(machine.world.shown(&["status"]).contains("2 files to review"));
    let found: Value = crate::world::json(&machine.world.ok(&["approval", "review", "--json"]));
    let files = found["reviews"][0]["files"].as_array().unwrap();
    assert!(files[1]["diff"].as_str().unwrap().contains("+pub fn new() {}"), "{found}");
    assert!(files.iter().all(|file| file["can_put_back"] == true));

    for keys in ["", "\n", "1\n", "9\n"] {
        let later = machine.typed(&["approval", "review"], keys);
        assert_eq!(later.status.code(), Some(0), "{keys:?}: {}", said(&later));
    }
    assert_eq!(machine.world.run(&["approval", "review", "1", "--keep"]).status.code(), Some(2));
    assert_eq!(reviews(&machine).as_array().unwrap().len(), 1);
    let kept = machine.typed(&["approval", "review"], "2\n");
    assert_eq!(kept.status.code(), Some(0), "{}", said(&kept));
    assert!(said(&kept).contains("+pub fn new() {}") && said(&kept).contains("everything is kept"));
    assert!(machine.root().join("src/auth/1.rs").exists());
    assert_eq!((reviews(&machine), machine.told("grant_reviewed")), (json!([]), 1));
    assert_eq!(machine.told("grant_ended"), 1, "its end was told before");
    assert_eq!(machine.world.run(&["approval", "review", "1", "--keep", "--yes"]).status.code(), Some(1));
    assert_eq!(machine.told("grant_reviewed"), 1);
}

// D-02, REQ 75: one file goes back, the other stays; recorded as that person's change under the grant's intent
#[test]
fn a_file_of_a_grant_is_put_back_and_the_others_are_kept() {
    let machine = over();
    let words = ["approval", "review", "grant#1", "--revert", "src/auth/2.rs"];
    assert_eq!(machine.typed(&words, "n\n").status.code(), Some(1));
    let done = machine.typed(&words, "y\n");
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    assert!(machine.root().join("src/auth/1.rs").exists() && !machine.root().join("src/auth/2.rs").exists());
    let entry = machine.trace().pop().unwrap();
    let own = &entry["metadata"]["dev.bailiwick"];
    assert_eq!((&own["restores"]["grant"], &own["intent"]), (&json!("grant#1"), &json!("INT-001")), "{own}");
    assert_eq!((&own["host"], &own["session_id"]), (&json!("human"), &json!("dana")));
    let told = machine.decisions().pop().unwrap();
    assert_eq!((&told["action"], &told["paths"]), (&json!("grant_reviewed"), &json!(["src/auth/2.rs"])));
    assert_eq!(told["note"], "dana reviewed grant#1 and put 1 of 2 files back");
    assert_eq!(reviews(&machine), json!([]));
}

// D-02: what a human changed after the grant's last call is never overwritten, and then nothing is put back
#[test]
fn a_review_never_overwrites_a_later_change() {
    let machine = over();
    machine.write("src/auth/2.rs", "a human's\n");
    let found: Value = crate::world::json(&machine.world.ok(&["approval", "review", "--json"]));
    let file = &found["reviews"][0]["files"][1];
    assert_eq!((&file["path"], &file["can_put_back"]), (&json!("src/auth/2.rs"), &json!(false)), "{found}");
    assert!(file["diff"].as_str().unwrap().contains("+a human's"), "up to now: {file}");
    for words in [&["--revert-all"][..], &["--revert", "src/auth/2.rs"]] {
        let refused = machine.world.run(&[&["approval", "review", "1", "--yes"], words].concat());
        assert_eq!(refused.status.code(), Some(1), "{}", said(&refused));
    }
    assert!(machine.root().join("src/auth/1.rs").exists(), "all or nothing");
    assert_eq!(reviews(&machine).as_array().unwrap().len(), 1, "it still waits");
    machine.world.ok(&["approval", "review", "1", "--yes", "--revert", "./src/auth/1.rs"]);
    assert!(!machine.root().join("src/auth/1.rs").exists());
    assert_eq!(read(&machine.root().join("src/auth/2.rs")), "a human's\n");
}

// D-02: a live grant is not reviewed, and a review that is left hinders no next grant
#[test]
fn a_live_grant_is_not_reviewed_and_an_open_review_hinders_nothing() {
    let machine = Machine::with_grant(&[]);
    machine.edits("e1", "src/auth/1.rs");
    assert_eq!(reviews(&machine), json!([]));
    let live = machine.world.run(&["approval", "review", "1", "--keep", "--yes"]);
    assert_eq!(live.status.code(), Some(1), "{}", said(&live));
    machine.typed(&["approval", "revoke", "--all"], "");
    assert_eq!(reviews(&machine).as_array().unwrap().len(), 1);
    let id = machine.pending("w5", "src/auth/5.rs");
    assert_eq!(machine.typed(&["approval", "grant", &id], "y\n").status.code(), Some(0));
    machine.edits("w6", "src/auth/5.rs");
    machine.edits("w7", "src/auth/7.rs");
    assert_eq!(machine.live_grants()[0]["id"], "grant#2");
    assert_eq!(machine.world.run(&["approval", "review", "9"]).status.code(), Some(1));
}

// D-02: the same on the wire
#[test]
fn a_program_reviews_a_grant_on_the_wire() {
    let machine = over();
    let mut wire = machine.wire();
    let found = wire.ask(json!({"phase": "review"}));
    assert_eq!(found["reviews"][0]["id"], "grant#1", "{found}");
    assert!(found["reviews"][0]["files"][0]["diff"].as_str().unwrap().contains("+pub fn new() {}"));
    for bad in [
        json!({"phase": "review", "decision": "keep"}),
        json!({"phase": "review", "grant": "grant#1", "decision": "yes"}),
        json!({"phase": "review", "grant": "grant#1", "decision": "revert", "paths": []}),
        json!({"phase": "review", "grant": "grant#1", "decision": "revert", "paths": ["../x"]}),
        json!({"phase": "review", "grant": "grant#1", "decision": "revert", "paths": ["src/auth/9.rs"]}),
        json!({"phase": "review", "grant": 1}),
        json!({"phase": "review", "grant": "grant#7", "decision": "keep"}),
    ] {
        let answer = wire.ask(bad.clone());
        assert_eq!(answer["error"]["code"], "MALFORMED_CALL", "{bad}: {answer}");
    }
    assert!(machine.root().join("src/auth/1.rs").exists() && machine.root().join("src/auth/2.rs").exists());
    let word = json!({"phase": "review", "grant": "grant#1", "decision": "revert", "approver": "eve", "paths": ["src/auth/1.rs"]});
    let done = wire.ask(word.clone());
    assert_eq!(
        (&done["action"], &done["put_back"]),
        (&json!("reviewed"), &json!(["src/auth/1.rs"])),
        "{done}"
    );
    assert_eq!(done["kept"], json!(["src/auth/2.rs"]));
    assert!(!machine.root().join("src/auth/1.rs").exists());
    assert_eq!(wire.ask(word)["error"]["code"], "MALFORMED_CALL");
    assert_eq!(wire.ask(json!({"phase": "review"}))["reviews"], json!([]));
    wire.end();
}

// C, D-02: the ledger's log says which grant let a change through
#[test]
fn the_log_of_the_ledger_names_the_grant() {
    let machine = Machine::with_grant(&[]);
    machine.edits("w2", "src/auth/second.rs");
    let text = machine.world.ok(&["trace", "log"]);
    assert!(text.contains("approved by dana, grant#1"), "{text}");
}

// D-02, D-33: until its call comes, a yes can be taken back
#[test]
fn a_yes_that_no_call_has_used_is_shown_and_taken_back() {
    let machine = Machine::selected();
    let path = "src/auth/new.rs";
    let id = machine.pending("t1", path);
    machine.approve(&id);
    let taken = machine.typed(&["approval", "reject", &id], "");
    assert!(taken.status.success() && said(&taken).contains("taken back"), "{}", said(&taken));
    let error = machine.hook(&machine.write_call("t2", path)).denied();
    assert_eq!(error["code"], "DESTRUCTIVE_ACTION_REJECTED", "{error}");
    assert_eq!(machine.typed(&["approval", "reject", &id], "y\n").status.code(), Some(1), "once");

    let id = machine.pending("t3", "src/auth/other.rs");
    let granted = machine.typed(&["approval", "grant", &id], "y\n");
    assert!(granted.status.success(), "{}", said(&granted));
    let ended = machine.world.ok(&["approval", "revoke", "--all"]);
    assert!(ended.contains(&id) && ended.contains("taken back"), "{ended}");
    machine.hook(&machine.write_call("t4", "src/auth/other.rs")).denied();

    let id = machine.pending("t5", "src/auth/third.rs");
    machine.approve(&id);
    // Last, since whoever looks at the list is there to answer, and hooks wait.
    let listed = machine.world.ok(&["approval", "list"]);
    assert!(listed.contains(&id) && listed.contains("not used yet"), "{listed}");
}
