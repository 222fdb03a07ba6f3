//! The steps of a history, each with its commits.

use std::process::Command;

use anyhow::{Result, ensure};

use super::history::History;
use super::text::{Hand, Line, formatted, is_code};

/// How many steps a history has.
const STEPS: usize = 5;

const STEP: [fn(&mut History) -> Result<()>; 11] = [
    by_agent,
    by_person,
    by_both,
    by_both,
    person_before_agent,
    in_turns,
    formatter,
    merge,
    squash,
    beside_pending_work,
    files_come_and_go,
];

pub(super) fn play(history: &mut History) -> Result<()> {
    (0..STEPS).try_for_each(|_| {
        let step = history.dice.roll(STEP.len());
        STEP.get(step).map_or(Ok(()), |step| step(history))
    })
}

/// Some lines of a file come, go, or are replaced.
fn edit(history: &mut History, path: &str, by: Hand) -> Result<()> {
    let mut lines = history.files.get(path).cloned().unwrap_or_default();
    let at = history.dice.roll(lines.len() + 1);
    let (takes, comes) = match history.dice.roll(4) {
        0 => (1 + history.dice.roll(2), 0),
        1 => (1, 1 + history.dice.roll(2)),
        _ => (0, 1 + history.dice.roll(3)),
    };
    // Something stays, so that the file is one.
    let takes = takes.min(lines.len().saturating_sub(at)).min(lines.len().saturating_sub(2));
    let comes = if takes == 0 { comes.max(1) } else { comes };
    let new: Vec<Line> = (0..comes).map(|_| history.line(path, by)).collect();
    lines.splice(at..at + takes, new);
    match by {
        Hand::Agent => history.by_agent(path, lines),
        Hand::Person => history.by_hand(path, lines),
    }
}

fn some(history: &mut History, by: Hand, most: usize) -> Result<()> {
    for _ in 0..=history.dice.roll(most) {
        let owned = |path: &&String| by == Hand::Person || path.starts_with("src/auth/");
        let paths: Vec<String> = history.files.keys().filter(owned).cloned().collect();
        if let Some(path) = history.dice.pick(&paths).cloned() {
            edit(history, &path, by)?;
        }
    }
    Ok(())
}

fn by_agent(history: &mut History) -> Result<()> {
    some(history, Hand::Agent, 3)?;
    history.commit("agent", false, false)
}

fn by_person(history: &mut History) -> Result<()> {
    some(history, Hand::Person, 3)?;
    history.commit("person", false, false)
}

fn by_both(history: &mut History) -> Result<()> {
    some(history, Hand::Agent, 2)?;
    some(history, Hand::Person, 2)?;
    history.commit("agent and person", false, false)
}

fn person_before_agent(history: &mut History) -> Result<()> {
    some(history, Hand::Person, 2)?;
    some(history, Hand::Agent, 2)?;
    history.commit("person and agent", false, false)
}

/// One commit of what a person, an agent and the person again did to the same files.
fn in_turns(history: &mut History) -> Result<()> {
    for by in [Hand::Person, Hand::Agent, Hand::Person] {
        some(history, by, 2)?;
    }
    history.commit("person, agent, person", false, false)
}

/// A formatter goes over all code; sometimes the message says that an agent ran it.
fn formatter(history: &mut History) -> Result<()> {
    let before = history.files.clone();
    for (path, lines) in &mut history.files {
        if is_code(path) {
            *lines = lines.iter().map(formatted).collect();
        }
    }
    if history.files == before {
        return Ok(());
    }
    history.write_all()?;
    let says_agent = history.dice.roll(2) == 0;
    history.commit("formatter", says_agent, true)
}

/// Work on a branch, and other files on the way here; merged in one of three ways.
fn merge(history: &mut History) -> Result<()> {
    let (before, on_topic) = branched(history)?;
    if history.dice.roll(3) == 0 {
        return conflict(history, &on_topic);
    }
    let notes = history.files.get("docs/notes.md") != before.get("docs/notes.md");
    history.world.git(&["merge", "-q", "--no-ff", "--no-edit", "topic"])?;
    for (path, lines) in &on_topic {
        if path != "docs/notes.md" || !notes {
            history.files.insert(path.clone(), lines.clone());
        }
    }
    let files = history.files.clone();
    history.keep("merge", files, Some(false), false)?;
    history.world.git(&["branch", "-qD", "topic"])
}

