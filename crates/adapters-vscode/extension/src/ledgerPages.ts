// What of the ledgers is known so far: pages of entries, newest first, of one or more folders. Knows nothing of the editor.

import type { Entry } from './queries';

/** So many entries are asked for at once. */
export const PAGE = 50;

/** The entries of one folder that were asked for so far, newest first, and whether there are older ones. */
export interface Known {
  entries: Entry[];
  more: boolean;
}

/** A new first page before what was known; what does not touch it would leave a gap, and is asked for again. */
export function renewed(known: Known | undefined, first: readonly Entry[]): Known {
  const newest = known?.entries[0]?.id;
  const at = newest === undefined ? -1 : first.findIndex(entry => entry.id === newest);
  if (!known || at === -1) return { entries: [...first], more: first.length >= PAGE };
  return { entries: [...first.slice(0, at), ...known.entries], more: known.more };
}

/** An older page behind what was known. */
export function extended(known: Known, older: readonly Entry[]): Known {
  // Where a clock was set back, what others wrote may come again.
  const ids = new Set(known.entries.map(entry => entry.id));
  return { entries: [...known.entries, ...older.filter(entry => !ids.has(entry.id))], more: older.length >= PAGE };
}

/** Puts the newest page before what is known by the time it comes. */
export async function renew(all: Map<string, Known>, root: string, ask: () => Promise<Entry[]>): Promise<void> {
  const first = await ask();
  all.set(root, renewed(all.get(root), first));
}

/** Puts the next page behind what is known by the time it comes, where that still ends as it did. */
export async function extend(all: Map<string, Known>, root: string, ask: (last: Entry) => Promise<Entry[]>): Promise<void> {
  const last = all.get(root)?.entries.at(-1);
  if (last === undefined) return;
  const older = await ask(last);
  const known = all.get(root);
  if (known && known.entries.at(-1)?.id === last.id) all.set(root, extended(known, older));
}

/** A folder with what is known of it. */
export interface Of {
  root: string;
  known: Known;
}

/** The entries of all folders by their time, as far as none of an older page can lie between them. */
export function together(all: readonly Of[]): { root: string; entry: Entry }[] {
  const since = border(all);
  return all
    .flatMap(({ root, known }) => known.entries.map(entry => ({ root, entry })))
    .filter(({ entry }) => since === undefined || entry.at >= since)
    .sort((a, b) => b.entry.at.localeCompare(a.entry.at));
}

/** The folders whose next page comes next. */
export function wanting(all: readonly Of[]): Of[] {
  const since = border(all);
  return all.filter(({ known }) => known.more && oldest(known) === since);
}

/** What is older may be missing. */
function border(all: readonly Of[]): string | undefined {
  return all.filter(({ known }) => known.more).map(({ known }) => oldest(known)).sort().at(-1);
}

function oldest(known: Known): string {
  return known.entries.at(-1)?.at ?? '';
}
