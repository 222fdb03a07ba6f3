// One question on the page: everything to know, and the buttons that answer it.

import { type FromPage, keyOf, minutesOf, type Outcome } from '../page';
import type { Approval, Breadth, Draft, LessBounds } from '../protocol';
import { approveLabel, firstLook, heading, spoken } from '../question';
import { ago, className, count, duration, hostName, inert, ofThem } from '../words';
import { button, diff, make, moved } from './dom';

const DIFF_LINES = 400;
const KINDS = ['destructive', 'scope_override', 'intent_proposal', 'scope_expansion', 'outbound'];

export type Send = (message: FromPage) => void;
type Question = Approval & { folder: string };
type Drafted = Extract<Outcome, { type: 'draft' }>;

export class Card {
  readonly element: HTMLElement;
  private readonly key: string;
  private readonly where: { key: string; root: string; id: string };
  /** The request as it is shown here. */
  private readonly seen: { key: string; root: string; id: string; fingerprint: string };
  private readonly error = make('p', { class: 'error', role: 'alert', hidden: true });
  private readonly times = make('span', { class: 'times' });
  private readonly feedback = make('input', { type: 'text', maxlength: '2000', placeholder: 'Tell the agent why (optional)' });
  private readonly drafted = make('div', {});
  private readonly details = make('details', { open: true });

  constructor(
    private readonly approval: Question,
    private readonly send: Send,
    manyFolders: boolean,
  ) {
    this.key = keyOf(approval);
    this.where = { key: this.key, root: approval.root, id: approval.id };
    this.seen = { ...this.where, fingerprint: approval.fingerprint };
    const title = make('h2', {}, heading(approval));
    this.element = make('article', { class: 'card', 'data-key': this.key, 'aria-label': spoken(approval), tabindex: '0' }, title);
    this.feedback.setAttribute('aria-label', 'Tell the agent why you reject (optional)');
    const meta = make('p', { class: 'meta' }, `${approval.id} · ${hostName(approval.asked_by.host)} · `, this.times);
    if (manyFolders) meta.prepend(`${inert(approval.folder)} · `);
    this.element.append(meta);
    if (approval.prompt) this.element.append(make('blockquote', { 'aria-label': 'Your prompt' }, inert(approval.prompt, 'keep lines')));
    this.element.append(this.facts(), ...this.look(), this.change(), ...this.answers(), this.error);
    this.tick();
  }

  /** The times, as of now. */
  tick(): void {
    const now = Date.now();
    const left = (Date.parse(this.approval.expires) - now) / 1000;
    this.times.textContent = `asked ${ago(this.approval.created, now)} · ${left > 0 ? duration(left) + ' left' : 'its time is up'}`;
  }

  private facts(): HTMLElement {
    const approval = this.approval;
    const list = make('dl', {});
    const fact = (name: string, ...value: (Node | string)[]) => list.append(make('dt', {}, name), make('dd', {}, ...value));
    if (approval.intent_id) {
      fact('Intent', inert(approval.intent_id), approval.intent ? ` ${inert(approval.intent.name)}` : '');
      if (approval.intent) fact('Scope', inert(approval.intent.scope.join(', ')));
    }
    if (approval.draft) {
      if (approval.draft.why) fact('Why', inert(approval.draft.why));
      fact('Asks for', inert(approval.draft.owned_scope.join(', ')));
    }
    if (approval.changed_paths.length > 0) fact('Changes', inert(approval.changed_paths.join(', ')));
    if (approval.void !== undefined) fact('Void', `${inert(approval.void)}. A yes lets nothing through.`);
    fact('Reason', inert(approval.reason, 'keep lines'));
    if (approval.class) fact('Class', inert(approval.class));
    if (approval.mutation) {
      const seen = approval.mutation.evidence.slice(0, 3);
      const evidence = seen.map(each => inert(`${each.path}:${each.line} ${each.what}`));
      fact('Change', [className(approval.mutation.class), ...evidence].join('; '));
    }
    if (approval.broad) fact('Broad', wide(approval.broad));
    return list;
  }

