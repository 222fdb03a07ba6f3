//! Files under another name: which file that is gone is which one that is new, and when that cannot be noticed.

use bailiwick_domain::{FileChange, RepoPath};

use crate::classify::Pair;
use crate::classify::moves::condition;
use crate::language::Language;
use crate::names::{Renames, is_name};
use crate::outline::Outline;
use crate::units::words_of;

/// Files that are gone with what they are called now. Of Go and C#, where no name of a file is a part of the program: those
/// with the same text in the same folder. Of Java and C#, where one more is gone and one is new in one folder: those two.
pub(crate) fn moved<'t>(changes: &[FileChange<'t>]) -> Vec<(FileChange<'t>, FileChange<'t>)> {
    let gone: Vec<_> =
        changes.iter().filter(|change| change.after.is_none() && change.before.is_some()).collect();
    let come: Vec<_> =
        changes.iter().filter(|change| change.before.is_none() && change.after.is_some()).collect();
    let mut found: Vec<(FileChange<'t>, FileChange<'t>)> = Vec::new();
    for from in &gone {
        let mut same = come
            .iter()
            .filter(|to| to.after == from.before && is_same_place(from.path, to.path, &["go", "cs"]));
        let is_only = gone.iter().filter(|other| other.before == from.before).count() == 1;
        if let (Some(to), None, true) = (same.next(), same.next(), is_only) {
            found.push((**from, **to));
        }
    }
    let is_left = |change: &&&FileChange<'t>| {
        !found.iter().any(|(from, to)| from.path == change.path || to.path == change.path)
    };
    let (gone, come): (Vec<_>, Vec<_>) =
        (gone.iter().filter(is_left).collect(), come.iter().filter(is_left).collect());
    if let ([from], [to]) = (gone.as_slice(), come.as_slice())
        && is_same_place(from.path, to.path, &["java", "cs"])
    {
        found.push((***from, ***to));
    }
    found
}

fn parts(path: &RepoPath) -> (&str, &str) {
    path.as_str().rsplit_once('/').unwrap_or(("", path.as_str()))
}

fn is_same_place(from: &RepoPath, to: &RepoPath, extensions: &[&str]) -> bool {
    let extension =
        |path: &RepoPath| path.as_str().rsplit_once('.').map(|(_, extension)| extension.to_owned());
    let is_known = extension(from).is_some_and(|extension| extensions.contains(&extension.as_str()));
    is_known && extension(from) == extension(to) && parts(from).0 == parts(to).0
}

/// Whether a file may be called what it is called now: in Java as its class, unless that is looked for by its name; in Go
/// when neither its name nor its place among the others decides what runs; in C# unless the name says that a tool wrote it,
/// or other parts of its classes may stand in other files.
pub(crate) fn may_be_called_that(pair: &Pair<'_>, pairs: &[Pair<'_>], renames: &Renames) -> bool {
    let Some(was) = pair.was else { return true };
    let (before, after) = (parts(was).1, parts(pair.path).1);
    match pair.before.language {
        Language::Java => {
            let stem = |name: &str| name.trim_end_matches(".java").to_owned();
            renames.name(&stem(before)) == stem(after)
                && !is_started_or_stored(&pair.before)
                && !pairs.iter().any(|pair| is_in_a_text(&pair.before, &stem(before)))
        }
        Language::Go => {
            let is_left_out = |name: &str| name.starts_with(['_', '.']);
            condition(before) == condition(after)
                && is_left_out(before) == is_left_out(after)
                && starts_quietly(&pair.before)
                && starts_quietly(&pair.after)
        }
        Language::CSharp => {
            let is_written = |name: &str| {
                let name = name.to_ascii_lowercase();
                [".g.", ".g.i.", ".designer.", ".generated."].iter().any(|part| name.contains(part))
                    || name.starts_with("temporarygeneratedfile_")
            };
            let is_partial = |outline: &Outline<'_>| outline.nodes.iter().any(|node| node.text == "partial");
            !is_written(before) && !is_written(after) && !is_partial(&pair.before) && !is_partial(&pair.after)
        }
        _ => false,
    }
}

/// Whether a class of Java may be known by its name to those who start it, who give it native code, or who store it: what
/// is above it may say that it is serialized.
fn is_started_or_stored(outline: &Outline<'_>) -> bool {
    outline.nodes.iter().any(|node| {
        matches!(node.kind, "native" | "superclass" | "super_interfaces" | "enum_declaration")
            || node.text == "main"
    })
}

/// Whether a name is a word of something that is no name: a class can be asked for by it.
fn is_in_a_text(outline: &Outline<'_>, name: &str) -> bool {
    let has_it =
        |text: &str| text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name);
    outline.nodes.iter().any(|node| node.is_leaf() && !is_name(node.kind) && has_it(&node.text))
}

/// Whether nothing of a file of Go runs before `main`: packages start their files in the order of their names.
fn starts_quietly(outline: &Outline<'_>) -> bool {
    outline.children(0).all(|item| match outline.kind(item) {
        "function_declaration" => {
            outline.child_by_field(item, "name").is_none_or(|name| outline.text(name) != "init")
        }
        "var_declaration" => (item..item + outline.subtree(item).len()).all(|at| match outline.kind(at) {
            "call_expression" => outline
                .child_by_field(at, "function")
                .is_some_and(|function| words_of(&outline.nodes, function) == "errors.New"),
            "unary_expression" => outline.text(at + 1) != "<-",
            _ => true,
        }),
        _ => true,
    })
}
