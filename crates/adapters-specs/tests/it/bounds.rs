//! What is cut, or beyond the bounds, is counted.

use bailiwick_adapters_specs::Document;

use crate::project::{left, one};

const KIRO: &str = ".kiro/specs/shop/requirements.md";

// REQ 7: what is cut or beyond the bounds is counted
#[test]
fn req_007_what_is_cut_or_beyond_the_bounds_is_counted() {
    let long = "word ".repeat(300);
    let text = format!("# X\n\n### Requirement 1\n\n1. It SHALL run\n2. It SHALL say {long}\n");
    assert_eq!(left(&one(KIRO, &text)), [format!("{KIRO}:6 texts longer than 1000 characters, cut: 1")]);
    let many: String = (1..=302).map(|number| format!("- FR-{number:03}: It MUST run {number}\n")).collect();
    let path = "specs/001-x/spec.md";
    let of = |many: &str| left(&one(path, &format!("# X\n\n## Requirements\n\n{many}")));
    assert_eq!(of(&many), [format!("{path}:305 requirements beyond the first 300: 2")]);
    let more: String = (1..=303).map(|number| format!("- The clock {number}\n")).collect();
    let said = of(&format!("- FR-001: It MUST run\n\n## Assumptions\n\n{more}"));
    assert_eq!(said, [format!("{path}:0 assumptions beyond the first 300: 3")]);
}

// REQ 7: a file with more blocks than are looked at is named
#[test]
fn req_007_blocks_that_are_not_looked_at_are_named() {
    let text = format!("# X\n\n- FR-001: It MUST run\n{}", "- a\n".repeat(20_001));
    let said = left(&[Document { path: "specs/001-x/spec.md".to_owned(), text }]);
    assert!(said.contains(
        &"specs/001-x/spec.md:0 what comes after the first 20000 blocks was not looked at".to_owned()
    ));
}
