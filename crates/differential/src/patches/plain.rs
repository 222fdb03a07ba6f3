//! Patches as git, diff and clients write them of ordinary work: they are understood, and predicted to the byte.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use bailiwick_policy::{Access, RequestedTarget, Targets};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::said;
use crate::judge::Finding;
use crate::tree::{FILES, Tree, at_first};

/// One thing that somebody does to a file.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    Lines { line: usize, count: usize, new: Vec<&'static str> },
    CutEnd,
    Remove,
    Create(&'static str, Vec<&'static str>),
    Rename(&'static str),
    RunnableBit,
    Link,
    Binary,
}

/// How the patch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    Git(&'static [&'static str]),
    /// With the head and the foot of a mail.
    Mail,
    Diff(&'static [&'static str]),
    /// Without git's own lines, as models write it.
    Client,
}

pub(super) type Work = (Vec<(&'static str, Edit)>, Writer);

const WITHOUT_CONTEXT: Writer = Writer::Git(&["--no-renames", "-U0"]);
const WRITERS: [Writer; 9] = [
    Writer::Git(&[]),
    Writer::Git(&["-M"]),
    Writer::Git(&["-M", "-C", "--find-copies-harder"]),
    Writer::Git(&["--binary", "--full-index", "-U1"]),
    WITHOUT_CONTEXT,
    Writer::Mail,
    Writer::Diff(&["-ruN"]),
    Writer::Diff(&["-ru", "-U", "1"]),
    Writer::Client,
];

pub(super) fn any() -> impl Strategy<Value = Work> {
    let new = || {
        vec(
            select(vec![
                "one",
                "-- two",
                "++ three",
                "*** Begin Patch",
                "",
                "@@ -1 +1 @@",
                "diff --git a/x b/x",
                "\tfour",
            ]),
            0..4,
        )
    };
    let name = select(vec![
        "new.ts",
        "src/new.ts",
        "deep/er/new.ts",
        "src/nëw.ts",
        "a new.ts",
        "src/ta\tb.ts",
        "back\\slash.ts",
    ]);
    let edit = prop_oneof![
        12 => (0..8_usize, 0..3_usize, new()).prop_map(|(line, count, new)| Edit::Lines { line, count, new }),
        1 => Just(Edit::CutEnd),
        1 => Just(Edit::Remove),
        2 => (name.clone(), new()).prop_map(|(name, new)| Edit::Create(name, new)),
        2 => name.prop_map(Edit::Rename),
        1 => Just(Edit::RunnableBit),
        1 => Just(Edit::Link),
        1 => Just(Edit::Binary),
    ];
    (vec((select(FILES.to_vec()), edit), 1..5), select(WRITERS.to_vec()))
}

pub(super) fn hold(tree: &Tree, (edits, writer): &Work) -> Result<Finding> {
    for (file, edit) in edits {
        edit.make(&tree.root(), file)?;
    }
    let text = writer.write(tree);
    tree.restore()?;
    let text = text?;
    let applies = tree.feed("git", &["apply", "-p1"], &text)?;
    let finding = if applies { judged(tree, &text, *writer) } else { Ok(Finding::Held) };
    tree.restore()?;
    finding
}

/// Which file a patch makes it of.
fn source_of<'t>(targets: &'t Targets, requested: &'t str) -> &'t str {
    let leads_here = |other: &&RequestedTarget| other.moved_to.as_deref() == Some(requested);
    targets.paths.iter().find(leads_here).map_or(requested, |source| &source.requested)
}

/// What the applied patch left, held against what the gate says of it.
fn judged(tree: &Tree, text: &str, writer: Writer) -> Result<Finding> {
    let changed = tree.changed()?;
    if changed.is_empty() {
        return Ok(Finding::Held);
    }
    let Some(targets) = said(text) else { return Ok(Finding::Refused) };
    let named: BTreeSet<&str> = targets.paths.iter().map(|target| target.requested.as_str()).collect();
    if let Some(path) = changed.iter().find(|path| !named.contains(path.as_str())) {
        return Ok(Finding::Missed(format!("{path:?} changed, the gate named {named:?}\n{text}")));
    }
    for target in &targets.paths {
        let path = tree.root().join(&target.requested);
        let before = at_first(source_of(&targets, &target.requested));
        if writer == WITHOUT_CONTEXT && !before.ends_with('\n') {
            // Git glues what it appends without context to a last line that has no LF. No host's tool applies so.
            continue;
        }
        let after = match target.access {
            Access::Patch | Access::MoveTo => targets.patched(&target.requested, &before),
            Access::Overwrite => targets.content_for(&target.requested),
            _ => None,
        };
        let is_shared = targets.paths.iter().filter(|other| other.requested == target.requested).count() > 1;
        if let Some(after) = after.filter(|_| !is_shared)
            && fs::read_to_string(&path).ok().as_deref() != Some(after.as_str())
        {
            return Ok(Finding::Missed(format!("{path:?} is not {after:?} as predicted\n{text}")));
        }
        if gone_but_there(&targets, &target.requested, target.access, &path) {
            return Ok(Finding::Missed(format!("{path:?} is there against the prediction\n{text}")));
        }
    }
    Ok(Finding::Held)
}

fn gone_but_there(targets: &Targets, requested: &str, access: Access, path: &Path) -> bool {
    let comes = |access| matches!(access, Access::MoveTo | Access::Overwrite | Access::Patch);
    let comes_again = targets.paths.iter().any(|other| other.requested == requested && comes(other.access));
    matches!(access, Access::Delete | Access::MoveFrom) && !comes_again && path.symlink_metadata().is_ok()
}

impl Edit {
    fn make(&self, root: &Path, file: &str) -> Result<()> {
        let path = root.join(file);
        if !path.is_file() || path.is_symlink() {
            return Ok(());
        }
        match self {
            Self::Lines { line, count, new } => {
                let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
                let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
                let (from, to) = ((*line).min(lines.len()), (line + count).min(lines.len()));
                lines.splice(from..to, new.iter().map(|line| format!("{line}\n")));
                fs::write(&path, lines.concat())?;
            }
            Self::CutEnd => {
                let text = fs::read(&path)?;
                fs::write(&path, text.strip_suffix(b"\n").unwrap_or(&text))?;
            }
            Self::Remove => fs::remove_file(&path)?,
            Self::Create(name, new) => {
                let path = root.join(name);
                fs::create_dir_all(path.parent().context("no parent")?)?;
                fs::write(path, new.join("\n"))?;
            }
            Self::Rename(name) => {
                let to = root.join(name);
                fs::create_dir_all(to.parent().context("no parent")?)?;
                fs::rename(&path, to)?;
            }
            Self::RunnableBit => fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?,
            Self::Link => {
                fs::remove_file(&path)?;
                std::os::unix::fs::symlink("a.ts", &path)?;
            }
            Self::Binary => fs::write(&path, [0, 159, 146, 150, 10, 0])?,
        }
        Ok(())
    }
}

impl Writer {
    fn write(self, tree: &Tree) -> Result<String> {
        let git = |options: &[&str]| -> Result<String> {
            tree.git(&["add", "--all", "--force"])?;
            let arguments = [&["diff", "--cached", "--no-color"], options].concat();
            Ok(String::from_utf8_lossy(&tree.git(&arguments)?).into_owned())
        };
        match self {
            Self::Git(options) => git(options),
            Self::Mail => Ok(format!(
                "From 0123 Mon Sep 17 00:00:00 2001\nFrom: A <a@localhost>\nSubject: [PATCH] b\n\nWhy.\n---\n x | 2 +-\n\n{}-- \n2.47.3\n\n",
                git(&["-M"])?
            )),
            Self::Diff(options) => {
                let arguments = [options, &["-x", ".git", "orig", "tree"]].concat();
                let output =
                    tree.program("diff").current_dir(tree.root().join("..")).args(arguments).output()?;
                Ok(String::from_utf8_lossy(&output.stdout).into_owned())
            }
            Self::Client => {
                let is_own = |line: &&str| line.starts_with("diff --git ") || line.starts_with("index ");
                let text = git(&["--no-renames", "--diff-filter=M"])?;
                Ok(text.split_inclusive('\n').filter(|line| !is_own(line)).collect())
            }
        }
    }
}
