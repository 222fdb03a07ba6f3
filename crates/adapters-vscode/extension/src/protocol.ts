// Generated from crates/adapters-vscode/src/protocol; do not edit. Write it anew with
// UPDATE_EXPECT=1 cargo test -p bailiwick-adapters-vscode

/** The number of this protocol. */
export const PROTOCOL = 1;

/** Error codes beyond those of JSON-RPC. */
export const code = {
  NOT_INITIALIZED: -32002,
  OTHER_PROTOCOL: -32010,
  NOT_A_PERSON: -32011,
  NOT_DONE: -32012,
  BUSY: -32013,
} as const;

/** The methods; each has its parameters and its answer in `Methods`. */
export const method = {
  INITIALIZE: "initialize",
  SNAPSHOT: "snapshot",
  FOLDERS: "folders",
  FILES: "approval/files",
  ANSWER: "approval/answer",
  GRANT: "approval/grant",
  ALLOW: "approval/allow",
  CHANGE: "approval/change",
  AMEND: "approval/amend",
  REVOKE: "grant/revoke",
  REVIEW: "review/finish",
  HISTORY: "history",
  UNDO_PLAN: "undo/plan",
  UNDO: "undo/finish",
  QUERY: "query",
  CHECK_TEXT: "intent/check_text",
  ATTENTION: "attention",
  ASK: "approval/ask",
  OVER: "approval/over",
  CHANGED: "changed",
} as const;

/** What each method takes and gives; notifications give nothing. */
export interface Methods {
  "initialize": { params: Initialize; result: Initialized };
  "snapshot": { params: Nothing; result: Snapshot };
  "folders": { params: Folders; result: FoldersAre };
  "approval/files": { params: Named; result: Files };
  "approval/answer": { params: AnswerGiven; result: Said };
  "approval/grant": { params: GrantGiven; result: Said };
  "approval/allow": { params: Allowed; result: Said };
  "approval/change": { params: DraftEdited; result: Change };
  "approval/amend": { params: DraftAccepted; result: Said };
  "grant/revoke": { params: Revoke; result: Said };
  "review/finish": { params: Review; result: Said };
  "history": { params: History; result: HistoryPage };
  "undo/plan": { params: Undo; result: UndoPlan };
  "undo/finish": { params: UndoGiven; result: Said };
  "query": { params: Query; result: Queried };
  "intent/check_text": { params: CheckText; result: Checked };
  "attention": { params: Attention; result: void };
  "approval/ask": { params: Ask; result: AskAnswer };
  "approval/over": { params: Over; result: void };
  "changed": { params: Changed; result: void };
}

/**
 * The first message of an editor.
 */
export type Initialize = { 
/**
 * The protocol that the editor speaks.
 */
protocol: number, 
/**
 * Who it is.
 */
client: Client, 
/**
 * The folders of the window, absolute.
 */
folders: Array<string>, };

/**
 * An editor's extension.
 */
export type Client = { 
/**
 * The name of the editor.
 */
name: string, 
/**
 * The version of the extension.
 */
version: string, };

/**
 * What the sidecar answers.
 */
export type Initialized = { 
/**
 * The protocol that it speaks.
 */
protocol: number, 
/**
 * The version of the program.
 */
version: string, 
/**
 * What is known of each folder, in the order in which they were named.
 */
folders: Array<Folder>, };

/**
 * The window has these folders now.
 */
export type Folders = { 
/**
 * Absolute.
 */
folders: Array<string>, };

/**
 * What is known of them.
 */
export type FoldersAre = { 
/**
 * In the order in which they were named.
 */
folders: Array<Folder>, };

/**
 * No parameters.
 */
export type Nothing = Record<symbol, never>;

/**
 * One request of the queue.
 */
export type Named = { 
/**
 * The folder, as `snapshot` names it.
 */
root: string, 
/**
 * The id of the request.
 */
id: string, };

/**
 * The two sides of a request.
 */
