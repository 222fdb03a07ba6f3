//! What is read of one import: ids, links, questions, paths, bounds.

use bailiwick_adapters_specs::{Document, Tool, found, is_wanted, read};
use bailiwick_domain::{IntentKind, IntentRecord, IntentStatus, Strength};

use crate::project::{import, intents, names, project};

fn named<'r>(records: &'r [IntentRecord], id: &str) -> &'r IntentRecord {
    records.iter().find(|record| record.id.as_str() == id).unwrap()
}

// REQ 7: ids are unique in the repository, a requirement knows its line and how binding it is
#[test]
fn req_007_a_requirement_has_a_qualified_id_a_strength_and_a_line() {
    let intents = intents(&project("speckit-albums"), &[], false);
    let goal = named(&intents, "SPEC-001");
    let third = &goal.requirements[2];
    assert_eq!(third.id, "REQ-001-FR-003");
    assert_eq!(third.strength, Some(Strength::Should));
    assert_eq!(third.source.as_deref(), Some("specs/001-photo-albums/spec.md:57"));
    let story = named(&intents, "SPEC-001-US2");
    assert_eq!(story.requirements[0].id, third.id, "a story lists what it names");
    assert_eq!(story.requirements[0].text, None, "what it says stands once");
    assert_eq!(story.parent.as_ref(), Some(&goal.id));
    assert_eq!(goal.kind, Some(IntentKind::Goal));
}

// REQ 7, D-01: whatever specs name, nothing is owned
#[test]
fn req_007_an_import_owns_nothing_and_proposes_only_paths_inside() {
    for name in names() {
        for record in intents(&project(&name), &[], false) {
            assert_eq!(record.owned_scope, [""; 0], "{name}: {}", record.id);
            for path in &record.proposed_scope {
                let leads_out = path.starts_with('/') || path.split('/').any(|part| part == "..");
                let is_of_specs = path.starts_with("specs/") || path.starts_with("openspec/");
                assert!(!leads_out && !is_of_specs, "{name}: {path}");
            }
        }
    }
}

// REQ 7: an open question blocks, a closed one does not
#[test]
fn req_007_an_open_question_blocks_what_it_concerns() {
    for name in names() {
        for record in intents(&project(&name), &[], false) {
            let blocked = record.status == IntentStatus::Blocked;
            assert_eq!(blocked, !record.questions.is_empty(), "{name}: {}", record.id);
        }
    }
    let intents = intents(&project("kiro-login"), &[], false);
    assert_eq!(named(&intents, "SPEC-user-login-R1").status, IntentStatus::Pending);
    assert_eq!(named(&intents, "SPEC-user-login-R2").status, IntentStatus::Blocked);
}

// REQ 7
#[test]
fn req_007_flat_makes_one_intent_of_a_feature() {
    let flat = intents(&project("speckit-albums"), &[], true);
    let ids: Vec<&str> = flat.iter().map(|record| record.id.as_str()).collect();
    assert_eq!(ids, ["SPEC-CONSTITUTION", "SPEC-001"]);
    let one = named(&flat, "SPEC-001");
    assert_eq!(one.criteria.len(), 4);
    assert!(one.proposed_scope.contains(&"tests/albums/make.test.ts".to_owned()));
}

// REQ 7: numbers that two folders share become whole names, and stay what they were when the second comes later
#[test]
fn req_007_ids_stay_when_another_folder_has_the_same_number() {
    let both = project("speckit-same-number");
    let first: Vec<Document> =
        both.iter().filter(|document| !document.path.contains("004-b")).cloned().collect();
    let before = import(&first, &[]).new;
    assert!(before.iter().any(|record| record.id.as_str() == "SPEC-004"));
    let ids: Vec<String> = import(&both, &before).new.iter().map(|record| record.id.to_string()).collect();
    assert_eq!(ids, ["SPEC-004-b", "SPEC-004-b-US1"]);
}

#[test]
fn an_id_that_a_person_gave_is_not_taken() {
    let project = project("kiro-bugfix");
    let mut own = intents(&project, &[], false);
    own.iter_mut().for_each(|record| record.source = None);
    let merged = import(&project, &own);
    assert_eq!(merged.new[0].id.as_str(), "SPEC-crash-on-empty-2");
    assert!(merged.changed.is_empty());
}

#[test]
fn the_kind_is_told_by_the_names_of_files() {
    assert_eq!(found(["specs/001-a/spec.md", "README.md"]), [Tool::SpecKit]);
    assert_eq!(found(["openspec/specs/a/spec.md", ".kiro/specs/a/bugfix.md"]), [Tool::OpenSpec, Tool::Kiro]);
    assert_eq!(found(["specs/spec.md", "openspec/changes/archive/proposal.md", "src/spec.md"]), []);
    assert!(!is_wanted(Tool::OpenSpec, "openspec/changes/archive/2026-a/proposal.md"));
    assert!(!is_wanted(Tool::Kiro, ".kiro/steering/notes.txt"));
}

#[test]
fn what_is_left_out_is_named() {
    let documents = project("speckit-unfinished");
    let left = read(Tool::SpecKit, &documents).left;
    let said: Vec<String> = left.iter().map(|left| format!("{}: {}", left.path, left.why)).collect();
    assert!(
        said.contains(&"specs/002-no-spec/plan.md: there is no `spec.md` beside it".to_owned()),
        "{said:?}"
    );
    assert!(said.contains(&"specs/001-template/spec.md: it is still the template".to_owned()), "{said:?}");
    assert_eq!(said.len(), 6, "{said:?}");
}
