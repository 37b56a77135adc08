/** Rules about JSON: `json`, `json-schema`. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { ruleSchemas } from '../../shared/adapters/scorer.ts';
import { parseOrUndefined } from '../../shared/json.ts';
import { answerJson, passed, Unfit, type Rule } from './rule.ts';

/** The answer is the gold's value: keys in any order, lists in theirs, numbers by value. */
export const json: Rule<unknown, unknown> = {
  golden: true,
  readGold(gold) {
    const value = parseOrUndefined(gold);
    if (value === undefined) throw new Unfit('the gold is not JSON');
    return value;
  },
  judge(answer, gold) {
    const value = answerJson(answer);
    return passed(sameJson(value, gold), () => firstDifference(value, gold, ''));
  },
};

/** −0 is 0: JSON does not tell them apart. */
export const sameJson = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Where two values begin to differ. */
function firstDifference(given: unknown, gold: unknown, path: string): string {
  if (isContainer(given) && isContainer(gold) && Array.isArray(given) === Array.isArray(gold)) {
    const mine = new Map<string, unknown>(Object.entries(given));
    const right = new Map<string, unknown>(Object.entries(gold));
    for (const [key, value] of right) {
      if (!mine.has(key)) return `${path}/${key} is missing`;
      if (!sameJson(mine.get(key), value)) return firstDifference(mine.get(key), value, `${path}/${key}`);
    }
    const more = [...mine.keys()].find((key) => !right.has(key));
    if (more !== undefined) return `${path}/${more} is too much`;
  }
  return `${path === '' ? 'the answer' : path} is ${short(given)}, expected ${short(gold)}`;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

type SchemaOptions = Pick<z.infer<(typeof ruleSchemas)['json-schema']>, 'schema'>;
const validators = new WeakMap<object, z.ZodType>();

/** The answer follows the schema. @throws Unfit when the schema itself cannot be used */
export const jsonSchema: Rule<SchemaOptions, null> = {
  golden: false,
  readGold(_, { schema }) {
    validatorOf(schema);
    return null;
  },
  judge(answer, _, { schema }) {
    const checked = validatorOf(schema).safeParse(answerJson(answer));
    const [issue] = checked.error?.issues ?? [];
    return passed(checked.success, () => `/${issue?.path.map(String).join('/') ?? ''}: ${issue?.message ?? ''}`);
  },
};

function validatorOf(schema: Readonly<Record<string, unknown>>): z.ZodType {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  try {
    const made = z.fromJSONSchema(schema);
    validators.set(schema, made);
    return made;
  } catch (error) {
    throw new Unfit(`the schema cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}
