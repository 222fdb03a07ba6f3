//! OpenSpec: which headings are requirements, in which languages, and which files say nothing.

use bailiwick_adapters_specs::{Document, is_wanted};
use bailiwick_domain::{IntentKind, Strength};

use crate::project::{intents, left, one, said, tool};

const CAPABILITY: &str = "openspec/specs/cart/spec.md";

/// A change with one more file.
fn change(file: &str, text: &str) -> Vec<Document> {
    let mut documents = one("openspec/changes/add-x/proposal.md", "# Add x\n\n## Why\n\nIt is asked for.\n");
    documents.extend(one(&format!("openspec/changes/add-x/{file}"), text));
    assert!(documents.iter().all(|document| is_wanted(tool(&documents), &document.path)));
    documents
}

// REQ 7: what cannot be read is named
#[test]
fn req_007_a_spec_without_requirements_is_named() {
    let text = "# Cart\n\n## Behaviour\n\nThe cart holds things.\n";
    let why = "it has no heading such as `### Requirement: …`";
    assert_eq!(left(&one(CAPABILITY, text)), [format!("{CAPABILITY}:0 {why}")]);
    let delta = change("specs/cart/spec.md", text);
    assert_eq!(left(&delta), [format!("openspec/changes/add-x/specs/cart/spec.md:0 {why}")]);
    let removed = change("specs/cart/spec.md", "## REMOVED Requirements\n\n### Requirement: Old\n");
    assert_eq!(left(&removed), [""; 0], "what goes was read");
}

// REQ 7: headings in other languages
#[test]
fn req_007_headings_are_read_in_other_languages() {
    let texts = [
        ("## 新增需求\n\n### 需求：保存\n系统 MUST 保存。\n\n#### 场景:写入\n- 文件已写入\n", "保存"),
        ("## 要件\n\n### 要件: 保存\n保存 MUST。\n\n#### シナリオ: 書込\n- 書く\n", "保存"),
        (
            "## Requisitos\n\n### Requisito: Guardar\nMUST guardar.\n\n#### Escenario: Uno\n- escribe\n",
            "Guardar",
        ),
    ];
    for (text, title) in texts {
        let goal = intents(&one(CAPABILITY, text), &[], false).remove(0);
        assert_eq!((goal.requirements.len(), goal.criteria.len()), (1, 1), "{text}");
        assert!(goal.requirements[0].text.as_deref().unwrap().starts_with(title), "{text}");
        assert_eq!(goal.requirements[0].strength, Some(Strength::Must), "{text}");
    }
    let removed =
        change("specs/cart/spec.md", "## 移除需求\n\n### 需求: 旧\n\n## 修改需求\n\n### 需求: 新\nMUST\n");
    let intent = intents(&removed, &[], false).remove(0);
    assert_eq!(intent.requirements.len(), 1);
    assert_eq!(intent.criteria[0].text.as_deref(), Some("Removes the requirement: 旧"));
}

// REQ 7: a spec that lies directly in the change is its delta
#[test]
fn req_007_a_spec_beside_the_proposal_is_read() {
    let text = "# X\n\n### REQ-CART-01: Sum\n\nThe cart MUST show its sum.\n\n#### SCENARIO-7: Empty\n\n- THEN it shows nothing\n\n\
        ### Requirement: Count\n\nIt SHOULD count.\n";
    let documents = change("spec.md", text);
    let intent = intents(&documents, &[], false).remove(0);
    assert_eq!(intent.kind, Some(IntentKind::Change));
    assert_eq!(said(&intent), ["REQ-add-x-REQ-CART-01 3", "REQ-add-x-count 11"]);
    assert_eq!(intent.requirements[0].text.as_deref(), Some("Sum: The cart MUST show its sum."));
    assert_eq!(intent.criteria[0].id.as_deref(), Some("REQ-add-x-REQ-CART-01"));
    assert_eq!(left(&documents), [""; 0]);
    let silent = change("spec.md", "# X\n\nSome words.\n");
    assert_eq!(
        intents(&silent, &[], false)[0].kind,
        Some(IntentKind::Change),
        "nobody knows that it is a refactor"
    );
    assert_eq!(left(&silent).len(), 1);
}

// REQ 7: a scenario that belongs to nothing is named
#[test]
fn req_007_a_scenario_without_a_requirement_is_named() {
    let text = "# Cart\n\n## Requirements\n\n#### Scenario: Lost\n\n- THEN nobody knows\n\n### Requirement: Sum\n\nIt MUST add.\n";
    assert_eq!(left(&one(CAPABILITY, text)), [format!("{CAPABILITY}:5 scenarios without a requirement: 1")]);
}
