//! The editor's extension: its packages in the user's cache, its types and unit tests, its bundle.
//!
//! Everything is built below cargo's target folder; nothing of it lies among the sources. What the extension does in an
//! editor is tested by `e2e vscode`.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{product, workspace};

const SOURCES: &str = "crates/adapters-vscode/extension";

/// Types and unit tests.
pub(crate) fn check() -> Result<()> {
    let folder = prepare()?;
    for project in ["tsconfig.json", "src/webview/tsconfig.json"] {
        run(&folder, "node_modules/.bin/tsc", &["--project", project])?;
    }
    run(&folder, "node", &["build.mjs", "--tests"])?;
    let mut tests = Command::new("node");
    tests.arg("--test").current_dir(&folder);
    for entry in std::fs::read_dir(folder.join("dist/test"))? {
        tests.arg(entry?.path());
    }
    workspace::run(&mut tests)
}

/// Bundles the extension, and gives the folder that an editor can load.
pub(crate) fn build() -> Result<PathBuf> {
    let folder = prepare()?;
    run(&folder, "node", &["build.mjs"])?;
    Ok(folder)
}

/// A copy of the sources beside its packages.
fn prepare() -> Result<PathBuf> {
    let sources = workspace::root().join(SOURCES);
    let packages = packages(&sources, "extension")?;
    let folder = product::target_folder()?.join("extension");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    workspace::run(Command::new("cp").arg("-R").arg("--").arg(&sources).arg(&folder))?;
    // Whoever develops there may have packages of their own.
    let linked = folder.join("node_modules");
    if linked.exists() {
        std::fs::remove_dir_all(&linked)?;
    }
    std::os::unix::fs::symlink(packages.join("node_modules"), &linked)?;
    Ok(folder)
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<()> {
    let is_ours = program.starts_with("node_modules");
    let program = if is_ours { folder.join(program) } else { PathBuf::from(program) };
    workspace::run(Command::new(program).args(arguments).current_dir(folder))
}

/// Installs the packages that a folder's lock file names into the user's cache, once, and gives their folder.
pub(crate) fn packages(sources: &Path, name: &str) -> Result<PathBuf> {
    let lock = sources.join("package-lock.json");
    let text = std::fs::read(&lock).with_context(|| lock.display().to_string())?;
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let folder = workspace::cache_folder()?.join("clients").join(format!("{name}-{:016x}", hasher.finish()));
    let stamp = folder.join("installed");
    if stamp.exists() {
        return Ok(folder);
    }
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    for file in ["package.json", "package-lock.json"] {
        std::fs::copy(sources.join(file), folder.join(file)).with_context(|| file.to_owned())?;
    }
    println!("installing the packages of {name} into {}", folder.display());
    npm(&folder, "ci", &[])?;
    let editor = folder.join("node_modules/code-server/lib/vscode");
    if editor.exists() {
        // Its lock file is out of step, which `ci` refuses.
        npm(&editor, "install", &["--omit=dev"])?;
    }
    std::fs::write(&stamp, "")?;
    Ok(folder)
}

/// Scripts of packages are not run: one of them compiles what nobody needs here.
fn npm(folder: &Path, what: &str, more: &[&str]) -> Result<()> {
    let mut npm = Command::new("npm");
    npm.args([what, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]).args(more);
    workspace::run(npm.current_dir(folder))
}
