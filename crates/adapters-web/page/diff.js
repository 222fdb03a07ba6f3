// A change as rows: side by side where there is room, one below the other where not.

import { el, said } from "./dom.js";

const SIGNS = { added: "+", removed: "-", command: "$" };
const SAID = { added: "added: ", removed: "removed: " };

/** Lines with the numbers on both sides. */
function numbered(lines) {
  let before = 0;
  return lines.map((line) => {
    const hunk = line.kind === "hunk" && /^@@ -(\d+)/.exec(line.text);
    if (hunk) before = Number(hunk[1]);
    const row = { ...line, old: null, fresh: null };
    if (line.kind === "removed") [row.old, before] = [line.number ?? null, before + 1];
    if (line.kind === "added") row.fresh = line.number ?? null;
    if (line.kind === "context") [row.old, row.fresh, before] = [line.number === undefined ? null : before, line.number ?? null, before + 1];
    return row;
  });
}

/** Where a line stands: its own cell, since a row may hold two. */
function place(line) {
  return { id: line.id, tabindex: line.mark ? "-1" : null };
}

/** Whether an unchanged line stands beside a changed one. */
function isNear(lines, at) {
  const changes = (line) => line !== undefined && line.kind !== "context" && line.kind !== "hunk";
  return lines[at].kind !== "context" || changes(lines[at - 1]) || changes(lines[at + 1]);
}

function text(line) {
  const mark = line.mark ? el("span", { class: "mark", title: line.mark }, "! ", said(`${line.mark}: `)) : null;
  return [SAID[line.kind] ? said(SAID[line.kind]) : null, mark, line.text === "" ? " " : line.text];
}

function wide(line, columns) {
  const warns = line.kind === "file" && line.mark ? el("span", { class: "mark" }, ` ${line.mark}`) : null;
  const content = line.kind === "file" ? [el("strong", {}, line.path), line.text ? ` ${line.text}` : null, warns] : text(line);
  return el("tr", { class: line.kind }, el("td", { colspan: columns, ...place(line) }, content));
}

function unified(rows) {
  return rows.map((line) => {
    if (["file", "hunk", "note"].includes(line.kind)) return wide(line, 3);
    return el("tr", { class: line.kind },
      el("td", { class: "number" }, String(line.fresh ?? line.old ?? "")),
      el("td", { class: "sign", "aria-hidden": "true" }, SIGNS[line.kind] ?? ""),
      el("td", { class: "text", ...place(line) }, text(line)));
  });
}

function half(line, side) {
  if (!line) return [el("td", { class: "number none" }), el("td", { class: "text none" })];
  const number = side === "old" ? line.old : line.fresh;
  return [el("td", { class: `number ${line.kind}` }, String(number ?? "")), el("td", { class: `text ${line.kind}`, ...(line.kind === "context" && side === "old" ? {} : place(line)) }, text(line))];
}

function sideBySide(rows) {
  const out = [];
  let gone = [];
  let come = [];
  const pair = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++) {
      out.push(el("tr", { class: "pair" }, half(gone[at], "old"), half(come[at], "fresh")));
    }
    [gone, come] = [[], []];
  };
  for (const line of rows) {
    if (line.kind === "removed" && come.length > 0) pair();
    if (line.kind === "removed") gone.push(line);
    else if (line.kind === "added") come.push(line);
    else {
      pair();
      if (line.kind === "context") out.push(el("tr", { class: "pair" }, half(line, "old"), half(line, "fresh")));
      else out.push(wide(line, 4));
    }
  }
  pair();
  return out;
}

/** The change as a table. A new file has nothing on its left, so one column shows it. */
export function table(lines, { isWide, isWhole, caption }) {
  const numbers = numbered(lines).map((line, at) => ({ ...line, id: `line-${at}` }));
  const shown = isWhole ? numbers : numbers.filter((_, at) => isNear(numbers, at));
  const hasBoth = shown.some((line) => line.kind === "removed" || line.kind === "context");
  const isPaired = isWide && hasBoth;
  const body = el("tbody", {}, isPaired ? sideBySide(shown) : unified(shown));
  const columns = isPaired
    ? ["number", "half", "number", "half"].map((name) => el("col", { class: name }))
    : ["number", "sign", "rest"].map((name) => el("col", { class: name }));
  return el("table", { class: `change ${isPaired ? "paired" : "unified"}` },
    el("caption", { class: "said" }, caption), el("colgroup", {}, columns), body);
}

/** How many unchanged lines a short view leaves out. */
export function leftOut(lines) {
  return lines.filter((_, at) => !isNear(lines, at)).length;
}
