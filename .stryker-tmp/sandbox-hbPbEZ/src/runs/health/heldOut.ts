/** Overlap with tasks that are only ever measured on. */
import { bands, overlap, sketchOf } from '../../engine/math/shingles.ts';
import type { Domain } from '../../engine/ports.ts';
import { likenessOf, nearly, type Likeness } from './duplicates.ts';
import { wordsOf } from './likeness.ts';

/** The held-out split of a domain; small enough to be held whole. */
export class HeldOut {
  readonly #fingerprints = new Map<string, string>();
  readonly #bands = Array.from({ length: bands }, () => new Map<number, { id: string; like: Likeness }[]>());

  constructor(domain: Pick<Domain, 'seeds' | 'fingerprint' | 'wording'>) {
    for (const task of domain.seeds('validation')) {
      const like = likenessOf(wordsOf(domain, task), domain.fingerprint(task));
      this.#fingerprints.set(like.fingerprint, task.id);
      for (const [band, hash] of sketchOf(like.shingles).entries()) {
        const bucket = this.#bands[band];
        bucket?.set(hash, [...(bucket.get(hash) ?? []), { id: task.id, like }]);
      }
    }
  }

  /** The held-out task that says the same, or nearly; `overlap` as of twins. */
  find({ fingerprint, shingles }: Likeness): { id: string; overlap: number } | null {
    const same = this.#fingerprints.get(fingerprint);
    if (same !== undefined) return { id: same, overlap: 1 };
    for (const [band, hash] of sketchOf(shingles).entries()) {
      for (const { id, like } of this.#bands[band]?.get(hash) ?? []) {
        const share = overlap(shingles, like.shingles);
        if (share >= nearly) return { id, overlap: share };
      }
    }
    return null;
  }
}
