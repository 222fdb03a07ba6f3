//! One request: who asks for what under which intent, and the preview with what deserves the first look at the top.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::model::Model;
use super::palette::Palette;
use super::text::{both_ends, columns, cut, duration, listed, wrapped, wrapped_words};
use crate::command::surface::Item;
use crate::command::surface::words::{actor, asked_for, banner, what};
use crate::inert;
use crate::review::{Line as Read, LineKind, Review};

/// The width of the names before facts.
const NAMES: usize = 8;

/// The most rows that one line of the digest takes.
const DIGEST_ROWS: usize = 3;

/// Facts with these ranks are never left out for a longer reason.
const KEPT: u8 = 3;

/// The fewest rows of the reason where there are so many.
const WHY_ROWS: usize = 2;

/// The facts above the preview, at most `room` rows: what changes, why a person is asked, the intent, the paths, and then
/// the rest, of which the least important is left out first. The reason has every row that these leave.
pub(super) fn head(
    model: &Model,
    item: &Item,
    width: usize,
    room: usize,
    palette: &Palette,
) -> Vec<Line<'static>> {
    let mut facts: Vec<_> = top(model, item, width, palette).into_iter().map(|row| (0, vec![row])).collect();
    let named = named(item, width);
    let kept = named.iter().filter(|(rank, name, _)| *rank <= KEPT && *name != "why").count();
    let why_rows = room.saturating_sub(facts.len() + kept).max(WHY_ROWS);
    for (rank, name, text) in named {
        let rows = if name == "why" { why_rows } else { 1 };
        facts.push((rank, fact(name, &text, width, rows, palette)));
    }
    while facts.iter().map(|(_, rows)| rows.len()).sum::<usize>() > room {
        let Some(worst) = facts.iter().map(|(rank, _)| *rank).max().filter(|rank| *rank > 0) else { break };
        facts.retain(|(rank, _)| *rank != worst);
    }
    facts.into_iter().flat_map(|(_, rows)| rows).take(room).collect()
}

/// What is asked, and what a yes does where it does more than usual.
pub(super) fn top(model: &Model, item: &Item, width: usize, palette: &Palette) -> Vec<Line<'static>> {
    let banner = banner(item).map(|banner| wrap_fact(&banner, palette.alarm, width, 2));
    std::iter::once(title(model, item, width, palette)).chain(banner.into_iter().flatten()).collect()
}

/// The reason, all of it.
pub(super) fn why(item: &Item, width: usize, palette: &Palette) -> Vec<Line<'static>> {
    fact("why", &item.approval.request.reason, width, usize::MAX, palette)
}

fn title(model: &Model, item: &Item, width: usize, palette: &Palette) -> Line<'static> {
    let left = item.approval.expires.unix_ms().saturating_sub(model.now.unix_ms());
    let age = model.now.unix_ms().saturating_sub(item.approval.created.unix_ms());
    let left = if item.approval.is_with_host() {
        "with the host".to_owned()
    } else {
        format!("{} left", duration(left))
    };
    let right = format!("asked {} ago, {left}", duration(age));
    let right = if columns(&right) + 30 > width { left } else { right };
    both_ends(
        vec![
            Span::styled(format!("{}  ", item.approval.id.0), palette.heading),
            Span::styled(what(&item.approval.request), palette.heading),
        ],
        vec![Span::styled(right, palette.faint)],
        width,
    )
}

