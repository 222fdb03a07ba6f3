import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { leave } from '../src/sidecar';

// REQ 74: what is open is rejected by the sidecar as it leaves
test('req_074_a sidecar that is stopped ends by itself at the end of its input', async () => {
  const program = "process.stdin.resume().on('end', () => process.exit(7)); process.stdout.write('there')";
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  leave(child);
  assert.deepEqual(await once(child, 'exit'), [7, null]);
});

test('a sidecar that does not leave is ended', async () => {
  const program = "setInterval(() => {}, 1000); process.stdout.write('there')";
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  leave(child);
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
});
