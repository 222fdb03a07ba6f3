//! What the client's settings files say about hooks: there for every event, failing closed, once, and not turned off.

use std::path::{Path, PathBuf};

use bailiwick_adapters_hooks::Host;
use bailiwick_adapters_hooks::claude_code::launcher_of;
use bailiwick_adapters_hooks::settings::{
    HookCommand, HookSettings, InstalledHook, LAUNCHER_PATH, Launcher, LoadCheck, detect_double, install,
    installed_hooks, turned_off,
};

use super::report::Report;
use crate::command::client_files::settings_file::SettingsFile;
use crate::command::client_files::{Places, is_executable, on_search_path, untold_config};
use crate::hook::last_second;
use crate::install_record::InstallRecord;
use crate::site::Site;
use crate::user_state;

/// One settings file that is there, with the hooks of ours in it.
#[derive(Debug)]
pub(super) struct Level {
    path: PathBuf,
    text: String,
    /// Ours alone.
    pub(super) hooks: Vec<InstalledHook>,
}

/// What is installed for one host.
#[derive(Clone, Copy, Debug)]
pub(super) struct Installed<'a> {
    pub(super) host: &'a Host,
    pub(super) settings: &'a HookSettings,
    pub(super) levels: &'a [Level],
    pub(super) record: Option<&'a InstallRecord>,
}

impl Installed<'_> {
    fn untold_config(&self) -> Option<String> {
        untold_config(&self.host.profile.client)
    }
}

/// Whether any file names a hook of ours.
pub(super) fn any_of_ours(places: &Places, settings: &HookSettings) -> bool {
    let texts = places.all().into_iter().filter_map(|path| std::fs::read_to_string(path).ok());
    texts.into_iter().any(|text| !installed_hooks(settings, &text).is_empty())
}

/// Reads all levels; what cannot be understood is a failure, since the client ignores such a file.
pub(super) fn levels(
    places: &Places,
    settings: &HookSettings,
    root: &Path,
    report: &mut Report,
) -> Vec<Level> {
    let mut levels = Vec::new();
    for path in places.all() {
        let text = match SettingsFile::read(path) {
            Ok(file) => file.text().map(str::to_owned),
            Err(error) => {
                report.fail(error.to_string());
                continue;
            }
        };
        let Some(text) = text else { continue };
        if let Err(error) = install(settings, Some(&text), &HookCommand::new("bailiwick", None)) {
            let file = path.strip_prefix(root).unwrap_or(path).display();
            let line = error.line().map(|line| format!(", line {line}")).unwrap_or_default();
            report.fail_with(format!("{}: {error}", path.display()), format!("Correct {file}{line}."));
        }
        levels.push(Level { path: path.to_path_buf(), hooks: installed_hooks(settings, &text), text });
    }
    levels
}

/// Checks every level, and all together.
pub(super) fn check(installed: &Installed<'_>, user_state: Option<&Path>, report: &mut Report) {
    let (levels, settings) = (installed.levels, installed.settings);
    for level in levels {
        if let Some(switch) = turned_off(settings, &level.text) {
            report.fail(format!("{}: `{switch}` turns every hook off", level.path.display()));
        }
    }
    let names: Vec<String> = levels.iter().map(|level| level.path.display().to_string()).collect();
    let files: Vec<(&str, &str)> =
        names.iter().zip(levels).map(|(name, level)| (name.as_str(), level.text.as_str())).collect();
    let double = detect_double(settings, &files);
    if !double.is_empty() {
        let files = double.join(" and ");
        report.fail(format!(
            "the hooks are installed twice, so every call is judged twice; take them out of one of {files}"
        ));
    }
    for level in levels.iter().filter(|level| !level.hooks.is_empty()) {
        check_level(level, installed, user_state, report);
    }
}

/// The command that `init` registers for one person.
fn one_persons(program: String, host: &Host, user_state: Option<&Path>) -> HookCommand {
    HookCommand::new(program, user_state.and_then(Path::to_str).map(str::to_owned))
        .with_home(user_state.and_then(crate::user_state::untold_home))
        .with_config(untold_config(&host.profile.client))
}

/// What stops calls where the host could not load its hooks is the one that this version writes, and can start.
pub(super) fn check_load(form: &LoadCheck, host: &Host, site: &Site, report: &mut Report) {
    let path = site.layout.root().join(form.local);
    let (file, name) = (path.display(), host.profile.name);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let Some(hook) = installed_hooks(&form.settings, &text).into_iter().next() else {
        return report.fail(format!(
            "{file}: not there, so {name} goes on when it could not load its plugin; `bailiwick init` fixes it"
        ));
    };
    let command = one_persons(hook.command, host, site.layout.user_state());
    if !install(&form.settings, Some(&text), &command).is_ok_and(|again| !again.changed) {
        return report.fail(format!("{file}: not what `bailiwick init` writes; run it again"));
    }
    match on_search_path(&[form.runs_by]) {
        Some(_) => report.ok(format!("{file}: ends a run of {name} that could not load its plugin")),
        None => report.warn(format!(
            "{file} needs `{}`, which is not on the search path: {name} goes on when it could not load its plugin",
            form.runs_by
        )),
    }
}

