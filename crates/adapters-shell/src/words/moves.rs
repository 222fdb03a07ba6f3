//! Where each command of a line runs: `cd` moves the shell for what stands behind it, where it comes to its folder.
//!
//! A shell stands in one folder behind a command that worked and may stand in another behind one that failed; `&&`, `||` and
//! `;` say from which of them the next command runs. Both are followed here, as sets.

use std::collections::BTreeSet;

use super::{Before, Line, Simple};

/// Folders in which a shell may stand, each as spelled from where the line begins.
type Places = BTreeSet<Option<String>>;

/// A command that may run in more folders than this is not read.
const MOST_PLACES: usize = 4;

/// Nor is a line whose commands run in more than these.
const MOST_SEEN: usize = 16;

/// Takes each `cd DIR` off a line, and says where its commands run.
pub(super) fn placed(mut line: Line) -> Result<Line, String> {
    for (at, command) in line.commands.iter().enumerate().filter(|(_, command)| moves(command)) {
        is_plain_move(&line, at, command)?;
    }
    match line.commands.iter().filter(|command| moves(command)).count() {
        0 => return Ok(line),
        1 if line.commands.first().is_some_and(moves) => {}
        _ if line.splits => return Err("`&>` may send a `cd` to the background".to_owned()),
        _ => {}
    }
    let (mut surely, mut perhaps) = (Walk::new(false), Walk::new(true));
    let mut is_cut = false;
    for (at, command) in line.commands.iter_mut().enumerate() {
        if line.grouped == Some(at) {
            surely.goes_back();
            perhaps.goes_back();
        }
        command.surely = surely.step(command).into_iter().collect();
        is_cut |= command.is_cut;
        if !moves(command) {
            command.is_cut = std::mem::take(&mut is_cut);
        }
        let places = perhaps.step(command).into_iter();
        command.elsewhere = places.filter(|place| !command.surely.contains(place)).collect();
        if perhaps.here.len() > MOST_PLACES || perhaps.seen.len() > MOST_SEEN {
            return Err("the line moves too often to tell where its commands run".to_owned());
        }
    }
    let ends = surely.ends();
    line.ends = if line.grouped.is_some() { Vec::new() } else { ends.into_iter().collect() };
    line.strays_to = perhaps.reached.into_iter().map(|(place, _)| place).collect();
    (line.needs, line.behind) = surely.reached.into_iter().unzip();
    line.strays_to.retain(|place| !line.needs.contains(place));
    line.commands.retain(|command| !moves(command));
    if line.splits {
        may_be_anywhere(&mut line, perhaps.seen);
    }
    Ok(line)
}

/// To dash, what stands before `&>` moves in the background, and the line itself does not.
fn may_be_anywhere(line: &mut Line, mut seen: Places) {
    seen.insert(None);
    seen.extend(line.needs.iter().cloned().map(Some));
    for command in &mut line.commands {
        command.elsewhere.clear();
        command.surely = seen.iter().cloned().collect();
    }
    line.ends = seen.into_iter().collect();
}

/// Whether a command is a `cd` that moves the line itself.
fn moves(command: &Simple) -> bool {
    !command.within && command.words.first().is_some_and(|name| name.text == "cd" && !name.quoted)
}

fn is_plain_move(line: &Line, at: usize, command: &Simple) -> Result<(), String> {
    if command.input.is_some() {
        return Err("`cd` takes no input".to_owned());
    }
    let [_, folder] = command.words.as_slice() else { return Err("`cd` takes one folder here".to_owned()) };
    let is_plain = !(folder.pattern || folder.braces || folder.open);
    if folder.text.is_empty() || !is_plain || folder.text.starts_with(['-', '+', '~']) {
        return Err(format!("`cd {}` may lead anywhere", folder.text));
    }
    let is_piped = |command: &Simple| command.before == Before::Bar;
    if is_piped(command) || line.commands.get(at + 1).is_some_and(is_piped) {
        return Err("`cd` stands in a pipe, where only some shells move".to_owned());
    }
    if line.grouped.is_some_and(|count| at >= count) {
        return Err("`cd` stands behind brackets".to_owned());
    }
    Ok(())
}

/// A way through the commands of a line.
#[derive(Debug)]
struct Walk {
    /// Whether a `cd` may find no folder.
    may_fail: bool,
    /// Where the shell may stand behind a command that worked, and behind one that failed.
    worked: Places,
    failed: Places,
    /// Where the last command ran.
    here: Places,
    /// Every place so far in which a command may run.
    seen: Places,
    /// How many commands there were so far.
    count: usize,
    /// Every folder that a `cd` leads to, with how many commands stand before the last one that does.
    reached: Vec<(String, usize)>,
}

impl Walk {
    fn new(may_fail: bool) -> Self {
        let (worked, none) = (Places::from([None]), Places::new);
        Self { may_fail, worked, failed: none(), here: none(), seen: none(), count: 0, reached: Vec::new() }
    }

    /// Goes on behind the brackets in which it moved.
    fn goes_back(&mut self) {
        let start = Places::from([None]);
        (self.worked, self.failed, self.here) = (start.clone(), start.clone(), start);
    }

    /// Where a command runs; goes on behind it.
    fn step(&mut self, command: &Simple) -> Places {
        let (worked, failed) = (std::mem::take(&mut self.worked), std::mem::take(&mut self.failed));
        (self.here, self.worked, self.failed) = match command.before {
            // All of a pipe runs in one place.
            Before::Bar => (std::mem::take(&mut self.here), worked, failed),
            Before::Joint("&&") => (worked, Places::new(), failed),
            Before::Joint("||") => (failed, worked, Places::new()),
            Before::Joint(_) | Before::Start => (&worked | &failed, Places::new(), Places::new()),
        };
        match command.words.get(1).filter(|_| moves(command)) {
            Some(folder) => self.moves_to(&folder.text),
            None => {
                self.count += 1;
                self.seen.extend(self.here.iter().cloned());
                self.worked.extend(self.here.iter().cloned());
                self.failed.extend(self.here.iter().cloned());
            }
        }
        self.here.clone()
    }

    fn moves_to(&mut self, folder: &str) {
        for from in &self.here {
            let place = joined(from.as_deref(), folder);
            self.reached.retain(|(known, _)| *known != place);
            self.reached.push((place.clone(), self.count));
            self.worked.insert(Some(place));
        }
        if self.may_fail {
            self.failed.extend(self.here.iter().cloned());
        }
    }

    /// Where the shell may stand in the end.
    fn ends(&self) -> Places {
        &self.worked | &self.failed
    }
}

/// A folder as spelled from where the line begins.
pub(crate) fn joined(from: Option<&str>, folder: &str) -> String {
    match from {
        Some(from) if !folder.starts_with('/') => format!("{}/{folder}", from.trim_end_matches('/')),
        _ => folder.to_owned(),
    }
}
