//! An editor and an agent that say what a test tells them to, and a desk that remembers what became of it.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bailiwick_adapters_acp::{Asked, ChangedFile, Desk, Look, Question, Said, relayed};
use bailiwick_domain::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

/// Longer than anything takes; the clock of the tests does not wait for it.
pub(crate) const LONG: Duration = Duration::from_secs(10);

/// What the desk holds and was told.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) questions: Vec<Question>,
    pub(crate) over: Vec<String>,
    pub(crate) answers: Vec<(String, Said)>,
    pub(crate) told: Vec<String>,
    pub(crate) heard: Vec<String>,
    pub(crate) let_through: Vec<String>,
    pub(crate) no_prompt: Option<String>,
    pub(crate) no_write: Option<String>,
    pub(crate) is_unjudged: bool,
    /// It fails on everything.
    pub(crate) is_broken: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Scripted(Mutex<State>);

impl Scripted {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Desk for Scripted {
    fn editor(&self, name: Option<&str>) {
        self.state().heard.push(format!("editor {name:?}"));
    }

    fn agent(&self, name: Option<&str>) {
        self.state().heard.push(format!("agent {name:?}"));
    }

    fn works_in(&self, session: &str, folder: &str) {
        self.state().heard.push(format!("{session} in {folder}"));
    }

    fn may_prompt(&self, _session: &str) -> Result<(), String> {
        assert!(!self.state().is_broken);
        self.state().no_prompt.clone().map_or(Ok(()), Err)
    }

    fn works(&self, _session: &str) -> Result<(), String> {
        self.state().is_unjudged.then(|| "nothing judges it".to_owned()).map_or(Ok(()), Err)
    }

    fn look(&self, _put: &[String]) -> Look {
        let mut state = self.state();
        Look { questions: std::mem::take(&mut state.questions), over: std::mem::take(&mut state.over) }
    }

    fn answer(&self, question: &str, said: &Said) {
        self.state().answers.push((question.to_owned(), said.clone()));
    }

    fn was_let_through(&self, asked: Asked<'_>, turns: &[String]) -> bool {
        assert!(!self.state().is_broken);
        assert_eq!(turns, ["s"]);
        let call = asked.params["toolCall"]["toolCallId"].as_str().unwrap_or_default();
        self.state().let_through.iter().any(|known| known == call)
    }

    fn may_write(&self, _asked: Asked<'_>) -> Result<(), String> {
        assert!(!self.state().is_broken);
        self.state().no_write.clone().map_or(Ok(()), Err)
    }

    fn tell(&self, text: &str) {
        self.state().told.push(text.to_owned());
    }
}

/// One side's pipe.
pub(crate) struct Side {
    input: BufReader<ReadHalf<DuplexStream>>,
    output: WriteHalf<DuplexStream>,
}

impl Side {
    fn of(stream: DuplexStream) -> Self {
        let (input, output) = tokio::io::split(stream);
        Self { input: BufReader::new(input), output }
    }

    pub(crate) async fn say(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes()).await;
    }

    pub(crate) async fn bytes(&mut self, bytes: &[u8]) {
        self.output.write_all(bytes).await.unwrap();
    }

    /// The next line that comes.
    pub(crate) async fn hears(&mut self) -> String {
        let mut line = String::new();
        let read = self.input.read_line(&mut line).await;
        assert!(read.unwrap() > 0, "the other side is gone");
        line.trim_end_matches('\n').to_owned()
    }

    pub(crate) async fn hears_json(&mut self) -> Value {
        serde_json_of(&self.hears().await)
    }

    /// Nothing comes, however long one waits.
    pub(crate) async fn hears_nothing(&mut self) {
        let mut line = String::new();
        let read = tokio::time::timeout(LONG, self.input.read_line(&mut line)).await;
        assert!(read.is_err(), "{line}");
    }
}

fn serde_json_of(text: &str) -> Value {
    text.parse().unwrap_or_else(|why| panic!("{why}: {text}"))
}

/// All of it.
pub(crate) struct Room {
    pub(crate) desk: Arc<Scripted>,
    pub(crate) editor: Side,
    pub(crate) agent: Side,
    relay: JoinHandle<bool>,
}

impl Room {
    pub(crate) fn new() -> Self {
        let (editor, theirs) = tokio::io::duplex(1 << 20);
        let (agent, its) = tokio::io::duplex(1 << 20);
        let desk = Arc::new(Scripted::default());
        let (output, input) = tokio::io::split(its);
        let relay = tokio::spawn(relayed(
            Arc::clone(&desk) as Arc<dyn Desk>,
            tokio::io::split(theirs),
            (input, output),
        ));
        Self { desk, editor: Side::of(editor), agent: Side::of(agent), relay }
    }

    /// One with a session `s` in `/repo` that has a prompt.
    pub(crate) async fn prompted() -> Self {
        let mut room = Self::new();
        room.editor.say(r#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/repo"}}"#).await;
        room.agent.hears().await;
        room.agent.say(r#"{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}"#).await;
        room.editor.hears().await;
        room.editor
            .say(r#"{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s"}}"#)
            .await;
        room.agent.hears().await;
        room
    }

    /// The request for permission that comes of a question.
    pub(crate) async fn asks(&mut self, id: &str) -> Value {
        self.desk.state().questions.push(question(id));
        self.editor.hears_json().await
    }

    /// The editor's answer after that many milliseconds.
    pub(crate) async fn answers(&mut self, asked: &Value, after_ms: u64, result: &Value) {
        tokio::time::advance(Duration::from_millis(after_ms)).await;
        let line = json!({"jsonrpc": "2.0", "id": asked["id"], "result": result});
        self.editor.say(&line.to_string()).await;
    }

    /// Whether the agent ended first, once the relay is over.
    pub(crate) async fn ended(self) -> (Arc<Scripted>, bool) {
        drop((self.editor, self.agent));
        (self.desk, self.relay.await.unwrap())
    }

    /// The end of one side alone.
    pub(crate) async fn without(self, editor_leaves: bool) -> (Arc<Scripted>, bool) {
        let (editor, agent) = (self.editor, self.agent);
        let kept = if editor_leaves {
            drop(editor);
            agent
        } else {
            drop(agent);
            editor
        };
        let is_agent = self.relay.await.unwrap();
        drop(kept);
        (self.desk, is_agent)
    }
}

pub(crate) fn question(id: &str) -> Question {
    Question {
        id: id.to_owned(),
        session: "the hook's".to_owned(),
        root: "/repo".to_owned(),
        title: "write_to_file src/a.rs".to_owned(),
        runs: false,
        text: "Intent INT-001".to_owned(),
        files: vec![ChangedFile {
            path: "/repo/src/a.rs".to_owned(),
            before: None,
            after: "fn a() {}\n".to_owned(),
        }],
        paths: vec!["/repo/src/a.rs".to_owned()],
    }
}

pub(crate) fn yes() -> Value {
    json!({"outcome": {"outcome": "selected", "optionId": "approve"}})
}
