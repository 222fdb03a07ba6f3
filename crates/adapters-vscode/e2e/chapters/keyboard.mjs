// Everything by keys: a person without a mouse, and what a screen reader says to them.
import assert from 'node:assert/strict';
import { until } from '../editor.mjs';
import { comesTo, downTo, focused, goTo, heard, into, inWindow, isSeen, pressOn, run, seen, toList } from '../keys.mjs';
import { person, read, waiting, world } from '../world.mjs';

const REJECTED = 'DESTRUCTIVE_ACTION_REJECTED';
const SHOW = 'Bailiwick: Show What Waits for Approval';
const QUIET = 'Nothing waits for you.';
/** What a person does something with. */
const CONTROLS = ['button', 'textbox', 'spinbutton', 'checkbox', 'link', 'DisclosureTriangle', 'article'];

const settled = () => until('an empty queue', () => waiting().length === 0);

const isThere = async (editor, name) => (await heard(editor)).some(each => name.test(each.name));

/** The focus is where a person reads that nothing waits, and not lost. */
async function isQuiet(editor) {
  await until('the focus on what is left', async () => (await seen(editor)).text === QUIET);
  await isSeen(editor);
}

/** Asserts that a screen reader has a name for whatever can have the focus; gives all of it. */
async function named(editor) {
  const all = (await heard(editor)).filter(each => each.focusable);
  assert.deepEqual(all.filter(each => each.name.trim() === ''), [], 'something has no name');
  return all;
}

/** Asserts that what comes after another on the page stands below it, or right of it. */
function isInOrder(stops) {
  for (const [at, { name, place }] of stops.entries()) {
    const before = stops[at - 1];
    if (!before) continue;
    const isAfter = place.top >= before.place.top || place.left > before.place.left;
    assert.ok(isAfter, `${name} comes after ${before.name}, and stands before it`);
  }
}

/** Goes through the page from its first question to its end; gives each stop. */
async function walk(editor) {
  const stops = [];
  for (;;) {
    const here = await focused(editor);
    if (!here) return stops;
    await isSeen(editor);
    stops.push({ ...here, place: (await seen(editor)).place });
    await editor.page.keyboard.press('Tab');
  }
}

