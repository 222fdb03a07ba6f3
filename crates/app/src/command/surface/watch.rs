//! `bailiwick watch`: a terminal screen on the queue. While it runs it is a live surface, and agents wait for it.
//!
//! The [`surface`](super) finds what is shown, `model` is what the screen is about, `view` draws it; here are the
//! terminal and the loop. It writes answers into the queue, ends grants, puts files of a reviewed grant back, and nothing else.

mod model;
mod notice;
mod view;
mod web;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bailiwick_adapters_fs::WATCH;
use bailiwick_domain::{Answer, ApprovalId, GrantId, RepoPath, TrustedCommand};
use ratatui::Terminal;
use ratatui::backend::{CrosstermBackend, TestBackend};
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use ratatui::crossterm::{cursor, execute, terminal};

use super::{Allowed, Surface, words};
use crate::command::answers::void;
use crate::command::who::person;
use crate::command::{CommandError, Context};
use model::{Effect, Key, Model};
use notice::Notify;
use view::Palette;

/// How often the queue is looked at when no key comes.
const TICK: Duration = Duration::from_millis(300);

/// The size of the one screen that `--once` prints where no terminal says another.
const ONCE: (u16, u16) = (100, 30);

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Ring the terminal's bell when something new waits; `b` switches it
    #[arg(long)]
    bell: bool,
    /// Desktop notifications through the terminal when something new waits
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, default_missing_value = "osc9")]
    notify: Option<Notify>,
    /// Print one screen as text and end; needs no terminal, and agents do not wait for it
    #[arg(long, conflicts_with_all = ["bell", "notify"])]
    once: bool,
    /// Serve the queue as a page for a browser on this machine, and print the link that opens it
    #[arg(long, conflicts_with_all = ["bell", "notify", "once"])]
    web: bool,
    /// The port of the page on 127.0.0.1; any free one when not given
    #[arg(long, requires = "web", value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Link to 127.0.0.1 itself, for a browser that finds no names below localhost; take a port that no other program had
    #[arg(long, requires = "web")]
    numeric: bool,
}

const EXAMPLES: &str = "\
Examples:
  bailiwick watch                     a screen in this terminal
  bailiwick watch --web               a page in the browser; the link works once, for a minute
  bailiwick watch --web --port 7070   always at the same port, as a tunnel to another machine needs
  bailiwick watch --once              one screen as text";

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    if args.once {
        return once(context);
    }
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal(
            "`watch` (`watch --once` prints one screen, `approval list --json` the queue for programs)",
        ));
    }
    let site = context.site()?;
    if args.web {
        return web::run((args.port, args.numeric), site, context);
    }
    let mut watch = Watch {
        model: model(&site, args.bell),
        surface: Surface::new(site, WATCH),
        palette: palette(),
        notify: args.notify,
        in_tmux: std::env::var_os("TMUX").is_some_and(|value| !value.is_empty()),
    };
    let _screen = Screen::enter()?;
    let mut terminal = Terminal::new(CrosstermBackend::new(std::io::stdout())).map_err(terminal_error)?;
    let ended = watch.until_quit(&mut terminal);
    // Agents that wait for this screen must not wait for nobody.
    watch.surface.leave();
    ended
}

fn model(site: &crate::site::Site, rings: bool) -> Model {
    Model::new(site.layout.root().display().to_string(), person(), rings)
}

fn palette() -> Palette {
    match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => Palette::plain(),
        _ => Palette::colour(),
    }
}

