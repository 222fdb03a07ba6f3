//! The styles of the screen: with colour, or with bold, underlined and reversed text alone.

use ratatui::style::{Color, Modifier, Style};

/// What things look like.
#[derive(Clone, Copy, Debug)]
pub(in crate::command::surface::watch) struct Palette {
    pub(super) heading: Style,
    pub(super) faint: Style,
    pub(super) rule: Style,
    pub(super) chosen: Style,
    pub(super) added: Style,
    pub(super) removed: Style,
    pub(super) head: Style,
    pub(super) mark: Style,
    pub(super) alarm: Style,
    pub(super) good: Style,
    pub(super) name: Style,
    pub(super) key: Style,
}

impl Palette {
    /// The sixteen colours that every terminal has, so that its own theme holds.
    pub(in crate::command::surface::watch) fn colour() -> Self {
        let of = |colour: Color| Style::new().fg(colour);
        Self {
            heading: Style::new().add_modifier(Modifier::BOLD),
            faint: of(Color::DarkGray),
            rule: of(Color::DarkGray),
            chosen: Style::new().add_modifier(Modifier::REVERSED),
            added: of(Color::Green),
            removed: of(Color::Red),
            head: of(Color::Cyan),
            mark: of(Color::Yellow).add_modifier(Modifier::BOLD),
            alarm: of(Color::Red).add_modifier(Modifier::BOLD),
            good: of(Color::Green),
            name: of(Color::Cyan),
            key: of(Color::Cyan).add_modifier(Modifier::BOLD),
        }
    }

    /// No colour at all (`NO_COLOR`, or a terminal without colours); signs and words say the same.
    pub(in crate::command::surface::watch) fn plain() -> Self {
        let (plain, bold) = (Style::new(), Style::new().add_modifier(Modifier::BOLD));
        Self {
            heading: bold,
            faint: plain,
            rule: plain,
            chosen: Style::new().add_modifier(Modifier::REVERSED),
            added: plain,
            removed: plain,
            head: bold,
            mark: bold,
            alarm: bold,
            good: plain,
            name: plain,
            key: bold,
        }
    }
}
