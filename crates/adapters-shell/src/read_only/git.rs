//! `git`: subcommands and options that only look.
//!
//! Options before the subcommand are refused, except `-C` and those that switch the pager off: `-c` sets what git runs.
//! Options that name an output file, a program or a signature check are left out, and of formats only placeholders are
//! taken that are known to print (`formats`). What git's configuration makes a reader run is asked elsewhere: this knows
//! words alone.

mod formats;
mod long_options;

use crate::read_only::known::Known;
use crate::read_only::options::{Allowed, Parsed, Proof, bare, parse_by};
use crate::read_only::searched::names_across_folders;
use long_options::{
    BLAME, BRANCH, DESCRIBE, DIFF, FOR_EACH_REF, GREP, LOG, LS_FILES, LS_TREE, NAME_REV, RANGE_DIFF,
    REV_PARSE, SHORTLOG, STATUS,
};

/// What may stand besides the options of a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operands {
    /// Nothing.
    None,
    /// Revisions and paths.
    Any,
    /// A pattern, then revisions and paths.
    Pattern,
    /// Patterns, but only with one of the options that ask for a list; else they would create something.
    OnlyWhenListing,
    /// Text that names no file.
    Text,
    /// One such text: a second word would be set.
    OneText,
    /// Patterns of refs.
    Refs,
    /// One setting that holds no secret: with a second word it would be set.
    Setting,
}

struct Subcommand {
    name: &'static str,
    allowed: Allowed,
    operands: Operands,
    /// Further long options, shared with other subcommands.
    shared: &'static [&'static str],
}

const fn subcommand(
    name: &'static str,
    flags: &'static str,
    valued: &'static str,
    long: &'static [&'static str],
    operands: Operands,
) -> Subcommand {
    Subcommand { name, allowed: Allowed { flags, valued, long, digits: false }, operands, shared: &[] }
}

const fn history(name: &'static str, flags: &'static str, valued: &'static str) -> Subcommand {
    let allowed = Allowed { flags, valued, long: DIFF, digits: true };
    Subcommand { name, allowed, operands: Operands::Any, shared: LOG }
}

/// Entries without operands, for a word there would be another subcommand.
const fn listing(name: &'static str) -> Subcommand {
    let allowed = Allowed { flags: "p", valued: "n", long: DIFF, digits: true };
    Subcommand { name, allowed, operands: Operands::None, shared: LOG }
}

static SUBCOMMANDS: &[Subcommand] = &[
    subcommand("status", "sbz", "u?", STATUS, Operands::Any),
    subcommand("diff", "abpRuwz", "U?SG", DIFF, Operands::Any),
    history("log", "abgipuwz", "nSGLU?"),
    history("show", "abpsuwz", "nSGLU?"),
    history("rev-list", "i", "n"),
    subcommand("branch", "arv", "", BRANCH, Operands::OnlyWhenListing),
    subcommand("tag", "l", "n?", BRANCH, Operands::OnlyWhenListing),
    subcommand("rev-parse", "q", "", REV_PARSE, Operands::Text),
    subcommand("ls-files", "cdikmostuvz", "x", LS_FILES, Operands::Any),
    subcommand("blame", "beflnpstw", "LC?M?", BLAME, Operands::Any),
    subcommand("grep", "acEFGhHiIlLnpPqvwWz", "ABCem", GREP, Operands::Pattern),
    subcommand("shortlog", "sne", "", SHORTLOG, Operands::Any),
    subcommand("describe", "", "", DESCRIBE, Operands::Text),
    subcommand("merge-base", "a", "", &["all", "is-ancestor"], Operands::Text),
    subcommand("cat-file", "epst", "", &[], Operands::Any),
    subcommand("remote", "v", "", &["verbose"], Operands::None),
    subcommand("remote get-url", "", "", &["all", "push"], Operands::Text),
    subcommand("ls-tree", "rtdlz", "", LS_TREE, Operands::Any),
    subcommand(
        "show-ref",
        "dqs",
        "",
        &["abbrev?", "hash?", "head", "heads", "quiet", "tags", "verify"],
        Operands::Text,
    ),
    subcommand("check-ignore", "nqv", "", &["no-index", "non-matching", "quiet", "verbose"], Operands::Text),
    subcommand("check-attr", "a", "", &["all", "cached"], Operands::Text),
    subcommand("count-objects", "vH", "", &["human-readable", "verbose"], Operands::None),
    subcommand("config", "", "", &["get", "get-all", "local", "global"], Operands::Setting),
    subcommand("config get", "", "", &["all", "local", "global"], Operands::Setting),
    listing("stash list"),
    subcommand("stash show", "puw", "U?", DIFF, Operands::Any),
    listing("reflog"),
    history("reflog show", "abgipuwz", "nSGLU?"),
    history("diff-tree", "cmprstz", "C?M?U?"),
    subcommand("for-each-ref", "", "", FOR_EACH_REF, Operands::Refs),
    subcommand("range-diff", "s", "U?", RANGE_DIFF, Operands::Any),
    subcommand("cherry", "v", "", &["abbrev?", "verbose"], Operands::Text),
    subcommand("name-rev", "", "", NAME_REV, Operands::Text),
    subcommand("symbolic-ref", "q", "", &["quiet", "short"], Operands::OneText),
    subcommand(
        "show-branch",
        "ar",
        "",
        &["all", "remotes", "current", "topo-order", "sha1-name"],
        Operands::Text,
    ),
    subcommand("notes list", "", "", &[], Operands::Text),
    subcommand("worktree list", "v", "", &["porcelain", "verbose"], Operands::None),
];

