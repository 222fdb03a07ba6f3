//! What a parameter holds: how its schema says it, and which values fit.

use bailiwick_domain::{Value, json};

/// What a parameter holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Holds {
    Text,
    Texts,
    Count,
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
}

impl Holds {
    pub(super) fn schema(self, description: &str) -> Value {
        match self {
            Self::Text => json!({"type": "string", "description": description}),
            Self::Texts => {
                json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "description": description})
            }
            Self::Count => json!({"type": "integer", "minimum": 1, "description": description}),
            Self::Flag => json!({"type": "boolean", "description": description}),
            Self::Word(words) => json!({"type": "string", "enum": words, "description": description}),
        }
    }

    pub(super) fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
            Self::Count => value.as_u64().is_some_and(|count| count > 0),
            Self::Flag => value.is_boolean(),
            Self::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        }
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Text => "a text".to_owned(),
            Self::Texts => "a list of strings".to_owned(),
            Self::Count => "a whole number from 1 on".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
        }
    }
}
