//! Patches between `*** Begin Patch` and `*** End Patch`: a client's own applier may change no file that the gate did not
//! read out of that client's event.

pub(crate) mod codex;
pub(crate) mod opencode;
mod texts;

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use bailiwick_adapters_hooks::{EventKind, Host};
use bailiwick_domain::{EditRules, Value};
use bailiwick_policy::edits::{are_known, is_patch_known};
use bailiwick_policy::registry::classify;
use bailiwick_policy::{Access, RequestedTarget, Targets, targets};

use crate::judge::Finding;
use crate::tree::at_first;

/// What the gate reads out of an event.
struct Said {
    targets: Targets,
    rules: EditRules,
    /// The files that it takes the event to change, as [`crate::tree::Tree::changed`] names them.
    files: BTreeMap<String, Vec<RequestedTarget>>,
}

/// What the gate reads out of an event; nothing where it refuses.
fn said(host: &Host, event: &Value, root: &Path) -> Result<Option<Said>> {
    let Ok(event) = (host.parse)(event.to_string().as_bytes()) else { return Ok(None) };
    let EventKind::Pre { call, .. } = event.kind else { return Ok(None) };
    let params = host.judged_params(&call.tool, &call.params);
    let Ok(targets) = targets(&classify(&call.tool, &BTreeMap::new()), &params) else { return Ok(None) };
    let mut files: BTreeMap<String, Vec<RequestedTarget>> = BTreeMap::new();
    for target in targets.paths.iter().filter(|target| target.access.mutates()) {
        files.entry(seen_from(root, &target.requested)?).or_default().push(target.clone());
    }
    let rules = host.edits.context("nothing was measured of this host")?.rules;
    Ok(Some(Said { targets, rules, files }))
}

impl Said {
    /// What the gate says that a file then holds, where it says so.
    fn predicted(&self, file: &str) -> Option<Vec<u8>> {
        let [target] = self.files.get(file)?.as_slice() else { return None };
        let before = at_first(file);
        let (rules, patch) = (&self.rules, self.targets.patch.as_ref());
        let content = self.targets.content_for(&target.requested);
        let (before, after) = match target.access {
            Access::Patch => (Some(before.as_bytes()), self.targets.patched(&target.requested, &before)?),
            Access::Overwrite => (None, content.clone()?),
            _ => return None,
        };
        let is_known = is_patch_known(rules, before, Some(after.as_bytes()), patch)
            && are_known(rules, None, &[], content.as_deref());
        is_known.then(|| after.into_bytes())
    }
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

/// What it means that a client changed these files by that text, and to these contents.
fn held(text: &str, said: Option<&Said>, changed: &BTreeMap<String, Option<Vec<u8>>>) -> Finding {
    let Some(said) = said else {
        return if changed.is_empty() { Finding::Held } else { Finding::Refused };
    };
    for (file, holds) in changed {
        if !said.files.contains_key(file) {
            let named = said.files.keys();
            return Finding::Missed(format!("{file:?} was changed, the gate named {named:?}\n{text}"));
        }
        let predicted = said.predicted(file);
        if predicted.is_some() && predicted != *holds {
            let [said, holds] = [&predicted, holds]
                .map(|bytes| bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned()));
            return Finding::Missed(format!("{file:?} holds {holds:?}, the gate said {said:?}\n{text}"));
        }
    }
    Finding::Held
}
