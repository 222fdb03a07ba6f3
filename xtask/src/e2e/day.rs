//! A day under the gate, replayed: a fresh repository, the real client with a scripted model, and a person who does what
//! a person does. What must hold is printed as a diary; a bound that breaks is an error.
//!
//! The chapters are data; this module sets the stage and plays them in order.

mod chapters;
mod diary;
mod repository;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow};

use self::diary::Diary;
use super::client;
use super::staged::desk::{Desk, Question};
use super::staged::session::Session;
use super::staged::stage::{INTENTS, Stage};
use crate::stage::product;
use crate::stage::side_by_side::side_by_side;
use crate::stage::world::{self, World};

/// How the person says yes to edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Yes {
    /// To each of them; the whole day.
    Each,
    /// By a grant at the first one of a turn; the part of the day with many edits.
    Granted,
}

/// Plays the day in each of these ways, side by side; a bound that breaks is an error.
pub(crate) fn run(ways: &[Yes]) -> Result<()> {
    let played = side_by_side(ways, |yes| run_one(*yes));
    world::sweep();
    let judged = played.into_iter().map(|day| {
        let (diary, played) = day?;
        diary.print();
        played?;
        diary.judge()
    });
    // All of them are printed before the first one that broke is the answer.
    judged.collect::<Vec<_>>().into_iter().collect()
}

fn run_one(yes: Yes) -> Result<(Diary, Result<()>)> {
    let world = Arc::new(World::new(&product::binary()?)?);
    repository::build(&world)?;
    let stage = Arc::new(Stage::governed(&world, client::install()?));
    let mut diary = Diary::of(yes);
    let played = play(&stage, &mut diary, yes);
    Ok((diary, played))
}

fn play(stage: &Arc<Stage>, diary: &mut Diary, yes: Yes) -> Result<()> {
    install(stage, diary)?;
    governed(stage, diary, yes)?;
    if yes == Yes::Granted {
        return Ok(());
    }
    let teammate = Arc::new(stage.clone_of_a_teammate().context("the teammate's clone")?);
    hold(&teammate, diary, chapters::plain("teammate"))?;
    stage.world.gate_says(&["uninstall"])?;
    std::fs::remove_file(stage.world.gate())?;
    let plain = Arc::new(stage.without_the_gate());
    hold(&plain, diary, chapters::plain("uninstalled"))
}

/// The person installs. What `init` made for the team is theirs to commit.
fn install(stage: &Stage, diary: &mut Diary) -> Result<()> {
    let world = &stage.world;
    world.place_program(world.product())?;
    world.gate_says(&["init", "--agent", "claude-code"])?;
    diary.acted("bailiwick init");
    stage.expect_changes([INTENTS, ".orchestration/.gitignore", ".orchestration/config.yaml"]);
    diary.found_strays("init", &stage.strays()?);
    Ok(())
}

/// The part of the day with the gate: the person at the desk answers, the sessions run.
fn governed(stage: &Arc<Stage>, diary: &mut Diary, yes: Yes) -> Result<()> {
    let desk = Desk::open(&stage.world)?;
    diary.acted("bailiwick watch");
    diary.acted("claude");
    let (played, questions) = attended(&desk, yes, || match yes {
        Yes::Each => sessions(stage, diary),
        Yes::Granted => chapters::granted().into_iter().try_for_each(|session| hold(stage, diary, session)),
    });
    diary.read_log(&stage.world)?;
    played?;
    diary.asked(questions.context("the person")?);
    Ok(())
}

/// Does something while the person at the desk answers.
fn attended<T>(
    desk: &Desk<'_>,
    yes: Yes,
    work: impl FnOnce() -> T,
) -> (T, Result<BTreeMap<String, Question>>) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let attending = scope.spawn(|| desk.attend(&stop, yes == Yes::Granted));
        let done = work();
        stop.store(true, Ordering::SeqCst);
        let answered = attending.join().map_err(|_| anyhow!("the person's thread panicked"));
        (done, answered.and_then(|answered| answered))
    })
}

fn sessions(stage: &Arc<Stage>, diary: &mut Diary) -> Result<()> {
    for session in chapters::alone() {
        hold(stage, diary, session)?;
    }
    stage.committed("before the second agent")?;
    stage.world.gate_says(&["intent", "new", "Mark what is sold", "--scope", "src/catalog/shelf01/"])?;
    stage.expect_changes([INTENTS]);
    together(stage, diary)?;
    stage.committed("the day's work")
}

/// Two agents at once on one working copy, each under its own intent.
fn together(stage: &Arc<Stage>, diary: &mut Diary) -> Result<()> {
    println!("   two agents …");
    let [first, second] = chapters::together();
    let (first, second) = std::thread::scope(|scope| {
        let other = scope.spawn(|| second.hold(stage));
        (first.hold(stage), other.join())
    });
    diary.add(first?);
    diary.add(second.map_err(|_| anyhow!("the second agent's thread panicked"))??);
    diary.found_strays("two agents", &stage.strays()?);
    Ok(())
}

fn hold(stage: &Arc<Stage>, diary: &mut Diary, session: Session) -> Result<()> {
    let name = session.name;
    println!("   {name} …");
    diary.add(session.hold(stage)?);
    diary.found_strays(name, &stage.strays()?);
    Ok(())
}
