// Whether a person is at this window: told when the focus changes, and now and then while it is used.

import * as vscode from 'vscode';
import type { Connection } from './connection';
import { method } from './protocol';

const AT_MOST_EACH_MS = 10_000;

export function watchAttention(connection: Connection): vscode.Disposable {
  let last = 0;
  const tell = () => {
    last = Date.now();
    connection.notify(method.ATTENTION, { focused: vscode.window.state.focused });
  };
  const used = () => {
    if (vscode.window.state.focused && Date.now() - last >= AT_MOST_EACH_MS) tell();
  };
  return vscode.Disposable.from(
    connection.onConnected(tell),
    vscode.window.onDidChangeWindowState(tell),
    vscode.window.onDidChangeTextEditorSelection(used),
    vscode.window.onDidChangeActiveTextEditor(used),
    vscode.window.onDidChangeTextEditorVisibleRanges(used),
    vscode.window.onDidChangeActiveTerminal(used),
    vscode.workspace.onDidChangeTextDocument(used),
  );
}
