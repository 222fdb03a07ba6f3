// A person without a mouse: what has the focus, what a screen reader says of it, and the keys that lead somewhere.
import assert from 'node:assert/strict';
import { until } from './editor.mjs';

/** A page takes no key so soon after something appeared or moved. */
const LOOK_MS = 300;
/** So many stops away at most. */
const FAR = 60;
/** A view that has no focus by then lost it. */
const LOST_MS = 3_000;
const FRAME = `document.querySelector('iframe.webview').contentDocument.querySelector('#active-frame')`;

const sessions = new WeakMap();

async function devtools({ page }) {
  if (!sessions.has(page)) sessions.set(page, await page.context().newCDPSession(page));
  return sessions.get(page);
}

/** What the browser gives a screen reader of the Approvals page. */
export async function heard(editor) {
  const tools = await devtools(editor);
  const { result } = await tools.send('Runtime.evaluate', { expression: FRAME });
  const { node } = await tools.send('DOM.describeNode', { objectId: result.objectId });
  const { nodes } = await tools.send('Accessibility.getFullAXTree', { frameId: node.frameId });
  const property = (of, name) => of.properties?.find(each => each.name === name)?.value.value;
  return nodes.filter(each => !each.ignored).map(each => ({
    role: each.role?.value,
    name: each.name?.value ?? '',
    focusable: property(each, 'focusable') === true,
    focused: property(each, 'focused') === true,
  }));
}

/** What a screen reader says of the element of the page that has the focus; nothing while the focus is elsewhere. */
export async function focused(editor) {
  const [here] = (await heard(editor)).filter(each => each.focused && each.role !== 'RootWebArea');
  return here;
}

/** Where the focus is on the page, and how a person sees it. */
export function seen(editor) {
  return editor.approvals.locator('body').evaluate(body => {
    const { activeElement: here } = document;
    const { top, bottom, left } = here.getBoundingClientRect();
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(here);
    return {
      isLost: here === body,
      text: here.textContent,
      isInSight: bottom > 0 && top < innerHeight,
      hasOutline: outlineStyle !== 'none' && outlineWidth !== '0px' && !/^rgba\(.*, 0\)$/.test(outlineColor),
      place: { top: top + scrollY, left },
    };
  });
}

/** Asserts that the focus is on the page, where a person sees it. */
export async function isSeen(editor) {
  const { isLost, isInSight, hasOutline, text } = await seen(editor);
  assert.ok(!isLost, 'the focus is lost');
  assert.ok(isInSight && hasOutline, `the focus is not to be seen: ${text}`);
}

/** Waits until the focus is on this element of the page. */
export const comesTo = (editor, name) => until(`the focus on ${name}`, async () => name.test((await focused(editor))?.name ?? ''));

/** Goes on by one key until the focus is on this element of the page. */
export async function goTo(editor, name, key = 'Tab') {
  const passed = [];
  while (passed.length < FAR) {
    const here = (await focused(editor))?.name ?? 'elsewhere';
    if (name.test(here)) return;
    passed.push(here);
    await editor.page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${name}: ${passed.join(' > ')}`);
}

/** Presses the button of the page that has this name, after a look at it. */
export async function pressOn(editor, name, key = 'Enter') {
  await goTo(editor, name);
  await isSeen(editor);
  await new Promise(done => setTimeout(done, LOOK_MS));
  await editor.page.keyboard.press(key);
}

/** What has the focus in the editor's own window: the element, and the row of it that a screen reader names. */
export function inWindow({ page }) {
  return page.evaluate(() => {
    const here = document.activeElement;
    const row = document.getElementById(here.getAttribute('aria-activedescendant'));
    return {
      isLost: here === document.body,
      isList: here.classList.contains('monaco-list'),
      isText: here.closest('.monaco-editor') !== null,
      name: here.getAttribute('aria-label') ?? here.textContent,
      row: row?.getAttribute('aria-label') ?? row?.textContent,
      at: row?.id,
      level: Number(row?.getAttribute('aria-level')),
      isOpen: row?.getAttribute('aria-expanded') === 'true',
    };
  });
}

/** Runs a command of the palette. */
export async function run(editor, title) {
  const { page } = editor;
  const palette = page.locator('.quick-input-widget');
  await page.keyboard.press('F1');
  await until('the palette', () => page.evaluate(() => document.activeElement?.closest('.quick-input-widget') !== null));
  await page.keyboard.type(title);
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).waitFor();
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'hidden' });
}

/** Goes to a list of the side bar. The editor drops the focus when a list that it never showed is filled; a person asks again. */
export async function toList(editor, name) {
  const isThere = async () => {
    const here = await inWindow(editor);
    return here.isList && here.name.startsWith(name);
  };
  await until(`the focus in ${name}`, async () => {
    await run(editor, `Bailiwick: Focus on ${name} View`);
    return until(name, isThere, LOST_MS).catch(() => false);
  });
}

/** Goes down a list to this row, and again from its top: rows come late. */
export async function downTo(editor, row) {
  let last;
  await until(`the row ${row}`, async () => {
    const here = await inWindow(editor);
    if (row.test(here.row ?? '')) return true;
    await editor.page.keyboard.press(here.at !== undefined && here.at === last ? 'Home' : 'ArrowDown');
    last = here.at;
    return false;
  });
}

/** Opens the row of a list that has the focus, and goes to the first one in it. */
export async function into(editor) {
  const { row, level } = await inWindow(editor);
  await until(`a row in ${row}`, async () => {
    if ((await inWindow(editor)).level > level) return true;
    await editor.page.keyboard.press('ArrowRight');
    return false;
  });
}
