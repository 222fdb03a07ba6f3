//! Properties that hold for all facts.

use bailiwick_domain::{
    Classification, Health, IgnoreFile, Intent, IntentDraft, Location, OwnedScope, ScopePattern, State,
};
use bailiwick_policy::scope_match::ScopeMatcher;
use bailiwick_policy::{Access, Facts, IgnoreFact, IgnoreRules, IntentFact, Verdict, decide};
use proptest::prelude::*;

use crate::oracle::{Said, any_facts, said};
use crate::scope::{any_path, any_pattern, naive, scope};
use crate::support::{call, draft, id, repo, target};

fn strictness(facts: &Facts) -> u8 {
    match said(&decide(facts)) {
        Said::Allow => 0,
        Said::Ask | Said::Override => 1,
        Said::Block(_) => 2,
    }
}

fn with_scope(facts: &Facts, change: impl FnOnce(Vec<ScopePattern>) -> Vec<ScopePattern>) -> Facts {
    let IntentFact::Active(intent) = &facts.intent else { return facts.clone() };
    let patterns = change(intent.owned_scope().patterns().to_vec());
    let owned_scope = OwnedScope::new(patterns, true).unwrap();
    let same = draft(intent.id().as_str(), &[]);
    let draft = IntentDraft {
        status: intent.status(),
        frozen: intent.is_frozen(),
        expires: intent.expires(),
        within: intent.within().to_vec(),
        owned_scope,
        constraints: intent.constraints().to_vec(),
        requirements: intent.requirements().to_vec(),
        ..same
    };
    Facts { intent: IntentFact::Active(Box::new(Intent::new(draft).unwrap())), ..facts.clone() }
}

