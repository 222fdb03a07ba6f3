//! `bailiwick intent graph`: intents, requirements, files and symbols with the links between them.
//!
//! It reads, and runs no check. Deliberately absent: where the code is now (`intent coverage`), what hangs on no intent
//! (`beyond`), and how the picture is drawn (`mermaid`).

mod beyond;
mod mermaid;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use bailiwick_adapters_fs::SystemClock;
use bailiwick_domain::{
    Clock, Intent, IntentId, IntentRepo, IntentSet, IntentStatus, OwnedScope, RepoPath, Value, json,
};
use bailiwick_policy::scope_match::ScopeMatcher;

use self::beyond::{Scopes, Unowned};
use super::Here;
use crate::command::named::unknown;
use crate::command::trace::drift::Drift;
use crate::command::trace::reader_of;
use crate::command::trace::sources::claims::Claimed;
use crate::command::trace::sources::departed::Departed;
use crate::command::{CommandError, Context};
use crate::evidence::{IntentMap, MapChange, Proof};
use crate::gate::may_overlap;
use crate::map_file;
use crate::site::Site;

/// So many pairs of intents that share files are told.
const MOST_PAIRS: usize = 1000;
/// So many owners of one file are paired.
const MOST_OWNERS: usize = 32;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The picture is Mermaid text, which code hosts and editors draw: paste it between ```mermaid and ```. \
A picture holds at most 400 links; --json has all.

Links: serves (intent to requirement), part of (intent to its parent), changed (intent to file, as \
the ledger has it), owns (to a pattern of its scope that no change was made in yet), overlaps (two \
open intents whose scopes may own the same file, or two intents that changed the same file), drifted \
(to a file that changed without a record, as `trace verify --drift` says; its box is thick).

A dashed box is open: a requirement without a recorded change, or a part of a scope that nobody \
touched. Files that no open intent owns stand in a frame, by folder; not where intents are named.

Examples:
  bailiwick intent graph > intents.mmd
  bailiwick intent graph INT-001 --symbols
  bailiwick intent graph --json")]
pub(in crate::command) struct Graph {
    /// Only these intents and what they are linked to
    #[arg(value_name = "INTENT")]
    intents: Vec<String>,
    /// Draw the functions and types that were changed, too
    #[arg(long)]
    symbols: bool,
    #[command(flatten)]
    claimed: Claimed,
}

/// One intent.
struct Node {
    id: IntentId,
    /// Nothing for one that is not in the file any more.
    name: Option<String>,
    status: Option<IntentStatus>,
}

/// How two things hang together.
enum Link<'m> {
    Serves { intent: IntentId, requirement: String },
    PartOf { child: IntentId, parent: IntentId },
    Owns { intent: IntentId, pattern: String },
    Overlaps { one: IntentId, other: IntentId, scopes: bool, files: usize },
    Drifted { intent: IntentId, file: RepoPath, change: &'static str },
    Changed { change: MapChange<'m>, in_scope: bool },
}

/// The whole, before it is drawn.
struct Picture<'m> {
    intents: Vec<Node>,
    /// With whether a change was recorded for it.
    requirements: BTreeMap<String, bool>,
    links: Vec<Link<'m>>,
    /// Whether there are more overlaps than were looked at.
    has_more_overlaps: bool,
    /// Nothing where only some intents are looked at.
    unowned: Option<Unowned>,
    drift_is_complete: bool,
}

pub(super) fn run(
    here: &Here,
    site: &Site,
    args: &Graph,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    let set = pollster::block_on(here.repo.load())?.as_of(SystemClock.now());
    context.claims.take(args.claimed);
    let map = map_file::recorded(&context.claims.reader(reader_of(site)))?;
    let mut picture = Picture::of(&set, &map);
    let (scopes, drift) = (Scopes::of(&set), beyond::drift(site)?);
    picture.add(&scopes, &drift);
    if args.intents.is_empty() {
        picture.unowned = Some(scopes.unowned(&map, site)?);
    } else {
        picture.narrow(&args.intents, &set)?;
    }
    let departed = Departed::look(site);
    if context.json {
        context.terminal.json(&departed.with(picture.as_json()));
        return Ok(ExitCode::SUCCESS);
    }
    let drawn = mermaid::drawn(&picture, args.symbols);
    drawn.text.lines().for_each(|line| context.terminal.say(line));
    if drawn.left_out > 0 {
        let left_out = drawn.left_out;
        context.terminal.hint(&format!(
            "the picture would be too large for most viewers, so {left_out} links are left out: name intents, or use `--json`"
        ));
    }
    let is_whole = picture.unowned.as_ref().is_none_or(|unowned| unowned.is_complete);
    if !is_whole || !picture.drift_is_complete {
        context
            .terminal
            .hint("not every file was looked at: some that nobody owns or recorded may be missing");
    }
    departed.tell(context);
    context.claims.tell(context);
    Ok(ExitCode::SUCCESS)
}

