//! Which calls a grant covers: each bound and each fuse by itself, and a naive oracle on generated calls (D-02).

use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Actor, FileState, Grant, GrantBounds, GrantCost, GrantEnd, GrantFile, GrantId, GrantLimits, GrantStatus,
    GrantUse, Intent, Location, NeverRead, Observation, OwnedScope, Shown, Timestamp,
};
use bailiwick_policy::coverage::{ChangeFact, Moment, Uncovered, covers, has_drifted};
use bailiwick_policy::executable::can_run;
use bailiwick_policy::{Access, AnchorFact, Facts, IntentFact, TargetFact};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use crate::support::{active, call, content, draft, linked, repo, target};

const BRANCH: &str = "refs/heads/main";

/// A grant with a call that it covers, and all that the coverage depends on.
#[derive(Clone, Debug)]
struct Case {
    grant: Grant,
    facts: Facts,
    changes: Vec<ChangeFact>,
    now: Timestamp,
    actor: Actor,
    worktree: Option<String>,
    branch: String,
    prompted: Option<Timestamp>,
}

fn change(path: &str, lines: u32) -> ChangeFact {
    ChangeFact {
        path: repo(path),
        after: Some(content("new")),
        lines: Some(lines),
        is_text: true,
        run_by: None,
        sets_mode: false,
    }
}

fn used(path: &str, after: FileState) -> GrantFile {
    GrantFile { path: repo(path), before: content("first"), after }
}

fn limits() -> GrantLimits {
    GrantLimits {
        max_files: 2,
        max_calls: 3,
        max_lines: 20,
        max_lines_per_call: 10,
        ..GrantLimits::default()
    }
}

fn grant(limits: GrantLimits) -> Grant {
    let intent = Intent::new(draft("INT-001", &["src/**"])).unwrap();
    let mut terms = sample::grant_terms(sample::now());
    terms.revision = intent.revision().clone();
    terms.bounds = GrantBounds::new(limits).unwrap();
    Grant {
        id: GrantId::new(1),
        terms,
        used: GrantUse::default(),
        status: GrantStatus::Live,
        log_seq: 0,
        review: None,
    }
}

impl Case {
    /// Everything is in order, and nothing to spare.
    fn covered() -> Self {
        let mut grant = grant(limits());
        grant.used =
            GrantUse { calls: 2, lines: 10, blocks: 1, files: vec![used("src/a.rs", content("old"))] };
        Self {
            grant,
            facts: call(
                "apply_patch",
                vec![target("src/a.rs", Access::Patch), target("src/b.rs", Access::Patch)],
            ),
            changes: vec![change("src/a.rs", 6), change("src/b.rs", 4)],
            now: sample::now().plus_seconds(1799),
            actor: sample::actor(),
            worktree: None,
            branch: BRANCH.to_owned(),
            prompted: Some(sample::now()),
        }
    }

    fn covers(&self) -> Result<GrantCost, Uncovered> {
        let moment = Moment {
            now: self.now,
            actor: &self.actor,
            worktree: self.worktree.as_deref(),
            branch: &self.branch,
            prompted: self.prompted,
        };
        covers(&self.grant, &self.facts, &self.changes, &moment)
    }
}

/// The base call is covered, and the changed one is not, for that reason.
#[track_caller]
fn check(expected: &Uncovered, change: impl FnOnce(&mut Case)) {
    let mut case = Case::covered();
    assert!(case.covers().is_ok(), "the base is covered: {:?}", case.covers());
    change(&mut case);
    assert_eq!(case.covers().as_ref(), Err(expected), "{case:?}");
}

// D-02
#[test]
fn a_grant_covers_edits_up_to_each_of_its_bounds() {
    let cost = Case::covered().covers().unwrap();
    assert_eq!(cost.lines, 10);
    let paths: Vec<&str> = cost.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["src/a.rs", "src/b.rs"]);
    assert!(cost.files.iter().all(|file| file.before == content("old") && file.after == content("new")));
}

