// The editor's own agent, with a model that says what the chapter wants: every tool call meets the installed hooks.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Editor, until } from '../editor.mjs';
import { person, world } from '../world.mjs';
import { Model } from './model.mjs';

const HOME = 'agent';
const repo = join(world.base, 'agent-repo');
const file = path => join(repo, path);
const read = path => (existsSync(file(path)) ? readFileSync(file(path), 'utf8') : undefined);

/** A repository that is governed for the editor's own agent, with one intent that a person accepted. */
async function govern() {
  const put = (path, text) => {
    mkdirSync(dirname(file(path)), { recursive: true });
    writeFileSync(file(path), text);
  };
  put('src/auth/login.ts', 'export const timeout = 10;\n');
  put('.orchestration/active_intents.yaml', 'active_intents:\n  - id: INT-001\n    name: Fix login timeout\n    status: IN_PROGRESS\n    owned_scope: [src/auth/**]\n');
  const run = (program, ...words) => {
    const ran = spawnSync(program, words, { cwd: repo, env: world.env, encoding: 'utf8' });
    assert.equal(ran.status, 0, `${program} ${words.join(' ')}: ${ran.stdout}${ran.stderr}`);
  };
  // The editor's terminal is a shell of its own, which finds the program as the person's shells do.
  for (const each of ['.bashrc', '.bash_profile']) writeFileSync(join(world.home, each), `PATH=${dirname(world.gate)}:$PATH\n`);
  run('git', 'init', '-q', '-b', 'main');
  run(world.gate, 'init', '--agent', 'vscode');
  await person('intent accept INT-001', repo);
}

/** The settings of the person, beside those that every editor here has. */
function settings(more) {
  const place = join(world.base, HOME, 'user/User/settings.json');
  writeFileSync(place, JSON.stringify({ ...JSON.parse(readFileSync(place, 'utf8')), ...more }));
}

/** Opens the editor with its agent. */
async function start(model) {
  const probe = new URL('../switch', import.meta.url).pathname;
  const editor = await Editor.start({ extension: process.env.EXTENSION, probe, theme: process.env.THEME, home: HOME });
  const models = [{ id: 'script', name: 'Script', url: model.url, toolCalling: true, vision: false, maxInputTokens: 100_000, maxOutputTokens: 8_000 }];
  const groups = [{ vendor: 'customendpoint', name: 'Script', apiKey: 'x', apiType: 'chat-completions', models }];
  writeFileSync(join(world.base, HOME, 'user/User/chatLanguageModels.json'), JSON.stringify(groups));
  settings({ 'chat.byokUtilityModelDefault': 'mainAgent', 'workbench.secondarySideBar.defaultVisibility': 'visible' });
  await editor.open(repo);
  await editor.page.locator('.interactive-session .interactive-input-part', { hasText: 'Script' }).first().waitFor();
  return editor;
}

/** What a person types into the chat. */
async function ask(editor, words) {
  await editor.page.locator('.interactive-session .interactive-input-part .monaco-editor').first().click();
  await editor.page.keyboard.type(words);
  await editor.page.keyboard.press('Enter');
}

/** The refusal in what the agent told the model. */
function refusal(told) {
  const prefix = 'Tool execution denied: ';
  assert.ok(told.startsWith(prefix), told);
  return JSON.parse(told.slice(prefix.length));
}

/** The files of the ledger's entries. */
function changedFiles() {
  const said = spawnSync(world.gate, ['trace', 'log', '--json'], { cwd: repo, env: world.env, encoding: 'utf8' });
  const { entries } = JSON.parse(said.stdout);
  return entries.flatMap(entry => entry.metadata['dev.bailiwick'].files.map(({ path }) => path)).sort();
}

/** Answers the questions of the gate that a call leads to, until the call is over. */
async function answered(editor, call, text, how) {
  await editor.question(text);
  await editor.answer(text, how);
  return call;
}

/** Lets a command run where the editor itself asks for a yes to each, whatever a hook said. */
async function allowed(editor, call) {
  let isOver = false;
  call.catch(() => {}).finally(() => (isOver = true));
  const yes = editor.page.locator('.interactive-session').getByRole('button', { name: 'Allow' }).first();
  await until('a yes in the chat', async () => {
    if (!isOver) await yes.click({ timeout: 1_000 }).catch(() => {});
    return isOver;
  });
  return call;
}

/** What a gate does at a tool in place of answering, and whether the editor makes the call all the same: as the page of hosts says. */
const FAULTS = [
  ['dying', 'kill -KILL $$', false],
  ['failing', 'exit 1', false],
  ['silent', 'exit 0', true],
  ['babbling', 'echo yes; exit 0', true],
];

/** Has a gate that fails so at a tool in the place of ours, while something is done. */
async function failing(does, act) {
  const real = join(world.base, 'real', basename(world.gate));
  mkdirSync(dirname(real), { recursive: true });
  renameSync(world.gate, real);
  const script = `#!/bin/sh\nevent=$(cat)\ncase "$event" in *'"PreToolUse"'*) ${does} ;; esac\nprintf %s "$event" | '${real}' "$@"\n`;
  writeFileSync(world.gate, script, { mode: 0o755 });
  try {
    return await act();
  } finally {
    rmSync(world.gate);
    renameSync(real, world.gate);
  }
}

