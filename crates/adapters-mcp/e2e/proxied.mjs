// `bailiwick mcp proxy` before the file server of the Model Context Protocol: its reading tools are trusted, what it would
// write is judged, and everything else is as without the proxy. What is on disk is what counts.
//
// node proxied.mjs BINARY FOLDER; `cargo xtask e2e mcp` calls it.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [binary, scratch] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const FILES = join(here, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
const OWN = ["select_active_intent", "list_intents", "current_intent", "propose_intent", "request_scope_expansion", "report_done"];

const INTENTS = `active_intents:
  - id: INT-001
    name: Fix login timeout
    status: IN_PROGRESS
    owned_scope: [src/auth/]
    requirements: [REQ-AUTH-1]
`;

const folder = realpathSync(mkdtempSync(join(scratch, "proxied-")));
const [root, home] = [join(folder, "shop"), join(folder, "home")];
for (const path of [root, home, join(root, "src/auth"), join(root, "src/core")]) mkdirSync(path, { recursive: true });
const env = { HOME: home, PATH: process.env.PATH, USER: "dana", SHELL: "/bin/sh", TERM: "xterm", LANG: "C.UTF-8" };
execFileSync("git", ["init", "--quiet"], { cwd: root, env });
execFileSync(binary, ["init"], { cwd: root, env });
const file = (path) => join(root, path);
writeFileSync(file(".orchestration/active_intents.yaml"), INTENTS);
writeFileSync(file("src/auth/login.ts"), "export const login = 1;\n");
writeFileSync(file("src/core/main.ts"), "export {};\n");
writeFileSync(file(".env"), "TOKEN=needle\n");

const standIn = join(folder, "client.sh");
writeFileSync(standIn, '"$@"\nexit $?\n');

const server = [process.execPath, FILES, root];
const says = (...words) => execFileSync(binary, words, { cwd: root, env, encoding: "utf8" });

/** A person says yes at a terminal. */
function yes(...words) {
  const line = [binary, ...words].map((word) => `'${word}'`).join(" ");
  const done = spawnSync("script", ["-qec", line, "/dev/null"], { cwd: root, env, input: "y\n", encoding: "utf8" });
  assert.equal(done.status, 0, done.stdout + done.stderr);
  return done.stdout;
}

async function connected(words) {
  // A process of its own stands for the client, in a group of its own, as in `run.mjs`.
  const started = { command: "perl", args: ["-e", "setpgrp; exec @ARGV", "/bin/sh", standIn, ...words] };
  const transport = new StdioClientTransport({ ...started, cwd: root, env, stderr: "ignore" });
  const client = new Client({ name: "e2e", version: "1" });
  await client.connect(transport);
  return client;
}

const told = yes("mcp", "trust", "files", "--", ...server);
assert.match(told, /read_text_file/);
const direct = await connected(server);
const client = await connected([binary, "--root", root, "mcp", "proxy", "--name", "files", "--", ...server]);
const call = (name, args) => client.callTool({ name, arguments: args });
async function refused(name, args) {
  const said = await call(name, args);
  assert.equal(said.isError, true, `${name} ${JSON.stringify(args)}`);
  return JSON.parse(said.content[0].text);
}

// Unchanged: who it is, what it lists, what its reading tools say.
assert.deepEqual(client.getServerVersion(), direct.getServerVersion());
assert.deepEqual(client.getServerCapabilities(), direct.getServerCapabilities());
const [listed, known] = [(await client.listTools()).tools, (await direct.listTools()).tools];
assert.deepEqual(listed.slice(0, known.length), known);
assert.deepEqual(listed.slice(known.length).map((tool) => tool.name).sort(), [...OWN].sort());
for (const [name, args] of [
  ["read_text_file", { path: file("src/auth/login.ts") }],
  ["read_text_file", { path: file("src/core/main.ts"), head: 1 }],
  ["read_multiple_files", { paths: [file("src/auth/login.ts"), file("src/core/main.ts")] }],
  ["list_directory", { path: file("src") }],
  ["directory_tree", { path: file("src") }],
  ["get_file_info", { path: file("src/core/main.ts") }],
  ["read_text_file", { path: file("src/absent.ts") }],
]) {
  assert.deepEqual(await call(name, args), await direct.callTool({ name, arguments: args }), name);
}
console.log("ok    what the server lists and reads is as without the proxy");

// Reading obeys the gate.
assert.equal((await refused("read_text_file", { path: file(".env") })).code, "PROTECTED_PATH");
assert.equal((await refused("read_text_file", { path: join(home, "x") })).code, "OUTSIDE_WORKSPACE");
console.log("ok    secrets and other places stay closed to trusted tools");

// Writing: nothing before an intent, nothing out of scope, in scope after a yes and once.
const write = { path: file("src/auth/new.ts"), content: "export {};\n" };
assert.equal((await refused("write_file", write)).code, "STATE_VIOLATION");
assert.match((await call("select_active_intent", { intent_id: "INT-001" })).content[0].text, /<intent_context>/);
for (const [name, args] of [
  ["write_file", { path: file("src/core/main.ts"), content: "x" }],
  ["write_file", { path: file("src/core/new.ts"), content: "x" }],
  ["write_file", { path: file("src/auth/../core/new.ts"), content: "x" }],
  ["edit_file", { path: file("src/core/main.ts"), edits: [{ oldText: "export", newText: "x" }] }],
  ["move_file", { source: file("src/auth/login.ts"), destination: file("src/core/login.ts") }],
  ["move_file", { source: file("src/core/main.ts"), destination: file("src/auth/main.ts") }],
  ["create_directory", { path: file("src/other") }],
]) {
  assert.equal((await refused(name, args)).code, "SCOPE_VIOLATION", `${name} ${JSON.stringify(args)}`);
}
assert.equal((await refused("write_file", { path: join(home, "new.ts"), content: "x" })).code, "OUTSIDE_WORKSPACE");
assert.equal((await refused("write_file", { path: file(".claude/settings.json"), content: "x" })).code, "PROTECTED_PATH");
assert.equal(readFileSync(file("src/core/main.ts"), "utf8"), "export {};\n");
for (const path of ["src/core/new.ts", "src/core/login.ts", "src/auth/main.ts", "src/other"]) assert.ok(!existsSync(file(path)), path);
console.log("ok    what is out of scope is refused, and the disk is as it was");

const waits = await refused("write_file", write);
assert.equal(waits.code, "APPROVAL_PENDING");
assert.ok(!existsSync(write.path));
yes("approval", "approve", waits.details.approval_id);
assert.equal((await refused("write_file", { ...write, content: "other" })).code, "APPROVAL_PENDING");
const wrote = await call("write_file", write);
assert.ok(!wrote.isError, JSON.stringify(wrote));
assert.equal(readFileSync(write.path, "utf8"), write.content);
assert.deepEqual(wrote, await direct.callTool({ name: "write_file", arguments: write }));
assert.equal((await refused("write_file", write)).code, "APPROVAL_PENDING");
const entries = JSON.parse(says("trace", "log", "--json")).entries;
assert.equal(entries.length, 1, JSON.stringify(entries));
says("trace", "verify");
console.log("ok    a write in scope waits for a person, passes once, and is recorded");

await client.close();
await direct.close();
