//! Each way to be refused, as an agent reads it: the code that the documentation names, and the whole object.

use bailiwick_domain::{
    AncestorScope, CommandFault, Constraint, ContentHash, Diagnostic, ErrorCode, FileState, Health,
    HealthFault, IgnoreFile, Intent, IntentDraft, IntentId, IntentStatus, Location, Observation, OnViolation,
    OwnedScope, ScopePattern, Settings, State,
};
use bailiwick_policy::registry::Extras;
use bailiwick_policy::{
    Access, AnchorFact, CountFact, Explained, Facts, IgnoreFact, IgnoreRules, IntentFact, TargetFact,
    Unreadable, Verdict, decide, health_error, quarantine_error, rejected_again,
};

use crate::support::{active, call, draft, id, inside, linked, read, refused, target, write};

fn under(change: impl FnOnce(&mut IntentDraft)) -> IntentFact {
    let mut draft = draft("INT-001", &["src/**"]);
    change(&mut draft);
    IntentFact::Active(Box::new(Intent::new(draft).unwrap()))
}

fn bound(constraint: Constraint) -> IntentFact {
    under(|draft| draft.constraints = vec![constraint])
}

fn scope(patterns: &[&str]) -> OwnedScope {
    OwnedScope::parse(patterns.iter().copied()).unwrap()
}

fn at(location: Location, access: Access) -> TargetFact {
    TargetFact { requested: "./x\"".to_owned(), location, ..target("x", access) }
}

fn ignoring(text: &str) -> IgnoreFact {
    let file = IgnoreFile { name: ".intentignore".to_owned(), text: text.to_owned() };
    IgnoreFact::Rules(IgnoreRules::parse(&[file]).unwrap())
}

fn entry() -> Vec<(&'static str, ErrorCode, Facts)> {
    use ErrorCode as E;
    let diagnostic = Diagnostic {
        file: "f".into(),
        line: 3,
        column: 1,
        message: "bad".into(),
        fix: "mend it".into(),
        way_out: None,
    };
    let settings = Diagnostic { file: ".orchestration/config.yaml".into(), ..diagnostic.clone() };
    let broken = |fault| Facts { health: Health::Broken(fault), ..write("src/a") };
    let fault = |fault| Facts { command_fault: Some(fault), ..call("Bash", Vec::new()) };
    let early = Facts { state: State::Request, intent: IntentFact::None, ..write("src/a") };
    let none = Facts { intent: IntentFact::None, ..write("src/a") };
    let gone = Facts { intent: IntentFact::Gone(id("INT-001")), ..write("src/a") };
    let closed = under(|draft| draft.status = IntentStatus::Completed);
    let naming = |name| Facts { foreign_intent: Some(id(name)), ..write("src/a") };
    vec![
        ("no root", E::MissingWorkspaceRoot, broken(HealthFault::NoRoot)),
        ("store gone", E::OrchestrationMissing, broken(HealthFault::Missing("it is gone".into()))),
        ("store invalid", E::OrchestrationInvalid, broken(HealthFault::Invalid(diagnostic))),
        ("settings invalid", E::OrchestrationInvalid, broken(HealthFault::Invalid(settings))),
        ("no state", E::LedgerUnavailable, broken(HealthFault::StateUnavailable("disk full".into()))),
        ("halted", E::Quarantined, Facts { quarantine: Some("It ran X.".into()), ..read("src/a") }),
        ("too early", E::StateViolation, early.clone()),
        ("too early, nothing to select", E::StateViolation, early),
        (
            "strict",
            E::StateViolation,
            Facts { settings: Settings { strict: true, ..Settings::default() }, ..read("src/a") },
        ),
        ("no intent", E::MissingIntent, none.clone()),
        ("no intent, nothing to select", E::MissingIntent, none),
        ("intent gone", E::IntentNotFound, gone.clone()),
        ("intent gone, nothing to select", E::IntentNotFound, gone),
        ("intent closed", E::IntentNotSelectable, Facts { intent: closed, ..write("src/a") }),
        ("another intent", E::StateViolation, naming("INT-002")),
        ("a strange intent", E::IntentNotFound, naming("INT-999")),
        ("odd command", E::CommandNotUnderstood, fault(CommandFault::NotUnderstood("a NUL".into()))),
        ("delegation", E::DelegationRefused, fault(CommandFault::Delegation("`claude --bare`".into()))),
        ("for people", E::ProtectedPath, fault(CommandFault::HumanOnly("bailiwick init".into()))),
    ]
}

