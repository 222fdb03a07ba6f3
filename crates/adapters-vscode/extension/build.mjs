// Bundles the extension and its page into dist/, or with --tests the unit tests into dist/test/.
import { build } from 'esbuild';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const at = (...parts) => join(here, ...parts);
const shared = { bundle: true, logLevel: 'warning', absWorkingDir: here };
const node = { ...shared, platform: 'node', target: 'node20', format: 'cjs', external: ['vscode'] };

if (process.argv.includes('--tests')) {
  const tests = readdirSync(at('test')).filter(name => name.endsWith('.test.ts'));
  await build({ ...node, entryPoints: tests.map(name => at('test', name)), outdir: at('dist/test') });
} else {
  mkdirSync(at('dist'), { recursive: true });
  await Promise.all([
    build({ ...node, entryPoints: [at('src/main.ts')], outfile: at('dist/extension.js'), minify: true }),
    build({ ...shared, entryPoints: [at('src/webview/approvals.ts')], outfile: at('dist/approvals.js'), format: 'iife', target: 'es2022', minify: true }),
  ]);
  cpSync(at('src/webview/approvals.css'), at('dist/approvals.css'));
}
