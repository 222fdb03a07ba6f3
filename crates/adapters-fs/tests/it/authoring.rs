//! Changing the intents file as text, and listing the files that a scope is measured on.

use std::fs;

use bailiwick_adapters_fs::{FsIntentRepo, FsIntentWriter, FsScopeMeter};
use bailiwick_domain::{
    IntentChange, IntentEditError, IntentId, IntentProposal, IntentRepo, IntentStatus, IntentWriter,
    OwnedScope, RepoPath, ScopeMeter, ScopePattern,
};
use pollster::block_on;

use crate::governed::Place;

const TWO: &str = "# our goals\nactive_intents:\n  - id: INT-001 # first\n    name: Login\n    status: IN_PROGRESS # since May\n    owned_scope:\n      # only these\n      - src/auth/ # all of it\n    notes: none\n\n  - id: INT-002\n    name: Billing\n    status: 'PENDING'\n    owned_scope: [src/billing/]\n# the end\n";

fn id(text: &str) -> IntentId {
    IntentId::new(text).unwrap()
}

fn written(text: &str) -> (Place, FsIntentWriter) {
    let place = Place::new();
    fs::write(place.layout().intents_file(), text).unwrap();
    let writer = FsIntentWriter::new(place.layout());
    (place, writer)
}

fn expand(named: &str, patterns: &[&str]) -> IntentChange {
    let patterns = patterns.iter().map(|pattern| ScopePattern::new(pattern).unwrap()).collect();
    IntentChange::Expand { id: id(named), patterns }
}

fn close(named: &str, status: IntentStatus) -> IntentChange {
    IntentChange::SetStatus { id: id(named), status }
}

/// Drafts and writes a change; the file as it then is.
fn made(text: &str, change: &IntentChange) -> Result<String, IntentEditError> {
    let (place, writer) = written(text);
    let file = place.layout().intents_file();
    let edit = block_on(writer.draft(change)).inspect_err(|_| {
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "a refused change changes nothing");
    })?;
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "a draft writes nothing");
    block_on(writer.write(&edit, ""))?;
    let after = fs::read_to_string(&file).unwrap();
    assert_eq!(after, edit.after);
    Ok(after)
}

#[track_caller]
fn check(text: &str, change: &IntentChange, old: &str, new: &str) {
    assert_eq!(text.matches(old).count(), 1, "{old}");
    assert_eq!(made(text, change).unwrap(), text.replace(old, new));
}

// D-01, K-30
#[test]
fn a_status_is_changed_in_its_place_and_nothing_else() {
    check(TWO, &close("INT-001", IntentStatus::Completed), "IN_PROGRESS", "COMPLETED");
    check(TWO, &close("INT-002", IntentStatus::Abandoned), "'PENDING'", "ABANDONED");
    let windows = TWO.replace('\n', "\r\n");
    check(&windows, &close("INT-001", IntentStatus::Completed), "IN_PROGRESS", "COMPLETED");
}

// K-01
#[test]
fn patterns_are_added_where_the_scope_stands() {
    check(
        TWO,
        &expand("INT-001", &["src/core/**", "!odd"]),
        "- src/auth/ # all of it\n",
        "- src/auth/ # all of it\n      - \"src/core/**\"\n      - \"!odd\"\n",
    );
    check(TWO, &expand("INT-002", &["a,b"]), "[src/billing/]", "[src/billing/, \"a,b\"]");
    let none = TWO.replace("[src/billing/]", "[] # none");
    check(&none, &expand("INT-002", &["x", "y"]), "[] # none", "[\"x\", \"y\"] # none");
    let last = "active_intents:\n- id: A\n  name: a\n  status: PENDING\n  owned_scope:\n  - src/a";
    assert_eq!(made(last, &expand("A", &["b"])).unwrap(), format!("{last}\n  - \"b\"\n"));
}

