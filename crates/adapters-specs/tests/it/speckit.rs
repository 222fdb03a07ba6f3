//! spec-kit: which items are requirements, by their ids, and what is named instead.

use crate::project::{intents, left, one, said};

const PATH: &str = "specs/001-x/spec.md";

fn goal(text: &str) -> bailiwick_domain::IntentRecord {
    intents(&one(PATH, text), &[], false).remove(0)
}

/// What the requirements of a feature say, in which each line is an item.
fn texts(lines: &[&str]) -> Vec<String> {
    let items: String = lines.iter().map(|line| format!("- {line}\n")).collect();
    let goal = goal(&format!("# X\n\n## Requirements\n\n{items}"));
    let text =
        |one: bailiwick_domain::WrittenRequirement| format!("{} {}", one.id, one.text.unwrap_or_default());
    goal.requirements.into_iter().map(text).collect()
}

// REQ 7: an id makes a requirement, wherever it stands
#[test]
fn req_007_an_id_makes_a_requirement_in_every_section() {
    let text = "# X\n\n## Quick Guidelines\n\n- FR-099: an example\n\n## Performance\n\n- **NFR-001**: It MUST be fast\n\n\
        ## Edge Cases\n\n- **EC-001**: An empty list shows a hint\n\n## Assumptions\n\n- FR-002 The clock runs\n\n\
        ## Requirements\n\n- FR-001: It MUST run\n- ZQ-0001: It MUST hold\n\n## Rules\n\n- ZQ-0002: It MUST stay\n- UTF-8 is used\n";
    let expected = ["REQ-001-NFR-001 9", "REQ-001-EC-001 13", "REQ-001-FR-002 17", "REQ-001-FR-001 21"];
    assert_eq!(said(&goal(text)), expected);
    assert_eq!(left(&one(PATH, text)), [format!("{PATH}:22 requirements without an id that is known: 2")]);
}

// REQ 7: what follows an id keeps its first sign
#[test]
fn req_007_a_text_keeps_its_first_sign() {
    let lines = [
        "FR-001: `make dev` MUST run",
        "FR-002 `make test` MUST run",
        "FR-003 -5 degrees",
        "FR-004: -5 degrees",
        "[FR-005] - text",
        "`FR-006`: text",
        "(FR-007) — .env is read",
        "FR-008：全部",
        "FR-009. text",
    ];
    let expected = [
        "REQ-001-FR-001 `make dev` MUST run",
        "REQ-001-FR-002 `make test` MUST run",
        "REQ-001-FR-003 -5 degrees",
        "REQ-001-FR-004 -5 degrees",
        "REQ-001-FR-005 text",
        "REQ-001-FR-006 text",
        "REQ-001-FR-007 .env is read",
        "REQ-001-FR-008 全部",
        "REQ-001-FR-009 text",
    ];
    assert_eq!(texts(&lines), expected);
}

// REQ 7: a number with a part is not the number
#[test]
fn req_007_an_id_with_a_part_is_another_id() {
    assert_eq!(texts(&["FR-1.2: It MUST run", "FR-1: It MUST stop"]), ["REQ-001-FR-1 It MUST stop"]);
    let items = one(PATH, "# X\n\n## Requirements\n\n- FR-1.2: It MUST run\n");
    assert_eq!(left(&items), [format!("{PATH}:5 requirements without an id that is known: 1")]);
}

// REQ 7: a requirement knows its own line, also below one that goes on
#[test]
fn req_007_a_requirement_knows_its_line_below_one_that_goes_on() {
    let text = "# X\n\n## Requirements\n\nFR-001: It MUST run\nand run\nFR-002: It MUST stop\n";
    assert_eq!(said(&goal(text)), ["REQ-001-FR-001 5", "REQ-001-FR-002 7"]);
}

// REQ 7: two texts under one id are not one
#[test]
fn req_007_an_id_that_is_there_already_is_named() {
    let text = "# X\n\n## Requirements\n\n- FR-001: It MUST run\n- FR-001: It MUST stop\n\n## Notes\n\n- FR-001: see above\n";
    assert_eq!(left(&one(PATH, text)), [format!("{PATH}:6 requirements with an id that another has: 1")]);
}