export const keyboard = [
  {
    name: 'a question is reached, read and rejected with words; nothing changes, and the focus goes on to the next',
    async play(stage) {
      const { editor } = stage;
      if (editor.page && !editor.page.isClosed()) await editor.page.close();
      await editor.open(world.repo);
      await editor.surface('view');
      const [first, second] = [stage.agent(71), stage.agent(72)];
      await first.begin('Make the login timeout longer', 'INT-001');
      await second.begin('Write the logout', 'INT-001');
      // Expected: with an empty queue the command leads to the words that say so.
      await run(editor, SHOW);
     await isQuiet(editor);
      // Expected: whoever is elsewhere stays there when questions come.
      await toList(editor, 'Agents');
      const one = first.write('src/auth/key1.ts', 'export const one = 1;\n');
      await editor.card('src/auth/key1.ts').waitFor();
      const two = second.write('src/auth/key2.ts', 'export const two = 2;\n');
      await editor.card('src/auth/key2.ts').waitFor();
      assert.ok((await inWindow(editor)).isList, 'a question took the focus');
      // Expected: the command leads to the first question, which says what changes, under which intent, and its class.
     await run(editor, SHOW);
      await comesTo(editor, /key1/);
      const { role, name } = await focused(editor);
      assert.equal(role, 'article');
      for (const part of ['Claude Code wants to change src/auth/key1.ts', 'INT-001', 'Fix login timeout', 'DESTRUCTIVE']) {
        assert.ok(name.includes(part), `${part} is not said: ${name}`);
      }
      await isSeen(editor);
      await stage.picture('keyboard-card');
      // Expected: the words reach the agent with the no, the file is not there, and the next question has the focus.
      await goTo(editor, /^Tell the agent why you reject/);
      await editor.page.keyboard.type('Not by hand');
      await goTo(editor, /^Reject: .*key1/, 'Shift+Tab');
      await pressOn(editor, /^Reject: .*key1/);
      const no = await one;
      assert.equal(no.decision, 'deny');
      assert.equal(no.code, REJECTED, no.reason);
      assert.match(no.reason, /Not by hand/);
      assert.equal(read('src/auth/key1.ts'), undefined, 'a rejected call wrote');
      assert.equal(waiting().length, 1, 'the other question was answered as well');
      await comesTo(editor, /^Claude Code wants to change src\/auth\/key2\.ts/);
      await isSeen(editor);
      stage.next = two;
    },
  },
  {
    name: 'the next question is approved, and the focus is not lost after the last one',
    async play(stage) {
      const { editor } = stage;
      // Expected: the write passes, and the focus is on the words that nothing waits.
      await pressOn(editor, /^Approve: .*key2/, 'Space');
      assert.equal((await stage.next).decision, 'allow');
      assert.equal(read('src/auth/key2.ts'), 'export const two = 2;\n');
      await settled();
      await isQuiet(editor);
    },
  },
  {
    name: 'every control of the page has a name, is reached in the order in which one reads, and shows the focus',
    async play(stage) {
      const { editor } = stage;
      const third = stage.agent(73);
      await third.begin('Run the tests', 'INT-001');
      stage.calls = [];
      const ask = async (call, text) => {
        stage.calls.push(call);
        await editor.card(text).waitFor();
      };
      await ask(stage.agent(71).write('src/auth/key3.ts', 'export const three = 3;\n'), 'src/auth/key3.ts');
      // Expected: whoever waits at the empty page is led to the question.
      await comesTo(editor, /key3/);
      const draft = { name: 'Say who is in', why: 'Nobody knows', owned_scope: ['src/who/**'], acceptance_criteria: ['A name is shown'] };
      await ask(stage.agent(72).own('propose_intent', draft), 'drafts an intent: Say who is in');
      await ask(third.call('Bash', { command: 'npm test', description: 'tests' }), 'npm test');
      for (const part of [/^Approve edits like this/, /^Edit the draft/, /^Trust this command/]) await pressOn(editor, part);
      await goTo(editor, /^Claude Code wants to change src\/auth\/key3\.ts/, 'Shift+Tab');
      // Expected: no control without a name, each one a stop, and the stops in the order of the page.
      const all = await named(editor);
      const stops = await walk(editor);
      isInOrder(stops);
      const reached = stops.map(({ role, name }) => `${role} ${name}`).sort();
      const there = all.filter(each => CONTROLS.includes(each.role)).map(({ role, name }) => `${role} ${name}`).sort();
      assert.deepEqual(reached.filter(each => CONTROLS.includes(each.split(' ')[0])), there, 'a control is not reached');
      for (const name of ['files', 'minutes', 'Scope, one pattern a line', 'Approve and trust it from now on', 'See the change']) {
        assert.ok(stops.some(stop => stop.name === name), `${name} is not reached`);
      }
    },
  },
  {
    name: 'a grant is given within bounds, covers what follows, and covers nothing more when it is revoked',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(71);
      const [write, ...others] = stage.calls;
      await run(editor, SHOW);
      await goTo(editor, /^files$/);
      await editor.page.keyboard.press('Control+A');
      await editor.page.keyboard.type('3');
      // Expected: this write and the next one pass, and the focus is on the question that came after.
      await pressOn(editor, /^Approve and grant$/);
      assert.equal((await write).decision, 'allow');
      await comesTo(editor, /drafts an intent: Say who is in/);
      assert.equal((await agent.write('src/auth/key4.ts', 'export {};\n')).decision, 'allow', 'the grant does not cover it');
      // Expected: both questions are rejected, each no leads to what is left.
      await pressOn(editor, /^Reject: .*drafts an intent/);
      await comesTo(editor, /wants to use/);
      await pressOn(editor, /^Reject: .*wants to use/);
      for (const call of others) assert.equal((await call).decision, 'deny');
      await settled();
      await isQuiet(editor);
      // Expected: what is left is told anew, and the focus stays on the button beside it.
      await goTo(editor, /^Revoke grant#/);
      const left = () => editor.approvals.getByText(/^grant#.* left$/).textContent();
      const before = await left();
      assert.equal((await agent.write('src/auth/key6.ts', 'export {};\n')).decision, 'allow', 'the grant does not cover it');
      await until('what is left now', async () => (await left()) !== before);
      assert.match((await focused(editor))?.name ?? 'nothing', /^Revoke grant#/);
      // Expected: without the grant the next write is asked about, and the focus is still on the page.
      await pressOn(editor, /^Revoke grant#/);
      await until('the end of the grant', async () => !(await isThere(editor, /^Revoke grant#/)));
      await isSeen(editor);
      const next = agent.write('src/auth/key5.ts', 'export {};\n');
      await editor.card('src/auth/key5.ts').waitFor();
      await run(editor, SHOW);
      await comesTo(editor, /key5/);
      await pressOn(editor, /^Reject: .*key5/);
      assert.equal((await next).code, REJECTED);
      assert.equal(read('src/auth/key5.ts'), undefined, 'a rejected call wrote');
      await isQuiet(editor);
      // Expected: what the grant let through is reviewed at the end of the turn, and kept.
      await agent.stop();
      await goTo(editor, /^Keep everything$/);
      await named(editor);
      await pressOn(editor, /^Keep everything$/);
      await until('the end of the review', async () => !(await isThere(editor, /^Keep everything$/)));
      await isSeen(editor);
      assert.equal(read('src/auth/key4.ts'), 'export {};\n');
    },
  },
  {
    name: 'an answered change is taken back, and the focus stays with it',
    async play(stage) {
      const { editor } = stage;
      // Expected: the first key shows what would be done, the second does it; the focus is on the answer that was taken back.
      await pressOn(editor, /^Take back: .*key2/);
      await until('what would be done', () => isThere(editor, /^Put back 1 file$/));
      assert.equal(read('src/auth/key2.ts'), 'export const two = 2;\n', 'one key was enough');
      await pressOn(editor, /^Put back 1 file$/);
      await until('the file is gone again', () => read('src/auth/key2.ts') === undefined);
      await comesTo(editor, /^Approved: .*key2/);
      await isSeen(editor);
    },
  },
  {
    name: 'a question that goes away takes no focus from whoever works elsewhere',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(71);
      await agent.begin('Go on', 'INT-001');
      const call = agent.write('src/auth/key6.ts', 'export {};\n');
      await editor.card('src/auth/key6.ts').waitFor();
      await run(editor, SHOW);
      await goTo(editor, /^Tell the agent why you reject/);
      await editor.page.keyboard.press('Control+P');
      await until('the list of files', () => editor.page.evaluate(() => document.activeElement?.closest('.quick-input-widget') !== null));
      await editor.page.keyboard.type('login.ts');
      await editor.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'login.ts' }).waitFor();
      await editor.page.keyboard.press('Enter');
      await until('the file', async () => (await inWindow(editor)).isText);
      // Expected: the question is over and gone from the page, and the file still has the focus.
      const [{ id }] = waiting();
      await person(`approval reject ${id}`);
      assert.equal((await call).code, REJECTED);
      await editor.card('src/auth/key6.ts').waitFor({ state: 'detached' });
      assert.ok((await inWindow(editor)).isText, 'the page took the focus');
    },
  },
  {
    name: 'a dialog begins at its no: Enter and Escape reject, and only the other button approves',
    async play(stage) {
      const { editor } = stage;
      const agent = stage.agent(71);
      await editor.surface('modal');
      for (const how of ['Enter', 'Escape']) {
        const path = `src/auth/key-${how.toLowerCase()}.ts`;
        const call = agent.write(path, 'export {};\n');
        await editor.question(path);
        // Expected: the focus is on Reject, and the key rejects.
        assert.equal((await inWindow(editor)).name, 'Reject');
        await editor.answer(path, how);
        const no = await call;
        assert.equal(no.code, REJECTED, no.reason);
        assert.equal(read(path), undefined, 'a rejected call wrote');
        await settled();
      }
      // Expected: Tab leads to the yes, which lets the write pass; the focus is not lost with the dialog.
      const call = agent.write('src/auth/key7.ts', 'export const seven = 7;\n');
      await editor.question('src/auth/key7.ts');
      await until('the end of the dialog', async () => {
        if (await editor.isQuiet()) return true;
        const { name } = await inWindow(editor);
        await editor.page.keyboard.press(name === 'Approve' ? 'Enter' : 'Tab');
        return false;
      });
      assert.equal((await call).decision, 'allow');
      assert.equal(read('src/auth/key7.ts'), 'export const seven = 7;\n');
      await settled();
      await until('the focus in the file again', async () => (await inWindow(editor)).isText);
    },
  },
  {
    name: 'the views are walked through row by row, each row has a name, and Enter opens what an entry changed',
    async play(stage) {
      const { editor } = stage;
      const { keyboard: keys } = editor.page;
      const active = name => editor.page.locator(`.tab.active[aria-label^="${name}"]`);
      // Expected: an intent says its name and more; the arrow opens it, and its scope is in it.
      await toList(editor, 'Intents');
      await downTo(editor, /^INT-001, Fix login timeout, .*scope pattern/);
      await into(editor);
      await downTo(editor, /^Scope/);
      await into(editor);
      assert.match((await inWindow(editor)).row, /^src\/auth\/\*\*/);
      // Expected: an agent says who it is and what it does, and what is not governed is said.
      await toList(editor, 'Agents');
      await downTo(editor, /^Claude Code, session 5f0c2f9e, /);
      await downTo(editor, /its changes pass without a question/);
      // Expected: the newest change is first; Enter shows its files, and Enter on a file opens it.
      await toList(editor, 'Ledger');
      await downTo(editor, /^src\/auth\/key7\.ts, INT-001, /);
      await keys.press('Enter');
      await until('the row opens', async () => (await inWindow(editor)).isOpen);
      await into(editor);
      assert.match((await inWindow(editor)).row, /^src\/auth\/key7\.ts created/);
      await keys.press('Enter');
      await active('key7.ts').waitFor();
      // Expected: the menu of an entry opens by a key, and leads to what is recorded of it.
      await toList(editor, 'Ledger');
      await keys.press('ArrowUp');
      await keys.press('Shift+F10');
      const chosen = editor.page.locator('.monaco-menu .action-item.focused');
      await until('the menu', () => editor.page.locator('.monaco-menu').count());
      await until('the entry in the menu', async () => {
        if ((await chosen.allInnerTexts()).some(text => text.includes('Open Ledger Entry'))) return true;
        await keys.press('ArrowDown');
        return false;
      });
      await keys.press('Enter');
      await active('trace show').waitFor();
      await stage.picture('keyboard-ledger');
      // Expected: Tab leads out of the list, and back.
      await toList(editor, 'Ledger');
      await keys.press('Tab');
      await until('the focus elsewhere', async () => !(await inWindow(editor)).isList);
      assert.ok(!(await inWindow(editor)).isLost, 'Tab loses the focus');
      await keys.press('Shift+Tab');
      await until('the list again', async () => (await inWindow(editor)).isList);
      await stage.picture('keyboard');
    },
  },
];
