// The Approvals view: the page, and what a person does on it. Only the page's own buttons answer; no command does.

import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import type { Changes } from './changes';
import type { Connection } from './connection';
import { History } from './historyOf';
import type { Model } from './model';
import { type Done, type FromPage, keyOf, type Page, type Signed, type ToPage } from './page';
import { type Approval, method, type Methods } from './protocol';
import { count } from './words';

const VIEW = 'bailiwick.approvals';
const HISTORY = 20;

export class ApprovalsView implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private readonly done: Done[] = [];
  /** Tells the page which messages are ours: any other frame of the window can post to it. */
  private readonly secret = randomBytes(32).toString('hex');
  /** What was asked for last: a question, or whatever waits first. */
  private selected: { key?: string } | undefined;
  private readonly registered: vscode.Disposable;
  private readonly history: History;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly model: Model,
    private readonly connection: Connection,
    private readonly changes: Changes,
  ) {
    this.history = new History(model, connection, () => this.draw());
    // What a person has typed stays while another view is open.
    const options = { webviewOptions: { retainContextWhenHidden: true } };
    this.registered = vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider(VIEW, this, options),
      model.onChanged(() => this.draw()),
      this.history,
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const dist = vscode.Uri.joinPath(this.context.extensionUri, 'dist');
    view.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    view.webview.onDidReceiveMessage((message: FromPage) => void this.act(message));
    view.onDidDispose(() => {
      this.view = undefined;
      this.history.look(false);
    });
    view.onDidChangeVisibility(() => this.history.look(view.visible));
    this.history.look(view.visible);
    view.webview.html = this.html(view.webview, dist);
    this.draw();
  }

  /** Opens the view at this question, or at the first. Answers nothing. */
  async reveal(approval?: Approval): Promise<void> {
    this.selected = approval ? { key: keyOf(approval) } : {};
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    this.select();
  }

  /** Shows that something new waits; whoever reads the page already is not moved. */
  async announce(approval: Approval): Promise<void> {
    if (!this.view?.visible) await this.reveal(approval);
  }

  private select(): void {
    if (!this.selected || !this.view) return;
    this.post({ type: 'select', ...this.selected });
  }

  private post(message: ToPage): void {
    void this.view?.webview.postMessage({ secret: this.secret, message } satisfies Signed);
  }

  private draw(): void {
    if (!this.view) return;
    const waiting = this.model.approvals.length + this.model.governed.flatMap(folder => folder.reviews).length;
    this.view.badge = waiting > 0 ? { value: waiting, tooltip: `${count(waiting, 'question')} for you` } : undefined;
    this.post(this.page());
  }

  private page(): Page {
    const named = new Map(this.model.folders.map(folder => [folder.root, folder.name]));
    const inFolder = <T>(of: (typeof this.model.folders)[number], items: readonly T[]) =>
      items.map(item => ({ ...item, root: of.root, folder: of.name }));
    return {
      type: 'page',
      notice: this.notice(),
      folders: this.model.governed.length,
      approvals: this.model.approvals.map(each => ({ ...each, folder: named.get(each.root) ?? '' })),
      grants: this.model.governed.flatMap(folder => inFolder(folder, folder.grants)),
      reviews: this.model.governed.flatMap(folder => inFolder(folder, folder.reviews)),
      done: this.done,
      past: this.model.governed.flatMap(folder => inFolder(folder, this.history.of(folder.root).answered)).sort((a, b) => b.at.localeCompare(a.at)),
      older: this.model.governed.some(folder => this.history.of(folder.root).more),
    };
  }

  private notice(): string {
    switch (this.model.state) {
      case 'running': {
        const troubled = this.model.folders.find(folder => folder.trouble);
        if (troubled?.trouble) return `${troubled.name}: ${troubled.trouble.what}. ${troubled.trouble.next}`;
        if (this.model.governed.length === 0) return 'Agents in this folder are not governed. Run “Bailiwick: Set Up This Workspace”.';
        return this.model.governed.some(folder => folder.pause) ? 'The gate is paused: it records and refuses nothing.' : '';
      }
      case 'starting':
        return 'Starting…';
      case 'no_folder':
        return 'Open a folder on a disk to govern the agents that work in it.';
      case 'untrusted':
        return 'Bailiwick starts no program in a folder that you do not trust. To trust it, press F1 and run “Workspaces: Manage Workspace Trust”.';
      case 'no_program':
        return 'The bailiwick program was not found. Install it, or name it in the setting bailiwick.path.';
      default:
        return `Bailiwick stopped: ${this.model.reason}. Agents are not asked here until it runs again.`;
    }
  }

  private async act(message: FromPage): Promise<void> {
    if (message.type === 'ready') {
      this.draw();
      this.select();
      return;
    }
    const { key } = message;
    try {
      await this.carryOut(message);
      this.post({ type: 'settled', key });
    } catch (error) {
      this.post({ type: 'failed', key, message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Carries what a person did to the sidecar. */
  private async carryOut(message: Exclude<FromPage, { type: 'ready' }>): Promise<void> {
    if (message.type === 'older') return this.history.older();
    const { root } = message;
    const approval = 'id' in message ? this.find(root, message.id) : undefined;
    type Act = 'approval/answer' | 'approval/grant' | 'approval/allow' | 'approval/amend' | 'grant/revoke' | 'review/finish' | 'undo/finish';
    const send = async <M extends Act>(name: M, params: Omit<Methods[M]['params'], 'root'>, what?: string) => {
      const given = { ...params, root } as Methods[M]['params'];
      const { message: said } = await this.connection.request(name, given);
      // What was answered comes back with the history.
      if (what !== undefined) this.note(what, said);
      if ('id' in message) void this.changes.close(message.id);
    };
    switch (message.type) {
      case 'show':
        return approval && this.changes.show(approval);
      case 'answer': {
        const { id, fingerprint, decision, broad, feedback } = message;
        const words = feedback.trim() === '' ? {} : { feedback: feedback.trim() };
        const params = { id, fingerprint, decision, ...(broad ? { broad } : {}), ...words };
        return send(method.ANSWER, params);
      }
      case 'grant':
        return send(method.GRANT, { id: message.id, fingerprint: message.fingerprint, bounds: message.bounds });
      case 'allow':
        return send(method.ALLOW, { id: message.id, fingerprint: message.fingerprint }, `Trusted: ${approval?.allows ?? ''}`);
      case 'change': {
        const { id, draft, key } = message;
        const { diff, shown, broad } = await this.connection.request(method.CHANGE, { root, id, draft });
        return this.post({ type: 'draft', key, draft, diff, shown, broad: broad ?? null });
      }
      case 'amend': {
        const { id, fingerprint, draft, shown, broad } = message;
        return send(method.AMEND, { id, fingerprint, draft, shown, ...(broad ? { broad } : {}) });
      }
      case 'undo': {
        const { entry, key } = message;
        return this.post({ type: 'undo', key, plan: await this.connection.request(method.UNDO_PLAN, { root, entry }) });
      }
      case 'putBack':
        return send(method.UNDO, { entry: message.entry, shown: message.shown });
      case 'revoke':
        return send(method.REVOKE, { grant: message.grant }, `Revoked: ${message.grant}`);
      case 'review': {
        const what = message.back.length === 0 ? 'Kept' : `Put back ${count(message.back.length, 'file')}`;
        return send(method.REVIEW, { grant: message.grant, shown: message.shown, back: message.back }, `${what}: ${message.grant}`);
      }
    }
  }

  private find(root: string, id: string): Approval | undefined {
    return this.model.approvals.find(each => each.root === root && each.id === id);
  }

  /** Remembers what was answered in this window. */
  note(text: string, message: string): void {
    this.done.unshift({ at: new Date().toISOString(), text, message });
    this.done.length = Math.min(this.done.length, HISTORY);
    this.draw();
  }

  private html(webview: vscode.Webview, dist: vscode.Uri): string {
    const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
    const nonce = randomBytes(16).toString('hex');
    const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${file('approvals.css')}">
<title>Approvals</title>
</head>
<body>
<main id="page" tabindex="-1" aria-label="Approvals" data-secret="${this.secret}"></main>
<div id="spoken" aria-live="polite"></div>
<script nonce="${nonce}" src="${file('approvals.js')}"></script>
</body>
</html>`;
  }

  dispose(): void {
    this.registered.dispose();
  }
}
