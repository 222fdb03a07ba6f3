//! The person's prompt, kept beside the session so that a question can show what was asked for (ADR 0014).
//!
//! Nothing depends on it: what cannot be kept is not shown. Deliberately absent: the ledger and the decision log, which
//! never hold a prompt.

use bailiwick_adapters_fs::{FsPrompts, SystemClock};
use bailiwick_domain::{Actor, Clock};

use crate::gate::Gate;
use crate::redact::redact;
use crate::site::Site;

/// So much of a prompt is looked at, in bytes; less of it is kept.
const LOOKED_AT: usize = 16 * 1024;

/// Keeps what a person asked for, without the secrets that are known by their form. Where the settings say no, no prompt
/// of any session stays; where they cannot be read, none is kept, for they may say no.
pub(super) async fn keep(gate: &Gate, site: &Site, actor: &Actor, prompt: &str) {
    let prompts = FsPrompts::new(&site.layout);
    let _ = match gate.ports().rules.policy.settings().await {
        Ok(settings) if settings.show_prompt => {
            prompts.keep(actor, &redact(beginning(prompt)), SystemClock.now())
        }
        Ok(_) => prompts.forget_all(),
        Err(_) => prompts.forget(actor),
    };
}

/// The session is over, or a person asked it for something else: what they asked for before goes, whether or not the next
/// prompt can be kept.
pub(super) fn forget(site: &Site, actor: &Actor) {
    let _ = FsPrompts::new(&site.layout).forget(actor);
}

/// The beginning of a text, to the end of a character.
fn beginning(text: &str) -> &str {
    let end = (0..=LOOKED_AT.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    end.and_then(|end| text.get(..end)).unwrap_or_default()
}
