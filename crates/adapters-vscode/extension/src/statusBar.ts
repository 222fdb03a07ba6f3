// One line at the bottom: does the gate run, under which intent, what waits.

import * as vscode from 'vscode';
import type { Model } from './model';
import { summary } from './summary';

export function showStatus(model: Model): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('bailiwick.status', vscode.StatusBarAlignment.Left, 50);
  item.name = 'Bailiwick';
  const update = () => {
    const line = summary(model.state, model.reason, model.folders);
    if (!line) return item.hide();
    item.text = line.text;
    item.tooltip = line.tooltip;
    item.accessibilityInformation = { label: line.spoken, role: 'button' };
    item.command = line.command;
    const warning = new vscode.ThemeColor('statusBarItem.warningBackground');
    const error = new vscode.ThemeColor('statusBarItem.errorBackground');
    item.backgroundColor = line.level === 'error' ? error : line.level === 'waiting' ? warning : undefined;
    item.show();
  };
  update();
  return vscode.Disposable.from(item, model.onChanged(update));
}
