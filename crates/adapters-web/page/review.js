// The review of a grant that is over: what was done under it, as one change; keep it, or put files back.

import { button, counted, el } from "./dom.js";
import { table } from "./diff.js";
import { isWhole } from "./queue.js";

/** The review as an article. `back` are the paths that are marked to go back. */
export function shown(review, back, view, acts) {
  const row = (file, at) => el("li", {},
    el("input", { type: "checkbox", id: `file-${at}`, checked: back.has(file.path), disabled: file.obstacle !== null, onchange: () => acts.mark(file.path) }), " ",
    el("label", { for: `file-${at}` }, file.shown),
    file.obstacle === null ? null : el("span", { class: "alarm" }, `  stays: ${file.obstacle}`));
  const whole = isWhole(review.lines, view.isWhole);
  return el("article", { id: "request", tabindex: "-1", "aria-labelledby": "what" },
    el("h2", { id: "what" }, `Review ${review.id}`),
    el("p", { class: "faint" }, `${review.intent} · ${review.agent} · ${counted(review.files.length, "file", "files")} +${review.added} -${review.removed}`),
    el("h3", {}, "Mark the files to put back"),
    el("ul", { class: "paths" }, review.files.map(row)),
    el("h3", {}, "What was done"),
    el("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": "The change" },
      table(review.lines, { isWide: view.isWide, isWhole: whole, caption: `What was done under ${review.id}` })),
    el("div", { class: "answers", role: "group", "aria-label": "Review" },
      button(back.size === 0 ? "Keep all" : `Keep the others, put back ${counted(back.size, "file", "files")}`, "a", acts.keep, { class: "approve" }),
      button("Put all back", "r", acts.all, { class: "reject" }),
      button("Later", "Escape", acts.later)));
}
