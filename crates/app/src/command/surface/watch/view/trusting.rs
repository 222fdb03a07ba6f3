//! What a person sees before a command is allowed.

use bailiwick_domain::{AllowedFile, TrustedCommand};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::palette::Palette;
use super::text;
use crate::command::answers::allow::{UNCONFINED, described};

/// The command with what an allowance of it would mean.
pub(super) fn question(
    command: &TrustedCommand,
    files: &[AllowedFile],
    area: Rect,
    palette: &Palette,
) -> Vec<Line<'static>> {
    let width = usize::from(area.width).saturating_sub(6).min(90);
    let mut lines = vec![Line::styled("Let agents run this without asking?", palette.heading)];
    let shown = crate::inert::line(&command.to_string()).to_string();
    lines.extend(text::wrapped(&shown, width).into_iter().map(Line::raw));
    for (label, what) in described(command, files) {
        for (row, words) in text::wrapped_words(&what, width.saturating_sub(8)).into_iter().enumerate() {
            let label = if row == 0 { label } else { "" };
            lines
                .push(Line::from(vec![Span::styled(format!("{label:<8}"), palette.faint), Span::raw(words)]));
        }
    }
    lines.extend(
        text::wrapped_words(UNCONFINED, width).into_iter().map(|row| Line::styled(row, palette.alarm)),
    );
    lines.push(Line::from(vec![
        Span::styled("y", palette.key),
        Span::raw(" allows it and approves this call; any other key does neither"),
    ]));
    lines
}
