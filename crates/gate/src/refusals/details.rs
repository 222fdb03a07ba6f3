//! What `details` of a refusal by the gate itself hold, as types. The published schema is made from them (feature `schema`).

#[cfg(feature = "schema")]
use bailiwick_domain::Map;
use bailiwick_domain::{Approval, IntentEditError, PutBackError, Value};
use bailiwick_policy::proposal_example;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde::Serialize;

use super::{AnswerFault, DraftFault, Hindrance, OwnToolFault};

/// All of them; each hindrance fills in some.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Details<'a> {
    /// The request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String", length(min = 1)))]
    pub(super) approval_id: Option<&'a str>,
    /// Why a file is stale.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) cause: Option<&'a str>,
    /// The parameters of a call that would be understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "object"))]
    pub(super) example: Option<Value>,
    /// When the request lapses.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) expires: Option<String>,
    /// What the person said with a rejection; null where nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub(super) feedback: Option<Option<&'a str>>,
    /// The intent that the call is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) intent_id: Option<&'a str>,
    /// The intent in progress whose scope overlaps.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) overlaps: Option<&'a str>,
    /// The stale file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) path: Option<&'a str>,
    /// The paths that the error is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(super) paths: Option<Vec<&'a str>>,
    /// The revision of the intent as it is now, short.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) revision: Option<&'a str>,
    /// Whether the same call may come again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Retry"))]
    pub(super) retry: Option<Retry>,
    /// The revision that was selected, short.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) selected_revision: Option<&'a str>,
    /// The status of the intent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "statuses"))]
    pub(super) status: Option<&'a str>,
    /// The tool of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) tool: Option<&'a str>,
    /// The ids that can be selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(super) valid_ids: Option<&'a [String]>,
}

/// What to do after an answer.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Retry {
    /// Whether to make the same call again.
    pub(super) same_call: bool,
    /// Whether to propose another way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "bool"))]
    pub(super) alternative: Option<bool>,
}

/// What a hindrance says beside its words.
pub(super) fn of<'a>(hindrance: &'a Hindrance<'a>) -> Details<'a> {
    let changed = Details { cause: Some("changed_during_approval"), ..Details::default() };
    match hindrance {
        Hindrance::NotWritten(PutBackError::Changed(path)) => {
            Details { path: Some(path.as_str()), paths: Some(vec![path.as_str()]), ..changed }
        }
        Hindrance::NotWritten(PutBackError::Confined { path, .. }) => {
            Details { paths: Some(vec![path.as_str()]), ..Details::default() }
        }
        Hindrance::Answer(fault) => of_answer(fault),
        Hindrance::OwnTool(fault) => of_own_tool(fault),
        Hindrance::Draft(DraftFault::Changed(_, request)) => {
            Details { approval_id: request.map(|id| id.0.as_str()), ..changed }
        }
        Hindrance::Draft(DraftFault::Edit(IntentEditError::Changed, _)) => changed,
        Hindrance::Proposal(_) => Details { example: Some(proposal_example()), ..Details::default() },
        _ => Details::default(),
    }
}

fn of_answer<'a>(fault: &AnswerFault<'a>) -> Details<'a> {
    let retry = |same_call, alternative| Some(Retry { same_call, alternative });
    match fault {
        AnswerFault::Open(approval, _) => Details {
            expires: Some(approval.expires.to_string()),
            tool: Some(&approval.request.tool),
            retry: retry(true, None),
            ..of_request(approval)
        },
        AnswerFault::No(approval, feedback) => Details {
            feedback: Some(*feedback),
            tool: Some(&approval.request.tool),
            retry: retry(false, Some(true)),
            ..of_request(approval)
        },
        AnswerFault::Moved(approval, _) => {
            Details { cause: Some("changed_during_approval"), ..of_request(approval) }
        }
        AnswerFault::Unawaited(id) | AnswerFault::OtherVersion(id) => {
            Details { approval_id: Some(&id.0), ..Details::default() }
        }
        AnswerFault::Unusable(_)
        | AnswerFault::NobodyWaits(_)
        | AnswerFault::Nothing
        | AnswerFault::NoGrantFits(_)
        | AnswerFault::NotReviewable(..) => Details::default(),
    }
}

fn of_request(approval: &Approval) -> Details<'_> {
    let paths = approval.request.changed_paths.iter().map(String::as_str).collect();
    Details { approval_id: Some(&approval.id.0), paths: Some(paths), ..Details::default() }
}

fn of_own_tool<'a>(fault: &'a OwnToolFault<'a>) -> Details<'a> {
    match fault {
        OwnToolFault::NoIntent { valid, .. } => Details { valid_ids: Some(valid), ..Details::default() },
        OwnToolFault::NotSelectable { intent, valid } => Details {
            intent_id: Some(intent.id().as_str()),
            status: Some(intent.status().as_str()),
            valid_ids: Some(valid),
            ..Details::default()
        },
        OwnToolFault::NotOfParent { intent, .. } => {
            Details { intent_id: Some(intent.as_str()), ..Details::default() }
        }
        OwnToolFault::Overlaps { other, .. } => {
            Details { overlaps: Some(other.as_str()), ..Details::default() }
        }
        OwnToolFault::ChangedSince { intent, selected, now } => Details {
            intent_id: Some(intent.as_str()),
            revision: Some(now.short()),
            selected_revision: Some(selected.short()),
            ..Details::default()
        },
        OwnToolFault::NoTool(_) | OwnToolFault::NotAccepted | OwnToolFault::NotActive { .. } => {
            Details::default()
        }
    }
}

/// The keys of `details` that the gate itself fills in, each with its schema.
#[cfg(feature = "schema")]
pub fn details_schema() -> Map<String, Value> {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).for_serialize();
    let schema = Details::json_schema(&mut settings.into_generator());
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

#[cfg(feature = "schema")]
fn object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object" })
}

#[cfg(feature = "schema")]
fn statuses(_: &mut SchemaGenerator) -> Schema {
    use bailiwick_domain::IntentStatus as S;
    let all = [S::Pending, S::InProgress, S::Blocked, S::Completed, S::Abandoned].map(S::as_str);
    json_schema!({ "enum": all })
}
