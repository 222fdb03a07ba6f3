//! Git as a program, for commands that a person or git itself runs; never on a hook's path.
//!
//! Only plumbing that reads, and staging a segment. Lazy fetching is off, so that nothing leaves the machine.

mod names;
mod objects;
mod place;
pub(super) mod reverts;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use bailiwick_adapters_git::{GitVcs, discover};
use bailiwick_domain::{ContentHash, KeptSegment, PortError, SegmentHistory, Vcs as _, VcsRevision};
use pollster::block_on;

use super::CommandError;

/// Where segments are, as git names it.
pub(super) const SEGMENTS: &str = ".orchestration/trace";

pub(super) use objects::Blob;
pub(super) use reverts::TakesBack;

/// What follows is no option, whatever it begins with.
const END: &str = "--end-of-options";

/// What a repository, which is often somebody else's, must not decide: what is compared and how it is listed. A file in the
/// tree can say that a file is no text, or that nothing is to be told of a submodule; `git replace` shows another commit.
const FIXED: &[&str] = &[
    // A log that checks signatures runs the program that the configuration names.
    "log.showSignature=false",
    "log.follow=false",
    "log.diffMerges=separate",
    "diff.orderFile=/dev/null",
    "diff.relative=false",
    "diff.interHunkContext=0",
    "core.bigFileThreshold=67108865",
    // What git notes beside the commits, to be quick, and believes without a look at them: their parents, the files that they
    // changed, where each object is, and which files of the working copy are as they were.
    "core.commitGraph=false",
    "core.multiPackIndex=false",
    "core.fsmonitor=false",
];

/// For each command that compares trees.
pub(super) const WITH_SUBMODULES: &str = "--ignore-submodules=none";

/// Words of a caller's environment that change what paths mean.
const PATHSPECS: &[&str] =
    &["GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"];

/// How many commits of one file are looked at.
const COMMITS: &str = "--max-count=512";

/// A commit that changed a file.
#[derive(Clone, Debug)]
pub(super) struct FileCommit {
    pub(super) id: String,
    /// The commits before it that changed the file.
    pub(super) parents: Vec<String>,
    /// When, in seconds.
    pub(super) at_s: i64,
}

/// A file that a commit moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MovedFile {
    pub(super) from: String,
    /// Whether its content stayed, and no other file that went or came has it.
    pub(super) is_certain: bool,
}

/// Git in one working copy.
#[derive(Clone, Debug)]
pub(super) struct Git {
    root: PathBuf,
    /// Words of a caller's environment by which git would look into another repository.
    foreign: Vec<&'static str>,
}