/// One screen as text.
fn once(context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    if context.json {
        return crate::command::answers::approval::as_the_queue(&site, context);
    }
    let mut model = model(&site, false);
    model.is_printed = true;
    model.refresh(Surface::new(site, WATCH).look()?, Instant::now());
    let (width, height) = if context.terminal.has_person() { terminal::size().unwrap_or(ONCE) } else { ONCE };
    let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
    let Ok(_) = terminal.draw(|frame| _ = view::draw(frame, &model, &Palette::plain()));
    for line in text_of(terminal.backend().buffer()) {
        context.terminal.say(line);
    }
    Ok(if model.trouble.is_none() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The rows of a screen without blanks at their ends; blank rows between request and keys stay.
fn text_of(buffer: &ratatui::buffer::Buffer) -> Vec<String> {
    let width = usize::from(buffer.area.width).max(1);
    let row = |cells: &[ratatui::buffer::Cell]| {
        let mut text = String::new();
        let mut hidden = 0;
        for cell in cells {
            if hidden == 0 {
                text.push_str(cell.symbol());
                hidden = unicode_width::UnicodeWidthStr::width(cell.symbol()).saturating_sub(1);
            } else {
                hidden -= 1;
            }
        }
        text.trim_end().to_owned()
    };
    buffer.content.chunks(width).map(row).collect()
}

/// The terminal in full-screen mode; restored when dropped, whatever happens.
struct Screen;

impl Screen {
    fn enter() -> Result<Self, CommandError> {
        let screen = Self;
        Self::enter_again()?;
        Ok(screen)
    }

    fn enter_again() -> Result<(), CommandError> {
        terminal::enable_raw_mode().map_err(terminal_error)?;
        let mut out = std::io::stdout();
        execute!(out, terminal::EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)
            .map_err(terminal_error)
    }

    fn leave() {
        let mut out = std::io::stdout();
        let _ = execute!(out, cursor::Show, DisableBracketedPaste, terminal::LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        Self::leave();
    }
}

fn terminal_error(source: std::io::Error) -> CommandError {
    CommandError::io("the terminal", source)
}

struct Watch {
    model: Model,
    surface: Surface,
    palette: Palette,
    notify: Option<Notify>,
    in_tmux: bool,
}

type Screens = Terminal<CrosstermBackend<std::io::Stdout>>;

impl Watch {
    fn until_quit(&mut self, terminal: &mut Screens) -> Result<ExitCode, CommandError> {
        // What waits at the start is on the screen; only what comes later is announced.
        let _ = self.model.refresh(self.surface.look()?, Instant::now());
        loop {
            self.surface.beat()?;
            self.draw(terminal)?;
            if event::poll(TICK).map_err(terminal_error)? {
                let effects = self.on_event(&event::read().map_err(terminal_error)?);
                if self.make(effects, terminal)? {
                    return Ok(ExitCode::SUCCESS);
                }
            }
            let news = self.model.refresh(self.surface.look()?, Instant::now());
            self.make(news, terminal)?;
        }
    }

    fn draw(&mut self, terminal: &mut Screens) -> Result<(), CommandError> {
        let (model, palette) = (&self.model, &self.palette);
        let mut measured = model::Measured::default();
        terminal.draw(|frame| measured = view::draw(frame, model, palette)).map_err(terminal_error)?;
        self.model.measure(measured);
        Ok(())
    }

    fn on_event(&mut self, event: &Event) -> Vec<Effect> {
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Press => {
                key_of(key).map(|key| self.model.press(key, Instant::now())).unwrap_or_default()
            }
            Event::Paste(text) => {
                self.model.paste(text);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Makes the effects; whether the screen ends.
    fn make(&mut self, effects: Vec<Effect>, terminal: &mut Screens) -> Result<bool, CommandError> {
        for effect in effects {
            match effect {
                Effect::Quit => return Ok(true),
                Effect::Answer(id, answer) => self.model.note = Some(self.answer(&id, &answer)),
                Effect::Allow(id, command) => self.model.note = Some(self.allow(&id, &command)),
                Effect::Explain(command) => self.model.note = Some(self.surface.why_not_allowed(&command)),
                Effect::Revoke(id) => self.model.note = Some(self.revoke(id)),
                Effect::Review { grant, shown, back } => {
                    self.model.note = Some(self.review(grant, &shown, &back))
                }
                Effect::Edit(id) => self.edit(id, terminal)?,
                Effect::Announce(text) => {
                    notice::announce(&text, self.model.rings, self.notify, self.in_tmux)
                        .map_err(terminal_error)?;
                }
            }
        }
        Ok(false)
    }

    /// Gives the terminal to an editor for the draft of a request; agents go on waiting meanwhile.
    fn edit(&mut self, id: ApprovalId, terminal: &mut Screens) -> Result<(), CommandError> {
        let Some(asked) = self.model.requests.iter().find(|item| *item.id() == id).cloned() else {
            return Ok(());
        };
        let request = &asked.approval.request;
        let Some(drafted) = request.drafted() else { return Ok(()) };
        Screen::leave();
        let edited = self.surface.edited(request, &drafted);
        Screen::enter_again()?;
        terminal.clear().map_err(terminal_error)?;
        let change = edited.and_then(|edited| match edited {
            Some(edited) => self.surface.change_of(request, &edited).map(|change| Some((edited, change))),
            None => Ok(None),
        });
        match change {
            Ok(Some((edited, (change, wide)))) if edited != drafted => {
                let change = std::sync::Arc::new(crate::review::Review::of(&change));
                self.model.ask_about(id, edited, (change, wide), Instant::now());
            }
            Ok(_) => self.model.note = Some("nothing was changed; `a` accepts the draft as it is".to_owned()),
            Err(error) => self.model.note = Some(error.to_string()),
        }
        Ok(())
    }

    fn allow(&self, id: &ApprovalId, command: &TrustedCommand) -> String {
        self.surface.allow(id, command, &self.model.by).map_or_else(|error| error.to_string(), Allowed::says)
    }

    fn revoke(&self, id: GrantId) -> String {
        match self.surface.revoke(id) {
            Ok(()) => words::revoked(id),
            Err(error) => error.to_string(),
        }
    }

    fn review(&mut self, id: GrantId, shown: &str, back: &[RepoPath]) -> String {
        match self.surface.review(id, shown, back) {
            Ok(()) => words::reviewed(id, back.len()),
            Err(error) => error.to_string(),
        }
    }

    fn answer(&self, id: &ApprovalId, answer: &Answer) -> String {
        match self.surface.answer(id, answer) {
            Ok(answered) => void::became(&answered),
            Err(error) => error.to_string(),
        }
    }
}

/// A key of the terminal as the screen knows it.
fn key_of(key: &KeyEvent) -> Option<Key> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if control => Some(Key::Interrupt),
        KeyCode::Char('d') if control => Some(Key::PageDown),
        KeyCode::Char('u') if control => Some(Key::PageUp),
        KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => None,
        KeyCode::Char(c) => Some(Key::Char(c)),
        KeyCode::Tab => Some(Key::Down),
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Esc => Some(Key::Escape),
        KeyCode::Backspace => Some(Key::Backspace),
        KeyCode::Up => Some(Key::Up),
        KeyCode::Down => Some(Key::Down),
        KeyCode::PageUp => Some(Key::PageUp),
        KeyCode::PageDown => Some(Key::PageDown),
        KeyCode::Home => Some(Key::Home),
        KeyCode::End => Some(Key::End),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
