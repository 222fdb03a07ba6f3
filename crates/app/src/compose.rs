//! The composition root: builds a gate over the file system, git and the read-only table.

use std::path::PathBuf;

#[cfg(feature = "ast")]
use bailiwick_adapters_ast::AstReader as SourceReader;
use bailiwick_adapters_fs::{
    FsAllowanceStore, FsApprovalQueue, FsDecisionLog, FsGrantStore, FsIntentRepo, FsIntentWriter, FsLedger,
    FsLedgerReader, FsLessons, FsPauses, FsPendingStore, FsPolicySource, FsScopeMeter, FsSessionStore,
    FsTallies, FsWorkspace, FsWorkspaceLock, FsWorkspaceWriter, RandomIds, SystemClock,
};
use bailiwick_adapters_git::{GitObeys, GitVcs};
use bailiwick_adapters_shell::ReadOnlyTable;
use bailiwick_domain::{Approver, PolicySource, RepoPath, Settings, Vcs, VcsRevision};
#[cfg(feature = "cli")]
use bailiwick_domain::{FileChange, MutationClass, MutationClassifier, MutationMethod};

use crate::approvers::SameConnection;
use crate::gate::{Chance, Consents, Gate, HostTraits, Ports, Readers, Records, Rules, Tree};
use crate::restore::Restorer;
use crate::site::Site;
#[cfg(not(feature = "ast"))]
use crate::unread::SourceReader;
use crate::user_state;

/// Whether it is proved from the syntax that only the layout of a file changed.
#[cfg(feature = "cli")]
pub(crate) fn same_tokens(path: &RepoPath, before: &[u8], after: &[u8]) -> bool {
    // Comments are no layout, and the proof does not look at them.
    let signs =
        |text: &[u8]| text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<_>>();
    if signs(before) != signs(after) {
        return false;
    }
    let change = FileChange { path, before: Some(before), after: Some(after) };
    let found = SourceReader::default().classify(&[change]);
    found.class == MutationClass::AstRefactor && found.method == MutationMethod::SameTokens
}

/// What differs between the doors of the same gate.
#[derive(Debug)]
pub struct Door<A> {
    /// Who asks the human.
    pub approver: A,
    /// What is believed of the host.
    pub host: HostTraits,
    /// Where the host keeps what is its own.
    pub places: HostPlaces,
}

/// Folders outside the repository that are the host's own.
#[derive(Clone, Debug, Default)]
pub struct HostPlaces {
    /// Its scratch folders.
    pub scratch: Vec<PathBuf>,
    /// The ends of paths of folders in which commands of this session print.
    pub prints: Vec<PathBuf>,
}

/// The settings in force at a site; the defaults when they cannot be read, which the gate reports as a broken store.
pub fn settings(policy: &FsPolicySource) -> Settings {
    pollster::block_on(policy.settings()).unwrap_or_default()
}

/// The stores that decide how the others are built; opened once, so that each file is looked at once.
#[derive(Debug)]
pub struct Stores {
    intents: FsIntentRepo,
    policy: FsPolicySource,
    /// The settings in force.
    pub settings: Settings,
}

impl Stores {
    /// Opens them at a site.
    pub fn open(site: &Site) -> Self {
        let intents = FsIntentRepo::new(site.layout.clone());
        let policy = FsPolicySource::sharing(site.layout.clone(), intents.clone());
        let settings = settings(&policy);
        Self { intents, policy, settings }
    }
}

/// A gate over this site.
pub fn gate(site: &Site, door: Door<impl Approver + 'static>) -> Gate {
    gate_over(Stores::open(site), site, door)
}

