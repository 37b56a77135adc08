import * as l10n from '@vscode/l10n';
import { Rng } from '../../engine/random.ts';
import type { Task } from '../../shared/records/task.ts';
import { randomBody, type BodySpec } from './randomBody.ts';
import { authoredTask, fingerprintOf, type Cue } from './task.ts';

/** Largest sets on offer (paper A.3: 544 base samples). */
export const maxBaseTasks = 544;
export const maxValidationTasks = 400;

/** Chance that a value of a base or validation task is worded as an expression. */
export const expressionShare = 0.3;

/** Of 100 base tasks, how many have 1, 2, … 8 steps: mostly short, a few as long as validation's longest. */
const baseSteps = [25, 23, 18, 13, 9, 6, 3, 3];
const validationSteps = 8;

/** An index, each with a chance in proportion to its weight. */
export function weighted(rng: Rng, weights: readonly number[]): number {
  let left = rng.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return i;
  }
  return weights.length - 1;
}

/** Menu and fillers of a human-authored task of so many steps. */
function authoredSpec(rng: Rng, steps: number): BodySpec {
  const menu = Math.min(6, Math.min(steps, 3) + rng.int(4));
  return { steps, menu, fillers: weighted(rng, [55, 25, 12, 8]), expressions: expressionShare };
}

export interface Seeds {
  base: readonly Task[];
  validation: readonly Task[];
}

interface SeedOptions {
  seed: number;
  base: number;
  validation: number;
  cue: Cue;
}

/** The tasks of one seed, written one after the other: each must differ from all before it. */
class Author {
  readonly base: Task[] = [];
  readonly validation: Task[] = [];
  readonly #seed: number;
  readonly #cue: Cue;
  readonly #taken = new Set<string>();
  /** Base tasks of seed 0, which the shipped agent was warmed up on: none of them measures it. */
  readonly #warmedUp: Author | null;
  #drawn = { base: 0, validation: 0 };

  constructor(seed: number, cue: Cue, warmedUp: Author | null) {
    this.#seed = seed;
    this.#cue = cue;
    this.#warmedUp = warmedUp;
  }

  /** Draws one body; false when there are that many validation tasks already. */
  step(validation: number): boolean {
    if (this.#warmedUp?.step(0) === true) return true;
    // All base tasks come first, so that no validation task is one of them, however few are asked for.
    if (this.base.length < maxBaseTasks) this.#draw('base', this.base);
    else if (this.validation.length < validation) this.#draw('validation', this.validation);
    else return false;
    return true;
  }

  holds(fingerprint: string): boolean {
    return this.#taken.has(fingerprint);
  }

  #draw(split: 'base' | 'validation', tasks: Task[]): void {
    const i = this.#drawn[split]++;
    const rng = Rng.from('storekeeper', split, this.#seed, i);
    const steps = 1 + (split === 'base' ? weighted(rng, baseSteps) : i % validationSteps);
    const body = randomBody(rng, authoredSpec(rng, steps));
    const set = this.#seed === 0 ? split : `${split}.${this.#seed}`;
    const task = authoredTask(body, `${set}.${tasks.length}`, split, this.#cue);
    const key = fingerprintOf(task.prompt);
    if (this.#taken.has(key) || (split === 'validation' && this.#warmedUp?.holds(key) === true)) return;
    this.#taken.add(key);
    tasks.push(task);
  }
}

/** Kept: a session's runs, checks and documents ask for the same tasks again and again. */
const authors = new Map<string, Author>();

/** @throws RangeError when more tasks are asked for than there are */
function authorOf({ seed, base, validation, cue }: SeedOptions): Author {
  if (base > maxBaseTasks || validation > maxValidationTasks) {
    throw new RangeError(
      l10n.t(
        'the storekeeper domain has {0} base and {1} validation tasks; {2} and {3} were asked for',
        maxBaseTasks,
        maxValidationTasks,
        base,
        validation,
      ),
    );
  }
  return knownAuthor(seed, cue);
}

function knownAuthor(seed: number, cue: Cue): Author {
  const key = `${seed} ${cue}`;
  const known = authors.get(key) ?? new Author(seed, cue, seed === 0 ? null : knownAuthor(0, cue));
  authors.set(key, known);
  return known;
}

/**
 * The human-authored tasks that a seed names. Base: 1 … 8 steps, mostly short. Validation: 1 … 8 steps in equal
 * numbers, none of them a base task of the same seed or of seed 0, however few base tasks are asked for. Ids name the
 * seed unless it is 0: `validation.7.12`.
 * @throws RangeError when more tasks are asked for than there are
 */
export function authoredSeeds(options: SeedOptions): Seeds {
  const author = authorOf(options);
  while (author.step(options.validation));
  return { base: author.base.slice(0, options.base), validation: author.validation.slice(0, options.validation) };
}

const sliceMs = 10;

/**
 * Writes the tasks that `authoredSeeds` will give, a little at a time, so that a thread that people wait for is never
 * held up. @throws RangeError when more tasks are asked for than there are
 */
export async function prepareSeeds(options: SeedOptions): Promise<void> {
  const author = authorOf(options);
  for (let more = true; more;) {
    const until = performance.now() + sliceMs;
    while (performance.now() < until && more) more = author.step(options.validation);
    if (more) await new Promise((resolve) => setImmediate(resolve));
  }
}
