//! Whether private state and the user's state can be written, locked and found again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_adapters_fs::{FsWorkspaceLock, GovernedRoots};
use bailiwick_adapters_hooks::Host;
use bailiwick_domain::{Actor, WorkspaceLock};

use super::report::Report;
use crate::command::judged;
use crate::probe::SESSION;
use crate::site::Site;

/// How long another holder of the lock is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn check(site: &Site, report: &mut Report) {
    report.section("State");
    if site.layout.private().is_dir() {
        writable("private state", site.layout.private(), report);
        lockable(site, report);
    } else {
        let place = site.layout.private().display();
        report.fail(format!("private state {place} is not there: `bailiwick init` makes it"));
    }
    match judged::ledger(site) {
        None => report.ok("the ledger can be continued"),
        Some(trouble) => report.trouble(&trouble),
    }
    judged::halted(site).iter().for_each(|trouble| report.trouble(trouble));
    crate::command::answers::uncounted::all(&site.layout).into_iter().for_each(|told| report.fail(told));
    if let Some(pause) = crate::command::answers::pause::in_force(&site.layout) {
        report.warn(crate::command::answers::pause::line(&pause));
    }
    let Some(user_state) = site.layout.user_state() else {
        return report.fail("the user's state folder is unknown: set HOME");
    };
    writable("user state", user_state, report);
    // It is made with the first consent.
    let remembered = site.layout.remembered().into_iter().flat_map(|own| [own, user_state.join("roots")]);
    if let Some(folder) = remembered.into_iter().find(|folder| folder.exists()) {
        writable("what is remembered in", &folder, report);
    }
    match GovernedRoots::new(user_state).contains(site.layout.root()) {
        Ok(true) => report.ok("this root is registered as governed"),
        Ok(false) => report.warn("this root is not registered as governed: `bailiwick init` does it"),
        Err(error) => report.fail(error.to_string()),
    }
}

fn lockable(site: &Site, report: &mut Report) {
    let lock = FsWorkspaceLock::new(site.layout.clone()).with_wait(PATIENCE);
    match pollster::block_on(lock.acquire()) {
        Ok(_) => report.ok("the lock can be taken"),
        Err(error) => report.fail(format!("the lock cannot be taken: {error}")),
    }
}

/// Asks with a file that has no name, so that nothing is left behind.
fn writable(what: &str, folder: &Path, report: &mut Report) {
    match tempfile::tempfile_in(folder) {
        Ok(_) => report.ok(format!("{what} {} can be written", folder.display())),
        Err(error) => report.fail(format!("{what} {} cannot be written: {error}", folder.display())),
    }
}

/// What probes leave in private state beside the decision log: the name of this process as an agent, and the state of
/// the probes' session.
#[derive(Debug)]
pub(super) struct Traces {
    /// Of this root, and of every root of this user.
    agents: Vec<PathBuf>,
    actor: Option<PathBuf>,
}

impl Traces {
    /// Remembers what was there before the first probe.
    pub(super) fn before(site: &Site, host: &Host) -> Self {
        let private = site.layout.private();
        let key = Actor::root(host.profile.name, SESSION).key();
        let actor = private.join("actors").join(key.digits());
        let agents = [Some(private), site.layout.user_state()];
        let agents = agents.into_iter().flatten().map(|folder| folder.join("agents")).collect();
        Self { agents, actor: Some(actor).filter(|folder| !folder.exists()) }
    }

    /// Takes away what came since.
    pub(super) fn remove(self) {
        if let Some(folder) = self.actor {
            let _ = std::fs::remove_dir_all(folder);
        }
        let own = format!("{}-", std::process::id());
        let listed = self.agents.iter().flat_map(std::fs::read_dir);
        for entry in listed.flatten().flatten() {
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(&own)) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}
