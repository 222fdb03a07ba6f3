// Puts the parts together when the editor starts the extension. Nothing is decided here, nor anywhere in it.

import * as vscode from 'vscode';
import { AgentsView } from './agentsView';
import { Answers } from './answers';
import { ApprovalsView } from './approvalsView';
import { watchAttention } from './attention';
import { Blame } from './blame';
import { Changes } from './changes';
import { registerCommands } from './commands';
import { Connection } from './connection';
import { checkIntents } from './diagnostics';
import { Dialog } from './dialog';
import { offerGovernedTools } from './governedTools';
import { IntentsView } from './intentsView';
import { LedgerView } from './ledgerView';
import { ScopeMarks } from './marks';
import { Model } from './model';
import type { Approval, AskAnswer, Over } from './protocol';
import { Pages } from './pages';
import { showStatus } from './statusBar';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Bailiwick', { log: true });
  const model = new Model();
  const asker = new LaterAsker();
  const connection = new Connection(context, model, log, asker);
  const changes = new Changes(connection);
  const approvals = new ApprovalsView(context, model, connection, changes);
  asker.dialog = new Dialog(changes, approvals, log);
  const answers = new Answers(connection, model);
  const ledger = new LedgerView(model, answers);
  const intents = new IntentsView(model, answers);
  const marks = new ScopeMarks(model);
  const pages = new Pages();
  context.subscriptions.push(
    log,
    model,
    connection,
    changes,
    approvals,
    answers,
    ledger,
    marks,
    pages,
    intents,
    new AgentsView(model),
    new Blame(model, answers),
    showStatus(model),
    watchAttention(connection),
    checkIntents(model, connection),
    offerGovernedTools(model, connection),
    registerCommands({ context, model, connection, answers, changes, approvals, intents, ledger, marks, pages, log }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void connection.restart()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void connection.foldersChanged()),
    vscode.workspace.onDidChangeConfiguration(event => {
      // Trust brings settings into force as well, which are mostly those of before.
      if (event.affectsConfiguration('bailiwick.path')) void connection.programChanged();
    }),
  );
  void connection.restart();
}

export function deactivate(): void {
  // The editor disposes of the subscriptions; the end of its input ends the sidecar.
}

/** The connection is made before the dialog that it asks through. */
class LaterAsker {
  dialog: Dialog | undefined;

  ask(approval: Approval): Promise<AskAnswer> {
    return this.dialog?.ask(approval) ?? Promise.resolve({ decision: 'reject' });
  }

  over(over: Over): void {
    this.dialog?.over(over);
  }

  lost(): void {
    this.dialog?.lost();
  }
}
