//! The review of grants on the neutral wire: a person runs the program on it, so it may keep and put back.

use bailiwick_domain::{ErrorCode, GrantId, Params, RepoPath, ToolError, Value, json};

use super::{malformed, text};
use crate::command::answers::approval::review::{as_json, reviewed_json};
use crate::restore::{GrantChanges, PlanError, Restorer, ReviewError};

/// Without a decision what there is to review, with one the review itself. Only `keep` and `revert` are decisions.
pub(super) async fn answer(restorer: &Restorer<'_>, request: &Params) -> Result<Value, ToolError> {
    let Some(decision) = text(request, "decision") else { return list(restorer, request).await };
    let id = named(request)?.ok_or_else(|| malformed("`grant` is missing"))?;
    let changes = restorer.changes_of(id).await.map_err(|error| of_plan(&error))?;
    let revert = match decision {
        "keep" => Vec::new(),
        "revert" => paths(request, &changes)?,
        other => return Err(malformed(format!("`{other}` is neither `keep` nor `revert`"))),
    };
    let by = text(request, "approver").unwrap_or("gate");
    let done = restorer.review(&changes, &revert, by).await.map_err(|error| of_review(&error))?;
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
            let grants = restorer.to_review().await.map_err(|error| of_plan(&error))?;
            grants.iter().map(|grant| grant.id).collect()
        }
    };
    let found = restorer.changes_of_each(&ids).await.into_iter();
    let reviews: Vec<Value> = found
        .map(|changes| changes.map(|changes| as_json(&changes)))
        .collect::<Result<_, _>>()
        .map_err(|error| of_plan(&error))?;
    Ok(json!({"action": "review", "reviews": reviews}))
}

fn named(request: &Params) -> Result<Option<GrantId>, ToolError> {
    match request.get("grant") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => {
            GrantId::parse(name).map(Some).map_err(|error| malformed(error.to_string()))
        }
        Some(_) => Err(malformed("`grant` is not a string")),
    }
}

/// The files that shall be put back; all of them when none is named.
fn paths(request: &Params, changes: &GrantChanges) -> Result<Vec<RepoPath>, ToolError> {
    let names = match request.get("paths") {
        None | Some(Value::Null) => return Ok(changes.paths()),
        Some(Value::Array(names)) if !names.is_empty() => names,
        Some(_) => return Err(malformed("`paths` is not a list of paths")),
    };
    let path = |name: &Value| {
        let path = name.as_str().and_then(|name| RepoPath::new(name).ok());
        path.ok_or_else(|| malformed("`paths` holds something that is no path relative to the root"))
    };
    names.iter().map(path).collect()
}

fn of_plan(error: &PlanError) -> ToolError {
    let code = match error {
        PlanError::Port(_) => ErrorCode::LedgerUnavailable,
        _ => ErrorCode::MalformedCall,
    };
    ToolError::new(code, error.to_string())
}

fn of_review(error: &ReviewError) -> ToolError {
    match error {
        ReviewError::Plan(error) => of_plan(error),
        ReviewError::Obstacle(_) => ToolError::new(ErrorCode::StaleFile, error.to_string()),
        ReviewError::Restore(error) => of_restore(error),
        ReviewError::Gate(error) => (**error).clone(),
    }
}

fn of_restore(error: &crate::gate::OwnChangeError) -> ToolError {
    use bailiwick_domain::PutBackError::Changed;
    match error {
        crate::gate::OwnChangeError::Files(Changed(_)) => {
            ToolError::new(ErrorCode::StaleFile, error.to_string())
        }
        crate::gate::OwnChangeError::Files(_) => {
            ToolError::new(ErrorCode::LedgerUnavailable, error.to_string())
        }
        crate::gate::OwnChangeError::Gate(error) => (**error).clone(),
    }
}
