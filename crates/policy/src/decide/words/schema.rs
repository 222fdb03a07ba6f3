//! The schema of values in `details` whose type says less than what they can be.

use bailiwick_domain::State;
use schemars::{Schema, SchemaGenerator, json_schema};

pub(super) fn codes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "$ref": "#/$defs/code" }, "minItems": 1, "uniqueItems": true })
}

pub(super) fn states(_: &mut SchemaGenerator) -> Schema {
    let states = [State::Request, State::Reasoning, State::Action].map(State::as_str);
    json_schema!({ "enum": states })
}

pub(super) fn file_state(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "$ref": "#/$defs/fileState" })
}
