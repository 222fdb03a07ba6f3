//! Another import: what changed in the specs, what a person wrote, what is gone.

use bailiwick_adapters_specs::{Document, Merged};
use bailiwick_domain::{Check, IntentRecord, IntentStatus};

use crate::project::{after, import, intents, names, project, with};

/// What happens, as words.
fn told(merged: &Merged) -> Vec<String> {
    let word = |text: &Option<String>| text.clone().unwrap_or_default();
    let line = |change: &bailiwick_adapters_specs::Change| {
        let (was, now) = (word(&change.was), word(&change.now));
        format!("{} {} {}: {was} -> {now}", change.intent, change.what, change.field)
    };
    merged.changes.iter().map(line).collect()
}

fn imported(project: &[Document]) -> Vec<IntentRecord> {
    import(project, &[]).new
}

fn at(records: &mut [IntentRecord], id: &str) -> usize {
    records.iter().position(|record| record.id.as_str() == id).unwrap()
}

// REQ 7: the same specs change nothing
#[test]
fn req_007_the_same_specs_change_nothing() {
    for name in names() {
        let project = project(&name);
        let again = import(&project, &imported(&project));
        assert_eq!(again, Merged::default(), "{name}");
    }
}

// REQ 7: a changed text is a new text, and is shown
#[test]
fn req_007_a_changed_requirement_is_taken_over_and_shown() {
    let project = project("speckit-albums");
    let before = imported(&project);
    let changed = with(&project, "The app MUST list albums by date", "The app MUST list albums by name");
    let merged = import(&changed, &before);
    let expected = "SPEC-001 changed REQ-001-FR-002: The app MUST list albums by date -> The app MUST list albums by name";
    assert_eq!(told(&merged), [expected]);
    let now = after(&before, &merged);
    assert_eq!(now[1].requirements[1].text.as_deref(), Some("The app MUST list albums by name"));
    assert_ne!(now[1].source.as_ref().unwrap().sha256, before[1].source.as_ref().unwrap().sha256);
    assert_eq!(import(&changed, &now), Merged::default());
}

// REQ 7: what a person wrote stays; where the specs changed as well, that is said once
#[test]
fn req_007_what_a_person_wrote_stays() {
    let project = project("speckit-albums");
    let mut own = imported(&project);
    let story = at(&mut own, "SPEC-001-US1");
    own[story].name = "My own name".to_owned();
    own[story].criteria[1].checks = vec![Check::Run("npm test".to_owned())];
    let first = own[story].criteria[0].clone();
    own[story].criteria.push(first);
    own[story].criteria[3].text = Some("My own criterion".to_owned());
    own[1].assumptions.clear();
    own[1].requirements.remove(3);
    assert_eq!(import(&project, &own), Merged::default(), "the specs are as they were");
    let changed = with(&project, "Make an album", "Create an album");
    let changed = with(&changed, "When** the person names one", "When** the person gives a name");
    let merged = import(&changed, &own);
    let told = told(&merged);
    assert!(told.contains(&"SPEC-001-US1 kept name: My own name -> Create an album".to_owned()), "{told:#?}");
    assert!(
        told.iter().any(|line| line.contains("added criterion") && line.contains("gives a name")),
        "{told:#?}"
    );
    assert!(
        told.iter().any(|line| line.contains("gone criterion") && line.contains("names one")),
        "{told:#?}"
    );
    let now = after(&own, &merged);
    assert_eq!(now[story].name, "My own name");
    assert_eq!(now[story].criteria[1], own[story].criteria[1], "a check stays with the words that it checks");
    assert_eq!(now[story].criteria[3].text.as_deref(), Some("My own criterion"));
    assert_eq!(now[1].assumptions, [""; 0]);
    assert_eq!(import(&changed, &now).changes, [], "said once");
}

// REQ 7: what is gone is marked, never deleted, and comes back
#[test]
fn req_007_what_is_gone_is_marked_and_comes_back() {
    let project = project("speckit-albums");
    let before = imported(&project);
    let less = with(&project, "### User Story 2 - Move albums around (Priority: P2)", "#### Nothing");
    let less = with(&less, "- **FR-002**: The app MUST list albums by date\n", "");
    let merged = import(&less, &before);
    let words = told(&merged);
    assert!(words.iter().any(|line| line.starts_with("SPEC-001-US2 vanished")), "{words:#?}");
    assert!(words.iter().any(|line| line.starts_with("SPEC-001 vanished REQ-001-FR-002")), "{words:#?}");
    let now = after(&before, &merged);
    assert_eq!(now.len(), before.len());
    assert_eq!(now[1].requirements.len(), before[1].requirements.len());
    assert!(now[1].requirements[1].vanished && now[3].source.as_ref().unwrap().vanished);
    assert_eq!(now[3].criteria, before[3].criteria);
    assert_eq!(import(&less, &now).changes, [], "said once");
    let back = after(&now, &import(&project, &now));
    assert_eq!(back[3].source, before[3].source);
    assert!(!back[1].requirements[1].vanished);
}

