// A picture of a scope for marks in the explorer. What counts is the gate's own look; a mark decides nothing.

/** Whether a pattern of a scope matches this path, as the marks show it. */
export function matches(pattern: string, path: string): boolean {
  const anchored = pattern.replace(/^\//, '');
  const whole = anchored.endsWith('/') ? `${anchored}**` : anchored;
  return new RegExp(`^${translate(whole)}$`, 'u').test(path);
}

function translate(pattern: string): string {
  let out = '';
  for (let at = 0; at < pattern.length; at++) {
    const rest = pattern.slice(at);
    if (rest.startsWith('**/')) {
      out += '(?:.*/)?';
      at += 2;
    } else if (rest.startsWith('**')) {
      out += '.*';
      at += 1;
    } else if (rest[0] === '*') out += '[^/]*';
    else if (rest[0] === '?') out += '[^/]';
    else if (rest[0] === '{' && rest.includes('}')) {
      const end = rest.indexOf('}');
      out += `(?:${rest.slice(1, end).split(',').map(translate).join('|')})`;
      at += end;
    } else out += (rest[0] ?? '').replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  }
  return out;
}

/** Whether a scope owns this path: some pattern does, and no exclusion. */
export function inScope(path: string, scope: readonly string[]): boolean {
  const excluded = scope.filter(each => each.startsWith('!')).some(each => matches(each.slice(1), path));
  return !excluded && scope.filter(each => !each.startsWith('!')).some(each => matches(each, path));
}

const PROTECTED: readonly RegExp[] = [
  /^\.orchestration(\/|$)/,
  /(^|\/)\.intentignore$/,
  /(^|\/)\.git(\/|$)/,
  /(^|\/)\.claude\/(settings[^/]*\.json$|hooks(\/|$))/,
  /(^|\/)\.mcp\.json$/,
  /(^|\/)\.codex\/config\.toml$/,
  /(^|\/)\.cursor\/hooks\.json$/,
  /(^|\/)\.gemini\/settings\.json$/,
  /(^|\/)\.github\/hooks(\/|$)/,
];

/** Whether no agent can change this, whatever its scope. */
export function isProtected(path: string): boolean {
  return PROTECTED.some(each => each.test(path));
}
