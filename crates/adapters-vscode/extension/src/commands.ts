// What the palette, the menus and the keys can do. Nothing here answers a question: agents of an editor can run commands.

import * as vscode from 'vscode';
import { isAbsolute, relative, sep } from 'node:path';
import type { ApprovalsView } from './approvalsView';
import type { Changes } from './changes';
import type { Connection } from './connection';
import type { Answers } from './answers';
import type { IntentNode, IntentsView } from './intentsView';
import type { EntryNode, LedgerView } from './ledgerView';
import type { Model } from './model';
import type { ScopeMarks } from './marks';
import { asText, type Pages } from './pages';
import { heading } from './question';
import { lineOfIntent } from './queries';
import { hostName, inert, label } from './words';

export interface Parts {
  context: vscode.ExtensionContext;
  model: Model;
  connection: Connection;
  answers: Answers;
  changes: Changes;
  approvals: ApprovalsView;
  intents: IntentsView;
  ledger: LedgerView;
  marks: ScopeMarks;
  pages: Pages;
  log: vscode.LogOutputChannel;
}

const INTENTS = '.orchestration/active_intents.yaml';

export function registerCommands(parts: Parts): vscode.Disposable {
  const { connection, ledger, marks, log, answers } = parts;
  const run = (name: string, act: (...given: never[]) => unknown) =>
    vscode.commands.registerCommand(`bailiwick.${name}`, async (...given: never[]) => {
      try {
        await act(...given);
      } catch (error) {
        log.error(error instanceof Error ? error : String(error));
        void vscode.window.showErrorMessage(`Bailiwick: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
  return vscode.Disposable.from(
    run('openApprovals', () => parts.approvals.reveal()),
    run('showChange', () => showChange(parts)),
    run('setUp', (root?: string) => setUp(parts, root)),
    run('restart', () => connection.restart()),
    run('refresh', async () => {
      answers.forget();
      await connection.refresh();
    }),
    run('showLog', () => log.show()),
    run('openSettings', () => vscode.commands.executeCommand('workbench.action.openSettings', 'bailiwick.')),
    run('openIntents', async () => {
      const root = await pickFolder(parts);
      if (root) await openIntents(root);
    }),
    run('openIntent', (node?: IntentNode) => node && openIntents(node.root, node.intent.id)),
    run('revealScope', (node?: IntentNode) => revealScope(parts, node)),
    run('acceptIntent', (node?: IntentNode) => acceptIntent(parts, node)),
    run('selectIntent', (node?: IntentNode) => selectIntent(parts, node)),
    run('clearScope', () => marks.select(undefined)),
    run('openEntry', (node?: EntryNode) => node && openEntry(parts, node.root, node.entry.id)),
    run('openEntryFile', (node?: EntryNode) => openEntryFile(node)),
    run('undoEntry', (node?: EntryNode) => node && terminal(parts, node.root, ['restore', '--call', node.entry.id])),
    run('ledgerOfFile', (uri?: vscode.Uri) => ledgerOfFile(parts, uri)),
    run('ledgerOfIntent', (node?: IntentNode) => ledgerOfIntent(parts, node)),
    run('ledgerAll', () => ledger.show({})),
    run('ledgerMore', () => ledger.more()),
    run('intentsMore', (key?: string) => key !== undefined && parts.intents.more(key)),
    run('showDecisions', () => showAsText(parts, ['log', '--blocked'])),
    run('doctor', () => showAsText(parts, ['doctor'])),
    run('walkthrough', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${parts.context.extension.id}#start`, false)),
  );
}

async function showChange({ model, changes, approvals }: Parts): Promise<void> {
  const [only, ...more] = model.approvals;
  if (!only) return void vscode.window.showInformationMessage('Nothing waits for you.');
  if (more.length === 0) return changes.show(only);
  const items = model.approvals.map(approval => ({ label: label(heading(approval)), description: approval.id, approval }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Whose change?' });
  if (!picked) return;
  await changes.show(picked.approval);
  await approvals.reveal(picked.approval);
}

/** `init` asks in a terminal, where a person answers. */
async function setUp(parts: Parts, root?: string): Promise<void> {
  const ungoverned = parts.model.folders.filter(folder => folder.state === 'not_set_up').map(folder => folder.root);
  const folder = root ?? ungoverned[0] ?? (await pickFolder(parts));
  if (folder) terminal(parts, folder, ['init']);
}

function terminal({ connection, model }: Parts, root: string, words: string[]): void {
  if (model.state !== 'running') throw new Error('Bailiwick is not running in this window.');
  const open = vscode.window.createTerminal({ name: `bailiwick ${words[0] ?? ''}`, cwd: root, ...started(connection.program, words) });
  open.show();
}

/**
 * A program with its words as they are: no line is written, since every shell reads one its own way. A shell follows, so that
 * what was said can be read; Windows has none that takes words, so there a success closes the terminal.
 */
function started(program: string, words: string[]): { shellPath: string; shellArgs: string[] } {
  if (process.platform === 'win32') return { shellPath: program, shellArgs: words };
  return { shellPath: '/bin/sh', shellArgs: ['-c', '"$@"; exec "${SHELL:-/bin/sh}"', 'sh', program, ...words] };
}

async function pickFolder({ model }: Parts): Promise<string | undefined> {
  const folders = model.governed.length > 0 ? model.governed : model.folders;
  const [only, ...more] = folders;
  if (!only) throw new Error('No folder on a disk is open.');
  if (more.length === 0) return only.root;
  const items = folders.map(folder => ({ label: label(folder.name), description: label(folder.root), root: folder.root }));
  return (await vscode.window.showQuickPick(items, { placeHolder: 'Which folder?' }))?.root;
}

async function openIntents(root: string, id?: string): Promise<void> {
  const uri = vscode.Uri.joinPath(vscode.Uri.file(root), INTENTS);
  const document = await vscode.workspace.openTextDocument(uri);
  const line = id === undefined ? undefined : lineOfIntent(document.getText(), id);
  const at = new vscode.Range(line ?? 0, 0, line ?? 0, 0);
  await vscode.window.showTextDocument(document, { selection: at });
}

async function pickIntent(parts: Parts, placeHolder: string): Promise<{ root: string; id: string; scope: string[] } | undefined> {
  const root = await pickFolder(parts);
  if (!root) return undefined;
  type Row = { id: string; name: string; owned_scope: string[] };
  const { intents } = await parts.answers.query<{ intents: Row[] }>(root, 'intents', ['intent', 'list']);
  const items = intents.map(({ id, name, owned_scope }) => ({ label: label(id), description: label(name), id, scope: owned_scope }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder });
  return picked && { root, id: picked.id, scope: picked.scope };
}

async function revealScope(parts: Parts, node?: IntentNode): Promise<void> {
  const chosen = node
    ? { root: node.root, id: node.intent.id, scope: node.intent.owned_scope }
    : await pickIntent(parts, 'Mark the scope of which intent?');
  if (!chosen) return;
  parts.marks.select(chosen);
  await vscode.commands.executeCommand('workbench.view.explorer');
}

/** `intent accept` shows it whole in a terminal, and asks there. */
async function acceptIntent(parts: Parts, node?: IntentNode): Promise<void> {
  const chosen = isIntent(node) ? { root: node.root, id: node.intent.id } : await pickIntent(parts, 'Accept which intent?');
  if (chosen) terminal(parts, chosen.root, ['intent', 'accept', chosen.id]);
}

/** Lets an agent work under an intent, as it could choose itself. */
async function selectIntent(parts: Parts, node?: IntentNode): Promise<void> {
  const chosen = isIntent(node) ? { root: node.root, id: node.intent.id } : await pickIntent(parts, 'Which intent shall an agent work under?');
  if (!chosen) return;
  const agents = parts.model.folders.find(({ root }) => root === chosen.root)?.agents.filter(each => each.agent === undefined) ?? [];
  if (agents.length === 0) throw new Error('No agent has worked here in the last half hour.');
  const items = agents.map(agent => ({ label: label(hostName(agent.host)), description: label(agent.session), detail: label(agent.intent ?? 'no intent'), agent }));
  const picked = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder: `Which agent shall work under ${inert(chosen.id)}?` });
  if (picked) terminal(parts, chosen.root, ['select', chosen.id, '--session', `${picked.agent.host}/${picked.agent.session}`]);
}

function isIntent(node: IntentNode | undefined): node is IntentNode {
  return node?.kind === 'intent';
}

async function ledgerOfIntent(parts: Parts, node?: IntentNode): Promise<void> {
  const chosen = node ? { root: node.root, id: node.intent.id } : await pickIntent(parts, 'The changes of which intent?');
  if (!chosen) return;
  parts.ledger.show({ root: chosen.root, intent: chosen.id });
  await vscode.commands.executeCommand('bailiwick.ledger.focus');
}

async function ledgerOfFile(parts: Parts, uri?: vscode.Uri): Promise<void> {
  const file = uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri;
  if (file?.scheme !== 'file') throw new Error('Open a file first.');
  const place = placeIn(parts.model, file);
  if (!place) throw new Error('This file is in no governed folder.');
  parts.ledger.show(place);
  await vscode.commands.executeCommand('bailiwick.ledger.focus');
}

/** The governed folder of a file, and its path there. */
export function placeIn(model: Model, uri: vscode.Uri): { root: string; path: string } | undefined {
  if (uri.scheme !== 'file') return undefined;
  const folder = model.folderOf(uri.fsPath);
  if (!folder) return undefined;
  const path = relative(folder.root, uri.fsPath).split(sep).join('/');
  return path === '' || path.startsWith('..') || isAbsolute(path) ? undefined : { root: folder.root, path };
}

async function openEntryFile(node?: EntryNode): Promise<void> {
  const file = node?.entry.files[0];
  if (!node || !file) return;
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.joinPath(vscode.Uri.file(node.root), file.path));
}

async function openEntry(parts: Parts, root: string, id: string): Promise<void> {
  await showAsText(parts, ['trace', 'show', id], root);
}

/** A reading command's answer as a document that cannot be edited and asks nobody to be saved. */
async function showAsText(parts: Parts, args: string[], given?: string): Promise<void> {
  const root = given ?? (await pickFolder(parts));
  if (!root) return;
  const value = await parts.connection.query<unknown>(root, args);
  await parts.pages.show(args.filter(word => !word.startsWith('-')).join(' '), asText(args[0] ?? '', value));
}
