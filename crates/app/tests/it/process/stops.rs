//! Stop events as processes (D-06): held while a person is there, continued once with what the person said.
#![cfg(target_os = "linux")]

use std::process::Stdio;

use bailiwick_domain::{Value, json};

use super::machine::{Hooked, Machine};

impl Machine {
    /// One whose first write of session `s1` is pending; gives the request.
    fn with_pending() -> (Self, String) {
        let machine = Self::selected();
        let id = machine.pending("w1", "src/auth/new.rs");
        (machine, id)
    }

    fn stop(&self, already_continued: bool) -> Value {
        json!({
            "session_id": "s1",
            "cwd": self.root().display().to_string(),
            "hook_event_name": "Stop",
            "stop_hook_active": already_continued,
        })
    }

    #[track_caller]
    fn reject(&self, id: &str, message: &str) {
        let output = self.typed(&["approval", "reject", id, "--message", message], "y\n");
        assert_eq!(output.status.code(), Some(0), "{}", crate::world::said(&output));
    }
}

impl Hooked {
    /// Why the turn goes on; `None` when it ends.
    #[track_caller]
    fn goes_on(&self) -> Option<String> {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{self:?}");
        if self.stdout.is_empty() {
            return None;
        }
        let answer: Value = serde_json::from_str(&self.stdout).unwrap();
        assert_eq!(answer["decision"], "block");
        Some(answer["reason"].as_str().unwrap().to_owned())
    }
}

// D-06
#[test]
fn a_turn_with_nothing_pending_ends_and_so_does_one_for_which_nobody_is_there() {
    let (machine, id) = Machine::with_pending();
    assert_eq!(machine.hook(&machine.stop(false)).goes_on(), None);
    machine.approve(&id);
    machine.hook(&machine.prompt("s1"));
    assert_eq!(machine.hook(&machine.stop(false)).goes_on(), None, "the human has said something newer");
}

// D-06
#[test]
fn an_approval_that_came_meanwhile_is_told_once_and_passes_once() {
    let (machine, id) = Machine::with_pending();
    machine.approve(&id);
    let told = machine.hook(&machine.stop(false)).goes_on().unwrap();
    for part in ["Approved", "src/auth/new.rs", "Retry exactly the same call", id.as_str()] {
        assert!(told.contains(part), "{told}");
    }
    assert_eq!(machine.hook(&machine.stop(true)).goes_on(), None, "an agent that does not listen may stop");
    assert_eq!(
        machine.hook(&machine.write_call("w2", "src/auth/new.rs")).decision().as_deref(),
        Some("allow")
    );
    assert_eq!(
        machine.hook(&machine.write_call("w3", "src/auth/new.rs")).denied()["code"],
        "APPROVAL_PENDING"
    );
}

// D-06, REQ 22
#[test]
fn a_rejection_that_came_meanwhile_is_told_with_its_message() {
    let (machine, id) = Machine::with_pending();
    let other = machine.pending("w2", "src/auth/other.rs");
    machine.reject(&id, "use the helper instead");
    let told = machine.hook(&machine.stop(false)).goes_on().unwrap();
    for part in ["Rejected", "use the helper instead", "Still waiting", other.as_str()] {
        assert!(told.contains(part), "{told}");
    }
}

// D-06
#[test]
fn a_stop_is_held_while_a_person_is_at_a_surface() {
    let (machine, id) = Machine::with_pending();
    machine.open_requests();
    let mut agent = machine.agent(&machine.bare_line());
    agent.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut held = agent.spawn().unwrap();
    serde_json::to_writer(held.stdin.take().unwrap(), &machine.stop(false)).unwrap();
    for _ in 0..3 {
        machine.open_requests();
        assert!(held.try_wait().unwrap().is_none(), "it did not wait");
    }
    machine.approve(&id);
    let told = Hooked::of(&held.wait_with_output().unwrap()).goes_on().unwrap();
    assert!(told.contains("Approved"), "{told}");
}

// D-06: fail closed
#[test]
fn a_turn_whose_state_cannot_be_written_ends() {
    let (machine, id) = Machine::with_pending();
    machine.approve(&id);
    let actors = machine.private().join("actors");
    std::fs::rename(&actors, machine.private().join("away")).unwrap();
    std::fs::write(&actors, "not a folder").unwrap();
    assert_eq!(machine.hook(&machine.stop(false)).goes_on(), None);
}
