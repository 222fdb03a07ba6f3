//! What the questions about code start from: a file as it is now, and the entries of the ledger.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bailiwick_adapters_fs::{FsLedgerReader, FsWorkspace};
use bailiwick_domain::{
    ContentHash, FileState, LedgerQuery, LedgerReader, Location, RepoPath, StoredEntry, Timestamp, Workspace,
};
use pollster::block_on;

use crate::command::git::Git;
use crate::command::{CommandError, Context};
use crate::evidence::{IndexedText, names_of};
use crate::inert;
use crate::site::Site;

/// A larger file is not looked at line by line.
const LARGEST: u64 = 16 * 1024 * 1024;

/// A file of the working copy.
#[derive(Debug)]
pub(crate) struct SourceFile {
    pub(crate) path: RepoPath,
    pub(crate) text: Vec<u8>,
}

impl SourceFile {
    /// The file that a person named, seen from where they stand.
    pub(crate) fn named(name: &str, site: &Site, context: &Context) -> Result<Self, CommandError> {
        let here = standpoint(site, context)?;
        let workspace = FsWorkspace::new(site.layout.clone());
        let path = inside(&workspace, name, &here)?;
        let usage = |why: &str| CommandError::Usage(format!("`{}` {why}", inert::line(name)));
        let text = match block_on(workspace.state(&path))? {
            FileState::Absent => Err(usage(&format!(
                "is not there{}: name a file as it is called now, or `blame --at REV` one that a commit has",
                counted_from(&here, site)
            ))),
            FileState::Other => {
                Err(usage("is not a file: name one file, or ask `bailiwick map --files INTENT`"))
            }
            FileState::Content(_) => {
                block_on(workspace.read(&path, LARGEST))?.ok_or_else(|| usage("disappeared just now"))
            }
        }?;
        if text.contains(&0) {
            return Err(usage("is not text: its entries are in `bailiwick trace log --path`"));
        }
        Ok(Self { path, text })
    }
}

impl SourceFile {
    /// The file as a commit has it, whether or not it is there now; and when that was.
    pub(crate) fn at(
        name: &str,
        revision: &str,
        site: &Site,
        context: &Context,
    ) -> Result<(Self, Timestamp), CommandError> {
        let path = inside(&FsWorkspace::new(site.layout.clone()), name, &standpoint(site, context)?)?;
        let git = site.git.as_ref().map(|_| Git::new(site.layout.root()));
        let git = git.ok_or_else(|| CommandError::Usage("`--at` needs a git repository".to_owned()))?;
        let no_commit = || CommandError::Usage(format!("`{}` is not a commit", inert::line(revision)));
        git.must_be_one(revision)?;
        let (commit, at_s) = git.commit(revision).ok_or_else(no_commit)?;
        let there = git.blobs(&[format!("{commit}:{path}")])?.into_iter().next().flatten();
        let usage = |why: &str| CommandError::Usage(format!("`{}` {why}", inert::line(name)));
        let text = there.ok_or_else(|| usage("is not a file of that commit"))?;
        if text.contains(&0) {
            return Err(usage("is not text: its entries are in `bailiwick trace log --path`"));
        }
        Ok((Self { path, text }, Timestamp::from_unix_ms(at_s.saturating_mul(1000).saturating_add(999))))
    }
}

/// Where the person stands.
fn standpoint(site: &Site, context: &Context) -> Result<PathBuf, CommandError> {
    match &context.root {
        Some(_) => Ok(site.layout.root().to_path_buf()),
        None => std::env::current_dir().map_err(|source| CommandError::io("the current directory", source)),
    }
}

/// From which folder a path counts that was found nowhere, where that is not the root.
fn counted_from(here: &Path, site: &Site) -> String {
    let below = here.canonicalize().ok();
    let below = below.as_deref().and_then(|here| here.strip_prefix(site.layout.root()).ok());
    match below.map(|below| below.display().to_string()).filter(|below| !below.is_empty()) {
        Some(below) => format!(" (paths count from {}, where you are)", inert::line(&below)),
        None => String::new(),
    }
}

