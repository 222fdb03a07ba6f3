//! What `init` will do, worked out in full before the first byte is written, and doing it.
//!
//! The order of writing keeps a half-finished run harmless: store and registry first, hooks last.

use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::{GovernedRoots, Layout, scaffold_ignored};
use bailiwick_adapters_hooks::claude_code::McpCommand;
use bailiwick_adapters_hooks::settings::{HookCommand, LoadCheck};
use bailiwick_adapters_hooks::{HOSTS, Host};
use bailiwick_domain::ContentHash;

use super::exclude;
use super::questions::Answered;
use super::team::TeamFiles;
use crate::command::CommandError;
use crate::command::client_files::settings_file::{Backups, Change, SettingsFile};
use crate::command::client_files::{self, Places};
use crate::command::setup::git_hook;
use crate::install_record::{EditedFile, InstallRecord};
use crate::site::Site;

/// Everything that `init` will do at one site.
#[derive(Debug)]
pub(super) struct Plan {
    site: Site,
    user_state: PathBuf,
    registered: bool,
    agents: Vec<Agent>,
    exclude: Option<Change>,
    git_hooks: Vec<Change>,
    answered: Answered,
    team: Option<Vec<Change>>,
}

/// One agent's part.
#[derive(Debug)]
struct Agent {
    hooks: Edit,
    load_check: Option<Edit>,
    server: Option<Edit>,
    /// The client's file with another server under the gate's name.
    foreign: Option<PathBuf>,
    record: InstallRecord,
    recorded: bool,
}

/// A change of a host's file, and what to keep for taking it out again.
#[derive(Debug)]
struct Edit {
    change: Change,
    backup: Backup,
}

#[derive(Clone, Copy, Debug)]
enum Backup {
    /// The file holds nothing of ours: it is what `uninstall` gives back.
    Take,
    /// The file is as an earlier `init` left it: its backup stays.
    Keep,
    /// The file was edited since: only ours may be taken out of it.
    Drop,
}

/// What was asked for beyond the store and the hosts.
#[derive(Debug)]
pub(super) struct Wanted {
    /// What the questions were answered with.
    pub(super) answered: Answered,
    /// The files of the team.
    pub(super) team: Option<Vec<Change>>,
    /// Whether git shall seal the ledger at each commit.
    pub(super) seal_at_commit: bool,
}

/// What is reported: paths as a person knows them.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) root: PathBuf,
    pub(super) created: Vec<String>,
    pub(super) changed: Vec<String>,
    pub(super) agents: Vec<String>,
    /// Clients' files with another server under the gate's name.
    pub(super) foreign: Vec<PathBuf>,
    /// Whether the team's files were asked for.
    pub(super) shared: bool,
}

impl Summary {
    /// Whether everything was there already.
    pub(super) fn is_empty(&self) -> bool {
        self.created.is_empty() && self.changed.is_empty()
    }

    /// Whether the store was made only now.
    pub(super) fn governs_anew(&self) -> bool {
        self.created.iter().any(|path| Path::new(path) == Path::new(Layout::INTENTS))
    }
}

