//! `bailiwick uninstall`: takes out exactly what `init` put in, and says what stays.
//!
//! The store and the private state stay, since they are the person's records; `--purge` deletes the private state.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bailiwick_adapters_fs::{GovernedRoots, Layout, forget_decisions, forget_witness};
use bailiwick_adapters_hooks::settings::{HookSettings, LoadCheck};
use bailiwick_adapters_hooks::{HOSTS, Host};
use bailiwick_domain::json;

use super::doctor::other_copies;
use super::git_hook;
use super::init::team::TeamFiles;
use super::init::{exclude, named};
use crate::command::client_files::settings_file::{Backups, Change, SettingsFile};
use crate::command::client_files::{self, Places};
use crate::command::output::terminal::{DIM, GOOD, HEADING};
use crate::command::{CommandError, Context};
use crate::inert;
use crate::install_record::{EditedFile, InstallRecord};
use crate::site::Site;

/// What `uninstall` is asked for.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show every change as a diff and make none
    #[arg(long)]
    dry_run: bool,
    /// Take out this agent's hooks (may be given more than once); without it, every agent's
    #[arg(long = "agent", value_name = "NAME")]
    agents: Vec<String>,
    /// Also delete the private state: live ledger, approvals, decision log, pre-images
    #[arg(long)]
    purge: bool,
    /// Also take out what `init --shared` put into the team's files
    #[arg(long)]
    shared: bool,
    /// Do not ask before `--purge` deletes the private state
    #[arg(long)]
    yes: bool,
}

/// One agent's part.
#[derive(Debug)]
struct Removal {
    agent: &'static str,
    hooks: Change,
    load_check: Option<Change>,
    server: Option<Change>,
    recorded: bool,
    /// Whether `init` created the settings file, so that its folder may go with it.
    created: bool,
    /// Another repository that the hooks serve, too, on hosts whose hooks are for all projects: they stay.
    needed_by: Option<PathBuf>,
}

/// Everything that `uninstall` takes out of files.
struct Plan {
    shared: Vec<Change>,
    removals: Vec<Removal>,
    /// What goes with the last installation of the repository.
    last: Vec<Change>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.place()?;
    if args.purge {
        refuse_while_shared(&site)?;
    }
    if args.purge && !args.yes && !args.dry_run && !confirmed(&site, context)? {
        context.terminal.say("nothing was done");
        return Ok(ExitCode::from(1));
    }
    let team = TeamFiles::of(site.layout.root());
    let plan = Plan::make(args, &site, &team)?;
    if args.dry_run {
        plan.show(&site, args.purge, context);
        return Ok(ExitCode::SUCCESS);
    }
    let mut changed = Vec::new();
    plan.apply(&site, &mut changed)?;
    if is_bare(&site) {
        unregister(&site, &mut changed)?;
    }
    if args.purge {
        purge(&site, &mut changed)?;
    }
    report(&site, &changed, args.purge, context);
    for removal in plan.removals.iter().filter(|_| !context.json) {
        removal.tell(context);
    }
    if !context.json && team.mode().is_some() {
        context.terminal.warning(
            "the team's `.claude/settings.json` still hooks this repository: `bailiwick uninstall --shared`",
        );
    }
    Ok(ExitCode::SUCCESS)
}

impl Plan {
    fn make(args: &Args, site: &Site, team: &TeamFiles) -> Result<Self, CommandError> {
        let hosts: Vec<&Host> = match args.agents.as_slice() {
            [] => HOSTS.iter().collect(),
            names => names.iter().map(|name| named(name)).collect::<Result<_, _>>()?,
        };
        let is_meant = |host: &&Host| !args.agents.is_empty() || is_here(host, site);
        let hooked = hosts.into_iter().filter(is_meant).filter_map(|host| Some((host, host.settings?)));
        let removals =
            hooked.map(|(host, form)| Removal::plan(site, host, form)).collect::<Result<Vec<_>, _>>()?;
        let shared = if args.shared { team.taken_out()? } else { Vec::new() };
        let last = last_changes(site, &removals)?;
        Ok(Self { shared, removals, last })
    }

