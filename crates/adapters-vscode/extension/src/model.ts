// What the sidecar last said, and who wants to hear of changes.

import * as vscode from 'vscode';
import type { Approval, FolderSnapshot, Snapshot } from './protocol';

export type State = 'starting' | 'running' | 'stopped' | 'no_program' | 'no_folder' | 'untrusted' | 'refused';

/** The state of the connection, and the snapshot of all folders. */
export class Model implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onChanged = this.changed.event;
  private current: State = 'starting';
  private why = '';
  private shot: Snapshot = { folders: [] };

  get state(): State {
    return this.current;
  }

  /** What a person can read about a state that is not well. */
  get reason(): string {
    return this.why;
  }

  get folders(): readonly FolderSnapshot[] {
    return this.shot.folders;
  }

  get governed(): readonly FolderSnapshot[] {
    return this.folders.filter(folder => folder.state !== 'not_set_up');
  }

  /** Every open question of the window, oldest first. */
  get approvals(): readonly Approval[] {
    return this.folders.flatMap(folder => folder.approvals).sort((a, b) => a.created.localeCompare(b.created));
  }

  /** The governed folder that holds this file. */
  folderOf(path: string): FolderSnapshot | undefined {
    const holds = (root: string) => path === root || path.startsWith(root.endsWith('/') ? root : root + '/');
    return this.governed.filter(folder => holds(folder.root)).sort((a, b) => b.root.length - a.root.length)[0];
  }

  enter(state: State, why = ''): void {
    this.current = state;
    this.why = why;
    if (state !== 'running') this.shot = { folders: [] };
    this.tell();
  }

  take(snapshot: Snapshot): void {
    this.shot = snapshot;
    this.tell();
  }

  private tell(): void {
    const governed = this.governed.length > 0 ? 'governed' : 'none';
    void vscode.commands.executeCommand('setContext', 'bailiwick.state', this.current);
    void vscode.commands.executeCommand('setContext', 'bailiwick.folders', governed);
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
