/**
 * A run whose server has lost what it had there, as after a restart: its policies are opened again and continue from
 * their newest checkpoints, as a resumed run does, without user action. After a few times the run pauses instead.
 */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../endpoints/endpointError.ts';
import type { RunState } from '../engine/state.ts';

/** How often in a row, with nothing journaled in between. */
const most = 3;

export class Renewals {
  #left = most;

  /** An event was journaled: earlier losses no longer count. */
  progressed(): void {
    this.#left = most;
  }

  /** Whether the run may continue from its checkpoints now; counts. */
  mayGoOn(error: unknown, signal: AbortSignal): error is Error {
    if (signal.aborted || !(error instanceof Error) || !hasLost(error)) return false;
    this.#left -= 1;
    return this.#left >= 0;
  }
}

/** Whether an endpoint no longer knows a model, a session or weights of the run. */
export function hasLost(error: Error): boolean {
  return EndpointError.is(error, 'gone') || (error.cause instanceof Error && hasLost(error.cause));
}

/** The phase that is repeated; recorded samples are kept in any phase. */
export function begunAgain({ open }: Pick<RunState, 'open'>): { epoch: number; updates: boolean } | null {
  if (open === null) return null;
  const updates = open.scored !== undefined && open.pools === undefined;
  return { epoch: open.epoch, updates };
}

/** The same as a sentence for a log. */
export function lossInWords(state: Pick<RunState, 'open'>): string {
  const again = begunAgain(state);
  if (again === null) return l10n.t('Nothing of the run is lost.');
  return again.updates
    ? l10n.t('The updates of epoch {0} restart from their checkpoints; samples are kept.', again.epoch)
    : l10n.t('Epoch {0} continues where it was; samples are kept.', again.epoch);
}
