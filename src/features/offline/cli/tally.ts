/** Totals of a file of cases by the rules of the benchmark's authors: a case without a verdict is wrong. */
import type { OfflineScorer, Verdict } from '../../../benchmarks/offline/offlineScorer.ts';
import { count, plural } from '../../../shared/text/figures/numbers.ts';
import { percentToTenth } from '../../../shared/text/figures/shares.ts';

export class Tally implements OfflineScorer {
  readonly #scorer: OfflineScorer;
  #scored = 0;
  #right = 0;
  /** Not every verdict is a judgement: a decoded text is not. */
  #judges = true;

  constructor(scorer: OfflineScorer) {
    this.#scorer = scorer;
  }

  score(line: string): Verdict | Promise<Verdict> {
    const verdict = this.#scorer.score(line);
    return verdict instanceof Promise ? verdict.then((one) => this.#noted(one)) : this.#noted(verdict);
  }

  /** @param unscored cases without a verdict */
  text(unscored: number): string {
    const all = this.#scored + unscored;
    const without = `${count(unscored)} of ${plural(all, 'case')} without a verdict`;
    if (!this.#judges || this.#scored === 0) return without;
    return (
      `${without}, which count as wrong: ${count(this.#right)} of ${count(all)} right, ${percentToTenth(this.#right / all)}; ` +
      `of those scored ${percentToTenth(this.#right / this.#scored)}`
    );
  }

  #noted(verdict: Verdict): Verdict {
    const right = isRight(verdict);
    this.#scored += 1;
    if (right === null) this.#judges = false;
    else this.#right += Number(right);
    return verdict;
  }
}

/** Names under which benchmarks say that an answer is right. */
const names = ['valid', 'won', 'final_pass', 'correct', 'em'];

/** Null for a verdict without a judgement. */
function isRight(verdict: Verdict): boolean | null {
  if (typeof verdict === 'string') {
    const said = /^\{"valid":(?:true|false)\b|"score":[01]\}$/.exec(verdict)?.[0];
    return said === undefined ? null : said.endsWith('true') || said.endsWith('1}');
  }
  for (const [name, value] of Object.entries(verdict)) {
    if (names.includes(name)) return value === true || value === 1;
  }
  return null;
}