fn check_level(level: &Level, installed: &Installed<'_>, user_state: Option<&Path>, report: &mut Report) {
    let settings = installed.settings;
    let command = match level.hooks.iter().find_map(InstalledHook::launcher) {
        Some(mode) => {
            check_launcher(level, mode, report);
            check_state(user_state, report);
            check_config(installed, report);
            HookCommand::launcher(mode)
        }
        None => {
            let Some(program) = level.hooks.iter().find_map(program) else { return };
            check_program(&program, report);
            one_persons(program, installed.host, user_state)
        }
    };
    let Ok(fresh) = install(settings, None, &command) else { return };
    let expected = installed_hooks(settings, &fresh.text);
    let deadline = u64::from(last_second(&installed.host.profile));
    let problems = problems(&level.hooks, &expected, deadline);
    for problem in &problems {
        report.fail(format!("{}: {problem}; `bailiwick init` fixes it", level.path.display()));
    }
    if !problems.is_empty() {
        return;
    }
    if install(settings, Some(&level.text), &command).is_ok_and(|again| again.changed) {
        let path = level.path.display();
        return report.fail(format!(
            "{path}: an entry has another matcher or limit than `bailiwick init` writes; run it again"
        ));
    }
    report.ok(format!(
        "{}: hooks for {} events, failing closed where it matters",
        level.path.display(),
        expected.len()
    ));
}

/// What is wrong with single hooks, one sentence for each kind of problem.
fn problems(hooks: &[InstalledHook], expected: &[InstalledHook], deadline: u64) -> Vec<String> {
    type Wrong = fn(Option<&InstalledHook>, &InstalledHook, u64) -> bool;
    const KINDS: [(&str, Wrong); 4] = [
        ("no hook for", |hook, _, _| hook.is_none()),
        (
            "`onFailure` is not `block`, so a hook that fails lets the call through, for",
            |hook, expected, _| hook.is_some_and(|hook| expected.fails_closed && !hook.fails_closed),
        ),
        ("the command line is not the one that `bailiwick init` writes, for", |hook, expected, _| {
            hook.is_some_and(|hook| {
                (&hook.command, &hook.arguments) != (&expected.command, &expected.arguments)
            })
        }),
        ("the time limit is too short for the gate's own deadline, for", |hook, expected, deadline| {
            hook.is_some_and(|hook| is_impatient(hook, expected, deadline))
        }),
    ];
    let found = |event: &str| hooks.iter().find(|hook| hook.event == event);
    let sentences = KINDS.iter().filter_map(|(what, is_wrong)| {
        let wrong = expected.iter().filter(|expected| is_wrong(found(&expected.event), expected, deadline));
        let events: Vec<&str> = wrong.map(|expected| expected.event.as_str()).collect();
        (!events.is_empty()).then(|| format!("{what} {}", events.join(", ")))
    });
    sentences.collect()
}

/// Whether the host gives up before a gate that waits for a human has answered.
fn is_impatient(hook: &InstalledHook, expected: &InstalledHook, deadline: u64) -> bool {
    expected.timeout_s > Some(deadline) && hook.timeout_s.is_some_and(|limit| limit <= deadline)
}

/// The team's launcher must be the one that this version writes, in the mode that the hooks were written for.
fn check_launcher(level: &Level, mode: Launcher, report: &mut Report) {
    let root = level.path.parent().and_then(Path::parent).unwrap_or(Path::new(""));
    let path = root.join(LAUNCHER_PATH);
    let found = std::fs::read_to_string(&path).ok().and_then(|text| launcher_of(&text));
    if found == Some(mode) {
        return report.ok(format!(
            "hooks run the team's launcher {}, which is {}",
            path.display(),
            mode.name()
        ));
    }
    report.fail(format!(
        "{} is not the {} launcher that this version writes: `bailiwick init --shared`, or `bailiwick uninstall --shared`",
        path.display(),
        mode.name()
    ));
}

/// The team's hooks carry no state folder, so they ask the password database; commands must mean the same one.
fn check_state(user_state: Option<&Path>, report: &mut Report) {
    let of_hooks = user_state::from_password_database();
    if of_hooks.as_deref() != user_state {
        let shown =
            |path: Option<&Path>| path.map_or("unknown".to_owned(), |path| path.display().to_string());
        let next = match std::env::var_os("XDG_STATE_HOME").is_some_and(|value| !value.is_empty()) {
            true => "unset XDG_STATE_HOME",
            false => "set HOME to the home folder that the password database has for you",
        };
        report.fail(format!(
            "the team's hooks keep your state in {}, this command in {}: your answers do not count; {next}",
            shown(of_hooks.as_deref()),
            shown(user_state)
        ));
    }
}

/// The team's hooks carry no folder of a person either: they look up what `init` has written down on this machine.
fn check_config(installed: &Installed<'_>, report: &mut Report) {
    let Some(folder) = installed.untold_config() else { return };
    if installed.record.and_then(|record| record.config.as_deref()) != Some(Path::new(&folder)) {
        report.warn(format!(
            "CLAUDE_CONFIG_DIR is {folder}, which the team's hooks do not know here, so plan files in it are refused; \
             `bailiwick init` writes it down"
        ));
    }
}

fn check_program(program: &str, report: &mut Report) {
    let path = Path::new(program);
    if !is_executable(path) {
        return report.fail(format!("{program} is missing or cannot be run, so every call is refused; `bailiwick init` installs this one"));
    }
    let this = std::env::current_exe().and_then(|path| path.canonicalize()).ok();
    if path.canonicalize().ok() == this {
        report.ok(format!("hooks run {program}, which is this program"));
    } else {
        report.warn(format!(
            "hooks run {program}, which is not this program; `bailiwick init` installs this one"
        ));
    }
}

/// The program that a hook runs.
fn program(hook: &InstalledHook) -> Option<String> {
    if hook.arguments.is_some() {
        return Some(hook.command.clone());
    }
    let (quoted, _) = hook.command.split_once(" hook --agent ")?;
    let bare = quoted.trim();
    let inner = bare.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    Some(inner.unwrap_or(bare).replace(r"'\''", "'"))
}
