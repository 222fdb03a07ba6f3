//! Findings as SARIF 2.1.0, which code hosts show beside the lines.

use bailiwick_domain::{Value, json};

/// A rule of a run.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) id: &'static str,
    pub(crate) says: &'static str,
}

/// One finding at a place of a file.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) rule: &'static str,
    pub(crate) is_error: bool,
    pub(crate) message: String,
    pub(crate) file: String,
    /// First and last line, 1-based; 0 where the whole file is meant.
    pub(crate) lines: (usize, usize),
    /// 1-based; 0 where the whole line is meant.
    pub(crate) column: usize,
}

/// The document of one run.
pub(crate) fn document(rules: &[Rule], found: &[Found]) -> Value {
    let rule = |rule: &Rule| json!({ "id": rule.id, "shortDescription": { "text": rule.says } });
    let driver = json!({
        "name": "bailiwick",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules.iter().map(rule).collect::<Vec<_>>(),
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "results": found.iter().map(result).collect::<Vec<_>>() }],
    })
}

fn result(found: &Found) -> Value {
    let (first, last) = found.lines;
    let region = match (first, found.column) {
        (0, _) => None,
        (_, 0) => Some(json!({ "startLine": first, "endLine": last.max(first) })),
        (_, column) => Some(json!({ "startLine": first, "startColumn": column, "endLine": last.max(first) })),
    };
    let artifact = json!({ "uri": found.file, "uriBaseId": "%SRCROOT%" });
    let place = match region {
        Some(region) => json!({ "artifactLocation": artifact, "region": region }),
        None => json!({ "artifactLocation": artifact }),
    };
    json!({
        "ruleId": found.rule,
        "level": if found.is_error { "error" } else { "warning" },
        "message": { "text": found.message },
        "locations": [{ "physicalLocation": place }],
    })
}
