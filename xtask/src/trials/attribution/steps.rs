//! The steps of a history: agents write through the gate, people edit, git moves the working copy.

use anyhow::Result;

use super::history::{History, Kind};
use super::line::{Files, Line};

/// How many steps a history has.
const STEPS: usize = 36;

/// Files that were there before, and all steps.
pub(super) fn play(history: &mut History<'_>) -> Result<()> {
    for number in 0..3 {
        let path = format!("src/auth/file{number}.{}", history.language.extension);
        let count = 60 + history.dice.roll(160);
        let lines = history.language.lines(&mut history.dice, count);
        let lines = history.numbered(lines, None);
        history.files.insert(path, lines);
    }
    history.write_all()?;
    history.commit()?;
    history.note("start", None)?;
    (0..STEPS).try_for_each(|_| one(history))
}

/// One step, by chance.
fn one(history: &mut History<'_>) -> Result<()> {
    let special = history.dice.roll(4) == 0;
    match history.kind {
        Kind::Moves if special => return moved(history),
        Kind::Copies if special => return copied(history),
        Kind::Extracts if special => return extracted(history),
        Kind::Formatters if special => return formatted(history),
        _ => {}
    }
    match history.dice.roll(16) {
        0..=4 => governed_edit(history),
        5 => governed_file(history),
        6 => governed_removal(history),
        7..=8 => typed(history),
        9 => removed(history),
        10 => changed(history),
        11 => typed_again(history),
        12 => history.commit(),
        13 => discarded(history),
        14 => stashed(history),
        _ => branched(history),
    }
}

fn some_file(history: &mut History<'_>) -> Option<(String, Vec<Line>)> {
    let nth = history.dice.roll(history.files.len());
    history.files.iter().nth(nth).map(|(path, lines)| (path.clone(), lines.clone()))
}

fn span(history: &mut History<'_>, length: usize, most: usize) -> (usize, usize) {
    let start = history.dice.roll(length + 1);
    let count = history.dice.roll(most + 1);
    (start, (start + count).min(length))
}

fn new_lines(history: &mut History<'_>, most: usize, writer: Option<&str>) -> Vec<Line> {
    let count = 1 + history.dice.roll(most);
    let lines = history.language.lines(&mut history.dice, count);
    history.numbered(lines, writer)
}

fn governed_edit(history: &mut History<'_>) -> Result<()> {
    let Some((path, mut lines)) = some_file(history) else { return Ok(()) };
    let (start, end) = span(history, lines.len(), 6);
    let new = new_lines(history, 12, Some("?"));
    lines.splice(start..end, new);
    history.govern(&path, lines)
}

fn governed_file(history: &mut History<'_>) -> Result<()> {
    let path = format!("src/auth/new{}.{}", history.steps.len(), history.language.extension);
    let lines = new_lines(history, 80, Some("?"));
    history.govern(&path, lines)
}

fn governed_removal(history: &mut History<'_>) -> Result<()> {
    let Some((path, mut lines)) = some_file(history) else { return Ok(()) };
    let (start, end) = span(history, lines.len(), 6);
    let gone: Vec<String> = lines.splice(start..end, []).map(|line| line.text).collect();
    if gone.is_empty() || lines.is_empty() {
        return Ok(());
    }
    history.gone.push(gone);
    history.govern(&path, lines)
}

fn typed(history: &mut History<'_>) -> Result<()> {
    let Some((path, mut lines)) = some_file(history) else { return Ok(()) };
    let (start, _) = span(history, lines.len(), 0);
    let new = new_lines(history, 10, None);
    lines.splice(start..start, new);
    history.by_hand("typed", &path, lines)
}

fn removed(history: &mut History<'_>) -> Result<()> {
    let Some((path, mut lines)) = some_file(history) else { return Ok(()) };
    let (start, end) = span(history, lines.len(), 8);
    if end - start < lines.len() {
        lines.drain(start..end);
    }
    history.by_hand("removed", &path, lines)
}

/// A word more on a few lines.
fn changed(history: &mut History<'_>) -> Result<()> {
    let Some((path, mut lines)) = some_file(history) else { return Ok(()) };
    let (start, end) = span(history, lines.len(), 4);
    for (offset, line) in lines.iter_mut().take(end).skip(start).enumerate() {
        let text = format!("{} changed_{}_{offset}\n", line.text.trim_end(), history.steps.len());
        *line = history_line(history.steps.len(), offset, text);
    }
    history.by_hand("changed", &path, lines)
}

