//! Whether a check of an intent runs without a question: a person allowed it, or an agent's call of the same command would
//! be a proved read of this repository that nobody is asked about.
//!
//! Deliberately absent: running it, and readers behind a pipe beside allowed commands, which only a call of an agent is
//! judged with.

use bailiwick_domain::{
    Actor, Allowance, CallId, CommandFault, CommandReading, Effect, IntentId, Location, Moves, Params,
    PlacedCommand, ReadOnly, Settings, ToolCall, ToolError, Value,
};
use bailiwick_policy::{Verdict, decide};

use super::{Allowances, Context, NotCovered};
use crate::closed;
use crate::gathering::case::folder_of;

/// What can be said of the command of a check before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckCommand {
    /// A person allowed it: by which allowance.
    Allowed(Box<Allowance>),
    /// It is proved to read only, and only what every agent may read here.
    Reads,
    /// A person must say so, and may hear why.
    Ask(Option<String>),
    /// It never runs: why.
    Never(String),
}

impl Allowances<'_> {
    /// Looks the command of a check up, which runs in the root under that intent.
    ///
    /// # Errors
    /// The allowances cannot be read.
    pub async fn for_check(
        &self,
        command: &str,
        intent: &IntentId,
        settings: &Settings,
    ) -> Result<CheckCommand, ToolError> {
        if let Some(fault) = self.commands.fault(command) {
            return Ok(CheckCommand::Never(in_words(&fault)));
        }
        if self.is_open_reader(command).await? {
            return Ok(CheckCommand::Reads);
        }
        let allowances = self.allowances.list().await.map_err(closed)?;
        let context = Context { active: Some(intent), settings, cwd: None };
        Ok(match self.allowed_alone(context, command, &allowances).await {
            Ok(allowance) => CheckCommand::Allowed(Box::new(allowance.clone())),
            Err(why) => CheckCommand::Ask(why.map(|why| why.trim().to_owned())),
        })
    }

    /// Whether an agent that has no intent could run this command unasked, and it reads nothing but this repository. A
    /// command that asks a program about itself is none: files of the repository may choose which program answers.
    async fn is_open_reader(&self, command: &str) -> Result<bool, ToolError> {
        if let CommandReading::ReadOnly(reading) = self.commands.read(command)
            && reading.starts.asked
        {
            return Ok(false);
        }
        let call = call_of(command);
        let facts = self.gathering.gather(&call).await?.facts;
        // What is proved to read, and is believed where it runs.
        let is_reader = facts.tool.effect == Effect::Read;
        let stays = facts
            .targets
            .iter()
            .all(|target| matches!(target.location, Location::Root | Location::Inside(_)));
        Ok(is_reader && stays && decide(&facts) == Verdict::Allow)
    }

    /// The allowance of a line that is one command and reads nothing beside it.
    async fn allowed_alone<'l>(
        &self,
        context: Context<'_>,
        command: &str,
        allowances: &'l [Allowance],
    ) -> Result<&'l Allowance, NotCovered> {
        let line = self.commands.line(command).map_err(|_| None)?;
        let [PlacedCommand { folder, words }] = line.commands.as_slice() else { return Err(None) };
        let ReadOnly { starts, moves, .. } = &line.readers;
        let Moves { ends, needs, .. } = moves.as_ref();
        let goes = Moves { ends: ends.clone(), needs: needs.clone(), ..Moves::default() };
        let alone = ReadOnly {
            folder: folder.clone(),
            starts: *starts,
            moves: Box::new(goes),
            ..ReadOnly::default()
        };
        if line.readers != alone || line.exports {
            return Err(None);
        }
        let folder = folder.as_deref();
        let misled = self.gathering.misleads(&call_of(command), *starts, folder, folder).await;
        if let Some(why) = misled {
            return Err(Some(format!("{why}.")));
        }
        let place = folder_of(self.workspace.locate(folder.unwrap_or("."), None).await).ok_or(None)?;
        self.allowance_of(context, words, (folder, place.as_ref()), allowances).await
    }
}

/// The call by which an agent would run it in the root.
fn call_of(command: &str) -> ToolCall {
    ToolCall {
        id: CallId("check".to_owned()),
        actor: Actor::root(Actor::HUMAN, "check"),
        tool: "Bash".to_owned(),
        params: Params::from_iter([("command".to_owned(), Value::from(command))]),
        cwd: None,
        intent_id: None,
        read_hash: None,
        requirement_ids: Vec::new(),
    }
}

fn in_words(fault: &CommandFault) -> String {
    match fault {
        CommandFault::NotUnderstood(why) => why.clone(),
        CommandFault::HumanOnly(command) => format!("`{command}` is a command that you run yourself"),
        CommandFault::Delegation(why) => format!("it starts an agent without a gate: {why}"),
    }
}
