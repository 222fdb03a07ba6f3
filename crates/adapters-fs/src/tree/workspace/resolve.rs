//! Resolves a path physically: component by component, through every symlink, `..` after what was really reached.
//!
//! Names that do not exist yet are kept as they are behind the deepest folder that does.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// As many symlinks as Linux follows.
const MAX_LINKS: usize = 40;

/// Where a path really leads.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Resolved {
    /// The real path.
    pub(super) path: PathBuf,
    /// The real name of the last component as spelled, when that is a symlink: what deleting would remove.
    pub(super) entry: Option<PathBuf>,
    /// Whether it leads through `/proc`, where names mean something else to each process.
    pub(super) aliased: bool,
}

#[derive(Debug)]
enum Step {
    Restart(PathBuf),
    Up,
    Down { name: OsString, last: bool },
}

/// Resolves an absolute path. `known` is a folder known to be real; pass an empty path when there is none.
pub(super) fn resolve(full: &Path, known: &Path) -> Result<Resolved, String> {
    let mut walk =
        Walk { out: known.to_owned(), links: 0, entry: None, aliased: false, steps: VecDeque::new() };
    // One that does not lie below begins at its own root.
    walk.prepend(full.strip_prefix(known).unwrap_or(full), true);
    while let Some(step) = walk.steps.pop_front() {
        walk.take(step)?;
        if walk.aliased {
            break;
        }
    }
    Ok(Resolved { path: walk.out, entry: walk.entry, aliased: walk.aliased })
}

#[derive(Debug)]
struct Walk {
    out: PathBuf,
    links: usize,
    entry: Option<PathBuf>,
    aliased: bool,
    steps: VecDeque<Step>,
}

impl Walk {
    fn prepend(&mut self, path: &Path, spelled: bool) {
        let mut steps: Vec<Step> = Vec::new();
        let mut start = PathBuf::new();
        for component in path.components() {
            match component {
                Component::Prefix(_) | Component::RootDir => {
                    start.push(component);
                    steps = vec![Step::Restart(start.clone())];
                }
                Component::CurDir => {}
                Component::ParentDir => steps.push(Step::Up),
                Component::Normal(name) => steps.push(Step::Down { name: name.to_owned(), last: false }),
            }
        }
        if let (true, Some(Step::Down { last, .. })) = (spelled, steps.last_mut()) {
            *last = true;
        }
        for step in steps.into_iter().rev() {
            self.steps.push_front(step);
        }
    }

    fn take(&mut self, step: Step) -> Result<(), String> {
        match step {
            Step::Restart(root) => {
                self.out = root;
                Ok(())
            }
            Step::Up => {
                self.out.pop();
                Ok(())
            }
            Step::Down { name, last } => self.down(&name, last),
        }
    }

    fn down(&mut self, name: &OsString, last: bool) -> Result<(), String> {
        let candidate = self.out.join(name);
        if cfg!(target_os = "linux") && candidate == Path::new("/proc") {
            self.aliased = true;
        }
        match candidate.symlink_metadata() {
            Ok(meta) if meta.file_type().is_symlink() => return self.follow(candidate, last),
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => return Err(format!("cannot look at `{}`: {error}", candidate.display())),
        }
        self.out = candidate;
        Ok(())
    }

    fn follow(&mut self, link: PathBuf, last: bool) -> Result<(), String> {
        self.links += 1;
        if self.links > MAX_LINKS {
            return Err("the path leads through too many symbolic links".into());
        }
        let target = std::fs::read_link(&link)
            .map_err(|error| format!("cannot look at `{}`: {error}", link.display()))?;
        self.prepend(&target, false);
        if last {
            self.entry = Some(link);
        }
        Ok(())
    }
}