fn places() -> Vec<(&'static str, ErrorCode, Facts)> {
    use ErrorCode as E;
    let malformed = |why| Facts { malformed: Some(why), ..write("src/a") };
    let to = |targets: Vec<TargetFact>| Facts { targets, ..write("src/a") };
    let reading = |targets| Facts { targets, ..read("src/a") };
    let out = Location::Outside("/etc/passwd".into());
    let secret = || inside("src/.env");
    let wide = || active("INT-001", &["**"]);
    let extras = Extras { unknown: vec!["force".into()], ..Extras::default() };
    vec![
        ("malformed", E::MalformedCall, malformed(Unreadable::Malformed("there is no path".into()))),
        ("much", E::TooLarge, malformed(Unreadable::TooLarge("1000 edits".into()))),
        (
            "odd path",
            E::MalformedCall,
            to(vec![at(Location::Invalid("it holds a NUL".into()), Access::Delete)]),
        ),
        ("outside", E::OutsideWorkspace, to(vec![at(out.clone(), Access::Overwrite)])),
        (
            "outside, read",
            E::OutsideWorkspace,
            reading(vec![target("src/a", Access::Read), at(out, Access::Read)]),
        ),
        ("root", E::ProtectedPath, to(vec![at(Location::Root, Access::Delete)])),
        ("secret", E::ProtectedPath, reading(vec![at(secret(), Access::Read), target("a", Access::Read)])),
        (
            "protected",
            E::ProtectedPath,
            Facts { intent: wide(), ..to(vec![at(inside(".git/a"), Access::Patch)]) },
        ),
        (
            "with parameters",
            E::ProtectedPath,
            Facts { intent: wide(), extras: extras.clone(), ..write(".git/a") },
        ),
        ("ignored", E::IntentIgnored, Facts { ignore: ignoring("src/\n"), ..write("src/a") }),
        (
            "ignored, read",
            E::IntentIgnored,
            Facts { ignore: ignoring("[*] read\nsrc/hidden/\n"), ..read("src/hidden/a") },
        ),
        (
            "bad ignore rules",
            E::IntentignoreInvalid,
            Facts { ignore: IgnoreFact::Invalid(".intentignore:3:1: not closed".into()), ..write("src/a") },
        ),
    ]
}

fn scopes() -> Vec<(&'static str, ErrorCode, Facts)> {
    use ErrorCode as E;
    let owning = |patterns: &[&str]| Facts { intent: active("INT-001", patterns), ..write("src/a") };
    let child = |parent: &[&str]| Facts { parent_scope: Some(scope(parent)), ..write("src/a") };
    let within = AncestorScope { intent: id("INT-000"), owned_scope: scope(&["lib/**"]) };
    let below = under(|draft| (draft.parent, draft.within) = (Some(id("INT-000")), vec![within]));
    let link = at(linked("src/real", "lib/link"), Access::Delete);
    let several = vec![
        target("src/a", Access::Patch),
        at(inside("lib/b"), Access::MoveTo),
        target("lib/c", Access::Delete),
    ];
    vec![
        ("owns nothing", E::NoScope, owning(&[])),
        ("bad scope", E::OrchestrationInvalid, owning(&["src/**", "a["])),
        ("outside the scope", E::ScopeViolation, owning(&["lib/**", "!lib/x"])),
        ("nothing to select", E::ScopeViolation, owning(&["lib/**"])),
        ("only itself to select", E::ScopeViolation, owning(&["lib/**"])),
        ("several paths", E::ScopeViolation, call("apply_patch", several)),
        ("the parent's scope", E::ScopeViolation, child(&["src/b"])),
        ("a parent without scope", E::ScopeViolation, child(&[])),
        ("an ancestor's scope", E::ScopeViolation, Facts { intent: below, ..write("src/a") }),
        ("sensitive", E::ScopeViolation, Facts { intent: active("INT-001", &["**"]), ..write("CLAUDE.md") }),
        ("a link", E::ScopeViolation, Facts { targets: vec![link], ..write("src/a") }),
    ]
}

