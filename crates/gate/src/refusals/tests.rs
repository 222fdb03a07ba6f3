//! Each refusal of the gate itself, as an agent reads it.

use std::fmt::Write as _;

use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Approval, ApprovalError, ApprovalId, ApprovalStatus, Diagnostic, GrantError, GrantId, Intent,
    IntentEditError, IntentStatus, PortError, PutBackError, ScopeError, ScopePattern, Value,
};

use super::{AnswerFault as A, DraftFault as D, Hindrance as H, OwnToolFault as O, Unfit as U};

type Sample = (&'static str, bailiwick_domain::ToolError);

fn approval(paths: &[&str]) -> Approval {
    let mut request = sample::request("a");
    request.changed_paths = paths.iter().map(|path| (*path).to_owned()).collect();
    Approval {
        id: ApprovalId("AP-1".to_owned()),
        request,
        created: sample::now(),
        expires: sample::now().plus_seconds(600),
        status: ApprovalStatus::Open,
        amended: None,
    }
}

fn invalid() -> PortError {
    let diagnostic = Diagnostic {
        file: "f".into(),
        line: 3,
        column: 1,
        message: "bad".into(),
        fix: "repair it".into(),
        way_out: None,
    };
    PortError::Invalid(diagnostic)
}

fn large() -> PortError {
    PortError::TooLarge { what: "a.bin".to_owned(), limit: 4 << 20 }
}

fn down() -> PortError {
    PortError::Unavailable("disk full".to_owned())
}

fn all<const N: usize>(samples: [(&'static str, H<'_>); N]) -> Vec<Sample> {
    samples.map(|(name, hindrance)| (name, hindrance.error())).to_vec()
}

fn store() -> Vec<Sample> {
    all([
        ("port down", H::Port(down())),
        ("port locked", H::Port(PortError::Locked("gate.lock".to_owned()))),
        ("port invalid", H::Port(invalid())),
        ("port too large", H::Port(large())),
        ("ledger down", H::Ledger(down())),
        ("ledger invalid", H::Ledger(invalid())),
        ("ledger too large", H::Ledger(large())),
        ("grant store down", H::Grant(GrantError::Port(down()))),
        ("grant unknown", H::Grant(GrantError::Unknown(GrantId::new(7)))),
        ("too much", H::TooMuch("there are too many".to_owned())),
        ("too many scripts", H::TooManyScripts(64 << 20)),
        ("unjudged", H::Unjudged),
        ("no intent now", H::NoIntentNow),
    ])
}

fn carrying() -> Vec<Sample> {
    let path = sample::path("src/a.rs");
    let confined = PutBackError::Confined { path: path.clone(), why: "a link".to_owned() };
    let halfway = PutBackError::Halfway { left: vec![path.clone()], why: "disk full".to_owned() };
    all([
        ("mode", H::Unfit(U::Mode)),
        ("twice", H::Unfit(U::Twice(&path))),
        ("no file", H::Unfit(U::NoFile(&path))),
        ("absent", H::Unfit(U::Absent(&path))),
        ("taken", H::Unfit(U::Taken(&path))),
        ("no folder", H::Unfit(U::NoFolder(&path))),
        ("no such folder", H::Unfit(U::FolderAbsent(&path))),
        ("link", H::Unfit(U::Link(&sample::path("src/link.rs"), &path))),
        ("not told", H::Unfit(U::NotTold(&path))),
        ("not let through", H::NotLetThrough),
        ("not written, changed", H::NotWritten(&PutBackError::Changed(path.clone()))),
        ("not written, confined", H::NotWritten(&confined)),
        ("not written, halfway", H::NotWritten(&halfway)),
        ("not written, port", H::NotWritten(&PutBackError::Port(down()))),
    ])
}

fn answers() -> Vec<Sample> {
    let (one, three, none) = (approval(&["src/a.rs"]), approval(&["a", "b", "c"]), approval(&[]));
    let lapsed = ApprovalError::Lapsed("AP-1".to_owned());
    let not_offered = ApprovalError::NotOffered("AP-1".to_owned());
    let samples = [
        ("unusable", A::Unusable(&lapsed)),
        ("unusable, port", A::Unusable(&ApprovalError::Port(large()))),
        ("nobody waits", A::NobodyWaits(&one.id)),
        ("unawaited", A::Unawaited(&one.id)),
        ("nobody answered", A::Nothing),
        ("open", A::Open(&one, "Nobody is there.")),
        ("no", A::No(&one, None)),
        ("no, with words", A::No(&three, Some("keep it"))),
        ("no, of a command", A::No(&none, None)),
        ("moved", A::Moved(&one, "src/a.rs".to_owned())),
        ("no grant fits", A::NoGrantFits(&not_offered)),
        ("no grant fits, port", A::NoGrantFits(&ApprovalError::Port(down()))),
        ("no grant fits, too large", A::NoGrantFits(&ApprovalError::Port(large()))),
        ("not reviewable", A::NotReviewable(GrantId::new(7), "is live")),
        ("other version", A::OtherVersion(&one.id)),
    ];
    all(samples.map(|(name, fault)| (name, H::Answer(fault))))
}

fn own_tools() -> Vec<Sample> {
    let mut draft = sample::draft("INT-001", &["src/**"]);
    draft.status = IntentStatus::Completed;
    let intent = &Intent::new(draft).unwrap();
    let valid = || vec!["INT-002".to_owned(), "INT-003".to_owned()];
    let (id, other) = (intent.id(), &sample::intent_id("INT-002"));
    let parents = Some(sample::intent_id("INT-004"));
    let before = &sample::intent("INT-001", &["docs/**"]);
    let samples = [
        ("no tool", O::NoTool("x")),
        ("no intent", O::NoIntent { named: "INT-009", valid: valid() }),
        ("no intent named, none there", O::NoIntent { named: "", valid: Vec::new() }),
        ("not selectable", O::NotSelectable { intent, valid: valid() }),
        ("not selectable, none there", O::NotSelectable { intent, valid: Vec::new() }),
        ("not of the parent", O::NotOfParent { intent: id, parents }),
        ("not of the parent, none", O::NotOfParent { intent: id, parents: None }),
        ("overlaps", O::Overlaps { intent: id, other }),
        ("not accepted", O::NotAccepted),
        ("not active", O::NotActive { named: "INT-009", active: Some(id.clone()) }),
        (
            "changed since",
            O::ChangedSince { intent: id, selected: before.revision(), now: intent.revision() },
        ),
        ("not active, none", O::NotActive { named: "INT-009", active: None }),
    ];
    all(samples.map(|(name, fault)| (name, H::OwnTool(fault))))
}

fn drafts() -> Vec<Sample> {
    let (pattern, id) = (&ScopePattern::new("src/a/**").unwrap(), &sample::intent_id("INT-001"));
    let asked = ApprovalId("AP-1".to_owned());
    let upward = || D::Scope(ScopeError::Parent("../x".to_owned()));
    let everything = || D::Scope(ScopeError::Absolute("/**".to_owned()));
    let samples = [
        ("unknown parameter", D::UnknownParameter("x", &["name", "why"])),
        ("not a list", D::NotAList("paths")),
        ("count", D::Count("paths", 51, 50)),
        ("missing", D::Missing("name")),
        ("too long", D::TooLong("why", 2000)),
        ("takes away", D::TakesAway(pattern.clone())),
        ("adds nothing", D::AddsNothing(id)),
        ("empty pattern", D::Scope(ScopeError::Empty)),
        ("all", everything()),
        ("absolute", D::Scope(ScopeError::Absolute("/etc/x".to_owned()))),
        ("upward", upward()),
        ("no glob", D::NoGlob("`[` is not closed".to_owned())),
        ("leads out", D::LeadsOut(pattern)),
        ("reaches", D::Reaches(pattern, ".git/")),
        ("owns all", D::OwnsAll("bailiwick x")),
        ("nothing to expand", D::NothingToExpand),
        ("intent over", D::IntentOver(id)),
        ("of the parent", D::OfParent(id)),
        ("changed", D::Changed("intents.yaml", None)),
        ("changed, asked", D::Changed("intents.yaml", Some(&asked))),
        ("edit, changed", D::Edit(IntentEditError::Changed, "intents.yaml")),
        ("edit, refused", D::Edit(IntentEditError::Refused("no list".into()), "f")),
        ("edit, port", D::Edit(IntentEditError::Port(large()), "f")),
    ];
    let proposals = [
        ("proposal, missing", D::Missing("name")),
        ("proposal, all", everything()),
        ("proposal, upward", upward()),
    ];
    let mut found = all(samples.map(|(name, fault)| (name, H::Draft(fault))));
    found.extend(all(proposals.map(|(name, fault)| (name, H::Proposal(fault)))));
    found
}

#[test]
fn each_refusal_of_the_gate_has_its_words() {
    let mut page = String::new();
    let all = [store(), carrying(), answers(), own_tools(), drafts()];
    for (name, error) in all.into_iter().flatten() {
        let value: Value = serde_json::from_str(&error.to_json()).unwrap();
        writeln!(page, "## {name}\n{}\n", serde_json::to_string_pretty(&value).unwrap()).unwrap();
    }
    insta::assert_snapshot!(page);
}
