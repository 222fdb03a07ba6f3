// An agent's host: runs the installed hook for each event, and does what was allowed. It is a process of its own, because
// whoever runs the hook counts as an agent, and nothing below an agent may answer.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

process.stdout.on('error', () => process.exit());
createInterface({ input: process.stdin }).on('line', line => {
  const { id, command, event, write } = JSON.parse(line);
  const done = result => process.stdout.write(JSON.stringify({ id, ...result }) + '\n');
  if (write) {
    mkdirSync(dirname(write.path), { recursive: true });
    writeFileSync(write.path, write.text);
    return done({});
  }
  const hook = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  hook.stdout.on('data', data => (said.out += data));
  hook.stderr.on('data', data => (said.err += data));
  hook.on('close', status => done({ ...said, status }));
  hook.stdin.end(JSON.stringify(event));
});
