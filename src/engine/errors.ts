import * as l10n from '@vscode/l10n';
import { ReasonedError } from '../shared/reasonedError.ts';

/** Why the loop stopped without finishing. */
export type LoopReason = 'paused' | 'not-trainable' | 'no-tasks' | 'endpoint' | 'corrupt-run';

/** A stop that a user can act on: `paused` was requested, the other reasons say what to change. */
export class LoopError extends ReasonedError<LoopReason> {
  override readonly name = 'LoopError';
}

/**
 * Why a run is ended from outside: a pause to resume from, a stop after which no resume is offered, or an interruption
 * (a closed window) after which one is offered.
 */
export class EndAsked extends Error {
  readonly how: 'paused' | 'stopped' | 'interrupted';

  constructor(how: EndAsked['how'], reason: string) {
    super(reason);
    this.name = 'EndAsked';
    this.how = how;
  }
}

/** An episode that died, or a prompt that its domain could not write: it counts as unanswered, and the others continue. */
export class EpisodeError extends Error {
  override readonly name = 'EpisodeError';
  readonly reason = 'episode';

  static is(error: unknown): error is EpisodeError {
    return error instanceof EpisodeError;
  }
}

/** Given turns end their attempt: nothing is left for the agent to say. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  readonly reason = 'replay';

  /** @param turn the agent's turn that is its last, counted from 0. @param why continues the sentence */
  constructor(turn: number, why: string) {
    super(
      l10n.t('Nothing is left to sample after turn {0} of the agent: {1}. Fork at an earlier turn.', turn + 1, why),
    );
  }
}
