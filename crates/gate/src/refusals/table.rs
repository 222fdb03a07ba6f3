//! The table: for each hindrance its code, its sentence, and where they are its own a reason and a suggestion.

use bailiwick_domain::{
    Approval, ApprovalError, ErrorCode, GrantError, IntentEditError, PortError, PutBackError, ScopeError,
    ToolError,
};
use bailiwick_policy::proposal_example;

use super::{AnswerFault, DraftFault, Hindrance, OwnToolFault, Unfit};

const ASKED_AGAIN: &str = "Make the same call again; the human is asked again.";

/// One row of the table.
pub(super) fn row(hindrance: &Hindrance<'_>) -> ToolError {
    ToolError::new(code(hindrance), sentence(hindrance))
        .with_reason(reason(hindrance))
        .with_suggestion(suggestion(hindrance))
        .with_details(&super::details::of(hindrance))
}

fn code(hindrance: &Hindrance<'_>) -> ErrorCode {
    match hindrance {
        Hindrance::Port(error) | Hindrance::Ledger(error) | Hindrance::Grant(GrantError::Port(error)) => {
            code_of_port(error)
        }
        Hindrance::Grant(GrantError::Unknown(_) | GrantError::Changed(_)) => ErrorCode::LedgerUnavailable,
        Hindrance::TooMuch(_) | Hindrance::TooManyScripts(_) => ErrorCode::TooLarge,
        Hindrance::Unjudged | Hindrance::NotLetThrough => ErrorCode::InternalError,
        Hindrance::NoIntentNow => ErrorCode::MissingIntent,
        Hindrance::Unfit(_) => ErrorCode::MalformedCall,
        Hindrance::NotWritten(PutBackError::Changed(_)) => ErrorCode::StaleFile,
        Hindrance::NotWritten(PutBackError::Confined { .. }) => ErrorCode::OutsideWorkspace,
        Hindrance::NotWritten(PutBackError::Halfway { .. } | PutBackError::Port(_)) => {
            ErrorCode::InternalError
        }
        Hindrance::Answer(fault) => code_of_answer(fault),
        Hindrance::OwnTool(fault) => code_of_own_tool(fault),
        Hindrance::Draft(fault) | Hindrance::Proposal(fault) => code_of_draft(fault),
    }
}

fn code_of_port(error: &PortError) -> ErrorCode {
    match error {
        PortError::Unavailable(_) | PortError::Locked(_) => ErrorCode::LedgerUnavailable,
        PortError::Invalid(_) => ErrorCode::OrchestrationInvalid,
        PortError::TooLarge { .. } => ErrorCode::TooLarge,
    }
}

fn code_of_answer(fault: &AnswerFault<'_>) -> ErrorCode {
    match fault {
        AnswerFault::Unusable(ApprovalError::Port(_)) => ErrorCode::LedgerUnavailable,
        AnswerFault::Unusable(_)
        | AnswerFault::NobodyWaits(_)
        | AnswerFault::Unawaited(_)
        | AnswerFault::OtherVersion(_) => ErrorCode::ApprovalTimeout,
        AnswerFault::Nothing | AnswerFault::Open(..) => ErrorCode::ApprovalPending,
        AnswerFault::No(..) => ErrorCode::DestructiveActionRejected,
        AnswerFault::Moved(..) => ErrorCode::StaleFile,
        AnswerFault::NoGrantFits(ApprovalError::Port(error)) => code_of_port(error),
        AnswerFault::NoGrantFits(_) | AnswerFault::NotReviewable(..) => ErrorCode::MalformedCall,
    }
}

fn code_of_own_tool(fault: &OwnToolFault<'_>) -> ErrorCode {
    match fault {
        OwnToolFault::NoTool(_) => ErrorCode::MalformedCall,
        OwnToolFault::NotActive { .. } | OwnToolFault::ChangedSince { .. } => ErrorCode::StateViolation,
        OwnToolFault::NoIntent { .. } | OwnToolFault::NotAccepted => ErrorCode::IntentNotFound,
        OwnToolFault::NotSelectable { .. }
        | OwnToolFault::NotOfParent { .. }
        | OwnToolFault::Overlaps { .. } => ErrorCode::IntentNotSelectable,
    }
}

