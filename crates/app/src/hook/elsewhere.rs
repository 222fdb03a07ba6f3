//! A call of an ungoverned project that leads into a governed repository: the user's hook runs, the gate of that
//! repository does not. Such a call is refused and told where to start; no session is made.
//!
//! Looked at are the places that a call names literally: paths, the folder that it runs in, and for commands each word
//! that could be a path, seen from each folder that the command changes to. What reads stays silent, and so does
//! everything that leads into no governed repository.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bailiwick_adapters_hooks::{EventKind, HostEvent, Reply};
use bailiwick_adapters_shell::ReadOnlyTable;
use bailiwick_domain::{Classification, CommandReader, CommandReading, Params, ToolCall, ToolError, Value};
use bailiwick_policy::registry;

use super::arguments::Arguments;
use super::words;
use crate::refusals::EventFault;
use crate::site::Site;

/// The refusal of a call that leads into another governed repository.
pub(super) fn reply(arguments: &Arguments, event: &HostEvent, base: Option<&Site>) -> Option<Reply> {
    let EventKind::Pre { call, .. } = &event.kind else { return None };
    let judged = ToolCall { params: arguments.host.judged_params(&call.tool, &call.params), ..call.clone() };
    let named = places(arguments, event, &judged);
    let (place, site) = led_to(named, base, arguments)?;
    let error = refusal(&place, &site);
    // The repository that the call leads into hears of it.
    super::log::denied(event, &site, &error);
    Some(Reply::deny(error))
}

/// The places that a call may change; none of a call that reads.
fn places(arguments: &Arguments, event: &HostEvent, call: &ToolCall) -> Vec<PathBuf> {
    let tool = registry::classify(&call.tool, &Default::default());
    if tool.own {
        return Vec::new();
    }
    let targets = bailiwick_policy::targets(&tool, &call.params).unwrap_or_default();
    let changes = targets.paths.iter().any(|target| target.access.mutates());
    if tool.class == Classification::Safe && !changes {
        return Vec::new();
    }
    let start = event.cwd.as_ref().map(PathBuf::from).filter(|path| path.is_absolute());
    let start = start.unwrap_or_else(|| PathBuf::from("/"));
    let home = arguments.home.as_deref();
    if let Some(command) = &targets.command {
        if is_read_only(command) {
            return Vec::new();
        }
        let folder = targets.cwd.as_ref().map_or_else(|| start.clone(), |folder| start.join(folder));
        return words::places(command, &folder, home);
    }
    let mut named: Vec<PathBuf> = targets
        .paths
        .iter()
        .filter(|target| target.access.mutates())
        .map(|target| start.join(words::at_home(&target.requested, home)))
        .collect();
    if !tool.known {
        named.push(start.clone());
        named.extend(absolute_texts(&call.params));
    }
    named
}

/// What a tool that is not known is given and that could be a place.
fn absolute_texts(params: &Params) -> impl Iterator<Item = PathBuf> {
    params.values().filter_map(Value::as_str).map(PathBuf::from).filter(|path| path.is_absolute())
}

fn is_read_only(command: &str) -> bool {
    match ReadOnlyTable::new(Vec::new()).read(command) {
        CommandReading::ReadOnly(_) | CommandReading::OwnTool { folder: None, .. } => true,
        // Behind a `cd` it means to act for the repository there, and would only display.
        CommandReading::OwnTool { folder: Some(_), .. } | CommandReading::Unproved { .. } => false,
    }
}

/// The first place that lies in a governed repository other than the call's own. Each folder is looked at once.
fn led_to(named: Vec<PathBuf>, base: Option<&Site>, arguments: &Arguments) -> Option<(PathBuf, Site)> {
    let mut seen = BTreeSet::new();
    let mut roots = BTreeSet::new();
    for place in named {
        let folder = if place.is_dir() { Some(place.as_path()) } else { place.parent() };
        let is_news = folder.is_some_and(|folder| seen.insert(folder.to_path_buf()));
        if !is_news && !place.is_symlink() {
            continue;
        }
        let Ok(Some(site)) = Site::around(&place, arguments.state.clone()) else { continue };
        let is_own = base.is_some_and(|base| base.layout.private() == site.layout.private());
        if !is_own && roots.insert(site.layout.root().to_path_buf()) && site.is_governed() {
            return Some((place, site));
        }
    }
    None
}

fn refusal(place: &Path, site: &Site) -> ToolError {
    EventFault::LeadsElsewhere { place, root: site.layout.root() }.into()
}
