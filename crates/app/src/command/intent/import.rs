//! `bailiwick intent import`: specs of other tools become intents. What they may change is a proposal until a person
//! accepts it; another import changes what changed in the specs, and nothing that a person wrote.

mod project;
mod reach;
mod told;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use bailiwick_adapters_fs::{
    FsDocuments, FsWorkspaceLock, Imported, imported, intent_records, write_imported,
};
use bailiwick_adapters_specs::{
    Change, Document, Left, MOST_BYTES, MOST_DOCUMENTS, MOST_PER_DOCUMENT, Merged, PLACES, Specs, Tool,
    found, is_archived, is_rule, is_wanted, merged, read, records,
};
use bailiwick_domain::{IntentId, IntentRecord, WorkspaceLock};

use self::project::Project;
use self::reach::Reach;
use super::super::{CommandError, Context};
use super::proposed::said;
use crate::site::Site;

/// How long a running call may keep a person waiting.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A feature becomes a goal, and each of its user stories an intent with its criteria. What an intent \
may change is proposed from the paths that plan and tasks name, and counts for nothing until you \
accept it: bailiwick intent accept ID.

Run it again when the specs changed: you see what changed. What you edited stays. What is no longer \
in the specs is marked, never deleted.

Examples:
  bailiwick intent import --dry-run
  bailiwick intent import speckit
  bailiwick intent import kiro .kiro/specs/login")]
pub(in crate::command) struct Import {
    /// Who wrote the specs: speckit, openspec or kiro; found out when not given
    #[arg(value_name = "KIND")]
    kind: Option<String>,
    /// The folder of the project, or one of its specs; the repository when not given
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Make one intent of each feature, without one for each story
    #[arg(long)]
    flat: bool,
}

/// What was found and made of it.
struct Outcome {
    tool: Tool,
    is_guessed: bool,
    files: usize,
    specs: Specs,
    left: Vec<Left>,
    merged: Merged,
    made: Imported,
    /// How many tasks the intents have whose tasks are all ticked.
    finished: BTreeMap<IntentId, usize>,
}

pub(super) fn import(site: &Site, args: &Import, context: &Context) -> Result<ExitCode, CommandError> {
    let (named, path) = named(args)?;
    let project = Project::find(site.layout.root(), path)?;
    let documents = FsDocuments::new(&project.base);
    let (names, is_complete) = documents.names(PLACES, MOST_DOCUMENTS);
    let tool = project.tool(named, &names)?;
    let (texts, mut left) = texts(&documents, tool, &project, &names);
    if !is_complete {
        let why = format!("there are more than {MOST_DOCUMENTS} files; the others were not looked at");
        left.push(Left { path: project.shown.clone(), line: 0, why });
    }
    let unread: Vec<String> = left.iter().map(|one| one.path.clone()).collect();
    let specs = read(tool, &texts);
    left.extend(specs.left.iter().cloned());
    // Read, compared and written under one lock: nobody's change of the file is lost in between.
    let lock = FsWorkspaceLock::new(site.layout.clone()).with_wait(PATIENCE);
    let held = pollster::block_on(lock.acquire())?;
    let existing = intent_records(&site.layout)?;
    let mut upstream = records(&specs, &existing, &project.place, args.flat);
    let reach = Reach::of(site, &project.place.paths)?;
    upstream.iter_mut().for_each(|record| reach.narrow(record, &mut left));
    let covers =
        |path: &str| is_complete && project.covers(path) && !unread.iter().any(|other| other == path);
    let mut merged = merged(&upstream, &existing, tool.word(), covers);
    name_archived(&mut merged, &existing, &project, &names);
    let made = imported(&site.layout, &merged.new, &merged.changed).map_err(said)?;
    if !args.dry_run && made.after != made.before {
        write_imported(&site.layout, &made).map_err(said)?;
    }
    drop(held);
    left.sort();
    left.dedup();
    let finished = finished(&upstream, &specs, &project);
    let outcome = Outcome {
        tool,
        is_guessed: named.is_none(),
        files: texts.len(),
        specs,
        left,
        merged,
        made,
        finished,
    };
    told::tell(&outcome, args.dry_run, context);
    Ok(ExitCode::SUCCESS)
}

/// The kind and the folder. A single word that is no kind is the folder.
fn named(args: &Import) -> Result<(Option<Tool>, Option<&std::path::Path>), CommandError> {
    let Some(word) = &args.kind else { return Ok((None, None)) };
    let kind = Tool::ALL.iter().copied().find(|tool| tool.word() == word);
    match (kind, &args.path) {
        (Some(kind), path) => Ok((Some(kind), path.as_deref())),
        (None, None) => Ok((None, Some(std::path::Path::new(word)))),
        (None, Some(_)) => Err(CommandError::Usage(format!(
            "`{}` is no kind of specs that can be imported: say speckit, openspec or kiro",
            crate::inert::line(word)
        ))),
    }
}

/// What the files of that kind say, within bounds.
fn texts(
    documents: &FsDocuments,
    tool: Tool,
    project: &Project,
    names: &[String],
) -> (Vec<Document>, Vec<Left>) {
    let (mut texts, mut left, mut bytes) = (Vec::new(), Vec::new(), 0_u64);
    let wanted = names.iter().filter(|name| is_wanted(tool, name) && (project.has(name) || is_rule(name)));
    for name in wanted {
        let room = MOST_BYTES.saturating_sub(bytes);
        let mut leave = |why: String| left.push(Left { path: project.named(name), line: 0, why });
        if room == 0 {
            leave(format!("the specs are larger than {} MiB together", MOST_BYTES >> 20));
            continue;
        }
        match documents.read(name, MOST_PER_DOCUMENT.min(room)) {
            Ok(text) => {
                bytes = bytes.saturating_add(text.len() as u64);
                texts.push(Document { path: name.clone(), text });
            }
            Err(why) => leave(why.to_string()),
        }
    }
    (texts, left)
}

/// Says of changes that are gone from their place and lie in the archive that they are done.
fn name_archived(merged: &mut Merged, existing: &[IntentRecord], project: &Project, names: &[String]) {
    let is_archived = |change: &Change| {
        let record = existing.iter().find(|record| record.id == change.intent);
        let path = record.and_then(|record| record.source.as_ref()).map(|source| source.path.as_str());
        let name = path.and_then(|path| path.strip_prefix(&project.place.specs));
        name.is_some_and(|name| is_archived(name, names.iter().map(String::as_str)))
    };
    let gone = |change: &&mut Change| change.what == "vanished" && change.field.is_empty();
    for change in merged.changes.iter_mut().filter(gone).filter(|change| is_archived(change)) {
        change.what = "archived";
    }
}

/// How many tasks each intent has whose tasks are all ticked.
fn finished(upstream: &[IntentRecord], specs: &Specs, project: &Project) -> BTreeMap<IntentId, usize> {
    let tasks = |record: &IntentRecord| {
        let source = record.source.as_ref().filter(|source| source.item.is_none())?;
        let path = source.path.strip_prefix(&project.place.specs)?;
        Some((record.id.clone(), specs.finished(path)?))
    };
    upstream.iter().filter_map(tasks).collect()
}

/// The kinds of specs among these names.
fn kinds(names: &[String]) -> Vec<Tool> {
    found(names.iter().map(String::as_str))
}