impl Plan {
    /// Reads everything and works out what to do; writes nothing.
    pub(super) fn make(site: &Site, hosts: &[&'static Host], wanted: Wanted) -> Result<Self, CommandError> {
        let layout = &site.layout;
        let user_state = layout.user_state().map(Path::to_path_buf);
        let user_state = user_state
            .ok_or_else(|| CommandError::Usage("the home folder is unknown: set HOME".to_owned()))?;
        let registered = GovernedRoots::new(&user_state).contains(layout.root())?;
        let for_team = wanted.team.is_some() || TeamFiles::of(layout.root()).mode().is_some();
        let agents = hosts
            .iter()
            .map(|host| Agent::plan(site, &user_state, host, for_team && client_files::has_servers(host)))
            .collect::<Result<Vec<_>, _>>()?;
        let exclude = exclusion(site, hosts)?;
        let git_hooks = if wanted.seal_at_commit { commit_hooks(site)? } else { Vec::new() };
        let Wanted { answered, team, .. } = wanted;
        Ok(Self { site: site.clone(), user_state, registered, agents, exclude, git_hooks, answered, team })
    }

    /// The changes of files that are there or are a host's, in the order of writing.
    pub(super) fn changes(&self) -> impl Iterator<Item = &Change> {
        let agents = self.agents.iter().flat_map(|agent| {
            let hooks = std::iter::once(&agent.hooks).chain(&agent.load_check);
            agent.server.iter().chain(hooks).map(|edit| &edit.change)
        });
        let store = self.answered.changes.iter();
        let team = self.team.iter().flatten();
        let ours = store.chain(&self.exclude).chain(&self.git_hooks);
        ours.chain(agents).chain(team).filter(|change| change.is_due())
    }

    /// The files of the store that are missing.
    pub(super) fn store_files(&self) -> Vec<(PathBuf, String)> {
        self.answered.scaffold.plan()
    }

    pub(super) fn summary(&self) -> Summary {
        let root = self.site.layout.root();
        let shown = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
        let mut created: Vec<String> = self.store_files().iter().map(|(path, _)| shown(path)).collect();
        let mut changed = Vec::new();
        for change in self.changes() {
            let list = if change.creates() { &mut created } else { &mut changed };
            list.push(shown(change.file.path()));
        }
        if !self.registered {
            changed.push(shown(&self.user_state.join("roots.json")));
        }
        let agents = self.agents.iter().map(|agent| agent.record.agent.clone()).collect();
        let foreign = self.agents.iter().filter_map(|agent| agent.foreign.clone()).collect();
        Summary { root: root.to_path_buf(), created, changed, agents, foreign, shared: self.team.is_some() }
    }

    /// Does it.
    pub(super) fn apply(&self) -> Result<(), CommandError> {
        let layout = &self.site.layout;
        self.answered.scaffold.apply()?;
        self.answered.changes.iter().try_for_each(Change::apply)?;
        self.answered.accept_again(&self.site)?;
        GovernedRoots::new(&self.user_state).add(layout.root())?;
        if let Some(change) = &self.exclude {
            change.apply()?;
        }
        for change in &self.git_hooks {
            change.apply()?;
            git_hook::make_runnable(change)?;
        }
        // The team's hooks before a person's own go: a running session is never without one.
        self.team.iter().flatten().try_for_each(Change::apply)?;
        self.agents.iter().try_for_each(|agent| agent.apply(&self.site))
    }
}

impl Agent {
    /// Where the team's files hook this host, the person's own are left without ours: a call is judged once.
    fn plan(site: &Site, user_state: &Path, host: &Host, for_team: bool) -> Result<Self, CommandError> {
        let client = &host.profile.client;
        let settings = host.settings.ok_or_else(|| by_hand(host))?;
        let places = Places::of(host, site.layout.root())?;
        let program = own_program()?;
        let command = HookCommand::new(program.clone(), Some(text(user_state)?))
            .with_home(crate::user_state::untold_home(user_state))
            .with_config(client_files::untold_config(client));
        let earlier = InstallRecord::read(&site.layout, host.profile.name);
        let earlier_hooks = earlier.as_ref().map(|record| &record.settings);
        let created = earlier_hooks.is_some_and(|earlier| earlier.created);
        let none = client_files::without_hooks(settings, &places.local, for_team && created)?;
        let hooks = if for_team {
            none.clone()
        } else {
            client_files::with_hooks(settings, &places.local, &command)?
        };
        let hooks = Edit::plan(hooks, &none, earlier_hooks);
        let earlier_check = earlier.as_ref().and_then(|record| record.load_check.as_ref());
        let load_check =
            host.load_check.map(|form| load_check(form, site, &command, earlier_check)).transpose()?;
        let root = text(site.layout.root())?;
        let registered = McpCommand {
            command: program.clone(),
            args: ["--root", &root, "mcp", "--state", &text(user_state)?].map(str::to_owned).to_vec(),
        };
        let earlier_server = earlier.as_ref().and_then(|record| record.servers.as_ref());
        let server = client_files::has_servers(host)
            .then(|| server(&root, &registered, for_team, earlier_server))
            .transpose()?;
        let foreign = server.as_ref().and_then(|edit| client_files::foreign_server(&edit.change, &root));
        let record = InstallRecord {
            agent: host.profile.name.to_owned(),
            settings: hooks.record(earlier_hooks),
            load_check: load_check.as_ref().map(|check| check.record(earlier_check)),
            servers: server.as_ref().map(|server| server.record(earlier_server)),
            root,
            program,
            arguments: registered.args,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            config: client_files::untold_config(client).map(PathBuf::from),
            leaving: false,
        };
        Ok(Self { hooks, load_check, server, foreign, recorded: earlier.as_ref() == Some(&record), record })
    }

