// Keeps a sidecar running while there is a folder for it, and says how it stands.

import * as vscode from 'vscode';
import type { Model, State } from './model';
import { find } from './program';
import { type Approval, type AskAnswer, code, method, type Methods, type Over, type Snapshot } from './protocol';
import { Sidecar } from './sidecar';

/** How often it is started again by itself, and within which time. */
const TRIES = 3;
const TRIES_WITHIN_MS = 180_000;
const PAUSE_MS = 1_000;
/** A question that was open here is rejected when no window gives a sign of life for some seconds. A new one that comes sooner
 * would keep it waiting. */
const PAUSE_AFTER_QUESTIONS_MS = 8_000;

export interface Asker {
  ask(approval: Approval): Promise<AskAnswer>;
  over(over: Over): void;
  lost(): void;
}

export class Connection implements vscode.Disposable {
  private sidecar: Sidecar | undefined;
  private starts: number[] = [];
  private again: NodeJS.Timeout | undefined;
  /** Tells a start that was overtaken by a later one. */
  private turn = 0;
  private readonly connected = new vscode.EventEmitter<void>();
  readonly onConnected = this.connected.event;
  version = '';
  program = '';

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly model: Model,
    private readonly log: vscode.LogOutputChannel,
    private readonly asker: Asker,
  ) {}

  /** Starts afresh, whatever ran before. */
  async restart(): Promise<void> {
    this.starts = [];
    await this.start();
  }

  /** The setting may name another program now. */
  async programChanged(): Promise<void> {
    const before = this.program;
    const unable = this.unable();
    if (unable || this.program !== before) await this.restart();
  }

  private async start(): Promise<void> {
    const turn = ++this.turn;
    this.end();
    const unable = this.unable();
    if (unable) return this.model.enter(...unable);
    this.model.enter('starting');
    this.starts.push(Date.now());
    try {
      const client = { name: vscode.env.appName, version: vscode.version };
      const { sidecar, hello } = await Sidecar.start(this.program, folders(), client, {
        ask: approval => this.asker.ask(approval),
        over: over => this.asker.over(over),
        changed: (snapshot: Snapshot) => this.model.take(snapshot),
        ended: why => this.ended(turn, why),
        log: line => this.log.info(line),
      });
      if (turn !== this.turn) return sidecar.stop();
      this.sidecar = sidecar;
      this.version = hello.version;
      this.log.info(`${this.program} ${hello.version} serves ${hello.folders.length} folders`);
      this.connected.fire();
      const snapshot = await sidecar.request(method.SNAPSHOT, {});
      if (turn !== this.turn) return;
      this.model.enter('running');
      this.model.take(snapshot);
    } catch (error) {
      if (turn === this.turn) this.refused(error);
    }
  }

  /** Why nothing can be started here, if so. */
  private unable(): [State, string] | undefined {
    if (!vscode.workspace.isTrusted) return ['untrusted', 'the folder is not trusted'];
    if (folders().length === 0) return ['no_folder', 'no folder on a disk is open'];
    const program = find({
      setting: vscode.workspace.getConfiguration('bailiwick').get<string>('path', '').trim(),
      extension: this.context.extensionPath,
      path: process.env['PATH'] ?? '',
      windows: process.platform === 'win32',
    });
    this.program = program ?? '';
    return program === undefined ? ['no_program', 'the bailiwick program was not found'] : undefined;
  }

  private refused(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(message);
    const isOther = (error as { code?: unknown }).code === code.OTHER_PROTOCOL;
    this.end();
    this.model.enter(isOther ? 'refused' : 'stopped', message);
    if (isOther) void vscode.window.showErrorMessage(`Bailiwick: ${message}`);
  }

  private ended(turn: number, why: string): void {
    if (turn !== this.turn) return;
    this.log.warn(`bailiwick serve: ${why}`);
    this.sidecar = undefined;
    this.asker.lost();
    const pause = this.model.approvals.length > 0 ? PAUSE_AFTER_QUESTIONS_MS : PAUSE_MS;
    this.model.enter('stopped', why);
    const recent = this.starts.filter(at => Date.now() - at < TRIES_WITHIN_MS);
    if (recent.length > TRIES) return;
    this.again = setTimeout(() => void this.start(), pause);
  }

  /** The folders of the window changed. */
  async foldersChanged(): Promise<void> {
    if (!this.sidecar) return this.restart();
    if (folders().length === 0) return this.start();
    try {
      await this.sidecar.request(method.FOLDERS, { folders: folders() });
      this.model.take(await this.sidecar.request(method.SNAPSHOT, {}));
    } catch (error) {
      this.refused(error);
    }
  }

  async refresh(): Promise<void> {
    if (!this.sidecar) return this.restart();
    this.model.take(await this.request(method.SNAPSHOT, {}));
  }

  request<M extends keyof Methods>(name: M, params: Methods[M]['params']): Promise<Methods[M]['result']> {
    if (!this.sidecar) return Promise.reject(new Error('Bailiwick is not running in this window.'));
    return this.sidecar.request(name, params);
  }

  /** A reading command of the command line; its value, whatever its exit code. */
  async query<T>(root: string, args: string[]): Promise<T> {
    const { value, trouble } = await this.request(method.QUERY, { root, args });
    if (value === null) throw new Error(trouble ?? `bailiwick ${args.join(' ')} printed nothing`);
    return value as T;
  }

  notify<M extends keyof Methods>(name: M, params: Methods[M]['params']): void {
    this.sidecar?.notify(name, params);
  }

  private end(): void {
    if (this.again) clearTimeout(this.again);
    this.again = undefined;
    const sidecar = this.sidecar;
    this.sidecar = undefined;
    if (!sidecar) return;
    sidecar.stop();
    this.asker.lost();
  }

  dispose(): void {
    this.turn++;
    this.end();
    this.connected.dispose();
  }
}

function folders(): string[] {
  const all = vscode.workspace.workspaceFolders ?? [];
  return all.filter(folder => folder.uri.scheme === 'file').map(folder => folder.uri.fsPath);
}
