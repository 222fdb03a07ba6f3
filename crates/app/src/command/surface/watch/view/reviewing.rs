//! The review of a grant: whose it was, its files, and the whole change from before its first call to now.

use bailiwick_domain::{GrantStatus, RepoPath};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::model::{Measured, Model, Reviewing};
use super::palette::Palette;
use super::text::{both_ends, cut, cut_spans, rule};
use super::{put, request};
use crate::command::surface::ReviewItem;
use crate::command::surface::words::actor;
use crate::counted::counted;
use crate::inert;

/// The keys of a review.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("a", "keep"),
    ("space", "mark to go back"),
    ("r", "put all back"),
    ("j/k", "file"),
    ("PgDn", "scroll"),
    ("v", "next"),
    ("esc", "later"),
];

/// Draws the review on the whole screen; says how far its change reaches.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    model: &Model,
    (state, item): (&Reviewing, &ReviewItem),
    area: Rect,
    palette: &Palette,
) -> Measured {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let mut lines = vec![title(model, item, width, palette)];
    lines.extend(ended(item, width, palette));
    lines.extend(files(state, item, width, (height / 3).max(2), palette));
    let room = height.saturating_sub(lines.len() + 1);
    let body = request::body(&item.review, width, (room, model.context), palette);
    let measured = Measured { rows: body.len(), room };
    let from = model.scroll.min(body.len().saturating_sub(room));
    let below = measured.rows.saturating_sub(from + room);
    let rest = if below > 0 { format!("{below} more rows below") } else { String::new() };
    let size = format!("+{} -{}", item.review.added, item.review.removed);
    lines.push(rule(&size, &rest, width, if below > 0 { palette.mark } else { palette.rule }));
    lines.extend(body.into_iter().skip(from).take(room));
    put(frame, area, lines);
    measured
}

fn title(model: &Model, item: &ReviewItem, width: usize, palette: &Palette) -> Line<'static> {
    let (grant, count) = (&item.grant, model.reviews.len());
    let at = model.reviews.iter().position(|other| other.grant.id == grant.id).unwrap_or(0) + 1;
    let left = vec![
        Span::styled(format!("Review {}  ", grant.id), palette.heading),
        Span::styled(format!("{}  ", grant.terms.intent), palette.name),
        Span::styled(actor(&grant.terms.actor), palette.faint),
    ];
    let position = if count > 1 { format!("{at} of {count}") } else { String::new() };
    both_ends(left, vec![Span::styled(position, palette.faint)], width)
}

fn ended(item: &ReviewItem, width: usize, palette: &Palette) -> Option<Line<'static>> {
    let GrantStatus::Ended { why, .. } = &item.grant.status else { return None };
    let text = format!(
        "given by {}, {}, ended because {}",
        inert::line(&item.grant.terms.by),
        counted(item.grant.used.calls, "call", "calls"),
        inert::line(&why.because())
    );
    Some(Line::styled(cut(&text, width), palette.faint))
}

/// The files around the chosen one, as many as there is room for.
fn files(
    state: &Reviewing,
    item: &ReviewItem,
    width: usize,
    room: usize,
    palette: &Palette,
) -> Vec<Line<'static>> {
    let start = state.at.saturating_sub(room / 2).min(item.files.len().saturating_sub(room));
    let row = |(at, file): (usize, &crate::command::surface::ReviewFile)| {
        let chosen = if at == state.at { "▸" } else { " " };
        let (mark, style) = if state.back.contains(&file.path) {
            ("↶ ", palette.alarm)
        } else if file.obstacle.is_some() {
            ("! ", palette.mark)
        } else {
            ("  ", palette.faint)
        };
        let why =
            file.obstacle.as_ref().map(|why| format!("  stays: {}", inert::line(why))).unwrap_or_default();
        Line::from(cut_spans(
            vec![
                Span::raw(chosen),
                Span::styled(mark, style),
                Span::raw(inert::line(file.path.as_str())),
                Span::styled(why, palette.mark),
            ],
            width,
        ))
    };
    item.files.iter().enumerate().skip(start).take(room).map(row).collect()
}

/// The last word before a review is written down.
pub(super) fn question(item: &ReviewItem, back: &[RepoPath], palette: &Palette) -> Vec<Line<'static>> {
    const NAMED: usize = 12;
    let (all, count) = (item.files.len(), back.len());
    let asks = match count {
        0 => format!("Keep everything that was done under {}?", item.grant.id),
        _ if count == all => format!("Put everything back that was done under {}?", item.grant.id),
        _ => format!("Put {count} of {all} files back, and keep the others?"),
    };
    let mut lines = vec![Line::styled(asks, palette.heading)];
    let named = back.iter().take(NAMED);
    lines.extend(named.map(|path| Line::raw(cut(&inert::line(path.as_str()), 70))));
    if count > NAMED {
        lines.push(Line::raw(format!("and {} more", count - NAMED)));
    }
    lines.push(Line::from(vec![Span::styled("y", palette.key), Span::raw(" confirm · any other key: back")]));
    lines
}
