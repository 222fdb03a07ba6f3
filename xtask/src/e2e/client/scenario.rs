//! What a scenario is made of: a world, a script for the model, a human, and what must come of it.

use anyhow::Result;
use serde_json::Value;

use super::model::Turn;
use super::outcome::Run;
use crate::stage::world::World;

/// A change of the world, or a check of it.
pub(crate) type Act = fn(&World) -> Result<()>;

/// One turn of the script.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) before: Option<Act>,
    pub(crate) turn: Turn,
}

impl Step {
    /// Does something in the world just before the model takes this step; the call before it is over by then.
    pub(crate) fn after(mut self, act: Act) -> Self {
        self.before = Some(act);
        self
    }
}

/// A tool call; `{root}` in the input stands for the repository.
pub(crate) fn call(tool: &str, input: Value) -> Step {
    Step { before: None, turn: Turn::Call { tool: tool.to_owned(), input } }
}

/// A closing text.
pub(crate) fn text(text: &str) -> Step {
    Step { before: None, turn: Turn::Text(text.to_owned()) }
}

/// The person at the approval screen.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Human {
    /// Nobody is there.
    Absent,
    /// Approves what `bailiwick watch` shows.
    Approves,
    /// Rejects what `bailiwick watch` shows.
    Rejects,
    /// Grants edits within the bounds that `bailiwick watch` offers.
    Grants,
    /// Approves it, but only after the script has noted this: until then the person is away from the open screen.
    ApprovesOnce(&'static str),
    /// Approves it, but the world changes while the person reads.
    ApprovesLate(Act),
}

/// One scenario.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) setup: Act,
    pub(crate) arguments: &'static [&'static str],
    pub(crate) steps: Vec<Step>,
    pub(crate) sub_agent: Vec<Step>,
    pub(crate) human: Human,
    pub(crate) expect: fn(&Run) -> Result<()>,
}

impl Scenario {
    /// A scenario in a governed repository with nobody at the screen.
    pub(crate) fn new(name: &'static str, steps: Vec<Step>, expect: fn(&Run) -> Result<()>) -> Self {
        Self {
            name,
            setup: World::govern,
            arguments: &[],
            steps,
            sub_agent: Vec::new(),
            human: Human::Absent,
            expect,
        }
    }

    /// Prepares the world in another way.
    pub(crate) fn setup(mut self, setup: Act) -> Self {
        self.setup = setup;
        self
    }

    /// Gives the client more arguments.
    pub(crate) fn arguments(mut self, arguments: &'static [&'static str]) -> Self {
        self.arguments = arguments;
        self
    }

    /// Puts a person at the screen.
    pub(crate) fn human(mut self, human: Human) -> Self {
        self.human = human;
        self
    }

    /// Gives the sub-agent its own script.
    pub(crate) fn sub_agent(mut self, steps: Vec<Step>) -> Self {
        self.sub_agent = steps;
        self
    }
}
