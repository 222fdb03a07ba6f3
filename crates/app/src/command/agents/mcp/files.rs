//! Looking at files for a call that was let through: one whole or in part, the names in a folder, lines in many.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bailiwick_adapters_tools::{Source, Tree, Wanted, list as listed, search as searched};
use bailiwick_domain::{
    CallId, ContentHash, FileState, Location, Params, PortError, RepoPath, Showed, ToolCall, ToolError,
    Value, json,
};

use super::let_through::{Work, malformed, text};
use crate::gate::Gate;
use crate::inert;
use crate::refusals::{Outside, ServedFault};

/// The largest file that is read, in bytes.
const MOST_READ: u64 = 16 << 20;

/// The largest file that is searched, in bytes.
const MOST_SEARCHED: u64 = 4 << 20;

/// What of a file is shown at once: so many bytes at most, and so many lines unless the call says it.
const MOST_SHOWN: usize = 256 << 10;
const MOST_LINES: usize = 2_000;

/// So many files are named that were searched in part.
const MOST_NAMED: usize = 10;

/// How long a search goes on: it ends before its call does, and tells what it has found.
const LONGEST_SEARCH: Duration = Duration::from_secs(45);

/// The text of a file, and what of it is shown.
pub(super) async fn read(work: &Work<'_>) -> Result<(String, Showed), ToolError> {
    let params = &work.call.params;
    let path = place(work).await?.ok_or_else(|| malformed("`path` is no file"))?;
    let workspace = &work.gate.ports().tree.workspace;
    let bytes = workspace.read(&path, MOST_READ).await.map_err(|error| unread(&path, &error))?;
    let Some(bytes) = bytes else { return Err(no_file(work, &path).await) };
    // What was judged is what was read, or nothing is shown.
    if place(work).await?.as_ref() != Some(&path) {
        return Err(ToolError::stale_file(path.as_str()));
    }
    let hash = ContentHash::of(&bytes);
    let Ok(whole) = String::from_utf8(bytes) else {
        let told = format!("[`{path}` is not text in UTF-8. It counts as read. Its content is {hash}]");
        return Ok((told, Showed::Content(hash)));
    };
    let asks = params.contains_key("offset") || params.contains_key("limit");
    let lines: Vec<&str> = whole.split('\n').collect();
    let first = count(params, "offset").unwrap_or(1);
    let most = count(params, "limit").unwrap_or(MOST_LINES);
    if !asks && lines.len() <= MOST_LINES && whole.len() <= MOST_SHOWN {
        let showed = shown(1, lines.len(), &whole);
        return Ok((whole, showed));
    }
    let part = part(&lines, first, most);
    if let Some(line) = lines.get(first.saturating_sub(1)).filter(|_| part.is_empty()) {
        return Ok((beginning(line, first, lines.len()), Showed::Content(hash)));
    }
    if part.is_empty() {
        let note = format!("[there is no line {first}: the last one is {}]", lines.len());
        return Ok((note, Showed::Nothing));
    }
    let last = first.saturating_add(part.len()).saturating_sub(1);
    let shown_text = part.join("\n");
    let showed = shown(first, lines.len(), &shown_text);
    let note = format!("[lines {first} to {last} of {}]", lines.len());
    Ok((format!("{shown_text}\n{note}"), showed))
}

/// Why there is nothing to read: the path leads to nothing, to a folder, or to something that has no text.
async fn no_file(work: &Work<'_>, path: &RepoPath) -> ToolError {
    let workspace = &work.gate.ports().tree.workspace;
    let is_folder = Path::new(&workspace.root()).join(path.as_str()).is_dir();
    malformed(match workspace.state(path).await {
        Ok(FileState::Other) if is_folder => {
            format!("`{path}` is a folder: `list_files` shows what is in it")
        }
        Ok(FileState::Other) => format!("`{path}` is no regular file"),
        _ => format!("there is no file `{path}`"),
    })
}

/// What is shown of a line that is longer than what can be shown at once.
fn beginning(line: &str, number: usize, lines: usize) -> String {
    let shown = line.get(..line.floor_char_boundary(MOST_SHOWN)).unwrap_or_default();
    let (some, all) = (shown.len(), line.len());
    format!(
        "{shown}\n[line {number} of {lines}, its first {some} of {all} bytes; no more of it can be shown; the file counts as read]"
    )
}

/// So many lines from that one on, and no more bytes than are shown at once.
fn part<'a>(lines: &[&'a str], first: usize, most: usize) -> Vec<&'a str> {
    let mut room = MOST_SHOWN;
    let fits = |line: &&str| {
        let needed = line.len().saturating_add(1);
        let is_room = needed <= room;
        room = room.saturating_sub(needed);
        is_room
    };
    lines.iter().skip(first.saturating_sub(1)).take(most).copied().take_while(fits).collect()
}

fn shown(first: usize, total: usize, text: &str) -> Showed {
    let text = text.strip_prefix('\u{feff}').filter(|_| first == 1).unwrap_or(text);
    let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    Showed::Lines { first: number(first), total: number(total), text: text.replace("\r\n", "\n") }
}

