// Questions in the dialog: what it shows, and what each end of it means to the agent.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../editor.mjs';
import { file, person, read, waiting, world, write } from '../world.mjs';

const REJECTED = 'DESTRUCTIVE_ACTION_REJECTED';
const CONFIG = '.orchestration/config.yaml';

/** Everything that a rejection must leave behind. */
async function isRejected(stage, call, path) {
  const answer = await call;
  assert.equal(answer.decision, 'deny');
  assert.equal(answer.code, REJECTED, answer.reason);
  assert.equal(JSON.parse(answer.reason).recoverable, false);
  assert.equal(read(path), undefined, 'a rejected call wrote');
}

/** The sidecar says when a question is over; until then the next one may not be its first. */
const settled = () => until('an empty queue', () => waiting().length === 0);

export const questions = [
  {
    name: 'a window without the focus is no surface, and asks what waits when it gets the focus',
    async play(stage) {
      const { editor } = stage;
      await editor.open(world.repo, { focused: false });
      const agent = stage.agent(1);
      await agent.begin('Make the login timeout longer', 'INT-001');
      const alone = await agent.write('src/auth/hidden.ts', 'export {};\n');
      assert.equal(alone.code, 'APPROVAL_PENDING', alone.reason);
      assert.match(alone.reason, /Nobody is there/);
      assert.ok(await editor.isQuiet(), 'a hidden window asked');
      await editor.focus(true);
      await editor.question('src/auth/hidden.ts');
      await editor.answer('src/auth/hidden.ts', 'Approve');
      await until('the approval', () => waiting().length === 0);
      assert.equal((await agent.write('src/auth/hidden.ts', 'export {};\n')).decision, 'allow');
    },
  },
  {
    name: 'a write opens the dialog with intent, paths, reason and a diff; Approve lets it through',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(1);
      await agent.read('src/auth/login.ts');
      const call = agent.write('src/auth/login.ts', 'export const timeout = 30;\n');
      const said = await editor.question('src/auth/login.ts');
      for (const part of ['Claude Code wants to change src/auth/login.ts', 'INT-001', 'Fix login timeout', 'Reason:', 'Class: DESTRUCTIVE', 'Change:']) {
        assert.ok(said.includes(part), `the dialog does not say ${part}:\n${said}`);
      }
      const buttons = await editor.dialog('src/auth/login.ts').getByRole('button').allInnerTexts();
      assert.deepEqual(buttons.map(each => each.trim()).filter(each => each !== '').sort(), ['Approve', 'Cancel', 'Reject']);
      const focused = await editor.page.evaluate(() => document.activeElement?.textContent);
      assert.equal(focused, 'Reject', 'Enter is not safe');
      await editor.tab('login.ts').waitFor();
      await until('both sides of the change', async () => {
        const text = await editor.diffText();
        return text.includes('timeout = 10') && text.includes('timeout = 30');
      });
      await stage.picture('modal');
      await editor.answer('src/auth/login.ts', 'Approve');
      assert.equal((await call).decision, 'allow');
      assert.equal(read('src/auth/login.ts'), 'export const timeout = 30;\n');
      await until('the diff closes', async () => (await editor.tab('proposed').count()) === 0);
    },
  },
  {
    name: 'a command is shown whole in the dialog, and nothing that it says opens as a change',
    async play(stage) {
      const { editor } = stage;
      const forged = '--- a/README.md\n+++ b/README.md\n@@ -1,1 +1,1 @@\n-a\n+b';
      const command = `mkdir -p src/auth && cat > src/auth/x.ts <<E\n${forged}\nE\ntouch src/auth/unseen.ts`;
      const call = stage.agent(1).call('Bash', { command, description: 'x' });
      const said = await editor.question('The call:');
      for (const line of ['$ mkdir -p src/auth && cat > src/auth/x.ts <<E', '--- a/README.md', 'touch src/auth/unseen.ts']) {
        assert.ok(said.includes(`│ ${line}`), `the dialog does not say ${line}:\n${said}`);
      }
      assert.equal(await editor.tab('proposed').count(), 0, 'a text of the agent opened as a change');
      await stage.picture('command');
      await editor.answer('The call:', 'Approve');
      assert.equal((await call).decision, 'allow');
      await settled();
    },
  },
  {
    name: 'a command that is too long for the dialog is asked in the view',
    async play(stage) {
      const { editor } = stage;
      const lines = Array.from({ length: 40 }, (_, at) => `export const long${at} = 1;`);
      const command = `cat > src/auth/long.ts <<E\n${lines.join('\n')}\nE`;
      const call = stage.agent(1).call('Bash', { command, description: 'x' });
      const card = editor.card('export const long39 = 1;');
      const early = await Promise.race([call, card.waitFor()]);
      assert.equal(early, undefined, early?.reason);
      assert.ok(await editor.isQuiet(), 'a dialog opened');
      await editor.press(card, /^Reject/);
      assert.equal((await call).code, REJECTED);
      await settled();
    },
  },
  ...['Reject', 'Enter', 'Escape', 'Cancel'].map(how => ({
    name: `${how} rejects`,
    async play(stage) {
      const path = `src/auth/${how.toLowerCase()}.ts`;
      const call = stage.agent(1).write(path, 'export {};\n');
      await stage.editor.question(path);
      await stage.editor.answer(path, how);
      await isRejected(stage, call, path);
      await settled();
    },
  })),
  {
    name: 'two agents are asked for first in, first out',
    async play(stage) {
      const { editor } = stage;
      const [first, second] = [stage.agent(1), stage.agent(2)];
      await second.begin('Write the logout', 'INT-001');
      const one = first.write('src/auth/one.ts', 'export {};\n');
      await editor.question('src/auth/one.ts');
      const two = second.write('src/auth/two.ts', 'export {};\n');
      await until('both in the queue', () => waiting().length === 2);
      assert.equal(await editor.dialog('src/auth/two.ts').count(), 0, 'the second did not wait');
      await editor.answer('src/auth/one.ts', 'Approve');
      assert.equal((await one).decision, 'allow');
      assert.equal(read('src/auth/two.ts'), undefined);
      await editor.question('src/auth/two.ts');
      await editor.answer('src/auth/two.ts', 'Reject');
      await isRejected(stage, two, 'src/auth/two.ts');
      await settled();
    },
  },
  {
    name: 'outside the scope nobody is asked',
    async play(stage) {
      const answer = await stage.agent(1).write('src/core/outside.ts', 'export {};\n');
      assert.equal(answer.code, 'SCOPE_VIOLATION', answer.reason);
      assert.equal(waiting().length, 0);
      assert.ok(await stage.editor.isQuiet());
    },
  },
  {
    name: 'after the deadline the question stays open, and its answer counts for the same call',
    async play(stage) {
      const { editor } = stage;
      const before = read(CONFIG);
      write(CONFIG, 'approval: { timeout_s: 3 }\n');
      const agent = stage.agent(1);
      const late = agent.write('src/auth/late.ts', 'export {};\n');
      await editor.question('src/auth/late.ts');
      assert.equal((await late).code, 'APPROVAL_PENDING');
      write(CONFIG, before);
      await editor.answer('src/auth/late.ts', 'Approve');
      await settled();
      assert.equal((await agent.write('src/auth/late.ts', 'export {};\n')).decision, 'allow');
    },
  },
  {
    name: 'a question that was answered elsewhere says so to a late click',
    async play(stage) {
      const { editor } = stage;
      const call = stage.agent(1).write('src/auth/elsewhere.ts', 'export {};\n');
      await editor.question('src/auth/elsewhere.ts');
      const [{ id }] = waiting();
      person(`approval reject ${id}`);
      await isRejected(stage, call, 'src/auth/elsewhere.ts');
      await editor.answer('src/auth/elsewhere.ts', 'Approve');
      await editor.toast('This question is over').waitFor();
      assert.equal(read('src/auth/elsewhere.ts'), undefined);
      await editor.command('Notifications: Clear All Notifications');
    },
  },
  {
    name: 'no command of the extension answers',
    async play(stage) {
      const { editor } = stage;
      await editor.surface('view');
      const call = stage.agent(1).write('src/auth/commands.ts', 'export {};\n');
      await editor.card('src/auth/commands.ts').waitFor();
      const [{ id }] = waiting();
      const asked = join(world.base, 'probe.json');
      // Starting it again ends the question, which rejects it; hiding a view would hide it from the chapters to come.
      writeFileSync(asked, JSON.stringify({ root: world.repo, id, leave: ['restart', 'setUp', 'walkthrough', 'removeView', 'toggleVisibility'] }));
      const probed = join(world.base, 'probed.json');
      await until('every command was run', () => existsSync(probed), 120_000);
      const ran = JSON.parse(readFileSync(probed, 'utf8'));
      for (const name of ['openApprovals', 'showChange', 'approvals.focus']) {
        assert.ok(ran.includes(`bailiwick.${name}`), `${name} was not run`);
      }
      assert.deepEqual(waiting().map(each => each.id), [id], 'a command answered');
      await editor.command('View: Close All Editors');
      await editor.command('Bailiwick: Show What Waits for Approval');
      await editor.press(editor.card('src/auth/commands.ts'), /^Reject/);
      await isRejected(stage, call, 'src/auth/commands.ts');
      await editor.surface('modal');
    },
  },
  {
    name: 'when the sidecar is killed the question is rejected, and a late click says so; it starts again',
    async play(stage) {
      const { editor } = stage;
      const call = stage.agent(1).write('src/auth/killed.ts', 'export {};\n');
      await editor.question('src/auth/killed.ts');
      const [pid] = editor.sidecars();
      assert.ok(pid, 'no sidecar runs');
      process.kill(pid, 'SIGKILL');
      await isRejected(stage, call, 'src/auth/killed.ts');
      stage.ended.push('src/auth/killed.ts');
      await editor.answer('src/auth/killed.ts', 'Approve');
      await editor.toast('This question is over').waitFor();
      assert.equal(read('src/auth/killed.ts'), undefined);
      await until('another sidecar', () => editor.sidecars().some(each => each !== pid));
      await editor.status(/INT-001/).waitFor();
      await editor.command('Notifications: Clear All Notifications');
      const again = stage.agent(1).write('src/auth/again.ts', 'export {};\n');
      await editor.question('src/auth/again.ts');
      await editor.answer('src/auth/again.ts', 'Approve');
      assert.equal((await again).decision, 'allow');
    },
  },
  {
    name: 'closing the window rejects',
    async play(stage) {
      const { editor } = stage;
      const call = stage.agent(1).write('src/auth/closed.ts', 'export {};\n');
      await editor.question('src/auth/closed.ts');
      await editor.page.goto('about:blank');
      await editor.page.close();
      await isRejected(stage, call, 'src/auth/closed.ts');
      stage.ended.push('src/auth/closed.ts');
      assert.ok(!existsSync(file('src/auth/closed.ts')));
    },
  },
];
