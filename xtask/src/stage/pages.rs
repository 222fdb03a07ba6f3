//! The conformance pages of hosts, as data: which calls a host sends, and how its refusal looks. Whoever plays a host without its
//! client speaks by its page.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::stage::hook_driver::{HookDriver, session_id};
use crate::stage::world::World;
use crate::workspace;

const FOLDER: &str = "crates/adapters-hooks/conformance";

/// One host's page.
#[derive(Debug)]
pub(crate) struct Page {
    /// The host's name in commands.
    pub(crate) host: String,
    cases: Vec<Value>,
}

/// All of them, by name.
pub(crate) fn all() -> Result<Vec<Page>> {
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(workspace::root().join(FOLDER))? {
        let path = entry?.path();
        if path.extension().is_none_or(|ending| ending != "jsonl") {
            continue;
        }
        let host = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(&path)?;
        let cases = text.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        pages.push(Page { host, cases: cases.with_context(|| path.display().to_string())? });
    }
    pages.sort_by(|one, other| one.host.cmp(&other.host));
    Ok(pages)
}

/// What each tool does, by every name that the gate knows it under.
pub(crate) type Effects = BTreeMap<String, String>;

/// The same, as the gate of that world says.
pub(crate) fn effects(world: &World) -> Result<Effects> {
    let table: Value = serde_json::from_str(&world.gate_says(&["tools", "--json"])?)?;
    let mut effects = BTreeMap::new();
    for row in table["tools"].as_array().into_iter().flatten() {
        let effect = row["effect"].as_str().unwrap_or_default();
        let names = row["aliases"].as_array().into_iter().flatten().chain([&row["name"]]);
        effects.extend(names.filter_map(Value::as_str).map(|name| (name.to_owned(), effect.to_owned())));
    }
    Ok(effects)
}

/// The same event in that world.
pub(crate) fn in_world(event: &Value, world: &World) -> String {
    event.to_string().replace("/repo", &world.repo().display().to_string())
}

/// Whether a host says by this field which session a call belongs to.
pub(crate) fn is_session(field: &str) -> bool {
    let field = field.to_lowercase();
    ["session", "conversation", "trajectory"].iter().any(|word| field.contains(word))
}

/// The same event in another session.
pub(crate) fn in_session(event: &Value, number: u32) -> Value {
    let mut event = event.clone();
    let fields = event.as_object_mut().into_iter().flatten();
    for (_, value) in fields.filter(|(field, value)| is_session(field) && value.is_string()) {
        *value = json!(session_id(number));
    }
    event
}

/// What came of a call.
pub(crate) struct Answer {
    pub(crate) refuses: bool,
    pub(crate) asks: bool,
    /// All that the hook said.
    pub(crate) said: String,
}

impl Page {
    /// Sends a call to the installed hook in this host's words.
    pub(crate) fn answer(&self, hook: &HookDriver, call: &str) -> Result<Answer> {
        let output = hook.said_by(&self.words(&hook.words), call)?;
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let status = output.status.code().context("the hook was killed")?;
        let (refuses, asks) = (self.refuses(&stdout, status), self.asks(&stdout, status));
        Ok(Answer { refuses, asks, said: stdout + &String::from_utf8_lossy(&output.stderr) })
    }

    /// The installed command of Claude Code, for this host.
    pub(crate) fn words<'a>(&'a self, installed: &'a [String]) -> Vec<&'a str> {
        installed.iter().map(|word| if word == "claude-code" { self.host.as_str() } else { word }).collect()
    }

    /// The events before a tool.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Value> {
        self.cases.iter().filter(|case| case["means"]["is"].get("pre").is_some()).map(|case| &case["send"])
    }

    /// The same, with the tool's name as the gate is told it.
    pub(crate) fn tools(&self) -> impl Iterator<Item = (&str, &Value)> {
        let calls =
            self.cases.iter().filter_map(|case| Some((case["means"]["is"].get("pre")?, &case["send"])));
        calls.filter_map(|(tool, event)| Some((tool.as_str()?, event)))
    }

    /// What a person asks of the agent, where the host tells its hooks of that.
    pub(crate) fn prompt(&self) -> Option<&Value> {
        let mut prompts = self.cases.iter().filter(|case| case["means"]["is"]["injected"] == false);
        prompts.next().map(|case| &case["send"])
    }

    /// Whether an ending makes the host ask the person, as on the page.
    pub(crate) fn asks(&self, stdout: &str, status: i32) -> bool {
        let mut asks = self.cases.iter().filter(|case| case["case"] == "ask" && case["stops"] == false);
        asks.any(|case| is_alike(case, stdout, status))
    }

    /// Whether an ending is a refusal: it looks as one of those on the page, whatever it gives as the reason. A hook that ends
    /// with status 2 refuses everywhere.
    pub(crate) fn refuses(&self, stdout: &str, status: i32) -> bool {
        let refusals = self.cases.iter().filter(|case| case["stops"] == true && case.get("stdout").is_some());
        let mut known = refusals.filter(|case| case["case"] != "rewritten");
        known.any(|case| is_alike(case, stdout, status))
    }
}

/// Whether an ending is that of a case but for its reasons.
fn is_alike(case: &Value, stdout: &str, status: i32) -> bool {
    let looks = |stdout: &str| serde_json::from_str(stdout).map(|value| without_reasons(&value)).ok();
    let told = case["stdout"].as_str().unwrap_or_default();
    case["exit"] == status && told.is_empty() == stdout.is_empty() && looks(told) == looks(stdout)
}

/// The words of a protocol are short and have no blanks; everything else is for people.
fn without_reasons(value: &Value) -> Value {
    match value {
        Value::String(text) if text.len() > 24 || text.contains(' ') => Value::Null,
        Value::Array(values) => values.iter().map(without_reasons).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), without_reasons(value))).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_calls_and_knows_its_own_refusals() {
        for page in all().unwrap() {
            assert!(page.calls().next().is_some(), "{} has no call", page.host);
            for case in page.cases.iter().filter(|case| case.get("stdout").is_some()) {
                let (stdout, exit) = (case["stdout"].as_str().unwrap(), case["exit"].as_i64().unwrap());
                let refuses = page.refuses(stdout, i32::try_from(exit).unwrap());
                let what = &case["case"];
                if case["stops"] == true {
                    assert!(refuses || what == "rewritten", "{}: {what}", page.host);
                } else if case["stops"] == false {
                    assert!(!refuses, "{}: {what}", page.host);
                }
            }
        }
    }
}
