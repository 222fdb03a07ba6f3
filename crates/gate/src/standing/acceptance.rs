//! Intents that nobody has accepted on this machine as they are, such as a wider scope that came by git, or one that is
//! open again: every question under them begins with their change, and approving it accepts them. Nothing passes under
//! them without such an approval, and the host's own prompt, which cannot show the change, gives none.
//!
//! Looked up with each call that changes something, in one small file: what an intent was a moment ago says nothing of
//! what happened to it since.

use bailiwick_domain::{Approval, Constraint, Intent, PortError, Value, json};
use bailiwick_policy::acceptance::{counts, takes_away};

use super::Standing;
use crate::presentation::unified_diff;

/// The largest change of an intent that is shown, in bytes.
const MAX_SHOWN: usize = 20_000;

/// Why the host's prompt does not do.
pub(crate) const NOT_SHOWN: &str = "The host's own prompt cannot show the change of the intent that approving would accept. The human runs `bailiwick intent accept` or answers in `bailiwick watch` or `bailiwick approval`; then retry.";

/// An intent that was not accepted as it is, with what counted last.
#[derive(Clone, Debug)]
pub(crate) struct Unaccepted {
    pub(crate) now: Intent,
    pub(crate) was: Option<Intent>,
}

impl Standing<'_> {
    /// Whether the intent counts as it is; with what counted last where it does not. What was taken away from it is
    /// remembered with its branch, so that it does not come back unseen.
    pub(crate) async fn unaccepted(&self, now: &Intent) -> Result<Option<Unaccepted>, PortError> {
        let accepted = self.intents.accepted(now.id()).await?;
        let branch = self.vcs.branch().await;
        if !counts(now, &accepted, &branch) {
            return Ok(Some(Unaccepted { now: now.clone(), was: accepted.newest(&branch).cloned() }));
        }
        if takes_away(now, &accepted, &branch) {
            self.writer.note_taken(now, &branch).await?;
        }
        Ok(None)
    }

    /// A yes that was used accepts what its question showed. What cannot be remembered is shown once more with the next
    /// question.
    pub(crate) async fn accept_shown(&self, shown: Vec<Unaccepted>) {
        if shown.is_empty() {
            return;
        }
        let branch = self.vcs.branch().await;
        for Unaccepted { now, .. } in shown {
            drop(self.writer.accept(&now, &branch).await);
        }
    }
}

/// Whether a question showed all that its yes would accept.
pub(crate) fn has_shown(approval: &Approval, unaccepted: &[Unaccepted]) -> bool {
    unaccepted.iter().all(|one| approval.request.accepts.contains(one.now.revision()))
}

/// What a person sees of the intents that a yes accepts, before anything else; empty when there are none.
pub(crate) fn shown(unaccepted: &[Unaccepted]) -> String {
    unaccepted.iter().map(|one| format!("{}\n", change_of(one.was.as_ref(), &one.now))).collect()
}

/// The change of an intent as a diff of YAML.
pub fn change_of(was: Option<&Intent>, now: &Intent) -> String {
    let before = was.map(as_yaml);
    let after = as_yaml(now);
    let path = format!("{} in .orchestration/active_intents.yaml", now.id());
    unified_diff(&path, before.as_deref().map(str::as_bytes), Some(after.as_bytes()), MAX_SHOWN)
}

/// All that governs or instructs, each text as one quoted line.
fn as_yaml(intent: &Intent) -> String {
    let mut lines = vec![format!("- id: {}", intent.id())];
    let quoted = |text: &str| Value::String(text.to_owned()).to_string();
    lines.push(format!("  name: {}", quoted(intent.name())));
    lines.push(format!("  status: {}", intent.status()));
    if intent.is_frozen() {
        lines.push("  frozen: true".to_owned());
    }
    lines.extend(intent.expires().map(|end| format!("  expires: {end}")));
    lines.extend(intent.why().map(|why| format!("  why: {}", quoted(why))));
    lines.extend(intent.parent().map(|parent| format!("  parent: {parent}")));
    let mut list = |key: &str, items: Vec<String>| {
        if !items.is_empty() {
            lines.push(format!("  {key}:"));
            lines.extend(items.into_iter().map(|item| format!("    - {item}")));
        }
    };
    let texts = |items: Vec<&str>| items.into_iter().map(quoted).collect::<Vec<_>>();
    list("owned_scope", texts(intent.owned_scope().patterns().iter().map(|p| p.as_str()).collect()));
    list("constraints", intent.constraints().iter().map(limit).collect());
    list("acceptance_criteria", texts(intent.acceptance_criteria().iter().map(|c| c.0.as_str()).collect()));
    list("requirements", texts(intent.requirements().iter().map(String::as_str).collect()));
    list("what they say", texts(intent.wording().iter().map(String::as_str).collect()));
    lines.push(String::new());
    lines.join("\n")
}

fn limit(constraint: &Constraint) -> String {
    match constraint {
        Constraint::Text(text) => Value::String(text.clone()).to_string(),
        Constraint::ForbidPaths(patterns) => json!({ "forbid_paths": patterns }).to_string(),
        Constraint::ForbidTools(tools) => json!({ "forbid_tools": tools }).to_string(),
        Constraint::MaxFiles(limit) => json!({ "max_files": limit }).to_string(),
        Constraint::MaxLines(limit) => json!({ "max_lines": limit }).to_string(),
    }
}
