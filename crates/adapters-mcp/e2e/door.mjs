// `bailiwick mcp --http` at a terminal of a person's, for the clients of this folder.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";

/** Starts the server; its address, its token, and what ends it. */
export async function serve(binary, root, env) {
  // A terminal: so nobody is above the server but whoever sits there.
  const line = `exec '${binary}' --color never --root '${root}' mcp --http`;
  const terminal = spawn("script", ["-qec", line, "/dev/null"], { cwd: root, env, stdio: ["pipe", "pipe", "inherit"] });
  let url;
  for await (const said of createInterface({ input: terminal.stdout })) {
    url ??= /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said)?.[0];
    const file = /The token is in (.+)\. Only/.exec(said)?.[1];
    if (file) {
      const token = readFileSync(file, "utf8").trim();
      terminal.stdout.resume();
      return { url, token, end: () => ended(terminal) };
    }
  }
  throw new Error("the server said no address");
}

/** Ctrl-C; the status that the server ends with. */
function ended(terminal) {
  const status = new Promise((resolve) => terminal.on("exit", resolve));
  terminal.stdin.write("\x03");
  return status;
}
