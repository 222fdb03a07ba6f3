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

/** A button that a slipped click does not press. */
export function button(label: string, attributes: Attributes, act: () => void): HTMLButtonElement {
  const element = make('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', event => {
    if (!event.isTrusted || performance.now() < settled) return;
    act();
  });
  return element;
}

/** A diff, line by line. */
export function diff(text: string, most: number): HTMLElement {
  const lines = text.replace(/\n$/, '').split('\n');
  const box = make('pre', { class: 'diff', tabindex: '0', 'aria-label': 'Change' });
  for (const line of lines.slice(0, most)) {
    const kind = line.startsWith('@@') ? 'hunk' : /^(---|\+\+\+) /.test(line) ? 'file' : { '+': 'added', '-': 'removed' }[line[0] ?? ''];
    box.append(make('span', { class: kind ?? 'same' }, line + '\n'));
  }
  if (lines.length > most) box.append(make('span', { class: 'hunk' }, `… ${lines.length - most} more lines: see the whole change in the editor\n`));
  return box;
}
