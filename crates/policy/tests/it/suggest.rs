//! Which files are suggested for a goal: in one order, within bounds, and never more than they say.

use bailiwick_domain::{OwnedScope, RepoPath};
use bailiwick_policy::scope_match::ScopeMatcher;
use bailiwick_policy::suggest::{FileFacts, Goal, PastCommit, Why, forgotten, imported, patterns, rank};
use proptest::prelude::{Strategy, any, prop, prop_assert, prop_assert_eq, proptest};

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn files(goal: &Goal, texts: &[(&str, &str)]) -> Vec<FileFacts> {
    let facts = |(name, text): &(&str, &str)| FileFacts {
        path: path(name),
        found: goal.count(text),
        imports: imported(text),
    };
    texts.iter().map(facts).collect()
}

fn past(all: &[(&str, &[usize])]) -> Vec<PastCommit> {
    all.iter()
        .map(|(subject, files)| PastCommit { subject: (*subject).to_owned(), files: files.to_vec() })
        .collect()
}

const MAIL: [(&str, &str); 6] = [
    ("src/mail/client.rs", "use crate::clock;\nfn send() { backoff(); }"),
    ("src/mail/retry.rs", "fn backoff() { retry() }"),
    ("src/clock.rs", "fn now() {}"),
    ("src/billing/tax.rs", "fn tax() {}"),
    ("tests/retry_test.rs", "fn it_waits() {}"),
    ("docs/mail.md", "how mail is sent"),
];

// D-01: a first scope from the goal alone, with the reasons
#[test]
fn words_of_the_goal_find_files_and_their_tests() {
    let goal = Goal::of("Fix the retry backoff in the mail client");
    assert_eq!(goal.words(), ["retry", "backoff", "mail", "client"]);
    let files = files(&goal, &MAIL);
    let ranked = rank(&goal, &files, &[], 12);
    let named: Vec<&str> = ranked.iter().map(|one| one.path.as_str()).collect();
    assert!(named.starts_with(&["src/mail/retry.rs", "src/mail/client.rs"]), "{named:?}");
    assert!(named.contains(&"tests/retry_test.rs") && !named.contains(&"src/billing/tax.rs"), "{named:?}");
    let test = ranked.iter().find(|one| one.path.as_str() == "tests/retry_test.rs").unwrap();
    assert!(test.why.contains(&Why::TestOf(path("src/mail/retry.rs"))), "{:?}", test.why);
}

#[test]
fn what_was_changed_together_comes_along_and_says_so() {
    let goal = Goal::of("Fix retry.rs");
    let files = files(&goal, &MAIL);
    let mut commits = vec![("Something", [1, 3].as_slice()); 9];
    commits.extend([("Other", [1].as_slice()); 2]);
    let ranked = rank(&goal, &files, &past(&commits), 12);
    assert_eq!((ranked[0].path.as_str(), &ranked[0].why[0]), ("src/mail/retry.rs", &Why::Named));
    let tax = ranked.iter().find(|one| one.path.as_str() == "src/billing/tax.rs").unwrap();
    assert_eq!(tax.why[0].says(), "changed together in 9 of 11 commits: src/mail/retry.rs");
}

// D-42: an agent's draft is shown with what it forgot
#[test]
fn what_a_draft_forgot_is_what_usually_changes_with_it() {
    let files = files(&Goal::of("x"), &MAIL);
    let mut commits = vec![("", [1, 4].as_slice()); 9];
    commits.extend([("", [1].as_slice()); 2]);
    commits.extend([("", [0, 5].as_slice()); 2]);
    let past = past(&commits);
    let of = |owned: &[&str], most: usize| {
        let found = forgotten(&files, |path| owned.contains(&path.as_str()), &past, most);
        found.iter().map(|one| format!("{}: {}", one.path, one.why[0].says())).collect::<Vec<_>>()
    };
    assert_eq!(
        of(&["src/mail/retry.rs", "src/mail/client.rs"], 5),
        ["tests/retry_test.rs: changed together in 9 of 11 commits: src/mail/retry.rs"]
    );
    assert!(of(&["src/mail/retry.rs", "tests/retry_test.rs"], 5).is_empty(), "nothing is left out");
    assert!(of(&["src/mail/client.rs"], 5).is_empty(), "two commits are chance");
    assert!(of(&["src/mail/retry.rs"], 0).is_empty());
}

#[test]
fn earlier_messages_with_the_words_count() {
    let goal = Goal::of("Round VAT correctly");
    let files = files(&goal, &MAIL);
    assert!(rank(&goal, &files, &[], 12).is_empty(), "no word is anywhere");
    let commits = past(&[("VAT is rounded", &[3]), ("mail", &[0]), ("mail again", &[0])]);
    let ranked = rank(&goal, &files, &commits, 12);
    assert_eq!((ranked.len(), ranked[0].path.as_str()), (1, "src/billing/tax.rs"));
    assert_eq!(ranked[0].why, [Why::Earlier(1)]);
}

