// Questions before an answer is sent: feedback, bounds, a command, a broad scope, an edited draft, the keys.
//
// A question that just came up takes no key and no click: nobody has read it yet.

import { button, counted, el } from "./dom.js";
import { table } from "./diff.js";

/** An answer within this time after something came up is a slip. */
export const SLIP = 250;

const dialog = document.getElementById("dialog");
let since = 0;

/** Whether a question is open. */
export function isAsking() {
  return dialog.open;
}

/** Closes the question. */
export function close() {
  if (dialog.open) dialog.close();
  dialog.replaceChildren();
}

/**
 * Opens a question. `keys` are what single keys do, where nothing is being written; `about` is the request that it is
 * about, so that the question goes away with it.
 */
function ask(title, content, keys = {}, about = null) {
  close();
  dialog.append(el("h2", { id: "asks" }, title), ...content.flat(Infinity).filter(Boolean));
  dialog.keys = keys;
  dialog.about = about;
  since = performance.now();
  dialog.showModal();
  const first = dialog.querySelector("[data-first]");
  (first ?? dialog).focus();
}

/** Whether what was pressed came too soon to be meant. */
export function isSlip(at) {
  return performance.now() - at < SLIP;
}

function meant(act) {
  return () => {
    if (!isSlip(since)) act();
  };
}

dialog.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.matches("input, textarea, select")) return;
  const act = dialog.keys?.[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  meant(act)();
});

/** The request that an open question is about. */
export function about() {
  return dialog.open ? dialog.about : null;
}

function choices(...buttons) {
  return el("p", { class: "choices" }, ...buttons);
}

function back(text = "Back") {
  return button(text, "Escape", close, { class: "back" });
}

/** Enter in a field sends; Shift and Enter begin a line. */
function sends(act) {
  return (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat) meant(act)();
  };
}

/** A line for the agent with a rejection. */
export function feedback(request, send) {
  const field = el("textarea", { id: "feedback", rows: "3", maxlength: "4000", "data-first": true, onkeydown: sends(() => done()) });
  const done = () => {
    const text = field.value;
    close();
    send(text);
  };
  ask(`Reject: ${request.what}`, [
    el("label", { for: "feedback" }, "What should the agent know? Leave it empty to give no reason."),
    field,
    choices(button("Reject", "Enter", meant(done), { class: "reject" }), back("Keep it open")),
  ], {}, request.id);
}

const BOUNDS = [
  ["files", "files"],
  ["lines", "lines in all"],
  ["lines_per_call", "lines in one call"],
  ["calls", "calls"],
  ["minutes", "minutes, at most until the turn ends"],
];

/** The bounds of a grant. */
export function bounds(request, send) {
  const done = () => {
    const given = Object.fromEntries(BOUNDS.map(([name]) => [name, Number(document.getElementById(`bound-${name}`).value)]));
    if (BOUNDS.some(([name]) => !Number.isInteger(given[name]) || given[name] < 1)) {
      document.getElementById("wrong").textContent = "Each bound is a whole number of at least 1.";
      return;
    }
    const paths = document.getElementById("bound-paths").value.split("\n").map((path) => path.trim()).filter(Boolean);
    close();
    send({ ...given, paths });
  };
  const field = ([name, label], at) => el("p", {},
    el("input", { id: `bound-${name}`, type: "number", min: "1", step: "1", value: String(request.offer[name]), "data-first": at === 0, onkeydown: sends(done) }), " ",
    el("label", { for: `bound-${name}` }, label));
  ask("Approve this, and edits like it within these bounds?", [
    el("p", { class: "faint" }, request.what),
    BOUNDS.map(field),
    el("p", {}, el("label", { for: "bound-paths" }, "Only these paths, one pattern a line (empty: the whole scope)"),
      el("textarea", { id: "bound-paths", rows: "3", value: request.offer.paths.join("\n") })),
    el("p", { id: "wrong", role: "alert", class: "alarm" }),
    choices(button("Grant", "Enter", meant(done), { class: "approve" }), back("Keep it open")),
  ], {}, request.id);
}

