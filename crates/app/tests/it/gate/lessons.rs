//! The file of lessons under the gate: what somebody else saves meanwhile stays (REQ 168, D-41).

use bailiwick::gate::{LessonError, OwnChangeError, Under};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{PutBackError, RepoPath};
use pollster::block_on;

use super::world::World;

/// Adds a line to the file of lessons.
fn edited(world: &World) -> Result<Option<RepoPath>, LessonError> {
    let intent = sample::intent("INT-001", &["src/auth/**"]);
    let under = Under {
        intent: intent.id().clone(),
        revision: intent.revision().clone(),
        requirements: Vec::new(),
        by: Some("ada".to_owned()),
    };
    let lessons = world.gate.lessons();
    block_on(lessons.edit(&under, &world.files, &|content| Ok(Some([content, b"lesson\n"].concat()))))
}

// REQ 168: the look that gives the content is the one that is compared with before writing
#[test]
fn req_168_what_a_person_saves_meanwhile_is_never_lost() {
    let path = sample::path("CLAUDE.md");
    let (old, new) = (b"old\n".to_vec(), b"saved\n".to_vec());
    // The first look finds the file, the second reads it; then somebody saves.
    let world = World::new();
    world.edit_outside(path.as_str(), "old\n");
    let looks = std::iter::repeat_n(old, 3).chain(std::iter::repeat_n(new.clone(), 9));
    world.files.flicker(&path, looks.collect());
    let done = edited(&world);
    assert!(
        matches!(done, Err(LessonError::Change(OwnChangeError::Files(PutBackError::Changed(_))))),
        "{done:?}"
    );
    assert_eq!(world.files.bytes(&path), Some(new));
    assert!(world.ledger.entries().is_empty() && world.pendings.calls().is_empty());
}
