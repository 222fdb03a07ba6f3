//! The commit that a working copy stands on, or why there is none; never a made-up value.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_domain::{RepoPath, Vcs, VcsRevision};

use crate::files::{is_absent, open, read_small, without_line_end};
use crate::index::{tracked, tracked_of, tracks};
use crate::objects::has_blob;

/// How many symbolic refs may point at each other, as in git.
const MAX_DEPTH: usize = 5;

/// What `HEAD` of a repository with the reftable format says; the refs themselves are elsewhere.
const REFTABLE_STUB: &[u8] = b"refs/heads/.invalid";

/// The revision of one working copy.
#[derive(Clone, Debug)]
pub struct GitVcs {
    git_dir: PathBuf,
    common_dir: PathBuf,
}

impl GitVcs {
    /// Reads `HEAD` from the first folder and shared refs from the second.
    pub fn new(git_dir: impl Into<PathBuf>, common_dir: impl Into<PathBuf>) -> Self {
        Self { git_dir: git_dir.into(), common_dir: common_dir.into() }
    }

    /// The files that the index tracks and the working copy is to have, in their order; none where the index cannot be
    /// read. Costs by their number, so never asked on the way of a call.
    pub fn tracked(&self) -> Vec<RepoPath> {
        let names = tracked(&self.git_dir).unwrap_or_default();
        names.iter().filter_map(|name| RepoPath::new(name).ok()).collect()
    }

    /// Of these files those that the index tracks; all of them where it cannot be read. One pass, however many they are.
    pub fn tracked_of<'a>(&self, paths: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
        tracked_of(&self.git_dir, paths).unwrap_or_else(|| paths.clone())
    }

    fn resolve(&self) -> Result<String, String> {
        let mut name = b"HEAD".to_vec();
        for _ in 0..=MAX_DEPTH {
            let Some(text) = self.loose(&name)? else {
                return self.packed(&name)?.ok_or_else(|| unborn(&name));
            };
            let Some(target) = text.strip_prefix(b"ref:") else {
                return commit_id(&text).ok_or_else(|| format!("{} is not a commit id", shown(&name)));
            };
            name = target.trim_ascii_start().to_vec();
            check(&name)?;
        }
        Err(format!("HEAD follows more than {MAX_DEPTH} symbolic refs"))
    }

    fn loose(&self, name: &[u8]) -> Result<Option<Vec<u8>>, String> {
        let path = self.file_of(name)?;
        match read_small(&path) {
            Ok(text) => Ok(Some(without_line_end(&text).to_vec())),
            Err(_) if name == b"HEAD" && !path.exists() => Err(format!("{}: no HEAD", path.display())),
            Err(error) if is_absent(&error) || path.is_dir() => Ok(None),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    fn file_of(&self, name: &[u8]) -> Result<PathBuf, String> {
        let own = name == b"HEAD"
            || [&b"refs/bisect/"[..], b"refs/worktree/", b"refs/rewritten/"]
                .iter()
                .any(|p| name.starts_with(p));
        let base = if own { &self.git_dir } else { &self.common_dir };
        let relative = crate::files::path_of(name).ok_or_else(|| format!("{} is not a ref", shown(name)))?;
        Ok(base.join(relative))
    }

    /// The commit of a packed ref, by exact name. Stops at the first match, reads no more than that.
    fn packed(&self, name: &[u8]) -> Result<Option<String>, String> {
        let path = self.common_dir.join("packed-refs");
        let file = match open(&path) {
            Ok(file) => file,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        find_packed(BufReader::with_capacity(64 * 1024, file), name, &path)
    }
}

fn find_packed(mut lines: impl BufRead, name: &[u8], path: &Path) -> Result<Option<String>, String> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let count =
            lines.read_until(b'\n', &mut line).map_err(|error| format!("{}: {error}", path.display()))?;
        if count == 0 {
            return Ok(None);
        }
        let Some(id) = without_line_end(&line).strip_suffix(name).and_then(|rest| rest.strip_suffix(b" "))
        else {
            continue;
        };
        if let Some(id) = commit_id(id) {
            return Ok(Some(id));
        }
    }
}

/// Refuses names that would be read from outside the refs folder or that only stand for another format.
fn check(name: &[u8]) -> Result<(), String> {
    if name == REFTABLE_STUB {
        return Err("the repository stores its refs in the reftable format, which is not read".to_owned());
    }
    let segments_fit = name.split(|&byte| byte == b'/').all(|part| !matches!(part, b"" | b"." | b".."));
    if name.starts_with(b"refs/") && segments_fit && !name.contains(&b'\\') {
        return Ok(());
    }
    Err(format!("HEAD points at `{}`, which is not a ref", shown(name)))
}

fn commit_id(text: &[u8]) -> Option<String> {
    let valid = matches!(text.len(), 40 | 64) && text.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let all_zero = text.iter().all(|&b| b == b'0');
    (valid && !all_zero).then(|| String::from_utf8_lossy(text).into_owned())
}

fn unborn(name: &[u8]) -> String {
    format!("unborn HEAD: {} has no commit yet", shown(name))
}

/// A name for people: control characters are escaped, length is bounded.
fn shown(name: &[u8]) -> String {
    let mut out = String::new();
    for c in String::from_utf8_lossy(name).chars().take(200) {
        if c.is_control() {
            let _ = write!(out, "{}", c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

#[async_trait]
impl Vcs for GitVcs {
    async fn revision(&self) -> VcsRevision {
        match self.resolve() {
            Ok(commit) => VcsRevision::Commit(commit),
            Err(why) => VcsRevision::None(why),
        }
    }

    async fn has_content(&self, content: &[u8]) -> bool {
        has_blob(&self.common_dir, content)
    }

    async fn tracks(&self, path: &RepoPath) -> bool {
        tracks(&self.git_dir, path.as_str()).unwrap_or(true)
    }

    async fn branch(&self) -> String {
        match self.loose(b"HEAD") {
            Ok(Some(text)) => {
                let name = text.strip_prefix(b"ref:").unwrap_or(&text);
                String::from_utf8_lossy(name.trim_ascii()).into_owned()
            }
            Ok(None) => String::new(),
            Err(why) => why,
        }
    }
}
