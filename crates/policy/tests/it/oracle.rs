//! A naive evaluator, written from the rows alone: one long list of (code, applies) pairs, no code shared with
//! `decide` but the domain's types. It must agree with `decide` on generated facts.

use std::sync::LazyLock;

use bailiwick_domain::{
    ApprovalKind, Classification, CommandFault, Constraint, Effect, ErrorCode, FileState, Health,
    HealthFault, IgnoreFile, Intent, IntentStatus, Location, NeverRead, Observation, OnViolation, OwnedScope,
    Permission, RepoPath, ScopePattern, Settings, Shown, State, WorkspacePath,
};
use bailiwick_policy::{
    Access, AnchorFact, Facts, IgnoreFact, IgnoreRules, IntentFact, TargetFact, Unreadable, Verdict, decide,
};
use proptest::prelude::*;

use crate::scope::naive;
use crate::support::{call, content, draft, id, repo, selectable};

#[derive(Debug, PartialEq)]
pub(crate) enum Said {
    Allow,
    Ask,
    Override,
    Block(ErrorCode),
}

pub(crate) fn said(verdict: &Verdict) -> Said {
    match verdict {
        Verdict::Allow => Said::Allow,
        Verdict::WaitForApproval(need) if need.kind == ApprovalKind::ScopeOverride => Said::Override,
        Verdict::WaitForApproval(_) => Said::Ask,
        Verdict::Block(refusal) => Said::Block(refusal.code(&selectable())),
    }
}

/// The ignore file of the generated world, and what it means.
const IGNORE_TEXT: &str = "b/\n[INT-001]\na/b\n[INT-*] read\na/a.b\n";

/// Parsed and compiled once: what the property is about is the verdict.
static RULES: LazyLock<IgnoreRules> = LazyLock::new(|| {
    let file = IgnoreFile { name: ".intentignore".to_owned(), text: IGNORE_TEXT.to_owned() };
    let rules = IgnoreRules::parse(&[file]).unwrap();
    rules.forbids(&repo("x"), Some(&id("INT-001")), false, false);
    rules
});

fn ignored(path: &str, intent: Option<&str>, reading: bool) -> bool {
    let in_b = path.split('/').any(|segment| segment == "b");
    let in_ab = path == "a/b" || path.starts_with("a/b/");
    let in_aab = path == "a/a.b" || path.starts_with("a/a.b/");
    (in_b && !reading)
        || (in_ab && !reading && intent == Some("INT-001"))
        || (in_aab && intent.is_some_and(|name| name.starts_with("INT-")))
}

