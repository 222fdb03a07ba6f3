//! The architecture page shows the components, the way of a call and the states, as diagrams.

use crate::workspace::TextFile;

const PAGE: &str = "docs/architecture.md";
const KINDS: [(&str, &str); 3] = [
    ("flowchart", "components"),
    ("sequenceDiagram", "the way of a call"),
    ("stateDiagram-v2", "the states"),
];

/// What is missing.
pub(crate) fn check(files: &[TextFile]) -> Vec<String> {
    let Some(page) = files.iter().find(|file| file.path == PAGE) else {
        return vec![format!("{PAGE}: the architecture page is missing")];
    };
    let blocks: Vec<&str> = page.text.split("```mermaid\n").skip(1).collect();
    let shows = |kind: &str| blocks.iter().any(|block| block.starts_with(kind));
    let missing = KINDS.iter().filter(|(kind, _)| !shows(kind));
    missing.map(|(kind, what)| format!("{PAGE}: no mermaid `{kind}` shows {what}")).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::workspace::TextFile;

    // REQ 125
    #[test]
    fn req_149_a_missing_diagram_is_named() {
        let whole = "```mermaid\nflowchart LR\n```\n```mermaid\nsequenceDiagram\n```\n```mermaid\nstateDiagram-v2\n```\n";
        assert!(check(&[TextFile::sample("docs/architecture.md", whole)]).is_empty());
        let poor = whole.replace("stateDiagram-v2", "pie");
        let found = check(&[TextFile::sample("docs/architecture.md", &poor)]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("stateDiagram-v2"), "{found:?}");
        assert_eq!(check(&[]).len(), 1);
    }
}
