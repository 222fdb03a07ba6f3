//! What `details` of a refusal by the rules hold, as types. The published schema is made from them (feature `schema`).

#[cfg(feature = "schema")]
use bailiwick_domain::Map;
use bailiwick_domain::Value;
#[cfg(feature = "schema")]
use schemars::{JsonSchema as _, generate::SchemaSettings};
use serde::Serialize;

#[cfg(feature = "schema")]
use super::schema;

/// What every error of a call says.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct OfCall<'a> {
    /// The active intent.
    pub(super) intent_id: Option<&'a str>,
    /// The canonical name of the tool.
    pub(super) tool: &'a str,
    /// The paths that the error is about, relative to the root where they are inside.
    pub(super) paths: Vec<&'a str>,
    /// The first of them as the agent spelled it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) requested_path: Option<&'a str>,
    /// The patterns of the active intent.
    pub(super) scope: Vec<&'a str>,
    /// Parameters that the gate does not know for this tool, or that change what the call does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) parameters: Vec<&'a str>,
}

/// What only some of them say.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct OfViolation<'a> {
    /// Codes of further checks that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::codes"))]
    pub(super) also: Vec<&'a str>,
    /// The invalid file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) file: Option<&'a str>,
    /// Where in that file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "usize"))]
    pub(super) line: Option<usize>,
    /// Where in that line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "usize"))]
    pub(super) column: Option<usize>,
    /// The state of the actor.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::states"))]
    pub(super) state: Option<&'a str>,
    /// The ids that can be selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(super) selectable: Option<&'a [&'a str]>,
    /// A call that would draft an intent, where none can be selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Propose"))]
    pub(super) propose: Option<Propose>,
    /// The intent that the call names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) named_intent: Option<&'a str>,
    /// What protects the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) pattern: Option<&'a str>,
    /// The ignore rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) rule: Option<&'a str>,
    /// The ancestor of the intent that does not own the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) parent: Option<&'a str>,
    /// The forbidden tool, or the name of the bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) constraint: Option<&'a str>,
    /// What the bound allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "u32"))]
    pub(super) limit: Option<u32>,
    /// What was counted before the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub(super) counted: Option<u64>,
    /// The requirements that the intent declares.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(super) requirements: Option<&'a [String]>,
    /// Of a stale file one of the causes in error-details.md, of a loop the code of the repeated refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) cause: Option<&'a str>,
    /// How often the same call was blocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "u32", range(min = 1)))]
    pub(super) count: Option<u32>,
    /// The stale file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) path: Option<&'a str>,
    /// What the actor last read or wrote there; null where it never did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::file_state"))]
    pub(super) expected: Option<Option<String>>,
    /// What is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::file_state"))]
    pub(super) actual: Option<Option<String>>,
}

/// A call that an agent could make instead.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Propose {
    /// The tool.
    pub(super) tool: &'static str,
    /// Its parameters.
    pub(super) params: Value,
}

/// The keys of `details` that the rules fill in, each with its schema. Codes are those of the whole document.
#[cfg(feature = "schema")]
pub fn details_schema() -> Map<String, Value> {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).for_serialize();
    let mut generator = settings.into_generator();
    let both = [OfCall::json_schema(&mut generator), OfViolation::json_schema(&mut generator)];
    both.iter().filter_map(|schema| schema.get("properties")?.as_object().cloned()).flatten().collect()
}