    /// Hooks first, also the team's: a half-finished run leaves a client that works.
    fn apply(&self, site: &Site, changed: &mut Vec<String>) -> Result<(), CommandError> {
        announce(site)?;
        let make = |changes: &[Change], changed: &mut Vec<String>| {
            for change in changes.iter().filter(|change| change.is_due()) {
                change.apply()?;
                changed.push(change.file.path().display().to_string());
            }
            Ok::<(), CommandError>(())
        };
        make(&self.shared, changed)?;
        for removal in &self.removals {
            removal.apply(site, changed)?;
        }
        make(&self.last, changed)
    }

    /// What it would do: each file as a diff, and what `--purge` would delete.
    fn show(&self, site: &Site, purges: bool, context: &Context) {
        let of_hosts = self.removals.iter().flat_map(Removal::changes);
        let due = self.shared.iter().chain(of_hosts).chain(&self.last).filter(|change| change.is_due());
        let diffs: Vec<String> = due.map(Change::diff).collect();
        let private = site.layout.private();
        let deleted = (purges && private.exists()).then(|| private.display().to_string());
        if context.json {
            let root = site.layout.root().display().to_string();
            let value = json!({ "root": root, "dry_run": true, "diff": diffs.concat(), "deleted": deleted });
            return context.terminal.json(&value);
        }
        for line in diffs.iter().flat_map(|diff| inert::lines(diff.trim_end())) {
            context.terminal.say(line);
        }
        if let Some(folder) = deleted {
            context.terminal.say(format_args!("would delete {}", inert::line(&folder)));
        } else if diffs.is_empty() {
            context.terminal.styled(GOOD, "nothing of Bailiwick is installed here");
        }
        context.terminal.say(format_args!("{DIM}dry run: nothing was changed{DIM:#}"));
    }
}

/// Says in each record that it goes, before the first hook does: a running session would hold on to its hooks.
fn announce(site: &Site) -> Result<(), CommandError> {
    for host in HOSTS {
        if let Some(record) = InstallRecord::read(&site.layout, host.profile.name) {
            InstallRecord { leaving: true, ..record }.write(&site.layout)?;
        }
    }
    Ok(())
}

/// Working copies share private state: while another one is hooked, its hooks need it.
fn refuse_while_shared(site: &Site) -> Result<(), CommandError> {
    let here =
        HOSTS.iter().filter(|host| InstallRecord::read(&site.layout, host.profile.name).is_some()).count();
    if InstallRecord::count(&site.layout) > here {
        let why = "another working copy of this repository is hooked and shares the private state; uninstall there first";
        return Err(CommandError::Other(why.to_owned()));
    }
    Ok(())
}

fn confirmed(site: &Site, context: &Context) -> Result<bool, CommandError> {
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("`uninstall --purge` without `--yes`"));
    }
    let folder = site.layout.private().display();
    Ok(context
        .terminal
        .confirm(&format!("Delete the live ledger, approvals, decision log and pre-images in {folder}?")))
}

impl Removal {
    fn plan(site: &Site, host: &Host, form: &HookSettings) -> Result<Self, CommandError> {
        let agent = host.profile.name;
        let record = InstallRecord::read(&site.layout, agent);
        let edited = record.as_ref().map(|record| &record.settings);
        let path = match edited {
            Some(edited) => edited.path.clone(),
            None => Places::of(host, site.layout.root())?.local,
        };
        let created = edited.is_some_and(|edited| edited.created);
        let backups = Backups::new(&site.layout);
        let needed_by = needed_by(site, host)?;
        let hooks = match &needed_by {
            Some(_) => unchanged(&path)?,
            None => given_back(client_files::without_hooks(form, &path, created)?, edited, &backups),
        };
        let load_check = host
            .load_check
            .map(|form| load_check(form, &site.layout, record.as_ref(), &backups))
            .transpose()?;
        let server =
            client_files::has_servers(host).then(|| server(site, record.as_ref(), &backups)).transpose()?;
        Ok(Self { agent, hooks, load_check, server, recorded: record.is_some(), created, needed_by })
    }

    /// Says which hooks stay, and why.
    fn tell(&self, context: &Context) {
        if let Some(root) = &self.needed_by {
            let (file, root) = (self.hooks.file.path().display(), root.display());
            context.terminal.warning(&inert::line(&format!(
                "{file} keeps the hooks for all your projects: {root} still uses them"
            )));
        }
    }

