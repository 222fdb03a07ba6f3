// The least that an extension does which asks with a dialog when something happens in a file.
const vscode = require('vscode');
const { existsSync, rmSync, watch } = require('node:fs');
const { join } = require('node:path');

exports.activate = context => {
  const base = join(vscode.workspace.workspaceFolders[0].uri.fsPath, '..');
  const asked = join(base, 'empty-asks');
  const watcher = watch(base, () => {
    if (!existsSync(asked)) return;
    rmSync(asked, { force: true });
    vscode.window.showWarningMessage('The empty extension asks', { modal: true, detail: 'Nothing.' }, 'No', 'Yes');
  });
  context.subscriptions.push({ dispose: () => watcher.close() });
};
