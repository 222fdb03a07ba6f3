// The Intents view: by status, each with its scope, requirements and the files that were changed under it.

import * as vscode from 'vscode';
import type { Answers } from './answers';
import type { Model } from './model';
import type { FolderSnapshot } from './protocol';
import { byStatus, type IntentRow, type IntentWhole, type MapRow, paged, statusName } from './queries';
import { count, cut, inert } from './words';

export interface IntentNode { kind: 'intent'; root: string; intent: IntentRow }
type Node =
  | { kind: 'folder'; folder: FolderSnapshot }
  | { kind: 'status'; root: string; status: string; intents: IntentRow[] }
  | IntentNode
  | { kind: 'part'; root: string; key: string; name: string; icon: string; lines: string[]; files: boolean }
  | { kind: 'line'; root: string; text: string; file: boolean }
  | { kind: 'more'; key: string; left: number };

/** So many rows of one kind are shown at first, and so many more with each click. */
const PAGE = 100;

export class IntentsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly parts: vscode.Disposable;
  /** How many rows are shown where it is more than a page. */
  private readonly shown = new Map<string, number>();

  constructor(
    private readonly model: Model,
    private readonly answers: Answers,
  ) {
    const view = vscode.window.createTreeView('bailiwick.intents', { treeDataProvider: this, showCollapseAll: true });
    this.parts = vscode.Disposable.from(view, answers.onChanged(() => this.changed.fire()), this.changed);
  }

  /** Shows the next rows of one kind. */
  more(key: string): void {
    this.shown.set(key, (this.shown.get(key) ?? PAGE) + PAGE);
    this.changed.fire();
  }

  private paged(key: string, rows: Node[]): Node[] {
    return paged(rows, this.shown.get(key) ?? PAGE, left => ({ kind: 'more', key, left }));
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) {
      const folders = this.model.governed;
      const [only, ...more] = folders;
      if (only && more.length === 0) return this.statuses(only.root);
      return folders.map(folder => ({ kind: 'folder', folder }));
    }
    switch (node.kind) {
      case 'folder':
        return this.statuses(node.folder.root);
      case 'status':
        return this.paged(`${node.root}\n${node.status}`, node.intents.map(intent => ({ kind: 'intent', root: node.root, intent })));
      case 'intent':
        return this.partsOf(node);
      case 'part':
        return this.paged(`${node.key}\n${node.name}`, node.lines.map(text => ({ kind: 'line', root: node.root, text, file: node.files })));
      case 'line':
      case 'more':
        return [];
    }
  }

  private async statuses(root: string): Promise<Node[]> {
    const { intents } = await this.answers.query<{ intents: IntentRow[] }>(root, 'intents', ['intent', 'list']);
    return byStatus(intents).map(({ status, intents: rows }) => ({ kind: 'status', root, status, intents: rows }));
  }

  private async partsOf({ root, intent }: IntentNode): Promise<Node[]> {
    const whole = await this.answers.query<IntentWhole>(root, 'intents', ['intent', 'show', intent.id]);
    const map = await this.answers.query<{ rows: MapRow[] }>(root, 'ledger', ['map', `--files=${intent.id}`]);
    const files = [...new Set(map.rows.map(row => row.file))];
    const text = (item: unknown) => (typeof item === 'string' ? item : textOf(item));
    const parts: Node[] = [];
    const part = (name: string, icon: string, lines: string[], isFiles = false) => {
      if (lines.length > 0) parts.push({ kind: 'part', root, key: `${root}\n${intent.id}`, name, icon, lines, files: isFiles });
    };
    part('Why', 'comment', whole.why ? [whole.why] : []);
    part('Scope', 'list-tree', whole.owned_scope);
    part('Requirements', 'checklist', whole.requirements);
    part('Acceptance criteria', 'pass', whole.acceptance_criteria.map(text));
    part('Constraints', 'law', whole.constraints.map(text));
    part('Files changed', 'files', files, true);
    return parts;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    switch (node.kind) {
      case 'folder':
        return new vscode.TreeItem(inert(node.folder.name), Expanded);
      case 'status': {
        const open = node.status === 'IN_PROGRESS' || node.status === 'PENDING' || node.status === 'BLOCKED';
        const item = new vscode.TreeItem(statusName(inert(node.status)), open ? Expanded : Collapsed);
        item.description = String(node.intents.length);
        return item;
      }
      case 'intent':
        return intentItem(node, this.isActive(node));
      case 'part': {
        const item = new vscode.TreeItem(node.name, node.name === 'Scope' ? Expanded : Collapsed);
        item.iconPath = new vscode.ThemeIcon(node.icon);
        item.description = String(node.lines.length);
        return item;
      }
      case 'more': {
        const item = new vscode.TreeItem(`Show more (${node.left} left)`);
        item.command = { command: 'bailiwick.intentsMore', title: 'Show more', arguments: [node.key] };
        return item;
      }
      case 'line': {
        const item = new vscode.TreeItem(inert(node.text), None);
        item.tooltip = inert(node.text, 'keep lines');
        if (node.file) {
          const uri = vscode.Uri.joinPath(vscode.Uri.file(node.root), node.text);
          item.command = { command: 'vscode.open', title: 'Open', arguments: [uri] };
        }
        return item;
      }
    }
  }

  private isActive(node: IntentNode): boolean {
    const folder = this.model.folders.find(each => each.root === node.root);
    return folder?.agents.some(agent => agent.intent === node.intent.id) ?? false;
  }

  dispose(): void {
    this.parts.dispose();
  }
}

function intentItem({ intent }: IntentNode, isActive: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(inert(intent.id), vscode.TreeItemCollapsibleState.Collapsed);
  item.description = inert(intent.name);
  item.contextValue = 'intent';
  const notes = [
    ...(isActive ? ['An agent works under it now.'] : []),
    ...(intent.accepted === false ? ['Not accepted on this machine yet.'] : []),
    ...(intent.expires ? [`Ends ${intent.expires}.`] : []),
  ];
  const scope = cut(intent.owned_scope.join(', '), 200);
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText([`${inert(intent.id)}: ${inert(intent.name)}`, `Scope: ${inert(scope)}`, ...notes].join('\n'));
  item.tooltip = tooltip;
  const icon = isActive ? 'play-circle' : intent.accepted === false ? 'question' : 'target';
  item.iconPath = new vscode.ThemeIcon(icon);
  const label = [intent.id, intent.name, ...notes, count(intent.owned_scope.length, 'scope pattern')].map(each => inert(each));
  item.accessibilityInformation = { label: label.join(', ') };
  return item;
}

function textOf(item: unknown): string {
  const text = (item as { text?: unknown } | null)?.text;
  return typeof text === 'string' ? text : JSON.stringify(item);
}
