//! The command line: one file per subcommand, in folders by what a person wants; conventions of git and cargo.
//!
//! Exit status: 0 done, 1 found something wrong, 2 usage or environment.

mod agents;
mod answers;
mod client_files;
mod error;
mod git;
mod history;
mod intent;
mod judged;
mod lesson;
mod likely;
mod named;
mod operator;
mod output;
mod select;
mod setup;
mod status;
mod surface;
mod trace;
mod verify;
mod who;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::site::Site;
use crate::user_state;
use agents::{gate, mcp, own_tool, prompt, tools};
use answers::{allow, approval, pause};
use error::CommandError;
use history::{gc, log, map, report, restore};
use output::terminal::Terminal;
use setup::{completions, config, demo, doctor, init, man, uninstall};
use surface::{acp, serve, watch};
use trace::sources::claims;

/// Keeps AI coding agents inside the intent that you gave them.
#[derive(Debug, Parser)]
#[command(
    name = "bailiwick", version, long_version = BUILT, about, after_help = EXAMPLES, propagate_version = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    /// The governed repository; found from the current directory when not given
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Print one JSON value instead of text, where the command reports
    #[arg(long, global = true, help_heading = GLOBAL)]
    json: bool,
    /// Colours: by the terminal and its environment (`NO_COLOR`), or as said
    #[arg(
        long, global = true, help_heading = GLOBAL, value_enum, default_value_t = Color::Auto, value_name = "WHEN"
    )]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

/// What the options of every command stand under.
const GLOBAL: &str = "Global options";

/// What `--version` says: from which commit, with which features, for which platform. `-V` says the number alone.
const BUILT: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("BAILIWICK_BUILT_FROM"),
    "\nfeatures: ",
    env!("BAILIWICK_FEATURES"),
    "\nplatform: ",
    env!("BAILIWICK_TARGET"),
);

/// When text has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Holds for all that this process writes from now on.
    fn apply(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

const EXAMPLES: &str = "\
Examples:
  bailiwick init --agent claude-code   govern this repository and hook Claude Code
  bailiwick intent new \"Fix login timeout\" --scope src/auth/
  bailiwick watch                      answer what agents ask
  bailiwick doctor                     prove that the gate is live
  bailiwick log --blocked              why was this blocked?";

#[derive(Debug, Subcommand)]
enum Command {
    /// Govern this repository: create .orchestration/ and install hooks
    Init(init::Args),
    /// Take out exactly what init put in
    Uninstall(uninstall::Args),
    /// Prove that the gate is live, and say what a host cannot enforce
    Doctor(doctor::Args),
    /// One host event on stdin, that host's answer on stdout (what installed hooks run)
    Hook {
        /// The host
        #[arg(long, value_name = "NAME")]
        agent: String,
        /// This project installed the hook: a missing store is then a fault, not an ungoverned project
        #[arg(long)]
        governed: bool,
        /// The user's state folder; the password database's home when not given
        #[arg(long, value_name = "DIR")]
        state: Option<PathBuf>,
        /// The home folder under which the host keeps scratch places
        #[arg(long, value_name = "DIR")]
        home: Option<PathBuf>,
        /// The host's own folder, where it is not in the home folder
        #[arg(long, value_name = "DIR")]
        config: Option<PathBuf>,
    },
    /// The neutral wire: one JSON object a line on stdin, one a line on stdout
    Gate(gate::Args),
    /// The gate's own tools, for agents without MCP
    Tool(own_tool::Args),
    /// MCP server: governed tools, and the gate's own
    Mcp(mcp::Args),
    /// List, show, check and create intents
    #[command(subcommand)]
    Intent(intent::Action),
    /// Select an intent for a session by hand
    Select(select::Args),
    /// The tools, their classes, and which are offered in a state
    Tools(tools::Args),
    /// The handshake prompt
    Prompt,
    /// The queue of approval requests
    #[command(subcommand)]
    Approval(approval::Action),
    /// Trust a command: agents run it without a question
    Allow(allow::Args),
    /// A screen on the queue: in this terminal, or as a page in the browser
    Watch(watch::Args),
    /// The queue for an editor's extension, which starts this itself
    Serve(serve::Args),
    /// Stand between an editor and its agent (Agent Client Protocol): questions in the editor's own dialog
    Acp(acp::Args),
    /// The decision log: why was this blocked?
    Log(log::Args),
    /// The ledger: what was changed, and whether the record still is what was written
    #[command(subcommand)]
    Trace(trace::Action),
    /// For CI: which agent or person answers for each changed run of lines in a range of commits
    Audit(trace::audit::Args),
    /// Run an intent's checks, record what came of them, and show what is met
    Verify(verify::Args),
    /// What failed once: lessons in the file that agents read
    #[command(subcommand)]
    Lesson(lesson::Action),
    /// Put files back to what they were before a call or a session
    Restore(restore::Args),
    /// Remove old records of private state, never the ledger
    Gc(gc::Args),
    /// Where things stand
    Status(status::Args),
    /// Let agents work ungoverned for a bounded time; logged, at a terminal only
    Pause(pause::Args),
    /// End a pause before its time
    Resume,
    /// Which intent changed which file and which symbol
    Map(map::Args),
    /// One HTML file to read: intents, what changed, who approved it, how that is known
    Report(report::Args),
    /// Settings: where each value comes from, errors, acceptance
    #[command(subcommand)]
    Config(config::Action),
    /// A guided run on a scratch repository
    Demo(demo::Args),
    /// Completion script for a shell
    Completions(completions::Args),
    /// Man pages, one for each command, into a folder
    Man(man::Args),
}

impl Command {
    /// What a process below a governed agent may run: queries and the gate's own tools.
    fn is_open_to_agents(&self) -> bool {
        match self {
            Self::Hook { .. }
            | Self::Tool(_)
            | Self::Log(_)
            | Self::Audit(_)
            | Self::Status(_)
            | Self::Tools(_) => true,
            Self::Prompt | Self::Completions(_) => true,
            Self::Mcp(args) => args.is_open_to_agents(),
            Self::Intent(action) => action.is_query(),
            Self::Config(action) => action.is_query(),
            Self::Trace(action) => action.is_open_to_agents(),
            Self::Map(args) => args.is_query(),
            Self::Verify(args) => args.is_query(),
            Self::Lesson(action) => action.is_query(),
            Self::Init(_) | Self::Uninstall(_) | Self::Doctor(_) | Self::Gate(_) | Self::Select(_) => false,
            Self::Approval(_)
            | Self::Watch(_)
            | Self::Serve(_)
            | Self::Acp(_)
            | Self::Demo(_)
            | Self::Pause(_)
            | Self::Resume => false,
            // It writes files.
            Self::Man(_) => false,
            Self::Restore(_) | Self::Gc(_) | Self::Allow(_) | Self::Report(_) => false,
        }
    }
}

/// What every command is given.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) root: Option<PathBuf>,
    pub(crate) json: bool,
    pub(crate) user_state: Option<PathBuf>,
    pub(crate) claims: claims::Claims,
    pub(crate) terminal: Terminal,
}

