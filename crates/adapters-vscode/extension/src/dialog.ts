// The modal question. It carries an answer to the sidecar and decides nothing itself.

import * as vscode from 'vscode';
import type { ApprovalsView } from './approvalsView';
import type { Changes } from './changes';
import type { Approval, AskAnswer, Files, Over } from './protocol';
import { approveLabel, body, fitsDialog, heading } from './question';

/** A faster answer was a key that was meant for something else. */
const SLIP_MS = 250;

/** A change that is not there by then is shown in the view instead. */
const PATIENCE_MS = 5_000;

const LATE = 'This question is over. Your answer changed nothing:';

export class Dialog {
  private readonly open = new Set<string>();
  private readonly ended = new Map<string, string>();
  /** What was answered here and is not confirmed yet. */
  private readonly answered = new Map<string, 'approve' | 'reject'>();

  constructor(
    private readonly changes: Changes,
    private readonly view: ApprovalsView,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Asks; whatever is not the approving button rejects. */
  async ask(approval: Approval): Promise<AskAnswer> {
    const surface = vscode.workspace.getConfiguration('bailiwick').get<string>('surface', 'modal');
    if (surface === 'view') return this.inView(approval);
    this.open.add(approval.id);
    const read = await this.read(approval);
    // What was over before it was shown needs no word.
    const approved = read === undefined || this.ended.has(approval.id) ? undefined : await this.put(approval, read);
    this.open.delete(approval.id);
    const why = this.ended.get(approval.id);
    this.ended.delete(approval.id);
    if (approved === undefined) {
      if (why === undefined) return this.inView(approval);
      void this.changes.close(approval.id);
      return { decision: 'view' };
    }
    if (why !== undefined) {
      void vscode.window.showInformationMessage(`${LATE} ${why}`);
    } else {
      void this.changes.close(approval.id);
    }
    // Whoever answered elsewhere has answered; here there is nothing more to say.
    if (why !== undefined) return { decision: 'view' };
    const decision = approved ? 'approve' : 'reject';
    this.answered.set(approval.id, decision);
    return { decision };
  }

  private async inView(approval: Approval): Promise<AskAnswer> {
    await this.view.announce(approval);
    return { decision: 'view' };
  }

  /** What the dialog and the diff editor show; nothing when both together would not show all of it. */
  private async read(approval: Approval): Promise<Files | undefined> {
    try {
      const read = await this.changes.read(approval);
      return fitsDialog(approval, read) ? read : undefined;
    } catch (error) {
      this.log.warn(`the change of ${approval.id} cannot be shown: ${String(error)}`);
      return undefined;
    }
  }

  /**
   * Shows the dialog, with the change behind it, until it is answered by somebody who can have seen both. The editor takes
   * its time for a change, so the dialog does not wait for it, but a yes does. Nothing when the change cannot be shown.
   */
  private async put(approval: Approval, read: Files): Promise<boolean | undefined> {
    let seen = Infinity;
    let fails = false;
    const opened = this.changes.show(approval, read).then(
      () => void (seen = Date.now()),
      (error: unknown) => {
        fails = true;
        this.log.warn(`the change of ${approval.id} cannot be shown: ${String(error)}`);
      },
    );
    const approve = approveLabel(approval);
    const detail = `${body(approval, read.beside)}\n\nEnter and Escape reject.`;
    for (;;) {
      if (this.ended.has(approval.id)) return false;
      if (fails) return undefined;
      const shown = Date.now();
      // The first button has the focus. The editor adds a third one, "Cancel", for Escape and the close box.
      const picked = await vscode.window.showWarningMessage(heading(approval), { modal: true, detail }, 'Reject', approve);
      if (Date.now() - shown < SLIP_MS) continue;
      if (picked !== approve) {
        void opened.then(() => this.changes.close(approval.id));
        return false;
      }
      if (Date.now() - Math.max(shown, seen) >= SLIP_MS) return true;
      await Promise.race([opened, new Promise(done => setTimeout(done, PATIENCE_MS))]);
      if (seen === Infinity) return undefined;
    }
  }

  /** The question is over; an open dialog cannot be closed. */
  over({ id, why }: Over): void {
    if (this.open.has(id)) return void this.ended.set(id, why);
    void this.changes.close(id);
    const mine = this.answered.get(id);
    this.answered.delete(id);
    const counts = mine === undefined || why.startsWith(mine === 'approve' ? 'approved' : 'rejected');
    if (!counts) void vscode.window.showInformationMessage(`${LATE} ${why}`);
  }

  /** The sidecar is gone, and with it every question. */
  lost(): void {
    for (const id of this.open) this.ended.set(id, 'Bailiwick stopped, which rejects what is open.');
    this.answered.clear();
  }
}
