//! Tests of intents themselves: each rule fires where it should, and nowhere else.

use std::collections::BTreeMap;

use bailiwick_domain::{
    AncestorScope, Check, CheckOf, CheckOutcome, CheckResult, Intent, IntentDraft, IntentId, IntentKind,
    IntentRule, IntentSet, IntentStatus, NamedCheck, OwnedScope, Placed, RepoPath, ScopePattern, Timestamp,
    WrittenIntent, WrittenLine,
};
use bailiwick_policy::lint::{Report, World, lint};
use bailiwick_policy::scope_match::ScopeMatcher;
use proptest::prelude::*;

use crate::support::draft;

const FILES: &[&str] =
    &["README.md", "docs/a.md", "src/auth/jwt.rs", "src/auth/legacy/old.rs", "src/billing/tax.rs"];

fn at<T>(line: usize, value: T) -> Placed<T> {
    Placed { line, column: 7, value }
}

/// An intent that breaks no rule of any level, changed.
fn good(
    id: &str,
    change: impl FnOnce(&mut IntentDraft),
    write: impl FnOnce(&mut WrittenIntent),
) -> (WrittenIntent, Intent) {
    let mut parts = draft(id, &["src/auth/"]);
    parts.why = Some("Sessions end too early".to_owned());
    parts.requirements = vec!["REQ-7".to_owned()];
    change(&mut parts);
    let intent = Intent::new(parts).unwrap();
    let criterion = WrittenLine {
        text: Some("A session of 29 minutes is accepted".to_owned()),
        checks: vec![Check::Run("cargo test".to_owned())],
        ..WrittenLine::default()
    };
    let patterns = intent.owned_scope().patterns().iter();
    let mut written = WrittenIntent {
        id: at(2, intent.id().clone()),
        scope: patterns.zip(5..).map(|(pattern, line)| at(line, pattern.clone())).collect(),
        proposed: Vec::new(),
        priority: None,
        requirements: Vec::new(),
        questions: Vec::new(),
        allow_broad: false,
        constraints: Vec::new(),
        criteria: vec![at(20, criterion)],
        allow: vec![at(30, "src/auth/jwt.rs".to_owned())],
        deny: vec![at(31, "src/billing/tax.rs".to_owned())],
        assumptions: Vec::new(),
        notes: None,
        source: Vec::new(),
    };
    write(&mut written);
    (written, intent)
}

/// What earlier runs of the checks recorded.
type Results = BTreeMap<IntentId, Vec<CheckResult>>;

fn judged(intents: Vec<(WrittenIntent, Intent)>, files: &[&str], level: u8) -> Report {
    judged_after(&Results::new(), intents, files, level)
}

fn judged_after(
    results: &Results,
    intents: Vec<(WrittenIntent, Intent)>,
    files: &[&str],
    level: u8,
) -> Report {
    let files: Vec<RepoPath> = files.iter().map(|path| RepoPath::new(path).unwrap()).collect();
    let world = World { files: &files, is_complete: true, broad_files: 200, broad_permille: 100, results };
    let (written, intents): (Vec<_>, Vec<_>) = intents.into_iter().unzip();
    lint(&written, &IntentSet::new(intents), &world, level)
}

fn rules(report: &Report) -> Vec<&'static str> {
    report.findings.iter().map(|finding| finding.rule.code()).collect()
}

#[track_caller]
fn check(
    change: impl FnOnce(&mut IntentDraft),
    write: impl FnOnce(&mut WrittenIntent),
    expected: &[&str],
) -> Report {
    let report = judged(vec![good("INT-001", change, write)], FILES, 3);
    assert_eq!(rules(&report), expected, "{:?}", report.findings);
    for finding in &report.findings {
        assert!(
            finding.line > 0 && finding.column > 0 && !finding.message.is_empty() && !finding.fix.is_empty()
        );
    }
    report
}

// REQ 7, the reference on the intent language, §6
#[test]
fn req_007_a_good_intent_breaks_no_rule() {
    let report = check(|_| {}, |_| {}, &[]);
    let figure = &report.scopes[0];
    assert_eq!((figure.files, figure.of, figure.probes, figure.kept_out), (2, 5, 5, 3));
}

// arXiv 2406.09757 in the reference, §1: examples test the scope
#[test]
fn req_007_examples_must_hold() {
    let report = check(
        |_| {},
        |written| written.allow.push(at(40, "src/core/main.rs".to_owned())),
        &["example-allow"],
    );
    assert!(report.findings[0].is_error);
    assert_eq!((report.findings[0].line, report.findings[0].column), (40, 7));
    let report = check(
        |_| {},
        |written| written.deny.push(at(41, "src/auth/legacy/old.rs".to_owned())),
        &["example-deny"],
    );
    assert!(report.findings[0].is_error);
    check(|_| {}, |written| written.allow.push(at(42, "../other/jwt.rs".to_owned())), &["example-allow"]);
}

