/**
 * The stories that the environment varies, and those that only validation measures: written by hand, graded by steps,
 * and filled with numbers. `{a}` is a number of its range, `{a*b}` the product.
 */
import { baseStories, type StoryTemplate } from './stories.base.ts';
import { CalculationError, execute } from './stories.calculation.ts';
import { heldOutStories } from './stories.heldOut.ts';

interface SeedStory {
  id: string;
  story: string;
  calculation: string;
}

/** The paper's count of base samples (A.3), and as many held-out ones as validation asks for. */
const counts = { base: 544, heldOut: 400 };

const filled = new Map<'base' | 'heldOut', readonly SeedStory[]>();

/** Every story once before any comes again with other numbers, so that the first of them are as varied as all. */
export function seedStories(split: 'base' | 'heldOut'): readonly SeedStory[] {
  const known = filled.get(split);
  if (known !== undefined) return known;
  const templates = split === 'base' ? baseStories : heldOutStories;
  const told = new Set<string>();
  const stories = Array.from({ length: counts[split] }, (_, i) => {
    const [at, round] = [i % templates.length, Math.floor(i / templates.length)];
    const template = templates[at];
    if (template === undefined) throw new Error('Unreachable: there is a story at every place.');
    const id = `stories-${split === 'base' ? 'base' : 'held-out'}-${at + 1}.${round + 1}`;
    return { id, ...filledIn(template, stream(1 + round * 1009 + at * 17), told) };
  });
  filled.set(split, stories);
  return stories;
}

/** The first numbers of a stream with a whole answer above zero and a story that is not yet used. */
function filledIn(
  [story, calculation, ranges]: StoryTemplate,
  draw: (below: number) => number,
  told: Set<string>,
): Omit<SeedStory, 'id'> {
  for (let tries = 0; tries < 500; tries += 1) {
    const numbers = new Map(
      [...ranges.matchAll(/([a-z]):(\d+)-(\d+)/g)].map(([, letter = '', from, to]): [string, number] => [
        letter,
        Number(from) + draw(Number(to) - Number(from) + 1),
      ]),
    );
    const fill = (text: string): string =>
      text.replaceAll(/\{([^}]+)\}/g, (_, inner: string) =>
        grouped(execute(inner.replaceAll(/[a-z]/g, (letter) => String(numbers.get(letter) ?? letter))).value),
      );
    const made = { story: fill(story), calculation: fill(calculation).replaceAll(',', '') };
    if (told.has(made.story) || !/^[1-9]\d*$/.test(valueOf(made.calculation))) continue;
    told.add(made.story);
    return made;
  }
  throw new Error(`No numbers of ${ranges} make a whole answer: ${story}`);
}

function valueOf(calculation: string): string {
  try {
    return execute(calculation).value;
  } catch (error) {
    if (error instanceof CalculationError) return '';
    throw error;
  }
}

/** 12,500 as people write it; 1200 is short enough to be read. */
const grouped = (text: string): string => (/^\d{5,}$/.test(text) ? text.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : text);

/** Whole numbers below a bound (mulberry32): the same on every machine. */
function stream(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}
