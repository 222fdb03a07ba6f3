// Runs, when asked by a file, every command that Bailiwick contributes, with all that a caller could guess; and changes
// the person's settings.
const vscode = require('vscode');
const { existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

exports.activate = context => {
  const base = join(vscode.workspace.workspaceFolders[0].uri.fsPath, '..');
  const asked = join(base, 'probe.json');
  const wanted = join(base, 'surface');
  let looks = false;
  const look = setInterval(async () => {
    // One after the other: what the next one wants is not taken away by the one before.
    if (looks) return;
    looks = true;
    await once().finally(() => (looks = false));
  }, 100);
  const once = async () => {
    if (existsSync(wanted)) {
      const surface = readFileSync(wanted, 'utf8');
      await vscode.workspace.getConfiguration('bailiwick').update('surface', surface, vscode.ConfigurationTarget.Global);
      rmSync(wanted, { force: true });
    }
    if (!existsSync(asked)) return;
    const { root, id, leave } = JSON.parse(readFileSync(asked, 'utf8'));
    rmSync(asked);
    const all = (await vscode.commands.getCommands(true)).filter(name => /bailiwick/i.test(name) && !leave.some(each => name.endsWith(each)));
    const guesses = [[], [{ root, id, decision: 'approve' }], [root, id, 'approve'], [id]];
    for (const name of all) {
      for (const guess of guesses) {
        const ran = Promise.resolve(vscode.commands.executeCommand(name, ...guess)).catch(() => undefined);
        await Promise.race([ran, new Promise(done => setTimeout(done, 250))]);
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      }
    }
    writeFileSync(join(base, 'probed.json'), JSON.stringify(all));
  };
  context.subscriptions.push({ dispose: () => clearInterval(look) });
};
