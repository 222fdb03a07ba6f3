// The Approvals page: keeps each card while its question is open, so that nothing moves under a person's hand.

import { type Done, type FromPage, type InFolder, keyOf, type Page, type Signed } from '../page';
import type { Answered, Grant, Reviewed, UndoPlan } from '../protocol';
import { canUndo, said } from '../history';
import { heading } from '../question';
import { ago, count, duration, inert, sentence } from '../words';
import { Card, type Send } from './card';
import { button, diff, make, moved } from './dom';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const TICK_MS = 5_000;
const QUIET = 'Nothing waits for you.';

const editor = acquireVsCodeApi();
const send: Send = message => editor.postMessage(message);
const page = document.getElementById('page') as HTMLElement;
const secret = page.dataset.secret;
delete page.dataset.secret;
const spoken = document.getElementById('spoken') as HTMLElement;

const notice = make('p', { class: 'notice', role: 'status' });
const questions = make('section', { 'aria-label': 'Questions' });
const quiet = make('p', { class: 'hint', role: 'note', 'aria-label': QUIET, 'data-key': 'quiet', tabindex: '-1' }, QUIET);
const below = make('div', {});
questions.append(quiet);
page.append(notice, questions, below);

const cards = new Map<string, { card: Card; as: string }>();
const boxes = new Map<string, { element: HTMLElement; error: HTMLElement; as: string }>();
const sections = new Map<string, HTMLElement>();
/** Where the plan of an answer is shown. */
const plans = new Map<string, (plan: UndoPlan) => void>();
let wanted: string | undefined;

function draw(shown: Page): void {
  const goOn = holdFocus();
  notice.textContent = shown.notice;
  notice.hidden = shown.notice === '';
  const open = new Set(shown.approvals.map(keyOf));
  const wasQuiet = cards.size === 0;
  let changed = false;
  for (const [key, card] of cards) {
    if (open.has(key)) continue;
    card.card.element.remove();
    cards.delete(key);
    changed = true;
  }
  for (const approval of shown.approvals) {
    const key = keyOf(approval);
    const known = cards.get(key);
    // What a person answers is what the card shows.
    const as = JSON.stringify(approval);
    if (known?.as === as) continue;
    const card = new Card(approval, send, shown.folders > 1);
    cards.set(key, { card, as });
    if (known) known.card.element.replaceWith(card.element);
    else quiet.before(card.element);
    spoken.textContent = heading(approval);
    changed = true;
  }
  if (changed) moved();
  // Whoever reads what was answered would not see a question above it.
  if (wasQuiet && cards.size > 0) scrollTo(0, 0);
  quiet.hidden = shown.approvals.length > 0 || shown.notice !== '';
  drawBelow(shown);
  goOn();
  focus();
}

/** Keeps the focus over a drawing: where it was, else on what is there now, else on what is nearest. */
function holdFocus(): () => void {
  const had = document.activeElement;
  const place = had?.closest<HTMLElement>('[data-key]');
  // Whoever works elsewhere in the window stays there.
  if (!(had instanceof HTMLElement) || !place || !document.hasFocus()) return () => undefined;
  const all = [...(below.contains(place) ? below : questions).querySelectorAll<HTMLElement>('[data-key]')];
  const at = all.indexOf(place);
  return () => {
    if (document.activeElement === had && !place.hidden) return;
    const now = [...page.querySelectorAll<HTMLElement>('[data-key]')];
    const same = now.filter(each => each.dataset.key === place.dataset.key);
    const near = [had, ...same, ...all.slice(at + 1), ...all.slice(0, at).reverse(), ...now, page];
    near.find(each => each.isConnected && !each.hidden)?.focus();
  };
}

