//! Settings in a cache: only what differs from the defaults, since every call reads them and most files change little.

use bailiwick_domain::{Settings, Value, json};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(super) fn serialize<S: Serializer>(settings: &Settings, serializer: S) -> Result<S::Ok, S::Error> {
    let mut members = json!(settings);
    if let (Some(members), Value::Object(usual)) = (members.as_object_mut(), json!(Settings::default())) {
        members.retain(|key, value| usual.get(key) != Some(value));
    }
    members.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Settings, D::Error> {
    Settings::deserialize(deserializer)
}
