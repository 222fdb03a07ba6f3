//! How a person is told that something waits: the terminal's bell, and its own desktop notifications.
//!
//! Notifications are escape sequences, so they reach the desk also through ssh; nothing else has to be installed. What
//! they say holds no text that an agent chose.

use std::io::Write;

/// The sequence for desktop notifications that a terminal knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Notify {
    /// OSC 9: iTerm2, kitty, WezTerm, Ghostty, Windows Terminal
    Osc9,
    /// OSC 777: foot, urxvt, VTE terminals that have it, WezTerm, Ghostty
    Osc777,
}

/// The bytes of a notification. Inside tmux they are wrapped, so that tmux hands them on where `allow-passthrough` is on.
pub(super) fn notification(notify: Notify, text: &str, in_tmux: bool) -> String {
    let text: String = text.chars().filter(|c| !c.is_control() && *c != ';').collect();
    let sequence = match notify {
        Notify::Osc9 => format!("\u{1b}]9;Bailiwick: {text}\u{7}"),
        Notify::Osc777 => format!("\u{1b}]777;notify;Bailiwick;{text}\u{7}"),
    };
    if in_tmux {
        format!("\u{1b}Ptmux;{}\u{1b}\\", sequence.replace('\u{1b}', "\u{1b}\u{1b}"))
    } else {
        sequence
    }
}

/// Rings and notifies, where that is wanted.
pub(super) fn announce(
    text: &str,
    rings: bool,
    notify: Option<Notify>,
    in_tmux: bool,
) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if rings {
        out.write_all(b"\x07")?;
    }
    if let Some(notify) = notify {
        out.write_all(notification(notify, text, in_tmux).as_bytes())?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::{Notify, notification};

    #[test]
    fn a_notification_is_one_sequence_whatever_its_text_is() {
        assert_eq!(
            notification(Notify::Osc9, "claude-code asks", false),
            "\u{1b}]9;Bailiwick: claude-code asks\u{7}"
        );
        let tricky = notification(Notify::Osc777, "a\u{7}b\u{1b}]52;c;d", false);
        assert_eq!(tricky, "\u{1b}]777;notify;Bailiwick;ab]52cd\u{7}");
        let wrapped = notification(Notify::Osc9, "x", true);
        assert_eq!(wrapped, "\u{1b}Ptmux;\u{1b}\u{1b}]9;Bailiwick: x\u{7}\u{1b}\\");
    }
}