/// What is known of every subcommand.
pub(crate) fn known() -> Vec<Known> {
    let describe = |one: &Subcommand| one.allowed.describe(format!("git {}", one.name), one.shared);
    SUBCOMMANDS.iter().map(describe).collect()
}

/// Proves a call of `git`.
pub(crate) fn prove(words: &[&str]) -> Result<Proof, String> {
    match words {
        ["-C", folder, rest @ ..] => in_folder(folder, subcommand_of(without_pager(rest))?),
        ["--no-pager" | "-P", "-C", folder, rest @ ..] => in_folder(folder, subcommand_of(rest)?),
        words => subcommand_of(without_pager(words)),
    }
}

fn without_pager<'w, 'a>(words: &'w [&'a str]) -> &'w [&'a str] {
    match words {
        ["--no-pager" | "-P", rest @ ..] => rest,
        words => words,
    }
}

/// What git reads when it first moves to a folder: its paths count from there.
fn in_folder(folder: &str, proof: Proof) -> Result<Proof, String> {
    if folder.is_empty() || folder.starts_with('-') || folder.contains(['*', '?', '[']) {
        return Err("`git -C` does not name one folder".to_owned());
    }
    if proof.from_top {
        return Err("git takes what stands behind `:` from the top, not from the folder of `-C`".to_owned());
    }
    let is_whole = |path: &str| path.starts_with('/') || path.get(1..2) == Some(":");
    let there = |path: String| if is_whole(&path) { path } else { format!("{folder}/{path}") };
    let reads = proof.reads.into_iter().map(there).chain([folder.to_owned()]).collect();
    Ok(Proof { reads, git_in: vec![folder.to_owned()], ..proof })
}

/// Proves a subcommand with its arguments.
fn subcommand_of(words: &[&str]) -> Result<Proof, String> {
    let (name, behind) = words.split_first().ok_or("`git` has no subcommand")?;
    let of_two = behind.split_first().map(|(second, behind)| (format!("{name} {second}"), behind));
    let known = of_two
        .and_then(|(names, behind)| Some((lookup(&names)?, behind)))
        .or_else(|| Some((lookup(name)?, behind)));
    let (subcommand, arguments) =
        known.ok_or_else(|| format!("`git {name}` is not in the read-only table"))?;
    let parsed = parse_either(subcommand, arguments)?;
    match parsed.options.iter().find(|(option, value)| !only_prints(subcommand, option, *value)) {
        Some((option, _)) => Err(format!("`--{option}` holds what is not known to only print")),
        None => reads(subcommand, &parsed),
    }
}

/// Whether what an option asks to be printed, or sorted by, runs no program.
fn only_prints(subcommand: &Subcommand, option: &str, value: Option<&str>) -> bool {
    let Some(value) = value else { return true };
    match (subcommand.operands, option) {
        (Operands::OnlyWhenListing | Operands::Refs, "format") => formats::of_refs(value),
        (Operands::OnlyWhenListing | Operands::Refs, "sort") => formats::sorts(value),
        (_, "format" | "pretty") => formats::of_log(value),
        _ => true,
    }
}

fn lookup(name: &str) -> Option<&'static Subcommand> {
    SUBCOMMANDS.iter().find(|subcommand| subcommand.name == name)
}

