//! Finds the named unit around changed lines, with a hash of its structure.

use bailiwick_domain::{ContentHash, RepoPath, Symbol, SymbolFinder, SymbolKind};

use crate::AstReader;
use crate::budget::Budget;
use crate::language::Language;
use crate::outline::{Node, Outline};
use crate::units;

impl SymbolFinder for AstReader {
    fn enclosing(&self, path: &RepoPath, text: &str, lines: &[(usize, usize)]) -> Vec<Option<Symbol>> {
        let budget = Budget::of(&self.limits);
        let outline = Language::of(path.as_str())
            .and_then(|language| Outline::read(language, text, &self.limits, &budget).ok());
        let Some(outline) = outline else { return vec![None; lines.len()] };
        let starts = line_starts(text);
        lines.iter().map(|run| around(&outline, &starts, *run)).collect()
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).collect()
}

/// The innermost unit that holds all code of the lines.
fn around(outline: &Outline<'_>, starts: &[usize], (first, last): (usize, usize)) -> Option<Symbol> {
    let from = *starts.get(first.checked_sub(1)?)?;
    let to = starts.get(last).copied().unwrap_or(outline.source.len());
    let is_inside = |node: &&Node<'_>| node.is_leaf() && node.start < to && node.end > from;
    let begin = outline.nodes.iter().find(is_inside)?.start;
    let end = outline.nodes.iter().rfind(is_inside)?.end;
    let mut names = Vec::new();
    let mut found = None;
    let mut in_function = false;
    for (index, node) in outline.nodes.iter().enumerate() {
        if node.is_leaf() || node.start > begin || node.end < end {
            continue;
        }
        let Some(kind) = units::kind_of(outline.language, node.kind) else { continue };
        if in_function && kind == SymbolKind::Constant {
            continue;
        }
        let Some(name) = units::name_of(outline, index) else { continue };
        in_function |= kind == SymbolKind::Function;
        names.push(name);
        found = Some((index, kind));
    }
    let (index, kind) = found?;
    let structural_hash = structural_hash(outline.subtree(index));
    Some(Symbol { path: names.join("."), kind, structural_hash })
}

/// A hash over kinds, texts and shape; where a unit stands and how it is laid out is not in it.
pub(crate) fn structural_hash(nodes: &[Node<'_>]) -> ContentHash {
    let mut bytes = Vec::with_capacity(nodes.len() * 16);
    for node in nodes {
        bytes.extend_from_slice(node.kind.as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(node.text.as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(&u64::try_from(node.size).unwrap_or(u64::MAX).to_le_bytes());
    }
    ContentHash::of(&bytes)
}