// D-02: widening any one field asks
#[test]
fn one_more_of_anything_is_beyond_the_grant() {
    let beyond = Uncovered::Beyond;
    check(&beyond("the lines of one call"), |case| case.changes[1].lines = Some(5));
    check(&beyond("the lines that were granted"), |case| case.grant.used.lines = 11);
    check(&beyond("the number of calls"), |case| case.grant.used.calls = 3);
    check(&beyond("the number of files"), |case| {
        case.grant.used.files.push(used("src/c.rs", content("old")));
    });
    check(&beyond("the paths that were granted"), |case| {
        let paths = OwnedScope::parse(["src/a.rs"]).unwrap();
        case.grant.terms.bounds = GrantBounds::new(GrantLimits { paths, ..limits() }).unwrap();
    });
    check(&beyond("the paths that were granted"), |case| {
        let paths = OwnedScope::parse(["src/**", "!src/B.rs"]).unwrap();
        case.grant.terms.bounds = GrantBounds::new(GrantLimits { paths, ..limits() }).unwrap();
        case.facts.folds_case = true;
    });
    let other = Uncovered::Never("it was given to another actor");
    check(&other, |case| case.actor = sample::child("a1"));
    check(&other, |case| case.actor = Actor::root("claude-code", "s2"));
    check(&other, |case| case.actor = Actor::root("codex", "s1"));
    let elsewhere = Uncovered::Never("it was given for another working copy");
    check(&elsewhere, |case| case.worktree = Some("/repo/wt".to_owned()));
}

// D-02
#[test]
fn each_fuse_ends_the_grant() {
    let over = Uncovered::Over;
    check(&over(GrantEnd::IntentChanged), |case| {
        case.facts.intent = active("INT-001", &["src/**", "lib/**"])
    });
    check(&over(GrantEnd::IntentChanged), |case| case.facts.intent = active("INT-002", &["src/**"]));
    check(&over(GrantEnd::IntentChanged), |case| case.facts.intent = IntentFact::None);
    check(&over(GrantEnd::TurnOver), |case| case.prompted = Some(sample::now().plus_seconds(1)));
    check(&over(GrantEnd::Expired), |case| case.now = sample::now().plus_seconds(1800));
    check(&over(GrantEnd::Expired), |case| {
        case.now = Timestamp::from_unix_ms(sample::now().unix_ms() - 1);
    });
    check(&over(GrantEnd::BranchChanged), |case| case.branch = "refs/heads/other".to_owned());
    check(&over(GrantEnd::TwoBlocks), |case| case.grant.used.blocks = 2);
    check(&over(GrantEnd::Drift), |case| case.grant.used.files[0].after = content("what the call left"));
    let revoked = GrantEnd::Revoked { by: "ada".to_owned() };
    check(&over(revoked.clone()), |case| case.grant = case.grant.ended(revoked, sample::now()));
}

// D-33: a file of the grant that somebody else changed ends it where the call writes there; reading it does not
#[test]
fn a_changed_file_ends_the_grant_of_who_writes_there() {
    let drifted = |path: &str, access: Access, left: &str| {
        let mut grant = grant(limits());
        grant.used.files = vec![used("src/a.rs", content(left))];
        has_drifted(&grant, &[target(path, access)])
    };
    assert!(drifted("src/a.rs", Access::Patch, "what the call left"));
    assert!(!drifted("src/a.rs", Access::Read, "what the call left"));
    assert!(!drifted("src/a.rs", Access::Patch, "old"));
    assert!(!drifted("src/b.rs", Access::Patch, "what the call left"));
}

