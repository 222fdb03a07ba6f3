// What a person sees besides questions: it shows what the command line says.
import assert from 'node:assert/strict';
import { until } from '../editor.mjs';
import { gate, read, world, write } from '../world.mjs';

const PATH = 'src/auth/login.ts';
const INTENTS = '.orchestration/active_intents.yaml';

/** What the editor draws behind elements, which is no text of theirs. */
const drawn = locator => locator.evaluateAll(all => all.map(each => getComputedStyle(each, '::after').content).join('\n'));

/** A recorded change of the file that these chapters look at. */
async function recorded(stage) {
  const { editor } = stage;
  if (!editor.page || editor.page.isClosed()) await editor.open(world.repo);
  if (gate('trace', 'log', '--limit', '1000').entries.some(entry => entry.files[0]?.path === PATH)) return;
  const agent = stage.agent(21);
  await agent.begin('Make the login timeout longer', 'INT-001');
  await agent.read(PATH);
  const call = agent.write(PATH, 'export const timeout = 30;\n');
  await editor.question(PATH);
  await editor.answer(PATH, 'Approve');
  await call;
}

export const looks = [
  {
    name: 'the Intents view shows what `intent list` says, and opens the file at the intent',
    async play(stage) {
      const { editor } = stage;
      await recorded(stage);
      await editor.command('Bailiwick: Focus on Intents View');
      // The tree draws only the rows that have room.
      await editor.page.locator('.pane-header', { hasText: 'Approvals' }).click();
      await editor.command('Bailiwick: Refresh');
      for (const { id, name } of gate('intent', 'list').intents) {
        const row = editor.row(id).first();
        await row.waitFor();
        assert.ok((await row.innerText()).includes(name), `${id} is shown without its name`);
      }
      await editor.row('INT-001').first().click();
      await editor.row('src/auth/**').first().waitFor();
      await editor.row('Scope').first().click();
      await editor.row('Requirements').first().waitFor();
      await editor.row('Files changed').first().waitFor();
      await stage.picture('intents');
      await editor.row('INT-001').first().hover();
      await editor.row('INT-001').first().getByRole('button', { name: /Open in active_intents/ }).click();
      await editor.tab('active_intents.yaml').waitFor();
      await editor.page.locator('.view-line', { hasText: 'INT-001' }).first().waitFor();
      await editor.page.locator('.pane-header', { hasText: 'Approvals' }).click();
    },
  },
  {
    name: 'what is wrong with the intents file is marked as it is typed',
    async play(stage) {
      const { editor } = stage;
      const at = editor.page.locator('.view-line').last();
      await at.click();
      await editor.page.keyboard.press('Control+End');
      await editor.page.keyboard.type('\noops: 1\n');
      await editor.page.locator('.squiggly-error').first().waitFor();
      await editor.command('Problems: Focus on Problems View');
      const text = read(INTENTS);
      write(INTENTS, `${text}\noops: 1\n`);
      const [{ message }] = gate('intent', 'check').errors;
      write(INTENTS, text);
      await editor.page.locator('.markers-panel .monaco-list-row', { hasText: message.slice(0, 20) }).waitFor();
      await editor.tab('active_intents.yaml').click();
      await editor.command('File: Revert File');
      await editor.page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
      await editor.command('View: Toggle Panel');
    },
  },
  {
    name: 'the Agents view says who works, and what is not governed',
    async play(stage) {
      const { editor } = stage;
      await editor.command('Bailiwick: Focus on Agents View');
      await editor.row('Claude Code').first().waitFor();
      // Below the agents; the tree draws only the rows that have room.
      await editor.row('Claude Code').first().click();
      await until('what is not governed', async () => {
        await editor.page.keyboard.press('End');
        return editor.row('the chat agent of').isVisible();
      });
      await stage.picture('agents');
    },
  },
  {
    name: 'the Ledger view shows what `trace log` says, of everything and of one file',
    async play(stage) {
      const { editor } = stage;
      await editor.command('Bailiwick: Focus on Ledger View');
      const { entries } = gate('trace', 'log');
      const paths = new Set(entries.map(entry => entry.files[0]?.path).filter(Boolean));
      for (const path of [...paths].slice(-3)) await editor.row(path).first().waitFor();
      await stage.picture('ledger');
    },
  },
  {
    name: 'a line says its intent in the editor, with a lens and a hover, as `trace blame` does',
    async play(stage) {
      const { editor } = stage;
      const path = PATH;
      const [line] = gate('trace', 'blame', path).lines;
      assert.equal(line.intent, 'INT-001');
      await editor.openFile(['src', 'auth', 'login.ts']);
      await editor.page.locator('.codelens-decoration', { hasText: 'INT-001' }).waitFor();
      await editor.command('Bailiwick: Show or Hide Who Wrote Each Line');
      await until('the note behind the line', async () =>
        (await drawn(editor.page.locator('.view-lines .view-line span'))).replaceAll('\u00a0', ' ').includes('INT-001 · REQ-AUTH-1'));
      await editor.page.locator('.view-line span', { hasText: 'timeout' }).last().hover();
      const hover = editor.page.locator('.monaco-hover', { hasText: 'How it is known' });
      await hover.waitFor();
      assert.match((await hover.innerText()).replaceAll('\u00a0', ' '), /INT-001[\s\S]*REQ-AUTH-1[\s\S]*Approved: ap-/);
      await stage.picture('blame');
      await editor.command('Bailiwick: Show or Hide Who Wrote Each Line');
    },
  },
  {
    name: 'the explorer marks protected files, and the scope of the intent that was chosen',
    async play(stage) {
      const { editor } = stage;
      await editor.command('Bailiwick: Mark Scope in the Explorer');
      await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'INT-001' }).first().click();
      const row = name => editor.page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: new RegExp(`^\\s*${name}`) });
      await until('the marks', async () => (await drawn(row('login.ts').locator('.monaco-icon-label'))).includes('◆'));
      await stage.picture('explorer');
    },
  },
];