#[test]
fn req_007_each_pattern_is_looked_at_alone() {
    let scoped = |patterns: &'static [&str]| {
        move |draft: &mut IntentDraft| {
            draft.owned_scope = OwnedScope::parse(patterns.iter().copied()).unwrap()
        }
    };
    let report = check(scoped(&["src/auth/", "lib/billing/**"]), |_| {}, &["matches-nothing"]);
    assert!(report.findings[0].fix.contains("did you mean `src/billing/`"), "{}", report.findings[0].fix);
    assert_eq!(report.findings[0].line, 6, "the place is the pattern's");
    check(scoped(&["src/auth/", "!src/auth/gone/"]), |_| {}, &["matches-nothing"]);
    check(scoped(&["src/auth/", ".git/**"]), |_| {}, &["protected-path"]);
    check(
        |draft| {
            draft.within = vec![AncestorScope {
                intent: IntentId::new("INT-000").unwrap(),
                owned_scope: OwnedScope::parse(["src/billing/"]).unwrap(),
            }];
        },
        |_| {},
        &["beyond-parent"],
    );
}

#[test]
fn req_007_what_cannot_be_told_to_be_done_is_named() {
    check(|draft| draft.why = None, |_| {}, &["no-why"]);
    check(|_| {}, |written| written.criteria.clear(), &["no-check", "requirement-unverified"]);
    check(|draft| draft.owned_scope = OwnedScope::default(), |_| {}, &["no-scope"]);
    check(
        |draft| (draft.owned_scope, draft.kind) = (OwnedScope::default(), Some(IntentKind::Goal)),
        |_| {},
        &[],
    );
    check(
        |_| {},
        |written| written.criteria[0].value.checks = vec![Check::File("docs/a.md".to_owned())],
        &["already-met"],
    );
    check(|draft| draft.requirements.push("REQ-8".to_owned()), |_| {}, &["requirement-unverified"; 2]);
    check(
        |_| {},
        |written| {
            let vague = WrittenLine { text: Some("It is fast".to_owned()), ..WrittenLine::default() };
            written.constraints.push(at(50, vague));
        },
        &["constraint-unenforced", "vague-word"],
    );
    check(
        |_| {},
        |written| {
            let bound = WrittenLine { is_enforced: true, ..WrittenLine::default() };
            written.constraints.push(at(50, bound));
        },
        &[],
    );
}

// REQ 7: what the last run of a check says of the check
#[test]
fn req_007_a_check_whose_last_run_proves_nothing_or_fails_is_named() {
    let said = |of: CheckOf, check: Check, outcome: CheckOutcome, before_work: bool| {
        let (mut written, intent) = good("INT-001", |_| {}, |_| {});
        let line = WrittenLine { checks: vec![check.clone()], is_enforced: true, ..WrittenLine::default() };
        match of {
            CheckOf::Criterion => written.criteria.push(at(21, line)),
            CheckOf::Constraint => written.constraints.push(at(50, line)),
        }
        let result = CheckResult {
            check: NamedCheck { of, id: None, text: None, check },
            outcome,
            status: None,
            revision: intent.revision().clone(),
            commit: None,
            over: None,
            at: Timestamp::from_unix_ms(0),
            by: "ada".to_owned(),
            before_work,
        };
        let results = Results::from([(intent.id().clone(), vec![result])]);
        let report = judged_after(&results, vec![(written, intent)], FILES, 2);
        report.findings.into_iter().map(|found| (found.line, found.message)).collect::<Vec<_>>()
    };
    let (run, file) = (|| Check::Run("cargo test".to_owned()), || Check::File("docs/new.md".to_owned()));
    let (passed, failed) = (CheckOutcome::Passed, CheckOutcome::Failed);
    let says = |line: usize, message: &str| vec![(line, message.to_owned())];
    assert_eq!(
        said(CheckOf::Criterion, run(), passed, true),
        says(21, "`cargo test` passed before any work, so it proves nothing")
    );
    assert_eq!(said(CheckOf::Criterion, run(), passed, false), []);
    assert_eq!(said(CheckOf::Criterion, run(), failed, true), []);
    assert_eq!(
        said(CheckOf::Constraint, run(), failed, false),
        says(50, "`cargo test` failed the last time it ran")
    );
    assert_eq!(
        said(CheckOf::Constraint, file(), failed, false),
        says(50, "the check for the file `docs/new.md` failed the last time it ran")
    );
    assert_eq!(
        said(CheckOf::Constraint, Check::Human, failed, false),
        says(50, "a person's check failed the last time it ran")
    );
    assert_eq!(said(CheckOf::Constraint, Check::Human, CheckOutcome::Ticked, false), []);
}

