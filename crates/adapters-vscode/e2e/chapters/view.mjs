// Questions in the Approvals view: what only it can do, each by a click on its page.
import assert from 'node:assert/strict';
import { until } from '../editor.mjs';
import { gate, read, waiting, write, world } from '../world.mjs';

const INTENTS = '.orchestration/active_intents.yaml';
const empty = () => until('an empty queue', () => waiting().length === 0);

/** Opens a part of a card that is closed. */
const open = (card, title) => card.locator('summary', { hasText: title }).click();

export const view = [
  {
    name: 'the view holds several questions at once, answered in any order',
    async play(stage) {
      const { editor } = stage;
      await editor.open(world.repo);
      await editor.surface('view');
      await editor.command('Bailiwick: Show What Waits for Approval');
      const [first, second] = [stage.agent(11), stage.agent(12)];
      await first.begin('Make the login timeout longer', 'INT-001');
      await second.begin('Write the logout', 'INT-001');
      const one = first.write('src/auth/left.ts', 'export const left = 1;\n');
      await editor.card('src/auth/left.ts').waitFor();
      const two = second.write('src/auth/right.ts', 'export const right = 1;\n');
      await editor.card('src/auth/right.ts').waitFor();
      assert.ok(await editor.isQuiet(), 'a dialog opened');
      await editor.status(/2 waiting/).waitFor();
      await stage.picture('approvals');
      // In any order, since both are readable.
      await editor.card('src/auth/right.ts').getByLabel('Tell the agent why you reject').fill('Not on a Monday');
      await editor.press(editor.card('src/auth/right.ts'), /^Reject/);
      const no = await two;
      assert.equal(no.code, 'DESTRUCTIVE_ACTION_REJECTED');
      assert.match(no.reason, /Not on a Monday/);
      await editor.press(editor.card('src/auth/left.ts'), /^Approve: /);
      assert.equal((await one).decision, 'allow');
      await editor.approvals.getByText('Approved: Claude Code wants to change src/auth/left.ts').waitFor();
      const answered = path => editor.approvals.locator('.answered', { hasText: path });
      await answered('src/auth/right.ts').getByText('Rejected: ').waitFor();
      // A no that nobody gave is nobody's.
      for (const path of stage.ended) await answered(path).getByText('Ended without an answer: ').waitFor();
      if (stage.ended.length > 0) await answered(stage.ended[0]).scrollIntoViewIfNeeded();
      await stage.picture('history');
      await editor.approvals.locator('body').evaluate(() => scrollTo(0, 0));
    },
  },
  {
    name: 'a click where a question has just appeared does not answer it',
    async play(stage) {
      const { editor } = stage;
      const call = stage.agent(11).write('src/auth/slip.ts', 'export {};\n');
      // As soon as it is drawn, faster than a person looks.
      await editor.card('src/auth/slip.ts').getByRole('button', { name: /^Approve: / }).waitFor();
      const clicked = await editor.approvals.locator('body').evaluate(() => {
        const card = [...document.querySelectorAll('.card')].at(-1);
        const button = [...card.querySelectorAll('button')].find(each => each.textContent === 'Approve');
        // A page's own click is not a person's, whenever it comes.
        button.click();
        return true;
      });
      assert.ok(clicked);
      assert.equal(waiting().length, 1, 'a click of nobody answered');
      await editor.press(editor.card('src/auth/slip.ts'), /^Reject/);
      assert.equal((await call).decision, 'deny');
    },
  },
  {
    name: 'the page listens to the editor only',
    async play(stage) {
      const { editor } = stage;
      const call = stage.agent(11).write('src/auth/frames.ts', 'export {};\n');
      const card = editor.card('src/auth/frames.ts');
      await card.waitFor();
      // Another frame of the window posts what the extension would: a page without questions.
      await editor.page.locator('iframe.webview').evaluateAll(frames => {
        const page = { type: 'page', notice: 'FORGED', folders: 1, approvals: [], grants: [], reviews: [], done: [] };
        for (const { contentWindow } of frames) for (const data of [page, { secret: '', message: page }, { message: page }]) contentWindow.frames[0]?.postMessage(data, '*');
      });
      // What is posted later comes later.
      await editor.approvals.locator('body').evaluate(() => new Promise(done => setTimeout(done, 0)));
      assert.ok(!(await editor.approvals.locator('body').innerText()).includes('FORGED'), 'a page of nobody was drawn');
      assert.equal(await card.count(), 1);
      await editor.press(card, /^Reject/);
      assert.equal((await call).decision, 'deny');
    },
  },
  {
    name: 'a grant covers what follows, is listed with what is left, and is reviewed at the end of the turn',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(11);
      const call = agent.write('src/auth/grant1.ts', 'export const a = 1;\n');
      const card = editor.card('src/auth/grant1.ts');
      await card.waitFor();
      await open(card, 'Approve edits like this');
      await card.getByLabel('files').fill('3');
      await editor.press(card, 'Approve and grant');
      assert.equal((await call).decision, 'allow');
      assert.equal((await agent.write('src/auth/grant2.ts', 'export const b = 2;\n')).decision, 'allow', 'the grant does not cover it');
      const [{ left }] = gate('approval', 'list').grants;
      assert.ok(left.files < 3, 'nothing of the grant was used');
      const granted = editor.approvals.getByText(`grant#1 · INT-001 · ${left.files} files, ${left.calls} calls, ${left.lines} lines`);
      await granted.waitFor();
      await granted.scrollIntoViewIfNeeded();
      await stage.picture('grant');
      await agent.stop();
      const review = editor.approvals.locator('.box', { hasText: 'grant#1: ' });
      await review.waitFor();
      await review.getByLabel('src/auth/grant2.ts').check();
      await editor.press(review, 'Put back the ticked files');
      await until('the file is put back', () => read('src/auth/grant2.ts') === undefined);
      assert.equal(read('src/auth/grant1.ts'), 'export const a = 1;\n');
      await review.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'a revoked grant covers nothing more',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(11);
      await agent.begin('Go on', 'INT-001');
      const call = agent.write('src/auth/more1.ts', 'export {};\n');
      const card = editor.card('src/auth/more1.ts');
      await card.waitFor();
      await open(card, 'Approve edits like this');
      await editor.press(card, 'Approve and grant');
      assert.equal((await call).decision, 'allow');
      assert.equal((await agent.write('src/auth/more3.ts', 'export {};\n')).decision, 'allow');
      const box = editor.approvals.locator('.box', { hasText: 'grant#2' });
      await editor.press(box, 'Revoke grant#2');
      await box.getByRole('button', { name: 'Revoke grant#2' }).waitFor({ state: 'detached' });
      const next = agent.write('src/auth/more2.ts', 'export {};\n');
      await editor.press(editor.card('src/auth/more2.ts'), /^Reject/);
      assert.equal((await next).decision, 'deny');
      await agent.stop();
      const review = editor.approvals.locator('.box', { hasText: 'grant#2: ' });
      await editor.press(review, 'Keep everything');
      await review.waitFor({ state: 'detached' });
      assert.equal(read('src/auth/more1.ts'), 'export {};\n');
    },
  },
  {
    name: 'a command can be trusted from the view',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(11);
      await agent.begin('Run the tests', 'INT-001');
      const call = agent.call('Bash', { command: 'cargo test', description: 'tests' });
      const card = editor.card('cargo test');
      await card.waitFor();
      await open(card, 'Trust this command');
      await editor.press(card, 'Approve and trust it from now on');
      assert.equal((await call).decision, 'allow');
      await empty();
      const again = await agent.call('Bash', { command: 'cargo test', description: 'tests' });
      assert.equal(again.decision, 'allow', again.reason);
    },
  },
  {
    name: 'a draft is edited and accepted',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(12);
      const drafted = agent.own('propose_intent', {
        name: 'Write the logout', why: 'Sessions never end', owned_scope: ['src/auth/**', 'src/core/**'], acceptance_criteria: ['A logout ends the session'],
      });
      const card = editor.card('drafts an intent: Write the logout');
      await card.waitFor();
      await open(card, 'Edit the draft');
      await card.getByLabel('Scope, one pattern a line').fill('src/auth/logout/**');
      await stage.picture('draft');
      await editor.press(card, 'See the change');
      await card.getByText('src/auth/logout/**').last().waitFor();
      // What is typed now was not seen as a change.
      await card.getByLabel('Scope, one pattern a line').fill('src/core/**');
      await editor.press(card, 'Accept as edited');
      assert.notEqual((await drafted).decision, 'none');
      await until('the intent is written', () => read(INTENTS).includes('src/auth/logout/**'));
      assert.ok(!read(INTENTS).includes('src/core/**'));
    },
  },
  {
    name: 'an expansion changes the intents file, keeps its comments and order, and then the write passes',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(11);
      write(INTENTS, read(INTENTS).replace('active_intents:', '# ours\nactive_intents:'));
      await agent.begin('The entry point as well', 'INT-001');
      assert.equal((await agent.write('src/core/entry.ts', 'export {};\n')).code, 'SCOPE_VIOLATION');
      const asked = agent.own('request_scope_expansion', { paths: ['src/core/entry.ts'], reason: 'The timeout is read there' });
      const card = editor.card('wants a wider scope');
      await card.waitFor();
      assert.match(await card.innerText(), /src\/core\/entry\.ts/);
      await editor.press(card, /^Approve: /);
      await asked;
      await until('the scope is wider', () => read(INTENTS).includes('src/core/entry.ts'));
      const text = read(INTENTS);
      assert.ok(text.includes('# ours') && text.indexOf('INT-001') < text.indexOf('Write the logout'));
      const write2 = agent.write('src/core/entry.ts', 'export {};\n');
      await editor.press(editor.card('src/core/entry.ts'), /^Approve: /);
      assert.equal((await write2).decision, 'allow');
    },
  },
];
