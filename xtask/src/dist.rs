//! What people install, made of one locked release build: an archive, npm packages, a Debian package, a plugin for Claude
//! Code, a bill of materials, checksums; and files for services that nobody here has run.
//!
//! Deliberately absent: any upload. It runs on Linux, with GNU tar, npm and dpkg-deb.

mod archive;
mod bom;
mod check;
mod debian;
mod elsewhere;
mod npm;
mod plugin;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::stage::product;
use crate::workspace;

pub(crate) use self::check::run as check;

/// The version of everything.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What it is, in a line.
const SUMMARY: &str = "Keeps AI coding agents inside the intent that you gave them";
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// One build, and where what is made of it goes.
struct Release {
    program: PathBuf,
    /// As Rust names it.
    platform: String,
    /// The commit, or why it is not told.
    commit: String,
    /// When the commit was made, in seconds since 1970: everything that is packed has this time.
    time: String,
    out: PathBuf,
}

/// Makes all of it anew.
pub(crate) fn run() -> Result<()> {
    made()?;
    Ok(())
}

fn made() -> Result<Release> {
    ensure!(cfg!(target_os = "linux"), "packages are made on Linux so far");
    let release = Release::of(product::locked_release()?)?;
    archive::make(&release)?;
    npm::make(&release)?;
    debian::make(&release)?;
    plugin::make(&release)?;
    elsewhere::make(&release)?;
    let sums = release.sums()?;
    println!("dist: {} files in {}, commit {}", sums.lines().count(), release.out.display(), release.commit);
    Ok(release)
}

impl Release {
    /// What the program says of itself, and an empty folder.
    fn of(program: PathBuf) -> Result<Self> {
        let said = workspace::stdout(Command::new(&program).arg("--version"))?;
        let line = |key: &str| {
            let found = said.lines().find_map(|line| line.strip_prefix(key));
            found.map(str::to_owned).with_context(|| format!("--version does not say {key:?}: {said}"))
        };
        ensure!(said.starts_with(&format!("bailiwick {VERSION}\n")), "another version: {said}");
        let (platform, commit) = (line("platform: ")?, line("commit: ")?);
        let out = product::target_folder()?.join("dist");
        if out.exists() {
            std::fs::remove_dir_all(&out)?;
        }
        std::fs::create_dir_all(&out)?;
        Ok(Self { program, platform, commit, time: commit_time()?, out })
    }

    /// A new folder to put files into before they are packed; not among what is handed out.
    fn staging(&self, name: &str) -> Result<PathBuf> {
        let folder = self.out.join("staging").join(name);
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    fn archive_name(&self) -> String {
        archive_name(&self.platform)
    }

    /// The checksum of every file that is handed out, in the form that `sha256sum --check` reads.
    fn sums(&self) -> Result<String> {
        let mut names: Vec<String> = std::fs::read_dir(&self.out)?
            .filter_map(Result::ok)
            .filter(|entry| entry.path().is_file())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        let sums = workspace::stdout(Command::new("sha256sum").args(&names).current_dir(&self.out))?;
        std::fs::write(self.out.join("SHA256SUMS"), &sums)?;
        Ok(sums)
    }
}

/// The archive for a platform, without its ending. The same in every file that names one.
fn archive_name(platform: &str) -> String {
    format!("bailiwick-{VERSION}-{platform}")
}

/// The time of the commit, or the one that the environment names, as reproducible builds do.
fn commit_time() -> Result<String> {
    if let Ok(told) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(told);
    }
    let asked = workspace::stdout(
        Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(workspace::root()),
    );
    Ok(asked.map(|time| time.trim().to_owned()).unwrap_or_else(|_| "0".to_owned()))
}

/// Writes a file, and the folders to it.
fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

/// Copies a file with its permissions, and makes the folders to it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::copy(from, to).with_context(|| format!("{} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Packs a folder below `parent`: the same content gives the same bytes.
fn tar(release: &Release, parent: &Path, folder: &str, packed: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.args(["--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+w,go=rX"]);
    tar.arg(format!("--mtime=@{}", release.time)).args(["--use-compress-program", "gzip -n -6", "--file"]);
    workspace::run(tar.arg(packed).arg("--directory").arg(parent).arg(folder))
}

/// The licences, into a folder.
fn licences(to: &Path) -> Result<()> {
    LICENCES.iter().try_for_each(|name| copy(&workspace::root().join(name), &to.join(name)))
}
