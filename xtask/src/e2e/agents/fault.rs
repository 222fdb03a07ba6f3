//! What a gate does at a tool in place of answering.

use std::path::Path;

use anyhow::{Result, ensure};

use super::script;
use crate::stage::world::World;

/// One way to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Dying,
    Failing,
    Silent,
    /// Says something that is no answer.
    Babbling,
    /// Answers in the words of another host.
    Foreign,
    Hanging,
}

/// How long a client waits for a hook, as it stands in a file of the repository.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub(super) file: &'static str,
    pub(super) long: &'static str,
    pub(super) short: &'static str,
}

impl Fault {
    pub(super) const ALL: [Self; 6] =
        [Self::Dying, Self::Failing, Self::Silent, Self::Babbling, Self::Foreign, Self::Hanging];

    /// As the page of hosts calls it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Dying => "dying",
            Self::Failing => "failing",
            Self::Silent => "silent",
            Self::Babbling => "babbling",
            Self::Foreign => "foreign",
            Self::Hanging => "hanging",
        }
    }

    fn does(self) -> &'static str {
        match self {
            Self::Dying => "kill -KILL $$",
            Self::Failing => "exit 1",
            Self::Silent => "exit 0",
            Self::Babbling => "echo yes; exit 0",
            Self::Foreign => "echo '{\"decision\":\"allow\"}'; exit 0",
            Self::Hanging => "exec sleep 100",
        }
    }

    /// Puts a gate there that answers everything but a tool that is about to run, as its event shows. Where it hangs, the
    /// client waits two seconds in place of its minutes.
    pub(super) fn befall(self, world: &World, before_a_tool: &str, patience: Option<Patience>) -> Result<()> {
        if let Some(Patience { file, long, short }) = patience.filter(|_| self == Self::Hanging) {
            let file = world.repo().join(file);
            let patient = std::fs::read_to_string(&file)?;
            let hasty = patient.replace(long, short);
            ensure!(hasty != patient, "{} has no limit {long}", file.display());
            std::fs::write(file, hasty)?;
        }
        let (gate, does) = (world.product().display(), self.does());
        let lines = format!(
            "event=$(cat)\ncase \"$event\" in *'{before_a_tool}'*) {does} ;; esac\nprintf %s \"$event\" | '{gate}' \"$@\""
        );
        world.place_program(Path::new(&script(world, &lines)?))
    }
}
