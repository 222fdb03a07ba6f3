// Elements from data. Every text is set as text; nothing here takes HTML.

/** An element with attributes, handlers (`onclick`) and children; texts become text nodes. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "value") element.value = value;
    else if (key === "checked") element.checked = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** What only a screen reader says. */
export function said(text) {
  return el("span", { class: "said" }, text);
}

/** "1 file", "2 files". */
export function counted(count, one, many) {
  return `${count} ${count === 1 ? one : many}`;
}

/** How long ago, or how long still, in words. */
export function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

/** A moment of the last days: "18:00", "yesterday 18:00", else with its date. */
export function moment(ms, now = Date.now()) {
  const day = (at) => new Date(at).toDateString();
  const time = new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (day(ms) === day(now)) return time;
  const before = new Date(now);
  before.setDate(before.getDate() - 1);
  return `${day(ms) === day(before) ? "yesterday" : new Date(ms).toLocaleDateString()} ${time}`;
}

/** A button that says its key. */
export function button(text, key, onclick, attributes = {}) {
  const keys = key ? { "aria-keyshortcuts": key } : {};
  return el("button", { type: "button", onclick, ...keys, ...attributes }, text, key ? [" ", el("kbd", { "aria-hidden": "true" }, key)] : null);
}
