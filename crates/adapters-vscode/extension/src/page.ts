// What the Approvals page and the extension say to each other. Types only.

import type { Answered, Approval, Bounds, Breadth, Draft, Grant, LessBounds, Reviewed, UndoPlan } from './protocol';

/** One line of what was answered here. */
export interface Done {
  at: string;
  text: string;
  message: string;
}

/** A grant or a review, with the folder it belongs to. */
export type InFolder<T> = T & { root: string; folder: string };

/** Everything that the page shows. */
export interface Page {
  type: 'page';
  /** Empty while all is well. */
  notice: string;
  folders: number;
  approvals: (Approval & { folder: string })[];
  grants: InFolder<Grant>[];
  reviews: InFolder<Reviewed>[];
  done: Done[];
  /** What was answered, the newest first. */
  past: InFolder<Answered>[];
  /** Whether older answers are known to the sidecar. */
  older: boolean;
}

/** What became of an act; `draft` is the draft that was sent, and the change that it would be. */
export type Outcome =
  | { type: 'failed'; key: string; message: string }
  | { type: 'settled'; key: string }
  | { type: 'draft'; key: string; draft: Draft; diff: string; shown: string; broad: Breadth | null }
  | { type: 'undo'; key: string; plan: UndoPlan }
  | { type: 'select'; key?: string };

export type ToPage = Page | Outcome;

/** A message with the secret that only the page's own text holds. */
export interface Signed {
  secret: string;
  message: ToPage;
}

/** What a person did on the page. `key` names the card; `fingerprint` is that of the request that it shows. */
export type FromPage =
  | { type: 'ready' }
  | { type: 'show'; key: string; root: string; id: string }
  | { type: 'answer'; key: string; root: string; id: string; fingerprint: string; decision: 'approve' | 'reject'; broad: boolean; feedback: string }
  | { type: 'grant'; key: string; root: string; id: string; fingerprint: string; bounds: LessBounds }
  | { type: 'allow'; key: string; root: string; id: string; fingerprint: string }
  | { type: 'change'; key: string; root: string; id: string; draft: Draft }
  | { type: 'amend'; key: string; root: string; id: string; fingerprint: string; draft: Draft; shown: string; broad: boolean }
  | { type: 'older'; key: string }
  | { type: 'undo'; key: string; root: string; entry: string }
  | { type: 'putBack'; key: string; root: string; entry: string; shown: string }
  | { type: 'revoke'; key: string; root: string; grant: string }
  | { type: 'review'; key: string; root: string; grant: string; shown: string; back: string[] };

/** The key of a question's card. */
export function keyOf(of: { root: string; id: string }): string {
  return `${of.root}\n${of.id}`;
}

/** The minutes of an offer. */
export function minutesOf(offer: Bounds): number {
  return Math.max(1, Math.round(offer.seconds / 60));
}
