//! The port `IntentRepo` on files: the seeds' form, spellings from the wild, and freshness.

use std::fs;
use std::sync::Arc;

use bailiwick_adapters_fs::{FsIntentRepo, Layout};
use bailiwick_domain::testing::contract;
use bailiwick_domain::{
    Clock, Constraint, Intent, IntentId, IntentKind, IntentRepo, IntentStatus, PortError, Timestamp,
};
use pollster::block_on;
use tempfile::TempDir;

use crate::governed::Later;

/// The example of the seed document, byte for byte.
const SEED: &str = r#"active_intents:
    - id: "INT-001"
      name: "JWT Authentication Migration"
      status: "IN_PROGRESS"
      owned_scope:
          - "src/auth/**"
          - "src/middleware/jwt.ts"
      constraints:
          - "Must not use external auth providers"
          - "Maintain backward compatibility with Basic Auth"
      acceptance_criteria:
          - "Unit tests in tests/auth/ pass"
"#;

/// A governed root with this intents file.
pub(crate) struct Store {
    folder: TempDir,
}

impl Store {
    pub(crate) fn new(intents: &str) -> Self {
        let store = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(store.layout().orchestration()).unwrap();
        fs::create_dir_all(store.layout().private()).unwrap();
        fs::create_dir_all(store.layout().user_state().unwrap()).unwrap();
        store.write(intents);
        store
    }

    pub(crate) fn layout(&self) -> Layout {
        let at = self.folder.path();
        Layout::new(at, at.join(".git/bailiwick"), Some(at.join("state")))
    }

    fn write(&self, intents: &str) {
        fs::write(self.layout().intents_file(), intents).unwrap();
    }

    pub(crate) fn repo(&self) -> FsIntentRepo {
        FsIntentRepo::new(self.layout())
    }

    fn settled_repo(&self) -> FsIntentRepo {
        FsIntentRepo::with_clock(self.layout(), Arc::new(Later))
    }
}

fn id(text: &str) -> IntentId {
    IntentId::new(text).unwrap()
}

fn get(repo: &FsIntentRepo, text: &str) -> Option<Intent> {
    block_on(repo.get(&id(text))).unwrap()
}

#[track_caller]
fn scope_of(intents: &str) -> Vec<String> {
    let intent = get(&Store::new(intents).repo(), "INT-001").unwrap();
    intent.owned_scope().patterns().iter().map(ToString::to_string).collect()
}

fn with_scope(scope: &str) -> String {
    format!("active_intents:\n  - id: INT-001\n    name: One\n    status: PENDING\n{scope}\n")
}

fn many(count: usize) -> String {
    let item = |n: usize| {
        format!("  - {{id: INT-{n:04}, name: Goal {n}, status: PENDING, owned_scope: [\"src/{n}/**\"]}}\n")
    };
    format!("active_intents:\n{}", (0..count).map(item).collect::<String>())
}

#[test]
fn req_140_the_seed_documents_example_loads_unchanged() {
    let intent = get(&Store::new(SEED).repo(), "INT-001").unwrap();
    assert_eq!(intent.name(), "JWT Authentication Migration");
    assert_eq!(intent.status(), IntentStatus::InProgress);
    assert!(intent.is_selectable());
    let constraint = |text: &str| Constraint::Text(text.into());
    assert_eq!(
        intent.constraints(),
        [
            constraint("Must not use external auth providers"),
            constraint("Maintain backward compatibility with Basic Auth")
        ]
    );
    assert_eq!(intent.acceptance_criteria()[0].0, "Unit tests in tests/auth/ pass");
    assert!(intent.requirements().is_empty());
}

// K-40: what a person wrote down about the work is read, and bounds are bounds
#[test]
fn bounds_that_count_are_read() {
    let text = "active_intents:\n  - id: INT-001\n    name: One\n    status: PENDING\n    kind: refactor\n    owned_scope: [src/]\n    constraints:\n      - max_files: 12\n      - max_lines: 400\n";
    let intent = get(&Store::new(text).repo(), "INT-001").unwrap();
    assert_eq!(intent.kind(), Some(IntentKind::Refactor));
    assert_eq!(intent.constraints(), [Constraint::MaxFiles(12), Constraint::MaxLines(400)]);
}

