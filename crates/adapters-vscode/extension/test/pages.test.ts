import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extend, extended, type Known, PAGE, renew, renewed, together, wanting } from '../src/ledgerPages';
import { type Entry, paged } from '../src/queries';

const entry = (number: number): Entry => ({
  id: `e${number}`, seq: number, at: new Date(Date.UTC(2026, 10, 23) + number * 1000).toISOString(), intent: null, requirements: [], class: null,
  host: 'claude-code', approval: null, approvedBy: null, override: false, files: [],
});
/** Entries from the newest number down. */
const down = (newest: number, count: number) => Array.from({ length: count }, (_, at) => entry(newest - at));
const ids = (entries: readonly Entry[]) => entries.map(each => each.id);

test('a page of a long ledger is asked for once, and new entries come before what is known', () => {
  let known = renewed(undefined, down(100_000, PAGE));
  assert.ok(known.more && known.entries.length === PAGE);
  known = extended(known, down(100_000 - PAGE, PAGE));
  known = renewed(known, down(100_002, PAGE));
  assert.deepEqual(ids(known.entries), ids(down(100_002, 2 * PAGE + 2)), 'without a gap and each once');
  known = renewed(known, down(100_002, PAGE));
  assert.equal(known.entries.length, 2 * PAGE + 2, 'nothing new');
  known = extended(known, down(99_900, 3));
  assert.ok(!known.more, 'a page that is not full is the last one');
  assert.deepEqual(extended(known, [entry(99_900), entry(99_897)]).entries.length, known.entries.length + 1, 'each once');
});

test('more new entries than a page has begin anew, since what lies between is not known', () => {
  const known = renewed(extended(renewed(undefined, down(100, PAGE)), down(50, PAGE)), down(300, PAGE));
  assert.deepEqual(ids(known.entries), ids(down(300, PAGE)));
  assert.ok(known.more);
  assert.deepEqual(renewed(undefined, []), { entries: [], more: false });
});

test('the ledgers of several folders are shown as far as no older page can lie between their entries', () => {
  const long = { root: '/long', known: renewed(undefined, down(1_000, PAGE)) };
  const short = { root: '/short', known: renewed(undefined, down(980, 2)) };
  const old = { root: '/old', known: renewed(undefined, down(10, 2)) };
  const shown = together([long, short, old]);
  assert.equal(shown.length, PAGE + 2, 'what is older than a page that is not there waits');
  assert.ok(shown.every(({ entry: each }, at) => at === 0 || each.at <= (shown[at - 1]?.entry.at ?? '')));
  assert.deepEqual(wanting([long, short, old]).map(({ root }) => root), ['/long']);
  assert.deepEqual(wanting([short, old]), []);
  assert.equal(together([short, old]).length, 4);
});

test('a thousand rows are shown a hundred at a time', () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => `INT-${at}`);
  const shown = paged(rows, 100, left => `${left} more`);
  assert.ok(shown.length === 101 && shown.at(-1) === '900 more' && shown[99] === 'INT-99');
  assert.deepEqual(paged(rows, 1_000, () => 'more'), rows);
  assert.deepEqual(paged([], 100, () => 'more'), []);
});

test('a page that comes while another is asked for is not lost', async () => {
  const all = new Map<string, Known>([['/r', renewed(undefined, down(100, PAGE))]]);
  let come: (entries: Entry[]) => void = () => undefined;
  const first = renew(all, '/r', () => new Promise(resolve => (come = resolve)));
  await extend(all, '/r', async () => down(50, PAGE));
  come(down(101, PAGE));
  await first;
  assert.equal(all.get('/r')?.entries.length, 101);
  // What began anew meanwhile has nothing to do with the page behind what was there.
  const older = extend(all, '/r', () => new Promise(resolve => (come = resolve)));
  all.set('/r', renewed(undefined, down(300, PAGE)));
  come(down(0, 3));
  await older;
  assert.deepEqual(all.get('/r')?.entries.length, PAGE);
  await extend(all, '/other', async () => assert.fail('nothing is known of it'));
});