// D-02, D-13
#[test]
fn what_no_grant_covers_is_asked_about_whatever_the_bounds_are() {
    let edits: [fn(&mut Case); 25] = [
        |case| case.facts.targets[1].access = Access::Delete,
        |case| case.facts.targets[1].access = Access::MoveFrom,
        |case| case.facts.targets[1].access = Access::MoveTo,
        |case| case.facts.targets[1].access = Access::Read,
        |case| case.facts.targets[1].location = linked("src/b.rs", "src/link.rs"),
        |case| case.facts.targets[1].location = Location::Outside("/etc/x".to_owned()),
        |case| case.facts.targets[1].current = FileState::Other,
        |case| case.changes[1].after = None,
        |case| case.changes[1].after = Some(FileState::Absent),
        |case| case.changes[1].after = Some(FileState::Other),
        |case| case.changes[1].lines = None,
        |case| case.changes[1].is_text = false,
        |case| case.changes[1].run_by = Some("a shell runs it"),
        |case| case.changes[1].sets_mode = true,
        |case| drop(case.changes.pop()),
        |case| case.changes.reverse(),
        |case| case.facts.tool.known = false,
        |case| case.facts.command = Some("true".to_owned()),
        |case| case.facts.settings.grants = false,
        |case| case.facts.unaccepted = vec![sample::intent_id("INT-001")],
        |case| case.facts.unaccepted = vec![sample::intent_id("INT-009")],
        |case| {
            case.facts.targets.clear();
            case.changes.clear();
        },
        |case| {
            case.facts.targets[1] = case.facts.targets[0].clone();
            case.changes[1] = case.changes[0].clone();
        },
        |case| {
            case.facts.settings.never_read = NeverRead::Ask;
            case.facts.targets[1].observed = None;
        },
        |case| case.facts.settings.protect_write = vec!["src/b.rs".to_owned()],
    ];
    for (index, edit) in edits.into_iter().enumerate() {
        let mut case = Case::covered();
        edit(&mut case);
        assert!(matches!(case.covers(), Err(Uncovered::Never(_))), "{index}: {:?}", case.covers());
    }
    for tool in
        ["delete_file", "move_file", "Bash", "generate_image", "NotebookEdit", "new_task", "mcp__x__y"]
    {
        let mut case = Case::covered();
        case.facts = Facts { targets: case.facts.targets, ..call(tool, Vec::new()) };
        assert!(matches!(case.covers(), Err(Uncovered::Never(_))), "{tool}: {:?}", case.covers());
    }
    for file in [
        "CLAUDE.md",
        "sub/AGENTS.md",
        ".gitignore",
        "build.rs",
        "Makefile",
        "MAKEFILE",
        "x.sh",
        "a.config.ts",
    ] {
        let mut case = Case::covered();
        let path = format!("src/{file}");
        case.facts.targets[1] = target(&path, Access::Patch);
        case.changes[1] = change(&path, 1);
        assert!(matches!(case.covers(), Err(Uncovered::Never(_))), "{file}: {:?}", case.covers());
    }
}

// D-01, D-02
#[test]
fn the_executable_surface_is_told_by_name_at_any_depth() {
    for path in
        ["Cargo.toml", "a/b/Cargo.toml", ".github/workflows/ci.yml", "x/.husky/pre-push", "tools/run.SH"]
    {
        assert!(can_run(&repo(path)), "{path}");
    }
    for path in
        ["src/main.rs", "docs/Makefile.md", "src/package.json.rs", "github/workflows/x.yml", "src/src.js"]
    {
        assert!(!can_run(&repo(path)), "{path}");
    }
}

