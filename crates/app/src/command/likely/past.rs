//! What the newest commits changed, and what they say: asked of git once, and then only for what came since.

use std::collections::HashMap;

use bailiwick_adapters_fs::{FsPastCache, KeptCommit, KeptPast};
use bailiwick_domain::SegmentHistory;
use bailiwick_policy::suggest::{FileFacts, PastCommit};

use crate::command::git::Git;
use crate::site::Site;

/// So many commits are looked at, and a commit with more files than that ties nothing together.
const MOST_COMMITS: usize = 3000;
const MOST_FILES: usize = 30;
/// So long a subject is kept, in signs.
const MOST_SUBJECT: usize = 200;
/// The newest commits, newest first, by places in that list. Where git says nothing, those that were kept count.
pub(super) fn past(site: &Site, files: &[FileFacts]) -> Vec<PastCommit> {
    let git = Git::new(site.layout.root());
    let cache = FsPastCache::new(&site.layout);
    let commits = match site.git.as_ref().and_then(|_| git.head()) {
        Some(head) => commits(&cache, &git, head),
        None => cache.read().map(|kept| kept.commits).unwrap_or_default(),
    };
    let places: HashMap<&str, usize> =
        files.iter().enumerate().map(|(at, file)| (file.path.as_str(), at)).collect();
    let commit = |commit: KeptCommit| PastCommit {
        subject: commit.subject,
        files: commit.files.iter().filter_map(|file| places.get(file.as_str()).copied()).collect(),
    };
    commits.into_iter().map(commit).collect()
}

fn commits(cache: &FsPastCache, git: &Git, head: String) -> Vec<KeptCommit> {
    let kept = cache.read().filter(|kept| is_id(&kept.head));
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
    let kept = KeptPast::new(head, commits);
    cache.keep(&kept);
    kept.commits
}

fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What git lists. Names that it quotes are left out: they could be told apart from others only by more work.
fn listed(git: &Git, range: &str) -> Vec<KeptCommit> {
    let most = format!("--max-count={MOST_COMMITS}");
    let words = ["-c", "core.quotePath=false", "log", "--no-merges", "--no-renames", "--name-only", &most];
    let words = [&words[..], &["--format=%x01%s", "--end-of-options", range, "--"]].concat();
    let mut commits: Vec<KeptCommit> = Vec::new();
    for line in git.text(&words).unwrap_or_default().lines().filter(|line| !line.is_empty()) {
        if let Some(subject) = line.strip_prefix('\u{1}') {
            let subject = subject.chars().take(MOST_SUBJECT).collect();
            commits.push(KeptCommit { subject, files: Vec::new() });
        } else if let Some(commit) = commits.last_mut().filter(|commit| commit.files.len() <= MOST_FILES) {
            commit.files.push(line.to_owned());
        }
    }
    for commit in commits.iter_mut().filter(|commit| commit.files.len() > MOST_FILES) {
        commit.files.clear();
    }
    commits
}
