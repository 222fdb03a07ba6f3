//! What git says that a commit changed: its paths, and the runs of lines in each.
//!
//! Who answers for a run is judged elsewhere.

use std::collections::BTreeMap;
use std::ops::Range;

use bailiwick_domain::{ContentHash, FileState, RepoPath, StoredEntry};

use super::commits::Commit;
use crate::command::CommandError;
use crate::command::git::{Git, WITH_SUBMODULES, literal};

/// What follows is no option, whatever it begins with.
const END: &str = "--end-of-options";

/// A run of changed lines, as git tells it: first line and count on the new side, 1-based; 0 lines where text only goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hunk {
    pub(super) first: usize,
    pub(super) count: usize,
}

impl Hunk {
    /// The file as a whole: no text, or only its mode.
    pub(super) const WHOLE: Self = Self { first: 0, count: 0 };

    /// These lines, which are counted from 0.
    pub(super) fn of(lines: &Range<usize>) -> Self {
        Self { first: lines.start + 1, count: lines.len() }
    }

    /// Its lines, counted from 0.
    pub(super) fn lines(self) -> Range<usize> {
        let start = self.first.saturating_sub(1);
        start..start + self.count
    }
}

/// A run, and what goes in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) hunk: Hunk,
    /// The lines of the one parent that go there, counted from 0; `None` where that is not told.
    pub(super) gone: Option<Range<usize>>,
}

impl Run {
    /// One of which no more is known than where it is.
    pub(super) fn at(hunk: Hunk) -> Self {
        Self { hunk, gone: None }
    }
}

/// What git keeps at a path, as the mode there says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Nothing,
    File,
    Executable,
    Link,
    Submodule,
}

impl Kind {
    fn of(mode: &str) -> Self {
        match mode {
            "000000" => Self::Nothing,
            "120000" => Self::Link,
            "160000" => Self::Submodule,
            "100755" => Self::Executable,
            _ => Self::File,
        }
    }

    pub(super) fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Executable)
    }
}

/// A path that a commit changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Touched {
    /// Its name, as text.
    pub(super) name: String,
    /// Whether that is its name, byte for byte. What is no text is no path that anybody recorded.
    is_named: bool,
    /// What each parent has there.
    pub(super) before: Vec<Kind>,
    pub(super) after: Kind,
    /// The ids of the contents: what the first parent has there, and the commit.
    pub(super) ids: [String; 2],
}

impl Touched {
    /// What `git diff-tree --raw` says of a path: `:100644 100755 …`, with a colon for each parent.
    fn read(raw: &[u8], name: &[u8]) -> Option<Self> {
        let raw = str::from_utf8(raw).ok()?;
        let parents = raw.bytes().take_while(|byte| *byte == b':').count();
        let mut modes = raw.trim_start_matches(':').split(' ').map(Kind::of);
        let before = modes.by_ref().take(parents).collect();
        let mut ids = raw.split(' ').skip(parents + 1).map(str::to_owned);
        let was = ids.next().unwrap_or_default();
        let ids = [was, ids.nth(parents.saturating_sub(1)).unwrap_or_default()];
        let named = str::from_utf8(name).ok().map(str::to_owned);
        let is_named = named.is_some();
        let name = named.unwrap_or_else(|| name.escape_ascii().to_string());
        Some(Self { name, is_named, before, after: modes.next()?, ids })
    }

    /// Whether the whole content that goes here comes there, where nothing was.
    pub(super) fn went_to(&self, there: &Self) -> bool {
        let ([gone, _], [_, come]) = (&self.ids, &there.ids);
        self.after == Kind::Nothing && there.after.is_file() && !there.was_there() && gone == come
    }

    /// The path that entries may tell of.
    pub(super) fn path(&self) -> Option<RepoPath> {
        RepoPath::new(&self.name).ok().filter(|_| self.is_named)
    }

    /// What the first parent has there.
    pub(super) fn first(&self) -> Kind {
        self.before.first().copied().unwrap_or(Kind::Nothing)
    }

    /// Whether some parent has something there.
    pub(super) fn was_there(&self) -> bool {
        self.before.iter().any(|kind| *kind != Kind::Nothing)
    }

