//! Text in a given number of columns: cut, wrapped, filled. Everything that comes in is inert already.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(super) use crate::command::output::columns::cut;

/// How many columns a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// The text in pieces that fit, of at least ten columns. A piece is never empty of what it holds: a sign wider than the
/// rest of a row goes to the next one.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(10);
    let (mut pieces, mut piece, mut used) = (Vec::new(), String::new(), 0);
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide > width {
            pieces.push(std::mem::take(&mut piece));
            used = 0;
        }
        piece.push(c);
        used += wide;
    }
    pieces.push(piece);
    pieces
}

/// Prose in rows that break between words; a word that is too long breaks inside.
pub(super) fn wrapped_words(text: &str, width: usize) -> Vec<String> {
    let (mut rows, mut row) = (Vec::new(), String::new());
    for word in text.split(' ') {
        if !row.is_empty() && columns(&row) + 1 + columns(word) > width {
            rows.push(std::mem::take(&mut row));
        } else if !row.is_empty() {
            row.push(' ');
        }
        row.push_str(word);
        if columns(&row) > width {
            let mut pieces = wrapped(&row, width);
            row = pieces.pop().unwrap_or_default();
            rows.append(&mut pieces);
        }
    }
    rows.push(row);
    rows
}

/// As many of these texts as fit, and how many more there are.
pub(super) fn listed(texts: &[String], width: usize) -> String {
    let mut out = String::new();
    for (index, text) in texts.iter().enumerate() {
        let rest = texts.len() - index - 1;
        let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
        let separator = if index == 0 { "" } else { "  " };
        if index > 0 && columns(&out) + columns(separator) + columns(text) + columns(&more) > width {
            return format!("{out} and {} more", rest + 1);
        }
        out.push_str(separator);
        out.push_str(text);
    }
    out
}

/// A row with something at either end; what does not fit of the left one is cut.
pub(super) fn both_ends(left: Vec<Span<'static>>, right: Vec<Span<'static>>, width: usize) -> Line<'static> {
    let right_width: usize = right.iter().map(|span| columns(&span.content)).sum();
    let room = width.saturating_sub(right_width + 1);
    let mut spans = cut_spans(left, room);
    let used: usize = spans.iter().map(|span| columns(&span.content)).sum();
    spans.push(Span::raw(" ".repeat(width.saturating_sub(used + right_width))));
    spans.extend(right);
    Line::from(spans)
}

/// Pieces in styles, as many as fit.
pub(super) fn cut_spans(spans: Vec<Span<'static>>, width: usize) -> Vec<Span<'static>> {
    let (mut out, mut left) = (Vec::new(), width);
    for span in spans {
        if left == 0 {
            break;
        }
        let text = cut(&span.content, left);
        left = left.saturating_sub(columns(&text));
        out.push(Span::styled(text, span.style));
    }
    out
}

/// A line across the screen with words in it.
pub(super) fn rule(left: &str, right: &str, width: usize, style: Style) -> Line<'static> {
    let head = if left.is_empty() { String::new() } else { format!("── {left} ") };
    let tail = if right.is_empty() { String::new() } else { format!(" {right} ──") };
    let head = cut(&head, width.saturating_sub(columns(&tail)));
    let fill = width.saturating_sub(columns(&head) + columns(&tail));
    Line::from(Span::styled(format!("{head}{}{tail}", "─".repeat(fill)), style))
}

/// How long something takes, in its largest unit.
pub(super) fn roughly(ms: i64) -> String {
    let seconds = ms.max(0) / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        _ => format!("{}h", seconds / 3600),
    }
}

/// How long something takes or took, in its two largest units at most.
pub(super) fn duration(ms: i64) -> String {
    let seconds = ms.max(0) / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
    }
}
