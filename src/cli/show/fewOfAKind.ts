/** Equal problems of many records: the first few are told as they come, the others counted. */
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import { messageKind } from '../text/messageKind.ts';
import { count } from '../text/numbers.ts';

/** Of a kind that are told. */
const shown = 3;

export class FewOfAKind {
  readonly #kinds = new Map<string, { first: Problem; count: number }>();

  /** Whether this one is to be told. */
  add(problem: Problem): boolean {
    const kind = `${problem.field} ${messageKind(problem.message)}`;
    const known = this.#kinds.get(kind) ?? { first: problem, count: 0 };
    known.count += 1;
    this.#kinds.set(kind, known);
    return known.count <= shown;
  }

  /** Of each kind of which some were not told: how many. */
  get others(): string[] {
    return [...this.#kinds.values()].flatMap(({ first, count: times }) =>
      times <= shown ? [] : [`… and ${count(times - shown)} more like: ${first.message} (--json has all)`],
    );
  }
}