fn evaluate(facts: &Facts, ignoring: bool) -> Said {
    use ErrorCode as E;
    let settings = &facts.settings;
    let own = ["select_active_intent", "list_intents"].contains(&facts.tool_name.as_str());
    let destructive = facts.tool.class == Classification::Destructive;
    let note =
        |t: &TargetFact| matches!(t.location, Location::Scratch(_)) && facts.tool.effect == Effect::Interact;
    let governed = destructive || facts.targets.iter().any(|t| t.access != Access::Read && !note(t));
    if let Health::Broken(fault) = &facts.health {
        let free = own || (!governed && settings.safe_tools_when_broken == Permission::Allow);
        if !free {
            return Said::Block(match fault {
                HealthFault::NoRoot => E::MissingWorkspaceRoot,
                HealthFault::Missing(_) => E::OrchestrationMissing,
                HealthFault::Invalid(_) => E::OrchestrationInvalid,
                HealthFault::StateUnavailable(_) => E::LedgerUnavailable,
            });
        }
    }
    if facts.quarantine.is_some() {
        return Said::Block(E::Quarantined);
    }
    if own {
        return Said::Allow;
    }
    let intent = if let IntentFact::Active(intent) = &facts.intent { Some(&**intent) } else { None };
    let name = match &facts.intent {
        IntentFact::None => None,
        IntentFact::Gone(id) => Some(id.as_str()),
        IntentFact::Active(intent) => Some(intent.id().as_str()),
    };
    let acting = facts.state == State::Action;
    let text =
        |scope: &OwnedScope| scope.patterns().iter().map(|p| p.as_str().to_owned()).collect::<Vec<_>>();
    let scope: Vec<String> = intent.map(|intent| text(intent.owned_scope())).unwrap_or_default();
    let parent: Option<Vec<String>> = facts.parent_scope.as_ref().map(text);
    let owned = |path: &RepoPath| {
        naive::owns(&scope, path.as_str())
            && parent.as_ref().is_none_or(|parent| naive::owns(parent, path.as_str()))
    };
    let names = |t: &TargetFact| -> Vec<RepoPath> {
        if let Location::Inside(found) = &t.location {
            [Some(found.path.clone()), found.spelled.clone()].into_iter().flatten().collect()
        } else {
            Vec::new()
        }
    };
    let changes: Vec<&TargetFact> = facts.targets.iter().filter(|t| t.access != Access::Read).collect();
    let shows: Vec<&TargetFact> = facts.targets.iter().filter(|t| t.access == Access::Read).collect();
    let any = |list: &[&TargetFact], test: &dyn Fn(&TargetFact) -> bool| list.iter().any(|t| test(t));
    let is = |wanted: &'static str| {
        move |path: &RepoPath| path.as_str().to_lowercase().split('/').any(|s| s == wanted)
    };
    let silent = settings.strict && !acting && facts.tool.effect != Effect::Interact;
    let foreign = facts
        .foreign_intent
        .as_ref()
        .filter(|_| acting && governed && intent.is_some_and(Intent::is_selectable));
    let first_outdated =
        changes.iter().find(|t| !names(t).is_empty() && outdated(t, settings.never_read)).copied();
    let rows: Vec<(ErrorCode, bool)> = vec![
        (E::StateViolation, (governed && !acting) || silent),
        (E::MissingIntent, governed && acting && facts.intent == IntentFact::None),
        (E::IntentNotFound, governed && acting && matches!(facts.intent, IntentFact::Gone(_))),
        (E::IntentNotSelectable, governed && acting && intent.is_some_and(|intent| !intent.is_selectable())),
        (E::StateViolation, foreign.is_some_and(|id| selectable().contains(id))),
        (E::IntentNotFound, foreign.is_some_and(|id| !selectable().contains(id))),
        (E::CommandNotUnderstood, matches!(facts.command_fault, Some(CommandFault::NotUnderstood(_)))),
        (E::DelegationRefused, matches!(facts.command_fault, Some(CommandFault::Delegation(_)))),
        (E::ProtectedPath, matches!(facts.command_fault, Some(CommandFault::HumanOnly(_)))),
        (E::MalformedCall, matches!(facts.malformed, Some(Unreadable::Malformed(_)))),
        (E::TooLarge, matches!(facts.malformed, Some(Unreadable::TooLarge(_)))),
        (E::MalformedCall, facts.targets.iter().any(|t| matches!(t.location, Location::Invalid(_)))),
        (E::OutsideWorkspace, facts.targets.iter().any(|t| matches!(t.location, Location::Outside(_)))),
        (E::OutsideWorkspace, any(&changes, &|t| matches!(t.location, Location::ReadRoot(_)))),
        (E::OutsideWorkspace, any(&changes, &|t| matches!(t.location, Location::Scratch(_)) && !note(t))),
        (E::ProtectedPath, any(&changes, &|t| t.location == Location::Root || names(t).iter().any(is(".git")))),
        (E::ProtectedPath, any(&shows, &|t| names(t).iter().any(is(".env")))),
        (E::IntentignoreInvalid, governed && matches!(facts.ignore, IgnoreFact::Invalid(_))),
        (E::IntentIgnored, ignoring && any(&changes, &|t| names(t).iter().any(|p| ignored(p.as_str(), name, false)))),
        (E::IntentIgnored, ignoring && any(&shows, &|t| names(t).iter().any(|p| ignored(p.as_str(), name, true)))),
        (E::NoScope, governed && intent.is_some() && scope.is_empty()),
        (
            E::ScopeViolation,
            governed && intent.is_some() && !scope.is_empty() && any(&changes, &|t| match names(t).as_slice() {
                [] => false,
                [path] => !owned(path),
                [path, link, ..] => {
                    let on_link = matches!(t.access, Access::Delete | Access::MoveFrom | Access::MoveTo);
                    !owned(path) || (on_link && !owned(link))
                }
            } || names(t).iter().any(is("claude.md")) && !scope.contains(&names(t)[0].to_string())),
        ),
        (E::ConstraintViolation, intent.is_some_and(|intent| intent.constraints().iter().any(|limit| match limit {
            Constraint::Text(_) | Constraint::MaxFiles(_) | Constraint::MaxLines(_) => false,
            Constraint::ForbidTools(tools) => tools.contains(&facts.tool_name),
            Constraint::ForbidPaths(_) => any(&changes, &|t| names(t).iter().any(|p| {
                p.as_str() == "a/.a" || p.as_str().starts_with("a/.a/")
            })),
        }))),
        (E::TraceLinkMissing, governed && intent.is_some_and(|intent| {
            let declared = intent.requirements();
            let derived = format!("REQ-{}", intent.id());
            (declared.is_empty() && settings.require_requirement)
                || facts.requirement_ids.iter().any(|id| !(declared.contains(id) || declared.is_empty() && *id == derived))
        })),
        (E::ProtectedPath, first_outdated.is_some_and(|t| names(t).iter().any(is(".env")))),
        (E::StaleFile, first_outdated.is_some_and(|t| !names(t).iter().any(is(".env")))),
    ];
    let failing: Vec<ErrorCode> =
        rows.iter().filter(|(_, applies)| *applies).map(|(code, _)| *code).collect();
    let looping = facts.blocked_before >= settings.loop_repeats;
    match failing.as_slice() {
        [] if destructive => Said::Ask,
        [] => Said::Allow,
        [E::ScopeViolation | E::NoScope] if settings.on_violation == OnViolation::Ask => Said::Override,
        _ if looping => Said::Block(E::LoopDetected),
        [first, ..] => Said::Block(*first),
    }
}

