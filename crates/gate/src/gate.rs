//! What a host holds: the verbs that it needs, each handed to the part that does it.
//!
//! Deliberately absent: doing anything. The parts behind [`Gate`] are borrows of its ports, and none of them holds a gate.

mod building;
mod parts;

use bailiwick_domain::{
    Actor, ActorState, Answer, ApprovalId, ToolCall, ToolError, ToolResult, WorkspaceWriter,
};

use crate::parts::Waiting;
use crate::{Extension, HostTraits, Outcome, Ports, PostReport, Status, TurnReport};

/// The hook engine: middleware between an agent and its tools.
/// See `examples/embed.rs` for a host of your own.
#[derive(Debug)]
pub struct Gate {
    ports: Ports,
    host: HostTraits,
    worktree: Option<String>,
    described: Option<bailiwick_policy::Described>,
    extensions: Vec<Extension>,
    waiting: Waiting,
}

impl Gate {
    /// Judges a call before it runs. Every failure of the gate itself comes out as a refusal.
    pub async fn pre(&self, call: &ToolCall) -> Outcome {
        self.recording().settle_told_early(&call.actor).await;
        self.admission().pre(call).await
    }

    /// Brings a person's answer to a call that waits on this connection.
    pub async fn resolve(&self, id: &ApprovalId, answer: Answer) -> Outcome {
        self.admission().resolve(id, answer).await
    }

    /// Records what a call did. Post events are hints: the files decide.
    ///
    /// # Errors
    /// When the evidence cannot be written; the pending record stays, so that a later event finds the change.
    pub async fn post(&self, call: &ToolCall, result: &ToolResult) -> Result<PostReport, ToolError> {
        self.post_amended(call, result, false).await
    }

    /// The same, where the host says whether a person changed the content before it was written.
    ///
    /// # Errors
    /// As for [`Gate::post`].
    pub async fn post_amended(
        &self,
        call: &ToolCall,
        result: &ToolResult,
        amended: bool,
    ) -> Result<PostReport, ToolError> {
        self.recording().post_amended(call, result, amended).await
    }

    /// For a host whose tools are the gate's own ([`HostTraits::carries_out`]): writes what this call was let through for,
    /// all of its files or none, and records it. Each file is written only if it is what the call was judged on.
    ///
    /// # Errors
    /// The call was not let through, a file changed meanwhile, or the evidence cannot be written. Nothing was changed
    /// unless the error says otherwise.
    pub async fn carry_out(
        &self,
        call: &ToolCall,
        writer: &dyn WorkspaceWriter,
    ) -> Result<PostReport, ToolError> {
        self.carrying().carry_out(call, writer).await
    }

    /// Whether a call would be let through without a question, as reading is. Changes nothing and is not logged: for
    /// tools that show parts of many files, and ask about each of them as about a call that shows that file alone.
    ///
    /// # Errors
    /// It cannot be decided safely.
    pub async fn would_show(&self, call: &ToolCall) -> Result<bool, ToolError> {
        self.carrying().would_show(call).await
    }

    /// Lets the actor's memory follow what the host ran behind its writes, once all calls of a turn and everything behind
    /// them are over.
    ///
    /// # Errors
    /// When private state cannot be read or written.
    pub async fn adopt_behind(&self, calls: &[ToolCall]) -> Result<(), ToolError> {
        self.recording().adopt_behind(calls).await
    }

    /// Settles every pending call of exactly this actor. Called when no call of it can be under way: at its stop, a
    /// prompt, and after a batch of its calls. A sub-agent may work on meanwhile, so its calls are left alone.
    ///
    /// # Errors
    /// When the evidence cannot be written; what is not settled stays pending.
    pub async fn settle(&self, actor: &Actor) -> Result<Vec<PostReport>, ToolError> {
        self.recording().settle(actor).await
    }

    /// Settles every pending call of the actor's session, with those of its sub-agents. Called when the session is over.
    ///
    /// # Errors
    /// As for [`Gate::settle`].
    pub async fn settle_session(&self, actor: &Actor) -> Result<Vec<PostReport>, ToolError> {
        self.recording().settle_session(actor).await
    }

    /// Remembers the model that a session runs on, when the host tells it.
    ///
    /// # Errors
    /// When the state cannot be read or written.
    pub async fn session_started(&self, actor: &Actor, model: Option<String>) -> Result<(), ToolError> {
        self.turns().session_started(actor, model).await
    }

    /// The session is over, and all of its grants with it.
    ///
    /// # Errors
    /// As for [`Gate::turn_over`].
    pub async fn session_over(&self, actor: &Actor) -> Result<(), ToolError> {
        self.turns().session_over(actor).await
    }

    /// A prompt arrived. `injected` prompts come from the host, not from the human.
    ///
    /// # Errors
    /// When the state cannot be read or written; the old state then stays, which is never looser for a mutation than
    /// what the human had before, and every later call fails closed on the same state.
    pub async fn prompt(&self, actor: &Actor, injected: bool) -> Result<ActorState, ToolError> {
        self.turns().prompt(actor, injected).await
    }

    /// The actor's turn is over: it stopped, or its person says something new. Its grant ends with it, and what the
    /// calls of a whole session meant together since the person's last prompt is recorded once.
    ///
    /// # Errors
    /// When private state cannot be written; the grant still ends with the person's next prompt, and with its time.
    pub async fn turn_over(&self, actor: &Actor) -> Result<TurnReport, ToolError> {
        self.turns().turn_over(actor).await
    }

    /// Where this actor stands.
    ///
    /// # Errors
    /// When private state cannot be read.
    pub async fn status(&self, actor: &Actor) -> Result<Status, ToolError> {
        self.turns().status(actor).await
    }
}
