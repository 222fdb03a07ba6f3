//! The facts of a report, gathered in one pass over the ledger.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use bailiwick_adapters_fs::SystemClock;
use bailiwick_adapters_web::report::{Approver, File, Intent, Ledger, Report, Requirement};
use bailiwick_domain::{
    Clock, Finding, Intent as Written, IntentRepo, LedgerReader, LedgerVerifier, Order, Severity, StoredEntry,
};
use pollster::block_on;

use super::changes;
use crate::command::git::Git;
use crate::command::intent::Here;
use crate::command::output::reading;
use crate::command::trace::{Filter, drift, reader, verifier};
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::inert;
use crate::site::Site;

/// How many characters of a commit's id are shown.
const COMMIT: usize = 12;

/// How many findings and drifted files are named.
const NAMED: usize = 200;

/// How long is looked for drift; the rest is for `trace verify --drift`.
const DRIFT_TIME: Duration = Duration::from_secs(20);

/// Everything that the page says.
pub(super) fn report(
    site: &Site,
    filter: &Filter,
    limit: usize,
    context: &Context,
) -> Result<Report, CommandError> {
    let mut counts = Counts::default();
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    let (mut listed, mut unlisted) = (0_usize, 0_usize);
    let mut take = |stored: StoredEntry| {
        if filter.wants(&stored) {
            counts.add(&stored);
            for changed in changes::shown(&stored) {
                if listed < limit {
                    listed += 1;
                    let path = inert::line(changed.path.as_str());
                    let file =
                        files.entry(path.clone()).or_insert_with(|| File { path, changes: Vec::new() });
                    let mut change = changes::change(&stored, changed);
                    if context.json {
                        change.at = stored.entry.timestamp.to_string();
                    }
                    file.changes.push(change);
                } else {
                    unlisted += 1;
                }
            }
        }
        ControlFlow::Continue(())
    };
    reader(site, context).visit(&filter.query(Order::NewestFirst), &mut take)?;
    let intents = block_on(Here::of(site).repo.load())?;
    let intents: Vec<&Written> = intents.iter().filter(|intent| filter.names(intent.id())).collect();
    Ok(Report {
        repository: inert::line(&name(site)),
        made: if context.json { SystemClock.now().to_string() } else { reading::now_dated() },
        revision: site
            .git
            .as_ref()
            .and_then(|_| Git::new(site.layout.root()).commit("HEAD"))
            .map(|(commit, _)| commit.chars().take(COMMIT).collect()),
        left_out: left_out(filter, unlisted, context.claims.passed_over()),
        ledger: ledger(site, context)?,
        requirements: counts.requirements(&intents),
        intents: intents.iter().map(|intent| counts.intent(intent)).collect(),
        approvers: counts.approvers(),
        files: files.into_values().collect(),
    })
}

fn name(site: &Site) -> String {
    let root = site.layout.root();
    root.file_name().map_or_else(|| root.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn left_out(filter: &Filter, unlisted: usize, has_claimed: bool) -> Vec<String> {
    let mut said = Vec::new();
    if filter.is_any() {
        said.push("This is a part of the ledger: only what the options chose.".to_owned());
    }
    if has_claimed {
        said.push(
            "Entries that nobody vouches for are left out; `--claimed` takes them in and marks them."
                .to_owned(),
        );
    }
    if unlisted > 0 {
        let changes = counted(unlisted, "older change is", "older changes are");
        said.push(format!("{changes} counted and not listed; `--limit` lists more."));
    }
    said
}

fn ledger(site: &Site, context: &Context) -> Result<Ledger, CommandError> {
    let verification = verifier(site, context).verify()?;
    let drift = drift::find(site, Some(DRIFT_TIME))?;
    let root = site.layout.root().display().to_string();
    let finding = |one: &Finding| {
        let word = if one.severity == Severity::Alarm { "alarm" } else { "note" };
        let file =
            one.file.strip_prefix(&root).unwrap_or(&one.file).trim_start_matches(std::path::MAIN_SEPARATOR);
        format!("{word}: {file}: {}", one.message)
    };
    let extent = &verification.extent;
    Ok(Ledger {
        is_intact: !verification.has_alarm(),
        entries: extent.entries,
        witnessed: extent.witnessed.unwrap_or_default(),
        signed: extent.signed,
        findings: verification.findings.iter().take(NAMED).map(|one| inert::line(&finding(one))).collect(),
        drift: drift.files.iter().take(NAMED).map(|file| inert::line(file.path().as_str())).collect(),
        drift_is_complete: drift.is_complete,
    })
}

/// What all entries together say.
#[derive(Debug, Default)]
struct Counts {
    /// The entries and files of each intent.
    intents: BTreeMap<String, Tally>,
    /// The files of each requirement.
    requirements: BTreeMap<String, Tally>,
    /// The entries and files of each approver.
    approvers: BTreeMap<String, Tally>,
}

#[derive(Debug, Default)]
struct Tally {
    entries: usize,
    files: BTreeSet<String>,
    intents: BTreeSet<String>,
}

impl Tally {
    fn add(&mut self, stored: &StoredEntry) {
        self.entries += 1;
        self.intents.insert(stored.entry.context.intent.as_str().to_owned());
        self.files.extend(changes::shown(stored).map(|file| file.path.as_str().to_owned()));
    }
}

impl Counts {
    fn add(&mut self, stored: &StoredEntry) {
        let context = &stored.entry.context;
        self.intents.entry(context.intent.as_str().to_owned()).or_default().add(stored);
        for id in super::required(context) {
            self.requirements.entry(id).or_default().add(stored);
        }
        self.approvers.entry(changes::approver(stored)).or_default().add(stored);
    }

    fn intent(&self, intent: &Written) -> Intent {
        let tally = self.intents.get(intent.id().as_str());
        described(intent, tally.map_or(0, |tally| tally.entries), tally.map_or(0, |tally| tally.files.len()))
    }

    /// Each requirement that an intent names or an entry was made for, with these intents.
    fn requirements(&self, intents: &[&Written]) -> Vec<Requirement> {
        let named = intents.iter().flat_map(|intent| intent.requirements());
        let ids: BTreeSet<&String> = named.chain(self.requirements.keys()).collect();
        let row = |id: &String| {
            let names = intents.iter().filter(|intent| intent.requirements().contains(id));
            let mut names: BTreeSet<String> = names.map(|intent| intent.id().as_str().to_owned()).collect();
            let tally = self.requirements.get(id);
            names.extend(tally.iter().flat_map(|tally| tally.intents.iter().map(|id| inert::line(id))));
            Requirement {
                id: inert::line(id),
                intents: names.into_iter().collect(),
                files: tally.map_or(0, |tally| tally.files.len()),
            }
        };
        ids.into_iter().map(row).collect()
    }

    /// Who approved most comes first.
    fn approvers(&self) -> Vec<Approver> {
        let row = |(name, tally): (&String, &Tally)| Approver {
            name: inert::line(name),
            entries: tally.entries,
            files: tally.files.len(),
        };
        let mut rows: Vec<Approver> = self.approvers.iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.entries));
        rows
    }
}

/// An intent in words, with how much was done under it.
pub(in crate::command) fn described(intent: &Written, entries: usize, files: usize) -> Intent {
    Intent {
        id: intent.id().as_str().to_owned(),
        name: inert::line(intent.name()),
        status: intent.status().as_str().to_owned(),
        why: intent.why().map(inert::text),
        scope: intent.owned_scope().patterns().iter().map(|one| inert::line(one.as_str())).collect(),
        requirements: intent.requirements().iter().map(|id| inert::line(id)).collect(),
        entries,
        files,
    }
}