impl Context {
    /// The governed repository that the command is about.
    pub(crate) fn site(&self) -> Result<Site, CommandError> {
        let site = self.place()?;
        if site.is_governed() {
            Ok(site)
        } else {
            Err(CommandError::NotGoverned(site.layout.root().to_path_buf()))
        }
    }

    /// The repository that the command is about, governed or not.
    pub(crate) fn place(&self) -> Result<Site, CommandError> {
        self.place_with(self.user_state.as_ref())
    }

    /// The same with another folder for the user's state.
    pub(crate) fn place_with(&self, user_state: Option<&PathBuf>) -> Result<Site, CommandError> {
        let user_state = user_state.cloned();
        let here = match &self.root {
            Some(root) if !root.is_dir() => {
                return Err(CommandError::Usage(format!("there is no folder `{}`", root.display())));
            }
            Some(root) => root.clone(),
            None => {
                std::env::current_dir().map_err(|source| CommandError::io("the current directory", source))?
            }
        };
        let found = |error| CommandError::io(here.display(), error);
        Ok(match Site::around(&here, user_state.clone()).map_err(found)? {
            Some(site) if self.root.is_none() => site,
            _ => Site::at(&here, user_state).map_err(found)?,
        })
    }
}

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misread(&error),
    };
    cli.color.apply();
    let context = Context {
        root: cli.root,
        json: cli.json,
        user_state: user_state::from_environment(),
        claims: claims::Claims::default(),
        terminal: Terminal::new(),
    };
    let status = run(&cli.command, &context).unwrap_or_else(|error| error.report(&context));
    match context.terminal.lost() {
        Some(error) => {
            context.terminal.problem(&format!("standard output: {error}"));
            ExitCode::from(2)
        }
        None => status,
    }
}

/// Says what is wrong with the words of a command, or the help that they ask for; as JSON where they ask for that.
fn misread(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os().take_while(|word| word != "--").any(|word| word == "--json");
    if wants_json && error.use_stderr() {
        let said = error.to_string();
        let said = said.trim_end().trim_start_matches("error: ");
        Terminal::new().json(&bailiwick_domain::json!({ "error": said }));
    } else {
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn run(command: &Command, context: &Context) -> Result<ExitCode, CommandError> {
    if !command.is_open_to_agents() {
        operator::require(context)?;
    }
    match command {
        Command::Init(args) => init::run(args, context),
        Command::Uninstall(args) => uninstall::run(args, context),
        Command::Doctor(args) => doctor::run(args, context),
        Command::Hook { .. } => Err(CommandError::Usage("`hook` must be the first word".to_owned())),
        Command::Gate(args) => gate::run(args, context),
        Command::Tool(args) => own_tool::run(args, context),
        Command::Mcp(args) => mcp::run(args, context),
        Command::Intent(action) => intent::run(action, context),
        Command::Select(args) => select::run(args, context),
        Command::Tools(args) => tools::run(args, context),
        Command::Prompt => prompt::run(context),
        Command::Approval(action) => approval::run(action, context),
        Command::Allow(args) => allow::run(args, context),
        Command::Watch(args) => watch::run(args, context),
        Command::Serve(args) => serve::run(args, context),
        Command::Acp(args) => acp::run(args, context),
        Command::Log(args) => log::run(args, context),
        Command::Trace(action) => trace::run(action, context),
        Command::Audit(args) => trace::audit::run(args, context),
        Command::Verify(args) => verify::run(args, context),
        Command::Lesson(action) => lesson::run(action, context),
        Command::Restore(args) => restore::run(args, context),
        Command::Gc(args) => gc::run(args, context),
        Command::Status(args) => status::run(args, context),
        Command::Pause(args) => pause::run(args, context),
        Command::Resume => pause::resume(context),
        Command::Config(action) => config::run(action, context),
        Command::Map(args) => map::run(args, context),
        Command::Report(args) => report::run(args, context),
        Command::Demo(args) => demo::run(args, context),
        Command::Completions(args) => completions::run(args, context),
        Command::Man(args) => man::run(args, context),
    }
}
