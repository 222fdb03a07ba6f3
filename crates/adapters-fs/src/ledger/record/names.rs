//! Names in the forms that the trace format asks for: URNs and model ids.

use std::fmt::Write;

/// The longest model id that the format takes.
const MODEL_ID_LIMIT: usize = 250;

/// Providers by how the names of their models begin.
const PROVIDERS: &[(&str, &str)] = &[
    ("claude", "anthropic"),
    ("gpt-", "openai"),
    ("codex-", "openai"),
    ("gemini-", "google"),
    ("grok-", "xai"),
];

/// `urn:KIND:VALUE`, everything but unreserved characters percent-encoded.
pub(super) fn urn(kind: &str, value: &str) -> String {
    let mut out = format!("urn:{kind}:");
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// The model in the form `provider/model`; `None` when it is too long to be one.
pub(super) fn model_id(model: &str) -> Option<String> {
    let provider = PROVIDERS.iter().find(|(start, _)| !model.contains('/') && model.starts_with(start));
    let id = provider.map_or_else(|| model.to_owned(), |(_, provider)| format!("{provider}/{model}"));
    (id.chars().count() <= MODEL_ID_LIMIT).then_some(id)
}
