//! A whole world in memory around one gate: what humans wrote, the files, a scripted human, and a host that runs what
//! is let through. Knows how to say what a test wants to see; holds no rule of its own.

use std::cell::Cell;

use bailiwick::gate::{
    Because, Chance, Consents, Extension, Gate, HostTraits, Outcome, Ports, PostReport, Readers, Records,
    Rules, Tree,
};
use bailiwick_adapters_shell::ReadOnlyTable;
use bailiwick_domain::testing::memory::{
    CountingIds, FixedClock, FixedVcs, MemoryAllowances, MemoryApprovals, MemoryDecisions, MemoryGrants,
    MemoryIntents, MemoryLedger, MemoryLessons, MemoryLock, MemoryMutations, MemoryPauses, MemoryPendings,
    MemoryPolicySource, MemorySessions, MemoryTallies, MemoryWorkspace, ScriptedApprover, TableReader,
};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Actor, Answer, Approval, ApprovalRequest, CallId, Classification, Clock, CommandReader,
    CommandReading, DecisionRecord, ErrorCode, FileState, IgnoreFile, IgnoreSource, Intent, IntentDraft,
    PortError, ReadOnly, RepoPath, Settings, State, ToolCall, ToolError, ToolResult, TraceEntry, Value, json,
};
use pollster::block_on;

pub(crate) const HUMAN: &str = "ada";
pub(crate) const JWT: &str = "src/auth/jwt.rs";
pub(crate) const JWT_TEXT: &str = "fn sign() {}\nfn verify() {}\n";
pub(crate) const BILLING: &str = "src/billing/bill.rs";

/// The gate with every port in reach.
pub(crate) struct World {
    pub(crate) gate: Gate,
    pub(crate) intents: MemoryIntents,
    pub(crate) policy: MemoryPolicySource,
    pub(crate) files: MemoryWorkspace,
    pub(crate) sessions: MemorySessions,
    pub(crate) approvals: MemoryApprovals,
    pub(crate) grants: MemoryGrants,
    pub(crate) allowances: MemoryAllowances,
    pub(crate) human: ScriptedApprover,
    pub(crate) ledger: MemoryLedger,
    pub(crate) decisions: MemoryDecisions,
    pub(crate) pendings: MemoryPendings,
    pub(crate) tallies: MemoryTallies,
    pub(crate) lessons: MemoryLessons,
    pub(crate) pauses: MemoryPauses,
    pub(crate) lock: MemoryLock,
    pub(crate) clock: FixedClock,
    pub(crate) commands: TableReader,
    pub(crate) vcs: FixedVcs,
    calls: Cell<u32>,
}

impl World {
    /// `INT-001` owns `src/auth/**`, `INT-002` owns `src/billing/**`, both are in progress; nothing is selected.
    pub(crate) fn new() -> Self {
        Self::of(HostTraits::default(), Vec::new())
    }

    pub(crate) fn on(host: HostTraits) -> Self {
        Self::of(host, Vec::new())
    }

    pub(crate) fn of(host: HostTraits, extensions: Vec<Extension>) -> Self {
        let commands = TableReader::default();
        Self::built(host, extensions, commands.clone(), commands)
    }

    /// A world whose gate reads commands as it does in earnest.
    pub(crate) fn with_shell(host: HostTraits) -> Self {
        Self::built(host, Vec::new(), ReadOnlyTable::default(), TableReader::default())
    }

