// The queue: the list of requests, the shown one with its change, agents and grants.

import { button, counted, duration, el, said } from "./dom.js";
import { leftOut, table } from "./diff.js";

/** A change with more unchanged lines than this is shown without those that are far from what changes. */
const LONG = 120;

/** Requests, oldest first; the shown one is current. */
export function list(board, chosen, choose) {
  const row = (request, at) => el("li", {},
    el("button", { type: "button", class: "row", "aria-current": request.id === chosen ? "true" : null, onclick: () => choose(at) },
      el("span", { class: "what" }, request.what),
      el("span", { class: "who" },
        el("span", { class: "name" }, request.intent?.id ?? "no intent"), ` ${request.agent} `,
        request.first.length ? el("span", { class: "mark" }, `!${request.first.length}`, said(" lines to look at")) : null),
      el("span", { class: "left", "data-until": request.with_host ? null : request.expires }, request.with_host ? "host" : "")));
  return el("ol", { id: "list" }, board.requests.map(row));
}

function fact(name, ...content) {
  return [el("dt", {}, name), el("dd", {}, ...content)];
}

function facts(request) {
  const { intent } = request;
  const named = intent && (intent.name ? `${intent.id} ${intent.name} (${intent.status})` : intent.id);
  return el("dl", {},
    request.prompt ? fact("You said", el("q", {}, request.prompt)) : null,
    fact("Why", request.reason),
    intent ? fact("Intent", named, intent.why ? el("span", { class: "faint" }, ` ${intent.why}`) : null) : null,
    request.paths.length ? fact("Paths", el("ul", { class: "paths" }, request.paths.map((path) => el("li", {}, path)))) : null,
    intent?.scope.length ? fact("Scope", intent.scope.join(", ")) : null,
    fact("Agent", request.agent, request.folder ? ` in ${request.folder}` : null),
    request.class ? fact("Class", request.class) : null,
    request.change ? fact("Change", request.change) : null);
}

/** The lines that deserve the first look, each leading to its place. */
function looks(request) {
  if (request.first.length === 0) return null;
  const SHOWN = 12;
  const row = (at) => {
    const line = request.lines[at];
    const place = line.path ? `${line.path}${line.number ? `:${line.number}` : ""}` : "command";
    const text = line.kind === "file" ? "" : line.text.trim().slice(0, 200);
    const jump = () => {
      const line = document.getElementById(`line-${at}`);
      line?.scrollIntoView({ block: "center" });
      line?.focus({ preventScroll: true });
    };
    return el("li", {}, el("button", { type: "button", class: "look", onclick: jump },
      el("span", { class: "mark" }, line.mark), " ", el("span", { class: "faint" }, place), " ", el("code", {}, text)));
  };
  const more = request.first.length - SHOWN;
  return el("section", { class: "looks", "aria-label": "Lines to look at first" },
    el("h3", {}, "Look at these lines first"),
    el("ol", {}, request.first.slice(0, SHOWN).map(row)),
    more > 0 ? el("p", { class: "faint" }, `and ${more} more marked lines below`) : null,
    el("p", { class: "faint" }, "A line without a mark can still be bad."));
}

/** Whether all unchanged lines are shown. */
export function isWhole(lines, wanted) {
  return wanted || lines.length <= LONG;
}

/** The shown request. */
export function shown(request, view, acts) {
  const size = request.files === 0 ? "as asked" : `${counted(request.files, "file", "files")} +${request.added} -${request.removed}`;
  const whole = isWhole(request.lines, view.isWhole);
  const hidden = whole ? 0 : leftOut(request.lines);
  const answers = request.with_host ? [] : [
    button(request.approve.charAt(0).toUpperCase() + request.approve.slice(1), "a", acts.approve, { class: "approve" }),
    button("Reject", "r", acts.reject, { class: "reject" }),
    request.draft !== null ? button("Edit", "e", acts.edit) : null,
    request.offer ? button("Grant", "g", acts.grant) : null,
    request.allows ? button("Trust", "t", acts.allow) : null,
  ];
  return el("article", { id: "request", tabindex: "-1", "aria-labelledby": "what" },
    el("h2", { id: "what" }, request.what),
    el("p", { class: "faint" }, `${request.id} · asked `, el("span", { "data-since": request.created }), " ago",
      request.with_host ? null : [", ", el("span", { "data-until": request.expires }), " left"]),
    request.banner ? el("p", { class: "banner" }, request.banner) : null,
    facts(request),
    looks(request),
    el("h3", {}, `Change: ${size}`),
    hidden > 0 ? el("p", {}, button(`Show ${counted(hidden, "unchanged line", "unchanged lines")}`, "c", acts.context)) : null,
    el("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": "The change" },
      table(request.lines, { isWide: view.isWide, isWhole: whole, caption: `The change: ${request.what}` })),
    request.unseen ? el("p", { class: "banner" }, `A part of this change is not shown: ${request.unseen}.`) : null,
    el("div", { class: "answers", role: "group", "aria-label": "Answer" }, answers));
}

/** Who is at work, and what is granted. */
export function aside(board, acts) {
  const agent = (one) => el("li", {},
    el("span", {}, one.name), " ", one.halted ? el("strong", { class: "alarm" }, "HALTED ") : null,
    el("span", { class: one.intent ? "name" : "faint" }, one.intent ?? one.state), " ",
    el("span", { class: "faint" }, el("span", { "data-since": one.last }), " ago"));
  const grant = (one) => el("li", {},
    el("span", {}, `${one.id}  ${one.left} left  ${one.agent} `),
    button("Revoke", null, () => acts.revoke(one.id), { "aria-label": `Revoke ${one.id}` }));
  const review = (one) => el("li", {}, button(`Review ${one.id}`, null, () => acts.review(one.id)),
    ` ${counted(one.files.length, "file", "files")} +${one.added} -${one.removed} ${one.agent}`);
  const done = (one) => el("li", {}, el("span", { class: "name" }, one.intent), ` ${one.agent}: ${one.summary} `,
    el("span", { class: "faint" }, `If it is, close it: bailiwick intent close ${one.intent}`));
  return el("aside", { "aria-label": "Agents and grants" },
    board.done.length ? [el("h2", {}, "Said to be done"), el("ul", {}, board.done.map(done))] : null,
    board.reviews.length ? [el("h2", {}, "To review ", el("kbd", {}, "v")), el("ul", {}, board.reviews.map(review))] : null,
    board.grants.length ? [el("h2", { id: "grants", tabindex: "-1" }, "Grants ", el("kbd", {}, "x")), el("ul", {}, board.grants.map(grant))] : null,
    el("h2", {}, `Agents (${board.running} running)`),
    board.agents.length ? el("ul", {}, board.agents.map(agent)) : el("p", { class: "faint" }, "none acted in the last half hour"));
}

/** Brings every time that stands on the page up to date. */
export function tick(now) {
  for (const element of document.querySelectorAll("[data-until]")) element.textContent = duration(Number(element.dataset.until) - now);
  for (const element of document.querySelectorAll("[data-since]")) element.textContent = duration(now - Number(element.dataset.since));
}