/// The facts with their ranks: the higher, the sooner it is left out.
fn named(item: &Item, width: usize) -> Vec<(u8, &'static str, String)> {
    let request = &item.approval.request;
    let room = width.saturating_sub(NAMES);
    let mut facts = vec![(1, "why", request.reason.clone())];
    facts.extend(asked_for(item).map(|prompt| (3, "you", format!("“{prompt}”"))));
    let id = request.intent_id.as_ref().map(ToString::to_string);
    match (&id, &item.intent) {
        (Some(id), Some(intent)) => {
            facts.push((1, "intent", format!("{id} {} ({})", intent.name, intent.status)));
        }
        (Some(id), None) => facts.push((1, "intent", id.clone())),
        (None, _) => {}
    }
    if let Some(draft) = &request.draft {
        let patterns: Vec<String> =
            draft.owned_scope.patterns().iter().map(|pattern| inert::line(pattern.as_str())).collect();
        facts.push((1, if id.is_some() { "adds" } else { "scope" }, listed(&patterns, room)));
    } else if !request.changed_paths.is_empty() {
        let paths: Vec<String> = request.changed_paths.iter().map(|path| inert::line(path)).collect();
        facts.push((2, "paths", listed(&paths, room)));
    }
    if let Some(intent) = item.intent.as_ref().filter(|_| id.is_some()) {
        facts.push((4, "scope", listed(&intent.scope, room)));
        facts.extend(intent.why.clone().map(|why| (6, "goal", why)));
    }
    let from = request.folder.as_ref().or(request.worktree.as_ref());
    let from = from.map(|folder| format!(" in {folder}")).unwrap_or_default();
    facts.push((3, "agent", format!("{}{from}", actor(&request.actor))));
    if let Some(worktree) = request
        .worktree
        .as_ref()
        .filter(|worktree| request.folder.as_ref().is_some_and(|folder| folder != *worktree))
    {
        facts.push((7, "root", worktree.clone()));
    }
    if !item.class.is_empty() {
        facts.push((5, "class", item.class.clone()));
    }
    if let Some(mutation) = &request.mutation {
        facts.push((5, "change", mutation.in_a_line()));
    }
    facts
}

fn fact(name: &str, text: &str, width: usize, rows: usize, palette: &Palette) -> Vec<Line<'static>> {
    let mut pieces = wrapped_words(&inert::line(text), width.saturating_sub(NAMES)).into_iter();
    let mut lines = Vec::new();
    for row in 0..rows {
        let Some(piece) = pieces.next() else { break };
        let is_cut = row + 1 == rows && pieces.len() > 0;
        let piece = if is_cut { cut(&format!("{piece}…"), width.saturating_sub(NAMES)) } else { piece };
        let name = if row == 0 { name } else { "" };
        lines
            .push(Line::from(vec![Span::styled(format!("{name:<NAMES$}"), palette.faint), Span::raw(piece)]));
    }
    lines
}

fn wrap_fact(text: &str, style: Style, width: usize, rows: usize) -> Vec<Line<'static>> {
    wrapped_words(text, width).into_iter().take(rows).map(|piece| Line::styled(piece, style)).collect()
}

/// The preview in rows. When it is longer than the room, the lines that deserve the first look come first, each kind of
/// mark in its turn, and how many more of them there are; then everything in its order, with no more than the nearest
/// unchanged lines unless `context` is wanted.
pub(super) fn body(
    review: &Review,
    width: usize,
    (room, context): (usize, bool),
    palette: &Palette,
) -> Vec<Line<'static>> {
    let rows = |lines: &[usize]| -> Vec<Line<'static>> {
        let lines = lines.iter().filter_map(|at| review.lines.get(*at));
        lines.flat_map(|line| rows_of(review, line, width, palette)).collect()
    };
    let all: Vec<usize> = (0..review.lines.len()).collect();
    let whole = rows(&all);
    if whole.len() <= room {
        return whole;
    }
    let mut out = digest(review, width, room.saturating_sub(2).max(3), palette);
    let near: Vec<usize> = all.into_iter().filter(|at| is_near(review, *at)).collect();
    let left_out = review.lines.len() - near.len();
    let says = match (context, left_out) {
        (false, 1..) => format!("The whole change without {left_out} unchanged lines (c shows them):"),
        _ => "The whole change:".to_owned(),
    };
    out.push(Line::styled(cut(&says, width), palette.faint));
    out.extend(if context { whole } else { rows(&near) });
    out
}

/// Whether a line changes, or stands beside one that does.
fn is_near(review: &Review, at: usize) -> bool {
    let changes = |at: usize| {
        review.lines.get(at).is_some_and(|line| line.kind != LineKind::Context && line.kind != LineKind::Hunk)
    };
    let is_context = review.lines.get(at).is_some_and(|line| line.kind == LineKind::Context);
    !is_context || at.checked_sub(1).is_some_and(changes) || changes(at + 1)
}