// The reference on the intent language, §6: a child stays inside what its ancestors own; a goal owns nothing and bounds
// nobody. What was read from the cache says the same.
#[test]
fn a_child_is_held_within_what_its_ancestors_own() {
    let item = |id: &str, rest: &str| format!("  - id: {id}\n    name: {id}\n    status: PENDING\n{rest}");
    let text = [
        "active_intents:\n".to_owned(),
        item("INT-001", "    owned_scope: [src/]\n"),
        item("INT-002", "    kind: goal\n    parent: INT-001\n"),
        item("INT-003", "    parent: INT-002\n    owned_scope: [src/a/, docs/]\n"),
    ];
    let store = Store::new(&text.concat());
    for repo in [store.repo(), store.repo()] {
        let child = get(&repo, "INT-003").unwrap();
        let within: Vec<(&str, &str)> = child
            .within()
            .iter()
            .map(|held| (held.intent.as_str(), held.owned_scope.patterns()[0].as_str()))
            .collect();
        assert_eq!(within, [("INT-001", "src/")]);
        assert!(get(&repo, "INT-001").unwrap().within().is_empty());
    }
}

// REQ 35
#[test]
fn req_141_a_scope_mixes_globs_and_exact_files() {
    assert_eq!(scope_of(SEED), ["src/auth/**", "src/middleware/jwt.ts"]);
}

// K-08
#[test]
fn req_024_missing_null_empty_and_blank_scopes_own_nothing() {
    let spellings = [
        "",
        "    owned_scope:",
        "    owned_scope: null",
        "    owned_scope: ~",
        "    owned_scope: []",
        "    owned_scope: \"  \"",
        "    owned_scope: [\"\"]",
        "    owned_scope: [\" \", \"\\t\"]",
    ];
    for spelling in spellings {
        let intent = get(&Store::new(&with_scope(spelling)).repo(), "INT-001");
        assert!(intent.unwrap().owned_scope().is_empty(), "{spelling}");
    }
}

// K-08
#[test]
fn a_scope_of_exclusions_alone_needs_allow_broad() {
    let scope = "    owned_scope: [\"!src/legacy/**\"]";
    let store = Store::new(&with_scope(scope));
    assert!(matches!(block_on(store.repo().load()), Err(PortError::Invalid(fault)) if fault.line == 5));
    assert_eq!(scope_of(&with_scope(&format!("{scope}\n    allow_broad: true"))), ["!src/legacy/**"]);
}

// K-47
#[test]
fn spellings_from_the_wild_are_understood_with_warnings() {
    let wild = "\
- intent_id: A-1
  title: First
  status: DONE
- id: A-2
  name: Second
  status: active
- id: A-3
  name: Third
  status: NOT_STARTED
- id: A-4
  name: Fourth
  status: in-progress
- {id: A-5, name: Fifth, status: Blocked}
- {id: A-6, name: Sixth, status: cancelled}
";
    let report = Store::new(wild).repo().load_report().unwrap();
    assert_eq!(report.errors, []);
    let statuses: Vec<&str> = report.set.iter().map(|intent| intent.status().as_str()).collect();
    assert_eq!(statuses, ["COMPLETED", "IN_PROGRESS", "PENDING", "IN_PROGRESS", "BLOCKED", "ABANDONED"]);
    let warnings: Vec<String> = report.warnings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(warnings.join("\n"));
    let nested = Store::new("intents:\n  - {id: A-1, name: One, status: todo}\n");
    assert_eq!(get(&nested.repo(), "A-1").unwrap().status(), IntentStatus::Pending);
}

