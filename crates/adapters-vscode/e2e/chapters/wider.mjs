// Yeses that reach further than one call inside the rules: over a scope's edge, and to a scope that owns much.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { until } from '../editor.mjs';
import { file, gate, person, read, waiting, world, write } from '../world.mjs';

const CONFIG = '.orchestration/config.yaml';
const INTENTS = '.orchestration/active_intents.yaml';
const OUTSIDE = 'src/core/anyway.ts';

const settled = () => until('an empty queue', () => waiting().length === 0);
const setting = key => gate('config', 'show').settings.find(each => each.key === key)?.value ?? 'null';
const entriesOf = path => gate('trace', 'log').entries.filter(entry => entry.metadata['dev.bailiwick'].files.some(each => each.path === path));
const overrides = () => gate('approval', 'list').approvals.filter(each => each.kind === 'scope_override');

/** A window that asks in dialogs. */
async function opened({ editor }) {
  if (!editor.page || editor.page.isClosed()) await editor.open(world.repo);
  await editor.surface('modal');
}

/** Enough files for a scope that needs a second word. */
function many(folder, count) {
  mkdirSync(file(folder), { recursive: true });
  for (let at = 0; at < count; at++) write(`${folder}/${at}.ts`, 'export {};\n');
}

export const wider = [
  {
    name: 'outside the scope a person is asked only where the settings say so and were accepted',
    async play(stage) {
      const { editor } = stage;
      await opened(stage);
      const agent = stage.agent(31);
      await agent.begin('The entry point as well', 'INT-001');
      stage.settings = read(CONFIG);
      write(CONFIG, 'scope: { on_violation: ask }\n');
      assert.equal((await agent.write(OUTSIDE, 'export {};\n')).code, 'SCOPE_VIOLATION', 'nobody accepted it');
      await person('config accept');
      assert.equal(setting('scope.on_violation'), 'ask');
      const call = agent.write(OUTSIDE, 'export const one = 1;\n');
      const said = await editor.question(OUTSIDE);
      for (const part of [`Claude Code wants to change ${OUTSIDE} outside the scope`, 'INT-001', 'Scope: src/auth/**', `Changes: ${OUTSIDE}`]) {
        assert.ok(said.includes(part), `the dialog does not say ${part}:\n${said}`);
      }
      const buttons = await editor.dialog(OUTSIDE).getByRole('button').allInnerTexts();
      assert.deepEqual(buttons.map(each => each.trim()).filter(each => each !== '').sort(), ['Approve Anyway', 'Cancel', 'Reject']);
      assert.equal(overrides().length, 1);
      await stage.picture('anyway');
      await editor.answer(OUTSIDE, 'Enter');
      const no = await call;
      assert.equal(no.decision, 'deny');
      assert.equal(read(OUTSIDE), undefined, 'a rejected call wrote');
      await settled();
    },
  },
  {
    name: 'Approve Anyway lets one call through, with one question, and the change is recorded as an override',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(31);
      const call = agent.write(OUTSIDE, 'export const two = 2;\n');
      await editor.question(OUTSIDE);
      await editor.answer(OUTSIDE, 'Approve Anyway');
      assert.equal((await call).decision, 'allow', 'it was asked twice');
      assert.equal(read(OUTSIDE), 'export const two = 2;\n');
      const [entry, ...more] = entriesOf(OUTSIDE);
      assert.equal(more.length, 0);
      assert.equal(entry.metadata['dev.bailiwick'].scope_override, true);
      assert.ok(entry.metadata['dev.bailiwick'].approved_by, 'nobody approved it');
      assert.ok(!read(INTENTS).includes(OUTSIDE), 'the scope is wider');
      // Not remembered: the next call is asked about anew.
      await agent.read(OUTSIDE);
      const again = agent.write(OUTSIDE, 'export const three = 3;\n');
      await editor.question(OUTSIDE);
      await editor.answer(OUTSIDE, 'Escape');
      assert.equal((await again).decision, 'deny');
      assert.equal(read(OUTSIDE), 'export const two = 2;\n');
      await settled();
      assert.equal((await agent.write('.intentignore', 'x\n')).decision, 'deny', 'a protected file is never asked about');
      assert.equal(waiting().length, 0);
      write(CONFIG, stage.settings);
      assert.equal((await agent.write('src/core/never.ts', 'export {};\n')).code, 'SCOPE_VIOLATION');
    },
  },
  {
    name: 'a broad scope is asked in the view, and takes a second click',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(31);
      many('packages/all', 40);
      const drafted = agent.own('propose_intent', {
        name: 'Every package', why: 'All of them are old', owned_scope: ['packages/**'], acceptance_criteria: ['All of them are new'],
      });
      const card = editor.card('drafts an intent: Every package');
      await card.waitFor();
      assert.ok(await editor.isQuiet(), 'a dialog with one button opened');
      const [{ broad }] = waiting();
      assert.ok(broad.files >= 40, JSON.stringify(broad));
      assert.equal(broad.can_run, 0, JSON.stringify(broad));
      assert.match(await card.innerText(), new RegExp(`${broad.files} files of ${broad.of}, none of them can run code`));
      await editor.press(card, /^Approve: /);
      const second = card.getByRole('button', { name: `Approve ${broad.files} files` });
      await second.waitFor();
      await stage.picture('broad');
      assert.equal(waiting().length, 1, 'one click was enough');
      assert.ok(!read(INTENTS).includes('Every package'));
      await editor.press(card, `Approve ${broad.files} files`);
      await drafted;
      await until('the intent is written', () => read(INTENTS).includes('Every package'));
      await settled();
    },
  },
  {
    name: 'a draft that is edited into a broad one takes the second click as well',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(31);
      await editor.surface('view');
      const drafted = agent.own('propose_intent', {
        name: 'One package', why: 'It is old', owned_scope: ['packages/all/1.ts'], acceptance_criteria: ['It is new'],
      });
      const card = editor.card('drafts an intent: One package');
      await card.locator('summary', { hasText: 'Edit the draft' }).click();
      await card.getByLabel('Scope, one pattern a line').fill('packages/**\nsrc/**');
      await editor.press(card, 'See the change');
      const first = card.getByRole('button', { name: /^Accept as edited/ });
      await first.waitFor();
      await editor.press(card, /^Accept as edited/);
      assert.equal(waiting().length, 1, 'one click was enough');
      await editor.press(card, /^Accept as edited: \d+ files/);
      await drafted;
      await until('the intent is written', () => read(INTENTS).includes('One package'));
      await settled();
      rmSync(file('packages'), { recursive: true });
      await editor.surface('modal');
    },
  },
];
