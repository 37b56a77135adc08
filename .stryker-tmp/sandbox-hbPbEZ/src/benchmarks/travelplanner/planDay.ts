import { isObject } from '../../shared/experiment/resolve.ts';
import { journeyOf, plain, type Journey } from './placeText.ts';
import { Stopped } from './stopped.ts';

export type Meal = 'breakfast' | 'lunch' | 'dinner';
export const meals: readonly Meal[] = ['breakfast', 'lunch', 'dinner'];
export type Entry = 'transportation' | 'attraction' | 'accommodation' | Meal;

/** One day of a plan, read as the official program reads it: what would be an error there throws `Stopped`. */
export class PlanDay {
  readonly #entries: Readonly<Record<string, unknown>>;
  /** 1-based. */
  readonly number: number;

  constructor(value: unknown, number: number) {
    if (!isObject(value)) throw new Stopped(`day ${number} is no object`);
    this.#entries = value;
    this.number = number;
  }

  has(entry: Entry): boolean {
    return Object.hasOwn(this.#entries, entry);
  }

  /** As it stands, for what compares without reading it. @throws Stopped when it is missing */
  raw(entry: Entry): unknown {
    if (!this.has(entry)) throw new Stopped(`day ${this.number} has no ${entry}`);
    return this.#entries[entry];
  }

  /** The text of an entry that says something; null when it is missing, empty or `-`. @throws Stopped when it is no text */
  filled(entry: Entry): string | null {
    const value = this.#entries[entry];
    if (!this.has(entry) || !isTrue(value) || value === '-') return null;
    if (typeof value !== 'string') throw new Stopped(`${entry} of day ${this.number} is no text`);
    return value;
  }

  /** The same of an entry that must be there. @throws Stopped when it is not */
  needed(entry: Entry): string | null {
    this.raw(entry);
    return this.filled(entry);
  }

  /** Empty or `-`; what is null or missing is neither. */
  isBlank(entry: Entry): boolean {
    const value = this.#entries[entry];
    return value === '' || value === '-';
  }

  /** Attractions, each of which `;` ends: what stands after the last one is none. */
  attractions(): string[] {
    return this.filled('attraction')?.split(';').slice(0, -1) ?? [];
  }

  /** @throws Stopped when it is missing or no text */
  get city(): string {
    const value = this.#entries['current_city'];
    if (typeof value !== 'string') throw new Stopped(`day ${this.number} has no current_city`);
    return value;
  }

  /** Whether it is spent on the way from one city to another. */
  get isTravel(): boolean {
    return this.city.includes('from');
  }

  /** The plain cities of a travel day. @throws Stopped when `from` is there, but no `from A to B` */
  journey(): Journey {
    const journey = journeyOf(this.city);
    if (journey === null) throw new Stopped(`current_city of day ${this.number} says no "from A to B"`);
    return { from: plain(journey.from), to: plain(journey.to) };
  }

  /** Entries of any name that say something. */
  countFilled(): number {
    return Object.values(this.#entries).filter((value) => isTrue(value) && value !== '-').length;
  }
}

/** Truth as Python has it, of a JSON value. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}
