//! One entry for each form that a record can have. A form that was once written is never changed; a new one gets a name.

use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Actor, ApprovalId, Change, ChangedFile, ChangedRange, ContentHash, FileState, Fingerprint, GrantId, Hunk,
    Landmarks, LineHash, Lineage, Mutation, MutationClass, MutationEvidence, MutationMethod, Pause, Restores,
    Revision, Symbol, SymbolKind, Timestamp, TraceContext, TraceEntry, VcsRevision,
};

pub(super) const COMMIT: &str = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0";

const JWT: &str = "src/auth/jwt.rs";
const TOKEN: &str = "src/auth/token.rs";

pub(super) fn hash(text: &str) -> ContentHash {
    ContentHash::of(text.as_bytes())
}

pub(super) fn revision() -> Revision {
    sample::intent("INT-001", &["src/auth/**"]).revision().clone()
}

pub(super) fn fingerprint() -> Fingerprint {
    sample::fingerprint("golden")
}

pub(super) fn line_hash(line: &str) -> String {
    format!("{:08x}", LineHash::of(line.as_bytes()).bits())
}

pub(super) fn all() -> Vec<(&'static str, TraceEntry)> {
    let mut number = 0;
    let mut form = |name, files: Vec<ChangedFile>, change: &dyn Fn(&mut TraceEntry)| {
        number += 1;
        let mut entry = plain(number, files);
        change(&mut entry);
        (name, entry)
    };
    let host = |entry: &mut TraceEntry| {
        (entry.context.approval, entry.context.approved_by, entry.context.approved_at) = (None, None, None);
    };
    let grant = |entry: &mut TraceEntry| entry.context.approval = Some(ApprovalId("grant#3".to_owned()));
    let refactor = |entry: &mut TraceEntry| {
        entry.context.mutation = Some(Mutation::refactor(MutationMethod::Renamed, Vec::new()));
    };
    let claimed = |entry: &mut TraceEntry| {
        let found = Mutation::evolution(MutationMethod::Unexplained, Vec::new());
        entry.context.mutation = Some(found.with_claim(MutationClass::parse("AST_REFACTOR")));
    };
    let derived = |entry: &mut TraceEntry| {
        entry.context.requirements = vec!["REQ-INT-001".to_owned()];
        entry.context.derived = true;
    };
    let nowhere = |entry: &mut TraceEntry| entry.vcs = VcsRevision::None("no commit yet".to_owned());
    let child = |entry: &mut TraceEntry| entry.context.actor = sample::child("agent/7");
    let paused = |entry: &mut TraceEntry| {
        host(entry);
        entry.context.approval = Some(ApprovalId(Pause::MARK.to_owned()));
    };
    let elsewhere = |entry: &mut TraceEntry| {
        entry.context.actor = Actor::root("codex", "sess 1/ü#?");
        entry.context.model = None;
    };
    vec![
        form("write", vec![created(JWT)], &|_| {}),
        form("edit", vec![edited(JWT)], &|_| {}),
        form("delete", vec![deleted(JWT)], &|_| {}),
        form("rename", renamed(Vec::new()), &|_| {}),
        form("rename-and-edit", renamed(vec![range()]), &|_| {}),
        form("binary", vec![binary("src/auth/logo.png")], &|_| {}),
        form("multi-file-patch", vec![edited(JWT), created(TOKEN), deleted("src/auth/old.rs")], &|_| {}),
        form("removed-lines", vec![cut(JWT)], &|_| {}),
        form("late", vec![edited(JWT)], &|entry| entry.context.late = true),
        form("amended", vec![edited(JWT)], &|entry| entry.context.amended = true),
        form("over-the-scope", vec![edited(JWT)], &|entry| entry.context.scope_override = true),
        form("grant", vec![edited(JWT)], &grant),
        form("host-prompt", vec![edited(JWT)], &host),
        form("paused", vec![edited(JWT)], &paused),
        form("refactor", vec![edited(JWT)], &refactor),
        form("derived-requirement", vec![edited(JWT)], &derived),
        form("without-a-commit", vec![edited(JWT)], &nowhere),
        form("sub-agent", vec![edited(JWT)], &child),
        form("unknown-model", vec![edited(JWT)], &elsewhere),
        form("claimed", vec![edited(JWT)], &claimed),
        form("restore", vec![edited(JWT), deleted(TOKEN)], &|entry| restored(entry, None)),
        form("restore-in-a-review", vec![edited(JWT)], &|entry| restored(entry, Some(GrantId::new(3)))),
        form("lineage", vec![followed()], &|_| {}),
    ]
}

