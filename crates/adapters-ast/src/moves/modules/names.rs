//! What names a file of a module gives to its top, and which file a module is.

use std::collections::BTreeSet;

use crate::items::Item;
use crate::language::Language;
use crate::outline::{Node, Outline};

/// Every name that stands at the top of a file: more than are declared there, so that a doubt is one.
pub(super) fn top_names(outline: &Outline<'_>, items: &[Item]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for item in items.iter().filter(|item| !item.is_import) {
        found.extend(item.name.clone());
        let is_code = item.name.is_none();
        let nodes = outline.nodes.get(item.from..item.to).unwrap_or_default();
        let names = nodes.iter().filter(|node| is_code && is_free_name(node));
        found.extend(names.map(|node| node.text.to_string()));
    }
    // A function of Python may give its module a name.
    for (at, _) in outline.nodes.iter().enumerate().filter(|(_, node)| node.kind == "global_statement") {
        found.extend(
            outline.subtree(at).iter().filter(|node| is_free_name(node)).map(|node| node.text.to_string()),
        );
    }
    found
}

/// Whether a leaf may be a name that stands for something of the file.
pub(super) fn is_free_name(node: &Node<'_>) -> bool {
    node.is_leaf()
        && node.kind.contains("identifier")
        && !matches!(node.kind, "property_identifier" | "private_property_identifier")
        && node.field != "attribute"
}

/// The path of a file without what an import leaves out.
pub(super) fn module_of(path: &str) -> String {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let stem = stem.strip_suffix(".d").unwrap_or(stem);
    let stem = stem.strip_suffix("/index").or_else(|| stem.strip_suffix("/__init__")).unwrap_or(stem);
    stem.to_owned()
}

/// The path that a relative import leads to; any other as it is written.
pub(super) fn resolved(language: Language, module: &str, path: &str) -> String {
    let mut folder: Vec<&str> = path.split('/').collect();
    folder.pop();
    if language == Language::Python {
        let dots = module.len() - module.trim_start_matches('.').len();
        if dots == 0 {
            return module.to_owned();
        }
        folder.truncate(folder.len().saturating_sub(dots - 1));
        let rest = module.get(dots..).unwrap_or_default().split('.').filter(|part| !part.is_empty());
        return folder.into_iter().chain(rest).collect::<Vec<_>>().join("/");
    }
    let module = module.trim_matches(['\'', '"', '`']);
    if !module.starts_with('.') {
        return module.to_owned();
    }
    for part in module.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(folder.pop()),
            part => folder.push(part),
        }
    }
    let whole = folder.join("/");
    let is_source = [".ts", ".js", ".tsx", ".jsx", ".mjs", ".mts"].iter().any(|end| whole.ends_with(end));
    if is_source { module_of(&whole) } else { whole.strip_suffix("/index").unwrap_or(&whole).to_owned() }
}