/// The rule of D-02 as one list of what speaks against a call; shares no code with `covers`.
fn speaks_against(case: &Case) -> Vec<&'static str> {
    let Case { grant, facts, changes, now, actor, worktree, branch, prompted } = case;
    let (terms, limits) = (&grant.terms, grant.terms.bounds.limits());
    let path_of = |t: &TargetFact| match &t.location {
        Location::Inside(found) => found.path.to_string(),
        _ => String::new(),
    };
    let paths: Vec<String> = facts.targets.iter().map(path_of).collect();
    let known: Vec<String> = grant.used.files.iter().map(|file| file.path.to_string()).collect();
    let mut distinct: Vec<&String> = paths.iter().chain(&known).collect();
    distinct.sort();
    distinct.dedup();
    let unique = paths.iter().collect::<std::collections::BTreeSet<_>>().len();
    let lines: u64 = changes.iter().map(|change| u64::from(change.lines.unwrap_or(0))).sum();
    let drifted = facts.targets.iter().zip(&paths).any(|(t, path)| {
        grant.used.files.iter().any(|file| file.path.as_str() == path && file.after != t.current)
    });
    let each = |test: &dyn Fn(&TargetFact) -> bool| facts.targets.iter().any(test);
    let some = |test: &dyn Fn(&ChangeFact) -> bool| changes.iter().any(test);
    let same_intent = matches!(&facts.intent, IntentFact::Active(intent)
        if intent.id().as_str() == "INT-001" && *intent.revision() == terms.revision);
    let granted = |path: &str| match limits.paths.patterns().first().map(|first| first.as_str()) {
        None => true,
        Some("src/x/") => path.starts_with("src/x/"),
        Some(_) => path.starts_with("src/") && !path.starts_with("src/y/"),
    };
    let unread = |t: &TargetFact| match (t.access, &t.observed) {
        (Access::Anchored, Some(seen)) if matches!(seen.state, FileState::Content(_)) => {
            !matches!(t.anchor, AnchorFact::Found | AnchorFact::FoundLoosely)
        }
        (Access::Anchored, None) if t.current == FileState::Absent => t.anchor == AnchorFact::Missing,
        (_, None) => t.current != FileState::Absent,
        (_, Some(seen)) => {
            seen.state != t.current
                || t.access == Access::Overwrite
                    && seen.shown == Shown::Part
                    && t.current != FileState::Absent
        }
    };
    let elapsed = now.unix_ms() - terms.opened.unix_ms();
    let rows = [
        ("ended", grant.status != GrantStatus::Live),
        ("intent", !same_intent),
        ("turn", prompted.is_some_and(|prompted| prompted > terms.opened)),
        ("time", elapsed < 0 || elapsed >= i64::from(limits.seconds) * 1000),
        ("worktree", worktree.is_some()),
        ("branch", branch != BRANCH),
        ("blocks", grant.used.blocks > 1),
        ("drift", drifted),
        ("actor", actor != &sample::actor()),
        ("settings", !facts.settings.grants),
        ("not accepted", !facts.unaccepted.is_empty()),
        ("tool", !["write_to_file", "edit_file", "apply_patch"].contains(&facts.tool_name.as_str())),
        ("access", each(&|t| ![Access::Overwrite, Access::Anchored, Access::Patch].contains(&t.access))),
        ("place", paths.iter().any(String::is_empty) || paths.is_empty()),
        ("link", each(&|t| matches!(&t.location, Location::Inside(found) if found.spelled.is_some()))),
        ("sensitive", paths.iter().any(|path| path.ends_with("CLAUDE.md"))),
        ("runs", paths.iter().any(|path| path.ends_with("build.rs") || path.ends_with(".sh"))),
        ("special", each(&|t| t.current == FileState::Other)),
        ("unread", each(&unread)),
        ("unknown", some(&|change| change.lines.is_none() || change.after != Some(content("new")))),
        ("more than text", some(&|change| !change.is_text || change.run_by.is_some() || change.sets_mode)),
        (
            "not told",
            changes.len() != paths.len() || !changes.iter().zip(&paths).all(|(c, p)| c.path.as_str() == p),
        ),
        ("twice", unique < paths.len()),
        ("calls", grant.used.calls + 1 > limits.max_calls),
        ("files", distinct.len() > limits.max_files as usize),
        ("lines", u64::from(grant.used.lines) + lines > u64::from(limits.max_lines)),
        ("lines of a call", lines > u64::from(limits.max_lines_per_call)),
        ("paths", !paths.iter().all(|path| granted(path))),
    ];
    rows.into_iter().filter_map(|(why, applies)| applies.then_some(why)).collect()
}

fn mostly<T: Clone + std::fmt::Debug + 'static>(usual: T, others: Vec<T>) -> impl Strategy<Value = T> {
    prop_oneof![40 => Just(usual), 1 => prop::sample::select(others)]
}

fn any_plain_place() -> impl Strategy<Value = String> {
    let folders = prop::sample::select(vec!["x", "y", "z"]);
    (folders, prop::sample::select(vec!["a", "b", "c"]))
        .prop_map(|(folder, name)| format!("src/{folder}/{name}.rs"))
}