/// D-44: what replaces a file must have been shown whole, what changes a part of it some of it.
fn outdated(t: &TargetFact, never_read: NeverRead) -> bool {
    use AnchorFact::{Ambiguous, Found, FoundLoosely, Missing, NotQuoted};
    let on_disk = t.current.clone();
    let claim = t.claimed.as_ref().map(|hash| FileState::Content(hash.clone()));
    let claim_fails =
        claim.is_some_and(|claim| claim != on_disk || t.observed.as_ref().map(|o| &o.state) != Some(&claim));
    let anchored = t.access == Access::Anchored;
    let quotes = anchored || t.access == Access::Patch;
    let replaces = matches!(t.access, Access::Overwrite | Access::Delete | Access::MoveTo)
        || t.access == Access::Patch && t.anchor == NotQuoted;
    let seen = t.observed.as_ref().map(|o| &o.state);
    let part = t.observed.as_ref().is_some_and(|o| o.shown == Shown::Part);
    let held = matches!(seen, Some(FileState::Content(_)));
    let makes = matches!(t.access, Access::Overwrite | Access::MoveTo) || anchored && t.anchor == Found;
    let strict = never_read == NeverRead::Block;
    let unfit = if anchored && matches!(t.anchor, Missing | Ambiguous) {
        true
    } else if anchored && held && matches!(t.anchor, Found | FoundLoosely) {
        false
    } else {
        match seen {
            None if on_disk == FileState::Absent => false,
            None => strict && !(quotes && t.anchor == Found),
            Some(seen) if *seen == on_disk => strict && part && replaces && on_disk != FileState::Absent,
            Some(seen) => !(on_disk == FileState::Absent && makes && *seen != FileState::Absent),
        }
    };
    claim_fails || unfit
}

fn any_repo_path() -> impl Strategy<Value = RepoPath> {
    prop_oneof![
        8 => "[ab]/(a|b|a\\.b|\\.a)(/[ab])?",
        1 => Just("a/.GIT/x".to_owned()),
        1 => Just("a/.env".to_owned()),
        1 => Just("a/CLAUDE.md".to_owned()),
    ]
    .prop_map(|text| repo(&text))
}