/// A change that says how the lines follow from those before.
fn followed() -> ChangedFile {
    let hunks = vec![Hunk::from([2, 3, 2, 1]), Hunk::from([9, 0, 7, 2])];
    ChangedFile { lineage: Some(Lineage { hunks, doubtful: vec![(3, 3), (7, 8)] }), ..edited(JWT) }
}

/// A person put files back.
fn restored(entry: &mut TraceEntry, grant: Option<GrantId>) {
    let context = &mut entry.context;
    context.actor = Actor::root("human", "dana");
    (context.tool, context.model) = ("restore".to_owned(), None);
    (context.approval, context.approved_at) = (None, None);
    let entries = vec!["00000000-0000-4000-8000-000000000002".to_owned()];
    context.restores = Some(Restores { entries, grant });
}

pub(super) fn named(name: &str) -> TraceEntry {
    all().into_iter().find(|(form, _)| *form == name).unwrap().1
}

fn plain(number: usize, files: Vec<ChangedFile>) -> TraceEntry {
    let id = format!("00000000-0000-4000-8000-{number:012}");
    let sample = sample::trace_entry(&id, &sample::intent("INT-001", &["src/auth/**"]));
    let evidence =
        MutationEvidence { path: sample::path(JWT), line: 2, what: "`sign` is now `seal`".to_owned() };
    TraceEntry {
        vcs: VcsRevision::Commit(COMMIT.to_owned()),
        context: TraceContext {
            tool: "edit_file".to_owned(),
            approval: Some(ApprovalId("ap-00000001".to_owned())),
            approved_by: Some("dana".to_owned()),
            approved_at: Some(Timestamp::from_unix_ms(sample::now().unix_ms() - 10_000)),
            fingerprint: fingerprint(),
            model: Some("claude-opus-4-5".to_owned()),
            mutation: Some(Mutation::evolution(MutationMethod::Unexplained, vec![evidence])),
            ..sample.context
        },
        files,
        ..sample
    }
}

fn range() -> ChangedRange {
    let lines = |text: &str| [LineHash::of(text.as_bytes())].into_iter().collect();
    ChangedRange {
        start_line: 2,
        end_line: 2,
        content_hash: hash("    seal(claims)"),
        landmarks: Landmarks {
            lines: lines("    seal(claims)"),
            above: lines("fn renew() {"),
            below: lines("}"),
        },
        symbol: Some(Symbol {
            path: "Session.renew".to_owned(),
            kind: SymbolKind::Function,
            structural_hash: hash("(function)"),
        }),
    }
}

fn edited(path: &str) -> ChangedFile {
    ChangedFile {
        path: sample::path(path),
        change: Change::Modified,
        before: FileState::Content(hash("before")),
        after: FileState::Content(hash("after")),
        ranges: vec![range()],
        removed: Vec::new(),
        binary: false,
        moved_from: None,
        moved_to: None,
        lineage: None,
    }
}

fn created(path: &str) -> ChangedFile {
    ChangedFile { change: Change::Created, before: FileState::Absent, ..edited(path) }
}

fn deleted(path: &str) -> ChangedFile {
    ChangedFile {
        change: Change::Deleted,
        after: FileState::Absent,
        ranges: Vec::new(),
        removed: vec![(0, hash("gone"))],
        ..edited(path)
    }
}

fn cut(path: &str) -> ChangedFile {
    ChangedFile { ranges: Vec::new(), removed: vec![(7, hash("gone"))], ..edited(path) }
}

fn binary(path: &str) -> ChangedFile {
    ChangedFile { ranges: Vec::new(), binary: true, ..created(path) }
}

fn renamed(ranges: Vec<ChangedRange>) -> Vec<ChangedFile> {
    let after = if ranges.is_empty() { hash("before") } else { hash("after") };
    vec![
        ChangedFile { removed: Vec::new(), moved_to: Some(sample::path(TOKEN)), ..deleted(JWT) },
        ChangedFile {
            after: FileState::Content(after),
            ranges,
            moved_from: Some(sample::path(JWT)),
            ..created(TOKEN)
        },
    ]
}
