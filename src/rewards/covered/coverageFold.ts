/** Coverage by calls of reward functions, summed up by file. */
import type { CoveredFile, TakenCoverage } from '../../shared/rewards/coverage.ts';
import { coveredByLines } from './coveredByLines.ts';
import { coveredBySpans } from './coveredBySpans.ts';

export class CoverageFold {
  readonly #taken = new Map<string, TakenCoverage[]>();

  /** Of a call, or of loading. */
  add(taken: readonly TakenCoverage[]): void {
    for (const one of taken) {
      const known = this.#taken.get(one.file);
      if (known === undefined) this.#taken.set(one.file, [one]);
      else known.push(one);
    }
  }

  /** Every reported file, sorted by name. */
  files(): CoveredFile[] {
    return [...this.#taken]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([file, taken]) => {
        const spans = taken.flatMap((one) => (one.kind === 'spans' ? [one] : []));
        const lines = taken.flatMap((one) => (one.kind === 'lines' ? [one] : []));
        return { file, ...(spans.length > 0 ? coveredBySpans(spans) : coveredByLines(lines)) };
      });
  }
}
