//! What the program behind the wire can do: show, and make what a person wants.

use bailiwick_domain::{Answer, Approval};
use serde_json::Value;

use crate::protocol::{
    Allowed, AnswerGiven, Change, CheckText, Checked, DraftAccepted, DraftEdited, Files, Folder, GrantGiven,
    History, Named, Query, Review, Revoke, Said, Snapshot, Undo, UndoGiven, code,
};

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// One of [`code`].
    pub code: i32,
    /// For the person, or for whoever writes an extension.
    pub message: String,
}

impl Refusal {
    /// What a person wanted to do was not done.
    pub fn not_done(message: impl ToString) -> Self {
        Self { code: code::NOT_DONE, message: message.to_string() }
    }

    /// The parameters are wrong.
    pub fn parameters(message: impl ToString) -> Self {
        Self { code: code::INVALID_PARAMS, message: message.to_string() }
    }
}

/// An answer that takes its time, on a thread of its own.
pub type Later = Box<dyn FnOnce() -> Result<Value, Refusal> + Send>;

/// The stores of a window's folders, for the person in front of it.
pub trait Desk {
    /// The version of the program.
    fn version(&self) -> String;

    /// Who answers in this window.
    fn person(&self) -> String;

    /// The window has these folders from now on.
    ///
    /// # Errors
    /// This process may not answer for a person there.
    fn open(&mut self, folders: &[String]) -> Result<Vec<Folder>, Refusal>;

    /// Everything that is shown.
    fn snapshot(&mut self) -> Snapshot;

    /// Somebody is in front of the window, or nobody any more.
    fn attend(&mut self, is_there: bool);

    /// A request that was in the last snapshot.
    fn question(&self, root: &str, id: &str) -> Option<Approval>;

    /// Why a request that was put to the person needs no answer any more.
    fn over(&self, root: &str, id: &str) -> String;

    /// Writes down what the person answered to a question that was put to them.
    ///
    /// # Errors
    /// It was over before.
    fn record(&mut self, root: &str, id: &str, answer: &Answer) -> Result<(), Refusal>;

    /// The window is closed while these questions are open there.
    fn leave(&mut self, put: &[(String, String)]);

    /// The two sides of a request.
    ///
    /// # Errors
    /// There is no such request.
    fn files(&mut self, named: &Named) -> Result<Files, Refusal>;

    /// A yes or a no.
    ///
    /// # Errors
    /// It cannot be answered so.
    fn answer(&mut self, given: &AnswerGiven) -> Result<Said, Refusal>;

    /// A yes within bounds.
    ///
    /// # Errors
    /// No grant is offered, or not so much.
    fn grant(&mut self, given: &GrantGiven) -> Result<Said, Refusal>;

    /// A yes, and trust in the command.
    ///
    /// # Errors
    /// Its command cannot be allowed.
    fn allow(&mut self, given: &Allowed) -> Result<Said, Refusal>;

    /// Which change an edited draft would be.
    ///
    /// # Errors
    /// It is no draft, or not a valid one.
    fn change(&mut self, edited: &DraftEdited) -> Result<Change, Refusal>;

    /// A yes to an edited draft.
    ///
    /// # Errors
    /// The same, it is another change than the one that was shown, or its scope is broad and nobody said so.
    fn amend(&mut self, accepted: &DraftAccepted) -> Result<Said, Refusal>;

    /// Ends a grant.
    ///
    /// # Errors
    /// There is none.
    fn revoke(&mut self, revoke: &Revoke) -> Result<Said, Refusal>;

    /// Ends a review.
    ///
    /// # Errors
    /// There is none, or a file cannot be put back.
    fn review(&mut self, review: &Review) -> Result<Said, Refusal>;

    /// A page of what was answered.
    ///
    /// # Errors
    /// The folder is not governed.
    fn history(&mut self, history: &History) -> Result<Later, Refusal>;

    /// What taking back a recorded change would do.
    ///
    /// # Errors
    /// The folder is not governed.
    fn undo_plan(&mut self, undo: &Undo) -> Result<Later, Refusal>;

    /// Takes it back as it was shown.
    ///
    /// # Errors
    /// The folder is not governed.
    fn undo(&mut self, undo: &UndoGiven) -> Result<Later, Refusal>;

    /// A reading command.
    ///
    /// # Errors
    /// It is none that an editor may ask.
    fn query(&mut self, query: &Query) -> Result<Later, Refusal>;

    /// What is wrong with an intents file.
    ///
    /// # Errors
    /// The folder is not governed.
    fn check_text(&mut self, text: &CheckText) -> Result<Checked, Refusal>;
}
