// What lies behind: answers and taking them back, and views of much more than fits on a screen.
import assert from 'node:assert/strict';
import { until } from '../editor.mjs';
import { gate, read, waiting, write, world } from '../world.mjs';

const INTENTS = '.orchestration/active_intents.yaml';
const PATH = 'src/auth/undo.ts';
const MANY = 60;
const empty = () => until('an empty queue', () => waiting().length === 0);

/** A window that asks in the view, with the view in front. */
async function opened({ editor }) {
  if (!editor.page || editor.page.isClosed()) await editor.open(world.repo);
  await editor.surface('view');
  await editor.command('Bailiwick: Show What Waits for Approval');
}

/** Opens exactly these parts of the side bar. */
export async function only({ editor }, ...names) {
  for (const name of ['Approvals', 'Intents', 'Agents', 'Ledger']) {
    const header = editor.page.locator('.pane-header', { hasText: name });
    if (((await header.getAttribute('aria-expanded')) === 'true') !== names.includes(name)) await header.click();
  }
}

/** Goes to the last row of the tree in this part of the side bar, wherever the focus was. */
async function toEnd({ editor }, part) {
  const pane = editor.page.locator('.pane', { has: editor.page.locator('.pane-header', { hasText: part }) });
  await pane.locator('.monaco-list').focus();
  await editor.page.keyboard.press('End');
}

/** Presses the last row of a tree. The tree may be drawn anew between a look and a click. */
async function pressLast(stage, part, text) {
  await until(`a click on ${text}`, async () => {
    await toEnd(stage, part);
    return stage.editor.row(text).first().click({ timeout: 1_000 }).then(() => true, () => false);
  });
}

