//! The client on a full screen, for the host's own prompt: a person at the client says yes or no there.
//!
//! Without a surface of the product the hook answers `ask`; what the dialog shows is the host's doing (see
//! `docs/hosts.md`), what runs afterwards is checked here.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::model::{Model, Turn};
use super::scenario::{Act, Step};
use super::{API_KEY, environment};
use crate::stage::terminal::Terminal;
use crate::stage::world::World;

const PATIENCE: Duration = Duration::from_secs(30);
const DIALOG: &str = "Do you want to proceed?";

/// What the person at the client answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Yes,
    No,
}

/// One interactive scenario: a script whose last call opens the dialog.
pub(crate) struct Interactive {
    pub(crate) name: &'static str,
    pub(crate) setup: Act,
    pub(crate) steps: Vec<Step>,
    pub(crate) said: Said,
    /// What the dialog must show.
    pub(crate) shown: &'static [&'static str],
    pub(crate) expect: fn(&World) -> Result<()>,
}

/// Plays one scenario.
pub(crate) fn play(client: &Path, product: &Path, scenario: &Interactive) -> Result<()> {
    let world = Arc::new(World::new(product)?);
    (scenario.setup)(&world).context("setup")?;
    let model = Model::start(script(&scenario.steps, &world))?;
    settle_in(&world)?;
    let program = format!("{} --allowedTools Read,Write,Edit,Bash", client.display());
    let terminal = Terminal::open(&world.repo(), &environment(&world, &model.url()), &program)?;
    terminal.wait_for(&["❯", "> "], PATIENCE).context("the client's prompt")?;
    terminal.type_text("go")?;
    terminal.press(&["Enter"])?;
    let dialog = terminal.wait_for(&[DIALOG], PATIENCE)?;
    for text in scenario.shown {
        ensure!(dialog.contains(text), "the dialog lacks {text:?}:\n{}", dialog.trim_end());
    }
    let (key, signs) = match scenario.said {
        Said::Yes => ("Enter", &["script is over"][..]),
        Said::No => ("Escape", &["Interrupted", "rejected"][..]),
    };
    terminal.press_until(key, signs, PATIENCE).context("after the answer")?;
    let faults = model.faults();
    ensure!(faults.is_empty(), "the script failed: {}", faults.join("; "));
    (scenario.expect)(&world)
}

fn script(steps: &[Step], world: &Arc<World>) -> super::model::NextTurn {
    let (steps, world) = (steps.to_vec(), Arc::clone(world));
    Box::new(move |_, index| {
        Ok(Some(match steps.get(index).map(|step| &step.turn) {
            Some(Turn::Call { tool, input }) => Turn::Call { tool: tool.clone(), input: world.fill(input) },
            _ => Turn::Text("script is over".to_owned()),
        }))
    })
}

/// Answers the questions of a first start beforehand: theme, key, trust in the folder.
pub(crate) fn settle_in(world: &World) -> Result<()> {
    let path = world.home().join(".claude.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|_| "{}".to_owned());
    let mut settings: Value = serde_json::from_str(&text).context(".claude.json")?;
    let tail: String = API_KEY.chars().skip(API_KEY.chars().count().saturating_sub(20)).collect();
    settings["hasCompletedOnboarding"] = json!(true);
    settings["theme"] = json!("dark");
    settings["customApiKeyResponses"] = json!({"approved": [tail], "rejected": []});
    let folder = world.repo().display().to_string();
    settings["projects"][folder.as_str()]["hasTrustDialogAccepted"] = json!(true);
    std::fs::write(&path, settings.to_string()).context(".claude.json")
}