impl Git {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_path_buf(), foreign: place::foreign(root) }
    }

    /// Git at this place, which takes no lock that it can do without, fetches nothing and says what is there.
    fn command(&self) -> Command {
        let mut command = Command::new("git");
        command.arg("--no-optional-locks");
        command.args(FIXED.iter().flat_map(|setting| ["-c", setting])).arg("-C").arg(&self.root);
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_NO_REPLACE_OBJECTS", "1");
        // No such file can be there: what it would say of a commit's parents does not count.
        command.env("GIT_GRAFT_FILE", "/dev/null/none");
        for name in PATHSPECS.iter().chain(&self.foreign) {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, words: &[&str]) -> std::io::Result<Output> {
        self.command().args(words).output()
    }

    /// What such a command prints, as text.
    pub(super) fn text(&self, words: &[&str]) -> Result<String, CommandError> {
        Ok(String::from_utf8_lossy(&self.bytes(words)?).into_owned())
    }

    /// What such a command lists with `-z`, byte for byte: a name need not be text.
    pub(super) fn parts(&self, words: &[&str]) -> Result<Vec<Vec<u8>>, CommandError> {
        let listed = self.bytes(words)?;
        Ok(listed.split(|byte| *byte == 0).filter(|part| !part.is_empty()).map(<[u8]>::to_vec).collect())
    }

    fn bytes(&self, words: &[&str]) -> Result<Vec<u8>, CommandError> {
        let output = self.run(words).map_err(|error| CommandError::io("git", error))?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(CommandError::Other(format!("git {}: {why}", words.first().unwrap_or(&""))));
        }
        Ok(output.stdout)
    }

    /// What such a command makes of a text.
    pub(super) fn filtered(&self, words: &[&str], text: &str) -> Result<String, CommandError> {
        let problem = |error| CommandError::io("git", error);
        let mut command = self.command();
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(problem)?;
        let (input, text) = (process.stdin.take(), text.to_owned());
        let writer =
            std::thread::spawn(move || input.map_or(Ok(()), |mut input| input.write_all(text.as_bytes())));
        let output = process.wait_with_output().map_err(problem)?;
        drop(writer.join());
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(CommandError::Other(format!("git {} failed", words.first().unwrap_or(&"")))),
        }
    }

    /// The folder that git runs hooks from.
    pub(super) fn hooks_folder(&self) -> Result<PathBuf, CommandError> {
        let folder = self.text(&["rev-parse", "--git-path", "hooks"])?;
        Ok(self.root.join(folder.trim_end_matches(['\n', '\r'])))
    }

    /// Puts a file into the index.
    pub(super) fn stage(&self, paths: &[&Path]) -> Result<(), CommandError> {
        let names: Vec<&str> = paths.iter().filter_map(|path| path.to_str()).collect();
        let words = |options: &[&'static str]| -> Vec<&str> {
            ["add"]
                .into_iter()
                .chain(options.iter().copied())
                .chain(["--"])
                .chain(names.iter().copied())
                .collect()
        };
        // Evidence travels with a commit from a sparse checkout, too. An older git has no such word, and does so anyhow.
        self.text(&words(&["--sparse"])).or_else(|_| self.text(&words(&[]))).map(drop)
    }

    /// Whether the index differs from the last commit, so that there is something to commit.
    pub(super) fn has_staged(&self) -> Result<bool, CommandError> {
        let words = ["diff", "--cached", "--quiet", "--no-ext-diff", WITH_SUBMODULES];
        let output = self.run(&words).map_err(|error| CommandError::io("git", error))?;
        Ok(!output.status.success())
    }

    /// Which of these paths any ref, any stash or the index has, or had as far as is remembered.
    pub(super) fn ever_had(&self, paths: &BTreeSet<&str>) -> Result<BTreeSet<String>, CommandError> {
        /// Git looks through all paths for each name, and a command line holds so many.
        const NAMED: usize = 64;
        let problem = |error| CommandError::io("git", error);
        let mut command = self.command();
        command.args(["log", "--all", "--reflog", "--full-history", "-m", "--root"]);
        command.args(["--format=", "--name-only", "-z", "--"]);
        if paths.len() <= NAMED {
            command.args(paths.iter().map(|path| format!(":(literal){path}")));
        }
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(problem)?;
        let names = process.stdout.take().ok_or_else(|| problem(std::io::ErrorKind::BrokenPipe.into()))?;
        let mut found = BTreeSet::new();
        for name in BufReader::new(names).split(0) {
            let name = name.map_err(problem)?;
            let name = str::from_utf8(name.trim_ascii_start()).unwrap_or_default();
            found.extend(paths.get(name).map(|path| (*path).to_owned()));
        }
        match process.wait().map_err(problem)?.success() {
            true => Ok(found),
            false => Err(CommandError::Other("git log failed".to_owned())),
        }
    }

    /// The content that the index has for a path.
    pub(super) fn staged(&self, path: &str) -> Option<Blob> {
        self.blob(&format!(":{path}"), objects::LARGEST)
    }

    /// The commits that changed a path on any ref, or on none any more as far as is remembered, the newest first.
    pub(super) fn commits_of(&self, path: &str) -> Result<Vec<FileCommit>, CommandError> {
        let words = ["log", "--all", "--reflog", "--full-history", "--parents", "--topo-order", COMMITS];
        let listed = self.text(&[&words[..], &["--format=%H %ct %P", "--", &literal(path)]].concat())?;
        let commit = |line: &str| {
            let mut words = line.split(' ');
            let (id, at_s) = (words.next()?.to_owned(), words.next()?.parse().ok()?);
            Some(FileCommit {
                id,
                at_s,
                parents: words.filter(|id| !id.is_empty()).map(str::to_owned).collect(),
            })
        };
        Ok(listed.lines().filter_map(commit).collect())
    }

    /// The last commit up to that one that changed the path, when it was made, in seconds, and whether it takes back there
    /// what another one did, and says so.
    pub(super) fn last_commit(&self, revision: &str, path: &str) -> Option<(String, i64, bool)> {
        let words = ["log", "-1", "--format=%H %ct %B", END, revision, "--", &literal(path)];
        let said = self.text(&words).ok()?;
        let (id, rest) = said.split_once(' ')?;
        let (at, message) = rest.split_once(' ')?;
        let takes_back =
            reverts::named(message).any(|other| self.takes_back_at(id, other, path) == TakesBack::Yes);
        Some((id.to_owned(), at.parse().ok()?, takes_back))
    }

    /// What the path held after each commit up to that one that changed it at this time or later, in seconds; `None` where
    /// those are too many to look at.
    pub(super) fn contents_since(&self, revision: &str, path: &str, since_s: i64) -> Option<Vec<Blob>> {
        /// So many commits of one file are looked at.
        const MOST: usize = 16;
        let (since, literal) = (format!("--max-age={since_s}"), literal(path));
        let most = format!("--max-count={}", MOST + 1);
        let words = ["log", "--format=%H", &most, &since, "--end-of-options", revision, "--", &literal];
        let listed = self.text(&words).unwrap_or_default();
        let names: Vec<String> = listed.lines().map(|id| format!("{id}:{path}")).collect();
        if names.len() > MOST {
            return None;
        }
        Some(self.blobs(&names).ok()?.into_iter().flatten().collect())
    }

    /// Whether the one commit is the other, or comes before it.
    pub(super) fn is_ancestor(&self, commit: &str, of: &str) -> bool {
        let words = ["merge-base", "--is-ancestor", "--end-of-options", commit, of];
        self.run(&words).is_ok_and(|output| output.status.success())
    }

    /// The id of the commit that is called so, and when it was made, in seconds.
    pub(super) fn commit(&self, name: &str) -> Option<(String, i64)> {
        let name = format!("{name}^{{commit}}");
        let said = self.text(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name]).ok()?;
        let id = said.trim().to_owned();
        let at =
            self.text(&["log", "-1", "--format=%ct", "--end-of-options", &id]).ok()?.trim().parse().ok()?;
        Some((id, at))
    }

    /// Whether a commit is there.
    pub(super) fn has_commit(&self, revision: &str) -> bool {
        let name = format!("{revision}^{{commit}}");
        self.run(&["cat-file", "-e", "--end-of-options", &name]).is_ok_and(|output| output.status.success())
    }

    /// Whether commits that others have are missing here.
    pub(super) fn is_shallow(&self) -> bool {
        self.text(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|said| said.trim() == "true")
    }

    /// Whether a commit has a parent that is not here. A shallow clone shows its oldest commits as if they had none.
    pub(super) fn lacks_parent(&self, commit: &str) -> bool {
        let written = self.commits(&[commit.to_owned()]).ok().and_then(|mut found| found.pop()?);
        let written = String::from_utf8_lossy(&written.unwrap_or_default()).into_owned();
        let parents = written.lines().take_while(|line| !line.is_empty());
        parents.filter_map(|line| line.strip_prefix("parent ")).any(|parent| !self.has_commit(parent))
    }

    /// The segments that a commit has.
    pub(super) fn segments_at(&self, commit: &str) -> Result<BTreeSet<ContentHash>, CommandError> {
        let words = ["ls-tree", "-r", "--name-only", "--full-tree", "--end-of-options", commit, SEGMENTS];
        Ok(self.text(&words)?.lines().filter_map(segment_name).collect())
    }

    /// The content that a commit has for a path.
    pub(super) fn file_at(&self, revision: &str, path: &str) -> Option<Blob> {
        if revision.starts_with('-') {
            return None;
        }
        self.blob(&format!("{revision}:{path}"), objects::LARGEST)
    }

    /// From where a commit with one parent moved the file that it has there, as git finds it.
    pub(super) fn moved_by(&self, commit: &str, to: &str) -> Option<MovedFile> {
        let words = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-commit-id", "-M", END, commit];
        moved_in(&self.parts(&words).ok()?, to)
    }

    /// Where the way from one commit to another moved a file that the first one has, as git finds it.
    fn moved_between(&self, [from, to]: [&str; 2], path: &str) -> Option<String> {
        let words = ["diff-tree", "-r", "-z", "--name-status", "-M", "--diff-filter=R", END, from, to];
        let parts = self.parts(&words).ok()?;
        let mut moves = parts.chunks_exact(3);
        let moved = moves.find(|parts| parts.get(1).is_some_and(|name| name == path.as_bytes()))?;
        String::from_utf8(moved.get(2)?.clone()).ok()
    }

    /// Whether of all files that the working copy lost since the last commit no other one has the content of this one.
    pub(super) fn is_only_one_gone(&self, path: &str) -> bool {
        let words =
            ["diff-index", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=D", "HEAD"];
        let parts = self.parts(&words).unwrap_or_default();
        let content = |raw: &[u8]| raw.split(|byte| *byte == b' ').nth(2).map(<[u8]>::to_vec);
        let gone: Vec<(Option<Vec<u8>>, &Vec<u8>)> =
            parts.chunks_exact(2).filter_map(|two| Some((content(two.first()?), two.get(1)?))).collect();
        let is_it = |name: &[u8]| name == path.as_bytes();
        let Some((content, _)) = gone.iter().find(|(_, name)| is_it(name)) else { return false };
        gone.iter().filter(|(other, _)| other == content).count() == 1
    }

    /// The mode that a commit has for a path; `None` where it has nothing there.
    pub(super) fn mode_at(&self, revision: &str, path: &str) -> Option<String> {
        let words = ["--literal-pathspecs", "ls-tree", "-z", "--full-tree", END, revision, "--", path];
        Some(self.text(&words).ok()?.split_once(' ')?.0.to_owned())
    }

    /// Which of these files git ignores and does not have.
    pub(super) fn ignored(&self, files: &[&str]) -> BTreeSet<String> {
        // It fails where it ignores none.
        let said = self.filtered(&["check-ignore", "-z", "--stdin"], &nul_ended(files)).unwrap_or_default();
        said.split('\0').filter(|file| !file.is_empty()).map(str::to_owned).collect()
    }

    /// The file, line and pattern by which git ignores one of these files, as `check-ignore -v` names them.
    pub(super) fn ignored_by(&self, files: &[&str]) -> Option<String> {
        let words = ["check-ignore", "--verbose", "-z", "--stdin"];
        let said = self.filtered(&words, &nul_ended(files)).ok()?;
        let mut parts = said.split('\0');
        let (file, line, pattern) = (parts.next()?, parts.next()?, parts.next()?);
        Some(format!("`{pattern}` in {file}:{line}"))
    }

    /// Which of these paths git keeps as something else than their text, by the attributes of that commit; without one by
    /// those of the working copy. No filter is run.
    pub(super) fn filtered_paths(&self, commit: &str, paths: &[&str]) -> BTreeSet<String> {
        let source = format!("--source={commit}");
        let asked = nul_ended(paths);
        let ask = |at: &[&str]| {
            let words = ["check-attr", "-z", "--stdin"];
            self.filtered(&[&words[..], at, &["filter", "working-tree-encoding"]].concat(), &asked)
        };
        // An older git only knows the attributes of the working copy.
        let at_commit = if commit.is_empty() { None } else { ask(&[&source]).ok() };
        let said = at_commit.or_else(|| ask(&[]).ok()).unwrap_or_default();
        let words: Vec<&str> = said.split('\0').collect();
        let is_set = |value: &str| !matches!(value, "unspecified" | "unset" | "");
        let set = words.chunks_exact(3).filter(|of| of.get(2).is_some_and(|value| is_set(value)));
        set.filter_map(|of| of.first().map(|path| (*path).to_owned())).collect()
    }

    /// The segments that the index has.
    pub(super) fn staged_segments(&self) -> Result<Vec<ContentHash>, CommandError> {
        Ok(self.text(&["ls-files", "--", SEGMENTS])?.lines().filter_map(segment_name).collect())
    }

    /// Whether the index has the file that keeps git from changing segments.
    pub(super) fn has_segment_attributes(&self) -> Result<bool, CommandError> {
        Ok(!self.text(&["ls-files", "--", &format!("{SEGMENTS}/.gitattributes")])?.is_empty())
    }
}

