// Plain words for what a person reads. Knows nothing of the editor.

// Controls, format characters, separators and tags: whatever a person would not see as what it is.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Text of others with its invisible characters made visible; line ends and tabs stay where `lines` says so. */
export function inert(text: string, lines: 'keep lines' | 'one line' = 'one line'): string {
  return text.replace(UNSEEN, char => {
    if (lines === 'keep lines' && (char === '\n' || char === '\t')) return char;
    if (char === '\n') return '⏎';
    if (char === '\t') return ' ';
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
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
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'copilot-cli': 'Copilot CLI',
  'gemini-cli': 'Gemini CLI',
  cursor: 'Cursor',
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
