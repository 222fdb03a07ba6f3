//! The report: intents, what they changed, who approved it and how that is known, as one HTML file.
//!
//! The file loads nothing and runs nothing: its style stands in it, and its content security policy names that style alone.
//! Every value is escaped by the template.

use askama::Template;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The style of the page. Its hash stands in the policy, so that no other style counts.
const STYLE: &str = include_str!("../templates/report.css");

/// What the report says, as texts that a person may read.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The repository's name.
    pub repository: String,
    /// When it was made, local time.
    pub made: String,
    /// The revision of the working copy, where it is known.
    pub revision: Option<String>,
    /// What is left out, and which option shows it; empty where everything is there.
    pub left_out: Vec<String>,
    /// What the ledger is worth.
    pub ledger: Ledger,
    /// The intents, in the order of their file.
    pub intents: Vec<Intent>,
    /// What each requirement led to.
    pub requirements: Vec<Requirement>,
    /// Who approved, and how much.
    pub approvers: Vec<Approver>,
    /// The changed files by path, with the changes of each, newest first.
    pub files: Vec<File>,
}

/// What the ledger is worth.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Ledger {
    /// Whether `trace verify` found no alarm.
    pub is_intact: bool,
    /// How many entries this clone's ledger has.
    pub entries: u64,
    /// How many of them the witness saw.
    pub witnessed: u64,
    /// How many of them a known key signed.
    pub signed: u64,
    /// What `trace verify` found, alarms first.
    pub findings: Vec<String>,
    /// Governed files that changed without a record.
    pub drift: Vec<String>,
    /// Whether all files were looked at for it.
    pub drift_is_complete: bool,
}

/// An intent and what came of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Intent {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its status, as `IN_PROGRESS`.
    pub status: String,
    /// Why it is wanted.
    pub why: Option<String>,
    /// The patterns that it owns.
    pub scope: Vec<String>,
    /// The requirements that it names.
    pub requirements: Vec<String>,
    /// How many entries changed something under it.
    pub entries: usize,
    /// How many files they changed.
    pub files: usize,
}

/// What a requirement led to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Requirement {
    /// Its id.
    pub id: String,
    /// The intents that name it.
    pub intents: Vec<String>,
    /// How many files changed for it.
    pub files: usize,
}

/// Who approved, and how much.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Approver {
    /// Their name, or what stands for it.
    pub name: String,
    /// How many changes.
    pub entries: usize,
    /// In how many files.
    pub files: usize,
}

/// A file and its changes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct File {
    /// Its path from the root.
    pub path: String,
    /// Its changes, newest first.
    pub changes: Vec<Change>,
}

/// One change of one file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Change {
    /// The beginning of its entry's id.
    pub entry: String,
    /// When it was made, local time.
    pub at: String,
    /// The intent that it was made under.
    pub intent: String,
    /// The requirements that it was made for.
    pub requirements: Vec<String>,
    /// What was done: created, changed, deleted, moved.
    pub what: String,
    /// The lines it left, as `3-7, 9`.
    pub lines: String,
    /// What it means: a refactor, or an evolution of the intent.
    pub class: String,
    /// The agent's host and session.
    pub actor: String,
    /// Who approved it.
    pub approved: String,
    /// How that is known.
    pub known: String,
    /// Whether anybody could have written the entry.
    pub is_claimed: bool,
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    report: &'a Report,
    style: &'a str,
    style_hash: String,
}

/// The first bytes of each report: a file that begins so may be written over by a newer one.
pub const OPENING: &str = "<!doctype html>\n<!-- bailiwick report -->\n";

/// The page.
///
/// # Errors
/// Something in it cannot be shown; every part of a report can.
///
/// ```
/// use bailiwick_adapters_web::report::{Report, page};
///
/// let report = Report { repository: "<shop>".to_owned(), ..Report::default() };
/// assert!(page(&report)?.contains("&#60;shop&#62;"));
/// # Ok::<(), std::fmt::Error>(())
/// ```
pub fn page(report: &Report) -> Result<String, std::fmt::Error> {
    let style_hash = BASE64_STANDARD.encode(Sha256::digest(STYLE));
    let page = Page { report, style: STYLE, style_hash };
    page.render().map_err(|_| std::fmt::Error)
}
