// What the command line answers, asked once for each state of the stores.

import * as vscode from 'vscode';
import type { Connection } from './connection';
import type { Model } from './model';
import type { Marks } from './protocol';

type About = keyof Marks;

interface Kept {
  mark: string;
  answer: Promise<unknown>;
}

/** So many answers are kept. */
const KEPT = 256;

export class Answers implements vscode.Disposable {
  private readonly kept = new Map<string, Kept>();
  private marks = '';
  private readonly changed = new vscode.EventEmitter<void>();
  /** Some queries would answer otherwise now. */
  readonly onChanged = this.changed.event;
  private readonly watching: vscode.Disposable;

  constructor(
    private readonly connection: Connection,
    private readonly model: Model,
  ) {
    this.watching = model.onChanged(() => {
      const marks = JSON.stringify(model.folders.map(folder => [folder.root, folder.state, folder.marks]));
      if (marks === this.marks) return;
      this.marks = marks;
      this.changed.fire();
    });
  }

  /** A reading command's value; asked again only after what it is about has changed. */
  query<T>(root: string, about: About, args: string[]): Promise<T> {
    const mark = this.model.folders.find(folder => folder.root === root)?.marks[about] ?? '';
    const key = JSON.stringify([root, ...args]);
    const known = this.kept.get(key);
    if (known?.mark === mark) return known.answer as Promise<T>;
    const answer = this.connection.query<T>(root, args);
    this.kept.delete(key);
    this.kept.set(key, { mark, answer });
    answer.catch(() => this.kept.delete(key));
    for (const old of this.kept.keys()) {
      if (this.kept.size <= KEPT) break;
      this.kept.delete(old);
    }
    return answer;
  }

  forget(): void {
    this.kept.clear();
    this.changed.fire();
  }

  dispose(): void {
    this.watching.dispose();
    this.changed.dispose();
  }
}