/// Long options of both lists count; the shared one is consulted for those that it knows.
fn parse_either<'a>(subcommand: &Subcommand, words: &[&'a str]) -> Result<Parsed<'a>, String> {
    let Subcommand { allowed, shared, .. } = subcommand;
    let allowed_for = |word: &str| {
        let name = word.strip_prefix("--").map(|long| long.split('=').next().unwrap_or(long));
        let is_shared = name.is_some_and(|name| shared.iter().any(|entry| bare(entry) == name));
        if is_shared { Allowed { long: shared, ..*allowed } } else { *allowed }
    };
    parse_by(allowed_for, words)
}

fn reads(subcommand: &Subcommand, parsed: &Parsed<'_>) -> Result<Proof, String> {
    let operands = parsed.operands.as_slice();
    let refused = || format!("`git {}` with operands may change something", subcommand.name);
    match subcommand.operands {
        Operands::None | Operands::OnlyWhenListing if operands.is_empty() => Ok(Proof::default()),
        Operands::OnlyWhenListing if parsed.has(&["l", "list"]) => Ok(Proof::default()),
        Operands::None | Operands::OnlyWhenListing => Err(refused()),
        Operands::Setting => setting(parsed),
        Operands::OneText if operands.len() != 1 => Err(refused()),
        Operands::Text | Operands::OneText | Operands::Refs => Ok(Proof::default()),
        Operands::Pattern if !parsed.has(&["e"]) => {
            let (_, paths) = operands.split_first().ok_or("a pattern is missing")?;
            reading(paths, &[])
        }
        Operands::Any | Operands::Pattern => {
            let ranges =
                parsed.options.iter().filter(|(name, _)| *name == "L").filter_map(|(_, value)| *value);
            reading(operands, &ranges.filter_map(path_of_range).collect::<Vec<_>>())
        }
    }
}

/// Sections of git's settings that hold no token and no password.
const OPEN_SECTIONS: &[&str] =
    &["user", "core", "branch", "init", "pull", "push", "merge", "rebase", "diff", "commit", "tag", "color"];

fn setting(parsed: &Parsed<'_>) -> Result<Proof, String> {
    let [key] = parsed.operands.as_slice() else { return Err("`git config` may set something".to_owned()) };
    let key = key.to_ascii_lowercase();
    let (section, name) = key.split_once('.').ok_or("`git config` may do more than show a setting")?;
    // `git remote -v` shows the same.
    let is_address = section == "remote" && (name.ends_with(".url") || name.ends_with(".pushurl"));
    if is_address || OPEN_SECTIONS.contains(&section) {
        Ok(Proof::default())
    } else {
        Err(format!("`{key}` may hold a secret"))
    }
}

/// What operands and ranges read. Patterns count as names that are searched by, too. What stands behind a colon git takes
/// from the top of the working copy, wherever it is run.
fn reading(operands: &[&str], ranges: &[&str]) -> Result<Proof, String> {
    let paths = operands.iter().flat_map(|operand| paths_in(operand)).chain(ranges.iter().copied());
    // To git a backslash makes a pattern as well: `key.\\pem` is `key.pem`.
    let is_pattern = |path: &&str| path.contains(['*', '?', '[', '\\']);
    let is_excluded = |behind: &str| behind.starts_with(['!', '^']) || behind.starts_with("(exclude)");
    let from_top = |operand: &&str| operand.split_once(':').is_some_and(|(_, behind)| !is_excluded(behind));
    Ok(Proof {
        names: operands
            .iter()
            .flat_map(|operand| paths_in(operand))
            .filter(is_pattern)
            .flat_map(names_across_folders)
            .collect(),
        from_top: operands.iter().any(from_top),
        ..Proof::reading(paths)?
    })
}

/// What an operand may name: itself as a path, the path in `REVISION:PATH`, `:STAGE:PATH` and `:/PATH`, and the one
/// behind the magic of a pathspec such as `:(top)PATH`. Which colon counts only git knows, so each does.
fn paths_in(operand: &str) -> impl Iterator<Item = &str> {
    let after_colons = operand.match_indices(':').filter_map(move |(at, _)| operand.get(at + 1..));
    let after_magic =
        after_colons.map(|rest| match rest.strip_prefix('(').and_then(|magic| magic.split_once(')')) {
            Some((magic, _)) if magic.contains("exclude") => "",
            Some((_, path)) => path,
            None => rest.trim_start_matches('/'),
        });
    std::iter::once(operand).chain(after_magic.filter(|path| !path.is_empty()))
}

/// The path at the end of `-L RANGE:PATH`.
fn path_of_range(range: &str) -> Option<&str> {
    range.rsplit_once(':').map(|(_, path)| path).filter(|path| !path.is_empty())
}