/// A path as git is asked about it: what looks like a pattern is none.
pub(super) fn literal(path: &str) -> String {
    format!(":(literal,top){path}")
}

/// Names as git reads them with `-z --stdin`.
fn nul_ended(names: &[&str]) -> String {
    names.iter().flat_map(|name| [name, "\0"]).collect()
}

/// From where that file was moved, in what `git diff-tree -M --raw -z` lists.
fn moved_in(listed: &[Vec<u8>], to: &str) -> Option<MovedFile> {
    let mut parts = listed.iter().map(Vec::as_slice);
    let (mut went, mut came, mut moved) = (Vec::new(), Vec::new(), None);
    while let Some(change) = parts.next().and_then(|part| part.strip_prefix(b":")) {
        let change = str::from_utf8(change).ok()?;
        let [_, _, old, new, status] = change.split(' ').collect::<Vec<_>>()[..] else { return None };
        let name = parts.next()?;
        let is_moved = status.starts_with('R');
        let target = if is_moved { parts.next()? } else { name };
        went.extend((is_moved || status == "D").then_some(old));
        came.extend((is_moved || status == "A").then_some(new));
        if is_moved && target == to.as_bytes() {
            moved = Some((name, old, new));
        }
    }
    let (from, old, new) = moved?;
    let from = str::from_utf8(from).ok()?;
    let is_only = |all: &[&str], id: &str| all.iter().filter(|other| **other == id).count() == 1;
    let is_certain = old == new && is_only(&went, old) && is_only(&came, new);
    Some(MovedFile { from: from.to_owned(), is_certain })
}

