//! The editor's extension: its packages in the user's cache, its types and unit tests, its bundle.
//!
//! Everything is built below cargo's target folder; nothing of it lies among the sources. What the extension does in an
//! editor is tested by `e2e vscode`.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::stage::product;
use crate::workspace;

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

/// Packs the extension and the release binary into one file for this platform, as editors install it.
pub(crate) fn pack() -> Result<()> {
    let folder = build()?;
    let tools = packages(&workspace::root().join(PACKER), "packer")?;
    let program = folder.join("bin").join(format!("bailiwick{}", std::env::consts::EXE_SUFFIX));
    std::fs::create_dir_all(folder.join("bin"))?;
    std::fs::copy(product::binary()?, &program).with_context(|| program.display().to_string())?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        std::fs::copy(workspace::root().join(licence), folder.join(licence))?;
    }
    let target = platform()?;
    let packed = product::target_folder()?.join(format!("bailiwick-{target}.vsix"));
    let mut vsce = Command::new(tools.join("node_modules/.bin/vsce"));
    // Everything is bundled, and no page of the market links into a repository.
    vsce.args(["package", "--no-dependencies", "--skip-license", "--allow-missing-repository", "--target"]);
    workspace::run(vsce.arg(target).arg("--out").arg(&packed).current_dir(&folder))?;
    println!("packed {}", packed.display());
    Ok(())
}

const PACKER: &str = "crates/adapters-vscode/vsix";

/// The platform as editors name it.
fn platform() -> Result<&'static str> {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    Ok(match (os, arch) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        ("macos", "x86_64") => "darwin-x64",
        ("macos", "aarch64") => "darwin-arm64",
        ("windows", "x86_64") => "win32-x64",
        _ => bail!("no editor has a name for {os} on {arch}"),
    })
}
