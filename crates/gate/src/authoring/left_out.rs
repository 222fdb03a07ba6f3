//! What a drafted scope leaves out although it usually changes with what the scope owns, in words for the agent that
//! drafted it. Only what was looked up before is used, when a person looked at the draft: git is not asked here.

use std::collections::BTreeMap;

use bailiwick_domain::{OwnedScope, RepoPath, Settings, WorkspacePath, json};
use bailiwick_policy::protection::{Protection, of_change, of_reading};
use bailiwick_policy::scope_match::ScopeMatcher;
use bailiwick_policy::suggest::{FileFacts, PastCommit, forgotten};
use bailiwick_policy::{IgnoreFact, IgnoreRules};

use super::Authoring;
use crate::gathering::facts::understand;

/// So many files are named.
const MOST: usize = 5;

impl Authoring<'_> {
    /// What to tell an agent of its accepted draft; empty where nothing is left out or it cannot be told.
    pub(crate) async fn left_out(&self, scope: &OwnedScope) -> String {
        let past = self.meter.past().await;
        let rules = match understand(self.policy.ignore().await) {
            IgnoreFact::Absent => IgnoreRules::default(),
            IgnoreFact::Rules(rules) => rules,
            IgnoreFact::Invalid(_) => return String::new(),
        };
        let (Ok(settings), Ok(matcher)) = (self.policy.settings().await, ScopeMatcher::new(scope)) else {
            return String::new();
        };
        let Ok(listing) = self.meter.tree().await else { return String::new() };
        let folds = self.workspace.folds_case();
        let may = |path: &RepoPath| {
            is_ordinary(path, &settings) && rules.forbids(path, None, false, folds).is_none()
        };
        let paths = listing.files.into_iter().filter(may);
        let files: Vec<FileFacts> =
            paths.map(|path| FileFacts { path, found: Vec::new(), imports: Vec::new() }).collect();
        let found = forgotten(&files, |path| matcher.matches(path), &by_place(&files, &past), MOST);
        if found.is_empty() {
            return String::new();
        }
        let names: Vec<&str> = found.iter().map(|one| one.path.as_str()).collect();
        let names = json!(names);
        format!(
            " Past commits usually changed these with files of its scope, and it does not own them: {names}. If the work \
             needs one, ask for it with request_scope_expansion."
        )
    }
}

/// Whether anybody but a person may change or read it.
fn is_ordinary(path: &RepoPath, settings: &Settings) -> bool {
    let folded = WorkspacePath { folded: path.as_str().to_lowercase(), path: path.clone(), spelled: None };
    !path.is_in_orchestration()
        && !matches!(of_change(&folded, settings), Protection::Protected(_))
        && of_reading(&folded, settings).is_none()
}

fn by_place(files: &[FileFacts], past: &[Vec<RepoPath>]) -> Vec<PastCommit> {
    let places: BTreeMap<&RepoPath, usize> =
        files.iter().enumerate().map(|(place, file)| (&file.path, place)).collect();
    let commit = |paths: &Vec<RepoPath>| PastCommit {
        subject: String::new(),
        files: paths.iter().filter_map(|path| places.get(path).copied()).collect(),
    };
    past.iter().map(commit).collect()
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::{RepoPath, Settings};

    use super::is_ordinary;

    #[test]
    fn what_only_a_person_may_touch_is_not_offered() {
        let settings = Settings {
            protect_write: vec!["locked/**".to_owned()],
            protect_read: vec!["customers/**".to_owned()],
            ..Settings::default()
        };
        for (path, expected) in [
            ("src/a.rs", true),
            (".orchestration/notes.md", false),
            (".git/config", false),
            ("locked/a.rs", false),
            (".env", false),
            ("customers/a.csv", false),
        ] {
            assert_eq!(is_ordinary(&RepoPath::new(path).unwrap(), &settings), expected, "{path}");
        }
    }
}