// D-01
#[test]
fn what_cannot_be_changed_safely_is_left_to_a_human() {
    let bare = "active_intents:\n  - id: A\n    name: a\n    status: PENDING\n";
    let folded = "active_intents:\n  - id: A\n    name: a\n    status: PENDING\n    owned_scope:\n      - >-\n        src/a\n";
    for (text, change) in [
        (bare, expand("A", &["x"])),
        (folded, expand("A", &["x"])),
        (bare, expand("B", &["x"])),
        (bare, close("B", IntentStatus::Completed)),
    ] {
        assert!(matches!(made(text, &change), Err(IntentEditError::Refused(_))), "{change:?}");
    }
    assert!(matches!(
        made("active_intents: [\n", &close("A", IntentStatus::Completed)),
        Err(IntentEditError::Port(_))
    ));
}

// D-01, K-37
#[test]
fn a_proposal_is_added_at_the_end_and_counts_at_once() {
    let (place, writer) = written(TWO);
    let repo = FsIntentRepo::new(place.layout());
    assert_eq!(block_on(repo.load()).unwrap().len(), 2);
    let proposal = IntentProposal {
        name: "Round: the bill".to_owned(),
        why: Some("Cents\nget lost".to_owned()),
        owned_scope: OwnedScope::parse(["src/round.rs"]).unwrap(),
        acceptance_criteria: vec!["0.005 is 0.01".to_owned()],
    };
    let edit = block_on(writer.draft(&IntentChange::Add(proposal))).unwrap();
    assert_eq!((edit.intent.as_str(), edit.before.as_str()), ("INT-003", TWO));
    assert_eq!(edit.file.as_str(), ".orchestration/active_intents.yaml");
    block_on(writer.write(&edit, "")).unwrap();
    let born = block_on(repo.get(&id("INT-003"))).unwrap().unwrap();
    assert_eq!((born.name(), born.status()), ("Round: the bill", IntentStatus::Pending));
    assert_eq!(born.why(), Some("Cents\nget lost"));
}

// D-01, K-09
#[test]
fn an_edit_is_written_only_over_the_text_it_was_drafted_for() {
    let (place, writer) = written(TWO);
    let edit = block_on(writer.draft(&close("INT-001", IntentStatus::Completed))).unwrap();
    let by_hand = TWO.replace("Login", "Log in");
    fs::write(place.layout().intents_file(), &by_hand).unwrap();
    assert_eq!(block_on(writer.write(&edit, "")), Err(IntentEditError::Changed));
    assert_eq!(fs::read_to_string(place.layout().intents_file()).unwrap(), by_hand);
}

// D-01
#[test]
fn the_tree_is_listed_without_what_git_ignores() {
    let place = Place::new();
    for file in ["src/b.rs", "src/a.rs", "target/x.o", ".git/config", ".github/workflows/ci.yml"] {
        let path = place.root().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    fs::write(place.root().join(".gitignore"), "target/\n").unwrap();
    let listing = block_on(FsScopeMeter::new(place.layout()).tree()).unwrap();
    let files: Vec<&str> = listing.files.iter().map(RepoPath::as_str).collect();
    assert_eq!(
        files,
        [
            ".github/workflows/ci.yml",
            ".gitignore",
            ".orchestration/active_intents.yaml",
            "src/a.rs",
            "src/b.rs"
        ]
    );
    assert!(listing.is_complete);
}

// D-01: nothing is changed under a goal itself
#[test]
fn a_goal_is_not_expanded_and_names_its_children() {
    let goal = "active_intents:\n  - id: GOAL-1\n    name: Goal\n    status: PENDING\n";
    let child = "  - id: INT-002\n    name: Child\n    status: PENDING\n    parent: GOAL-1\n    owned_scope: [src/]\n";
    let why = |text: &str| made(text, &expand("GOAL-1", &["lib/"])).unwrap_err().to_string();
    let none = why(goal);
    assert!(none.contains("GOAL-1 is a goal") && none.contains("no child yet"), "{none}");
    let named = why(&format!("{goal}{child}"));
    assert!(named.contains("expand one of its children: INT-002"), "{named}");
}
