//! The table: for each violation its code, its sentence, and where they are its own a reason, a suggestion and details.

use bailiwick_domain::{
    AncestorScope, CommandFault, ErrorCode, FileState, HealthFault, IntentId, OwnTool, OwnedScope,
    ScopePattern, ToolError, Value, json,
};

use super::details::{OfViolation, Propose};
use crate::calls::terms::Unreadable;
use crate::decide::violation::{Bound, Concern, Place, Places, Stray, Violation};
use crate::staleness::{self, StaleCause};

/// A violation as an error, without the call: one row of the table.
pub(super) fn row(violation: &Violation, others: &[&str]) -> ToolError {
    let sentence = sentence(violation, others);
    let why = reason(violation, &sentence);
    ToolError::new(code(violation, others), sentence)
        .with_reason(why)
        .with_suggestion(suggestion(violation, others))
        .with_details(&details(violation, others))
}

/// The code of a violation, where these intents could be selected instead of the active one.
pub(super) fn code(violation: &Violation, others: &[&str]) -> ErrorCode {
    match violation {
        Violation::Broken(HealthFault::NoRoot) => ErrorCode::MissingWorkspaceRoot,
        Violation::Broken(HealthFault::Missing(_)) => ErrorCode::OrchestrationMissing,
        Violation::Broken(HealthFault::Invalid(_)) => ErrorCode::OrchestrationInvalid,
        Violation::Broken(HealthFault::StateUnavailable(_)) => ErrorCode::LedgerUnavailable,
        Violation::Halted(_) => ErrorCode::Quarantined,
        Violation::TooEarly { .. } => ErrorCode::StateViolation,
        Violation::NoIntent => ErrorCode::MissingIntent,
        Violation::IntentClosed { .. } => ErrorCode::IntentNotSelectable,
        Violation::OtherIntent { named, .. } if others.contains(&named.as_str()) => ErrorCode::StateViolation,
        Violation::IntentGone(_) | Violation::OtherIntent { .. } => ErrorCode::IntentNotFound,
        Violation::Command(CommandFault::NotUnderstood(_)) => ErrorCode::CommandNotUnderstood,
        Violation::Command(CommandFault::Delegation(_)) => ErrorCode::DelegationRefused,
        Violation::Command(CommandFault::HumanOnly(_)) => ErrorCode::ProtectedPath,
        Violation::Unreadable(Unreadable::TooLarge(_)) => ErrorCode::TooLarge,
        Violation::Unreadable(Unreadable::Malformed(_)) | Violation::UnusablePath { .. } => {
            ErrorCode::MalformedCall
        }
        Violation::OutsideWorkspace(_) => ErrorCode::OutsideWorkspace,
        Violation::Protected { .. } => ErrorCode::ProtectedPath,
        Violation::IgnoreInvalid(_) => ErrorCode::IntentignoreInvalid,
        Violation::Ignored { .. } => ErrorCode::IntentIgnored,
        Violation::NoScope(_) => ErrorCode::NoScope,
        Violation::ScopeInvalid(_) => ErrorCode::OrchestrationInvalid,
        Violation::OutOfScope { .. } => ErrorCode::ScopeViolation,
        Violation::ForbiddenTool { .. }
        | Violation::ForbiddenPath { .. }
        | Violation::TooMuch { .. }
        | Violation::Uncounted { .. } => ErrorCode::ConstraintViolation,
        Violation::Unlinked { .. } => ErrorCode::TraceLinkMissing,
        Violation::Stale { .. } => ErrorCode::StaleFile,
    }
}