    fn built(
        host: HostTraits,
        extensions: Vec<Extension>,
        reader: impl CommandReader + 'static,
        commands: TableReader,
    ) -> Self {
        let intents = MemoryIntents::new(vec![
            sample::intent("INT-001", &["src/auth/**"]),
            sample::intent("INT-002", &["src/billing/**"]),
        ]);
        let files =
            MemoryWorkspace::with([(JWT, JWT_TEXT), (BILLING, "fn bill() {}\n"), ("README.md", "# Shop\n")]);
        let (policy, sessions, approvals) =
            <(MemoryPolicySource, MemorySessions, MemoryApprovals)>::default();
        let (human, ledger, decisions) = <(ScriptedApprover, MemoryLedger, MemoryDecisions)>::default();
        let (pendings, lock, clock) = <(MemoryPendings, MemoryLock, FixedClock)>::default();
        let (pauses, grants) = <(MemoryPauses, MemoryGrants)>::default();
        let (allowances, tallies, lessons) = <(MemoryAllowances, MemoryTallies, MemoryLessons)>::default();
        let vcs = FixedVcs::default();
        let mutations = MemoryMutations::default().with_evidence("`f` changed");
        let ports = Ports {
            rules: Rules::new(intents.clone(), intents.clone(), files.clone(), policy.clone()),
            tree: Tree::new(files.clone(), lock.clone(), vcs.clone()),
            consents: Consents::new(
                human.clone(),
                approvals.clone(),
                grants.clone(),
                allowances.clone(),
                pauses.clone(),
            ),
            records: Records::new(
                sessions.clone(),
                pendings.clone(),
                ledger.clone(),
                tallies.clone(),
                lessons.clone(),
                decisions.clone(),
            ),
            readers: Readers::new(reader, mutations.clone(), mutations),
            chance: Chance::new(clock.clone(), CountingIds::default()),
        };
        let gate = extensions.into_iter().fold(Gate::over(ports).host(host), Gate::extend);
        let calls = Cell::new(0);
        Self {
            gate,
            intents,
            policy,
            files,
            sessions,
            approvals,
            grants,
            allowances,
            human,
            ledger,
            decisions,
            pendings,
            tallies,
            lessons,
            pauses,
            lock,
            clock,
            commands,
            vcs,
            calls,
        }
    }

    /// A world in which the actor has selected `INT-001` after a human's prompt.
    pub(crate) fn in_action() -> Self {
        let world = Self::new();
        world.prompt();
        world.select("INT-001");
        world
    }

    /// Like [`World::in_action`], and the agent has read `src/auth/jwt.rs`.
    pub(crate) fn ready() -> Self {
        let world = Self::in_action();
        world.read(JWT);
        world
    }

    // What humans do.

    pub(crate) fn settings(&self, change: impl FnOnce(&mut Settings)) {
        let mut settings = Settings::default();
        change(&mut settings);
        self.policy.set_settings(Ok(settings));
    }

    pub(crate) fn ignore(&self, text: &str) {
        let file = IgnoreFile { name: ".intentignore".to_owned(), text: text.to_owned() };
        self.policy.set_ignore(IgnoreSource::Files(vec![file]));
    }

    /// Replaces `INT-001` and keeps `INT-002`.
    pub(crate) fn rewrite_intent(&self, change: impl FnOnce(&mut IntentDraft)) {
        let mut draft = sample::draft("INT-001", &["src/auth/**"]);
        change(&mut draft);
        self.intents.set(vec![Intent::new(draft).unwrap(), sample::intent("INT-002", &["src/billing/**"])]);
    }

    pub(crate) fn edit_outside(&self, path: &str, text: &str) {
        self.files.write(&sample::path(path), text.as_bytes());
    }

    pub(crate) fn remove_outside(&self, path: &str) {
        self.files.remove(&sample::path(path));
    }

    /// Version control puts a content there that it keeps.
    pub(crate) fn moved(&self, path: &str, text: &str) {
        self.vcs.keep(text.as_bytes());
        self.edit_outside(path, text);
    }

    /// A human's new request, one second later.
    pub(crate) fn prompt(&self) {
        self.clock.advance(1);
        block_on(self.gate.prompt(&sample::actor(), false)).unwrap();
        self.clock.advance(1);
    }

    pub(crate) fn will_say(&self, answer: Answer) {
        self.human.push(answer);
    }

    /// Brings the answer to a call that waits on this connection.
    pub(crate) fn resolve(&self, approval: &Approval, answer: Answer) -> Outcome {
        block_on(self.gate.resolve(&approval.id, answer))
    }

    // What agents do.

    pub(crate) fn call(&self, tool: &str, params: Value) -> ToolCall {
        self.calls.set(self.calls.get() + 1);
        ToolCall {
            id: CallId(format!("call-{}", self.calls.get())),
            actor: sample::actor(),
            tool: tool.to_owned(),
            params: params.as_object().cloned().unwrap(),
            cwd: None,
            intent_id: None,
            read_hash: None,
            requirement_ids: Vec::new(),
        }
    }