/// The segments that a raw log tells of, each with the newest commit that did something to it.
fn kept_in(listed: &str) -> Vec<KeptSegment> {
    let mut found: BTreeMap<ContentHash, KeptSegment> = BTreeMap::new();
    let mut commit = "";
    for line in listed.lines() {
        if let Some(id) = line.strip_prefix('@') {
            commit = id;
            continue;
        }
        let Some((change, path)) = line.strip_prefix(':').and_then(|line| line.split_once('\t')) else {
            continue;
        };
        let ids: Vec<&str> = change.split(' ').collect();
        let (Some(name), [_, _, old, new, _]) = (segment_name(path), ids.as_slice()) else { continue };
        let is_none = |id: &str| id.bytes().all(|byte| byte == b'0');
        let kept = found.entry(name.clone()).or_insert_with(|| KeptSegment {
            name,
            commit: commit.to_owned(),
            is_taken: is_none(new),
            contents: Vec::new(),
        });
        for id in [*new, *old].into_iter().filter(|id| !is_none(id)) {
            if !kept.contents.iter().any(|known| known == id) {
                kept.contents.push(id.to_owned());
            }
        }
    }
    found.into_values().collect()
}

/// The segment that a path is the name of.
pub(super) fn segment_name(path: &str) -> Option<ContentHash> {
    let digits = path.rsplit('/').next()?.strip_suffix(".jsonl")?;
    ContentHash::parse(&format!("sha256:{digits}"))
}

