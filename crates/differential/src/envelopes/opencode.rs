//! The judge `opencode-patches`: the tool `apply_patch` of the real OpenCode, led by a scripted model. The tree is looked at
//! and put back between two calls, so a whole session is one tree and many patches.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use bailiwick_adapters_hooks::host;
use bailiwick_domain::{Value, json};
use proptest::prelude::*;

use super::{held, said, texts};
use crate::chat::completion;
use crate::clients::installed;
use crate::judge::{Finding, Orders, Tally, play};
use crate::patches::texts::Text;
use crate::server::{Answer, Server};
use crate::tree::Tree;

const CLIENT: &str = "opencode-ai-1.18.33";
const PROGRAM: &str = ".bin/opencode";

/// OpenCode gives the tool to models of this family alone.
const MODEL: &str = "gpt-5-scripted";

/// So many patches are applied in one session.
const TOGETHER: u32 = 800;
/// So many are asked for in one message: OpenCode spends far more on a message than on a patch.
const AT_ONCE: usize = 50;
const USUAL: u32 = 800;
/// Has one patch applied after the other, and says when each is over.
const ONE_BY_ONE: &str = include_str!("opencode/one_by_one.js");

/// What each changed file holds.
type Changes = BTreeMap<String, Option<Vec<u8>>>;

/// Plays sessions of which every other patch is as a model writes it.
pub(crate) fn run(orders: &Orders) -> Result<Tally> {
    let Some(client) = installed("opencode-patches", CLIENT, PROGRAM) else { return Ok(Tally::default()) };
    let sessions = orders.cases.unwrap_or(USUAL).div_ceil(TOGETHER);
    let total = RefCell::new(Counts::default());
    let batches = Orders { cases: Some(sessions), ..*orders };
    play(&batches, sessions, &session(), |texts| judge(&client, &texts.0, &total))?;
    let Counts { acted, any, plain } = total.into_inner();
    println!("opencode-patches: {} of {} texts changed something", acted, sessions * TOGETHER);
    let plain = plain.of_plain()?;
    Ok(Tally { cases: any.cases + plain.cases, refused: any.refused + plain.refused })
}

#[derive(Default)]
struct Counts {
    acted: u32,
    any: Tally,
    plain: Tally,
}

/// The patches of one session, and whether each is plain.
struct Session(Vec<(Text, bool)>);

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a session of {} patches", self.0.len())
    }
}

/// They do not shrink: each try is a session of its own.
fn session() -> impl Strategy<Value = Session> {
    let pair = (texts::any(), texts::plain()).prop_map(|(any, plain)| [(any, false), (plain, true)]);
    proptest::collection::vec(pair, TOGETHER as usize / 2)
        .no_shrink()
        .prop_map(|pairs| Session(pairs.into_iter().flatten().collect()))
}

fn judge(client: &Path, texts: &[(Text, bool)], total: &RefCell<Counts>) -> Result<Finding> {
    let host = host("opencode").context("no such host")?;
    let tree = Arc::new(Tree::new()?);
    let root = tree.root();
    let placed: Vec<String> = texts.iter().map(|(text, _)| texts::placed(text, &root)).collect();
    let changed = lead(client, &tree, &placed)?;
    ensure!(changed.len() == placed.len(), "{} of {} patches were applied", changed.len(), placed.len());
    let mut counts = total.borrow_mut();
    for ((text, (_, plain)), changed) in placed.iter().zip(texts).zip(&changed) {
        let finding = held(text, said(host, &event(text, &root), &root)?.as_ref(), changed);
        counts.acted += u32::from(!changed.is_empty());
        let tally = if *plain { &mut counts.plain } else { &mut counts.any };
        tally.cases += 1;
        tally.refused += u32::from(finding == Finding::Refused);
        if matches!(finding, Finding::Missed(_)) {
            return Ok(finding);
        }
    }
    Ok(Finding::Held)
}

fn event(text: &str, root: &Path) -> Value {
    json!({
        "event": "tool.execute.before", "session": "s", "call": "c", "cwd": root, "tool": "apply_patch",
        "args": {"patchText": text},
    })
}

