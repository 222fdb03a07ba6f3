//! What the newest commits changed, and what they say: asked of git once, and then only for what came since.

use std::collections::HashMap;

use bailiwick_adapters_fs::FsPastCache;
use bailiwick_domain::SegmentHistory;
use bailiwick_policy::suggest::{FileFacts, PastCommit};
use serde::{Deserialize, Serialize};

use crate::command::git::Git;
use crate::site::Site;

/// So many commits are looked at, and a commit with more files than that ties nothing together.
const MOST_COMMITS: usize = 3000;
const MOST_FILES: usize = 30;
/// So long a subject is kept, in signs.
const MOST_SUBJECT: usize = 200;
/// Changes whenever the form changes.
const FORM: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Kept {
    form: u32,
    head: String,
    commits: Vec<Commit>,
}

#[derive(Serialize, Deserialize)]
struct Commit {
    subject: String,
    files: Vec<String>,
}

/// The newest commits, newest first, by places in that list. Without git, or where git fails, there are none.
pub(super) fn past(site: &Site, files: &[FileFacts]) -> Vec<PastCommit> {
    let git = Git::new(site.layout.root());
    let Some(head) = site.git.as_ref().and_then(|_| git.head()) else { return Vec::new() };
    let places: HashMap<&str, usize> =
        files.iter().enumerate().map(|(at, file)| (file.path.as_str(), at)).collect();
    let commit = |commit: Commit| PastCommit {
        subject: commit.subject,
        files: commit.files.iter().filter_map(|file| places.get(file.as_str()).copied()).collect(),
    };
    commits(&FsPastCache::new(&site.layout), &git, head).into_iter().map(commit).collect()
}

fn commits(cache: &FsPastCache, git: &Git, head: String) -> Vec<Commit> {
    let kept = cache.read().and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    let kept = kept.filter(|kept| kept.form == FORM && is_id(&kept.head));
    let commits = match kept {
        Some(kept) if kept.head == head => return kept.commits,
        Some(kept) if git.is_ancestor(&kept.head, &head) => {
            let mut commits = listed(git, &format!("{}..{head}", kept.head));
            commits.extend(kept.commits);
            commits.truncate(MOST_COMMITS);
            commits
        }
        _ => listed(git, &head),
    };
    let kept = Kept { form: FORM, head, commits };
    if let Ok(bytes) = serde_json::to_vec(&kept) {
        cache.keep(&bytes);
    }
    kept.commits
}

fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What git lists. Names that it quotes are left out: they could be told apart from others only by more work.
fn listed(git: &Git, range: &str) -> Vec<Commit> {
    let most = format!("--max-count={MOST_COMMITS}");
    let words = ["-c", "core.quotePath=false", "log", "--no-merges", "--no-renames", "--name-only", &most];
    let words = [&words[..], &["--format=%x01%s", "--end-of-options", range, "--"]].concat();
    let mut commits: Vec<Commit> = Vec::new();
    for line in git.text(&words).unwrap_or_default().lines().filter(|line| !line.is_empty()) {
        if let Some(subject) = line.strip_prefix('\u{1}') {
            let subject = subject.chars().take(MOST_SUBJECT).collect();
            commits.push(Commit { subject, files: Vec::new() });
        } else if let Some(commit) = commits.last_mut().filter(|commit| commit.files.len() <= MOST_FILES) {
            commit.files.push(line.to_owned());
        }
    }
    for commit in commits.iter_mut().filter(|commit| commit.files.len() > MOST_FILES) {
        commit.files.clear();
    }
    commits
}