/// A gate over this site, with stores that are open already.
pub fn gate_over(stores: Stores, site: &Site, door: Door<impl Approver + 'static>) -> Gate {
    let layout = &site.layout;
    let Stores { intents, policy, settings } = stores;
    let mut workspace = FsWorkspace::at_real_root(layout)
        .with_scratch(door.places.scratch)
        .with_read_roots(settings.read_roots.iter().map(PathBuf::from).collect())
        .with_prints(door.places.prints);
    if let Some(git) = &site.git {
        workspace = workspace.with_git_folder(&git.common_dir);
    }
    let ledger = FsLedger::new(layout.clone(), settings.sync)
        .with_signing(settings.trace_sign && layout.user_state().is_some());
    let ports = Ports {
        rules: Rules::new(
            intents,
            FsIntentWriter::new(layout.clone()),
            FsScopeMeter::new(layout.clone()),
            policy,
        ),
        tree: Tree::new(workspace, FsWorkspaceLock::new(layout.clone()), Revision::of(site)),
        consents: Consents::new(
            door.approver,
            FsApprovalQueue::new(layout.clone()),
            FsGrantStore::new(layout),
            FsAllowanceStore::new(layout),
            FsPauses::new(layout),
        ),
        records: Records::new(
            FsSessionStore::new(layout.clone()),
            FsPendingStore::new(layout.clone()),
            ledger,
            FsTallies::new(layout),
            FsLessons::new(layout),
            FsDecisionLog::new(layout.clone()),
        ),
        readers: Readers::new(
            ReadOnlyTable::new(own_paths()),
            SourceReader::default(),
            SourceReader::default(),
        ),
        chance: Chance::new(SystemClock, RandomIds),
    };
    Gate::over(ports).host(door.host).in_worktree(layout.root().display().to_string())
}

/// A gate for a command of a person, who is asked by the command itself.
pub fn persons_gate(site: &Site) -> Gate {
    gate(site, Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() })
}

/// What takes changes back at this site, for a person.
pub fn restorer<'a>(site: &Site, gate: &'a Gate) -> Restorer<'a> {
    gate.restorer(FsLedgerReader::new(&site.layout), FsWorkspaceWriter::new(&site.layout))
}

/// The spellings of this very program in a shell command.
fn own_paths() -> Vec<String> {
    std::env::current_exe().ok().and_then(|path| path.to_str().map(str::to_owned)).into_iter().collect()
}

/// What `HEAD` of this site names; empty without git.
pub fn branch(site: &Site) -> String {
    pollster::block_on(Revision::of(site).branch())
}

/// Git where there is git, and an honest nothing elsewhere.
#[derive(Debug)]
struct Revision {
    vcs: Option<GitVcs>,
    obeys: GitObeys,
}

impl Revision {
    fn of(site: &Site) -> Self {
        let home = site.layout.user_state().and_then(user_state::home_of).or_else(user_state::passwd_home);
        Self {
            vcs: site.git.as_ref().map(|place| GitVcs::new(place.git_dir.clone(), place.common_dir.clone())),
            obeys: GitObeys::new(site.layout.root(), site.git.clone(), home),
        }
    }
}

#[async_trait::async_trait]
impl Vcs for Revision {
    async fn revision(&self) -> VcsRevision {
        match &self.vcs {
            Some(git) => git.revision().await,
            None => VcsRevision::None("the repository is not under version control".to_owned()),
        }
    }

    async fn has_content(&self, content: &[u8]) -> bool {
        match &self.vcs {
            Some(git) => git.has_content(content).await,
            None => false,
        }
    }

    async fn tracks(&self, path: &RepoPath) -> bool {
        match &self.vcs {
            Some(git) => git.tracks(path).await,
            None => true,
        }
    }

    async fn branch(&self) -> String {
        match &self.vcs {
            Some(git) => git.branch().await,
            None => String::new(),
        }
    }

    async fn distrusted(&self, folder: &str) -> Option<String> {
        self.obeys.distrusted(folder)
    }

    async fn runs(&self, path: &RepoPath) -> bool {
        self.obeys.runs(path)
    }

    async fn heeds_modes(&self) -> bool {
        self.obeys.heeds_modes()
    }
}
