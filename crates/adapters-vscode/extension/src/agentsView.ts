// The Agents view: who works here, in which state, under which intent; and what is not governed.

import * as vscode from 'vscode';
import type { Model } from './model';
import type { Agent, FolderSnapshot } from './protocol';
import { hostName, inert } from './words';

type Node =
  | { kind: 'folder'; folder: FolderSnapshot }
  | { kind: 'agent'; agent: Agent }
  | { kind: 'note'; text: string; more?: string; detail: string; icon: string; command?: vscode.Command };

const STATES: Readonly<Record<string, string>> = {
  REQUEST: 'waits for a prompt',
  REASONING: 'reads, has no intent',
  ACTION: 'works',
};

export class AgentsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly parts: vscode.Disposable;
  private shown = '';

  constructor(private readonly model: Model) {
    const view = vscode.window.createTreeView('bailiwick.agents', { treeDataProvider: this });
    const redraw = () => {
      const now = JSON.stringify([model.state, model.folders.map(folder => [folder.name, folder.state, folder.trouble, folder.agents, folder.done, folder.running])]);
      if (now === this.shown) return;
      this.shown = now;
      this.changed.fire();
    };
    this.parts = vscode.Disposable.from(view, model.onChanged(redraw), this.changed);
  }

  getChildren(node?: Node): Node[] {
    if (node) return node.kind === 'folder' ? inFolder(node.folder) : [];
    if (this.model.state !== 'running') return [];
    const [only, ...more] = this.model.folders;
    const folders: Node[] = only && more.length === 0 ? inFolder(only) : this.model.folders.map(folder => ({ kind: 'folder', folder }));
    return [...folders, ...ungoverned()];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'folder':
        return new vscode.TreeItem(inert(node.folder.name), vscode.TreeItemCollapsibleState.Expanded);
      case 'agent':
        return agentItem(node.agent);
      case 'note': {
        const item = new vscode.TreeItem(node.text);
        if (node.more) item.description = node.more;
        item.iconPath = new vscode.ThemeIcon(node.icon);
        item.tooltip = node.detail;
        if (node.command) item.command = node.command;
        return item;
      }
    }
  }

  dispose(): void {
    this.parts.dispose();
  }
}

function inFolder(folder: FolderSnapshot): Node[] {
  const setUp: vscode.Command = { command: 'bailiwick.setUp', title: 'Set Up This Workspace', arguments: [folder.root] };
  if (folder.state === 'not_set_up') {
    return [{ kind: 'note', text: 'Agents here are not governed', detail: 'Click to set up this folder.', icon: 'unlock', command: setUp }];
  }
  const notes: Node[] = [];
  if (folder.trouble) {
    const { what, next } = folder.trouble;
    notes.push({ kind: 'note', text: inert(what), detail: inert(`${what}\n${next}`, 'keep lines'), icon: 'error' });
  }
  for (const { intent, actor, summary } of folder.done) {
    const detail = `${actor} says that the work of ${intent} is done: ${summary}\nIt completes nothing. If it is done: bailiwick intent close ${intent}`;
    notes.push({ kind: 'note', text: inert(`${intent} is said to be done`), detail: inert(detail, 'keep lines'), icon: 'pass' });
  }
  if (folder.agents.length === 0) {
    notes.push({ kind: 'note', text: 'No agent has worked here in the last half hour', detail: '', icon: 'circle-slash' });
  }
  return [...notes, ...folder.agents.map((agent): Node => ({ kind: 'agent', agent }))];
}

/** The editor's own agent has no hooks that Bailiwick knows; whoever looks here must not think otherwise. */
function ungoverned(): Node[] {
  const more = `the chat agent of ${vscode.env.appName}`;
  const detail = 'Bailiwick governs agents by their hooks. The agent that is built into this editor has none yet that Bailiwick knows: its changes pass without a question.';
  return [{ kind: 'note', text: 'Not governed', more, detail, icon: 'warning' }];
}

function agentItem(agent: Agent): vscode.TreeItem {
  const name = hostName(agent.host) + (agent.agent ? ' (sub-agent)' : '');
  const item = new vscode.TreeItem(name);
  const state = agent.halted ? 'halted' : (STATES[agent.state] ?? inert(agent.state));
  const under = agent.intent ? ` under ${inert(agent.intent)}` : '';
  // What is cut first comes last.
  item.description = [...(agent.intent ? [inert(agent.intent)] : []), state, clock(agent.last)].join(' · ');
  item.tooltip = `Session ${inert(agent.session)}\nState ${inert(agent.state)}\nIntent ${inert(agent.intent ?? 'none')}\nLast call ${inert(agent.last)}`;
  const icon = agent.halted ? 'debug-pause' : agent.state === 'ACTION' ? 'play-circle' : 'circle-outline';
  item.iconPath = new vscode.ThemeIcon(icon);
  item.accessibilityInformation = { label: `${name}, session ${agent.session.slice(0, 8)}, ${state}${under}` };
  return item;
}

function clock(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? inert(at) : date.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });
}