/** Grants, reviews and what was answered; a box stays as it is while what it shows is the same. */
function drawBelow(shown: Page): void {
  const parts: HTMLElement[] = [];
  const part = (title: string, items: HTMLElement[]) => {
    if (items.length === 0) return;
    const known = sections.get(title) ?? make('section', { 'aria-label': title }, make('h2', { class: 'part' }, title));
    sections.set(title, known);
    arrange(known, [known.firstElementChild as HTMLElement, ...items]);
    parts.push(known);
  };
  const kept = new Set<string>();
  const keep = (key: string, as: string, build: (error: HTMLElement) => HTMLElement, asks = true) => {
    kept.add(key);
    const known = boxes.get(key);
    if (known?.as === as) return known.element;
    const error = make('p', { class: 'error', role: 'alert', hidden: true });
    const element = build(error);
    element.dataset.key = key;
    boxes.set(key, { element, error, as });
    // What asks nothing must not keep a person from answering what stands above it.
    if (asks) moved();
    return element;
  };
  part('To review', shown.reviews.map(review => {
    const key = `${review.root}\n${review.grant}`;
    return keep(key, JSON.stringify(review), error => reviewBox(key, review, error));
  }));
  part('Grants', shown.grants.map(grant => {
    const key = `${grant.root}\n${grant.id}`;
    const box = keep(key, grant.id, error => grantBox(key, grant, error));
    // The box stays while what is left of it is told anew, and with it the focus.
    (box.firstElementChild as HTMLElement).textContent = whatIsLeft(grant);
    return box;
  }));
  part('Done here', shown.done.map(doneLine));
  const past = shown.past.map(answered => {
    const key = `${answered.root}\n${answered.id}\nanswered`;
    return keep(key, JSON.stringify(answered), error => answeredBox(key, answered, shown.folders > 1, error), false);
  });
  part('Answered', shown.older ? [...past, keep('older', 'older', olderBox, false)] : past);
  for (const key of boxes.keys()) {
    if (kept.has(key)) continue;
    boxes.delete(key);
    plans.delete(key);
  }
  arrange(below, parts);
}

/** Makes these the children. One that stays where it is keeps the focus. */
function arrange(parent: HTMLElement, children: HTMLElement[]): void {
  for (const old of [...parent.children]) if (!children.includes(old as HTMLElement)) old.remove();
  for (const [at, child] of children.entries()) if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
}

/** How long it is to then. */
function until(at: string): string {
  return duration((Date.parse(at) - Date.now()) / 1000);
}

function whatIsLeft({ id, intent_id, left, expires }: InFolder<Grant>): string {
  return `${id} · ${inert(intent_id)} · ${count(left.files, 'file')}, ${count(left.calls, 'call')}, ${count(left.lines, 'line')}, ${until(expires)} left`;
}

function grantBox(key: string, grant: InFolder<Grant>, error: HTMLElement): HTMLElement {
  const revoke = button('Revoke', { class: 'secondary', 'aria-label': `Revoke ${grant.id}` }, () => send({ type: 'revoke', key, root: grant.root, grant: grant.id }));
  return framed('box', grant.id, make('p', {}), revoke, error);
}

function reviewBox(key: string, review: InFolder<Reviewed>, error: HTMLElement): HTMLElement {
  const files = review.files.map(file => {
    const tick = make('input', { type: 'checkbox', disabled: Boolean(file.obstacle) });
    const why = file.obstacle ? ` (cannot be put back: ${inert(file.obstacle)})` : '';
    return { path: file.path, tick, can: !file.obstacle, row: make('label', { class: 'file' }, tick, ' ', inert(file.path), why) };
  });
  const finish = (back: string[]) => send({ type: 'review', key, root: review.root, grant: review.grant, shown: review.shown, back });
  const keepAll = button('Keep everything', { class: 'primary' }, () => finish([]));
  const some = button('Put back the ticked files', { class: 'secondary' }, () => {
    const back = files.filter(file => file.tick.checked).map(file => file.path);
    if (back.length === 0) {
      error.textContent = 'Tick the files that you want to put back.';
      error.hidden = false;
      return;
    }
    finish(back);
  });
  const all = button('Put back all', { class: 'secondary' }, () => finish(files.filter(file => file.can).map(file => file.path)));
  const title = `${review.grant}: ${count(files.length, 'file')} changed`;
  return framed(
    'box',
    title,
    make('p', {}, title),
    ...files.map(file => file.row),
    make('details', {}, make('summary', {}, 'Everything as one change'), diff(inert(review.diff, 'keep lines'), 2000)),
    make('div', { class: 'row' }, keepAll, some, all),
    error,
  );
}

