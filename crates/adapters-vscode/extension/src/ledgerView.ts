// The Ledger view: recent changes, newest first, a page at a time, of everything or of one file or intent.

import * as vscode from 'vscode';
import type { Answers } from './answers';
import { extend, type Known, type Of, PAGE, renew, together, wanting } from './ledgerPages';
import type { Model } from './model';
import { type Entry, entryOf, type TraceRecord } from './queries';
import { ago, className, count, hostName, inert } from './words';

export interface EntryNode { kind: 'entry'; root: string; entry: Entry }
type Node = EntryNode | { kind: 'file'; root: string; path: string; change: string } | { kind: 'more' };

export interface Filter { root?: string; path?: string; intent?: string }

export class LedgerView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly parts: vscode.Disposable;
  private readonly view: vscode.TreeView<Node>;
  private filter: Filter = {};
  /** What was asked for under this filter, by folder. */
  private known = new Map<string, Known>();

  constructor(
    private readonly model: Model,
    private readonly answers: Answers,
  ) {
    this.view = vscode.window.createTreeView('bailiwick.ledger', { treeDataProvider: this, showCollapseAll: true });
    this.parts = vscode.Disposable.from(this.view, answers.onChanged(() => this.changed.fire()), this.changed);
  }

  /** Shows only what fits; an empty filter shows everything. */
  show(filter: Filter): void {
    this.filter = filter;
    this.known = new Map();
    const what = filter.path ?? filter.intent;
    this.view.description = what === undefined ? '' : inert(what);
    void vscode.commands.executeCommand('setContext', 'bailiwick.ledgerFiltered', what !== undefined);
    this.changed.fire();
  }

  /** The next page. */
  async more(): Promise<void> {
    const { known } = this;
    for (const { root } of wanting(this.all())) await extend(known, root, last => this.page(root, last));
    this.changed.fire();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node?.kind === 'entry') {
      return node.entry.files.map(({ path, change }) => ({ kind: 'file', root: node.root, path, change }));
    }
    if (node) return [];
    const { known } = this;
    await Promise.all(this.folders().map(root => renew(known, root, () => this.page(root))));
    const entries: Node[] = together(this.all()).map(each => ({ kind: 'entry', ...each }));
    return wanting(this.all()).length > 0 ? [...entries, { kind: 'more' }] : entries;
  }

  private folders(): string[] {
    const { root } = this.filter;
    return this.model.governed.map(folder => folder.root).filter(each => root === undefined || each === root);
  }

  private all(): Of[] {
    return this.folders().flatMap(root => {
      const known = this.known.get(root);
      return known ? [{ root, known }] : [];
    });
  }

  /** One page, newest first. */
  private async page(root: string, before?: Entry): Promise<Entry[]> {
    const args = ['trace', 'log', '--limit', String(PAGE)];
    if (this.filter.path !== undefined) args.push(`--path=${this.filter.path}`);
    if (this.filter.intent !== undefined) args.push(`--intent=${this.filter.intent}`);
    if (before !== undefined) args.push(`--before=${before.id}`, `--seq=${before.seq}`);
    const { entries } = await this.answers.query<{ entries: TraceRecord[] }>(root, 'ledger', args);
    return entries.map(entryOf).reverse();
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'more': {
        const item = new vscode.TreeItem('Show more');
        item.command = { command: 'bailiwick.ledgerMore', title: 'Show more' };
        return item;
      }
      case 'file': {
        const uri = vscode.Uri.joinPath(vscode.Uri.file(node.root), node.path);
        const item = new vscode.TreeItem(inert(node.path));
        item.description = inert(node.change);
        item.resourceUri = uri;
        item.iconPath = vscode.ThemeIcon.File;
        item.command = { command: 'vscode.open', title: 'Open', arguments: [uri] };
        return item;
      }
      case 'entry':
        return entryItem(node.entry);
    }
  }

  dispose(): void {
    this.parts.dispose();
  }
}

function entryItem(entry: Entry): vscode.TreeItem {
  const [first, ...more] = entry.files;
  const what = first ? first.path + (more.length > 0 ? ` and ${count(more.length, 'more file')}` : '') : 'no file';
  const item = new vscode.TreeItem(inert(what), vscode.TreeItemCollapsibleState.Collapsed);
  const when = ago(entry.at, Date.now());
  item.description = `${inert(entry.intent ?? 'no intent')} · ${when}`;
  item.contextValue = 'entry';
  item.iconPath = new vscode.ThemeIcon(entry.override ? 'warning' : entry.class === 'AST_REFACTOR' ? 'wrench' : 'edit');
  const lines = [
    `${entry.id.slice(0, 8)} · ${new Date(entry.at).toLocaleString()}`,
    `Intent ${entry.intent ?? 'none'}${entry.requirements.length > 0 ? ` · ${entry.requirements.join(', ')}` : ''}`,
    `By ${hostName(entry.host)}${entry.class ? ` · ${className(entry.class)}` : ''}`,
    entry.approval ? `Approval ${entry.approval}${entry.approvedBy ? ` by ${entry.approvedBy}` : ''}` : 'No approval is recorded',
    ...(entry.override ? ['A person let it leave the scope.'] : []),
  ];
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(lines.map(line => inert(line)).join('\n'));
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: `${inert(what)}, ${inert(entry.intent ?? 'no intent')}, ${when}` };
  return item;
}
