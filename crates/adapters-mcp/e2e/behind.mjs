// The official conformance suite through `bailiwick mcp proxy`, in front of a fixture server. The suite speaks HTTP and the proxy
// speaks over pipes: a bridge hands each message on as it is. All tools of the fixture are trusted first.
//
// node behind.mjs BINARY FOLDER; `cargo xtask e2e mcp` calls it.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

const [binary, scratch] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const SUITE = join(here, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

const folder = realpathSync(mkdtempSync(join(scratch, "behind-")));
const [root, home] = [join(folder, "shop"), join(folder, "home")];
for (const path of [root, home]) mkdirSync(path);
const env = { HOME: home, PATH: process.env.PATH, USER: "dana", SHELL: "/bin/sh", TERM: "xterm", LANG: "C.UTF-8" };
execFileSync("git", ["init", "--quiet"], { cwd: root, env });
execFileSync(binary, ["init"], { cwd: root, env });

const fixture = [process.execPath, join(here, "fixture.mjs")];
const looked = execFileSync(binary, ["--json", "mcp", "trust", "fixture", "--", ...fixture], { cwd: root, env, encoding: "utf8" });
const safe = JSON.parse(looked).tools.flatMap((tool) => ["--safe", tool.name]);
const line = [binary, "mcp", "trust", "fixture", ...safe, "--", ...fixture].map((word) => `'${word}'`).join(" ");
const trusted = spawnSync("script", ["-qec", line, "/dev/null"], { cwd: root, env, input: "y\n", encoding: "utf8" });
if (trusted.status !== 0) throw new Error(trusted.stdout + trusted.stderr);

const sessions = new Map();

/** One session of the suite: a proxy of its own, with a server of its own. */
async function begun() {
  const http = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, http),
    enableDnsRebindingProtection: true,
    allowedHosts: [host],
    allowedOrigins: [`http://${host}`],
  });
  const proxy = [binary, "--root", root, "mcp", "proxy", "--name", "fixture", "--", ...fixture];
  const pipes = new StdioClientTransport({ command: "perl", args: ["-e", "setpgrp; exec @ARGV", ...proxy], cwd: root, env, stderr: "inherit" });
  // What the server says while it answers belongs to the newest request that is open.
  const open = [];
  http.onmessage = (message) => {
    if (message.method && message.id !== undefined) open.push(message.id);
    pipes.send(message);
  };
  pipes.onmessage = (message) => {
    const answers = message.method === undefined;
    const relatedRequestId = answers ? message.id : open.at(-1);
    if (answers) open.splice(open.indexOf(message.id), 1);
    http.send(message, { relatedRequestId }).catch(() => {});
  };
  http.onclose = () => pipes.close();
  await pipes.start();
  await http.start();
  return http;
}

const bridge = createServer(async (asked, answer) => {
  const known = sessions.get(asked.headers["mcp-session-id"]);
  await (known ?? (await begun())).handleRequest(asked, answer);
});
await new Promise((listening) => bridge.listen(0, "127.0.0.1", listening));
const host = `127.0.0.1:${bridge.address().port}`;

const words = [SUITE, "server", "--url", `http://${host}/mcp`, "--expected-failures", join(here, "expected-failures-behind.yml")];
const suite = spawn(process.execPath, words, { cwd: folder, env, stdio: "inherit" });
const status = await new Promise((done) => suite.on("exit", done));
for (const http of sessions.values()) await http.close();
bridge.close();
bridge.closeAllConnections();
console.log(`the suite behind the proxy ended with ${status}`);
process.exit(status === 0 ? 0 : 1);
