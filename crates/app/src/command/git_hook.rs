//! The opt-in git hook that seals the ledger at each commit (ADR 0003): a marked block in git's own `pre-commit`.
//!
//! What is there of others runs as before, after ours; `uninstall` takes exactly the block out. The block never stops a
//! commit. Hooks that the team keeps elsewhere (`core.hooksPath`), or that are no shell scripts, are not edited.

use std::path::Path;

use super::CommandError;
use super::git::Git;
use super::settings_file::{Change, SettingsFile, refused};

const BEGIN: &str =
    "# bailiwick: begin (written by `bailiwick init --git`, taken out by `bailiwick uninstall`)\n";
const END: &str = "# bailiwick: end\n";
const SHEBANG: &str = "#!/bin/sh\n";
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh"];

/// The change that puts the block into the hook.
///
/// # Errors
/// The hook is not one that can be edited.
pub(super) fn with_block(root: &Path, common_dir: &Path, program: &str) -> Result<Change, CommandError> {
    let folder = Git::new(root).hooks_folder()?;
    let line = line(program);
    if folder != common_dir.join("hooks") {
        let path = folder.join("pre-commit");
        let why = format!("hooks are kept there by `core.hooksPath`; add this line to it yourself: {line}");
        return Err(refused(&path, why));
    }
    let file = SettingsFile::read(&folder.join("pre-commit"))?;
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
    let gap = if head.ends_with('\n') { "" } else { "\n" };
    let after = format!("{head}{gap}{BEGIN}{line}\n{END}{rest}");
    Ok(Change { file, after: Some(after) })
}

/// The change that takes the block out; a hook that holds nothing else goes.
pub(super) fn without_block(common_dir: &Path) -> Result<Change, CommandError> {
    let file = SettingsFile::read(&common_dir.join("hooks/pre-commit"))?;
    let after = file.text().map(without_ours).filter(|text| {
        !text.is_empty() && text != SHEBANG || file.text().is_some_and(|before| !before.contains(BEGIN))
    });
    Ok(Change { file, after })
}

/// Makes the hook runnable, which git asks for.
#[cfg(unix)]
pub(super) fn make_runnable(change: &Change) -> Result<(), CommandError> {
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
pub(super) fn make_runnable(_change: &Change) -> Result<(), CommandError> {
    Ok(())
}

fn line(program: &str) -> String {
    let quoted = format!("'{}'", program.replace('\'', "'\\''"));
    format!(
        "if [ -x {quoted} ]; then {quoted} trace seal --git-hook || echo 'bailiwick: the ledger was not sealed' >&2; fi"
    )
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
