//! Targets of tools that look at files or change them by quoting.

use bailiwick_domain::{Params, Value};

use super::{RequestedTarget, Targets};
use crate::calls::params::{self, ALL, CONTENT, EXPECTED, FILE_NAMES, GLOB, NEW, OLD, PATH, PATHS};
use crate::calls::terms::{Access, Edit};
use crate::globs::scope_match::expand_braces;

/// Paths under every path key: the single one and the lists.
pub(super) fn paths(params: &Params, access: Access) -> Result<Vec<RequestedTarget>, String> {
    let mut found: Vec<RequestedTarget> = Vec::new();
    found.extend(params::text(params, PATH)?.map(|path| RequestedTarget::new(path, access)));
    for key in PATHS {
        for item in params::list(params, key).unwrap_or_default() {
            found.push(RequestedTarget::new(params::listed_path(&item)?, access));
        }
    }
    Ok(found)
}

/// Paths, of which there must be one.
pub(super) fn some_paths(params: &Params, access: Access) -> Result<Targets, String> {
    let paths = paths(params, access)?;
    if paths.is_empty() {
        Err("there is no path".to_owned())
    } else {
        Ok(Targets { paths, ..Targets::default() })
    }
}

/// A directory to look below; the call's own without one. A pattern that is a path of its own is a target too.
pub(super) fn tree(params: &Params, patterns_lead: bool) -> Result<Targets, String> {
    let mut paths = paths(params, Access::Read)?;
    paths
        .iter_mut()
        .filter(|target| target.requested.is_empty())
        .for_each(|target| target.requested.push('.'));
    let listed = if patterns_lead { params::text(params, GLOB)? } else { None };
    paths.extend(listed.iter().flat_map(|pattern| leading(pattern)).map(RequestedTarget::read));
    if paths.is_empty() {
        paths.push(RequestedTarget::read("."));
    }
    Ok(Targets { paths, names: names(params), listed, ..Targets::default() })
}

/// The file patterns of a named type of files: most are called like an ending. Two of ripgrep's take `.env` as well (its
/// `--type-list`).
fn of_type(name: &str) -> String {
    if matches!(name, "sh" | "all") { "{*.sh,.env}".to_owned() } else { format!("*.{name}") }
}

/// The file patterns that a search goes by.
fn names(params: &Params) -> Vec<String> {
    let of_key = |key: &&str| {
        let items = params::list(params, key).unwrap_or_default();
        let texts = items.iter().filter_map(Value::as_str);
        texts.map(|text| if *key == "type" { of_type(text) } else { text.to_owned() }).collect::<Vec<_>>()
    };
    FILE_NAMES.iter().flat_map(of_key).collect()
}

/// The literal heads of a pattern that does not stay below the directory it is used in. A back-slash may take away the
/// meaning of the sign behind it, or separate: both count.
fn leading(pattern: &str) -> Vec<String> {
    let pattern = pattern.trim();
    let mut heads = Vec::new();
    for reading in [pattern.replace('\\', ""), pattern.replace('\\', "/")] {
        match expand_braces(&reading) {
            Ok(patterns) => heads.extend(patterns.iter().filter_map(|pattern| leading_of(pattern))),
            // Where so many names may lead, nobody looked.
            Err(_) if reading.contains('}') => heads.push("/".to_owned()),
            Err(_) => heads.extend(leading_of(&reading)),
        }
    }
    heads.dedup();
    heads
}

fn leading_of(pattern: &str) -> Option<String> {
    let drive = pattern.as_bytes().get(1) == Some(&b':');
    let strays = pattern.starts_with(['/', '~']) || drive || pattern.split('/').any(|part| part == "..");
    if !strays {
        return None;
    }
    let head: Vec<&str> =
        pattern.split('/').take_while(|part| !part.contains(['*', '?', '[', '{'])).collect();
    let after_head = pattern.split('/').skip(head.len()).any(|part| part.contains(".."));
    let joined = head.join("/");
    Some(match (joined.is_empty(), after_head) {
        (_, true) => format!("{joined}/.."),
        (true, false) => "/".to_owned(),
        (false, false) => joined,
    })
}

/// One path with one access.
pub(super) fn one(params: &Params, access: Access) -> Result<RequestedTarget, String> {
    Ok(RequestedTarget::new(params::required(params, PATH, "path")?, access))
}

pub(super) fn write(params: &Params) -> Result<Targets, String> {
    let target = one(params, Access::Overwrite)?;
    let content = params::required(params, CONTENT, "content")?;
    Ok(Targets { paths: vec![target], content: Some(content), ..Targets::default() })
}

/// Quoted replacements in one file: one pair, or a list under `edits`.
pub(super) fn edit(params: &Params) -> Result<Targets, String> {
    let target = one(params, Access::Anchored)?;
    let has = |keys: &[&str]| params::has(params, keys);
    // One host obeys one of them, another one the other.
    if [has(&["code_edit"]), has(OLD), has(&["edits"])].iter().filter(|is_there| **is_there).count() > 1 {
        return Err("the call says in two ways what to replace".to_owned());
    }
    if has(&["code_edit"]) {
        return Ok(Targets {
            paths: vec![RequestedTarget { access: Access::Patch, ..target }],
            ..Targets::default()
        });
    }
    let mut edits = Vec::new();
    if has(OLD) {
        edits.push(pair(params)?);
    }
    for item in params::list(params, "edits").unwrap_or_default() {
        let item = entry(&item)?;
        if params::text(item, PATH)?.is_some_and(|path| path != target.requested) {
            return Err("one of the edits names another file than the call".to_owned());
        }
        edits.push(pair(item)?);
    }
    if edits.is_empty() {
        return Err("there is no replacement: expected `old_string` and `new_string`".to_owned());
    }
    Ok(Targets { paths: vec![target], edits, ..Targets::default() })
}

/// Quoted replacements in several files.
pub(super) fn multi_file_edit(params: &Params) -> Result<Targets, String> {
    let mut targets = Targets::default();
    for item in params::list(params, "replacements").unwrap_or_default() {
        let entry = entry(&item)?;
        let target = one(entry, Access::Anchored)?;
        targets.edits.push(Edit { path: Some(target.requested.clone()), ..pair(entry)? });
        if !targets.paths.contains(&target) {
            targets.paths.push(target);
        }
    }
    if targets.paths.is_empty() { Err("there is no replacement".to_owned()) } else { Ok(targets) }
}

pub(super) fn entry(item: &Value) -> Result<&Params, String> {
    item.as_object().ok_or_else(|| "a list entry is not an object".to_owned())
}

fn pair(params: &Params) -> Result<Edit, String> {
    if params::flag(params, &["use_regex"])? {
        return Err("a replacement by regular expression quotes nothing that can be checked".to_owned());
    }
    let mut spellings = OLD.iter().zip(NEW);
    // A host knows its own spelling of both, and drops the other one.
    let is_mixed = spellings.any(|(old, new)| params::has(params, &[old]) != params::has(params, &[new]));
    if is_mixed && params::has(params, NEW) {
        return Err("the old text and the new one are spelled as by two hosts".to_owned());
    }
    Ok(Edit {
        old: params::required(params, OLD, "old text")?,
        new: params::required(params, NEW, "new text")?,
        replace_all: params::flag(params, ALL)?,
        expected: params::count(params, EXPECTED)?,
        ..Edit::default()
    })
}
