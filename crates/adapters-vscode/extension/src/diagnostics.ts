// What is wrong with an intents file, as it is typed; the sidecar says it, and nothing is run for it.

import * as vscode from 'vscode';
import type { Connection } from './connection';
import type { Model } from './model';
import { type Diagnostic, method } from './protocol';
import { inert } from './words';

const NAME = '/.orchestration/active_intents.yaml';
const AFTER_TYPING_MS = 250;

export function checkIntents(model: Model, connection: Connection): vscode.Disposable {
  const found = vscode.languages.createDiagnosticCollection('bailiwick');
  const waiting = new Map<string, NodeJS.Timeout>();

  const check = async (document: vscode.TextDocument) => {
    const root = model.folderOf(document.uri.fsPath)?.root;
    if (root === undefined || document.isClosed) return found.delete(document.uri);
    const version = document.version;
    try {
      const { diagnostics } = await connection.request(method.CHECK_TEXT, { root, text: document.getText() });
      if (document.version === version) found.set(document.uri, diagnostics.map(each => shown(each, document)));
    } catch {
      found.delete(document.uri);
    }
  };
  const soon = (document: vscode.TextDocument) => {
    if (!isIntents(document)) return;
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    waiting.set(key, setTimeout(() => {
      waiting.delete(key);
      void check(document);
    }, AFTER_TYPING_MS));
  };
  const all = () => vscode.workspace.textDocuments.forEach(soon);
  return vscode.Disposable.from(
    found,
    connection.onConnected(all),
    vscode.workspace.onDidOpenTextDocument(soon),
    vscode.workspace.onDidChangeTextDocument(event => soon(event.document)),
    vscode.workspace.onDidCloseTextDocument(document => found.delete(document.uri)),
    vscode.languages.registerCompletionItemProvider({ scheme: 'file', pattern: '**' + NAME }, { provideCompletionItems }),
    { dispose: () => waiting.forEach(timeout => clearTimeout(timeout)) },
  );
}

function isIntents(document: vscode.TextDocument): boolean {
  return document.uri.scheme === 'file' && document.uri.path.endsWith(NAME);
}

function shown(each: Diagnostic, document: vscode.TextDocument): vscode.Diagnostic {
  const line = Math.min(Math.max(0, each.line - 1), document.lineCount - 1);
  const text = document.lineAt(line);
  const start = each.column > 0 ? Math.min(each.column - 1, text.text.length) : text.firstNonWhitespaceCharacterIndex;
  const range = new vscode.Range(line, start, line, Math.max(start, text.text.trimEnd().length));
  const message = inert(each.fix ? `${each.message}\n${each.fix}` : each.message, 'keep lines');
  const severity = each.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.source = 'bailiwick';
  return diagnostic;
}

const KEYS: readonly [string, string][] = [
  ['id', 'Unique; agents select the intent by it'],
  ['name', 'The goal in one line'],
  ['status', 'PENDING, IN_PROGRESS, BLOCKED, COMPLETED or ABANDONED'],
  ['why', 'The reason'],
  ['requirements', 'What it serves, such as REQ-7'],
  ['owned_scope', 'The files that may change: patterns; ! excludes'],
  ['constraints', 'What must stay true'],
  ['acceptance_criteria', 'When it is done'],
  ['parent', 'The intent that it is a part of'],
  ['expires', 'When it ends'],
  ['frozen', 'true: nobody works under it'],
];
const STATUSES = ['PENDING', 'IN_PROGRESS', 'BLOCKED', 'COMPLETED', 'ABANDONED'];

function provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
  const before = document.lineAt(position).text.slice(0, position.character);
  if (/^\s*(?:-\s+)?status:\s*\w*$/.test(before)) {
    return STATUSES.map(status => new vscode.CompletionItem(status, vscode.CompletionItemKind.EnumMember));
  }
  if (!/^\s*(?:-\s+)?\w*$/.test(before)) return [];
  return KEYS.map(([key, what]) => {
    const item = new vscode.CompletionItem(key, vscode.CompletionItemKind.Property);
    item.detail = what;
    item.insertText = `${key}: `;
    return item;
  });
}