    /// Whether it is a file whose mode no parent has. A new one that is no program has the mode that any has.
    pub(super) fn has_new_mode(&self) -> bool {
        let is_plain = self.after == Kind::File && !self.was_there();
        self.after.is_file() && !is_plain && !self.before.contains(&self.after)
    }
}

/// What a file that changed without runs of lines is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    Mode,
    Empty,
    Deleted,
    Binary,
    Link,
    Submodule,
    Unsaid,
}

impl Whole {
    /// By what was there and what is there.
    fn of(old: Option<&[u8]>, new: Option<&[u8]>) -> Self {
        let is_binary = |bytes: Option<&[u8]>| bytes.is_some_and(|bytes| bytes.contains(&0));
        match (old, new) {
            (Some(_), None) => Self::Deleted,
            (None, Some([])) => Self::Empty,
            (Some(old), Some(new)) if old == new => Self::Mode,
            _ if is_binary(old) || is_binary(new) => Self::Binary,
            _ => Self::Unsaid,
        }
    }

    /// Whether something is there that may be anybody's.
    pub(super) fn has_content(self) -> bool {
        matches!(self, Self::Binary | Self::Link | Self::Submodule | Self::Unsaid)
    }

    pub(super) fn said(self) -> &'static str {
        match self {
            Self::Mode => " (mode)",
            Self::Empty => " (new, empty)",
            Self::Deleted => " (deleted)",
            Self::Binary => " (binary)",
            Self::Link => " (link)",
            Self::Submodule => " (submodule)",
            Self::Unsaid => "",
        }
    }
}

/// The paths that a commit changed; of a merge those that are as none of its parents has them.
pub(super) fn changed(git: &Git, commit: &Commit) -> Result<Vec<Touched>, CommandError> {
    let kind = if commit.parents.len() > 1 { "-c" } else { "--root" };
    match commit.parents.as_slice() {
        [base] if commit.is_staged() => listed(git, &["diff-index", "--cached"], &[base]),
        _ => listed(git, &["diff-tree", "--no-commit-id", kind], &[&commit.id]),
    }
}

/// The paths that differ between two commits, or that a commit without a parent has.
pub(super) fn between(git: &Git, before: Option<&str>, after: &str) -> Result<Vec<Touched>, CommandError> {
    match before {
        Some(before) => listed(git, &["diff-tree"], &[before, after]),
        None => listed(git, &["diff-tree", "--no-commit-id", "--root"], &[after]),
    }
}

fn listed(git: &Git, words: &[&str], names: &[&str]) -> Result<Vec<Touched>, CommandError> {
    let form = ["-r", "-z", "--raw", "--no-abbrev", "--no-renames", WITH_SUBMODULES, END];
    let parts = git.parts(&[words, &form, names].concat())?;
    let mut found = BTreeMap::new();
    for two in parts.chunks_exact(2) {
        let [raw, name] = two else { continue };
        found.extend(Touched::read(raw, name).map(|touched| (name, touched)));
    }
    Ok(found.into_values().collect())
}

/// What a commit has at a path, with its content.
pub(super) type State = (FileState, Option<Vec<u8>>);

/// The state of a path in a commit.
pub(super) fn state(git: &Git, revision: &str, path: &str) -> State {
    match git.file_at(revision, path) {
        Some(bytes) => content(bytes),
        None => (FileState::Absent, None),
    }
}

pub(super) fn content(bytes: Vec<u8>) -> State {
    (FileState::Content(ContentHash::of(&bytes)), Some(bytes))
}

/// The same where it is known what git keeps there: a link is no file, whatever its text is.
pub(super) fn state_of(git: &Git, kind: Kind, revision: &str, path: &str) -> State {
    match (kind, kind.is_file()) {
        (Kind::Nothing, _) => (FileState::Absent, None),
        (_, false) => (FileState::Other, None),
        (_, true) => match state(git, revision, path) {
            (FileState::Absent, _) => (FileState::Other, None),
            state => state,
        },
    }
}

