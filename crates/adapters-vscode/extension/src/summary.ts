// The status line's words. Knows nothing of the editor but its icon names.

import type { FolderSnapshot } from './protocol';
import { count, cut, inert } from './words';

export interface Line {
  text: string;
  spoken: string;
  tooltip: string;
  command: string;
  level: 'quiet' | 'waiting' | 'error';
}

/** One line for all folders; none where there is nothing to say. */
export function summary(state: string, reason: string, folders: readonly FolderSnapshot[]): Line | undefined {
  switch (state) {
    case 'no_folder':
    case 'untrusted':
      return undefined;
    case 'starting':
      return line('$(shield) Bailiwick', 'starting', 'Bailiwick is starting.', 'bailiwick.showLog', 'quiet');
    case 'running':
      return running(folders);
    case 'no_program':
      return line('$(shield) Bailiwick: not installed', 'not installed', reason, 'bailiwick.openSettings', 'quiet');
    default:
      return line('$(error) Bailiwick: stopped', 'stopped', `${reason}. Click to restart.`, 'bailiwick.restart', 'error');
  }
}

function running(all: readonly FolderSnapshot[]): Line | undefined {
  const folders = all.filter(folder => folder.state !== 'not_set_up');
  if (folders.length === 0) return undefined;
  const trouble = folders.find(folder => folder.trouble)?.trouble;
  if (trouble) {
    const tooltip = `${trouble.what}\n${trouble.next}`;
    return line('$(error) Bailiwick: trouble', 'trouble', tooltip, 'bailiwick.doctor', 'error');
  }
  const waiting = folders.reduce((sum, folder) => sum + folder.approvals.length, 0);
  const reviews = folders.reduce((sum, folder) => sum + folder.reviews.length, 0);
  const paused = folders.some(folder => folder.pause);
  const intents = [...new Set(folders.flatMap(folder => folder.agents.flatMap(agent => agent.intent ?? [])))];
  const parts = [];
  if (paused) parts.push('paused');
  if (intents.length > 0) parts.push(intents.length === 1 ? inert(intents[0] ?? '') : count(intents.length, 'intent'));
  if (waiting > 0) parts.push(`${waiting} waiting`);
  if (reviews > 0) parts.push(`${count(reviews, 'review')}`);
  const words = parts.map(part => cut(part, 40)).join(', ');
  const spoken = words === '' ? 'nothing waits' : words;
  const agents = folders.reduce((sum, folder) => sum + folder.agents.length, 0);
  const tooltip = [
    `${count(folders.length, 'governed folder')}, ${count(agents, 'agent session')}`,
    waiting === 0 ? 'Nothing waits for you.' : `${count(waiting, 'question')} for you. Click to see what waits.`,
    ...(paused ? ['The gate is paused: it records and refuses nothing.'] : []),
  ].join('\n');
  const text = words === '' ? '$(shield) Bailiwick' : `$(shield) Bailiwick: ${words.replaceAll('$(', '$\u200b(')}`;
  return line(text, spoken, tooltip, 'bailiwick.openApprovals', waiting > 0 || paused ? 'waiting' : 'quiet');
}

function line(text: string, spoken: string, tooltip: string, command: string, level: Line['level']): Line {
  return { text, spoken: `Bailiwick: ${spoken}`, tooltip, command, level };
}