/** What was said to a question, and what can be taken back of it. */
function answeredBox(key: string, answered: InFolder<Answered>, manyFolders: boolean, error: HTMLElement): HTMLElement {
  const when = new Date(answered.at).toLocaleTimeString();
  const back = answered.undone ? ' · taken back' : answered.undone_in_part ? ' · taken back in part' : '';
  const line = make('p', {}, `${said(answered)} · ${manyFolders ? `${inert(answered.folder)} · ` : ''}${when}${back}`);
  const parts: HTMLElement[] = [line];
  if (answered.feedback) {
    const label = answered.outcome === 'ended' ? 'What ended it' : 'What the agent was told';
    const text = inert(answered.feedback, 'keep lines');
    parts.push(make('blockquote', { 'aria-label': label }, answered.outcome === 'ended' ? sentence(text) : text));
  }
  const { root, entry } = answered;
  const plan = make('div', { class: 'plan' });
  if (canUndo(answered) && entry !== null) {
    parts.push(button('Take it back…', { class: 'link', 'aria-label': `Take back: ${heading(answered)}` }, () => send({ type: 'undo', key, root, entry })));
    plans.set(key, shown => plan.replaceChildren(...planned(shown, shown => send({ type: 'putBack', key, root, entry, shown }))));
  }
  return framed('box answered', said(answered), ...parts, plan, error);
}

/** What stands below the questions; it gets the focus only when what had it is gone. */
function framed(kind: string, name: string, ...parts: HTMLElement[]): HTMLElement {
  return make('div', { class: kind, role: 'group', 'aria-label': name, tabindex: '-1' }, ...parts);
}

/** What taking back would do, and the button that does exactly that. */
function planned(plan: UndoPlan, putBack: (shown: string) => void): HTMLElement[] {
  moved();
  const stays = plan.obstacles.map(({ path, why }) => make('p', { class: 'error' }, `${inert(path)}: ${inert(why)}`));
  if (stays.length > 0) return [make('p', {}, 'Nothing can be put back, since it is all or none:'), ...stays];
  if (plan.files.length === 0) return [make('p', { class: 'hint' }, 'Everything is as it was before.')];
  const files = plan.files.flatMap(file => [make('p', {}, `${inert(file.path)} ${inert(file.what)}`), diff(inert(file.diff, 'keep lines'), 400)]);
  return [...files, button(`Put back ${count(plan.files.length, 'file')}`, { class: 'danger' }, () => putBack(plan.shown))];
}

function olderBox(): HTMLElement {
  return button('Show older answers', { class: 'link' }, () => send({ type: 'older', key: 'older' }));
}

function doneLine(done: Done): HTMLElement {
  return make('p', { class: 'done', title: inert(done.message) }, `${inert(done.text)} · ${ago(done.at, Date.now())}`);
}

/** Puts the focus on the first question, unless it is on one already. */
function toFirst(): void {
  if (document.activeElement?.closest('.card')) return;
  const [first] = [...questions.children, page].filter(each => each instanceof HTMLElement && !each.hidden) as HTMLElement[];
  first?.focus();
}

/** Puts the focus on a question that was asked for, not on one of its buttons. */
function focus(): void {
  const card = wanted === undefined ? undefined : cards.get(wanted)?.card;
  if (!card) return;
  wanted = undefined;
  card.element.scrollIntoView({ block: 'start' });
  card.element.focus();
}

window.addEventListener('message', event => {
  // Any other page of the window can post here too; only the extension knows the secret.
  const signed = event.data as Partial<Signed> | null;
  if (!signed?.message || secret === undefined || signed.secret !== secret) return;
  const { message } = signed;
  switch (message.type) {
    case 'page':
      return draw(message);
    case 'select':
      if (message.key === undefined) return toFirst();
      wanted = message.key;
      return focus();
    case 'draft':
      return cards.get(message.key)?.card.showDraft(message);
    case 'undo': {
      const box = boxes.get(message.key);
      if (box) box.error.hidden = true;
      return plans.get(message.key)?.(message.plan);
    }
    case 'settled':
      return cards.get(message.key)?.card.busy(false);
    case 'failed': {
      cards.get(message.key)?.card.fail(message.message);
      const box = boxes.get(message.key);
      if (!box) return;
      box.error.textContent = inert(message.message, 'keep lines');
      box.error.hidden = false;
    }
  }
});

setInterval(() => {
  if (!document.hidden) for (const { card } of cards.values()) card.tick();
}, TICK_MS);

send({ type: 'ready' });
