//! What every store of counts must do.

use super::{done, sample};
use crate::intents::Tally;
use crate::ports::Tallies;
use crate::values::RepoPath;

/// Counts are kept for each intent and revision apart.
pub async fn tallies(store: &dyn Tallies) {
    let (one, other) = (sample::intent("INT-001", &["src/"]), sample::intent("INT-001", &["src/", "docs/"]));
    let of_one = || store.of(one.id(), one.revision());
    assert_eq!(done(of_one().await, "ask of nothing"), Tally::default());

    let file = done(RepoPath::new("src/a.rs"), "name a file");
    let counted = Tally::default().with("e1", [file.clone()], 3);
    done(store.keep(one.id(), one.revision(), &counted).await, "keep");
    assert_eq!(done(of_one().await, "ask"), counted);
    assert_eq!(
        done(store.of(other.id(), other.revision()).await, "ask of another revision"),
        Tally::default(),
        "another revision counts from zero"
    );
    let stranger = sample::intent("INT-002", &["src/"]);
    assert_eq!(
        done(store.of(stranger.id(), one.revision()).await, "ask of another intent"),
        Tally::default()
    );

    let more = counted.with("e2", [file], 4);
    done(store.keep(one.id(), one.revision(), &more).await, "keep again");
    assert_eq!(done(of_one().await, "ask again"), more);
}