    pub(crate) fn call_of(&self, actor: &Actor, tool: &str, params: Value) -> ToolCall {
        ToolCall { actor: actor.clone(), ..self.call(tool, params) }
    }

    pub(crate) fn write(&self, path: &str, content: &str) -> ToolCall {
        self.call("write_to_file", json!({"path": path, "content": content}))
    }

    /// The same call again under a new id, as hosts send a retry.
    pub(crate) fn again(&self, call: &ToolCall) -> ToolCall {
        ToolCall { id: self.call("x", json!({})).id, ..call.clone() }
    }

    pub(crate) fn pre(&self, call: &ToolCall) -> Outcome {
        block_on(self.gate.pre(call))
    }

    pub(crate) fn post(&self, call: &ToolCall) -> PostReport {
        block_on(self.gate.post(call, &ToolResult::of(true))).unwrap()
    }

    pub(crate) fn post_failed(&self, call: &ToolCall) -> PostReport {
        block_on(self.gate.post(call, &ToolResult::of(false))).unwrap()
    }

    /// Runs the tool as a host does and reports it.
    pub(crate) fn run(&self, call: &ToolCall) -> PostReport {
        self.execute(call);
        self.post(call)
    }

    /// Does to the files what the tool does.
    pub(crate) fn execute(&self, call: &ToolCall) {
        let text = |key: &str| call.params.get(key).and_then(Value::as_str).unwrap_or_default();
        match call.tool.as_str() {
            "write_to_file" => self.edit_outside(text("path"), text("content")),
            "edit_file" => {
                let changed = self.text(text("path")).replacen(text("old_string"), text("new_string"), 1);
                self.edit_outside(text("path"), &changed);
            }
            "delete_file" => self.remove_outside(text("path")),
            "move_file" => {
                let content = self.text(text("from"));
                self.remove_outside(text("from"));
                self.edit_outside(text("to"), &content);
            }
            _ => {}
        }
    }

    pub(crate) fn select(&self, id: &str) -> String {
        self.select_as(&sample::actor(), id)
    }

    pub(crate) fn select_as(&self, actor: &Actor, id: &str) -> String {
        let call = self.call_of(actor, "select_active_intent", json!({"intent_id": id}));
        match self.pre(&call) {
            Outcome::Allow(Because::OwnTool { result, .. }) => result,
            other => panic!("{id} was not selected: {other:?}"),
        }
    }

    pub(crate) fn read(&self, path: &str) {
        self.read_as(&sample::actor(), path);
    }

    pub(crate) fn read_as(&self, actor: &Actor, path: &str) {
        let call = self.call_of(actor, "read_file", json!({"path": path}));
        self.passes_unasked(&call);
        self.post(&call);
    }

    // What tests expect.

    /// The call is let through without a question, as safe.
    pub(crate) fn passes_unasked(&self, call: &ToolCall) {
        let asked = self.human.asked().len();
        assert_eq!(self.pre(call), Outcome::Allow(Because::Safe), "{} {:?}", call.tool, call.params);
        assert_eq!(self.human.asked().len(), asked);
        assert_eq!(self.last_record(call).action, Action::Allow);
    }

    /// The call is refused with this code: a decision record says so, nobody is asked, no file and no ledger changes.
    pub(crate) fn refuses(&self, call: &ToolCall, code: ErrorCode) -> ToolError {
        let before = (self.human.asked().len(), self.approvals.all().len(), self.ledger.entries().len());
        let error = refused(self.pre(call));
        assert_eq!(error.code(), code, "{} {:?}: {}", call.tool, call.params, error.message());
        assert_eq!(
            (self.human.asked().len(), self.approvals.all().len(), self.ledger.entries().len()),
            before
        );
        let record = self.last_record(call);
        assert_eq!((record.action, record.code), (Action::Block, Some(code)));
        assert!(self.pendings.calls().iter().all(|pending| pending.call != call.id));
        error
    }

