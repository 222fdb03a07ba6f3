//! Runs one check, if it may run.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bailiwick_adapters_fs::{FsPolicySource, SystemClock};
use bailiwick_adapters_tools::{End, Order, run};
use bailiwick_domain::{
    ApprovalId, Check, CheckOutcome, CheckResult, Clock, ContentHash, FileState, IntentId, Location,
    NamedCheck, Progress, RepoPath, Settings, Timestamp,
};
use bailiwick_policy::protection::{self, Protection};

use super::Subject;
use super::effects::{self, Before};
use super::present::Present;
use crate::command::answers::allow;
use crate::command::output::terminal::{DIM, HEADING, WARN};
use crate::command::{CommandError, Context, who};
use crate::compose;
use crate::gate::{CheckCommand, Gate};
use crate::inert;
use crate::site::Site;

/// What became of one check.
pub(super) enum Ran {
    /// It has a result.
    Done {
        result: Box<CheckResult>,
        /// What the command printed.
        output: String,
        /// Whether it ran unasked because it only reads: then nothing of its output is kept.
        only_read: bool,
        /// What it changed in the files.
        changed: Vec<RepoPath>,
    },
    /// It was not run: why, and what to do.
    Not { check: NamedCheck, why: String },
    /// You broke it off, and all that would follow.
    Stopped { check: NamedCheck },
}

/// What lets a command run.
#[derive(Default)]
struct Leave {
    allowance: Option<ApprovalId>,
    only_read: bool,
}

/// All that running needs.
pub(super) struct Runner<'r> {
    site: &'r Site,
    gate: &'r Gate,
    context: &'r Context,
    settings: Settings,
    limit: Duration,
    interrupts: Interrupts,
}

impl<'r> Runner<'r> {
    pub(super) fn new(site: &'r Site, gate: &'r Gate, context: &'r Context, limit: Duration) -> Self {
        let settings = compose::settings(&FsPolicySource::new(site.layout.clone()));
        Self { site, gate, context, settings, limit, interrupts: Interrupts::heeded() }
    }

    pub(super) fn run(&self, subject: &Subject, check: &NamedCheck) -> Result<Ran, CommandError> {
        match &check.check {
            Check::Run(command) => self.command(subject, check, command),
            Check::File(path) => self.file(subject, check, path),
            Check::Human => Ok(Ran::Not { check: check.clone(), why: "a person ticks it".to_owned() }),
        }
    }

    fn file(&self, subject: &Subject, check: &NamedCheck, path: &str) -> Result<Ran, CommandError> {
        let workspace = &self.gate.ports().tree.workspace;
        let place = match pollster::block_on(workspace.locate(path, None)) {
            Location::Inside(found) => found.path,
            _ => {
                let why = "the file is not in this repository; correct the check".to_owned();
                return Ok(Ran::Not { check: check.clone(), why });
            }
        };
        let over = Over::look(self.site, subject, check)?;
        let is_there = matches!(pollster::block_on(workspace.state(&place)), Ok(FileState::Content(_)));
        let outcome = if is_there { CheckOutcome::Passed } else { CheckOutcome::Failed };
        let result = Box::new(over.result(subject, check, outcome, None));
        Ok(Ran::Done { result, output: String::new(), only_read: false, changed: Vec::new() })
    }

    fn command(&self, subject: &Subject, check: &NamedCheck, command: &str) -> Result<Ran, CommandError> {
        let leave = match self.leave(subject, command)? {
            Ok(leave) => leave,
            Err(why) => return Ok(Ran::Not { check: check.clone(), why }),
        };
        let before = Before::look(self.site)?;
        let over = Over::look(self.site, subject, check)?;
        let began = Instant::now();
        let bar = self.context.progress("running, seconds:");
        let shown = Cell::new(0);
        let is_stopped = || {
            let seconds = began.elapsed().as_secs();
            if let Some(bar) = bar.as_ref().filter(|_| shown.replace(seconds) != seconds) {
                bar.at(seconds, None);
            }
            self.interrupts.stopped.load(Ordering::Relaxed)
        };
        let order = Order { command, folder: self.site.layout.root(), limit: self.limit };
        self.interrupts.runs.store(true, Ordering::Relaxed);
        let ran = run(order, &is_stopped);
        self.interrupts.runs.store(false, Ordering::Relaxed);
        let ran = ran.map_err(|error| CommandError::io(command, error))?;
        drop(bar);
        let changed = before.changed(self.site)?;
        let end = ended(ran.end);
        let by = who::person();
        let own = if ran.end == End::Stopped { Vec::new() } else { self.by_the_check(&changed) };
        effects::log(
            self.gate,
            &effects::Ran {
                command,
                intent: subject.intent.id(),
                by: &by,
                allowance: leave.allowance,
                end: &end,
                changed: &changed,
                own: &own,
            },
        )?;
        let (outcome, status) = match ran.end {
            End::Exited(0) => (CheckOutcome::Passed, Some(0)),
            End::Exited(status) => (CheckOutcome::Failed, Some(status)),
            End::Signal(_) => (CheckOutcome::Failed, None),
            End::TimedOut => (CheckOutcome::TimedOut, None),
            End::Stopped => return Ok(Ran::Stopped { check: check.clone() }),
        };
        let result = Box::new(over.result(subject, check, outcome, status));
        Ok(Ran::Done { result, output: ran.output, only_read: leave.only_read, changed })
    }

