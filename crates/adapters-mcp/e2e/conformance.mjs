// The official conformance suite against `bailiwick mcp --http`. The suite sends no token, so a relay stands between the two
// that adds it and changes nothing else; what names the relay in `Host` and `Origin` then names the server.
//
// node conformance.mjs BINARY FOLDER; `cargo xtask e2e mcp` calls it.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { createServer, request } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { serve } from "./door.mjs";

const [binary, scratch] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const SUITE = join(here, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

const folder = realpathSync(mkdtempSync(join(scratch, "conformance-")));
const [root, home] = [join(folder, "shop"), join(folder, "home")];
for (const path of [root, home]) mkdirSync(path);
const env = { HOME: home, PATH: process.env.PATH, USER: "dana", SHELL: "/bin/sh", TERM: "xterm", LANG: "C.UTF-8" };
execFileSync("git", ["init", "--quiet"], { cwd: root, env });
execFileSync(binary, ["init"], { cwd: root, env });

const server = await serve(binary, root, env);
const { host } = new URL(server.url);

const relay = createServer((asked, answer) => {
  const own = `127.0.0.1:${relay.address().port}`;
  const headers = { ...asked.headers, authorization: `Bearer ${server.token}` };
  if (headers.host === own) headers.host = host;
  if (headers.origin === `http://${own}`) headers.origin = `http://${host}`;
  const passed = request(new URL(asked.url, server.url), { method: asked.method, headers }, (said) => {
    answer.writeHead(said.statusCode, said.headers);
    said.pipe(answer);
  });
  passed.on("error", () => answer.destroy());
  answer.on("close", () => passed.destroy());
  asked.pipe(passed);
});
await new Promise((listening) => relay.listen(0, "127.0.0.1", listening));

const url = `http://127.0.0.1:${relay.address().port}/mcp`;
const words = [SUITE, "server", "--url", url, "--expected-failures", join(here, "expected-failures.yml")];
const suite = spawn(process.execPath, words, { cwd: folder, env, stdio: "inherit" });
const status = await new Promise((done) => suite.on("exit", done));
relay.close();
relay.closeAllConnections();
const served = await server.end();
console.log(`the suite ended with ${status}, the server with ${served}`);
process.exit(status === 0 && served === 0 ? 0 : 1);
