//! Patches between `*** Begin Patch` and `*** End Patch`: a client's own applier may change no file that the gate did not
//! read out of that client's event.

pub(crate) mod codex;
pub(crate) mod opencode;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use bailiwick_adapters_hooks::{EventKind, Host};
use bailiwick_domain::Value;
use bailiwick_policy::registry::classify;
use bailiwick_policy::targets;

use crate::judge::Finding;

/// The files that the gate takes an event to change, as [`crate::tree::Tree::changed`] names them; nothing where it refuses.
fn said(host: &Host, event: &Value, root: &Path) -> Result<Option<BTreeSet<String>>> {
    let Ok(event) = (host.parse)(event.to_string().as_bytes()) else { return Ok(None) };
    let EventKind::Pre { call, .. } = event.kind else { return Ok(None) };
    let params = host.judged_params(&call.tool, &call.params);
    let Ok(found) = targets(&classify(&call.tool, &BTreeMap::new()), &params) else { return Ok(None) };
    let changes = found.paths.iter().filter(|target| target.access.mutates());
    changes.map(|target| seen_from(root, &target.requested)).collect::<Result<_>>().map(Some)
}

/// A path as it is named from the root, `../` in front of what lies beside it.
fn seen_from(root: &Path, requested: &str) -> Result<String> {
    let mut path = PathBuf::new();
    for part in root.join(requested).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(path.pop()),
            other => path.push(other),
        }
    }
    let beside = root.parent().context("the root has no parent")?;
    let name = |path: &Path| path.to_string_lossy().into_owned();
    Ok(match (path.strip_prefix(root), path.strip_prefix(beside)) {
        (Ok(below), _) => name(below),
        (_, Ok(below)) => format!("../{}", name(below)),
        _ => name(&path),
    })
}

/// What it means that a client changed these files by that text.
fn held(text: &str, said: Option<&BTreeSet<String>>, changed: &BTreeSet<String>) -> Finding {
    let Some(said) = said else {
        return if changed.is_empty() { Finding::Held } else { Finding::Refused };
    };
    match changed.iter().find(|path| !said.contains(*path)) {
        Some(path) => Finding::Missed(format!("{path:?} was changed, the gate named {said:?}\n{text}")),
        None => Finding::Held,
    }
}
