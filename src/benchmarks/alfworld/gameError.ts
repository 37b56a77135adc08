import { ReasonedError } from '../../shared/reasonedError.ts';

/**
 * Why a game cannot be read or played. `file`: not a game file. `pddl`, `grammar`: a part that cannot be read.
 * `size`: grounding it would not end. `text`: the grammar has no text for what happened.
 */
export type GameErrorReason = 'file' | 'pddl' | 'grammar' | 'size' | 'text';

/** A game that cannot be read or played; the message says what and where, for a person. */
export class GameError extends ReasonedError<GameErrorReason> {
  override readonly name = 'GameError';
}
