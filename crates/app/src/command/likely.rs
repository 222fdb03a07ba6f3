//! Which files of the working copy are likely to change, by words and by what git remembers. A ranking for a person to look
//! at: nothing of it is written, and nothing of it decides.

mod past;
mod tree;

use bailiwick_domain::Amended;
use bailiwick_policy::scope_match::ScopeMatcher;
use bailiwick_policy::suggest::{Goal, Pattern, Ranked, forgotten, patterns, rank};

use super::output::terminal::{DIM, HEADING};
use super::{CommandError, Context};
use crate::inert;
use crate::site::Site;

/// So many files are named that a draft left out.
const MOST_FORGOTTEN: usize = 5;
const FORGOTTEN: &str = "Usually changed with these files, and not in the scope:";

/// The patterns for a goal, of at most so many ranked files.
pub(super) fn for_goal(site: &Site, goal: &str, most: usize) -> Result<Vec<Pattern>, CommandError> {
    let goal = Goal::of(goal);
    let tree = tree::look(site, &goal)?;
    let past = past::past(site, &tree.files);
    Ok(patterns(&rank(&goal, &tree.files, &past, most), &tree.all))
}

/// A file that a drafted intent leaves out.
struct Forgotten {
    path: String,
    why: String,
}

/// What usually changes with the files of a drafted intent and is not in it. Where that cannot be found out there is
/// nothing: the draft is shown all the same.
fn left_out(site: &Site, draft: &Amended) -> Vec<Forgotten> {
    let Amended::Intent(proposal) = draft else { return Vec::new() };
    let Ok(matcher) = ScopeMatcher::new(&proposal.owned_scope) else { return Vec::new() };
    let Ok(tree) = tree::list(site) else { return Vec::new() };
    let past = past::past(site, &tree.files);
    let found = forgotten(&tree.files, |path| matcher.matches(path), &past, MOST_FORGOTTEN);
    let told = |one: Ranked<'_>| {
        let why: Vec<String> = one.why.iter().map(|why| inert::line(&why.says())).collect();
        Forgotten { path: inert::line(one.path.as_str()), why: why.join("; ") }
    };
    found.into_iter().map(told).collect()
}

/// Tells a person at a terminal what a draft leaves out.
pub(super) fn tell_forgotten(site: &Site, draft: &Amended, context: &Context) {
    let found = left_out(site, draft);
    if !found.is_empty() {
        context.terminal.styled(HEADING, FORGOTTEN);
    }
    for Forgotten { path, why } in found {
        context.terminal.say(format_args!("  {path}  {DIM}{why}{DIM:#}"));
    }
}

/// The same as lines below a draft's preview; empty where nothing is left out.
pub(super) fn forgotten_lines(site: &Site, draft: &Amended) -> String {
    let found = left_out(site, draft);
    if found.is_empty() {
        return String::new();
    }
    let line = |Forgotten { path, why }: Forgotten| format!("  {path}  ({why})\n");
    format!("{FORGOTTEN}\n{}", found.into_iter().map(line).collect::<String>())
}
