// `bailiwick mcp` under clients that are not ours: the Inspector's command line, one process for each question, and the
// TypeScript SDK for a session, over pipes and over HTTP. A person answers at a terminal of their own. What is on disk is what counts.
//
// node run.mjs BINARY FOLDER; `cargo xtask e2e mcp` calls it.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { serve } from "./door.mjs";

const [binary, scratch] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const INSPECTOR = join(here, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");

const INTENTS = `active_intents:
  - id: INT-001
    name: Fix login timeout
    status: IN_PROGRESS
    owned_scope: [src/auth/]
    requirements: [REQ-AUTH-1]
`;

class Stage {
  constructor() {
    this.folder = realpathSync(mkdtempSync(join(scratch, "mcp-")));
    this.root = join(this.folder, "shop");
    this.home = join(this.folder, "home");
    for (const path of [this.root, this.home]) mkdirSync(path);
    this.env = { HOME: this.home, PATH: process.env.PATH, USER: "dana", SHELL: "/bin/sh", TERM: "xterm", LANG: "C.UTF-8" };
    execFileSync("git", ["init", "--quiet"], { cwd: this.root, env: this.env });
    this.says("init");
    this.write(".orchestration/active_intents.yaml", INTENTS);
    this.write("src/auth/login.ts", "export const login = 1;\n");
    this.write("src/core/main.ts", "export {};\n");
    this.write(".env", "TOKEN=needle\n");
    this.write("src/auth/hay.ts", "// needle\n");
    this.server = ["--root", this.root, "mcp"];
    this.client = join(this.folder, "client.sh");
    writeFileSync(this.client, '"$@"\nexit $?\n');
    this.config = join(this.folder, "servers.json");
    writeFileSync(this.config, JSON.stringify({ mcpServers: { bailiwick: { command: binary, args: this.server, env: this.env } } }));
  }

  write(path, text) {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  read(path) {
    return readFileSync(join(this.root, path), "utf8");
  }

  says(...words) {
    return execFileSync(binary, words, { cwd: this.root, env: this.env, encoding: "utf8" });
  }

  /** A person approves at a terminal. */
  approves(id) {
    const line = [binary, "approval", "approve", id].map((word) => `'${word}'`).join(" ");
    const done = spawnSync("script", ["-qec", line, "/dev/null"], { cwd: this.root, env: this.env, input: "y\n", encoding: "utf8" });
    assert.equal(done.status, 0, done.stdout + done.stderr);
  }

  /** What the Inspector prints: the result as JSON, or what went wrong. */
  inspect(method, ...more) {
    const words = [INSPECTOR, "--cli", "--config", this.config, "--server", "bailiwick", "--method", method, ...more];
    const env = { ...this.env, MCP_INSPECTOR_SECRET_STORE: "memory" };
    const done = spawnSync(process.execPath, words, { cwd: this.folder, env, encoding: "utf8" });
    try {
      return JSON.parse(done.stdout);
    } catch {
      throw new Error(`${method}: ${done.status}\n${done.stdout}${done.stderr}`);
    }
  }

  tool(name, args) {
    const pairs = Object.entries(args).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
    return this.inspect("tools/call", "--tool-name", name, ...pairs);
  }

  async session(work) {
    // A process of its own stands for the client, in a group of its own: whoever starts the server is an agent, with all of
    // its group, and answers nothing for a person.
    const words = ["/bin/sh", this.client, binary, ...this.server];
    const started = { command: "perl", args: ["-e", "setpgrp; exec @ARGV", ...words] };
    const transport = new StdioClientTransport({ ...started, env: this.env, stderr: "inherit" });
    const client = new Client({ name: "e2e", version: "1" });
    await client.connect(transport);
    try {
      await work(client, async (name, args) => {
        const said = await client.callTool({ name, arguments: args });
        const text = said.content[0].text;
        return said.isError ? { code: JSON.parse(text).code, details: JSON.parse(text).details } : { text };
      });
    } finally {
      await client.close();
    }
  }
}

/** A client over HTTP, in a process group of its own. */
class Caller {
  constructor(stage, { url, token }) {
    const words = ["-e", "setpgrp; exec @ARGV", process.execPath, join(here, "caller.mjs"), url, token];
    this.process = spawn("perl", words, { cwd: stage.folder, env: stage.env, stdio: ["pipe", "pipe", "inherit"] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async does(...words) {
    this.process.stdin.write(`${JSON.stringify(words)}\n`);
    return JSON.parse((await this.lines.next()).value);
  }

  async call(name, args) {
    const { said, error } = await this.does("call", name, args);
    assert.ok(said, error);
    return said.isError ? JSON.parse(said.content[0].text) : { text: said.content[0].text };
  }
}

const codeOf = (said) => JSON.parse(said.content[0].text).code;

const scenarios = {
  "the inspector lists tools, resources and prompts": (stage) => {
    const names = stage.inspect("tools/list").tools.map((tool) => tool.name);
    assert.equal(names.length, 15);
    assert.ok(names.includes("write_to_file") && names.includes("select_active_intent"));
    assert.ok(stage.inspect("resources/list").resources.some((one) => one.uri === "bailiwick://intents"));
    assert.ok(stage.inspect("prompts/list").prompts.some((one) => one.name === "handshake"));
  },
  "the inspector reads and is refused to write": (stage) => {
    assert.equal(stage.tool("read_file", { path: "src/auth/login.ts" }).content[0].text, "export const login = 1;\n");
    assert.equal(stage.tool("search_files", { regex: "needle" }).content[0].text, "src/auth/hay.ts:1:// needle");
    assert.equal(codeOf(stage.tool("write_to_file", { path: "src/auth/new.ts", content: "x" })), "STATE_VIOLATION");
    assert.equal(codeOf(stage.tool("read_file", { path: ".env" })), "PROTECTED_PATH");
    assert.equal(codeOf(stage.tool("read_file", { path: "../home/.profile" })), "OUTSIDE_WORKSPACE");
    assert.match(stage.inspect("resources/read", "--uri", "bailiwick://intents").contents[0].text, /INT-001/);
    assert.ok(!existsSync(join(stage.root, "src/auth/new.ts")));
  },
  "a session of the SDK: selected, approved, written, recorded": async (stage) => {
    await stage.session(async (client, call) => {
      assert.equal(client.getServerVersion().name, "bailiwick");
      assert.match((await call("select_active_intent", { intent_id: "INT-001" })).text, /<intent_context>/);
      const write = { path: "src/auth/new.ts", content: "export {};\n" };
      const waits = await call("write_to_file", write);
      assert.equal(waits.code, "APPROVAL_PENDING");
      stage.approves(waits.details.approval_id);
      assert.match((await call("write_to_file", write)).text, /Recorded as/);
      assert.equal(stage.read("src/auth/new.ts"), "export {};\n");
      assert.equal((await call("write_to_file", { path: "src/core/main.ts", content: "x" })).code, "SCOPE_VIOLATION");
      assert.equal((await call("edit_file", { path: "src/auth/login.ts", old_string: "1;\n", new_string: "2;\n" })).code, "STALE_FILE");
      await call("read_file", { path: "src/auth/login.ts" });
      const edit = { path: "src/auth/login.ts", old_string: "export const login = 1;\n", new_string: "export const login = 2;\n" };
      stage.approves((await call("edit_file", edit)).details.approval_id);
      await call("edit_file", edit);
      assert.equal(stage.read("src/auth/login.ts"), "export const login = 2;\n");
      const run = { command: "node --version > src/auth/made.ts" };
      stage.approves((await call("execute_command", run)).details.approval_id);
      assert.match((await call("execute_command", run)).text, /\[exit status 0\]/);
      assert.match(stage.read("src/auth/made.ts"), /^v\d+/);
      assert.equal((await client.readResource({ uri: "bailiwick://intents/active" })).contents[0].text.includes("INT-001"), true);
      assert.match((await client.getPrompt({ name: "handshake" })).messages[0].content.text, /active intent is still required/);
    });
    assert.equal(JSON.parse(stage.says("trace", "log", "--json")).entries.length, 2);
    stage.says("trace", "verify");
  },
  "a session of the SDK over HTTP: a person approves, the client cannot": async (stage) => {
    const served = (stage.served = await serve(binary, stage.root, stage.env));
    const stranger = new Caller(stage, { url: served.url, token: "x".repeat(43) });
    assert.match((await stranger.does("connect")).error, /401|token/);
    const caller = new Caller(stage, served);
    assert.equal((await caller.does("connect")).said.name, "bailiwick");
    assert.match((await caller.call("select_active_intent", { intent_id: "INT-001" })).text, /<intent_context>/);
    const write = { path: "src/auth/http.ts", content: "export {};\n" };
    const { code, details } = await caller.call("write_to_file", write);
    assert.equal(code, "APPROVAL_PENDING");
    const line = [binary, "approval", "approve", details.approval_id].map((word) => `'${word}'`).join(" ");
    const answered = await caller.does("shell", "sh", "-c", `cd '${stage.root}' && echo y | script -qec "${line}" /dev/null`);
    assert.match(`${answered.said}${answered.error}`, /under a governed agent/);
    assert.equal((await caller.call("write_to_file", write)).code, "APPROVAL_PENDING");
    stage.approves(details.approval_id);
    assert.match((await caller.call("write_to_file", write)).text, /Recorded as/);
    assert.equal(stage.read("src/auth/http.ts"), "export {};\n");
    assert.equal((await caller.call("write_to_file", { path: "src/core/main.ts", content: "x" })).code, "SCOPE_VIOLATION");
    const other = new Caller(stage, served);
    await other.does("connect");
    assert.equal((await other.call("write_to_file", write)).code, "STATE_VIOLATION");
    await caller.does("end");
    for (const gone of [other, stranger]) gone.process.stdin.end();
    stage.served = undefined;
    assert.equal(await served.end(), 0);
    stage.says("trace", "verify");
  },
  "nothing leaves the root, whatever the session tries": async (stage) => {
    writeFileSync(join(stage.folder, "victim.ts"), "safe\n");
    symlinkSync(stage.folder, join(stage.root, "src/auth/out"));
    await stage.session(async (client, call) => {
      await call("select_active_intent", { intent_id: "INT-001" });
      for (const path of ["../victim.ts", join(stage.folder, "victim.ts"), "src/auth/out/victim.ts"]) {
        assert.equal((await call("write_to_file", { path, content: "x" })).code, "OUTSIDE_WORKSPACE", path);
        assert.equal((await call("delete_file", { path })).code, "OUTSIDE_WORKSPACE", path);
      }
      assert.equal((await call("write_to_file", { path: ".git/config", content: "x" })).code, "PROTECTED_PATH");
      assert.equal((await call("write_to_file", { path: "src/auth/a.ts", content: "x", mode: "append" })).code, "MALFORMED_CALL");
    });
    assert.equal(readFileSync(join(stage.folder, "victim.ts"), "utf8"), "safe\n");
    assert.equal(JSON.parse(stage.says("approval", "list", "--json")).approvals.length, 0);
  },
};

let failed = 0;
for (const [name, play] of Object.entries(scenarios)) {
  const stage = new Stage();
  try {
    await play(stage);
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n${error.stack}`);
    await stage.served?.end();
  }
}
console.log(`${Object.keys(scenarios).length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
