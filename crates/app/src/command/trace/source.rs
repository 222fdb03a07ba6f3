//! What the questions about code start from: a file as it is now, and the entries of the ledger.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use bailiwick_adapters_fs::{FsLedgerReader, FsWorkspace};
use bailiwick_domain::{FileState, LedgerQuery, LedgerReader, Location, RepoPath, StoredEntry, Workspace};
use pollster::block_on;

use crate::command::{CommandError, Context};
use crate::evidence::{IndexedText, names_of};
use crate::inert;
use crate::site::Site;

/// A larger file is not looked at line by line.
const LARGEST: u64 = 16 * 1024 * 1024;

/// A file of the working copy.
#[derive(Debug)]
pub(super) struct SourceFile {
    pub(super) path: RepoPath,
    pub(super) text: Vec<u8>,
}

impl SourceFile {
    /// The file that a person named, seen from where they stand.
    pub(super) fn named(name: &str, site: &Site, context: &Context) -> Result<Self, CommandError> {
        let here = match &context.root {
            Some(_) => site.layout.root().to_path_buf(),
            None => {
                std::env::current_dir().map_err(|source| CommandError::io("the current directory", source))?
            }
        };
        let workspace = FsWorkspace::new(site.layout.clone());
        let path = inside(&workspace, name, &here)?;
        let usage = |why: &str| CommandError::Usage(format!("`{}` {why}", inert::line(name)));
        let text = match block_on(workspace.state(&path))? {
            FileState::Absent => Err(usage("is not there: name a file as it is called now")),
            FileState::Other => {
                Err(usage("is no file: name one file, or ask `bailiwick map --files INTENT`"))
            }
            FileState::Content(_) => {
                block_on(workspace.read(&path, LARGEST))?.ok_or_else(|| usage("went away just now"))
            }
        }?;
        if text.contains(&0) {
            return Err(usage("is not text: its entries are in `bailiwick trace log --path`"));
        }
        Ok(Self { path, text })
    }
}

fn inside(workspace: &FsWorkspace, name: &str, here: &Path) -> Result<RepoPath, CommandError> {
    match block_on(workspace.locate(name, here.to_str())) {
        Location::Inside(found) => Ok(found.path),
        _ => Err(CommandError::Usage(format!("`{}` is no file of this repository", inert::line(name)))),
    }
}

/// A reader of the ledger that shows how far it is.
pub(super) fn reader(site: &Site, context: &Context) -> FsLedgerReader {
    let reader = FsLedgerReader::new(&site.layout);
    match context.progress("reading the ledger") {
        Some(bar) => reader.with_progress(bar),
        None => reader,
    }
}

/// The entries that may have written a line of a file, newest first. What the file was called before is only known from
/// such entries, so that they are looked for again under each name that shows.
pub(super) fn entries(
    site: &Site,
    context: &Context,
    path: &RepoPath,
    text: &IndexedText<'_>,
    query: &LedgerQuery,
) -> Result<Vec<StoredEntry>, CommandError> {
    let mut names = BTreeSet::from([path.clone()]);
    loop {
        let mut entries = Vec::new();
        let mut take = |stored: StoredEntry| {
            entries.push(stored);
            ControlFlow::Continue(())
        };
        let touching = Some(text.touching(names.clone()));
        let query = LedgerQuery { touching, ..query.clone() };
        reader(site, context).visit(&query, &mut take)?;
        let all = names_of(path, &entries);
        if all.is_subset(&names) {
            return Ok(entries);
        }
        names = all;
    }
}

/// The one entry whose id begins so.
pub(super) fn entry(id: &str, site: &Site, context: &Context) -> Result<StoredEntry, CommandError> {
    /// How many are named when several begin alike.
    const NAMED: usize = 5;
    let mut found: Vec<StoredEntry> = Vec::new();
    let mut take = |stored: StoredEntry| {
        if stored.entry.id.starts_with(id) {
            found.push(stored);
        }
        if found.len() < NAMED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let query = LedgerQuery { containing: Some(id.to_owned()), ..LedgerQuery::default() };
    reader(site, context).visit(&query, &mut take)?;
    found.dedup_by(|a, b| a.checksum == b.checksum);
    if found.len() > 1 {
        let ids: Vec<&str> = found.iter().map(|stored| stored.entry.id.as_str()).collect();
        let message = format!("several entries begin with `{}`: {}", inert::line(id), ids.join(", "));
        return Err(CommandError::Other(message));
    }
    found.pop().ok_or_else(|| {
        let id = inert::line(id);
        CommandError::Other(format!("the ledger has no entry `{id}`; `bailiwick trace log` has all of them"))
    })
}