fn code_of_draft(fault: &DraftFault<'_>) -> ErrorCode {
    match fault {
        DraftFault::Scope(ScopeError::Absolute(pattern)) if is_all(pattern) => ErrorCode::TooBroad,
        DraftFault::Scope(ScopeError::Absolute(_) | ScopeError::Parent(_)) | DraftFault::LeadsOut(_) => {
            ErrorCode::OutsideWorkspace
        }
        DraftFault::Reaches(..) | DraftFault::OwnsAll(_) => ErrorCode::TooBroad,
        DraftFault::UnknownParameter(..)
        | DraftFault::NotAList(_)
        | DraftFault::Count(..)
        | DraftFault::Missing(_)
        | DraftFault::TooLong(..)
        | DraftFault::TakesAway(_)
        | DraftFault::AddsNothing(_)
        | DraftFault::Scope(_)
        | DraftFault::NoGlob(_) => ErrorCode::MalformedCall,
        DraftFault::NothingToExpand => ErrorCode::StateViolation,
        DraftFault::IntentOver(_) => ErrorCode::IntentNotSelectable,
        DraftFault::OfParent(_) => ErrorCode::DelegationRefused,
        DraftFault::Changed(..) | DraftFault::Edit(IntentEditError::Changed, _) => ErrorCode::StaleFile,
        DraftFault::Edit(IntentEditError::Port(error), _) => code_of_port(error),
        DraftFault::Edit(_, _) => ErrorCode::OrchestrationInvalid,
    }
}

fn sentence(hindrance: &Hindrance<'_>) -> String {
    match hindrance {
        Hindrance::Port(error) | Hindrance::Ledger(error) | Hindrance::Grant(GrantError::Port(error)) => {
            port(error)
        }
        Hindrance::Grant(fault) => format!("the gate cannot decide safely: {fault}"),
        Hindrance::TooMuch(why) => format!("Too large: in the parameters, {why}."),
        Hindrance::TooManyScripts(limit) => format!(
            "Too large: the files that this command names have more than {} MiB together, and an approval is bound to their content.",
            limit >> 20
        ),
        Hindrance::Unjudged => "a destructive call was judged without a question".to_owned(),
        Hindrance::NoIntentNow => "no intent is active now".to_owned(),
        Hindrance::Unfit(unfit) => format!("Malformed call: {}.", why_unfit(unfit)),
        Hindrance::NotLetThrough => "the gate has no record that this call was let through".to_owned(),
        Hindrance::NotWritten(error) => not_written(error),
        Hindrance::Answer(fault) => answer(fault),
        Hindrance::OwnTool(fault) => own_tool(fault),
        Hindrance::Draft(fault) | Hindrance::Proposal(fault) => draft(fault),
    }
}

fn port(error: &PortError) -> String {
    match error {
        // No fault of a store: what is that large is neither shown to a person nor kept for taking it back.
        PortError::TooLarge { what, limit } => format!(
            "Too large: `{what}` is larger than {} MiB, so that its change can neither be shown to a person nor be \
             taken back.",
            limit >> 20
        ),
        PortError::Unavailable(_) | PortError::Locked(_) | PortError::Invalid(_) => {
            format!("the gate cannot decide safely: {error}")
        }
    }
}