impl<'m> Picture<'m> {
    fn of(set: &IntentSet, map: &'m IntentMap) -> Self {
        let known: BTreeMap<&IntentId, &Intent> = set.iter().map(|intent| (intent.id(), intent)).collect();
        let mut intents: Vec<Node> = set.iter().map(Node::of).collect();
        let mut requirements: BTreeMap<String, bool> = BTreeMap::new();
        let mut links = Vec::new();
        for intent in set.iter() {
            let child = intent.id().clone();
            links.extend(intent.parent().cloned().map(|parent| Link::PartOf { child, parent }));
            for requirement in served(intent) {
                requirements.entry(requirement.clone()).or_default();
                links.push(Link::Serves { intent: intent.id().clone(), requirement });
            }
        }
        let mut touched: BTreeMap<&IntentId, Vec<&RepoPath>> = BTreeMap::new();
        for change in map.changes() {
            touched.entry(change.intent).or_default().push(change.file);
            for requirement in change.requirements {
                requirements.insert(requirement.clone(), true);
            }
        }
        let gone = touched.keys().filter(|id| !known.contains_key(*id));
        intents.extend(gone.map(|id| Node { id: (*id).clone(), name: None, status: None }));
        for intent in set.iter().filter(|intent| intent.is_open()) {
            let files = touched.get(intent.id()).map(Vec::as_slice).unwrap_or_default();
            links.extend(untouched(intent, files));
        }
        let (overlaps, has_more_overlaps) = overlaps(set, &known, map);
        links.extend(overlaps);
        let mut scopes: BTreeMap<&IntentId, Option<ScopeMatcher>> = BTreeMap::new();
        links.extend(map.changes().map(|change| {
            let scope = scopes.entry(change.intent).or_insert_with(|| {
                known.get(change.intent).and_then(|intent| ScopeMatcher::new(intent.owned_scope()).ok())
            });
            let in_scope = scope.as_ref().is_some_and(|scope| scope.matches(change.file));
            Link::Changed { change, in_scope }
        }));
        Self { intents, requirements, links, has_more_overlaps, unowned: None, drift_is_complete: false }
    }

    /// Takes in what changed without a record, before what was recorded.
    fn add(&mut self, scopes: &Scopes<'_>, drift: &Drift) {
        self.drift_is_complete = drift.is_complete;
        let recorded = self.links.iter().position(|link| matches!(link, Link::Changed { .. }));
        let at = recorded.unwrap_or(self.links.len());
        drop(self.links.splice(at..at, scopes.drifted(drift)));
    }

    /// Keeps what hangs together with these intents.
    fn narrow(&mut self, named: &[String], set: &IntentSet) -> Result<(), CommandError> {
        let wanted: BTreeSet<&str> = named.iter().map(String::as_str).collect();
        for name in &wanted {
            if !self.intents.iter().any(|node| node.id.as_str() == *name) {
                return Err(unknown(name, set));
            }
        }
        self.links.retain(|link| link.intents().any(|id| wanted.contains(id.as_str())));
        let linked: BTreeSet<&IntentId> = self.links.iter().flat_map(Link::intents).collect();
        self.intents.retain(|node| wanted.contains(node.id.as_str()) || linked.contains(&node.id));
        let named = |link: &Link<'_>| link.requirements().map(str::to_owned).collect::<Vec<_>>();
        let linked: BTreeSet<String> = self.links.iter().flat_map(named).collect();
        self.requirements.retain(|id, _| linked.contains(id));
        Ok(())
    }

    fn as_json(&self) -> Value {
        let intent = |node: &Node| {
            json!({
                "id": node.id,
                "name": node.name,
                "status": node.status,
                "in_file": node.status.is_some(),
            })
        };
        let requirement = |(id, implemented): (&String, &bool)| json!({"id": id, "implemented": implemented});
        let files: BTreeSet<&RepoPath> = self.links.iter().filter_map(Link::file).collect();
        json!({
            "intents": self.intents.iter().map(intent).collect::<Vec<_>>(),
            "requirements": self.requirements.iter().map(requirement).collect::<Vec<_>>(),
            "files": files,
            "links": self.links.iter().map(Link::as_json).collect::<Vec<_>>(),
            "orphans": {
                "requirements": self.requirements.iter().filter(|(_, done)| !**done).map(|(id, _)| id).collect::<Vec<_>>(),
                "scope": self.links.iter().filter_map(Link::as_untouched).collect::<Vec<_>>(),
                "code": self.unowned.as_ref().map(Unowned::as_json),
            },
            "more_overlaps": self.has_more_overlaps,
            "drift_complete": self.drift_is_complete,
        })
    }
}

impl Node {
    fn of(intent: &Intent) -> Self {
        let name = Some(intent.name().to_owned());
        Self { id: intent.id().clone(), name, status: Some(intent.status()) }
    }
}