/// The names in a folder.
pub(super) async fn list(work: &Work<'_>) -> Result<String, ToolError> {
    let below = place(work).await?.map_or_else(|| ".".to_owned(), |path| path.to_string());
    let recursive = work.call.params.get("recursive").and_then(Value::as_bool).unwrap_or(false);
    let exclude = exclude(work);
    let listing = listed(tree(work, exclude.as_deref()), &below, recursive)
        .map_err(|error| malformed(error.to_string()))?;
    let mut lines: Vec<String> = listing.names.iter().map(|name| inert::line(name)).collect();
    if lines.is_empty() {
        lines.push("[the folder is empty, or git ignores all that is in it]".to_owned());
    }
    if listing.more {
        lines.push("[there are more; list one of the folders]".to_owned());
    }
    Ok(lines.join("\n"))
}

/// The file in which git keeps what it ignores in this clone alone.
fn exclude(work: &Work<'_>) -> Option<PathBuf> {
    work.site.git.as_ref().map(|git| git.common_dir.join("info/exclude"))
}

fn tree<'a>(work: &'a Work<'_>, exclude: Option<&'a Path>) -> Tree<'a> {
    Tree { root: work.site.layout.root(), exclude }
}

/// The lines that a regular expression matches.
pub(super) async fn search(work: &Work<'_>) -> Result<String, ToolError> {
    let params = &work.call.params;
    let below = place(work).await?.map_or_else(|| ".".to_owned(), |path| path.to_string());
    let regex = text(params, "regex").unwrap_or_default();
    let wanted = Wanted { regex, below: &below, names: text(params, "file_pattern") };
    let files = Files { work, until: Instant::now() + LONGEST_SEARCH };
    let exclude = exclude(work);
    let found = searched(tree(work, exclude.as_deref()), wanted, &files)
        .map_err(|error| malformed(error.to_string()))?;
    let mut lines: Vec<String> = found
        .hits
        .iter()
        .map(|hit| format!("{}:{}:{}", inert::line(hit.path.as_str()), hit.line, hit.text))
        .collect();
    if lines.is_empty() {
        lines.push("[nothing found]".to_owned());
    }
    if found.more {
        lines.push("[there may be more; search a smaller part]".to_owned());
    }
    lines.extend(cut_lines(&found.cut));
    Ok(lines.join("\n"))
}

/// Says in which files lines are longer than what is searched of one.
fn cut_lines(files: &[RepoPath]) -> Option<String> {
    let named: Vec<String> =
        files.iter().take(MOST_NAMED).map(|path| format!("`{}`", inert::line(path.as_str()))).collect();
    let more = match files.len().saturating_sub(named.len()) {
        0 => String::new(),
        count => format!(" and {count} more files"),
    };
    let named = named.join(", ");
    (!files.is_empty())
        .then(|| format!("[of very long lines only the beginning was searched: {named}{more}]"))
}

/// The files of a search: read as they are judged, and shown as if each was read by a call of its own.
struct Files<'a> {
    work: &'a Work<'a>,
    /// Then the search ends with what it has found.
    until: Instant,
}

impl Source for Files<'_> {
    fn read(&self, path: &RepoPath) -> Option<Vec<u8>> {
        let workspace = &self.work.gate.ports().tree.workspace;
        pollster::block_on(workspace.read(path, MOST_SEARCHED)).ok().flatten()
    }

    fn may_show(&self, path: &RepoPath) -> bool {
        would_read(self.work.gate, self.work.call, path)
    }

    fn is_stopped(&self) -> bool {
        self.work.stop.is_set() || Instant::now() >= self.until
    }
}

fn would_read(gate: &Gate, call: &ToolCall, path: &RepoPath) -> bool {
    let params: Params = [("path".to_owned(), json!(path.as_str()))].into_iter().collect();
    let reading = ToolCall {
        id: CallId(format!("{}-shows", call.id.0)),
        tool: "read_file".to_owned(),
        params,
        ..call.clone()
    };
    pollster::block_on(gate.would_show(&reading)).unwrap_or(false)
}

/// Where the call's path really leads; `None` for the root.
async fn place(work: &Work<'_>) -> Result<Option<RepoPath>, ToolError> {
    let path = text(&work.call.params, "path").filter(|path| !path.is_empty()).unwrap_or(".");
    match work.gate.ports().tree.workspace.locate(path, None).await {
        Location::Root => Ok(None),
        Location::Inside(found) => Ok(Some(found.path)),
        Location::Outside(_) | Location::Scratch(_) | Location::ReadRoot(_) | Location::Invalid(_) => {
            Err(ServedFault::Outside(Outside::Shown(path)).into())
        }
    }
}

fn count(params: &Params, key: &str) -> Option<usize> {
    params.get(key).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok())
}

fn unread(path: &RepoPath, error: &PortError) -> ToolError {
    ServedFault::Unshown(path, error).into()
}
