//! Which recorded results count.

use bailiwick_domain::{
    Check, CheckOf, CheckOutcome, CheckResult, Intent, NamedCheck, Placed, Timestamp, WrittenIntent,
    WrittenLine,
};
use bailiwick_policy::verified::{Standing, standings};

use crate::support::draft;

fn at(ms: i64) -> Timestamp {
    Timestamp::from_unix_ms(ms)
}

/// An intent with one check of each sort, and its sound results at moment 10.
fn verified() -> (Intent, WrittenIntent, Vec<CheckResult>) {
    let intent = Intent::new(draft("INT-001", &["src/"])).unwrap();
    let line = |check: Check| Placed {
        line: 1,
        column: 1,
        value: WrittenLine { text: Some("done".to_owned()), checks: vec![check], ..WrittenLine::default() },
    };
    let written = WrittenIntent {
        id: Placed { line: 1, column: 1, value: intent.id().clone() },
        scope: Vec::new(),
        proposed: Vec::new(),
        priority: None,
        requirements: Vec::new(),
        questions: Vec::new(),
        allow_broad: false,
        constraints: vec![line(Check::Run("cargo test format".to_owned()))],
        criteria: vec![line(Check::File("a.md".to_owned())), line(Check::Human)],
        allow: Vec::new(),
        deny: Vec::new(),
        assumptions: Vec::new(),
        notes: None,
        source: Vec::new(),
    };
    let result = |check: NamedCheck| CheckResult {
        outcome: if check.check == Check::Human { CheckOutcome::Ticked } else { CheckOutcome::Passed },
        check,
        status: None,
        revision: intent.revision().clone(),
        commit: None,
        over: None,
        at: at(10),
        by: "dana".to_owned(),
        before_work: false,
    };
    let results = NamedCheck::of(&written).into_iter().map(result).collect();
    (intent, written, results)
}

fn stand(parts: &(Intent, WrittenIntent, Vec<CheckResult>), last_work: Option<Timestamp>) -> Vec<Standing> {
    let (intent, written, results) = parts;
    let stands = standings(written, intent.revision(), last_work, results, &|_| true);
    stands.iter().map(|one| one.standing).collect()
}

// D-42
#[test]
fn results_count_until_something_changes() {
    use Standing::{Failing, Human, Met, Unmet};
    let parts = verified();
    assert_eq!(stand(&parts, None), [Met, Met, Met]);
    assert_eq!(stand(&parts, Some(at(10))), [Met, Met, Met]);
    assert_eq!(stand(&parts, Some(at(11))), [Unmet, Unmet, Human], "work after it");
    let mut failed = verified();
    failed.2[0].outcome = CheckOutcome::TimedOut;
    assert_eq!(stand(&failed, None)[0], Failing);
    let mut other = verified();
    other.0 = Intent::new(draft("INT-001", &["src/", "lib/"])).unwrap();
    assert_eq!(stand(&other, None), [Unmet, Unmet, Human], "another revision");
    let mut command = verified();
    command.1.constraints[0].value.checks = vec![Check::Run("true".to_owned())];
    assert_eq!(stand(&command, None)[0], Unmet, "another command is another check");
    let mut moved = verified();
    moved.2[0].check.of = CheckOf::Criterion;
    assert_eq!(stand(&moved, None)[0], Unmet, "a criterion's result says nothing of a constraint");
    let (intent, written, results) = verified();
    let gone = |result: &CheckResult| result.check.of == CheckOf::Constraint;
    let stands = standings(&written, intent.revision(), None, &results, &gone);
    assert_eq!(stands.iter().map(|one| one.standing).collect::<Vec<_>>(), [Met, Unmet, Human], "other files");
}
