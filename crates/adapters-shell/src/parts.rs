//! What a line reads, folder by folder: a `cd` in it moves the commands behind it.

use bailiwick_domain::{Moves, ReadOnly};

use crate::read_only::options::Proof;
use crate::started_by;
use crate::words::{Line, Simple};

/// What is to say of a line before its commands: every folder in which some of it stands.
pub(crate) fn of_line(line: &Line) -> ReadOnly {
    let all = |places: fn(&Simple) -> &Vec<Option<String>>, reached: &[String]| {
        let mut parts: Vec<ReadOnly> = Vec::new();
        let stands = line.commands.iter().flat_map(places).cloned();
        for folder in stands.chain(reached.iter().cloned().map(Some)) {
            if !parts.iter().any(|part| part.folder == folder) {
                parts.push(ReadOnly { folder, ..ReadOnly::default() });
            }
        }
        parts
    };
    let mut parts = all(|command| &command.surely, &line.needs).into_iter();
    let first = parts.next().unwrap_or_default();
    let if_missing = all(|command| &command.elsewhere, &line.strays_to);
    let (needs, ends) = (line.needs.clone(), line.ends.clone());
    let moves = Moves { others: parts.collect(), needs, if_missing, ends, ..Moves::default() };
    ReadOnly { posix: line.posix, moves: Box::new(moves), ..first }
}

/// Adds what a proved command of a line reads, in each folder where it may run.
pub(crate) fn add(reading: &mut ReadOnly, command: &Simple, proof: &Proof) -> Result<(), String> {
    for_each_part(reading, command, |part| add_to(part, command, proof))
}

/// Adds what another command of a line starts.
pub(crate) fn start(reading: &mut ReadOnly, command: &Simple) -> Result<(), String> {
    for_each_part(reading, command, |part| {
        part.starts = part.starts.and(started_by(&command.words));
        Ok(())
    })
}

/// Takes note that nothing of what a line shows is a file as a whole.
pub(crate) fn shows_no_file(reading: &mut ReadOnly) {
    let Moves { others, if_missing, .. } = reading.moves.as_mut();
    others.iter_mut().chain(if_missing).for_each(|part| part.shows.clear());
    reading.shows.clear();
}

/// Does something to each part that a command belongs to.
fn for_each_part(
    reading: &mut ReadOnly,
    command: &Simple,
    mut act: impl FnMut(&mut ReadOnly) -> Result<(), String>,
) -> Result<(), String> {
    if command.surely.contains(&reading.folder) {
        act(reading)?;
    }
    let Moves { others, if_missing, .. } = reading.moves.as_mut();
    let surely = others.iter_mut().filter(|part| command.surely.contains(&part.folder));
    let elsewhere = if_missing.iter_mut().filter(|part| command.elsewhere.contains(&part.folder));
    surely.chain(elsewhere).try_for_each(act)
}

fn add_to(part: &mut ReadOnly, command: &Simple, proof: &Proof) -> Result<(), String> {
    if proof.from_top && part.folder.is_some() {
        return Err("git takes what stands behind `:` from the top, not from the folder of `cd`".to_owned());
    }
    let Proof { shows, reads, patterns, names, files, from_top: _, git_in, looks, listed } = proof;
    let (paths, looked_for) = match looks {
        true => (&mut part.looks.paths, &mut part.looks.patterns),
        false => (&mut part.reads, &mut part.patterns),
    };
    paths.extend_from_slice(reads);
    looked_for.extend_from_slice(patterns);
    part.reads.extend(command.input.clone());
    part.shows.extend_from_slice(shows);
    part.names.extend_from_slice(names);
    part.listed.extend(listed.clone());
    part.files.extend_from_slice(files);
    part.git_in.extend_from_slice(git_in);
    part.splits |= command.words.iter().any(|word| word.splits);
    part.starts = part.starts.and(started_by(&command.words));
    Ok(())
}
