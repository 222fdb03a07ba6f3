// The intents and the newest changes of the ledger, for reading.

import { button, el } from "./dom.js";

/** The intents, by status. */
export function intents(all) {
  const order = ["IN_PROGRESS", "PENDING", "BLOCKED", "COMPLETED", "ABANDONED"];
  const place = (status) => (order.includes(status) ? order.indexOf(status) : order.length);
  const statuses = [...new Set(all.map((intent) => intent.status))].sort((a, b) => place(a) - place(b));
  const row = (intent) => el("li", {},
    el("p", {}, el("span", { class: "name" }, intent.id), " ", el("strong", {}, intent.name)),
    intent.why ? el("p", { class: "faint why" }, intent.why) : null,
    el("p", {}, "Scope: ", intent.scope.length ? el("code", {}, intent.scope.join(", ")) : "nothing"),
    intent.requirements.length ? el("p", { class: "faint" }, `Requirements: ${intent.requirements.join(", ")}`) : null);
  return el("section", { class: "record", "aria-labelledby": "heading" }, el("h2", { id: "heading", tabindex: "-1" }, "Intents"),
    all.length === 0 ? el("p", {}, "There are no intents yet.") : null,
    statuses.map((status) => [el("h3", {}, status), el("ul", {}, all.filter((intent) => intent.status === status).map(row))]));
}

/** Changes, the newest first, and the filter that chose them. */
export function changes(rows, filter, { choose, older }) {
  const field = (name, label) => [el("label", { for: `filter-${name}` }, label, " "), el("input", { id: `filter-${name}`, type: "search", value: filter[name], onkeydown: (event) => event.key === "Enter" && apply() }), " "];
  const apply = () => choose({ path: document.getElementById("filter-path").value, intent: document.getElementById("filter-intent").value.trim() });
  const heads = ["When", "File", "What", "Intent", "Class", "Agent", "Approved", "Known"];
  const row = (one) => el("tr", {}, [one.at, [one.path, one.lines ? `, ${one.lines}` : null], one.what, one.intent, one.class, one.actor, one.approved].map((cell) => el("td", {}, cell)),
    el("td", { class: one.is_claimed ? "alarm" : null }, one.known));
  return el("section", { class: "record", "aria-labelledby": "heading" }, el("h2", { id: "heading", tabindex: "-1" }, "Ledger"),
    el("p", { role: "search" }, field("path", "Path holds"), field("intent", "Intent"), el("button", { type: "button", onclick: apply }, "Filter")),
    rows.length === 0 ? el("p", {}, "No change matches.") : el("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": "Changes" }, el("table", {},
      el("caption", { class: "said" }, "Changes, the newest first"), el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows.map(row)))),
    older ? el("p", {}, button("Show older changes", null, older, { id: "older" })) : null);
}