/// The sentence of a violation.
fn sentence(violation: &Violation, others: &[&str]) -> String {
    match violation {
        Violation::Broken(fault) => broken(fault),
        Violation::Halted(why) => {
            format!("Quarantined: this session is halted: {}.", why.trim_end_matches('.'))
        }
        Violation::TooEarly { tool, state, to_change, .. } => {
            let rule = if *to_change {
                "an active intent is required for mutations (writes/commands)"
            } else {
                "handshake.strict asks for an active intent before any tool"
            };
            format!("State Violation: {rule}; `{tool}` is not allowed in {}.", state.as_str())
        }
        Violation::NoIntent => {
            "No active intent: call select_active_intent with an intent id before changing anything."
                .to_owned()
        }
        Violation::IntentGone(id) => format!("Intent {id} is not in active_intents.yaml."),
        Violation::IntentClosed { intent, why } => {
            format!("Intent {intent} is {why}; nothing may be changed under it.")
        }
        Violation::OtherIntent { named, active } if others.contains(&named.as_str()) => {
            format!("State Violation: the call names intent {named}, but {active} is active.")
        }
        Violation::OtherIntent { named, active } => {
            format!("The call names intent {named}, which cannot be selected; {active} is active.")
        }
        Violation::Command(fault) => command(fault),
        Violation::Unreadable(Unreadable::Malformed(why)) => format!("Malformed call: {why}."),
        Violation::Unreadable(Unreadable::TooLarge(why)) => format!("Too large: {why}."),
        Violation::UnusablePath { places, why } => {
            let path = places.first.requested.escape_debug();
            format!("Malformed call: the path `{path}` cannot be used: {why}.")
        }
        Violation::OutsideWorkspace(Places { first, .. }) => {
            let (path, verb) = (&first.path, verb(first));
            format!("Outside workspace: {path} is not inside the repository and may not be {verb}.")
        }
        Violation::Protected { places: Places { first, .. }, .. } => {
            format!("Protected Path: {} may not be {} by an agent.", first.path, verb(first))
        }
        Violation::IgnoreInvalid(why) => {
            format!("Intentignore invalid: {why}. Nothing may be changed until it is repaired.")
        }
        Violation::Ignored { places: Places { first, .. }, .. } => {
            let (path, verb) = (&first.path, verb(first));
            format!("Intent Ignored: {path} may not be {verb}; .intentignore protects it.")
        }
        Violation::NoScope(intent) => {
            format!("No Scope: intent {intent} owns nothing, so nothing may be changed under it.")
        }
        Violation::ScopeInvalid(why) => why.clone(),
        Violation::OutOfScope { intent, places, stray, .. } => out_of_scope(intent, &places.first, stray),
        Violation::ForbiddenTool { intent, tool } => {
            format!("Constraint Violation: intent {intent} forbids the tool {tool}.")
        }
        Violation::ForbiddenPath { intent, places, .. } => {
            format!("Constraint Violation: intent {intent} forbids changing {}.", places.first.path)
        }
        Violation::TooMuch { intent, bound, limit, counted, adds } => format!(
            "Constraint Violation: intent {intent} may change {limit} {}; {counted} are counted, this call adds {adds}.",
            match bound {
                Bound::Files => "files",
                Bound::Lines => "lines",
            }
        ),
        Violation::Uncounted { intent, bound } => format!(
            "Constraint Violation: what was changed under intent {intent} cannot be counted, and it has `{}`.",
            bound.as_str()
        ),
        Violation::Unlinked { intent, named: None, .. } => {
            format!("Trace link missing: intent {intent} declares no requirement.")
        }
        Violation::Unlinked { intent, named: Some(named), .. } => {
            format!("Trace link missing: intent {intent} does not declare requirement {named}.")
        }
        Violation::Stale { places, cause, now, .. } => stale(&places.first.path, *cause, now),
    }
}

fn verb(place: &Place) -> &'static str {
    if place.is_changed { "changed" } else { "read" }
}

fn broken(fault: &HealthFault) -> String {
    match fault {
        HealthFault::NoRoot => {
            "No workspace root: this call cannot be tied to a governed repository. If you no longer want this \
             hook, run `bailiwick uninstall` where it was installed."
                .to_owned()
        }
        HealthFault::Missing(what) => {
            format!("Orchestration missing: this repository is governed, but {what}.")
        }
        HealthFault::Invalid(diagnostic) => format!("Orchestration invalid: {diagnostic}"),
        HealthFault::StateUnavailable(why) => {
            format!("Private state unavailable: {why}. Nothing may change without evidence.")
        }
    }
}

fn command(fault: &CommandFault) -> String {
    match fault {
        CommandFault::NotUnderstood(why) => format!("Command not understood: {why}."),
        CommandFault::Delegation(what) => format!("Delegation refused: {what} would run ungoverned."),
        CommandFault::HumanOnly(what) => {
            format!("Protected: `{what}` is a command that only a human runs, in their own terminal.")
        }
    }
}

fn out_of_scope(intent: &IntentId, place: &Place, stray: &Stray) -> String {
    let path = match stray {
        Stray::Link(link) => link.as_str(),
        Stray::Own | Stray::Parent(_) | Stray::Ancestor(_) | Stray::Sensitive(_) => &place.path,
    };
    if matches!(stray, Stray::Parent(parent) if parent.is_empty()) {
        // It is not the sub-agent's intent that does not own the path.
        return format!(
            "Scope Violation: the session that started this sub-agent works under no intent that owns anything, so {path} \
             may not be edited."
        );
    }
    ToolError::scope_violation(intent, path).message().to_owned()
}

