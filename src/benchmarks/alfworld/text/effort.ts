import { GameError } from '../gameError.ts';

/** Steps one text may take; those of the official games take some thousands. */
const most = 2_000_000;

/** The cost of making one text so far: rules that multiply, and conditions over everything, would never end. */
export class Effort {
  #spent = 0;

  /** @throws GameError `text` when it is too much */
  spend(): void {
    if (++this.#spent > most) throw new GameError('text', 'A rule of the text grammar never ends.');
  }
}
