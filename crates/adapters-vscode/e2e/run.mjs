// Plays the chapters in one editor, in order, and says what came of each. The first that fails ends the run.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chapters } from './chapters.mjs';
import { Editor } from './editor.mjs';
import { Agent, world } from './world.mjs';

const pictures = process.env.PICTURES;
if (pictures) mkdirSync(pictures, { recursive: true });
const wanted = (process.env.CHAPTERS ?? '').split('|');
const chosen = chapters.filter(({ name }) => wanted.some(part => name.includes(part)));
const editor = await Editor.start({
  extension: process.env.EXTENSION,
  probe: new URL('probe', import.meta.url).pathname,
  theme: process.env.THEME,
});
const stage = {
  editor,
  agents: [],
  /** What was asked and ended without an answer. */
  ended: [],
  agent(number) {
    return (this.agents[number] ??= new Agent(number));
  },
  picture: (name, of = editor) => (pictures ? of.picture(join(pictures, `${name}.png`)) : undefined),
};
let failed = false;
for (const { name, play } of chosen) {
  const began = Date.now();
  try {
    await play(stage);
    console.log(`ok      ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed = true;
    console.log(`FAILED  ${name}: ${error.stack}`);
    await editor.picture(join(pictures ?? world.base, `failure-${name.slice(0, 24).replace(/\W+/g, '-')}.png`)).catch(() => {});
    if (editor.page) console.log(await editor.approvals.locator('body').innerText({ timeout: 1_000 }).catch(() => ''));
    if (process.env.TELL) {
      // Whoever looks for a fault wants to see the chapters after it as well.
      console.log(readFileSync(editor.log, 'utf8').slice(-1500));
      await editor.page?.keyboard.press('Escape').catch(() => {});
      continue;
    }
    break;
  }
}
for (const agent of Agent.made) agent.end();
await editor.close();
process.exit(failed ? 1 : 0);