/// The states that a commit has at a path: its own, and the one with the line ends of another working copy.
pub(super) fn states(git: &Git, revision: &str, path: &RepoPath) -> Vec<FileState> {
    let mode = git.mode_at(revision, path.as_str());
    let state = state_of(git, mode.as_deref().map_or(Kind::Nothing, Kind::of), revision, path.as_str());
    let other = with_crlf(&state).map(|(state, _)| state);
    [state.0].into_iter().chain(other).collect()
}

/// Whether git keeps a program at a path in a commit.
pub(super) fn is_executable(git: &Git, revision: &str, path: &RepoPath) -> bool {
    git.mode_at(revision, path.as_str()).is_some_and(|mode| Kind::of(&mode) == Kind::Executable)
}

/// Two states of a file with the line ends of the working copy that an entry was made in, where it names one of them with
/// CRLF: git keeps LF alone, and a clone has the entry and nothing else of that working copy.
pub(super) fn as_checked_out(
    path: &RepoPath,
    states: &[State; 2],
    entries: &[StoredEntry],
) -> Option<[State; 2]> {
    let files = entries.iter().flat_map(|stored| &stored.entry.files).filter(|file| file.path == *path);
    let named: Vec<&FileState> = files.flat_map(|file| [&file.before, &file.after]).collect();
    if named.is_empty() {
        return None;
    }
    let with_crlf = states.each_ref().map(with_crlf);
    let is_named = with_crlf.iter().flatten().any(|(state, _)| named.contains(&state));
    let ([before, after], [before_crlf, after_crlf]) = (states, with_crlf);
    let or = |with: Option<State>, without: &State| with.unwrap_or_else(|| without.clone());
    is_named.then(|| [or(before_crlf, before), or(after_crlf, after)])
}

/// A text that has LF alone, with CRLF.
fn with_crlf((_, bytes): &State) -> Option<State> {
    let bytes = bytes.as_ref().filter(|bytes| !bytes.contains(&b'\r') && !bytes.contains(&0))?;
    let bytes = bytes.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
    Some((FileState::Content(ContentHash::of(&bytes)), Some(bytes)))
}

/// What a commit changed in a file beside its mode, and what that is where it is no run of lines.
pub(super) fn changes(
    git: &Git,
    commit: &Commit,
    path: &RepoPath,
    touched: &Touched,
    [before, after]: &[State; 2],
) -> Result<(Vec<Run>, Option<Whole>), CommandError> {
    let is_text = |state: &State| state.1.as_ref().is_some_and(|bytes| !bytes.contains(&0));
    let lacks_text = |kind: Kind, state: &State| kind.is_file() && !is_text(state);
    let whole = match (touched.first(), touched.after) {
        // It is told here alone what is text: git may be told otherwise by what is committed.
        (old, new) if lacks_text(old, before) || lacks_text(new, after) => match (old, new) {
            (_, Kind::Nothing) => Some(Whole::Deleted),
            _ => Some(Whole::of(before.1.as_deref(), after.1.as_deref())),
        },
        (_, Kind::Link) => Some(Whole::Link),
        (_, Kind::Submodule) => Some(Whole::Submodule),
        (Kind::Link | Kind::Submodule, Kind::Nothing) => Some(Whole::Deleted),
        _ => None,
    };
    let runs = match (whole, plain(commit, touched, before, after)) {
        (Some(_), _) => None,
        (None, Some(run)) => Some(vec![run]),
        (None, None) => runs(git, commit, path)?,
    };
    if let Some(runs) = runs {
        return Ok((runs, Some(Whole::Deleted).filter(|_| touched.after == Kind::Nothing)));
    }
    let whole = whole.unwrap_or_else(|| Whole::of(before.1.as_deref(), after.1.as_deref()));
    let runs = if whole == Whole::Mode { Vec::new() } else { vec![Run::at(Hunk::WHOLE)] };
    Ok((runs, Some(whole)))
}

/// The one run of a file that came or went as a whole, for which git need not be asked.
fn plain(commit: &Commit, touched: &Touched, before: &State, after: &State) -> Option<Run> {
    let count = |(_, bytes): &State| {
        let lines = bytes.as_ref()?.split_inclusive(|byte| *byte == b'\n').count();
        Some(lines).filter(|lines| *lines > 0)
    };
    match (commit.parents.len(), touched.first(), touched.after) {
        (0 | 1, Kind::Nothing, _) => Some(Run::at(Hunk::of(&(0..count(after)?)))),
        (1, _, Kind::Nothing) => Some(Run { hunk: Hunk::WHOLE, gone: Some(0..count(before)?) }),
        _ => None,
    }
}