fn work() -> Vec<(&'static str, ErrorCode, Facts)> {
    use ErrorCode as E;
    let under_bound = |constraint| Facts { intent: bound(constraint), ..write("src/a") };
    let paths = |pattern| Constraint::ForbidPaths(vec![ScopePattern::new(pattern).unwrap()]);
    let counted = |constraint, count| Facts { count, ..under_bound(constraint) };
    let count = |adds| {
        let files = ["src/x", "src/y"].map(crate::support::repo).into();
        Some(CountFact { files, lines: 40, adds })
    };
    let declaring = |ids: &[&str], named: &str| Facts {
        intent: under(|draft| draft.requirements = ids.iter().map(|id| (*id).to_owned()).collect()),
        requirement_ids: vec![named.to_owned()],
        ..write("src/a")
    };
    let demanding = Settings { require_requirement: true, ..Settings::default() };
    vec![
        (
            "forbidden tool",
            E::ConstraintViolation,
            under_bound(Constraint::ForbidTools(vec!["write_to_file".into()])),
        ),
        ("forbidden path", E::ConstraintViolation, under_bound(paths("src/a"))),
        ("bad constraint", E::ConstraintViolation, under_bound(paths("a["))),
        ("files", E::ConstraintViolation, counted(Constraint::MaxFiles(2), count(Some(3)))),
        ("lines", E::ConstraintViolation, counted(Constraint::MaxLines(41), count(Some(2)))),
        ("lines unknown", E::ConstraintViolation, counted(Constraint::MaxLines(40), count(None))),
        ("files uncounted", E::ConstraintViolation, counted(Constraint::MaxFiles(2), None)),
        ("lines uncounted", E::ConstraintViolation, counted(Constraint::MaxLines(2), None)),
        ("undeclared", E::TraceLinkMissing, declaring(&["REQ-7"], "REQ-8")),
        ("underived", E::TraceLinkMissing, declaring(&[], "REQ-8")),
        ("no requirement", E::TraceLinkMissing, Facts { settings: demanding, ..write("src/a") }),
    ]
}

fn stale() -> Vec<(&'static str, ErrorCode, Facts)> {
    let hash = |text: &str| ContentHash::of(text.as_bytes());
    let of = |name, target: TargetFact| (name, ErrorCode::StaleFile, call("move_file", vec![target]));
    let seen = |state| Some(Observation::whole(state));
    let new = || FileState::Content(hash("new"));
    let over = || target("src/a", Access::Overwrite);
    let quoting = |anchor| TargetFact { anchor, ..target("src/a", Access::Anchored) };
    let explained = |by| TargetFact { current: new(), explained: Some(by), ..over() };
    let part = Some(Observation::part(over().current));
    let absent = FileState::Absent;
    vec![
        of("changed", TargetFact { current: new(), ..over() }),
        of("imported", explained(Explained::Imported)),
        of("taken back", explained(Explained::TakenBack)),
        of("deleted", TargetFact { current: absent.clone(), ..target("src/a", Access::Delete) }),
        of("created", TargetFact { observed: seen(absent), ..over() }),
        of("never read", TargetFact { observed: None, ..over() }),
        of("no file", TargetFact { observed: None, current: FileState::Other, ..over() }),
        of("partly read", TargetFact { observed: part, ..over() }),
        of("anchor missing", quoting(AnchorFact::Missing)),
        of("other line ends", quoting(AnchorFact::OtherLineEnds)),
        of("anchor ambiguous", quoting(AnchorFact::Ambiguous)),
        of("another hash", TargetFact { claimed: Some(hash("new")), ..over() }),
    ]
}

fn together() -> Vec<(&'static str, ErrorCode, Facts)> {
    use ErrorCode as E;
    let again = |facts: Facts| Facts { blocked_before: 3, ..facts };
    let extras = || Extras { unknown: vec!["force".into()], ..Extras::default() };
    let fault = Some(CommandFault::NotUnderstood("odd".into()));
    let unseen = || TargetFact { observed: None, ..target("lib/a", Access::Overwrite) };
    vec![
        ("two", E::ScopeViolation, Facts { targets: vec![unseen()], extras: extras(), ..write("lib/a") }),
        ("again", E::LoopDetected, again(write("lib/a"))),
        (
            "two again",
            E::LoopDetected,
            again(Facts { targets: vec![unseen()], extras: extras(), ..write("lib/a") }),
        ),
        (
            "another intent again",
            E::LoopDetected,
            again(Facts { foreign_intent: Some(id("INT-999")), ..write("lib/a") }),
        ),
        (
            "three codes, one of them twice",
            E::StateViolation,
            Facts {
                command_fault: fault,
                state: State::Reasoning,
                intent: IntentFact::None,
                malformed: Some("odd".into()),
                targets: vec![at(Location::Root, Access::Delete)],
                ..write("src/a")
            },
        ),
    ]
}

