// Shows the change of a question: both sides as the question is bound to them, in a real diff editor.

import * as vscode from 'vscode';
import type { Connection } from './connection';
import { type Approval, type DiffFile, type Files, method } from './protocol';
import { heading } from './question';
import { inert } from './words';

const SCHEME = 'bailiwick-change';
/** The texts of so many questions are kept; an open tab keeps its own. */
const KEPT = 32;

export class Changes implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly files = new Map<string, DiffFile[]>();
  private readonly registered: vscode.Disposable;

  constructor(private readonly connection: Connection) {
    this.registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const { id, side, index } = JSON.parse(uri.query) as { id: string; side: 'before' | 'after'; index: number };
    return this.files.get(id)?.[index]?.[side] ?? '';
  }

  /** What this question shows: both sides of its files, and what is in no diff. */
  read(approval: Approval): Promise<Files> {
    return this.connection.request(method.FILES, { root: approval.root, id: approval.id });
  }

  /** Opens the change of this question; nothing when no text changes. */
  async show(approval: Approval, read?: Files): Promise<void> {
    const { files } = read ?? (await this.read(approval));
    this.keep(approval.id, files);
    const title = (file: DiffFile) => `${inert(file.path)} (${approval.id}: proposed${file.whole ? '' : ', parts'})`;
    const options: vscode.TextDocumentShowOptions = { preview: true, preserveFocus: true };
    const [only, ...more] = files;
    if (!only) return;
    if (more.length === 0) {
      const [before, after] = [uri(approval.id, only, 0, 'before'), uri(approval.id, only, 0, 'after')];
      await vscode.commands.executeCommand('vscode.diff', before, after, title(only), options);
      return;
    }
    const sides = files.map((file, index) => [
      vscode.Uri.file(file.path),
      uri(approval.id, file, index, 'before'),
      uri(approval.id, file, index, 'after'),
    ]);
    await vscode.commands.executeCommand('vscode.changes', `${approval.id}: ${heading(approval)}`, sides);
  }

  private keep(id: string, files: DiffFile[]): void {
    this.files.delete(id);
    this.files.set(id, files);
    for (const old of this.files.keys()) {
      if (this.files.size <= KEPT) break;
      this.files.delete(old);
    }
  }

  /** Closes what was opened for a question that is over. */
  async close(id: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
    const ours = tabs.filter(tab => {
      return modified(tab.input).some(uri => uri.scheme === SCHEME && (JSON.parse(uri.query) as { id: string }).id === id);
    });
    // Where nothing has the focus, the editor behind gets it back: it was hidden when the dialog ended.
    if (ours.length > 0) await vscode.window.tabGroups.close(ours, false);
  }

  dispose(): void {
    this.registered.dispose();
  }
}

/** The right sides of what a tab compares. Of several files the editor has a kind of tab that its published types do not name. */
function modified(input: unknown): vscode.Uri[] {
  if (input instanceof vscode.TabInputTextDiff) return [input.modified];
  const several = (input as { textDiffs?: unknown } | undefined)?.textDiffs;
  return Array.isArray(several) ? several.flatMap(modified) : [];
}

function uri(id: string, file: DiffFile, index: number, side: 'before' | 'after'): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: '/' + file.path, query: JSON.stringify({ id, side, index }) });
}
