//! `bailiwick watch --web`: the queue as a page in the browser of this machine.
//!
//! The surface finds what is shown, `board` puts it into the page's words, `desk` does what a person did there; here are
//! the terminal that prints the link, and the loop. Hooks wait for the page while somebody is before it.

mod board;
mod desk;
mod past;
mod record;

use std::io::BufRead as _;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use bailiwick_adapters_web::page::Page;

use crate::command::output::terminal::{DIM, GOOD, HEADING, Terminal};
use crate::command::who::person;
use crate::command::{CommandError, Context};
use crate::site::Site;
use desk::Desk;

/// How often the queue is looked at when nothing is done at the page.
const TICK: Duration = Duration::from_millis(300);

/// What a person does at the terminal that the page was started from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Typed {
    /// A new link is wanted.
    Link,
    Quit,
}

/// Serves the page until the person ends it.
pub(super) fn run(
    (port, is_numeric): (Option<u16>, bool),
    site: Site,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    let page = Page::open(port, is_numeric).map_err(|source| {
        let place = port.map_or_else(|| "127.0.0.1".to_owned(), |port| format!("port {port} of 127.0.0.1"));
        CommandError::io(place, source)
    })?;
    let desk = Desk::new(site, person());
    let mut watch = Watch { page, desk, terminal: context.terminal, is_attended: false };
    watch.print_link()?;
    let ended = watch.until_quit(&typed());
    // Agents that wait for this page must not wait for nobody.
    watch.desk.leave();
    ended
}

struct Watch {
    page: Page,
    desk: Desk,
    terminal: Terminal,
    is_attended: bool,
}

impl Watch {
    fn until_quit(&mut self, typed: &Receiver<Typed>) -> Result<ExitCode, CommandError> {
        loop {
            self.attend()?;
            let board = self.desk.look()?;
            self.page.show(&board).map_err(|error| CommandError::Other(error.to_string()))?;
            for typed in typed.try_iter() {
                match typed {
                    Typed::Link => self.print_link()?,
                    Typed::Quit => return Ok(ExitCode::SUCCESS),
                }
            }
            if let Some(asked) = self.page.next(TICK) {
                let reply = self.desk.act(&asked.action);
                let board = self.desk.look()?;
                // The board of after the answer is there before the page hears of it.
                self.page.show(&board).map_err(|error| CommandError::Other(error.to_string()))?;
                asked.answer(reply);
            }
        }
    }

    /// A sign of life while somebody is there.
    fn attend(&mut self) -> Result<(), CommandError> {
        let is_attended = self.page.is_attended();
        if is_attended {
            self.desk.beat()?;
        }
        if is_attended != self.is_attended {
            self.is_attended = is_attended;
            if is_attended {
                self.terminal.styled(GOOD, "The page is open: agents ask there.");
            } else {
                self.desk.leave();
                self.terminal.say("No page is shown: agents do not wait for it.");
            }
        }
        Ok(())
    }

    fn print_link(&self) -> Result<(), CommandError> {
        let link = self.page.link().map_err(|source| CommandError::io("the link", source))?;
        self.terminal.styled(HEADING, link);
        self.terminal.say("Open this link in your browser. It works once, for one minute.");
        self.terminal.say(format_args!(
            "{DIM}Enter: a new link, which ends the page that is open · q and Enter: quit{DIM:#}"
        ));
        Ok(())
    }
}

/// What is typed, line by line; a closed terminal quits, and so does an interrupt.
fn typed() -> Receiver<Typed> {
    let (sender, receiver) = channel();
    let interrupts = sender.clone();
    std::thread::spawn(move || read_lines(&sender));
    std::thread::spawn(move || wait_for_interrupt(&interrupts));
    receiver
}

fn read_lines(typed: &Sender<Typed>) {
    for line in std::io::stdin().lock().lines() {
        let said = line.map(|line| line.trim().to_ascii_lowercase());
        let is_end = match said.as_deref() {
            Ok("q" | "quit") | Err(_) => break,
            Ok(_) => typed.send(Typed::Link).is_err(),
        };
        if is_end {
            return;
        }
    }
    let _ = typed.send(Typed::Quit);
}

fn wait_for_interrupt(typed: &Sender<Typed>) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
    if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
        let _ = typed.send(Typed::Quit);
    }
}