#[test]
fn the_whole_intent_language_is_understood() {
    let text = r#"
active_intents:
  - id: INT-010
    name: Safe sessions
    kind: goal
    status: PENDING
    constraints: [{ forbid_paths: ["migrations/**"] }]
  - id: INT-014
    name: Rotate refresh tokens
    kind: change                # goal | change | fix | refactor | chore
    status: PENDING
    parent: INT-010
    why: Stolen refresh tokens stay valid for 30 days.
    requirements: [REQ-002-FR-005]
    owned_scope: ["src/auth/", "!src/auth/legacy/**", "tests/auth/**"]
    constraints:
      - text: Public token format stays the same
        because: Mobile clients parse it
        check: { run: "cargo test token_format" }
      - forbid_tools: [execute_command]
    acceptance_criteria:
      - id: AC-1
        text: A reused refresh token is refused
        check: { run: "cargo test reuse_refused" }
      - text: Security lead has read the diff
        check: human
      - Plain text
    examples: { allow: [src/auth/session.rs], deny: [src/billing/token.rs] }
    assumptions: ["Clock skew under 60 s"]
    notes: human only, never sent to a model
    source: { tool: spec-kit, path: specs/002/spec.md, lines: "3-9", sha256: "ab" }
    frozen: true
"#;
    let store = Store::new(text);
    assert_eq!(store.repo().load_report().unwrap().errors, []);
    let intent = get(&store.repo(), "INT-014").unwrap();
    assert_eq!(intent.parent(), Some(&id("INT-010")));
    assert_eq!(intent.requirements(), ["REQ-002-FR-005"]);
    assert!(intent.is_frozen() && !intent.is_selectable());
    let criteria: Vec<&str> =
        intent.acceptance_criteria().iter().map(|criterion| criterion.0.as_str()).collect();
    assert_eq!(
        criteria,
        ["AC-1: A reused refresh token is refused", "Security lead has read the diff", "Plain text"]
    );
    insta::assert_debug_snapshot!(intent.constraints());
}

#[test]
fn the_port_keeps_its_contract_fresh_and_from_the_cache() {
    let store = Store::new(SEED);
    let expected: Vec<Intent> = store.repo().load_report().unwrap().set.iter().cloned().collect();
    block_on(contract::intent_repo(&store.repo(), &expected));
    block_on(contract::intent_repo(&store.settled_repo(), &expected));
}

// REQ 59, REQ 60, REQ 61, K-37
#[test]
fn req_043_a_thousand_questions_read_the_file_once() {
    let store = Store::new(SEED);
    let repo = store.settled_repo();
    for _ in 0..1000 {
        assert!(get(&repo, "INT-001").is_some());
    }
    assert_eq!((repo.reads(), repo.parses()), (1, 1));
    let next_process = store.settled_repo();
    assert!(get(&next_process, "INT-001").is_some());
    assert!(get(&next_process, "INT-002").is_none());
    assert_eq!((next_process.reads(), next_process.parses()), (0, 0));
}

#[test]
fn req_059_the_cache_is_set_and_asked_and_cleared_in_part_or_whole() {
    let store = Store::new(SEED);
    let cost = || {
        let process = store.settled_repo();
        assert_eq!(get(&process, "INT-001").unwrap().owned_scope().patterns().len(), 2);
        (process.reads(), process.parses())
    };
    let clear = |prefix: &str| {
        let entries = fs::read_dir(store.layout().cache()).unwrap().map(|entry| entry.unwrap().path());
        let named: Vec<_> =
            entries.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(prefix)).collect();
        named.iter().for_each(|path| fs::remove_file(path).unwrap());
        named.len()
    };
    assert_eq!(cost(), (1, 1), "nothing is cached yet: the first process sets the cache");
    assert_eq!(cost(), (0, 0), "the next one gets its answer from there");
    assert_eq!(clear("intents-body-"), 1);
    assert_eq!(cost(), (1, 1), "an entry that was cleared is made again");
    assert_eq!(cost(), (0, 0));
    assert_eq!(clear(""), 2);
    assert_eq!(cost(), (1, 1), "so is everything");
    assert_eq!(cost(), (0, 0));
}

