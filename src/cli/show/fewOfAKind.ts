/** Similar problems of many records: the first few are printed, the others counted. */
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import { messageKind } from '../text/messageKind.ts';
import { count } from '../../shared/text/figures/numbers.ts';

/** Number of problems printed of each kind. */
const shown = 3;

export class FewOfAKind {
  readonly #kinds = new Map<string, { first: Problem; count: number }>();

  /** Whether to print this one. */
  add(problem: Problem): boolean {
    const kind = `${problem.field} ${messageKind(problem.message)}`;
    const known = this.#kinds.get(kind) ?? { first: problem, count: 0 };
    known.count += 1;
    this.#kinds.set(kind, known);
    return known.count <= shown;
  }

  /** A line for each kind with unprinted problems: their number. */
  get others(): string[] {
    return [...this.#kinds.values()].flatMap(({ first, count: times }) =>
      times <= shown ? [] : [`… and ${count(times - shown)} more like: ${first.message} (--json has all)`],
    );
  }
}