/// Both sides replace one line, and a person says what it shall be.
fn conflict(history: &mut History, on_topic: &super::text::Files) -> Result<()> {
    let Some(ours) = history.files.get("src/auth/a.rs").cloned() else { return Ok(()) };
    let Some(theirs) = on_topic.get("src/auth/a.rs").cloned() else { return Ok(()) };
    let tip = history.git_says(&["rev-parse", "topic"])?;
    ensure!(!tip.trim().is_empty(), "the branch is gone");
    let mut changed = ours.clone();
    let line = history.line("src/auth/a.rs", Hand::Person);
    changed.insert(0, line);
    history.by_hand("src/auth/a.rs", changed)?;
    history.commit("ours", false, false)?;
    let merged = history.world.output(Command::new("git").args(["merge", "-q", "--no-ff", "topic"]))?;
    let mut resolved = theirs;
    let line = history.line("src/auth/a.rs", Hand::Person);
    resolved.insert(0, line);
    history.by_hand("src/auth/a.rs", resolved)?;
    for (path, lines) in on_topic.iter().filter(|(path, _)| path.as_str() == "src/auth/b.rs") {
        history.files.insert(path.clone(), lines.clone());
    }
    history.write_all()?;
    history.world.git(&["add", "-A"])?;
    let words: &[&str] = match merged.status.success() {
        true => &["commit", "-q", "--amend", "--no-edit"],
        false => &["commit", "-q", "--no-edit"],
    };
    history.world.git(words)?;
    let files = history.files.clone();
    history.keep("merge with a conflict", files, Some(false), false)?;
    history.world.git(&["branch", "-qD", "topic"])
}

fn squash(history: &mut History) -> Result<()> {
    let touched = history.touched.clone();
    let (_, on_topic) = branched(history)?;
    history.world.git(&["merge", "-q", "--squash", "topic"])?;
    let notes = history.files.get("docs/notes.md").cloned();
    history.files = on_topic;
    if let Some(notes) = notes {
        history.files.insert("docs/notes.md".to_owned(), notes);
    }
    // What the agent did on the branch is new here.
    history.touched = touched;
    history.touched.extend(["src/auth/a.rs", "src/auth/b.rs"].map(str::to_owned));
    let before = history.made.get(&history.head()?).map(|made| made.files.clone()).unwrap_or_default();
    let is_agents = |path: &&String| history.is_agents(path, &before, &history.files) != Some(false);
    let touched = history.touched.iter().filter(is_agents).cloned().collect();
    history.touched = touched;
    let files = history.files.clone();
    if files != before {
        history.commit_staged("squash", &files, false, false)?;
        history.mark_as_git_has_it()?;
    }
    history.world.git(&["branch", "-qD", "topic"])
}

/// Two commits on a branch and one here, on the notes; what was here before the branch, and what the branch has.
fn branched(history: &mut History) -> Result<(super::text::Files, super::text::Files)> {
    let before = history.files.clone();
    let here = history.git_says(&["branch", "--show-current"])?.trim().to_owned();
    history.world.git(&["checkout", "-q", "-b", "topic"])?;
    for _ in 0..2 {
        let by = if history.dice.roll(3) == 0 { Hand::Person } else { Hand::Agent };
        let path = if history.dice.roll(2) == 0 { "src/auth/a.rs" } else { "src/auth/b.rs" };
        edit(history, path, by)?;
        history.commit("on the branch", false, false)?;
    }
    let on_topic = history.files.clone();
    history.world.git(&["checkout", "-q", &here])?;
    history.files = before.clone();
    edit(history, "docs/notes.md", Hand::Person)?;
    history.commit("meanwhile", false, false)?;
    Ok((before, on_topic))
}

/// A person commits a file of their own while an agent's work waits; then the work is committed.
fn beside_pending_work(history: &mut History) -> Result<()> {
    some(history, Hand::Agent, 2)?;
    edit(history, "docs/notes.md", Hand::Person)?;
    history.world.git(&["add", "docs"])?;
    let mut files = history.made.get(&history.head()?).map(|made| made.files.clone()).unwrap_or_default();
    if let Some(notes) = history.files.get("docs/notes.md") {
        files.insert("docs/notes.md".to_owned(), notes.clone());
    }
    history.commit_staged("beside the agent's work", &files, false, false)?;
    history.commit("the agent's work", false, false)
}

/// An agent makes a file, and a person takes one away.
fn files_come_and_go(history: &mut History) -> Result<()> {
    let extra: Vec<String> =
        history.files.keys().filter(|path| path.starts_with("src/auth/new")).cloned().collect();
    match history.dice.pick(&extra).cloned() {
        Some(path) => {
            history.remove_by_hand(&path)?;
            history.commit("person removes a file", false, false)
        }
        None => {
            let path = format!("src/auth/new{}.rs", history.made.len());
            let lines = (0..4).map(|_| history.line(&path, Hand::Agent)).collect();
            history.by_agent(&path, lines)?;
            history.commit("agent makes a file", false, false)
        }
    }
}