fn why_unfit(unfit: &Unfit<'_>) -> String {
    match unfit {
        Unfit::Mode => "the patch changes the mode of a file, which this tool does not do".to_owned(),
        Unfit::Twice(path) => format!("the call changes `{path}` in two ways; send two calls"),
        Unfit::NoFile(path) => format!("`{path}` is not a file"),
        Unfit::Absent(path) => format!("there is no file `{path}`"),
        Unfit::Taken(path) => format!("there already is a file `{path}`"),
        Unfit::NoFolder(path) => format!("`{path}` is a file, not a folder"),
        Unfit::FolderAbsent(path) => format!("there is no folder `{path}`"),
        Unfit::Link(spelled, path) => format!(
            "`{spelled}` leads through a symbolic link to `{path}`; name that path, or use a command for the link itself"
        ),
        Unfit::NotTold(path) => format!("what the call asks for does not fit `{path}` as it is now"),
    }
}

fn not_written(error: &PutBackError) -> String {
    match error {
        PutBackError::Changed(path) => stale(path.as_str()),
        PutBackError::Confined { .. } => format!("Outside workspace: {error}; nothing was written."),
        PutBackError::Halfway { .. } => format!("some files were written and others were not: {error}"),
        PutBackError::Port(error) => format!("nothing was written: {error}"),
    }
}

fn answer(fault: &AnswerFault<'_>) -> String {
    match fault {
        AnswerFault::Unusable(error) => format!("the approval cannot be used: {error}"),
        AnswerFault::NobodyWaits(id) => format!("no call on this connection waits for approval `{}`", id.0),
        AnswerFault::Unawaited(id) => {
            format!("nobody waits for this call any more; approval `{}` stays for the same call", id.0)
        }
        AnswerFault::Nothing => "nobody has answered".to_owned(),
        AnswerFault::Open(approval, why) => {
            format!("Approval pending: request {} waits for a human. {why}", approval.id.0)
        }
        AnswerFault::No(approval, _) => {
            format!("Rejected: a human refused {}{}.", approval.request.tool, on_paths(approval))
        }
        AnswerFault::Moved(_, path) => stale(path),
        AnswerFault::NoGrantFits(ApprovalError::Port(error)) => port(error),
        AnswerFault::NoGrantFits(why) => format!("Malformed call: {why}"),
        AnswerFault::NotReviewable(id, why) => format!("{id} {why}"),
        AnswerFault::OtherVersion(_) => {
            "the human's change of this request was made with another version of Bailiwick, so nothing was written"
                .to_owned()
        }
    }
}

fn own_tool(fault: &OwnToolFault<'_>) -> String {
    match fault {
        OwnToolFault::NoTool(name) => format!("there is no tool `{name}`"),
        OwnToolFault::NoIntent { named: "", .. } => "no intent id was given".to_owned(),
        OwnToolFault::NoIntent { named, .. } => {
            format!("there is no intent `{}`", named.chars().take(80).collect::<String>())
        }
        OwnToolFault::NotSelectable { intent, .. } => {
            let why = intent.closed_because().unwrap_or("selectable");
            format!("{} is {why} and cannot be selected", intent.id())
        }
        OwnToolFault::NotOfParent { intent, .. } => format!("a sub-agent may not select {intent}"),
        OwnToolFault::Overlaps { intent, other } => {
            format!("the scope of {intent} overlaps {other}, which is in progress")
        }
        OwnToolFault::NotActive { named, .. } => {
            let named = named.chars().take(80).collect::<String>();
            format!("State Violation: you do not work under `{named}`, so you cannot say that it is done.")
        }
        OwnToolFault::ChangedSince { intent, .. } => format!(
            "State Violation: a human changed {intent} after you selected it, so you cannot say yet that it is done."
        ),
        OwnToolFault::NotAccepted => "no intent of that name was accepted".to_owned(),
    }
}