// K-37
#[test]
fn a_fresh_file_is_compared_by_content_but_not_parsed_again() {
    let store = Store::new(SEED);
    let repo = store.repo();
    for _ in 0..10 {
        assert!(get(&repo, "INT-001").is_some());
    }
    assert_eq!((repo.reads(), repo.parses()), (10, 1));
}

// K-37
#[test]
fn req_062_an_edit_takes_effect_on_the_next_call_even_with_equal_size_and_time() {
    let store = Store::new(&with_scope("    owned_scope: [src/aaaa/]"));
    let file = store.layout().intents_file();
    let stamp = filetime::FileTime::from_unix_time(1_700_000_000, 0);
    filetime::set_file_mtime(&file, stamp).unwrap();
    for repo in [store.repo(), store.settled_repo()] {
        store.write(&with_scope("    owned_scope: [src/aaaa/]"));
        filetime::set_file_mtime(&file, stamp).unwrap();
        assert_eq!(get(&repo, "INT-001").unwrap().owned_scope().patterns()[0].as_str(), "src/aaaa/");
        fs::remove_file(&file).unwrap();
        store.write(&with_scope("    owned_scope: [src/bbbb/]"));
        filetime::set_file_mtime(&file, stamp).unwrap();
        assert_eq!(get(&repo, "INT-001").unwrap().owned_scope().patterns()[0].as_str(), "src/bbbb/");
    }
}

#[test]
fn req_065_an_intent_that_was_taken_out_is_gone_at_once() {
    let store = Store::new(SEED);
    let repo = store.repo();
    assert!(get(&repo, "INT-001").is_some());
    store.write("active_intents: []\n");
    assert!(get(&repo, "INT-001").is_none());
    assert!(get(&store.repo(), "INT-001").is_none());
}

// REQ 62
#[test]
fn a_closed_intent_is_closed_for_every_process() {
    let store = Store::new(SEED);
    let (one, two) = (store.repo(), store.repo());
    assert!(get(&one, "INT-001").unwrap().is_selectable());
    assert!(get(&two, "INT-001").unwrap().is_selectable());
    store.write(&SEED.replace("IN_PROGRESS", "COMPLETED"));
    assert!(!get(&one, "INT-001").unwrap().is_selectable());
    assert!(!get(&two, "INT-001").unwrap().is_selectable());
}

// REQ 43, K-37
#[test]
fn each_of_five_thousand_intents_is_found_without_a_parse() {
    let store = Store::new(&many(5000));
    assert_eq!(block_on(store.settled_repo().load()).unwrap().len(), 5000);
    let repo = store.settled_repo();
    for n in [0, 1, 2500, 4998, 4999] {
        let name = format!("INT-{n:04}");
        assert_eq!(get(&repo, &name).unwrap().name(), format!("Goal {n}"));
    }
    assert!(get(&repo, "INT-5000").is_none());
    assert_eq!((repo.reads(), repo.parses()), (0, 0));
}

#[test]
fn a_cached_intent_equals_the_parsed_one() {
    let store = Store::new(SEED);
    let parsed = block_on(store.settled_repo().load()).unwrap();
    let cached = store.settled_repo();
    assert_eq!(block_on(cached.load()).unwrap(), parsed);
    assert_eq!(get(&store.settled_repo(), "INT-001").as_ref(), parsed.get(&id("INT-001")));
    assert_eq!(cached.parses(), 0);
}