fn any_location() -> impl Strategy<Value = Location> {
    let found =
        (any_repo_path(), prop::option::weighted(0.15, any_repo_path())).prop_map(|(path, spelled)| {
            Location::Inside(WorkspacePath { folded: path.as_str().to_lowercase(), path, spelled })
        });
    prop_oneof![
        12 => found,
        1 => Just(Location::Root),
        1 => Just(Location::Outside("/etc/x".to_owned())),
        1 => Just(Location::ReadRoot("/usr/doc".to_owned())),
        1 => Just(Location::Scratch("/tmp/notes".to_owned())),
        1 => Just(Location::Invalid("why".to_owned())),
    ]
}

fn any_state_of_file() -> impl Strategy<Value = FileState> {
    prop_oneof![
        1 => Just(FileState::Absent),
        6 => Just(content("old")),
        1 => Just(content("new")),
        1 => Just(FileState::Other),
    ]
}

fn any_target() -> impl Strategy<Value = TargetFact> {
    let access = prop_oneof![
        Just(Access::Read),
        Just(Access::Overwrite),
        Just(Access::Anchored),
        Just(Access::Patch),
        Just(Access::Delete),
        Just(Access::MoveFrom),
        Just(Access::MoveTo),
    ];
    let anchor = prop_oneof![
        4 => Just(AnchorFact::Found), 1 => Just(AnchorFact::FoundLoosely), 1 => Just(AnchorFact::Missing), 1 => Just(AnchorFact::Ambiguous), 1 => Just(AnchorFact::NotQuoted),
    ];
    let seen = prop::option::weighted(0.9, (any_state_of_file(), prop::bool::weighted(0.2)));
    let claim = prop::option::weighted(0.1, prop::bool::ANY);
    let explained = prop::option::weighted(
        0.3,
        prop_oneof![
            Just(bailiwick_policy::Explained::Imported),
            Just(bailiwick_policy::Explained::TakenBack)
        ],
    );
    (any_location(), access, any_state_of_file(), seen, claim, anchor, explained).prop_map(
        |(location, access, current, observed, claim, anchor, explained)| TargetFact {
            requested: "as spelled".to_owned(),
            access,
            location,
            current,
            observed: observed.map(|(state, part)| match part {
                true => Observation::part(state),
                false => Observation::whole(state),
            }),
            explained,
            claimed: claim.map(|old| bailiwick_domain::ContentHash::of(if old { b"old" } else { b"new" })),
            anchor,
        },
    )
}

fn any_scope() -> impl Strategy<Value = OwnedScope> {
    let pattern = prop_oneof![
        3 => Just("**".to_owned()), 2 => Just("a/".to_owned()), 2 => Just("b".to_owned()), 1 => Just("!a/b".to_owned()),
        1 => Just("a/CLAUDE.md".to_owned()), 1 => Just("*/a*".to_owned()), 1 => crate::scope::any_pattern(),
    ];
    prop::collection::vec(pattern, 0..4).prop_map(|texts| {
        OwnedScope::new(texts.iter().map(|text| ScopePattern::new(text).unwrap()).collect(), true).unwrap()
    })
}

fn any_intent() -> impl Strategy<Value = IntentFact> {
    let status = prop_oneof![9 => Just(IntentStatus::InProgress), 1 => Just(IntentStatus::Completed)];
    let limit = prop_oneof![
        8 => Just(None),
        1 => Just(Some(Constraint::ForbidTools(vec!["Bash".to_owned()]))),
        1 => Just(Some(Constraint::ForbidPaths(vec![ScopePattern::new("a/.a/").unwrap()]))),
    ];
    let there =
        (any_scope(), status, limit, prop::bool::weighted(0.5), prop::bool::weighted(0.05), prop::bool::ANY);
    let there = there.prop_map(|(scope, status, limit, declares, frozen, first)| {
        let mut draft = draft(if first { "INT-001" } else { "REQ-002" }, &[]);
        draft.owned_scope = scope;
        draft.status = status;
        draft.frozen = frozen;
        draft.constraints = limit.into_iter().collect();
        draft.requirements = if declares { vec!["REQ-1".to_owned()] } else { Vec::new() };
        IntentFact::Active(Box::new(Intent::new(draft).unwrap()))
    });
    prop_oneof![1 => Just(IntentFact::None), 1 => Just(IntentFact::Gone(id("INT-001"))), 12 => there]
}