export type Files = { 
/**
 * The files that it changes, as far as its preview shows them.
 */
files: Array<DiffFile>, 
/**
 * Everything else that the preview says, line by line as it came: a command, parameters, moves, modes, what was cut.
 * Whoever asks for a yes shows this as well.
 */
beside: string, };

/**
 * One file of it.
 */
export type DiffFile = { 
/**
 * Relative to the root.
 */
path: string, 
/**
 * The text before; `null` where there is no file.
 */
before: string | null, 
/**
 * The text after; `null` where there will be no file.
 */
after: string | null, 
/**
 * Whether these are the whole texts; else only what the preview shows of them.
 */
whole: boolean, };

/**
 * Yes or no.
 */
export type Decision = "approve" | "reject";

/**
 * A person's answer to a request.
 */
export type AnswerGiven = { 
/**
 * The folder.
 */
root: string, 
/**
 * The request.
 */
id: string, 
/**
 * Its fingerprint, as it was shown.
 */
fingerprint: string, 
/**
 * Yes or no.
 */
decision: Decision, 
/**
 * The second word that a yes to a broad scope needs.
 */
broad?: boolean, 
/**
 * What the agent shall be told with a no.
 */
feedback?: string, };

/**
 * What was done, for the person.
 */
export type Said = { 
/**
 * One sentence.
 */
message: string, };

/**
 * A yes within bounds; those that are not given are as offered.
 */
export type GrantGiven = { 
/**
 * The folder.
 */
root: string, 
/**
 * The request.
 */
id: string, 
/**
 * Its fingerprint, as it was shown.
 */
fingerprint: string, 
/**
 * How far it goes.
 */
bounds: LessBounds, };

/**
 * A yes, and trust in the command from now on.
 */
export type Allowed = { 
/**
 * The folder.
 */
root: string, 
/**
 * The request.
 */
id: string, 
/**
 * Its fingerprint, as it was shown.
 */
fingerprint: string, };

/**
 * What of an offer the person made smaller, or larger within what any grant may be.
 */
export type LessBounds = { 
/**
 * So many different files.
 */
files?: number, 
/**
 * So many calls.
 */
calls?: number, 
/**
 * So many lines.
 */
lines?: number, 
/**
 * So many minutes.
 */
minutes?: number, };

/**
 * A draft as the person edited it.
 */
export type DraftEdited = { 
/**
 * The folder.
 */
root: string, 
/**
 * The request.
 */
id: string, 
/**
 * The draft; of more scope for an intent, only its `owned_scope` counts.
 */
draft: Draft, };

/**
 * A yes to a draft as the person edited it, and saw its change.
 */
export type DraftAccepted = { 
/**
 * The folder.
 */
root: string, 
/**
 * The request.
 */
id: string, 
/**
 * Its fingerprint, as it was shown.
 */
fingerprint: string, 
/**
 * The draft that was sent with `approval/change`.
 */
draft: Draft, 
/**
 * What `approval/change` called the change that the person saw.
 */
shown: string, 
/**
 * The second word that a broad scope needs.
 */
broad?: boolean, };

/**
 * What accepting it would write.
 */
export type Change = { 
/**
 * The change of the intents file as a unified diff.
 */
diff: string, 
/**
 * Names this change; `approval/amend` takes it back.
 */
shown: string, 
/**
 * How wide its scope is, where that needs a second word.
 */
broad?: Breadth, };

/**
 * A grant to end.
 */
export type Revoke = { 
/**
 * The folder.
 */
root: string, 
/**
 * The grant, such as `grant#3`.
 */
grant: string, };

/**
 * The end of a review.
 */
export type Review = { 
/**
 * The folder.
 */
root: string, 
/**
 * The grant.
 */
grant: string, 
/**
 * Names the change that was shown.
 */
shown: string, 
/**
 * The files to put back; none keeps everything.
 */
back: Array<string>, };

/**
 * A page of what was answered, the newest first.
 */
export type History = { 
/**
 * The folder.
 */
root: string, 
/**
 * The last request of the page before; the first page without it.
 */
before?: string, };

/**
 * What was answered.
 */