#[test]
fn a_folder_is_named_only_where_nearly_all_of_it_is_meant() {
    let goal = Goal::of("mail");
    let texts: Vec<(String, bool)> = (0..4).map(|at| (format!("src/mail/{at}.rs"), true)).collect();
    let facts: Vec<FileFacts> = texts
        .iter()
        .map(|(name, _)| FileFacts { path: path(name), found: vec![1], imports: Vec::new() })
        .collect();
    let ranked = rank(&goal, &facts, &[], 12);
    let all = |extra: &[(&str, bool)]| {
        let extra = extra.iter().map(|(name, may)| (path(name), *may));
        texts.iter().map(|(name, may)| (path(name), *may)).chain(extra).collect::<Vec<_>>()
    };
    let of = |extra: &[(&str, bool)]| {
        let all = all(extra);
        patterns(&ranked, &all).into_iter().map(|one| (one.pattern, one.files)).collect::<Vec<_>>()
    };
    assert_eq!(of(&[("README.md", true)]), [("src/mail/".to_owned(), 4)]);
    assert_eq!(of(&[("src/mail/.env", false)]).len(), 4, "one that may not be suggested is in it");
    assert_eq!(of(&[]).len(), 4, "never the whole tree");
    let many = [("src/mail/a/x", true), ("src/mail/b", true), ("x", true)];
    assert_eq!(of(&many).len(), 4, "too much of it is not meant");
}

#[test]
fn words_meet_in_their_forms_and_where_names_are_joined() {
    let goal = Goal::of("retry foobar bar queues straße");
    assert_eq!(goal.words(), ["retry", "foobar", "bar", "queu", "straß"]);
    assert_eq!(goal.count("Retries mailRetry RETRY_ALL retrying nowretry"), [4, 0, 0, 0, 0]);
    assert_eq!(goal.count("fooBar foobars FOOBAR xBar2Bar 9bar"), [0, 2, 2, 0, 0]);
    assert_eq!(goal.count("queue Queues Straße"), [0, 0, 0, 2, 1]);
    assert!(Goal::of("").count("anything").is_empty());
}

fn name() -> impl Strategy<Value = String> {
    prop::collection::vec("[a-c!*?,{}]{1,3}", 1..4).prop_map(|parts| parts.join("/"))
}

/// How often a word stands in a text, sign by sign.
fn counted_slowly(text: &str, word: &str) -> u32 {
    let signs: Vec<char> = text.chars().collect();
    let mut parts: Vec<String> = vec![String::new()];
    for (at, sign) in signs.iter().enumerate() {
        let joins = at > 0 && signs[at - 1].is_ascii_lowercase() && sign.is_ascii_uppercase();
        if !sign.is_alphanumeric() || joins {
            parts.push(String::new());
        }
        if sign.is_alphanumeric() {
            parts.last_mut().unwrap().push(sign.to_ascii_lowercase());
        }
    }
    let forms = [word.to_owned(), format!("{word}s"), format!("{word}ed"), format!("{word}ing")];
    u32::try_from(parts.iter().filter(|part| forms.contains(part)).count()).unwrap()
}

proptest! {
    #[test]
    fn words_are_counted_as_one_would_sign_by_sign(text in "((abba|bab|Abba|BAB|aab|s|ed|ing|_| |B){0,3}[ab_]?){0,6}") {
        let goal = Goal::of("abba bab aab");
        let slowly: Vec<u32> = ["abba", "bab", "aab"].iter().map(|word| counted_slowly(&text, word)).collect();
        prop_assert_eq!(goal.count(&text), slowly, "{}", text);
    }

    // D-01: bounded, in one order, and a scope that owns what it says and nothing that may not be suggested
    #[test]
    fn a_suggestion_owns_what_it_says(
        names in prop::collection::btree_map(name(), (any::<bool>(), 0_u32..4), 1..24),
        commits in prop::collection::vec(prop::collection::vec(0_usize..40, 0..6), 0..12),
        most in 1_usize..16,
    ) {
        let goal = Goal::of("abc aaa bbb ccc");
        // A file is no folder of another one.
        let is_folder = |name: &String| names.keys().any(|other| other.starts_with(&format!("{name}/")));
        let all: Vec<(RepoPath, bool)> = names
            .iter()
            .filter(|(name, _)| !is_folder(name))
            .filter_map(|(name, (may, _))| Some((RepoPath::new(name).ok()?, *may)))
            .collect();
        let count = |path: &RepoPath| names.get(path.as_str()).map_or(0, |(_, count)| *count);
        let facts: Vec<FileFacts> = all
            .iter()
            .filter(|(_, may)| *may)
            .map(|(path, _)| FileFacts { path: path.clone(), found: vec![count(path); 4], imports: Vec::new() })
            .collect();
        let past: Vec<PastCommit> =
            commits.into_iter().map(|files| PastCommit { subject: "abc".to_owned(), files }).collect();
        let ranked = rank(&goal, &facts, &past, most);
        prop_assert!(ranked.len() <= most && ranked.iter().all(|one| !one.why.is_empty()));
        let again: Vec<&RepoPath> = rank(&goal, &facts, &past, most).iter().map(|one| one.path).collect();
        prop_assert_eq!(&again, &ranked.iter().map(|one| one.path).collect::<Vec<_>>());
        let suggested = patterns(&ranked, &all);
        if suggested.is_empty() {
            return Ok(());
        }
        let scope = OwnedScope::parse(suggested.iter().map(|one| one.pattern.as_str())).unwrap();
        let matcher = ScopeMatcher::new(&scope).unwrap();
        let owned: Vec<&(RepoPath, bool)> = all.iter().filter(|(path, _)| matcher.matches(path)).collect();
        prop_assert!(owned.iter().all(|(_, may)| *may));
        prop_assert!(ranked.iter().all(|one| matcher.matches(one.path)));
        prop_assert!(owned.len() <= suggested.iter().map(|one| one.files).sum());
    }
}
