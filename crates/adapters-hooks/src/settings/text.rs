//! Settings files as text whose order, comments and indentation survive an edit. Knows no keys.

use bailiwick_domain::Value;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstContainerNode, CstInputValue, CstNode, CstObject, CstRootNode};

use super::HookSettings;

/// Why a settings file was not edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// Not JSON, even with comments and trailing commas allowed.
    #[error("not valid JSON: {why}")]
    Malformed {
        /// Where.
        line: usize,
        /// What the parser says.
        why: String,
    },
    /// Not TOML.
    #[error("line {line} is not valid TOML: {why}")]
    MalformedToml {
        /// Where.
        line: usize,
        /// What the parser says.
        why: String,
    },
    /// The host does not read a comma before a closing bracket, and would go on without any hook.
    #[error("it has a comma before a closing bracket, with which the host drops the whole file")]
    TrailingComma,
    /// A key occurs twice, and the host and an editor would read different ones.
    #[error("the key `{0}` occurs twice in one object")]
    DuplicateKey(String),
    /// A known key holds something else than the host documents.
    #[error("`{key}` is not {expected}")]
    Unexpected {
        /// Which.
        key: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// What stands under an event is something else than the host documents.
    #[error("`{key}` is not {expected}")]
    Event {
        /// Which.
        key: String,
        /// What it must be.
        expected: &'static str,
    },
}

impl InstallError {
    /// The line that is wrong, where it is known.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Malformed { line, .. } | Self::MalformedToml { line, .. } => Some(*line),
            Self::TrailingComma | Self::DuplicateKey(_) | Self::Unexpected { .. } | Self::Event { .. } => {
                None
            }
        }
    }
}

/// A file that must be ours as a whole is somebody else's.
pub(super) const FOREIGN: InstallError =
    InstallError::Unexpected { key: "the file", expected: "one that `bailiwick init` wrote: move it away" };

/// The mark of the order of bytes, if there is one, and the rest.
pub(crate) fn without_mark(text: &str) -> (&str, &str) {
    let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split_at(text.len() - rest.len())
}

/// A settings file that is being edited.
///
/// INVARIANT: `root` lives as long as any node taken from it; the parser's nodes need that.
#[derive(Debug)]
pub(crate) struct SettingsText {
    mark: String,
    root: CstRootNode,
    object: CstObject,
}

impl SettingsText {
    /// Reads a file; a missing or blank one is an empty object.
    pub(crate) fn read(existing: Option<&str>) -> Result<Self, InstallError> {
        let (mark, text) = without_mark(existing.unwrap_or_default());
        let text = if text.trim().is_empty() { "{}\n" } else { text };
        let root = CstRootNode::parse(text, &options()).map_err(|error| InstallError::Malformed {
            line: error.line_display(),
            why: error.to_string(),
        })?;
        let object =
            root.object_value().ok_or(InstallError::Unexpected { key: "the file", expected: "an object" })?;
        refuse_duplicates(&CstContainerNode::from(object.clone()))?;
        Ok(Self { mark: mark.to_owned(), root, object })
    }

    /// The file's object.
    pub(crate) fn object(&self) -> &CstObject {
        &self.object
    }

    /// The whole file again.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.mark, self.root)
    }
}

/// Whether a host drops a whole file because of a comma before a closing bracket.
pub(super) fn is_dropped(settings: &HookSettings, text: &str) -> bool {
    if settings.reads_trailing_commas {
        return false;
    }
    let (_, text) = without_mark(text);
    let strict = ParseOptions { allow_trailing_commas: false, ..options() };
    CstRootNode::parse(text, &options()).is_ok() && CstRootNode::parse(text, &strict).is_err()
}

/// Comments and trailing commas are met in the wild; anything looser is not JSON to the host either.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// The file as a value, for questions; `None` when it is malformed.
pub(super) fn value_of(text: &str) -> Option<Value> {
    SettingsText::read(Some(text)).ok()?.root.to_serde_value()
}

/// Two keys of one name: the host reads the last, an editor may change the first.
fn refuse_duplicates(container: &CstContainerNode) -> Result<(), InstallError> {
    if let Some(object) = container.as_object() {
        let mut names: Vec<String> =
            object.properties().iter().filter_map(|prop| prop.decoded_name()).collect();
        names.sort();
        if let Some(pair) = names.windows(2).find(|pair| pair.first() == pair.last()) {
            return Err(InstallError::DuplicateKey(pair.first().cloned().unwrap_or_default()));
        }
    }
    container.children().iter().try_for_each(|child| match child {
        CstNode::Container(inner) => refuse_duplicates(inner),
        CstNode::Leaf(_) => Ok(()),
    })
}

/// The member object of that name, made when it is missing.
pub(crate) fn member_object(
    parent: &CstObject,
    key: &str,
    path: &'static str,
) -> Result<CstObject, InstallError> {
    parent.object_value_or_create(key).ok_or(InstallError::Unexpected { key: path, expected: "an object" })
}

/// A value in the form that the editor inserts.
pub(crate) fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(map) => CstInputValue::Object(map.iter().map(|(k, v)| (k.clone(), input(v))).collect()),
    }
}