/** What allowing a command means. */
export function command(request, send) {
  const done = () => {
    close();
    send(request.allows.command);
  };
  ask("Let agents run this without asking?", [
    el("pre", {}, request.allows.command),
    request.allows.means.map(([name, text]) => el("p", { class: name === "" ? "banner" : null }, name === "" ? null : [el("strong", {}, name), " "], text)),
    choices(button("Allow it, and approve this call", "y", meant(done), { class: "approve" }), back()),
  ], { y: done }, request.id);
}

/** A broad scope has a key of its own. */
export function broad(request, wide, send) {
  const done = () => {
    close();
    send();
  };
  ask("This scope is broad", [
    el("p", { class: "banner" }, `It covers ${wide.files} of ${counted(wide.of, "file", "files")} (${wide.percent}%).`),
    el("p", {}, wide.can_run === 0 ? "None of them can run code." : `${counted(wide.can_run, "file", "files")} can run code: builds, scripts, CI.`),
    choices(button("Approve all of it", "B", meant(done), { class: "approve" }), back()),
  ], { B: done }, request.id);
}

/** A change of which a part is not shown has the same key. */
export function unseen(request, send) {
  const done = () => {
    close();
    send();
  };
  ask("A part of this change is not shown", [
    el("p", { class: "banner" }, `${request.unseen}.`),
    choices(button("Approve what is not shown, too", "B", meant(done), { class: "approve" }), back()),
  ], { B: done }, request.id);
}

/** A draft as text; `preview` shows what it would be, and gives the complaint where it is none. */
export function draft(request, text, preview) {
  const field = el("textarea", { id: "draft", rows: "18", spellcheck: "false", class: "code", "data-first": true, value: text });
  const wrong = el("p", { id: "wrong", role: "alert", class: "alarm" });
  const done = async () => {
    wrong.textContent = "";
    const complaint = await preview(field.value);
    if (complaint) wrong.textContent = complaint;
  };
  ask("Edit the draft", [
    el("label", { for: "draft" }, "You see the change before anything is written."),
    field, wrong,
    choices(button("Show the change", null, meant(done), { class: "approve" }), back("Keep it open")),
  ], {}, request.id);
}

/** An edited draft as the change that it is. */
export function edited(request, drafted, view, { accept, again }) {
  ask("Accept it as you edited it?", [
    el("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": "The change" }, table(drafted.lines, { isWide: view.isWide, isWhole: true, caption: "The change of the intents file" })),
    choices(button("Accept", "y", meant(accept), { class: "approve" }), button("Edit again", "e", again), back("Keep it open")),
  ], { y: accept, e: again }, request.id);
}

/** The last word before files are kept or put back. */
export function confirm(title, text, word, send) {
  const done = () => {
    close();
    send();
  };
  ask(title, [text, choices(button(word, "y", meant(done), { class: "approve" }), back())], { y: done });
}

/** What cannot be done, to read. */
export function tell(title, text) {
  ask(title, [text, choices(back("Close"))]);
}

const KEYS = [
  ["a", "approve this call, once; a broad scope, and what is not shown whole, need B as well"],
  ["r", "reject, with a line for the agent if you like"],
  ["e", "edit a drafted intent or scope, then accept it"],
  ["g", "grant: approve it, and edits like it within bounds that you may change"],
  ["t", "trust this command from now on"],
  ["x", "the live grants, to revoke one"],
  ["v", "review what was done under a grant: keep it, or put files back"],
  ["j k ↓ ↑ n p", "next and previous request"],
  ["c", "all unchanged lines, or only those next to what changes"],
  ["1 2 3 4", "the queue, the intents, the ledger, what was answered"],
  ["Escape", "back"],
  ["?", "these keys"],
];

/** The keys. */
export function help() {
  ask("Keys", [
    el("dl", { class: "keys" }, KEYS.map(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])),
    el("p", { class: "faint" }, "! marks lines to check first; other lines can be wrong too."),
    choices(back("Close")),
  ]);
}