fn any_place() -> impl Strategy<Value = String> {
    let usual = any_plain_place();
    prop_oneof![20 => usual, 1 => Just("src/CLAUDE.md".to_owned()), 1 => Just("src/build.rs".to_owned()), 1 => Just("src/x/a.sh".to_owned())]
}

fn any_part() -> impl Strategy<Value = (TargetFact, ChangeFact)> {
    let access =
        mostly(Access::Overwrite, vec![Access::Delete, Access::MoveFrom, Access::MoveTo, Access::Read]);
    let access = prop_oneof![6 => access, 2 => Just(Access::Patch), 2 => Just(Access::Anchored)];
    let current = mostly(content("old"), vec![FileState::Absent, FileState::Other, content("else")]);
    let observed = mostly(Some(content("old")), vec![None, Some(FileState::Absent), Some(content("else"))]);
    let after = mostly(Some(content("new")), vec![None, Some(FileState::Absent), Some(FileState::Other)]);
    let lines = prop_oneof![24 => (0..12_u32).prop_map(Some), 1 => Just(None), 1 => Just(Some(u32::MAX))];
    let odd = (0..60_u8, prop::bool::weighted(0.03), prop::bool::weighted(0.03));
    (any_place(), access, current, observed, after, lines, odd).prop_map(
        |(path, access, current, observed, after, lines, (odd, same, other))| {
            let mut target =
                TargetFact { current, observed: observed.map(Observation::whole), ..target(&path, access) };
            if same {
                target.observed = Some(Observation::whole(target.current.clone()));
            }
            let mut change = ChangeFact { after, lines, ..change(&path, 0) };
            match odd {
                0 => target.location = linked(&path, "src/link"),
                1 => target.location = Location::Outside("/x".to_owned()),
                2 => change.is_text = false,
                3 => change.run_by = Some("a shell runs it"),
                4 => change.sets_mode = true,
                5 => target.anchor = AnchorFact::Missing,
                6 => target.location = Location::Root,
                _ if other => change.path = repo("src/x/z.rs"),
                _ => {}
            }
            (target, change)
        },
    )
}

fn any_grant() -> impl Strategy<Value = Grant> {
    let patterns = prop_oneof![
        3 => Just(Vec::new()), 1 => Just(vec!["src/x/"]), 1 => Just(vec!["src/**", "!src/y/"]),
    ];
    let sizes = (2..6_u32, 2..6_u32, 10..60_u32, 5..30_u32, prop::sample::select(vec![60, 1800_u32]));
    let file = (any_plain_place(), mostly(content("old"), vec![content("else"), FileState::Absent]));
    let uses = (0..3_u32, 0..20_u32, mostly(0_u32, vec![1, 2]), prop::collection::vec(file, 0..3));
    let ended = prop::bool::weighted(0.03);
    (patterns, sizes, uses, ended).prop_map(|(patterns, sizes, uses, ended)| {
        let (max_files, max_calls, max_lines, max_lines_per_call, seconds) = sizes;
        let paths = OwnedScope::parse(patterns).unwrap();
        let mut grant =
            grant(GrantLimits { paths, max_files, max_calls, max_lines, max_lines_per_call, seconds });
        let (calls, lines, blocks, files) = uses;
        let mut files: Vec<GrantFile> = files.into_iter().map(|(path, after)| used(&path, after)).collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        files.dedup_by(|one, other| one.path == other.path);
        grant.used = GrantUse { calls, lines, blocks, files };
        if ended { grant.ended(GrantEnd::UsedUp, sample::now()) } else { grant }
    })
}