    fn changes(&self) -> impl Iterator<Item = &Change> {
        self.load_check.iter().chain(std::iter::once(&self.hooks)).chain(&self.server)
    }

    /// Hooks go first, so that a half-finished run leaves a client that works; what asks whether they are there goes
    /// before them.
    fn apply(&self, site: &Site, changed: &mut Vec<String>) -> Result<(), CommandError> {
        let backups = Backups::new(&site.layout);
        for change in self.changes().filter(|change| change.is_due()) {
            change.apply()?;
            changed.push(change.file.path().display().to_string());
        }
        let hooks = std::iter::once(&self.hooks).filter(|_| self.created);
        for gone in hooks.chain(&self.load_check).filter(|file| file.is_due() && file.after.is_none()) {
            remove_empty_folders(gone.file.path(), site.layout.root());
        }
        if self.recorded {
            let record = InstallRecord::remove(&site.layout, self.agent)?;
            changed.push(record.display().to_string());
        }
        self.changes().try_for_each(|change| backups.forget(change.file.path()))
    }
}

/// Removes the folder of a file that is gone, and in a repository those around it, up to the first that holds something.
fn remove_empty_folders(file: &Path, root: &Path) {
    let nearest = file.parent();
    let mut folders = file.ancestors().skip(1);
    while let Some(folder) = folders.next()
        && (Some(folder) == nearest || folder.starts_with(root))
        && folder != root
        && std::fs::remove_dir(folder).is_ok()
    {}
}

/// Whether a plain `uninstall` is about this host: hooks for all projects only where `init` put them in from here.
fn is_here(host: &Host, site: &Site) -> bool {
    let is_recorded = || InstallRecord::read(&site.layout, host.profile.name).is_some();
    !host.is_for_all_projects() || is_recorded()
}

/// Another governed root in which `init` hooked this host, when its hooks are for all projects.
fn needed_by(site: &Site, host: &Host) -> Result<Option<PathBuf>, CommandError> {
    let Some(user_state) = site.layout.user_state().filter(|_| host.is_for_all_projects()) else {
        return Ok(None);
    };
    let others = GovernedRoots::new(user_state).all()?.into_iter();
    let uses = |root: &PathBuf| {
        let other = Site::at(root, Some(user_state.to_path_buf()));
        other.is_ok_and(|other| InstallRecord::read(&other.layout, host.profile.name).is_some())
    };
    Ok(others.filter(|root| root != site.layout.root()).find(uses))
}

fn unchanged(path: &Path) -> Result<Change, CommandError> {
    let file = SettingsFile::read(path)?;
    Ok(Change { after: file.text().map(str::to_owned), file })
}

/// The repository without what asks whether the hooks are there.
fn load_check(
    form: &LoadCheck,
    layout: &Layout,
    record: Option<&InstallRecord>,
    backups: &Backups,
) -> Result<Change, CommandError> {
    let edited = record.and_then(|record| record.load_check.as_ref());
    let created = edited.is_some_and(|edited| edited.created);
    let change = client_files::without_hooks(&form.settings, &layout.root().join(form.local), created)?;
    Ok(given_back(change, edited, backups))
}

/// The person's list of MCP servers without ours.
fn server(site: &Site, record: Option<&InstallRecord>, backups: &Backups) -> Result<Change, CommandError> {
    let edited = record.and_then(|record| record.servers.as_ref());
    let path = match edited {
        Some(edited) => edited.path.clone(),
        None => client_files::servers_file()?,
    };
    let root = site.layout.root().to_str().unwrap_or_default();
    let root = record.map_or(root, |record| record.root.as_str());
    Ok(given_back(client_files::without_server(&path, root)?, edited, backups))
}

/// The old content where the file is as `init` left it; else the file without ours.
fn given_back(change: Change, edited: Option<&EditedFile>, backups: &Backups) -> Change {
    let path = change.file.path();
    let Some(edited) = edited.filter(|edited| edited.is_at(path) && change.is_due()) else { return change };
    let nothing_left = change.after.as_deref().is_some_and(|text| text.trim() == "{}");
    let after = match backups.kept(path) {
        Some(before) if !edited.created && edited.is_untouched(change.file.text()) => Some(before),
        _ if edited.created && nothing_left => None,
        _ => change.after,
    };
    Change { after, ..change }
}

