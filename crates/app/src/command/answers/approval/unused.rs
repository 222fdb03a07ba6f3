//! A yes that waits for its call: shown, and taken back before the call comes.

use std::process::ExitCode;

use bailiwick_adapters_fs::{FsApprovalQueue, Layout, SystemClock};
use bailiwick_domain::{
    Approval, ApprovalError, ApprovalId, ApprovalQueue, ApprovalStatus, Clock, Timestamp, Value, json,
};

use crate::command::output::columns::hanging;
use crate::command::output::terminal::{DIM, GOOD, HEADING};
use crate::command::who::person;
use crate::command::{CommandError, Context};
use crate::inert;

/// Each of them, for a person.
pub(super) fn say(unused: &[&Approval], now: Timestamp, context: &Context) {
    for approval in unused {
        let what = super::super::asked::object(&approval.request);
        let left = (approval.expires.unix_ms().saturating_sub(now.unix_ms()) / 60_000).max(1);
        let line = format!(
            "{HEADING}{}{HEADING:#}  {}  {what}  {DIM}{}; lapses in {left} min{DIM:#}",
            approval.id.0,
            inert::line(&approval.request.tool),
            super::super::past::said(approval, now)
        );
        context.terminal.say(hanging(&line, 4));
    }
}

pub(super) fn as_json(approval: &Approval) -> Value {
    let ApprovalStatus::Approved { by, at, grant } = &approval.status else { return Value::Null };
    json!({ "id": approval.id, "by": by, "at": at, "grant": grant.is_some(), "expires": approval.expires })
}

/// Takes one back.
pub(super) fn take_back(
    queue: &FsApprovalQueue,
    id: &ApprovalId,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    pollster::block_on(queue.take_back(id, &person(), SystemClock.now()))?;
    said(context, id);
    Ok(ExitCode::SUCCESS)
}

/// Takes back every yes that waits for its call; a grant begins with such a call.
pub(super) fn take_back_all(layout: &Layout) -> Result<Vec<ApprovalId>, CommandError> {
    let (queue, now) = (FsApprovalQueue::new(layout.clone()), SystemClock.now());
    let mut taken_back = Vec::new();
    for approval in pollster::block_on(queue.list())?.iter().filter(|approval| approval.is_unused(now)) {
        match pollster::block_on(queue.take_back(&approval.id, &person(), now)) {
            Ok(_) => taken_back.push(approval.id.clone()),
            // Its call was faster.
            Err(ApprovalError::Answered(_) | ApprovalError::Lapsed(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(taken_back)
}

pub(super) fn said(context: &Context, id: &ApprovalId) {
    context.terminal.styled(GOOD, format_args!("{} taken back; no call had used the yes", id.0));
}
