//! Whether a question is answered with entries that nobody vouches for, and how an answer is known.
//!
//! Anyone who can write the repository can put a well-formed segment there. Deliberately absent: who vouches for an entry
//! (the ledger's reader).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bailiwick_adapters_fs::FsLedgerReader;
use bailiwick_domain::{StoredEntry, Trust, Value, json};

use crate::command::Context;

/// The option of each question.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct Claimed {
    /// Answer with entries, too, that no witness of yours saw and no key signed that you trust
    #[arg(long)]
    pub(crate) claimed: bool,
}

/// What a question was asked with, and what it passed over.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    are_wanted: AtomicBool,
    passed_over: Arc<AtomicBool>,
}

impl Claims {
    /// Takes the option of a question up.
    pub(crate) fn take(&self, option: Claimed) {
        self.are_wanted.store(option.claimed, Ordering::Relaxed);
    }

    /// The reader with what the question wants.
    pub(crate) fn reader(&self, reader: FsLedgerReader) -> FsLedgerReader {
        if self.are_wanted.load(Ordering::Relaxed) {
            return reader.with_trust();
        }
        reader.vouched_for(Arc::clone(&self.passed_over))
    }

    /// Whether there is more that nobody vouches for.
    pub(crate) fn passed_over(&self) -> bool {
        self.passed_over.load(Ordering::Relaxed)
    }

    /// Says that there is more.
    pub(crate) fn tell(&self, context: &Context) {
        if self.passed_over() && !context.json {
            context.terminal.hint(
                "entries that nobody vouches for were left out: `--claimed` includes them, \
                 and `bailiwick trace key trust` trusts the key of somebody you know",
            );
        }
    }
}

/// How an entry is known, for people.
pub(crate) fn known_as(stored: &StoredEntry) -> String {
    match &stored.trust {
        Some(Trust::Own) | None => "your own record".to_owned(),
        Some(Trust::Signed(name)) => format!("signed by {name}"),
        Some(Trust::Unvouched) => "claimed: anybody could have written it".to_owned(),
    }
}

/// Whether nobody vouches for it.
pub(crate) fn is_unvouched(stored: &StoredEntry) -> bool {
    stored.trust == Some(Trust::Unvouched)
}

/// The two fields of a porcelain line.
pub(crate) fn fields(stored: &StoredEntry) -> [String; 2] {
    let trust = stored.trust.as_ref();
    let word = trust.map_or("-", Trust::as_str);
    [word.to_owned(), trust.and_then(Trust::signer).unwrap_or("-").to_owned()]
}

/// Puts how an entry is known into a JSON object about it.
pub(crate) fn with_trust(mut value: Value, stored: &StoredEntry) -> Value {
    if let (Some(members), Some(trust)) = (value.as_object_mut(), &stored.trust) {
        members.insert("trust".to_owned(), json!(trust.as_str()));
        members.insert("signer".to_owned(), json!(trust.signer()));
    }
    value
}
