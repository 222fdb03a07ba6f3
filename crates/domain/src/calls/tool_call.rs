//! What an agent asks to do.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::calls::{Actor, MutationClass, Showed};
use crate::intents::IntentId;
use crate::values::ContentHash;

/// A tool's parameters, as the host sent them.
pub type Params = Map<String, Value>;

/// The parameters that name the folder of a command, on one host or another.
pub const FOLDER_KEYS: &[&str] = &["cwd", "working_directory", "workdir", "Cwd", "dir_path", "directory"];

/// The host's id of a call, or one that the adapter made up; unique within a session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub String);

impl CallId {
    const MADE_UP: &str = "made-up-";

    /// The id of a call that its host gives none: made of what the call says, so that its post event finds it.
    pub fn made_up(says: &ContentHash) -> Self {
        Self(format!("{}{}", Self::MADE_UP, says.digits()))
    }

    /// Whether two calls that say the same would have this id both.
    pub fn is_made_up(&self) -> bool {
        self.0.starts_with(Self::MADE_UP)
    }
}

/// One request of an agent to use one tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The host's id of this call.
    pub id: CallId,
    /// Who asks.
    pub actor: Actor,
    /// The tool's name as the host says it; looked up in the registry.
    pub tool: String,
    /// The parameters as the host sent them.
    pub params: Params,
    /// The directory that relative paths start from, absolute, when the host says one.
    pub cwd: Option<String>,
    /// An intent id that came with the call. It activates nothing: it must equal the active one.
    pub intent_id: Option<IntentId>,
    /// The hash that the agent claims to have read: a claim, checked against the disk and what it was shown.
    pub read_hash: Option<ContentHash>,
    /// Requirements that this call narrows to.
    pub requirement_ids: Vec<String>,
}

impl ToolCall {
    /// The class that the agent claims for its change, in the parameter `mutation_class`. Other words claim nothing.
    pub fn claimed_class(&self) -> Option<MutationClass> {
        self.params.get("mutation_class").and_then(Value::as_str).and_then(MutationClass::parse)
    }
}

/// What a tool does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Looks at files or the network.
    Read,
    /// Creates or changes files.
    Write,
    /// Removes files.
    Delete,
    /// Runs a command.
    Execute,
    /// Hands work to another agent.
    Delegate,
    /// Talks to the user or keeps the agent's own notes.
    Interact,
}

/// `SAFE` or `DESTRUCTIVE`; unknown tools are destructive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Classification {
    /// May run without an intent.
    Safe,
    /// Needs an intent, a scope and a human's yes.
    Destructive,
}

/// How a line goes from folder to folder. Folders are spelled from where it begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// What it reads in other folders than the first, each of which is another part of it.
    pub others: Vec<ReadOnly>,
    /// Folders that it moves to.
    pub needs: Vec<String>,
    /// Those of them that a command before the move may have taken away.
    pub doubted: Vec<String>,
    /// The parts that come to it if one of these is not there.
    pub if_missing: Vec<ReadOnly>,
    /// Where the shell may stand when all of it has run and found its folders; empty where nothing moves it.
    pub ends: Vec<Option<String>>,
}

/// What a command that changes nothing reads, as spelled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOnly {
    /// The folder that it moves to before it reads, as spelled from where its line begins.
    pub folder: Option<String>,
    /// What it does in other folders, and where it leaves the shell.
    pub moves: Box<Moves>,
    /// Files whose whole content it shows; showing one is an observation of it.
    pub shows: Vec<String>,
    /// Every path that it reads, for read protection.
    pub reads: Vec<String>,
    /// Patterns that a shell replaces by the files of one folder that they name: `src/*.rs`.
    pub patterns: Vec<String>,
    /// Whether a shell splits these names at their blanks, and looks for files by what they are then.
    pub splits: bool,
    /// What it looks at from outside: it shows names, sizes and times, never what is in a file.
    pub looks: LookedAt,
    /// Folders of which `xargs` gets the names of files, and takes them apart at their blanks.
    pub listed: Vec<Listed>,
    /// The file patterns that it searches by.
    pub names: Vec<String>,
    /// Paths of which the proof says nothing when they are folders.
    pub files: Vec<String>,
    /// Folders to which git moves before it reads, by `-C`.
    pub git_in: Vec<String>,
    /// What it starts that obeys or finds more than it names.
    pub starts: Starts,
    /// Whether PowerShell takes a part of it for something else, as other shells do not: `HEAD@{1}`, `$(git rev-parse HEAD)`.
    pub posix: bool,
}

impl ReadOnly {
    /// What it does folder by folder where it finds them.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        core::iter::once(self).chain(&self.moves.others)
    }

    /// The same, whether or not it finds them.
    pub fn all_parts(&self) -> impl Iterator<Item = &Self> {
        self.parts().chain(&self.moves.if_missing)
    }
}

/// Folders whose files are handed on by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// The folders, as spelled.
    pub below: Vec<String>,
    /// Names of folders below them of which no file is handed on; with `./` before it, one of the first folder alone.
    pub without: Vec<String>,
}

/// Files that a command looks at from outside, as `ls` and `stat` do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookedAt {
    /// Their paths.
    pub paths: Vec<String>,
    /// Patterns that a shell replaces by the files of one folder that they name.
    pub patterns: Vec<String>,
}

/// What a command that changes nothing starts, where the paths that it names do not say all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Starts {
    /// Git, itself or through a query of the gate's: it obeys the settings of the repository where it runs.
    pub git: bool,
    /// A program that is asked about itself, such as `cargo --version`: files of the folder may choose which one answers.
    pub asked: bool,
    /// A program that looks through what is in the files of a folder, and not only at the folder.
    pub searcher: bool,
}

impl Starts {
    /// Whether what it does depends on what lies in the folder that it runs in, beside what it names.
    pub fn obeys_its_folder(self) -> bool {
        self.git || self.asked
    }

    /// What the two start together.
    ///
    /// ```
    /// use bailiwick_domain::Starts;
    /// let (git, grep) = (Starts { git: true, ..Starts::default() }, Starts { searcher: true, ..Starts::default() });
    /// assert_eq!(git.and(grep), Starts { git: true, asked: false, searcher: true });
    /// ```
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            git: self.git || other.git,
            asked: self.asked || other.asked,
            searcher: self.searcher || other.searcher,
        }
    }
}

/// How a shell command was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandReading {
    /// Proved to change nothing: simple commands of the read-only table.
    ReadOnly(ReadOnly),
    /// One of the gate's own tools, called as `bailiwick tool NAME [JSON]`.
    OwnTool {
        /// The folder of the `cd` before it; it counts as a call of an own tool only where that is the root.
        folder: Option<String>,
        /// The tool's name.
        name: String,
        /// Its parameters.
        params: Params,
    },
    /// Everything else: why it was not proved.
    Unproved {
        /// The reason, for people.
        why: String,
    },
}

/// Why a command is refused whatever the intent is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandFault {
    /// It cannot be shown to a person as what it is: control characters, or beyond all bounds.
    NotUnderstood(String),
    /// It hands work to an agent that no gate governs.
    Delegation(String),
    /// It runs one of the gate's commands that only a person may run: agents must not answer their own requests.
    HumanOnly(String),
}

/// What a host reports after a call ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// Whether the tool says that it worked.
    pub ok: bool,
    /// What it showed, where the host tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub showed: Option<Showed>,
}

impl ToolResult {
    /// That it worked, or that it did not, and nothing else.
    pub fn of(ok: bool) -> Self {
        Self { ok, showed: None }
    }
}
