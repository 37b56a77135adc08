/** Tasks that a new one must not be nearly like: held out, or there already. */
import * as l10n from '@vscode/l10n';
import { overlap, shinglesOf } from '../../engine/math/written/shingles.ts';
import type { Task } from '../../shared/records/task.ts';
import { wordsOf, type Recipe } from './recipe.ts';

/**
 * Share of word triples that two texts of tasks have in common when they say nearly the same. One other word in forty
 * leaves 0.85, one in eighteen 0.68: of what is held out less is let through.
 */
export const likenesses = { base: 0.8, heldOut: 0.6 } as const;

/** Of a shorter text one word changes too many of its triples: what is left must be the same words in any order. */
const fewestShingles = 8;

type Compared = Pick<Recipe, 'wording' | 'key'>;
type ComparedTask = Pick<Task, 'prompt' | 'evaluation' | 'gold'>;

/** Looked through one by one, so that none is missed. */
export class Overlaps {
  readonly #texts: { id: string; shingles: ReadonlySet<number> }[] = [];
  readonly #words = new Map<string, string>();
  readonly #keys = new Map<string, string>();

  readonly #recipe: Compared;
  readonly #nearly: number;

  /** @param nearly from which share on two texts say nearly the same */
  constructor(tasks: readonly Task[], recipe: Compared, nearly: number) {
    this.#recipe = recipe;
    this.#nearly = nearly;
    for (const task of tasks) {
      const [text, key] = [recipe.wording(task), recipe.key(task)];
      if (key !== null) this.#keys.set(key, task.id);
      if (text === '') continue;
      this.#texts.push({ id: task.id, shingles: shinglesOf(text) });
      this.#words.set(sortedWords(text), task.id);
    }
  }

  /** The task that says the same, and in what; null when there is none. */
  same(task: ComparedTask): { id: string; by: string } | null {
    const [text, key] = [this.#recipe.wording(task), this.#recipe.key(task)];
    const asked = key === null ? undefined : this.#keys.get(key);
    if (asked !== undefined) return { id: asked, by: l10n.t('it asks for the same') };
    const worded = text === '' ? undefined : this.#words.get(sortedWords(text));
    return worded === undefined ? null : { id: worded, by: l10n.t('it has the same words') };
  }

  /** The same of a task that says nearly the same. */
  find(task: ComparedTask): { id: string; by: string } | null {
    const same = this.same(task);
    if (same !== null) return same;
    const shingles = shinglesOf(this.#recipe.wording(task));
    if (shingles.size < fewestShingles) return null;
    for (const known of this.#texts) {
      if (known.shingles.size < fewestShingles) continue;
      const share = overlap(shingles, known.shingles);
      if (share >= this.#nearly)
        return { id: known.id, by: l10n.t('they share {0} % of their wording', Math.round(100 * share)) };
    }
    return null;
  }
}

const sortedWords = (text: string): string => wordsOf(text).toSorted().join(' ');
