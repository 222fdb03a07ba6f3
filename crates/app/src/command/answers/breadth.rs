//! Why a yes takes a second word, and how wide a scope is in words.

use bailiwick_domain::{ApprovalRequest, Breadth};

use crate::counted::counted;
use crate::inert;
use crate::review::Review;

/// Why a yes takes a second word: one press is a habit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Twice {
    /// The scope is broad.
    Broad(Breadth),
    /// A part of the change is not shown: which.
    Unseen(String),
}

impl Twice {
    /// Why a yes to this request takes one, if it does.
    pub(crate) fn of(request: &ApprovalRequest, review: &Review) -> Option<Self> {
        let unseen = review.unseen.as_deref().map(|unseen| Self::Unseen(inert::line(unseen)));
        request.broad.map(Self::Broad).or(unseen)
    }

    /// What a person reads before it.
    pub(crate) fn says(&self) -> String {
        match self {
            Self::Broad(wide) => format!("This scope is broad: {}.", breadth_in_words(*wide)),
            Self::Unseen(what) => format!("A part of this change is not shown: {what}."),
        }
    }

    /// What is asked, and the word that says yes.
    pub(crate) fn asks(&self) -> (&'static str, &'static str) {
        match self {
            Self::Broad(_) => ("Approve all of it?", "broad"),
            Self::Unseen(_) => ("Approve what is not shown, too?", "unseen"),
        }
    }
}

/// How much of the tree, and what of it can run.
pub(crate) fn breadth_in_words(wide: Breadth) -> String {
    let runs = match wide.can_run {
        0 => String::new(),
        1 => "; 1 of them can run code".to_owned(),
        more => format!("; {more} of them can run code"),
    };
    format!("{} of {} ({}%){runs}", wide.files, counted(wide.of, "file", "files"), wide.percent())
}
