//! The working copy as a task sees it: where it lies, which files it has, and running a program in it.
//!
//! Nothing here judges; the rules live in `tidy` and `status`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The workspace's root folder.
pub(crate) fn root() -> PathBuf {
    // Told by cargo at run time: checkouts that share a target folder may share this program as well.
    let told = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let manifest = told.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    manifest.parent().map_or_else(|| manifest.clone(), Path::to_path_buf)
}

/// One text file, by its path from the root with `/`.
#[derive(Clone, Debug)]
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl TextFile {
    /// A sample for a rule's own test.
    #[cfg(test)]
    pub(crate) fn sample(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }
}

/// Every text file that git tracks or would track; binary files are left out.
pub(crate) fn text_files(root: &Path) -> Result<Vec<TextFile>> {
    let listing = stdout(
        Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"])
            .current_dir(root),
    )?;
    let mut files = Vec::new();
    for path in listing.split('\0').filter(|path| !path.is_empty()) {
        if let Ok(text) = std::fs::read_to_string(root.join(path)) {
            files.push(TextFile { path: path.to_owned(), text });
        }
    }
    Ok(files)
}

/// Runs a program and gives what it printed; its failure is an error that quotes its complaint.
pub(crate) fn stdout(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("run {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program whose output the reader of the task wants to see.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed: {status}");
    }
    Ok(())
}

/// The project's cache folder of this user.
#[cfg(unix)]
pub(crate) fn cache_folder() -> Result<PathBuf> {
    let given = std::env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    Ok(given.or_else(home).context("neither XDG_CACHE_HOME nor HOME is set")?.join("bailiwick"))
}

/// The cargo that runs this task.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A tool of cargo at that version, built into the user's cache folder at first use.
#[cfg(unix)]
pub(crate) fn installed_tool(tool: &str, version: &str) -> Result<PathBuf> {
    let root = cache_folder()?.join(format!("{tool}-{version}"));
    let program = root.join("bin").join(tool);
    if !program.is_file() {
        let mut install = cargo();
        install.args(["install", "--locked", "--quiet", tool, "--version", version, "--root"]).arg(&root);
        run(install.current_dir(std::env::temp_dir()))?;
    }
    Ok(program)
}
