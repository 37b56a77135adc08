/** Written texts that repeat texts which are only measured on: by n-grams of words, as Brown et al. 2020 (GPT-3, appendix C). */
import { runsOf, wordHashes } from './written/shingles.ts';

/** A text that must not be repeated. */
export interface MeasuredText {
  id: string;
  text: string;
}

/** Words of a measured text from which on it counts as repeated when it stands whole in another; of fewer, when both are equal. */
const shortestContained = 8;
/** Runs that more measured texts than this have are how such texts are worded (Brown et al. leave out the same). */
const mostTexts = 10;

interface Place {
  text: number;
  /** Word of the text at which the run begins. */
  at: number;
  texts: number;
}

/** Runs by hash, in parts: one map holds 2²⁴ entries, and a million texts of 30 words have 18 million runs. */
class Places {
  readonly #parts = Array.from({ length: 16 }, () => new Map<number, Place>());

  get(run: number): Place | undefined {
    return this.#of(run)?.get(run);
  }

  set(run: number, place: Place): void {
    this.#of(run)?.set(run, place);
  }

  delete(run: number): void {
    this.#of(run)?.delete(run);
  }

  #of(run: number): Map<number, Place> | undefined {
    return this.#parts[Math.abs(run) % this.#parts.length];
  }
}

/**
 * Finds the measured text with which another shares a run of words: of `length` words, or all of its words where it has
 * fewer. Case, punctuation and blanks aside. Runs that also stand in the seed do not count against its variations.
 */
export class SharedRuns {
  readonly #texts: { id: string; words: readonly number[] }[] = [];
  /** By length of the run, by its hash. */
  readonly #runs = new Map<number, Places>();

  /** @param length at least 8 @param seeds texts whose runs do not count */
  constructor(measured: Iterable<MeasuredText>, seeds: readonly string[], length: number) {
    for (const { id, text } of measured) this.#add(id, wordHashes(text), length);
    const seedWords = seeds.map(wordHashes);
    for (const [size, places] of this.#runs) {
      for (const words of seedWords) for (const run of this.#sizedRuns(words, size)) places.delete(run);
    }
  }

  /** The measured text, and how many words in a row it shares at least; null when there is none. */
  find(text: string): { id: string; words: number } | null {
    const words = wordHashes(text);
    for (const [size, places] of this.#runs) {
      let at = 0;
      for (const run of this.#sizedRuns(words, size)) {
        const place = places.get(run);
        const known = place === undefined ? undefined : this.#texts[place.text];
        if (place !== undefined && known !== undefined && place.texts <= mostTexts) {
          // A hash alone may be another run's.
          const same = known.words.slice(place.at, place.at + size).every((word, i) => word === words[at + i]);
          if (same) return { id: known.id, words: size };
        }
        at += 1;
      }
    }
    return null;
  }

  #add(id: string, words: readonly number[], length: number): void {
    if (words.length === 0) return;
    const size = Math.min(length, words.length);
    const places = this.#runs.get(size) ?? new Places();
    this.#runs.set(size, places);
    const text = this.#texts.push({ id, words }) - 1;
    let at = 0;
    for (const run of this.#sizedRuns(words, size)) {
      const known = places.get(run);
      if (known === undefined) places.set(run, { text, at, texts: 1 });
      else if (known.text !== text) known.texts += 1;
      at += 1;
    }
  }

  /** Too short a run is compared with whole texts alone. */
  *#sizedRuns(words: readonly number[], size: number): Generator<number> {
    if (size >= shortestContained || words.length === size) yield* runsOf(words, size);
  }
}
