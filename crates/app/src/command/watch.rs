//! `bailiwick watch`: a terminal screen on the queue. While it runs it is a live surface, and agents wait for it.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bailiwick_adapters_fs::{FsApprovalQueue, Surfaces, SystemClock};
use bailiwick_domain::{Answer, Approval, ApprovalQueue, Clock};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::{cursor, execute, queue, style, terminal};

use super::approval::{described, open, person};
use super::{CommandError, Context};

/// How often the queue is looked at when no key comes.
const TICK: Duration = Duration::from_millis(300);

/// A second `a` within this time is a finger that slipped or stayed down, no yes to the request that came up meanwhile.
const SLIP: Duration = Duration::from_millis(250);

#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("`watch`"));
    }
    let site = context.site()?;
    let mut watch = Watch {
        queue: FsApprovalQueue::new(site.layout.clone()),
        surfaces: Surfaces::new(site.layout.clone()),
        root: site.layout.root().display().to_string(),
        chosen: 0,
        scroll: 0,
        note: String::new(),
        pressed: None,
        drawn: String::new(),
    };
    let _screen = Screen::enter()?;
    watch.until_quit()
}

/// The terminal in full-screen mode; restored when dropped, whatever happens.
struct Screen;

impl Screen {
    fn enter() -> Result<Self, CommandError> {
        terminal::enable_raw_mode().map_err(terminal_error)?;
        execute!(std::io::stdout(), terminal::EnterAlternateScreen, cursor::Hide).map_err(terminal_error)?;
        Ok(Self)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(std::io::stdout(), cursor::Show, terminal::LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

fn terminal_error(source: std::io::Error) -> CommandError {
    CommandError::io("the terminal", source)
}

struct Watch {
    queue: FsApprovalQueue,
    surfaces: Surfaces,
    root: String,
    chosen: usize,
    scroll: usize,
    note: String,
    pressed: Option<Instant>,
    drawn: String,
}

enum Step {
    Go,
    Quit,
}

impl Watch {
    fn until_quit(&mut self) -> Result<ExitCode, CommandError> {
        loop {
            self.surfaces.beat("watch")?;
            let waiting = open(&self.queue)?;
            self.chosen = self.chosen.min(waiting.len().saturating_sub(1));
            self.draw(&waiting)?;
            if event::poll(TICK).map_err(terminal_error)?
                && let Step::Quit = self.on_event(&event::read().map_err(terminal_error)?, &waiting)
            {
                return Ok(ExitCode::SUCCESS);
            }
        }
    }

    fn on_event(&mut self, event: &Event, waiting: &[Approval]) -> Step {
        let Event::Key(key) = event else {
            self.drawn.clear();
            return Step::Go;
        };
        if key.kind != KeyEventKind::Press {
            return Step::Go;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('q') => return Step::Quit,
            KeyCode::Char('c') if control => return Step::Quit,
            KeyCode::Char('a') if self.slipped() => self.note = "once more, after a look".to_owned(),
            KeyCode::Char('a') => self.answer(waiting, true),
            KeyCode::Char('r') => self.answer(waiting, false),
            KeyCode::Char('n') | KeyCode::Tab => self.choose((self.chosen + 1) % waiting.len().max(1)),
            KeyCode::Char('p') => self.choose(self.chosen.saturating_sub(1)),
            KeyCode::Char('j') | KeyCode::Down => self.scroll = self.scroll.saturating_add(1),
            KeyCode::Char('k') | KeyCode::Up => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll = self.scroll.saturating_add(20),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(20),
            _ => {}
        }
        Step::Go
    }

    fn slipped(&mut self) -> bool {
        let now = Instant::now();
        is_slip(self.pressed.replace(now), now)
    }

    fn choose(&mut self, index: usize) {
        self.chosen = index;
        self.scroll = 0;
    }

    fn answer(&mut self, waiting: &[Approval], approve: bool) {
        let Some(approval) = waiting.get(self.chosen) else { return };
        let by = person();
        let answer = if approve { Answer::Approve { by } } else { Answer::Reject { by, feedback: None } };
        let word = if approve { "approved" } else { "rejected" };
        self.note = match pollster::block_on(self.queue.answer(&approval.id, &answer, SystemClock.now())) {
            Ok(_) => format!("{} {word}", approval.id.0),
            Err(error) => error.to_string(),
        };
        self.scroll = 0;
    }

    fn draw(&mut self, waiting: &[Approval]) -> Result<(), CommandError> {
        let (width, height) = terminal::size().map_err(terminal_error)?;
        let text = self.screen(waiting, usize::from(width), usize::from(height));
        if text == self.drawn {
            return Ok(());
        }
        let mut out = std::io::stdout().lock();
        queue!(out, terminal::Clear(terminal::ClearType::All), cursor::MoveTo(0, 0), style::Print(&text))
            .map_err(terminal_error)?;
        out.flush().map_err(terminal_error)?;
        self.drawn = text;
        Ok(())
    }

    fn screen(&mut self, waiting: &[Approval], width: usize, height: usize) -> String {
        let mut lines = vec![format!("Bailiwick  {}  {} waiting", self.root, waiting.len()), String::new()];
        match waiting.get(self.chosen) {
            None => lines.push("Nothing waits for an answer. Leave this open while agents work.".to_owned()),
            Some(approval) => {
                let body: Vec<String> =
                    described(approval).iter().flat_map(|line| wrapped(line, width)).collect();
                let room = height.saturating_sub(lines.len() + 2);
                self.scroll = self.scroll.min(body.len().saturating_sub(room));
                let more = body.len().saturating_sub(self.scroll + room);
                lines.extend(body.into_iter().skip(self.scroll).take(room));
                if more > 0 {
                    self.note = format!("{more} more lines below: j, k, space");
                }
            }
        }
        lines.truncate(height.saturating_sub(2));
        lines.resize(height.saturating_sub(2), String::new());
        lines.push(std::mem::take(&mut self.note));
        lines.push("a approve   r reject   n next   p previous   j/k scroll   q quit".to_owned());
        lines.join("\r\n")
    }
}

/// Whether an `a` follows another one so closely that nobody can have read what it would approve (threat G1).
fn is_slip(last: Option<Instant>, now: Instant) -> bool {
    last.is_some_and(|last| now.saturating_duration_since(last) < SLIP)
}

/// A line in pieces no wider than the screen; styles count as nothing. Signs beyond ASCII count as wide, which some of
/// them are: counted too wide a line only breaks early, counted too narrow it would push others off the screen.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let width = width.max(20);
    let (mut pieces, mut piece, mut shown, mut escape) = (Vec::new(), String::new(), 0, false);
    for c in line.chars() {
        escape = escape || c == '\u{1b}';
        if escape {
            piece.push(c);
            escape = c != 'm';
            continue;
        }
        let columns = if c.is_ascii() { 1 } else { 2 };
        if shown + columns > width {
            pieces.push(std::mem::take(&mut piece));
            shown = 0;
        }
        piece.push(c);
        shown += columns;
    }
    pieces.push(piece);
    pieces
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{is_slip, wrapped};

    // threat G1
    #[test]
    fn a_key_that_stays_down_approves_once() {
        let first = Instant::now();
        assert!(!is_slip(None, first));
        assert!(is_slip(Some(first), first + Duration::from_millis(100)));
        assert!(!is_slip(Some(first), first + Duration::from_millis(600)));
    }

    // threat G1
    #[test]
    fn wide_signs_push_nothing_off_the_screen() {
        assert_eq!(wrapped(&"\u{ff21}".repeat(21), 20).len(), 3);
        assert_eq!(wrapped(&"a".repeat(40), 20).len(), 2);
        assert_eq!(wrapped("\u{1b}[1mabc\u{1b}[0m", 20).len(), 1);
    }
}