/// Whether no agent is hooked in this working copy any more.
fn is_bare(site: &Site) -> bool {
    HOSTS.iter().all(|host| InstallRecord::read(&site.layout, host.profile.name).is_none())
}

/// The blocks in git's hooks and the exclude block go with the last installation of the repository.
fn last_changes(site: &Site, removals: &[Removal]) -> Result<Vec<Change>, CommandError> {
    let recorded = removals.iter().filter(|removal| removal.recorded).count();
    let Some(git) = &site.git else { return Ok(Vec::new()) };
    if InstallRecord::count(&site.layout) > recorded {
        return Ok(Vec::new());
    }
    let mut changes = git_hook::without_blocks(&git.common_dir)?;
    let file = SettingsFile::read(&git.common_dir.join("info/exclude"))?;
    let after =
        file.text().map(exclude::without_block).filter(|text| !text.is_empty() || file.text() == Some(""));
    changes.push(Change { file, after });
    Ok(changes)
}

/// Each working copy is registered by itself, so it leaves the registry by itself as well.
fn unregister(site: &Site, changed: &mut Vec<String>) -> Result<(), CommandError> {
    let Some(user_state) = site.layout.user_state() else { return Ok(()) };
    let registry = GovernedRoots::new(user_state);
    if registry.contains(site.layout.root())? {
        registry.remove(site.layout.root())?;
        changed.push(user_state.join("roots.json").display().to_string());
    }
    Ok(())
}

/// The private state, with what shows or remembers it elsewhere: the view of the ledger, its witness, and what was decided
/// for this repository. How new each consent was stays, so that none of them counts again when its file is put back.
fn purge(site: &Site, changed: &mut Vec<String>) -> Result<(), CommandError> {
    let view = site.layout.ledger_view();
    match std::fs::remove_file(&view) {
        Ok(()) => changed.push(view.display().to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(CommandError::io(view.display(), error)),
    }
    let remembered = site.layout.remembered().map(|all| [all.join("pending"), all.join("tallies")]);
    let elsewhere = [site.layout.private().to_owned(), site.layout.cache()];
    for folder in elsewhere.into_iter().chain(remembered.into_iter().flatten()) {
        match std::fs::remove_dir_all(&folder) {
            Ok(()) => changed.push(folder.display().to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(CommandError::io(folder.display(), error)),
        }
    }
    changed.extend(forget_witness(&site.layout)?.map(|folder| folder.display().to_string()));
    let copies = site.git.as_ref().map(other_copies).unwrap_or_default();
    let decided = forget_decisions(&site.layout, &copies)?;
    changed.extend(
        decided
            .into_iter()
            .map(|file| file.display().to_string())
            .filter(|file| !changed.contains(file))
            .collect::<Vec<_>>(),
    );
    Ok(())
}

fn report(site: &Site, changed: &[String], purged: bool, context: &Context) {
    let kept: Vec<String> = [site.layout.orchestration().as_path(), site.layout.private()]
        .into_iter()
        .filter(|path| path.exists())
        .map(|path: &Path| path.display().to_string())
        .collect();
    if context.json {
        let root = site.layout.root().display().to_string();
        return context.terminal.json(&json!({ "root": root, "changed": changed, "kept": kept }));
    }
    if changed.is_empty() {
        context.terminal.styled(GOOD, "nothing of Bailiwick is installed here");
    } else {
        context.terminal.styled(HEADING, "taken out");
    }
    for path in changed {
        context.terminal.say(format_args!("  {}", inert::line(path)));
    }
    if kept.is_empty() {
        return;
    }
    context.terminal.styled(HEADING, "kept: your intents and records");
    for path in kept {
        context.terminal.say(format_args!("  {}", inert::line(&path)));
    }
    context.terminal.say(format_args!("{DIM}While they are there, a hook in your settings for all projects, if you have one, still guards this repository.{DIM:#}"));
    if !purged && site.layout.private().exists() {
        context.terminal.say(format_args!("{DIM}`bailiwick uninstall --purge` deletes the private state; `.orchestration` is yours to delete.{DIM:#}"));
    }
}
