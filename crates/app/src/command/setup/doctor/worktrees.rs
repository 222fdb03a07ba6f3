//! Other working copies of the repository: governed alike, but each hooked by itself.

use std::path::{Path, PathBuf};

use bailiwick_adapters_git::GitPlace;
use bailiwick_adapters_hooks::HOSTS;
use bailiwick_adapters_hooks::settings::guards;

use super::report::Report;
use crate::site::Site;

pub(super) fn check(site: &Site, report: &mut Report) {
    let Some(git) = &site.git else { return };
    report.section("Working copies");
    for copy in other_copies(git) {
        let hooked = is_hooked(&copy);
        let copy = copy.display();
        if hooked {
            report.ok(format!("{copy} is hooked too"));
        } else {
            report.warn(format!(
                "{copy} is governed, but agents started there are not hooked: `bailiwick init --root {copy}`"
            ));
        }
    }
}

/// Whether a host's settings in that working copy hold the hook before a tool.
fn is_hooked(copy: &Path) -> bool {
    HOSTS.iter().any(|host| {
        let client = &host.profile.client;
        let files = std::iter::once(client.local).chain(client.shared);
        let mut texts = files.filter_map(|name| std::fs::read_to_string(copy.join(name)).ok());
        host.settings.is_some_and(|settings| texts.any(|text| guards(settings, &text)))
    })
}

/// The other working copies of a repository that are there.
pub(in crate::command) fn other_copies(git: &GitPlace) -> Vec<PathBuf> {
    let main = git.common_dir.parent().filter(|_| git.common_dir.ends_with(".git")).map(Path::to_path_buf);
    let entries = std::fs::read_dir(git.common_dir.join("worktrees")).into_iter().flatten().flatten();
    let linked = entries.filter_map(|entry| {
        let link = std::fs::read_to_string(entry.path().join("gitdir")).ok()?;
        PathBuf::from(link.trim_end()).parent()?.canonicalize().ok()
    });
    let mut all: Vec<PathBuf> =
        main.into_iter().chain(linked).filter(|copy| copy.is_dir() && *copy != git.worktree_root).collect();
    all.sort();
    all
}
