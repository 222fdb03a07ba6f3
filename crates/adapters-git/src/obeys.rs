//! What git's configuration makes it run, and whether a command of git that only reads is therefore believed.
//!
//! Programs of the machine that a person's own configuration names are the person's business. What counts here is a file
//! in the working copy, which an agent may write: the grants do not cover it, and while it is there, a command that would
//! run it is no reading. In a repository that is not the governed one, its own configuration is a stranger's, and names no
//! program at all. Deliberately absent: the environment (`GIT_CONFIG_*` and their like).

use std::path::{Path, PathBuf};

use bailiwick_domain::RepoPath;

use crate::commands::{self, completes, paths_in, plain_name};
use crate::config::{self, Setting};
use crate::files::{has_ending, is_file, real};
use crate::meaning::{When, names_program, runs_for_readers, when};
use crate::nested;
use crate::place::{GitPlace, place_at};
use crate::submodules;

/// Where git looks for the configuration of the machine, whatever it was built for.
const SYSTEM: &[&str] = &[
    "/etc/gitconfig",
    "/usr/etc/gitconfig",
    "/usr/local/etc/gitconfig",
    "/opt/homebrew/etc/gitconfig",
    "C:/Program Files/Git/etc/gitconfig",
];

/// Reads what the configuration in force at one governed root says.
#[derive(Clone, Debug)]
pub struct GitObeys {
    root: PathBuf,
    place: Option<GitPlace>,
    home: Option<PathBuf>,
}

impl GitObeys {
    /// The configuration at this root, free of symlinks; of the repository there, if there is one, and of the person
    /// with this home folder.
    pub fn new(root: impl Into<PathBuf>, place: Option<GitPlace>, home: Option<PathBuf>) -> Self {
        Self { root: root.into(), place, home }
    }

    /// Why a command of git that only reads is not believed in a folder, given relative to the root.
    ///
    /// Git may pass over what looks like a repository here, so that everything up to the governed one must be in order.
    pub fn distrusted(&self, folder: &str) -> Option<String> {
        let start = self.root.join(folder);
        for level in start.ancestors() {
            let at_fault = match place_at(level) {
                Err(error) => Some(format!("{} cannot be looked at ({error})", level.display())),
                Ok(Some(place)) if self.place.as_ref() == Some(&place) => return self.own(&place),
                Ok(Some(place)) => self.strangers(&place),
                Ok(None) => {
                    nested::unknown(level).map(|why| format!("{} {why}", self.shown(level).display()))
                }
            };
            if at_fault.is_some() {
                return at_fault;
            }
            if nested::may_be_bare(level) {
                let shown = self.shown(level).display();
                return Some(format!("{shown} may be a repository with settings of its own"));
            }
        }
        None
    }

