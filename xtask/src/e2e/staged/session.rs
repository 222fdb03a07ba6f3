//! One run of the client in the day: plays the lines, looks at `git status` between them, keeps what the model was told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;

use super::line::{Expected, Line, What};
use super::stage::Stage;
use crate::e2e::client::model::{Conversation, Model, NextTurn, Turn, call_id};
use crate::e2e::client::outcome::{Told, error_in, results_in};
use crate::e2e::client::{self, Start};

const LIMIT: Duration = Duration::from_secs(900);
const TOOLS: &str = "Read,Write,Edit,Bash,Glob,Grep,Agent,mcp__bailiwick";

/// What came of one line.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) session: &'static str,
    /// The call's id, as the gate's log knows it.
    pub(crate) call: String,
    pub(crate) line: Line,
    pub(crate) told: Told,
    /// What a look at the stage found afterwards.
    pub(crate) found: Vec<String>,
}

impl Entry {
    /// The code of the gate's refusal, if it refused.
    pub(crate) fn refused(&self) -> Option<String> {
        error_in(&self.told.text).ok().and_then(|error| error["code"].as_str().map(str::to_owned))
    }

    /// What is wrong with the answer.
    pub(crate) fn wrong(&self) -> Option<String> {
        let refused = self.refused();
        let lacks = self.line.shows.as_ref().is_some_and(|text| !self.told.text.contains(text));
        match (self.line.expected, refused) {
            (Expected::Refused(codes), Some(code)) if codes.split('|').any(|known| known == code) => None,
            (Expected::Refused(codes), Some(code)) => Some(format!("refused with {code}, not {codes}")),
            (Expected::Refused(codes), None) if self.told.failed && codes.contains("client") => None,
            (Expected::Refused(_), None) => Some("it was not refused".to_owned()),
            (_, Some(code)) => Some(format!("a false block, {code}")),
            (_, None) if self.told.failed || lacks => Some("it failed".to_owned()),
            (_, None) => None,
        }
    }

    /// Where it happened and what the model was told.
    pub(crate) fn describe(&self, what: &str) -> String {
        let told: String = self.told.text.chars().take(400).collect();
        format!("{} {}: {}: {what}\n        {told}", self.session, self.call, self.line.label())
    }
}

/// A look at the stage after each call: what should not be there.
pub(crate) type Look = Arc<dyn Fn(&Stage) -> Result<Vec<String>> + Send + Sync>;

/// One session's script.
pub(crate) struct Session {
    /// What the diary calls it; also the tag of its call ids.
    pub(crate) name: &'static str,
    /// More of the client's arguments.
    arguments: &'static [&'static str],
    look: Look,
    pub(crate) lines: Vec<Line>,
    /// What a sub-agent does.
    pub(crate) errand: Vec<Line>,
}

impl Session {
    /// A session of one agent.
    pub(crate) fn new(name: &'static str, lines: Vec<Line>) -> Self {
        Self { name, arguments: &[], look: Arc::new(Stage::strays), lines, errand: Vec::new() }
    }

    /// Gives the sub-agent its script.
    pub(crate) fn errand(mut self, lines: Vec<Line>) -> Self {
        self.errand = lines;
        self
    }

    /// Edits pass, and how many of them are asked about is counted over all.
    pub(crate) fn edits_granted(mut self) -> Self {
        for line in self.lines.iter_mut().filter(|line| line.what == What::Edit) {
            line.expected = Expected::Passes;
        }
        self
    }

    /// Continues the conversation of the session before.
    pub(crate) fn continued(self) -> Self {
        self.arguments(&["--continue"])
    }

    /// Gives the client more arguments.
    pub(crate) fn arguments(mut self, arguments: &'static [&'static str]) -> Self {
        self.arguments = arguments;
        self
    }

    /// Looks at something else than `git status` after each call.
    pub(crate) fn look(mut self, look: Look) -> Self {
        self.look = look;
        self
    }

    /// Plays it to its end and gives what came of each line.
    pub(crate) fn hold(self, stage: &Arc<Stage>) -> Result<Vec<Entry>> {
        let found: Found = Arc::default();
        let Self { name, arguments, look, lines, errand } = self;
        let (lines, errand) = (Arc::new(lines), Arc::new(errand));
        let mut script = Script {
            stage: Arc::clone(stage),
            name,
            lines: Arc::clone(&lines),
            errand: Arc::clone(&errand),
            look,
            found: Arc::clone(&found),
            last: None,
        };
        let next: NextTurn = Box::new(move |conversation, index| script.next(conversation, index));
        let model = Model::start_tagged(name, next)?;
        let mut words = vec!["-p", "go", "--allowedTools", TOOLS];
        words.extend(arguments);
        let ended = client::run(Start {
            program: &stage.client,
            folder: &stage.folder,
            environment: stage.client_environment(&model.url()),
            arguments: &words,
            prints: stage.world.base().join(name.replace(' ', "-")),
            limit: LIMIT,
        })?;
        let faults = model.faults();
        ensure!(faults.is_empty(), "{name}: the script failed: {}", faults.join("; "));
        ensure!(!ended.timed_out, "{name}: the client did not end within {LIMIT:?}");
        let told = told(&model.requests());
        let found = found.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entries = Vec::new();
        for (conversation, lines) in [(Conversation::Main, &lines), (Conversation::SubAgent, &errand)] {
            for (index, line) in lines.iter().enumerate() {
                let Turn::Call { .. } = line.turn else { continue };
                let id = call_id(name, conversation, index);
                let told = told.get(&id).cloned();
                let told = told.with_context(|| {
                    anyhow!(
                        "{name}: {} got no result; client: {}{}",
                        line.label(),
                        ended.stdout,
                        ended.stderr
                    )
                })?;
                let found = found.get(&id).cloned().unwrap_or_default();
                entries.push(Entry { session: name, call: id, line: line.clone(), told, found });
            }
        }
        Ok(entries)
    }
}

type Found = Arc<Mutex<BTreeMap<String, Vec<String>>>>;

/// What a conversation's lines are, and what a look at `git status` after each of them found.
struct Script {
    stage: Arc<Stage>,
    name: &'static str,
    lines: Arc<Vec<Line>>,
    errand: Arc<Vec<Line>>,
    look: Look,
    found: Found,
    last: Option<String>,
}

impl Script {
    /// The next turn; the line before it is over by now.
    fn next(&mut self, conversation: Conversation, index: usize) -> Result<Option<Turn>> {
        if let Some(id) = self.last.take() {
            let found = (self.look)(&self.stage)?;
            self.found.lock().unwrap_or_else(PoisonError::into_inner).insert(id, found);
        }
        let lines = match conversation {
            Conversation::Main => &self.lines,
            Conversation::SubAgent => &self.errand,
        };
        let Some(line) = lines.get(index) else { return Ok(None) };
        if let Some(act) = line.before {
            act(&self.stage).with_context(|| format!("before {}", line.label()))?;
        }
        self.stage.expect_changes(line.changes.iter().cloned());
        self.last = Some(call_id(self.name, conversation, index));
        Ok(Some(match &line.turn {
            Turn::Text(text) => Turn::Text(text.clone()),
            Turn::Call { tool, input } => Turn::Call { tool: tool.clone(), input: self.stage.fill(input) },
        }))
    }
}

fn told(requests: &[Value]) -> BTreeMap<String, Told> {
    requests.iter().flat_map(results_in).map(|told| (told.call.clone(), told)).collect()
}
