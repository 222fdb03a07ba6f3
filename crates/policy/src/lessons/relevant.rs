//! Which lessons matter to who works under an intent.

use bailiwick_domain::{Intent, Lesson};

use crate::scope_match::ScopeMatcher;

/// The lessons that were learned under this intent, and those about a file that it owns: open ones first, the newest of
/// them before older ones, at most `most`.
pub fn relevant<'l>(lessons: &'l [Lesson], intent: &Intent, most: usize) -> Vec<&'l Lesson> {
    // A scope that cannot be read owns nothing.
    let scope = ScopeMatcher::new(intent.owned_scope()).ok();
    let owns = |lesson: &Lesson| {
        let mut files = lesson.file.iter().chain(&lesson.fixed_in);
        files.any(|file| scope.as_ref().is_some_and(|scope| scope.matches(file)))
    };
    let is_meant = |lesson: &&Lesson| lesson.intent == *intent.id() || owns(lesson);
    let mut all: Vec<&Lesson> = lessons.iter().filter(is_meant).collect();
    all.sort_by_key(|lesson| (lesson.closed.is_some(), std::cmp::Reverse(lesson.at)));
    all.truncate(most);
    all
}
