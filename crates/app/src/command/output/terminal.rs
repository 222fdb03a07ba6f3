//! What commands say: text with colour on a terminal only, or one JSON value.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{BufWriter, ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use bailiwick_domain::Value;

use super::columns::hanging_aside;
use crate::inert;

/// Bold, for headings.
pub(crate) const HEADING: Style = Style::new().bold();
/// For what is well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// For what needs a look.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
/// For what is wrong.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// For what matters less.
pub(crate) const DIM: Style = Style::new().dimmed();

/// Why something that was said did not arrive, the first time.
static LOST: OnceLock<std::io::Error> = OnceLock::new();

/// Standard output and error; a closed pipe is not an error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal;

impl Terminal {
    pub(crate) fn new() -> Self {
        Self
    }

    /// One line of text.
    pub(crate) fn say(&self, line: impl Display) {
        keep(writeln!(anstream::stdout().lock(), "{line}"));
    }

    /// Why something that was said did not arrive, though somebody waits for it: a full disk.
    pub(crate) fn lost(&self) -> Option<&'static std::io::Error> {
        LOST.get()
    }

    /// Whether what is said keeps its colours.
    pub(crate) fn has_colours(&self) -> bool {
        AutoStream::choice(&std::io::stdout()) != ColorChoice::Never
    }

    /// Many lines, written together.
    pub(crate) fn say_all(&self, lines: &[String]) {
        let stdout = std::io::stdout().lock();
        keep(if self.has_colours() {
            write_all(AutoStream::auto(stdout), lines.iter().map(|line| Cow::Borrowed(line.as_str())))
        } else {
            write_all(stdout, lines.iter().map(|line| without_colours(line)))
        });
    }

    /// One line in a style.
    pub(crate) fn styled(&self, style: Style, line: impl Display) {
        self.say(format_args!("{style}{line}{style:#}"));
    }

    /// One JSON value on a line of its own.
    pub(crate) fn json(&self, value: &Value) {
        self.say(value);
    }

    /// What went wrong.
    pub(crate) fn problem(&self, line: &str) {
        aside(BAD, "error", line);
    }

    /// What to do about it.
    pub(crate) fn hint(&self, line: &str) {
        aside(DIM, "hint", line);
    }

    /// What deserves a look but stops nothing.
    pub(crate) fn warning(&self, line: &str) {
        aside(WARN, "warning", line);
    }

    /// Whether a person is at both ends.
    pub(crate) fn has_person(&self) -> bool {
        std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
    }

    /// Asks which of these it shall be, by number or by first word; an empty line is the one at `usual`. `None` where the
    /// input ends, or nothing is understood: then a person has chosen nothing.
    pub(crate) fn choose(&self, question: &str, answers: &[String], usual: usize) -> Option<usize> {
        const TRIES: usize = 3;
        self.styled(HEADING, question);
        for (at, answer) in answers.iter().enumerate() {
            let mark = if at == usual { "  (usual)" } else { "" };
            self.say(format_args!("  {} {answer}{DIM}{mark}{DIM:#}", at + 1));
        }
        for _ in 0..TRIES {
            let _ = write!(anstream::stdout().lock(), "number [{}] ", usual + 1);
            let _ = std::io::stdout().flush();
            let mut line = String::new();
            if !std::io::stdin().read_line(&mut line).is_ok_and(|read| read > 0) {
                return None;
            }
            match line.trim() {
                "" => return Some(usual),
                said => match meant(said, answers) {
                    Some(at) => return Some(at),
                    None => self.say(format_args!("type a number from 1 to {}", answers.len())),
                },
            }
        }
        None
    }

    /// Asks a yes-or-no question; anything but `y` or `yes` is no.
    pub(crate) fn confirm(&self, question: &str) -> bool {
        let _ = write!(anstream::stdout().lock(), "{question} [y/N] ");
        let _ = std::io::stdout().flush();
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line).is_ok();
        read && matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
    }

    /// Asks for a word; anything else is no.
    pub(crate) fn confirm_with(&self, question: &str, word: &str) -> bool {
        let _ = write!(anstream::stdout().lock(), "{question} Type `{word}` to confirm: ");
        let _ = std::io::stdout().flush();
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).is_ok() && line.trim() == word
    }
}

/// A line on standard error, with what it is before it.
fn aside(style: Style, word: &str, line: &str) {
    let inert = line.split('\n').map(inert::line);
    let lines: Vec<String> = inert.map(|line| hanging_aside(&line, word.len() + 2)).collect();
    let _ = writeln!(anstream::stderr().lock(), "{style}{word}{style:#}: {}", lines.join("\n"));
}

/// The answer of a number, or the only one that begins with this word.
fn meant(said: &str, answers: &[String]) -> Option<usize> {
    let first_word = |answer: &String| answer.split([' ', ':']).next().is_some_and(|word| word == said);
    match said.parse::<usize>() {
        Ok(number) => number.checked_sub(1).filter(|at| *at < answers.len()),
        Err(_) => {
            let is_only = answers.iter().filter(|answer| first_word(answer)).count() == 1;
            answers.iter().position(first_word).filter(|_| is_only)
        }
    }
}

fn keep(said: std::io::Result<()>) {
    if let Err(error) = said
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = LOST.set(error);
    }
}

fn write_all<'l>(out: impl Write, lines: impl Iterator<Item = Cow<'l, str>>) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    for line in lines {
        out.write_all(line.as_bytes())?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

fn without_colours(line: &str) -> Cow<'_, str> {
    if line.contains('\u{1b}') {
        Cow::Owned(anstream::adapter::strip_str(line).to_string())
    } else {
        Cow::Borrowed(line)
    }
}