export const past = [
  {
    name: 'a question shows what the person asked for, and the history what was answered to it',
    async play(stage) {
      const { editor } = stage;
      await opened(stage);
      const agent = stage.agent(41);
      await agent.begin('Write what can be taken back', 'INT-001');
      // A question comes into sight, wherever one reads.
      await editor.approvals.locator('body').evaluate(body => scrollTo(0, body.scrollHeight));
      const call = agent.write(PATH, 'export const undo = 1;\n');
      const card = editor.card(PATH);
      await card.waitFor();
      await until('the question in sight', () => card.evaluate(element => {
        const { top } = element.getBoundingClientRect();
        return top >= 0 && top < innerHeight;
      }));
      await card.getByText('Write what can be taken back').waitFor();
      await stage.picture('prompt');
      await editor.press(card, /^Approve: /);
      assert.equal((await call).decision, 'allow');
      const next = agent.write('src/auth/never.ts', 'export {};\n');
      await editor.card('src/auth/never.ts').getByLabel('Tell the agent why you reject').fill('Not this one');
      await editor.press(editor.card('src/auth/never.ts'), /^Reject/);
      assert.equal((await next).decision, 'deny');
      const answered = path => editor.approvals.locator('.answered', { hasText: path });
      await answered('src/auth/never.ts').getByText('Not this one').waitFor();
      await answered('src/auth/never.ts').getByText('Rejected: Claude Code').waitFor();
      await answered(PATH).getByText('Approved: Claude Code').waitFor();
      assert.equal(await answered('src/auth/never.ts').getByRole('button').count(), 0, 'nothing was done');
    },
  },
  {
    name: 'an answered change is taken back as it was shown, by two clicks on the page',
    async play(stage) {
      const { editor } = stage;
      const box = editor.approvals.locator('.answered', { hasText: PATH });
      await editor.press(box, /^Take back: /);
      await box.getByText('-export const undo = 1;').waitFor();
      assert.equal(read(PATH), 'export const undo = 1;\n', 'one click was enough');
      // Somebody writes meanwhile: what was shown is done, or nothing.
      write(PATH, 'export const mine = 1;\n');
      await editor.press(box, 'Put back 1 file');
      await box.getByText('changed since they were shown').waitFor();
      assert.equal(read(PATH), 'export const mine = 1;\n');
      write(PATH, 'export const undo = 1;\n');
      await editor.press(box, /^Take back: /);
      await stage.picture('undo');
      await editor.press(box, 'Put back 1 file');
      await until('the file is gone again', () => read(PATH) === undefined);
      await box.getByText('taken back').waitFor();
      assert.equal(await box.getByRole('button').count(), 0);
    },
  },
  {
    name: 'a long ledger is shown page by page',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(41);
      const first = agent.write('src/auth/many/0.ts', 'export {};\n');
      const card = editor.card('src/auth/many/0.ts');
      await card.locator('summary', { hasText: 'Approve edits like this' }).click();
      await card.getByLabel('files').fill(String(MANY));
      await card.getByLabel('calls').fill(String(MANY));
      await editor.press(card, 'Approve and grant');
      assert.equal((await first).decision, 'allow');
      for (let at = 1; at < MANY; at++) {
        const { decision, reason } = await agent.write(`src/auth/many/${at}.ts`, 'export {};\n');
        assert.equal(decision, 'allow', reason);
      }
      await agent.stop();
      const review = editor.approvals.locator('.box', { hasText: `${MANY - 1} files changed` });
      await editor.press(review, 'Keep everything');
      await review.waitFor({ state: 'detached' });
      await only(stage, 'Ledger');
      await editor.row(`src/auth/many/${MANY - 1}.ts`).first().waitFor();
      const [oldest] = gate('trace', 'log', '--limit', '1000').entries;
      const path = oldest.metadata['dev.bailiwick'].files[0].path;
      await until('the end of the first page', async () => {
        await toEnd(stage, 'Ledger');
        return editor.row('Show more').first().isVisible();
      });
      assert.equal(await editor.row(path).count(), 0, 'everything was asked for at once');
      await pressLast(stage, 'Ledger', 'Show more');
      await stage.picture('pages');
      await until('the oldest entry', async () => {
        await toEnd(stage, 'Ledger');
        if ((await editor.row(path).count()) > 0) return true;
        await editor.row('Show more').first().click({ timeout: 1_000 }).catch(() => {});
        return false;
      });
      await until('the beginning of the ledger', async () => {
        await editor.page.keyboard.press('Home');
        return editor.row(`src/auth/many/${MANY - 1}.ts`).first().isVisible();
      });
    },
  },
  {
    name: 'a thousand intents are shown page by page',
    async play(stage) {
      const { editor } = stage;
      const before = read(INTENTS);
      const rows = Array.from({ length: 1_000 }, (_, at) => `  - id: OLD-${at}\n    name: Done ${at}\n    status: COMPLETED\n    owned_scope: [docs/${at}.md]\n`);
      write(INTENTS, `${before.trimEnd()}\n${rows.join('')}`);
      await only(stage, 'Intents');
      const group = editor.row('Completed').first();
      await group.waitFor();
      await until('all of them are counted', async () => /Completed\s*1000/.test(await group.innerText()));
      const isOpen = async () => (await group.getAttribute('aria-expanded', { timeout: 1_000 }).catch(() => null)) === 'true';
      await until('the group is open', async () => {
        // A second click before the first one shows would close it again.
        if (!(await isOpen())) await group.click({ timeout: 1_000 }).then(() => until('the click', isOpen, 5_000)).catch(() => {});
        return editor.row('OLD-0').first().isVisible();
      });
      await pressLast(stage, 'Intents', 'Show more (900 left)');
      await until('the next page', async () => {
        await toEnd(stage, 'Intents');
        return editor.row('Show more (800 left)').first().isVisible();
      });
      write(INTENTS, before);
      await editor.row('Completed').waitFor({ state: 'detached' });
      await only(stage, 'Approvals');
      await empty();
      await editor.surface('modal');
    },
  },
];
