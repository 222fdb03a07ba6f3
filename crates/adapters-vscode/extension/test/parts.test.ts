import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { endNote, hoverLines, lastOf } from '../src/blameWords';
import { offers } from '../src/offers';
import { find } from '../src/program';
import type { FolderSnapshot } from '../src/protocol';
import { byStatus, lineOfIntent, statusName } from '../src/queries';
import { inScope, isProtected } from '../src/scope';
import { summary } from '../src/summary';

// threat: a program of the workspace is started in place of the gate
test('a program is never looked for relative to the workspace', () => {
  const places = { setting: '', extension: '/ext', path: '.:bin:/usr/bin', windows: false };
  const asked: string[] = [];
  find(places, file => (asked.push(file), false));
  assert.deepEqual(asked, ['/ext/bin/bailiwick', '/usr/bin/bailiwick']);
  assert.equal(find({ ...places, setting: 'bin/bailiwick' }, () => true), undefined);
  assert.equal(find({ ...places, setting: '/opt/bailiwick' }, () => true), '/opt/bailiwick');
  assert.equal(find(places, file => file.startsWith('/usr')), '/usr/bin/bailiwick');
});

test('each governed root has one server of governed tools, with its name where there are several', () => {
  const [a, b] = [{ root: '/w/a', name: 'a' }, { root: '/w/b', name: 'b' }];
  const labels = (folders: { root: string; name: string }[]) => offers(folders, '/bin/bailiwick', '0.1.0').map(({ label }) => label);
  assert.deepEqual(labels([a, a]), ['Bailiwick']);
  assert.deepEqual(labels([a, b]), ['Bailiwick (a)', 'Bailiwick (b)']);
  assert.deepEqual(offers([a], '/bin/bailiwick', '0.1.0')[0]?.args, ['mcp', '--root', '/w/a']);
  assert.deepEqual(offers([a], '', ''), [], 'no program, no server');
});

test('marks follow a scope and its exclusions', () => {
  const scope = ['src/auth/', '!src/auth/legacy/**', 'tests/*.rs', 'docs/{a,b}.md'];
  const owned = ['src/auth/jwt.rs', 'src/auth/deep/x.rs', 'tests/a.rs', 'docs/b.md'];
  for (const path of owned) assert.ok(inScope(path, scope), path);
  for (const path of ['src/auth/legacy/x.rs', 'src/author.rs', 'tests/deep/a.rs', 'docs/c.md']) assert.ok(!inScope(path, scope), path);
  assert.ok(isProtected('.orchestration/config.yaml') && isProtected('a/.git/config') && !isProtected('src/.gitx'));
});

test('the intents that agents work under come first', () => {
  const row = (id: string, status: string) => ({ id, name: id, status, owned_scope: [] });
  const groups = byStatus([row('A', 'COMPLETED'), row('B', 'PENDING'), row('C', 'IN_PROGRESS'), row('D', 'ODD'), row('E', 'PENDING')]);
  assert.deepEqual(groups.map(({ status, intents }) => [status, intents.length]), [['IN_PROGRESS', 1], ['PENDING', 2], ['COMPLETED', 1], ['ODD', 1]]);
  assert.equal(statusName('IN_PROGRESS'), 'In progress');
});

test('an intent is found in its file', () => {
  const text = 'active_intents:\n  - name: x\n    id: INT-1\n  - id: "INT-10" # ten\n';
  assert.equal(lineOfIntent(text, 'INT-1'), 2);
  assert.equal(lineOfIntent(text, 'INT-10'), 3);
  assert.equal(lineOfIntent(text, 'INT-2'), undefined);
});

test('a line says its intent, and what is not proof is called so', () => {
  const now = Date.parse('2026-11-23T09:00:00Z');
  const line = {
    line: 3, intent: 'INT-001', requirements: ['REQ-7'], entry: 'e', class: 'AST_REFACTOR', certainty: 'similar', timestamp: '2026-11-23T08:50:00Z',
  };
  assert.equal(endNote(line, now), 'INT-001 · REQ-7 · refactor · 10 min ago');
  assert.equal(endNote(undefined, now), 'no recorded change');
  assert.ok(hoverLines(line, 'ap-1 by dana', now).some(each => each.includes('not proof')));
  assert.ok(hoverLines(line, undefined, now).includes('No approval is recorded'));
  const later = { ...line, line: 5, intent: 'INT-002', timestamp: '2026-11-23T08:59:00Z' };
  assert.equal(lastOf([line, later], 1, 9)?.intent, 'INT-002');
  assert.equal(lastOf([line, later], 1, 4)?.intent, 'INT-001');
});

const folder = (more: Partial<FolderSnapshot> = {}): FolderSnapshot => ({
  root: '/shop', name: 'shop', state: 'governed', approvals: [], grants: [], reviews: [], done: [], agents: [], running: 0,
  marks: { ledger: '', intents: '', decisions: '', answered: '' }, ...more,
});

test('the status line says the intent and what waits, and nothing where nothing is governed', () => {
  assert.equal(summary('running', '', [folder({ state: 'not_set_up' })]), undefined);
  assert.equal(summary('untrusted', '', []), undefined);
  assert.equal(summary('running', '', [folder()])?.text, '$(shield) Bailiwick');
  const agent = { actor: 'a', host: 'claude-code', session: 's', state: 'ACTION', intent: 'INT-$(bug)', halted: false, last: '' };
  const line = summary('running', '', [folder({ agents: [agent], approvals: [{} as never] })]);
  assert.equal(line?.level, 'waiting');
  assert.ok(line?.text.includes('1 waiting') && !line.text.includes('$(bug)'), 'a name is no icon');
  assert.equal(summary('stopped', 'it ended', [])?.command, 'bailiwick.restart');
});

test('the status line counts over all folders of a window', () => {
  const agent = (intent: string) => ({ actor: 'a', host: 'claude-code', session: 's', state: 'ACTION', intent, halted: false, last: '' });
  const one = folder({ agents: [agent('INT-001')], approvals: [{} as never] });
  const other = folder({ root: '/bills', name: 'bills', agents: [agent('INT-900')], approvals: [{} as never] });
  const plain = folder({ root: '/notes', name: 'notes', state: 'not_set_up' });
  const line = summary('running', '', [one, other, plain]);
  assert.ok(line?.text.includes('2 intents, 2 waiting'), line?.text);
  assert.ok(line?.tooltip.startsWith('2 governed folders, 2 agent sessions'), line?.tooltip);
});

test('a repository that nobody trusts neither names the program nor says where a person is asked', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
    contributes: { configuration: { properties: Record<string, { scope?: string }> } };
  };
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, 'limited');
  const strong = Object.entries(manifest.contributes.configuration.properties).filter(([, each]) => each.scope !== undefined);
  assert.deepEqual(restrictedConfigurations, strong.map(([name]) => name));
  assert.ok(strong.every(([, { scope }]) => scope === 'machine' || scope === 'application'));
});
