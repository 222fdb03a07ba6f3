//! The loop: one message, one change or one moment after the other, until the editor closes its end.

use std::io::{BufRead, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use bailiwick_domain::{Answer, Approval, Approver as _};
use lsp_server::{Message, Notification, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::approver::EditorApprover;
use crate::attention::Attention;
use crate::desk::{Desk, Later, Refusal};
use crate::frame::{FrameError, read_frame};
use crate::line::{Line, Name};
use crate::protocol::{
    self, Changed, FoldersAre, Initialize, Initialized, Over, PROTOCOL, Snapshot, code, method,
};
use crate::wire::Outbox;

/// How often it looks without being told, while somebody is there.
const LOOK_AGAIN: Duration = Duration::from_secs(3);

/// So long after a look the next one waits, so that a busy agent does not keep it looking.
const BETWEEN_LOOKS: Duration = Duration::from_millis(40);

/// So long after a change it looks once more: not everything that is shown is found out at each look.
const LOOK_BACK: Duration = Duration::from_millis(2500);

/// So many queries may run at once.
const QUERIES: usize = 16;

/// The most folders of a window.
const FOLDERS: usize = 64;

/// What the loop waits for.
#[derive(Debug)]
pub enum Event {
    /// A message.
    Message(Vec<u8>),
    /// No message can be read any more.
    Fault(FrameError),
    /// The editor closed its end.
    End,
    /// Something in the stores changed.
    Changed,
    /// A question was answered in the editor.
    Answered(Name, Answer),
    /// A query is done.
    Queried,
}

/// Serves an editor until it closes its end. `desk` is given the way to wake the loop after changes.
///
/// # Errors
/// What came was no frame.
pub fn serve<D: Desk>(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    desk: impl FnOnce(Sender<Event>) -> D,
) -> Result<(), FrameError> {
    let (events, coming) = mpsc::channel();
    let mut server = Server {
        desk: desk(events.clone()),
        outbox: Outbox::new(output),
        events: events.clone(),
        attention: Attention::default(),
        is_there: false,
        line: Line::default(),
        shown: None,
        looked: None,
        is_due: false,
        back: None,
        queries: 0,
    };
    read_on_a_thread(input, events);
    loop {
        let event = match server.wakes() {
            None => coming.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(moment) => coming.recv_timeout(moment.saturating_duration_since(Instant::now())),
        };
        let ended = match event {
            Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => Some(Ok(())),
            Ok(Event::Fault(error)) => {
                server.outbox.complain(&Refusal { code: code::PARSE, message: error.to_string() });
                Some(Err(error))
            }
            Ok(event) => server.on(event).then_some(Ok(())),
            Err(RecvTimeoutError::Timeout) => server.on_time().then_some(Ok(())),
        };
        if let Some(ended) = ended {
            server.outbox.close();
            server.desk.leave(&server.line.put());
            return ended;
        }
    }
}

fn read_on_a_thread(mut input: impl BufRead + Send + 'static, events: Sender<Event>) {
    std::thread::spawn(move || {
        loop {
            let event = match read_frame(&mut input) {
                Ok(Some(message)) => Event::Message(message),
                Ok(None) => Event::End,
                Err(error) => Event::Fault(error),
            };
            let is_last = !matches!(event, Event::Message(_));
            if events.send(event).is_err() || is_last {
                return;
            }
        }
    });
}

struct Server<D> {
    desk: D,
    outbox: Outbox,
    events: Sender<Event>,
    attention: Attention,
    /// What the desk was told of it.
    is_there: bool,
    line: Line,
    /// What the editor was told last; nothing before `initialize`.
    shown: Option<Snapshot>,
    looked: Option<Instant>,
    /// Whether something changed since.
    is_due: bool,
    /// When it looks once more after a change.
    back: Option<Instant>,
    queries: usize,
}

/// Whether the loop ends: the editor does not read any more.
type Ends = bool;

impl<D: Desk> Server<D> {
    fn on(&mut self, event: Event) -> Ends {
        match event {
            Event::Message(bytes) => self.on_message(&bytes),
            Event::Changed => {
                self.is_due = true;
                self.back = self.back.or_else(|| Some(Instant::now() + LOOK_BACK));
                self.on_time()
            }
            Event::Answered(name, answer) => self.on_answer(&name, &answer),
            Event::Queried => {
                self.queries = self.queries.saturating_sub(1);
                false
            }
            Event::End | Event::Fault(_) => true,
        }
    }

    /// The next moment at which there is something to do without being told.
    fn wakes(&self) -> Option<Instant> {
        self.shown.as_ref()?;
        let now = Instant::now();
        let looked = self.looked.unwrap_or(now);
        let due = self.is_due.then(|| looked + BETWEEN_LOOKS);
        let again = self.is_there.then(|| looked + LOOK_AGAIN);
        let leaves = self.attention.ends().filter(|_| self.is_there);
        [due, again, self.back, leaves].into_iter().flatten().min()
    }

    fn on_time(&mut self) -> Ends {
        let now = Instant::now();
        self.attend(now);
        let since = self.looked.map(|looked| now.saturating_duration_since(looked));
        if self.back.take_if(|back| *back <= now).is_some() {
            return self.look();
        }
        let is_time = match since {
            None => true,
            Some(since) if self.is_due => since >= BETWEEN_LOOKS,
            Some(since) => self.is_there && since >= LOOK_AGAIN,
        };
        is_time && self.look()
    }

    /// Looks, tells what changed, and puts the next question.
    fn look(&mut self) -> Ends {
        let Some(before) = self.shown.take() else { return false };
        let now = self.desk.snapshot();
        self.looked = Some(Instant::now());
        self.is_due = false;
        let told = now == before || self.outbox.tell(method::CHANGED, &Changed { snapshot: now.clone() });
        self.put(&now);
        self.shown = Some(now);
        !told
    }

    fn put(&mut self, snapshot: &Snapshot) {
        for (root, id) in self.line.settle(snapshot) {
            let why = self.desk.over(&root, &id);
            self.outbox.tell(method::OVER, &Over { root, id, why });
        }
        if !self.attention.is_focused() {
            return;
        }
        let Some(shown) = self.line.next(snapshot) else { return };
        let name = (shown.root.clone(), shown.id.clone());
        match self.desk.question(&shown.root, &shown.id) {
            Some(approval) => self.ask(name, approval, shown.clone()),
            None => self.line.done(&name),
        }
    }

    /// The approver waits on a thread of its own.
    fn ask(&self, name: Name, approval: Approval, shown: protocol::Approval) {
        let approver = EditorApprover { outbox: self.outbox.clone(), shown, by: self.desk.person() };
        let events = self.events.clone();
        std::thread::spawn(move || {
            let answer = pollster::block_on(approver.ask(&approval, Approval::LIFETIME_S));
            let _ = events.send(Event::Answered(name, answer));
        });
    }

    fn on_answer(&mut self, name: &Name, answer: &Answer) -> Ends {
        self.line.done(name);
        if matches!(answer, Answer::Approve { .. } | Answer::Reject { .. }) {
            // Whoever answered first decided; the editor is told that the question is over.
            let _ = self.desk.record(&name.0, &name.1, answer);
        }
        self.look()
    }

    fn attend(&mut self, now: Instant) {
        let is_there = self.attention.is_there(now);
        if is_there != self.is_there {
            self.is_there = is_there;
            self.desk.attend(is_there);
        }
    }

    fn on_message(&mut self, bytes: &[u8]) -> Ends {
        match understood(bytes) {
            Ok(Message::Request(request)) => self.on_request(request),
            Ok(Message::Notification(told)) => self.on_told(told),
            Ok(Message::Response(response)) => {
                self.outbox.answered(response);
                false
            }
            Err(refusal) => !self.outbox.complain(&refusal),
        }
    }

    fn on_told(&mut self, told: Notification) -> Ends {
        let is_attention = told.method == method::ATTENTION && self.shown.is_some();
        let said: Result<protocol::Attention, _> = parsed(told.params);
        let Some(said) = said.ok().filter(|_| is_attention) else { return false };
        let now = Instant::now();
        self.attention.told(said.focused, now);
        self.attend(now);
        self.look()
    }

    fn on_request(&mut self, request: Request) -> Ends {
        let Request { id, method, params } = request;
        let result = match (method.as_str(), self.shown.is_some()) {
            (method::INITIALIZE, false) => self.initialize(params),
            (method::INITIALIZE, true) => Err(refusal(code::INVALID_REQUEST, "`initialize` came before")),
            (_, false) => Err(refusal(code::NOT_INITIALIZED, "`initialize` comes first")),
            (method::QUERY | method::HISTORY | method::UNDO_PLAN | method::UNDO, true) => {
                match self.later(&method, params) {
                    Ok(later) => return self.run(id, later),
                    Err(refusal) => Err(refusal),
                }
            }
            (name, true) => self.made(name, params),
        };
        let is_heard = self.outbox.answer(id, result);
        // The person sees at once what they did.
        !is_heard || (is_act(&method) && self.look())
    }

    fn initialize(&mut self, params: Value) -> Result<Value, Refusal> {
        let asked: Initialize = parsed(params)?;
        let version = self.desk.version();
        if asked.protocol != PROTOCOL {
            let (older, newer) = if asked.protocol < PROTOCOL {
                ("the extension", format!("to version {version}"))
            } else {
                ("the program `bailiwick`", "to the version of the extension".to_owned())
            };
            let message = format!(
                "The extension speaks protocol {}, `bailiwick` {version} speaks {PROTOCOL}. Update {older} {newer}.",
                asked.protocol
            );
            return Err(Refusal { code: code::OTHER_PROTOCOL, message });
        }
        let folders = self.open(&asked.folders)?;
        let snapshot = self.desk.snapshot();
        self.looked = Some(Instant::now());
        self.shown = Some(snapshot);
        to_value(&Initialized { protocol: PROTOCOL, version, folders })
    }

    fn open(&mut self, folders: &[String]) -> Result<Vec<protocol::Folder>, Refusal> {
        if folders.len() > FOLDERS {
            return Err(Refusal::parameters(format!("a window has at most {FOLDERS} folders")));
        }
        self.desk.open(folders)
    }

    fn made(&mut self, name: &str, params: Value) -> Result<Value, Refusal> {
        let desk = &mut self.desk;
        match name {
            method::SNAPSHOT => {
                let snapshot = desk.snapshot();
                self.looked = Some(Instant::now());
                self.put(&snapshot);
                let value = to_value(&snapshot);
                self.shown = Some(snapshot);
                value
            }
            method::FOLDERS => {
                let folders: protocol::Folders = parsed(params)?;
                to_value(&FoldersAre { folders: self.open(&folders.folders)? })
            }
            method::FILES => to_value(&desk.files(&parsed(params)?)?),
            method::ANSWER => to_value(&desk.answer(&parsed(params)?)?),
            method::GRANT => to_value(&desk.grant(&parsed(params)?)?),
            method::ALLOW => to_value(&desk.allow(&parsed(params)?)?),
            method::CHANGE => to_value(&desk.change(&parsed(params)?)?),
            method::AMEND => to_value(&desk.amend(&parsed(params)?)?),
            method::REVOKE => to_value(&desk.revoke(&parsed(params)?)?),
            method::REVIEW => to_value(&desk.review(&parsed(params)?)?),
            method::CHECK_TEXT => to_value(&desk.check_text(&parsed(params)?)?),
            _ => Err(Refusal { code: code::UNKNOWN_METHOD, message: format!("there is no method `{name}`") }),
        }
    }

    /// What takes its time.
    fn later(&mut self, name: &str, params: Value) -> Result<Later, Refusal> {
        if self.queries >= QUERIES {
            return Err(refusal(code::BUSY, "too many queries at once; ask again later"));
        }
        match name {
            method::HISTORY => self.desk.history(&parsed(params)?),
            method::UNDO_PLAN => self.desk.undo_plan(&parsed(params)?),
            method::UNDO => self.desk.undo(&parsed(params)?),
            _ => self.desk.query(&parsed(params)?),
        }
    }

    /// A query must not keep anybody waiting for the queue.
    fn run(&mut self, id: lsp_server::RequestId, later: Later) -> Ends {
        self.queries += 1;
        let (outbox, events) = (self.outbox.clone(), self.events.clone());
        std::thread::spawn(move || {
            outbox.answer(id, later());
            let _ = events.send(Event::Queried);
        });
        false
    }
}

/// What changes something that is shown.
fn is_act(name: &str) -> bool {
    use method::{ALLOW, AMEND, ANSWER, FOLDERS, GRANT, REVIEW, REVOKE};
    [ALLOW, AMEND, ANSWER, FOLDERS, GRANT, REVIEW, REVOKE].contains(&name)
}

/// A message is an object, and what it has says which of the three it is.
fn understood(bytes: &[u8]) -> Result<Message, Refusal> {
    let not = |code| {
        move |error: serde_json::Error| refusal(code, &format!("the message is not understood: {error}"))
    };
    let value: Value = serde_json::from_slice(bytes).map_err(not(code::PARSE))?;
    let has = |name: &str| value.get(name).is_some();
    let message = match (value.is_object(), has("method"), has("id")) {
        (false, ..) => return Err(refusal(code::INVALID_REQUEST, "a message is one object")),
        (true, true, true) => serde_json::from_value(value).map(Message::Request),
        (true, true, false) => serde_json::from_value(value).map(Message::Notification),
        (true, false, _) => serde_json::from_value(value).map(Message::Response),
    };
    message.map_err(not(code::INVALID_REQUEST))
}

/// Parameters have names.
fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    match params {
        Value::Null => serde_json::from_value(Value::Object(serde_json::Map::new())),
        Value::Object(_) => serde_json::from_value(params),
        _ => return Err(Refusal::parameters("the parameters are no object")),
    }
    .map_err(Refusal::parameters)
}

fn to_value(value: &impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(value).map_err(|error| refusal(code::INTERNAL, &error.to_string()))
}

fn refusal(code: i32, message: &str) -> Refusal {
    Refusal { code, message: message.to_owned() }
}
