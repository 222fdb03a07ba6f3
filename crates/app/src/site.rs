//! Finds which governed repository a call or a command is about (ADR 0002).

use std::io;
use std::path::{Component, Path, PathBuf};

use bailiwick_adapters_fs::{GovernedRoots, Layout, is_too_long};
use bailiwick_adapters_git::{GitPlace, discover, head_tracks_orchestration};

/// A repository, governed or not.
#[derive(Clone, Debug)]
pub struct Site {
    /// Where everything of it lives.
    pub layout: Layout,
    /// Its place in git; `None` without git.
    pub git: Option<GitPlace>,
}

impl Site {
    /// The site that holds `start`: the nearest git working copy, else the nearest folder with `.orchestration`.
    ///
    /// A nested or symlinked `.orchestration` inside a git working copy never becomes a site of its own.
    ///
    /// # Errors
    /// The system failed to say what is there: then no site is found, rather than another one.
    pub fn around(start: &Path, user_state: Option<PathBuf>) -> io::Result<Option<Self>> {
        if let Some(git) = discover(start)? {
            return Ok(Some(Self::in_git(git, user_state)));
        }
        let start = real(start);
        let root = start.ancestors().find(|folder| folder.join(Layout::ORCHESTRATION).is_dir());
        Ok(root.map(|root| Self::without_git(root, user_state)))
    }

    /// The site whose root is exactly `root`, whether anything is there yet or not.
    ///
    /// # Errors
    /// The system failed to say whether git is there.
    pub fn at(root: &Path, user_state: Option<PathBuf>) -> io::Result<Self> {
        let root = real(root);
        Ok(match discover(&root)? {
            Some(git) if git.worktree_root == root => Self::in_git(git, user_state),
            _ => Self::without_git(&root, user_state),
        })
    }

    fn in_git(git: GitPlace, user_state: Option<PathBuf>) -> Self {
        let layout = Layout::new(&git.worktree_root, git.common_dir.join("bailiwick"), user_state);
        Self { layout, git: Some(git) }
    }

    fn without_git(root: &Path, user_state: Option<PathBuf>) -> Self {
        let private = root.join(Layout::ORCHESTRATION).join("state");
        Self { layout: Layout::new(root, private, user_state), git: None }
    }

    /// The site of one call: where its project folder says; a working directory or target in another working copy of
    /// the same repository moves it there, any other place does not: the strictest place wins.
    pub fn of_call(
        project: Option<&Path>,
        cwd: Option<&Path>,
        target: Option<&Path>,
        user_state: Option<PathBuf>,
    ) -> Option<Self> {
        let around = |start: &Path| Self::around(start, user_state.clone()).ok().flatten();
        let base = [project, cwd].into_iter().flatten().find_map(around)?;
        // Refused wherever it is judged; looking at each folder that it names would take long.
        let target = target.filter(|path| !is_too_long(path));
        let elsewhere = [target, cwd].into_iter().flatten().filter(|start| !base.surely_holds(start));
        let mut others = elsewhere.filter_map(around);
        let sibling = others.find(|other| other.layout.private() == base.layout.private());
        Some(sibling.unwrap_or(base))
    }

    /// Whether a path lies below the root with no other repository in between, told by its spelling and a look at each
    /// folder on the way.
    fn surely_holds(&self, path: &Path) -> bool {
        let Ok(rest) = path.strip_prefix(self.layout.root()) else { return false };
        if !rest.components().all(|part| matches!(part, Component::Normal(_))) {
            return false;
        }
        let below = |folder: &&Path| *folder != self.layout.root() && folder.starts_with(self.layout.root());
        path.ancestors().take_while(below).all(|folder| folder.join(".git").symlink_metadata().is_err())
    }

    /// Whether the repository is governed, so that a missing store means *broken* and not *never governed*.
    pub fn is_governed(&self) -> bool {
        self.layout.orchestration().exists()
            || self.layout.private().exists()
            || self.registered()
            || self.git.as_ref().is_some_and(head_tracks_orchestration)
    }

    fn registered(&self) -> bool {
        self.layout
            .user_state()
            .is_some_and(|folder| GovernedRoots::new(folder).contains(self.layout.root()).unwrap_or(true))
    }
}

/// The canonical form of the nearest existing ancestor, with the rest re-attached.
fn real(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let Ok(found) = ancestor.canonicalize() {
            let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
            if rest.as_os_str().is_empty() {
                return found;
            }
            let plain = rest.components().all(|part| matches!(part, Component::Normal(_)));
            return if plain { found.join(rest) } else { found };
        }
    }
    path.to_path_buf()
}
