/**
 * The budget of one rendering, counted in steps of the interpreter, so that the same template ends the same everywhere.
 */
import * as l10n from '@vscode/l10n';
import type { Value } from '@huggingface/jinja';
import { TemplateError } from './templateError.ts';
import { count } from '../text/figures/numbers.ts';

/** About two seconds. A conversation of a thousand messages takes a hundredth of it. */
const mostSteps = 5_000_000;
/** Of one text, in characters. */
const mostCharacters = 2 ** 26;
/** Characters that are copied in the time of a step. */
const charactersAStep = 256;
/** Items that are copied in the time of a step. */
const itemsAStep = 16;
/** Of a loop, which makes a scope for each round. */
const stepsARound = 4;

export class Meter {
  #left = mostSteps;
  /** Of lists and objects that were met: everything below them, which a list that holds one list twice has twice. */
  readonly #sizes = new WeakMap<object, number>();

  /** @throws TemplateError `too-slow` */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new TemplateError('too-slow', l10n.t('it takes more than {0} steps', count(mostSteps)));
  }

  /** Charges for a value by its size, to which later work on it is proportional. @throws TemplateError */
  meet(value: Value, looped: boolean): void {
    const { value: inner } = value;
    if (typeof inner === 'string') {
      if (inner.length > mostCharacters) {
        throw new TemplateError('too-large', l10n.t('it makes a text of {0} characters', count(inner.length)));
      }
      this.spend(inner.length / charactersAStep);
      return;
    }
    if (!isHolder(inner)) return;
    const items = 'size' in inner ? inner.size : inner.length;
    if (!this.#sizes.has(inner)) this.#size(inner);
    this.spend(looped ? items * stepsARound : items / itemsAStep);
  }

  /** Spends while counting: a value that doubles at each step could otherwise never be counted. */
  #size(holder: Holder): number {
    const known = this.#sizes.get(holder);
    if (known !== undefined) return known;
    let size = 1;
    for (const item of holder.values()) {
      const inner = innerOf(item);
      if (typeof inner === 'string') size += inner.length / charactersAStep;
      else size += isHolder(inner) ? this.#size(inner) : 1;
    }
    this.#sizes.set(holder, size);
    this.spend(size);
    return size;
  }
}

type Holder = readonly unknown[] | ReadonlyMap<unknown, unknown>;

const isHolder = (inner: unknown): inner is Holder => Array.isArray(inner) || inner instanceof Map;

/** A namespace changes, and may hold itself: it counts as one thing. */
function innerOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('type' in item) || !('value' in item)) return null;
  return item.type === 'NamespaceValue' ? null : item.value;
}