fn digest(review: &Review, width: usize, room: usize, palette: &Palette) -> Vec<Line<'static>> {
    let mut rows: Vec<Line<'static>> = Vec::new();
    for (shown, line) in review.first.iter().filter_map(|at| review.lines.get(*at)).enumerate() {
        let next = look(line, width, palette);
        let rest = review.first.len() - shown;
        if shown > 0 && rows.len() + next.len() + usize::from(rest > 1) > room {
            let text = format!("! and {rest} more marked lines below");
            rows.push(Line::styled(cut(&text, width), palette.alarm));
            break;
        }
        rows.extend(next);
    }
    rows
}

/// One line of the digest: why, where, and the line itself.
fn look(line: &Read, width: usize, palette: &Palette) -> Vec<Line<'static>> {
    let why = line.mark.map_or("", |(mark, _)| mark.says());
    let number = line.number.map(|number| format!(":{number}")).unwrap_or_default();
    let place = if line.path.is_empty() { "command".to_owned() } else { format!("{}{number}", line.path) };
    let (sign, style) = sign_of(line.kind, palette);
    let head = Line::from(super::text::cut_spans(
        vec![
            Span::styled(format!("! {why}"), palette.mark),
            Span::styled(format!("  {place}"), palette.faint),
        ],
        width,
    ));
    if line.kind == LineKind::File {
        return vec![head];
    }
    let text = Review::excerpt(line);
    let pieces = wrapped(&text, width.saturating_sub(4));
    let shown = pieces.iter().take(DIGEST_ROWS).enumerate().map(|(index, piece)| {
        let sign = if index == 0 { sign } else { " " };
        Line::from(Span::styled(format!("  {sign} {piece}"), style))
    });
    std::iter::once(head).chain(shown).collect()
}

/// A line of the preview in rows: mark, number, sign, text.
fn rows_of(review: &Review, line: &Read, width: usize, palette: &Palette) -> Vec<Line<'static>> {
    match line.kind {
        LineKind::File => return vec![file(line, width, palette)],
        LineKind::Hunk => {
            let pieces = wrapped(&line.text, width).into_iter();
            return pieces.map(|piece| Line::styled(piece, palette.head)).collect();
        }
        LineKind::Note => {
            let style = if line.mark.is_some() { palette.alarm } else { palette.faint };
            let text = line.text.trim_start_matches(' ');
            let indent = line.text.len() - text.len();
            let pieces = wrapped_words(text, width.saturating_sub(indent)).into_iter();
            return pieces.map(|piece| Line::styled(format!("{:indent$}{piece}", ""), style)).collect();
        }
        _ => {}
    }
    let digits = if width < 70 || review.files == 0 { 0 } else { digits(review) };
    let (sign, style) = sign_of(line.kind, palette);
    let mark = if line.mark.is_some() { "!" } else { " " };
    let number = line.number.map(|number| number.to_string()).filter(|_| digits > 0).unwrap_or_default();
    let gap = if digits > 0 { " " } else { "" };
    let pieces = wrapped(&line.text, width.saturating_sub(digits + gap.len() + 3));
    let row = |(index, piece): (usize, String)| {
        let (mark, number, sign) = if index == 0 { (mark, number.as_str(), sign) } else { (" ", "", "⋮") };
        Line::from(vec![
            Span::styled(mark, palette.mark),
            Span::styled(format!("{number:>digits$}{gap}"), palette.faint),
            Span::styled(format!("{sign} {piece}"), style),
        ])
    };
    pieces.into_iter().enumerate().map(row).collect()
}

fn file(line: &Read, width: usize, palette: &Palette) -> Line<'static> {
    let what = if line.text.is_empty() { String::new() } else { format!("  {}", line.text) };
    let warns = if line.mark.is_some() { "  can run code" } else { "" };
    Line::from(super::text::cut_spans(
        vec![
            Span::styled(line.path.clone(), palette.heading),
            Span::styled(what, palette.faint),
            Span::styled(warns, palette.mark),
        ],
        width,
    ))
}

fn sign_of(kind: LineKind, palette: &Palette) -> (&'static str, Style) {
    match kind {
        LineKind::Added => ("+", palette.added),
        LineKind::Removed => ("-", palette.removed),
        LineKind::Command => ("$", palette.added),
        LineKind::File | LineKind::Hunk | LineKind::Context | LineKind::Note => (" ", Style::new()),
    }
}

fn digits(review: &Review) -> usize {
    let largest = review.lines.iter().filter_map(|line| line.number).max().unwrap_or(0);
    largest.to_string().len()
}