export type HistoryPage = { 
/**
 * The newest first.
 */
answered: Array<Answered>, 
/**
 * Whether there are older ones.
 */
more: boolean, };

/**
 * A request that was answered.
 */
export type Answered = { 
/**
 * Its id.
 */
id: string, 
/**
 * What kind of question it was.
 */
kind: Kind, 
/**
 * The intent that was active.
 */
intent_id: string | null, 
/**
 * Who asked.
 */
asked_by: AskedBy, 
/**
 * The tool's canonical name.
 */
tool: string, 
/**
 * What was drafted.
 */
draft: Draft | null, 
/**
 * The paths that it was about, relative to the root.
 */
changed_paths: Array<string>, 
/**
 * Why a person was asked.
 */
reason: string, 
/**
 * What was answered.
 */
outcome: Outcome, 
/**
 * Who answered, or what ended it, where it is known.
 */
by: string | null, 
/**
 * When, or when the yes was used, or when the time was over.
 */
at: string, 
/**
 * What the agent was told with a no.
 */
feedback: string | null, 
/**
 * The newest ledger entry of what was done with the yes that was not taken back whole; `undo/plan` takes it.
 */
entry: string | null, 
/**
 * Whether all that was done with the yes was taken back.
 */
undone: boolean, 
/**
 * Whether some of it was.
 */
undone_in_part: boolean, };

/**
 * What was answered.
 */
export type Outcome = "approved" | "used" | "granted" | "lapsed" | "void" | "rejected" | "ended" | "unanswered" | "not_run";

/**
 * A ledger entry that a person may take back.
 */
export type Undo = { 
/**
 * The folder.
 */
root: string, 
/**
 * The id of the entry.
 */
entry: string, };

/**
 * What taking it back would do: all of it or, with an obstacle, nothing.
 */
export type UndoPlan = { 
/**
 * The files that would change.
 */
files: Array<UndoFile>, 
/**
 * Those that are as they were before already.
 */
already: Array<string>, 
/**
 * Those that cannot be put back.
 */
obstacles: Array<Obstacle>, 
/**
 * Names this plan; `undo/finish` takes it back.
 */
shown: string, };

/**
 * One file of it.
 */
export type UndoFile = { 
/**
 * Relative to the root.
 */
path: string, 
/**
 * `returns`, `goes` or `changes back`.
 */
what: string, 
/**
 * From what is there to what will be, as a unified diff.
 */
diff: string, };

/**
 * A file that cannot be put back.
 */
export type Obstacle = { 
/**
 * Relative to the root.
 */
path: string, 
/**
 * Why.
 */
why: string, };

/**
 * A person takes back what was shown.
 */
export type UndoGiven = { 
/**
 * The folder.
 */
root: string, 
/**
 * The id of the entry.
 */
entry: string, 
/**
 * What `undo/plan` called the plan that the person saw.
 */
shown: string, };

/**
 * A reading command.
 */
export type Query = { 
/**
 * The folder.
 */
root: string, 
/**
 * Its words without the program's name, such as `["trace", "blame", "src/x.rs"]`; `--json` is added.
 */
args: Array<string>, };

/**
 * What it printed.
 */
export type Queried = { 
/**
 * The status it ended with: 0 done, 1 found something wrong, 2 usage or environment.
 */
exit: number, 
/**
 * Its JSON; `null` when it printed none.
 */
value: unknown, 
/**
 * What it said on standard error, where it printed no JSON.
 */
trouble?: string, };

/**
 * An intents file that is not saved yet.
 */
export type CheckText = { 
/**
 * The folder.
 */
root: string, 
/**
 * The whole text.
 */
text: string, };

/**
 * What is wrong with it.
 */
export type Checked = { 
/**
 * The findings, in the order of their places.
 */
diagnostics: Array<Diagnostic>, };

/**
 * One finding, as `intent check --json` has it.
 */