fn history_line(step: usize, offset: usize, text: String) -> Line {
    let number = u64::try_from(step * 100_000 + offset).unwrap_or_default() + (1 << 40);
    Line { text, writer: None, seen: None, number }
}

fn typed_again(history: &mut History<'_>) -> Result<()> {
    let Some(gone) = history.gone.pop() else { return typed(history) };
    let Some((path, mut lines)) = some_file(history) else { return Ok(()) };
    let (start, _) = span(history, lines.len(), 0);
    let new = history.numbered(gone, None);
    lines.splice(start..start, new);
    history.by_hand("typed again", &path, lines)
}

/// What was not committed is taken back.
fn discarded(history: &mut History<'_>) -> Result<()> {
    let Some((path, _)) = some_file(history) else { return Ok(()) };
    let Some(lines) = history.committed.get(&path).cloned() else { return Ok(()) };
    history.world.git(&["checkout", "-q", "--", &path])?;
    history.files.insert(path, lines);
    history.check()?;
    history.note("discarded", None)
}

fn stashed(history: &mut History<'_>) -> Result<()> {
    history.commit()?;
    typed(history)?;
    history.world.git(&["stash", "-q", "-u"])?;
    history.world.git(&["stash", "pop", "-q"])?;
    history.check()
}

/// Work on a branch and beside it, put together by git.
fn branched(history: &mut History<'_>) -> Result<()> {
    history.commit()?;
    let base = history.files.clone();
    history.world.git(&["switch", "-q", "-c", "side"])?;
    work(history)?;
    history.commit()?;
    let theirs = history.files.clone();
    history.world.git(&["switch", "-q", "main"])?;
    history.files.clone_from(&base);
    history.note("switch", None)?;
    work(history)?;
    history.commit()?;
    let ours = history.files.clone();
    let is_rebase = history.dice.roll(2) == 0;
    let (done, merged) = match is_rebase {
        false => (
            history.world.git(&["merge", "-q", "--no-edit", "side"]).is_ok(),
            put_together(history, &base, &ours, &theirs)?,
        ),
        true => {
            history.world.git(&["switch", "-q", "side"])?;
            let done = history.world.git(&["rebase", "-q", "main"]).is_ok();
            (done, put_together(history, &base, &theirs, &ours)?)
        }
    };
    let undo = if is_rebase { "rebase" } else { "merge" };
    if !done {
        history.world.git(&[undo, "--abort"])?;
    }
    let merged = merged.filter(|merged| done && is_there(history, merged));
    if merged.is_none() {
        history.world.git(&["switch", "-q", "main"])?;
        history.world.git(&["reset", "-q", "--hard", "HEAD"])?;
        if done && !is_rebase {
            history.world.git(&["reset", "-q", "--hard", "HEAD~1"])?;
        }
    }
    history.files = merged.clone().unwrap_or(ours);
    if is_rebase && merged.is_some() {
        history.world.git(&["switch", "-q", "main"])?;
        history.world.git(&["merge", "-q", "--ff-only", "side"])?;
    }
    history.world.git(&["branch", "-q", "-D", "side"])?;
    history.committed = history.files.clone();
    history.check()?;
    history.note(if merged.is_some() { undo } else { "left branch" }, None)
}

fn work(history: &mut History<'_>) -> Result<()> {
    for _ in 0..2 {
        match history.dice.roll(3) {
            0 => typed(history)?,
            _ => governed_edit(history)?,
        }
    }
    Ok(())
}

fn is_there(history: &History<'_>, files: &Files) -> bool {
    let text = |lines: &[Line]| lines.iter().map(|line| line.text.as_str()).collect::<String>();
    files.iter().all(|(path, lines)| history.world.read(path).as_deref() == Some(&text(lines)))
}

/// The same merge of the lines' numbers, of which each is there once; `None` for a conflict.
fn put_together(history: &History<'_>, base: &Files, ours: &Files, theirs: &Files) -> Result<Option<Files>> {
    let mut merged = Files::new();
    let place = history.world.base().join("merge");
    std::fs::create_dir_all(&place)?;
    for path in base.keys().chain(ours.keys()).chain(theirs.keys()) {
        let [one, other, old] =
            [ours, theirs, base].map(|files| files.get(path).cloned().unwrap_or_default());
        for (name, lines) in [("ours", &one), ("base", &old), ("theirs", &other)] {
            let text: String = lines.iter().map(|line| format!("{}\n", line.number)).collect();
            std::fs::write(place.join(name), text)?;
        }
        let mut command = std::process::Command::new("git");
        let output =
            command.current_dir(&place).args(["merge-file", "-p", "ours", "base", "theirs"]).output()?;
        if !output.status.success() {
            return Ok(None);
        }
        let known: std::collections::BTreeMap<String, &Line> =
            one.iter().chain(&other).map(|line| (line.number.to_string(), line)).collect();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines = said.lines().filter_map(|number| known.get(number).map(|line| (*line).clone()));
        merged.insert(path.clone(), lines.collect());
    }
    Ok(Some(merged))
}

