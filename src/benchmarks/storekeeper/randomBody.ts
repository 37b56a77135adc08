import * as l10n from '@vscode/l10n';
import type { Rng } from '../../engine/random.ts';
import { stepWords, type Body, type MenuEntry, type PlacedFiller, type Step } from './body.ts';
import { execute } from './execute.ts';
import { amountOf, type Expression } from './expression.ts';
import { Store } from './store.ts';
import {
  concepts,
  fillers as fillerWords,
  functionNames,
  items,
  maxNumber,
  ordinals,
  takesValue,
  verbsOf,
  type Item,
} from './vocabulary.ts';

/** The properties of a task to draw. */
export interface BodySpec {
  /** 1 … 12 */
  steps: number;
  /** Menu entries, 1 … 6. */
  menu: number;
  /** Filler words in the request, 0 … 6. */
  fillers: number;
  /** Chance that a value is worded as an expression, 0 … 1. */
  expressions: number;
  /** The first steps name these items in this order; later steps return to them now and then. */
  about?: readonly Item[];
}

function one<T>(rng: Rng, from: readonly [T, ...T[]]): T {
  return from[rng.int(from.length)] ?? from[0];
}

/** Takes are modest and from what is well stocked, so that a model which is vague about the store rarely underflows it. */
const mostTaken = 4;

/** Draws a value of 1 … `largest` where it is a plain number, and its wording. `same` needs an earlier value. */
function drawExpression(rng: Rng, share: number, previous: number | null, largest: number): Expression {
  if (rng.next() >= share) return { kind: 'number', n: 1 + rng.int(largest) };
  switch (rng.int(previous === null ? 3 : 4)) {
    case 0:
      return { kind: 'plus', left: 1 + rng.int(9), right: 1 + rng.int(3) };
    case 1:
      return { kind: 'minus', left: 3 + rng.int(7), right: 1 + rng.int(3) };
    case 2:
      return { kind: 'twice', n: 1 + rng.int(9) };
    default:
      return { kind: 'same' };
  }
}

/** Fillers stand after an ordinal or after a verb, the first ones of the vocabulary in its order. */
function placeFillers(rng: Rng, steps: readonly Step[], count: number): PlacedFiller[] {
  const slots: number[] = [];
  let at = 0;
  for (const [i, step] of steps.entries()) {
    slots.push(at + 1, at + 2);
    at += stepWords(step, i).length;
  }
  const places = Array.from({ length: count }, () => slots[rng.int(slots.length)] ?? 1).sort((a, b) => a - b);
  return fillerWords.slice(0, count).map((word, i) => ({ before: places[i] ?? 1, word }));
}

/**
 * A random task that verifies, written by hand-made rules: what the warm starts learn from, and what base and
 * validation tasks are. Function names ascend and fillers keep an order, habits that a small model picks up soon; no rule
 * of the language asks for them.
 * @throws RangeError when the spec is outside the language
 */
export function randomBody(rng: Rng, spec: BodySpec): Body {
  const { steps: count, menu: size } = spec;
  if (count < 1 || count > ordinals.length || size < 1 || size > concepts.length || spec.fillers > fillerWords.length) {
    throw new RangeError(
      l10n.t('no task is drawn with {0} steps, {1} menu entries and {2} fillers', count, size, spec.fillers),
    );
  }
  const names = rng.pick(functionNames, size).sort();
  const menu: MenuEntry[] = rng.pick(concepts, size).map((concept, i) => ({ concept, name: names[i] ?? 'f0' }));
  // Twice as often a concept that takes a value: those are the steps with something to work out.
  const offered = menu.flatMap(({ concept }) => (takesValue(concept) ? [concept, concept] : [concept]));
  const about = spec.about ?? [];
  const store = new Store();
  const steps: Step[] = [];
  let previous: number | null = null;
  while (steps.length < count) {
    const concept = offered[rng.int(offered.length)] ?? 'get';
    const next = about[steps.length] ?? (rng.next() < 0.3 ? about[rng.int(about.length)] : undefined);
    const taking = concept === 'decrease';
    // A hinted item that is running low is not taken from: any other keeps every menu feasible.
    const item = next !== undefined && (!taking || store.level(next) >= mostTaken) ? next : one(rng, items);
    const verb = one(rng, verbsOf[concept]);
    const value: Expression | null = takesValue(concept)
      ? drawExpression(rng, spec.expressions, previous, taking ? mostTaken : 9)
      : null;
    const amount: number | null = value === null ? null : amountOf(value, previous);
    if (amount !== null) {
      if (amount > (taking ? mostTaken : maxNumber) || (taking && store.level(item) < mostTaken)) continue;
      previous = amount;
    }
    store.apply(concept, item, amount);
    steps.push({ verb, item, value });
  }
  const body: Body = { menu, steps, fillers: placeFillers(rng, steps, spec.fillers) };
  execute(body);
  return body;
}
