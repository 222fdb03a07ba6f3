// What the command line's reading commands answer, as far as it is used here. Types and their reading; no editor.

export interface IntentRow {
  id: string;
  name: string;
  status: string;
  owned_scope: string[];
  accepted?: boolean;
  selectable?: boolean;
  expires?: string | null;
}
export interface IntentWhole extends IntentRow {
  why: string | null;
  requirements: string[];
  acceptance_criteria: unknown[];
  constraints: unknown[];
  frozen?: boolean;
}
export interface MapRow { file: string; intent: string; requirements: string[] }

interface OwnFile { path: string; change: string; moved_to?: string; moved_from?: string }
interface Own {
  intent: string | null;
  tool: string;
  host: string;
  session_id: string;
  call: string | null;
  approval: string | null;
  approved_by: string | null;
  approved_at: string | null;
  scope_override?: boolean;
  requirements: string[];
  mutation: { class: string } | null;
  files: OwnFile[];
  seq: number;
}
export interface TraceRecord { id: string; timestamp: string; metadata: { 'dev.bailiwick': Own } }

/** One recorded change, as views show it. */
export interface Entry {
  id: string;
  /** Where it stands in its chain. */
  seq: number;
  at: string;
  intent: string | null;
  requirements: string[];
  class: string | null;
  host: string;
  approval: string | null;
  approvedBy: string | null;
  override: boolean;
  files: { path: string; change: string }[];
}

export function entryOf(record: TraceRecord): Entry {
  const own = record.metadata['dev.bailiwick'];
  return {
    id: record.id,
    seq: own.seq,
    at: record.timestamp,
    intent: own.intent,
    requirements: own.requirements ?? [],
    class: own.mutation?.class ?? null,
    host: own.host,
    approval: own.approval,
    approvedBy: own.approved_by,
    override: own.scope_override ?? false,
    files: (own.files ?? []).map(({ path, change }) => ({ path, change })),
  };
}

export interface BlameLine {
  line: number;
  intent: string | null;
  requirements: string[];
  entry: string | null;
  class: string | null;
  certainty: string | null;
  proof?: string | null;
  session?: string | null;
  timestamp?: string | null;
  trust?: string | null;
  signer?: string | null;
}

export interface Diagnosed { errors: Problem[]; warnings: Problem[]; intents?: number }
export interface Problem {
  message?: string;
  what?: string;
  line?: number | null;
  column?: number | null;
  path?: string | null;
  hint?: string | null;
  next?: string | null;
  suggestion?: string | null;
}

const ORDER = ['IN_PROGRESS', 'PENDING', 'BLOCKED', 'COMPLETED', 'ABANDONED'];

/** The intents by status, the ones that agents work under first. */
export function byStatus(intents: readonly IntentRow[]): { status: string; intents: IntentRow[] }[] {
  const groups = new Map<string, IntentRow[]>();
  for (const intent of intents) {
    const group = groups.get(intent.status) ?? [];
    group.push(intent);
    groups.set(intent.status, group);
  }
  const place = (status: string) => (ORDER.includes(status) ? ORDER.indexOf(status) : ORDER.length);
  return [...groups]
    .map(([status, rows]) => ({ status, intents: rows }))
    .sort((a, b) => place(a.status) - place(b.status) || a.status.localeCompare(b.status));
}

/** The first rows of many, and one that says how many are left. */
export function paged<T>(rows: readonly T[], shown: number, more: (left: number) => T): T[] {
  const left = rows.length - shown;
  return left > 0 ? [...rows.slice(0, shown), more(left)] : [...rows];
}

/** A status in words. */
export function statusName(status: string): string {
  const words = status.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The line of an intents file where this intent begins, counted from zero. */
export function lineOfIntent(text: string, id: string): number | undefined {
  const lines = text.split('\n');
  const found = lines.findIndex(line => {
    const match = /^\s*(?:-\s+)?id:\s*(["']?)([^"'#]+)\1\s*(?:#.*)?$/.exec(line.trimEnd());
    return match?.[2]?.trim() === id;
  });
  return found === -1 ? undefined : found;
}
