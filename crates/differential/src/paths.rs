//! The file system: a path of a call leads where the gate says that it leads, or the gate refused it.
//!
//! Three kinds of hosts act on what the agent spelled: one hands it to the system as it is, one takes `..` out by text
//! first as Node does, and one takes white space off its ends as well.

use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use bailiwick_adapters_fs::{FsWorkspace, Layout};
use bailiwick_domain::{Location, Workspace};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tempfile::TempDir;

use crate::judge::{Finding, Orders, Tally, play};

const USUAL: u32 = 6_000;

/// Stands for the folder of one case in what is generated.
const TOP: &str = "TOP";

/// Longer chains of links are left alone.
const MOST_LINKS: usize = 10;

#[derive(Clone, Debug)]
enum Thing {
    Folder(String),
    File(String),
    Link(String, String),
}

#[derive(Clone, Copy, Debug)]
enum Host {
    /// Hands the path to the system as it is.
    Plain,
    /// Takes `.` and `..` out by text first.
    ByText,
    /// Takes white space off the ends, then does as [`Host::ByText`].
    Trims,
}

#[derive(Clone, Copy, Debug)]
enum Deed {
    Write,
    Remove,
}

#[derive(Clone, Debug)]
struct Case {
    things: Vec<Thing>,
    cwd: String,
    spelling: String,
    host: Host,
    deed: Deed,
}

pub(crate) fn run(orders: &Orders) -> Result<Tally> {
    play(orders, USUAL, &cases(), judge)
}

fn cases() -> impl Strategy<Value = Case> {
    let host = select(vec![Host::Plain, Host::ByText, Host::Trims]);
    let deed = select(vec![Deed::Write, Deed::Write, Deed::Remove]);
    (vec(thing(), 0..9), cwd(), spelling(), host, deed).prop_map(|(things, cwd, spelling, host, deed)| Case {
        things,
        cwd,
        spelling,
        host,
        deed,
    })
}

/// Names that stand in the tree.
fn name() -> impl Strategy<Value = &'static str> {
    select(vec!["a", "b", "c", "A", "a\\b", "\\", "..\\a", "\u{e9}", "e\u{301}", "a b", "a.", ".a", "..."])
}

fn segment() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => name().prop_map(str::to_owned),
        4 => Just("..".to_owned()),
        1 => Just(".".to_owned()),
        1 => Just(String::new()),
        1 => select(vec![" ", "a ", " a", "~", "~a", "C:", "C:a", "file:", "a\u{a0}", "\u{feff}", "\u{202e}a", "NUL", "a:$DATA", "%2e%2e"])
            .prop_map(str::to_owned),
        1 => select(vec!["a\0", "a\n", "\u{1b}[2K"]).prop_map(str::to_owned),
        1 => select(vec![254_usize, 255, 256, 300, 4_096]).prop_map(|length| "n".repeat(length)),
    ]
}

fn plain_path() -> impl Strategy<Value = String> {
    vec(name(), 1..4).prop_map(|names| names.join("/"))
}

fn spelling() -> impl Strategy<Value = String> {
    let start = select(vec![
        "",
        "",
        "",
        "",
        "/",
        "./",
        "../",
        "TOP/repo/",
        "TOP/repo/",
        "TOP/",
        "TOP/repo-evil/",
        " ",
        "\\",
        "\\\\",
    ]);
    let end = select(vec!["", "", "", "", "/", "/.", "/..", " ", "\\"]);
    (start, vec(segment(), 1..7), end)
        .prop_map(|(start, segments, end)| format!("{start}{}{end}", segments.join("/")))
}

fn cwd() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just("TOP/repo".to_owned()),
        3 => plain_path().prop_map(|path| format!("TOP/repo/{path}")),
        1 => select(vec!["TOP", "TOP/out", "TOP/repo/..", "TOP/repo/a/..", "/", "TOP/repo/", "TOP/nowhere"]).prop_map(str::to_owned),
    ]
}

fn target() -> impl Strategy<Value = String> {
    prop_oneof![
        vec(prop_oneof![3 => name(), 2 => Just("..")], 1..4).prop_map(|segments| segments.join("/")),
        plain_path().prop_map(|path| format!("TOP/repo/{path}")),
        select(vec!["TOP/out", "TOP/out/x", "TOP/out/not-yet", "TOP/repo", ".", "..", "/"])
            .prop_map(str::to_owned),
    ]
}

fn thing() -> impl Strategy<Value = Thing> {
    prop_oneof![
        2 => plain_path().prop_map(Thing::Folder),
        2 => plain_path().prop_map(Thing::File),
        3 => (plain_path(), target()).prop_map(|(at, target)| Thing::Link(at, target)),
    ]
}

