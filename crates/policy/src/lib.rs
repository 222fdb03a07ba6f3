//! Pure decisions: facts in, verdict out.
//!
//! [`decide`] is the whole of it: everything that a verdict depends on is a plain value in [`Facts`], and the same
//! facts always give the same verdict. Around it stand the languages in which humans write rules, and the table of
//! tools. What is deliberately absent: files, clocks, networks, randomness, logging, and any host's dialect.
//!
//! ```
//! use bailiwick_domain::{FileState, Health, IntentId, Location, RepoPath, Settings, State, WorkspacePath};
//! use bailiwick_policy::registry::classify;
//! use bailiwick_policy::{Access, AnchorFact, Facts, IgnoreFact, IntentFact, TargetFact, Verdict, Violation, decide};
//!
//! let path = RepoPath::new("src/auth/jwt.rs").unwrap();
//! let target = TargetFact {
//!     requested: "src/auth/jwt.rs".to_owned(),
//!     access: Access::Read,
//!     location: Location::Inside(WorkspacePath { folded: path.to_string(), path, spelled: None }),
//!     current: FileState::Other,
//!     observed: None,
//!     explained: None,
//!     claimed: None,
//!     anchor: AnchorFact::NotQuoted,
//! };
//! let mut facts = Facts {
//!     settings: Settings::default(),
//!     health: Health::Ok,
//!     tool: classify("read_file", &Default::default()),
//!     tool_name: "read_file".to_owned(),
//!     state: State::Request,
//!     quarantine: None,
//!     intent: IntentFact::None,
//!     unaccepted: Vec::new(),
//!     foreign_intent: None,
//!     parent_scope: None,
//!     targets: vec![target],
//!     malformed: None,
//!     extras: Default::default(),
//!     ignore: IgnoreFact::Absent,
//!     folds_case: false,
//!     requirement_ids: Vec::new(),
//!     blocked_before: 0,
//!     command: None,
//!     searches: false,
//!     unproved: None,
//!     outbound: None,
//!     command_fault: None,
//!     count: None,
//! };
//! assert_eq!(decide(&facts), Verdict::Allow);
//!
//! facts.tool = classify("delete_file", &Default::default());
//! let Verdict::Block(refusal) = decide(&facts) else { panic!() };
//! assert!(matches!(refusal.first, Violation::TooEarly { state: State::Request, .. }));
//!
//! let selectable = [IntentId::new("INT-001").unwrap()];
//! let error = refusal.error(&facts, &selectable);
//! assert_eq!(error.code().as_str(), "STATE_VIOLATION");
//! assert!(error.suggestion().ends_with("Selectable: INT-001."));
//! ```
//!
//! # The order of checks
//!
//! The first failure is returned; `details.also` holds the codes of the others:
//!
//! 1. **Health.** A broken store stops all but the gate's own tools; `fail_safe.safe_tools: allow` spares safe ones.
//! 2. **Quarantine.** A halted session does nothing, not even with the gate's own tools. These two stand alone: what
//!    else is known is then no evidence. After them the gate's own tools are let through.
//! 3. **State and intent.** What is destructive, or changes a path whatever its class, waits for `ACTION`, an intent
//!    that is there and selectable, and no other id in the call. With `handshake.strict` safe tools wait too, except
//!    those that only talk. An id in the call that is not the active one is a `STATE_VIOLATION` when it could be
//!    selected, else `INTENT_NOT_FOUND`.
//! 4. **Places.** Parameters that can be understood, paths inside the root (reading also in the host's scratch places
//!    and in `read.roots`), nothing [protected].
//! 5. **Ignore rules**, which only take away.
//! 6. **Scope**, for every change of a path. Deleting and moving judge a link itself as well as what it leads to. A
//!    sub-agent's change must lie in its parent's scope too.
//! 7. **Constraints** of the intent, then its **requirements**, then [staleness].
//! 8. **Loop.** The same call failing, or rejected, `loop.repeats` times before.
//! 9. **Approval.** What is destructive asks a human. A scope violation that is the only failure may ask for an
//!    override where `scope.on_violation: ask` says so; nothing else is ever overridden.
//!
//! # Grants
//!
//! Where step 9 asks about an edit, a human may have said yes in advance, within bounds: see [`coverage`].
//!
//! # Scopes
//!
//! A scope is a list of patterns over paths relative to the root. A path is owned when a pattern includes it and none
//! excludes it; the order of patterns does not matter.
//!
//! | pattern | owns |
//! |---|---|
//! | `src/a.rs` | that path, and all below it if it is a directory |
//! | `src/utils`, `src/utils/` | that path and all below it |
//! | `src/**` | all below `src`, hidden files too |
//! | `src/*.rs` | the files of that directory: `*` and `?` never cross `/` |
//! | `**/test` | every path called `test`, and all below |
//! | `packages/*/` | with a trailing slash, all below each match |
//! | `{src,tests}/auth` | braces are spelled out first: `src/auth` and `tests/auth` |
//! | `[a-c]1` | one sign of a class; `[[:digit:]]` and escapes work as in gitignore(5), and no class holds a `/` |
//! | `!src/legacy/` | takes away, whatever includes it |
//!
//! Case matters, but where the file system takes no notice of it exclusions take away in any case. An empty list owns
//! nothing; a list of exclusions alone owns everything else. A back-slash before one of `! * ? [ ] { } ,` takes that
//! sign's meaning away; any other back-slash separates, so `src\a.ts` is `src/a.ts`. An exclusion in which a back-slash
//! could be meant either way counts both ways. `?` and classes stand for one character; in an exclusion, and wherever else
//! patterns take away, for one byte too, as in git. A pattern that is no glob makes the whole scope invalid.
//!
//! ```
//! use bailiwick_domain::{OwnedScope, RepoPath};
//! use bailiwick_policy::scope_match::ScopeMatcher;
//! let owns = |patterns: &[&str], path: &str| {
//!     let scope = OwnedScope::parse(patterns.iter().copied()).unwrap();
//!     ScopeMatcher::new(&scope).unwrap().matches(&RepoPath::new(path).unwrap())
//! };
//! assert!(owns(&["src/utils/"], "src/utils/helper.ts"));
//! assert!(!owns(&["src/utils/"], "src/core/main.ts"));
//! assert!(owns(&["src/**"], "src/.env.x"));
//! assert!(!owns(&["src/*.rs"], "src/a/b.rs"));
//! assert!(!owns(&["src/**", "!**/*.test.ts"], "src/a.test.ts"));
//! assert!(owns(&[r"\!odd.md"], "!odd.md"));
//! ```
//!
//! # `.intentignore`
//!
//! gitignore lines, in sections. Lines before any header bind every intent; a header is a whole line `[pattern]` over
//! intent ids (`*` and `?`), and binds the intents it fits. Rules forbid changes; the lines of a header that ends in
//! ` read` forbid reading as well. `!` re-includes within its own section only, and nothing below a directory that is
//! ignored. A path is judged with all directories above it, as file and as directory. Several files add up. Where the
//! file system folds case, so do the rules. Braces work as in scopes, and as the signs that they are to git; `?` and
//! classes stand for one character, and for one byte as in git: what one reading ignores is forbidden. A line that starts
//! with `[` and is neither a header nor a rule is an error.
//!
//! ```
//! use bailiwick_domain::{IgnoreFile, IntentId, RepoPath};
//! use bailiwick_policy::IgnoreRules;
//! let text = "# generated\ndist/\n\n[INT-001]\nsrc/billing/\n!src/billing/README.md\n\n[INT-*] read\nsecret/\n";
//! let rules = IgnoreRules::parse(&[IgnoreFile { name: ".intentignore".to_owned(), text: text.to_owned() }]).unwrap();
//! let intent = IntentId::new("INT-002").unwrap();
//! let forbids = |path: &str, reading| {
//!     rules.forbids(&RepoPath::new(path).unwrap(), Some(&intent), reading, false).is_some()
//! };
//! assert!(forbids("dist/a.js", false) && !forbids("dist/a.js", true));
//! assert!(!forbids("src/billing/tax.rs", false));
//! assert!(forbids("secret/key", true));
//! ```
//!
//! # Protected paths
//!
//! Some paths are guarded by file, whatever a scope says: see [`protection`]. `protect.write` and `protect.read` add
//! patterns in the grammar of scopes, compared without case.
//!
//! [protected]: protection
#![warn(missing_docs)]

pub mod acceptance;
mod calls;
pub mod coverage;
mod decide;
mod globs;
mod guarded;
pub mod handshake;
pub mod lessons;
pub mod lint;
pub mod staleness;
pub mod suggest;
pub mod verified;

pub use calls::described::{Described, Led, MOST_PATHS, access_of, described};
pub use calls::facts::{CountFact, Explained, Facts, IgnoreFact, IntentFact, TargetFact};
pub use calls::registry::ToolEntry;
pub use calls::targets::{RequestedTarget, Targets, targets};
pub use calls::terms::{Access, AnchorFact, Candidate, Edit, Unreadable};
pub use calls::{budget, edits, facts, limits, patch, preview, registry, shown};
#[cfg(feature = "schema")]
pub use decide::details_schema;
pub use decide::{
    Bound, Concern, Place, Places, Refusal, Stray, Verdict, Violation, decide, health_error, held_in_pause,
    proposal_example, quarantine_error, rejected_again,
};
pub use globs::ignore_match::IgnoreRules;
pub use globs::{ignore_match, scope_match, shell_pattern, within};
pub use guarded::{breadth, executable, outbound, protection, secrets};
