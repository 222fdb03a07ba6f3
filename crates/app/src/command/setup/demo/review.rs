//! The end of the demo's turn: everything that the grant allowed as one change, to keep or to put back.

use bailiwick_domain::Grant;

use crate::command::answers::approval;
use crate::command::output::reading;
use crate::command::output::terminal::{BAD, DIM, GOOD, WARN};
use crate::command::{CommandError, Context};
use crate::compose::restorer;
use crate::gate::Gate;
use crate::inert;
use crate::site::Site;

/// Reviews the grant, if one was given: the story puts its edit back, a person who plays decides.
pub(super) fn tell(
    site: &Site,
    gate: &Gate,
    context: &Context,
    interactive: bool,
) -> Result<(), CommandError> {
    let restorer = restorer(site, gate);
    let waiting = pollster::block_on(restorer.to_review()).map_err(other)?;
    for Grant { id, .. } in waiting {
        let changes = pollster::block_on(restorer.changes_of(id)).map_err(other)?;
        for line in inert::lines(changes.diff().trim_end()) {
            context.terminal.say(format_args!("   {WARN}│{WARN:#} {}", approval::coloured(line)));
        }
        let keeps = interactive && context.terminal.confirm("   Keep it?");
        let back = if keeps { Vec::new() } else { changes.revertible() };
        let word = if keeps { "keep it" } else { "put it back" };
        let why = if interactive || keeps { "" } else { ": dividing first loses cents" };
        context.terminal.say(format_args!("   you   → {BAD}{word}{BAD:#}{why}"));
        let done = pollster::block_on(restorer.review(&changes, &back, &crate::command::who::person()))
            .map_err(other)?;
        let recorded = done
            .trace_ids
            .first()
            .map_or_else(String::new, |entry| format!("recorded as {}", reading::id(entry)));
        context
            .terminal
            .say(format_args!("   gate  → {GOOD}{id} reviewed{GOOD:#}  {DIM}{recorded}{DIM:#}\n"));
    }
    Ok(())
}

fn other(error: impl ToString) -> CommandError {
    CommandError::Other(error.to_string())
}
