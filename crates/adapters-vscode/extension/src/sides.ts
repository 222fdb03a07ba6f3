// The two sides of a unified diff, for a question whose sides the sidecar cannot tell. Knows nothing of the editor.

import type { DiffFile } from './protocol';

const NONE = '/dev/null';

/** The files of a preview; of files that exist only the lines that it shows. */
export function sidesOf(preview: string): DiffFile[] {
  const files: DiffFile[] = [];
  let before: string[] = [];
  let after: string[] = [];
  let names: [string, string] | undefined;
  let left = { before: 0, after: 0 };
  const close = () => {
    if (!names) return;
    const [old, now] = names;
    const text = (lines: string[], name: string) => (name === NONE ? null : lines.map(line => line + '\n').join(''));
    const whole = old === NONE || now === NONE;
    files.push({ path: now === NONE ? old : now, before: text(before, old), after: text(after, now), whole });
    [before, after, names] = [[], [], undefined];
  };
  const lines = preview.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const inHunk = left.before > 0 || left.after > 0;
    const next = lines[at + 1] ?? '';
    if (!inHunk && line.startsWith('--- ') && next.startsWith('+++ ')) {
      close();
      names = [nameOf(line), nameOf(next)];
      at++;
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (!inHunk && hunk) {
      left = { before: Number(hunk[1] ?? 1), after: Number(hunk[2] ?? 1) };
      if (before.length > 0 || after.length > 0) [before, after].forEach(side => side.push('⋯'));
      continue;
    }
    if (!inHunk) continue;
    const [sign, rest] = [line[0], line.slice(1)];
    if (sign !== '+') {
      before.push(rest);
      left.before--;
    }
    if (sign !== '-') {
      after.push(rest);
      left.after--;
    }
  }
  close();
  return files;
}

function nameOf(line: string): string {
  const name = line.slice(4).replace(/\t.*$/, '');
  return name === NONE ? NONE : name.replace(/^[ab]\//, '');
}
