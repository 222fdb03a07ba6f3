// What is said of a line's origin. Knows nothing of the editor.

import type { BlameLine } from './queries';
import { ago, className, inert } from './words';

/** The note behind a line. */
export function endNote(line: BlameLine | undefined, now: number): string {
  if (!line?.intent) return 'no recorded change';
  const when = line.timestamp ? ago(line.timestamp, now) : '';
  const parts = [line.intent, ...line.requirements.slice(0, 1), line.class ? className(line.class) : '', when];
  return parts.filter(part => part !== '').map(part => inert(part)).join(' · ');
}

const KNOWN: Readonly<Record<string, string>> = {
  in_place: 'the same bytes stand in the same place',
  moved: 'the same bytes, moved',
  reformatted: 'the same lines with other blanks: not proof',
  similar: 'some of its lines: a hint, not proof',
  ambiguous: 'equal copies, and nothing tells which is meant',
};

/** Everything that is known of a line. */
export function hoverLines(line: BlameLine, approval: string | undefined, now: number): string[] {
  const known = line.certainty ? (KNOWN[line.certainty] ?? line.certainty) : 'unknown';
  const lines = [
    `Intent ${line.intent ?? 'none'}`,
    ...(line.requirements.length > 0 ? [`Requirement ${line.requirements.join(', ')}`] : []),
    ...(line.class ? [`Change: ${className(line.class)}`] : []),
    approval ? `Approved: ${approval}` : 'No approval is recorded',
    ...(line.timestamp ? [`When: ${ago(line.timestamp, now)}`] : []),
    `How it is known: ${known}${line.proof === 'proved' ? ' (proved)' : ''}`,
    ...(line.trust && line.trust !== 'own' ? [`Trust: ${line.trust}${line.signer ? ` ${line.signer}` : ''}`] : []),
  ];
  return lines.map(each => inert(each));
}

/** The latest change within these lines. */
export function lastOf(lines: readonly BlameLine[], first: number, last: number): BlameLine | undefined {
  const within = lines.filter(each => each.line >= first && each.line <= last && each.intent);
  return within.reduce<BlameLine | undefined>(
    (latest, each) => (!latest || (each.timestamp ?? '') > (latest.timestamp ?? '') ? each : latest),
    undefined,
  );
}
