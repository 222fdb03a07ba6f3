//! Refusals that only the door for hosts gives, and what an agent makes of their text: asking a human who is not at the
//! connection, a folder that nobody governs, an answer that does not fit.
//!
//! A human does here what the error tells the agent to ask for, and nothing else.

use std::path::Path;

use bailiwick_domain::{ErrorCode, Value, json};

use super::super::machine::{Hooked, Machine};

/// What was met, and whether the agent got on.
pub(super) struct Met {
    pub(super) name: &'static str,
    pub(super) code: ErrorCode,
    pub(super) recovered: bool,
}

/// All of them.
pub(super) fn met() -> Vec<Met> {
    let met = |name, code, recovered| Met { name, code, recovered };
    vec![
        met(
            "a write that a human approves later",
            ErrorCode::ApprovalPending,
            pending_write(Human::Approves),
        ),
        met("a write that nobody looks at", ErrorCode::ApprovalPending, pending_write(Human::Away)),
        met("a command that a human approves later", ErrorCode::ApprovalPending, pending_command()),
        met("outside every repository", ErrorCode::MissingWorkspaceRoot, outside_every_repository()),
        met("a call that cannot be answered", ErrorCode::InternalError, answer_too_long()),
    ]
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Human {
    Approves,
    Away,
}

/// The error of a denial, which must have this code.
#[track_caller]
fn refused(said: &Hooked, code: ErrorCode) -> Value {
    let error = said.denied();
    assert_eq!(error["code"], code.as_str(), "{error}");
    error
}

/// Repeats the call when the error says so; a human answers in between, or does not.
#[track_caller]
fn asked_again(machine: &Machine, call: &Value, human: Human) -> bool {
    let error = refused(&machine.hook(call), ErrorCode::ApprovalPending);
    if error["details"]["retry"]["same_call"] != true {
        return false;
    }
    if human == Human::Approves {
        machine.approve(error["details"]["approval_id"].as_str().unwrap());
    }
    machine.hook(call).decision().as_deref() == Some("allow")
}

fn pending_write(human: Human) -> bool {
    let machine = Machine::selected();
    let call = machine.write_call("w1", "src/auth/new.rs");
    asked_again(&machine, &call, human)
}

fn pending_command() -> bool {
    let machine = Machine::selected();
    let call = machine.pre("c1", "Bash", &json!({"command": "make"}));
    asked_again(&machine, &call, Human::Approves)
}

/// The error names nothing that an agent can do alone, so this counts as lost; what it tells a human to do mends it.
fn outside_every_repository() -> bool {
    let machine = Machine::selected();
    let lost = machine.world.path("nowhere");
    std::fs::create_dir_all(&lost).unwrap();
    let mut call = machine.write_call("w1", "src/auth/new.rs");
    call["cwd"] = lost.display().to_string().into();
    let error = refused(&machine.hook(&call), ErrorCode::MissingWorkspaceRoot);
    assert!(error["suggestion"].as_str().unwrap().contains("inside the repository"), "{error}");
    call["cwd"] = machine.root().display().to_string().into();
    refused(&machine.hook(&call), ErrorCode::ApprovalPending);
    error["recoverable"] == true
}

/// The answer would carry the call's own parameters back, which the host would cut.
fn answer_too_long() -> bool {
    let machine = Machine::selected();
    machine.registered_line(Path::new(env!("CARGO_BIN_EXE_bailiwick")), "PreToolUse");
    let list = |input: Value| machine.pre("l1", "mcp__bailiwick__list_intents", &input);
    let said = machine.hook(&list(json!({"why": "because ".repeat(2_000)})));
    let error = refused(&said, ErrorCode::InternalError);
    let shorter = error["suggestion"].as_str().unwrap().contains("make the call shorter");
    shorter && machine.hook(&list(json!({}))).decision().as_deref() == Some("allow")
}