fn inside(workspace: &FsWorkspace, name: &str, here: &Path) -> Result<RepoPath, CommandError> {
    match block_on(workspace.locate(name, here.to_str())) {
        Location::Inside(found) => Ok(found.path),
        _ => Err(CommandError::Usage(format!("`{}` is not a file of this repository", inert::line(name)))),
    }
}

/// A reader of the ledger that shows how far it is.
pub(in crate::command) fn reader(site: &Site, context: &Context) -> FsLedgerReader {
    with_bar(context.claims.reader(reader_of(site)), context)
}

/// The reader, which shows how far it is.
pub(crate) fn with_bar(reader: FsLedgerReader, context: &Context) -> FsLedgerReader {
    match context.progress("reading the ledger") {
        Some(bar) => reader.with_progress(bar),
        None => reader,
    }
}

/// A reader of the ledger and of all that git keeps of others' ledgers.
pub(in crate::command) fn reader_of(site: &Site) -> FsLedgerReader {
    let reader = FsLedgerReader::new(&site.layout);
    match site.git {
        Some(_) => reader.with_history(Arc::new(Git::new(site.layout.root()))),
        None => reader,
    }
}

/// The entries that the lines of a file may be from, newest first. What the file was called before is only known from
/// such entries, so that they are looked for again under each name that shows.
pub(crate) fn entries(
    ledger: &dyn LedgerReader,
    source: &SourceFile,
    text: &IndexedText<'_>,
    query: &LedgerQuery,
) -> Result<Vec<StoredEntry>, CommandError> {
    let mut names = BTreeSet::from([source.path.clone()]);
    let now = ContentHash::of(&source.text);
    let mut asked = BTreeSet::new();
    loop {
        let mut entries = Vec::new();
        let mut take = |stored: StoredEntry| {
            entries.push(stored);
            ControlFlow::Continue(())
        };
        let touching = Some(text.touching(names.clone()));
        let query = LedgerQuery { touching, ..query.clone() };
        ledger.visit(&query, &mut take)?;
        let mut all = names_of(&source.path, &entries);
        all.extend(names.iter().cloned());
        for content in beginnings(&all, &entries, &now) {
            if asked.insert(content.clone()) {
                all.extend(other_names(ledger, &content)?);
            }
        }
        if all.is_subset(&names) {
            return Ok(entries);
        }
        names = all;
    }
}

/// The contents that the known way of a file begins with: for each name what its oldest entry found there, and what is
/// there now where there is none.
fn beginnings(names: &BTreeSet<RepoPath>, entries: &[StoredEntry], now: &ContentHash) -> Vec<ContentHash> {
    let mut found = Vec::new();
    for name in names {
        let files = entries.iter().rev().flat_map(|stored| &stored.entry.files);
        match files.filter(|file| file.path == *name).map(|file| &file.before).next() {
            Some(FileState::Content(hash)) => found.push(hash.clone()),
            Some(FileState::Absent | FileState::Other) => {}
            None => found.push(now.clone()),
        }
    }
    found
}

/// The paths at which an entry left exactly this content.
fn other_names(ledger: &dyn LedgerReader, content: &ContentHash) -> Result<BTreeSet<RepoPath>, CommandError> {
    let mut found = BTreeSet::new();
    let left = FileState::Content(content.clone());
    let mut take = |stored: StoredEntry| {
        let files = stored.entry.files.iter().filter(|file| file.after == left);
        found.extend(files.map(|file| file.path.clone()));
        ControlFlow::Continue(())
    };
    let query = LedgerQuery {
        containing: Some(content.as_str().to_owned()),
        without_records: true,
        ..LedgerQuery::default()
    };
    ledger.visit(&query, &mut take)?;
    Ok(found)
}

/// The one entry whose id begins so.
pub(crate) fn entry(id: &str, site: &Site, context: &Context) -> Result<StoredEntry, CommandError> {
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
        let next = match context.claims.passed_over() {
            true => {
                " that you recorded or that a key signed that you trust; `--claimed` looks among the others, too, \
                 and `bailiwick trace key trust` trusts the key of somebody you know"
            }
            false => "; `bailiwick trace log` has all of them",
        };
        CommandError::Other(format!("the ledger has no entry `{id}`{next}"))
    })
}
