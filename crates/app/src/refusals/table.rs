//! The table: for each fault its code, its sentence, and where it is its own a suggestion.

use bailiwick_domain::{ErrorCode, ToolError};

use super::{EventFault, Fault};
#[cfg(feature = "cli")]
use super::{Outside, RequestFault, ServedFault};

/// One row of the table.
pub(super) fn row(fault: &Fault<'_>) -> ToolError {
    match fault {
        Fault::Event(fault) => event(fault),
        #[cfg(feature = "cli")]
        Fault::Request(fault) => request(fault),
        #[cfg(feature = "cli")]
        Fault::Review(error) => review(error),
        #[cfg(feature = "cli")]
        Fault::Served(fault) => served(fault),
    }
}

fn event(fault: &EventFault<'_>) -> ToolError {
    use ErrorCode::{
        InternalError, LedgerUnavailable, MalformedCall, MissingWorkspaceRoot, OutsideWorkspace,
        ProtectedPath,
    };
    match fault {
        EventFault::Panic => ToolError::new(InternalError, "the gate failed on this call and refuses it"),
        EventFault::Unread(error) => {
            ToolError::new(MalformedCall, format!("Malformed call: the event could not be read: {error}"))
        }
        EventFault::AgentUnrecorded(error) => ToolError::new(LedgerUnavailable, error.to_string()),
        EventFault::NoPass(error) => ToolError::new(InternalError, error.to_string()),
        EventFault::NoRoot { place } => ToolError::new(
            MissingWorkspaceRoot,
            format!(
                "No governed repository was found for this call; to remove the hook, run `cd {place} && bailiwick uninstall`"
            ),
        ),
        EventFault::LeadsElsewhere { place, root } => {
            let (place, root) = (place.display(), root.display());
            let sentence = format!(
                "Outside the workspace: {place} leads into {root}, a governed repository, and this project is not."
            );
            ToolError::new(OutsideWorkspace, sentence)
                .with_suggestion(format!(
                    "Start the agent in {root} to change what is there: `cd {root}`, then your agent."
                ))
                .with_detail("paths", vec![place.to_string()])
                .with_detail("root", root.to_string())
        }
        EventFault::NotLoaded { host, trust } => {
            let sentence = format!(
                "Bailiwick's plugin is not loaded in this session of {host}, so no call can be judged and none runs."
            );
            let trust = trust.unwrap_or("Start the host again");
            ToolError::new(InternalError, sentence).with_suggestion(format!(
                "{trust}. Switch the plugin on if somebody has switched it off; `bailiwick doctor` looks at the rest."
            ))
        }
        EventFault::Settings { path, why } => {
            ToolError::new(ProtectedPath, format!("Protected: the change of {path} is not taken over: {why}."))
                .with_suggestion(
                    "Bring the file back. A human turns the gate off with `bailiwick pause` or `bailiwick uninstall`.",
                )
                .with_detail("path", *path)
        }
    }
}

#[cfg(feature = "cli")]
fn request(fault: &RequestFault<'_>) -> ToolError {
    let code = match fault {
        RequestFault::Panic | RequestFault::Late(_) => ErrorCode::InternalError,
        _ => ErrorCode::MalformedCall,
    };
    let error = ToolError::new(code, sentence_of_request(fault));
    match fault {
        RequestFault::Phase(_) => {
            error.with_suggestion("Use one of: prompt, pre, resolve, post, review, status.")
        }
        _ => error,
    }
}

#[cfg(feature = "cli")]
fn sentence_of_request(fault: &RequestFault<'_>) -> String {
    match fault {
        RequestFault::Panic => "the gate failed on this request".to_owned(),
        RequestFault::Late(seconds) => {
            format!("the gate has no answer after {seconds} seconds and refuses this request")
        }
        RequestFault::NoJson(fault) => format!("malformed request: {fault}"),
        RequestFault::NoObject => "the request is not a JSON object".to_owned(),
        RequestFault::Phase(None) => "unknown phase (none)".to_owned(),
        RequestFault::Phase(Some(phase)) => format!("unknown phase `{phase}`"),
        RequestFault::Missing(field) => format!("`{field}` is missing"),
        RequestFault::Not(field, what) => format!("`{field}` is not {what}"),
        RequestFault::Empty(field) => format!("`{field}` is empty"),
        RequestFault::Holds(field, what) => format!("`{field}` holds something that is {what}"),
        RequestFault::Unread(what, error) => format!("{what}: {error}"),
        RequestFault::Name(why) => why.clone(),
        RequestFault::Decision(word) => format!("`{word}` is neither `keep` nor `revert`"),
    }
}

