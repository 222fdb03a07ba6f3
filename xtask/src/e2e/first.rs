//! The first approved edit as a newcomer gets there: the commands of README's day are typed into two terminals, and every
//! thing that the person does is counted. Then every command that README shows is run.
//!
//! The client's own questions of a first start are answered beforehand: they are not ours.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::client;
use super::client::interactive::settle_in;
use super::client::model::{Model, NextTurn, Turn};
use super::client::scenario::call;
use crate::stage::product;
use crate::stage::terminal::Terminal;
use crate::stage::world::World;
use crate::workspace;

/// The most that a person may have to do.
const MOST: usize = 5;
/// The chapter of README, and what begins its commands.
const DAY: &str = "## A day in your own repository";
/// How long the client and the gate may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the person looks at a question.
const LOOK: Duration = Duration::from_millis(700);

const LOGIN: &str = "src/auth/login.ts";
const BEFORE: &str = "timeout = 10";
const AFTER: &str = "timeout = 30";

/// What clap says to a command that is not one.
const NOT_A_COMMAND: [&str; 4] = [
    "unrecognized subcommand",
    "unexpected argument",
    "invalid value",
    "required arguments were not provided",
];

/// Plays it; more than five actions, or a command of README that is none, is an error.
pub(crate) fn run() -> Result<()> {
    println!("a newcomer's first approved edit");
    let readme = std::fs::read_to_string(workspace::root().join("README.md"))?;
    let world = Arc::new(World::new(&product::binary()?)?);
    world.place_program(world.product())?;
    std::os::unix::fs::symlink(client::install()?, world.bin().join("claude"))?;
    settle_in(&world)?;
    let actions = first_edit(&world, &day(&readme))?;
    for (number, action) in actions.iter().enumerate() {
        println!("   {}. {action}", number + 1);
    }
    ensure!(actions.len() <= MOST, "a newcomer does {} things, not {MOST}", actions.len());
    shown(&world, &readme)
}

/// What the person did until the first edit was approved.
fn first_edit(world: &Arc<World>, typed: &[String]) -> Result<Vec<String>> {
    let [init, watch, agent] = typed else { anyhow::bail!("README's day has other commands: {typed:?}") };
    let mut actions = Vec::new();
    let shell = |environment: &[(String, String)]| Terminal::open(&world.repo(), environment, "/bin/sh -i");
    let desk = shell(&world.environment())?;
    enter(&desk, init, &mut actions)?;
    desk.wait_for(&["is governed"], PATIENCE)?;
    enter(&desk, watch, &mut actions)?;
    desk.wait_for(&["quit"], PATIENCE)?;
    let model = Model::start(script(world))?;
    let other = shell(&client::environment(world, &model.url()))?;
    enter(&other, agent, &mut actions)?;
    for (asked, answer) in [("propose_intent", "accept the draft"), ("edit_file", "approve the edit")] {
        answer_one(world, &desk, asked)
            .with_context(|| format!("{answer}; the agent: {}", screen(&other)))?;
        actions.push(format!("{answer}: a"));
    }
    let started = Instant::now();
    while !world.read(LOGIN).is_some_and(|text| text.contains(AFTER)) {
        ensure!(started.elapsed() < PATIENCE, "the edit was never made; the agent: {}", screen(&other));
        std::thread::sleep(LOOK);
    }
    let faults = model.faults();
    ensure!(faults.is_empty(), "the script failed: {}", faults.join("; "));
    Ok(actions)
}

fn screen(terminal: &Terminal) -> String {
    terminal.screen().unwrap_or_default().trim_end().to_owned()
}

fn enter(terminal: &Terminal, line: &str, actions: &mut Vec<String>) -> Result<()> {
    terminal.type_text(line)?;
    terminal.press(&["Enter"])?;
    actions.push(format!("type: {line}"));
    Ok(())
}

