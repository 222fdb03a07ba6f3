//! The sessions of the day, in order.

mod errands;
mod leaving;
mod morning;
mod movement;
mod together;

use crate::e2e::staged::session::Session;

pub(crate) use self::leaving::plain;
pub(crate) use self::together::together;

/// What one agent does after another, under the person at the desk.
pub(crate) fn alone() -> Vec<Session> {
    vec![
        morning::morning(),
        morning::rename(),
        errands::sub_agent(),
        errands::background(),
        errands::formatter(),
        movement::by_the_person(),
        movement::by_the_agent(),
    ]
}

/// The part of the day with many edits, for a person who grants them.
pub(crate) fn granted() -> Vec<Session> {
    [morning::morning(), morning::rename()].into_iter().map(Session::edits_granted).collect()
}