fn any_settings() -> impl Strategy<Value = Settings> {
    let never_read = prop_oneof![Just(NeverRead::Block), Just(NeverRead::Ask), Just(NeverRead::Allow)];
    (any::<bool>(), any::<bool>(), prop::bool::weighted(0.1), prop::bool::weighted(0.1), never_read).prop_map(
        |(ask, spare, strict, require, never_read)| Settings {
            on_violation: if ask { OnViolation::Ask } else { OnViolation::Block },
            safe_tools_when_broken: if spare { Permission::Allow } else { Permission::Block },
            strict,
            require_requirement: require,
            never_read,
            ..Settings::default()
        },
    )
}

fn any_health() -> impl Strategy<Value = Health> {
    prop_oneof![
        15 => Just(Health::Ok),
        1 => Just(Health::Broken(HealthFault::NoRoot)),
        1 => Just(Health::Broken(HealthFault::Missing("it".to_owned()))),
        1 => Just(Health::Broken(HealthFault::StateUnavailable("disk".to_owned()))),
    ]
}

/// Facts, with whether the ignore file is there.
pub(crate) fn any_facts() -> impl Strategy<Value = (Facts, bool)> {
    let tool = prop_oneof![
        2 => Just("read_file"), 4 => Just("write_to_file"), 1 => Just("Bash"), 1 => Just("mcp__x__y"),
        1 => Just("attempt_completion"), 1 => Just("select_active_intent"),
    ];
    let state = prop_oneof![1 => Just(State::Request), 1 => Just(State::Reasoning), 8 => Just(State::Action)];
    let ignore = prop_oneof![4 => Just(0), 4 => Just(1), 1 => Just(2)];
    let calls = (
        tool,
        prop::collection::vec(any_target(), 0..4),
        prop::option::weighted(0.05, prop::bool::weighted(0.2)),
        prop::bool::weighted(0.1),
    );
    let stands = (
        state,
        any_intent(),
        prop::option::weighted(0.1, any_scope()),
        prop_oneof![9 => 0..3_u32, 1 => 3..5_u32],
    );
    let rest = (
        any_settings(),
        any_health(),
        ignore,
        prop::bool::weighted(0.05),
        prop::option::weighted(0.2, 0..3_usize),
    );
    let names = prop::option::weighted(0.1, prop::bool::ANY);
    let faults = [CommandFault::NotUnderstood, CommandFault::Delegation, CommandFault::HumanOnly];
    let fault = prop::option::weighted(
        0.05,
        prop::sample::select(faults.map(|fault| fault("odd".to_owned())).to_vec()),
    );
    (calls, stands, rest, names, fault).prop_map(|(calls, stands, rest, foreign, fault)| {
        let (tool, targets, malformed, safe_by_setting) = calls;
        let (state, intent, parent_scope, blocked_before) = stands;
        let (settings, health, ignore, halted, requirement) = rest;
        let mut facts =
            Facts { settings, health, state, intent, parent_scope, blocked_before, ..call(tool, targets) };
        facts.quarantine = halted.then(|| "halted".to_owned());
        facts.malformed = malformed.map(|large| {
            if large {
                Unreadable::TooLarge("much".to_owned())
            } else {
                Unreadable::Malformed("odd".to_owned())
            }
        });
        facts.command_fault = fault;
        facts.foreign_intent = foreign.map(|known| id(if known { "INT-002" } else { "INT-999" }));
        let ids = ["REQ-1", "REQ-INT-001", "REQ-9"];
        facts.requirement_ids = requirement.map(|index| ids[index].to_owned()).into_iter().collect();
        if safe_by_setting && !facts.tool.own {
            facts.tool.class = Classification::Safe;
        }
        facts.ignore = match ignore {
            0 => IgnoreFact::Absent,
            1 => IgnoreFact::Rules(RULES.clone()),
            _ => IgnoreFact::Invalid("line 3".to_owned()),
        };
        (facts, ignore == 1)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, max_shrink_iters: 2_000, ..ProptestConfig::default() })]
    #[test]
    fn the_verdict_is_the_one_that_the_rows_give((facts, ignoring) in any_facts()) {
        prop_assert_eq!(said(&decide(&facts)), evaluate(&facts, ignoring));
    }
}