export type Diagnostic = { 
/**
 * The line, from 1; 0 when the whole file is meant.
 */
line: number, 
/**
 * The column, from 1; 0 when the whole line is meant.
 */
column: number, 
/**
 * What is wrong.
 */
message: string, 
/**
 * What to do about it, such as the likely word; empty when there is nothing to say.
 */
fix: string, 
/**
 * Whether the gate refuses everything because of it, or only a person should know.
 */
severity: Severity, };

/**
 * How grave a finding is.
 */
export type Severity = "error" | "warning";

/**
 * Whether somebody uses the window.
 */
export type Attention = { 
/**
 * Whether it has the focus.
 */
focused: boolean, };

/**
 * A question for the person.
 */
export type Ask = { 
/**
 * The request.
 */
approval: Approval, };

/**
 * What came of it.
 */
export type AskAnswer = { 
/**
 * The person's answer. Anything but `approve` and `view` is a no.
 */
decision: AskDecision, 
/**
 * The second word that a yes to a broad scope needs; without it such a yes answers nothing.
 */
broad?: boolean, 
/**
 * What the agent shall be told with a no.
 */
feedback?: string, };

/**
 * Yes, no, or in the view.
 */
export type AskDecision = "approve" | "reject" | "view";

/**
 * A question that needs no answer any more.
 */
export type Over = { 
/**
 * The folder.
 */
root: string, 
/**
 * The request.
 */
id: string, 
/**
 * Why, as a sentence for the person.
 */
why: string, };

/**
 * What is shown changed.
 */
export type Changed = { 
/**
 * Everything that is shown now.
 */
snapshot: Snapshot, };

/**
 * A request that waits for an answer.
 */
export type Approval = { 
/**
 * The folder that it is of.
 */
root: string, 
/**
 * Its id, such as `ap-3f9c2b7a`.
 */
id: string, 
/**
 * Names what is asked; every answer takes it back, so that it is to the request as it was shown.
 */
fingerprint: string, 
/**
 * Who can answer it.
 */
status: ApprovalStatus, 
/**
 * What kind of question it is.
 */
kind: Kind, 
/**
 * The active intent.
 */
intent_id: string | null, 
/**
 * Who asks, as one text.
 */
actor: string, 
/**
 * The same in parts.
 */
asked_by: AskedBy, 
/**
 * The tool's canonical name.
 */
tool: string, 
/**
 * What is drafted, where the question is whether to write it.
 */
draft: Draft | null, 
/**
 * The grant that may be given in place of a single yes.
 */
offer: Bounds | null, 
/**
 * How wide the drafted scope is, where a yes needs a second word.
 */
broad: Breadth | null, 
/**
 * The command that may be allowed from now on.
 */
allows: string | null, 
/**
 * The paths that will change, relative to the root.
 */
changed_paths: Array<string>, 
/**
 * A unified diff of what will change, or the command as text.
 */
diff_preview: string, 
/**
 * Why a person is asked.
 */
reason: string, 
/**
 * What changed since, so that a yes lets nothing through.
 */
void?: string, 
/**
 * What the change means, where there is one to classify.
 */
mutation: Mutation | null, 
/**
 * When it was asked.
 */
created: string, 
/**
 * When it lapses.
 */
expires: string, 
/**
 * The lines of the preview that deserve the first look, the gravest first.
 */
first_screen: Array<FirstLine>, 
/**
 * What of the change is in no preview; then a yes takes a second word, as for a broad scope.
 */
unseen?: string, 
/**
 * How many lines come.
 */
added: number, 
/**
 * How many lines go.
 */
removed: number, 
/**
 * The class and effect of its tool, such as `DESTRUCTIVE · write`; empty for drafts.
 */
class: string, 
/**
 * What the agent's person asked for last, where it is known.
 */
prompt?: string, 
/**
 * The intent that it serves, as its own working copy has it.
 */
intent?: IntentFacts, };

/**
 * Who can answer.
 */
export type ApprovalStatus = "open" | "with_host";

/**
 * What kind of question it is.
 */
export type Kind = "destructive" | "scope_override" | "intent_proposal" | "scope_expansion" | "outbound";

