//! Reading events of hosts whose events are one JSON object with named fields, by a table: which field bears what, and
//! which event name means what. Unknown fields are ignored, unknown events have no opinion.

use bailiwick_domain::{Actor, CallId, FOLDER_KEYS, OwnTool, Params, Showed, Value};

use crate::event::{EventKind, HostEvent, ParseError};
use crate::fields::{
    Fields, event_fields, failure, flag, has_answer, made_up_id, optional, params, permission_mode, required,
    tool_call,
};

/// What an event of that name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// A tool is about to run.
    Before,
    /// A tool ran.
    After,
    /// A tool failed.
    Failed,
    /// Somebody asked for something.
    Prompt,
    /// A conversation begins.
    SessionStart,
    /// A conversation ends.
    SessionEnd,
    /// The turn wants to end.
    Stop,
    /// A sub-agent begins.
    SubagentStart,
    /// A sub-agent wants to end.
    SubagentStop,
    /// Is what asks before a tool loaded?
    LoadCheck,
}

/// How a host writes its events.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The host's name.
    pub host: &'static str,
    /// What the event is called: by a field of it, or by which fields it has.
    pub name: fn(&mut Fields) -> Result<String, ParseError>,
    /// The events that are known.
    pub events: &'static [(&'static str, Means)],
    /// The field with the session.
    pub session: &'static str,
    /// The field with the sub-agent, on hosts that tell it.
    pub agent: Option<&'static str>,
    /// The field with the tool's name.
    pub tool: &'static str,
    /// The field with its parameters.
    pub params: &'static str,
    /// The field with the call's id, on hosts that send one.
    pub call: Option<&'static str>,
    /// The field with what the tool answered.
    pub response: &'static str,
    /// The field with the project's folders, on hosts that send them.
    pub roots: Option<&'static str>,
    /// What a tool showed, by its answer.
    pub showed: fn(&Value) -> Option<Showed>,
    /// What a call really is, on hosts that tell one tool under the name of another: the name, the parameters, and the
    /// folder when they name one.
    pub really: fn(Called) -> Called,
    /// Its own tools for commands, where it is known what they obey beside the command.
    pub shells: &'static [Shell],
    /// Whether it is known of them that an empty folder is none.
    pub empty_folder_is_none: bool,
}

impl Dialect {
    /// The spelling of Claude Code, which others have taken over. A host says who it is, what events it has, and what it
    /// spells otherwise.
    pub const USUAL: Self = Self {
        host: "",
        name: named,
        events: &[],
        session: "session_id",
        agent: None,
        tool: "tool_name",
        params: "tool_input",
        call: None,
        response: "tool_response",
        roots: None,
        showed: |answer| printed(answer.as_str()),
        really: as_told,
        shells: &[],
        empty_folder_is_none: false,
    };
}

/// A host's tool for commands.
#[derive(Clone, Copy, Debug)]
pub struct Shell {
    /// Its name.
    pub tool: &'static str,
    /// The parameter that names the folder in which a command runs, if one does.
    pub folder: Option<&'static str>,
}

impl Shell {
    /// The parameters with what this host ignores under a name that nobody knows: a folder that does not count must not
    /// move what is judged, and words that do not count must not make another command of it.
    pub fn obeyed(&self, tool: &str, params: Params) -> Params {
        if tool == self.tool { ignoring(tool, self.folder, params) } else { params }
    }

    /// The parameters without an empty folder.
    fn without_empty(&self, tool: &str, mut params: Params) -> Params {
        let is_empty = |key: &&str| params.get(*key).and_then(Value::as_str) == Some("");
        if let Some(key) = self.folder.filter(|key| tool == self.tool && is_empty(key)) {
            params.remove(key);
        }
        params
    }
}

/// The parameters of a command with those under a name that nobody knows that its tool does not obey.
pub(crate) fn ignoring(tool: &str, folder: Option<&str>, mut params: Params) -> Params {
    let folders = FOLDER_KEYS.iter().copied().filter(|key| Some(*key) != folder);
    for key in folders.chain(["args"]) {
        if let Some(value) = params.remove(key) {
            params.insert(format!("{key} (ignored by {tool})"), value);
        }
    }
    params
}

/// A call as a host tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    /// The tool's name.
    pub tool: String,
    /// Its parameters.
    pub params: Params,
    /// The folder that it runs in.
    pub cwd: Option<String>,
}

/// A host's names of tools or of parameters, and what the table of tools calls each of them.
pub type Names = &'static [(&'static str, &'static str)];

impl Called {
    /// The call under the name that the table of tools has; any other name stays.
    pub fn renamed(self, names: Names) -> Self {
        let known = known(names, &self.tool);
        Self { tool: known.unwrap_or(self.tool), ..self }
    }

    /// The call with its parameters under the names that the tables have.
    pub fn respelled(mut self, names: Names) -> Self {
        for (told, usual) in names {
            if let Some(value) = self.params.remove(*told)
                && let Some(other) = self.params.insert((*usual).to_owned(), value)
            {
                // Two spellings of one thing: whichever counts, nobody knows.
                self.params.insert((*told).to_owned(), other);
            }
        }
        self
    }

    /// The call under the name that the table of tools has, of a host whose other tools are a server's or a plugin's: they
    /// may have the name of a tool of another host, so they are known to nobody.
    pub fn renamed_only(self, host: &str, names: Names) -> Self {
        let known = known(names, &self.tool);
        Self { tool: known.unwrap_or_else(|| format!("{host}:{}", self.tool)), ..self }
    }
}

