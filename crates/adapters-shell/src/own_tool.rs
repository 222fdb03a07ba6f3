//! The gate's own tools, called through the shell by agents without MCP: `bailiwick tool NAME [JSON]`.

use std::fmt;

use bailiwick_domain::{CommandReading, OwnTool, Params, Starts, Value};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::read_only::options::Proof;
use crate::read_only::queries;
use crate::words::{Before, Line, Simple, Word};

pub(crate) const PROGRAM: &str = "bailiwick";

/// The word before the name of a tool.
const VERB: &str = "tool";

/// Whether a command's name is our own program: its bare name, or exactly one of the known paths.
fn is_own(name: &Word, own_paths: &[String]) -> bool {
    let is_ours = |path: &String| {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        *path == name.text && file.strip_suffix(".exe").unwrap_or(file) == PROGRAM
    };
    (name.text == PROGRAM && !name.quoted) || own_paths.iter().any(is_ours)
}

/// Reads a line that begins with a call of one of the own tools; `None` for every other line.
pub(crate) fn of_line(line: &Line, own_paths: &[String]) -> Option<Result<CommandReading, String>> {
    let (first, behind) = line.commands.split_first()?;
    let (name, arguments) = first.words.split_first()?;
    let is_call = is_own(name, own_paths) && arguments.first().is_some_and(|verb| verb.text == VERB);
    if !is_call || queries::asks_for_help(&crate::texts(arguments)) {
        return None;
    }
    let [folder] = first.surely.as_slice() else { return Some(Err(usage())) };
    let moves_first = line.needs.iter().all(|place| folder.as_ref() == Some(place));
    let is_alone = !first.within && first.input.is_none() && moves_first && behind.iter().all(only_passes_on);
    Some(if is_alone { read(folder.clone(), arguments) } else { Err(usage()) })
}

/// Reads the words after our own program's name.
fn read(folder: Option<String>, arguments: &[Word]) -> Result<CommandReading, String> {
    let (verb, name, json) = match arguments {
        [verb, name] => (verb, name, None),
        [verb, name, json] => (verb, name, Some(json)),
        _ => return Err(usage()),
    };
    if verb.quoted || name.quoted {
        return Err(usage());
    }
    // They change nothing by themselves: what they change, the hook changes, from our own store.
    if OwnTool::named(&name.text).is_none() {
        let all: Vec<&str> = OwnTool::ALL.iter().map(|tool| tool.as_str()).collect();
        return Err(format!("`{}` is not one of {}", name.text, all.join(", ")));
    }
    let params = json.map_or(Ok(Params::new()), params)?;
    Ok(CommandReading::OwnTool { folder, name: name.text.clone(), params })
}

/// Whether a command takes nothing but what the one before it prints, and starts nothing: `| head -20`.
fn only_passes_on(command: &Simple) -> bool {
    let nothing = (Proof::default(), Starts::default());
    command.before == Before::Bar
        && !command.within
        && command.input.is_none()
        && crate::prove(&command.words)
            .is_ok_and(|proof| (proof, crate::started_by(&command.words)) == nothing)
}

fn usage() -> String {
    "write it alone, as bailiwick tool NAME, or bailiwick tool NAME '{\"key\":\"value\"}'".to_owned()
}

/// Why a line was not proved; where it means one of the own tools, also how to call it.
pub(crate) fn explained(command: &str, why: String) -> String {
    let is_meant = command.contains("bailiwick tool ") && !why.contains(&usage());
    if is_meant { format!("{why}; {}", usage()) } else { why }
}

fn params(word: &Word) -> Result<Params, String> {
    if !word.single {
        return Err("the parameters are not one word in single quotes".to_owned());
    }
    // To PowerShell they end the word.
    if word.text.contains(['\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}']) {
        return Err("the parameters hold a typographic quote; write it as `\\u2019`".to_owned());
    }
    let object: Object =
        serde_json::from_str(&word.text).map_err(|error| format!("the parameters: {error}"))?;
    Ok(object.0)
}

/// A JSON object that says no key twice, for two readers could take two different values.
struct Object(Params);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_map(Keys)
    }
}

struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = Object;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Object, A::Error> {
        let mut params = Params::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            if !is_plain(&value) {
                return Err(A::Error::custom(format!("key `{key}` is not a plain value or a list of such")));
            }
            if params.insert(key.clone(), value).is_some() {
                return Err(A::Error::custom(format!("key `{key}` is there twice")));
            }
        }
        Ok(Object(params))
    }
}

/// Whether a value holds no object, in which a key could be there twice.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(|item| !item.is_object() && !item.is_array()),
        Value::Object(_) => false,
        _ => true,
    }
}
