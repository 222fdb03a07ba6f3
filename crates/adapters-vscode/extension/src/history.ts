// What was answered in a folder, as far as it was asked for. Knows nothing of the editor.

import type { Answered, HistoryPage, Outcome } from './protocol';
import { heading } from './question';
import { inert } from './words';

/** What is known of one folder. */
export interface Past {
  answered: Answered[];
  more: boolean;
}

/** One page: the newest, or the one behind a request. */
export type Ask = (before?: string) => Promise<HistoryPage>;

/**
 * The newest answers, so many or a page more, each once and as it is now. An answer changes its place when its yes is used, so
 * nothing that was known before is put together with what comes.
 */
export async function newest(wanted: number, ask: Ask): Promise<Past> {
  const answered = new Map<string, Answered>();
  let page = await ask();
  for (let asked = 1; ; asked += 1) {
    for (const each of page.answered) answered.set(each.id, each);
    const last = page.answered.at(-1);
    if (!page.more || !last || answered.size >= wanted || asked >= wanted) break;
    page = await ask(last.id);
  }
  return { answered: [...answered.values()].sort((a, b) => b.at.localeCompare(a.at)), more: page.more };
}

const WORDS: Readonly<Record<Outcome, string>> = {
  approved: 'Approved, not used yet',
  used: 'Approved',
  granted: 'Granted, not used yet',
  lapsed: 'Approved, not used in time',
  void: 'Approved too late, so nothing passed',
  rejected: 'Rejected',
  ended: 'Ended without an answer',
  unanswered: 'Not answered in time',
  not_run: 'Not run',
};

/** What ends a question in place of a person. */
const SETTINGS = 'the settings';

/** One answer in a line: what was said to what, by whom; a no that nobody gave has nobody's name. */
export function said(answered: Answered): string {
  const { outcome, by } = answered;
  const isBySettings = outcome === 'ended' && by === SETTINGS;
  const word = isBySettings ? 'Rejected by the settings' : (WORDS[outcome] ?? inert(outcome));
  const whom = by === null || outcome === 'ended' ? '' : ` · ${inert(by)}`;
  return `${word}: ${heading(answered)}${whom}`;
}

/** Whether there is something to take back. */
export function canUndo(answered: Answered): boolean {
  return answered.entry !== null && !answered.undone;
}
