// Several folders in a window, and a folder that nobody trusts: what is said, and that nothing else is.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Editor, until } from '../editor.mjs';
import { Agent, read, second, waiting, world } from '../world.mjs';
import { only } from './past.mjs';

const UNTRUSTED = 'Bailiwick starts no program in a folder that you do not trust.';

/** Nothing of ours pops up; the editor's own messages are not ours. */
const quiet = async editor => assert.equal(await editor.toast(/Bailiwick|This question is over/).count(), 0, 'a message popped up');

export const folders = [
  {
    name: 'the questions of all folders of a window are asked in their order, each with its folder',
    async play(stage) {
      const { editor } = stage;
      if (editor.page && !editor.page.isClosed()) await editor.page.close();
      const other = await second();
      const plain = join(world.base, 'plain');
      mkdirSync(plain, { recursive: true });
      const both = join(world.base, 'both.code-workspace');
      const all = [world.repo, join(world.repo, 'src'), other, plain].map(path => ({ path }));
      writeFileSync(both, JSON.stringify({ folders: all }));
      await editor.open(both);
      await editor.surface('view');
      await editor.command('Bailiwick: Show What Waits for Approval');
      const [here, there] = [stage.agent(51), new Agent(52, other)];
      await here.begin('Fix the login', 'INT-001');
      await there.begin('Print the invoices', 'INT-900');
      const one = here.write('src/auth/folders.ts', 'export {};\n');
      await editor.card('src/auth/folders.ts').getByText(/^repo · /).waitFor();
      const two = there.write('src/invoice.ts', 'export {};\n');
      const card = editor.card('src/invoice.ts');
      await card.getByText(/^second · /).waitFor();
      await card.getByText('Print the invoices').first().waitFor();
      await editor.status(/2 waiting/).waitFor();
      await stage.picture('folders');
      await editor.press(card, /^Approve: /);
      assert.equal((await two).decision, 'allow');
      assert.ok(existsSync(join(other, 'src/invoice.ts')));
      assert.equal(waiting().length, 1, 'the other folder was answered as well');
      await editor.press(editor.card('src/auth/folders.ts'), /^Reject/);
      assert.equal((await one).decision, 'deny');
      await editor.surface('modal');
      const [first, next] = [there.write('src/a.ts', 'export {};\n'), undefined];
      await editor.question('src/a.ts');
      const behind = here.write('src/auth/behind.ts', 'export {};\n');
      await until('both in their queues', () => waiting().length === 1);
      assert.equal(await editor.dialog('src/auth/behind.ts').count(), 0, 'the second did not wait');
      await editor.answer('src/a.ts', 'Approve');
      assert.equal((await first).decision, 'allow', next);
      await editor.question('src/auth/behind.ts');
      await editor.answer('src/auth/behind.ts', 'Escape');
      assert.equal((await behind).decision, 'deny');
      await quiet(editor);
    },
  },
  {
    name: 'each folder says how it stands, one root once',
    async play(stage) {
      const { editor } = stage;
      await only(stage, 'Agents');
      for (const name of ['repo', 'second', 'plain', 'Agents here are not governed']) await editor.row(name).first().waitFor();
      assert.equal(await editor.row(/^src$/).count(), 0, 'a folder below a root is a root of its own');
      assert.equal(await editor.row('Agents here are not governed').count(), 1);
      await stage.picture('folders-agents');
      await only(stage, 'Intents');
      await editor.row('INT-900').first().waitFor();
      assert.equal(editor.sidecars().length, 1, 'one window has one sidecar');
      await quiet(editor);
    },
  },
  {
    name: 'in a folder that nobody trusts nothing runs and nothing is said but where one looks; trust starts it',
    async play(stage) {
      if (stage.editor.page && !stage.editor.page.isClosed()) await stage.editor.page.close();
      await until('no sidecar', () => stage.editor.sidecars().length === 0);
      const editor = await Editor.start({ extension: process.env.EXTENSION, theme: process.env.THEME, home: 'restricted', trusts: false });
      try {
        await editor.open(world.repo, { runs: false });
        await editor.status(/Restricted Mode/).waitFor();
        await editor.page.locator('.activitybar .action-label[aria-label*="Bailiwick"]').click();
        await editor.approvals.getByText(UNTRUSTED).waitFor();
        assert.equal(editor.sidecars().length, 0, 'a program was started');
        assert.equal(await editor.status(/Bailiwick/).count(), 0);
        await quiet(editor);
        await stage.picture('restricted', editor);
        await editor.command('Workspaces: Manage Workspace Trust');
        await editor.page.locator('.workspace-trust-editor').getByRole('button', { name: /^Trust/ }).first().click();
        await editor.status(/Bailiwick/).waitFor();
        await until('one sidecar', () => editor.sidecars().length === 1);
        await quiet(editor);
      } catch (error) {
        await stage.picture('failure-restricted', editor);
        throw error;
      } finally {
        await editor.close();
      }
      assert.ok(read('src/auth/login.ts'), readFileSync(editor.log, 'utf8').slice(-500));
    },
  },
];