fn ignoring(text: &str) -> IgnoreFact {
    let file = IgnoreFile { name: ".intentignore".to_owned(), text: text.to_owned() };
    IgnoreFact::Rules(IgnoreRules::parse(&[file]).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn the_same_facts_give_the_same_verdict((facts, _) in any_facts()) {
        prop_assert_eq!(decide(&facts), decide(&facts.clone()));
    }

    #[test]
    fn req_096_req_150_without_an_intent_nothing_destructive_passes((facts, _) in any_facts()) {
        let facts = Facts { intent: IntentFact::None, ..facts };
        if facts.tool.class == Classification::Destructive {
            prop_assert_eq!(strictness(&facts), 2);
        }
    }

    #[test]
    fn req_116_before_a_selection_nothing_destructive_passes((facts, _) in any_facts(), early in any::<bool>()) {
        let facts = Facts { state: if early { State::Request } else { State::Reasoning }, ..facts };
        if facts.tool.class == Classification::Destructive {
            prop_assert_eq!(strictness(&facts), 2);
        }
    }

    #[test]
    fn nothing_destructive_is_ever_simply_allowed((facts, _) in any_facts()) {
        if facts.tool.class == Classification::Destructive {
            prop_assert_ne!(decide(&facts), Verdict::Allow);
        }
    }

    #[test]
    fn req_038_no_change_outside_the_scope_passes_unless_a_human_overrides((facts, _) in any_facts()) {
        let passes = matches!(said(&decide(&facts)), Said::Allow | Said::Ask);
        if let (true, IntentFact::Active(intent), false) = (passes, &facts.intent, facts.tool.own) {
            let patterns: Vec<String> =
                intent.owned_scope().patterns().iter().map(|pattern| pattern.as_str().to_owned()).collect();
            for target in facts.targets.iter().filter(|target| target.access.mutates()) {
                match &target.location {
                    Location::Inside(found) => prop_assert!(naive::owns(&patterns, found.path.as_str())),
                    other => prop_assert!(matches!(other, Location::Scratch(_)), "{other:?}"),
                }
            }
        }
    }

    #[test]
    fn req_038_each_write_outside_the_scope_is_blocked_with_the_fixed_sentence(
        patterns in prop::collection::vec(any_pattern(), 1..4), path in any_path(),
    ) {
        let texts: Vec<&str> = patterns.iter().map(String::as_str).collect();
        let owned_scope = scope(&texts);
        let intent = Intent::new(IntentDraft { owned_scope, ..draft("INT-001", &[]) }).unwrap();
        let facts = Facts {
            intent: IntentFact::Active(Box::new(intent)),
            ..call("write_to_file", vec![target(&path, Access::Overwrite)])
        };
        match decide(&facts) {
            Verdict::WaitForApproval(_) => prop_assert!(naive::owns(&patterns, &path)),
            Verdict::Block(refusal) => {
                let error = refusal.error(&facts, &[]);
                prop_assert!(!naive::owns(&patterns, &path));
                prop_assert_eq!(
                    error.message(),
                    format!("Scope Violation: INT-001 is not authorized to edit {path}. Request scope expansion.")
                );
                prop_assert_eq!(error.code().as_str(), "SCOPE_VIOLATION");
            }
            Verdict::Allow => prop_assert!(false, "a write passed unasked"),
        }
    }

    #[test]
    fn an_ignore_rule_never_loosens((facts, _) in any_facts(), rule in "(\\[INT-(001|\\*)\\]( read)?\n)?(/?[ab](/[ab])?/?|\\*)") {
        let before = Facts { ignore: IgnoreFact::Absent, ..facts.clone() };
        let after = Facts { ignore: ignoring(&rule), ..facts };
        prop_assert!(strictness(&after) >= strictness(&before));
    }

    #[test]
    fn an_exclusion_never_loosens((facts, _) in any_facts(), pattern in any_pattern()) {
        let excluded = ScopePattern::new(&format!("!{}", pattern.trim_start_matches('!'))).unwrap();
        let had_some = matches!(&facts.intent, IntentFact::Active(intent) if !intent.owned_scope().is_empty());
        if !had_some {
            return Ok(());
        }
        let after = with_scope(&facts, |mut patterns| { patterns.push(excluded); patterns });
        prop_assert!(strictness(&after) >= strictness(&facts));
    }

    #[test]
    fn a_parents_scope_never_loosens((facts, _) in any_facts(), patterns in prop::collection::vec(any_pattern(), 0..3)) {
        let before = Facts { parent_scope: None, ..facts.clone() };
        let texts: Vec<&str> = patterns.iter().map(String::as_str).collect();
        let after = Facts { parent_scope: Some(scope(&texts)), ..facts };
        prop_assert!(strictness(&after) >= strictness(&before));
    }

    #[test]
    fn a_broken_store_never_loosens((facts, _) in any_facts()) {
        let whole = Facts { health: Health::Ok, ..facts.clone() };
        prop_assert!(strictness(&facts) >= strictness(&whole));
    }

    #[test]
    fn the_order_of_patterns_is_irrelevant((facts, _) in any_facts(), turn in 0_usize..4) {
        let turned = with_scope(&facts, |mut patterns| {
            let by = turn % patterns.len().max(1);
            patterns.rotate_left(by);
            patterns
        });
        prop_assert_eq!(said(&decide(&turned)), said(&decide(&facts)));
    }

    #[test]
    fn adding_an_inclusion_never_takes_a_path_away(
        patterns in prop::collection::vec(any_pattern(), 1..4), more in any_pattern(), path in any_path(),
    ) {
        let more = more.trim_start_matches('!').to_owned();
        let has_inclusion = patterns.iter().any(|pattern| !pattern.starts_with('!'));
        if !has_inclusion {
            return Ok(());
        }
        let texts: Vec<&str> = patterns.iter().map(String::as_str).collect();
        let wider: Vec<&str> = texts.iter().copied().chain([more.as_str()]).collect();
        let owns = |texts: &[&str]| ScopeMatcher::new(&scope(texts)).unwrap().matches(&repo(&path));
        prop_assert!(!owns(&texts) || owns(&wider));
    }
}

#[test]
fn the_default_is_to_refuse() {
    let facts = Facts { intent: IntentFact::Gone(id("INT-001")), ..crate::support::write("src/a") };
    assert_eq!(strictness(&facts), 2);
}