fn stale(path: &str, cause: StaleCause, now: &FileState) -> String {
    match cause {
        _ if *now == FileState::Other => {
            format!("Stale File: {path} is no file, so there is nothing to read or to replace.")
        }
        StaleCause::AnchorNotFound if *now == FileState::Absent => {
            format!("Stale File: {path} does not exist, so nothing in it can be replaced.")
        }
        StaleCause::NeverRead => {
            format!("Stale File: {path} was never read in this session. Read it before writing.")
        }
        StaleCause::PartlyRead => format!(
            "Stale File: only a part of {path} was read in this session. Read the whole of it before replacing it."
        ),
        StaleCause::AnchorNotFound => {
            format!("Stale File: the text to replace is not in {path}. Read it again before writing.")
        }
        StaleCause::LineEnds => {
            format!(
                "Stale File: the lines of {path} end in CRLF, and the text to replace was quoted with LF."
            )
        }
        StaleCause::AnchorAmbiguous => format!(
            "Stale File: the text to replace is in {path} more often than expected. Quote more of it."
        ),
        StaleCause::Changed
        | StaleCause::Imported
        | StaleCause::TakenBack
        | StaleCause::DeletedSince
        | StaleCause::CreatedSince
        | StaleCause::ReadHashMismatch => ToolError::stale_file(path).message().to_owned(),
    }
}

/// Why, where it is more than the sentence.
fn reason(violation: &Violation, sentence: &str) -> String {
    match violation {
        Violation::Protected { pattern, .. } => {
            format!("{sentence} It is protected by the pattern {pattern}.")
        }
        Violation::Ignored { rule, .. } => format!("{sentence} The rule is {rule}."),
        Violation::OutOfScope { patterns, stray, .. } => {
            let checked = format!("{sentence} Patterns checked: {}.", listed(patterns));
            match stray {
                Stray::Own | Stray::Link(_) => checked,
                Stray::Parent(parent) if parent.is_empty() => {
                    format!("{sentence} A sub-agent stays inside its parent's scope.")
                }
                Stray::Parent(parent) => {
                    format!("{checked} A sub-agent also stays inside its parent's scope: {}.", listed(parent))
                }
                // No wider scope of the intent itself helps.
                Stray::Ancestor(AncestorScope { intent, owned_scope }) => format!(
                    "{sentence} Its parent {intent} does not own this path (it owns {}).",
                    listed(owned_scope)
                ),
                Stray::Sensitive(pattern) => format!(
                    "{checked} The file is sensitive ({pattern}), so the scope must name it literally."
                ),
            }
        }
        Violation::TooEarly { to_change: true, unproved: Some(why), .. } => {
            format!("{sentence} {why}")
        }
        Violation::ForbiddenPath { unread: Some(why), .. } => {
            format!("{sentence} A constraint cannot be read: {why}.")
        }
        Violation::Stale { places, cause: StaleCause::Imported, .. } => format!(
            "Version control changed {} since it was read (a switch, merge, rebase, stash or reset): what is there now is one of its own states. Read it again before writing.",
            places.first.path
        ),
        Violation::Stale { places, cause: StaleCause::TakenBack, .. } => format!(
            "A human took {} back to what was there before one of your own changes. Read it again before writing.",
            places.first.path
        ),
        _ => String::new(),
    }
}

/// What to do, where it is not what the catalogue says of the code.
fn suggestion(violation: &Violation, others: &[&str]) -> String {
    match violation {
        Violation::OtherIntent { named, .. } if others.contains(&named.as_str()) => {
            format!("Call select_active_intent with {named} first, or leave the id out.")
        }
        Violation::TooEarly { .. }
        | Violation::NoIntent
        | Violation::IntentGone(_)
        | Violation::IntentClosed { .. }
        | Violation::OtherIntent { .. } => selection(others),
        Violation::Broken(HealthFault::Invalid(found)) if found.file.ends_with("config.yaml") => {
            "Ask the human to run `bailiwick config check` and correct config.yaml, or `bailiwick uninstall` to stop \
             governing this repository."
                .to_owned()
        }
        Violation::Command(CommandFault::HumanOnly(_)) => {
            "Ask the human; from here only the query commands and `bailiwick tool` may run.".to_owned()
        }
        Violation::OutsideWorkspace(Places { first, .. }) if !first.is_changed => {
            "Use a path inside the repository. If you need this one, ask the human to add its folder to `read.roots`."
                .to_owned()
        }
        Violation::Protected { places: Places { first, .. }, .. } if !first.is_changed => {
            "Go on without what is in it, or ask the human for the part that you need. If a pattern such as `*` took it along, \
             name the other files instead."
                .to_owned()
        }
        Violation::OutOfScope { patterns, stray, .. } => match stray {
            Stray::Parent(parent) if parent.is_empty() => {
                "Stop this task and say so: the session that started it selects an intent, then the change is made again."
                    .to_owned()
            }
            Stray::Ancestor(AncestorScope { intent, .. }) => {
                format!("Change a file that {intent} owns too, or ask the human to widen {intent}.")
            }
            Stray::Own | Stray::Parent(_) | Stray::Sensitive(_) | Stray::Link(_) => {
                let elsewhere = match others {
                    [] => String::new(),
                    _ => format!("select the intent that owns this file ({}), ", others.join(", ")),
                };
                format!(
                    "Change a file inside the scope ({}), {elsewhere}or call request_scope_expansion, which asks the human \
                     to expand the scope.",
                    listed(patterns)
                )
            }
        },
        Violation::Stale { now: FileState::Other, .. } => "Name a file.".to_owned(),
        Violation::Stale { cause: StaleCause::AnchorNotFound, now: FileState::Absent, .. } => {
            "Name a file that is there, or write this one whole.".to_owned()
        }
        Violation::Stale { cause: StaleCause::NeverRead, .. } => {
            "Read the file, then make the change on what it says now.".to_owned()
        }
        Violation::Stale { cause: StaleCause::LineEnds, .. } => {
            "Quote `\\r\\n` for the end of each line, in the new text too.".to_owned()
        }
        Violation::TooMuch { intent, bound, .. } => format!(
            "{}, or ask the human to raise `{}` of {intent}; a changed intent counts from zero.",
            match bound {
                Bound::Files => "Change only files that are counted already",
                Bound::Lines => "Make the change smaller",
            },
            bound.as_str()
        ),
        _ => String::new(),
    }
}

