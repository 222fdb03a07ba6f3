// What a question costs in the editor, beside an extension that only shows a dialog when a file changes; what both take
// to start, and what the sidecar uses while nothing happens: with somebody in front of the window, and with nobody. Prints
// one line of JSON.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Editor, until } from './editor.mjs';
import { Agent, waiting, world } from './world.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 11);
const WINDOWS = Number(process.env.WINDOWS ?? 3);
const IDLE_MS = 20_000;
/** So long after its last use somebody is in front of a window, and a little more. */
const LINGERS_MS = 63_000;
/** A tick of the system. */
const TICK_MS = 10;
const SIZE = { width: 1360, height: 2400 };
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
    const said = async () => /(\d+)ms/.exec(await row(name).first().innerText())?.[1];
    await row(name).first().waitFor();
    return Number(await until(`the activation of ${name}`, said));
  };
  return { ours: await took('Bailiwick'), empty: await took('empty') };
}

/** Processor time of a process in milliseconds, and how often its threads were woken. */
function used(pid) {
  const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const woken = readdirSync(`/proc/${pid}/task`).map(thread =>
    Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))[1]));
  return { ms: (Number(after[11]) + Number(after[12])) * TICK_MS, woken: woken.reduce((sum, each) => sum + each, 0) };
}

/** What the sidecar uses while nothing happens. */
async function idle() {
  const [sidecar] = editor.sidecars();
  const before = used(sidecar);
  await pause(IDLE_MS);
  const after = used(sidecar);
  return { ms: after.ms - before.ms, woken: after.woken - before.woken };
}

let failed;
try {
  // High enough for all rows of a list.
  const started = { ours: [], empty: [] };
  for (let window = 0; window < WINDOWS; window++) {
    await editor.page?.close();
    await editor.open(world.repo, { size: SIZE });
    const took = await activations();
    for (const name of Object.keys(started)) started[name].push(took[name]);
  }
  const agent = new Agent(1);
  await agent.begin('Make the login timeout longer', 'INT-001');
  await oneOfTheEmpty();
  await oneOfOurs(agent, 'first');
  const [ours, empty] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    empty.push(await oneOfTheEmpty());
    ours.push(await oneOfOurs(agent, round));
  }
  const attended = await idle();
  await editor.focus(false);
  await pause(LINGERS_MS);
  const unattended = await idle();
  console.log(JSON.stringify({
    question: middle(ours) / middle(empty),
    started: { ours: middle(started.ours), empty: middle(started.empty) },
    idle: { seconds: IDLE_MS / 1000, attended, unattended },
    rounds: ROUNDS,
    windows: started,
    ms: { ours: middle(ours), empty: middle(empty) },
  }));
} catch (error) {
  failed = error;
  console.error(error.stack);
}
for (const agent of Agent.made) agent.end();
await editor.close();
process.exit(failed ? 1 : 0);
