/** Overlap with tasks that are only ever measured on. */
import { bands, overlap } from '../../../engine/math/written/shingles.ts';
import { SharedRuns } from '../../../engine/math/sharedRuns.ts';
import type { Domain, TestSetTask } from '../../../engine/ports.ts';
import { wordingOf } from '../../../engine/wording.ts';
import { bandsOf, likenessOf, nearly, type Alike, type Likeness } from './duplicates.ts';
import { wordsOf } from './likeness.ts';

/** The held-out split of a domain; small enough to be held whole. */
export class HeldOut {
  readonly #fingerprints = new Map<string, string>();
  readonly #words = new Map<string, string>();
  readonly #runs: SharedRuns;
  readonly #bands = Array.from({ length: bands }, () => new Map<number, { id: string; like: Likeness }[]>());

  /** @param testSets further texts that are only measured on @param run words in a row that may not be shared */
  constructor(
    domain: Pick<Domain, 'seeds' | 'fingerprint' | 'wording'>,
    testSets: readonly TestSetTask[] = [],
    run: number | null = null,
  ) {
    const texts = testSets.map(({ of, id, text }) => ({ id: `${id} of ${of}`, text }));
    const own = domain.seeds('validation').map((task) => ({ id: task.id, text: wordingOf(domain, task) }));
    const seeds = domain.seeds('base').map((task) => wordingOf(domain, task));
    this.#runs = new SharedRuns(run === null ? [] : [...own, ...texts], seeds, run ?? 0);
    for (const task of domain.seeds('validation')) {
      const like = likenessOf(wordsOf(domain, task), domain.fingerprint(task));
      this.#fingerprints.set(like.fingerprint, task.id);
      this.#words.set(like.words, task.id);
      for (const [hash, band] of bandsOf(like)) {
        const bucket = this.#bands[band];
        bucket?.set(hash, [...(bucket.get(hash) ?? []), { id: task.id, like }]);
      }
    }
  }

  /** The task of a test set, or held out, with which a text shares a run of words. */
  repeats(text: string): { id: string; words: number } | null {
    return this.#runs.find(text);
  }

  /** The held-out task that says the same, or nearly. */
  find({ fingerprint, words, shingles }: Likeness): { id: string; alike: Alike } | null {
    // Some fingerprints hold the gold: with another one it is the same question.
    const same = this.#fingerprints.get(fingerprint) ?? (words === '' ? undefined : this.#words.get(words));
    if (same !== undefined) return { id: same, alike: 'same' };
    for (const [hash, band] of bandsOf({ shingles })) {
      for (const { id, like } of this.#bands[band]?.get(hash) ?? []) {
        const share = overlap(shingles, like.shingles);
        if (share >= nearly) return { id, alike: share };
      }
    }
    return null;
  }
}