    fn shown<'a>(&self, folder: &'a Path) -> &'a Path {
        folder.strip_prefix(&self.root).unwrap_or(folder)
    }

    /// Whether git runs this file, or obeys it as a part of its configuration, now or when somebody works with it. Where
    /// the configuration cannot be read, any file may be one.
    pub fn runs(&self, path: &RepoPath) -> bool {
        let Some(place) = &self.place else { return false };
        let Ok(settings) = self.settings(place) else { return true };
        settings.iter().any(|setting| {
            let counts = when(setting) != When::Never;
            let named = if counts { self.named(setting, place) } else { Vec::new() };
            let holder = below(&setting.file, place).map(|path| Named { path, is_completed: false });
            named.iter().chain(&holder).any(|named| named.may_be(path, place))
        })
    }

    /// Whether the modes of files mean something here, as git found out when it made the repository.
    pub fn heeds_modes(&self) -> bool {
        let settings = self.place.as_ref().and_then(|place| self.settings(place).ok()).unwrap_or_default();
        settings.iter().rfind(|setting| setting.key == "core.filemode").is_none_or(Setting::is_on)
    }

    /// The settings in force in a repository, the machine's and the person's among them.
    fn settings(&self, place: &GitPlace) -> Result<Vec<Setting>, String> {
        let mut files: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        if let Some(home) = &self.home {
            files.extend([home.join(".config/git/config"), home.join(".gitconfig")]);
        }
        files.extend(place.own_files());
        config::read(&files, self.home.as_deref())
    }

    fn own(&self, place: &GitPlace) -> Option<String> {
        let settings = match self.settings(place) {
            Ok(settings) => settings,
            Err(why) => return Some(format!("git's configuration cannot be read: {why}")),
        };
        let at_fault = settings.iter().find_map(|setting| self.fault(setting, place));
        at_fault.or_else(|| submodules::fault(place, self.home.as_deref()))
    }

    /// Why a setting of the governed repository, the person or the machine makes reading run something of the tree.
    fn fault(&self, setting: &Setting, place: &GitPlace) -> Option<String> {
        let name = setting.name();
        if below(&setting.file, place).is_some() {
            let file = setting.file.display();
            if let Some(why) = nested::leads_astray(setting, place) {
                return Some(format!("`{name}` is set in a file of the tree, {file}, and {why}"));
            }
            if matches!(when(setting), When::Reading | When::Hooks) && names_program(setting) {
                return Some(format!("`{name}` is set in a file of the tree, {file}"));
            }
        }
        if setting.key == "core.worktree" && nested::leads_out(setting, place) {
            return Some(format!("`{name}` leads out of the repository"));
        }
        match when(setting) {
            When::Never | When::Working => None,
            When::Signatures => Some(format!("`{name}` checks signatures, which runs another program")),
            When::Hooks => {
                let hooks =
                    self.named(setting, place).into_iter().map(|it| it.path.join("post-index-change"));
                let hook = hooks.into_iter().find(|it| is_file(&place.worktree_root.join(it)))?;
                Some(format!("git runs {} (`{name}`)", hook.display()))
            }
            When::Reading if runs_for_readers(setting) && self.hides_program(&setting.value, place) => {
                Some(format!("`{name}` may run a file of the tree that it does not name"))
            }
            When::Reading => {
                let mut named = self.named(setting, place).into_iter().map(|it| it.path);
                let run = named.find(|it| is_file(&place.worktree_root.join(it)))?;
                Some(format!("git runs {} (`{name}`)", run.display()))
            }
        }
    }

    /// Why a repository that is not the governed one is not believed.
    fn strangers(&self, place: &GitPlace) -> Option<String> {
        let shown = self.shown(&place.worktree_root).display();
        let governed = self.place.as_ref().map(|place| place.common_dir.as_path());
        let at_fault = nested::fault(place, governed, self.home.as_deref());
        at_fault.map(|why| format!("{shown} is {why}")).or_else(|| self.own(place))
    }

    /// Whether a command may run a program of the working copy that it does not name.
    fn hides_program(&self, command: &str, place: &GitPlace) -> bool {
        commands::hides_program(command, &|word| {
            let path = below(&place.worktree_root.join(self.with_home(word)), place);
            let full = path.map(|path| place.worktree_root.join(path));
            full.is_some_and(|full| !is_file(&full) && (full.is_dir() || has_ending(&full)))
        })
    }

    /// A text with the person's home folder in it as a shell puts it there.
    fn with_home(&self, text: &str) -> String {
        let text = text.replace("~/", "$HOME/");
        let home = self.home.as_ref().map(|home| home.to_string_lossy());
        home.map_or(text.clone(), |home| text.replace("${HOME}", &home).replace("$HOME", &home))
    }

    /// What of the working copy a value may name, relative to its top: each of its words, as a path.
    fn named(&self, setting: &Setting, place: &GitPlace) -> Vec<Named> {
        let value = self.with_home(&setting.value);
        let words: Vec<&str> = value
            .split(|c: char| c.is_whitespace() || "\"'`;|&()<>{}$=\\,!".contains(c))
            .filter(|word| !word.is_empty())
            .collect();
        let by_completer = words.iter().any(|word| *word == "-m" || completes(&plain_name(word)));
        let paths = words.iter().flat_map(|word| paths_in(word, by_completer));
        let paths = paths.flat_map(|(path, is_completed)| {
            let from_top = path.trim_start_matches('/').to_owned();
            [(path, is_completed), (from_top, is_completed)]
        });
        let named = |(path, is_completed): (String, bool)| {
            let path = below(&place.worktree_root.join(path), place)?;
            Some(Named { path, is_completed })
        };
        paths.filter_map(named).collect()
    }
}

/// What a word of a setting may name.
#[derive(Debug)]
struct Named {
    /// Relative to the top of the working copy.
    path: PathBuf,
    /// Whether a program may add an ending to it.
    is_completed: bool,
}

impl Named {
    /// Whether a file is this one, below it, or what it is completed to while no file has its very name.
    fn may_be(&self, path: &RepoPath, place: &GitPlace) -> bool {
        let wanted = path.as_str().to_lowercase();
        let named = self.path.to_string_lossy().to_lowercase();
        wanted.strip_prefix(&named).is_some_and(|rest| match rest.chars().next() {
            None | Some('/') => true,
            Some('.') => self.is_completed && !is_file(&place.worktree_root.join(&self.path)),
            Some(_) => false,
        })
    }
}

/// The path relative to the top of the working copy, when that is where it leads and git's own folder is not.
fn below(path: &Path, place: &GitPlace) -> Option<PathBuf> {
    let real = real(path);
    if real.starts_with(&place.git_dir) || real.starts_with(&place.common_dir) {
        return None;
    }
    let relative = real.strip_prefix(&place.worktree_root).ok()?;
    (!relative.as_os_str().is_empty()).then(|| relative.to_owned())
}
