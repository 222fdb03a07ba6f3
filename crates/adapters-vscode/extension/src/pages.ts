// What the command line answered, as documents to read: nobody can edit them, and nobody is asked to save them.

import * as vscode from 'vscode';
import { inert } from './words';

const SCHEME = 'bailiwick-page';
const KEPT = 32;

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}` });
    this.texts.delete(uri.path);
    this.texts.set(uri.path, text);
    for (const old of this.texts.keys()) {
      if (this.texts.size <= KEPT) break;
      this.texts.delete(old);
    }
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const language = text.startsWith('{') ? 'json' : 'plaintext';
    await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, language), { preview: true });
  }

  dispose(): void {
    this.registered.dispose();
    this.changed.dispose();
  }
}

interface Finding { level: string; section: string; message: string; next: string | null }
interface Decision { at: string; action: string; code: string | null; tool: string; paths: string[]; intent: string | null; note: string | null }

/** The findings of `doctor` and the lines of `log` as lines; everything else as JSON. */
export function asText(command: string, value: unknown): string {
  const { findings, decisions } = (value ?? {}) as { findings?: Finding[]; decisions?: Decision[] };
  if (command === 'doctor' && findings) {
    return findings.map(each => inert(`${each.level.padEnd(6)} ${each.section}: ${each.message}`) + (each.next ? `\n       ${inert(each.next)}` : '')).join('\n') + '\n';
  }
  if (command === 'log' && decisions) {
    const lines = [...decisions].reverse().map(each =>
      inert([new Date(each.at).toLocaleString(), each.code ?? each.action, each.tool, each.paths.join(', '), each.intent ?? ''].filter(part => part !== '').join('  ')) +
      (each.note ? `\n    ${inert(each.note)}` : ''));
    return lines.length === 0 ? 'Nothing was refused.\n' : lines.join('\n') + '\n';
  }
  return JSON.stringify(value, null, 2) + '\n';
}
