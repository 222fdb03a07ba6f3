//! The words for what a surface shows, the same on every face. Each text is harmless to show.

use bailiwick_domain::{Actor, ApprovalKind, ApprovalRequest, GrantId};

use super::Item;
use crate::command::answers::asked;
use crate::command::output::reading;
use crate::counted::counted;
use crate::inert;

/// Why an answer to what was shown counts no more.
pub(in crate::command) const CHANGED: &str = "the request changed since it was shown; look at it again";

/// A grant was ended.
pub(in crate::command) fn revoked(id: GrantId) -> String {
    format!("{id} revoked; edits are asked about again")
}

/// A grant was reviewed, and so many files were put back.
pub(in crate::command) fn reviewed(id: GrantId, back: usize) -> String {
    match back {
        0 => format!("{id} reviewed: everything is kept"),
        count => format!("{id} reviewed: {} put back", counted(count, "file", "files")),
    }
}

/// What is asked in a few words: the kind where it is no ordinary call, the tool, and what it is about.
pub(in crate::command) fn what(request: &ApprovalRequest) -> String {
    let tool = inert::line(&request.tool);
    let object = asked::object(request);
    match request.kind {
        ApprovalKind::Destructive => format!("{tool} {object}"),
        ApprovalKind::ScopeOverride => format!("OUTSIDE {tool} {object}"),
        ApprovalKind::Outbound => format!("OUTBOUND {tool} {object}"),
        ApprovalKind::IntentProposal => match &request.draft {
            Some(draft) => format!("new intent: {}", inert::line(&draft.name)),
            None => "new intent".to_owned(),
        },
        ApprovalKind::ScopeExpansion => "more scope".to_owned(),
    }
}

/// What approving does where it does more than let one call through.
pub(in crate::command) fn banner(item: &Item) -> Option<String> {
    let request = &item.approval.request;
    if item.approval.is_with_host() {
        return Some("WITH THE HOST. Its own prompt asks; answer it there.".to_owned());
    }
    if let Some(why) = &item.void {
        return Some(format!("VOID: {}.", inert::line(why)));
    }
    let says = match request.kind {
        ApprovalKind::Destructive => return None,
        ApprovalKind::ScopeOverride => {
            "OUTSIDE THE SCOPE. Approve Anyway lets only this call through and is recorded as an override."
        }
        ApprovalKind::Outbound => "OUTBOUND. It changes no file. Approving sends it once.",
        ApprovalKind::IntentProposal => {
            "NEW INTENT. Approving adds it, at once or when the agent asks again."
        }
        ApprovalKind::ScopeExpansion => {
            "MORE SCOPE. Approving adds these patterns, at once or when the agent asks again."
        }
    };
    Some(match request.broad {
        Some(wide) => {
            let runs =
                if wide.can_run > 0 { format!(", {} can run code", wide.can_run) } else { String::new() };
            format!("BROAD: {} of {} files ({}%){runs}. {says}", wide.files, wide.of, wide.percent())
        }
        None => says.to_owned(),
    })
}

/// What the key or button that approves says.
pub(in crate::command) fn approve(item: &Item) -> &'static str {
    match item.approval.request.kind {
        _ if item.void.is_some() => "approve (lets nothing through)",
        ApprovalKind::ScopeOverride => "Approve Anyway",
        _ => "approve",
    }
}

/// Who acts: host, the beginning of the session's id, the sub-agent.
pub(in crate::command) fn actor(actor: &Actor) -> String {
    inert::line(&reading::actor(actor))
}

/// What the person had asked the agent for, in one line.
pub(in crate::command) fn asked_for(item: &Item) -> Option<String> {
    let words: Vec<&str> = item.prompt.as_deref()?.split_whitespace().collect();
    Some(inert::line(&words.join(" ")))
}
