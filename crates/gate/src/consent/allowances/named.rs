//! What the words of an allowed command name: each is judged like a reading and a change of what it may lead to, for nobody
//! knows what the command does with it. Patterns, which many programs take apart themselves, count by what they ask for.

use bailiwick_domain::{Admitted, Location, Settings, WorkspacePath};
use bailiwick_policy::IgnoreFact;
use bailiwick_policy::protection::{self, Protection};

use super::{Allowances, Context};
use crate::gathering::case::in_folder;
use crate::gathering::facts::understand;

impl Allowances<'_> {
    /// Whether all that the words name is in the root, and neither protected nor kept from reading there.
    pub(super) async fn are_open(
        &self,
        context: Context<'_>,
        folder: Option<&str>,
        named: &Admitted,
    ) -> Result<(), String> {
        for path in &named.paths {
            let is_open = match self.workspace.locate(&in_folder(folder, path), context.cwd).await {
                Location::Root => true,
                Location::Inside(found) => is_changeable(&found, context.settings),
                _ => false,
            };
            if !is_open {
                return Err("takes no path that leads out of the repository or is protected".to_owned());
            }
        }
        for pattern in &named.patterns {
            if protection::guarded_named_by(pattern, context.settings).is_some() {
                return Err(format!("does not take `{pattern}`, which asks for what is protected"));
            }
            if protection::secret_named_by(pattern, context.settings).is_some() {
                return Err(unread(pattern));
            }
        }
        let ignore = understand(self.policy.ignore().await);
        for path in &named.reads {
            let location = self.workspace.locate(&in_folder(folder, path), context.cwd).await;
            if matches!(&location, Location::Inside(found) if self.keeps(context, &ignore, found)) {
                return Err(unread(path));
            }
        }
        Ok(())
    }

    /// Whether what the words run is of the root.
    pub(super) async fn are_there(
        &self,
        context: Context<'_>,
        folder: Option<&str>,
        named: &Admitted,
    ) -> Result<(), String> {
        for files in &named.there {
            if !self.is_one_there(context, folder, files).await {
                let file = files.first().map_or("it", |file| file.as_str());
                return Err(format!("counts only where what it runs is installed here, and `{file}` is not"));
            }
        }
        for file in &named.absent {
            let place = self.workspace.locate(&in_folder(folder, file), context.cwd).await;
            if self.workspace.is_there(&place).await {
                return Err(format!(
                    "does not count where `{file}` of this repository would run in its place"
                ));
            }
        }
        Ok(())
    }

    async fn is_one_there(&self, context: Context<'_>, folder: Option<&str>, files: &[String]) -> bool {
        for file in files {
            let place = self.workspace.locate(&in_folder(folder, file), context.cwd).await;
            let is_one = match file.ends_with("/.") {
                true => self.gathering.is_folder_at(&place).await,
                false => {
                    matches!(place, Location::Inside(_) | Location::Root)
                        && self.workspace.is_there(&place).await
                }
            };
            if is_one {
                return true;
            }
        }
        false
    }

    /// Whether a place is kept from reading.
    fn keeps(&self, context: Context<'_>, ignore: &IgnoreFact, place: &WorkspacePath) -> bool {
        let is_ignored = match ignore {
            IgnoreFact::Absent => false,
            IgnoreFact::Invalid(_) => true,
            IgnoreFact::Rules(rules) => {
                rules.forbids_place(place, context.active, true, self.workspace.folds_case()).is_some()
            }
        };
        is_ignored || protection::of_reading(place, context.settings).is_some()
    }
}

fn is_changeable(place: &WorkspacePath, settings: &Settings) -> bool {
    protection::of_change(place, settings) == Protection::None
}

fn unread(word: &str) -> String {
    format!("does not take `{word}`, which agents do not read here")
}
