//! Whether an answer rests on ledgers of others that do not go on as their signed heads say, which were seen here before.
//!
//! `trace verify` remembers heads and finds out everything; a question takes one glance, and says the same in the same
//! words. Deliberately absent: how an entry is known (`claims`).

use std::sync::Arc;

use bailiwick_adapters_fs::departed;
use bailiwick_domain::{Finding, SegmentHistory, Severity, Value, json};

use crate::command::Context;
use crate::command::git::Git;
use crate::inert;
use crate::site::Site;

/// What a glance found.
#[derive(Debug, Default)]
pub(crate) struct Departed(Vec<Finding>);

impl Departed {
    /// Looks at the segments of the working copy and of its history. What cannot be looked at is left to verifying.
    pub(crate) fn look(site: &Site) -> Self {
        let git: Option<Arc<dyn SegmentHistory>> = match site.git {
            Some(_) => Some(Arc::new(Git::new(site.layout.root()))),
            None => None,
        };
        Self(departed(&site.layout, git.as_deref()).unwrap_or_default())
    }

    /// Says it beside an answer.
    pub(crate) fn tell(&self, context: &Context) {
        for finding in &self.0 {
            let said = inert::line(&format!("{}: {}", finding.file, finding.message)).to_string();
            match finding.severity {
                Severity::Alarm => {
                    context.terminal.warning(&format!("{said}; `bailiwick trace verify` says more"));
                }
                Severity::Note => context.terminal.hint(&format!("entries may be missing here: {said}")),
            }
        }
    }

    /// Puts it into the JSON object of an answer; nothing where there is nothing to say.
    pub(crate) fn with(&self, mut value: Value) -> Value {
        if let Some(members) = value.as_object_mut().filter(|_| !self.0.is_empty()) {
            members.insert("findings".to_owned(), json!(self.0));
        }
        value
    }
}