/// One key, once the question is there; it must be all that the question needs.
fn answer_one(world: &World, desk: &Terminal, tool: &str) -> Result<()> {
    let started = Instant::now();
    let id = loop {
        if let Some(request) = world.open_approvals()?.first() {
            ensure!(request["tool"] == tool, "another question is asked: {request}");
            break request["id"].as_str().context("a request without an id")?.to_owned();
        }
        ensure!(started.elapsed() < PATIENCE, "nothing is asked");
        std::thread::sleep(Duration::from_millis(100));
    };
    desk.wait_for(&[&id], PATIENCE)?;
    std::thread::sleep(LOOK);
    desk.press(&["a"])?;
    let pressed = Instant::now();
    while world.open_approvals()?.iter().any(|request| request["id"] == *id) {
        ensure!(pressed.elapsed() < PATIENCE, "one key did not answer it:\n{}", screen(desk));
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// What the agent does: it drafts an intent, selects it, looks, and edits.
fn script(world: &Arc<World>) -> NextTurn {
    let world = Arc::clone(world);
    let file = format!("{{root}}/{LOGIN}");
    let draft = json!({
        "name": "Raise the login timeout", "why": "Logins are cut off",
        "owned_scope": ["src/auth/"], "acceptance_criteria": ["logins may take 30 seconds"],
    });
    let steps = [
        call("ToolSearch", json!({"query": "select:mcp__bailiwick__propose_intent", "max_results": 1})),
        call("mcp__bailiwick__propose_intent", draft),
        super::scenarios::select(),
        call("Read", json!({ "file_path": file })),
        call("Edit", json!({"file_path": file, "old_string": BEFORE, "new_string": AFTER})),
    ];
    Box::new(move |_, index| {
        Ok(Some(match steps.get(index).map(|step| &step.turn) {
            Some(Turn::Call { tool, input }) => Turn::Call { tool: tool.clone(), input: world.fill(input) },
            _ => Turn::Text("script is over".to_owned()),
        }))
    })
}

/// The commands that a reader types on the first day, without installing and going to the repository.
fn day(readme: &str) -> Vec<String> {
    let chapter = readme.split_once(DAY).map_or("", |(_, after)| after);
    let block = chapter.split("```").nth(1).unwrap_or_default();
    let typed = commands(block);
    typed.into_iter().filter(|line| line.starts_with("bailiwick") || line.starts_with("claude")).collect()
}

/// The lines behind a prompt, without their comments.
fn commands(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("$ "));
    lines.map(|line| line.split(" # ").next().unwrap_or(line).trim().to_owned()).collect()
}

/// Runs the commands of the program that README shows and that were not typed; the last one takes it out again.
fn shown(world: &World, readme: &str) -> Result<()> {
    let typed = day(readme);
    let ours: Vec<String> = commands(readme)
        .into_iter()
        .filter(|line| line.starts_with("bailiwick ") && !typed.contains(line))
        .collect();
    ensure!(ours.len() > 5, "README shows other commands than these: {ours:?}");
    for line in &ours {
        let said = said(world, line)?;
        let wrong = NOT_A_COMMAND.iter().any(|words| said.contains(words));
        ensure!(!wrong, "README shows `{line}`, which says: {said}");
    }
    println!("   {} more commands of README are commands", ours.len());
    Ok(())
}

fn said(world: &World, line: &str) -> Result<String> {
    let output = world.output(Command::new(Path::new("/bin/sh")).arg("-c").arg(line))?;
    Ok(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_day_is_three_commands_that_readme_shows() {
        let readme = std::fs::read_to_string(workspace::root().join("README.md")).unwrap();
        let words: Vec<String> =
            day(&readme).iter().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(words[..2], ["bailiwick init", "bailiwick watch"]);
        assert!(words.len() == 3 && words[2].starts_with("claude"), "{words:?}");
    }

    #[test]
    fn comments_are_not_typed() {
        assert_eq!(commands("$ a b   # why\nout\n$ c"), ["a b", "c"]);
    }
}
