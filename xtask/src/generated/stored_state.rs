//! Writes a sample of everything that the product stores, as this version stores it, to be read by later ones.
//!
//! A short piece of work is done through the installed hook; then the repository, its private state and the person's
//! state folder are copied, with names in the place of this machine's paths. What later versions must say of it is the
//! business of the tests that read it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::stage::hook_driver::{HookDriver, request_id};
use crate::stage::product;
use crate::stage::world::World;
use crate::workspace;

/// Where samples lie, one folder for each version.
const SAMPLES: &str = "crates/app/tests/fixtures/state";

/// What is about this machine or can be made again: processes, surfaces, what `init` put into other files, caches, locks.
const LEFT_OUT: &[&str] = &[
    "agents",
    "surfaces",
    "install",
    "backups",
    "cache",
    "roots.json",
    "place",
    "README",
    "config.yaml.bak",
];

/// Writes the sample of the product under that name.
pub(crate) fn write(name: &str) -> Result<()> {
    let world = World::new(&product::binary()?)?;
    world.govern()?;
    let work = Work { hook: HookDriver::installed(&world)?, world };
    work.unsigned_then_signed().context("the ledger")?;
    work.requests().context("the requests")?;
    work.grant().context("the grant")?;
    work.left_open().context("the call that is under way")?;
    let to = workspace::root().join(SAMPLES).join(name);
    if to.exists() {
        std::fs::remove_dir_all(&to)?;
    }
    let repo = work.world.repo();
    work.copy(&repo.join("src"), &to.join("repo/src"))?;
    work.copy(&repo.join(".orchestration"), &to.join("repo/dot.orchestration"))?;
    work.copy(&repo.join(".git/bailiwick"), &to.join("private"))?;
    work.copy(&work.world.home().join(".local/state/bailiwick"), &to.join("user"))?;
    let answers = serde_json::to_string_pretty(&work.answers()?)?;
    std::fs::write(to.join("answers.json"), work.without_paths(&answers) + "\n")?;
    println!("written: {}", to.display());
    Ok(())
}

struct Work {
    world: World,
    hook: HookDriver,
}

impl Work {
    /// Two entries without a signature and one with; they are sealed, and one more follows.
    fn unsigned_then_signed(&self) -> Result<()> {
        let config = ".orchestration/config.yaml";
        let before = self.world.read(config).unwrap_or_default();
        self.world.write(config, "trace: { sign: false }\n")?;
        self.person("bailiwick config accept")?;
        self.hook.select("INT-001")?;
        self.record(&self.hook, "src/auth/first.ts")?;
        self.record(&self.hook, "src/auth/second.ts")?;
        self.world.write(config, &before)?;
        self.record(&self.hook, "src/auth/third.ts")?;
        self.person("bailiwick trace seal")?;
        self.record(&self.hook, "src/auth/fourth.ts")
    }

    /// One request of each status; the spent ones are those of the ledger. And a file that was read.
    fn requests(&self) -> Result<()> {
        let read = json!({"file_path": "src/auth/login.ts"});
        let mut event = sent(self.hook.call("Read", &read, "toolu_read"));
        self.hook.send(&event)?;
        event["hook_event_name"] = json!("PostToolUse");
        event["tool_response"] = json!({"type": "text"});
        self.hook.send(&event)?;
        let approved = self.ask(&self.hook, "src/auth/approved.ts")?;
        self.person(&format!("bailiwick approval approve {approved}"))?;
        let rejected = self.ask(&self.hook, "src/auth/rejected.ts")?;
        self.person(&format!("bailiwick approval reject {rejected}"))?;
        self.ask(&self.hook, "src/auth/open.ts").map(drop)
    }

    /// A grant of three calls, of which one is used.
    fn grant(&self) -> Result<()> {
        let hook = self.hook.in_session(1);
        hook.select("INT-001")?;
        let asked = self.ask(&hook, "src/auth/granted.ts")?;
        self.person(&format!("bailiwick approval grant {asked} --calls 3"))?;
        self.run(&hook, "src/auth/granted.ts")
    }

    /// A call that was let through and did its work, and whose end nobody told.
    fn left_open(&self) -> Result<()> {
        let hook = self.hook.in_session(2);
        hook.select("INT-001")?;
        let asked = self.ask(&hook, "src/auth/under_way.ts")?;
        self.person(&format!("bailiwick approval approve {asked}"))?;
        self.let_through(&hook, "src/auth/under_way.ts")
    }

    /// What this version answers to all that stands in the sample.
    fn answers(&self) -> Result<Value> {
        let told = QUESTIONS.iter().map(|words| {
            let said: Value = serde_json::from_str(&self.world.gate_says(words)?)?;
            Ok(json!({"asked": words, "said": said}))
        });
        let told = told.collect::<Result<Vec<Value>>>()?;
        let tried = TRIED.iter().enumerate().map(|(number, (session, path))| {
            let hook = self.hook.in_session(*session);
            let mut event = writes(&hook, path);
            event["tool_use_id"] = json!(format!("toolu_try_{number}"));
            Ok(json!({"event": event, "answer": answer(&hook.send(&event)?)}))
        });
        Ok(json!({"told": told, "tried": tried.collect::<Result<Vec<Value>>>()?}))
    }