/**
 * Who asks.
 */
export type AskedBy = { 
/**
 * The agent's host.
 */
host: string, 
/**
 * Its session.
 */
session: string, 
/**
 * Its sub-agent.
 */
agent: string | null, 
/**
 * The working copy.
 */
worktree: string | null, 
/**
 * The folder that it works in.
 */
folder: string | null, };

/**
 * An intent that somebody drafted.
 */
export type Draft = { 
/**
 * The goal in one line.
 */
name: string, 
/**
 * The reason.
 */
why: string | null, 
/**
 * What it may change.
 */
owned_scope: Array<string>, 
/**
 * When it is done.
 */
acceptance_criteria: Array<string>, };

/**
 * How far a grant goes.
 */
export type Bounds = { 
/**
 * Only these paths of the scope; none means all of it.
 */
paths: Array<string>, 
/**
 * So many different files.
 */
max_files: number, 
/**
 * So many calls.
 */
max_calls: number, 
/**
 * So many lines, added and removed.
 */
max_lines: number, 
/**
 * So many lines in one call.
 */
max_lines_per_call: number, 
/**
 * So many seconds, and never longer than the turn.
 */
seconds: number, };

/**
 * How wide a drafted scope is.
 */
export type Breadth = { 
/**
 * How many files it owns.
 */
files: number, 
/**
 * Of how many.
 */
of: number, 
/**
 * How many of its files can run code.
 */
can_run: number, };

/**
 * The class of a change and what it rests on.
 */
export type Mutation = { 
/**
 * `AST_REFACTOR` or `INTENT_EVOLUTION`.
 */
class: string, 
/**
 * What proved it or stood against it.
 */
method: string, 
/**
 * What the agent said it was.
 */
claimed?: string, 
/**
 * The first things to know.
 */
evidence: Array<Evidence>, };

/**
 * One thing to know of a change.
 */
export type Evidence = { 
/**
 * The line, from 1.
 */
line: number, 
/**
 * The file.
 */
path: string, 
/**
 * A short sentence.
 */
what: string, };

/**
 * A line that deserves the first look.
 */
export type FirstLine = { 
/**
 * What it is.
 */
kind: LineKind, 
/**
 * Its text, or the part of it that is marked; inert.
 */
text: string, 
/**
 * Its file; empty for commands and notes.
 */
path: string, 
/**
 * Its number: after the change, or before it where it goes.
 */
line?: number, 
/**
 * Why it deserves a look.
 */
mark?: string, };

/**
 * What a line of a preview is.
 */
export type LineKind = "file" | "hunk" | "added" | "removed" | "context" | "command" | "note";

/**
 * What a person needs to know of an intent.
 */
export type IntentFacts = { 
/**
 * The goal in one line.
 */
name: string, 
/**
 * The reason.
 */
why: string | null, 
/**
 * Such as `IN_PROGRESS`.
 */
status: string, 
/**
 * What it owns.
 */
scope: Array<string>, };

/**
 * Everything that is shown.
 */
export type Snapshot = { 
/**
 * One for each folder of the window, in its order.
 */
folders: Array<FolderSnapshot>, };

/**
 * A folder of the window.
 */
export type Folder = { 
/**
 * Its governed root, or the folder itself where there is none; names it in every other message.
 */
root: string, 
/**
 * The last part of it.
 */
name: string, 
/**
 * Whether the gate is there.
 */
state: State, 
/**
 * What keeps calls from being judged.
 */
trouble?: Trouble, };

/**
 * Whether the gate is there.
 */
export type State = "governed" | "not_set_up" | "trouble";

/**
 * What is wrong, and the one next step.
 */
export type Trouble = { 
/**
 * What happens, and why.
 */
what: string, 
/**
 * What to do, as a sentence.
 */
next: string, };

/**
 * One folder as it is now.
 */
