//! Replaces names by what they stand for: a new private function by its body, a new constant by its literal, a variable
//! that is used once by its value. Where the rewritten text equals the other side, the two mean the same.
//!
//! What is substituted must be evaluated as often, in the same order, on the same values: arguments are variables of the
//! caller or literals; nothing of a body may mean something else at the place of the call; types that might convert are
//! held to their text.

mod arguments;
mod calls;
mod constants;
mod first;
mod places;
mod rewrite;
mod signature;
mod template;
mod values;

use crate::outline::Outline;

pub(crate) use rewrite::replace;

/// The text with everything expanded that the other text does not have; `None` where there is nothing to expand.
pub(crate) fn toward<'t>(
    own: &Outline<'t>,
    other: &Outline<'t>,
    around: &[&Outline<'t>],
) -> Option<Outline<'t>> {
    if own.errors > 0 || other.errors > 0 {
        return None;
    }
    let mut rewritten = own.clone();
    let constants = constants::expand(&mut rewritten, other);
    let functions = calls::expand(&mut rewritten, other, around);
    let variables = values::expand_variables(&mut rewritten, other);
    (constants || functions || variables).then_some(rewritten)
}
