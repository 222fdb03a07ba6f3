// What a question costs in the editor, beside an extension that only shows a dialog when a file changes; what both take
// to start, and what the sidecar uses while nothing happens. Prints one line of JSON.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Editor, until } from './editor.mjs';
import { Agent, waiting, world } from './world.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 11);
const IDLE_MS = 10_000;
const EMPTY = 'The empty extension asks';

const middle = numbers => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
const pause = ms => new Promise(done => setTimeout(done, ms));

const editor = await Editor.start({
  extension: process.env.EXTENSION,
  probe: new URL('probe', import.meta.url).pathname,
  empty: new URL('empty', import.meta.url).pathname,
  theme: 'Default Dark Modern',
});

async function untilShown(text, began) {
  await editor.dialog(text).waitFor({ timeout: 20_000 });
  return performance.now() - began;
}

async function oneOfTheEmpty() {
  const began = performance.now();
  writeFileSync(join(world.base, 'empty-asks'), '');
  const took = await untilShown(EMPTY, began);
  await editor.answer(EMPTY, 'Escape');
  return took;
}

async function oneOfOurs(agent, round) {
  const path = `src/auth/cost${round}.ts`;
  const began = performance.now();
  const call = agent.write(path, 'export {};\n');
  const took = await untilShown(path, began);
  await editor.answer(path, 'Escape');
  await call;
  await until('an empty queue', () => waiting().length === 0);
  return took;
}

/** Milliseconds from the call of an extension until it was active, as the editor says. */
async function activations() {
  await editor.command('Developer: Show Running Extensions');
  const row = name => editor.page.locator('.runtime-extensions-editor .monaco-list-row', { hasText: name });
  const took = async name => {
    await row(name).first().waitFor();
    const text = await row(name).first().innerText();
    return Number(/(\d+)ms/.exec(text)?.[1] ?? NaN);
  };
  return { ours: await took('Bailiwick'), empty: await took('empty') };
}

/** Processor time of a process in ticks of the system. */
function ticks(pid) {
  const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(after[11]) + Number(after[12]);
}

let failed;
try {
  // High enough for all rows of a list.
  await editor.open(world.repo, { size: { width: 1360, height: 2400 } });
  const agent = new Agent(1);
  await agent.begin('Make the login timeout longer', 'INT-001');
  await oneOfTheEmpty();
  await oneOfOurs(agent, 'first');
  const [ours, empty] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    empty.push(await oneOfTheEmpty());
    ours.push(await oneOfOurs(agent, round));
  }
  const [sidecar] = editor.sidecars();
  const before = ticks(sidecar);
  await pause(IDLE_MS);
  const idle = ticks(sidecar) - before;
  const started = await activations();
  console.log(JSON.stringify({ question: middle(ours) / middle(empty), started, idle_ticks: idle, idle_seconds: IDLE_MS / 1000, rounds: ROUNDS, ms: { ours: middle(ours), empty: middle(empty) } }));
} catch (error) {
  failed = error;
  console.error(error.stack);
}
for (const agent of Agent.made) agent.end();
await editor.close();
process.exit(failed ? 1 : 0);