impl Link<'_> {
    fn intents(&self) -> impl Iterator<Item = &IntentId> {
        let (one, other) = match self {
            Self::Serves { intent, .. } | Self::Owns { intent, .. } | Self::Drifted { intent, .. } => {
                (intent, None)
            }
            Self::PartOf { child, parent } => (child, Some(parent)),
            Self::Overlaps { one, other, .. } => (one, Some(other)),
            Self::Changed { change, .. } => (change.intent, None),
        };
        std::iter::once(one).chain(other)
    }

    fn requirements(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match self {
            Self::Serves { requirement, .. } => Box::new(std::iter::once(requirement.as_str())),
            Self::Changed { change, .. } => Box::new(change.requirements.iter().map(String::as_str)),
            _ => Box::new(std::iter::empty()),
        }
    }

    fn file(&self) -> Option<&RepoPath> {
        if let Self::Changed { change, .. } = self { Some(change.file) } else { None }
    }

    fn as_untouched(&self) -> Option<Value> {
        let Self::Owns { intent, pattern } = self else { return None };
        Some(json!({"intent": intent, "pattern": pattern}))
    }

    fn as_json(&self) -> Value {
        match self {
            Self::Serves { intent, requirement } => {
                json!({"type": "serves", "intent": intent, "requirement": requirement})
            }
            Self::PartOf { child, parent } => json!({"type": "part_of", "intent": child, "parent": parent}),
            Self::Owns { intent, pattern } => {
                json!({"type": "owns", "intent": intent, "pattern": pattern, "touched": false})
            }
            Self::Overlaps { one, other, scopes, files } => {
                json!({"type": "overlaps", "intents": [one, other], "scopes": scopes, "files": files})
            }
            Self::Drifted { intent, file, change } => {
                json!({"type": "drifted", "intent": intent, "file": file, "change": change})
            }
            Self::Changed { change, in_scope } => {
                let MapChange { intent, file, symbols, requirements, proof } = change;
                json!({
                    "type": "changed",
                    "intent": intent,
                    "file": file,
                    "symbols": symbols,
                    "requirements": requirements,
                    "in_scope": in_scope,
                    "proof": Proof::as_str(*proof),
                })
            }
        }
    }
}

/// The requirements that an intent serves; one is derived from its id where it names none, as in the ledger.
pub(super) fn served(intent: &Intent) -> Vec<String> {
    match intent.requirements() {
        [] => Vec::from([format!("REQ-{}", intent.id())]),
        named => named.to_vec(),
    }
}

/// The patterns of a scope in which no change was recorded under the intent.
fn untouched<'m>(intent: &Intent, files: &[&RepoPath]) -> Vec<Link<'m>> {
    let patterns = intent.owned_scope().patterns().iter().filter(|pattern| !pattern.is_exclusion());
    let open = patterns.filter(|pattern| {
        let alone = OwnedScope::new(Vec::from([(*pattern).clone()]), true).ok();
        let matcher = alone.and_then(|scope| ScopeMatcher::new(&scope).ok());
        !matcher.is_some_and(|matcher| files.iter().any(|file| matcher.matches(file)))
    });
    open.map(|pattern| Link::Owns { intent: intent.id().clone(), pattern: pattern.as_str().to_owned() })
        .collect()
}

/// Pairs that may own or did change the same file. A child shares files with its parents on purpose.
fn overlaps<'m>(
    set: &IntentSet,
    known: &BTreeMap<&IntentId, &Intent>,
    map: &IntentMap,
) -> (Vec<Link<'m>>, bool) {
    let mut pairs: BTreeMap<(IntentId, IntentId), (bool, usize)> = BTreeMap::new();
    let mut has_more = false;
    let is_above = |one: &IntentId, other: &IntentId| {
        known.get(one).is_some_and(|one| one.within().iter().any(|above| above.intent == *other))
            || known.get(one).is_some_and(|one| one.parent() == Some(other))
    };
    let mut pair = |one: &IntentId, other: &IntentId, scopes: bool| {
        if is_above(one, other) || is_above(other, one) {
            return true;
        }
        let key = (one.min(other).clone(), one.max(other).clone());
        if pairs.len() >= MOST_PAIRS && !pairs.contains_key(&key) {
            return false;
        }
        let (by_scope, files) = pairs.entry(key).or_default();
        *by_scope |= scopes;
        *files += usize::from(!scopes);
        true
    };
    let mut changers: BTreeMap<&RepoPath, Vec<&IntentId>> = BTreeMap::new();
    for change in map.changes() {
        let all = changers.entry(change.file).or_default();
        if all.len() < MOST_OWNERS { all.push(change.intent) } else { has_more = true }
    }
    for all in changers.values() {
        for (nth, one) in all.iter().enumerate() {
            has_more |= !all.iter().skip(nth + 1).all(|other| pair(one, other, false));
        }
    }
    let live: Vec<&Intent> = set.selectable().collect();
    'scopes: for (nth, one) in live.iter().enumerate() {
        for other in live.iter().skip(nth + 1) {
            if may_overlap(one.owned_scope(), other.owned_scope()) && !pair(one.id(), other.id(), true) {
                has_more = true;
                break 'scopes;
            }
        }
    }
    let link = |((one, other), (scopes, files))| Link::Overlaps { one, other, scopes, files };
    (pairs.into_iter().map(link).collect(), has_more)
}