/// The details that this violation has beside those of the call.
fn details<'a>(violation: &'a Violation, others: &'a [&'a str]) -> OfViolation<'a> {
    let none = OfViolation::default;
    let details = match violation {
        Violation::Broken(HealthFault::Invalid(diagnostic)) => OfViolation {
            file: Some(&diagnostic.file),
            line: Some(diagnostic.line),
            column: Some(diagnostic.column),
            ..none()
        },
        Violation::TooEarly { state, .. } => OfViolation { state: Some(state.as_str()), ..none() },
        Violation::OtherIntent { named, .. } => OfViolation { named_intent: Some(named.as_str()), ..none() },
        Violation::Protected { pattern, .. } => OfViolation { pattern: Some(pattern), ..none() },
        Violation::Ignored { rule, .. } => OfViolation { rule: Some(rule), ..none() },
        Violation::OutOfScope { stray: Stray::Ancestor(ancestor), .. } => {
            OfViolation { parent: Some(ancestor.intent.as_str()), ..none() }
        }
        Violation::ForbiddenTool { tool, .. } => OfViolation { constraint: Some(tool), ..none() },
        Violation::TooMuch { bound, limit, counted, .. } => OfViolation {
            constraint: Some(bound.as_str()),
            limit: Some(*limit),
            counted: Some(*counted),
            ..none()
        },
        Violation::Uncounted { bound, .. } => OfViolation { constraint: Some(bound.as_str()), ..none() },
        Violation::Unlinked { declared, .. } => OfViolation { requirements: Some(declared), ..none() },
        Violation::Stale { places, cause, seen, claimed, now } => {
            let expected = claimed.clone().map(FileState::Content).or_else(|| seen.clone());
            OfViolation {
                cause: Some(cause.as_str()),
                path: Some(&places.first.path),
                expected: Some(staleness::shown(expected.as_ref(), false)),
                actual: Some(staleness::shown(Some(now), seen.is_some())),
                ..none()
            }
        }
        _ => none(),
    };
    if violation.concern() != Concern::Selection {
        return details;
    }
    let can_propose = !matches!(violation, Violation::IntentClosed { .. } | Violation::OtherIntent { .. });
    let propose = Propose { tool: OwnTool::ProposeIntent.as_str(), params: proposal_example() };
    let propose = (can_propose && others.is_empty()).then_some(propose);
    OfViolation { selectable: Some(others), propose, ..details }
}

/// The ids that could be selected, or how to propose a first intent.
fn selection(others: &[&str]) -> String {
    if others.is_empty() {
        return format!(
            "Call list_intents and select the id that covers this change. If there is none, draft one: call propose_intent \
             with {}; after the human's yes select it and retry. The human can also write one: \
             bailiwick intent new \"<what you want to do>\" --scope <path>.",
            proposal_example()
        );
    }
    format!(
        "Call select_active_intent with the id that covers this change, then retry. Selectable: {}.",
        others.join(", ")
    )
}

/// The parameters of a call of `propose_intent`, as an example.
pub fn proposal_example() -> Value {
    json!({
        "name": "Fix login timeout",
        "why": "Sessions end too early",
        "owned_scope": ["src/auth/**"],
        "acceptance_criteria": ["A session of 29 minutes is accepted"],
    })
}

fn listed(scope: &OwnedScope) -> String {
    let patterns: Vec<&str> = scope.patterns().iter().map(ScopePattern::as_str).collect();
    if patterns.is_empty() { "(none)".to_owned() } else { patterns.join(", ") }
}