  private look(): HTMLElement[] {
    const lines = this.approval.first_screen;
    if (lines.length === 0) return [];
    const items = lines.map(line => make('li', {}, firstLook(line)));
    return [make('section', { class: 'look', 'aria-label': 'Look at these lines first' }, make('h3', {}, 'Look at'), make('ul', {}, ...items))];
  }

  private change(): HTMLElement {
    const text = inert(this.approval.diff_preview, 'keep lines');
    const show = button('Open in a diff editor', { class: 'link' }, () => this.send({ type: 'show', ...this.where }));
    const summary = make('summary', {}, 'Change');
    this.details.append(summary, ...(this.approval.changed_paths.length > 0 ? [show] : []), diff(text, DIFF_LINES));
    return this.details;
  }

  private answers(): HTMLElement[] {
    const approval = this.approval;
    if (approval.status === 'with_host') {
      return [make('p', { class: 'hint' }, `${hostName(approval.asked_by.host)} asks you itself; answer there.`)];
    }
    if (!KINDS.includes(approval.kind)) {
      return [make('p', { class: 'hint' }, 'This version of the extension cannot answer such a question. Use `bailiwick watch`.')];
    }
    const about = heading(approval);
    const reject = button('Reject', { class: 'primary', 'aria-label': `Reject: ${about}` }, () => this.answer('reject', false));
    const row = make('div', { class: 'row' }, reject, this.approve(about));
    const rows: HTMLElement[] = [row, make('div', { class: 'row' }, this.feedback)];
    if (approval.unseen !== undefined) rows.unshift(make('p', { class: 'hint' }, `${inert(approval.unseen)}. Approving takes a second press.`));
    if (approval.void !== undefined) return rows;
    if (approval.offer) rows.push(this.grant());
    if (approval.allows) rows.push(this.allow(approval.allows));
    if (approval.draft) rows.push(this.draft(approval.draft));
    return rows;
  }

  private approve(about: string): HTMLElement {
    const label = approveLabel(this.approval);
    const broad = this.approval.broad;
    if (broad) return twice(label, `${label} ${count(broad.files, 'file')}`, about, () => this.answer('approve', true));
    const place = make('span', {});
    const first = button(label, { class: 'secondary', 'aria-label': `${label}: ${about}` }, () => {
      const unseen = this.unseen();
      if (unseen === undefined) return this.answer('approve', false);
      const second = button(`${label} unseen`, { class: 'danger' }, () => this.answer('approve', true));
      place.replaceChildren(make('span', { class: 'hint', role: 'status' }, `${unseen}. `), second);
      moved();
      second.focus();
    });
    place.append(first);
    return place;
  }

  /** What of the change is not shown here now, which takes a second press. */
  private unseen(): string | undefined {
    if (this.approval.unseen !== undefined) return inert(this.approval.unseen);
    if (!this.details.open) return 'The change is closed';
    return this.details.querySelector('pre button')?.textContent?.replace(/^Show (.*)$/, '$1 of the change are not shown') ?? undefined;
  }

  private answer(decision: 'approve' | 'reject', broad: boolean): void {
    this.busy(true);
    this.send({ type: 'answer', ...this.seen, decision, broad, feedback: decision === 'reject' ? this.feedback.value : '' });
  }

  private grant(): HTMLElement {
    const offer = this.approval.offer;
    const box = make('details', { class: 'more' }, make('summary', {}, 'Approve edits like this for a while'));
    if (!offer) return box;
    const field = (name: string, value: number, most: number) => {
      const input = make('input', { type: 'number', min: '1', max: String(most), value: String(value) });
      return { row: make('label', {}, name, ' ', input), read: () => Number(input.value) };
    };
    const files = field('files', offer.max_files, 200);
    const calls = field('calls', offer.max_calls, 500);
    const lines = field('lines', offer.max_lines, 10000);
    const minutes = field('minutes', minutesOf(offer), 30);
    const grant = button('Approve and grant', { class: 'secondary' }, () => {
      const bounds: LessBounds = { files: files.read(), calls: calls.read(), lines: lines.read(), minutes: minutes.read() };
      this.busy(true);
      this.send({ type: 'grant', ...this.seen, bounds });
    });
    const hint = 'Until the turn ends, within these bounds. Every other check still runs.';
    box.append(make('p', { class: 'hint' }, hint), make('div', { class: 'row' }, files.row, calls.row, lines.row, minutes.row), grant);
    return box;
  }

