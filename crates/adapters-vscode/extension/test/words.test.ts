import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, count, cut, cutMiddle, duration, inert, label, ofThem, sentence } from '../src/words';

test('invisible characters of others become visible', () => {
  assert.equal(inert('a\u202eb\u200bc\u0007'), 'a\\u{202e}b\\u{200b}c\\u{7}');
  assert.equal(inert('\u{e0041}\u2028'), '\\u{e0041}\\u{2028}');
  assert.equal(inert('grüße, 世界 ✓'), 'grüße, 世界 ✓');
});

test('a line end stays only where lines are shown', () => {
  assert.equal(inert('a\nb\tc'), 'a⏎b c');
  assert.equal(inert('a\nb\tc\r', 'keep lines'), 'a\nb\tc\\u{d}');
});

// threat G1
test('a long run of blanks says how long it is, and an indentation stays', () => {
  assert.equal(inert('a' + ' '.repeat(3000) + 'b'), 'a‹3000 spaces›b');
  for (const blank of ['\u00a0', '\u2800', '\u3000', '\u2003']) {
    assert.equal(inert(`a${blank.repeat(50)}b`), 'a‹50 blanks›b', blank);
  }
  for (const kept of [' '.repeat(80) + 'x', '+' + ' '.repeat(80) + 'x', 'a' + ' '.repeat(40) + 'b']) assert.equal(inert(kept), kept);
  assert.equal(inert('+' + ' '.repeat(81) + 'x\ny', 'keep lines'), '+‹81 spaces›x\ny');
});

test('no text of others becomes a picture in a list', () => {
  assert.equal(label('$(check) \u202e'), '$ (check) \\u{202e}');
});

test('a long text that is cut in the middle shows both ends', () => {
  assert.equal(cutMiddle('short', 20), 'short');
  assert.match(cutMiddle('a'.repeat(90) + 'end', 30), /^a+ ‹\d+ characters› a+end$/);
});

test('counts agree with their nouns', () => {
  assert.deepEqual([count(1, 'file'), count(2, 'file'), count(0, 'file')], ['1 file', '2 files', '0 files']);
});

test('a long text is cut by characters', () => {
  assert.equal(cut('abcdef', 4), 'abc…');
  assert.equal(cut('😀😀😀', 3), '😀😀😀');
  assert.equal(cut('😀😀😀😀', 3), '😀😀…');
});

test('times are relative', () => {
  const now = Date.parse('2026-11-23T09:00:00Z');
  assert.equal(ago('2026-11-23T08:59:48Z', now), '12 s ago');
  assert.equal(ago('2026-11-23T08:59:58Z', now), 'just now');
  assert.deepEqual([ofThem(0), ofThem(2)], ['none of them', '2 of them']);
  assert.equal(sentence('the editor was closed'), 'The editor was closed.');
  assert.equal(ago('2026-11-23T08:30:00Z', now), '30 min ago');
  assert.equal(ago('2026-11-20T08:30:00Z', now), '3 days ago');
  assert.equal(ago('nonsense', now), '');
  assert.equal(duration(540), '9 min');
});
