#!/usr/bin/env node
// Starts the program that npm installed for this platform, with the same streams, arguments, environment and end.
"use strict";

const { spawnSync } = require("node:child_process");

const name = `bailiwick-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "bailiwick.exe" : "bailiwick";

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(
    `bailiwick: the package ${name} is not installed. Either there is none for this platform, or npm was told to leave ` +
      "optional dependencies out: install again without --omit=optional and --no-optional.",
  );
  process.exit(2);
}

const ended = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error(`bailiwick: ${program} cannot be started: ${ended.error.message}`);
  process.exit(2);
}
if (ended.signal) {
  process.kill(process.pid, ended.signal);
}
process.exit(ended.status ?? 2);
