//! Whether the store can be trusted: its health, the intents, the settings.

use bailiwick_adapters_fs::{FsIntentRepo, FsPolicySource, TraceKeys};
use bailiwick_domain::PolicySource;

use super::report::Report;
use crate::command::judged;
use crate::command::setup::init::questions::segments_differ;
use crate::command::trace::{damage, git_ignores};
use crate::site::Site;

pub(super) fn check(site: &Site, report: &mut Report) {
    report.section("Store");
    place(site, report);
    let policy = FsPolicySource::new(site.layout.clone());
    match judged::store(site) {
        None => report.ok("the intents and settings are valid"),
        Some(trouble) => report.trouble(&trouble),
    }
    if let Some(trouble) = judged::ignore(site) {
        report.trouble(&trouble);
    }
    if judged::ignores_nothing(site) {
        report.note(judged::IGNORES_NOTHING);
    }
    intents(site, report);
    if pollster::block_on(policy.settings()).is_ok_and(|settings| settings.trace_sign) {
        signing(site, report);
    }
    if segments_differ(site) {
        report.warn("`trace.in_git` and `.orchestration/.gitignore` differ: `bailiwick init` sets the rule");
    }
    [damage(site), git_ignores(site)].into_iter().flatten().for_each(|trouble| report.warn(trouble));
    for warning in policy.config_report().map(|found| found.warnings).unwrap_or_default() {
        report.warn(warning.to_string());
    }
}

/// Whether entries can be signed, where the settings ask for it: without a key no change is let through.
fn signing(site: &Site, report: &mut Report) {
    match TraceKeys::open(&site.layout) {
        Ok(keys) => match keys.own() {
            Some(key) => report.ok(format!("entries of the ledger are signed with {key}")),
            None => report.ok("entries of the ledger are signed with a key that the first of them makes"),
        },
        Err(error) => report.fail(format!("no entry can be signed, so every change is refused: {error}")),
    }
}

fn place(site: &Site, report: &mut Report) {
    let root = site.layout.root().display();
    match &site.git {
        Some(git) if git.git_is_symlink => {
            report.warn(format!("root {root}: `.git` is a symlink, which is easily swapped for another"));
        }
        Some(_) => report.ok(format!("root {root}")),
        None => report.warn(format!("root {root} is not under version control: changes have no revision")),
    }
}

fn intents(site: &Site, report: &mut Report) {
    let Ok(found) = FsIntentRepo::new(site.layout.clone()).load_report() else { return };
    for warning in &found.warnings {
        report.warn(warning.to_string());
    }
    for error in found.errors.iter().skip(1) {
        report.fail(error.to_string());
    }
    // Of a file that is not valid nothing is known; what is wrong with it is said above.
    if !found.errors.is_empty() {
        return;
    }
    match found.set.selectable().count() {
        0 => report.warn(
            "no intent can be selected, so agents only read until you accept one that they draft, or write one: `bailiwick intent new \"NAME\" --scope PATH`",
        ),
        count => report.ok(format!("intents that can be selected: {count}")),
    }
}
