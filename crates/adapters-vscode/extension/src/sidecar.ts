// The process that knows: starts it, speaks with it, starts it again. Decides nothing.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  createMessageConnection, type MessageConnection, NotificationType, RequestType, StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { type Approval, type Ask, type AskAnswer, type Changed, type Initialized, method, type Methods, type Over, PROTOCOL,
  type Snapshot } from './protocol';

/** So long it may take to reject what was open, once its input has ended. */
const LEAVE_MS = 2_000;

const ASK = new RequestType<Ask, AskAnswer, void>(method.ASK);
const OVER = new NotificationType<Over>(method.OVER);
const CHANGED = new NotificationType<Changed>(method.CHANGED);

/** What the sidecar may ask for or tell. */
export interface Listener {
  ask(approval: Approval): Promise<AskAnswer>;
  over(over: Over): void;
  changed(snapshot: Snapshot): void;
  ended(why: string): void;
  log(line: string): void;
}

/** One running sidecar. */
export class Sidecar {
  private over = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly rpc: MessageConnection,
  ) {}

  /** Starts the program and agrees on the protocol. */
  static async start(
    program: string,
    folders: string[],
    client: { name: string; version: string },
    listener: Listener,
  ): Promise<{ sidecar: Sidecar; hello: Initialized }> {
    const child = spawn(program, ['serve', '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
    const rpc = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    const sidecar = new Sidecar(child, rpc);
    const end = (why: string) => {
      if (sidecar.over) return;
      sidecar.over = true;
      // Requests that are still open would never settle.
      rpc.dispose();
      listener.ended(why);
    };
    child.on('error', error => end(error.message));
    child.on('exit', (code, signal) => end(`it ended with ${signal ?? code ?? 'no code'}`));
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', data => listener.log(String(data).trimEnd()));
    rpc.onRequest(ASK, ({ approval }) => listener.ask(approval));
    rpc.onNotification(OVER, over => listener.over(over));
    rpc.onNotification(CHANGED, ({ snapshot }) => listener.changed(snapshot));
    rpc.onError(([error]) => listener.log(`connection: ${error.message}`));
    rpc.onClose(() => end('it closed the connection'));
    rpc.listen();
    try {
      const hello = await rpc.sendRequest<Initialized>(method.INITIALIZE, { protocol: PROTOCOL, client, folders });
      return { sidecar, hello };
    } catch (error) {
      sidecar.stop();
      throw error;
    }
  }

  request<M extends keyof Methods>(name: M, params: Methods[M]['params']): Promise<Methods[M]['result']> {
    return this.rpc.sendRequest<Methods[M]['result']>(name, params);
  }

  notify<M extends keyof Methods>(name: M, params: Methods[M]['params']): void {
    if (this.over) return;
    this.rpc.sendNotification(name, params).catch(() => undefined);
  }

  /** Ends it: at the end of its input it rejects what is open and ends. One that does not is killed. */
  stop(): void {
    if (this.over) return;
    this.over = true;
    this.rpc.dispose();
    leave(this.child);
  }
}

/** Lets a process end by itself first. */
export function leave(child: ChildProcess): void {
  child.stdin?.end();
  // Nobody reads it any more, and what is not read must not keep it from ending.
  child.stdout?.resume();
  const late = setTimeout(() => child.kill(), LEAVE_MS);
  child.once('exit', () => clearTimeout(late));
}
