//! Any text at all: nothing crashes, nothing is owned, and a second import changes nothing.

use bailiwick_adapters_specs::{Document, Merged, Place, Tool, merged, read, records};
use proptest::prelude::*;

use crate::project::{names, project, tool};

/// Pieces that the readers look for, and what may stand around them.
const PIECES: &[&str] = &[
    "# ",
    "## ",
    "### User Story 1 - A (Priority: P1)\n",
    "### Requirement: A\n",
    "#### Scenario: B\n",
    "### Requirement 1\n",
    "#### Acceptance Criteria\n",
    "- **FR-001**: x MUST y\n",
    "1. Given a, when b, then c\n",
    "- [ ] T001 [US1] in `src/a.rs`\n",
    "[NEEDS CLARIFICATION: ",
    "]",
    "```text\n",
    "├── a/\n│   └── b.rs\n",
    "| a | b |\n|---|---|\n",
    "---\n",
    "\r\n",
    "\n\n",
    "  ",
    "\t",
    "> ",
    "* ",
    "1.1 WHEN ",
    "_Requirements: 1.1, 2_\n",
    "## ADDED Requirements\n",
    "## Requirements\n",
    "**Input**: ",
    "<!-- ",
    "-->",
    "é𝄞\u{202e}\u{0}",
    "\u{feff}",
    "../../etc/passwd ",
    "`C:\\x\\y.rs` ",
    "[a](b)",
    "****",
    "99999999999999999999. x\n",
    "US",
    "(P1",
    "FR-",
    "：",
    "→",
];

fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => prop::sample::select(PIECES).prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// The text with a few pieces taken out, put in twice or put in from elsewhere.
fn mutated(text: &str, steps: &[(usize, usize, String)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (from, length, piece) in steps {
        let from = from % (chars.len() + 1);
        let to = (from + length % 40).min(chars.len());
        chars.splice(from..to, piece.chars());
    }
    chars.into_iter().collect()
}

fn holds(tool: Tool, documents: &[Document]) {
    let specs = read(tool, documents);
    for flat in [false, true] {
        let first = records(&specs, &[], &Place::default(), flat);
        let mut ids: Vec<&str> = first.iter().map(|record| record.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), first.len(), "ids are unique");
        for record in &first {
            assert!(record.owned_scope.is_empty());
            assert!(!record.name.trim().is_empty());
            let lines = record.criteria.iter().chain(&record.constraints);
            assert!(
                lines.into_iter().all(|line| line.text.as_ref().is_some_and(|text| !text.trim().is_empty()))
            );
            assert!(
                record
                    .proposed_scope
                    .iter()
                    .all(|path| !path.starts_with('/') && !path.split('/').any(|part| part == ".."))
            );
            assert!(
                record
                    .requirements
                    .iter()
                    .all(|one| one.text.as_ref().is_none_or(|text| !text.trim().is_empty()))
            );
        }
        let again = records(&specs, &first, &Place::default(), flat);
        assert_eq!(merged(&again, &first, tool.word(), |_| true), Merged::default());
    }
}

fn paths(tool: Tool) -> &'static [&'static str] {
    match tool {
        Tool::SpecKit => &[
            ".specify/memory/constitution.md",
            "specs/001-a/spec.md",
            "specs/001-a/plan.md",
            "specs/001-a/tasks.md",
        ],
        Tool::OpenSpec => &[
            "openspec/project.md",
            "openspec/specs/a/spec.md",
            "openspec/changes/b/proposal.md",
            "openspec/changes/b/tasks.md",
            "openspec/changes/b/design.md",
            "openspec/changes/b/specs/a/spec.md",
        ],
        Tool::Kiro => &[
            ".kiro/steering/tech.md",
            ".kiro/specs/a/requirements.md",
            ".kiro/specs/a/tasks.md",
            ".kiro/specs/a/design.md",
            ".kiro/specs/b/bugfix.md",
        ],
    }
}

proptest! {
    // REQ 7
    #[test]
    fn req_007_any_markdown_is_read_without_a_crash(texts in prop::collection::vec(markdown(), 6)) {
        for tool in Tool::ALL {
            let documents: Vec<Document> = paths(*tool)
                .iter()
                .zip(&texts)
                .map(|(path, text)| Document { path: (*path).to_owned(), text: text.clone() })
                .collect();
            holds(*tool, &documents);
        }
    }

    // REQ 7
    #[test]
    fn req_007_mutated_specs_are_read_without_a_crash(
        which in any::<prop::sample::Index>(),
        steps in prop::collection::vec((any::<usize>(), any::<usize>(), prop::sample::select(PIECES).prop_map(str::to_owned)), 1..12),
    ) {
        let names = names();
        let documents = project(which.get::<String>(&names));
        let tool = tool(&documents);
        let changed: Vec<Document> = documents
            .into_iter()
            .map(|document| Document { text: mutated(&document.text, &steps), ..document })
            .collect();
        holds(tool, &changed);
    }
}

// REQ 7: nesting costs no stack and no square of time
#[test]
fn req_007_deep_and_long_texts_are_read_in_time() {
    let texts = [
        "> ".repeat(20_000),
        "- ".repeat(20_000),
        "[".repeat(100_000),
        "[NEEDS CLARIFICATION: ".repeat(5_000),
        "**".repeat(50_000),
        "- **FR-001**: x MUST `src/a.rs`\n".repeat(20_000),
        (0..5_000).map(|number| format!("- **FR-{number}**: x MUST y\n")).collect::<String>(),
        format!(
            "## Requirements\n{}",
            (0..5_000).map(|number| format!("### Requirement: {number}\nIt SHALL.\n")).collect::<String>()
        ),
        format!(
            "```text\n{}```\n",
            (0..3_000).map(|depth| format!("{}└── a/\n", " ".repeat(depth % 200))).collect::<String>()
        ),
    ];
    let start = std::time::Instant::now();
    for text in &texts {
        for tool in Tool::ALL {
            let documents: Vec<Document> = paths(*tool)
                .iter()
                .map(|path| Document { path: (*path).to_owned(), text: text.clone() })
                .collect();
            let _ = records(&read(*tool, &documents), &[], &Place::default(), false);
        }
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
