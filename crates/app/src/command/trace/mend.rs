//! What a person can do about each alarm of the ledger: a damaged segment comes back out of git, the rest is for `repair`.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::{ContentHash, Finding, FindingKind, Severity, Verification};

use crate::command::git::{Git, SEGMENTS, segment_name};
use crate::command::{Context, git};
use crate::counted::counted;
use crate::inert;
use crate::site::Site;

/// So many segments are named beside a commit; of more the folder is.
const NAMED: usize = 3;

/// Says the next step for each kind of alarm.
pub(super) fn say(verification: &Verification, site: &Site, context: &Context) {
    steps(verification, site).iter().for_each(|step| context.terminal.hint(step));
}

fn steps(verification: &Verification, site: &Site) -> Vec<String> {
    let alarms = || verification.findings.iter().filter(|found| found.severity == Severity::Alarm);
    let folder = site.layout.root().join(SEGMENTS).display().to_string();
    let (of_segments, others): (Vec<&Finding>, Vec<&Finding>) =
        alarms().partition(|found| found.file.contains(SEGMENTS));
    let here = of_segments.iter().filter(|found| found.file.starts_with(&folder));
    let here: BTreeSet<ContentHash> = here.filter_map(|found| segment_name(&found.file)).collect();
    let mut steps = from_git(&here, site);
    if of_segments.iter().any(|found| found.kind == FindingKind::SegmentGone) {
        steps.push(
            "a segment that is nowhere cannot be made again: look for it in a backup of this working copy"
                .to_owned(),
        );
    }
    if of_segments.iter().any(|found| !found.file.starts_with(&folder)) {
        steps.push(
            "what an older commit has stays there: look at that commit with `git show`, and ask its author"
                .to_owned(),
        );
    }
    if !others.is_empty() {
        steps.push("run `bailiwick trace repair`: it repairs what it can, and says what is left".to_owned());
    }
    steps
}

/// How segments come back as they were sealed.
fn from_git(damaged: &BTreeSet<ContentHash>, site: &Site) -> Vec<String> {
    let git = site.git.as_ref().map(|_| Git::new(site.layout.root()));
    let (mut kept, mut lost): (BTreeMap<String, Vec<String>>, usize) = <_>::default();
    for name in damaged {
        let path = format!("{SEGMENTS}/{}.jsonl", name.digits());
        match git.as_ref().and_then(|git| whole_in(git, &path, name)) {
            Some(commit) => kept.entry(commit).or_default().push(path),
            None => lost += 1,
        }
    }
    let from = |(commit, paths): (String, Vec<String>)| {
        let paths = if paths.len() > NAMED { SEGMENTS.to_owned() } else { paths.join(" ") };
        let commit = commit.get(..12).unwrap_or(&commit);
        inert::line(&format!("a damaged segment is whole in git: `git checkout {commit} -- {paths}`"))
    };
    let mut steps: Vec<String> = kept.into_iter().map(from).collect();
    if lost > 0 {
        let segments = counted(lost, "damaged segment is", "damaged segments are");
        steps.push(format!(
            "{segments} whole in no commit: look in a backup, or ask who sealed them for a copy"
        ));
    }
    steps
}

/// The newest commit that has the segment as it was sealed.
fn whole_in(git: &git::Git, path: &str, name: &ContentHash) -> Option<String> {
    let commits = git.commits_of(path).ok()?;
    let has = |id: &str| git.file_at(id, path).is_some_and(|bytes| ContentHash::of(&bytes) == *name);
    commits.into_iter().map(|commit| commit.id).find(|id| has(id))
}
