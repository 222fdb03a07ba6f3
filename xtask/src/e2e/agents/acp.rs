//! Agents as an editor drives them, behind `bailiwick acp`: one session under a scripted model and a scripted editor, from
//! the first reading to a change that a person approved in the editor and one that they rejected.
//!
//! What the agent sends is written down on its own side of the program, and must reach the editor byte for byte; so must what
//! the editor sends. Agents whose hooks are silent must not work.

mod driven;
mod editor;
mod traffic;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};

use self::driven::{DRIVEN, Driven};
use self::editor::{Editor, Talk};
use super::{Act, Model, NEW, SELECT, Step, answered, serve, step, world_of_a_client};
use crate::e2e::{client, each};
use crate::stage::product;
use crate::stage::world::World;

/// A second change in the scope, which the person rejects.
const UNWANTED: Act = Act::Write("src/auth/unwanted.ts", "export {};\n");

const STEPS: [Step; 7] = [
    step(Act::Run("cat src/auth/login.ts"), "export"),
    step(NEW, "STATE_VIOLATION"),
    step(Act::Run(SELECT), "owned_scope"),
    step(Act::Write("src/core/new.ts", "export {};\n"), "SCOPE_VIOLATION"),
    step(Act::Write(".orchestration/config.yaml", "x: 1\n"), "PROTECTED_PATH"),
    step(NEW, ""),
    step(UNWANTED, "DESTRUCTIVE_ACTION_REJECTED"),
];

/// The same for an agent that no hook governs: it must not come to its change.
const UNGOVERNED: [Step; 3] =
    [step(Act::Run("cat src/auth/login.ts"), ""), step(NEW, ""), step(UNWANTED, "")];

/// What must come of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Must {
    /// Each of its calls is judged by the hook inside it.
    BeJudged,
    /// It gets no prompt: when an editor drives it, it runs no hook before a tool.
    GetNoPrompt,
    /// It is stopped at its first call: its hooks are installed, and nobody trusted them in the agent.
    BeStopped,
}

/// Plays every agent whose name holds the filter; any failure is an error.
pub(crate) fn run(filter: &str) -> Result<()> {
    let product = product::binary()?;
    let chosen: Vec<&Driven> = DRIVEN.iter().filter(|driven| driven.name.contains(filter)).collect();
    ensure!(!chosen.is_empty(), "no agent's name holds {filter:?}");
    let name = |driven: &&Driven| format!("{} {} ({:?})", driven.name, driven.version, driven.must);
    each("clients", chosen, name, |&driven| play(driven, &product))
}

/// One session, and what came of it.
struct Played {
    world: Arc<World>,
    told: Vec<String>,
    talk: Talk,
}

fn play(driven: &'static Driven, product: &Path) -> Result<()> {
    let steps: &'static [Step] = if driven.must == Must::BeJudged { &STEPS } else { &UNGOVERNED };
    let played = session(driven, product, steps)?;
    let judged = match driven.must {
        Must::BeJudged => judge(&played),
        Must::GetNoPrompt => no_prompt(&played),
        Must::BeStopped => stopped(&played),
    };
    judged.with_context(|| format!("told: {:#?}\n{}", played.told, played.talk.story()))
}

fn session(driven: &'static Driven, product: &Path, steps: &'static [Step]) -> Result<Played> {
    let program = driven::install(driven)?;
    let world = Arc::new(world_of_a_client(product)?);
    world.gate_says(&["init", "--agent", driven.host])?;
    world.write(".orchestration/config.yaml", "approval: { dialogs: [scripted-editor] }\n")?;
    world.person_runs("bailiwick config accept")?;
    world.accept_intent("INT-001")?;
    let told = Arc::new(Mutex::new(Vec::new()));
    let model =
        Model { agent: driven::of(driven.host)?, steps, world: Arc::clone(&world), told: Arc::clone(&told) };
    let url = serve(model)?;
    (driven.prepare)(&world, &url)?;
    let mut environment = world.environment();
    environment.extend((driven::of(driven.host)?.environment)(&url));
    let talk = Editor::start(&world, environment, &program, driven.words)?.session()?;
    let told = told.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(Played { world, told, talk })
}

fn judge(Played { world, told, talk }: &Played) -> Result<()> {
    answered(&STEPS, told)?;
    ensure!(
        world.read("src/auth/new.ts").as_deref() == Some("export {};\n"),
        "the approved file is not there"
    );
    for path in ["src/core/new.ts", "src/auth/unwanted.ts"] {
        ensure!(world.read(path).is_none(), "{path} is there");
    }
    let questions = &talk.questions;
    ensure!(questions.len() == 2, "{} questions were put in the editor", questions.len());
    for (question, path) in questions.iter().zip(["src/auth/new.ts", "src/auth/unwanted.ts"]) {
        let call = &question["params"]["toolCall"];
        let text = call["content"][0]["content"]["text"].as_str().unwrap_or_default();
        ensure!(text.contains("INT-001") && text.contains(path), "the question says {text}");
        let shown = call["content"].to_string();
        ensure!(shown.contains("export {};"), "the question does not show the change: {shown}");
    }
    let asked_again = talk.own.iter().find(|own| own.to_string().contains("src/auth/new.ts"));
    ensure!(asked_again.is_none(), "the agent asked again: {asked_again:?}");
    ensure!(!talk.editor_refused, "a prompt was refused");
    traffic::passed_unchanged(talk)
}

fn no_prompt(Played { world, told, talk }: &Played) -> Result<()> {
    ensure!(told.is_empty(), "the model was asked");
    ensure!(
        talk.editor_refused && talk.received().contains("nothing would judge"),
        "the prompt was not refused"
    );
    ensure!(world.read("src/auth/new.ts").is_none(), "a file was written");
    traffic::passed_unchanged(talk)
}

fn stopped(Played { world, talk, .. }: &Played) -> Result<()> {
    ensure!(talk.received().contains("Bailiwick stopped this agent"), "it was not stopped");
    ensure!(world.read("src/auth/unwanted.ts").is_none(), "it worked to its end");
    ensure!(talk.questions.is_empty(), "a question was put");
    Ok(())
}
