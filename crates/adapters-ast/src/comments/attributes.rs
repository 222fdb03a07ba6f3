//! Which attributes of Rust may turn documentation into something that a program shows.
//!
//! Read from the text and not from the tree: the attributes of an item stand above it, and are looked for once for each
//! comment.

use tree_sitter::Node as Syntax;

/// Attributes and derives that do not look at documentation. Any other may turn it into help texts or schemas.
const QUIET_ATTRIBUTES: &[&str] = &[
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Eq",
    "Error",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Serialize",
    "allow",
    "async_trait",
    "automatically_derived",
    "cfg",
    "cfg_attr",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "error",
    "expect",
    "feature",
    "forbid",
    "from",
    "ignore",
    "inline",
    "instrument",
    "macro_export",
    "macro_use",
    "must_use",
    "no_mangle",
    "no_std",
    "non_exhaustive",
    "path",
    "recursion_limit",
    "repr",
    "rustfmt",
    "serde",
    "should_panic",
    "source",
    "target_feature",
    "test",
    "tokio",
    "track_caller",
    "warn",
];

/// Whether an attribute anywhere in the text may look at documentation.
pub(super) fn any_reads(source: &str) -> bool {
    source.match_indices('#').any(|(at, _)| {
        let tail = source.get(at..).unwrap_or_default();
        let line = source.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        (tail.starts_with("#[") || tail.starts_with("#![")) && line.trim().is_empty() && reads(whole(tail))
    })
}

/// Whether what a documentation comment belongs to, or something around it, has an attribute that may look at it.
pub(super) fn read_documentation(source: &str, node: Syntax<'_>) -> bool {
    let comment = source.get(node.byte_range()).unwrap_or_default();
    let is_inner = comment.starts_with("//!") || comment.starts_with("/*!");
    if is_inner && node.parent().is_none_or(|parent| parent.kind() == "source_file") {
        // Nothing is derived for a whole file.
        return false;
    }
    if above(source, node.start_byte()) || below(source, node.end_byte()) {
        return true;
    }
    let mut around = node.parent();
    while let Some(item) = around.filter(|item| item.kind() != "source_file") {
        if above(source, item.start_byte()) {
            return true;
        }
        around = item.parent();
    }
    false
}

/// Whether such an attribute stands above a place, with nothing but comments and other attributes between.
fn above(source: &str, start: usize) -> bool {
    let mut head = source.get(..start).unwrap_or_default();
    let line = head.rsplit('\n').next().unwrap_or_default();
    if line.contains("#[") {
        return reads(whole(line.trim_start()));
    }
    head = head.get(..head.len() - line.len()).unwrap_or_default();
    loop {
        let body = head.strip_suffix('\n').unwrap_or(head);
        let line = body.rsplit('\n').next().unwrap_or_default();
        let at = body.len() - line.len();
        let words = line.trim();
        let is_passed = words.is_empty() || words.starts_with("//") || words.starts_with("#[");
        if words.ends_with(']') && !words.starts_with("#[") {
            // The end of an attribute over several lines.
            let start = body.rfind("#[").unwrap_or(0);
            if reads(whole(body.get(start..).unwrap_or_default())) {
                return true;
            }
            head = body.get(..start).unwrap_or_default();
            continue;
        }
        if words.starts_with("#[") && reads(whole(words)) {
            return true;
        }
        if !is_passed && !words.starts_with('*') && !words.starts_with("/*") && !words.ends_with("*/")
            || at == 0
        {
            return false;
        }
        head = body.get(..at).unwrap_or_default();
    }
}

/// Whether such an attribute stands behind a place, with nothing but comments and other attributes between.
fn below(source: &str, end: usize) -> bool {
    let mut tail = source.get(end..).unwrap_or_default();
    loop {
        tail = tail.trim_start();
        if tail.starts_with("//") {
            tail = tail.split_once('\n').map_or("", |(_, tail)| tail);
        } else if let Some(comment) = tail.strip_prefix("/*") {
            tail = comment.split_once("*/").map_or("", |(_, tail)| tail);
        } else if tail.starts_with("#[") {
            let attribute = whole(tail);
            if reads(attribute) {
                return true;
            }
            tail = tail.get(attribute.len().max(2)..).unwrap_or_default();
        } else {
            return false;
        }
    }
}

/// The attribute at the beginning of a text, to the bracket that closes it.
fn whole(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return text.get(..=at).unwrap_or(text);
        }
    }
    text
}

/// Whether an attribute may look at documentation.
fn reads(attribute: &str) -> bool {
    let inside = attribute.trim_start_matches("#![").trim_start_matches("#[");
    let first = inside.split(|c: char| !(c.is_alphanumeric() || c == '_')).find(|name| !name.is_empty());
    let derived = inside.split("derive(").skip(1).flat_map(|list| {
        let list = list.split(')').next().unwrap_or_default();
        list.split(',').map(|path| path.rsplit("::").next().unwrap_or(path).trim())
    });
    let mut names = first.into_iter().chain(derived).filter(|name| !name.is_empty());
    names.any(|name| !QUIET_ATTRIBUTES.contains(&name))
}