fn known(names: Names, tool: &str) -> Option<String> {
    names.iter().find(|(name, _)| *name == tool).map(|(_, usual)| (*usual).to_owned())
}

/// The event's name in a field.
///
/// # Errors
/// The field is not there.
pub fn named(fields: &mut Fields) -> Result<String, ParseError> {
    required(fields, "hook_event_name")
}

/// The name of an event, or of the one before a tool where the name is not known and the event tells a tool without an
/// answer.
pub fn known_or_before(dialect: &Dialect, told: String, fields: &Fields) -> String {
    let is_call = fields.get(dialect.tool).is_some_and(|tool| !tool.is_null());
    let is_known = dialect.events.iter().any(|(known, _)| *known == told);
    let before = dialect.events.iter().find(|(_, means)| *means == Means::Before);
    match before {
        Some((before, _)) if !is_known && is_call && !has_answer(fields, dialect.response) => {
            (*before).to_owned()
        }
        _ => told,
    }
}

/// A call that is what it says.
pub fn as_told(called: Called) -> Called {
    called
}

/// What a tool printed, where its answer is told as a text; of anything else it is not known that a file was shown.
pub fn printed(text: Option<&str>) -> Option<Showed> {
    Some(text.map_or(Showed::Nothing, |text| Showed::Printed(text.to_owned())))
}

/// Reads one event.
///
/// # Errors
/// It cannot be understood.
pub fn read(dialect: &Dialect, bytes: &[u8]) -> Result<HostEvent, ParseError> {
    let mut fields = event_fields(bytes)?;
    let name = (dialect.name)(&mut fields)?;
    let session = required(&mut fields, dialect.session)?;
    let agent = dialect.agent.map(|key| optional(&mut fields, key)).transpose()?.flatten();
    if agent.as_deref() == Some("") {
        return Err(ParseError::WrongType(dialect.agent.unwrap_or_default()));
    }
    let actor = Actor { host: dialect.host.to_owned(), session, agent };
    let cwd = optional(&mut fields, "cwd")?.filter(|cwd| !cwd.is_empty());
    let project_dir = project(dialect, &fields);
    let cwd = cwd.or_else(|| project_dir.clone());
    let mut event = HostEvent { name, actor, cwd, project_dir, kind: EventKind::Other };
    let means = dialect.events.iter().find(|(known, _)| *known == event.name).map(|(_, means)| *means);
    if let Some(means) = means {
        kind(dialect, means, &mut event, &mut fields)?;
    }
    Ok(event)
}

/// The project's folder, where the host names exactly one.
fn project(dialect: &Dialect, fields: &Fields) -> Option<String> {
    let roots = fields.get(dialect.roots?)?.as_array()?;
    let [root] = roots.as_slice() else { return None };
    root.as_str().filter(|root| !root.is_empty()).map(str::to_owned)
}

fn kind(
    dialect: &Dialect,
    means: Means,
    event: &mut HostEvent,
    fields: &mut Fields,
) -> Result<(), ParseError> {
    let already_continued = flag(fields, "stop_hook_active");
    event.kind = match means {
        Means::Before => {
            let permission_mode = permission_mode(optional(fields, "permission_mode")?.as_deref());
            let (id, called) = called(dialect, event, fields)?;
            let call = tool_call(&event.actor, called.cwd.as_deref(), id, called.tool, called.params);
            event.cwd = called.cwd;
            EventKind::Pre { call, permission_mode }
        }
        Means::After | Means::Failed => {
            let showed = fields.get(dialect.response).map_or(Some(Showed::Nothing), dialect.showed);
            let failure = if means == Means::Failed { failure(fields) } else { None };
            let (call_id, called) = called(dialect, event, fields)?;
            event.cwd = called.cwd;
            let (tool, params, ok) = (called.tool, called.params, means == Means::After);
            EventKind::Post { call_id, tool, params, ok, showed, failure, amended_by_human: false }
        }
        Means::Prompt => {
            let prompt = optional(fields, "prompt")?.ok_or(ParseError::Missing("prompt"))?;
            EventKind::Prompt { prompt, injected: false }
        }
        Means::SessionStart => {
            EventKind::SessionStart { model: optional(fields, "model")?, source: optional(fields, "source")? }
        }
        Means::SessionEnd => EventKind::SessionEnd,
        Means::Stop => EventKind::Stop { already_continued },
        Means::SubagentStart => EventKind::SubagentStart,
        Means::SubagentStop => EventKind::SubagentStop { already_continued },
        Means::LoadCheck => EventKind::LoadCheck,
    };
    Ok(())
}

fn called(dialect: &Dialect, event: &HostEvent, fields: &mut Fields) -> Result<(CallId, Called), ParseError> {
    let tool = required(fields, dialect.tool)?;
    let params = params(fields, dialect.params)?;
    let id = dialect.call.map(|key| optional(fields, key)).transpose()?.flatten();
    let id = id.filter(|id| !id.is_empty()).map_or_else(|| made_up_id(&event.actor, &tool, &params), CallId);
    let own = |params, shell: &Shell| {
        let params = shell.obeyed(&tool, params);
        if dialect.empty_folder_is_none { shell.without_empty(&tool, params) } else { params }
    };
    let params = dialect.shells.iter().fold(params, own);
    let mut called = (dialect.really)(Called { tool, params, cwd: event.cwd.clone() });
    // A bare name proves nothing: any server may have a tool of that name.
    if OwnTool::named(&called.tool).is_some() {
        called.tool = format!("{}:{}", dialect.host, called.tool);
    }
    Ok((id, called))
}
