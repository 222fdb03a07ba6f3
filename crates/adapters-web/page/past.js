// What was answered, for reading, and what of it can be taken back.

import { button, counted, el, moment } from "./dom.js";
import { table } from "./diff.js";

/** The answers, newest first. */
export function answered(rows, hasMore, { older, takeBack }) {
  const row = (one) => el("li", {},
    el("p", {}, el("strong", {}, one.what), " ", el("span", { class: "name" }, one.intent ?? "")),
    el("p", {}, one.said, el("span", { class: "faint" }, ` · ${one.agent} · ${moment(one.at)}${one.undone ? ` · ${one.undone}` : ""}`)),
    one.feedback ? el("p", {}, el("q", {}, one.feedback)) : null,
    one.entry ? button("Take it back…", null, () => takeBack(one), { "aria-label": `Take back: ${one.what}` }) : null);
  return el("section", { class: "record", "aria-labelledby": "heading" }, el("h2", { id: "heading", tabindex: "-1" }, "Answered"),
    el("p", { class: "faint" }, "What was answered in the last day, here or elsewhere."),
    rows.length === 0 ? el("p", {}, "Nothing was answered yet.") : el("ul", {}, rows.map(row)),
    hasMore ? el("p", {}, button("Show older answers", null, older, { id: "older" })) : null);
}

/** What taking back would do, and whether there is anything to do. */
export function planned(plan, view) {
  const { files, obstacles, lines } = plan;
  if (obstacles.length > 0) {
    return { can: false, text: el("div", {}, el("p", {}, "Nothing can be put back, since it is all or none:"),
      el("ul", { class: "paths" }, obstacles.map(([path, why]) => el("li", { class: "alarm" }, `${path}: ${why}`)))) };
  }
  if (files.length === 0) return { can: false, text: el("p", {}, "Everything is as it was before.") };
  return { can: true, text: el("div", {},
    el("ul", { class: "paths" }, files.map(([path, what]) => el("li", {}, `${path} ${what}`))),
    el("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": "What would be put back" },
      table(lines, { isWide: view.isWide, isWhole: true, caption: `What would be put back: ${counted(files.length, "file", "files")}` }))) };
}
