//! What the stores hold, in the words of the wire; and the words of the wire as the stores take them.

use bailiwick_adapters_fs::IntentReport;
use bailiwick_adapters_vscode::Refusal;
use bailiwick_adapters_vscode::protocol as wire;
use bailiwick_domain::{
    Amended, ApprovalKind, ApprovalRequest, Breadth, Diagnostic, Grant, GrantBounds, GrantLimits,
    IntentProposal, Mutation, OwnedScope, Value, json,
};

use crate::command::judged::Trouble;
use crate::command::surface::{Agent, Done, IntentFacts, Item, ReviewItem, Snapshot};
use crate::review::{Line, LineKind, Review};

/// Puts everything that was found into the folder as the editor sees it.
pub(super) fn fill(now: &mut wire::FolderSnapshot, found: &Snapshot) {
    now.approvals = found.requests.iter().map(|item| approval(&now.root, item)).collect();
    now.grants = found.grants.iter().map(grant).collect();
    now.reviews = found.reviews.iter().map(reviewed).collect();
    now.done = found.done.iter().map(done).collect();
    now.agents = found.agents.iter().map(agent).collect();
    now.running = number(found.running);
    now.trouble = found.trouble.as_ref().map(trouble);
    if now.trouble.is_some() {
        now.state = wire::State::Trouble;
    }
    now.pause = found.pause.as_ref().map(|pause| wire::Pause {
        by: pause.by.clone(),
        from: pause.from.to_string(),
        until: pause.until.to_string(),
    });
}

fn done(done: &Done) -> wire::Done {
    wire::Done { intent: done.intent.clone(), actor: done.actor.to_string(), summary: done.summary.clone() }
}

pub(super) fn trouble(trouble: &Trouble) -> wire::Trouble {
    wire::Trouble { what: format!("{}: {}", trouble.effect, trouble.why), next: trouble.next.clone() }
}

fn approval(root: &str, item: &Item) -> wire::Approval {
    let (approval, request) = (&item.approval, &item.approval.request);
    wire::Approval {
        root: root.to_owned(),
        id: approval.id.0.clone(),
        fingerprint: request.fingerprint.hash().to_string(),
        status: match approval.is_with_host() {
            true => wire::ApprovalStatus::WithHost,
            false => wire::ApprovalStatus::Open,
        },
        kind: kind(request.kind),
        intent_id: request.intent_id.as_ref().map(ToString::to_string),
        actor: request.actor.to_string(),
        asked_by: asked_by(request),
        tool: request.tool.clone(),
        draft: request.draft.as_ref().map(draft),
        offer: item.offer().map(bounds),
        broad: request.broad.map(breadth),
        allows: item.allows().map(ToString::to_string),
        changed_paths: request.changed_paths.clone(),
        diff_preview: request.diff_preview.clone(),
        reason: request.reason.clone(),
        void: item.void.clone(),
        mutation: request.mutation.as_ref().map(mutation),
        created: approval.created.to_string(),
        expires: approval.expires.to_string(),
        first_screen: first_screen(&item.review),
        unseen: item.review.unseen.clone(),
        added: number(item.review.added),
        removed: number(item.review.removed),
        class: item.class.clone(),
        prompt: item.prompt.as_deref().map(str::to_owned),
        intent: item.intent.as_ref().map(intent),
    }
}

pub(super) fn asked_by(request: &ApprovalRequest) -> wire::AskedBy {
    let actor = &request.actor;
    wire::AskedBy {
        host: actor.host.clone(),
        session: actor.session.clone(),
        agent: actor.agent.clone(),
        worktree: request.worktree.clone(),
        folder: request.folder.clone(),
    }
}

pub(super) fn kind(kind: ApprovalKind) -> wire::Kind {
    match kind {
        ApprovalKind::Destructive => wire::Kind::Destructive,
        ApprovalKind::ScopeOverride => wire::Kind::ScopeOverride,
        ApprovalKind::IntentProposal => wire::Kind::IntentProposal,
        ApprovalKind::ScopeExpansion => wire::Kind::ScopeExpansion,
        ApprovalKind::Outbound => wire::Kind::Outbound,
    }
}

pub(super) fn draft(draft: &IntentProposal) -> wire::Draft {
    wire::Draft {
        name: draft.name.clone(),
        why: draft.why.clone(),
        owned_scope: patterns(&draft.owned_scope),
        acceptance_criteria: draft.acceptance_criteria.clone(),
    }
}

fn patterns(scope: &OwnedScope) -> Vec<String> {
    scope.patterns().iter().map(|pattern| pattern.as_str().to_owned()).collect()
}

fn bounds(bounds: &GrantBounds) -> wire::Bounds {
    let limits = bounds.limits();
    wire::Bounds {
        paths: patterns(&limits.paths),
        max_files: limits.max_files,
        max_calls: limits.max_calls,
        max_lines: limits.max_lines,
        max_lines_per_call: limits.max_lines_per_call,
        seconds: limits.seconds,
    }
}

pub(super) fn breadth(breadth: Breadth) -> wire::Breadth {
    let Breadth { files, of, can_run } = breadth;
    wire::Breadth { files: number(files), of: number(of), can_run: number(can_run) }
}

fn mutation(mutation: &Mutation) -> wire::Mutation {
    let evidence = mutation.evidence.iter().map(|evidence| wire::Evidence {
        line: number(evidence.line),
        path: evidence.path.as_str().to_owned(),
        what: evidence.what.clone(),
    });
    wire::Mutation {
        class: mutation.class.to_string(),
        method: word(&json!(mutation.method)),
        claimed: mutation.claimed.map(|claimed| claimed.to_string()),
        evidence: evidence.collect(),
    }
}

