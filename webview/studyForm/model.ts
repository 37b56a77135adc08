/** A study as its form has it: the file with typed text that is not in it yet. Pure. */
import { isObject, type JsonObject } from '../../src/shared/experiment/resolve.ts';
import { largest } from '../../src/shared/extremes.ts';
import type { Path } from '../../src/shared/experiment/text/jsonText.ts';
import type { StudyEdit } from '../../src/features/studyForm/contract.ts';

/** The content with every edit made, in order. */
export const edited = (written: JsonObject, edits: readonly StudyEdit[]): JsonObject =>
  edits.reduce((before, { path, to, rename }) => {
    const after = applied(before, path, to, rename);
    return isObject(after) ? after : before;
  }, written);

function applied(value: unknown, path: Path, to: unknown, rename: string | undefined): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return to;
  if (Array.isArray(value)) {
    return value.map((one: unknown, i) => (i === name ? applied(one, rest, to, rename) : one));
  }
  const before = isObject(value) ? value : {};
  const key = String(name);
  if (rest.length > 0) return { ...before, [key]: applied(before[key], rest, to, rename) };
  const entries = Object.entries(before);
  if (rename !== undefined) return Object.fromEntries(entries.map(([own, one]) => [own === key ? rename : own, one]));
  return to === undefined ? Object.fromEntries(entries.filter(([own]) => own !== key)) : { ...before, [key]: to };
}

/** Names and their objects or lists; empty where there are none. */
export const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export type Missing = 'base' | 'arms';

/** Parts without a sensible default, which a person still has to choose. */
export function missingIn(written: JsonObject): Missing[] {
  const { base, arms, grid } = written;
  const axes = entriesOf(grid).reduce((product, [, values]) => product * listOf(values).length, 1);
  const several = Math.max(1, entriesOf(arms).length) * axes > 1;
  return [...(typeof base === 'string' && base !== '' ? [] : ['base' as const]), ...(several ? [] : ['arms' as const])];
}

/** A name that no other has: `arm 2`. */
export function freeName(taken: readonly string[], stem: string): string {
  let number = taken.length + 1;
  while (taken.includes(`${stem} ${number}`)) number += 1;
  return `${stem} ${number}`;
}

/** So many seeds: those that there are, then the next whole numbers. */
export function seedsOf(before: readonly unknown[], count: number): number[] {
  const seeds = before.filter((one) => typeof one === 'number').slice(0, count);
  while (seeds.length < count) seeds.push((seeds.length === 0 ? 0 : largest(seeds)) + 1);
  return seeds;
}