fn any_case() -> impl Strategy<Value = Case> {
    let tool = prop_oneof![
        20 => prop::sample::select(vec!["write_to_file", "edit_file", "apply_patch"]),
        1 => prop::sample::select(vec!["delete_file", "move_file", "Bash", "generate_image", "mcp__x__y", "read_file", "new_task"]),
    ];
    let others = vec![sample::child("a1"), Actor::root("claude-code", "s2"), Actor::root("codex", "s1")];
    let intents = vec![active("INT-001", &["src/**", "b"]), active("INT-002", &["src/**"]), IntentFact::None];
    let stands = (
        mostly(active("INT-001", &["src/**"]), intents),
        mostly(sample::actor(), others),
        mostly(BRANCH.to_owned(), vec!["refs/heads/x".to_owned(), String::new()]),
        prop_oneof![20 => 0..60_i64, 1 => 60..1900_i64, 1 => -5..0_i64],
        mostly(None, vec![Some(-1_i64), Some(0), Some(1)]),
        prop::bool::weighted(0.98),
        mostly(None, vec![Some("/repo/wt".to_owned())]),
        mostly(Vec::new(), vec![vec![sample::intent_id("INT-001")], vec![sample::intent_id("INT-009")]]),
    );
    (any_grant(), tool, prop::collection::vec(any_part(), 1..3), stands, prop::bool::weighted(0.02)).prop_map(
        |(grant, tool, parts, stands, short)| {
            let (intent, actor, branch, seconds, prompted, grants, worktree, unaccepted) = stands;
            let (targets, mut changes): (Vec<TargetFact>, Vec<ChangeFact>) = parts.into_iter().unzip();
            if short {
                changes.pop();
            }
            let mut facts = Facts { intent, unaccepted, ..call(tool, targets) };
            facts.settings.grants = grants;
            facts.settings.never_read = NeverRead::Ask;
            let at = |seconds: i64| Timestamp::from_unix_ms(sample::now().unix_ms() + seconds * 1000);
            Case {
                grant,
                facts,
                changes,
                now: at(seconds),
                actor,
                worktree,
                branch,
                prompted: prompted.map(at),
            }
        },
    )
}

/// At least so many cases, and more where the environment asks for more.
fn config(least: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases.max(least), max_shrink_iters: 2_000, ..usual }
}

proptest! {
    #![proptest_config(config(2_000))]

    // D-02: no question ⇔ a naive oracle says "covered"
    #[test]
    fn a_call_is_covered_exactly_when_nothing_speaks_against_it(case in any_case()) {
        let against = speaks_against(&case);
        let said = case.covers();
        prop_assert_eq!(said.is_ok(), against.is_empty(), "{:?}, against it: {:?}", said, against);
    }

    // D-02: what is left never grows, so a grant that does not cover a call never comes to cover it by being used
    #[test]
    fn using_a_grant_never_widens_it(case in any_case(), other in any_case()) {
        let spent = match case.covers() {
            Ok(cost) => case.grant.spent(&cost, 1, case.now),
            Err(_) => case.grant.blocked(1, case.now),
        };
        prop_assert!(case.grant.may_become(&spent));
        let before = Case { grant: case.grant.clone(), ..other.clone() };
        let after = Case { grant: spent, ..other };
        let is_own_file = after.changes.iter().any(|change| after.grant.file(&change.path).is_some());
        prop_assert!(is_own_file || before.covers().is_ok() || after.covers().is_err());
    }

}

proptest! {
    #![proptest_config(config(300))]

    // D-02: exhausting a grant by covered calls never exceeds a bound
    #[test]
    fn no_sequence_of_covered_calls_exceeds_a_bound(grant in any_grant(), cases in prop::collection::vec(any_case(), 1..8)) {
        let mut grant = Grant { used: GrantUse::default(), ..grant };
        for case in cases {
            let case = Case { grant: grant.clone(), ..case };
            if let Ok(cost) = case.covers() {
                grant = grant.spent(&cost, 1, case.now);
            }
        }
        let limits = grant.terms.bounds.limits();
        prop_assert!(grant.used.calls <= limits.max_calls && grant.used.lines <= limits.max_lines);
        prop_assert!(grant.used.files.len() <= limits.max_files as usize);
    }
}

/// The generator makes enough of both kinds, or the properties would say little.
#[test]
fn about_every_fourth_generated_call_is_covered() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut covered = 0;
    for _ in 0..400 {
        let case = any_case().new_tree(&mut runner).unwrap().current();
        covered += usize::from(case.covers().is_ok());
    }
    assert!((40..300).contains(&covered), "{covered} of 400");
}