/// What can be selected in a case, as its name says.
fn selectable_in(name: &str) -> &'static [&'static str] {
    match name {
        _ if name.ends_with("nothing to select") => &[],
        "only itself to select" => &["INT-001"],
        _ => &["INT-001", "INT-002"],
    }
}

#[test]
fn each_refusal_has_its_code_and_its_words() {
    let cases = [entry(), places(), scopes(), work(), stale(), together()].concat();
    let mut read = String::new();
    for (name, code, facts) in &cases {
        let selectable: Vec<IntentId> = selectable_in(name).iter().map(|name| id(name)).collect();
        let refusal = refused(facts);
        let error = refusal.error(facts, &selectable);
        assert_eq!((error.code(), refusal.code(&selectable)), (*code, *code), "{name}");
        read.push_str(&format!("{name}\n{}\n", error.to_json()));
    }
    let again = Facts { blocked_before: 4, ..write("src/a") };
    for (name, error) in [
        ("rejected again", rejected_again(&again).unwrap()),
        ("a fault outside a call", health_error(&HealthFault::NoRoot)),
        ("a halt outside a call", quarantine_error("It ran X.")),
    ] {
        read.push_str(&format!("{name}\n{}\n", error.to_json()));
    }
    insta::assert_snapshot!(read);
}

// What a refusal is about follows from its violations alone; here it is compared with what an agent is told.
#[test]
fn what_follows_from_a_refusal_fits_what_the_agent_is_told() {
    use ErrorCode as E;
    let cases = [entry(), places(), scopes(), work(), stale(), together()].concat();
    let (mut naming, mut uncounted, mut leaving) = (0, 0, 0);
    for (name, code, facts) in &cases {
        let refusal = refused(facts);
        let error = refusal.error(facts, &[]);
        let also = error.details().get("also").map(ToString::to_string).unwrap_or_default();
        let tells = |code: ErrorCode| error.code() == code || also.contains(code.as_str());
        let is_of_selection =
            matches!(code, E::StateViolation | E::MissingIntent | E::IntentNotFound | E::IntentNotSelectable);
        let is_of_scope = matches!(code, E::NoScope | E::ScopeViolation);
        assert_eq!(refusal.names_intents(), is_of_selection || is_of_scope, "{name}");
        let is_of_the_store = matches!(
            code,
            E::MissingWorkspaceRoot
                | E::OrchestrationMissing
                | E::OrchestrationInvalid
                | E::LedgerUnavailable
        );
        assert_eq!(refusal.counts_for_loop(), !is_of_the_store, "{name}");
        assert_eq!(refusal.leaves_scope(), tells(E::NoScope) || tells(E::ScopeViolation), "{name}");
        naming += usize::from(refusal.names_intents());
        uncounted += usize::from(!refusal.counts_for_loop());
        leaving += usize::from(refusal.leaves_scope());
    }
    assert!(naming > 0 && uncounted > 0 && leaving > 0);
}

// A loop of a broken scope is the agent's doing: it was told to stop.
#[test]
fn a_loop_counts_whatever_it_began_with() {
    let broken = under(|draft| draft.owned_scope = scope(&["a["]));
    let once = Facts { intent: broken, ..write("src/a") };
    assert!(!refused(&once).counts_for_loop());
    let again = refused(&Facts { blocked_before: 3, ..once });
    assert!(again.counts_for_loop() && !again.names_intents());
}

// Only the scope is a person's to override, and only where it is all that fails.
#[test]
fn only_what_concerns_the_scope_may_be_overridden() {
    let cases = [entry(), places(), scopes(), work(), stale(), together()].concat();
    for (name, _, facts) in cases {
        let refusal = refused(&facts);
        let may = refusal.others.is_empty() && refusal.leaves_scope();
        let settings = Settings { on_violation: OnViolation::Ask, ..facts.settings.clone() };
        let is_asked = matches!(decide(&Facts { settings, ..facts }), Verdict::WaitForApproval(_));
        assert_eq!(is_asked, may, "{name}");
    }
}
