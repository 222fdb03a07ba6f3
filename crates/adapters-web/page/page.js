// The page: what is shown, which request, and what keys do. It decides nothing; Bailiwick does.

import { Closed, act, enter, follow } from "./wire.js";
import { button, counted, el } from "./dom.js";
import * as ask from "./answers.js";
import * as past from "./past.js";
import * as queue from "./queue.js";
import * as record from "./record.js";
import * as review from "./review.js";

const main = document.getElementById("main");
const note = document.getElementById("note");
const wide = matchMedia("(min-width: 70rem)");
const state = { board: null, chosen: null, since: 0, isWhole: false, isSilent: false, tab: "queue", reviewing: null, back: new Set(), filter: { path: "", intent: "" } };
const view = () => ({ isWide: wide.matches, isWhole: state.isWhole });

function say(text) {
  note.textContent = text;
}

function request() {
  return state.board?.requests.find((one) => one.id === state.chosen) ?? null;
}

function reviewed() {
  return state.board?.reviews.find((one) => one.id === state.reviewing) ?? null;
}

/** Chooses a request; what just came up takes no answer for a moment. */
function choose(at) {
  const next = state.board.requests[at];
  if (!next || (next.id === state.chosen && state.reviewing === null)) return;
  state.reviewing = null;
  state.chosen = next.id;
  state.since = performance.now();
  state.isWhole = false;
  draw();
  document.getElementById("request")?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function step(by) {
  const at = state.board?.requests.findIndex((one) => one.id === state.chosen) ?? -1;
  if (at >= 0) choose(Math.min(Math.max(at + by, 0), state.board.requests.length - 1));
}

function onboard(board) {
  const before = state.board?.requests.findIndex((one) => one.id === state.chosen) ?? -1;
  state.board = board;
  onsilence(false);
  if (request() === null) {
    const next = board.requests[Math.min(Math.max(before, 0), board.requests.length - 1)];
    state.chosen = next?.id ?? null;
    state.since = performance.now();
    state.isWhole = false;
  }
  if (ask.about() !== null && !board.requests.some((one) => one.id === ask.about())) {
    ask.close();
    say("That request no longer waits.");
  }
  if (state.reviewing !== null && reviewed() === null) {
    state.reviewing = null;
    state.since = performance.now();
  }
  draw();
}

function onsilence(isSilent) {
  state.isSilent = isSilent;
  alarm();
}

function onclosed() {
  ask.close();
  document.title = "Bailiwick: closed";
  state.board = null;
  document.getElementById("alarm").replaceChildren();
  document.getElementById("tabs").replaceChildren();
  main.replaceChildren(el("section", { class: "closed" },
    el("h2", {}, "This page is closed"),
    el("p", {}, "Press Enter in the terminal of `bailiwick watch --web` and open the new link.")));
}

function alarm() {
  const { board, isSilent } = state;
  const lines = [];
  if (isSilent) lines.push("Bailiwick does not answer. Nothing can be answered here until it does; look at its terminal.");
  if (board?.trouble) lines.push(`${board.trouble.effect}: ${board.trouble.why} ${board.trouble.next}`);
  if (board?.pause) lines.push(`PAUSED by ${board.pause.by} until ${new Date(board.pause.until).toLocaleTimeString()}: nobody is asked.`);
  const place = document.getElementById("alarm");
  const text = lines.join("\n");
  if (place.dataset.text === text) return;
  place.dataset.text = text;
  place.replaceChildren(...lines.map((line) => el("p", {}, line)));
}

/** Draws what differs from what is on the page, so that neither focus nor place is lost. */
function draw() {
  const { board } = state;
  if (board === null) return;
  const waiting = board.requests.length;
  document.title = `${waiting > 0 ? `(${waiting}) ` : ""}Bailiwick · ${board.root.split("/").pop()}`;
  document.getElementById("root").textContent = board.root;
  // It is read out, so only when it differs.
  const place = document.getElementById("state");
  const says = waiting === 0 ? "Nothing waits." : `${counted(waiting, "request waits", "requests wait")}.`;
  if (place.textContent !== says) place.textContent = says;
  tabs();
  if (state.tab !== "queue") return;
  const parts = [
    ["left", JSON.stringify([board.requests, state.chosen]), () => el("section", { "aria-label": "Requests" }, queue.list(board, state.chosen, choose))],
    ["right", JSON.stringify([reviewed() ?? request(), view(), [...state.back]]), () => reviewed() !== null
      ? review.shown(reviewed(), state.back, view(), reviews)
      : request() === null
      ? el("article", { id: "request", tabindex: "-1" }, el("h2", {}, "Nothing waits for an answer"), el("p", { class: "faint" }, "Keep this page in view while agents work: they ask here."))
      : queue.shown(request(), view(), acts)],
    ["below", JSON.stringify([board.agents, board.done, board.grants, board.reviews, board.running]), () => queue.aside(board, acts)],
  ];
  for (const [name, key, make] of parts) {
    let place = document.getElementById(`part-${name}`);
    if (place === null) {
      main.replaceChildren(...parts.map(([part]) => el("div", { id: `part-${part}` })));
      place = document.getElementById(`part-${name}`);
    }
    if (place.dataset.key === key) continue;
    const hadFocus = place.contains(document.activeElement) ? document.activeElement.className : null;
    place.dataset.key = key;
    place.replaceChildren(make());
    if (hadFocus !== null) (name === "right" ? document.getElementById("request") : place.querySelector("[aria-current]"))?.focus({ preventScroll: true });
  }
  queue.tick(Date.now());
}

const TABS = [["queue", "Queue", "1"], ["intents", "Intents", "2"], ["ledger", "Ledger", "3"], ["answered", "Answered", "4"]];

function tabs() {
  const place = document.getElementById("tabs");
  if (place.dataset.tab === state.tab) return;
  place.dataset.tab = state.tab;
  place.replaceChildren(...TABS.map(([tab, name, key]) => button(name, key, () => open(tab), { "aria-current": tab === state.tab ? "page" : null })));
}

/** Opens a view; what is read is asked for once. */
async function open(tab) {
  state.tab = tab;
  state.since = performance.now();
  if (tab === "queue") return draw();
  const asked = { intents: { do: "intents" }, ledger: { do: "changes", ...state.filter }, answered: { do: "answered" } }[tab];
  const told = await send(asked);
  if (state.tab !== tab || !told || told.is === "refused") return draw();
  draw();
  if (tab === "intents") main.replaceChildren(record.intents(told.intents));
  else if (tab === "ledger") ledger(told.changes, told.next);
  else answers(told.answered, told.has_more);
  document.getElementById("heading").focus();
}

/** Puts a longer list in the place of a shorter one; whoever pressed the button for it goes on from there. */
function lengthen(list) {
  main.replaceChildren(list);
  (document.getElementById("older") ?? document.getElementById("heading")).focus({ preventScroll: true });
}

/** The changes so far; `next` is behind which the older ones come. */
function ledger(rows, next) {
  const choose = (filter) => {
    state.filter = filter;
    open("ledger");
  };
  const older = next && (async () => {
    const told = await send({ do: "changes", ...state.filter, behind: next });
    if (state.tab === "ledger" && told?.is === "changes") ledger([...rows, ...told.changes], told.next);
  });
  lengthen(record.changes(rows, state.filter, { choose, older }));
}

/** The answers so far. */
function answers(rows, hasMore) {
  const older = async () => {
    const told = await send({ do: "answered", before: rows.at(-1).id });
    const known = new Set(rows.map((one) => one.id));
    if (state.tab === "answered" && told?.is === "answered") answers([...rows, ...told.answered.filter((one) => !known.has(one.id))], told.has_more);
  };
  lengthen(past.answered(rows, hasMore, { older, takeBack }));
}

/** Shows what taking a change back would do; a further key does exactly that. */
async function takeBack(one) {
  const plan = await send({ do: "plan", entry: one.entry });
  if (plan?.is !== "planned") return;
  const { can, text } = past.planned(plan, view());
  if (!can) return ask.tell("It cannot be taken back", text);
  ask.confirm(`Put back ${counted(plan.files.length, "file", "files")}?`, text, "Put back", async () => {
    await send({ do: "take_back", entry: one.entry, shown: plan.shown });
    if (state.tab === "answered") open("answered");
  });
}

/** Sends an action and says what came of it. */
async function send(action) {
  if (state.isSilent) return say("Bailiwick does not answer; nothing was sent.");
  try {
    const reply = await act(action);
    if (reply.says) say(reply.says);
    return reply;
  } catch (error) {
    if (error instanceof Closed) onclosed();
    else say("Bailiwick does not answer. Look at the queue before you answer again.");
    return null;
  }
}

/** An answer to the shown request, unless it came too soon to be meant. */
function answering(answer) {
  return () => {
    const asked = state.tab === "queue" && state.reviewing === null ? request() : null;
    if (asked === null) return;
    if (asked.with_host) return say("With the host: answer it there.");
    if (ask.isSlip(state.since)) return say("Too fast: press again to confirm");
    answer(asked, { id: asked.id, fingerprint: asked.fingerprint });
  };
}

function editing(asked, named, text) {
  ask.draft(asked, text, async (edited) => {
    const drafted = await send({ do: "draft", ...named, text: edited });
    if (drafted?.is !== "drafted") return drafted?.says ?? "Bailiwick does not answer.";
    const accept = (isConfirmed) => send({ do: "amend", ...named, text: edited, shown: drafted.shown, broad: isConfirmed });
    ask.edited(asked, drafted, view(), {
      accept: () => {
        ask.close();
        if (drafted.broad) ask.broad(asked, drafted.broad, () => accept(true));
        else accept(false);
      },
      again: () => editing(asked, named, edited),
    });
    return null;
  });
}

const acts = {
  approve: answering((asked, named) => {
    if (asked.broad) ask.broad(asked, asked.broad, () => send({ do: "approve", ...named, broad: true }));
    else if (asked.unseen) ask.unseen(asked, () => send({ do: "approve", ...named, broad: true }));
    else send({ do: "approve", ...named });
  }),
  reject: answering((asked, named) => ask.feedback(asked, (feedback) => send({ do: "reject", ...named, feedback }))),
  edit: answering((asked, named) => {
    if (asked.draft === null) return say("Only a drafted intent, or more scope for one, can be edited.");
    editing(asked, named, asked.draft);
  }),
  grant: answering((asked, named) => {
    if (asked.offer === null) return say("No grant can answer this request.");
    ask.bounds(asked, (bounds) => send({ do: "grant", ...named, bounds }));
  }),
  allow: answering((asked, named) => {
    if (asked.allows === null) return say("This request is not a command that can be allowed.");
    ask.command(asked, (command) => send({ do: "allow", ...named, command }));
  }),
  context: () => {
    state.isWhole = !state.isWhole;
    draw();
  },
  revoke: (grant) => ask.confirm(`Revoke ${grant}?`, el("p", {}, "Edits are asked about again."), "Revoke", () => send({ do: "revoke", grant })),
  review: (grant) => {
    state.reviewing = grant;
    state.back = new Set();
    state.isWhole = false;
    state.since = performance.now();
    draw();
    document.getElementById("request")?.focus();
  },
};

/** Asks for the last word, then keeps or puts back. */
function settle(paths) {
  const asked = reviewed();
  if (asked === null) return;
  if (ask.isSlip(state.since)) return say("Too fast: press again to confirm");
  const stays = asked.files.find((file) => file.obstacle !== null && paths.includes(file.path));
  if (stays) return say(`${stays.shown} cannot be put back: ${stays.obstacle}`);
  const names = asked.files.filter((file) => paths.includes(file.path)).map((file) => el("li", {}, file.shown));
  const title = paths.length === 0 ? `Keep everything of ${asked.id}?` : `Put back ${counted(paths.length, "file", "files")} of ${asked.id}?`;
  ask.confirm(title, el("ul", { class: "paths" }, names), paths.length === 0 ? "Keep" : "Put back", () => send({ do: "review", grant: asked.id, shown: asked.shown, back: paths }));
}

const reviews = {
  mark: (path) => {
    if (!state.back.delete(path)) state.back.add(path);
    draw();
  },
  keep: () => settle([...state.back]),
  all: () => settle(reviewed()?.files.map((file) => file.path) ?? []),
  later: () => {
    state.reviewing = null;
    state.since = performance.now();
    draw();
  },
};

/** The review that has waited longest, or the one after the shown one. */
function nextReview() {
  const all = state.board.reviews;
  const at = all.findIndex((one) => one.id === state.reviewing);
  const next = all[at + 1] ?? all[0];
  if (next) acts.review(next.id);
  else say("No grant waits for a review.");
}

const KEYS = {
  a: acts.approve, r: acts.reject, e: acts.edit, g: acts.grant, t: acts.allow, c: acts.context,
  j: () => step(1), n: () => step(1), ArrowDown: () => step(1),
  k: () => step(-1), p: () => step(-1), ArrowUp: () => step(-1),
  v: nextReview, 1: () => open("queue"), 2: () => open("intents"), 3: () => open("ledger"), 4: () => open("answered"),
  x: () => document.getElementById("grants")?.focus() ?? say("No grant is live."),
  "?": ask.help,
};
const REVIEW_KEYS = { ...KEYS, a: reviews.keep, r: reviews.all, Escape: reviews.later, e: null, g: null, t: null };

document.addEventListener("keydown", (event) => {
  if (!event.isTrusted || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (ask.isAsking() || event.target.matches("input:not([type=checkbox]), textarea, select")) return;
  // Arrows scroll a change that has the focus.
  if (event.key.startsWith("Arrow") && event.target.matches(".scrolled")) return;
  const isOpener = ["1", "2", "3", "4", "?"].includes(event.key);
  if (state.tab !== "queue" && !isOpener) return;
  const key = (state.reviewing === null ? KEYS : REVIEW_KEYS)[event.key];
  if (!key || state.board === null) return;
  event.preventDefault();
  say("");
  key();
});
// What was pressed for another window is no answer here.
addEventListener("focus", () => (state.since = performance.now()));
document.getElementById("keys").addEventListener("click", ask.help);
wide.addEventListener("change", draw);
setInterval(() => queue.tick(Date.now()), 5000);

try {
  await enter();
  await follow({ onboard, onsilence, onclosed });
} catch {
  onclosed();
}