// REQ 7: a story is known by its title when its number changes, and by its number when its title does
#[test]
fn req_007_a_story_is_known_by_number_and_title() {
    let project = project("speckit-albums");
    let before = imported(&project);
    let swapped = with(&project, "### User Story 1 - Make", "### User Story 3 - Make");
    let swapped = with(&swapped, "[US1]", "[US3]");
    let merged = import(&swapped, &before);
    assert!(merged.new.is_empty(), "{:?}", told(&merged));
    let now = after(&before, &merged);
    assert_eq!(now[2].source.as_ref().unwrap().item.as_deref(), Some("US3"));
    assert_eq!(now[2].criteria, before[2].criteria);
    let renamed = with(&project, "Move albums around", "Sort albums");
    assert_eq!(
        told(&import(&renamed, &before)),
        ["SPEC-001-US2 changed name: Move albums around -> Sort albums"]
    );
}

// REQ 7, D-01: proposals follow the specs, what a person accepted stays
#[test]
fn req_007_a_proposal_follows_the_specs_and_an_accepted_scope_stays() {
    let project = project("speckit-albums");
    let mut own = imported(&project);
    let story = at(&mut own, "SPEC-001-US2");
    own[story].owned_scope = vec!["app/albums/".to_owned()];
    own[story].proposed_scope.clear();
    let changed =
        with(&project, "Drag and drop in app/albums/list.ts", "Drag and drop in `app/albums/drag.ts`");
    let now = after(&own, &import(&changed, &own));
    assert_eq!(now[story].owned_scope, ["app/albums/"]);
    assert_eq!(now[story].proposed_scope, ["app/albums/drag.ts"]);
    let untouched = imported(&project);
    let now = after(&untouched, &import(&changed, &untouched));
    assert_eq!(now[story].proposed_scope, ["app/albums/drag.ts"]);
}

// REQ 7: an answer unblocks, a new question blocks
#[test]
fn req_007_an_answer_unblocks_and_a_new_question_blocks() {
    let project = project("kiro-login");
    let before = imported(&project);
    let answered =
        with(&project, "SHOULD [NEEDS CLARIFICATION: keep it longer?]", "SHOULD keep it for 90 days");
    let mut now = after(&before, &import(&answered, &before));
    let story = at(&mut now, "SPEC-user-login-R2");
    assert_eq!((now[story].status, now[story].questions.len()), (IntentStatus::Pending, 0));
    let asked = after(&now, &import(&project, &now));
    assert_eq!((asked[story].status, asked[story].questions.len()), (IntentStatus::Blocked, 1));
    now[story].status = IntentStatus::Completed;
    assert_eq!(
        after(&now, &import(&project, &now))[story].status,
        IntentStatus::Completed,
        "what is over stays so"
    );
}

// REQ 7: whatever a person wrote into fields, another import of the same specs leaves it
#[test]
fn req_007_no_edit_is_lost_to_the_same_specs() {
    for name in names() {
        let project = project(&name);
        let mut own = imported(&project);
        for record in &mut own {
            record.name.push_str(" (mine)");
            record.why = Some("mine".to_owned());
            record.criteria.reverse();
            record.constraints.truncate(1);
            record.proposed_scope.clear();
            record.questions.clear();
            record.status = IntentStatus::InProgress;
            record
                .requirements
                .iter_mut()
                .for_each(|one| one.text = one.text.as_ref().map(|text| format!("{text}!")));
        }
        assert_eq!(import(&project, &own), Merged::default(), "{name}");
    }
}

// REQ 7: what came from elsewhere is nobody's loss
#[test]
fn req_007_only_what_was_looked_for_can_be_gone() {
    let project = project("kiro-login");
    let before = imported(&project);
    let tool = crate::project::tool(&project);
    let nothing = bailiwick_adapters_specs::merged(&[], &before, tool.word(), |_| false);
    assert_eq!(nothing, Merged::default());
    let other =
        bailiwick_adapters_specs::merged(&intents(&project, &before, false), &before, "openspec", |_| true);
    assert_eq!(other, Merged::default());
}
