//! The review of grants on the neutral wire: a person runs the program on it, so it may keep and put back.

use bailiwick_domain::{GrantId, Params, RepoPath, ToolError, Value, json};

use super::text;
use crate::command::answers::approval::review::{as_json, reviewed_json};
use crate::refusals::{Fault, RequestFault};
use crate::restore::{GrantChanges, PlanError, Restorer, ReviewError};

/// Without a decision what there is to review, with one the review itself. Only `keep` and `revert` are decisions.
pub(super) async fn answer(restorer: &Restorer<'_>, request: &Params) -> Result<Value, ToolError> {
    let Some(decision) = text(request, "decision") else { return list(restorer, request).await };
    let id = named(request)?.ok_or(RequestFault::Missing("grant"))?;
    let changes = restorer.changes_of(id).await.map_err(of_plan)?;
    let revert = match decision {
        "keep" => Vec::new(),
        "revert" => paths(request, &changes)?,
        other => return Err(RequestFault::Decision(other).into()),
    };
    let by = text(request, "approver").unwrap_or("gate");
    let done = restorer.review(&changes, &revert, by).await.map_err(Fault::Review)?;
    let mut answer = reviewed_json(&changes, &done);
    if let Value::Object(fields) = &mut answer {
        fields.insert("action".to_owned(), "reviewed".into());
    }
    Ok(answer)
}

async fn list(restorer: &Restorer<'_>, request: &Params) -> Result<Value, ToolError> {
    let ids = match named(request)? {
        Some(id) => vec![id],
        None => {
            let grants = restorer.to_review().await.map_err(of_plan)?;
            grants.iter().map(|grant| grant.id).collect()
        }
    };
    let found = restorer.changes_of_each(&ids).await.into_iter();
    let reviews: Vec<Value> = found
        .map(|changes| changes.map(|changes| as_json(&changes)))
        .collect::<Result<_, _>>()
        .map_err(of_plan)?;
    Ok(json!({"action": "review", "reviews": reviews}))
}

fn named(request: &Params) -> Result<Option<GrantId>, ToolError> {
    match request.get("grant") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => {
            GrantId::parse(name).map(Some).map_err(|error| RequestFault::Name(error.to_string()).into())
        }
        Some(_) => Err(RequestFault::Not("grant", "a string").into()),
    }
}

/// The files that shall be put back; all of them when none is named.
fn paths(request: &Params, changes: &GrantChanges) -> Result<Vec<RepoPath>, ToolError> {
    let names = match request.get("paths") {
        None | Some(Value::Null) => return Ok(changes.paths()),
        Some(Value::Array(names)) if !names.is_empty() => names,
        Some(_) => return Err(RequestFault::Not("paths", "a list of paths").into()),
    };
    let path = |name: &Value| {
        let path = name.as_str().and_then(|name| RepoPath::new(name).ok());
        path.ok_or_else(|| RequestFault::Holds("paths", "no path relative to the root").into())
    };
    names.iter().map(path).collect()
}

fn of_plan(error: PlanError) -> ToolError {
    Fault::Review(ReviewError::Plan(error)).into()
}