#[test]
fn req_007_an_open_intent_whose_time_is_over_is_named() {
    let (written, intent) =
        good("INT-001", |draft| draft.expires = Some(Timestamp::from_unix_ms(1_000)), |_| {});
    let over = intent.clone().as_of(Timestamp::from_unix_ms(2_000));
    assert_eq!(rules(&judged(vec![(written.clone(), over)], FILES, 2)), ["expired"]);
    assert_eq!(rules(&judged(vec![(written, intent)], FILES, 2)), [""; 0]);
}

#[test]
fn req_007_a_loose_scope_is_found_by_near_misses() {
    let wide = |draft: &mut IntentDraft| draft.owned_scope = OwnedScope::parse(["src/**/*.rs"]).unwrap();
    let report = judged(vec![good("INT-001", wide, |written| written.deny.clear())], FILES, 3);
    assert_eq!(rules(&report), ["loose-scope"]);
    assert!(
        report.findings[0].message.contains("`src/auth-beside/jwt.rs`"),
        "{}",
        report.findings[0].message
    );
    assert!(report.scopes[0].kept_out < report.scopes[0].probes);
    let near = |draft: &mut IntentDraft| {
        draft.owned_scope = OwnedScope::parse(["src/auth/", "!src/auth/legacy/old.rs"]).unwrap();
    };
    let denied =
        |written: &mut WrittenIntent| written.deny = vec![at(31, "src/auth/legacy/old.rs".to_owned())];
    assert_eq!(rules(&judged(vec![good("INT-001", near, denied)], FILES, 3)), ["near-denied"]);
}

// D-01, D-31: what is broad asks, so the check says it first
#[test]
fn req_007_half_of_the_repository_is_broad_whatever_the_settings() {
    let files: Vec<String> =
        (0..100).map(|n| format!("src/{}/f{n:02}.rs", if n < 60 { "a" } else { "b" })).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let scoped = |pattern: &'static str, allowed: bool| {
        good(
            "INT-001",
            |draft| draft.owned_scope = OwnedScope::parse([pattern]).unwrap(),
            |written| {
                written.allow = vec![at(30, format!("{pattern}f00.rs"))];
                written.deny.clear();
                written.allow_broad = allowed;
            },
        )
    };
    assert_eq!(rules(&judged(vec![scoped("src/a/", true)], &files, 2)), ["broad-scope"], "more than half");
    assert_eq!(rules(&judged(vec![scoped("src/b/", false)], &files, 2)), ["broad-scope"], "over a tenth");
    assert_eq!(rules(&judged(vec![scoped("src/b/", true)], &files, 2)), [""; 0], "a person said so");
}

// D-31: a person is told what the gate would ask about
#[test]
fn req_007_a_scope_is_broad_from_one_file_more_than_the_settings_name() {
    let covered = |owned: usize, of: usize, allowed: bool| {
        let name = |nth: usize| format!("{}/f{nth:04}.rs", if nth < owned { "a" } else { "b" });
        let files: Vec<String> = (0..of).map(name).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let scoped = |draft: &mut IntentDraft| draft.owned_scope = OwnedScope::parse(["a/"]).unwrap();
        let intent = good("INT-001", scoped, |written| {
            written.allow = vec![at(30, "a/f0000.rs".to_owned())];
            written.allow_broad = allowed;
        });
        judged(vec![intent], &files, 2).findings.pop().map(|found| found.message)
    };
    for (owned, of, allowed) in [(20, 100, false), (30, 300, false), (200, 3000, false), (50, 100, true)] {
        assert_eq!(covered(owned, of, allowed), None, "{owned} of {of}");
        let percent = (owned + 1) * 100 / of;
        let message = format!("the scope of `INT-001` covers {} of {of} files ({percent}%)", owned + 1);
        assert_eq!(covered(owned + 1, of, allowed), Some(message));
    }
}

#[test]
fn req_007_without_examples_the_first_the_middle_and_the_last_file_are_tried() {
    let all = |draft: &mut IntentDraft| draft.owned_scope = OwnedScope::parse(["**"]).unwrap();
    let bare = |written: &mut WrittenIntent| (written.allow, written.deny) = (Vec::new(), Vec::new());
    let figure =
        judged(vec![good("INT-001", all, bare)], &["a", "b", "c/x", "d/x", "e/x"], 2).scopes.remove(0);
    assert_eq!(figure.probes, 3 + 5 + 5, "a file in no folder has no sibling and no parent");
}

