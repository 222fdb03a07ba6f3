//! Kiro: which numbered lists are requirements, of which story, and what is named instead.

use crate::project::{intents, left, one, said};

const PATH: &str = ".kiro/specs/shop/requirements.md";

fn ids(text: &str) -> Vec<String> {
    said(&intents(&one(PATH, text), &[], false)[0])
}

// REQ 7: a list behind the stories belongs to none of them
#[test]
fn req_007_what_binds_outside_of_a_story_is_a_requirement_of_the_feature() {
    let text = "# Requirements Document\n\n### Requirement 1: Pay\n\n1. WHEN paid THEN the shop SHALL say so\n\n\
        ## Non-Functional Requirements\n\n### Security\n1. Cards SHALL be kept nowhere\n2. Logs must name nobody\n\n\
        ### Speed\n1. Pages SHOULD load at once\n";
    let expected = [
        "REQ-shop-1.1 5",
        "REQ-shop-NFR-security-1 10",
        "REQ-shop-NFR-security-2 11",
        "REQ-shop-NFR-speed-1 14",
    ];
    assert_eq!(ids(text), expected);
    let all = intents(&one(PATH, text), &[], false);
    assert_eq!(said(&all[1]), ["REQ-shop-1.1 "], "the story keeps its own alone");
    assert_eq!(all[1].source.as_ref().unwrap().lines.as_deref(), Some("3-5"));
}

// REQ 7: lists that bind nobody are named, never taken for requirements
#[test]
fn req_007_a_list_that_binds_nobody_is_named() {
    let text = "# Shop\n\n## People\n\n1. The clerk, who packs\n2. The buyer\n\n### Requirement 1: Pay\n\n\
        1. The shop SHALL take cards\n\n## Notes\n\n1. Cards cost a fee\n";
    assert_eq!(ids(text), ["REQ-shop-1.1 10"]);
    assert_eq!(left(&one(PATH, text)), [format!("{PATH}:5 numbered items outside of a requirement: 3")]);
}

// REQ 7: a deeper heading leaves the story open; a number with a dot says its story itself
#[test]
fn req_007_a_story_goes_on_below_its_own_headings() {
    let text = "# Shop\n\n## Requirement 1: Pay\n\n### Acceptance Criteria\n\n1. It SHALL take cards\n\n\
        ## Requirement 2: Send\n\n2.1 It SHALL print a label\n\n## More of the first\n\n1.2 It SHALL take cash\n";
    assert_eq!(ids(text), ["REQ-shop-1.1 7", "REQ-shop-2.1 11", "REQ-shop-1.2 15"]);
    let all = intents(&one(PATH, text), &[], false);
    assert_eq!(said(&all[1]), ["REQ-shop-1.1 ", "REQ-shop-1.2 "]);
}

// REQ 7: nothing that binds is lost without a word
#[test]
fn req_007_criteria_that_have_no_number_of_their_own_are_named() {
    let text = "# Shop\n\n### Requirement 1: Pay\n\n- WHEN paid THEN the shop SHALL say so\n\n\
        1. It SHALL take cards\n\nand also\n\n1. It SHALL take cash\n";
    assert_eq!(ids(text), ["REQ-shop-1.1 7"]);
    let said = left(&one(PATH, text));
    assert!(said.contains(&format!("{PATH}:5 criteria without a number: 1")), "{said:?}");
    assert!(said.contains(&format!("{PATH}:11 criteria with a number that another has: 1")), "{said:?}");
}

// REQ 7: two stories with one number are two stories
#[test]
fn req_007_two_stories_with_one_number_are_two() {
    let text = "# Shop\n\n### Requirement 1: Pay\n\n1. It SHALL take cards\n\n### Requirement 1: Send\n\n1. It SHALL print a label\n";
    assert_eq!(ids(text), ["REQ-shop-1.1 5", "REQ-shop-1-2.1 9"]);
}
