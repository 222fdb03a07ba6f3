// The modal question. It carries an answer to the sidecar and decides nothing itself.

import * as vscode from 'vscode';
import type { ApprovalsView } from './approvalsView';
import type { Changes } from './changes';
import type { Approval, AskAnswer, Over } from './protocol';
import { approveLabel, body, fitsDialog, heading } from './question';

/** A faster answer was a key that was meant for something else. */
const SLIP_MS = 250;

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
    const beside = await this.show(approval);
    // What was over before it was shown needs no word.
    const approved = beside === undefined || this.ended.has(approval.id) ? undefined : await this.put(approval, beside);
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
    this.view.note(`${approved ? 'Approved' : 'Rejected'}: ${heading(approval)}`, 'In the dialog.');
    return { decision };
  }

  private async inView(approval: Approval): Promise<AskAnswer> {
    await this.view.announce(approval);
    return { decision: 'view' };
  }

  /** Opens the change, and gives what the dialog says beside it; nothing when both together would not show all of it. */
  private async show(approval: Approval): Promise<string | undefined> {
    try {
      const read = await this.changes.read(approval);
      if (!fitsDialog(approval, read)) return undefined;
      await this.changes.show(approval, read);
      return read.beside;
    } catch (error) {
      this.log.warn(`the change of ${approval.id} cannot be shown: ${String(error)}`);
      return undefined;
    }
  }

  /** Shows the dialog until it is answered by somebody who can have seen it. */
  private async put(approval: Approval, beside: string): Promise<boolean> {
    const approve = approveLabel(approval);
    for (;;) {
      if (this.ended.has(approval.id)) return false;
      const shown = Date.now();
      const detail = `${body(approval, beside)}\n\nEnter and Escape reject.`;
      // The first button has the focus. The editor adds a third one, "Cancel", for Escape and the close box.
      const options = { modal: true, detail };
      const picked = await vscode.window.showWarningMessage(heading(approval), options, 'Reject', approve);
      if (Date.now() - shown >= SLIP_MS) return picked === approve;
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
