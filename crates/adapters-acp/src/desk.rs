//! What the relay needs of the program: what is asked, and what becomes of an answer.

use core::fmt;

use bailiwick_domain::Value;

use crate::Question;

/// What a person said in the editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Yes, to exactly this.
    Yes,
    /// No, and why where that is known.
    No(Option<&'static str>),
    /// Nobody said anything that counts, and why.
    Nobody(&'static str),
}

/// What is new since the last look.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// What may be put to the editor.
    pub questions: Vec<Question>,
    /// The ids of questions that were put and need no answer any more.
    pub over: Vec<String>,
}

/// Something that the agent asks of the editor.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The session, as the protocol names it.
    pub session: &'a str,
    /// What is asked, with all its parameters.
    pub params: &'a Value,
}

/// The stores behind a connection. Each may block, and is called on a thread where that does no harm.
pub trait Desk: Send + Sync + fmt::Debug {
    /// The editor says who it is.
    fn editor(&self, name: Option<&str>);

    /// The agent says who it is.
    fn agent(&self, name: Option<&str>);

    /// A session works in this folder from now on.
    fn works_in(&self, session: &str, folder: &str);

    /// Whether the agent may be given a prompt there.
    ///
    /// # Errors
    /// Why not, for the person in front of the editor.
    fn may_prompt(&self, session: &str) -> Result<(), String>;

    /// The agent works on a call. Asked until it may.
    ///
    /// # Errors
    /// Nothing judges its calls, for the person in front of the editor.
    fn works(&self, session: &str) -> Result<(), String>;

    /// What is new. `put` are the questions in the editor.
    fn look(&self, put: &[String]) -> Look;

    /// Writes an answer down.
    fn answer(&self, question: &str, said: &Said);

    /// Whether the agent asks for permission for a call that was let through because a person said yes to it. `turns` are
    /// the sessions with a prompt.
    fn was_let_through(&self, asked: Asked<'_>, turns: &[String]) -> bool;

    /// Whether the editor may write a file for the agent.
    ///
    /// # Errors
    /// Why not, for the agent.
    fn may_write(&self, asked: Asked<'_>) -> Result<(), String>;

    /// Tells a person something that no message says.
    fn tell(&self, text: &str);
}
