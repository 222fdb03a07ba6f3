// Marks in the explorer: what is in the scope of the intent that was selected, and what nothing may change.

import * as vscode from 'vscode';
import { relative, sep } from 'node:path';
import type { Model } from './model';
import { inScope, isProtected } from './scope';

export interface Selected { root: string; id: string; scope: string[] }

export class ScopeMarks implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private selected: Selected | undefined;
  private roots = '';
  private readonly parts: vscode.Disposable;

  constructor(private readonly model: Model) {
    const redraw = () => this.changed.fire(undefined);
    this.parts = vscode.Disposable.from(
      vscode.window.registerFileDecorationProvider(this),
      model.onChanged(() => {
        const roots = model.governed.map(folder => folder.root).join('\n');
        if (roots === this.roots) return;
        this.roots = roots;
        redraw();
      }),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration('bailiwick.explorerMarks')) redraw();
      }),
      this.changed,
    );
  }

  select(selected: Selected | undefined): void {
    this.selected = selected;
    void vscode.commands.executeCommand('setContext', 'bailiwick.scopeMarked', selected !== undefined);
    this.changed.fire(undefined);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== 'file' || !vscode.workspace.getConfiguration('bailiwick').get('explorerMarks', true)) return undefined;
    const folder = this.model.folderOf(uri.fsPath);
    if (!folder) return undefined;
    const path = relative(folder.root, uri.fsPath).split(sep).join('/');
    if (path === '') return undefined;
    if (isProtected(path)) {
      return new vscode.FileDecoration('P', 'Protected: no agent can change it', new vscode.ThemeColor('disabledForeground'));
    }
    const selected = this.selected;
    if (selected?.root !== folder.root || !inScope(path, selected.scope)) return undefined;
    return new vscode.FileDecoration('◆', `In the scope of ${selected.id}`, new vscode.ThemeColor('charts.blue'));
  }

  dispose(): void {
    this.parts.dispose();
  }
}
