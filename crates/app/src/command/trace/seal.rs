//! `bailiwick trace seal`: entries go into an immutable segment that travels with git.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bailiwick_adapters_fs::{FsIntentMap, FsLedger, Sealed};
use bailiwick_domain::{ContentHash, json};

use crate::command::git::Git;
use crate::command::output::terminal::{DIM, GOOD};
use crate::command::{CommandError, Context};
use crate::compose::Stores;
use crate::counted::counted;
use crate::inert;
use crate::map_file;
use crate::site::Site;

/// What is asked of it.
#[derive(Debug, clap::Args)]
pub(in crate::command) struct Args {
    /// Git runs this before a commit: stage the segments, and do nothing where `trace.in_git` is off
    #[arg(long)]
    pub(super) git_hook: bool,
}

pub(super) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let settings = Stores::open(site).settings;
    if args.git_hook && (!settings.trace_in_git || is_partial_commit()) {
        return Ok(ExitCode::SUCCESS);
    }
    let git = site.git.as_ref().map(|_| Git::new(site.layout.root()));
    // Git refuses a commit of nothing, and a segment would stay staged.
    if args.git_hook && !git.as_ref().map(Git::has_staged).transpose()?.unwrap_or(true) {
        return Ok(ExitCode::SUCCESS);
    }
    let ledger = FsLedger::new(site.layout.clone(), settings.sync);
    let staged = git.as_ref().map(Git::staged_segments).transpose()?.unwrap_or_default();
    if git.is_some() {
        ledger.seen_in_git(&staged)?;
    }
    let sealed = ledger.seal()?;
    let page = tracked_map(site, sealed.is_some())?;
    if let (true, Some(git)) = (args.git_hook, &git) {
        stage(git, &ledger, &staged, page.as_deref())?;
    }
    if !args.git_hook {
        report(sealed.as_ref(), site, context);
    }
    Ok(ExitCode::SUCCESS)
}

/// Stages every segment that was sealed here and is not in the index, with what belongs to it: also one that was sealed by
/// hand before, because the next one follows it.
fn stage(
    git: &Git,
    ledger: &FsLedger,
    staged: &[ContentHash],
    page: Option<&Path>,
) -> Result<(), CommandError> {
    let (names, files): (Vec<_>, Vec<_>) = ledger.sealed_beside(staged)?.into_iter().unzip();
    if names.is_empty() && (staged.is_empty() || git.has_segment_attributes()?) {
        return Ok(());
    }
    let shown: Vec<&str> = files.iter().filter_map(|file| file.to_str()).collect();
    if !git.ignored(&shown).is_empty() {
        let why = "git ignores the sealed segments, so no clone gets them";
        return Err(CommandError::Other(format!("{why}: {}", super::ignored_next(git, &shown))));
    }
    let attributes = ledger.segment_attributes()?;
    let beside = [Some(attributes.as_path()), page].into_iter().flatten();
    git.stage(&files.iter().map(PathBuf::as_path).chain(beside).collect::<Vec<_>>())?;
    Ok(ledger.seen_in_git(&names)?)
}

/// The page of intents, made anew, where the team keeps it in git and something was sealed.
fn tracked_map(site: &Site, is_sealed: bool) -> Result<Option<PathBuf>, CommandError> {
    if !is_sealed || !map_file::is_tracked(site) {
        return Ok(None);
    }
    map_file::write(site)?;
    Ok(Some(FsIntentMap::new(&site.layout).path()))
}

/// `git commit PATH` commits from an index of its own: what is staged there would be missing in the real one.
fn is_partial_commit() -> bool {
    let index = std::env::var_os("GIT_INDEX_FILE").unwrap_or_default();
    Path::new(&index).file_name().is_some_and(|name| name.to_string_lossy().starts_with("next-index"))
}

fn report(sealed: Option<&Sealed>, site: &Site, context: &Context) {
    let shown = |path: &Path| path.strip_prefix(site.layout.root()).unwrap_or(path).display().to_string();
    if context.json {
        let value = sealed.map(|sealed| {
            json!({"name": sealed.name, "path": shown(&sealed.path), "entries": sealed.entries, "follows": sealed.follows})
        });
        return context.terminal.json(&json!({ "sealed": value }));
    }
    match sealed {
        None => {
            context.terminal.styled(GOOD, "nothing to seal: every entry is in a segment of this working copy")
        }
        Some(sealed) => {
            let path = shown(&sealed.path);
            context.terminal.say(format_args!(
                "{GOOD}sealed{GOOD:#} {}: {}",
                counted(sealed.entries, "entry", "entries"),
                inert::line(&path)
            ));
            if site.git.is_some() {
                context.terminal.say(format_args!("{DIM}commit it: git add .orchestration/trace{DIM:#}"));
            }
        }
    }
}