/// What is said of the files that two of these scopes own, told file by file.
fn both_own(scopes: &[&[&str]], files: &[&str]) -> Vec<String> {
    let owns = |scope: &[&str], path: &str| {
        let scope = OwnedScope::parse(scope.iter().copied()).unwrap();
        ScopeMatcher::new(&scope).unwrap().matches(&RepoPath::new(path).unwrap())
    };
    let mut said = Vec::new();
    for (later, scope) in scopes.iter().enumerate() {
        for (earlier, other) in scopes.iter().enumerate().take(later) {
            let shared: Vec<_> = files.iter().filter(|path| owns(scope, path) && owns(other, path)).collect();
            let Some((first, rest)) = shared.split_first() else { continue };
            let also = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            said.push(format!("`INT-{later}` and `INT-{earlier}` both own `{first}`{also}"));
        }
    }
    said.sort();
    said
}

fn said_of_overlaps(scopes: &[&[&str]], files: &[&str]) -> Vec<String> {
    let intent = |(nth, scope): (usize, &&[&str])| {
        let scope = OwnedScope::parse(scope.iter().copied()).unwrap();
        good(&format!("INT-{nth}"), |draft| draft.owned_scope = scope, |_| {})
    };
    let found = judged(scopes.iter().enumerate().map(intent).collect(), files, 3).findings;
    let overlaps = found.into_iter().filter(|found| found.rule == IntentRule::Overlap);
    let mut said: Vec<String> = overlaps.map(|found| found.message).collect();
    said.sort();
    said
}

// K-48
#[test]
fn req_007_overlaps_are_those_that_a_look_at_each_file_tells() {
    let files =
        ["README.md", "docs/a.md", "docs/b.md", "src/a.rs", "src/b.md", "src/b.rs", "src/c/d.rs", "src/e.rs"];
    let scopes: [&[&str]; 8] = [
        &["**"],
        &["src/"],
        &["**/*.md"],
        &["src/*.rs"],
        &["src/a.rs", "src/c/"],
        &["docs/a.md", "src/e.rs"],
        &["src/", "!src/b.rs", "!src/c/"],
        &["docs/b.md"],
    ];
    for one in scopes {
        for two in scopes {
            for three in scopes {
                let all = [one, two, three];
                assert_eq!(said_of_overlaps(&all, &files), both_own(&all, &files), "{all:?}");
            }
        }
    }
}

#[test]
fn req_007_so_many_owners_of_one_file_are_paired_and_no_more() {
    let owners = vec![["src/"].as_slice(); 34];
    assert_eq!(said_of_overlaps(&owners, &["src/a.rs"]).len(), 32 * 31 / 2);
}

// K-48
#[test]
fn req_007_open_intents_that_own_the_same_files_are_paired_once() {
    let one = || good("INT-001", |_| {}, |_| {});
    let two = |change: fn(&mut IntentDraft)| good("INT-002", change, |written| written.id.line = 60);
    let report = judged(vec![one(), two(|_| {})], FILES, 3);
    assert_eq!(rules(&report), ["overlap"]);
    assert!(
        report.findings[0].message.contains("`INT-002` and `INT-001` both own `src/auth/jwt.rs` and 1 more")
    );
    assert_eq!(rules(&judged(vec![one(), two(|_| {})], FILES, 2)), [""; 0], "a rule of level 3");
    let closed = |draft: &mut IntentDraft| draft.status = IntentStatus::Completed;
    assert_eq!(rules(&judged(vec![one(), two(closed)], FILES, 3)), [""; 0], "a closed intent is history");
    let child = |draft: &mut IntentDraft| {
        draft.within = vec![AncestorScope {
            intent: IntentId::new("INT-001").unwrap(),
            owned_scope: OwnedScope::parse(["src/auth/"]).unwrap(),
        }];
    };
    assert_eq!(rules(&judged(vec![one(), two(child)], FILES, 3)), [""; 0], "a child shares on purpose");
}

proptest! {
    // An example is judged exactly as the gate judges a path.
    #[test]
    fn req_007_examples_agree_with_the_gate(
        scope in prop::collection::vec("!?(src|docs)(/(auth|\\*\\*|b))?/?", 1..4),
        path in "(src|docs|x)(/(auth|b)){0,2}/f[.]rs",
    ) {
        let Ok(scope) = scope.iter().map(|text| ScopePattern::new(text)).collect::<Result<Vec<_>, _>>() else {
            return Ok(());
        };
        let scope = OwnedScope::new(scope, true).unwrap();
        let owns = ScopeMatcher::new(&scope).unwrap().matches(&RepoPath::new(&path).unwrap());
        let example = |written: &mut WrittenIntent| {
            written.allow = vec![at(30, path.clone())];
            written.deny = vec![at(31, path.clone())];
        };
        let report = judged(vec![good("INT-001", |draft| draft.owned_scope = scope, example)], FILES, 2);
        let says = |rule| report.findings.iter().any(|finding| finding.rule == rule);
        prop_assert_eq!(says(IntentRule::AllowedExample), !owns);
        prop_assert_eq!(says(IntentRule::DeniedExample), owns);
    }
}
