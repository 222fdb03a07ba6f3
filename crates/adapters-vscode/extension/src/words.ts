// Plain words for what a person reads. Knows nothing of the editor.

// Controls, format characters, separators and tags: whatever a person would not see as what it is.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

// Longer runs of what nobody sees say how long they are; an indentation may be longer. As `inert` of the program does.
const BLANKS = /[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]{21,}/gu;
const INNER = 40;
const INDENTATION = 80;

function folded(text: string): string {
  return text.replace(BLANKS, (run, at: number) => {
    const column = at - (text.lastIndexOf('\n', at - 1) + 1);
    const isStart = column === 0 || (column === 1 && /[+-]/.test(text.charAt(at - 1)));
    const length = [...run].reduce((sum, char) => sum + (char === '\t' ? 4 : 1), 0);
    if (length <= (isStart ? INDENTATION : INNER)) return run;
    return `‹${length} ${/[^ \t]/.test(run) ? 'blanks' : 'spaces'}›`;
  });
}

/**
 * Text of others with its invisible characters made visible and long runs of blanks folded; line ends and tabs stay where
 * `lines` says so.
 */
export function inert(text: string, lines: 'keep lines' | 'one line' = 'one line'): string {
  return folded(text).replace(UNSEEN, char => {
    if (lines === 'keep lines' && (char === '\n' || char === '\t')) return char;
    if (char === '\n') return '⏎';
    if (char === '\t') return ' ';
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** Text of others for a list of the editor, which makes pictures of `$(name)`. */
export function label(text: string): string {
  return inert(text).replaceAll('$(', '$ (');
}

/** A clause that stands alone. */
export function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

/** A count with its noun. */
export function count(number: number, one: string, many = one + 's'): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A count of some of what was counted before. */
export function ofThem(number: number): string {
  return number === 0 ? 'none of them' : `${number} of them`;
}

/** Text that is cut at its end when it is longer. */
export function cut(text: string, length: number): string {
  const chars = [...text];
  return chars.length <= length ? text : chars.slice(0, Math.max(0, length - 1)).join('') + '…';
}

/** Text of which the middle is left out when it is longer, and how much of it: what stands at its end is seen. */
export function cutMiddle(text: string, length: number): string {
  const chars = [...text];
  const half = Math.floor(length / 2);
  if (chars.length <= length) return text;
  const left = chars.length - 2 * half;
  return `${chars.slice(0, half).join('')} ‹${left} ${left === 1 ? 'character' : 'characters'}› ${chars.slice(-half).join('')}`;
}

/** How long ago that was. */
export function ago(at: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1000));
  if (Number.isNaN(seconds)) return '';
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return count(Math.floor(seconds / 86400), 'day') + ' ago';
}

/** A stretch of time that is still to come. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  return `${Math.ceil(seconds / 60)} min`;
}

const HOSTS: Readonly<Record<string, string>> = {
  antigravity: 'Antigravity',
  'claude-code': 'Claude Code',
  cline: 'Cline',
  codex: 'Codex',
  copilot: 'Copilot CLI',
  cursor: 'Cursor',
  droid: 'Factory Droid',
  gemini: 'Gemini CLI',
  generic: 'An agent',
  kimi: 'Kimi Code',
  kiro: 'Kiro',
  opencode: 'OpenCode',
  qwen: 'Qwen Code',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
};

/** The name that people know a host by. */
export function hostName(host: string): string {
  return HOSTS[host] ?? inert(host);
}

const CLASSES: Readonly<Record<string, string>> = {
  AST_REFACTOR: 'refactor',
  INTENT_EVOLUTION: 'evolution of the intent',
};

/** The class of a change in words. */
export function className(name: string): string {
  return CLASSES[name] ?? inert(name);
}