#[cfg(feature = "cli")]
fn review(error: &crate::restore::ReviewError) -> ToolError {
    use crate::gate::OwnChangeError;
    use crate::restore::{PlanError, ReviewError};
    use bailiwick_domain::PutBackError;
    let code = match error {
        ReviewError::Gate(error) | ReviewError::Restore(OwnChangeError::Gate(error)) => {
            return (**error).clone();
        }
        ReviewError::Obstacle(_) | ReviewError::Restore(OwnChangeError::Files(PutBackError::Changed(_))) => {
            ErrorCode::StaleFile
        }
        ReviewError::Plan(PlanError::Port(_)) | ReviewError::Restore(OwnChangeError::Files(_)) => {
            ErrorCode::LedgerUnavailable
        }
        ReviewError::Plan(_) => ErrorCode::MalformedCall,
    };
    ToolError::new(code, error.to_string())
}

#[cfg(feature = "cli")]
fn served(fault: &ServedFault<'_>) -> ToolError {
    let error = ToolError::new(code_of_served(fault), sentence_of_served(fault));
    match fault {
        ServedFault::DoneAlready => {
            error.with_suggestion("Wait for its answer. To do it again, send a new call.")
        }
        ServedFault::Unawaited => error.with_suggestion("Send the call again if it is still needed."),
        ServedFault::SaysWho => error.with_suggestion("Leave `session` out; the gate fills it in."),
        ServedFault::NoTool(_) => error.with_suggestion(
            "Use select_active_intent, list_intents, current_intent, propose_intent, request_scope_expansion or report_done.",
        ),
        ServedFault::MapTooLarge => error
            .with_suggestion("Ask the human to run `bailiwick map`, or read .orchestration/intent_map.md."),
        _ => error,
    }
}

#[cfg(feature = "cli")]
fn code_of_served(fault: &ServedFault<'_>) -> ErrorCode {
    use bailiwick_domain::PortError;
    match fault {
        ServedFault::AgentUnrecorded(_) | ServedFault::TrustUnread(_) | ServedFault::MapUnread(_) => {
            ErrorCode::LedgerUnavailable
        }
        ServedFault::Waits(_) => ErrorCode::ApprovalPending,
        ServedFault::Unawaited | ServedFault::NoAnswer => ErrorCode::InternalError,
        ServedFault::Outside(_) => ErrorCode::OutsideWorkspace,
        ServedFault::Unshown(_, PortError::TooLarge { .. }) | ServedFault::MapTooLarge => ErrorCode::TooLarge,
        ServedFault::DoneAlready
        | ServedFault::SaysWho
        | ServedFault::NoTool(_)
        | ServedFault::Unshown(..)
        | ServedFault::Malformed(_) => ErrorCode::MalformedCall,
    }
}

#[cfg(feature = "cli")]
fn sentence_of_served(fault: &ServedFault<'_>) -> String {
    use bailiwick_domain::PortError;
    match fault {
        ServedFault::AgentUnrecorded(error) => error.to_string(),
        ServedFault::DoneAlready => {
            "Malformed call: this call is under way or was carried out already".to_owned()
        }
        ServedFault::Waits(id) => format!("{} waits for a human and cannot be answered here", id.0),
        ServedFault::Unawaited => "nobody waits for this call any more, and it was not run".to_owned(),
        ServedFault::SaysWho => {
            "Malformed call: `session` is not what the gate filled in for this call, or this call came already"
                .to_owned()
        }
        ServedFault::NoTool(name) => format!("there is no tool `{name}`"),
        ServedFault::NoAnswer => "this tool has no answer here".to_owned(),
        ServedFault::Outside(Outside::Folder(folder)) => {
            format!("the folder `{}` is not in the repository", folder.escape_debug())
        }
        ServedFault::Outside(Outside::Shown(path)) => {
            format!("`{}` is not in the repository; this tool shows nothing else", path.escape_debug())
        }
        ServedFault::Unshown(path, error @ PortError::TooLarge { .. }) => {
            format!("{path} cannot be shown: {error}")
        }
        ServedFault::Unshown(path, error) => format!("Malformed call: `{path}` cannot be read: {error}."),
        ServedFault::Malformed(why) => format!("Malformed call: {why}."),
        ServedFault::TrustUnread(error) => format!("what is trusted cannot be read: {error}"),
        ServedFault::MapUnread(error) => format!("the map cannot be made: {error}"),
        ServedFault::MapTooLarge => "Too large: the ledger is too long to make the map of it here".to_owned(),
    }
}