impl SegmentHistory for Git {
    fn head(&self) -> Option<String> {
        // Git is asked where it is not plain to see: a process takes longer than many a question.
        let place = discover(&self.root).ok().flatten();
        let plain = place.map(|place| GitVcs::new(place.git_dir, place.common_dir));
        if let Some(VcsRevision::Commit(commit)) = plain.map(|vcs| block_on(vcs.revision())) {
            return Some(commit);
        }
        Some(self.text(&["rev-parse", "--verify", "--quiet", "HEAD"]).ok()?.trim().to_owned())
    }

    fn kept(&self) -> Result<Vec<KeptSegment>, PortError> {
        let words = ["log", "--raw", "--no-abbrev", "--no-renames", "--full-history", "-m", "--root"];
        let words = [&words[..], &["--format=@%H", "HEAD", "--", SEGMENTS]].concat();
        // Without a commit there is no history, and without the older trees it is not known.
        Ok(self.text(&words).map(|listed| kept_in(&listed)).unwrap_or_default())
    }

    fn content(&self, content: &str, most: u64) -> Result<Option<Blob>, PortError> {
        Ok(self.blob(content, most))
    }

    fn keeps(&self, path: &str) -> bool {
        let has =
            |name: String| self.run(&["cat-file", "-e", &name]).is_ok_and(|output| output.status.success());
        has(format!(":{path}")) || has(format!("HEAD:{path}"))
    }

