//! The list of requests with who asks, and the agents.

use bailiwick_domain::{ApprovalRequest, Grant};
use ratatui::text::{Line, Span};

use super::super::model::Model;
use super::palette::Palette;
use super::text::{both_ends, cut, duration, roughly, rule};
use crate::command::surface::words::{actor, what};
use crate::command::surface::{Agent, Done, Item, ReviewItem};
use crate::counted::counted;

/// The requests, each in one row, as many as there is room for.
pub(super) fn rows(model: &Model, width: usize, room: usize, palette: &Palette) -> Vec<Line<'static>> {
    window(model, room).map(|item| row(model, item, width, palette)).collect()
}

/// The requests, each in two rows, as many as there is room for.
pub(super) fn tall_rows(model: &Model, width: usize, room: usize, palette: &Palette) -> Vec<Line<'static>> {
    window(model, room / 2).flat_map(|item| tall_row(model, item, width, palette)).collect()
}

/// The requests around the shown one.
fn window(model: &Model, room: usize) -> impl Iterator<Item = &Item> {
    let position = model.position().unwrap_or(0);
    let last_start = model.requests.len().saturating_sub(room);
    let start = position.saturating_sub(room / 2).min(last_start);
    model.requests.iter().skip(start).take(room)
}

fn row(model: &Model, item: &Item, width: usize, palette: &Palette) -> Line<'static> {
    let request = &item.approval.request;
    let mut left = sign(model, item, palette);
    let what = what(request);
    let who = format!("  {}", who(request));
    let wide = width >= 90;
    let intent = request.intent_id.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
    left.push(Span::styled(format!("{intent} "), palette.name));
    left.push(Span::raw(cut(&what, width.saturating_sub(if wide { 54 } else { 34 }))));
    left.push(Span::styled(who, palette.faint));
    let right = vec![looks(item, palette), Span::styled(left_of(model, item), palette.faint)];
    whole(both_ends(left, right, width), model, item, palette)
}

fn tall_row(model: &Model, item: &Item, width: usize, palette: &Palette) -> [Line<'static>; 2] {
    let request = &item.approval.request;
    let mut left = sign(model, item, palette);
    left.push(Span::raw(what(request)));
    let first = both_ends(left, vec![Span::styled(left_of(model, item), palette.faint)], width);
    let intent = request.intent_id.as_ref().map_or_else(|| "no intent".to_owned(), ToString::to_string);
    let left = vec![
        Span::raw("    "),
        Span::styled(format!("{intent} "), palette.name),
        Span::styled(who(request), palette.faint),
    ];
    let second = both_ends(left, vec![looks(item, palette)], width);
    [whole(first, model, item, palette), second]
}

/// The whole row of the shown request stands out.
fn whole(line: Line<'static>, model: &Model, item: &Item, palette: &Palette) -> Line<'static> {
    let is_shown = model.shown().is_some_and(|shown| shown.id() == item.id());
    let spans = line.spans.into_iter();
    Line::from_iter(
        spans.map(|span| if is_shown { Span::styled(span.content, palette.chosen) } else { span }),
    )
}

fn sign(model: &Model, item: &Item, palette: &Palette) -> Vec<Span<'static>> {
    let shown = model.shown().is_some_and(|shown| shown.id() == item.id());
    let mark = if model.marked.contains(item.id()) { "✓" } else { " " };
    vec![Span::raw(if shown { "▸" } else { " " }), Span::styled(format!("{mark} "), palette.good)]
}

fn looks(item: &Item, palette: &Palette) -> Span<'static> {
    match item.review.first.len() {
        0 => Span::raw(""),
        count => Span::styled(format!("!{count} "), palette.mark),
    }
}

/// Who asks: host, the beginning of the session's id, the sub-agent.
fn who(request: &ApprovalRequest) -> String {
    actor(&request.actor)
}

fn left_of(model: &Model, item: &Item) -> String {
    if item.approval.is_with_host() {
        return "host".to_owned();
    }
    let left = item.approval.expires.unix_ms().saturating_sub(model.now.unix_ms());
    roughly(left)
}

/// The agents that acted lately, below a title.
pub(super) fn agents(model: &Model, width: usize, room: usize, palette: &Palette) -> Vec<Line<'static>> {
    let running = format!("{} running", model.running);
    let mut rows = vec![rule("Agents", &running, width, palette.rule)];
    if model.agents.is_empty() {
        rows.push(Line::styled("none acted in the last half hour", palette.faint));
    }
    rows.extend(model.agents.iter().map(|agent| agent_row(model, agent, width, palette)));
    if !model.grants.is_empty() {
        rows.push(rule("Grants", "", width, palette.rule));
        let words = model.grants.iter().map(|grant| cut(&grant_in_words(model, grant), width));
        rows.extend(words.map(Line::raw));
    }
    if !model.reviews.is_empty() {
        rows.push(rule("To review", "v", width, palette.rule));
        let words = model.reviews.iter().map(|item| cut(&review_in_words(item), width));
        rows.extend(words.map(|words| Line::styled(words, palette.mark)));
    }
    if !model.done.is_empty() {
        rows.push(rule("Said to be done", "", width, palette.rule));
        let words = model.done.iter().map(|done| cut(&done_in_words(done), width));
        rows.extend(words.map(|words| Line::styled(words, palette.mark)));
    }
    rows.truncate(room);
    rows
}

/// An intent that an agent asks to close, and what it says.
fn done_in_words(done: &Done) -> String {
    let summary = crate::inert::line(&done.summary);
    format!("{}  {}: {summary}", done.intent, actor(&done.actor))
}

/// A grant that is over, with how much was done under it.
fn review_in_words(item: &ReviewItem) -> String {
    let files = counted(item.files.len(), "file", "files");
    let (id, review) = (item.grant.id, &item.review);
    format!("{id}  {files} +{} -{}  {}", review.added, review.removed, actor(&item.grant.terms.actor))
}

/// A grant with what is left of it, and whose it is.
pub(super) fn grant_in_words(model: &Model, grant: &Grant) -> String {
    let left = crate::command::answers::approval::grant::left_in_words(grant, model.now);
    format!("{}  {left} left  {}", grant.id, actor(&grant.terms.actor))
}

fn agent_row(model: &Model, agent: &Agent, width: usize, palette: &Palette) -> Line<'static> {
    let mut left = vec![Span::raw(format!("{}  ", actor(&agent.actor)))];
    if agent.halted {
        left.push(Span::styled("HALTED ", palette.alarm));
    }
    left.push(match &agent.intent {
        Some(intent) => Span::styled(intent.clone(), palette.name),
        None => Span::styled(agent.state, palette.faint),
    });
    let age = model.now.unix_ms().saturating_sub(agent.last.unix_ms());
    both_ends(left, vec![Span::styled(format!("{} ago", duration(age)), palette.faint)], width)
}