// K-37
#[test]
fn a_damaged_cache_is_never_believed() {
    let store = Store::new(SEED);
    let parsed = get(&store.settled_repo(), "INT-001");
    let files = || fs::read_dir(store.layout().cache()).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(files().count(), 2);
    for file in files().collect::<Vec<_>>() {
        let whole = fs::read(&file).unwrap();
        for at in (0..whole.len()).step_by(7) {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&file, &damaged).unwrap();
            let found = block_on(store.settled_repo().get(&id("INT-001")));
            assert!(found == Ok(parsed.clone()) || found == Ok(None), "byte {at}: {found:?}");
        }
        fs::write(&file, &whole[..whole.len() / 2]).unwrap();
        assert_eq!(get(&store.settled_repo(), "INT-001"), parsed);
        fs::remove_file(&file).unwrap();
        assert_eq!(get(&store.settled_repo(), "INT-001"), parsed);
    }
}

#[test]
fn without_private_state_intents_are_read_all_the_same() {
    let store = Store::new(SEED);
    fs::remove_dir_all(store.layout().private()).unwrap();
    assert!(get(&store.repo(), "INT-001").is_some());
    assert!(!store.layout().private().exists());
}

// K-37
#[test]
fn a_lost_body_is_made_again() {
    let store = Store::new(SEED);
    let parsed = get(&store.settled_repo(), "INT-001");
    let is_body = |path: &std::path::PathBuf| path.to_string_lossy().contains("intents-body");
    let mut files = fs::read_dir(store.layout().cache()).unwrap().map(|entry| entry.unwrap().path());
    let body = files.find(is_body).unwrap();
    fs::remove_file(&body).unwrap();
    let repo = store.settled_repo();
    assert_eq!(get(&repo, "INT-001"), parsed);
    assert_eq!((repo.reads(), repo.parses()), (1, 1));
    assert!(body.exists());
}

// K-37
#[test]
fn bodies_of_old_contents_do_not_pile_up() {
    let store = Store::new(SEED);
    let repo = store.repo();
    for n in 0..5 {
        store.write(&SEED.replace("JWT", &format!("JWT {n}")));
        assert!(get(&repo, "INT-001").is_some());
    }
    assert_eq!(fs::read_dir(store.layout().cache()).unwrap().count(), 2);
}

/// A clock that a test moves.
#[derive(Debug)]
struct Moved(std::sync::atomic::AtomicI64);

impl Clock for Moved {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_ms(self.0.load(std::sync::atomic::Ordering::SeqCst))
    }
}

// D-01, K-37: time passes without a change of the file, and without reading it again
#[test]
fn an_intent_with_an_end_cannot_be_selected_after_it() {
    let text = "active_intents:\n  - id: INT-001\n    name: One\n    status: PENDING\n    owned_scope: [src/]\n    expires: \"2026-02-18T12:00:00Z\"\n  - id: INT-002\n    name: Two\n    status: PENDING\n    owned_scope: [lib/]\n";
    let store = Store::new(text);
    let end = Timestamp::parse("2026-02-18T12:00:00.000Z").unwrap();
    let clock = Arc::new(Moved(std::sync::atomic::AtomicI64::new(end.unix_ms() - 1)));
    let repo = FsIntentRepo::with_clock(store.layout(), clock.clone());
    let selectable = |repo: &FsIntentRepo| {
        let set = block_on(repo.load()).unwrap();
        let ids: Vec<String> = set.selectable().map(|intent| intent.id().to_string()).collect();
        let named: Vec<String> =
            block_on(repo.first_selectable()).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(ids, named);
        assert_eq!(get(repo, "INT-001").unwrap().is_selectable(), ids.contains(&"INT-001".to_owned()));
        ids
    };
    assert_eq!(get(&repo, "INT-001").unwrap().expires(), Some(end));
    assert_eq!(selectable(&repo), ["INT-001", "INT-002"]);
    clock.0.store(end.unix_ms(), std::sync::atomic::Ordering::SeqCst);
    assert_eq!(selectable(&repo), ["INT-002"]);
    let anew = FsIntentRepo::with_clock(store.layout(), clock);
    assert_eq!(selectable(&anew), ["INT-002"], "from the cache on disk as well");
    assert_eq!(get(&anew, "INT-001").unwrap().closed_because(), Some("expired"));
}
