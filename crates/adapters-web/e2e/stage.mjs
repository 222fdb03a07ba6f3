// A repository under the gate, an agent's calls as real hook processes, and a person's terminal with the page's link.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const INTENTS = `active_intents:
  - id: INT-001
    name: Fix login timeout
    status: IN_PROGRESS
    owned_scope: [src/auth/]
    requirements: [REQ-AUTH-1]
    why: Sessions end too early.
  - id: INT-002
    name: Core
    status: PENDING
    owned_scope: [src/core/]
`;

const LOGIN = Array.from({ length: 30 }, (_, at) => `export const step${at} = ${at};`).join("\n") + "\n";

/** Waits until something holds, at most a minute. */
export async function until(what, found) {
  const started = Date.now();
  for (;;) {
    const value = await found();
    if (value) return value;
    if (Date.now() - started > 60_000) throw new Error(`never: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

export class Stage {
  constructor(folder, binary) {
    this.folder = realpathSync(mkdtempSync(join(folder, "page-")));
    this.binary = binary;
    this.root = join(this.folder, "shop");
    this.home = join(this.folder, "home");
    for (const path of [this.root, this.home]) mkdirSync(path);
    this.env = { HOME: this.home, PATH: process.env.PATH, USER: "dana", SHELL: "/bin/sh", TERM: "xterm", LANG: "C.UTF-8", TZ: "UTC" };
    execFileSync("git", ["init", "--quiet"], { cwd: this.root, env: this.env });
    this.says("init");
    this.write(".orchestration/active_intents.yaml", INTENTS);
    this.write("src/auth/login.ts", LOGIN);
    this.write("src/core/main.ts", "export {};\n");
    this.write("package.json", '{"name": "shop", "scripts": {"test": "node --test"}}\n');
    for (let at = 0; at < 40; at++) this.write(`docs/page-${at}.md`, "text\n");
    this.write("agent.sh", '/bin/sh -c "$1"\nexit $?\n', this.folder);
    this.calls = 0;
  }

  write(path, text, below = this.root) {
    mkdirSync(dirname(join(below, path)), { recursive: true });
    writeFileSync(join(below, path), text);
  }

  read(path) {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** A command of a person without a terminal. */
  says(...words) {
    return execFileSync(this.binary, words, { cwd: this.root, env: this.env, encoding: "utf8" });
  }

  /** One event of the agent's host; gives what the hook answered, when it answers. */
  async hook(event) {
    const line = `'${this.binary}' hook --agent claude-code --governed --state '${this.home}/.local/state/bailiwick'`;
    const env = { HOME: this.home, PATH: process.env.PATH, AI_AGENT: "claude-code_2-1-330_harness" };
    const hook = spawn("/bin/sh", [join(this.folder, "agent.sh"), line], { cwd: this.root, env });
    let out = "";
    let err = "";
    hook.stdout.on("data", (text) => (out += text));
    hook.stderr.on("data", (text) => (err += text));
    hook.stdin.end(JSON.stringify({ session_id: "s1", cwd: this.root, permission_mode: "bypassPermissions", ...event }));
    const code = await new Promise((done) => hook.on("close", done));
    if (code !== 0) throw new Error(`the hook ended with ${code}: ${err}`);
    const said = out === "" ? {} : (JSON.parse(out).hookSpecificOutput ?? {});
    const reason = said.permissionDecisionReason;
    return { decision: said.permissionDecision ?? "none", error: said.permissionDecision === "deny" ? JSON.parse(reason) : null };
  }

  /** A call before it runs. */
  pre(tool, input) {
    this.calls += 1;
    const id = `call-${this.calls}`;
    return { id, answered: this.hook({ hook_event_name: "PreToolUse", tool_name: tool, tool_input: input, tool_use_id: id }) };
  }

  /** A write that the agent does once it may. */
  writes(path, content) {
    const input = { file_path: join(this.root, path), content };
    const { id, answered } = this.pre("Write", input);
    const done = answered.then(async (answer) => {
      if (answer.decision !== "allow") return answer;
      this.write(path, content);
      await this.hook({ hook_event_name: "PostToolUse", tool_name: "Write", tool_input: input, tool_response: { success: true }, tool_use_id: id });
      return answer;
    });
    return done;
  }

  /** What the agent reads, so that it may change it. */
  async reads(path) {
    const input = { file_path: join(this.root, path) };
    const { id, answered } = this.pre("Read", input);
    await answered;
    const content = this.read(path);
    const file = { filePath: input.file_path, content, numLines: content.split("\n").length, startLine: 1, totalLines: content.split("\n").length };
    await this.hook({ hook_event_name: "PostToolUse", tool_name: "Read", tool_input: input, tool_response: { type: "text", file }, tool_use_id: id });
  }

  shell(command) {
    return this.pre("Bash", { command }).answered;
  }

  tool(name, input) {
    return this.shell(`bailiwick tool ${name} '${JSON.stringify(input)}'`);
  }

  prompt() {
    return this.hook({ hook_event_name: "UserPromptSubmit", prompt: "make login faster" });
  }

  stop() {
    return this.hook({ hook_event_name: "Stop", stop_hook_active: false });
  }
}

/** A person's terminal with the page's command in it. */
export class Terminal {
  constructor(stage) {
    const line = `'${stage.binary}' watch --web --color never`;
    this.printed = "";
    this.process = spawn("script", ["-qec", line, "/dev/null"], { cwd: stage.root, env: stage.env });
    this.process.stdout.on("data", (text) => (this.printed += text));
    this.ended = new Promise((done) => this.process.on("close", done));
  }

  /** The link that was printed last. */
  link() {
    return until("a link", () => this.printed.match(/http:\/\/[0-9a-f]{32}\.localhost:\d+\/#\S+/g)?.at(-1));
  }

  type(text) {
    this.process.stdin.write(text);
  }
}