    fn without_paths(&self, text: &str) -> String {
        text.replace(&self.world.base().display().to_string(), "@BASE@")
    }

    fn record(&self, hook: &HookDriver, path: &str) -> Result<()> {
        let asked = self.ask(hook, path)?;
        self.person(&format!("bailiwick approval approve {asked}"))?;
        self.run(hook, path)
    }

    fn ask(&self, hook: &HookDriver, path: &str) -> Result<String> {
        let answer = hook.send(&writes(hook, path))?.to_string();
        request_id(&answer).map(str::to_owned).with_context(|| format!("no request in {answer}"))
    }

    fn let_through(&self, hook: &HookDriver, path: &str) -> Result<()> {
        let answer = hook.send(&writes(hook, path))?.to_string();
        ensure!(answer.contains("\"allow\""), "the write of {path} is answered with {answer}");
        self.world.write(path, CONTENT)
    }

    fn run(&self, hook: &HookDriver, path: &str) -> Result<()> {
        self.let_through(hook, path)?;
        let mut event = writes(hook, path);
        event["hook_event_name"] = json!("PostToolUse");
        event["tool_response"] =
            json!({"type": "create", "filePath": path, "content": CONTENT, "structuredPatch": []});
        self.hook.send(&event).map(drop)
    }

    /// A person's command, in a terminal where nothing was sent to the gate: this process counts as an agent.
    fn person(&self, command: &str) -> Result<()> {
        for folder in [".git/bailiwick/agents", "../home/.local/state/bailiwick/agents"] {
            let folder = self.world.repo().join(folder);
            if folder.exists() {
                std::fs::remove_dir_all(folder)?;
            }
        }
        self.world.person_runs(command)
    }

    /// Copies a folder with names in the place of paths.
    fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())? {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if LEFT_OUT.contains(&name.as_str()) {
                continue;
            }
            let target = to.join(named(from, &name));
            if kind.is_dir() {
                self.copy(&path, &target)?;
            } else {
                self.copy_file(&path, &target)?;
            }
        }
        Ok(())
    }

    fn copy_file(&self, from: &Path, to: &PathBuf) -> Result<()> {
        let bytes = std::fs::read(from)?;
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => self.without_paths(&text).into_bytes(),
            Err(no_text) => no_text.into_bytes(),
        };
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(to, bytes).with_context(|| to.display().to_string())
    }
}

/// What a person may ask about the records, as far as the answer does not tell the time.
const QUESTIONS: &[&[&str]] = &[
    &["trace", "verify", "--json"],
    &["trace", "log", "--json"],
    &["trace", "why", "src/auth/fourth.ts:1", "--json"],
];

/// What is tried afterwards, in this order: in which session, which file is written, and why.
const TRIED: &[(u32, &str)] = &[
    (0, "src/auth/approved.ts"),  // a yes that nobody used
    (0, "src/auth/approved.ts"),  // and that is used now
    (0, "src/auth/open.ts"),      // nobody answered
    (0, "src/auth/rejected.ts"),  // a no
    (0, "src/auth/first.ts"),     // a yes that was used
    (0, "src/auth/login.ts"),     // a file that this session read
    (0, "src/core/main.ts"),      // out of the scope
    (1, "src/auth/more.ts"),      // under the grant
    (1, "src/auth/login.ts"),     // a file that this session never read
    (2, "src/auth/under_way.ts"), // what this session wrote itself
    (3, "src/auth/new.ts"),       // a session that selected nothing
];

/// The name of a file whose own name is a hash of a path of this machine, or of a folder of it.
fn named(folder: &Path, name: &str) -> String {
    match folder.file_name().and_then(|name| name.to_str()) {
        Some("accepted") if name.ends_with(".intents") => "@PRIVATE@.intents".to_owned(),
        Some("accepted") => "@ROOT@.json".to_owned(),
        Some("witness") => "@CLONE@".to_owned(),
        // The rules of a sample are not rules for this repository.
        _ => name.strip_prefix('.').map_or_else(|| name.to_owned(), |rest| format!("dot.{rest}")),
    }
}

const CONTENT: &str = "export const value = 1;\n";

/// A write that names nothing of this machine, so that a yes to it counts wherever the sample is put.
fn writes(hook: &HookDriver, path: &str) -> Value {
    let id = format!("toolu_{}", path.replace(['/', '.'], "_"));
    sent(hook.call("Write", &json!({"file_path": path, "content": CONTENT}), &id))
}

fn sent(mut event: Value) -> Value {
    event["permission_mode"] = json!("bypassPermissions");
    if let Some(fields) = event.as_object_mut() {
        fields.remove("cwd");
        fields.remove("transcript_path");
    }
    event
}

/// What the hook decided, and by which error.
fn answer(said: &Value) -> Value {
    let decided = &said["hookSpecificOutput"];
    let reason = decided["permissionDecisionReason"].as_str().unwrap_or_default();
    let error = reason.get(reason.find('{').unwrap_or(reason.len())..).unwrap_or_default();
    let error: Value = serde_json::from_str(error).unwrap_or_default();
    json!({"decision": decided["permissionDecision"], "code": error["code"]})
}
