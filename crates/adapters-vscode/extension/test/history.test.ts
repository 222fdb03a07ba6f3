import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ask, canUndo, newest, said } from '../src/history';
import type { Answered } from '../src/protocol';

const answered = (number: number, more: Partial<Answered> = {}): Answered => ({
  id: `ap-${number}`, kind: 'destructive', intent_id: 'INT-001', tool: 'write_to_file', draft: null, changed_paths: ['src/auth/a.ts'],
  asked_by: { host: 'claude-code', session: 's', agent: null, worktree: null, folder: null }, reason: 'it writes', outcome: 'used', by: 'dana',
  at: new Date(Date.UTC(2026, 10, 23) + number * 1000).toISOString(), feedback: null, entry: 'e', undone: false, undone_in_part: false, ...more,
});
const down = (newest: number, count: number) => Array.from({ length: count }, (_, at) => answered(newest - at));

test('an answer says what was said to what, and by whom', () => {
  assert.equal(said(answered(1)), 'Approved: Claude Code wants to change src/auth/a.ts · dana');
  assert.equal(said(answered(1, { outcome: 'rejected' })), 'Rejected: Claude Code wants to change src/auth/a.ts · dana');
  assert.equal(said(answered(1, { outcome: 'lapsed' })), 'Approved, not used in time: Claude Code wants to change src/auth/a.ts · dana');
  assert.equal(said(answered(1, { outcome: 'not_run', by: null })), 'Not run: Claude Code wants to change src/auth/a.ts');
  assert.equal(said(answered(1, { outcome: 'ended', by: 'the editor' })), 'Ended without an answer: Claude Code wants to change src/auth/a.ts');
  assert.equal(said(answered(1, { outcome: 'ended', by: 'the settings' })), 'Rejected by the settings: Claude Code wants to change src/auth/a.ts');
  assert.equal(said(answered(1, { outcome: 'unanswered', by: null })), 'Not answered in time: Claude Code wants to change src/auth/a.ts');
  assert.ok(!said(answered(1, { by: 'a\u202eb' })).includes('\u202e'));
});

test('only what was done and not taken back can be taken back', () => {
  assert.ok(canUndo(answered(1)));
  assert.ok(!canUndo(answered(1, { entry: null })) && !canUndo(answered(1, { undone: true })));
});

/** What the sidecar has, in pages of 20. */
const pages = (all: () => Answered[]): Ask => async before => {
  const from = before === undefined ? 0 : all().findIndex(each => each.id === before) + 1;
  return { answered: all().slice(from, from + 20), more: all().length > from + 20 };
};
const ids = (answered: Answered[]) => answered.map(each => each.id);

test('as many answers as were asked for are as they are now, each once and none left out', async () => {
  let all = down(40, 40);
  const ask = pages(() => all);
  assert.deepEqual(await newest(20, ask), { answered: down(40, 20), more: true });
  assert.deepEqual(await newest(40, ask), { answered: down(40, 40), more: false });
  // Many at once, of which the page before has none.
  all = [...down(85, 45), ...all];
  const past = await newest(40, ask);
  assert.deepEqual([ids(past.answered), past.more], [ids(down(85, 40)), true]);
  // One of a later page was taken back.
  all = all.map(each => (each.id === 'ap-50' ? { ...each, undone: true } : each));
  assert.ok((await newest(40, ask)).answered.find(each => each.id === 'ap-50')?.undone);
  assert.deepEqual(await newest(40, pages(() => [])), { answered: [], more: false });
});

test('answers of the same moment are all there', async () => {
  const { at } = answered(1);
  const all = down(45, 45).map(each => ({ ...each, at }));
  assert.equal((await newest(60, pages(() => all))).answered.length, 45);
});

test('an answer that changes its place between two pages is there once', async () => {
  let all = down(60, 60);
  const ask = pages(() => all);
  const past = await newest(60, async before => {
    // The yes at the end of the page is used, and stands first from now on.
    if (before === 'ap-41') all = [answered(41, { at: answered(99).at }), ...all.filter(each => each.id !== 'ap-41')];
    return ask(before);
  });
  assert.equal(new Set(ids(past.answered)).size, past.answered.length);
  assert.deepEqual(ids(past.answered).sort(), ids(down(60, 60)).sort());
});
