//! Rules that introduce a list.

use crate::project::{intents, one};

const KIRO: &str = ".kiro/specs/shop/requirements.md";

fn limits(path: &str, text: &str, beside: (&str, &str)) -> Vec<String> {
    let mut documents = one(path, text);
    documents.extend(one(beside.0, beside.1));
    let rules = intents(&documents, &[], false).remove(0);
    rules.constraints.into_iter().filter_map(|line| line.text).collect()
}

// REQ 7: a rule that introduces a list is a rule with its list
#[test]
fn req_007_a_rule_that_introduces_a_list_has_its_list() {
    let text = "# Rules\n\n## Scope\n\nThese MUST NOT be built:\n\n- a shop\n- a chat\n  - with sound\n\nAll code MUST:\n\nIt never sleeps.\n";
    let expected = ["Scope: These MUST NOT be built: a shop; a chat; with sound", "Scope: It never sleeps."];
    let spec = ("specs/001-x/spec.md", "# X\n\n- FR-001: It MUST run\n");
    assert_eq!(limits(".specify/memory/constitution.md", text, spec), expected);
    assert_eq!(
        limits(".kiro/steering/tech.md", text, (KIRO, "# X\n\n### Requirement 1\n\n1. It SHALL run\n")),
        expected
    );
    let capability = ("openspec/specs/x/spec.md", "# X\n\n### Requirement: Run\n\nIt MUST run\n");
    assert_eq!(limits("openspec/project.md", text, capability), expected);
}

// REQ 7: the reason of a change with its list
#[test]
fn req_007_a_reason_has_its_list() {
    let text = "# Add x\n\n## Why\n\nThe cart:\n\n- is slow\n- is red\n";
    let all = intents(&one("openspec/changes/add-x/proposal.md", text), &[], false);
    assert_eq!(all[0].why.as_deref(), Some("The cart: is slow; is red"));
}