fn draft(fault: &DraftFault<'_>) -> String {
    match fault {
        DraftFault::Scope(ScopeError::Absolute(pattern)) if is_all(pattern) => owns_all(),
        DraftFault::Scope(error @ (ScopeError::Absolute(_) | ScopeError::Parent(_))) => {
            format!("Outside workspace: {error}")
        }
        DraftFault::LeadsOut(pattern) => {
            format!("Outside workspace: `{pattern}` does not lead into the repository.")
        }
        DraftFault::Reaches(pattern, by) => {
            format!("Too broad: `{pattern}` reaches what only a human changes ({by}).")
        }
        DraftFault::OwnsAll(_) => owns_all(),
        DraftFault::NothingToExpand => {
            "State Violation: no intent is active whose scope could be expanded.".to_owned()
        }
        DraftFault::IntentOver(id) => format!("Intent {id} cannot be worked under any more."),
        DraftFault::OfParent(id) => format!("a sub-agent may not change {id}"),
        DraftFault::Changed(file, _) | DraftFault::Edit(IntentEditError::Changed, file) => stale(file),
        DraftFault::Edit(IntentEditError::Port(error), _) => port(error),
        DraftFault::Edit(error, _) => {
            format!("the intents cannot be changed: {error}")
        }
        misread => format!("Malformed call: {}", why_misread(misread)),
    }
}

/// Why the parameters of a draft cannot be read.
fn why_misread(fault: &DraftFault<'_>) -> String {
    match fault {
        DraftFault::UnknownParameter(key, keys) => {
            format!("there is no parameter `{key}`; there are {}", keys.join(", "))
        }
        DraftFault::NotAList(key) => format!("`{key}` is not a list of strings"),
        DraftFault::Count(key, count, most) => {
            format!("`{key}` holds {count} strings; 1 to {most} are allowed")
        }
        DraftFault::Missing(key) => format!("`{key}` is missing, or is not a string"),
        DraftFault::TooLong(key, most) => format!("`{key}` is longer than {most} characters"),
        DraftFault::TakesAway(pattern) => format!("`{pattern}` takes away; an expansion only adds"),
        DraftFault::AddsNothing(id) => format!("the human's version of the request adds nothing to {id}"),
        DraftFault::Scope(error) => error.to_string(),
        DraftFault::NoGlob(why) => why.clone(),
        // The sentence of each of these is its own.
        DraftFault::LeadsOut(_)
        | DraftFault::Reaches(..)
        | DraftFault::OwnsAll(_)
        | DraftFault::NothingToExpand
        | DraftFault::IntentOver(_)
        | DraftFault::OfParent(_)
        | DraftFault::Changed(..)
        | DraftFault::Edit(..) => String::new(),
    }
}

fn owns_all() -> String {
    "Too broad: the scope owns the whole repository.".to_owned()
}

fn is_all(pattern: &str) -> bool {
    pattern.trim_matches(['/', '*', '.']).is_empty()
}

/// The fixed sentence.
fn stale(path: &str) -> String {
    ToolError::stale_file(path).message().to_owned()
}

/// Why, where that is more than the sentence; else nothing.
fn reason(hindrance: &Hindrance<'_>) -> String {
    match hindrance {
        Hindrance::Answer(AnswerFault::No(_, Some(text))) => {
            format!("a human rejected this call and says: {text}")
        }
        Hindrance::Answer(AnswerFault::No(_, None)) => "a human rejected this call".to_owned(),
        // Who knows why it is asked can find another way that is not.
        Hindrance::Answer(fault @ AnswerFault::Open(approval, _)) => {
            format!("{} {}", answer(fault), approval.request.reason)
        }
        Hindrance::Answer(AnswerFault::Moved(..)) => {
            "the files or the intent changed while a human was deciding, so the approval no longer fits"
                .to_owned()
        }
        Hindrance::OwnTool(OwnToolFault::NotOfParent { parents, .. }) => {
            let allowed = parents
                .as_ref()
                .map_or_else(|| "nothing: it has no active intent".to_owned(), ToString::to_string);
            format!("a sub-agent works under its parent's intent, which is {allowed}")
        }
        Hindrance::Draft(DraftFault::Changed(..) | DraftFault::Edit(IntentEditError::Changed, _)) => {
            "the intents changed while a human was deciding, so the approval no longer fits".to_owned()
        }
        _ => String::new(),
    }
}

