// Asks for what was answered, while somebody looks and it may be another than before.

import * as vscode from 'vscode';
import type { Connection } from './connection';
import { newest, type Past } from './history';
import type { Model } from './model';
import { method } from './protocol';

/** So long after a change it is asked for, so that a busy agent does not keep the sidecar reading. */
const SOON_MS = 250;

/** So many more are shown each time. */
const PAGE = 20;

const NOTHING: Past = { answered: [], more: false };

export class History implements vscode.Disposable {
  private readonly known = new Map<string, { mark: string; past: Past }>();
  /** How many somebody wants to see, by folder. */
  private readonly wanted = new Map<string, number>();
  /** One after another: what is asked for later is shown last. */
  private asking: Promise<void> = Promise.resolve();
  private due: NodeJS.Timeout | undefined;
  private looks = false;
  private readonly watching: vscode.Disposable;

  constructor(
    private readonly model: Model,
    private readonly connection: Connection,
    private readonly changed: () => void,
  ) {
    this.watching = model.onChanged(() => this.soon());
  }

  of(root: string): Past {
    return this.known.get(root)?.past ?? NOTHING;
  }

  /** Somebody looks at it, or nobody any more. */
  look(looks: boolean): void {
    this.looks = looks;
    this.soon();
  }

  /** A page more of each folder that has one. */
  async older(): Promise<void> {
    for (const { root } of this.model.governed) {
      const past = this.of(root);
      if (past.more) this.wanted.set(root, past.answered.length + PAGE);
    }
    await this.renew();
  }

  private soon(): void {
    if (!this.looks || this.due !== undefined) return;
    this.due = setTimeout(() => {
      this.due = undefined;
      // The sidecar is gone or busy; the next change asks again.
      this.renew().catch(() => undefined);
    }, SOON_MS);
  }

  private renew(): Promise<void> {
    const renewed = this.asking.then(() => this.askAgain());
    this.asking = renewed.catch(() => undefined);
    return renewed;
  }

  /** Asks for all that is shown of each folder where it may be another than before. */
  private async askAgain(): Promise<void> {
    let failed: unknown;
    let isNew = false;
    for (const { root, marks, approvals } of this.model.governed) {
      const wanted = this.wanted.get(root) ?? PAGE;
      // A question whose time is over leaves the queue, and nothing is written.
      const mark = [wanted, marks.answered, marks.ledger, ...approvals.map(each => each.id)].join('\n');
      if (this.known.get(root)?.mark === mark) continue;
      try {
        const ask = (before?: string) =>
          this.connection.request(method.HISTORY, before === undefined ? { root } : { root, before });
        this.known.set(root, { mark, past: await newest(wanted, ask) });
        isNew = true;
      } catch (error) {
        failed = error;
      }
    }
    if (isNew) this.changed();
    if (failed !== undefined) throw failed;
  }

  dispose(): void {
    if (this.due) clearTimeout(this.due);
    this.watching.dispose();
  }
}