/// A file gets another name, by git or by hand, and then one line of it is edited by an agent.
fn moved(history: &mut History<'_>) -> Result<()> {
    let Some((path, lines)) = some_file(history) else { return Ok(()) };
    let to = format!("src/auth/moved{}.{}", history.steps.len(), history.language.extension);
    let is_git = history.dice.roll(2) == 0 && history.committed.contains_key(&path);
    if is_git {
        history.commit()?;
        history.world.git(&["mv", &path, &to])?;
    } else {
        std::fs::rename(history.world.repo().join(&path), history.world.repo().join(&to))?;
    }
    history.files.remove(&path);
    history.files.insert(to.clone(), lines.clone());
    history.note("moved", None)?;
    if history.dice.roll(2) == 0 {
        history.commit()?;
    }
    if history.dice.roll(2) == 0 {
        let at = history.dice.roll(lines.len());
        let mut lines = lines;
        let new = new_lines(history, 1, Some("?"));
        lines.splice(at..(at + 1).min(lines.len()), new);
        history.govern(&to, lines)?;
    }
    Ok(())
}

/// A run of at least that many lines of some file.
fn run_of(history: &mut History<'_>, least: usize) -> Option<(String, usize, usize)> {
    let (path, lines) = some_file(history)?;
    if lines.len() < least * 2 {
        return None;
    }
    let start = history.dice.roll(lines.len() - least);
    let end = (start + least + history.dice.roll(20)).min(lines.len());
    Some((path, start, end))
}

/// A person copies lines of one file into a new one; or an agent does, and then they are its own.
fn copied(history: &mut History<'_>) -> Result<()> {
    let Some((path, start, end)) = run_of(history, 8) else { return Ok(()) };
    history.commit()?;
    let lines: Vec<Line> =
        history.files.get(&path).map(|lines| lines[start..end].to_vec()).unwrap_or_default();
    let to = format!("src/auth/copy{}.{}", history.steps.len(), history.language.extension);
    if history.dice.roll(3) == 0 {
        let texts = lines.into_iter().map(|line| line.text).collect();
        let lines = history.numbered(texts, Some("?"));
        history.govern(&to, lines)?;
        if history.dice.roll(2) == 0 {
            std::fs::remove_file(history.world.repo().join(&to))?;
            history.files.remove(&to);
            history.note("copy discarded", None)?;
        }
        return Ok(());
    }
    history.by_hand("copied", &to, lines)
}

/// A person moves lines of one file into a new one.
fn extracted(history: &mut History<'_>) -> Result<()> {
    let Some((path, start, end)) = run_of(history, 8) else { return Ok(()) };
    let Some(mut lines) = history.files.get(&path).cloned() else { return Ok(()) };
    let taken: Vec<Line> = lines.drain(start..end).collect();
    let to = format!("src/auth/part{}.{}", history.steps.len(), history.language.extension);
    history.files.insert(path, lines);
    history.by_hand("extracted", &to, taken)
}

/// A formatter goes over a file that is committed.
fn formatted(history: &mut History<'_>) -> Result<()> {
    let Some((path, mut lines)) = some_file(history) else { return Ok(()) };
    history.commit()?;
    match history.dice.roll(3) {
        0 => lines.iter_mut().for_each(|line| line.text = line.text.replace('\'', "\"")),
        1 => lines
            .iter_mut()
            .filter(|line| !line.text.trim().is_empty())
            .for_each(|line| line.text.insert_str(0, "  ")),
        _ => lines = lines.into_iter().flat_map(wrapped).collect(),
    }
    for line in &mut lines {
        line.number += 1 << 50;
    }
    history.by_hand("formatted", &path, lines)
}

/// A line that is long is wrapped behind a comma.
fn wrapped(line: Line) -> Vec<Line> {
    match line.text.char_indices().find(|(at, sign)| *at > 30 && *sign == ',') {
        Some((at, _)) if line.text.len() > at + 4 => {
            let (one, other) = line.text.split_at(at + 1);
            let text = format!("        {}", other.trim_start());
            let (one, number) = (format!("{one}\n"), line.number + (1 << 45));
            vec![Line { text: one, ..line.clone() }, Line { text, number, ..line }]
        }
        _ => vec![line],
    }
}
