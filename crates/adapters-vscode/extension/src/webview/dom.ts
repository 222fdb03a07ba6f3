// Making elements. Text only ever becomes text.

/** Clicks and keys so soon after something appeared or moved were meant for what was there before. */
const SLIP_MS = 250;

let settled = 0;

/** Something appeared or moved under the person's hand. */
export function moved(): void {
  settled = performance.now() + SLIP_MS;
}

type Attributes = Record<string, string | boolean>;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A button that a slipped click does not press, nor any while it is busy: then it keeps the focus, as a disabled one would not. */
export function button(label: string, attributes: Attributes, act: () => void): HTMLButtonElement {
  const element = make('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', event => {
    if (!event.isTrusted || performance.now() < settled || element.ariaDisabled === 'true') return;
    act();
  });
  return element;
}

/** A diff or a command, line by line; those behind the first `most` come with a click. */
export function diff(text: string, most: number): HTMLElement {
  const lines = text.replace(/\n$/, '').split('\n');
  const box = make('pre', { class: 'diff', tabindex: '0', role: 'group', 'aria-label': 'Change' });
  box.append(...lines.slice(0, most).map(diffLine));
  const rest = lines.slice(most);
  if (rest.length === 0) return box;
  const more = button(`Show ${rest.length} more lines`, { class: 'link' }, () => {
    more.replaceWith(...rest.map(diffLine));
    moved();
    box.focus();
  });
  box.append(more);
  return box;
}

function diffLine(line: string): HTMLElement {
  const kind = line.startsWith('@@') ? 'hunk' : /^(---|\+\+\+) /.test(line) ? 'file' : { '+': 'added', '-': 'removed' }[line[0] ?? ''];
  return make('span', { class: kind ?? 'same' }, line + '\n');
}