/// What each patch of one session changed.
fn lead(client: &Path, tree: &Arc<Tree>, patches: &[String]) -> Result<Vec<Changes>> {
    let script = Arc::new(Mutex::new(Script { given: 0, changed: vec![None; patches.len()] }));
    let (told, texts, seen) = (Arc::clone(&script), patches.to_vec(), Arc::clone(tree));
    let server = Server::start(move |head, body| {
        let mut script = told.lock().unwrap_or_else(PoisonError::into_inner);
        match head.strip_prefix("POST /over/call_").and_then(|rest| rest.split(' ').next()) {
            Some(call) => {
                drop(script.look(call, &seen));
                Answer::nothing()
            }
            None => script.answer(head, body, &texts),
        }
    })?;
    let output = session_of(client, tree, &server.url())?;
    drop(server);
    let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
    let changed: Option<Vec<Changes>> = std::mem::take(&mut script.changed).into_iter().collect();
    changed
        .with_context(|| format!("not each patch was applied: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Runs OpenCode once, with the model and the plugin of this judge.
fn session_of(client: &Path, tree: &Tree, url: &str) -> Result<Output> {
    let settings = json!({
        "model": format!("mock/{MODEL}"), "snapshot": false, "formatter": false, "lsp": false, "autoupdate": false,
        "permission": {"edit": "allow", "external_directory": "allow", "doom_loop": "allow"},
        "provider": {"mock": {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": format!("{url}/v1"), "apiKey": "x"},
            "models": {MODEL: {"tool_call": true, "limit": {"context": 10_000_000, "output": 100_000}}},
        }},
    });
    let home = tree.home().join(".config/opencode");
    std::fs::create_dir_all(home.join("plugin"))?;
    std::fs::write(home.join("opencode.json"), settings.to_string())?;
    std::fs::write(home.join("plugin/one_by_one.js"), ONE_BY_ONE)?;
    tree.program(&client.display().to_string())
        .args(["run", "go"])
        .envs([("OPENCODE_DISABLE_AUTOUPDATE", "1"), ("OPENCODE_DISABLE_MODELS_FETCH", "1"), ("JUDGE", url)])
        // Before it loads a plugin, OpenCode installs what plugins may import.
        .env("npm_config_offline", "true")
        .stdin(Stdio::null())
        .output()
        .with_context(|| client.display().to_string())
}

/// Where the session is.
struct Script {
    given: usize,
    /// By patch; nothing of one that is not over.
    changed: Vec<Option<Changes>>,
}

impl Script {
    /// What a patch that is over has changed; the tree is then as it was. Told twice, it looks once. Of one that could not be
    /// looked at nothing stands there, and the session counts for nothing.
    fn look(&mut self, call: &str, tree: &Tree) -> Result<()> {
        let slot = self.changed.get_mut(call.parse::<usize>()?).context("no such call")?;
        if slot.is_none() {
            let changed = tree.contents()?;
            tree.restore()?;
            *slot = Some(changed);
        }
        Ok(())
    }

    /// The next patches.
    fn answer(&mut self, head: &str, body: &Value, patches: &[String]) -> Answer {
        if !head.starts_with("POST ") {
            return Answer::nothing();
        }
        let has_tool =
            |tool: &Value| tool.pointer("/function/name").is_some_and(|name| name == "apply_patch");
        let tools = body.get("tools").and_then(Value::as_array);
        if !tools.is_some_and(|tools| tools.iter().any(has_tool)) {
            return completion(MODEL, &json!({"content": "a title"}), "stop");
        }
        let next = patches.iter().enumerate().skip(self.given).take(AT_ONCE);
        let next: Vec<Value> = next.map(|(call, patch)| asked(call, patch)).collect();
        self.given += next.len();
        if next.is_empty() {
            return completion(MODEL, &json!({"content": "done"}), "stop");
        }
        completion(MODEL, &json!({ "tool_calls": next }), "tool_calls")
    }
}

/// One call, as a model asks for it.
fn asked(call: usize, patch: &str) -> Value {
    json!({
        "index": call % AT_ONCE, "id": format!("call_{call}"), "type": "function",
        "function": {"name": "apply_patch", "arguments": json!({ "patchText": patch }).to_string()},
    })
}
