// The governed repository of a run, and agents that work in it through the installed hook.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** What the task that made the repository says of it. */
export const world = {
  base: process.env.WORLD_BASE,
  repo: process.env.WORLD_REPO,
  home: process.env.WORLD_HOME,
  gate: process.env.WORLD_GATE,
  env: { PATH: process.env.WORLD_PATH, HOME: process.env.WORLD_HOME, LANG: 'C.UTF-8' },
};

export const file = path => join(world.repo, path);
export const read = path => (existsSync(file(path)) ? readFileSync(file(path), 'utf8') : undefined);
export const write = (path, text) => writeFileSync(file(path), text);

/** What the command line says, as JSON. */
export function gate(...words) {
  const ran = spawnSync(world.gate, [...words, '--json'], { cwd: world.repo, env: world.env, encoding: 'utf8' });
  if (ran.status === 2) throw new Error(`bailiwick ${words.join(' ')}: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
}

export const waiting = () => gate('approval', 'list').approvals;

/** A person runs a command in a terminal of their own and says yes to what it asks; done when it has ended. */
export function person(words, cwd = world.repo) {
  const terminal = spawn('script', ['-qec', `${world.gate} ${words}`, '/dev/null'], { cwd, env: world.env, stdio: ['pipe', 'pipe', 'inherit'] });
  terminal.stdout.on('data', data => {
    if (String(data).includes('y/N')) terminal.stdin.write('y\n');
  });
  return new Promise(done => terminal.on('close', () => (terminal.stdin.destroy(), done())));
}

/** The hook command of an event, as it is installed. */
function hookOf(event, repo) {
  const settings = JSON.parse(readFileSync(join(repo, '.claude/settings.local.json'), 'utf8'));
  return settings.hooks[event][0].hooks[0].command;
}

/** What became of a call. */
export class Answer {
  constructor({ out, err, status }) {
    const said = out.trim() === '' ? {} : JSON.parse(out);
    this.decision = said.hookSpecificOutput?.permissionDecision ?? (status === 0 ? 'none' : 'deny');
    this.reason = said.hookSpecificOutput?.permissionDecisionReason ?? err;
  }
  get code() {
    try {
      return JSON.parse(this.reason).code;
    } catch {
      return undefined;
    }
  }
}

/** One agent with a session of its own. */
export class Agent {
  static made = [];
  #calls = 0;
  #asked = 0;
  #open = new Map();

  constructor(number, repo = world.repo) {
    this.repo = repo;
    this.session = `5f0c2f9e-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const env = { ...world.env, CLAUDE_PROJECT_DIR: repo, AI_AGENT: 'claude-code_2-1-330_harness' };
    this.child = spawn(process.execPath, [join(here, 'agent.mjs')], { cwd: repo, env, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.child.stdout }).on('line', line => {
      const said = JSON.parse(line);
      this.#open.get(said.id)?.(said);
      this.#open.delete(said.id);
    });
    Agent.made.push(this);
  }

  #do(what) {
    const id = ++this.#asked;
    return new Promise(done => {
      this.#open.set(id, done);
      this.child.stdin.write(JSON.stringify({ id, ...what }) + '\n');
    });
  }

  async #send(name, fields) {
    const event = {
      session_id: this.session,
      prompt_id: '0b6e0000-0000-4000-8000-000000000001',
      transcript_path: join(world.base, 'transcript.jsonl'),
      cwd: this.repo,
      permission_mode: 'default',
      hook_event_name: name,
      ...fields,
    };
    return new Answer(await this.#do({ command: hookOf(name, this.repo), event }));
  }

  prompt(text) {
    return this.#send('UserPromptSubmit', { prompt: text });
  }

  stop() {
    return this.#send('Stop', { stop_hook_active: false });
  }

  /** Asks for a call and waits for the answer. */
  call(tool, input, id = `toolu_${this.session.slice(-3)}_${++this.#calls}`) {
    return this.#send('PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: id });
  }

  own(tool, parameters) {
    return this.call('Bash', { command: `bailiwick tool ${tool} '${JSON.stringify(parameters)}'` });
  }

  /** Takes a prompt and selects an intent. */
  async begin(prompt, intent) {
    await this.prompt(prompt);
    const selected = await this.own('select_active_intent', { intent_id: intent });
    if (selected.decision !== 'allow') throw new Error(`selecting ${intent}: ${selected.reason}`);
  }

  /** Asks to write a file; writes and reports it when that is allowed. */
  async write(path, text) {
    const id = `toolu_${this.session.slice(-3)}_${++this.#calls}`;
    const place = join(this.repo, path);
    const input = { file_path: place, content: text };
    const answer = await this.call('Write', input, id);
    if (answer.decision === 'allow') {
      const before = existsSync(place);
      await this.#do({ write: { path: place, text } });
      const response = { type: before ? 'update' : 'create', filePath: input.file_path, content: text, structuredPatch: [] };
      await this.#send('PostToolUse', { tool_name: 'Write', tool_input: input, tool_use_id: id, tool_response: response });
    }
    return answer;
  }

  /** Shows a file to the agent. */
  async read(path) {
    const input = { file_path: file(path) };
    const id = `toolu_${this.session.slice(-3)}_${++this.#calls}`;
    const answer = await this.call('Read', input, id);
    const content = read(path);
    const response = { type: 'text', file: { filePath: input.file_path, content, numLines: content.split('\n').length, startLine: 1, totalLines: content.split('\n').length } };
    await this.#send('PostToolUse', { tool_name: 'Read', tool_input: input, tool_use_id: id, tool_response: response });
    return answer;
  }

  end() {
    this.child.stdin.end();
  }
}

/** Another governed repository beside the first, with one intent that a person accepted. */
export async function second() {
  const repo = join(world.base, 'second');
  mkdirSync(join(repo, '.orchestration'), { recursive: true });
  const run = (program, ...words) => {
    const ran = spawnSync(program, words, { cwd: repo, env: world.env, encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`${program} ${words.join(' ')}: ${ran.stdout}${ran.stderr}`);
  };
  run('git', 'init', '-q', '-b', 'main');
  writeFileSync(join(repo, '.orchestration/active_intents.yaml'), `active_intents:
  - id: INT-900
    name: Print invoices
    status: IN_PROGRESS
    owned_scope: [src/**]
`);
  run(world.gate, 'init', '--agent', 'claude-code');
  await person('intent accept INT-900', repo);
  return repo;
}
