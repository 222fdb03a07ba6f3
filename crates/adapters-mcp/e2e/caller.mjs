// A client over HTTP in a process of its own: who connects is an agent, with all of its process group, so the one that plays
// the person's part must not. Each line of its input is a call; a line comes back for each.
//
// node caller.mjs URL TOKEN

import { execFileSync } from "node:child_process";
import { createInterface } from "node:readline";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, token] = process.argv.slice(2);
const requestInit = { headers: { Authorization: `Bearer ${token}` } };
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
const client = new Client({ name: "e2e", version: "1" });

const does = {
  connect: () => client.connect(transport).then(() => client.getServerVersion()),
  call: (name, args) => client.callTool({ name, arguments: args }),
  read: (uri) => client.readResource({ uri }),
  shell: (...words) => execFileSync(words[0], words.slice(1), { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
  end: () => transport.terminateSession().then(() => client.close()),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...words] = JSON.parse(line);
  const done = await Promise.resolve()
    .then(() => does[what](...words))
    .then((said) => ({ said: said ?? null }), (error) => ({ error: `${error.message}${error.stdout ?? ""}${error.stderr ?? ""}` }));
  console.log(JSON.stringify(done));
  if (what === "end") process.exit(0);
}
process.exit(0);
