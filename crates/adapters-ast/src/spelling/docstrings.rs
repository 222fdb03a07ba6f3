//! Docstrings of Python, which are words for people unless something in the text may read them.

use tree_sitter::Node as Syntax;

use crate::language::Language;

use super::{Place, only_named_child};

/// A string that is the first statement of a module, class or function in Python.
pub(super) fn is_docstring(place: &Place<'_>, node: Syntax<'_>) -> bool {
    if place.language != Language::Python || !place.docstrings {
        return false;
    }
    let Some(string) = only_named_child(node).filter(|child| child.kind() == "string") else { return false };
    let interpolates = (0..string.named_child_count())
        .filter_map(|index| string.named_child(u32::try_from(index).ok()?))
        .any(|part| part.kind() == "interpolation");
    let Some(parent) = node.parent() else { return false };
    let mut previous = node.prev_sibling();
    while let Some(sibling) = previous {
        if !sibling.is_extra() {
            return false;
        }
        previous = sibling.prev_sibling();
    }
    let start = string.named_child(0).and_then(|part| place.source.get(part.byte_range())).unwrap_or("b");
    let is_text = !start.contains(['b', 'B', 'f', 'F']);
    // What stands behind `>>>` is run as a test.
    let is_tested = place.source.get(string.byte_range()).is_none_or(|text| text.contains(">>>"));
    is_text
        && !interpolates
        && !is_tested
        && match parent.kind() {
            "module" => true,
            "block" => documents(place.source, parent),
            _ => false,
        }
}

/// Whether the block is the body of a class or function whose docstring no decorator reads.
fn documents(source: &str, block: Syntax<'_>) -> bool {
    let Some(definition) = block.parent() else { return false };
    // What a class inherits may look at how it describes itself, and a maker of parsers at what its rules say.
    let is_read = match definition.kind() {
        "function_definition" => {
            let name = definition.child_by_field_name("name").and_then(|name| source.get(name.byte_range()));
            name.is_none_or(|name| ["do_", "p_", "t_"].iter().any(|start| name.starts_with(start)))
        }
        "class_definition" => definition.child_by_field_name("superclasses").is_some(),
        _ => true,
    };
    if is_read {
        return false;
    }
    // To go up is dear, and there are texts without a decorator.
    if !source.contains('@') {
        return true;
    }
    let mut around = Some(definition);
    while let Some(node) = around {
        if !is_quietly_decorated(source, node) {
            return false;
        }
        around = node.parent();
    }
    true
}

/// Whether no decorator of a class or function, if it is one, may look at docstrings in it.
fn is_quietly_decorated(source: &str, definition: Syntax<'_>) -> bool {
    const QUIET: &[&str] = &[
        "abc.abstractmethod",
        "abstractmethod",
        "asynccontextmanager",
        "attr.s",
        "attrs.define",
        "cached_property",
        "classmethod",
        "contextlib.asynccontextmanager",
        "contextlib.contextmanager",
        "contextmanager",
        "dataclass",
        "dataclasses.dataclass",
        "final",
        "fixture",
        "functools.cache",
        "functools.cached_property",
        "functools.lru_cache",
        "functools.wraps",
        "lru_cache",
        "overload",
        "override",
        "property",
        "pytest.fixture",
        "staticmethod",
        "total_ordering",
        "typing.final",
        "typing.overload",
        "wraps",
    ];
    let Some(decorated) = definition.parent().filter(|parent| parent.kind() == "decorated_definition") else {
        return true;
    };
    (0..decorated.named_child_count())
        .filter_map(|index| decorated.named_child(u32::try_from(index).ok()?))
        .filter(|child| child.kind() == "decorator")
        .all(|decorator| {
            let text = source.get(decorator.byte_range()).unwrap_or_default().trim_start_matches('@');
            let name = text.split('(').next().unwrap_or_default().trim();
            QUIET.contains(&name) || name.starts_with("pytest.mark.")
        })
}
