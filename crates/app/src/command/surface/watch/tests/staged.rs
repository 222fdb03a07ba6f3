//! Requests, agents and screens for the tests.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Actor, Approval, ApprovalId, ApprovalKind, ApprovalRequest, ApprovalStatus, Grant, GrantId, GrantStatus,
    GrantUse, IntentId, Timestamp,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use super::super::model::{Measured, Model};
use super::super::view::{self, Palette};
use crate::command::surface::{Agent, IntentFacts, Item, Snapshot};
use crate::gate::unified_diff;
use crate::review::Review;

/// The moment of every test.
pub(super) fn now() -> Timestamp {
    Timestamp::from_unix_ms(1_771_416_000_000)
}

/// A moment of the loop, that many milliseconds after its start.
pub(super) fn at(start: Instant, ms: u64) -> Instant {
    start + Duration::from_millis(ms)
}

/// A request that waits since a minute and a half.
pub(super) fn approval(number: u32, request: ApprovalRequest) -> Approval {
    let created = Timestamp::from_unix_ms(now().unix_ms() - 90_000 + i64::from(number) * 1000);
    Approval {
        id: ApprovalId(format!("ap-{:08x}", 0x3f9c_2b70 + number)),
        request,
        created,
        expires: created.plus_seconds(Approval::LIFETIME_S),
        status: ApprovalStatus::Open,
        amended: None,
    }
}

/// A request to change these paths, with this preview.
pub(super) fn request(tool: &str, paths: &[&str], preview: &str) -> ApprovalRequest {
    let object =
        if paths.is_empty() { "runs a command".to_owned() } else { format!("changes {}", paths.join(", ")) };
    ApprovalRequest {
        intent_id: Some(IntentId::new("INT-001").unwrap()),
        tool: tool.to_owned(),
        changed_paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        diff_preview: preview.to_owned(),
        reason: format!("`{tool}` {object} under INT-001 (Fix login timeout)."),
        kind: ApprovalKind::Destructive,
        fingerprint: sample::fingerprint(preview),
        actor: Actor::root("claude-code", "6f0c2d1e-90aa-4c57"),
        worktree: Some("/home/you/shop".to_owned()),
        folder: Some("/home/you/shop".to_owned()),
        draft: None,
        offer: None,
        allows: None,
        mutation: None,
        accepts: Vec::new(),
        broad: None,
        premise: None,
    }
}

/// A change of one file.
pub(super) fn edit(path: &str, before: &str, after: &str) -> ApprovalRequest {
    request("edit_file", &[path], &diff(path, before, after))
}

pub(super) fn diff(path: &str, before: &str, after: &str) -> String {
    let before = (!before.is_empty()).then_some(before.as_bytes());
    unified_diff(path, before, Some(after.as_bytes()), 200_000)
}

/// What is shown of a request.
pub(super) fn item(number: u32, request: ApprovalRequest) -> Item {
    Item {
        review: Arc::new(Review::of(&request.diff_preview)),
        class: "DESTRUCTIVE · write".to_owned(),
        void: None,
        prompt: None,
        intent: request.intent_id.is_some().then(|| IntentFacts {
            name: "Fix login timeout".to_owned(),
            why: Some("Sessions end after five minutes instead of thirty.".to_owned()),
            status: "IN_PROGRESS".to_owned(),
            scope: ["src/auth/", "!src/auth/legacy/**", "tests/auth/**"].map(str::to_owned).to_vec(),
        }),
        approval: Arc::new(approval(number, request)),
    }
}

/// What one look finds.
pub(super) fn snapshot(requests: Vec<ApprovalRequest>) -> Snapshot {
    let numbered = (1..).zip(requests);
    Snapshot { requests: numbered.map(|(number, request)| item(number, request)).collect(), ..nobody() }
}

/// Two agents and no request.
pub(super) fn nobody() -> Snapshot {
    let ago = |seconds: i64| Timestamp::from_unix_ms(now().unix_ms() - seconds * 1000);
    let agent = |session: &str, agent: Option<&str>, state, intent: Option<&str>, seconds| Agent {
        actor: Actor {
            host: "claude-code".to_owned(),
            session: session.to_owned(),
            agent: agent.map(str::to_owned),
        },
        state,
        intent: intent.map(str::to_owned),
        halted: false,
        last: ago(seconds),
    };
    Snapshot {
        requests: Vec::new(),
        agents: vec![
            agent("6f0c2d1e-90aa-4c57", None, "ACTION", Some("INT-001"), 4),
            agent("6f0c2d1e-90aa-4c57", Some("explore-7"), "REASONING", None, 75),
        ],
        grants: Vec::new(),
        reviews: Vec::new(),
        done: Vec::new(),
        running: 1,
        pause: None,
        trouble: None,
        now: now(),
    }
}

/// A grant that was given to the first agent two minutes ago, with two calls used.
pub(super) fn grant() -> Grant {
    let mut terms = sample::grant_terms(Timestamp::from_unix_ms(now().unix_ms() - 120_000));
    terms.actor = Actor::root("claude-code", "6f0c2d1e-90aa-4c57");
    let used = GrantUse { calls: 2, lines: 12, ..GrantUse::default() };
    Grant { id: GrantId::new(1), terms, used, status: GrantStatus::Live, log_seq: 7, review: None }
}

/// A screen that shows this since two seconds, and that moment.
pub(super) fn model(found: Snapshot) -> (Model, Instant) {
    let start = Instant::now();
    let mut model = Model::new("/home/you/shop".to_owned(), "dana".to_owned(), false);
    let _ = model.refresh(found, start);
    (model, at(start, 2000))
}

/// Draws the screen at that size.
pub(super) fn drawn(model: &mut Model, (width, height): (u16, u16), palette: &Palette) -> Buffer {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
    let mut measured = Measured::default();
    let Ok(_) = terminal.draw(|frame| measured = view::draw(frame, model, palette));
    model.measure(measured);
    terminal.backend().buffer().clone()
}

/// The screen as text.
pub(super) fn screen(model: &mut Model, size: (u16, u16)) -> String {
    super::super::text_of(&drawn(model, size, &Palette::plain())).join("\n")
}