    /// What lets a command run; else why it does not.
    fn leave(&self, subject: &Subject, command: &str) -> Result<Result<Leave, String>, CommandError> {
        let id = subject.intent.id();
        let allowances = self.gate.allowances();
        let terminal = &self.context.terminal;
        let why = match pollster::block_on(allowances.for_check(command, id, &self.settings))? {
            CheckCommand::Allowed(allowance) => {
                let id = allowance.id;
                self.announce(command, &format!(" {DIM}({id}){DIM:#}"));
                return Ok(Ok(Leave { allowance: Some(id.as_approval()), only_read: false }));
            }
            CheckCommand::Reads => {
                self.announce(command, "");
                return Ok(Ok(Leave { allowance: None, only_read: true }));
            }
            CheckCommand::Never(why) => return Ok(Err(format!("it never runs: {why}"))),
            CheckCommand::Ask(why) => why,
        };
        if self.context.json || !terminal.has_person() {
            let why = why.unwrap_or_else(|| "nobody allowed its command".to_owned());
            return Ok(Err(format!("{why}; {}", self.way_to_run(id, command))));
        }
        terminal.say(format_args!("{HEADING}{id}{HEADING:#} would run:"));
        for line in inert::lines(command) {
            terminal.say(format_args!("  {line}"));
        }
        if let Some(why) = why {
            terminal.say(format_args!("{WARN}{}{WARN:#}", inert::line(&why)));
        }
        terminal.say(format_args!("{DIM}{}{DIM:#}", allow::UNCONFINED));
        if terminal.confirm("Run it?") {
            return Ok(Ok(Leave::default()));
        }
        Ok(Err("you did not let it run".to_owned()))
    }

    /// What a person can do so that a command runs; allowing it is named only where that is possible.
    fn way_to_run(&self, id: &IntentId, command: &str) -> String {
        let run = format!("run `bailiwick verify {id}` at a terminal, where you are asked");
        match allow::why_never(self.gate, command) {
            Some(_) => run,
            None => format!("{run}, or allow it: bailiwick allow -- {}", quoted(command)),
        }
    }

    fn announce(&self, command: &str, by: &str) {
        if !self.context.json {
            self.context.terminal.say(format_args!("{DIM}running{DIM:#} {}{by}", inert::line(command)));
        }
    }

    /// The changed files that you say the check changed, as far as you may say so. Nobody is asked without a terminal.
    fn by_the_check(&self, changed: &[RepoPath]) -> Vec<RepoPath> {
        let workspace = &self.gate.ports().tree.workspace;
        let is_open = |path: &&RepoPath| match pollster::block_on(workspace.locate(path.as_str(), None)) {
            Location::Inside(found) => protection::of_change(&found, &self.settings) == Protection::None,
            _ => false,
        };
        let open: Vec<RepoPath> = changed.iter().filter(is_open).cloned().collect();
        let terminal = &self.context.terminal;
        if open.is_empty() || self.context.json || !terminal.has_person() {
            return Vec::new();
        }
        for path in &open {
            terminal.say(format_args!("  {}", inert::line(path.as_str())));
        }
        let is_own = terminal
            .confirm("These changed while the check ran. Did the check change them, and nobody else?");
        if is_own { open } else { Vec::new() }
    }
}

/// What a result is made over: taken before the check begins, so that a change meanwhile ends the result.
struct Over {
    at: Timestamp,
    commit: Option<String>,
    digest: Option<ContentHash>,
    before_work: bool,
}

impl Over {
    fn look(site: &Site, subject: &Subject, check: &NamedCheck) -> Result<Self, CommandError> {
        let at = SystemClock.now();
        let present = Present::look(site, &subject.intent)?;
        let before_work = present.is_before_work();
        Ok(Self { at, digest: present.over(check), before_work, commit: present.commit })
    }

    fn result(
        self,
        subject: &Subject,
        check: &NamedCheck,
        outcome: CheckOutcome,
        status: Option<i32>,
    ) -> CheckResult {
        CheckResult {
            check: check.clone(),
            outcome,
            status,
            revision: subject.intent.revision().clone(),
            commit: self.commit,
            over: self.digest,
            at: self.at,
            by: who::person(),
            before_work: self.before_work,
        }
    }
}

/// A line of shell as one word of another.
fn quoted(line: &str) -> String {
    format!("'{}'", line.replace('\'', r"'\''"))
}

/// How a command ended, in words.
pub(super) fn ended(end: End) -> String {
    match end {
        End::Exited(0) => "passed".to_owned(),
        End::Exited(status) => format!("exit status {status}"),
        End::Signal(signal) => format!("ended by signal {signal}"),
        End::TimedOut => "took too long".to_owned(),
        End::Stopped => "broken off".to_owned(),
    }
}

/// Ctrl-C: while a command runs it breaks that off, because the command has a process group of its own and would go on
/// alone; at any other time it ends this program, as it would without us.
struct Interrupts {
    runs: Arc<AtomicBool>,
    stopped: Arc<AtomicBool>,
}

impl Interrupts {
    fn heeded() -> Self {
        let (runs, stopped) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let heeded = Self { runs: Arc::clone(&runs), stopped: Arc::clone(&stopped) };
        let wait = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
            let Ok(runtime) = runtime else { return };
            while runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
                if !runs.load(Ordering::Relaxed) {
                    std::process::exit(i32::from(super::BROKEN_OFF));
                }
                stopped.store(true, Ordering::Relaxed);
            }
        };
        // Without that thread the system's own Ctrl-C ends this program.
        let _ = std::thread::Builder::new().spawn(wait);
        heeded
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_line_with_quotes_stays_one_word() {
        assert_eq!(quoted("cargo test"), "'cargo test'");
        assert_eq!(quoted("echo 'a'"), r"'echo '\''a'\'''");
    }
}
