/** Tasks that are there twice, or nearly: found by fingerprints and by sketches of their words, in one pass. */
import { bands, overlap, shinglesOf, sketchOf } from '../../../engine/math/written/shingles.ts';
import { hashOf } from '../../../runs/index/recordRow.ts';
import { HashTable } from '../../../shared/hashTable.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** How alike two tasks are: they say the same, or share so much of their word triples. */
export type Alike = 'same' | number;

/** Another task that says the same, or nearly. */
export interface Twin {
  slot: number;
  alike: Alike;
}

/** The features by which a task is compared. */
export interface Likeness {
  fingerprint: string;
  words: string;
  shingles: ReadonlySet<number>;
}

/** Prompts that share this much of their word triples say nearly the same: one other word in forty leaves 0.85. */
export const nearly = 0.8;

/** Shorter prompts have too few word triples for a share to mean anything. */
const fewestShingles = 8;

/** Prompts whose shingles are held, so that a large cluster is not read again for every member. */
const held = 2048;

const none = -1;

/** In place of a share. */
const same = 2;

export const likenessOf = (words: string, fingerprint: string): Likeness => ({
  fingerprint,
  words,
  shingles: words === '' ? new Set() : shinglesOf(words),
});

/** Filled slot by slot; a task is compared with the first of its likes. */
export class Duplicates {
  readonly #twin: Int32Array;
  readonly #overlap: Float32Array;
  readonly #fingerprints: HashTable;
  readonly #bands: HashTable;
  readonly #read: (slot: number) => Promise<string>;
  readonly #held = new Map<number, ReadonlySet<number>>();

  /** @param read gives back the words of a slot that was added */
  constructor(slots: number, read: (slot: number) => Promise<string>) {
    this.#twin = new Int32Array(slots).fill(none);
    this.#overlap = new Float32Array(slots);
    this.#fingerprints = new HashTable(slots);
    this.#bands = new HashTable(slots * bands);
    this.#read = read;
  }

  /** The first of its likes, or for that one another of them; null where there is none. */
  twinOf(slot: number): Twin | null {
    const twin = this.#twin[slot] ?? none;
    if (twin === none) return null;
    const share = this.#overlap[slot] ?? outOfRange();
    return { slot: twin, alike: share === same ? 'same' : share };
  }

  async add(slot: number, like: Likeness): Promise<void> {
    const twin = await this.find(slot, like);
    const { low, high } = hashOf(like.fingerprint);
    if (this.#fingerprints.get(low, high) === null) this.#fingerprints.set(low, high, slot);
    for (const [hash, band] of bandsOf(like))
      if (this.#bands.get(hash, band) === null) this.#bands.set(hash, band, slot);
    if (twin === null) return;
    this.#pair(slot, twin.slot, twin.alike);
    this.#pair(twin.slot, slot, twin.alike);
  }

  /** The first other task that was added and says the same as a text, whether or not that was added itself. */
  async find(slot: number, like: Likeness): Promise<Twin | null> {
    const { low, high } = hashOf(like.fingerprint);
    const first = this.#fingerprints.get(low, high);
    if (first !== null && first !== slot) return { slot: first, alike: 'same' };
    for (const [hash, band] of bandsOf(like)) {
      const other = this.#bands.get(hash, band);
      if (other === null || other === slot) continue;
      const share = overlap(like.shingles, await this.#shingles(other));
      if (share >= nearly) return { slot: other, alike: share };
    }
    return null;
  }

  #pair(slot: number, other: number, alike: Alike): void {
    if (this.#twin[slot] !== none) return;
    this.#twin[slot] = other;
    this.#overlap[slot] = alike === 'same' ? same : alike;
  }

  async #shingles(slot: number): Promise<ReadonlySet<number>> {
    const known = this.#held.get(slot);
    if (known !== undefined) return known;
    const { shingles } = likenessOf(await this.#read(slot), '');
    this.#held.set(slot, shingles);
    const [oldest] = this.#held.keys();
    if (this.#held.size > held && oldest !== undefined) this.#held.delete(oldest);
    return shingles;
  }
}

/** None for a prompt that is too short to be nearly another. */
export function* bandsOf({ shingles }: Pick<Likeness, 'shingles'>): Generator<[number, number]> {
  if (shingles.size < fewestShingles) return;
  for (const [band, hash] of sketchOf(shingles).entries()) yield [hash, band];
}
