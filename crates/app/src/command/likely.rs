//! Which files of the working copy are likely to change, by words and by what git remembers. A ranking for a person to look
//! at: nothing of it is written, and nothing of it decides.

mod past;
mod tree;

use bailiwick_domain::Amended;
use bailiwick_policy::scope_match::ScopeMatcher;
use bailiwick_policy::suggest::{Goal, Pattern, forgotten, patterns, rank};

use super::output::terminal::{DIM, HEADING};
use super::{CommandError, Context};
use crate::inert;
use crate::site::Site;

/// So many files are named that a draft left out.
const MOST_FORGOTTEN: usize = 5;

/// The patterns for a goal, of at most so many ranked files.
pub(super) fn for_goal(site: &Site, goal: &str, most: usize) -> Result<Vec<Pattern>, CommandError> {
    let goal = Goal::of(goal);
    let tree = tree::look(site, &goal)?;
    let past = past::past(site, &tree.files);
    Ok(patterns(&rank(&goal, &tree.files, &past, most), &tree.all))
}

/// Tells a person what usually changes with the files of a drafted intent and is not in it. Where that cannot be found out,
/// nothing is said: the draft is shown all the same.
pub(super) fn tell_forgotten(site: &Site, draft: &Amended, context: &Context) {
    let Amended::Intent(proposal) = draft else { return };
    let Ok(matcher) = ScopeMatcher::new(&proposal.owned_scope) else { return };
    let Ok(tree) = tree::list(site) else { return };
    let past = past::past(site, &tree.files);
    let found = forgotten(&tree.files, |path| matcher.matches(path), &past, MOST_FORGOTTEN);
    if !found.is_empty() {
        context.terminal.styled(HEADING, "Usually changed with these files, and not in the scope:");
    }
    for one in found {
        let why: Vec<String> = one.why.iter().map(|why| inert::line(&why.says())).collect();
        let path = inert::line(one.path.as_str());
        context.terminal.say(format_args!("  {path}  {DIM}{}{DIM:#}", why.join("; ")));
    }
}
