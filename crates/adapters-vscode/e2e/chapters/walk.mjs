// The five minutes of a newcomer, as `docs/vscode.md` tells them: set up in the editor's own terminal, a first intent, a first
// change.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../editor.mjs';
import { Agent, world } from '../world.mjs';

const PATH = 'src/auth/logout.ts';

/** A repository that nobody set up yet, of somebody who has an agent. */
function fresh() {
  const repo = join(world.base, 'fresh');
  mkdirSync(join(repo, 'src/auth'), { recursive: true });
  mkdirSync(join(world.home, '.claude'), { recursive: true });
  for (let at = 0; at < 20; at++) writeFileSync(join(repo, `src/${at}.ts`), 'export {};\n');
  writeFileSync(join(repo, 'src/auth/login.ts'), 'export const timeout = 10;\n');
  const ran = spawnSync('git', ['init', '-q', '-b', 'main'], { cwd: repo, env: world.env, encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);
  return repo;
}

export const walk = [
  {
    name: 'a newcomer sets a repository up, accepts a first intent and approves a first change',
    async play(stage) {
      const { editor } = stage;
      if (editor.page && !editor.page.isClosed()) await editor.page.close();
      const repo = fresh();
      const inRepo = path => join(repo, path);
      await editor.open(repo, { runs: false });
      await editor.page.locator('.activitybar .action-label[aria-label*="Bailiwick"]').click();
      await editor.approvals.getByText('Agents in this folder are not governed').waitFor();
      await stage.picture('walk-1-not-governed');
      await editor.command('Bailiwick: Set Up This Workspace');
      const terminal = editor.page.locator('.terminal-wrapper .xterm-rows');
      await terminal.first().waitFor();
      // Each question has a default, which Enter takes.
      await until('the hooks are there', async () => {
        await editor.page.locator('.terminal-wrapper .xterm-helper-textarea').first().press('Enter');
        return existsSync(inRepo('.claude/settings.local.json'));
      });
      await until('what to do next', async () => (await terminal.first().innerText()).replaceAll('\u00a0', ' ').includes('then start the agent'));
      await stage.picture('walk-2-set-up');
      await editor.status(/Bailiwick/).waitFor();
      const agent = new Agent(61, repo);
      await agent.prompt('Write the logout');
      const drafted = agent.own('propose_intent', {
        name: 'Write the logout', why: 'Sessions never end', owned_scope: ['src/auth/**'], acceptance_criteria: ['A logout ends the session'],
      });
      await editor.question('drafts an intent: Write the logout');
      await stage.picture('walk-3-intent');
      await editor.answer('drafts an intent: Write the logout', 'Approve');
      assert.equal((await drafted).decision, 'allow');
      const [, id] = /id:\s*(INT-\d+)/.exec(readFileSync(inRepo('.orchestration/active_intents.yaml'), 'utf8'));
      assert.equal((await agent.own('select_active_intent', { intent_id: id })).decision, 'allow');
      const call = agent.write(PATH, 'export const logout = () => undefined;\n');
      await editor.question(PATH);
      await stage.picture('walk-4-change');
      await editor.answer(PATH, 'Approve');
      assert.equal((await call).decision, 'allow');
      assert.ok(existsSync(inRepo(PATH)));
      await editor.command('Bailiwick: Focus on Ledger View');
      await editor.row(PATH).first().waitFor();
      await stage.picture('walk-5-ledger');
      // Beside a question an agent can be given another intent, in a terminal.
      await editor.command('Bailiwick: Let an Agent Work Under This Intent');
      await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: id }).first().click();
      await until('the terminal ran it', async () => (await terminal.last().innerText()).replaceAll('\u00a0', ' ').includes(`${id} is active for`));
    },
  },
];
