//! That segments are damaged, beside an answer that may lack entries of them.

use bailiwick_adapters_fs::damaged_segments;

use crate::command::Context;
use crate::counted::counted;
use crate::inert;
use crate::site::Site;

/// Says that segments are not what they were named for.
pub(crate) fn tell_of_damage(site: &Site, context: &Context) {
    if let Some(damage) = damage(site) {
        context.terminal.warning(&damage);
    }
}

/// That segments are not what they were named for: entries of them may be missing, and nobody would know.
pub(crate) fn damage(site: &Site) -> Option<String> {
    let damaged = damaged_segments(&site.layout).ok()?;
    let first = inert::line(&damaged.first()?.display().to_string());
    let count = counted(damaged.len(), "sealed segment is", "sealed segments are");
    Some(format!(
        "{count} damaged, and entries of it may be missing here: {first}; `bailiwick trace verify` names all"
    ))
}
