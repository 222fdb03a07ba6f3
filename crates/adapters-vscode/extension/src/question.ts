// What a person is asked, as text: the dialog's words. Knows nothing of the editor.

import type { Approval, Files, FirstLine } from './protocol';
import { className, count, cut, cutMiddle, hostName, inert, ofThem } from './words';

const PATHS = 8;
const EVIDENCE = 3;
const FIRST_LOOK = 8;
const WIDTH = 160;
/** So much of a call is shown in a dialog; more of it is read in the view. */
const BESIDE_LINES = 20;
const BESIDE_CHARS = 1500;

/** As much of a question as its heading is made of. */
export type Headed = Pick<Approval, 'kind' | 'asked_by' | 'draft' | 'intent_id' | 'tool' | 'changed_paths'>;

/** The heading of a question: who wants to do what. */
export function heading(approval: Headed): string {
  const who = hostName(approval.asked_by.host) + (approval.asked_by.agent ? ' (sub-agent)' : '');
  switch (approval.kind) {
    case 'intent_proposal':
      return `${who} drafts an intent: ${cut(inert(approval.draft?.name ?? ''), 80)}`;
    case 'scope_expansion':
      return `${who} wants a wider scope for ${inert(approval.intent_id ?? 'its intent')}`;
    case 'scope_override':
      return `${who} wants to change ${target(approval)} outside the scope`;
    case 'outbound':
      return `${who} wants to send a secret: ${inert(approval.tool)}`;
    default:
      return approval.changed_paths.length === 0
        ? `${who} wants to use ${inert(approval.tool)}`
        : `${who} wants to change ${target(approval)}`;
  }
}

/** What a screen reader says of a question that gets the focus. */
export function spoken(approval: Approval): string {
  const intent = approval.intent_id ? [`intent ${inert(approval.intent_id)}${approval.intent ? ` ${inert(approval.intent.name)}` : ''}`] : [];
  const kind = approval.class ? [`class ${inert(approval.class)}`] : [];
  return [heading(approval), ...intent, ...kind].join(', ');
}

function target(approval: Headed): string {
  const [only, ...more] = approval.changed_paths;
  if (only === undefined) return inert(approval.tool);
  return more.length === 0 ? cut(inert(only), 100) : count(more.length + 1, 'file');
}

/** Everything below the heading, line by line; `beside` is what no diff editor shows of it. */
export function body(approval: Approval, beside = ''): string {
  const parts = [intentLines(approval), pathLines(approval), classLines(approval)];
  const reason = approval.reason ? [`Reason: ${inert(approval.reason, 'keep lines')}`] : [];
  const look = approval.first_screen.filter(line => line.mark !== undefined).slice(0, FIRST_LOOK).map(line => firstLook(line, WIDTH));
  const dead = approval.void === undefined ? [] : [`Void: ${inert(approval.void)}.`];
  const blocks = [dead, besideLines(approval, beside), parts.flat(), reason, look.length > 0 ? ['Look at:', ...look] : [], broadLines(approval)];
  return blocks.filter(block => block.length > 0).map(block => block.join('\n')).join('\n\n');
}

/** What the call says, whole; a sign before each line keeps it from passing as ours. */
function besideLines(approval: Approval, beside: string): string[] {
  const text = inert(trimmed(beside), 'keep lines');
  return text === '' ? [] : [approval.draft ? 'The scope:' : 'The call:', ...text.split('\n').map(line => `│ ${line}`)];
}

function trimmed(beside: string): string {
  return beside.replace(/^\n+|\n+$/g, '');
}

function intentLines(approval: Approval): string[] {
  const lines = [];
  const intent = approval.intent;
  if (approval.intent_id) {
    lines.push(`Intent: ${inert(approval.intent_id)}${intent ? ` (${cut(inert(intent.name), 80)})` : ''}`);
    if (intent) lines.push(`Scope: ${cut(inert(intent.scope.join(', ')), WIDTH)}`);
  }
  if (approval.draft) lines.push(`Scope asked for: ${cut(inert(approval.draft.owned_scope.join(', ')), WIDTH)}`);
  if (approval.prompt) lines.push(`You said: ${cut(inert(approval.prompt), WIDTH)}`);
  return lines;
}

function pathLines(approval: Approval): string[] {
  const paths = approval.changed_paths.map(path => cut(inert(path), WIDTH));
  if (paths.length === 0) return [];
  const more = paths.length - PATHS;
  const shown = paths.slice(0, PATHS).join(', ') + (more > 0 ? ` and ${count(more, 'more file')}` : '');
  return [`Changes: ${shown}`];
}

function classLines(approval: Approval): string[] {
  const lines = approval.class ? [`Class: ${inert(approval.class)}`] : [];
  const mutation = approval.mutation;
  if (!mutation) return lines;
  const evidence = mutation.evidence.slice(0, EVIDENCE).map(each => {
    return cut(inert(`${each.path}:${each.line} ${each.what}`), WIDTH);
  });
  lines.push(`Change: ${className(mutation.class)}`, ...evidence.map(line => `  ${line}`));
  return lines;
}

function broadLines(approval: Approval): string[] {
  const broad = approval.broad;
  if (!broad) return [];
  const share = broad.of > 0 ? ` of ${broad.of}` : '';
  return [`This scope is broad: ${count(broad.files, 'file')}${share}, ${ofThem(broad.can_run)} can run code.`];
}

/** A line that deserves the first look: why, its place, and so much of its text. What it hides cannot push the mark away. */
export function firstLook(line: FirstLine, width = Infinity): string {
  const sign = line.kind === 'added' ? '+' : line.kind === 'removed' ? '-' : '';
  const mark = line.mark === undefined ? '' : `[${inert(line.mark)}] `;
  const place = line.path === '' ? '' : `${cutMiddle(inert(line.path), width)}${line.line === undefined ? '' : ':' + line.line} `;
  return `${mark}${place}${sign}${cutMiddle(inert(line.text.trim()), width)}`;
}

/** What the approving button says. */
export function approveLabel(approval: Approval): string {
  if (approval.void !== undefined) return 'Approve (lets nothing through)';
  return approval.kind === 'scope_override' ? 'Approve Anyway' : 'Approve';
}

/**
 * Whether a dialog shows all of it with the diff editor behind it, and one click is enough. A broad scope wants a second one,
 * which the view asks for; so does what is too long to be read in a dialog, and a change of which a part is not shown.
 */
export function fitsDialog(approval: Approval, { beside, files }: Files): boolean {
  if (approval.unseen !== undefined || files.some(file => !file.whole)) return false;
  const text = inert(trimmed(beside), 'keep lines');
  return !approval.broad && text.length <= BESIDE_CHARS && text.split('\n').length <= BESIDE_LINES;
}