/// What the agent can do next, where the code does not say it well enough; else nothing.
fn suggestion(hindrance: &Hindrance<'_>) -> String {
    match hindrance {
        Hindrance::Port(PortError::TooLarge { .. })
        | Hindrance::Ledger(PortError::TooLarge { .. })
        | Hindrance::Grant(GrantError::Port(PortError::TooLarge { .. }))
        | Hindrance::Answer(AnswerFault::NoGrantFits(ApprovalError::Port(PortError::TooLarge { .. })))
        | Hindrance::Draft(DraftFault::Edit(IntentEditError::Port(PortError::TooLarge { .. }), _)) => {
            "Leave the file as it is, write to a smaller one, or ask the human to make this change."
                .to_owned()
        }
        Hindrance::Ledger(PortError::Invalid(_)) => {
            "Ask the human to run `bailiwick trace verify`, which shows where the ledger was changed, or \
             `bailiwick uninstall` to stop governing this repository."
                .to_owned()
        }
        Hindrance::TooManyScripts(_) => {
            "Name fewer files in one command, or a folder instead of each file in it.".to_owned()
        }
        Hindrance::Unfit(Unfit::NotTold(_)) => {
            "Read the file again, and send the change with text that is there, or the whole content."
                .to_owned()
        }
        Hindrance::NotLetThrough => "Send the call again. In a pause, select an intent first.".to_owned(),
        Hindrance::Answer(AnswerFault::NoGrantFits(ApprovalError::Port(_))) => String::new(),
        Hindrance::Answer(AnswerFault::NoGrantFits(_)) => {
            "Resolve it with `approve` or `reject`; it is still open.".to_owned()
        }
        Hindrance::Answer(AnswerFault::OtherVersion(_)) => ASKED_AGAIN.to_owned(),
        Hindrance::OwnTool(
            OwnToolFault::NoIntent { valid, .. } | OwnToolFault::NotSelectable { valid, .. },
        ) => {
            if valid.is_empty() {
                nothing_to_select()
            } else {
                format!("Select one of: {}.", valid.join(", "))
            }
        }
        Hindrance::Draft(DraftFault::Reaches(pattern, _)) => format!("Leave `{pattern}` out of the scope."),
        Hindrance::Draft(DraftFault::OwnsAll(command)) => {
            format!("Name the folders or files that the task needs; or ask the human to run: {command}")
        }
        Hindrance::OwnTool(OwnToolFault::NotActive { active: Some(id), .. }) => {
            format!("Your active intent is {id}: name it, or select the other one first.")
        }
        Hindrance::OwnTool(OwnToolFault::NotActive { active: None, .. }) => {
            "No intent is active. Call select_active_intent, then report_done.".to_owned()
        }
        Hindrance::OwnTool(OwnToolFault::ChangedSince { intent, .. }) => format!(
            "Call select_active_intent with {intent} again, read what it asks for now, and call report_done when that is done."
        ),
        Hindrance::Draft(DraftFault::OfParent(_)) => {
            "Report to the session that started this one; it can ask for the scope.".to_owned()
        }
        Hindrance::Draft(DraftFault::Changed(..) | DraftFault::Edit(IntentEditError::Changed, _)) => {
            ASKED_AGAIN.to_owned()
        }
        _ => String::new(),
    }
}

/// What to do where no intent can be selected.
pub(crate) fn nothing_to_select() -> String {
    format!(
        "There is no intent to select. Reading is free; draft one with propose_intent {}, or ask the human to create one: bailiwick intent new \"Fix login timeout\" --scope src/auth/",
        proposal_example()
    )
}

/// The paths of a request as the end of a sentence; nothing for commands and tools without known paths.
fn on_paths(approval: &Approval) -> String {
    match approval.request.changed_paths.as_slice() {
        [] => String::new(),
        [one] => format!(" on {one}"),
        [first, rest @ ..] => format!(" on {first} and {} more", rest.len()),
    }
}
