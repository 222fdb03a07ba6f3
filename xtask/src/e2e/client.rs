//! The real client: its pinned version, its installation in the user's cache, and the bare environment it runs in.
//!
//! Below it: the model that it talks to (`model`), the person beside it (`person`), and what is played and must come of it
//! (`scenario`, `outcome`; `interactive` on its full screen). Nothing of the client lies in the working copy, and no run sees
//! the real home folder.

pub(crate) mod interactive;
pub(crate) mod model;
pub(crate) mod outcome;
pub(crate) mod person;
pub(crate) mod scenario;

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::stage::world::World;
use crate::workspace;

pub(super) const PACKAGE: &str = "@anthropic-ai/claude-code";
pub(super) const VERSION: &str = "2.1.332";

/// The key that the client sends to the scripted model; it opens nothing.
pub(crate) const API_KEY: &str = "scripted-model-key-0123456789";

/// How a run of the client ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) timed_out: bool,
}

/// Installs the pinned client once and gives its program.
pub(crate) fn install() -> Result<PathBuf> {
    install_package(PACKAGE, VERSION, "claude", &[])
}

/// The name of the folder in which that version of a client lies.
pub(super) fn folder(package: &str, version: &str) -> String {
    format!("{}-{version}", package.rsplit('/').next().unwrap_or(package))
}

/// Installs that version of a client once, with the packages that it needs beside, and gives its program.
pub(crate) fn install_package(package: &str, version: &str, name: &str, beside: &[&str]) -> Result<PathBuf> {
    let folder = workspace::cache_folder()?.join("clients").join(folder(package, version));
    let program = folder.join("node_modules/.bin").join(name);
    if !answers(&program, version) {
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        println!("installing {package}@{version} into {}", folder.display());
        let package = format!("{package}@{version}");
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--save-exact", "--prefix"]);
        workspace::run(npm.arg(&folder).arg(package).args(beside))?;
    }
    if !answers(&program, version) {
        bail!("{} does not answer with version {version}", program.display());
    }
    Ok(program)
}

fn answers(program: &Path, version: &str) -> bool {
    let here = program.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    let path = format!("{here}:{}", std::env::var("PATH").unwrap_or_default());
    let output = Command::new(program).arg("--version").env("PATH", path).stdin(Stdio::null()).output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(version))
}

/// The environment of a client: nothing but this.
pub(crate) fn environment(world: &World, model_url: &str) -> Vec<(String, String)> {
    let mut variables = world.environment();
    let own = [
        ("ANTHROPIC_BASE_URL", model_url),
        ("ANTHROPIC_API_KEY", API_KEY),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_TELEMETRY", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
    ];
    variables.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
    variables
}

/// One run of the client without a screen.
pub(crate) struct Start<'a> {
    pub(crate) program: &'a Path,
    pub(crate) folder: &'a Path,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) arguments: &'a [&'a str],
    /// Where what it prints is kept, without the ending.
    pub(crate) prints: PathBuf,
    pub(crate) limit: Duration,
}

/// Runs the client until it ends or its time is up.
pub(crate) fn run(start: Start<'_>) -> Result<Ended> {
    let Start { program, folder, environment, arguments, prints, limit } = start;
    let (out, err) = (prints.with_extension("out"), prints.with_extension("err"));
    let child = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(environment)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&out)?)
        .stderr(std::fs::File::create(&err)?)
        .process_group(0)
        .spawn()
        .with_context(|| program.display().to_string())?;
    let timed_out = !wait(child, limit)?;
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    Ok(Ended { stdout: read(&out), stderr: read(&err), timed_out })
}

/// Waits for the end; past the limit the whole process group is killed and the answer is `false`.
fn wait(mut child: Child, limit: Duration) -> Result<bool> {
    let started = Instant::now();
    loop {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        if started.elapsed() > limit {
            killpg(Pid::from_raw(i32::try_from(child.id())?), Signal::SIGKILL)?;
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
