//! The opt-in git hooks: `pre-commit` seals the ledger at each commit (ADR 0003), `prepare-commit-msg` and `commit-msg` add
//! trailers to its message. Each is a marked block in git's own hook.
//!
//! What is there of others runs as before, after ours; `uninstall` takes exactly the block out. The block never stops a
//! commit. Hooks that the team keeps elsewhere (`core.hooksPath`, a link), that are no shell scripts, or that their owner
//! turned off, are not edited.

use std::path::Path;

use crate::command::CommandError;
use crate::command::client_files::settings_file::{Change, SettingsFile, refused};
use crate::command::git::Git;

const BEGIN: &str =
    "# bailiwick: begin (written by `bailiwick init --git`, taken out by `bailiwick uninstall`)\n";
const END: &str = "# bailiwick: end\n";
const SHEBANG: &str = "#!/bin/sh\n";
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh"];

/// The hooks of git that call us: each with what it runs, and what is said when that fails.
const HOOKS: [(&str, &str, &str); 3] = [
    ("pre-commit", "trace seal --git-hook", "the ledger does not go with this commit"),
    ("prepare-commit-msg", "trace trailers --git-hook \"$@\"", "no trailers were added"),
    ("commit-msg", "trace trailers --git-hook \"$1\" edited", "no trailers were added"),
];

/// The changes that put the blocks into the hooks.
///
/// # Errors
/// A hook is not one that can be edited.
pub(crate) fn with_blocks(
    root: &Path,
    common_dir: &Path,
    program: &str,
) -> Result<Vec<Change>, CommandError> {
    let folder = Git::new(root).hooks_folder()?;
    let is_elsewhere = folder != common_dir.join("hooks");
    if is_elsewhere || folder.is_symlink() {
        let lines = HOOKS.map(|(name, runs, fails)| format!("{name}: {}", line(program, runs, fails)));
        let by = if is_elsewhere { "by `core.hooksPath`" } else { "by a link" };
        let why = format!("hooks are kept there {by}; add these lines to them yourself");
        return Err(refused(&folder, format!("{why}: {}", lines.join("; "))));
    }
    let change = |(name, runs, fails)| with_block(&folder.join(name), &line(program, runs, fails));
    HOOKS.into_iter().map(change).collect()
}

fn with_block(path: &Path, line: &str) -> Result<Change, CommandError> {
    if path.is_symlink() {
        let why = "it is a link to a file that is kept elsewhere; run this from it yourself";
        return Err(refused(path, format!("{why}: {line}")));
    }
    let file = SettingsFile::read(path)?;
    let text = without_ours(file.text().unwrap_or_default());
    let (head, rest) = match text.split_inclusive('\n').next() {
        Some(first) if first.starts_with("#!") => {
            if !is_shell(first) {
                return Err(refused(
                    file.path(),
                    format!("it is not a shell script; run this from it yourself: {line}"),
                ));
            }
            (first.to_owned(), text.get(first.len()..).unwrap_or_default().to_owned())
        }
        _ => (SHEBANG.to_owned(), text.clone()),
    };
    if !rest.trim().is_empty() && is_off(path)? {
        let why = "git does not run it, since it is not executable, and our lines would turn it on; \
                   make it executable, or move it away";
        return Err(refused(path, why));
    }
    let gap = if head.ends_with('\n') { "" } else { "\n" };
    let after = format!("{head}{gap}{BEGIN}{line}\n{END}{rest}");
    Ok(Change { file, after: Some(after) })
}

/// The changes that take the blocks out; a hook that holds nothing else goes.
///
/// # Errors
/// A hook that holds a block cannot be read.
pub(crate) fn without_blocks(common_dir: &Path) -> Result<Vec<Change>, CommandError> {
    let paths = HOOKS.iter().map(|(name, ..)| common_dir.join("hooks").join(name));
    paths.filter_map(|path| without_block(&path).transpose()).collect()
}

/// A hook without our block is somebody else's, whatever it holds: it is not even text, perhaps.
fn without_block(path: &Path) -> Result<Option<Change>, CommandError> {
    if !path.is_file() {
        return Ok(None);
    }
    let bytes = std::fs::read(path).map_err(|error| CommandError::io(path.display(), error))?;
    if !bytes.windows(BEGIN.len()).any(|part| part == BEGIN.as_bytes()) {
        return Ok(None);
    }
    let file = SettingsFile::read(path)?;
    let after = file.text().map(without_ours).filter(|text| !text.is_empty() && text != SHEBANG);
    Ok(Some(Change { file, after }))
}

/// Whether a hook is there that git does not run.
#[cfg(unix)]
fn is_off(path: &Path) -> Result<bool, CommandError> {
    use std::os::unix::fs::PermissionsExt;
    match std::fs::metadata(path) {
        Ok(meta) => Ok(meta.permissions().mode() & 0o111 == 0),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(CommandError::io(path.display(), error)),
    }
}

/// Git runs each hook where files have no mode.
#[cfg(not(unix))]
fn is_off(_path: &Path) -> Result<bool, CommandError> {
    Ok(false)
}

/// Makes the hook runnable, which git asks for.
#[cfg(unix)]
pub(crate) fn make_runnable(change: &Change) -> Result<(), CommandError> {
    use std::os::unix::fs::PermissionsExt;
    let path = change.file.path();
    let meta = std::fs::metadata(path).map_err(|error| CommandError::io(path.display(), error))?;
    let mode = meta.permissions().mode() | 0o111;
    std::fs::set_permissions(
        path,
        std::fs::Permissions::from_mode(if change.creates() { 0o755 } else { mode }),
    )
    .map_err(|error| CommandError::io(path.display(), error))
}

/// Git runs a hook by its first line where files have no mode.
#[cfg(not(unix))]
pub(crate) fn make_runnable(_change: &Change) -> Result<(), CommandError> {
    Ok(())
}

fn line(program: &str, runs: &str, fails: &str) -> String {
    let quoted = format!("'{}'", program.replace('\'', "'\\''"));
    format!("if [ -x {quoted} ]; then {quoted} {runs} || echo 'bailiwick: {fails}' >&2; fi")
}

fn without_ours(text: &str) -> String {
    let around = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    around.map_or_else(|| text.to_owned(), |(before, after)| format!("{before}{after}"))
}

fn is_shell(shebang: &str) -> bool {
    let words = shebang.trim_start_matches("#!").split_whitespace();
    let names: Vec<&str> = words.filter_map(|word| word.rsplit('/').next()).collect();
    match names.as_slice() {
        ["env", shell, ..] | [shell, ..] => SHELLS.contains(shell),
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_shell, without_ours};

    #[test]
    fn shells_are_known_by_their_first_line() {
        for yes in ["#!/bin/sh\n", "#!/usr/bin/env bash\n", "#! /bin/dash -e\n"] {
            assert!(is_shell(yes), "{yes}");
        }
        for no in ["#!/usr/bin/python3\n", "#!/usr/bin/env node\n", "#!\n"] {
            assert!(!is_shell(no), "{no}");
        }
    }

    #[test]
    fn a_block_without_an_end_is_left_alone() {
        let broken = format!("#!/bin/sh\n{}true\n", super::BEGIN);
        assert_eq!(without_ours(&broken), broken);
    }
}
