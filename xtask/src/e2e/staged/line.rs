//! One line of a session's script: a tool call, what must come of it, and what it may leave in `git status`.
//!
//! Lines are data; `session` plays them and `diary` judges them.

use serde_json::{Value, json};

use super::stage::Stage;
use crate::e2e::client::model::{SUB_AGENT_MARK, Turn};

/// Something that happens in the world just before a line, by the hand of a person or of the host.
pub(crate) type Act = fn(&Stage) -> anyhow::Result<()>;

/// What a line is in the diary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum What {
    Explore,
    Propose,
    Select,
    Edit,
    Reader,
    TestRun,
    Command,
    Delegate,
    Talk,
    Forgery,
}

impl What {
    /// The word in the table.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Explore => "explore",
            Self::Propose => "propose",
            Self::Select => "select",
            Self::Edit => "edit",
            Self::Reader => "read-only command",
            Self::TestRun => "test run",
            Self::Command => "command",
            Self::Delegate => "sub-agent",
            Self::Talk => "talk",
            Self::Forgery => "forgery",
        }
    }
}

/// What must come of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// It passes and nobody is asked.
    Silent,
    /// A person is asked once, says yes, and it passes.
    Asked,
    /// It passes; whether somebody is asked is not counted.
    Passes,
    /// It is refused with one of these codes, separated by `|`; `client` stands for the client's own refusal.
    Refused(&'static str),
}

/// One line.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) what: What,
    pub(crate) turn: Turn,
    pub(crate) expected: Expected,
    /// The paths that it may leave changed.
    pub(crate) changes: Vec<String>,
    /// What must be in the result.
    pub(crate) shows: Option<String>,
    pub(crate) before: Option<Act>,
}

impl Line {
    /// A call of a tool as it is.
    pub(crate) fn new(what: What, tool: &str, input: Value, expected: Expected) -> Self {
        let turn = Turn::Call { tool: tool.to_owned(), input };
        Self { what, turn, expected, changes: Vec::new(), shows: None, before: None }
    }

    /// Something happens first.
    pub(crate) fn after(mut self, act: Act) -> Self {
        self.before = Some(act);
        self
    }

    /// What else it may leave changed.
    pub(crate) fn changes(mut self, paths: &[&str]) -> Self {
        self.changes.extend(paths.iter().map(|path| (*path).to_owned()));
        self
    }

    /// It must be refused with one of these codes.
    pub(crate) fn refused(mut self, codes: &'static str) -> Self {
        self.expected = Expected::Refused(codes);
        self
    }

    /// What the result must hold.
    pub(crate) fn shows(mut self, text: &str) -> Self {
        self.shows = Some(text.to_owned());
        self
    }

    /// The same line under another heading of the diary.
    pub(crate) fn under(mut self, what: What) -> Self {
        self.what = what;
        self
    }

    /// What it does, in few words.
    pub(crate) fn label(&self) -> String {
        let Turn::Call { tool, input } = &self.turn else { return "text".to_owned() };
        let subject = ["command", "file_path", "path", "pattern", "query", "name", "intent_id"];
        let subject = subject.iter().find_map(|key| input[*key].as_str()).unwrap_or_default();
        format!("{tool} {}", subject.replace("{root}/", ""))
    }
}

/// Looks with one of the client's tools.
pub(crate) fn look(tool: &str, input: Value) -> Line {
    Line::new(What::Explore, tool, input, Expected::Silent)
}

/// Reads a file.
pub(crate) fn read(path: &str) -> Line {
    look("Read", json!({ "file_path": format!("{{root}}/{path}") }))
}

/// Creates or replaces a file.
pub(crate) fn write(path: &str, content: &str) -> Line {
    let input = json!({ "file_path": format!("{{root}}/{path}"), "content": content });
    Line::new(What::Edit, "Write", input, Expected::Asked).changes(&[path])
}

/// Changes a place of a file.
pub(crate) fn edit(path: &str, old: &str, new: &str) -> Line {
    let input = json!({
        "file_path": format!("{{root}}/{path}"), "old_string": old, "new_string": new, "replace_all": true,
    });
    Line::new(What::Edit, "Edit", input, Expected::Asked).changes(&[path])
}

/// Runs a command that a person is asked about.
pub(crate) fn command(text: &str) -> Line {
    Line::new(What::Command, "Bash", bash(text), Expected::Asked)
}

/// Runs a command that only reads.
pub(crate) fn reader(text: &str) -> Line {
    Line::new(What::Reader, "Bash", bash(text), Expected::Silent)
}

/// Runs the project's tests.
pub(crate) fn test_run(text: &str) -> Line {
    Line::new(What::TestRun, "Bash", bash(text), Expected::Asked).shows("pass 1")
}

/// Runs a command that the client sends to the background, which ends in a prompt that the client injects.
pub(crate) fn in_background(text: &str) -> Line {
    let mut input = bash(text);
    input["run_in_background"] = json!(true);
    Line::new(What::Command, "Bash", input, Expected::Asked)
}

/// Makes a tool of the gate's server callable: the client defers them.
pub(crate) fn find(tool: &str) -> Line {
    let input = json!({ "query": format!("select:mcp__bailiwick__{tool}"), "max_results": 1 });
    look("ToolSearch", input)
}

/// Drafts an intent.
pub(crate) fn propose(draft: Value) -> Line {
    Line::new(What::Propose, "mcp__bailiwick__propose_intent", draft, Expected::Asked)
        .changes(&[super::stage::INTENTS])
        .shows("is accepted")
}

/// Selects an intent as an agent without MCP does.
pub(crate) fn select(id: &str) -> Line {
    let text = format!(r#"bailiwick tool select_active_intent '{{"intent_id":"{id}"}}'"#);
    Line::new(What::Select, "Bash", bash(&text), Expected::Silent).shows("<intent_context>")
}

/// Sends a sub-agent.
pub(crate) fn delegate() -> Line {
    let input = json!({
        "description": "an errand",
        "prompt": format!("{SUB_AGENT_MARK}: look at the receipts"),
        "subagent_type": "general-purpose",
    });
    Line::new(What::Delegate, "Agent", input, Expected::Silent)
}

/// Ends the turn; what follows is after a prompt that the client injects.
pub(crate) fn says(text: &str) -> Line {
    Line {
        what: What::Talk,
        turn: Turn::Text(text.to_owned()),
        expected: Expected::Silent,
        changes: Vec::new(),
        shows: None,
        before: None,
    }
}

fn bash(text: &str) -> Value {
    json!({ "command": text, "description": "does it" })
}