    /// The call makes the gate ask; the question stays open on this connection.
    pub(crate) fn asks(&self, call: &ToolCall) -> Approval {
        self.will_say(Answer::Deferred);
        match self.pre(call) {
            Outcome::WaitForApproval(approval) => *approval,
            other => panic!("{} {:?} was not asked about: {other:?}", call.tool, call.params),
        }
    }

    pub(crate) fn asks_what(&self, call: &ToolCall) -> ApprovalRequest {
        self.asks(call).request
    }

    /// A human is asked, says yes, and the call is let through.
    pub(crate) fn passes_by_yes(&self, call: &ToolCall) {
        self.will_say(yes());
        let asked = self.human.asked().len();
        let outcome = self.pre(call);
        assert!(matches!(outcome, Outcome::Allow(Because::Approved { .. })), "{outcome:?}");
        assert_eq!(self.human.asked().len(), asked + 1);
        assert_eq!(self.last_record(call).action, Action::Allow);
    }

    /// Approved, run, recorded: the whole way of a mutation. Returns its ledger entry.
    pub(crate) fn mutates(&self, call: &ToolCall) -> TraceEntry {
        let before = self.ledger.entries().len();
        self.passes_by_yes(call);
        let report = self.run(call);
        let entries = self.ledger.entries();
        assert_eq!(
            (entries.len(), report.trace_ids.len()),
            (before + 1, 1),
            "{} {:?}",
            call.tool,
            call.params
        );
        entries.last().cloned().unwrap()
    }

    pub(crate) fn records_of(&self, call: &ToolCall) -> Vec<DecisionRecord> {
        self.decisions.records().into_iter().filter(|record| record.call.as_ref() == Some(&call.id)).collect()
    }

    pub(crate) fn last_record(&self, call: &ToolCall) -> DecisionRecord {
        self.records_of(call).pop().unwrap_or_else(|| panic!("no decision record for {}", call.tool))
    }

    pub(crate) fn actions_of(&self, call: &ToolCall) -> Vec<Action> {
        self.records_of(call).into_iter().map(|record| record.action).collect()
    }

    pub(crate) fn text(&self, path: &str) -> String {
        let bytes = self.files.bytes(&sample::path(path)).unwrap_or_else(|| panic!("{path} is not there"));
        String::from_utf8(bytes).unwrap()
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.files.bytes(&RepoPath::new(path).unwrap()).is_some()
    }

    pub(crate) fn state_of(&self, actor: &Actor) -> (State, Option<String>) {
        let status = block_on(self.gate.status(actor)).unwrap();
        (status.actor.state, status.actor.active.map(|active| active.id.to_string()))
    }

    pub(crate) fn state(&self) -> (State, Option<String>) {
        self.state_of(&sample::actor())
    }

    pub(crate) fn read_only(&self, command: &str, shows: &[&str]) {
        let shows: Vec<String> = shows.iter().map(|path| (*path).to_owned()).collect();
        self.commands.insert(
            command,
            CommandReading::ReadOnly(ReadOnly { reads: shows.clone(), shows, ..ReadOnly::default() }),
        );
    }

    pub(crate) fn classify(&self, tool: &str, class: Classification) {
        self.settings(|settings| settings.classification.extend([(tool.to_owned(), class)]));
    }

    pub(crate) fn now(&self) -> bailiwick_domain::Timestamp {
        self.clock.now()
    }
}

pub(crate) fn refused(outcome: Outcome) -> ToolError {
    match outcome {
        Outcome::Block(error) => *error,
        other => panic!("not refused: {other:?}"),
    }
}

pub(crate) fn yes() -> Answer {
    Answer::Approve { by: HUMAN.to_owned() }
}

pub(crate) fn no(feedback: &str) -> Answer {
    Answer::Reject { by: HUMAN.to_owned(), feedback: Some(feedback.to_owned()) }
}

pub(crate) fn broken() -> PortError {
    PortError::Unavailable("disk full".to_owned())
}

pub(crate) fn content(text: &str) -> FileState {
    FileState::Content(bailiwick_domain::ContentHash::of(text.as_bytes()))
}

pub(crate) fn command(world: &World, text: &str) -> ToolCall {
    world.call("execute_command", json!({"command": text}))
}