    fn apply(&self, site: &Site) -> Result<(), CommandError> {
        let backups = Backups::new(&site.layout);
        self.hooks.back_up(&backups)?;
        self.load_check.iter().chain(&self.server).try_for_each(|edit| edit.back_up(&backups))?;
        if !self.recorded {
            self.record.write(&site.layout)?;
        }
        self.server.iter().try_for_each(|server| server.change.apply())?;
        self.hooks.change.apply()?;
        self.load_check.iter().try_for_each(|check| check.change.apply())
    }
}

/// What stops calls where the host could not load its hooks.
fn load_check(
    form: &LoadCheck,
    site: &Site,
    command: &HookCommand,
    earlier: Option<&EditedFile>,
) -> Result<Edit, CommandError> {
    let path = site.layout.root().join(form.local);
    let created = earlier.is_some_and(|earlier| earlier.created);
    let none = client_files::without_hooks(&form.settings, &path, created)?;
    Ok(Edit::plan(client_files::with_hooks(&form.settings, &path, command)?, &none, earlier))
}

/// The registration of the MCP server; where a team's files have it, the person's own file is left without.
fn server(
    root: &str,
    server: &McpCommand,
    for_team: bool,
    earlier: Option<&EditedFile>,
) -> Result<Edit, CommandError> {
    let file = client_files::servers_file()?;
    let none = client_files::without_server(&file, root)?;
    let entry = if for_team { none.clone() } else { client_files::with_server(&file, root, server)? };
    Ok(Edit::plan(entry, &none, earlier))
}

/// A host whose hooks nobody but the person can register.
fn by_hand(host: &Host) -> CommandError {
    let name = host.profile.name;
    CommandError::Usage(format!(
        "the hooks of `{name}` are registered by hand: let your host run `bailiwick hook --agent {name} --governed`"
    ))
}

impl Edit {
    fn plan(change: Change, without: &Change, earlier: Option<&EditedFile>) -> Self {
        let earlier = earlier.filter(|earlier| earlier.is_at(change.file.path()));
        let backup = match earlier {
            _ if !without.is_due() => Backup::Take,
            Some(earlier) if earlier.is_untouched(change.file.text()) => Backup::Keep,
            _ => Backup::Drop,
        };
        Self { change, backup }
    }

    /// What the record says of this file; `created` stays true as long as an earlier `init` created it.
    fn record(&self, earlier: Option<&EditedFile>) -> EditedFile {
        let path = self.change.file.path();
        let before = earlier.filter(|earlier| earlier.is_at(path) && !self.change.creates());
        match before {
            Some(earlier) if !self.change.is_due() => earlier.clone(),
            _ => EditedFile {
                path: path.to_path_buf(),
                created: self.change.creates() || before.is_some_and(|earlier| earlier.created),
                written: ContentHash::of(self.change.after.as_deref().unwrap_or_default().as_bytes()),
            },
        }
    }

    fn back_up(&self, backups: &Backups) -> Result<(), CommandError> {
        if !self.change.is_due() {
            return Ok(());
        }
        match self.backup {
            Backup::Take => backups.keep(&self.change.file),
            Backup::Keep => Ok(()),
            Backup::Drop => backups.forget(self.change.file.path()),
        }
    }
}

/// Keeps what is installed for one person out of `git status`, and reports, and what is derived from the ledger also on a
/// branch that is older than the store's own ignore file.
fn exclusion(site: &Site, hosts: &[&'static Host]) -> Result<Option<Change>, CommandError> {
    let Some(git) = &site.git else { return Ok(None) };
    let file = SettingsFile::read(&git.common_dir.join("info/exclude"))?;
    let derived = scaffold_ignored().map(|name| format!("/.orchestration/{name}"));
    let is_hooked = |host: &Host| {
        let is_meant = hosts.iter().any(|meant| meant.profile.name == host.profile.name);
        is_meant || InstallRecord::read(&site.layout, host.profile.name).is_some()
    };
    let hooked = HOSTS.iter().filter(|host| is_hooked(host));
    let files = hooked.flat_map(client_files::ignored);
    let mut patterns = exclude::patterns(file.text());
    for pattern in files.chain(derived).chain([exclude::REPORT.to_owned()]) {
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    let after = exclude::with_block(file.text(), &patterns);
    Ok(Some(Change { file, after: Some(after) }))
}

/// Seals the ledger at each commit, and adds trailers to its message.
fn commit_hooks(site: &Site) -> Result<Vec<Change>, CommandError> {
    let git = site.git.as_ref();
    let git = git.ok_or_else(|| CommandError::Usage("`--git` needs a git repository".to_owned()))?;
    git_hook::with_blocks(site.layout.root(), &git.common_dir, &own_program()?)
}

/// The absolute path of this very program, by which hooks are recognised again.
fn own_program() -> Result<String, CommandError> {
    let path =
        std::env::current_exe().map_err(|error| CommandError::io("the path of this program", error))?;
    let name = path.file_stem().and_then(|name| name.to_str());
    if name != Some("bailiwick") {
        let problem = "the program must be called `bailiwick`, since its hooks are recognised by that name";
        return Err(CommandError::Usage(format!("{}: {problem}", path.display())));
    }
    text(&path)
}

/// A path as text, since settings files hold nothing else.
fn text(path: &Path) -> Result<String, CommandError> {
    let problem =
        || CommandError::Usage(format!("{}: the path is not UTF-8 and cannot be installed", path.display()));
    path.to_str().map(str::to_owned).ok_or_else(problem)
}