export type FolderSnapshot = { 
/**
 * Its governed root, or the folder itself.
 */
root: string, 
/**
 * The last part of it.
 */
name: string, 
/**
 * Whether the gate is there.
 */
state: State, 
/**
 * What keeps calls from being judged.
 */
trouble?: Trouble, 
/**
 * The pause in force: nobody is asked.
 */
pause?: Pause, 
/**
 * What waits, oldest first.
 */
approvals: Array<Approval>, 
/**
 * The live grants.
 */
grants: Array<Grant>, 
/**
 * The grants that wait for a review.
 */
reviews: Array<Reviewed>, 
/**
 * The intents whose work an agent calls done. It completes nothing.
 */
done: Array<Done>, 
/**
 * The agents that acted lately.
 */
agents: Array<Agent>, 
/**
 * How many agents' processes run.
 */
running: number, 
/**
 * Other texts as soon as a query would answer otherwise.
 */
marks: Marks, };

/**
 * Opaque texts: another one means that queries about it answer otherwise.
 */
export type Marks = { 
/**
 * The ledger: `trace …`, `map`.
 */
ledger: string, 
/**
 * The intents and the settings: `intent …`, `config …`.
 */
intents: string, 
/**
 * The decision log: `log`.
 */
decisions: string, 
/**
 * The requests and their answers: `history`, which the ledger is a part of as well.
 */
answered: string, };

/**
 * A person's pause.
 */
export type Pause = { 
/**
 * Who.
 */
by: string, 
/**
 * Since when.
 */
from: string, 
/**
 * Until when at the latest.
 */
until: string, };

/**
 * A live grant.
 */
export type Grant = { 
/**
 * Such as `grant#3`.
 */
id: string, 
/**
 * The request that it answered.
 */
approval: string, 
/**
 * Who granted it.
 */
by: string, 
/**
 * Whose calls it covers.
 */
actor: string, 
/**
 * The intent.
 */
intent_id: string, 
/**
 * How far it goes.
 */
bounds: Bounds, 
/**
 * What was used.
 */
used: Used, 
/**
 * What is left.
 */
left: Left, 
/**
 * Since when.
 */
opened: string, 
/**
 * Until when at the latest.
 */
expires: string, };

/**
 * What was used of a grant.
 */
export type Used = { 
/**
 * The files, in the order in which they were first changed.
 */
files: Array<string>, 
/**
 * Lines.
 */
lines: number, 
/**
 * Calls.
 */
calls: number, };

/**
 * What is left of a grant; its time is `expires`.
 */
export type Left = { 
/**
 * Files.
 */
files: number, 
/**
 * Lines.
 */
lines: number, 
/**
 * Calls.
 */
calls: number, };

/**
 * A grant that is over and waits for a review.
 */
export type Reviewed = { 
/**
 * Such as `grant#3`.
 */
grant: string, 
/**
 * The intent.
 */
intent_id: string, 
/**
 * Whose calls it covered.
 */
actor: string, 
/**
 * Its files.
 */
files: Array<ReviewFile>, 
/**
 * Everything that was done under it, as one unified diff.
 */
diff: string, 
/**
 * Names this change; `review/finish` takes it back.
 */
shown: string, };

/**
 * One file of a review.
 */
export type ReviewFile = { 
/**
 * Relative to the root.
 */
path: string, 
/**
 * Why it cannot be put back.
 */
obstacle?: string, };

/**
 * An agent calls the work of an intent done.
 */
export type Done = { 
/**
 * The intent's id.
 */
intent: string, 
/**
 * Who says so.
 */
actor: string, 
/**
 * What it says.
 */
summary: string, };

/**
 * An agent that acted lately.
 */
export type Agent = { 
/**
 * Its name as one text.
 */
actor: string, 
/**
 * Its host.
 */
host: string, 
/**
 * Its session.
 */
session: string, 
/**
 * Its sub-agent.
 */
agent?: string, 
/**
 * `REQUEST`, `REASONING` or `ACTION`.
 */
state: string, 
/**
 * Its active intent.
 */
intent?: string, 
/**
 * Whether its session is halted.
 */
halted: boolean, 
/**
 * Its last call.
 */
last: string, };