async function play(stage, editor, model) {
  const create = (path, content = 'export {};\n') => model.call('create_file', { filePath: file(path), content });
  await ask(editor, 'Make the login timeout longer');

  assert.match(await model.told(), /This repository is governed by Bailiwick/);
  for (const tool of ['read_file', 'create_file', 'replace_string_in_file', 'run_in_terminal', 'runSubagent']) {
    assert.ok((await model.tools()).includes(tool), `${tool} is not offered`);
  }
  assert.match(await model.call('read_file', { filePath: file('src/auth/login.ts'), startLine: 1, endLine: 2 }), /timeout = 10/);

  assert.equal(refusal(await create('src/auth/early.ts')).code, 'STATE_VIOLATION');
  assert.equal(read('src/auth/early.ts'), undefined, 'a call without an intent wrote');

  const select = `bailiwick tool select_active_intent '{"intent_id":"INT-001"}'`;
  assert.match(await allowed(editor, model.call('run_in_terminal', { command: select, explanation: 'x', goal: 'x', mode: 'sync' })), /src\/auth\/\*\*/);

  const call = create('src/auth/new.ts');
  const said = await editor.question('src/auth/new.ts');
  for (const part of ['INT-001', 'Fix login timeout', 'You said: Make the login timeout longer', 'Class: DESTRUCTIVE']) {
    assert.ok(said.includes(part), `the dialog does not say ${part}:\n${said}`);
  }
  assert.equal(read('src/auth/new.ts'), undefined, 'a call that waits wrote');
  await stage.picture('agent-asks', editor);
  await editor.answer('src/auth/new.ts', 'Approve');
  assert.match(await call, /successfully edited/);
  await until('the file', () => read('src/auth/new.ts') === 'export {};\n');

  const edit = model.call('replace_string_in_file', { filePath: file('src/auth/login.ts'), oldString: 'timeout = 10', newString: 'timeout = 30' });
  assert.match(await answered(editor, edit, 'src/auth/login.ts', 'Approve'), /successfully edited/);
  await until('the edit', () => read('src/auth/login.ts') === 'export const timeout = 30;\n');

  const rejected = refusal(await answered(editor, create('src/auth/no.ts'), 'src/auth/no.ts', 'Reject'));
  assert.equal(rejected.code, 'DESTRUCTIVE_ACTION_REJECTED');
  assert.equal(read('src/auth/no.ts'), undefined, 'a rejected call wrote');

  assert.equal(refusal(await create('src/core/out.ts')).code, 'SCOPE_VIOLATION');
  assert.equal(read('src/core/out.ts'), undefined, 'a call outside the scope wrote');

  const config = read('.git/config');
  const changed = { filePath: file('.git/config'), oldString: '[core]', newString: '[core]\n\thooksPath = /tmp' };
  assert.equal(refusal(await model.call('replace_string_in_file', changed)).code, 'PROTECTED_PATH');
  assert.equal(read('.git/config'), config);
  assert.equal(refusal(await create('.orchestration/more.yaml')).code, 'PROTECTED_PATH');
  assert.equal(read('.orchestration/more.yaml'), undefined);
  assert.ok(await editor.isQuiet(), 'a person was asked what is refused anyway');

  const command = 'rm -rf src/auth/new.ts';
  const removal = model.call('run_in_terminal', { command, explanation: 'x', goal: 'x', mode: 'sync' });
  assert.equal(refusal(await answered(editor, removal, command, 'Reject')).code, 'DESTRUCTIVE_ACTION_REJECTED');
  assert.equal(read('src/auth/new.ts'), 'export {};\n', 'a rejected command ran');

  await until('two entries in the ledger', () => changedFiles().length === 2);
  assert.deepEqual(changedFiles(), ['src/auth/login.ts', 'src/auth/new.ts']);

  for (const [fault, does, runs] of FAULTS) {
    const path = `src/auth/${fault}.ts`;
    const told = await failing(does, () => create(path));
    assert.equal(read(path) !== undefined, runs, `the gate is ${fault}: ${told}`);
  }

  await model.say('That is all');
  await editor.page.locator('.interactive-session .interactive-response', { hasText: 'That is all' }).waitFor();
  await stage.picture('agent', editor);
}

export const agent = [
  {
    name: "every call of the editor's own agent meets the gate, and what is refused does not happen",
    async play(stage) {
      if (stage.editor.page && !stage.editor.page.isClosed()) await stage.editor.page.close();
      await govern();
      const model = await Model.start();
      let editor;
      try {
        editor = await start(model);
        await play(stage, editor, model);
      } catch (error) {
        if (editor?.page) await stage.picture('failure-agent', editor);
        throw error;
      } finally {
        await editor?.close();
        model.stop();
      }
    },
  },
];
