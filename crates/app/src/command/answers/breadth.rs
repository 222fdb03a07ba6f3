//! How wide a scope is, in words.

use bailiwick_domain::Breadth;

use crate::counted::counted;

/// How much of the tree, and what of it can run.
pub(crate) fn breadth_in_words(wide: Breadth) -> String {
    let runs = match wide.can_run {
        0 => String::new(),
        1 => "; 1 of them can run code".to_owned(),
        more => format!("; {more} of them can run code"),
    };
    format!("{} of {} ({}%){runs}", wide.files, counted(wide.of, "file", "files"), wide.percent())
}