fn judge(case: &Case) -> Result<Finding> {
    let scratch = TempDir::new().context("a scratch folder")?;
    let top = scratch.path().canonicalize()?;
    let root = top.join("repo");
    build(&top, &root, &case.things)?;
    let named = |text: &str| text.replace(TOP, &top.to_string_lossy());
    let (cwd, spelling) = (named(&case.cwd), named(&case.spelling));
    let workspace = FsWorkspace::new(Layout::new(&root, top.join("private"), None));
    let location = pollster::block_on(workspace.locate(&spelling, Some(&cwd)));
    // Before anything is done: a link that leads through itself leads nowhere once it is gone.
    let said = match &location {
        Location::Inside(found) => {
            found.spelled.as_ref().and_then(|path| entry_of(&root.join(path.as_str())))
        }
        _ => None,
    };
    let Some(touched) = act(case, &top, Path::new(&cwd), &spelling) else { return Ok(Finding::Held) };
    let Location::Inside(found) = location else { return Ok(Finding::Refused) };
    let real = root.join(found.path.as_str());
    let is_said = touched == real || matches!(case.deed, Deed::Remove) && Some(&touched) == said.as_ref();
    Ok(if is_said {
        Finding::Held
    } else {
        Finding::Missed(format!("{} was touched; the gate said {}", touched.display(), found.path))
    })
}

fn build(top: &Path, root: &Path, things: &[Thing]) -> Result<()> {
    for folder in [root, &top.join("out"), &top.join("repo-evil")] {
        fs::create_dir(folder)?;
    }
    fs::write(top.join("out/x"), "x")?;
    for thing in things {
        // What another thing already stands in the way of is left out.
        let _ = match thing {
            Thing::Folder(at) => fs::create_dir_all(root.join(at)),
            Thing::File(at) => make_room(&root.join(at)).and_then(|()| fs::write(root.join(at), at)),
            Thing::Link(at, target) => {
                let target = target.replace(TOP, &top.to_string_lossy());
                make_room(&root.join(at)).and_then(|()| link(&target, &root.join(at)))
            }
        };
    }
    Ok(())
}

fn make_room(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

#[cfg(unix)]
fn link(target: &str, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(not(unix))]
fn link(_target: &str, _at: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Does what the host does, and says which file was written or which entry was removed, if one was. Nothing beyond the
/// scratch folder is touched.
fn act(case: &Case, top: &Path, cwd: &Path, spelling: &str) -> Option<PathBuf> {
    let full = match case.host {
        Host::Plain if !cwd.is_dir() => return None,
        Host::Plain => cwd.join(spelling),
        Host::ByText => without_dots(&cwd.join(spelling)),
        Host::Trims => without_dots(&cwd.join(trimmed(spelling))),
    };
    if !stays_below(top, &full, MOST_LINKS) {
        return outside(&full);
    }
    match case.deed {
        Deed::Write => {
            // Folders behind a `..` are not made: where that would be is not known before.
            if !full.components().any(|part| part == Component::ParentDir) {
                let _ = make_room(&full);
            }
            if !full.parent()?.canonicalize().ok()?.starts_with(top) {
                return None;
            }
            fs::write(&full, "written").ok()?;
            full.canonicalize().ok()
        }
        Deed::Remove => {
            let entry = entry_of(&full)?;
            fs::remove_file(&full).ok()?;
            Some(entry)
        }
    }
}

fn trimmed(spelling: &str) -> &str {
    spelling.trim_matches(|sign: char| sign.is_whitespace() || sign == '\u{feff}')
}

/// Whether every part of the path that is there lies in the scratch folder, so that the deed does too.
fn stays_below(top: &Path, full: &Path, links: usize) -> bool {
    let mut at = full;
    loop {
        if let Ok(real) = at.canonicalize() {
            return real.starts_with(top);
        }
        // A link that leads nowhere yet may lead out.
        if let Ok(target) = fs::read_link(at) {
            let target = without_dots(&at.parent().unwrap_or(at).join(target));
            return links > 0 && target.starts_with(top) && stays_below(top, &target, links - 1);
        }
        match at.parent() {
            Some(parent) => at = parent,
            None => return false,
        }
    }
}

/// What lies outside is not touched; that the host would act there is all that counts.
fn outside(full: &Path) -> Option<PathBuf> {
    let text = full.to_str()?;
    (!text.contains('\0')).then(|| full.to_owned())
}

fn without_dots(full: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in full.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// The entry that a path names, its folder as it really is.
fn entry_of(path: &Path) -> Option<PathBuf> {
    Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))
}