  private allow(command: string): HTMLElement {
    const box = make('details', { class: 'more' }, make('summary', {}, 'Trust this command'));
    const allow = button('Approve and trust it from now on', { class: 'secondary' }, () => {
      this.busy(true);
      this.send({ type: 'allow', ...this.seen });
    });
    box.append(make('pre', { class: 'command' }, inert(command)), make('p', { class: 'hint' }, 'It runs unconfined: it can do what you can do.'), allow);
    return box;
  }

  private draft(draft: Draft): HTMLElement {
    const form = new DraftForm(draft);
    const see = button('See the change', { class: 'secondary' }, () => {
      this.busy(true);
      this.send({ type: 'change', ...this.where, draft: form.read() });
    });
    const kept = this.approval.kind === 'scope_expansion' ? 'Edit what is added' : 'Edit the draft';
    return make('details', { class: 'more' }, make('summary', {}, kept), form.element, see, this.drafted);
  }

  /** The change that the draft as it was sent would be; accepting exactly it is a further click. */
  showDraft({ draft, diff: text, shown, broad }: Drafted): void {
    this.busy(false);
    const accept = (isBroad: boolean) => {
      this.busy(true);
      this.send({ type: 'amend', ...this.seen, draft, shown, broad: isBroad });
    };
    const label = 'Accept as edited';
    const act = broad
      ? twice(label, `${label}: ${count(broad.files, 'file')}`, '', () => accept(true))
      : button(label, { class: 'secondary' }, () => accept(false));
    this.drafted.replaceChildren(diff(inert(text, 'keep lines'), DIFF_LINES), ...(broad ? [make('p', { class: 'hint' }, wide(broad))] : []), act);
    moved();
  }

  fail(message: string): void {
    this.busy(false);
    this.error.textContent = inert(message, 'keep lines');
    this.error.hidden = false;
  }

  busy(is: boolean): void {
    if (is) this.error.hidden = true;
    for (const each of this.element.querySelectorAll('button')) each.ariaDisabled = String(is);
  }
}

function wide(broad: Breadth): string {
  return `${count(broad.files, 'file')} of ${broad.of}, ${ofThem(broad.can_run)} can run code`;
}

/** A button that wants a second click, on another button in its place. */
function twice(label: string, again: string, about: string, act: () => void): HTMLElement {
  const place = make('span', {});
  const first = button(`${label}…`, { class: 'secondary', 'aria-label': `${label}: ${about}` }, () => {
    const second = button(again, { class: 'danger' }, act);
    place.replaceChildren(second);
    moved();
    second.focus();
  });
  place.append(first);
  return place;
}

/** A draft as a person edits it. */
class DraftForm {
  readonly element: HTMLElement;
  private readonly name: HTMLInputElement;
  private readonly why: HTMLInputElement;
  private readonly scope: HTMLTextAreaElement;
  private readonly criteria: HTMLTextAreaElement;

  constructor(draft: Draft) {
    // What would not be seen is written out, and kept so: a person accepts what they read.
    const lines = (texts: string[]) => texts.map(text => inert(text)).join('\n');
    this.name = make('input', { type: 'text', value: inert(draft.name) });
    this.why = make('input', { type: 'text', value: inert(draft.why ?? '') });
    this.scope = make('textarea', { rows: '3' }, lines(draft.owned_scope));
    this.criteria = make('textarea', { rows: '3' }, lines(draft.acceptance_criteria));
    const field = (name: string, input: HTMLElement) => make('label', { class: 'field' }, name, input);
    this.element = make(
      'div',
      { class: 'draft' },
      field('Name', this.name),
      field('Why', this.why),
      field('Scope, one pattern a line', this.scope),
      field('Acceptance criteria, one a line', this.criteria),
    );
  }

  read(): Draft {
    const lines = (text: string) => text.split('\n').map(line => line.trim()).filter(line => line !== '');
    const why = this.why.value.trim();
    return {
      name: this.name.value.trim(),
      why: why === '' ? null : why,
      owned_scope: lines(this.scope.value),
      acceptance_criteria: lines(this.criteria.value),
    };
  }
}