/// The runs of lines that a commit changed in a file that it changed, against its parent. Of a merge only lines count that
/// no parent has, and lines that go although all parents have them. `None` where git tells no lines.
fn runs(git: &Git, commit: &Commit, path: &RepoPath) -> Result<Option<Vec<Run>>, CommandError> {
    let path = literal(path.as_str());
    let patch = |words: &[&str], names: &[&str]| {
        let form = ["-U0", "--text", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
        let fixed = ["--diff-algorithm=myers", "--indent-heuristic", WITH_SUBMODULES];
        git.text(&[words, &form[..], &fixed, &[END], names, &["--", &path]].concat())
    };
    let found = match commit.parents.as_slice() {
        [] => read(&patch(&["diff-tree", "-p", "--root", "--no-commit-id"], &[&commit.id])?),
        [base] if commit.is_staged() => read(&patch(&["diff", "--cached"], &[base])?),
        [parent] => read(&patch(&["diff"], &[parent, &commit.id])?),
        parents => {
            let combined = patch(&["diff-tree", "-p", "-c", "--no-commit-id"], &[&commit.id])?;
            let hunks = merged(&combined, parents.len());
            return Ok(hunks.map(|hunks| hunks.into_iter().map(Run::at).collect()));
        }
    };
    Ok(Some(found).filter(|found| !found.is_empty()))
}

/// The runs in a patch of a merge, which has a column for each parent; `None` where it does not tell lines. What only some
/// parents lack or have is what the others brought: a merge without runs is clean.
fn merged(patch: &str, parents: usize) -> Option<Vec<Hunk>> {
    let start = "@".repeat(parents + 1);
    let mut runs: Vec<Hunk> = Vec::new();
    let mut next = None;
    for line in patch.split('\n') {
        if let Some(head) = line.strip_prefix(&start) {
            let new = head.split(' ').find_map(|word| word.strip_prefix('+'))?;
            next = Some(new.split(',').next()?.parse::<usize>().ok()?);
            continue;
        }
        let Some(line_number) = &mut next else { continue };
        let Some(columns) = line.as_bytes().get(..parents) else { continue };
        let is_all = |sign: u8| columns.iter().all(|column| *column == sign);
        // As in a patch of one parent, lines that go where others come are one run with them.
        let gap = Hunk { first: line_number.saturating_sub(1), count: 0 };
        let touching = runs.last_mut().filter(|run| run.count > 0 && run.first + run.count == *line_number);
        if is_all(b'+') {
            if let Some(run) = touching {
                run.count += 1;
            } else {
                runs.pop_if(|run| *run == gap);
                runs.push(Hunk { first: *line_number, count: 1 });
            }
        } else if is_all(b'-') && touching.is_none() && runs.last() != Some(&gap) {
            runs.push(gap);
        }
        if !columns.contains(&b'-') {
            *line_number += 1;
        }
    }
    next.map(|_| runs)
}

/// The heads of the runs in a patch without context. Lines of the text itself begin with `+`, `-` or a backslash.
fn read(patch: &str) -> Vec<Run> {
    patch.lines().filter(|line| line.starts_with("@@ -")).filter_map(head).collect()
}

/// `@@ -1,2 +3,4 @@`; a count of one is left out.
fn head(line: &str) -> Option<Run> {
    let mut sides = line.split(' ').skip(1);
    let (old, new) = (sides.next()?.strip_prefix('-')?, sides.next()?.strip_prefix('+')?);
    // Before the first line nothing goes.
    let gone = |old: Hunk| old.first.checked_sub(1).map(|start| start..start + old.count);
    Some(Run { hunk: side(new)?, gone: side(old).and_then(gone) })
}

fn side(side: &str) -> Option<Hunk> {
    let (first, count) = side.split_once(',').unwrap_or((side, "1"));
    Some(Hunk { first: first.parse().ok()?, count: count.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::{Hunk, Touched, Whole, merged, read};

    #[test]
    fn a_mode_is_new_where_no_parent_has_it() {
        for (raw, is_new) in [
            (":100644 100755 1 2 M", true),
            (":100755 100644 1 2 M", true),
            (":100644 100644 1 2 M", false),
            (":000000 100644 0 2 A", false),
            (":000000 100755 0 2 A", true),
            (":120000 100644 1 2 T", true),
            (":100755 000000 1 0 D", false),
            (":000000 120000 0 2 A", false),
            ("::100644 100755 100755 1 2 3 MM", false),
            ("::100644 100644 100755 1 2 3 MM", true),
            ("::000000 000000 100644 0 0 3 AA", false),
        ] {
            assert_eq!(Touched::read(raw.as_bytes(), b"a").unwrap().has_new_mode(), is_new, "{raw}");
        }
        assert_eq!(Touched::read(b":100644", b"a"), None);
    }

    #[test]
    fn a_name_that_is_no_text_is_shown_and_is_no_path() {
        let of = |name: &[u8]| Touched::read(b":000000 100644 0 2 A", name).unwrap();
        let (odd, honest) = (of(b"a\xff.rs"), of("a\u{fffd}.rs".as_bytes()));
        assert_eq!((odd.name.as_str(), odd.path()), ("a\\xff.rs", None));
        assert!(honest.path().is_some_and(|path| path.as_str() == "a\u{fffd}.rs"));
    }

    #[test]
    fn a_file_without_runs_of_lines_is_called_what_it_is() {
        for (old, new, said) in [
            (Some(&b"a\n"[..]), Some(&b"a\n"[..]), " (mode)"),
            (Some(b""), Some(b""), " (mode)"),
            (None, Some(b""), " (new, empty)"),
            (Some(b""), None, " (deleted)"),
            (None, Some(b"\0"), " (binary)"),
            (Some(b"\0"), Some(b"a\n"), " (binary)"),
            (Some(b"a\n"), Some(b"b\n"), ""),
            (None, None, ""),
        ] {
            assert_eq!(Whole::of(old, new).said(), said, "{old:?} {new:?}");
        }
    }

    #[test]
    fn the_heads_of_a_patch_are_its_runs() {
        let patch = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@ fn a()\n-@@ -9 +9 @@\n+x\n+@@ -7 +7 @@\n@@ -5,2 +6,0 @@\n-a\n-b\n";
        let runs = read(patch);
        let hunks: Vec<Hunk> = runs.iter().map(|run| run.hunk).collect();
        assert_eq!(hunks, [Hunk { first: 1, count: 2 }, Hunk { first: 6, count: 0 }]);
        let gone: Vec<_> = runs.into_iter().map(|run| run.gone).collect();
        assert_eq!(gone, [Some(0..1), Some(4..6)]);
        assert_eq!(read("@@ -0,0 +1,3 @@")[0].gone, None);
    }

    #[test]
    fn of_a_merge_count_the_lines_that_are_no_parents() {
        let head = "diff --combined t\nindex 1,2..3\n";
        let of = |text: &str| merged(&format!("{head}{text}"), 2);
        let brought = "--- a/t\n+++ b/t\n@@@ -3,1 -3,1 +3,1 @@@\n -3\n +main\n";
        assert_eq!(of(brought), Some(vec![]), "what one parent brought");
        let gone =
            "@@@ -8,1 -8,1 +8,0 @@@\n--8\n--9\n@@@ -21,0 -20,0 +19,1 @@@\n++new\n++@@@ -1,1 -1,1 +1,1 @@@\n";
        let runs = [Hunk { first: 7, count: 0 }, Hunk { first: 19, count: 2 }];
        assert_eq!(of(&format!("{brought}{gone}")), Some(runs.to_vec()));
        let replaced = "@@@ -1,1 -1,1 +1,1 @@@\n--a\n++b\n@@@ -9,1 -9,1 +9,1 @@@\n++c\n--d\n";
        assert_eq!(of(replaced), Some(vec![Hunk { first: 1, count: 1 }, Hunk { first: 9, count: 1 }]));
        assert_eq!(of("Binary files differ\n"), None);
        assert_eq!(of("deleted file mode 100644,100644\n--- a/t\n+++ /dev/null\n"), None);
    }
}
