//! What a surface found, in the page's words. Each text that an agent chose is made harmless here.

use bailiwick_adapters_web::page::{
    AgentRow, Allows, Board, Bounds, Breadth, ChangeLine, DoneRow, GrantRow, IntentOf, PauseRow, Question,
    ReviewFileRow, ReviewRow, TroubleRow,
};
use bailiwick_domain::{AllowedFile, ContentHash, Grant, GrantBounds, TrustedCommand};

use crate::command::answers::approval::grant::left_in_words;
use crate::command::answers::{allow, draft};
use crate::command::surface::{Agent, Done, IntentFacts, Item, ReviewItem, Snapshot, words};
use crate::inert;
use crate::review::{LineKind, Review};

/// The board of a root, for this person.
pub(super) fn of(found: &Snapshot, root: &str, by: &str) -> Board {
    Board {
        root: inert::line(root),
        by: inert::line(by),
        requests: found.requests.iter().map(question).collect(),
        grants: found.grants.iter().map(|grant| grant_row(grant, found)).collect(),
        reviews: found.reviews.iter().map(review).collect(),
        done: found.done.iter().map(done).collect(),
        agents: found.agents.iter().map(agent).collect(),
        running: found.running,
        pause: found
            .pause
            .as_ref()
            .map(|pause| PauseRow { by: inert::line(&pause.by), until: pause.until.unix_ms() }),
        trouble: found.trouble.as_ref().map(|trouble| TroubleRow {
            effect: trouble.effect.to_owned(),
            why: inert::line(&trouble.why),
            next: inert::line(&trouble.next),
        }),
    }
}

fn question(item: &Item) -> Question {
    let (approval, review) = (&item.approval, &item.review);
    let request = &approval.request;
    let folder = request.folder.as_ref().or(request.worktree.as_ref());
    Question {
        id: approval.id.0.clone(),
        fingerprint: request.fingerprint.hash().to_string(),
        what: words::what(request),
        banner: words::banner(item),
        approve: words::approve(item),
        prompt: words::asked_for(item),
        reason: inert::line(&request.reason),
        class: item.class.clone(),
        change: request.mutation.as_ref().map(|mutation| inert::line(&mutation.in_a_line())),
        agent: words::actor(&request.actor),
        folder: folder.map(|folder| inert::line(folder)),
        intent: request.intent_id.as_ref().map(|id| intent(id.as_str(), item.intent.as_ref())),
        paths: request.changed_paths.iter().map(|path| inert::line(path)).collect(),
        with_host: approval.is_with_host(),
        created: approval.created.unix_ms(),
        expires: approval.expires.unix_ms(),
        lines: lines(review),
        first: review.first.clone(),
        added: review.added,
        removed: review.removed,
        files: review.files,
        broad: request.broad.map(breadth),
        unseen: review.unseen.as_deref().map(inert::line),
        offer: item.offer().map(bounds),
        allows: item.allows().map(|command| allows(command, request.allowed_files())),
        draft: request.drafted().map(|drafted| inert::text(&draft::text_of(&drafted))),
    }
}

fn done(done: &Done) -> DoneRow {
    DoneRow {
        intent: inert::line(&done.intent),
        agent: words::actor(&done.actor),
        summary: inert::line(&done.summary),
    }
}

fn intent(id: &str, facts: Option<&IntentFacts>) -> IntentOf {
    let facts = facts.cloned().unwrap_or_default();
    IntentOf {
        id: id.to_owned(),
        name: inert::line(&facts.name),
        status: facts.status,
        why: facts.why.as_deref().map(inert::text),
        scope: facts.scope.iter().map(|pattern| inert::line(pattern)).collect(),
    }
}

/// A change, line by line.
pub(super) fn lines(review: &Review) -> Vec<ChangeLine> {
    let is_named = |kind: LineKind, is_marked: bool| kind == LineKind::File || is_marked;
    review
        .lines
        .iter()
        .map(|line| ChangeLine {
            kind: kind(line.kind),
            text: line.text.clone(),
            path: if is_named(line.kind, line.mark.is_some()) { line.path.clone() } else { String::new() },
            number: line.number,
            mark: line.mark.map(|(mark, _)| mark.says()),
        })
        .collect()
}

fn kind(kind: LineKind) -> &'static str {
    match kind {
        LineKind::File => "file",
        LineKind::Hunk => "hunk",
        LineKind::Added => "added",
        LineKind::Removed => "removed",
        LineKind::Context => "context",
        LineKind::Command => "command",
        LineKind::Note => "note",
    }
}

/// Names a change as it was shown, so that an answer is to no other one.
pub(super) fn digest(lines: &[ChangeLine]) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(line.kind);
        text.push(' ');
        text.push_str(&line.path);
        text.push('\n');
        text.push_str(&line.text);
        text.push('\n');
    }
    ContentHash::of(text.as_bytes()).to_string()
}

/// How wide a scope is.
pub(super) fn breadth(wide: bailiwick_domain::Breadth) -> Breadth {
    Breadth { files: wide.files, of: wide.of, percent: wide.percent(), can_run: wide.can_run }
}

fn bounds(offer: &GrantBounds) -> Bounds {
    let limits = offer.limits();
    Bounds {
        files: limits.max_files,
        lines: limits.max_lines,
        lines_per_call: limits.max_lines_per_call,
        calls: limits.max_calls,
        minutes: limits.seconds.div_ceil(60),
        paths: limits.paths.patterns().iter().map(|pattern| inert::line(pattern.as_str())).collect(),
    }
}

fn allows(command: &TrustedCommand, files: &[AllowedFile]) -> Allows {
    let mut means: Vec<(String, String)> = allow::described(command, files)
        .into_iter()
        .map(|(name, text)| (name.to_owned(), inert::line(&text)))
        .collect();
    means.push((String::new(), allow::UNCONFINED.to_owned()));
    Allows { command: inert::line(&command.to_string()), means }
}

fn grant_row(grant: &Grant, found: &Snapshot) -> GrantRow {
    GrantRow {
        id: grant.id.to_string(),
        intent: grant.terms.intent.to_string(),
        agent: words::actor(&grant.terms.actor),
        left: left_in_words(grant, found.now),
        expires: grant.terms.expires().unix_ms(),
    }
}

fn review(item: &ReviewItem) -> ReviewRow {
    let lines = lines(&item.review);
    let file = |file: &crate::command::surface::ReviewFile| ReviewFileRow {
        path: file.path.as_str().to_owned(),
        shown: inert::line(file.path.as_str()),
        obstacle: file.obstacle.as_deref().map(inert::line),
    };
    ReviewRow {
        id: item.grant.id.to_string(),
        intent: item.grant.terms.intent.to_string(),
        agent: words::actor(&item.grant.terms.actor),
        shown: item.shown.clone(),
        files: item.files.iter().map(file).collect(),
        lines,
        added: item.review.added,
        removed: item.review.removed,
    }
}

fn agent(agent: &Agent) -> AgentRow {
    AgentRow {
        name: words::actor(&agent.actor),
        state: agent.state.to_owned(),
        intent: agent.intent.as_deref().map(inert::line),
        halted: agent.halted,
        last: agent.last.unix_ms(),
    }
}