    fn names(&self) -> Result<BTreeSet<ContentHash>, PortError> {
        let problem = |error: CommandError| PortError::Unavailable(error.to_string());
        let mut names: BTreeSet<ContentHash> = self.staged_segments().map_err(problem)?.into_iter().collect();
        let everywhere = ["rev-list", "--objects", "--all", "--reflog"];
        // A clone without the older trees can only list what it has.
        let listed = self.text(&[&everywhere[..], &["--", SEGMENTS]].concat());
        let listed = listed.or_else(|_| self.text(&[&everywhere[..], &["--missing=allow-any"]].concat()));
        let listed = listed.map_err(problem)?;
        let paths = listed.lines().filter(|line| line.contains(SEGMENTS));
        names.extend(paths.filter_map(segment_name));
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::moved_in;

    #[test]
    fn a_move_is_certain_where_the_content_stayed_and_no_other_file_has_it() {
        let moved = ":100644 100644 aa aa R100\0a.rs\0b.rs\0";
        let moved_in = |listed: &str, to: &str| {
            let parts: Vec<Vec<u8>> =
                listed.split_terminator('\0').map(|part| part.as_bytes().to_vec()).collect();
            moved_in(&parts, to)
        };
        let of = |more: &str| moved_in(&format!("{moved}{more}"), "b.rs").unwrap().is_certain;
        assert!(of(":100644 100644 aa bb M\0c.rs\0"));
        assert!(!of(":100644 000000 aa 00 D\0c.rs\0"), "another one went");
        assert!(!of(":000000 100644 00 aa A\0c.rs\0"), "another one came");
        assert!(!of(":100644 100644 aa aa R100\0c.rs\0d.rs\0"), "both");
        let changed = moved_in(":100644 100644 aa bb R090\0a.rs\0b.rs\0", "b.rs").unwrap();
        assert_eq!((changed.from.as_str(), changed.is_certain), ("a.rs", false));
        assert_eq!(moved_in(moved, "a.rs"), None);
    }
}