/// The lines that deserve the first look, so many that they fit on a screen.
fn first_screen(review: &Review) -> Vec<wire::FirstLine> {
    const SHOWN: usize = 12;
    review.first.iter().take(SHOWN).filter_map(|at| review.lines.get(*at)).map(first_line).collect()
}

fn first_line(line: &Line) -> wire::FirstLine {
    wire::FirstLine {
        kind: match line.kind {
            LineKind::File => wire::LineKind::File,
            LineKind::Hunk => wire::LineKind::Hunk,
            LineKind::Added => wire::LineKind::Added,
            LineKind::Removed => wire::LineKind::Removed,
            LineKind::Context => wire::LineKind::Context,
            LineKind::Command => wire::LineKind::Command,
            LineKind::Note => wire::LineKind::Note,
        },
        text: Review::excerpt(line),
        path: line.path.clone(),
        line: line.number.map(number),
        mark: line.mark.map(|(mark, _)| mark.says().to_owned()),
    }
}

fn intent(intent: &IntentFacts) -> wire::IntentFacts {
    let IntentFacts { name, why, status, scope } = intent.clone();
    wire::IntentFacts { name, why, status, scope }
}

fn grant(grant: &Grant) -> wire::Grant {
    let (terms, used, limits) = (&grant.terms, &grant.used, grant.terms.bounds.limits());
    let files: Vec<String> = used.files.iter().map(|file| file.path.as_str().to_owned()).collect();
    wire::Grant {
        id: grant.id.to_string(),
        approval: terms.approval.0.clone(),
        by: terms.by.clone(),
        actor: terms.actor.to_string(),
        intent_id: terms.intent.to_string(),
        bounds: bounds(&terms.bounds),
        left: wire::Left {
            files: limits.max_files.saturating_sub(number(files.len())),
            lines: limits.max_lines.saturating_sub(used.lines),
            calls: limits.max_calls.saturating_sub(used.calls),
        },
        used: wire::Used { files, lines: used.lines, calls: used.calls },
        opened: terms.opened.to_string(),
        expires: terms.expires().to_string(),
    }
}

fn reviewed(item: &ReviewItem) -> wire::Reviewed {
    let file = |file: &crate::command::surface::ReviewFile| wire::ReviewFile {
        path: file.path.as_str().to_owned(),
        obstacle: file.obstacle.clone(),
    };
    wire::Reviewed {
        grant: item.grant.id.to_string(),
        intent_id: item.grant.terms.intent.to_string(),
        actor: item.grant.terms.actor.to_string(),
        files: item.files.iter().map(file).collect(),
        diff: item.diff.to_string(),
        shown: item.shown.clone(),
    }
}

fn agent(agent: &Agent) -> wire::Agent {
    wire::Agent {
        actor: agent.actor.to_string(),
        host: agent.actor.host.clone(),
        session: agent.actor.session.clone(),
        agent: agent.actor.agent.clone(),
        state: agent.state.to_owned(),
        intent: agent.intent.clone(),
        halted: agent.halted,
        last: agent.last.to_string(),
    }
}

pub(super) fn checked(report: &IntentReport) -> wire::Checked {
    let of = |severity: wire::Severity| {
        move |found: &Diagnostic| wire::Diagnostic {
            line: number(found.line),
            column: number(found.column),
            message: found.message.clone(),
            fix: found.fix.clone(),
            severity,
        }
    };
    let errors = report.errors.iter().map(of(wire::Severity::Error));
    let mut diagnostics: Vec<wire::Diagnostic> =
        errors.chain(report.warnings.iter().map(of(wire::Severity::Warning))).collect();
    diagnostics.sort_by_key(|found| (found.line, found.column));
    wire::Checked { diagnostics }
}

/// The bounds that a person gives, where they were not given those that are offered.
pub(super) fn bounds_within(
    request: &ApprovalRequest,
    less: &wire::LessBounds,
) -> Result<GrantBounds, Refusal> {
    let offered =
        request.offer.as_ref().ok_or_else(|| Refusal::not_done("no grant is offered for this request"))?;
    let offered = offered.limits();
    GrantBounds::new(GrantLimits {
        paths: offered.paths.clone(),
        max_files: less.files.unwrap_or(offered.max_files),
        max_calls: less.calls.unwrap_or(offered.max_calls),
        max_lines: less.lines.unwrap_or(offered.max_lines),
        max_lines_per_call: offered.max_lines_per_call,
        seconds: less.minutes.map_or(offered.seconds, |minutes| minutes.saturating_mul(60)),
    })
    .map_err(Refusal::not_done)
}

/// A draft that a person edited, of the kind that was drafted.
pub(super) fn draft_of(request: &ApprovalRequest, edited: &wire::Draft) -> Result<Amended, Refusal> {
    let scope =
        OwnedScope::parse(edited.owned_scope.iter().map(String::as_str)).map_err(Refusal::not_done)?;
    match request.drafted() {
        None => Err(Refusal::not_done("this request is no draft")),
        Some(Amended::Scope { .. }) => Ok(Amended::Scope { added_scope: scope }),
        Some(Amended::Intent(_)) => Ok(Amended::Intent(IntentProposal {
            name: edited.name.clone(),
            why: edited.why.clone().filter(|why| !why.trim().is_empty()),
            owned_scope: scope,
            acceptance_criteria: edited.acceptance_criteria.clone(),
        })),
    }
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
